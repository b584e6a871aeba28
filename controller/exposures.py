"""The faces that came to light in a deal, told by people at the seats and seen by the camera: one face once. Pure.

Neither of the two knows of the other. A person says that a face showed and perhaps whose act it was; the camera says
where, and perhaps which card. What the second of them tells of a face that is on record is noted as its confirmation,
and no second exposure for the judge to rule on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from controller.acts import Line

CARDS_APART: Final = 1
"""Cards that may arrive between the two tellings of one face: the deal is held within one card of the first."""


@dataclass(slots=True)
class Exposures:
    """The exposures on record that only one of the two has told, each with the cards that had arrived by then."""

    _told: list[tuple[Line, int]] = field(default_factory=list)

    def note(self, line: Line, out: int) -> None:
        """Take a line of the record into account.

        Args:
            line: any line; those that tell of no face change nothing.
            out: number of the last card that had arrived.
        """
        if line.get("fact") == "exposed":
            self._told = [(first, at) for first, at in self._told if out - at <= CARDS_APART]
            self._told.append((line, out))
        elif line.get("fact") == "exposure_confirmed" and (first := self._other_of(line, out)) is not None:
            self._told.remove(first)

    def holds(self, line: Line, out: int) -> bool:
        """Return whether what the line tells may be a face that the other of the two has put on record; see `note`."""
        return self._other_of(line, out) is not None

    def _other_of(self, line: Line, out: int) -> tuple[Line, int] | None:
        """Return the oldest exposure that the other has told, as high over the table, and is not confirmed yet."""
        for first, at in self._told:
            other = ("told_by" in first) != ("told_by" in line)
            if other and out - at <= CARDS_APART and first.get("where", "on") == line.get("where", "on"):
                return first, at
        return None
