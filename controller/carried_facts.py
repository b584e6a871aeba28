"""The facts that the record carries and the judge of a deal passes over, and those of the table register."""

from __future__ import annotations

from typing import Any, Final, Literal

from controller.fact_forms import Fact, declare
from controller.fact_kinds import Natural, PerMillion, Positive
from controller.table import Seat
from vision.cards import Card

FIRST_TABLE: Final = "1"
"""The table that is meant where a fact of the register names none."""


@declare
class Machine(Fact):
    """Which machine and program dealt; `config` holds the hashes of its settings."""

    serial: str
    firmware: str
    host: str
    capabilities: Any
    simulated: bool
    seeded: bool
    config: Any


@declare
class Mode(Fact):
    """What the machine was set to do."""

    mode: str


@declare
class DrawCommitted(Fact):
    """The random numbers were committed to before the shuffle."""

    commitment: str
    attempt: Natural


@declare
class Seen(Fact):
    """What the eye read in the window while the `k`-th card stood there."""

    k: Positive
    state: Literal["card", "face_not_seen", "empty", "partial", "two_cards", "not_sure"]
    card: Card | None = None
    confidence_ppm: PerMillion
    reason: str = ""
    frame: str = ""

    def complaint(self) -> tuple[str, str] | None:
        """Return what is wrong where a card is named without having been read, or read without being named."""
        if (self.card is None) == (self.state != "card"):
            return None
        return "card", "it stands if and only if the state is card"


@declare
class Doubted(Fact):
    """The `k`-th card was read, or named, as the `earlier`-th was: one of the two was misread, or the pack holds both.

    Neither counts as read; which of them is wrong is not known, and it is not always the later one.
    """

    k: Positive
    earlier: Positive


@declare
class EyeMeasured(Fact):
    """How well the eye could see in a deal: medians over the cards that it read from frames.

    Levels are parts of full white, `edge` is the width of a card's edge in parts of its height, `x` and `y` say where
    its middle stands in parts of the picture, `lag` is from asking for a frame to its exposure; `late` and `repeated`
    count frames that were not counted for that.
    """

    cards: Positive
    lamp_off_ppm: PerMillion
    lamp_on_ppm: PerMillion
    edge_ppm: PerMillion
    x_ppm: PerMillion
    y_ppm: PerMillion
    lag_us: Natural
    late: Natural
    repeated: Natural


@declare
class Routed(Fact):
    """The gate was set: where the `k`-th card is sent."""

    k: Positive
    to: str


@declare
class CutReported(Fact):
    """A seat, or the camera where `by` is none, says of the cut under way that a face showed, or packets were mixed.

    The `cut` that ends it says so as well.
    """

    what: Literal["exposed", "confused"]
    by: Seat | None = None


@declare
class CutUnweighed(Fact):
    """People say that the pack is cut; no scale has weighed the packets."""

    by: Seat


@declare
class ExposureConfirmed(Fact):
    """An exposure on record was told once more, by a seat or by the camera; the fields are those of `exposed`."""

    card: Card | None = None
    by: Seat | Literal["machine"] | None = None
    where: Literal["on", "above", "below"] = "on"
    owner: Seat | None = None
    told_by: Seat | None = None


@declare
class Halted(Fact):
    """The machine stopped, for a fault of its own or for a law."""

    fault: str | None = None
    law: str | None = None

    def complaint(self) -> tuple[str, str] | None:
        """Return what is wrong where not exactly one reason is given."""
        if (self.fault is None) != (self.law is None):
            return None
        return "fault", "a halt names a fault or a law, one of them"


@declare
class Acknowledged(Fact):
    """Somebody has seen the halt."""

    by: str


@declare
class Resumed(Fact):
    """The deal goes on."""

    by: str


@declare
class Voided(Fact):
    """Somebody gave the deal up."""

    by: str


@declare
class Unsealed(Fact):
    """The cards of an open deal were made readable early."""

    by: str
    why: str


@declare
class Closed(Fact):
    """The deal is over; `key` opens its sealed cards."""

    status: str
    key: str | None


@declare
class Joined(Fact):
    """A player took a place at a table."""

    player: str
    table: str = FIRST_TABLE


@declare
class Left(Fact):
    """A player left his table, or waits no longer."""

    player: str


@declare
class Candidate(Fact):
    """A player wants a place at a table."""

    player: str
    table: str = FIRST_TABLE


@declare
class Formed(Fact):
    """The candidates for a table make it up now."""

    table: str = FIRST_TABLE


@declare
class RubberEnded(Fact):
    """A rubber is over."""

    table: str = FIRST_TABLE


@declare
class Drawn(Fact):
    """A player drew or cut a card for seats."""

    by: str
    cards: tuple[Card, ...]


@declare
class Substitute(Fact):
    """A player stands in for another, with the consent of these."""

    player: str
    for_: str
    consent: tuple[str, ...]


@declare
class BrokeUp(Fact):
    """A player broke up the table."""

    by: str
