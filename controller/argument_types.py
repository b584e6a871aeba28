"""What an argument of a command may be: a log, a picture, a house, a code; each function says what is wrong with it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from controller.club_code import ChosenCode
    from controller.house import House

LONGEST_FILE: Final = 1 << 18
"""Longest file of settings or laws that is read, in bytes; a whole code has a tenth of that."""

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

    path = _file(text)
    try:
        refuse_other(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error.strerror}") from error
    return path


def house_file(text: str) -> House:
    """Return the settings of the house that the named file holds; the defaults for an empty text.

    Raises:
        argparse.ArgumentTypeError: the file cannot be read, or is not in order.
    """
    from controller.errors import HouseError
    from controller.house import House, read_house

    try:
        return read_house(file_text(text), text) if text else House()
    except HouseError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def code_of_laws(text: str) -> ChosenCode:
    """Return the code of laws that the text names: one that is built in, or a file of a club's own, NAME.toml.

    Raises:
        argparse.ArgumentTypeError: there is no such code, or the file cannot be read, or is not in order.
    """
    from controller import laws
    from controller.club_code import ChosenCode, read_code
    from controller.errors import ClubCodeError, CodeError

    try:
        if is_file_of_laws(text):
            own = file_text(text)
            return ChosenCode(code=read_code(own), text=own)
        return ChosenCode(code=laws.code(text))
    except ClubCodeError as error:
        more = f" ({len(error.complaints) - 1} more: pone laws --check {text})" if error.complaints[1:] else ""
        raise argparse.ArgumentTypeError(f"{text}: {error.complaints[0]}{more}") from error
    except CodeError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def is_file_of_laws(text: str) -> bool:
    """Return whether a text names a file of a club's own code, and not a printed one.

    >>> is_file_of_laws("ours.toml"), is_file_of_laws("whist")
    (True, False)
    """
    return text.endswith(".toml") or "/" in text


def file_text(name: str) -> str:
    """Return what a file of settings or laws holds.

    Raises:
        argparse.ArgumentTypeError: it cannot be read, is no text, or is too long.
    """
    try:
        with Path(name).open("rb") as file:
            raw = file.read(LONGEST_FILE + 1)
        if len(raw) > LONGEST_FILE:
            raise argparse.ArgumentTypeError(f"{name}: it is longer than {LONGEST_FILE} bytes")
        return raw.decode()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{name}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise argparse.ArgumentTypeError(f"{name}: byte {error.start + 1} is not UTF-8") from error
    except ValueError as error:  # a name with a null character
        raise argparse.ArgumentTypeError(f"{name!r}: {error}") from error


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
