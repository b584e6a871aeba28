"""What the camera over the table has before it besides the machine: the room, and faces that come to light, as data.

Does not model: where a card comes from whose face comes to light; in the account of the pack it stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hardware_sims.moments import Moment, Timed
from hardware_sims.readings import CARD, Reading, one_of, whole
from vision.cards import Card

PLACES: Final = ("N", "E", "S", "W", "trump", "stock", "cut", "reject", "open", "beyond")
"""Where a face can come to light; `hardware_sims.table_places` says where that is."""

_WHERE: Final = ("on", "above", "below")
_LIGHTS: Final = ("neutral", "warm", "cold", "dim", "bright", "side", "lamp", "mixed")
_CLOTHS: Final = ("green", "blue", "wine", "black", "wood")
_AGENTS: Final = ("hand", "machine")
_SEATS: Final = ("N", "E", "S", "W")


def _word(*words: str) -> dict[str, Reading]:
    return {"read": one_of({word: word for word in words})}


def _named(value: object) -> object:
    return None if value == "next" else CARD.read(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFit:
    """What the table is like, as the camera over it sees it.

    Attributes:
        hands: hands at work over it.
        things: cups, phones, pads and pencils on it.
        light: how it is lit.
        cloth: what it is covered with.
    """

    hands: int = field(default=0, metadata={"read": whole(0, 4)})
    things: int = field(default=0, metadata={"read": whole(0, 6)})
    light: str = field(default="neutral", metadata=_word(*_LIGHTS))
    cloth: str = field(default="green", metadata=_word(*_CLOTHS))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedCard(Timed):
    """A face comes to light on the table, once, and is there for `for_ms`.

    Attributes:
        phase: as of other timed things; without it, when passage `at` is over.
        card: which one; without it, or as `next`, the next to be dealt.
        place: the tray or spot, the open table, or beyond its edge.
        seat: before whom, on the open table and beyond it; without it the seed decides.
        where: on the table, above it, or below it, as beyond its edge.
        by: whose act it is: of a hand, which is in view while the face is, or the machine's.
        for_ms: how long it is to be seen.
    """

    phase: Moment = field(default=Moment.DONE, metadata={"read": one_of({moment.value: moment for moment in Moment})})
    card: Card | None = field(default=None, metadata={"read": Reading(f"{CARD.expected}, or next", _named)})
    place: str = field(metadata=_word(*PLACES))
    seat: str = field(default="", metadata=_word(*_SEATS))
    where: str = field(default="on", metadata=_word(*_WHERE))
    by: str = field(default="hand", metadata=_word(*_AGENTS))
    for_ms: int = field(default=5_000, metadata={"read": whole(1, 600_000)})

    def __post_init__(self) -> None:
        """Refuse what cannot be, or cannot be seen."""
        if self.seat and self.place not in ("open", "beyond"):
            raise ValueError(f"place {self.place}: no seat goes with it")
        if self.place == "beyond" and self.seat in ("N", "S"):
            raise ValueError(f"seat {self.seat}: the camera sees no floor there: use E or W")
        if (self.where == "below") != (self.place == "beyond"):
            raise ValueError(
                f"where {self.where}, place {self.place}: below the table is beyond its edge, and only that"
            )


class ShownFaces:
    """The faces of the present deal that have come to light."""

    def __init__(self) -> None:
        self._plan: tuple[ExposedCard, ...] = ()
        self._shown: dict[int, tuple[Card, int]] = {}

    def begin_deal(self, plan: tuple[ExposedCard, ...]) -> None:
        """Let these be what comes to light in this deal."""
        self._plan, self._shown = plan, {}

    def show(self, exposed: ExposedCard, card: Card, now_us: int) -> None:
        """Let a face come to light; one of another deal does no more."""
        place = next((place for place, planned in enumerate(self._plan) if planned is exposed), None)
        if place is not None:
            self._shown[place] = card, now_us + exposed.for_ms * 1_000

    def seen(self, now_us: int) -> Mapping[int, Card]:
        """Return the faces that can be seen now, by their place in the deal's plan."""
        return {place: card for place, (card, until_us) in self._shown.items() if now_us < until_us}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """What lies on the table at a moment.

    Attributes:
        seed: what everything random about the picture of this deal depends on.
        fit: what the table is like.
        style: of the faces.
        back: of the backs.
        packets: number of cards in each tray and spot, by its name.
        cut: cards of the upper and the lower packet, while people hold the upper one.
        faces: the upper card of each tray where it lies face up, by the tray's name.
        plan: what comes to light in this deal.
        shown: which of that can be seen, by its place in `plan`.
    """

    seed: int
    fit: TableFit
    style: str
    back: str
    packets: Mapping[str, int]
    cut: tuple[int, int] | None
    faces: Mapping[str, Card]
    plan: tuple[ExposedCard, ...]
    shown: Mapping[int, Card]
