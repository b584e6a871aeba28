"""Files that a user names to the simulator: read up to a size, written whole or not at all, no device ever."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

from hardware_sims.errors import PathInUse
from vision.files import plainly

LARGEST: Final = 1 << 20
"""Bytes of the largest file that is read; a scenario of a whole evening with its faults takes a tenth of it."""


def read_whole(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        OSError: it cannot be read, is a folder, a device or a pipe, or larger than `LARGEST`.
    """
    # Not waiting, since a pipe that nobody writes to would be waited for before it can be told from a file.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "a device or a pipe, where a file is expected")
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"larger than {LARGEST // 1024} kB")
    return data


def place_to_write(path: Path) -> Path:
    """Return the file that `path` leads to, links followed, once it is sure that `write_whole` can write there.

    Raises:
        PathInUse: something else than a file is there, or no file can be made.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise PathInUse(str(path), "a folder, a device or a pipe is there: choose another path")
        with tempfile.TemporaryFile(dir=target.parent):
            return target
    except (OSError, RuntimeError) as error:
        reason = plainly(error) if isinstance(error, OSError) else str(error)
        raise PathInUse(str(path), f"no file can be made there ({reason}): choose another path") from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that whoever reads it finds all of it, or all of the old one."""
    draft = path.with_name(path.name + ".new")
    draft.write_bytes(data)
    draft.replace(path)
