"""Draws what is no card on the simulated table: cloth, floor, casing, trays, hands with sleeves, cups, phones, paper.

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
from hardware_sims.table_scene import CLOTHS, Thing, ThingKind

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


def _box(width: float, height: float, dx: float = 0.0, dy: float = 0.0) -> Points:
    corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2.0
    return np.asarray(corners + np.array([dx, dy]))


_CUPS: Final[tuple[Colour, ...]] = ((244, 246, 246), (190, 120, 40), (60, 60, 200), (225, 235, 240))
_DRINKS: Final[tuple[Colour, ...]] = ((22, 38, 62), (40, 90, 150), (200, 214, 222))


def draw_thing(easel: Easel, thing: Thing) -> None:
    """Draw what is no card and no hand."""
    match thing.kind:
        case ThingKind.CUP:
            _cup(easel, thing)
        case ThingKind.PHONE:
            _phone(easel, thing)
        case ThingKind.PAD:
            _pad(easel, thing)
        case ThingKind.PENCIL:
            stick = placed(_box(150.0, 7.0), thing.x, thing.y, thing.angle_deg)
            easel.shadow(stick, reach=3.0, depth=0.4)
            easel.polygon(stick, ((40, 190, 230), (60, 60, 190), (90, 120, 40))[thing.look % 3])
            easel.polygon(placed(_box(14.0, 5.0, 75.0), thing.x, thing.y, thing.angle_deg), (150, 190, 215))


def _cup(easel: Easel, cup: Thing) -> None:
    centre = (cup.x, cup.y)
    china = _CUPS[cup.look % len(_CUPS)]
    dark = (int(china[0] * 0.8), int(china[1] * 0.8), int(china[2] * 0.8))
    if cup.look % 2 == 0:
        easel.shadow(circle(centre, 72.0), reach=8.0, depth=0.5)
        easel.polygon(circle(centre, 72.0), china)
        easel.polygon(circle(centre, 50.0), dark)
    easel.shadow(circle(centre, 44.0), reach=16.0, depth=0.5)
    easel.polygon(placed(_box(34.0, 12.0, 52.0), cup.x, cup.y, cup.angle_deg), china)
    easel.polygon(circle(centre, 42.0), china)
    easel.polygon(circle(centre, 37.0), _DRINKS[cup.look % len(_DRINKS)])


def _phone(easel: Easel, phone: Thing) -> None:
    def part(width: float, height: float, dx: float = 0.0, dy: float = 0.0) -> Points:
        return placed(_box(width, height, dx, dy), phone.x, phone.y, phone.angle_deg)

    easel.shadow(part(74.0, 150.0), reach=5.0, depth=0.5)
    easel.polygon(part(74.0, 150.0), (36, 34, 33) if phone.look % 3 else (225, 228, 230))
    match phone.look % 4:
        case 0:
            easel.polygon(part(66.0, 136.0), (14, 12, 12))
        case 1:
            easel.polygon(part(66.0, 136.0), (250, 248, 246))
            for row in range(9):
                easel.polygon(part(52.0 - 5.0 * (row % 3), 3.2, -3.0, -52.0 + 11.0 * row), (96, 92, 90))
        case 2:
            easel.polygon(part(66.0, 136.0), (170, 110, 50))
            for icon in range(12):
                colour = ((240, 240, 240), (60, 60, 220), (60, 190, 70), (40, 200, 240))[icon % 4]
                easel.polygon(part(11.0, 11.0, -18.0 + 18.0 * (icon % 3), -50.0 + 22.0 * (icon // 3)), colour)
        case _:
            easel.polygon(part(66.0, 136.0), (240, 240, 238))
            easel.polygon(part(58.0, 60.0, 0.0, -32.0), (120, 140, 60))
            easel.polygon(part(14.0, 14.0, -20.0, 14.0), (50, 50, 205))
            easel.polygon(part(40.0, 4.0, 4.0, 40.0), (90, 90, 90))


def _pad(easel: Easel, pad: Thing) -> None:
    wide, high = ((105.0, 148.0), (88.0, 125.0), (148.0, 105.0))[pad.look % 3]
    sheet = placed(_box(wide, high), pad.x, pad.y, pad.angle_deg)
    easel.shadow(sheet, reach=2.0, depth=0.35)
    easel.polygon(sheet, ((242, 246, 247), (205, 236, 244))[pad.look % 2])

    def stroke(points: list[tuple[float, float]], width: float, ink: Colour) -> None:
        easel.line(placed(np.array(points), pad.x, pad.y, pad.angle_deg), ink, width)

    if pad.look % 2 == 0:
        stroke([(0.0, -high / 2 + 8), (0.0, high / 2 - 8)], 1.0, (110, 90, 80))
        stroke([(-wide / 2 + 8, -high / 2 + 20), (wide / 2 - 8, -high / 2 + 20)], 1.0, (110, 90, 80))
    for row in range(pad.look):
        y = -high / 2 + 30 + 10 * row
        if y < high / 2 - 10:
            for side in (-1, 1):
                at = side * wide / 4
                stroke([(at - 5, y), (at - 2, y - 5), (at + 1, y + 1), (at + 5, y - 4)], 1.3, (70, 50, 40))
