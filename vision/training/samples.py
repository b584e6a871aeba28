"""Labelled index crops: what is shown, in which proportion, and when a label is too doubtful to teach.

Labels: a rank of `RANKS` by its place, then `NO_RANK`, then `BACK`; a suit of `SUITS` by its place, then `NO_SUIT`;
`DOUBTFUL` where the crop must teach neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import RANKS, SUITS
from vision.classify import BACK, NO_RANK, NO_SUIT
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, VIEWS, whiten
from vision.training.artwork import FREE_DECKS, read_deck
from vision.training.backs import draw_back, draw_texture
from vision.training.degrade import Shot, shoot
from vision.training.packs import CARD_H, FOREIGN, Place, Style

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

DOUBTFUL: Final = -1

STYLES: Final = 1_500
"""Procedural packs trained on."""

_KINDS: Final = {
    "procedural": 0.50,
    "artwork": 0.12,
    "foreign": 0.06,
    "unreadable": 0.06,
    "joker": 0.03,
    "back": 0.11,
    "elsewhere": 0.05,
    "turned": 0.03,
    "nothing": 0.04,
}

_READABLE_BLUR: Final = 0.11
"""Blur up to which a glyph is readable, standard deviation in parts of the glyph's height."""

_HOPELESS_BLUR: Final = 0.18
"""Blur from which on 5, 6, 8 and 9 are one, in the same unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One crop and its labels."""

    crop: Image
    rank: int
    suit: int


@lru_cache(maxsize=STYLES)
def _style(seed: int) -> Style:
    return Style(seed)


def _any_style(rng: np.random.Generator) -> Style:
    return _style(int(rng.integers(STYLES)))


def _cover(box: tuple[float, float, float, float], to_crop: NDArray[np.float64]) -> float:
    """Return how much of a box of the canvas the crop shows, in [0, 1]."""
    left, top, right, bottom = box
    corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float64)
    x, y = cv2.perspectiveTransform(corners, to_crop)[0].T
    wide = (min(x.max(), CROP_WIDTH) - max(x.min(), 0)) / (x.max() - x.min())
    high = (min(y.max(), CROP_HEIGHT) - max(y.min(), 0)) / (y.max() - y.min())
    return float(max(wide, 0) * max(high, 0))


def _label(true: int, nothing: int, *, cover: float, blur: float, whole: float, cut: float) -> int:
    if cover <= cut or blur >= _HOPELESS_BLUR:
        return nothing
    return true if cover >= whole and blur <= _READABLE_BLUR else DOUBTFUL


def _judge(shot: Shot, place: Place, rank: int, suit: int) -> Sample:
    """Return the shot with the labels that a careful person would give it."""
    blur = {name: shot.blur * CARD_H / (box[3] - box[1]) for name, box in (("r", place.rank), ("s", place.suit))}
    seen_rank = _label(rank, NO_RANK, cover=_cover(place.rank, shot.to_crop), blur=blur["r"], whole=0.93, cut=0.72)
    seen_suit = _label(suit, NO_SUIT, cover=_cover(place.suit, shot.to_crop), blur=blur["s"], whole=0.85, cut=0.5)
    return Sample(crop=shot.crop, rank=seen_rank, suit=seen_suit)


def _window(rng: np.random.Generator, place: Place) -> tuple[float, float, float]:
    """Return left, top and zoom of a crop that shows the index, or cuts it."""
    top, zoom = VIEWS[int(rng.integers(len(VIEWS)))]
    if rng.random() < 0.45:
        zoom = zoom if rng.random() < 0.3 else 1.0
        lowest, highest = place.suit[3] / CARD_H - INDEX_HEIGHT * zoom - 0.04, place.rank[1] / CARD_H + 0.03
        top = max(rng.uniform(min(lowest, highest - 0.01), highest), -0.04)
    elif rng.random() < 0.55:
        top, zoom = VIEWS[0] if place.suit[3] < INDEX_HEIGHT * CARD_H else VIEWS[-1]
    left = rng.uniform(-0.02, 0.02) if rng.random() < 0.25 else 0.0
    return left, float(top), zoom


def _shoot_index(
    rng: np.random.Generator, card: Image, place: Place, code: str, *, blur: float | None = None
) -> Sample:
    left, top, zoom = _window(rng, place)
    shot = shoot(card, rng, left=left, top=top, zoom=zoom, blur=blur)
    return _judge(shot, place, RANKS.index(code[0]), SUITS.index(code[1]))


def _any_code(rng: np.random.Generator) -> str:
    return RANKS[int(rng.integers(13))] + SUITS[int(rng.integers(4))]


def _procedural(rng: np.random.Generator) -> Sample:
    code = _any_code(rng)
    card, place = _any_style(rng).face(code[0], code[1], rng)
    return _shoot_index(rng, card, place, code)


def _artwork(rng: np.random.Generator) -> Sample:
    code, deck = _any_code(rng), FREE_DECKS[int(rng.integers(len(FREE_DECKS)))]
    return _shoot_index(rng, read_deck(deck.name)[code], deck.place, code)


def _foreign(rng: np.random.Generator) -> Sample:
    code, text = _any_code(rng), FOREIGN[int(rng.integers(len(FOREIGN)))]
    card, place = _any_style(rng).face(code[0], code[1], rng, text=text)
    seen = _shoot_index(rng, card, place, code)
    return Sample(crop=seen.crop, rank=NO_RANK, suit=seen.suit)


