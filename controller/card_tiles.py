"""Cards as small pictures: faces, the back of a card that is not known, and suit symbols as shapes of our own.

Convention: lengths are px of the finished picture; everything is drawn `SCALE` times larger and reduced at the end.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from vision.cards import Card

Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue."""

SCALE: Final = 2
CARD_WIDTH: Final = 106
CARD_HEIGHT: Final = 148

BLACK: Final[Colour] = (24, 26, 32)
RED: Final[Colour] = (196, 30, 44)
PAPER: Final[Colour] = (253, 252, 247)
GOLD: Final[Colour] = (244, 196, 72)
UNKNOWN: Final[Colour] = (92, 104, 122)
_BACK_LINE: Final[Colour] = (128, 140, 158)
_MARK: Final[Colour] = (216, 222, 232)
_EDGE: Final[Colour] = (168, 166, 156)

_SUIT_COLOURS: Final = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont


@lru_cache(maxsize=32)
def font(size: float) -> Font:
    """Return the font that Pillow brings along, `size` px of the finished picture."""
    return ImageFont.load_default(size=size * SCALE)


def draw_suit(draw: ImageDraw.ImageDraw, suit: str, centre: tuple[float, float], height: float, colour: Colour) -> None:
    """Fill one suit symbol, `height` high about `centre`, in px of the large drawing."""
    x, y = centre

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + height * u, y + height * v) for u, v in points]

    def disc(u: float, v: float, radius: float) -> None:
        draw.ellipse([*at((u - radius, v - radius))[0], *at((u + radius, v + radius))[0]], fill=colour)

    if suit == "D":
        draw.polygon(at((0.0, -0.5), (0.37, 0.0), (0.0, 0.5), (-0.37, 0.0)), fill=colour)
    elif suit == "H":
        draw.polygon(at(*_heart()), fill=colour)
    elif suit == "S":
        draw.polygon(at(*((u, -0.06 - 0.88 * v) for u, v in _heart())), fill=colour)
        draw.polygon(at((0.0, 0.0), (0.2, 0.5), (-0.2, 0.5)), fill=colour)
    else:
        disc(0.0, -0.26, 0.235)
        disc(-0.25, 0.1, 0.235)
        disc(0.25, 0.1, 0.235)
        draw.polygon(at((-0.08, -0.2), (0.08, -0.2), (0.19, 0.5), (-0.19, 0.5)), fill=colour)


@lru_cache(maxsize=1)
def _heart() -> tuple[tuple[float, float], ...]:
    """Return a heart in a box of height 1 about the origin: the curve x = sin³ t, y = a sum of cosines."""
    outline = []
    for step in range(72):
        t = math.tau * step / 72
        lobes = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        outline.append((0.5 * math.sin(t) ** 3, -(lobes + 2.5) / 29.0))
    return tuple(outline)


@lru_cache(maxsize=128)
def card_tile(card: Card | None, *, marked: bool = False) -> Image.Image:
    """Return one card, RGBA at the large scale, not to be drawn into; None is a card that is not known.

    Args:
        card: what its face shows, or None.
        marked: whether it is outlined in gold, as the trump card is.
    """
    tile = Image.new("RGBA", (CARD_WIDTH * SCALE, CARD_HEIGHT * SCALE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(tile)
    box = (0, 0, tile.width - 1, tile.height - 1)
    outline, line = (GOLD, 4 * SCALE) if marked else (_EDGE, 1 * SCALE)
    draw.rounded_rectangle(box, 9 * SCALE, fill=UNKNOWN if card is None else PAPER, outline=outline, width=line)
    if card is None:
        _unknown(draw)
    elif card.is_joker:
        for place, letter in enumerate("JOKER"):
            spot = (16 * SCALE, (20 + 19 * place) * SCALE)
            draw.text(spot, letter, BLACK, font(18), anchor="mm", stroke_width=SCALE // 2)
    else:
        _face(draw, card)
    return tile


def _face(draw: ImageDraw.ImageDraw, card: Card) -> None:
    colour = _SUIT_COLOURS[card.suit]
    rank = "10" if card.rank == "T" else card.rank
    size = 26 if rank == "10" else 30
    draw.text((19 * SCALE, 23 * SCALE), rank, colour, font(size), anchor="mm", stroke_width=SCALE // 2)
    draw_suit(draw, card.suit, (19 * SCALE, 54 * SCALE), 22 * SCALE, colour)
    draw_suit(draw, card.suit, (63 * SCALE, 94 * SCALE), 58 * SCALE, colour)


def _unknown(draw: ImageDraw.ImageDraw) -> None:
    inset = 7 * SCALE
    right, bottom = CARD_WIDTH * SCALE - inset, CARD_HEIGHT * SCALE - inset
    draw.rounded_rectangle((inset, inset, right, bottom), 5 * SCALE, outline=_BACK_LINE, width=SCALE)
    # The mark stands where a face has its index, so that it shows in a fan as well.
    for (x, y), size in (((21, 30), 28), ((63, 92), 64)):
        draw.text((x * SCALE, y * SCALE), "?", _MARK, font(size), anchor="mm", stroke_width=SCALE)
