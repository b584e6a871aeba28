"""Decks of artwork from a folder: those whose licence lets them into the shipped weights, and those held out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from vision.training.packs import Place
from vision.training.printing import CARD_H, CARD_W

if TYPE_CHECKING:
    from vision.frame import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """One deck of artwork and where its index stands, parts of the card: `(left, top, right, bottom)`."""

    name: str
    rank: tuple[float, float, float, float]
    suit: tuple[float, float, float, float]

    @property
    def place(self) -> Place:
        """The index in px of the canvas."""
        scale = (CARD_W, CARD_H, CARD_W, CARD_H)
        left, top, right, bottom = (part * size for part, size in zip(self.rank, scale, strict=True))
        suit = tuple(part * size for part, size in zip(self.suit, scale, strict=True))
        return Place(rank=(left, top, right, bottom), suit=(suit[0], suit[1], suit[2], suit[3]))


_KENNARD: Final = ((0.04, 0.036, 0.13, 0.133), (0.05, 0.15, 0.125, 0.222))
_SAULSPATZ: Final = ((0.02, 0.02, 0.30, 0.15), (0.02, 0.158, 0.22, 0.29))

FREE_DECKS: Final = (
    Deck(name="gh-notpeter", rank=(0.02, 0.018, 0.18, 0.11), suit=(0.02, 0.122, 0.18, 0.247)),
    Deck(name="gh-saulspatz-2c", rank=_SAULSPATZ[0], suit=_SAULSPATZ[1]),
    Deck(name="gh-saulspatz-access", rank=_SAULSPATZ[0], suit=_SAULSPATZ[1]),
    Deck(name="npm-heruka-2color", rank=_KENNARD[0], suit=_KENNARD[1]),
    Deck(name="npm-heruka-2color-bf", rank=(0.04, 0.036, 0.22, 0.245), suit=(0.06, 0.275, 0.21, 0.42)),
    Deck(name="npm-heruka-4color", rank=_KENNARD[0], suit=_KENNARD[1]),
    Deck(name="npm-letele", rank=_KENNARD[0], suit=_KENNARD[1]),
)
"""Decks under CC0 or in the public domain: the only artwork the shipped weights are trained on."""


def decks_folder() -> Path:
    """Return the folder of the artwork decks, from the environment.

    Raises:
        FileNotFoundError: `PONE_TEST_DATA` is not set or holds no decks.
    """
    folder = Path(os.environ.get("PONE_TEST_DATA", "")) / "decks"
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no decks here; set PONE_TEST_DATA to the folder that holds decks/")
    return folder


@lru_cache(maxsize=64)
def read_deck(name: str) -> dict[str, Image]:
    """Return a deck's cards, jokers and backs by code, each filling the canvas."""
    cards = {}
    for file in sorted((decks_folder() / name).glob("*.jpg")):
        picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if picture is not None:
            cards[file.stem] = cv2.resize(picture, (CARD_W, CARD_H), interpolation=cv2.INTER_AREA).astype("uint8")
    return cards
