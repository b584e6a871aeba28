"""Draws the bare simulated table: cloth, floor, casing and trays; `Easel` is what everything on it is drawn with.

Colours are blue, green, red, as daylight shows them; light and shadow come later. Shapes are drawn in mm by `Easel`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware_sims.pack_art import circle
from hardware_sims.table_places import CASING_MM, SPOTS, TABLE_CORNER_MM, TABLE_SIDE_MM, View
from hardware_sims.table_scene import CLOTHS

if TYPE_CHECKING:
    from hardware_sims.pack_art import Colour, Points
    from vision.frame import Image

_SUBPIXEL_BITS: Final = 4

_CLOTH_COLOURS: Final[dict[str, Colour]] = {
    "green": (62, 104, 34),
    "blue": (122, 72, 30),
    "wine": (48, 30, 104),
    "black": (44, 42, 42),
    "wood": (72, 112, 158),
}
_FLOOR: Final[Colour] = (58, 74, 96)
_CASING: Final[Colour] = (52, 50, 48)
_TRAY: Final[Colour] = (40, 38, 37)
_RIM: Final[Colour] = (88, 86, 84)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Easel:
    """A picture being drawn.

    Attributes:
        image: `(H, W, 3) uint8 BGR`; drawn into.
        view: of the camera.
    """

    image: Image
    view: View

    def polygon(self, outline: Points, colour: Colour) -> None:
        """Fill an outline, `(N, 2)` mm."""
        cv2.fillPoly(self.image, [self._fixed(outline)], colour, cv2.LINE_AA, _SUBPIXEL_BITS)

    def line(self, points: Points, colour: Colour, width: float) -> None:
        """Draw a line with round joints through points, mm."""
        thick = max(1, round(width * self.view.px_per_mm))
        cv2.polylines(
            self.image, [self._fixed(points)], isClosed=False, color=colour, thickness=thick, lineType=cv2.LINE_AA,
            shift=_SUBPIXEL_BITS,
        )  # fmt: skip

    def shadow(self, outline: Points, *, reach: float, depth: float) -> None:
        """Darken what lies under an outline and around it.

        Args:
            outline: `(N, 2)`, mm.
            reach: by how much the shadow is soft and shifted, mm.
            depth: light that is taken, in [0, 1].
        """
        height, width = self.image.shape[:2]
        soft = max(reach * self.view.px_per_mm, 0.8)
        points = self.view.to_pixels(outline) + soft * np.array([0.5, 0.8])
        margin = 3 * soft + 2
        left, top = np.clip(np.floor(points.min(axis=0) - margin).astype(int), 0, (width, height))
        right, bottom = np.clip(np.ceil(points.max(axis=0) + margin).astype(int), 0, (width, height))
        if left >= right or top >= bottom:
            return
        # A soft shadow has no detail: it is drawn as small as its softness allows.
        step = max(1, int(soft / 2.5))
        small = np.zeros((max(1, (bottom - top) // step), max(1, (right - left) // step)), np.float32)
        cv2.fillPoly(small, [np.rint((points - (left, top)) / step).astype(np.int32)], (depth,))
        small = cv2.GaussianBlur(small, (0, 0), soft / step)
        full = cv2.resize(small, (right - left, bottom - top), interpolation=cv2.INTER_LINEAR)
        part = self.image[top:bottom, left:right]
        part[:] = cv2.multiply(part, cv2.cvtColor(1.0 - full, cv2.COLOR_GRAY2BGR), dtype=cv2.CV_8U)

    def _fixed(self, outline: Points) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
        pixels = self.view.to_pixels(outline) - 0.5
        return np.rint(pixels * (1 << _SUBPIXEL_BITS)).astype(np.int32)


@lru_cache(maxsize=16)
def bare_table(cloth: str, width_px: int) -> Image:
    """Return the picture of the table with nothing on it, not to be written to.

    Raises:
        ValueError: `cloth` is none of `CLOTHS`.
    """
    if cloth not in CLOTHS:
        raise ValueError(f"no cloth is called {cloth!r}: use one of {', '.join(CLOTHS)}")
    view = View(width_px=width_px)
    image = _boards(view)
    easel = Easel(image=image, view=view)
    top = _rounded_square(TABLE_SIDE_MM / 2.0, TABLE_CORNER_MM)
    easel.shadow(top, reach=60.0, depth=0.5)
    easel.polygon(top, (34, 48, 66))
    cover = np.zeros(image.shape[:2], np.uint8)
    inner = view.to_pixels(_rounded_square(TABLE_SIDE_MM / 2.0 - 14.0, TABLE_CORNER_MM - 14.0))
    cv2.fillPoly(cover, [np.rint(inner).astype(np.int32)], (255,))
    cv2.copyTo(_weave(cloth, view), cover, image)
    _machine(easel)
    image.flags.writeable = False
    return image


def _boards(view: View) -> Image:
    rng = np.random.default_rng(7)
    shades = rng.uniform(0.8, 1.1, 40).repeat(max(2, view.height_px // 12))[: view.height_px]
    grain = cv2.blur(rng.normal(0.0, 6.0, (view.height_px, view.width_px)).astype(np.float32), (25, 1)) * 3
    floor = np.array(_FLOOR, np.float32) * shades[:, None, None] + grain[:, :, None]
    return np.clip(floor, 0, 255).astype(np.uint8)


def _weave(cloth: str, view: View) -> Image:
    rng = np.random.default_rng(11)
    size = (view.height_px, view.width_px)
    if cloth == "wood":
        grain = cv2.blur(rng.normal(0.0, 50.0, size), (1, 61))
    else:
        worn = cv2.resize(rng.normal(0.0, 3.0, (12, 16)), size[::-1], interpolation=cv2.INTER_CUBIC)
        grain = cv2.add(rng.normal(0.0, 3.5, size), worn)
    colours = np.array(_CLOTH_COLOURS[cloth], np.float32) + np.asarray(grain)[:, :, None]
    return np.asarray(np.clip(colours, 0, 255), np.uint8)


def _machine(easel: Easel) -> None:
    casing = _rounded_square(CASING_MM, 30.0)
    easel.shadow(casing, reach=16.0, depth=0.5)
    easel.polygon(casing, _CASING)
    easel.polygon(circle((0.0, 0.0), 92.0), (66, 64, 61))
    easel.polygon(circle((0.0, 0.0), 84.0), (46, 44, 43))
    easel.polygon(np.array([(-36.0, -50.0), (36.0, -50.0), (36.0, 50.0), (-36.0, 50.0)]), (22, 21, 20))
    easel.polygon(circle((-98.0, 98.0), 9.0), (60, 170, 60))
    easel.polygon(circle((98.0, 98.0), 11.0), (40, 40, 190))
    for spot in SPOTS.values():
        outline = spot.corners()
        easel.shadow(outline, reach=6.0, depth=0.4)
        easel.polygon(outline, _RIM)
        centre = np.array([spot.x, spot.y])
        easel.polygon(centre + (outline - centre) * (1.0 - 10.0 / np.array([spot.width, spot.height])), _TRAY)


def _rounded_square(half: float, radius: float) -> Points:
    corners = []
    for turn, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angle = np.radians(np.linspace(0.0, 90.0, 9) + 90.0 * turn)
        centre = np.array([x, y]) * (half - radius)
        corners.append(centre + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.concatenate(corners)


def placed(shape: Points, x: float, y: float, angle_deg: float, size: float = 1.0) -> Points:
    """Return a shape, turned clockwise by `angle_deg` and scaled, with its origin at (x, y)."""
    angle = np.radians(angle_deg)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return np.asarray(shape * size @ turn + np.array([x, y]))
