"""What a scenario says, as values: the machine, the people at its table, and the packs that are laid in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.words import Asked, Capability, Who
from hardware_sims.deeds import DealAct
from hardware_sims.exposures import ExposedCard, TableFit
from hardware_sims.faults import Fault
from hardware_sims.pack_faults import (
    PACK_SIZE,
    DuplicateCard,
    ExtraCard,
    ForeignCard,
    MissingCard,
    MixedPacks,
    WrongPack,
)
from hardware_sims.readings import CARD, list_of, one_of, text, whole
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack

CAPABILITIES: Final = {capability.name.lower(): capability for capability in Capability if capability.name}
"""What a machine can lack, by the word a scenario or a URL uses."""


def parts_named(words: str) -> Capability:
    """Return the parts of a machine that a list of words names, as in `shelves,touch`.

    Raises:
        ValueError: a word names none.
    """
    parts = Capability.NONE
    for word in words.split(","):
        if word not in CAPABILITIES:
            raise ValueError(f"expected some of {', '.join(CAPABILITIES)}, found {word!r}")
        parts |= CAPABILITIES[word]
    return parts


_ANSWERABLE: Final = {asked.name.lower(): asked for asked in Asked if asked is not Asked.NOTHING}
_DELAY: Final = {"read": whole(0, 3_600_000)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleAtTheTable:
    """How long the people take for what the panel asks, ms, what the director decides, and what they never do."""

    load_ms: int = field(default=2_000, metadata=_DELAY)
    cut_ms: int = field(default=1_000, metadata=_DELAY)
    move_ms: int = field(default=3_000, metadata=_DELAY)
    clear_ms: int = field(default=3_000, metadata=_DELAY)
    name_ms: int = field(default=2_000, metadata=_DELAY)
    count_ms: int = field(default=10_000, metadata=_DELAY)
    shuffle_ms: int = field(default=30_000, metadata=_DELAY)
    decide_ms: int = field(default=5_000, metadata=_DELAY)
    decide: Who = field(default=Who.NOBODY_KNOWN, metadata={"read": one_of({who.name.lower(): who for who in Who})})
    replace_ms: int = field(default=3_000, metadata=_DELAY)
    silent: tuple[Asked, ...] = field(default=(), metadata={"read": list_of(one_of(_ANSWERABLE))})

    def delay_us(self, asked: Asked) -> int | None:
        """Return how long they take to answer; None if they do not."""
        if asked in self.silent:
            return None
        delays = {
            Asked.LOAD_PACK: self.load_ms,
            Asked.CUT: self.cut_ms,
            Asked.MOVE_CARD: self.move_ms,
            Asked.CLEAR_PATH: self.clear_ms,
            Asked.NAME_CARD: self.name_ms,
            Asked.COUNT_PACK: self.count_ms,
            Asked.RESHUFFLE: self.shuffle_ms,
            Asked.DECIDE: self.decide_ms,
            Asked.REPLACE_TRAY: self.replace_ms,
        }
        return delays[asked] * 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineFit:
    """What the machine is like.

    Attributes:
        lacks: what it has not, of what the reference machine has.
        calibrated: 0 for a machine whose calibration does not match its checksum.
        board: 1 where a board lies in the pockets from the beginning.
    """

    lacks: tuple[Capability, ...] = field(default=(), metadata={"read": list_of(one_of(CAPABILITIES))})
    calibrated: int = field(default=1, metadata={"read": whole(0, 1)})
    board: int = field(default=0, metadata={"read": whole(0, 1)})

    @property
    def lacking(self) -> Capability:
        """What it has not, as one set."""
        return Capability(sum(self.lacks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What must come of a deal; empty texts are left open.

    Attributes:
        status: how the deal ends: completed, new_deal, misdeal or voided.
        ruling: a ruling the judge must give, as `correct_first`; empty means that nothing is demanded.
        law: the law it must cite, as `whist 37-VI`.
        fault: a fault of the machine that must be on record, as `jam_entry`.
    """

    status: str = field(
        default="",
        metadata={"read": one_of({w: w for w in ("completed", "new_deal", "misdeal", "voided")})},
    )
    ruling: str = field(default="", metadata={"read": text()})
    law: str = field(default="", metadata={"read": text()})
    fault: str = field(default="", metadata={"read": text()})


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPlan:
    """One pack that is laid in, and what happens to it.

    Attributes:
        order: the cards in fed order before the cut; empty for an order drawn from the seed.
        pack: how many cards the pack has, where `order` does not say; None for as many as the panel asks for.
        cut: how many cards the pone lifts off as the upper packet.
        fresh_cuts: the same for the second cut of the deal and those after it; without them each is like the first.
        faults: what goes wrong.
        acts: what people do unasked.
        exposed: faces that come to light on the table.
        expect: what must come of it.
    """

    order: tuple[Card, ...] = field(default=(), metadata={"read": list_of(CARD)})
    pack: int | None = field(default=None, metadata={"read": PACK_SIZE})
    cut: int | None = field(default=None, metadata={"read": whole(0, 60)})
    fresh_cuts: tuple[int, ...] = field(default=(), metadata={"read": list_of(whole(0, 60))})
    faults: tuple[Fault, ...] = ()
    acts: tuple[DealAct, ...] = ()
    exposed: tuple[ExposedCard, ...] = ()
    expect: Expectation = Expectation()

    def cards(self, stream: Stream, *, asked: int = 52) -> tuple[Card, ...]:
        """Return the cards of this pack in fed order before the cut, its imperfections included.

        Args:
            stream: where an order is drawn from.
            asked: how many cards the panel asks for.
        """
        order = list(self.order) if self.order else stream.shuffled(Pack.of(self.pack or asked).cards)
        for fault in self.faults:
            match fault:
                case MissingCard(card=card) if card in order:
                    order.remove(card)
                case DuplicateCard(card=card, instead_of=other) | ForeignCard(card=card, instead_of=other) if (
                    other in order
                ):
                    order[order.index(other)] = card
                case ExtraCard(card=card):
                    order.insert(stream.below(len(order) + 1), card)
                case WrongPack(size=size):
                    order = stream.shuffled(Pack.of(size).cards)
                case MixedPacks(cards=cards):
                    order = _mixed(order, cards, stream)
                case _:
                    pass
        return tuple(order)

    def upper_packet(self, cut: int, cards: int) -> int:
        """Return how many of the pack's `cards` the pone lifts off at a cut of this deal, counted from 1."""
        first = cards // 2 if self.cut is None else self.cut
        return min(cards, ([first, *self.fresh_cuts])[min(cut, 1 + len(self.fresh_cuts)) - 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A whole scenario.

    Attributes:
        title: one line for people.
        seed: what everything random depends on; None where the file leaves it to the caller.
        style: the pack style of the faces; empty for the first one there is.
        back: the cards' back; empty for the first one there is.
        machine: the machine.
        people: the people at the table.
        table: the table itself.
        deals: the packs, in the order in which they are laid in.
    """

    title: str = field(default="", metadata={"read": text()})
    seed: int | None = field(default=None, metadata={"read": whole(0, 2**63 - 1)})
    style: str = field(default="", metadata={"read": text()})
    back: str = field(default="", metadata={"read": text()})
    machine: MachineFit = MachineFit()
    people: PeopleAtTheTable = PeopleAtTheTable()
    table: TableFit = field(default_factory=TableFit)
    deals: tuple[DealPlan, ...] = ()

    def deal(self, number: int) -> DealPlan:
        """Return the plan of a deal, counted from 1."""
        return self.deals[number - 1] if number <= len(self.deals) else DealPlan()


def _mixed(order: list[Card], cards: int, stream: Stream) -> list[Card]:
    """Return a pack in which `cards` cards are another pack's: each has its like among those that stayed."""
    stay = stream.shuffled(order)
    gone, twice = set(stay[:cards]), iter(stay[cards : 2 * cards])
    return [next(twice) if card in gone else card for card in order]
