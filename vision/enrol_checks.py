"""What is held against camera and window before a deck is learnt through them: light, focus, flatness.

Each check is one sentence, with the next step where it fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.enrol_looks import CardLook


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLimits:
    """What the middle one of all pictures must reach; measured on drawn frames of 44 decks (`tests.drawn_frames`).

    Attributes:
        dark: least level of the paper, of 255.
        white: largest part of a card that holds no more light: beyond it pale ink is lost.
        shade: least level of the paper in the darkest quarter, parts of that in the brightest.
        edge_width: widest edge, parts of the card's height; a sharp one takes 0.01.
        height: least height of a card, px: half of it are 25 px for an index.
        residual: how far edges may be from straight, parts of the card's height.
        uneven: largest difference of opposite sides, parts of the longer: a camera that looks askew.
    """

    dark: float = 70.0
    white: float = 0.6
    shade: float = 0.6
    edge_width: float = 0.026
    height: float = 150.0
    residual: float = 0.006
    uneven: float = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Attributes:
        what: its name: light, focus or flatness.
        passed: whether it is good enough.
        said: what was found, one sentence, with the next step where it is not.
    """

    what: str
    passed: bool
    said: str


def check_window(looks: Sequence[CardLook], limits: CheckLimits) -> tuple[Check, ...]:
    """Return what cards in a window tell of light, focus and flatness.

    Args:
        looks: one of each card of a pass, at least one.
        limits: what must be reached.
    """

    def middle(field: str) -> float:
        return float(np.median([getattr(look, field) for look in looks]))

    return (
        _light(middle("paper"), middle("white"), middle("shade"), limits),
        _focus(middle("edge_width"), middle("height"), limits),
        _flatness(middle("residual"), middle("uneven"), limits),
    )


def _light(paper: float, white: float, shade: float, limits: CheckLimits) -> Check:
    if paper < limits.dark:
        said = f"The light is too weak: paper has level {paper:.0f} of 255. Turn the lamp up, or expose longer."
    elif white > limits.white:
        said = f"The light is too strong: {white:.0%} of a card is pure white. Turn the lamp down, or expose shorter."
    elif shade < limits.shade:
        said = f"The light is uneven: one quarter of a card has {shade:.0%} of another's. Move the lamp to the middle."
    else:
        return Check(what="light", passed=True, said=f"The light is good: paper has level {paper:.0f} of 255.")
    return Check(what="light", passed=False, said=said)


def _focus(edge_width: float, height: float, limits: CheckLimits) -> Check:
    if height < limits.height:
        said = f"Cards are too small: {height:.0f} px high. Bring the camera nearer, or take larger pictures."
    elif edge_width > limits.edge_width:
        said = f"The pictures are not sharp: an edge is {edge_width:.1%} of a card wide. Set the focus anew."
    else:
        return Check(what="focus", passed=True, said=f"The focus is good: an edge is {edge_width:.1%} of a card wide.")
    return Check(what="focus", passed=False, said=said)


def _flatness(residual: float, uneven: float, limits: CheckLimits) -> Check:
    if residual > limits.residual:
        said = (
            f"Cards do not lie flat: edges are {residual:.2%} off straight. Press the pack flat, or clean the window."
        )
    elif uneven > limits.uneven:
        said = f"The camera looks askew: opposite sides differ by {uneven:.0%}. Set it square to the window."
    else:
        return Check(what="flatness", passed=True, said=f"Cards lie flat: edges are {residual:.2%} off straight.")
    return Check(what="flatness", passed=False, said=said)
