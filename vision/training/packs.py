"""Procedural packs: a style drawn from a seed, and the faces, jokers and backs it prints.

A drawn card fills a `(CARD_H, CARD_W, 3) uint8 BGR` canvas from edge to edge, whatever its real proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import RANKS, SUITS
from vision.training import pips

if TYPE_CHECKING:
    from vision.frame import Image
    from vision.training.pips import Mask

CARD_W: Final = 320
CARD_H: Final = 448

FOREIGN: Final = (*tuple("BDVRUHENPSWXZMF1"), "11", "12")
"""Rank texts of other countries and of no country: never to be read as an English rank.

Letters and figures that differ from a queen by a stroke (C, G, O, 0) are left out: no pack prints them as a rank.
"""

_FONT_FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_NO_LETTERS: Final = ("symbol", "dingbat", "math", "d050", "z003", "lobster", "emoji", "chancery", "noto")

_ODD_RANK: Final = 0.2
"""Part of a pack's ranks that come from another font than the rest: packs have figures of their own."""

_COLUMNS: Final = {"L": 0.30, "M": 0.50, "R": 0.70}
_PLACES: Final = {
    "A": "M.5", "2": "M.2 M.8", "3": "M.2 M.5 M.8", "4": "L.2 R.2 L.8 R.8", "5": "L.2 R.2 M.5 L.8 R.8",
    "6": "L.2 R.2 L.5 R.5 L.8 R.8", "7": "L.2 R.2 M.35 L.5 R.5 L.8 R.8", "8": "L.2 R.2 M.35 L.5 R.5 M.65 L.8 R.8",
    "9": "L.2 R.2 L.4 R.4 M.5 L.6 R.6 L.8 R.8", "T": "L.2 R.2 M.3 L.4 R.4 L.6 R.6 M.7 L.8 R.8",
}  # fmt: skip


@lru_cache(maxsize=1)
def usable_fonts() -> tuple[Path, ...]:
    """Return the font files of this machine that hold every English rank, in the order of their names."""
    files = sorted(file for folder in _FONT_FOLDERS if folder.is_dir() for file in folder.rglob("*.[to]tf"))
    files = [file for file in files if not any(word in file.name.lower() for word in _NO_LETTERS)]
    return tuple(file for file in files if _holds_ranks(file))


