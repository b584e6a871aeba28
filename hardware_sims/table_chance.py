"""Tables as chance would have them: packets in trays, faces here and there, hands and things, all from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.seeded import Stream
from hardware_sims.table_places import SEATS, Place
from hardware_sims.table_scene import CLOTHS, Light, TableScene, Where
from hardware_sims.table_setting import Company, Look, Lying, Shown, scene_of
from vision.cards import Pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.cards import Card

__all__ = ["chance_table"]

_PLACES: Final = (
    *((seat, Where.ON) for seat in SEATS),
    (Place.STOCK, Where.ON),
    (Place.CUT, Where.ON),
    (Place.REJECT, Where.ON),
    (Place.OPEN, Where.ON),
    (Place.OPEN, Where.ON),
    (Place.OPEN, Where.ABOVE),
    (Place.OPEN, Where.ABOVE),
    (Place.BEYOND, Where.BELOW),
)


def chance_table(seed: int, *, faces: int, lights: Sequence[Light] = tuple(Light)) -> TableScene:
    """Return a table with up to `faces` exposed faces, each at a place of its own, and half the time a trump card.

    >>> chance_table(3, faces=0) == chance_table(3, faces=0)
    True
    """
    stream = Stream(seed, "chance table")
    cards = stream.shuffled(Pack.of(52).cards)
    shown = _faces(cards, faces, stream)
    used = {face.place for face in shown}
    packets = {seat: stream.below(14) for seat in SEATS} | {Place.STOCK: stream.below(30)}
    cut = (4 + stream.below(20), 4 + stream.below(20)) if stream.below(3) == 0 and Place.CUT not in used else None
    trump = cards[-1] if stream.below(2) == 0 else None
    look = Look(
        light=lights[stream.below(len(lights))],
        cloth=CLOTHS[stream.below(len(CLOTHS))],
        pack=PACK_STYLES[stream.below(len(PACK_STYLES))],
        back=BACKS[stream.below(len(BACKS))],
    )
    company = Company(hands=stream.below(4), things=stream.below(4))
    return scene_of(Lying(packets=packets, cut=cut, trump=trump, shown=shown), seed=seed, look=look, company=company)


def _faces(cards: Sequence[Card], count: int, stream: Stream) -> list[Shown]:
    chosen: dict[Place, Shown] = {}
    for card in cards[:count]:
        place, where = _PLACES[stream.below(len(_PLACES))]
        chosen.setdefault(place, Shown(card=card, place=place, where=where))
    return list(chosen.values())
