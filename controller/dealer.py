"""The dealer: decides from what happened what is written down and what is done next. Pure.

Motion is stop-and-wait. A card is looked at and judged while it stands in the window; only then it is released, and
the next is fed only when it has arrived and no ruling is open. Halting within one card keeps every double feed
correctable under all four codes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from controller.acts import AskPeople, ClearFault, FeedCard, LookAtCard, RouteCard, Step
from controller.deal_notes import MISFEEDS_MAX, DealNotes
from controller.incidents import INCIDENTS, OF_FIRMWARE, Recovery
from controller.states import DealMachine, DealState
from controller.table import Seat, seat_of
from firmware_bridge.events import Answered, AtWindow, Delivered, Faulted
from firmware_bridge.words import NO_CARD, Asked, FaultCode, Tray
from vision.cards import Card
from vision.sighting import Sighting, State

UNREAD_MAX: Final = 2
"""Cards of one deal that may stay unread: they are dealt as *not known*. One more and the eye is not to be trusted."""

TWO_CARDS_THICKNESS: Final = 1.5
"""Thickness from which two cards stand in the window, in cards; between one card and two."""

TWO_CARDS_LENGTH: Final = 1.03
"""Length from which two cards overlap, in cards; 2 mm of a card of 63.5 mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSize:
    """One card as the machine's sensors feel it, µm."""

    thickness_um: int
    length_um: int


