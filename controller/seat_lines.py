"""Reads what the seats say from a file, or line by line from a stream while the deal goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from controller.errors import SeatWordError, UnreadableInput
from controller.seats import parse_word
from controller.user_files import text_of

if TYPE_CHECKING:
    from controller.seats import SeatWord


def words_of_file(file: Path) -> list[SeatWord]:
    """Return the words of a file; empty lines and those that begin with # are passed over.

    Raises:
        controller.errors.UnreadableInput: it cannot be read, or lines say nothing that a seat can say; it names each.
    """
    words: list[SeatWord] = []
    wrong: list[str] = []
    for number, text in enumerate(text_of(file).splitlines(), 1):
        if _says_something(text):
            try:
                words.append(parse_word(text, line=number))
            except SeatWordError as error:
                wrong.append(str(error))
    if wrong:
        raise UnreadableInput(str(file), *wrong)
    return words


def follow(stream: TextIO, say: Callable[[SeatWord], None], complain: Callable[[str], None]) -> threading.Thread:
    """Hand over each line of a stream as it comes, from a thread that ends with the stream or the program.

    Args:
        stream: where the lines come from.
        say: called with each word.
        complain: called with what is wrong with a line; the next is read all the same.
    """

    def read() -> None:
        for number, text in enumerate(stream, 1):
            if not _says_something(text):
                continue
            try:
                say(parse_word(text, line=number))
            except SeatWordError as error:
                complain(str(error))

    thread = threading.Thread(target=read, name="seats", daemon=True)
    thread.start()
    return thread


def _says_something(text: str) -> bool:
    return bool(text.strip()) and not text.lstrip().startswith("#")
