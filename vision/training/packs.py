"""Procedural packs: a style drawn from a seed, and the faces, jokers and backs it prints.

A drawn card fills a `(CARD_H, CARD_W, 3) uint8 BGR` canvas from edge to edge, whatever its real proportions.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import RANKS, SUITS
from vision.training import pips
from vision.training.fonts import fonts_held_out, fonts_trained_on
from vision.training.printing import CARD_H, CARD_W, draw_court, draw_frame, draw_inks, stamp

if TYPE_CHECKING:
    from pathlib import Path

    from vision.frame import Image
    from vision.training.pips import Mask

FOREIGN: Final = (*tuple("BDVRUHENPSWXZMFT1ДТВ"), "11", "12")
"""Rank texts of other countries and of no country: never to be read as an English rank.

A T is a Russian ace; English packs print a ten as 10.

Letters and figures that differ from a queen by a stroke (C, G, O, 0) are left out: no pack prints them as a rank.
"""

_ODD_RANK: Final = 0.3
"""Part of a pack's ranks that come from another font than the rest: packs have figures of their own."""

_TONED: Final = 0.2
"""Part of the packs whose signs are no even patches of ink."""

_TONED_ODD: Final = 0.6
"""The same for signs that are none of the four suits: they are often pictures."""

_RIMMED: Final = 0.08
"""Part of the packs with a shaded rim outside their frame."""

_RULED: Final = 0.15
"""Part of the packs with lines that begin beside and below the index."""

_OLD_PAPER: Final = 0.08
"""Part of the packs printed on paper of another colour than white."""

_TEXTS: Final = {"T": "10"}
"""Rank texts that are not the rank's own letter."""

