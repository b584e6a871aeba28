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
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, INDEX_WIDTH, VIEWS, whiten
from vision.training.artwork import FREE_DECKS, read_deck
from vision.training.backs import draw_back, draw_texture
from vision.training.degrade import Shot, shoot
from vision.training.figures import FIGURES, draw_figure
from vision.training.packs import FOREIGN, Corner, Place, Style
from vision.training.pips import bend, odd_sign, slim_suit
from vision.training.printing import CARD_H, CARD_W

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Crops = tuple[NDArray[np.uint8], NDArray[np.int64]]
    """Crops `(N, H, W, 3) uint8` and their labels `(N, 2) int64`, rank then suit."""

DOUBTFUL: Final = -1

STYLES: Final = 3_000
"""Procedural packs trained on."""

HELD_OUT_STYLES: Final = 400
"""Procedural packs that decide the temperature, in letters of their own."""

_KINDS: Final = {
    "procedural": 0.46,
    "artwork": 0.12,
    "at_right": 0.03,
    "upright": 0.04,
    "foreign": 0.07,
    "unreadable": 0.04,
    "odd_sign": 0.05,
    "joker": 0.03,
    "back": 0.08,
    "elsewhere": 0.03,
    "turned": 0.03,
    "nothing": 0.02,
}

_READABLE_BLUR: Final = 0.14
"""Blur up to which a glyph is readable, standard deviation in parts of the glyph's height."""

_HOPELESS_BLUR: Final = 0.2
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


@lru_cache(maxsize=HELD_OUT_STYLES)
def _held_out_style(seed: int) -> Style:
    return Style(STYLES + seed, held_out=True)


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
    left = rng.choice([rng.uniform(-0.02, 0.02), rng.uniform(-0.1, 0.08)]) if rng.random() < 0.35 else 0.0
    return float(left), float(top), zoom


def _shoot_index(
    rng: np.random.Generator,
    card: Image,
    place: Place,
    code: str,
    *,
    blur: float | None = None,
    corner: Corner = Corner.LEFT,
) -> Sample:
    above = place if corner is not Corner.LOWER else _upside_down(place)
    left, top, zoom = _window(rng, above)
    if corner is not Corner.LEFT:
        left = 1.0 - INDEX_WIDTH * zoom - left
    if corner is Corner.LOWER:
        top = 1.0 - INDEX_HEIGHT * zoom - top
    shot = shoot(card, rng, left=left, top=top, zoom=zoom, blur=blur)
    return _judge(shot, place, RANKS.index(code[0]), SUITS.index(code[1]))


def _upside_down(place: Place) -> Place:
    """Return where an index of the lower right corner stands once the card is turned."""
    rank, suit = (
        (CARD_W - box[2], CARD_H - box[3], CARD_W - box[0], CARD_H - box[1]) for box in (place.rank, place.suit)
    )
    return Place(rank=rank, suit=suit)


def _any_code(rng: np.random.Generator) -> str:
    return RANKS[int(rng.integers(13))] + SUITS[int(rng.integers(4))]


def _procedural(rng: np.random.Generator) -> Sample:
    code = _any_code(rng)
    card, place = _any_style(rng).face(code[0], code[1], rng)
    return _shoot_index(rng, card, place, code)


def _at_right(rng: np.random.Generator) -> Sample:
    return _in_corner(rng, Corner.RIGHT)


def _upright(rng: np.random.Generator) -> Sample:
    return _in_corner(rng, Corner.LOWER)


def _inverted(rng: np.random.Generator) -> Sample:
    """Return an upright lower index as it looks where one that is turned is expected."""
    code = _any_code(rng)
    card, place = _any_style(rng).face(code[0], code[1], rng, corner=Corner.LOWER)
    seen = _shoot_index(rng, card, place, code, corner=Corner.LOWER)
    return _upside_down_sample(np.ascontiguousarray(seen.crop[::-1, ::-1]), code)


def _upside_down_sample(crop: Image, code: str) -> Sample:
    # What looks the same upside down looks like the index of an upright lower corner.
    rank, suit = DOUBTFUL if code[0] in "689" else NO_RANK, DOUBTFUL if code[1] == "D" else NO_SUIT
    return Sample(crop=crop, rank=rank, suit=suit)


def _in_corner(rng: np.random.Generator, corner: Corner) -> Sample:
    code = _any_code(rng)
    card, place = _any_style(rng).face(code[0], code[1], rng, corner=corner)
    return _shoot_index(rng, card, place, code, corner=corner)


