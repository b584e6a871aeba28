"""The dealer: decides from what happened what is written down and what is done next. Pure.

Motion is stop-and-wait. A card is looked at and judged while it stands in the window; only then it is released, and
the next is fed only when it has arrived and no ruling is open. Halting within one card keeps every double feed
correctable under every code. Which card goes where, and which is turned up, is the code's data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from controller.acts import AskPeople, ClearFault, FeedCard, LookAtCard, LookIntoHopper, RouteCard, Step
from controller.deal_notes import MISFEEDS_MAX
from controller.dealer_base import PLACES, SEAT_OF
from controller.dealer_before import BeforeTheDeal
from controller.incident import Recovery
from controller.incidents import INCIDENTS, OF_FIRMWARE
from controller.states import DealState
from controller.table import Seat
from controller.window_sensors import finding
from firmware_bridge.words import Asked, Capability, FaultCode, Tray, Who
from vision.cards import Card
from vision.sighting import Sighting, State

if TYPE_CHECKING:
    from controller.seats import SeatWord
    from controller.table_eye import FaceSeen
    from firmware_bridge.events import Answered, AtWindow, Delivered, Faulted, KeyTurned

UNREAD_MAX: Final = 2
"""Cards of one deal that may stay unread: they are dealt as *not known*. One more and the eye is not to be trusted."""


@dataclass(slots=True, kw_only=True)
class Dealer(BeforeTheDeal):
    """One deal, by the pattern of its code.

    Every method that takes something that happened returns a `Step`: the lines for the record, the card movements
    intended next, and the acts to do once both are durable.
    """

    # --- what people answer ---

    def answered(self, event: Answered) -> Step:
        """The people at the table did what the panel asked; an answer that nobody waits for changes nothing."""
        match self.machine.state, event.asked:
            case DealState.AWAITING_PACK, Asked.LOAD_PACK | Asked.RESHUFFLE:
                return self._loaded(event)
            case DealState.AWAITING_CUT, Asked.CUT:
                return self._cut(event)
            case ((DealState.HOLDING | DealState.CUT), asked) if asked is self.wanted:
                return self._helped(event)
            case DealState.HALTED, Asked.CLEAR_PATH:
                self.machine.acknowledge()
                self.notes.note({"fact": "acknowledged", "by": "director", "t_us": event.at_us})
                return self.step(acts=(ClearFault(),), commit=True)
        return Step()

    def _helped(self, event: Answered) -> Step:
        """People did or said what the deal waited for."""
        match event.asked:
            case Asked.MOVE_CARD:
                if event.c:
                    self.notes.note({"fact": "corrected", "cards_moved": event.c, "t_us": event.at_us})
                if self.notes.holding and self.notes.ending is None:
                    self.write_fault("not_put_right")
            case Asked.NAME_CARD:
                return self._named(event)
            case Asked.COUNT_PACK:
                return self._counted(event)
            case Asked.DECIDE if event.a not in tuple(Who):
                return self.step(acts=self.asks(), commit=True)
            case Asked.DECIDE:
                self._decided(event)
        return self._go_on()

    def _decided(self, event: Answered) -> None:
        """The director has decided what the code is silent about."""
        who = Who(event.a)
        answer = {"seat": who.name} if who.name in Seat.__members__ else {"value": who.name.lower()}
        self.notes.note({"fact": "director", "decides": self.notes.to_decide} | answer | {"t_us": event.at_us})

    # --- one card ---

    def shown(self, event: AtWindow) -> Step:
        """A card stands in the window."""
        if self.machine.state is not DealState.FEEDING or event.command_id != self.command_id:
            return Step()
        self.machine.shown()
        self.felt = finding(event, self.card)
        return self.step(acts=(LookAtCard(k=self.k),))

    def sighted(self, sighting: Sighting) -> Step:
        """Weigh what the eye and the sensors say of the card in the window, and release it to its tray."""
        self.notes.note_sighting(self.k, sighting)
        self.tray = self.tray_of(self.k)
        if self.doubled:
            self._weigh_two()
        else:
            if self.felt:
                self.write_fault(self.felt)
            self._weigh(sighting)
        if sighting.card is not None:
            self._prove_pack(sighting.card)
        if self.notes.ending is not None:
            self.tray = Tray.REJECT
        self.machine.release()
        route = RouteCard(command_id=self.command_id, k=self.k, tray=self.tray)
        # The next card follows this one at once, unless the deal is over, or waits.
        followed = self.notes.ending is None and not self.doubled and not self.waiting
        self.next_on_record = followed and self.k < self.last_card
        feed = (FeedCard(command_id=self.next_id, k=self.k + 1),) if self.next_on_record else ()
        return self.step(intents=(route, *feed), acts=(route,), commit=True)

    def _weigh_two(self) -> None:
        """Two cards stand in the window; both fall, for the law to rule on, unless one is the last or turned up."""
        trump, k = self.notes.trump, self.k
        if k >= self.notes.pack_size or k <= trump <= k + 1:
            self.felt = "double_feed_at_end"
        self.write_fault(self.felt)

    def _weigh(self, sighting: Sighting) -> None:
        """One card stands in the window, as far as the sensors tell; the stronger doubt wins."""
        match sighting.state:
            case State.CARD if sighting.card is not None:
                if self.felt == "short_card":
                    self.notes.note({"fact": "card_damaged", "card": str(sighting.card)})
            case State.FACE_NOT_SEEN:
                self.notes.note({"fact": "faced", "k": self.k})
                if self.k == self.notes.trump:
                    self.tray = self.tray_of_named()
            case State.TWO_CARDS:
                self.write_fault("two_cards_seen")
            case State.EMPTY:
                self.write_fault("window_empty")
            case _ if self.notes.doubts > UNREAD_MAX:
                self.write_fault("eye_unsure")

    def _prove_pack(self, card: Card) -> None:
        """A card was read, alone or of two; a second of its kind, or one the pack lacks, proves the pack imperfect."""
        if card not in self.notes.pack:
            self.notes.note({"fact": "pack_proved", "state": "imperfect", "foreign": [str(card)]})
        elif self.notes.times_seen(card) > 1:
            self.notes.note_doubted(self.k, card)
            self.notes.note({"fact": "pack_proved", "state": "imperfect", "duplicate": [str(card)]})

    def delivered(self, event: Delivered) -> Step:
        """The card arrived in a tray."""
        if self.machine.state is not DealState.ROUTING or event.command_id != self.command_id:
            return Step()
        self.notes.note({"fact": "routed", "k": self.k, "to": PLACES[event.tray], "t_us": event.at_us})
        if self.tray is Tray.REJECT:
            return self.end()
        if not self._in_its_place(event.tray):
            self.write_fault("wrong_tray")
            self._laid_face_down(event)
            return self.end()
        if self.k <= self.notes.pattern.given:
            seat = self.notes.dealer if event.tray is Tray.TRUMP else SEAT_OF[event.tray]
            self._dealt(seat, event)
        elif self.doubled:
            self.k += 1
        return self._arrived()

    def _in_its_place(self, tray: Tray) -> bool:
        """Return whether the card lies where it was sent, or in a player's tray where it can be put right."""
        if tray is self.tray:
            return True
        return tray in SEAT_OF and self.k <= self.notes.pattern.given and self.k != self.notes.trump

    def _laid_face_down(self, event: Delivered) -> None:
        """Write down that the trump card missed its spot and lies unturned on a packet: the codes rule on that."""
        trump_is_dealt = self.k == self.notes.trump <= self.notes.pattern.given
        if trump_is_dealt and event.tray in SEAT_OF and not self.notes.faced_last:
            self._dealt(SEAT_OF[event.tray], event)
            self.notes.note({"fact": "laid_face_down", "on": SEAT_OF[event.tray].value, "t_us": event.at_us})

    def _dealt(self, seat: Seat, event: Delivered) -> None:
        """Write down that the card, or two, fell to `seat`."""
        fact: dict[str, Any] = {"fact": "dealt", "to": seat.value, "k": self.k, "t_us": event.at_us}
        if self.doubled:
            self.k += 1
            fact |= {"k": self.k, "count": 2}
        if self.k == self.notes.trump and self.notes.faced_last:
            fact |= {"face": "up"}
        if event.tray is not self.tray and self._in_its_place(event.tray):
            self.notes.note({"fact": "machine_fault", "code": "wrong_seat", "k": self.k})
        self.notes.note(fact)

    def _arrived(self) -> Step:
        """A card lies where it was sent: turn it up if it is to be, and go on."""
        card = self.notes.card_of(self.k)
        if self.k == self.notes.trump and card is not None and not self._ends_now and self.wanted is None:
            self._turn(card)
        return self._go_on()

    def _turn(self, card: Card) -> None:
        """Write down that the trump card lies face up to the dealer."""
        self.notes.note({"fact": "turned", "to": self.notes.dealer.value, "card": str(card)})

    @property
    def _ends_now(self) -> bool:
        """Whether the deal is over before its last card."""
        return self.notes.ending is not None and self.notes.ending.status != "completed"

    def _go_on(self) -> Step:
        """Feed the next card, unless the deal is over or people must do something first."""
        if self.machine.state is DealState.CUT:
            return self.before_first_card()
        if self._ends_now:
            return self.end()
        if self.waiting:
            return self._hold()
        if self.k >= self.last_card:
            return self._completed()
        intended = self.machine.state is DealState.ROUTING and self.next_on_record
        if self.machine.state is DealState.ROUTING:
            self.machine.next_card()
        else:
            self.machine.put_right()
        return self.feed(self.k + 1, intended=intended)

    def _completed(self) -> Step:
        """The last card has arrived: is the hopper empty, then the deal is complete, and its last rights run out."""
        if self.notes.ending is not None:
            return self.end()
        if self.k < self.notes.pack_size:
            return self._complete()
        return self.step(acts=(LookIntoHopper(),))

    def hopper_seen(self, *, card_left: bool) -> Step:
        """The hopper is empty behind the last card; or its sensor says it is not, and a count tells whether it is."""
        if not card_left:
            return self._complete()
        self.write_fault("hopper_not_empty")
        return self._hold()

    def _complete(self) -> Step:
        """Write down that the deal is complete; hold while a right is open, or while the seats may still say one."""
        self.notes.note({"fact": "deal_completed"})
        if self._ends_now or not (self.waiting or Capability.SEAT_BUTTONS in self.able):
            return self.end()
        return self._hold()

    def _hold(self) -> Step:
        """Wait for people, and ask them what is to be asked."""
        if self.machine.state is not DealState.HOLDING:
            self.machine.hold()
        return self.step(acts=self.asks(), commit=True)

    # --- what people say ---

    def _named(self, event: Answered) -> Step:
        """The trump card lies face up and the camera did not read it: people have named it."""
        named = Card.numbered(event.a)
        card = named if named in self.notes.pack else None
        self.notes.note_directors_card(card)
        read = card is not None and card == self.notes.card_of(self.notes.trump)
        if card is not None and (read or not self.notes.times_seen(card)):
            self._turn(card)
            return self._go_on()
        self.notes.note_doubted(self.notes.trump, card)
        proof = {"duplicate": [str(card)]} if card else {}
        self.notes.note({"fact": "pack_proved", "state": "imperfect"} | proof)
        return self.end()

    def _counted(self, event: Answered) -> Step:
        """The hopper was empty too soon, or not at the end: people have counted the pack, and so proved it, or not."""
        size, dealt = self.notes.pack_size, self.notes.out == self.notes.pack_size
        self.notes.note({"fact": "director", "decides": "cards", "value": event.a, "t_us": event.at_us})
        if event.a < size:
            missing = self.notes.missing()
            known = self.notes.all_read and len(missing) == size - event.a
            proof = {"missing": missing} if known else {}
            self.notes.note({"fact": "pack_proved", "state": "imperfect"} | proof)
        elif dealt and event.a > size:
            self.write_fault("extra_card")
            self.notes.note({"fact": "pack_proved", "state": "incorrect"})
        elif dealt:
            self.write_fault("hopper_sensor")
            return self._complete()
        return self.end()

    def said(self, word: SeatWord | FaceSeen) -> Step | None:
        """Somebody at a seat did or said something, or a face was seen on the table.

        Returns None where it cannot be now, and so is not on record.
        """
        if self.machine.state is DealState.ENDED:
            return None
        if word.of_the_cut is not None and self.machine.state is DealState.AWAITING_CUT:
            self.notes.note(word.of_the_cut)
            return self.step(commit=True)
        fact, asked = self.notes.as_heard(word.fact()), self.question()
        if self.notes.is_told(fact):
            self.notes.note(fact | {"fact": "exposure_confirmed"})
            return self.step(commit=True)
        return self._ruled(asked) if self.try_note(fact) else None

    def key_turned(self, event: KeyTurned) -> Step:
        """The director's key, where nothing is asked of him: he rules that the time of the open rights is over."""
        if not self.notes.entitled or self.wanted is not None:
            return Step()
        for seat in self.notes.entitled:
            self.notes.note({"fact": "director", "decides": "time", "seat": seat.value, "t_us": event.at_us})
        return self._ruled(None)

    def time_over(self) -> Step:
        """The reasonable time for which the deal waited has run out."""
        for seat in self.notes.entitled:
            self.notes.note({"fact": "time_given", "to": seat.value})
        return self._go_on()

    def _ruled(self, asked: AskPeople | None) -> Step:
        """Go on as it was ruled; a card that moves is finished first, and what was asked is not asked twice."""
        if self.waiting and self.machine.state in (DealState.CUT, DealState.HOLDING) and not self._ends_now:
            return self.step(acts=() if self.question() == asked else self.asks(), commit=True)
        match self.machine.state:
            case DealState.CUT:
                return self.before_first_card()
            case DealState.AWAITING_CUT:
                return self._ruled_before_cut()
            case DealState.AWAITING_PACK if self.notes.ending is not None:
                return self.end()
            case DealState.HOLDING if self._ends_now:
                return self.end()
            case DealState.HOLDING if self.notes.ending is None:
                return self._go_on()
        return self.step(commit=True)

    # --- faults ---

    def faulted(self, event: Faulted) -> Step:
        """The machine found something wrong."""
        code = OF_FIRMWARE[event.code]
        if INCIDENTS[code].recovery in (Recovery.RESUME, Recovery.PAUSE):
            self.write_fault(code)
            return self.step(commit=True)
        if event.code in _NOTHING_LEFT and event.command_id != self.command_id:
            return Step()
        if self.machine.state is DealState.HOMING:
            return self._not_homed(code)
        if event.code is FaultCode.MISFEED and self.machine.state is DealState.FEEDING:
            return self._misfed()
        if event.code is FaultCode.HOPPER_EMPTY and self.machine.state is DealState.FEEDING:
            self.write_fault(code)
            return self._hold()
        return self.halt(code)

    def interrupted(self, code: str) -> Step:
        """The conversation with the machine broke off; the deal stays as it is until the machine can be asked again."""
        self.write_fault(code)
        return self.step(commit=True)

    def resumed(self) -> Step:
        """The machine answers again and the deal goes on."""
        self.notes.note({"fact": "resumed", "by": "machine"})
        return self.step(commit=True)

    def homed(self, last_id: int) -> Step:
        """The machine knows its positions again after a halt; where no card was dealt, the pack is laid in anew.

        Args:
            last_id: the last command in the machine's journal.
        """
        if self.machine.state is not DealState.HOMING:
            return Step()
        if self.notes.ending is not None:
            self.machine.homed()
            return self.close()
        self.machine.homed_undealt()
        self.next_id = last_id + 1
        self.notes.note({"fact": "resumed", "by": "director"})
        return self.step(acts=(self.ask_for_pack(),), commit=True)

    def _not_homed(self, code: str) -> Step:
        """A sensor still sees a card: a deal without a card dealt waits on, any other is over."""
        self.write_fault(code)
        if self.notes.ending is not None:
            self.machine.not_homed()
            return self.close()
        self.machine.still_blocked()
        self.notes.note({"fact": "halted", "fault": code})
        return self.step(acts=(AskPeople(asked=Asked.CLEAR_PATH),), commit=True)

    def _misfed(self) -> Step:
        """Try the same card again under a new command; nothing left the hopper."""
        self.notes.note({"fact": "machine_fault", "code": "misfeed", "k": self.k})
        if self.notes.misfeeds(self.k) >= MISFEEDS_MAX:
            return self.end()
        self.machine.feed_again()
        return self.feed(self.k)


_NOTHING_LEFT: Final = (FaultCode.MISFEED, FaultCode.HOPPER_EMPTY)
"""Faults that belong to one command; said again after its card was fed under the next, they say nothing new."""
