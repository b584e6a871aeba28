"""What was looked at and found, in a sentence with its next step: how doctor and health report of a machine. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        about: the port, camera, folder, card or part.
        level: how bad it is.
        says: what is the case, in one sentence.
        step: what to do next; empty where nothing need be done.
    """

    about: str
    level: Level
    says: str
    step: str = ""

    def as_json(self) -> dict[str, str]:
        """Return it as JSON data."""
        return {"about": self.about, "level": self.level.value, "says": self.says, "step": self.step}
