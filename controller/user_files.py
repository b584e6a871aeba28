"""Files that a command is given: read as text up to a size, and what the system says of them in plain words."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from controller.errors import UnreadableInput

LARGEST: Final = 1 << 20
"""Bytes of the largest file that is read as text; an order of a pack or an evening of words takes a hundredth of it."""

_PLAIN: Final = {
    errno.ENOENT: "there is no such file or folder",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is no folder",
    errno.EACCES: "this user may not use it",
    errno.EPERM: "this user may not use it",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "this user's share of the disk is full",
    errno.EROFS: "the disk can only be read",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "its links lead in a circle",
}


def plainly(error: OSError) -> str:
    """Return what the system says, as a clause for people.

    >>> plainly(FileNotFoundError(2, "No such file or directory"))
    'there is no such file or folder'
    """
    return _PLAIN.get(error.errno or 0) or error.strerror or str(error)


def text_of(file: Path) -> str:
    """Return the text of a file; it may be a pipe.

    Raises:
        UnreadableInput: it cannot be read, is larger than `LARGEST`, or is no text.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise UnreadableInput(str(file), plainly(error)) from error
    except ValueError as error:  # a name with a null character
        raise UnreadableInput(str(file), f"it is no name of a file ({error})") from error
    if len(data) > LARGEST:
        raise UnreadableInput(str(file), f"it is larger than {LARGEST // 1024} kB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableInput(str(file), f"it is no text in UTF-8 (byte {error.start + 1})") from error
