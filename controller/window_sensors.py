"""What thickness, length and way of a card say of it before the eye has looked. Pure.

One card is 1 in every measure. Two that lie on each other are thicker, two that follow each other are longer. A card
that slips under the rollers has its steps counted both while it passes the entry sensor and on the way to the window's:
long and late by the same part. A sensor that is slow only makes it late, a card that lies askew only makes it long.

When the card stands, the entry sensor has seen as much of it as has passed. Where it is still blocked, either a second
card follows or the first has slipped too far to clear it, and the two look alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from firmware_bridge.events import AtWindow

TWO_CARDS_THICKNESS: Final = 1.5
"""Thickness from which two cards stand in the window, in cards; between one card and two."""

CHAIN_LENGTH: Final = 1.12
"""Length from which two cards follow each other, in cards. A card that lies `a` askew is 1 / cos(a) long to a sensor,
1.10 at the 25 degrees that the guides of the hopper allow at most; of two that follow each other the entry sensor of
the reference machine has seen 1.26 when the first stands."""

STEPS_UM: Final = 100
"""How far a length may differ from what the geometry gives, by the steps in which it is counted, µm."""

LONG: Final = 1.015
"""Length and way above which they are not those of one straight card; 1 mm of a card of 63.5 mm, or 10 degrees."""

SHORT: Final = 0.95
"""Length below which a card is torn or folded; 3 mm of a card of 63.5 mm, a corner's rounding being under 2."""

PAIRS: Final = frozenset({"double_feed", "chained_feed"})
"""Findings that mean two cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSize:
    """One card as the machine's sensors feel it, µm.

    Attributes:
        thickness_um: its thickness.
        length_um: its length along the path.
        travel_um: the way from the entry sensor to the window's.
        entry_um: the way from the hopper to the entry sensor.
        stand_um: the way from the hopper to where it stands to be seen.
    """

    thickness_um: int
    length_um: int
    travel_um: int
    entry_um: int
    stand_um: int


def finding(event: AtWindow, card: CardSize) -> str:
    """Return the code of the incident that the sensors show, or an empty text for one good card."""
    length, way = event.length_um / card.length_um, event.travel_um / card.travel_um
    long, late = length > LONG, way > LONG
    if event.thickness_um >= TWO_CARDS_THICKNESS * card.thickness_um:
        return "double_feed"
    if length >= CHAIN_LENGTH * max(way, 1):
        return "chained_feed"
    if length >= CHAIN_LENGTH and event.length_um + STEPS_UM >= card.stand_um - round(card.entry_um * way):
        return "slip_too_far"
    if long and late:
        return "slip"
    if late:
        return "sensor_late"
    if long:
        return "skew"
    return "short_card" if length < SHORT else ""
