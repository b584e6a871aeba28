"""What an argument of a command may be: a file, a house, a code of laws, a number; each says what is wrong with it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vision.files import named_path, on_one_line

if TYPE_CHECKING:
    from controller.club_code import ChosenCode
    from controller.house import House

_DIGITS: Final = 6

_NOT_KEPT: Final = (".toml", ".json", ".png")
"""Endings of files that no record is kept in: a house, laws or a scenario, a receipt, a picture."""


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
    return _to_begin(path, text, "deals.sqlite", but=(*_NOT_KEPT, ".jsonl"))


def tables_file(text: str) -> Path:
    """Return the register of tables that the text names.

    Raises:
        argparse.ArgumentTypeError: the text names no file, or one that stands beside a register.
    """
    from controller.log_files import BESIDE

    path = _file(text)
    if path.name.endswith(BESIDE):
        raise argparse.ArgumentTypeError(f"{text!r} is the name of a file beside a register: name the register itself")
    return _to_begin(path, text, "tables.jsonl", but=(*_NOT_KEPT, ".sqlite", ".key"))


def _to_begin(path: Path, text: str, as_in: str, *, but: tuple[str, ...]) -> Path:
    """Return a file to write to, which may hold nothing yet: then it must not have the name of another kind of file.

    Raises:
        argparse.ArgumentTypeError: it would be begun under such a name.
    """
    if path.suffix in but and (not path.exists() or not path.stat().st_size):
        raise argparse.ArgumentTypeError(f"{text!r} is the name of another kind of file: give one as in {as_in}")
    return path


def picture_file(text: str) -> Path:
    """Return the file that the text names for a picture, which overwrites nothing but another picture.

    Raises:
        argparse.ArgumentTypeError: the text names no file, or one that holds something else.
    """
    from controller.deal_picture import refuse_other
    from vision.files import plainly

    path = _file(text)
    try:
        refuse_other(path)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {plainly(error)}") from error
    return path


def house_file(text: str) -> House:
    """Return the settings of the house that the named file holds.

    Raises:
        argparse.ArgumentTypeError: the text is empty.
        controller.errors.UnreadableInput: the file cannot be read; argparse lets it through, since the use is right.
        controller.errors.HouseError: it is not in order; likewise.
    """
    from controller.house import read_house
    from controller.user_files import text_of

    return read_house(text_of(named_path(text)), text)


def code_of_laws(text: str) -> ChosenCode:
    """Return the code of laws that the text names: one that is built in, or a file of a club's own, NAME.toml.

    Raises:
        argparse.ArgumentTypeError: there is no such code.
        controller.errors.UnreadableInput: the file cannot be read, or is not in order; argparse lets it through.
    """
    from controller import laws
    from controller.club_code import ChosenCode, read_code
    from controller.errors import ClubCodeError, CodeError, UnreadableInput
    from controller.user_files import text_of

    try:
        if _is_file_of_laws(text):
            own = text_of(Path(text))
            return ChosenCode(code=read_code(own), text=own)
        return ChosenCode(code=laws.code(_as_recorded(text)))
    except ClubCodeError as error:
        more = f" ({len(error.complaints) - 1} more: pone laws --check {text})" if error.complaints[1:] else ""
        raise UnreadableInput(text, f"{error.complaints[0]}{more}") from error
    except CodeError as error:
        own = "" if text in laws.KNOWN else "; a code of your own is named by its file, as in ours.toml"
        raise argparse.ArgumentTypeError(f"{error}{own}") from error


def _as_recorded(text: str) -> str:
    """Return a code's name as the record has it, where it is written as one says it.

    >>> _as_recorded("English bridge"), _as_recorded("WHIST"), _as_recorded("wist")
    ('english_bridge', 'whist', 'wist')
    """
    from controller import laws

    name = text.casefold().replace(" ", "_")
    return name if name in laws.KNOWN else text


def _is_file_of_laws(text: str) -> bool:
    """Return whether a text names a file of a club's own code, and not a printed one.

    >>> _is_file_of_laws("ours.toml"), _is_file_of_laws("whist")
    (True, False)
    """
    return text.endswith(".toml") or "/" in text


def _file(text: str) -> Path:
    """Return the file that the text names, which may not be there yet; its folder is.

    Raises:
        argparse.ArgumentTypeError: the text names no file, but a folder, a device, or nothing.
        controller.errors.LogError: there is no such folder; argparse lets it through, since the use is right.
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
    if not path.parent.is_dir():
        raise LogError(text, f"there is no folder {on_one_line(str(path.parent))}", "Make it, or mend the name.")
    return path


def positive(text: str) -> int:
    """Return a whole number above zero.

    Raises:
        argparse.ArgumentTypeError: the text is none.
    """
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r:.20} is no whole number above zero with at most {_DIGITS} digits")


def whole_number(text: str) -> int:
    """Return a whole number.

    Raises:
        argparse.ArgumentTypeError: the text is none.
    """
    try:
        return int(text)
    except ValueError:  # no digits, or more of them than a number may have
        raise argparse.ArgumentTypeError(f"{text!r:.20} is no whole number") from None
