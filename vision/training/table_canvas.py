"""A piece of a table being drawn for training, and beside the picture what each of its pixels shows.

Points are `(x, y)` px; polygons are `(N, 2)`. What is drawn last lies on top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float64]
    Colour = tuple[float, float, float]

OTHER: Final = 0
BACK: Final = 1
FACE: Final = 2

_BITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A face that was laid down: its middle, and the direction of its long side."""

    x: float
    y: float
    angle: float


class Canvas:
    """The picture, its pixels' kinds (`OTHER`, `BACK`, `FACE`) and the faces that own them."""

    def __init__(self, image: Image) -> None:
        """Begin with what lies beneath everything, `(S, S, 3) uint8 BGR`."""
        self.image = image
        self.kind = np.full(image.shape[:2], OTHER, np.uint8)
        self.owner = np.full(image.shape[:2], -1, np.int8)
        self.faces: list[Laid] = []

    def polygon(self, points: Points, colour: Colour) -> None:
        """Fill a polygon with what is no card."""
        fixed = np.rint((points - 0.5) * (1 << _BITS)).astype(np.int32)
        cv2.fillPoly(self.image, [fixed], colour, cv2.LINE_AA, _BITS)
        cv2.fillPoly(self.kind, [fixed], (OTHER,), cv2.LINE_8, _BITS)

    def stroke(self, points: Points, colour: Colour, width: float) -> None:
        """Draw a line with round ends that is no card."""
        fixed = [np.rint((points - 0.5) * (1 << _BITS)).astype(np.int32)]
        thick = max(1, round(width))
        cv2.polylines(self.image, fixed, False, colour, thick, cv2.LINE_AA, _BITS)
        cv2.polylines(self.kind, fixed, False, (OTHER,), thick, cv2.LINE_8, _BITS)

    def disc(self, centre: Points, axes: tuple[float, float], angle: float, colour: Colour) -> None:
        """Fill an ellipse, axes in px, angle in radians, with what is no card."""
        turn = np.linspace(0, 2 * np.pi, 33)[:-1]
        shape = np.stack([np.cos(turn) * axes[0], np.sin(turn) * axes[1]], axis=1)
        self.polygon(turned(shape, angle) + centre, colour)

    def mark(self, mask: NDArray[np.uint8], quad: Points, colour: Colour) -> None:
        """Print the ink of a mask on what lies in a quad, which stays what it is."""
        part = self._part(quad)
        if part is None:
            return
        cover = _warped(mask, quad, part).astype(np.float32) / np.float32(255.0)
        here = self.image[part.rows, part.columns]
        ink = np.full_like(here, np.array(colour, np.uint8))
        here[:] = cv2.blendLinear(ink, here, cover, np.float32(1.0) - cover)

    def card(self, texture: Image, cover: NDArray[np.uint8], quad: Points, *, face: bool) -> None:
        """Lay down a card.

        Args:
            texture: what is printed on it.
            cover: of its outline, of the texture's size, 255 inside.
            quad: `(4, 2)`, its corners, clockwise.
            face: whether it shows its face.
        """
        part = self._part(quad)
        if part is None:
            return
        outline = _warped(cover, quad, part)
        whole = outline.astype(np.float32) / np.float32(255.0)
        here = self.image[part.rows, part.columns]
        here[:] = cv2.blendLinear(_warped(texture, quad, part), here, whole, np.float32(1.0) - whole)
        inside = outline > 127
        self.kind[part.rows, part.columns][inside] = FACE if face else BACK
        if face:
            down = quad[3] - quad[0]
            x, y = quad.mean(axis=0)
            self.owner[part.rows, part.columns][inside] = len(self.faces)
            self.faces.append(Laid(x=float(x), y=float(y), angle=float(np.arctan2(down[1], down[0]))))

    def seen_of(self, number: int) -> int:
        """Return how many pixels of a face can be seen, the first that was laid being number 0."""
        return int(((self.owner == number) & (self.kind == FACE)).sum())

    def shadow(self, points: Points, *, soft: float, depth: float) -> None:
        """Darken what lies under a polygon and around it."""
        soft = max(soft, 0.5)
        part = self._part(points, margin=3 * soft)
        if part is None:
            return
        here = self.image[part.rows, part.columns]
        shade = np.zeros(here.shape[:2], np.float32)
        cv2.fillPoly(shade, [np.rint(points - part.origin).astype(np.int32)], (depth,))
        shade = cv2.GaussianBlur(shade, (0, 0), soft).astype(np.float32)
        here[:] = cv2.blendLinear(here, np.zeros_like(here), np.float32(1.0) - shade, np.zeros_like(shade))

    def _part(self, points: Points, margin: float = 1.0) -> _Part | None:
        """Return the part of the canvas around some points; None where they lie outside it."""
        height, width = self.image.shape[:2]
        left, top = np.clip(np.floor(points.min(axis=0) - margin).astype(int), 0, (width, height))
        right, bottom = np.clip(np.ceil(points.max(axis=0) + margin).astype(int), 0, (width, height))
        if left >= right or top >= bottom:
            return None
        return _Part(rows=slice(top, bottom), columns=slice(left, right), origin=np.array([left, top], np.float64))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """An upright part of the canvas."""

    rows: slice
    columns: slice
    origin: Points


def _warped(texture: NDArray[np.uint8], quad: Points, part: _Part) -> NDArray[np.uint8]:
    """Return a texture as it looks in a part of the canvas, once its corners are brought to a quad."""
    rows, columns = texture.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, (quad - part.origin - 0.5).astype(np.float32))
    size = part.columns.stop - part.columns.start, part.rows.stop - part.rows.start
    return np.asarray(cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def turned(shape: Points, angle: float) -> Points:
    """Return a shape turned about the origin by an angle in radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(shape @ np.array([(cos, sin), (-sin, cos)]))


def box(width: float, height: float) -> Points:
    """Return an upright box around the origin, clockwise from its upper left corner."""
    return np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2.0