def _artwork(rng: np.random.Generator) -> Sample:
    code, deck = _any_code(rng), FREE_DECKS[int(rng.integers(len(FREE_DECKS)))]
    return _shoot_index(rng, read_deck(deck.name)[code], deck.place, code)


def _figure(rng: np.random.Generator) -> Sample:
    rank, suit = FIGURES[int(rng.integers(len(FIGURES)))], SUITS[int(rng.integers(4))]
    card, place = _any_style(rng).with_figure(rank, bend(draw_figure(rank, rng), rng)).face(rank, suit, rng)
    return _shoot_index(rng, card, place, rank + suit)


def _foreign(rng: np.random.Generator) -> Sample:
    code, text = _any_code(rng), FOREIGN[int(rng.integers(len(FOREIGN)))]
    card, place = _any_style(rng).face(code[0], code[1], rng, text=text)
    seen = _shoot_index(rng, card, place, code)
    return Sample(crop=seen.crop, rank=NO_RANK, suit=seen.suit)


_TAKEN_FOR: Final = {"8": "BВ", "5": "S", "2": "Z", "Q": "D", "A": "ДR", "7": "TV", "K": "RX", "J": "1U"}
"""Foreign rank texts by the English rank they are taken for."""


def _alike(rng: np.random.Generator) -> Sample:
    """Return what is taken for another rank or suit: foreign letters, the figures they look like, and slim signs."""
    kind, suit = rng.random(), SUITS[int(rng.integers(4))]
    if kind < _SLIM:
        suit = "CS"[int(rng.integers(2))]
        rank = RANKS[int(rng.integers(13))]
        card, place = _any_style(rng).with_sign(suit, slim_suit(suit, rng), rng).face(rank, suit, rng)
        return _shoot_index(rng, card, place, rank + suit)
    rank = "8" if rng.random() < _EIGHTS else list(_TAKEN_FOR)[int(rng.integers(len(_TAKEN_FOR)))]
    if kind < _FOREIGN:
        text = _TAKEN_FOR[rank][int(rng.integers(len(_TAKEN_FOR[rank])))]
        court = "JQK"[int(rng.integers(3))]
        card, place = _any_style(rng).face(court, suit, rng, text=text)
        seen = _shoot_index(rng, card, place, court + suit)
        return Sample(crop=seen.crop, rank=NO_RANK, suit=seen.suit)
    card, place = _any_style(rng).face(rank, suit, rng)
    return _shoot_index(rng, card, place, rank + suit)


_SLIM: Final = 0.35
_FOREIGN: Final = 0.75
"""Up to which chance `_alike` draws slim signs, and up to which foreign letters."""

_EIGHTS: Final = 0.5
"""Part of them that look like an eight: the B of a boy and of a Russian jack."""


def _unreadable(rng: np.random.Generator) -> Sample:
    code = _any_code(rng)
    card, place = _any_style(rng).face(code[0], code[1], rng)
    height = (place.rank[3] - place.rank[1]) / CARD_H
    return _shoot_index(rng, card, place, code, blur=height * rng.uniform(_HOPELESS_BLUR, 0.5))


def _odd_sign(rng: np.random.Generator) -> Sample:
    code = _any_code(rng)
    style = _any_style(rng).with_sign(code[1], odd_sign(rng), rng)
    card, place = style.face(code[0], code[1], rng)
    seen = _shoot_index(rng, card, place, code)
    return Sample(crop=seen.crop, rank=seen.rank, suit=NO_SUIT)


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


def _some_face(rng: np.random.Generator, code: str) -> Image:
    if rng.random() < 0.3:
        return read_deck(FREE_DECKS[int(rng.integers(len(FREE_DECKS)))].name)[code]
    return _any_style(rng).face(code[0], code[1], rng)[0]


def _elsewhere(rng: np.random.Generator) -> Sample:
    left, top = rng.uniform(0.24, 0.5), rng.uniform(0.0, 0.45)
    if rng.random() < 0.4:
        left, top = rng.uniform(-0.35, -0.2), rng.uniform(0.0, 0.6)
    shot = shoot(_some_face(rng, _any_code(rng)), rng, left=left, top=top)
    return Sample(crop=shot.crop, rank=NO_RANK, suit=NO_SUIT)


