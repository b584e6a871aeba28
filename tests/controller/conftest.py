"""What the tests of the controller share: a deal driven by hand, and a simulated machine for what needs one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from controller import laws, shuffle
from controller.acts import AskPeople, FeedCard, Line, LookIntoHopper, Step
from controller.deal_log import DealLog
from controller.deal_notes import DealNotes
from controller.dealer import Dealer
from controller.dealing import Dealing
from controller.entropy import seeded_entropy
from controller.eye import Eye
from controller.seats import parse_word
from controller.states import DealState
from controller.table import Seat
from controller.window_sensors import CardSize
from firmware_bridge.bridge import Bridge
from firmware_bridge.events import Answered, AtWindow, Delivered, Faulted, KeyTurned, Sorted
from firmware_bridge.words import Asked, Capability, FaultCode, Phase, Tray
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import World, forget_worlds, world_named
from vision.cards import Card, Pack
from vision.sighting import Reason, Sighting, State

CARD_UM = 300
LENGTH_UM = 63_500
TRAVEL_UM = 48_250
SIZE = CardSize(thickness_um=CARD_UM, length_um=LENGTH_UM, travel_um=TRAVEL_UM, entry_um=10_000, stand_um=90_000)
BY_HAND = Capability.TRUMP_SPOT | Capability.PANEL | Capability.CUT_TRAY | Capability.STOCK_TRAY
"""A machine that weighs the cut and turns the trump, and has neither shelves nor seat buttons."""
SEED = bytes(range(32))
CARDS = Pack.of(52).cards
"""The order that a deal by hand is fed in."""


@dataclass(kw_only=True)
class ByHand:
    """One deal whose events are made by hand; `CARDS` is the order of its pack unless a test shows something else.

    Attributes:
        dealer: what is driven.
        lines: the record so far.
        step: the last answer.
    """

    dealer: Dealer
    lines: list[Line] = field(default_factory=list)
    step: Step = field(default_factory=Step)
    at_us: int = 0
    cards: tuple[Card, ...] = CARDS
    draw: Callable[[int], bytes] = lambda attempt: SEED

    @property
    def state(self) -> DealState:
        return self.dealer.machine.state

    @property
    def rulings(self) -> list[tuple[str, str]]:
        """Kind and law of each ruling on record."""
        return [(line["ruling"], line["law"]) for line in self.lines if "ruling" in line]

    def facts(self, *names: str) -> list[Line]:
        """The facts of these names on record."""
        return [line for line in self.lines if line.get("fact") in names]

    def faults(self) -> list[tuple[str, int | None]]:
        """Code and card of each fault on record."""
        return [(line["code"], line.get("k")) for line in self.facts("machine_fault")]

    def hear(self, step: Step) -> Step:
        """Take an answer of the dealer down."""
        self.lines += step.lines
        self.step = step
        return step

    def open(self, *carried: Line, code: str = "whist", pack: int = 0, pattern: str = "", **house: object) -> Step:
        opening: Line = {"fact": "deal_opened", "code": code, "dealer": self.dealer.notes.dealer.value}
        opening |= ({"pack": pack} if pack else {}) | ({"pattern": pattern} if pattern else {})
        self.cards = Pack.of(pack or laws.code(code).packs[0]).cards
        return self.hear(self.dealer.open(opening | ({"house": house} if house else {}), *carried))

    def answer(self, asked: Asked, a: int = 0, b: int = 0, c: int = 0) -> Step:
        self.hear(self.dealer.answered(Answered(1, 0, 0, self._now(), asked, a, b, c)))
        return self.look_into_hopper()

    def load(self) -> Step:
        return self.answer(Asked.LOAD_PACK)

    def cut(self, top: int = 26, bottom: int = 26, tolerance: int = 0) -> Step:
        return self.answer(Asked.CUT, top, bottom, tolerance)

    def begin(self, **opening: Any) -> ByHand:
        """Open the deal, lay the pack in and cut it: the first card is fed."""
        self.begin_up_to_the_cut(**opening)
        half = len(self.cards) // 2
        self.cut(half, len(self.cards) - half)
        return self

    def begin_up_to_the_cut(self, **opening: Any) -> ByHand:
        """Open the deal and lay the pack in, so that it is offered to be cut."""
        self.open(**opening)
        self.load()
        self.shelve()
        return self

    def shelve(self) -> None:
        """Let the machine shuffle, where it does."""
        if self.state is DealState.SHUFFLING:
            self.drawn()
            self.sort()
            self.sort()

    def drawn(self) -> Step:
        """Let the random numbers of the shuffle be there."""
        return self.hear(self.dealer.drawn(self.draw(self.dealer.notes.draws + 1)))

    def sort(self, *, cards: int | None = None, counts: tuple[int, ...] | None = None) -> Step:
        """End a pass over the shelves, with the counts that were drawn or others."""
        fell = counts or shuffle.counts(self.dealer.shelf_pass().shelves)
        carried = len(self.cards) if cards is None else cards
        return self.hear(self.dealer.sorted(Sorted(1, 0, self.dealer.command_id, self._now(), carried, bytes(fell))))

    def say(self, text: str) -> Step | None:
        """Let a seat do or say something."""
        step = self.dealer.said(parse_word(text, line=1))
        return step if step is None else self.hear(step)

    def turn_key(self) -> Step:
        return self.hear(self.dealer.key_turned(KeyTurned(1, 0, 0, self._now())))

    def show(
        self,
        *,
        thickness_um: int = CARD_UM,
        length_um: int = LENGTH_UM,
        travel_um: int = TRAVEL_UM,
        command_id: int | None = None,
    ) -> Step:
        """Bring a card to the window."""
        number = self.dealer.command_id if command_id is None else command_id
        event = AtWindow(1, 0, number, self._now(), thickness_um, length_um, travel_um)
        return self.hear(self.dealer.shown(event))

    def see(self, seen: Card | State | None = None, *, reason: Reason = Reason.NONE, frame: str = "") -> Step:
        """Look at the card in the window: a card (None: the one that is due), or a doubt."""
        seen = self.cards[self.dealer.k - 1] if seen is None else seen
        if isinstance(seen, Card):
            sighting = Sighting(state=State.CARD, card=seen, confidence=0.99, frame=frame)
        else:
            sighting = Sighting(state=seen, reason=reason, frame=frame)
        return self.hear(self.dealer.sighted(sighting))

    def deliver(self, tray: Tray | None = None, *, command_id: int | None = None) -> Step:
        """Let the card arrive, where it was sent or in another tray."""
        number = self.dealer.command_id if command_id is None else command_id
        to = self.dealer.tray if tray is None else tray
        self.hear(self.dealer.delivered(Delivered(1, 0, number, self._now(), to, 1)))
        return self.look_into_hopper()

    def deliver_last(self, *, card_left: bool) -> Step:
        """Let the last card arrive, with another behind it in the hopper or not."""
        delivered = Delivered(1, 0, self.dealer.command_id, self._now(), self.dealer.tray, 1)
        self.hear(self.dealer.delivered(delivered))
        return self.look_into_hopper(card_left=card_left)

    def look_into_hopper(self, *, card_left: bool = False) -> Step:
        """Find the hopper empty behind the last card, where that is asked."""
        if LookIntoHopper() not in self.step.acts:
            return self.step
        before = self.step.lines
        step = self.hear(self.dealer.hopper_seen(card_left=card_left))
        self.step = replace(step, lines=[*before, *step.lines])
        return self.step

    def card(self, seen: Card | State | None = None, *, tray: Tray | None = None) -> Step:
        """Take one card from the window to its tray."""
        self.show()
        self.see(seen)
        return self.deliver(tray)

    def deal_to(self, k: int) -> ByHand:
        """Deal all cards up to card `k`, which lies in its tray afterwards."""
        while self.dealer.notes.out < k:
            self.card()
        return self

    def double(self) -> Step:
        """Let two cards come together and fall."""
        self.show(thickness_um=2 * CARD_UM)
        self.see(State.TWO_CARDS)
        return self.deliver()

    def fault(self, code: FaultCode, *, command_id: int | None = None) -> Step:
        number = self.dealer.command_id if command_id is None else command_id
        return self.hear(self.dealer.faulted(Faulted(1, 0, number, self._now(), code, 0, Phase.UNKNOWN, 1)))

    def home(self) -> Step:
        return self.hear(self.dealer.homed(self.dealer.command_id))

    def fed(self) -> FeedCard:
        """The feed that the last answer wants."""
        (feed,) = (act for act in self.step.acts if isinstance(act, FeedCard))
        return feed

    def _now(self) -> int:
        self.at_us += 100_000
        return self.at_us


HandMaker = Callable[..., ByHand]


@pytest.fixture
def by_hand() -> HandMaker:
    """Return a function that makes a deal to be driven by hand; its first feed has the id 101."""

    def make(dealer: Seat = Seat.S, *, able: Capability = BY_HAND) -> ByHand:
        return ByHand(dealer=Dealer(notes=DealNotes(dealer=dealer), next_id=101, card=SIZE, able=able))

    return make


@dataclass(kw_only=True)
class AtMachine:
    """A simulated machine, its world, and a log in memory.

    Attributes:
        told: the lines that a person was told.
        asked: the questions that a person was told.
    """

    url: str
    world: World
    log: DealLog
    told: list[Line] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    people_us: int = 20_000_000

    def dealing(self, eye: Eye | None = None, bridge: Bridge | None = None, **parts: Any) -> Dealing:
        """Return a run of deals on the machine, opened now."""
        made: dict[str, Any] = {
            "log": self.log,
            "bridge": bridge or self.open(),
            "open_bridge": self.open,
            "eye": eye or TruthEye(self.world),
            "tell": self.told.append,
            "asking": self._hear_question,
            "carried": lambda bridge: (),
            "wait": lambda seconds: None,
            "people_us": self.people_us,
        }
        return Dealing(**made | parts)

    def open(self) -> Bridge:
        return Bridge.open(self.url)

    def facts(self, deal: int, *names: str) -> list[Line]:
        """The facts of these names in a closed deal."""
        return [line for line in self.log.lines(deal) if line.get("fact") in names]

    def faults(self, deal: int = 1) -> list[str]:
        """The codes of the faults in a deal."""
        return [line["code"] for line in self.facts(deal, "machine_fault")]

    def passages(self) -> int:
        """How many passages of cards there really were in the present deal."""
        return sum(bool(passage) for passage in self.world.truth().deals[-1].passages)

    def _hear_question(self, act: AskPeople) -> None:
        self.asked.append(act.asked)


MachineMaker = Callable[..., AtMachine]
_names = itertools.count()


@pytest.fixture
def at_machine(tmp_path: Path) -> Iterator[MachineMaker]:
    """Return a function that makes a machine for a scenario's text; it does not shuffle, and its seats have no buttons.

    `tests/joint/test_whole_table.py` deals on the whole machine.
    """
    logs = []

    def make(toml: str = "", *, seed: int = 7, log: DealLog | None = None) -> AtMachine:
        name = f"controller{next(_names)}"
        query = f"seed={seed}&lacks=shelves,seat_buttons"
        if toml:
            file = tmp_path / f"{name}.toml"
            file.write_text(toml, encoding="utf-8")
            query += f"&scenario={file}"
        url = f"sim://{name}?{query}"
        log = log or DealLog.open(None, key_file=None, entropy=seeded_entropy(seed))
        logs.append(log)
        Bridge.open(url).close()
        return AtMachine(url=url, world=world_named(name), log=log)

    yield make
    for log in logs:
        log.close()
    forget_worlds()
