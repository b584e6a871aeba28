"""What an argument of a command may be: a file, a code of laws, a number; each function says what is wrong with it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

_DIGITS: Final = 6


def log_file(text: str) -> Path:
    """Return the log file that the text names; its key file has the same name and the ending .key.

    Raises:
        argparse.ArgumentTypeError: the text names no file, the key file itself, or another that stands beside a log.
    """
    from controller.log_files import BESIDE

    path = _file(text)
    if path.suffix == ".key":
        raise argparse.ArgumentTypeError(f"{text!r} is the name of a key file: name the log itself")
    if path.name.endswith(BESIDE):
        raise argparse.ArgumentTypeError(f"{text!r} is the name of a file beside a log: name the log itself")
    return path


def picture_file(text: str) -> Path:
    """Return the file that the text names for a picture, which overwrites nothing but another picture.

    Raises:
        argparse.ArgumentTypeError: the text names no file, or one that holds something else.
    """
    from controller.deal_picture import refuse_other
    from controller.user_files import plainly

    path = _file(text)
    try:
        refuse_other(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {plainly(error)}") from error
    return path


def code_of_laws(text: str) -> str:
    """Return the name of a code of laws that can be applied.

    Raises:
        argparse.ArgumentTypeError: there is none of that name.
    """
    from controller import laws

    names = [code.name for code in laws.built()]
    if text not in names:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(names)}: see `pone laws`")
    return text


def _file(text: str) -> Path:
    """Return the file that the text names, which may not be there yet.

    Raises:
        argparse.ArgumentTypeError: the text names no file, but a folder, a device, or nothing.
    """
    from controller.errors import LogError
    from controller.log_files import is_regular

    path = Path(text)
    if not path.name:
        raise argparse.ArgumentTypeError(f"{text!r} is a folder, or nothing: name a file in it")
    try:
        is_regular(path, text)
    except LogError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error.reason}. {error.next_step}") from error
    return path


def positive(text: str) -> int:
    """Return a whole number above zero.

    Raises:
        argparse.ArgumentTypeError: the text is none.
    """
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r:.20} is no whole number above zero with at most {_DIGITS} digits")