@dataclass(slots=True, kw_only=True)
class Dealer:
    """One deal of 52 cards singly, the last turned up for trumps.

    Every method that takes something that happened returns a `Step`: the lines for the record, the card movements
    intended next, and the acts to do once both are durable.

    Attributes:
        notes: the deal as its record has it: facts, rulings, and what follows from them.
        next_id: the id that the next feed gets.
        card: one card as the sensors feel it.
        machine: the state of the deal.
        command_id: the command of the card under way; 0 before the first.
        k: that card's number.
        tray: where it is sent.
        doubled: whether the sensors felt two cards.
    """

    notes: DealNotes
    next_id: int
    card: CardSize
    machine: DealMachine = field(default_factory=DealMachine)
    command_id: int = 0
    k: int = 0
    tray: Tray = Tray.REJECT
    doubled: bool = False

    # --- before the first card ---

    def open(self, opening: dict[str, Any], *carried: dict[str, Any]) -> Step:
        """Open the deal with its `deal_opened` fact and the facts that the record carries."""
        self.notes.note(opening)
        for fact in carried:
            self.notes.note(fact)
        return self._step(acts=(AskPeople(asked=Asked.LOAD_PACK),), commit=True)

    def answered(self, event: Answered) -> Step:
        """The people at the table did what the panel asked; an answer that nobody waits for changes nothing."""
        match self.machine.state, event.asked:
            case DealState.AWAITING_PACK, Asked.LOAD_PACK:
                self.machine.pack_loaded()
                self.notes.note({"fact": "presented", "t_us": event.at_us})
                return self._step(acts=(AskPeople(asked=Asked.CUT),), commit=True)
            case DealState.AWAITING_CUT, Asked.CUT:
                return self._cut(event)
            case DealState.HOLDING, Asked.MOVE_CARD if self.notes.wanted is Asked.MOVE_CARD:
                if event.c:
                    self.notes.note({"fact": "corrected", "cards_moved": event.c, "t_us": event.at_us})
                return self._after_correction()
            case DealState.HOLDING, Asked.NAME_CARD if self.notes.wanted is Asked.NAME_CARD:
                return self._named(event)
            case DealState.HOLDING, Asked.COUNT_PACK if self.notes.wanted is Asked.COUNT_PACK:
                return self._counted(event)
            case DealState.HALTED, Asked.CLEAR_PATH:
                self.machine.acknowledge()
                self.notes.note({"fact": "acknowledged", "by": "director", "t_us": event.at_us})
                return self._step(acts=(ClearFault(),), commit=True)
        return Step()

    def _cut(self, event: Answered) -> Step:
        """Judge the cut; deal if it is good."""
        cut = {"fact": "cut", "by": self.notes.pone.value, "top": event.a, "bottom": event.b, "tolerance": event.c}
        doubt = min(event.a, event.b) - event.c < self.notes.least_cut <= min(event.a, event.b)
        self.notes.note(cut | ({"doubt": True} if doubt else {}) | {"t_us": event.at_us})
        if self.notes.fresh_cut:
            self.machine.cut_again()
            return self._step(acts=(AskPeople(asked=Asked.CUT),), commit=True)
        self.machine.begin()
        self.notes.note({"fact": "dealing_began", "by": self.notes.dealer.value})
        return self._feed(1)

    # --- one card ---

    def shown(self, event: AtWindow) -> Step:
        """A card stands in the window."""
        if self.machine.state is not DealState.FEEDING or event.command_id != self.command_id:
            return Step()
        self.machine.shown()
        self.doubled = (
            event.thickness_um > TWO_CARDS_THICKNESS * self.card.thickness_um
            or event.length_um > TWO_CARDS_LENGTH * self.card.length_um
        )
        return self._step(acts=(LookAtCard(k=self.k),))

    def sighted(self, sighting: Sighting) -> Step:
        """Weigh what the eye and the sensors say of the card in the window, and release it to its tray."""
        self.notes.note_sighting(self.k, sighting)
        self.tray = self._tray_of(self.k)
        if self.doubled:
            self._weigh_double_feed()
        else:
            self._weigh(sighting)
        if self.notes.ending is not None:
            self.tray = Tray.REJECT
        self.machine.release()
        route = RouteCard(command_id=self.command_id, k=self.k, tray=self.tray)
        feed = (FeedCard(command_id=self.next_id, k=self.k + 1),) if self.feed_intended else ()
        return self._step(intents=(route, *feed), acts=(route,), commit=True)

    def _weigh_double_feed(self) -> None:
        """Two cards stand in the window; they may both fall if the law lets one card be moved afterwards."""
        if self.k + 1 >= self.notes.pack_size or not self.notes.hand_cure:
            self._give_up("double_feed_at_end")
            return
        self.notes.note({"fact": "machine_fault", "code": "double_feed", "k": self.k})

    def _weigh(self, sighting: Sighting) -> None:
        """One card stands in the window, as far as the sensors tell; the stronger doubt wins."""
        match sighting.state:
            case State.CARD if sighting.card is not None:
                self._weigh_card(sighting.card)
            case State.FACE_NOT_SEEN:
                self.notes.note({"fact": "faced", "k": self.k})
                if self.k == self.notes.pack_size:
                    self.tray = _TRAY_OF[self.notes.dealer]  # unturned it falls face up, as the last card should
            case State.TWO_CARDS:
                self._give_up("two_cards_seen")
            case State.EMPTY:
                self._give_up("window_empty")
            case _ if self.notes.doubts > UNREAD_MAX:
                self._give_up("eye_unsure")

    def _weigh_card(self, card: Card) -> None:
        """A card was read; a second of its kind, or one that the pack does not have, proves the pack imperfect."""
        if card not in self.notes.pack:
            self.notes.note({"fact": "pack_proved", "state": "imperfect", "foreign": [str(card)]})
        elif self.notes.times_seen(card) > 1:
            self.notes.note({"fact": "pack_proved", "state": "imperfect", "duplicate": [str(card)]})

    def delivered(self, event: Delivered) -> Step:
        """The card arrived in a tray."""
        if self.machine.state is not DealState.ROUTING or event.command_id != self.command_id:
            return Step()
        self.notes.note({"fact": "routed", "k": self.k, "to": _PLACES[event.tray], "t_us": event.at_us})
        if self.notes.ending is not None:
            return self._end()
        seat = self.notes.dealer if event.tray is Tray.TRUMP else _SEAT_OF.get(event.tray)
        last = self.k == self.notes.pack_size
        if seat is None or (event.tray is not self.tray and (last or event.tray is Tray.TRUMP)):
            self._give_up("wrong_tray")
            return self._end()
        return self._dealt(seat, event)

    def _dealt(self, seat: Seat, event: Delivered) -> Step:
        """Write down that the card fell to `seat`; go on, wait for a correction, or end."""
        fact: dict[str, Any] = {"fact": "dealt", "to": seat.value, "k": self.k, "t_us": event.at_us}
        if self.doubled:
            self.k += 1
            fact |= {"k": self.k, "count": 2}
        if self.k == self.notes.pack_size and event.tray is not Tray.TRUMP:
            fact |= {"face": "up"}
        if event.tray is not self.tray:
            self.notes.note({"fact": "machine_fault", "code": "wrong_seat", "k": self.k})
        self.notes.note(fact)
        if self.notes.ending is not None:
            return self._end()
        if self.notes.wanted is not None:
            return self._hold()
        card = self.notes.card_of(self.k)
        if self.k == self.notes.pack_size and card is not None:
            return self._turned(card)
        self.machine.next_card()
        return self._feed(self.k + 1, intended=True)

    def _turned(self, card: Card) -> Step:
        """Write down that the last card lies face up to the dealer, and that the deal is complete."""
        self.notes.note({"fact": "turned", "to": self.notes.dealer.value, "card": str(card)})
        self.notes.note({"fact": "deal_completed"})
        return self._end()

    def _named(self, event: Answered) -> Step:
        """The last card lies face up and the camera did not read it: people have named it."""
        card = None if event.a == NO_CARD or event.a >= self.notes.pack_size else self.notes.pack.cards[event.a]
        self.notes.note_directors_card(card)
        if card is not None and not self.notes.times_seen(card):
            return self._turned(card)
        proof = {} if card is None else {"duplicate": [str(card)]}
        self.notes.note({"fact": "pack_proved", "state": "imperfect"} | proof)
        return self._end()

    def _counted(self, event: Answered) -> Step:
        """The hopper was empty too soon: people have counted the pack, and so proved it short, or not."""
        self.notes.note({"fact": "director", "decides": "cards", "value": event.a, "t_us": event.at_us})
        if event.a < self.notes.pack_size:
            missing = self.notes.missing()
            known = self.notes.all_read and len(missing) == self.notes.pack_size - event.a
            proof = {"missing": missing} if known else {}
            self.notes.note({"fact": "pack_proved", "state": "imperfect"} | proof)
        return self._end()

    def _hold(self) -> Step:
        """Wait for people, and ask them."""
        self.machine.hold()
        return self._step(acts=(self.question(),), commit=True)

    def _after_correction(self) -> Step:
        """Go on if the error is right now, else give the deal up."""
        if self.notes.ending is None and not self.notes.holding:
            self.machine.put_right()
            return self._feed(self.k + 1)
        if self.notes.ending is None:
            self._give_up("not_put_right")
        return self._end()

    # --- faults ---

    def faulted(self, event: Faulted) -> Step:
        """The machine found something wrong."""
        code = OF_FIRMWARE[event.code]
        if INCIDENTS[code].recovery is Recovery.RESUME:
            self._write_fault(code)
            return self._step()
        if event.code in _NOTHING_LEFT and event.command_id != self.command_id:
            return Step()
        if self.machine.state is DealState.HOMING:
            self.machine.not_homed()
            self._write_fault(code)
            return self._close()
        if event.code is FaultCode.MISFEED and self.machine.state is DealState.FEEDING:
            return self._misfed()
        if event.code is FaultCode.HOPPER_EMPTY and self.machine.state is DealState.FEEDING:
            self._write_fault(code)
            return self._hold()
        return self.halt(code)

    def interrupted(self, code: str) -> Step:
        """The conversation with the machine broke off; the deal stays as it is until the machine can be asked again."""
        self._write_fault(code)
        return self._step(commit=True)

    def resumed(self) -> Step:
        """The machine answers again and the deal goes on."""
        self.notes.note({"fact": "resumed", "by": "machine"})
        return self._step(commit=True)

    def halt(self, code: str) -> Step:
        """Stop for the fault `code`; people clear the path, and the deal is given up when the machine is home again."""
        if self.machine.state in (DealState.HALTED, DealState.HOMING, DealState.ENDED):
            return Step()
        self._give_up(code)
        self.machine.halt()
        self.notes.note({"fact": "halted", "fault": code})
        return self._step(acts=(AskPeople(asked=Asked.CLEAR_PATH),), commit=True)

    def homed(self) -> Step:
        """The machine knows its positions again after a halt."""
        if self.machine.state is not DealState.HOMING:
            return Step()
        self.machine.homed()
        return self._close()

    def _misfed(self) -> Step:
        """Try the same card again under a new command; nothing left the hopper."""
        self.notes.note({"fact": "machine_fault", "code": "misfeed", "k": self.k})
        if self.notes.misfeeds(self.k) >= MISFEEDS_MAX:
            return self._end()
        self.machine.feed_again()
        return self._feed(self.k)

    def _give_up(self, code: str) -> None:
        """Write down a fault that voids the deal: no code knows a machine, so the same player deals again."""
        self._write_fault(code)

    def _write_fault(self, code: str) -> None:
        """Write down a fault of the machine or the eye, with the card under way."""
        self.notes.note({"fact": "machine_fault", "code": code} | ({"k": self.k} if self.k else {}))

    # --- small parts ---

    @property
    def feed_intended(self) -> bool:
        """Whether the next card follows this one at once, so that its feed is on record together with this route."""
        return self.notes.ending is None and not self.doubled and self.k < self.notes.pack_size

    def question(self) -> AskPeople:
        """Return what people are asked while the deal holds.

        Raises:
            ValueError: nothing is wanted of them.
        """
        match self.notes.wanted:
            case Asked.MOVE_CARD:
                return AskPeople(asked=Asked.MOVE_CARD, a=_TRAY_OF[self.notes.last_seat], b=self._tray_of(self.k))
            case Asked.NAME_CARD:
                tray = _TRAY_OF[self.notes.dealer] if self.notes.faced_last else Tray.TRUMP
                return AskPeople(asked=Asked.NAME_CARD, a=tray)
            case Asked.COUNT_PACK:
                return AskPeople(asked=Asked.COUNT_PACK)
        raise ValueError(f"nothing is wanted of the people in state {self.machine.state.name}")

    def _tray_of(self, k: int) -> Tray:
        """Return the tray that card `k` belongs in."""
        return Tray.TRUMP if k == self.notes.pack_size else _TRAY_OF[seat_of(k, self.notes.dealer)]

    def _feed(self, k: int, *, intended: bool = False) -> Step:
        """Feed card `k`; `intended` says that this is on record already."""
        self.k, self.command_id, self.doubled = k, self.next_id, False
        self.next_id += 1
        feed = FeedCard(command_id=self.command_id, k=k)
        return self._step(intents=() if intended else (feed,), acts=(feed,), commit=not intended)

    def _end(self) -> Step:
        """End the deal; the log closes it."""
        self.machine.end()
        return self._close()

    def _close(self) -> Step:
        """Write down that the deal is void, if it is; the commit closes it."""
        ending = self.notes.ending
        if ending is not None and ending.status == "voided":
            self.notes.note({"fact": "voided", "by": "machine"})
        return self._step(commit=True)

    def _step(self, **parts: Any) -> Step:
        """Return a step with all lines noted since the last."""
        return Step(lines=self.notes.take_lines(), **parts)


_NOTHING_LEFT: Final = (FaultCode.MISFEED, FaultCode.HOPPER_EMPTY)
"""Faults that belong to one command; said again after its card was fed under the next, they say nothing new."""

_PLACES: Final = {tray: tray.name if tray.name in "NESW" else tray.name.lower() for tray in Tray}
"""What the record calls the trays."""

_TRAY_OF: Final = {Seat(name): Tray[name] for name in "NESW"}
_SEAT_OF: Final = {tray: seat for seat, tray in _TRAY_OF.items()}
