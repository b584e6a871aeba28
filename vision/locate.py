"""The gate: whether a picture shows one whole card, and where; pure geometry from pixels to a quad, or to a doubt.

Corners run clockwise from the top left of the card's short side; which short side is the top stays open, and does not
matter, because a card turned by half a turn is the same card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.doubts import Doubt
from vision.quads import clockwise, crossings, fit_sides, side_lengths
from vision.rectify import brightest, dimmest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]
    Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocateLimits:
    """Limits of the search.

    `least_fill` was measured on drawn frames of held-out decks, where the lowest of a single card is 0.985;
    `whole_part` was set after a look at photographs already cut to the card. The others are bounds of plain geometry.

    Attributes:
        search_side_px: longer side of the picture the outline is searched in; edges are refined in the full one.
        empty_contrast: contrast below which nothing stands in the window, levels of 255.
        bright: level above which an even picture is no empty window but something that covers it.
        least_part: smallest part of the picture a card may take.
        aspect: long side over short side of a card: bridge cards have 1.56, poker cards 1.40; the rest is perspective.
        whole_aspect: the same for a picture that is nothing but a card, which may have been squeezed.
        least_fill: area of the outline over area of its quad; rounded corners cost 0.01.
        opposite_sides: largest difference of two opposite sides, parts of the longer.
        whole_part: part of the picture from which on a shape at its borders may be a card that fills it.
        second_shape: area of another light shape, parts of the largest, from which on it may be a second card.
        border_px: distance from the border of the search picture at which a shape counts as cut.
    """

    search_side_px: int = 320
    empty_contrast: float = 32.0
    bright: float = 150.0
    least_part: float = 0.02
    aspect: tuple[float, float] = (1.22, 1.72)
    whole_aspect: tuple[float, float] = (0.95, 1.75)
    least_fill: float = 0.98
    opposite_sides: float = 0.12
    whole_part: float = 0.75
    second_shape: float = 0.3
    border_px: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quad:
    """Four corners of a card.

    Attributes:
        corners: `(4, 2) float32`, px of the picture, clockwise, the first side short.
        whole: the picture is nothing but the card, so that the sides are the picture's own.
    """

    corners: Points
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Located:
    """What the search found.

    Attributes:
        quads: outlines that may be the card, the likeliest first.
        doubt: what the picture shows where no quad can be read.
        spoilt: the outline to which that doubt is due, where the print of a single card may be the cause of it.
    """

    quads: tuple[Quad, ...] = ()
    doubt: Doubt = Doubt.NO_OUTLINE
    spoilt: Quad | None = None

    @property
    def card(self) -> Quad | None:
        """The likeliest outline of a card in the picture; None where there is none but the picture's own."""
        return next((quad for quad in self.quads if not quad.whole), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Shape:
    """The largest light shape of a mask, and what it may be.

    Attributes:
        part: of the picture.
        cut_sides: borders of the picture it touches.
        corners: `(4, 2) float32`, px of the search picture, where it has four sides.
        doubt: why it has not the outline of one card; None where it has.
    """

    part: float
    cut_sides: int
    corners: Points | None = None
    doubt: Doubt | None = None

    @property
    def card(self) -> Points | None:
        """Its corners, where it has the outline of one card."""
        return self.corners if self.doubt is None else None


_ALL_SIDES: Final = 3
"""A shape at this many borders is the background, or a card that fills the picture."""


_BY_PRINT: Final = (Doubt.NOTCHED, Doubt.TOO_WIDE, Doubt.TOO_LONG)
"""What is said of a single card whose print is dark up to its edge."""


_FINE: Final = 2.0
_COARSE: Final = 4.0
"""Reductions from which on pixels are averaged, and from which on that is done in two steps, which takes less time."""


def locate(image: Image, limits: LocateLimits) -> Located:
    """Return the outlines that may be a card, or the state of a picture that shows none.

    Args:
        image: `(H, W, 3) uint8 BGR`.
        limits: of the search.
    """
    height, width = image.shape[:2]
    scale = max(height, width) / limits.search_side_px
    size = (max(round(width / scale), 1), max(round(height / scale), 1))
    half = cv2.resize(image, (width // 2, height // 2), interpolation=cv2.INTER_LINEAR) if scale >= _COARSE else image
    small = cv2.resize(half, size, interpolation=cv2.INTER_AREA if scale > _FINE else cv2.INTER_LINEAR)
    light = np.asarray(cv2.blur(small, (3, 3)), np.uint8)
    bright = brightest(light)
    low, high = _range(bright)
    if high - low < limits.empty_contrast and low < limits.bright:
        return Located(doubt=Doubt.EMPTY)

    seen: list[_Shape] = []
    stretch = np.array([width / size[0], height / size[1]], np.float32)
    for channel in (dimmest(light), bright):
        shape = _largest_shape(_split(channel), limits)
        if shape is not None and shape.card is not None:
            return Located(quads=(_full_size(shape.card, stretch),))
        seen += [shape] if shape is not None else []
    whole = _may_be_whole(image, seen, limits)
    quads = [Quad(corners=_picture_corners(width, height), whole=True)] if whole else []
    inside = [shape for shape in seen if shape.cut_sides < _ALL_SIDES]
    if inside:
        largest = max(inside, key=lambda shape: shape.part)
        by_print = largest.corners if largest.doubt in _BY_PRINT else None
        spoilt = None if by_print is None else _full_size(by_print, stretch)
        return Located(quads=tuple(quads), doubt=largest.doubt or Doubt.NO_OUTLINE, spoilt=spoilt)
    quads += [_full_size(corners, stretch) for corners in _from_edges(light, limits)]
    return Located(quads=tuple(quads))


_OUTLIERS: Final = 0.01
"""Part of the pixels that may be darker, and part that may be lighter, than the range of a picture."""


def _range(channel: Mask) -> tuple[int, int]:
    """Return the darkest and the lightest level of a channel, outliers left out."""
    sample = np.ascontiguousarray(channel[::3, ::3])
    below = np.cumsum(cv2.calcHist([sample], [0], None, [256], [0, 256]))
    low, high = np.searchsorted(below, (_OUTLIERS * sample.size, (1 - _OUTLIERS) * sample.size), side="right")
    return int(low), int(high)


def _full_size(corners: Points, stretch: Points) -> Quad:
    return Quad(corners=((corners + 0.5) * stretch - 0.5).astype(np.float32))


def _picture_corners(width: int, height: int) -> Points:
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float32)
    return corners if height >= width else np.roll(corners, -1, axis=0)


def _may_be_whole(image: Image, shapes: list[_Shape], limits: LocateLimits) -> bool:
    height, width = image.shape[:2]
    least, most = limits.whole_aspect
    fills = not shapes or max(shape.part for shape in shapes) > limits.whole_part
    return fills and least <= max(height, width) / min(height, width) <= most


def _split(channel: Mask) -> Mask:
    """Return the light part of a channel, small gaps closed."""
    _, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)


def _from_edges(light: Image, limits: LocateLimits) -> list[Points]:
    """Return the outlines that closed edges draw, for cards on a ground as light as they are."""
    found: list[Points] = []
    for low in (20, 45, 90):
        edges = np.zeros(light.shape[:2], np.uint8)
        for channel in cv2.split(light):
            edges |= cv2.Canny(channel, low, low * 2.5).astype(np.uint8)
        edges = np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:3]:
            mask = np.zeros(light.shape[:2], np.uint8)
            cv2.drawContours(mask, [cv2.convexHull(contour)], 0, (255,), -1)
            shape = _largest_shape(mask, limits)
            if shape is not None and shape.card is not None:
                found.append(shape.card)
        if found:
            break
    return found[:1]