def _unreadable(rng: np.random.Generator) -> Sample:
    code = _any_code(rng)
    card, place = _any_style(rng).face(code[0], code[1], rng)
    height = (place.rank[3] - place.rank[1]) / CARD_H
    return _shoot_index(rng, card, place, code, blur=height * rng.uniform(_HOPELESS_BLUR, 0.5))


def _joker(rng: np.random.Generator) -> Sample:
    jokers = [card for deck in FREE_DECKS for code, card in read_deck(deck.name).items() if code.startswith("JK")]
    card = jokers[int(rng.integers(len(jokers)))] if jokers and rng.random() < 0.3 else _any_style(rng).joker(rng)
    top, zoom = VIEWS[int(rng.integers(len(VIEWS)))]
    return Sample(crop=shoot(card, rng, left=0, top=top, zoom=zoom).crop, rank=NO_RANK, suit=NO_SUIT)


def _back(rng: np.random.Generator) -> Sample:
    backs = [card for deck in FREE_DECKS for code, card in read_deck(deck.name).items() if code.startswith("BACK")]
    card = backs[int(rng.integers(len(backs)))] if backs and rng.random() < 0.1 else draw_back(rng)
    top, zoom = VIEWS[int(rng.integers(len(VIEWS)))]
    return Sample(crop=shoot(card, rng, left=0, top=top, zoom=zoom).crop, rank=BACK, suit=NO_SUIT)


def _some_face(rng: np.random.Generator) -> Image:
    code = _any_code(rng)
    if rng.random() < 0.3:
        return read_deck(FREE_DECKS[int(rng.integers(len(FREE_DECKS)))].name)[code]
    return _any_style(rng).face(code[0], code[1], rng)[0]


def _elsewhere(rng: np.random.Generator) -> Sample:
    left, top = rng.uniform(0.24, 0.5), rng.uniform(0.0, 0.45)
    if rng.random() < 0.4:
        left, top = rng.uniform(-0.35, -0.2), rng.uniform(0.0, 0.6)
    shot = shoot(_some_face(rng), rng, left=left, top=top)
    return Sample(crop=shot.crop, rank=NO_RANK, suit=NO_SUIT)


def _turned(rng: np.random.Generator) -> Sample:
    card = _some_face(rng)
    if rng.random() < 0.5:
        quarter = cv2.rotate(card, cv2.ROTATE_90_CLOCKWISE if rng.random() < 0.5 else cv2.ROTATE_90_COUNTERCLOCKWISE)
        card = cv2.resize(quarter, (card.shape[1], card.shape[0])).astype(np.uint8)
        return Sample(crop=shoot(card, rng, left=0, top=0).crop, rank=NO_RANK, suit=NO_SUIT)
    crop = shoot(card, rng, left=0, top=0).crop
    return Sample(crop=np.ascontiguousarray(crop[::-1, ::-1]), rank=NO_RANK, suit=NO_SUIT)


def _nothing(rng: np.random.Generator) -> Sample:
    crop = whiten(draw_texture(rng, CROP_HEIGHT, CROP_WIDTH))
    return Sample(crop=crop, rank=NO_RANK, suit=NO_SUIT)


_MAKERS: Final = {
    "procedural": _procedural,
    "artwork": _artwork,
    "foreign": _foreign,
    "unreadable": _unreadable,
    "joker": _joker,
    "back": _back,
    "elsewhere": _elsewhere,
    "turned": _turned,
    "nothing": _nothing,
}


def training_sample(rng: np.random.Generator) -> Sample:
    """Return one crop of the training set."""
    kind = str(rng.choice(list(_KINDS), p=list(_KINDS.values())))
    return _MAKERS[kind](rng)


def held_out_sample(rng: np.random.Generator, deck: dict[str, Image]) -> Sample:
    """Return one crop of a deck never trained on: an index as the reader meets it, or one in eight a back."""
    backs = [code for code in deck if code.startswith("BACK")]
    if backs and rng.random() < 0.125:
        return Sample(crop=shoot(deck[backs[0]], rng, left=0, top=0).crop, rank=BACK, suit=NO_SUIT)
    code = _any_code(rng)
    crop = shoot(deck[code], rng, left=0, top=0).crop
    return Sample(crop=crop, rank=RANKS.index(code[0]), suit=SUITS.index(code[1]))


def draw(seed: int, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return `count` crops `(N, H, W, 3) uint8` of one seed and their labels `(N, 2) int64`, rank then suit."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, 0xC409))
    made = [training_sample(rng) for _ in range(count)]
    labels = np.array([(sample.rank, sample.suit) for sample in made], np.int64)
    return np.stack([sample.crop for sample in made]).astype(np.uint8), labels


def draw_held_out(seed: int, count: int, names: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return crops of decks never trained on, as `draw` does."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, 0x401D))
    made = [held_out_sample(rng, read_deck(names[int(rng.integers(len(names)))])) for _ in range(count)]
    labels = np.array([(sample.rank, sample.suit) for sample in made], np.int64)
    return np.stack([sample.crop for sample in made]).astype(np.uint8), labels
