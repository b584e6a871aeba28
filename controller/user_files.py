"""Files that a command is given: read as text up to a size; and whether one can be made."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.errors import UnreadableInput
from vision.files import plainly

LARGEST: Final = 1 << 20
"""Bytes of the largest file that is read as text; an order of a pack or an evening of words takes a hundredth of it."""


def why_no_file_at(file: Path, *, make_folder: bool) -> str:
    """Return why a file cannot be made; empty where it can. What may be there already is not asked about.

    Args:
        file: where.
        make_folder: whether its folder would be made too.
    """
    try:
        with suppress(FileNotFoundError):
            file.lstat()
        with tempfile.TemporaryFile(dir=_nearest(file.parent) if make_folder else file.parent):
            return ""
    except OSError as error:
        return plainly(error)


def _nearest(folder: Path) -> Path:
    """Return the folder, or the nearest above it that is there.

    Raises:
        OSError: its name is none that can be looked up.
    """
    try:
        folder.lstat()
    except FileNotFoundError:
        return _nearest(folder.parent)
    return folder


def text_of(file: Path) -> str:
    """Return the text of a file, without the mark that some editors set before it; the file may be a pipe.

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
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UnreadableInput(str(file), f"it is no text in UTF-8 (byte {error.start + 1})") from error
