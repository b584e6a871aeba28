r"""Standard output and error as every command needs them: any character can be written, and a loss is told once.

A character that the stream's encoding lacks, and a byte of a file's name that is no text, is written as `\uXXXX`: a
person can read it, and in JSON it is what it stands for.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from controller.errors import OutputLost
from vision.files import plainly

_ESCAPED: Final = "pone.escaped"

_DESCRIPTORS: Final = (0, 1, 2)


@contextmanager
def command_streams() -> Iterator[None]:
    """Let `sys.stdout` and `sys.stderr` be such streams while a command runs.

    Streams that somebody has put in the place of the process's own are left alone.
    """
    codecs.register_error(_ESCAPED, _escape)
    kept = sys.stdin, sys.stdout, sys.stderr
    closed = _close_gaps()
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False))
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Output(closed=1 in closed), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Complaints(2, "w", closefd=False), sys.stderr)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept


def must_be_heard() -> None:
    """Make sure that somebody can hear what a command says, before it begins.

    Raises:
        controller.errors.OutputLost: standard output is closed.
    """
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Output):
        raw.must_be_open()


class _Output(io.FileIO):
    """Standard output. Its loss is no `OSError`, which might be taken for that of another file."""

    def __init__(self, *, closed: bool) -> None:
        super().__init__(1, "w", closefd=False)
        self._closed = closed

    def must_be_open(self) -> None:
        if self._closed:
            raise OutputLost(errno.EBADF, os.strerror(errno.EBADF))

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # any buffer; the stream above gives bytes
        try:
            self.must_be_open()
            while (count := super().write(data)) is None:  # whoever shares the terminal has it not waiting
                select.select([], [self], [])
        except OSError as error:
            # What is still buffered goes nowhere, so that the loss is not found again when the process ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise OutputLost(error.errno or 0, plainly(error)) from error
        return count


class _Complaints(io.FileIO):
    """Standard error. Nobody is left to complain to when it is lost; the exit status still says what happened."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # as above
        try:
            return super().write(data) or 0
        except OSError:
            return len(data)


def _text(raw: io.FileIO, like: TextIO | None) -> TextIO:
    """Return a text stream over `raw` with the encoding and the buffering of `like`."""
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding="utf-8" if like is None else like.encoding,
        errors=_ESCAPED,
        line_buffering=like is None or bool(like.line_buffering),
    )


def _close_gaps() -> set[int]:
    """Open what is closed of the three descriptors to nowhere, and return which: a log must not become number 2."""
    closed = set()
    for descriptor in _DESCRIPTORS:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free, which is this one
            closed.add(descriptor)
    return closed


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Write what cannot be encoded as JSON escapes it; an error handler of `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)), error.end
