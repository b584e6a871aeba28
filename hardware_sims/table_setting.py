"""Sets the simulated table: from what lies where, as plain data, to a whole scene; the seed decides the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.seeded import Stream
from hardware_sims.table_places import CAMERA_HEIGHT_MM, FLOOR_MM, SEATS, SPOTS, TABLE_SIDE_MM, Place, place_at
from hardware_sims.table_scene import (
    SKINS,
    SLEEVES,
    Light,
    Pose,
    Reach,
    TableCard,
    TablePacket,
    TableScene,
    Thing,
    ThingKind,
    Wear,
    Where,
)

if TYPE_CHECKING:
    from vision.cards import Card

__all__ = ["Company", "Look", "Lying", "Shown", "scene_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A card whose face can be seen, as the world knows it.

    Attributes:
        card: which.
        place: where it lies.
        where: on the table, above it or below it; below means past the table's edge.
        seat: for the open table and beyond it, the seat it lies before; chosen by the seed where it is None. Beyond the
            table's edge the camera sees the floor at East and West only.
    """

    card: Card
    place: Place
    where: Where = Where.ON
    seat: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Who sits at the table, and what they put on it.

    Attributes:
        hands: number of hands in the picture.
        things: number of things on the table.
    """

    hands: int = 0
    things: int = 0


NOBODY: Final = Company()


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the picture looks, whatever happens in it; fields as in `TableScene`."""

    light: Light = Light.NEUTRAL
    cloth: str = "green"
    pack: str = "plain"
    back: str = "lattice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """Where the pack lies.

    Attributes:
        packets: number of face-down cards in each tray or spot.
        cut: cards of the upper and the lower packet that lie side by side in the cut tray, where a cut is going on.
        trump: the card lying face up on the trump spot.
        shown: every other card whose face can be seen.
    """

    packets: Mapping[Place, int] = field(default_factory=dict)
    cut: tuple[int, int] | None = None
    trump: Card | None = None
    shown: Sequence[Shown] = ()


def scene_of(lying: Lying, *, seed: int, look: Look | None = None, company: Company = NOBODY) -> TableScene:
    """Return the scene of a table on which cards lie as told; what is not told, the seed decides.

    >>> scene_of(Lying(packets={Place.N: 5, Place.STOCK: 12}), seed=1).packets[1].count
    12

    Raises:
        ValueError: a card is to lie where the camera cannot see it.
    """
    for shown in lying.shown:
        if shown.place is Place.BEYOND and shown.seat in (Place.N, Place.S):
            raise ValueError(f"the camera sees no floor at {shown.seat}: lay the card at E or W")
    style, stream = look or Look(), Stream(seed, "table")
    packets = [_packet(place, count, stream) for place, count in lying.packets.items() if count]
    if lying.cut is not None:
        packets += _cut_packets(lying.cut, stream)
    faces = [Shown(card=lying.trump, place=Place.TRUMP)] if lying.trump else []
    cards = [_lay(shown, stream) for shown in (*faces, *lying.shown)]
    return TableScene(
        packets=tuple(packets),
        cards=tuple(cards),
        things=_things(company.things, cards, stream),
        reaches=_reaches(company.hands, cards, stream),
        light=style.light,
        cloth=style.cloth,
        pack=style.pack,
        back=style.back,
        seed=seed,
    )


def _between(stream: Stream, low: float, high: float) -> float:
    return low + (high - low) * stream.unit()


def _packet(place: Place, count: int, stream: Stream) -> TablePacket:
    spot = SPOTS[place]
    return TablePacket(
        count=count,
        x=spot.x + _between(stream, -4, 4),
        y=spot.y + _between(stream, -4, 4),
        angle_deg=spot.angle_deg + _between(stream, -3, 3),
        spread=_between(stream, 0.5, 3.0),
    )


def _cut_packets(cut: tuple[int, int], stream: Stream) -> list[TablePacket]:
    spot = SPOTS[Place.CUT]
    return [
        TablePacket(
            count=count,
            x=spot.x + side * 39 + _between(stream, -3, 3),
            y=spot.y + _between(stream, -4, 4),
            angle_deg=_between(stream, -4, 4),
            spread=_between(stream, 0.5, 2.5),
        )
        for side, count in zip((-1, 1), cut, strict=True)
        if count
    ]


_INWARD: Final = {Place.N: 90.0, Place.E: 180.0, Place.S: 270.0, Place.W: 0.0}
"""Direction in which somebody sitting there reaches, clockwise from the picture's x."""


