"""The packs of the simulated table: four styles of faces and three backs, drawn by this project's own code.

The styles differ where printed packs differ: lettering, size and place of the indices, colours, pips and paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.pack_art import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PIPS,
    Colour,
    Hand,
    Sheet,
    circle,
    draw_glyph,
    draw_pip,
    placed,
)
from hardware_sims.pack_courts import draw_court, draw_joker

if TYPE_CHECKING:
    from vision.cards import Card
    from vision.frame import Image

__all__ = ["BACKS", "PACK_STYLES", "draw_back", "draw_face"]

_BLACK: Final[Colour] = (30, 22, 22)
_RED: Final[Colour] = (42, 32, 196)
_BLUE: Final[Colour] = (190, 95, 25)
_GREEN: Final[Colour] = (62, 130, 22)
_IVORY: Final[Colour] = (240, 249, 252)
_WHITE: Final[Colour] = (252, 252, 252)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """What makes one pack look unlike another; lengths in mm.

    Attributes:
        hand: lettering of the index.
        index_top: from the card's top to the rank.
        index_middle: from the card's left edge to the middle of rank and suit.
        rank_height: of the index.
        suit_height: of the index.
        pip_height: of the pips on number cards.
        columns: the outer columns of pips, from the card's middle.
        frame_left: from the card's left edge to the frame of the courts.
    """

    hand: Hand
    index_top: float
    index_middle: float
    rank_height: float
    suit_height: float
    pip_height: float
    columns: float
    frame_left: float
    paper: Colour
    colours: dict[str, Colour]


def _two_colours(red: Colour = _RED, black: Colour = _BLACK) -> dict[str, Colour]:
    return {"C": black, "S": black, "D": red, "H": red}


_STYLES: Final[dict[str, _Style]] = {
    "plain": _Style(
        hand=Hand(nib=(0.16, 0.16), width=0.95, serifs=False),
        index_top=3.6,
        index_middle=5.8,
        rank_height=9.0,
        suit_height=6.4,
        pip_height=13.2,
        columns=12.6,
        frame_left=10.6,
        paper=_WHITE,
        colours=_two_colours(),
    ),
    "serif": _Style(
        hand=Hand(nib=(0.17, 0.075), width=0.92, serifs=True),
        index_top=4.6,
        index_middle=5.6,
        rank_height=8.0,
        suit_height=5.6,
        pip_height=12.6,
        columns=12.0,
        frame_left=10.2,
        paper=_IVORY,
        colours=_two_colours(red=(50, 28, 178), black=(48, 36, 30)),
    ),
    "jumbo": _Style(
        hand=Hand(nib=(0.17, 0.14), width=0.90, serifs=False),
        index_top=3.2,
        index_middle=8.0,
        rank_height=14.0,
        suit_height=9.6,
        pip_height=11.6,
        columns=9.4,
        frame_left=15.2,
        paper=_WHITE,
        colours=_two_colours(red=(30, 20, 210)),
    ),
    "four_colour": _Style(
        hand=Hand(nib=(0.145, 0.12), width=1.0, serifs=False),
        index_top=4.0,
        index_middle=6.2,
        rank_height=10.4,
        suit_height=7.2,
        pip_height=12.4,
        columns=11.6,
        frame_left=11.6,
        paper=_WHITE,
        colours={"C": _GREEN, "D": _BLUE, "H": _RED, "S": _BLACK},
    ),
}

PACK_STYLES: Final = tuple(_STYLES)
"""Names of the styles of faces."""

# By rank: the upper half of the pips as (column, row); row 0 is the top one, 1 the card's middle. A pip whose row is
# less than 1 is printed again upside down at the opposite place.
_TOP, _MIDDLE = 0.0, 1.0
_LAYOUTS: Final[dict[str, tuple[tuple[int, float], ...]]] = {
    "2": ((0, _TOP),),
    "3": ((0, _TOP), (0, _MIDDLE)),
    "4": ((-1, _TOP), (1, _TOP)),
    "5": ((-1, _TOP), (1, _TOP), (0, _MIDDLE)),
    "6": ((-1, _TOP), (1, _TOP), (-1, _MIDDLE), (1, _MIDDLE)),
    "8": ((-1, _TOP), (1, _TOP), (-1, _MIDDLE), (1, _MIDDLE), (0, 0.5)),
    "9": ((-1, _TOP), (1, _TOP), (-1, 2 / 3), (1, 2 / 3), (0, _MIDDLE)),
    "T": ((-1, _TOP), (1, _TOP), (-1, 2 / 3), (1, 2 / 3), (0, 1 / 3)),
}

_ROWS_MM: Final = 28.0
"""From the middle of the card to the outer row of pips."""


@lru_cache(maxsize=64)
def draw_face(card: Card, style: str) -> Image:
    """Return the face of `card`, upright, `(711, 508, 3) uint8 BGR`, not to be written to; corners are square.

    Raises:
        ValueError: `style` is none of `PACK_STYLES`.
    """
    look = _STYLES.get(style)
    if look is None:
        raise ValueError(f"no pack style is called {style!r}: use one of {', '.join(PACK_STYLES)}")
    sheet = Sheet.blank(look.paper)
    if card.is_joker:
        _joker(sheet, look, coloured=card.code == "J1")
    else:
        _body(sheet, card, look)
        for half in (sheet, sheet.turned()):
            _index(half, card, look)
    return sheet.finished()


def _index(half: Sheet, card: Card, look: _Style) -> None:
    colour = look.colours[card.suit]
    rank_y = look.index_top + look.rank_height / 2
    suit_y = look.index_top + look.rank_height + 1.2 + look.suit_height / 2
    draw_glyph(half, card.rank, (look.index_middle, rank_y), look.rank_height, colour, look.hand)
    draw_pip(half, card.suit, (look.index_middle, suit_y), look.suit_height, colour)


def _body(sheet: Sheet, card: Card, look: _Style) -> None:
    colour = look.colours[card.suit]
    middle = (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
    if card.rank in "JQK":
        draw_court(sheet, card.rank, card.suit, colour, frame_left=look.frame_left)
    elif card.rank == "A":
        ornate = card.suit == "S"
        draw_pip(sheet, card.suit, middle, 40.0 if ornate else 24.0, colour)
        if ornate:
            leaf = PIPS["S"][0]
            sheet.polygon(placed(leaf, (middle[0], middle[1] - 2.2), 31.0), look.paper)
            sheet.polygon(placed(leaf, (middle[0], middle[1] - 2.0), 27.0), colour)
    elif card.rank == "7":
        # The odd pip of the seven stands in the upper half alone.
        _pips(sheet, card.suit, _LAYOUTS["6"], look)
        draw_pip(sheet, card.suit, (middle[0], middle[1] - _ROWS_MM / 2), look.pip_height, colour)
    else:
        _pips(sheet, card.suit, _LAYOUTS[card.rank], look)


def _pips(sheet: Sheet, suit: str, layout: tuple[tuple[int, float], ...], look: _Style) -> None:
    for column, row in layout:
        x = CARD_WIDTH_MM / 2 + column * look.columns
        y = CARD_HEIGHT_MM / 2 - (1.0 - row) * _ROWS_MM
        draw_pip(sheet, suit, (x, y), look.pip_height, look.colours[suit])
        if row != _MIDDLE:
            draw_pip(sheet, suit, (x, CARD_HEIGHT_MM - y), look.pip_height, look.colours[suit], upside_down=True)


def _joker(sheet: Sheet, look: _Style, *, coloured: bool) -> None:
    draw_joker(sheet, coloured=coloured)
    colour = look.colours["H" if coloured else "S"]
    height = min(look.rank_height * 0.62, 5.8)
    for half in (sheet, sheet.turned()):
        for place, letter in enumerate("JOKER"):
            y = look.index_top + height * (0.5 + place * 1.16)
            draw_glyph(half, letter, (look.index_middle, y), height, colour, look.hand)


def _lattice() -> Sheet:
    sheet = Sheet.blank(_WHITE)
    left, top, right, bottom = 4.0, 4.0, CARD_WIDTH_MM - 4.0, CARD_HEIGHT_MM - 4.0
    ink: Colour = (130, 60, 25)
    sheet.polygon(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]), ink)
    # A grid of half lozenges; its lines run through the points whose column and row are both odd or both even.
    columns, rows = 26, 38

    def at(column: int, row: int) -> tuple[float, float]:
        return left + (right - left) * column / columns, top + (bottom - top) * row / rows

    for start in range(-rows, columns, 2):
        first, last = max(0, -start), min(rows, columns - start)
        sheet.line(np.array([at(start + first, first), at(start + last, last)]), _WHITE, 0.6)
        sheet.line(np.array([at(start + first, rows - first), at(start + last, rows - last)]), _WHITE, 0.6)
    for row in range(1, rows):
        for column in range(1 + row % 2, columns, 2):
            sheet.polygon(circle(at(column, row), 0.5, count=12), (215, 190, 160))
    _border(sheet, 4.0, ink, 1.0)
    return sheet


def _stripes() -> Sheet:
    sheet = Sheet.blank(_WHITE)
    left, top, right, bottom = 5.0, 5.0, CARD_WIDTH_MM - 5.0, CARD_HEIGHT_MM - 5.0
    width, rise = 3.6, bottom - top
    # One stripe runs through the card's middle, so that the back has no upper end.
    middle = (left + right - rise - width) / 2
    for x in middle + 2 * width * np.arange(-10, 11):
        stripe = np.array([(x, bottom), (x + width, bottom), (x + width + rise, top), (x + rise, top)])
        sheet.polygon(stripe, _RED)
    for edge in (
        ((0.0, 0.0), (left, CARD_HEIGHT_MM)),
        ((right, 0.0), (CARD_WIDTH_MM, CARD_HEIGHT_MM)),
    ):
        (x0, y0), (x1, y1) = edge
        sheet.polygon(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), _WHITE)
    _border(sheet, 5.0, _RED, 1.2)
    return sheet


def _plain_back() -> Sheet:
    ink: Colour = (70, 95, 30)
    sheet = Sheet.blank(_WHITE)
    left, top, right, bottom = 5.4, 5.4, CARD_WIDTH_MM - 5.4, CARD_HEIGHT_MM - 5.4
    sheet.polygon(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]), ink)
    _border(sheet, 8.4, (200, 215, 190), 0.5)
    centre = (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
    sheet.polygon(circle(centre, 11.0), (200, 215, 190))
    sheet.polygon(circle(centre, 9.8), ink)
    for half in (sheet, sheet.turned()):
        draw_pip(half, "D", (centre[0], centre[1] - 3.0), 8.0, (200, 215, 190))
    return sheet


def _border(sheet: Sheet, inset: float, colour: Colour, width: float) -> None:
    right, bottom = CARD_WIDTH_MM - inset, CARD_HEIGHT_MM - inset
    corners = np.array([(inset, inset), (right, inset), (right, bottom), (inset, bottom), (inset, inset)])
    sheet.line(corners, colour, width)


_BACKS: Final = {"lattice": _lattice, "stripes": _stripes, "plain": _plain_back}

BACKS: Final = tuple(_BACKS)
"""Names of the backs; each looks the same from both ends."""


@lru_cache(maxsize=8)
def draw_back(back: str) -> Image:
    """Return the back of that name, `(711, 508, 3) uint8 BGR`, not to be written to; corners are square.

    Raises:
        ValueError: `back` is none of `BACKS`.
    """
    draw = _BACKS.get(back)
    if draw is None:
        raise ValueError(f"no back is called {back!r}: use one of {', '.join(BACKS)}")
    return draw().finished()
