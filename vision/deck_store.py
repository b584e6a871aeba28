"""Enrolled decks in a folder: kept whole or not at all, read with a clear error, made ready to be compared with."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vision.deck import SUFFIX, from_bytes, to_bytes
from vision.deck_match import DeckMatcher
from vision.errors import DeckError

if TYPE_CHECKING:
    from vision.deck import Deck


def deck_file(folder: Path, name: str) -> Path:
    """Return the file in which a deck is kept."""
    return folder / f"{name}{SUFFIX}"


def save_deck(folder: Path, deck: Deck) -> Path:
    """Keep a deck under its name, in the place of one that was kept so before, and return its file.

    Raises:
        DeckError: it cannot be written there.
    """
    file = deck_file(folder, deck.name)
    data = to_bytes(deck)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=f".{deck.name}-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(part).replace(file)
        except OSError:
            with suppress(OSError):
                Path(part).unlink()
            raise
    except OSError as error:
        raise DeckError(str(file), f"the deck cannot be kept there: {error.strerror or error}") from error
    return file


def read_deck(file: Path) -> Deck:
    """Return the deck that a file keeps.

    Raises:
        DeckError: the file cannot be read, or holds no deck.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise DeckError(str(file), f"the deck cannot be read: {error.strerror or error}") from error
    return from_bytes(data, str(file))


def read_matchers(folder: Path) -> tuple[DeckMatcher, ...]:
    """Return all decks of a folder made ready to be compared with, in the order of their names.

    Raises:
        DeckError: there is no such folder, it cannot be read, or a deck in it is damaged.
    """
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == SUFFIX)
    except OSError as error:
        raise DeckError(str(folder), f"the folder of decks cannot be read: {error.strerror or error}") from error
    return tuple(DeckMatcher(read_deck(file)) for file in files)