_PLACES: Final = {
    "A": "M.5", "2": "M.2 M.8", "3": "M.2 M.5 M.8", "4": "L.2 R.2 L.8 R.8", "5": "L.2 R.2 M.5 L.8 R.8",
    "6": "L.2 R.2 L.5 R.5 L.8 R.8", "7": "L.2 R.2 M.35 L.5 R.5 L.8 R.8", "8": "L.2 R.2 M.35 L.5 R.5 M.65 L.8 R.8",
    "9": "L.2 R.2 L.4 R.4 M.5 L.6 R.6 L.8 R.8", "T": "L.2 R.2 M.3 L.4 R.4 L.6 R.6 M.7 L.8 R.8",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an index stands, in px of the canvas, for the rank and for the suit: `(left, top, right, bottom)`."""

    rank: tuple[float, float, float, float]
    suit: tuple[float, float, float, float]


class Corner(Enum):
    """Where an index stands: at the upper left and turned, at the upper right, or upright at the lower right."""

    LEFT = "left"
    RIGHT = "right"
    LOWER = "lower"
    """The sign stands above the rank there, as in packs whose cards have an upper end."""


class Style:
    """One procedural pack: everything its cards have in common, drawn from one seed."""

    def __init__(self, seed: int, *, held_out: bool = False) -> None:
        """Draw the pack.

        Args:
            seed: of everything.
            held_out: in the letters that are held out from training, and in no others.
        """
        rng = np.random.default_rng((seed, 0x5717E))
        self._seed = seed
        self._held_out = held_out
        self._suits = self._draw_suits(rng)
        self._font = self._choose_letters(rng)
        self._odd_fonts = {rank: self._choose_letters(rng) for rank in RANKS if rng.random() < _ODD_RANK}
        self._masks: dict[str, Mask] = {}
        self.rank_height = CARD_H * (rng.uniform(0.125, 0.19) if rng.random() < 0.25 else rng.uniform(0.05, 0.125))
        self._rank_stretch = rng.uniform(0.42, 1.35)
        self._suit_ratio = rng.uniform(0.5, 1.15)
        self._gap = self.rank_height * rng.uniform(0.05, 0.35)
        self._top = CARD_H * (rng.uniform(0.09, 0.13) if rng.random() < 0.12 else rng.uniform(0.015, 0.09))
        self._margin = CARD_W * (rng.uniform(0.075, 0.13) if rng.random() < 0.2 else rng.uniform(0.02, 0.075))
        self._ten_width = CARD_W * rng.uniform(0.13, 0.27)
        self._bold = int(rng.choice([0, 0, 0, 1, 2, 3, 4, -1]))
        self._underline = rng.random() < 0.1
        self._four_corners = rng.random() < 0.25
        self._frame = int(rng.choice([0, 0, 0, 0, 1, 2]))
        self._frame_inset = rng.uniform(0.01, 0.04)
        self._frame_inks = rng.integers(0, 160, (2, 3)).tolist()
        self._frame_width = int(rng.choice([1, 2, 3, 5]))
        self._rim = rng.uniform(0.02, 0.08) if rng.random() < _RIMMED else 0.0
        self._top, self._margin = self._top + self._rim * CARD_W, self._margin + self._rim * CARD_W
        self._rule_at = rng.uniform((0.14, 0.03), (0.3, 0.16)) if rng.random() < _RULED else None
        self._pip_height = CARD_H * rng.uniform(0.1, 0.2)
        self._pip_column, self._pip_row = rng.uniform(0.24, 0.34), rng.uniform(0.13, 0.22)
        self.paper = np.array([rng.uniform(215, 256), rng.uniform(225, 256), rng.uniform(235, 256)], np.float32)
        if rng.random() < _OLD_PAPER:
            self.paper *= rng.uniform((0.45, 0.6, 0.75), 1.0).astype(np.float32)
        self._inks = draw_inks(rng)
        toned = rng.random() < _TONED
        self._tones = {suit: pips.draw_tone(mask, rng) for suit, mask in self._suits.items()} if toned else {}

    def _draw_suits(self, rng: np.random.Generator) -> dict[str, Mask]:
        drawn = fonts_held_out() if self._held_out else fonts_trained_on()
        fonts = [font for font in drawn if rng.random() < 0.15]
        if rng.random() < 0.35:
            for font in fonts:
                masks = {suit: pips.font_suit(font, suit) for suit in SUITS}
                if all(mask is not None for mask in masks.values()):
                    return {suit: pips.bend(mask, rng) for suit, mask in masks.items() if mask is not None}
        return {suit: pips.bend(pips.drawn_suit(suit, rng), rng) for suit in SUITS}

    def _choose_letters(self, rng: np.random.Generator) -> tuple[Path | int, int]:
        fonts = fonts_held_out() if self._held_out else fonts_trained_on()
        if not fonts or (rng.random() < 0.25 and not self._held_out):
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

    def with_sign(self, suit: str, sign: Mask, rng: np.random.Generator) -> Style:
        """Return this pack with another sign in the place of one suit's."""
        other = copy(self)
        other._suits = {**self._suits, suit: sign}  # noqa: SLF001 - the same class
        other._tones = {suit: pips.draw_tone(sign, rng)} if rng.random() < _TONED_ODD else {}  # noqa: SLF001 - as above
        return other

    def with_figure(self, rank: str, figure: Mask) -> Style:
        """Return this pack with another figure for one rank."""
        other = copy(self)
        other._masks = {**self._masks, rank: figure}  # noqa: SLF001 - the same class
        return other

    def face(
        self, rank: str, suit: str, rng: np.random.Generator, *, text: str = "", corner: Corner = Corner.LEFT
    ) -> tuple[Image, Place]:
        """Return a face and the place of its index.

        Args:
            rank: of `RANKS`.
            suit: of `SUITS`.
            rng: where what differs from print to print comes from.
            text: printed for the rank instead of the English one.
            corner: where the index stands that is told of.
        """
        card = self._blank()
        ink = self._inks[suit]
        if rank in "JQK" or (rank == "A" and rng.random() < 0.3):
            draw_court(card, rng, self._suits[suit], ink, framed=rng.random() < 0.7)
        else:
            self._draw_pips(card, rank, suit, ink)
        place = self._place(text or _TEXTS.get(rank, rank), suit, corner)
        self._draw_index(card, place, text or _TEXTS.get(rank, rank), suit, wipe=rank in "JQK")
        if corner is Corner.LOWER:
            return card, place
        half = CARD_H // 2
        card[half:] = np.ascontiguousarray(card[::-1, ::-1])[half:]
        if corner is Corner.LEFT and self._four_corners and place.rank[2] < CARD_W * 0.25:
            width, height = int(max(place.rank[2], place.suit[2])) + 4, int(place.suit[3]) + 4
            card[:height, CARD_W - width :] = _move_index(card[:height, :width], int(self._margin))
            card[half:] = np.ascontiguousarray(card[::-1, ::-1])[half:]
        return card, place

    def joker(self, rng: np.random.Generator) -> Image:
        """Return a joker: a word down the edge, or a star, beside a figure."""
        card = self._blank()
        ink = self._inks[str(rng.choice(list(SUITS)))]
        draw_court(card, rng, self._suits["S"], ink, framed=rng.random() < 0.4)
        card[:, : int(CARD_W * 0.2)] = self.paper
        y, height = self._top, CARD_H * rng.uniform(0.03, 0.07)
        for letter in "JOKER" if rng.random() < 0.75 else "*":
            mask = self._letters_plain(letter) if letter == "*" else self._letters(letter)
            stamp(card, mask, (self._margin, y, height * 0.8, height), ink=ink)
            y += height * 1.12
        card[CARD_H // 2 :] = np.ascontiguousarray(card[::-1, ::-1])[CARD_H // 2 :]
        return card

    def _blank(self) -> Image:
        card: Image = np.empty((CARD_H, CARD_W, 3), np.uint8)
        card[:] = self.paper.astype(np.uint8)
        if self._rim:
            inset, shade = int(CARD_W * self._rim), np.linspace(0.55, 0.95, CARD_W, dtype=np.float32)[None, :, None]
            inner = card[inset:-inset, inset:-inset].copy()
            card[:] = (card * shade).astype(np.uint8)
            card[inset:-inset, inset:-inset] = inner
            cv2.rectangle(card, (inset, inset), (CARD_W - inset, CARD_H - inset), self._frame_inks[0], 1)
        for number in range(self._frame):
            inset = int(CARD_W * (self._rim + self._frame_inset + 0.02 * number))
            draw_frame(card, inset, self._frame_inks[number], self._frame_width)
        if self._rule_at is not None:
            x, y = int(self._rule_at[0] * CARD_W), int(self._rule_at[1] * CARD_H)
            cv2.line(card, (x, y), (CARD_W - y, y), self._frame_inks[0], self._frame_width)
            begin = (max(y, 8), int(max(self._rule_at[0] * CARD_H, self._top + 2 * self.rank_height)))
            cv2.line(card, begin, (begin[0], CARD_H - y), self._frame_inks[0], self._frame_width)
        return card

    def _draw_pips(self, card: Image, rank: str, suit: str, ink: tuple[int, int, int]) -> None:
        mask, tone = self._suits[suit], self._tones.get(suit)
        scale = 2.0 if rank == "A" else 1.0
        height = self._pip_height * scale
        width = height * mask.shape[1] / mask.shape[0]
        for spot in _PLACES[rank].split():
            column = {"L": self._pip_column, "M": 0.5, "R": 1 - self._pip_column}[spot[0]]
            # The rows between the first and the middle one keep their order whatever row the first is.
            row = 0.5 - (0.5 - float(spot[1:])) * (0.5 - self._pip_row) / 0.3
            x, y = column * CARD_W, row * CARD_H
            if y <= CARD_H / 2:
                box = (x - width / 2, y - height / 2, width, height)
                stamp(card, mask, box, ink=ink, tone=tone)

    def _place(self, text: str, suit: str, corner: Corner) -> Place:
        """Return where the index of a text and a suit stands in a corner."""
        letters, sign = self._letters(text), self._suits[suit]
        height = self.rank_height
        width = min(height * letters.shape[1] / letters.shape[0] * self._rank_stretch, CARD_W * 0.28)
        width = min(width, self._ten_width) if len(text) == 2 else width
        suit_height = height * self._suit_ratio
        suit_width = min(suit_height * sign.shape[1] / sign.shape[0], CARD_W * 0.25)
        middle = self._margin + max(suit_width, height * 0.7 * self._rank_stretch) / 2
        left = max(middle - width / 2, CARD_W * 0.012)
        suit_left = max(middle - suit_width / 2, CARD_W * 0.012)
        if corner is not Corner.LEFT:
            left, suit_left = CARD_W - left - width, CARD_W - suit_left - suit_width
        top, suit_top = self._top, self._top + height + self._gap
        if corner is Corner.LOWER:
            top = CARD_H - top - height
            suit_top = top - self._gap - suit_height
        return Place(
            rank=(left, top, left + width, top + height),
            suit=(suit_left, suit_top, suit_left + suit_width, suit_top + suit_height),
        )

    def _draw_index(self, card: Image, place: Place, text: str, suit: str, *, wipe: bool) -> None:
        ink, boxes = self._inks[suit], np.array([place.rank, place.suit])
        if wipe:
            left, top = np.maximum(boxes[:, :2].min(axis=0).astype(int) - 4, 0)
            right, bottom = boxes[:, 2:].max(axis=0).astype(int) + 4
            card[top:bottom, left:right] = self.paper.astype(np.uint8)
        left, top, right, bottom = place.rank
        stamp(card, self._letters(text), (left, top, right - left, bottom - top), ink=ink)
        if self._underline and text in "69":
            line = int(bottom + self._gap * 0.5)
            cv2.line(card, (int(left), line), (int(right), line), ink, 2)
        left, top, right, bottom = place.suit
        stamp(card, self._suits[suit], (left, top, right - left, bottom - top), ink=ink, tone=self._tones.get(suit))


def _move_index(corner: Image, margin: int) -> Image:
    """Return the corner with its empty left margin moved to its right."""
    return np.concatenate([corner[:, margin // 2 :], corner[:, : margin // 2]], axis=1)
