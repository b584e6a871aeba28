"""Where things are on the simulated table, and how the camera above it sees a point in space.

Convention: lengths are mm; the origin is the middle of the table top, x to the right of the picture (East), y down
(South), heights up from the table top. Pixels are `(x, y)` of the picture, origin top-left.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from hardware_sims.pack_art import Points

VIEW_WIDTH_MM: Final = 1354.0
"""How wide a part of the plane of the table top the camera sees; its height is three quarters of that."""

TABLE_SIDE_MM: Final = 940.0
TABLE_CORNER_MM: Final = 40.0

CAMERA_HEIGHT_MM: Final = 1700.0
"""From the table top up to the lens."""

FLOOR_MM: Final = -740.0


class Place(StrEnum):
    """Where a card may lie."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"
    TRUMP = "trump"
    STOCK = "stock"
    CUT = "cut"
    REJECT = "reject"
    OPEN = "open"
    """The table top outside trays and spots."""
    BEYOND = "beyond"
    """Past the edge of the table top, as the camera sees it: the floor, or somebody's lap."""


SEATS: Final = (Place.N, Place.E, Place.S, Place.W)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A tray or spot of the machine.

    Attributes:
        x: of its middle.
        y: of its middle.
        angle_deg: of the cards in it, clockwise.
        width: along the picture's x.
        height: along the picture's y.
    """

    x: float
    y: float
    angle_deg: float
    width: float
    height: float

    def corners(self) -> Points:
        """Return the corners, `(4, 2)`, clockwise from the top left."""
        half = np.array([self.width, self.height]) / 2.0
        signs = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
        return np.asarray(signs * half + np.array([self.x, self.y]))

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies in it."""
        return abs(x - self.x) <= self.width / 2.0 and abs(y - self.y) <= self.height / 2.0


SPOTS: Final = {
    Place.N: Spot(x=0, y=-300, angle_deg=0, width=92, height=118),
    Place.E: Spot(x=300, y=0, angle_deg=90, width=118, height=92),
    Place.S: Spot(x=0, y=300, angle_deg=0, width=92, height=118),
    Place.W: Spot(x=-300, y=0, angle_deg=90, width=118, height=92),
    Place.TRUMP: Spot(x=205, y=-205, angle_deg=0, width=92, height=118),
    Place.STOCK: Spot(x=-205, y=-205, angle_deg=0, width=92, height=118),
    Place.CUT: Spot(x=215, y=205, angle_deg=0, width=170, height=118),
    Place.REJECT: Spot(x=-205, y=205, angle_deg=0, width=92, height=118),
}
"""The trays and spots of the reference machine."""

CASING_MM: Final = 125.0
"""From the middle of the machine's casing to its sides."""


def place_at(x: float, y: float) -> Place:
    """Return the place that a point of the table's plane belongs to.

    >>> place_at(0, -300), place_at(120, -300), place_at(600, 0)
    (<Place.N: 'N'>, <Place.OPEN: 'open'>, <Place.BEYOND: 'beyond'>)
    """
    for place, spot in SPOTS.items():
        if spot.holds(x, y):
            return place
    half = TABLE_SIDE_MM / 2.0
    return Place.OPEN if abs(x) <= half and abs(y) <= half else Place.BEYOND


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The camera's picture.

    Attributes:
        width_px: of the picture; its height is three quarters of it.
    """

    width_px: int

    @property
    def height_px(self) -> int:
        """Height of the picture, px."""
        return self.width_px * 3 // 4

    @property
    def px_per_mm(self) -> float:
        """Scale in the plane of the table top."""
        return self.width_px / VIEW_WIDTH_MM

    def to_pixels(self, points: Points, heights: Points | float = 0.0) -> Points:
        """Return where the picture shows points, `(N, 2)` px.

        Args:
            points: `(N, 2)`, mm.
            heights: `(N,)`, mm over the table top; negative below it.
        """
        nearer = CAMERA_HEIGHT_MM / (CAMERA_HEIGHT_MM - np.asarray(heights, np.float64))
        scaled = points * (nearer[:, None] if nearer.ndim else nearer)
        return np.asarray(scaled * self.px_per_mm + np.array([self.width_px, self.height_px]) / 2.0)
