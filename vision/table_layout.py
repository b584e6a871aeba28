"""The regions of the table in the picture of the camera over it, as data; the defaults are the reference machine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

__all__ = ["SEATS", "Rect", "Region", "TableLayout"]


class Region(StrEnum):
    """A part of the table, as the camera sees it."""

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
    """Past the table's edge."""


SEATS: Final = (Region.N, Region.E, Region.S, Region.W)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    """An upright rectangle, in parts of the picture's width and height.

    Attributes:
        left: of its left edge.
        top: of its upper edge.
        right: of its right edge.
        bottom: of its lower edge.
    """

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies in it.

        >>> Rect(left=0.2, top=0.1, right=0.4, bottom=0.3).holds(0.3, 0.2)
        True
        """
        return self.left <= x <= self.right and self.top <= y <= self.bottom


# In mm on the table top: the view is 1354 by 1015.5, its middle the table's; the trays lie 300 from it.
_VIEW: Final = (1354.0, 1015.5)


def _around(x: float, y: float, width: float, height: float) -> Rect:
    wide, high = _VIEW
    return Rect(
        left=0.5 + (x - width / 2) / wide,
        top=0.5 + (y - height / 2) / high,
        right=0.5 + (x + width / 2) / wide,
        bottom=0.5 + (y + height / 2) / high,
    )


_REFERENCE: Final = {
    Region.N: _around(0, -300, 92, 118),
    Region.E: _around(300, 0, 118, 92),
    Region.S: _around(0, 300, 92, 118),
    Region.W: _around(-300, 0, 118, 92),
    Region.TRUMP: _around(205, -205, 92, 118),
    Region.STOCK: _around(-205, -205, 92, 118),
    Region.CUT: _around(215, 205, 170, 118),
    Region.REJECT: _around(-205, 205, 92, 118),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """Where the regions of the table are in the picture; the defaults are those of the reference machine.

    Attributes:
        regions: trays and spots; the rest of `table` is open, what lies outside of it is beyond.
        table: the table top.
        card_width: width of a card lying on the table, parts of the picture's width.
        floor_size: size of a card on the floor over that of one on the table.
        lawful: regions in which one face may be seen. The stock belongs to them while its top card is turned.
        nearer: how much nearer one seat's edge must be than any other's, parts of the picture's width, for a face on
            the open table to lie before that seat.
    """

    regions: Mapping[Region, Rect] = field(default_factory=lambda: _REFERENCE)
    table: Rect = field(default_factory=lambda: _around(0, 0, 940, 940))
    card_width: float = 63.5 / _VIEW[0]
    floor_size: float = 0.7
    lawful: frozenset[Region] = frozenset({Region.TRUMP})
    nearer: float = 0.03

    def region_at(self, x: float, y: float) -> Region:
        """Return the region of a point given in parts of the picture.

        >>> TableLayout().region_at(0.5, 0.2), TableLayout().region_at(0.02, 0.5)
        (<Region.N: 'N'>, <Region.BEYOND: 'beyond'>)
        """
        for region, rect in self.regions.items():
            if rect.holds(x, y):
                return region
        return Region.OPEN if self.table.holds(x, y) else Region.BEYOND

    def seat_at(self, x: float, y: float) -> Region | None:
        """Return the seat that a point belongs to: the tray's, or on the open table and beyond the nearest one's.

        None at trump spot, stock, cut and reject tray, and where two seats are about as near.

        >>> TableLayout().seat_at(0.5, 0.1), TableLayout().seat_at(0.5, 0.5)
        (<Region.N: 'N'>, None)
        """
        region = self.region_at(x, y)
        if region in SEATS:
            return region
        if region not in (Region.OPEN, Region.BEYOND):
            return None
        table = self.table
        per_height = (table.right - table.left) / (table.bottom - table.top)
        away = {
            Region.N: (y - table.top) * per_height,
            Region.E: table.right - x,
            Region.S: (table.bottom - y) * per_height,
            Region.W: x - table.left,
        }
        nearest, next_one = sorted(away, key=lambda seat: away[seat])[:2]
        return nearest if away[next_one] - away[nearest] >= self.nearer else None