def _holds_ranks(font: Path) -> bool:
    masks = [pips.font_glyph(font, text) for text in (*"A23456789JQK", "10")]
    shapes = {mask.tobytes() for mask in masks if mask is not None}
    return len(shapes) == len(masks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an index stands, in px of the canvas, for the rank and for the suit: `(left, top, right, bottom)`."""

    rank: tuple[float, float, float, float]
    suit: tuple[float, float, float, float]


class Style:
    """One procedural pack: everything its cards have in common, drawn from one seed."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng((seed, 0x5717E))
        self._seed = seed
        self._suits = self._draw_suits(rng)
        self._font = self._choose_letters(rng)
        self._odd_fonts = {rank: self._choose_letters(rng) for rank in RANKS if rng.random() < _ODD_RANK}
        self._masks: dict[str, Mask] = {}
        self.rank_height = CARD_H * (rng.uniform(0.125, 0.19) if rng.random() < 0.25 else rng.uniform(0.055, 0.125))
        self._rank_stretch = rng.uniform(0.55, 1.25)
        self._suit_ratio = rng.uniform(0.55, 1.1)
        self._gap = self.rank_height * rng.uniform(0.05, 0.35)
        self._top = CARD_H * rng.uniform(0.015, 0.09)
        self._margin = CARD_W * rng.uniform(0.02, 0.075)
        self._ten_width = CARD_W * rng.uniform(0.13, 0.27)
        self._bold = int(rng.choice([0, 0, 0, 1, 2, 3, -1]))
        self._underline = rng.random() < 0.1
        self._four_corners = rng.random() < 0.25
        self._frame = int(rng.choice([0, 0, 0, 0, 1, 2]))
        self._frame_inset = rng.uniform(0.01, 0.04)
        self._frame_inks = rng.integers(0, 160, (2, 3)).tolist()
        self._pip_height = CARD_H * rng.uniform(0.1, 0.18)
        self._ten = "T" if rng.random() < 0.04 else "10"
        self.paper = np.array([rng.uniform(215, 256), rng.uniform(225, 256), rng.uniform(235, 256)], np.float32)
        self._inks = _draw_inks(rng)

    def _draw_suits(self, rng: np.random.Generator) -> dict[str, Mask]:
        fonts = [font for font in usable_fonts() if rng.random() < 0.15]
        if rng.random() < 0.35:
            for font in fonts:
                masks = {suit: pips.font_suit(font, suit) for suit in SUITS}
                if all(mask is not None for mask in masks.values()):
                    return {suit: pips.bend(mask, rng) for suit, mask in masks.items() if mask is not None}
        return {suit: pips.bend(pips.drawn_suit(suit, rng), rng) for suit in SUITS}

    def _choose_letters(self, rng: np.random.Generator) -> tuple[Path | int, int]:
        fonts = usable_fonts()
        if not fonts or rng.random() < 0.25:
            return int(rng.choice(pips.OPENCV_FONTS)), int(rng.integers(4, 12))
        return fonts[int(rng.integers(len(fonts)))], 0

    def _letters(self, text: str) -> Mask:
        """Return the mask of a text in this pack's letters, the same at every call."""
        if text not in self._masks:
            self._masks[text] = self._draw_letters(text)
        return self._masks[text]

    def _draw_letters(self, text: str) -> Mask:
        font, thickness = self._odd_fonts.get("T" if text == "10" else text, self._font)
        mask = pips.opencv_glyph(font, thickness, text) if isinstance(font, int) else pips.font_glyph(font, text)
        if mask is None:
            return self._letters_plain(text)
        padded = cv2.copyMakeBorder(mask, 4, 4, 4, 4, cv2.BORDER_CONSTANT).astype(np.uint8)
        if self._bold > 0:
            padded = cv2.dilate(padded, np.ones((1 + 2 * self._bold,) * 2, np.uint8)).astype(np.uint8)
        elif self._bold < 0:
            padded = cv2.erode(padded, np.ones((2, 2), np.uint8)).astype(np.uint8)
        # A source of its own for each text: what was drawn before must not change what is drawn now.
        bent = pips.tight(pips.bend(padded, np.random.default_rng((self._seed, *text.encode()))))
        return self._letters_plain(text) if bent is None else bent

    def _letters_plain(self, text: str) -> Mask:
        mask = pips.opencv_glyph(cv2.FONT_HERSHEY_SIMPLEX, 6, text)
        if mask is None:
            raise ValueError(f"no plain letters for {text}")
        return mask

    def face(self, rank: str, suit: str, rng: np.random.Generator, *, text: str = "") -> tuple[Image, Place]:
        """Return a face and the place of its top left index; `text` prints another rank text than the English one."""
        card = self._blank()
        ink = self._inks[suit]
        if rank in "JQK" or (rank == "A" and rng.random() < 0.3):
            _draw_court(card, rng, self._suits[suit], ink, framed=rng.random() < 0.7)
        else:
            self._draw_pips(card, rank, suit, ink)
        place = self._draw_index(card, text or {"T": self._ten}.get(rank, rank), suit, ink, wipe=rank in "JQK")
        turned: Image = np.ascontiguousarray(card[::-1, ::-1])
        half = CARD_H // 2
        card[half:] = turned[half:]
        if self._four_corners and place.rank[2] < CARD_W * 0.25:
            width, height = int(max(place.rank[2], place.suit[2])) + 4, int(place.suit[3]) + 4
            card[:height, CARD_W - width :] = _move_index(card[:height, :width], int(self._margin))
            card[half:] = np.ascontiguousarray(card[::-1, ::-1])[half:]
        return card, place

    def joker(self, rng: np.random.Generator) -> Image:
        """Return a joker: a word down the edge, or a star, beside a figure."""
        card = self._blank()
        ink = self._inks[str(rng.choice(list(SUITS)))]
        _draw_court(card, rng, self._suits["S"], ink, framed=rng.random() < 0.4)
        card[:, : int(CARD_W * 0.2)] = self.paper
        y, height = self._top, CARD_H * rng.uniform(0.03, 0.07)
        for letter in "JOKER" if rng.random() < 0.75 else "*":
            mask = self._letters_plain(letter) if letter == "*" else self._letters(letter)
            _stamp(card, mask, left=self._margin, top=y, width=height * 0.8, height=height, ink=ink)
            y += height * 1.12
        card[CARD_H // 2 :] = np.ascontiguousarray(card[::-1, ::-1])[CARD_H // 2 :]
        return card

    def _blank(self) -> Image:
        card: Image = np.empty((CARD_H, CARD_W, 3), np.uint8)
        card[:] = self.paper.astype(np.uint8)
        for number in range(self._frame):
            inset = int(CARD_W * (self._frame_inset + 0.02 * number))
            ink = self._frame_inks[number]
            cv2.rectangle(card, (inset, inset), (CARD_W - inset, CARD_H - inset), ink, 1 + number)
        return card

    def _draw_pips(self, card: Image, rank: str, suit: str, ink: tuple[int, int, int]) -> None:
        mask = self._suits[suit]
        scale = 2.0 if rank == "A" else 1.0
        height = self._pip_height * scale
        width = height * mask.shape[1] / mask.shape[0]
        for spot in _PLACES[rank].split():
            x, y = _COLUMNS[spot[0]] * CARD_W, float(spot[1:]) * CARD_H
            if y <= CARD_H / 2:
                _stamp(card, mask, left=x - width / 2, top=y - height / 2, width=width, height=height, ink=ink)

    def _draw_index(self, card: Image, text: str, suit: str, ink: tuple[int, int, int], *, wipe: bool) -> Place:
        letters, sign = self._letters(text), self._suits[suit]
        height = self.rank_height
        width = min(height * letters.shape[1] / letters.shape[0] * self._rank_stretch, CARD_W * 0.28)
        width = min(width, self._ten_width) if len(text) == 2 else width
        suit_height = height * self._suit_ratio
        suit_width = min(suit_height * sign.shape[1] / sign.shape[0], CARD_W * 0.25)
        middle = self._margin + max(suit_width, height * 0.7 * self._rank_stretch) / 2
        left = max(middle - width / 2, CARD_W * 0.012)
        suit_left = max(middle - suit_width / 2, CARD_W * 0.012)
        suit_top = self._top + height + self._gap
        place = Place(
            rank=(left, self._top, left + width, self._top + height),
            suit=(suit_left, suit_top, suit_left + suit_width, suit_top + suit_height),
        )
        if wipe:
            right, bottom = int(max(place.rank[2], place.suit[2])) + 4, int(place.suit[3]) + 4
            top, begin = max(int(self._top) - 4, 0), max(int(min(left, suit_left)) - 4, 0)
            card[top:bottom, begin:right] = self.paper.astype(np.uint8)
        _stamp(card, letters, left=left, top=self._top, width=width, height=height, ink=ink)
        if self._underline and text in "69":
            line = int(self._top + height + self._gap * 0.5)
            cv2.line(card, (int(left), line), (int(left + width), line), ink, 2)
        _stamp(card, sign, left=suit_left, top=suit_top, width=suit_width, height=suit_height, ink=ink)
        return place


def _move_index(corner: Image, margin: int) -> Image:
    """Return the corner with its empty left margin moved to its right."""
    return np.concatenate([corner[:, margin // 2 :], corner[:, : margin // 2]], axis=1)


def _draw_inks(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Return the ink of each suit, BGR: two colours, or four in one pack of seven."""

    def shade(blue: float, green: float, red: float) -> tuple[int, int, int]:
        noise = rng.uniform(-25, 25, 3)
        values = [int(np.clip(value + change, 0, 235)) for value, change in zip((blue, green, red), noise, strict=True)]
        return values[0], values[1], values[2]

    black, red = shade(25, 25, 25), shade(35, 25, 200)
    if rng.random() < 0.15:
        green_clubs, blue_diamonds = shade(40, 130, 30), shade(190, 80, 30)
        orange = shade(30, 110, 225)
        return {"C": green_clubs, "D": blue_diamonds if rng.random() < 0.7 else orange, "H": red, "S": black}
    return {"C": black, "D": red, "H": red, "S": black}


def _stamp(
    card: Image, mask: Mask, *, left: float, top: float, width: float, height: float, ink: tuple[int, int, int]
) -> None:
    columns, rows = max(round(width), 2), max(round(height), 2)
    shape = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255.0
    x, y = max(round(left), 0), max(round(top), 0)
    patch = card[y : y + rows, x : x + columns]
    shape = shape[: patch.shape[0], : patch.shape[1]]
    patch[:] = (patch * (1 - shape) + np.array(ink, np.float32) * shape).astype(np.uint8)


def _draw_court(card: Image, rng: np.random.Generator, sign: Mask, ink: tuple[int, int, int], *, framed: bool) -> None:
    """Draw a picture that has the clutter of a court card: frame, patches of colour, stripes, a large suit sign."""
    left, top = int(CARD_W * rng.uniform(0.12, 0.22)), int(CARD_H * rng.uniform(0.05, 0.11))
    right, bottom = CARD_W - left, CARD_H - top
    inside = card[top:bottom, left:right]
    palette = [(30, 30, 200), (190, 90, 30), (40, 200, 230), (30, 30, 30), (60, 140, 50), (235, 235, 240)]
    for _ in range(int(rng.integers(4, 26))):
        colour = palette[int(rng.integers(len(palette)))]
        centre = (int(rng.uniform(0.05, 0.95) * inside.shape[1]), int(rng.uniform(0.0, 0.8) * inside.shape[0]))
        axes = (int(rng.uniform(6, 60)), int(rng.uniform(6, 60)))
        match int(rng.integers(4)):
            case 0:
                cv2.ellipse(inside, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
            case 1:
                cv2.ellipse(inside, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, 2, cv2.LINE_AA)
            case 2:
                corners = np.array(centre) + rng.integers(-60, 60, (int(rng.integers(3, 6)), 2))
                cv2.fillPoly(inside, [corners.astype(np.int32)], colour, cv2.LINE_AA)
            case _:
                step = int(rng.integers(4, 10))
                for shift in range(0, axes[1], step):
                    begin = (centre[0] - axes[0], centre[1] + shift)
                    cv2.line(inside, begin, (centre[0] + axes[0], begin[1]), colour, 1 + step // 4, cv2.LINE_AA)
    height = CARD_H * rng.uniform(0.08, 0.15)
    width = height * sign.shape[1] / sign.shape[0]
    at = left + rng.uniform(0.02, 0.1) * CARD_W, top + rng.uniform(0.01, 0.05) * CARD_H
    _stamp(card, sign, left=at[0], top=at[1], width=width, height=height, ink=ink)
    if framed:
        frame = tuple(int(value) for value in rng.integers(0, 140, 3))
        cv2.rectangle(card, (left, top), (right, bottom), frame, int(rng.integers(1, 3)))