def _before(seat: Place, away: float, aside: float) -> tuple[float, float]:
    """Return the point `away` mm from the middle towards a seat and `aside` mm to the side."""
    outward = np.radians(_INWARD[seat] + 180.0)
    return (
        float(np.cos(outward) * away - np.sin(outward) * aside),
        float(np.sin(outward) * away + np.cos(outward) * aside),
    )


def _lay(shown: Shown, stream: Stream) -> TableCard:
    height, tilt = 0.0, 0.0
    if shown.where is Where.ABOVE:
        height, tilt = _between(stream, 170, 280), _between(stream, -20, 20)
    if shown.place in SPOTS:
        spot = SPOTS[shown.place]
        x, y = spot.x + _between(stream, -6, 6), spot.y + _between(stream, -6, 6)
        angle = spot.angle_deg + _between(stream, -6, 6) + 180 * stream.below(2)
    else:
        seats = (Place.E, Place.W) if shown.place is Place.BEYOND else SEATS
        seat = shown.seat or seats[stream.below(len(seats))]
        angle = _between(stream, 0, 360)
        if shown.place is Place.BEYOND:
            x, y = _before(seat, _between(stream, 790, 850), _between(stream, -300, 300))
            height = FLOOR_MM
        else:
            x, y = _open_spot(seat, stream)
    return TableCard(card=shown.card, face_up=True, x=x, y=y, angle_deg=angle, height=height, tilt_deg=tilt)


def _open_spot(seat: Place, stream: Stream) -> tuple[float, float]:
    """Return a point of the open table before a seat, clear of its tray by a card's half length."""
    return _before(seat, _between(stream, 325, 400), (-1) ** stream.below(2) * _between(stream, 108, 150))


def _clear_of(x: float, y: float, reach: float, cards: Sequence[TableCard]) -> bool:
    """Return whether a point of the table's plane is so far from every card, as the camera sees them there."""
    for card in cards:
        nearer = CAMERA_HEIGHT_MM / (CAMERA_HEIGHT_MM - min(card.height, 0.0))
        if (card.x * nearer - x) ** 2 + (card.y * nearer - y) ** 2 <= reach**2:
            return False
    return True


_THINGS: Final = tuple(ThingKind)


def _things(count: int, cards: Sequence[TableCard], stream: Stream) -> tuple[Thing, ...]:
    """Return things on the open table near its corners, none of them over one of `cards`."""
    found: list[Thing] = []
    while len(found) < count:
        x = (-1) ** stream.below(2) * _between(stream, 120, TABLE_SIDE_MM / 2 - 70)
        y = (-1) ** stream.below(2) * _between(stream, 330, TABLE_SIDE_MM / 2 - 70)
        kind = _THINGS[stream.below(len(_THINGS))]
        if place_at(x, y) is Place.OPEN and _clear_of(x, y, 140, cards):
            angle = _between(stream, 0, 360)
            found.append(Thing(kind=kind, x=x, y=y, angle_deg=angle, look=stream.below(8)))
    return tuple(found)


def _reaches(count: int, cards: Sequence[TableCard], stream: Stream) -> tuple[Reach, ...]:
    """Return hands at work at trays, none of them over one of `cards`."""
    found: list[Reach] = []
    tries = 0
    while len(found) < count and tries < 40 * count:
        tries += 1
        seat = SEATS[stream.below(4)]
        x, y = _before(seat, _between(stream, 150, 400), _between(stream, -160, 160))
        angle = _INWARD[seat] + _between(stream, -20, 20)
        back = np.radians(angle + 180.0)
        arm = [(x + np.cos(back) * step, y + np.sin(back) * step) for step in (0, 70, 140, 230, 320, 420, 520)]
        if all(_clear_of(float(px), float(py), 110, cards) for px, py in arm):
            found.append(
                Reach(
                    x=x,
                    y=y,
                    angle_deg=angle,
                    pose=tuple(Pose)[stream.below(len(Pose))],
                    skin=stream.below(SKINS),
                    sleeve=SLEEVES[stream.below(len(SLEEVES))],
                    size=_between(stream, 0.85, 1.15),
                    wear=tuple(Wear)[stream.below(len(Wear))],
                )
            )
    return tuple(found)
