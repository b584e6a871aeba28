"""An eye that knows: sightings from what really stands in the window, for tests that need no frames.

It takes the time that a camera of 60 frames a second takes. It sees what a good eye would see, and no more: a card
lying faced shows its back, two cards are two.

Does not model: the dark frame, frames that come late or again, light, focus.
"""

from __future__ import annotations

from typing import Final

from hardware_sims.faults import EyeDoubt
from hardware_sims.scene import WindowScene
from hardware_sims.world import World
from vision.sighting import Reason, Sighting, State

FRAME_US: Final = 16_667
"""From one exposure to the next, and from an exposure to its sighting."""

_WHOLE_MM: Final = 6.0
"""How far from its place the centre of a card may be for the card to be seen whole."""


class TruthEye:
    """The eye of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._doubted: dict[tuple[int, int], int] = {}

    def begin(self) -> None:
        """Forget the deal before: this eye learns nothing from cards."""

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        """See the window dark between two cards: there is nothing that this eye could mistake."""

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        """Let the world run until a frame exposed at or after `after_us` has been read, and tell what it shows.

        Returns a doubt where `deadline_us` passes first.
        """
        clock = self._world.clock
        exposed = -(-max(after_us, clock.now_us()) // FRAME_US) * FRAME_US
        clock.run_until(min(exposed + FRAME_US, deadline_us))
        if exposed + FRAME_US > deadline_us:
            return Sighting(state=State.NOT_SURE, reason=Reason.NO_FRAME)
        doubt = self._doubt()
        if doubt is not None:
            return Sighting(state=doubt)
        return seen(self._world.window_scene(exposed))

    def evidence(self) -> tuple[()]:
        """Return the frames of the last look: this eye has none."""
        return ()

    def measured(self) -> None:
        """Return how well it could see: it needs no light."""
        return

    def _doubt(self) -> State | None:
        """Return the doubt that the scenario wants of this look, if any."""
        world = self._world
        for fault in world.faults:
            if isinstance(fault, EyeDoubt) and fault.at == world.passage:
                looks = self._doubted.setdefault((world.deal, fault.at), 0)
                if looks < fault.times:
                    self._doubted[world.deal, fault.at] = looks + 1
                    return fault.state
        return None


def seen(scene: WindowScene) -> Sighting:
    """Return what a good eye sees of a scene."""
    if not scene.lamp or not scene.cards:
        return Sighting(state=State.EMPTY, reason=Reason.NOTHING_THERE if scene.lamp else Reason.STAYED_DARK)
    if len(scene.cards) > 1:
        return Sighting(state=State.TWO_CARDS, reason=Reason.MORE_CARDS)
    card = scene.cards[0]
    if scene.speed_mm_s > 0 or abs(card.x_mm) > _WHOLE_MM:
        return Sighting(state=State.PARTIAL, reason=Reason.NOT_WHOLE)
    if not card.face_to_camera:
        return Sighting(state=State.FACE_NOT_SEEN, reason=Reason.BACK)
    return Sighting(state=State.CARD, card=card.card, confidence=1.0)
