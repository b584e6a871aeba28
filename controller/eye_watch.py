"""What the eye measures of lamp, focus, window and camera while it reads the cards of a deal. Pure.

One line a deal goes on record, when the deal is over: medians over all its cards, which tell none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final

from vision.scene import mean_level
from vision.sighting import Reason

if TYPE_CHECKING:
    from controller.acts import Line
    from vision.evidence import Look
    from vision.frame import Frame

_MILLION: Final = 1_000_000
_WHITE: Final = 255.0


@dataclass(slots=True)
class _Measured:
    """One deal's numbers so far: one a card, a dark frame, or a frame that did not count."""

    dark: list[float] = field(default_factory=list)
    light: list[float] = field(default_factory=list)
    edge: list[float] = field(default_factory=list)
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    lag_us: list[int] = field(default_factory=list)
    refused: list[Reason] = field(default_factory=list)


@dataclass(slots=True)
class EyeWatch:
    """Takes what the eye sees, deal by deal."""

    _now: _Measured = field(default_factory=_Measured)

    def saw_dark(self, frame: Frame) -> None:
        """Take the dark frame between two cards."""
        self._now.dark.append(mean_level(frame.image) / _WHITE)

    def refused(self, why: Reason) -> None:
        """Take that a frame did not count."""
        self._now.refused.append(why)

    def read(self, look: Look, *, lag_us: int) -> None:
        """Take the first frame of a card that was read, and how long after it was asked for it was taken."""
        found = look.examination
        if found is None or not found.outlines:
            return
        height, width = found.image.shape[:2]
        corners = found.outlines[-1].edges.corners
        self._now.light.append(mean_level(look.frame.image) / _WHITE)
        self._now.edge.append(found.outlines[-1].edges.width)
        self._now.x.append(float(corners[:, 0].mean()) / width)
        self._now.y.append(float(corners[:, 1].mean()) / height)
        self._now.lag_us.append(lag_us)

    def take(self) -> Line | None:
        """Return the line for the record, and begin anew; None where no card was read from a frame."""
        seen, self._now = self._now, _Measured()
        if not seen.light:
            return None
        return {
            "fact": "eye_measured",
            "cards": len(seen.light),
            "lamp_off_ppm": _ppm(seen.dark),
            "lamp_on_ppm": _ppm(seen.light),
            "edge_ppm": _ppm(seen.edge),
            "x_ppm": _ppm(seen.x),
            "y_ppm": _ppm(seen.y),
            "lag_us": round(median(seen.lag_us)),
            "late": seen.refused.count(Reason.LATE),
            "repeated": seen.refused.count(Reason.REPEATED),
        }


def _ppm(parts: list[float]) -> int:
    return min(max(round(median(parts) * _MILLION), 0), _MILLION) if parts else 0
