"""The files of a deal log: made private, locked for one writer; the machine's key file; what can go wrong with them."""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import stat
from typing import TYPE_CHECKING, Final

from controller.errors import LogBusy, LogDamaged, LogError
from controller.sealing import KEY_BYTES

if TYPE_CHECKING:
    from pathlib import Path

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


def trouble(file: str, error: sqlite3.Error | UnicodeDecodeError | OSError) -> LogError:
    """Return what SQLite or the operating system met, as an error that names the file and the next step."""
    if isinstance(error, OSError):
        return LogError(file, error.strerror or str(error), "Give a log in a folder that you may write to.")
    code = getattr(error, "sqlite_errorcode", None)
    kind, reason, next_step = _SAY.get(
        sqlite3.SQLITE_ERROR if code is None else code & 0xFF,
        (LogDamaged, "it does not hold what a deal log holds", "Keep the file as evidence, and read a backup."),
    )
    return kind(file, f"{reason} ({error})", next_step)


def create_private(path: Path) -> None:
    """Make sure that the file is there, for its owner alone, and that its name survives a loss of power.

    Raises:
        OSError: the file can be neither made nor opened for writing.
    """
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    except FileExistsError:
        os.close(os.open(path, os.O_RDWR))
        return
    os.close(handle)
    _sync_folder(path.parent)


def lock_file(path: Path, file: str) -> int:
    """Take the lock of the one program that writes to the log `path`, and return its handle.

    The operating system gives the lock back when the program ends, however it ends.

    Raises:
        LogBusy: another program holds the lock.
        OSError: the lock file cannot be made.
    """
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, _PRIVATE_FILE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
        os.close(handle)
        reason = f"another controller writes to it (process {holder or 'not known'})"
        raise LogBusy(file, reason, "Wait for it to end, or give another log.") from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle


def machine_key(path: Path) -> bytes:
    """Return the machine's key; draw it and write the key file if there is none.

    It is always drawn from the operating system: a key file outlives a seeded run that finds none.

    Raises:
        LogError: the file cannot be used as a key file: others may read it, or it holds no key.
    """
    file = str(path)
    try:
        try:
            return _read_key(path, file)
        except FileNotFoundError:
            return _write_key(path, secrets.token_bytes(KEY_BYTES))
    except OSError as error:
        next_step = "Give a key file in a folder that only you may read."
        raise LogError(file, error.strerror or str(error), next_step) from error


def _read_key(path: Path, file: str) -> bytes:
    handle = os.open(path, os.O_RDONLY)
    try:
        status = os.fstat(handle)
        key = os.read(handle, KEY_BYTES + 1) if stat.S_ISREG(status.st_mode) else b""
    finally:
        os.close(handle)
    if status.st_mode & _OTHERS:
        raise LogError(file, "others than its owner may read the machine's key", f"Run: chmod 600 {file}")
    if len(key) != KEY_BYTES:
        next_step = "Put the right key file back; if no deal is open, delete this one and a new key is drawn."
        raise LogError(file, f"a key has {KEY_BYTES} bytes, and this is no such file", next_step)
    return key


def _write_key(path: Path, key: bytes) -> bytes:
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    try:
        os.write(handle, key)
        os.fsync(handle)
    finally:
        os.close(handle)
    _sync_folder(path.parent)
    return key


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
