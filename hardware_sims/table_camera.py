"""The simulated camera over the table: ten frames a second on the clock of its world.

`simtable:NAME` films the table of the machine `sim://NAME`; `simtable:/path/to.sock` asks a simulator in another
process, whose frames come as fast as they are asked for. To be seen are packets in trays and spots as the cards really
lie, the trump card, a cut under way, and what the scenario lets come to light.

Does not model: faults of this camera but that it is gone, the time a picture takes to be read out, noise that differs
from frame to frame, hands that move, cards that people lay aside, trays that are lifted. At free pace behind a pty a
face that is to be seen for a time may be gone before a picture is taken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardware_sims.camera import PacedCamera, camera_served, world_filmed
from hardware_sims.exposures import ExposedCard, TableState
from hardware_sims.table_places import Place
from hardware_sims.table_render import render_table
from hardware_sims.table_scene import Light, TablePacket, TableScene, Where
from hardware_sims.table_setting import Company, Look, Lying, Shown, scene_of
from vision.cards import Card
from vision.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.frame import Camera, Image

__all__ = ["FRAMES_PER_SECOND", "TablePictures", "open_table_camera", "scene_now"]

FRAMES_PER_SECOND: Final = 10

_ANY: Final = Card.parse("AS")
"""Stands for a card that is not known before it comes to light."""


def open_table_camera(url: str, clock: Callable[[], int]) -> Camera:
    """Open `simtable:NAME` or `simtable:/path/to.sock`.

    Args:
        url: the camera.
        clock: the time on the clock of the machine's link, µs.

    Raises:
        vision.errors.CameraError: there is nothing to film there, or it runs on another clock than the machine.
    """
    name = url.removeprefix("simtable:")
    served = camera_served(url, name, clock)
    if served is not None:
        return served
    world = world_filmed(url, name, clock)
    pictures = TablePictures()

    def take(at_us: int, number: int) -> Frame | None:
        if not world.table_camera_works:
            return None
        return Frame(image=pictures.of(world.table_state()), captured_us=at_us, number=number, source=url)

    return PacedCamera(world.clock, take, per_second=FRAMES_PER_SECOND, latency_us=0)


class TablePictures:
    """Draws the table, anew only where something has changed."""

    def __init__(self) -> None:
        self._state: TableState | None = None
        self._image: Image | None = None

    def of(self, state: TableState) -> Image:
        """Return the picture of a state."""
        if self._image is None or state != self._state:
            self._state, self._image = state, render_table(scene_now(state))
        return self._image


def scene_now(state: TableState) -> TableScene:
    """Return the scene of a table's state; what lies still stays in its place from scene to scene of one deal."""
    style = Look(light=Light(state.fit.light), cloth=state.fit.cloth, pack=state.style, back=state.back)
    # All that will come to light in this deal gets its place at once, and hands and things lie clear of it.
    company = Company(hands=state.fit.hands + _by_hand(state), things=state.fit.things)
    planned = scene_of(
        Lying(shown=[_shown(exposed) for exposed in state.plan]), seed=state.seed, look=style, company=company
    )
    cards = [replace(planned.cards[place], card=card) for place, card in state.shown.items()]
    packets = [packet for name, count in state.packets.items() for packet in _packet(name, count, state)]
    if state.cut is not None:
        packets += scene_of(Lying(cut=state.cut), seed=state.seed).packets
    faces = [Shown(card=card, place=Place(name)) for name, card in state.faces.items()]
    lying = [card for face in faces for card in scene_of(Lying(shown=[face]), seed=state.seed).cards]
    return replace(planned, packets=tuple(packets), cards=(*lying, *cards))


def _by_hand(state: TableState) -> int:
    """Return how many of the faces that can be seen a hand has brought to light."""
    return sum(state.plan[place].by == "hand" for place in state.shown)


def _packet(name: str, count: int, state: TableState) -> tuple[TablePacket, ...]:
    return scene_of(Lying(packets={Place(name): count}), seed=state.seed).packets


def _shown(exposed: ExposedCard) -> Shown:
    return Shown(
        card=exposed.card or _ANY,
        place=Place(exposed.place),
        where=Where(exposed.where),
        seat=Place(exposed.seat) if exposed.seat else None,
    )
