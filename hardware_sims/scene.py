"""What the camera has before it at one moment: the cards in the read window, the lamp and the speed.

The simulated machine makes these values and the renderer draws them; neither knows the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.cards import Card

__all__ = ["CardInView", "WindowScene"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInView:
    """One physical card of which some part may be in the picture.

    Attributes:
        card: what is printed on its face, whichever side is to the camera.
        face_to_camera: whether the face, not the back, is to the camera.
        x_mm: centre of the card from the centre of the window, along the feed.
        y_mm: centre of the card from the centre of the window, across the feed.
        angle_deg: rotation, clockwise as the camera sees it.
        turned: whether the card lies rotated by 180 degrees.
    """

    card: Card
    face_to_camera: bool
    x_mm: float
    y_mm: float
    angle_deg: float
    turned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowScene:
    """Everything a frame taken at one moment depends on.

    Attributes:
        cards: the cards in view, nearest to the camera first.
        lamp: whether the lamp is on.
        speed_mm_s: speed of the cards along the feed, 0 at rest.
        pack: name of the pack style the faces are printed in.
        back: name of the back the cards have.
        seed: noise of this very exposure.
    """

    cards: tuple[CardInView, ...]
    lamp: bool
    speed_mm_s: float
    pack: str
    back: str
    seed: int
