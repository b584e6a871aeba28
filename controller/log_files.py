"""The files of a deal log: made private, locked for one writer; the machine's key file; what can go wrong with them."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import sqlite3
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.errors import LogBusy, LogDamaged, LogError
from controller.sealing import KEY_BYTES
from vision.files import plainly, sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import ExitStack

LOCK: Final = ".lock"
WAL: Final = "-wal"
BESIDE: Final = (WAL, "-shm", LOCK)
"""Endings of the names of the files that stand beside a log."""

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700
_OTHERS: Final = 0o077

_SAY: Final = {
    sqlite3.SQLITE_FULL: (LogError, "the disk is full", "Make room, then run the same command again."),
    sqlite3.SQLITE_READONLY: (LogError, "it may not be written to", "Give a log in a folder of your own."),
    sqlite3.SQLITE_CANTOPEN: (LogError, "it cannot be opened", "Give a log in a folder that you may write to."),
    sqlite3.SQLITE_PERM: (LogError, "it may not be opened", "Give a log in a folder of your own."),
    sqlite3.SQLITE_NOTADB: (LogDamaged, "it is no deal log", "Give the file that pone deal --log wrote."),
    sqlite3.SQLITE_CORRUPT: (LogDamaged, "it is damaged", "Keep the file as evidence, and read a backup."),
    sqlite3.SQLITE_BUSY: (LogBusy, "another program is writing to it", "Wait for it to end, or stop it."),
    sqlite3.SQLITE_LOCKED: (LogBusy, "another program is writing to it", "Wait for it to end, or stop it."),
    sqlite3.SQLITE_IOERR: (LogError, "the disk fails", "Copy the log to another disk and go on there."),
}

SQLITE_TROUBLE: Final = (sqlite3.Error, UnicodeDecodeError)
"""What a call of SQLite raises on a bad file; with a damaged name in it, not even its own message can be read."""

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_SHARED_MEMORY: Final = sqlite3.SQLITE_IOERR_SHMSIZE
"""SQLite's word for a full disk on which the file `-shm` finds no room."""

_BAD_NAME: Final = (errno.ENAMETOOLONG, errno.ELOOP)
_KINDS: Final = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe"),
    (stat.S_ISSOCK, "it is a socket"),
)


def trouble(file: str, error: sqlite3.Error | UnicodeDecodeError | OSError) -> LogError:
    """Return what SQLite or the operating system met, as an error that names the file and the next step."""
    if isinstance(error, OSError):
        return _of_system(file, error, "Give a log in a folder that you may write to.")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    kind, reason, next_step = _SAY.get(
        sqlite3.SQLITE_FULL if code == _NO_SHARED_MEMORY else code & 0xFF,
        (LogDamaged, "it does not hold what a deal log holds", "Keep the file as evidence, and read a backup."),
    )
    return kind(file, f"{reason} ({error})", next_step)


def _of_system(file: str, error: OSError, next_step: str) -> LogError:
    """Return an error of the operating system with its own next step, or else with this one."""
    if error.errno in _FULL:
        next_step = "Make room, then run the same command again."
    elif error.errno in _BAD_NAME:
        next_step = "Give another name."
    return LogError(file, plainly(error), next_step)


def is_regular(path: Path, file: str) -> bool:
    """Return whether there is a file at `path`; a folder, a device or a pipe is none that may be opened.

    Raises:
        LogError: something else is there, or the name cannot be looked up.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _of_system(file, error, "Give a file that you may read.") from error
    if stat.S_ISREG(mode):
        return True
    reason = next((name for is_kind, name in _KINDS if is_kind(mode)), "it is a device")
    raise LogError(file, reason, "Give the name of a file.")


def files_of(log: Path, key_file: Path) -> tuple[Path, ...]:
    """Return all files that a log keeps: itself, SQLite's two, the lock and the key file."""
    real = Path(os.path.realpath(log))
    return (real, *(real.with_name(real.name + ending) for ending in BESIDE), Path(os.path.realpath(key_file)))


