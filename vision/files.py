"""Files, for every command: named, put in place whole or not at all, and what the system says in plain words."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import Final

_PLAIN: Final = {
    errno.ENOENT: "there is no such file or folder",
    errno.EEXIST: "something else is there",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is no folder",
    errno.EACCES: "this user may not use it",
    errno.EPERM: "this user may not use it",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "this user's share of the disk is full",
    errno.EFBIG: "the file would become larger than this user may make one",
    errno.EROFS: "the disk can only be read",
    errno.EIO: "the disk fails",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "its links lead in a circle",
    errno.ENXIO: "nothing is at its other end",
}

_OWNERS: Final = 0o600
_ANYBODYS: Final = 0o666
"""Permissions of a new file, less those that the user has it lack."""

_NAME: Final = 200
"""Bytes of a file's name that go into that of another one: a name has 255 at most."""


def named(text: str) -> str:
    """Return an argument of a command that names a file or a folder, as it is.

    Raises:
        argparse.ArgumentTypeError: it is empty, and would be the folder that one stands in.
    """
    import argparse  # late: whoever calls this has it

    if not text:
        raise argparse.ArgumentTypeError("empty: name a file or a folder")
    return text


def named_path(text: str) -> Path:
    """Return an argument of a command that names a file or a folder, as a path.

    Raises:
        argparse.ArgumentTypeError: it is empty, as for `named`.
    """
    return Path(named(text))


def plainly(error: OSError) -> str:
    """Return what the system says, as a clause for people; words that it did not choose stay.

    >>> plainly(FileNotFoundError(2, "No such file or directory"))
    'there is no such file or folder'
    """
    number = error.errno or 0
    own = error.strerror if number in _PLAIN and error.strerror != os.strerror(number) else None
    return own or _PLAIN.get(number) or error.strerror or str(error)


def on_one_line(name: str) -> str:
    r"""Return a file's name as it may be shown: what cannot be printed, and would move the cursor, is escaped.

    >>> on_one_line("queen\nof\x1b[31m hearts.jpg")
    'queen\\nof\\x1b[31m hearts.jpg'
    """
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in name)


def cut_name(name: str) -> str:
    """Return as much of a file's name as goes into that of another one.

    >>> len(cut_name("é" * 120))
    100
    """
    while len(os.fsencode(name)) > _NAME:
        name = name[:-1]
    return name


def put_in_place(file: Path, data: bytes, *, private: bool) -> None:
    """Put a file in its place, or in that of another: whoever reads it finds all of it, or what was there before.

    It is on the disk, name and all, when this returns. The draft beside it has always the same name, so that what a
    killed writer left is not kept; its lock lets two writers come one after the other.

    Args:
        file: where to; where that is a link, the link is replaced.
        data: the content.
        private: whether it is its owner's alone.

    Raises:
        OSError: it cannot be written; what was there before is there still.
    """
    draft = file.with_name(f".{cut_name(file.name)}.new")
    with os.fdopen(_locked(draft, _OWNERS if private else _ANYBODYS), "wb") as stream:
        try:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
            draft.replace(file)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    sync_folder(file.parent)


def _locked(draft: Path, mode: int) -> int:
    """Return the draft opened, empty and locked, once no other program writes to it.

    Raises:
        OSError: it cannot be made, or something that is no file has its name.
    """
    while True:
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, mode)
        try:
            _refuse_other(draft, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_at(draft, handle):
                os.fchmod(handle, os.fstat(handle).st_mode & mode)
                os.ftruncate(handle, 0)
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # another program has put it in its place meanwhile


def _refuse_other(path: Path, handle: int) -> None:
    """Make sure that what was opened is a file.

    Raises:
        OSError: it is a device or a pipe.
    """
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise FileExistsError(errno.EEXIST, f"{path.name} is in the way, and is no file", str(path))


def _is_at(path: Path, handle: int) -> bool:
    """Return whether a path leads to the open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def sync_folder(folder: Path) -> None:
    """Have the names in a folder survive a loss of power.

    Raises:
        OSError: it cannot be opened or written.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
