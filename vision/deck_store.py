"""Enrolled decks in a folder: kept whole or not at all, read with a clear error, made ready to be compared with."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from vision.cards import Card, CardError
from vision.deck import Deck, IndexPlace
from vision.deck_match import DeckMatcher
from vision.errors import DeckError
from vision.files import plainly, put_in_place
from vision.weights import index_reader_digest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

_Kind = TypeVar("_Kind", bound=np.generic)

FORMAT: Final = 1
"""Version of the file's form."""

SUFFIX: Final = ".deck"
"""Ending of a deck's file."""


def deck_file(folder: Path, name: str) -> Path:
    """Return the file in which a deck is kept."""
    return folder / f"{name}{SUFFIX}"


def save_deck(folder: Path, deck: Deck) -> Path:
    """Keep a deck under its name, in the place of one that was kept so before, and return its file.

    Raises:
        DeckError: it cannot be written there.
    """
    file = deck_file(folder, deck.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        put_in_place(file, to_bytes(deck), private=True)
    except OSError as error:
        raise DeckError(str(file), f"the deck cannot be kept there: {plainly(error)}") from error
    return file


def read_deck(file: Path) -> Deck:
    """Return the deck that a file keeps.

    Raises:
        DeckError: the file cannot be read, or holds no deck.
    """
    try:
        if file.exists() and not file.is_file():  # a pipe never ends, nor do some devices
            raise DeckError(str(file), "the deck cannot be read: it is no plain file")
        data = file.read_bytes()
    except OSError as error:
        raise DeckError(str(file), f"the deck cannot be read: {plainly(error)}") from error
    return from_bytes(data, str(file))


def read_matchers(folder: Path) -> tuple[DeckMatcher, ...]:
    """Return all decks of a folder made ready to be compared with, in the order of their names.

    Raises:
        DeckError: there is no such folder, it cannot be read, or a deck in it is damaged.
    """
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == SUFFIX)
    except OSError as error:
        raise DeckError(str(folder), f"the folder of decks cannot be read: {plainly(error)}") from error
    return tuple(DeckMatcher(read_deck(file)) for file in files)


def to_bytes(deck: Deck) -> bytes:
    """Return the deck as the bytes of its file: a ZIP archive of arrays, as `numpy.savez` writes it, with its facts."""
    facts = {
        "format": FORMAT,
        "reader": index_reader_digest(),
        "name": deck.name,
        "cards": [str(card) for card in deck.cards],
        "place": asdict(deck.place),
        "floor": deck.floor,
    }
    arrays: dict[str, NDArray[Any]] = {
        "facts": np.frombuffer(json.dumps(facts, sort_keys=True).encode(), np.uint8),
        "pictures": deck.pictures,
        "ranks": deck.ranks,
        "suits": deck.suits,
        "printed_apart": deck.printed_apart,
        "spoilt": deck.spoilt,
    }
    if deck.back is not None:
        arrays["back"] = deck.back
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


_DAMAGE: Final = (
    ValueError,
    KeyError,
    TypeError,
    EOFError,
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    MemoryError,
    RecursionError,
)
"""What NumPy, the archive and the facts raise over bytes that are not what was written."""


def from_bytes(data: bytes, file: str) -> Deck:
    """Return the deck that the bytes of a file hold.

    Args:
        data: the bytes.
        file: the file's name, for errors.

    Raises:
        DeckError: they hold no deck, a damaged one, one of a later form, or one whose indices another reader read.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        facts = json.loads(arrays["facts"].tobytes())
        later = facts["format"] != FORMAT
    except _DAMAGE as error:
        raise DeckError(file, "it is no deck, or a damaged one") from error
    if later:
        raise DeckError(file, f"it has the form {facts['format']!r:.20}, and this program reads form {FORMAT}")
    if facts.get("reader") != index_reader_digest():
        raise DeckError(file, "it was learnt with another index reader: learn the deck again with pone enroll")
    try:
        return _deck(facts, arrays)
    except (*_DAMAGE, CardError) as error:
        raise DeckError(file, f"it is a damaged deck ({error})") from error


def _deck(facts: Mapping[str, object], arrays: Mapping[str, NDArray[np.generic]]) -> Deck:
    cards, place = facts["cards"], facts["place"]
    if not isinstance(cards, list) or not isinstance(place, dict):
        raise TypeError("its facts have another form")
    back, spoilt = arrays.get("back"), arrays.get("spoilt")
    return Deck(
        name=str(facts["name"]),
        cards=tuple(Card.parse(code) for code in cards),
        pictures=_typed(arrays["pictures"], np.uint8),
        ranks=_typed(arrays["ranks"], np.float32),
        suits=_typed(arrays["suits"], np.float32),
        printed_apart=_typed(arrays["printed_apart"], np.bool_),
        # A file without them is of an eye that learnt no such card.
        spoilt=np.zeros(len(cards), np.bool_) if spoilt is None else _typed(spoilt, np.bool_),
        place=IndexPlace(
            top=float(place["top"]), zoom=float(place["zoom"]), right=bool(place["right"]), light=bool(place["light"])
        ),
        floor=float(str(facts["floor"])),
        back=None if back is None else _typed(back, np.uint8),
    )


def _typed(array: NDArray[np.generic], kind: type[_Kind]) -> NDArray[_Kind]:
    """Return the array as what it must be.

    Raises:
        TypeError: it is none of that kind.
    """
    if array.dtype != kind:
        raise TypeError(f"an array is {array.dtype}, not {kind.__name__}")
    return array.astype(kind, copy=False)