def is_one_of(path: Path, files: Iterable[Path]) -> bool:
    """Return whether `path` leads to one of the files, by name or through a link of either kind."""
    real = Path(os.path.realpath(path))
    found = identity(real)
    return any(real == file or (found is not None and found == identity(file)) for file in files)


def create_private(path: Path) -> None:
    """Make sure that the file is there, for its owner alone, and that its name survives a loss of power.

    An empty file that is there already is made the owner's alone; one with content keeps the permissions it was given.

    Raises:
        OSError: the file can be neither made nor opened for writing.
    """
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    except FileExistsError:
        handle = os.open(path, os.O_RDWR)
        try:
            if not os.fstat(handle).st_size:
                os.fchmod(handle, _PRIVATE_FILE)
        finally:
            os.close(handle)
        return
    os.close(handle)
    sync_folder(path.parent)


def lock_file(
    path: Path,
    file: str,
    held: ExitStack,
    *,
    writer: str = "another controller",
    if_busy: str = "Wait for it to end, or give another log.",
) -> Path:
    """Take the lock of the one program that writes to the log `path`, and return its file; `held` gives it back.

    The operating system gives the lock back when the program ends, however it ends. Where `held` is closed because of
    an error, a lock file that was made here is taken away again.

    Args:
        path: the log.
        file: its name, for errors.
        held: what gives the lock back.
        writer: what another program that writes to it is called.
        if_busy: what to do then.

    Raises:
        LogBusy: another program holds the lock.
        LogError: what has the name of the lock file is none.
        OSError: the lock file cannot be made.
    """
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    lock = path.with_name(path.name + LOCK)
    is_regular(lock, str(lock))
    while True:
        new = not os.path.lexists(lock)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, _PRIVATE_FILE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
            os.close(handle)
            reason = f"{writer} writes to it (process {holder or 'not known'})"
            raise LogBusy(file, reason, if_busy) from error
        if identity(lock) == _identity(os.fstat(handle)):
            break
        os.close(handle)  # whoever made it took it away between the two calls
    held.callback(os.close, handle)
    if os.pread(handle, 21, 0).strip(b"0123456789\n"):
        raise LogError(str(lock), f"it has the name of the lock of {file}, and is none", "Give the log another name.")
    if new:
        held.push(lambda kind, value, trace: lock.unlink() if kind else None)
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return lock


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file a path leads to at this moment: its device and its number there; None if it leads to none."""
    try:
        return _identity(path.stat())
    except OSError:
        return None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def machine_key(path: Path) -> bytes:
    """Return the machine's key; draw it and write the key file if there is none.

    It is always drawn from the operating system: a key file outlives a seeded run that finds none.

    Raises:
        LogError: the file cannot be used as a key file: others may read it, or it holds no key.
    """
    file = str(path)
    try:
        if not is_regular(path, file):
            _write_key(path, secrets.token_bytes(KEY_BYTES))
        return _read_key(path, file)
    except OSError as error:
        raise _of_system(file, error, "Give a key file in a folder that only you may read.") from error


def _read_key(path: Path, file: str) -> bytes:
    handle = os.open(path, os.O_RDONLY)
    try:
        status = os.fstat(handle)
        key = os.read(handle, KEY_BYTES + 1)
    finally:
        os.close(handle)
    if status.st_mode & _OTHERS:
        raise LogError(file, "others than its owner may read the machine's key", f"Run: chmod 600 {file}")
    if len(key) != KEY_BYTES:
        next_step = "Put the right key file back; if no deal is open, delete this one and a new key is drawn."
        raise LogError(file, f"a key has {KEY_BYTES} bytes, and this is no such file", next_step)
    return key


def _write_key(path: Path, key: bytes) -> None:
    """Write a key that is there whole or not at all, and in the place of no other."""
    path = Path(os.path.realpath(path))
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(prefix=f".{path.name[:100]}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another controller drew one meanwhile: that one holds
            os.link(new, path)
    finally:
        Path(new).unlink()
    sync_folder(path.parent)
