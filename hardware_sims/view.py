"""What the camera has before it at a moment, from where the mechanism's cards are.

The camera looks up from below at cards that lie face down: the card fed first is nearest to it.
"""

from __future__ import annotations

from typing import Final

from hardware_sims.mechanism import Mechanism
from hardware_sims.physical import Train
from hardware_sims.scene import CardInView, WindowScene
from hardware_sims.seeded import mixed

HALF_VIEW_MM: Final = 80.0
"""Half of what the camera sees along the path: 640 pixels at 4 pixels a mm."""


def window_scene(mechanism: Mechanism, at_us: int, *, style: str, back: str, seed: int) -> WindowScene:
    """Return the scene at a moment, not later than now and not earlier than the last card's feed."""
    cards: list[CardInView] = []
    speed = 0.0
    for train in mechanism.lately():
        seen = _in_view(mechanism, train, at_us)
        if seen:
            cards += seen
            speed = train.motion_at(at_us).speed_mm_s(at_us)
    return WindowScene(
        cards=tuple(cards),
        lamp=mechanism.lamp_on(at_us),
        speed_mm_s=speed,
        pack=style,
        back=back,
        seed=mixed(seed ^ at_us),
    )


def _in_view(mechanism: Mechanism, train: Train, at_us: int) -> list[CardInView]:
    geometry = mechanism.geometry
    lead = train.lead_um(at_us)
    reach = HALF_VIEW_MM + geometry.card_length_um / 2000
    if lead < geometry.entry_um:
        return []
    found = []
    for physical, behind in zip(train.cards, train.behind_um, strict=True):
        x_mm = (lead - behind - geometry.stand_um + physical.x_um) / 1000
        if abs(x_mm) < reach:
            found.append(
                CardInView(
                    card=physical.card,
                    face_to_camera=not physical.faced,
                    x_mm=x_mm,
                    y_mm=physical.y_um / 1000,
                    angle_deg=physical.angle_deg,
                    turned=physical.turned,
                )
            )
    return found
