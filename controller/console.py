"""What a person, or a program, reads while hands are dealt: sentences with a progress bar, or JSON Lines."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TextIO

from controller.club_code import code_of
from controller.narration import Narrator, question
from controller.sealing import faceless
from vision.sighting import Reason

if TYPE_CHECKING:
    from controller.acts import AskPeople, Line

_BAR: Final = 26
"""Width of the progress bar, characters: of a pack of 52, two cards each."""

_QUIET: Final = frozenset({"dealt", "presented", "dealing_began", "deal_completed"})
"""Facts that the progress bar shows well enough."""


_FACE_UP: Final = frozenset({"turned"})
"""Facts whose card lies face up for all to see."""

_REASONS: Final = frozenset(Reason)
"""What the eye may say of a doubt, and none of it names a card."""


def _without_cards(line: Line) -> Line:
    """Return the line without its cards; why the eye is not sure stays, for whoever must clean the window."""
    reason = line.get("reason")
    return faceless(line) | ({"reason": reason} if isinstance(reason, str) and reason in _REASONS else {})


@dataclass(slots=True, kw_only=True)
class Console:
    """Writes to a terminal, a file or a pipe.

    Attributes:
        out: where to.
        err: where to complain.
        as_json: JSON Lines instead of sentences; the faces that the deal's log seals are left out.
    """

    out: TextIO
    err: TextIO
    as_json: bool = False
    _bar_shown: bool = field(default=False, init=False)
    _given: int = field(default=0, init=False)
    _narrator: Narrator = field(default_factory=Narrator, init=False)

    def opened(self, line: Line) -> None:
        """Take from the line that opens a deal how many cards its hands will be given; nothing is said."""
        self._given = code_of(line).pattern_named(line.get("pattern")).given

    def tell(self, line: Line) -> None:
        """Say one line of the record."""
        if line.get("fact") == "deal_opened":
            self.opened(line)
        if self.as_json:
            self.data(faceless(line))
            return
        if line.get("fact") == "dealt":
            self.progress(line["k"], self._given)
        if line.get("fact") in _QUIET and line.get("count", 1) == 1:
            return
        said = self._narrator.sentence(line if line.get("fact") in _FACE_UP else _without_cards(line))
        if said:
            self.say(said)

    def ask(self, act: AskPeople, words: str = "") -> None:
        """Say what the machine's panel asks of the people at the table.

        Args:
            act: what it asks.
            words: how that is said here; empty for as at a deal.
        """
        if self.as_json:
            self.data({"asked": act.asked.name.lower(), "a": act.a, "b": act.b})
        else:
            self.say(f"  -> {words or question(act)}")

    def waiting(self, left_s: float) -> None:
        """Say that the machine is waited for, how long, and what to do meanwhile."""
        if self.as_json:
            self.data({"waiting_s": round(left_s)})
        else:
            self.say(
                f"  -> Check cable and power: the machine is tried for {left_s:.0f} s more. "
                "After that the deal is kept, and the same command goes on with it."
            )

    def say(self, text: str) -> None:
        """Write one sentence on a line of its own."""
        if self.as_json:
            return
        self._clear_bar()
        print(text, file=self.out, flush=True)

    def complain(self, text: str) -> None:
        """Write one sentence on standard error."""
        self._clear_bar()
        print(text, file=self.err, flush=True)

    def data(self, value: dict[str, Any]) -> None:
        """Write one JSON object on a line of its own."""
        print(json.dumps(value, sort_keys=True, separators=(",", ":")), file=self.out, flush=True)

    def progress(self, k: int, of: int) -> None:
        """Draw the bar anew, for card `k` of so many; on a terminal only."""
        if self.as_json or not self.out.isatty():
            return
        filled = min(_BAR, _BAR * k // of)
        print(f"\r  [{'#' * filled}{'.' * (_BAR - filled)}] {k} of {of} ", end="", file=self.out, flush=True)
        self._bar_shown = True

    def _clear_bar(self) -> None:
        """Go to a fresh line after the bar."""
        if self._bar_shown:
            print(file=self.out)
            self._bar_shown = False