def _largest_shape(mask: Mask, limits: LocateLimits) -> _Shape | None:
    """Return the largest light shape, or None where it is too small to be a card."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    *others, (area, contour) = sorted(((cv2.contourArea(one), one) for one in contours), key=lambda pair: pair[0])
    part = area / mask.size
    if part < limits.least_part:
        return None
    x, y, wide, high = cv2.boundingRect(contour)
    far = limits.border_px
    borders = (x <= far, y <= far, x + wide >= mask.shape[1] - far, y + high >= mask.shape[0] - far)
    cut = sum(borders)
    if cut:
        return _Shape(part=part, cut_sides=cut, doubt=Doubt.CUT)
    outline = contour.reshape(-1, 2).astype(np.float32)
    corners = _side_corners(np.ascontiguousarray(outline[:: max(len(outline) // _POINTS, 1)]))
    if corners is None:
        return _Shape(part=part, cut_sides=0, doubt=Doubt.NO_SIDES)
    second = bool(others) and others[-1][0] > limits.second_shape * area
    doubt = Doubt.SECOND_SHAPE if second else _doubt(corners, area, limits)
    return _Shape(part=part, cut_sides=0, corners=corners, doubt=doubt)


def _doubt(corners: Points, area: float, limits: LocateLimits) -> Doubt | None:
    """Return why an outline is no single card; None for one that may be."""
    fill = area / max(cv2.contourArea(corners), 1.0)
    sides = side_lengths(corners)
    aspect = (sides[1] + sides[3]) / max(sides[0] + sides[2], 1e-3)
    uneven = max(abs(sides[0] - sides[2]) / max(sides[0], sides[2]), abs(sides[1] - sides[3]) / max(sides[1], sides[3]))
    least, most = limits.aspect
    if fill < limits.least_fill:
        return Doubt.NOTCHED
    if aspect < least:
        return Doubt.TOO_WIDE
    if aspect > most:
        return Doubt.TOO_LONG
    return Doubt.UNEVEN if uneven > limits.opposite_sides else None


_POINTS: Final = 150
"""Points of an outline that are enough to fit its sides."""

_MIDDLE: Final = 0.7
"""Middle part of a side whose points are fitted, away from the rounded corners."""

_NEAR: Final = 0.12
"""How far a side's points may lie from the box around the shape, parts of the shorter side."""


def _side_corners(points: Points) -> Points | None:
    """Return the corners where the lines through an outline's four sides meet."""
    box = clockwise(cv2.boxPoints(cv2.minAreaRect(points)).astype(np.float32))
    lengths = side_lengths(box)
    if float(lengths.min()) < 1.0:
        return None
    along = (box[[1, 2, 3, 0]] - box) / lengths[:, None]
    x, y = points.T[:, None] - box.T[:, :, None]
    place = (x * along[:, :1] + y * along[:, 1:]) / lengths[:, None]
    off = x * along[:, 1:] - y * along[:, :1]
    near = (np.abs(place - 0.5) < _MIDDLE / 2) & (np.abs(off) < _NEAR * float(lengths[:2].min()))
    fitted = fit_sides(box, place, off, near)
    corners = None if fitted is None else crossings(fitted[0])
    return None if corners is None else clockwise(corners)
