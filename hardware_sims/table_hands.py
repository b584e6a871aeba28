"""Draws the hands that work at the simulated table, and the sleeves they come out of.

A hand is drawn along its own axis: fingertips at the origin, the arm towards negative x; lengths in mm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware_sims.pack_art import PIPS, circle
from hardware_sims.table_art import placed
from hardware_sims.table_scene import Pose, Reach, Wear

if TYPE_CHECKING:
    from hardware_sims.pack_art import Colour, Points
    from hardware_sims.table_art import Easel

_SKIN_COLOURS: Final[tuple[Colour, ...]] = (
    (188, 208, 240),
    (160, 188, 228),
    (128, 162, 208),
    (98, 132, 182),
    (66, 92, 138),
    (44, 60, 92),
)

_SLEEVE_COLOURS: Final[dict[str, Colour]] = {
    "white": (240, 242, 242),
    "black": (34, 32, 32),
    "navy": (84, 48, 30),
    "red": (44, 40, 176),
    "grey": (140, 140, 138),
    "beige": (170, 198, 214),
    "striped": (238, 238, 238),
    "checked": (232, 236, 240),
    "denim": (150, 108, 74),
    "dotted": (240, 243, 244),
    "floral": (232, 240, 244),
    "lettered": (238, 240, 240),
    "tartan": (48, 44, 150),
    "knit": (206, 222, 230),
}

_FINGERS: Final = {
    # For each finger from the forefinger on: where its tip is, along and across.
    Pose.FLAT: ((-6.0, -34.0), (0.0, -10.0), (-5.0, 12.0), (-22.0, 34.0)),
    Pose.POINT: ((0.0, -24.0), (-62.0, -6.0), (-64.0, 11.0), (-68.0, 27.0)),
    Pose.PINCH: ((0.0, -10.0), (-14.0, 6.0), (-30.0, 18.0), (-46.0, 30.0)),
    Pose.FIST: ((-58.0, -24.0), (-54.0, -8.0), (-56.0, 9.0), (-62.0, 24.0)),
    Pose.SPREAD: ((-10.0, -60.0), (0.0, -19.0), (-6.0, 24.0), (-34.0, 62.0)),
    Pose.CUPPED: ((-38.0, -17.0), (-33.0, -4.0), (-36.0, 9.0), (-46.0, 21.0)),
}
_THUMBS: Final = {
    Pose.FLAT: ((-128.0, -38.0), (-92.0, -66.0), (-66.0, -78.0)),
    Pose.POINT: ((-128.0, -36.0), (-96.0, -50.0), (-70.0, -36.0)),
    Pose.PINCH: ((-128.0, -36.0), (-72.0, -52.0), (-14.0, -22.0)),
    Pose.FIST: ((-126.0, -34.0), (-92.0, -42.0), (-66.0, -14.0)),
    Pose.SPREAD: ((-128.0, -38.0), (-104.0, -74.0), (-90.0, -100.0)),
    Pose.CUPPED: ((-126.0, -36.0), (-84.0, -46.0), (-48.0, -27.0)),
}
_KNUCKLES: Final = ((-84.0, -29.0), (-80.0, -10.0), (-83.0, 10.0), (-92.0, 28.0))
_PALM: Final = np.array(
    [(-78, -34), (-74, -8), (-78, 18), (-88, 38), (-130, 40), (-172, 30), (-172, -28), (-140, -40), (-110, -42)],
    np.float64,
)
_ARM: Final = np.array([(-160.0, -28.0), (-160.0, 29.0), (-900.0, 52.0), (-900.0, -52.0)])
_SLEEVE: Final = np.array([(-196.0, -42.0), (-190.0, 43.0), (-900.0, 88.0), (-900.0, -88.0)])


def outline_of(reach: Reach) -> Points:
    """Return the outline of hand and arm, mm, for its shadow."""
    tips = np.array([*_FINGERS[reach.pose], *_THUMBS[reach.pose]])
    hull = cv2.convexHull(np.concatenate([tips, _PALM]).astype(np.float32))[:, 0]
    wide = _ARM if reach.sleeve == "bare" else _SLEEVE
    whole = cv2.convexHull(np.concatenate([hull[hull[:, 0] < -60], wide]).astype(np.float32))[:, 0]
    return _at(np.asarray(whole, np.float64), reach)


def draw_hand(easel: Easel, reach: Reach) -> None:
    """Draw arm, sleeve and hand; of a hand that pinches, the thumb comes later, by `draw_thumb`."""
    easel.shadow(outline_of(reach), reach=14.0, depth=0.45)
    skin = _SKIN_COLOURS[reach.skin]
    easel.polygon(_at(_ARM, reach), skin)
    easel.polygon(_at(_PALM, reach), skin)
    for knuckle, tip in zip(_KNUCKLES, _FINGERS[reach.pose], strict=True):
        _finger(easel, reach, np.array([knuckle, tip]), 17.0)
    if reach.pose is not Pose.PINCH:
        draw_thumb(easel, reach)
    if reach.sleeve != "bare":
        _sleeve(easel, reach)
    _wear(easel, reach)


def draw_thumb(easel: Easel, reach: Reach) -> None:
    """Draw the thumb, over what it holds."""
    _finger(easel, reach, np.array(_THUMBS[reach.pose]), 20.0)


def _finger(easel: Easel, reach: Reach, path: Points, width: float) -> None:
    skin = _SKIN_COLOURS[reach.skin]
    easel.line(_at(path, reach), _scaled(skin, 0.74), (width + 2.0) * reach.size)
    easel.line(_at(path + np.array([0.0, -0.6]), reach), skin, (width - 1.0) * reach.size)
    along = path[-1] - path[-2]
    nail = path[-1] - 0.5 * along / np.linalg.norm(along)
    if reach.pose is not Pose.FIST:
        varnish = _VARNISH if reach.wear is Wear.VARNISH else _nail(skin)
        easel.polygon(_at(circle((0.0, 0.0), 5.2) * (1.2, 0.9) + nail, reach), varnish)


def _sleeve(easel: Easel, reach: Reach) -> None:
    colour = _SLEEVE_COLOURS[reach.sleeve]
    easel.polygon(_at(_SLEEVE, reach), colour)
    # Folds, and the cuff with its seam.
    for fold in range(4):
        x = -290.0 - 95.0 * fold
        half = 0.8 * _half_sleeve(x)
        crease = np.array([(x, -half), (x - 18.0, 0.0), (x + 6.0, half)])
        easel.line(_at(crease, reach), _scaled(colour, 0.86), 5.0)
    _pattern(easel, reach)
    cuff = np.array([(-190.0, -43.0), (-184.0, 44.0), (-244.0, 48.0), (-250.0, -47.0)])
    if reach.sleeve in ("white", "striped", "navy", "black"):
        easel.polygon(_at(cuff, reach), (240, 242, 242) if reach.sleeve != "black" else colour)
        easel.line(_at(cuff[2:], reach), _scaled(colour, 0.7), 2.0)
        easel.polygon(_at(circle((-214.0, 24.0), 5.0), reach), (200, 205, 208))


def _pattern(easel: Easel, reach: Reach) -> None:
    """Draw what is woven into a sleeve or printed on it."""
    match reach.sleeve:
        case "striped":
            for y in range(-77, 78, 14):
                _along_sleeve(easel, reach, y, (150, 80, 40), 4.0)
        case "checked":
            for y in range(-72, 73, 24):
                _along_sleeve(easel, reach, y, (40, 36, 170), 7.0)
            _across_sleeve(easel, reach, range(-880, -200, 26), (60, 40, 40), 6.0)
        case "tartan":
            for y in range(-66, 67, 33):
                _along_sleeve(easel, reach, y, (30, 70, 30), 12.0)
            _across_sleeve(easel, reach, range(-880, -200, 40), (225, 232, 236), 3.0)
        case "knit":
            _across_sleeve(easel, reach, range(-884, -200, 9), (160, 178, 190), 2.5)
        case "dotted" | "floral" | "lettered":
            _printed(easel, reach)


_BLOSSOMS: Final[tuple[Colour, ...]] = ((60, 50, 200), (150, 70, 60), (60, 130, 50))


def _printed(easel: Easel, reach: Reach) -> None:
    """Draw dots, blossoms or upright signs, all about as large as a pip, in rows over a sleeve."""
    for column, x in enumerate(range(-860, -256, 24)):
        for row in range(-2, 3):
            at = np.array([x, (row + 0.5 * (column % 2)) * 0.3 * _half_sleeve(x)])
            if reach.sleeve == "dotted":
                easel.polygon(_at(circle((0.0, 0.0), 4.5) + at, reach), (50, 40, 190))
            elif reach.sleeve == "floral":
                for petal in PIPS["C"][:3]:
                    easel.polygon(_at(petal * 14.0 + at, reach), _BLOSSOMS[(column + row) % 3])
            elif row % 2 == 0:
                sign = np.array([(-2.0, -5.0), (2.0, -5.0), (2.0, 5.0), (-2.0, 5.0)])
                easel.polygon(_at(sign + at, reach), (44, 40, 40))
                easel.polygon(_at(sign[:, ::-1] * 0.6 + at + np.array([0.0, 7.0]), reach), (44, 40, 40))


def _along_sleeve(easel: Easel, reach: Reach, y: float, colour: Colour, width: float) -> None:
    easel.line(_at(np.array([(-190.0, y * 0.52), (-900.0, y * 1.1)]), reach), colour, width)


def _across_sleeve(easel: Easel, reach: Reach, places: range, colour: Colour, width: float) -> None:
    for x in places:
        half = _half_sleeve(x)
        easel.line(_at(np.array([(x, -half), (x, half)]), reach), colour, width)


_VARNISH: Final[Colour] = (50, 30, 190)


def _wear(easel: Easel, reach: Reach) -> None:
    match reach.wear:
        case Wear.RING:
            knuckle, tip = np.array(_KNUCKLES[2]), np.array(_FINGERS[reach.pose][2])
            at = knuckle + 0.25 * (tip - knuckle)
            easel.line(_at(np.array([(0.0, -8.0), (0.0, 8.0)]) + at, reach), (70, 180, 220), 3.0)
            easel.polygon(_at(circle((0.0, 0.0), 4.0) + at, reach), (245, 245, 240))
        case Wear.WATCH:
            easel.line(_at(np.array([(-184.0, -31.0), (-184.0, 32.0)]), reach), (40, 46, 60), 16.0)
            easel.polygon(_at(circle((-184.0, 0.0), 19.0), reach), (90, 100, 110))
            easel.polygon(_at(circle((-184.0, 0.0), 16.5), reach), (244, 246, 246))
            hands = np.array([(-184.0, 0.0), (-176.0, 5.0), (-184.0, 0.0), (-186.0, -13.0)])
            easel.line(_at(hands, reach), (30, 28, 28), 2.0)
        case Wear.BEADS:
            for y in range(-28, 29, 8):
                easel.polygon(_at(circle((-180.0, float(y)), 4.2), reach), _BLOSSOMS[(y // 8) % 3])


def _half_sleeve(x: float) -> float:
    return 42.0 + 46.0 * (-190.0 - x) / 710.0


def _at(shape: Points, reach: Reach) -> Points:
    return placed(shape, reach.x, reach.y, reach.angle_deg, reach.size)


def _scaled(colour: Colour, part: float) -> Colour:
    blue, green, red = colour
    return int(blue * part), int(green * part), int(red * part)


def _nail(skin: Colour) -> Colour:
    blue, green, red = skin
    return min(255, blue + 26), min(255, green + 18), min(255, red + 22)
