"""The shapes that card faces are printed with: a sheet to draw on, the pips as curves, the indices as pen strokes.

Convention: lengths are mm on the card, origin at its top-left corner, x to the right, y down. Shapes are given in a
unit box of their own and placed by centre and height. Every outline here is this project's own; no font is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.frame import Image

Points: TypeAlias = NDArray[np.float64]
"""`(N, 2)`, x and y."""

Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red; 0 to 255."""

CARD_WIDTH_MM: Final = 63.5
CARD_HEIGHT_MM: Final = 88.9

PX_PER_MM: Final = 8
"""Scale of finished artwork."""

_OVERSAMPLING: Final = 2
_SUBPIXEL_BITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sheet:
    """One card being printed; shapes land in the order they are drawn.

    Attributes:
        image: `(H, W, 3) uint8 BGR`, at twice the scale of finished artwork; drawn into.
        upside_down: whether shapes land rotated by half a turn about the card's centre.
        mirrored: whether shapes land mirrored left to right (before the half turn).
    """

    image: Image
    upside_down: bool = False
    mirrored: bool = False

    @classmethod
    def blank(cls, paper: Colour) -> Sheet:
        """Return an unprinted card of the colour `paper`."""
        scale = PX_PER_MM * _OVERSAMPLING
        image = np.zeros((round(CARD_HEIGHT_MM * scale), round(CARD_WIDTH_MM * scale), 3), np.uint8)
        cv2.rectangle(image, (0, 0), (image.shape[1], image.shape[0]), paper, cv2.FILLED)
        return cls(image=image)

    def turned(self) -> Sheet:
        """Return the same card seen by somebody opposite."""
        return replace(self, upside_down=not self.upside_down)

    def mirror(self) -> Sheet:
        """Return the same card with left and right exchanged for what is drawn."""
        return replace(self, mirrored=not self.mirrored)

    def finished(self) -> Image:
        """Return the artwork at `PX_PER_MM`, not to be written to."""
        height, width = self.image.shape[:2]
        art = cv2.resize(self.image, (width // _OVERSAMPLING, height // _OVERSAMPLING), interpolation=cv2.INTER_AREA)
        art.flags.writeable = False
        return np.asarray(art, np.uint8)

    def polygon(self, outline: Points, colour: Colour) -> None:
        """Fill `outline`, mm."""
        cv2.fillPoly(self.image, [self._pixels(outline)], colour, cv2.LINE_AA, _SUBPIXEL_BITS)

    def line(self, points: Points, colour: Colour, width: float) -> None:
        """Draw a line of `width` mm through `points`, mm, with round ends and joints."""
        self.pen(points, colour, (width, width))

    def pen(self, points: Points, colour: Colour, nib: tuple[float, float]) -> None:
        """Draw through `points`, mm, with an elliptical nib, mm wide and mm high: a broad nib shades strokes."""
        tip = circle((0.0, 0.0), 0.5, count=16) * np.array(nib)
        for start, end in pairwise(points):
            swept = np.concatenate([tip + start, tip + end]).astype(np.float32)
            self.polygon(np.asarray(cv2.convexHull(swept)[:, 0], np.float64), colour)

    def _pixels(self, outline: Points) -> NDArray[np.int32]:
        # Half a pixel, since the centre of pixel 0 lies half a pixel inside the card's edge.
        pixels = outline * (PX_PER_MM * _OVERSAMPLING) - 0.5
        last = np.array([self.image.shape[1] - 1, self.image.shape[0] - 1])
        if self.mirrored:
            pixels = pixels * (-1, 1) + last * (1, 0)
        if self.upside_down:
            pixels = last - pixels
        return np.rint(pixels * (1 << _SUBPIXEL_BITS)).astype(np.int32)


def placed(shape: Points, centre: tuple[float, float], height: float, *, upside_down: bool = False) -> Points:
    """Return `shape` (unit box, centred on the origin) at `centre`, `height` mm high."""
    return np.asarray(shape * (-height if upside_down else height) + np.array(centre))


def circle(centre: tuple[float, float], radius: float, *, count: int = 40) -> Points:
    """Return a circle as a polygon of `count` corners."""
    return arc(centre, (radius, radius), 0.0, 360.0, count=count + 1)[:-1]


def arc(
    centre: tuple[float, float], radii: tuple[float, float], start_deg: float, end_deg: float, *, count: int = 16
) -> Points:
    """Return `count` points of an ellipse's arc; degrees clockwise from the right."""
    angle = np.radians(np.linspace(start_deg, end_deg, count))
    return np.stack([centre[0] + radii[0] * np.cos(angle), centre[1] + radii[1] * np.sin(angle)], axis=1)


def bezier(*control: tuple[float, float], count: int = 16) -> Points:
    """Return `count` points of the cubic Bézier curve with four `control` points."""
    t = np.linspace(0.0, 1.0, count)[:, None]
    a, b, c, d = (np.array(point) for point in control)
    curve: Points = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return curve


def _both_sides(right: Points) -> Points:
    """Return the closed outline whose right half, from top to bottom, is `right`."""
    return np.concatenate([right, right[::-1] * np.array([-1.0, 1.0])])


_HEART: Final = _both_sides(
    np.concatenate(
        [
            bezier((0.0, -0.27), (0.06, -0.43), (0.17, -0.50), (0.27, -0.50)),
            bezier((0.27, -0.50), (0.40, -0.50), (0.48, -0.39), (0.48, -0.25)),
            bezier((0.48, -0.25), (0.48, 0.02), (0.13, 0.22), (0.0, 0.50)),
        ]
    )
)
_DIAMOND: Final = _both_sides(
    np.concatenate(
        [
            bezier((0.0, -0.50), (0.10, -0.31), (0.24, -0.12), (0.40, 0.0)),
            bezier((0.40, 0.0), (0.24, 0.12), (0.10, 0.31), (0.0, 0.50)),
        ]
    )
)
_SPADE: Final = _both_sides(
    np.concatenate(
        [
            bezier((0.0, -0.50), (0.11, -0.27), (0.45, -0.08), (0.45, 0.16)),
            bezier((0.45, 0.16), (0.45, 0.38), (0.16, 0.42), (0.05, 0.22)),
        ]
    )
)
_CLUB_LEAVES: Final = (circle((0.0, -0.27), 0.23), circle((-0.25, 0.09), 0.23), circle((0.25, 0.09), 0.23))
_CLUB_HEART: Final = np.array([(-0.12, -0.18), (0.12, -0.18), (0.12, 0.16), (-0.12, 0.16)])
_STEM: Final = _both_sides(bezier((0.0, -0.06), (0.02, 0.26), (0.06, 0.44), (0.20, 0.50)))

PIPS: Final[dict[str, tuple[Points, ...]]] = {
    "C": (*_CLUB_LEAVES, _CLUB_HEART, _STEM),
    "D": (_DIAMOND,),
    "H": (_HEART,),
    "S": (_SPADE, _STEM),
}
"""By suit: the polygons a pip is made of, in a box of height 1 about the origin, apex up."""


def draw_pip(
    sheet: Sheet, suit: str, centre: tuple[float, float], height: float, colour: Colour, *, upside_down: bool = False
) -> None:
    """Print one pip, `height` mm high, about `centre`, mm."""
    for outline in PIPS[suit]:
        sheet.polygon(placed(outline, centre, height, upside_down=upside_down), colour)


def _points(*pairs: tuple[float, float]) -> Points:
    return np.array(pairs, np.float64)


_SIX: Final = (
    np.concatenate(
        [
            bezier((0.50, 0.02), (0.22, 0.05), (0.02, 0.36), (0.02, 0.68)),
            arc((0.31, 0.69), (0.29, 0.31), 180.0, 540.0, count=32),
        ]
    ),
)
_ZERO: Final = arc((0.60, 0.5), (0.21, 0.5), 0.0, 360.0, count=32)

# By character: the pen's path over a box 1 high and about 0.62 wide.
_STROKES: Final[dict[str, tuple[Points, ...]]] = {
    "A": (_points((0.0, 1.0), (0.31, 0.0), (0.62, 1.0)), _points((0.12, 0.66), (0.50, 0.66))),
    "2": (
        np.concatenate(
            [
                arc((0.30, 0.28), (0.28, 0.28), 185.0, 360.0),
                bezier((0.58, 0.28), (0.58, 0.56), (0.16, 0.72), (0.02, 1.0)),
                _points((0.62, 1.0)),
            ]
        ),
    ),
    "3": (
        arc((0.29, 0.25), (0.26, 0.25), 195.0, 450.0, count=24),
        arc((0.29, 0.74), (0.30, 0.26), 270.0, 525.0, count=24),
    ),
    "4": (_points((0.46, 1.0), (0.46, 0.0), (0.0, 0.70), (0.64, 0.70)),),
    "5": (
        np.concatenate(
            [
                _points((0.56, 0.0), (0.10, 0.0), (0.06, 0.44)),
                arc((0.29, 0.67), (0.31, 0.33), 222.0, 525.0, count=28),
            ]
        ),
    ),
    "6": _SIX,
    "7": (_points((0.0, 0.0), (0.60, 0.0), (0.20, 1.0)),),
    "8": (
        arc((0.30, 0.24), (0.23, 0.24), 0.0, 360.0, count=28),
        arc((0.30, 0.74), (0.29, 0.26), 0.0, 360.0, count=32),
    ),
    "9": tuple(_points((0.62, 1.0)) - stroke for stroke in _SIX),
    "T": (_points((-0.06, 0.17), (0.09, 0.0), (0.09, 1.0)), _ZERO),
    "J": (np.concatenate([_points((0.50, 0.0)), arc((0.26, 0.74), (0.24, 0.26), 0.0, 172.0)]),),
    "Q": (arc((0.31, 0.5), (0.31, 0.5), 0.0, 360.0, count=36), _points((0.36, 0.72), (0.62, 1.04))),
    "K": (_points((0.04, 0.0), (0.04, 1.0)), _points((0.60, 0.0), (0.04, 0.62)), _points((0.22, 0.45), (0.64, 1.0))),
    "O": (arc((0.31, 0.5), (0.31, 0.5), 0.0, 360.0, count=36),),
    "E": (_points((0.54, 0.0), (0.06, 0.0), (0.06, 1.0), (0.54, 1.0)), _points((0.06, 0.48), (0.46, 0.48))),
    "R": (
        np.concatenate(
            [
                _points((0.05, 1.0), (0.05, 0.0), (0.33, 0.0)),
                arc((0.33, 0.26), (0.25, 0.26), 270.0, 450.0),
                _points((0.05, 0.52)),
            ]
        ),
        _points((0.30, 0.52), (0.62, 1.0)),
    ),
}
_SERIFS: Final[dict[str, tuple[Points, ...]]] = {
    "A": (_points((-0.10, 1.0), (0.12, 1.0)), _points((0.50, 1.0), (0.74, 1.0))),
    "2": (_points((0.62, 1.0), (0.64, 0.84)),),
    "4": (_points((0.34, 1.0), (0.58, 1.0)),),
    "5": (_points((0.56, 0.0), (0.58, -0.06)),),
    "7": (_points((0.0, 0.0), (0.0, 0.16)),),
    "T": (_points((-0.03, 1.0), (0.21, 1.0)),),
    "J": (_points((0.32, 0.0), (0.66, 0.0)),),
    "K": (
        _points((-0.08, 0.0), (0.18, 0.0)),
        _points((-0.08, 1.0), (0.18, 1.0)),
        _points((0.48, 0.0), (0.70, 0.0)),
        _points((0.52, 1.0), (0.76, 1.0)),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """How a pack's indices are lettered.

    Attributes:
        nib: width and height of the pen's nib, parts of the letter's height.
        width: of a letter, as a factor on the normal width.
        serifs: whether stems end in serifs.
    """

    nib: tuple[float, float]
    width: float
    serifs: bool


def draw_glyph(
    sheet: Sheet, glyph: str, centre: tuple[float, float], height: float, colour: Colour, hand: Hand
) -> None:
    """Write one rank or letter (`T` is the rank, written 10), `height` mm high over all, about `centre`, mm."""
    nib_width, nib_height = hand.nib[0] * height, hand.nib[1] * height
    path_height = height - nib_height
    size = np.array([path_height * hand.width, path_height])
    strokes, middle = _paths(glyph, hand.serifs)
    for stroke, thin in strokes:
        points = (stroke - np.array([middle, 0.5])) * size + np.array(centre)
        sheet.pen(points, colour, (nib_width * 0.6, nib_height) if thin else (nib_width, nib_height))


@cache
def _paths(glyph: str, serifs: bool) -> tuple[tuple[tuple[Points, bool], ...], float]:
    """Return the strokes of `glyph`, each with whether it is a serif, and the middle of their width."""
    strokes = [(stroke, False) for stroke in _STROKES[glyph]]
    every = np.concatenate([stroke for stroke, _ in strokes])
    if serifs:
        strokes += [(stroke, True) for stroke in _SERIFS.get(glyph, ())]
    return tuple(strokes), float((every[:, 0].min() + every[:, 0].max()) / 2)
