"""An enrolled deck: how each of its cards looks through this window, what its indices read as, and how it is kept.

Convention: a card picture is a card laid straight, `(PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8 BGR`; which of its short
sides is the top is what it was in the first pass.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from vision.cards import Card, CardError
from vision.classify import RANK_CLASSES, SUIT_CLASSES
from vision.errors import DeckError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.frame import Image

PICTURE_WIDTH: Final = 100
PICTURE_HEIGHT: Final = 140
"""Size of a card picture, px: that of a canonical card."""

FORMAT: Final = 1
"""Version of the file's form."""

SUFFIX: Final = ".deck"
"""Ending of a deck's file."""

_Kind = TypeVar("_Kind", bound=np.generic)

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPlace:
    """Where the index stands on the cards of a deck.

    Attributes:
        top: from the short side down to the crop that shows it, parts of the card's height.
        zoom: how much larger than usual that crop is.
        right: whether it stands in the right corner, not the left.
        light: whether it is printed light on dark.
    """

    top: float = 0.0
    zoom: float = 1.0
    right: bool = False
    light: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deck:
    """One deck as it was learnt; rows of all arrays are in the order of `cards`.

    Attributes:
        name: by which it is kept.
        cards: its cards.
        pictures: of each card one of each pass, the same way up, `(cards, 2, PICTURE_HEIGHT, PICTURE_WIDTH, 3) uint8
            BGR`; one picture twice where only one pass has one.
        ranks: what the index reads as, `(cards, RANK_CLASSES) float32`, rows of probabilities.
        suits: the same for the suit, `(cards, SUIT_CLASSES) float32`.
        printed_apart: cards whose own print looks like that of two cards, `(cards,) bool`.
        place: where the index stands.
        floor: least likeness of a picture to the one of its own card, in [0, 1].
        back: picture of the back; None where it was not seen.
    """

    name: str
    cards: tuple[Card, ...]
    pictures: NDArray[np.uint8]
    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]
    printed_apart: NDArray[np.bool_]
    place: IndexPlace
    floor: float
    back: Image | None = None

    def __post_init__(self) -> None:
        count = len(self.cards)
        shapes: dict[str, tuple[NDArray[Any], tuple[int, ...], type]] = {
            "pictures": (self.pictures, (count, 2, PICTURE_HEIGHT, PICTURE_WIDTH, 3), np.uint8),
            "ranks": (self.ranks, (count, RANK_CLASSES), np.float32),
            "suits": (self.suits, (count, SUIT_CLASSES), np.float32),
            "printed_apart": (self.printed_apart, (count,), np.bool_),
        }
        if self.back is not None:
            shapes["back"] = (self.back, (PICTURE_HEIGHT, PICTURE_WIDTH, 3), np.uint8)
        for field, (array, shape, kind) in shapes.items():
            if array.shape != shape or array.dtype != kind:
                raise ValueError(f"{field} must be {shape} {kind.__name__}, not {array.shape} {array.dtype}")
        if count < 2 or len(set(self.cards)) != count:
            raise ValueError("a deck has two cards or more, each once")


def is_deck_name(text: str) -> bool:
    """Return whether a deck may be called so: it is the name of a file too.

    >>> is_deck_name("club-blue"), is_deck_name("../blue"), is_deck_name("")
    (True, False, False)
    """
    return _NAME.fullmatch(text) is not None


def to_bytes(deck: Deck) -> bytes:
    """Return the deck as the bytes of its file: a ZIP archive of arrays, as `numpy.savez` writes it, with its facts."""
    facts = {
        "format": FORMAT,
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
)
"""What NumPy, the archive and the facts raise over bytes that are not what was written."""


def from_bytes(data: bytes, file: str) -> Deck:
    """Return the deck that the bytes of a file hold.

    Args:
        data: the bytes.
        file: the file's name, for errors.

    Raises:
        DeckError: they hold no deck, a damaged one, or one of a later form.
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
    try:
        return _deck(facts, arrays)
    except (*_DAMAGE, CardError) as error:
        raise DeckError(file, f"it is a damaged deck ({error})") from error


def _deck(facts: Mapping[str, object], arrays: Mapping[str, NDArray[np.generic]]) -> Deck:
    cards, place = facts["cards"], facts["place"]
    if not isinstance(cards, list) or not isinstance(place, dict):
        raise TypeError("its facts have another form")
    back = arrays.get("back")
    return Deck(
        name=str(facts["name"]),
        cards=tuple(Card.parse(code) for code in cards),
        pictures=_typed(arrays["pictures"], np.uint8),
        ranks=_typed(arrays["ranks"], np.float32),
        suits=_typed(arrays["suits"], np.float32),
        printed_apart=_typed(arrays["printed_apart"], np.bool_),
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