def _turned(rng: np.random.Generator) -> Sample:
    code = _any_code(rng)
    card = _some_face(rng, code)
    if rng.random() < 0.5:
        quarter = cv2.rotate(card, cv2.ROTATE_90_CLOCKWISE if rng.random() < 0.5 else cv2.ROTATE_90_COUNTERCLOCKWISE)
        card = cv2.resize(quarter, (card.shape[1], card.shape[0])).astype(np.uint8)
        return Sample(crop=shoot(card, rng, left=0, top=0).crop, rank=NO_RANK, suit=NO_SUIT)
    return _upside_down_sample(np.ascontiguousarray(shoot(card, rng, left=0, top=0).crop[::-1, ::-1]), code)


def _nothing(rng: np.random.Generator) -> Sample:
    crop = whiten(draw_texture(rng, CROP_HEIGHT, CROP_WIDTH))
    return Sample(crop=crop, rank=NO_RANK, suit=NO_SUIT)


_MAKERS: Final = {
    "procedural": _procedural,
    "artwork": _artwork,
    "at_right": _at_right,
    "upright": _upright,
    "foreign": _foreign,
    "unreadable": _unreadable,
    "odd_sign": _odd_sign,
    "figure": _figure,
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


def held_out_sample(rng: np.random.Generator) -> Sample:
    """Return one crop of a pack in letters never trained on, or, one in eight, of a back."""
    if rng.random() < 0.125:
        return _back(rng)
    code = _any_code(rng)
    style = _held_out_style(int(rng.integers(HELD_OUT_STYLES)))
    card, place = style.face(code[0], code[1], rng)
    return _shoot_index(rng, card, place, code)


def held_out_card(rng: np.random.Generator) -> list[Sample]:
    """Return both corners of one card of a pack in letters never trained on, in every view, the corners side by side.

    Both are equally out of focus; all views of a corner are cut from one photograph of it.
    """
    code = _any_code(rng)
    card, _ = _held_out_style(int(rng.integers(HELD_OUT_STYLES))).face(code[0], code[1], rng)
    blur = rng.uniform(0.001, 0.012) if rng.random() < 0.5 else 0.0
    rank, suit = RANKS.index(code[0]), SUITS.index(code[1])
    photographs = [int(rng.integers(1 << 40)) for _ in range(2)]
    shots = [
        shoot(card, np.random.default_rng(photograph), left=0.0, top=top, zoom=zoom, blur=blur)
        for top, zoom in VIEWS
        for photograph in photographs
    ]
    return [Sample(crop=shot.crop, rank=rank, suit=suit) for shot in shots]


def draw(seed: int, count: int) -> Crops:
    """Return `count` crops `(N, H, W, 3) uint8` of one seed and their labels `(N, 2) int64`, rank then suit."""
    rng = _source(seed, 0xC409)
    return _together([training_sample(rng) for _ in range(count)])


def draw_figures(seed: int, count: int) -> Crops:
    """Return crops of ranks that are taken for one another, in figures drawn from strokes, as `draw` does."""
    rng = _source(seed, 0xF16)
    return _together([_figure(rng) for _ in range(count)])


def draw_alike(seed: int, count: int) -> Crops:
    """Return crops of foreign letters that look like English figures, and of slim signs, as `draw` does."""
    rng = _source(seed, 0xA11E)
    return _together([_alike(rng) for _ in range(count)])


def draw_inverted(seed: int, count: int) -> Crops:
    """Return crops of upright lower indices that stand upside down, as `draw` does."""
    rng = _source(seed, 0x1472)
    return _together([_inverted(rng) for _ in range(count)])


def draw_held_out(seed: int, count: int) -> Crops:
    """Return crops of packs never trained on, as `draw` does."""
    rng = _source(seed, 0x401D)
    return _together([held_out_sample(rng) for _ in range(count)])


def draw_cards(seed: int, count: int) -> Crops:
    """Return both corners of `count` cards of packs never trained on in every view, one card after the other."""
    rng = _source(seed, 0x2A13)
    return _together([sample for _ in range(count) for sample in held_out_card(rng)])


def _source(seed: int, purpose: int) -> np.random.Generator:
    cv2.setNumThreads(1)
    return np.random.default_rng((seed, purpose))


def _together(made: list[Sample]) -> Crops:
    labels = np.array([(sample.rank, sample.suit) for sample in made], np.int64)
    return np.stack([sample.crop for sample in made]).astype(np.uint8), labels
