"""What every part of the dealer stands on: the deal's notes and state, the command under way, and its small words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from controller.acts import AskPeople, FeedCard, Step
from controller.deal_notes import DealNotes
from controller.errors import OrderError
from controller.states import DealMachine, DealState
from controller.table import Seat
from controller.window_sensors import PAIRS, CardSize
from firmware_bridge.words import Asked, Capability, Tray

TRAY_OF: Final = {Seat(name): Tray[name] for name in "NESW"}
SEAT_OF: Final = {tray: seat for seat, tray in TRAY_OF.items()}

PLACES: Final = {tray: tray.name if tray.name in "NESW" else tray.name.lower() for tray in Tray}
"""What the record calls the trays."""

TAKE_BACK: Final = AskPeople(asked=Asked.NOTHING)
"""Takes the question of the panel back, and with it the pack that is offered to be cut."""


@dataclass(slots=True, kw_only=True)
class Desk:
    """The deal as the dealer has it before him.

    Attributes:
        notes: the deal as its record has it: facts, rulings, and what follows from them.
        next_id: the id that the next feed or shelf pass gets.
        card: one card as the sensors feel it.
        able: what the machine has.
        machine: the state of the deal.
        command_id: the command under way; 0 before the first.
        k: number of the card under way.
        tray: where it is sent.
        felt: what the sensors found in the card at the window, as `window_sensors.finding` says.
        next_on_record: whether the next card's feed is on record, together with the route of the card under way.
        seed: the draw of the shuffle under way; empty before it is drawn.
        pass_number: the pass of the shuffle under way.
    """

    notes: DealNotes
    next_id: int
    card: CardSize
    able: Capability
    machine: DealMachine = field(default_factory=DealMachine)
    command_id: int = 0
    k: int = 0
    tray: Tray = Tray.REJECT
    felt: str = ""
    next_on_record: bool = False
    seed: bytes = b""
    pass_number: int = 0

    @property
    def doubled(self) -> bool:
        """Whether the sensors felt two cards."""
        return self.felt in PAIRS

    @property
    def last_card(self) -> int:
        """Number of the last card that leaves the hopper."""
        whole = Capability.STOCK_TRAY in self.able
        return self.notes.pack_size if whole else min(self.notes.pattern.leave_pack, self.notes.pack_size)

    @property
    def waiting(self) -> bool:
        """Whether the next card waits for people: something is wanted of them, or a right is open."""
        return self.wanted is not None or bool(self.notes.entitled)

    @property
    def wanted(self) -> Asked | None:
        """What people must do or say now; where no trump spot turns the trump card, they turn and name it."""
        unturned = self.notes.out == self.notes.trump and not self.notes.turned and bool(self.notes.trump)
        if unturned and Capability.TRUMP_SPOT not in self.able:
            return self.notes.wanted or Asked.NAME_CARD
        return self.notes.wanted

    def question(self) -> AskPeople | None:
        """Return what people are asked while the deal waits; None where only their rights are waited for."""
        match self.wanted:
            case Asked.MOVE_CARD:
                wanted = self.tray_of(self.notes.dealt)
                return AskPeople(asked=Asked.MOVE_CARD, a=TRAY_OF[self.notes.last_seat], b=wanted)
            case Asked.NAME_CARD:
                return AskPeople(asked=Asked.NAME_CARD, a=self.tray_of_named())
            case None:
                return None
            case asked:
                return AskPeople(asked=asked)

    def asks(self) -> tuple[AskPeople, ...]:
        """Return the question of this moment as acts."""
        question = self.question()
        return () if question is None else (question,)

    def tray_of(self, k: int) -> Tray:
        """Return the tray that card `k` belongs in."""
        if k == self.notes.trump and Capability.TRUMP_SPOT in self.able:
            return Tray.TRUMP
        if k <= self.notes.pattern.given:
            return TRAY_OF[self.notes.pattern.seat_of(k, self.notes.dealer)]
        return Tray.STOCK if Capability.STOCK_TRAY in self.able else TRAY_OF[self.notes.dealer]

    def tray_of_named(self) -> Tray:
        """Return where the card to be turned up goes: a faced one, unturned, lies face up before the dealer."""
        return TRAY_OF[self.notes.dealer] if self.notes.faced_last else self.tray_of(self.notes.trump)

    def faces_allowed(self) -> frozenset[str]:
        """Return the places, as the record calls them, at which a face may be seen: where the trump card lies."""
        if not self.notes.trump or self.k < self.notes.trump:
            return frozenset()
        return frozenset({PLACES[self.tray_of_named()]})

    def feed(self, k: int, *, intended: bool = False) -> Step:
        """Feed card `k`; `intended` says that this is on record already."""
        self.k, self.command_id, self.felt, self.next_on_record = k, self.next_id, "", False
        self.next_id += 1
        feed = FeedCard(command_id=self.command_id, k=k)
        return self.step(intents=() if intended else (feed,), acts=(feed,), commit=not intended)

    def end(self) -> Step:
        """End the deal; the log closes it."""
        self.machine.end()
        return self.close()

    def close(self) -> Step:
        """Write down that the deal is void, if it is; the commit closes it."""
        ending = self.notes.ending
        if ending is not None and ending.status == "voided":
            self.notes.note({"fact": "voided", "by": "machine"})
        return self.step(commit=True)

    def halt(self, code: str) -> Step:
        """Stop for the fault `code`: people clear the path, and the machine is homed.

        The deal is given up then, or, where no card was dealt, the pack is laid in anew.
        """
        if self.machine.state in (DealState.HALTED, DealState.HOMING, DealState.ENDED):
            return Step()
        offered = self.machine.state is DealState.AWAITING_CUT
        self.write_fault(code)
        self.machine.halt()
        self.notes.note({"fact": "halted", "fault": code})
        back = (TAKE_BACK,) if offered else ()
        return self.step(acts=(*back, AskPeople(asked=Asked.CLEAR_PATH)), commit=True)

    def write_fault(self, code: str) -> None:
        """Write down a fault of the machine or the eye, with the card under way."""
        self.notes.note({"fact": "machine_fault", "code": code} | ({"k": self.k} if self.k else {}))

    def try_note(self, fact: dict[str, Any]) -> bool:
        """Write down what people say, unless it cannot be now; return whether it could."""
        try:
            self.notes.note(fact)
        except OrderError:
            return False
        return True

    def step(self, **parts: Any) -> Step:
        """Return a step with all lines noted since the last."""
        return Step(lines=self.notes.take_lines(), **parts)
