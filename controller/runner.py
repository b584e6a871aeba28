"""The runner: does what the dealer decides, on the machine, through the eye, into the log.

One thread, one loop: wait for an event, let the dealer answer, make its lines durable, then act. An event of the
machine is acknowledged only after the commit that holds it; a card moves only after the commit that intends it. What
the seats say by other ways than the machine is taken between two events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NoReturn

from controller import shuffle
from controller.acts import (
    Act,
    AskPeople,
    ClearFault,
    Draw,
    FeedCard,
    Intent,
    Line,
    LookAtCard,
    LookIntoHopper,
    RouteCard,
    ShelvePack,
    Step,
)
from controller.deal_log import Act as LoggedAct
from controller.errors import Drained, Unattended
from controller.inbox import Inbox
from controller.incident import Recovery
from controller.incidents import INCIDENTS, OF_FIRMWARE
from controller.patience import CARD_US, DARK_US, LOOK_US, PEOPLE_US, SLICE_US, patience_us
from controller.readiness import TAKEN, clear_and_home, must_take
from controller.seats import SeatWord, word_of
from controller.states import DealState
from controller.table_eye import FaceSeen
from firmware_bridge.events import Answered, AtWindow, Delivered, Event, Faulted, Homed, KeyTurned, SeatActed, Sorted
from firmware_bridge.messages import Ask, Feed, Request, Route, ShelfPass, StopNow
from firmware_bridge.words import Asked, MachineState, Sensor
from vision.sighting import State

if TYPE_CHECKING:
    from controller.deal_log import DealLog
    from controller.dealer import Dealer
    from controller.eye import Eye
    from controller.fault_bundle import FaultBundle
    from controller.table_eye import Lookout
    from controller.table_talk import TableTalk
    from firmware_bridge.bridge import Bridge
    from vision.sighting import Sighting


@dataclass(slots=True, kw_only=True)
class Runner:
    """One deal on one machine.

    Attributes:
        dealer: decides.
        bridge: the machine; replaced when the link is opened anew.
        eye: looks at the window.
        log: the durable store.
        tell: called with each line once it is durable; it never sees a face of an open deal's cards before the log has.
        asking: called with each question that the panel puts to the people at the table.
        talk: what seats say, and whether to stop, by other ways than the machine.
        lookout: has the table looked at; None where no camera is over it.
        bundle: keeps the frames of doubtful cards; None where nothing is kept.
        deal: the deal's number in the log; 0 before it is opened there.
        people_us: how long people may take.
        feeds: how often a card was fed.
        began_us: when the first card was fed, on the clock of the link; 0 before that.
        ended_us: when the deal was closed.
        inbox: what was heard, until it is on record.
    """

    dealer: Dealer
    bridge: Bridge
    eye: Eye
    log: DealLog
    tell: Callable[[Line], None]
    asking: Callable[[AskPeople], None]
    talk: TableTalk
    lookout: Lookout | None = None
    bundle: FaultBundle | None = None
    deal: int = 0
    people_us: int = PEOPLE_US
    feeds: int = 0
    began_us: int = 0
    ended_us: int = 0
    inbox: Inbox = field(default_factory=Inbox)
    _lines: list[Line] = field(default_factory=list)
    _dark_seen: bool = False

    @property
    def ended(self) -> bool:
        """Whether the deal is over and closed in the log."""
        return self.dealer.machine.state is DealState.ENDED

    def run(self) -> None:
        """Go on until the deal has ended, or the machine has latched for something that leaves the deal as it is.

        Raises:
            controller.errors.Drained: it was asked to stop; the deal is kept open.
            firmware_bridge.errors.BridgeError: the link is lost, the machine restarted or does not answer; everything
                that happened so far is on record, and the deal can be gone on with.
            controller.errors.Unattended: nobody clears the machine after a halt.
            vision.errors.CameraLost: the camera is gone.
        """
        while not self.ended:
            heard = self._wait()
            self.do(self._hear(heard))
            if isinstance(heard, Faulted) and self._let_down(heard):
                return

    def do(self, step: Step, *, act: bool = True) -> None:
        """Make the step's lines durable, then do its acts up to one that is refused, unless `act` forbids."""
        self._lines += step.lines
        if step.commit:
            self._commit(step.intents)
        for wanted in step.acts if act else ():
            if not self.act(wanted):
                return

    def interrupted(self, code: str) -> None:
        """Put on record that the conversation broke off; events that were not acknowledged are said again."""
        self.inbox.let_go()
        self.do(self.dealer.interrupted(code))

    def boot_of_last_act(self) -> int:
        """Return the machine's start during which the last movement was intended; 0 if none was."""
        acts = self.log.acts(self.deal) if self.deal else []
        return acts[-1].boot_id if acts else 0

    # --- hearing ---

    def _wait(self) -> Event | SeatWord | FaceSeen | None:
        """Return the next event not heard before, what a seat says, or what the table shows; None when time is up."""
        deadline_us = self.bridge.now_us() + patience_us(self.dealer, people_us=self.people_us)
        while True:
            if (word := self.talk.next_word(self.dealer.notes.out)) is not None:
                return word
            if self.lookout and (face := self.lookout.next_face(self.dealer, self.bridge)) is not None:
                return face
            event = self._next_event(deadline_us)
            if event is None and self.bridge.now_us() >= deadline_us:
                return None
            if event is not None and self.inbox.is_new(event, self.bridge):
                return event

    def _next_event(self, deadline_us: int) -> Event | None:
        """Return an event that was put aside, or the machine's next within a slice of time.

        Raises:
            controller.errors.Drained: it was asked to stop, and nothing moves, or it was to be at once.
        """
        if (kept := self.inbox.next_kept()) is not None:
            return kept
        if self.talk.stop_now or (self.talk.stop and self.dealer.machine.state not in _MOVING):
            self._drain()
        return self.bridge.next_event(deadline_us=min(deadline_us, self.bridge.now_us() + SLICE_US))

    def _drain(self) -> NoReturn:
        """Leave the deal open where it stands, and everything that happened on record."""
        if self.talk.stop_now:
            self.bridge.command(StopNow())
        if self._lines:
            self._commit(())
        raise Drained(at_once=self.talk.stop_now)

    def _take(self, word: SeatWord) -> Step:
        """Tell the dealer what a seat says; it is answered at once where it cannot be, else behind the commit."""
        step = self.dealer.said(word)
        if step is None:
            self.talk.answered(word, taken=False)
            return Step()
        self.inbox.hold_word(word)
        return step

    def _hear(self, event: Event | SeatWord | FaceSeen | None) -> Step:
        """Tell the dealer what happened."""
        if event is None:
            return self._nothing_came()
        if isinstance(event, SeatWord):
            return self._take(event)
        if isinstance(event, FaceSeen):
            return self.dealer.said(event) or Step()
        step = self._answer(event)
        if step != _NOTHING or self._lines:
            self.inbox.hold(event)
        else:
            self.bridge.acknowledge(event)
        return step

    def _answer(self, event: Event) -> Step:
        """Return the dealer's answer to an event of the machine."""
        match event:
            case AtWindow():
                step = self.dealer.shown(event)
            case Delivered():
                step = self.dealer.delivered(event)
            case Answered():
                step = self.dealer.answered(event)
            case Faulted():
                step = self.dealer.faulted(event)
            case Homed():
                step = self.dealer.homed(self.bridge.status().last_id)
            case Sorted():
                step = self.dealer.sorted(event)
            case KeyTurned():
                step = self.dealer.key_turned(event)
            case SeatActed() if (word := word_of(event)) is not None:
                step = self._take(word)
            case _:
                step = Step()
        return step

    def _let_down(self, event: Faulted) -> bool:
        """Return whether the machine is latched for something that leaves the deal as it is, so it is gone on with."""
        recovery = INCIDENTS[OF_FIRMWARE[event.code]].recovery
        return recovery in (Recovery.RESUME, Recovery.PAUSE) and self.bridge.status().fault is event.code

    def _nothing_came(self) -> Step:
        """Time has run out: people were silent, or the machine was."""
        match self.dealer.machine.state:
            case DealState.HALTED:
                raise Unattended("nobody cleared the machine after the halt")
            case DealState.HOMING:
                raise Unattended("the machine does not home: close its lid and release its emergency stop")
            case DealState.HOLDING | DealState.CUT if self.dealer.wanted is None:
                return self.dealer.time_over()
            case DealState.AWAITING_PACK | DealState.AWAITING_CUT | DealState.CUT | DealState.HOLDING:
                return self.dealer.halt("people_silent")
        return self.dealer.halt("machine_silent")

    # --- acting ---

    def act(self, act: Act) -> bool:
        """Do one act; return whether the machine took it, else the deal is halted.

        Raises:
            controller.errors.Drained: it was asked to stop, and this act would feed a card or carry the pack.
            controller.errors.Unattended: the machine refuses what the way out of a halt needs.
        """
        match act:
            case FeedCard() | RouteCard() | ShelvePack():
                return self._move(act)
            case Draw(attempt=attempt):
                self.do(self.dealer.drawn(self.log.draw(self.deal, attempt)))
            case LookAtCard(k=k):
                step = self.dealer.sighted(self._look())
                if self.bundle is not None:  # while the deal is open, for its key
                    self.bundle.looked(self.deal, k, step.lines, self.eye.evidence())
                self.do(step)
            case LookIntoHopper():
                left = Sensor.HOPPER in self.bridge.status().sensors
                self.ended_us = self.bridge.now_us()
                self.do(self.dealer.hopper_seen(card_left=left))
            case AskPeople(asked=Asked.NOTHING):
                return self._take_back()
            case AskPeople(asked=asked, a=a, b=b) if not self.inbox.answer_waits(asked):
                if not self._taken(Ask(asked, a, b)):
                    return False
                self.asking(act)
            case ClearFault():
                clear_and_home(self.bridge)
        return True

    def _move(self, act: Intent) -> bool:
        """Have the machine move cards; return whether it took the command."""
        match act:
            case FeedCard() | ShelvePack() if self.talk.stop:
                self._drain()
            case FeedCard(command_id=command_id):
                self.began_us = self.began_us or self.bridge.now_us()
                self.feeds += 1
                return self._taken(Feed(command_id)) and self._see_dark()
            case RouteCard(command_id=command_id, tray=tray):
                return self._taken(Route(command_id, tray)) and self._see_dark()
            case ShelvePack(command_id=command_id, shelves=shelves):
                return self._taken(ShelfPass(command_id, len(shelves), shuffle.packed(shelves)))

    def _look(self) -> Sighting:
        """Look at the card in the window.

        Raises:
            firmware_bridge.errors.MachineRebooted: the machine restarted meanwhile, so that the lamp went out.
        """
        now_us = self.bridge.now_us()
        self._dark_seen = False
        sighting = self.eye.look(after_us=now_us, deadline_us=now_us + LOOK_US)
        if sighting.state is not State.CARD:
            self.bridge.status()  # a doubt is the eye's own only while the machine is the same
        return sighting

    def _take_back(self) -> bool:
        """Take the panel's question back, and wait until an offered pack lies in the hopper again."""
        if not self._taken(Ask(Asked.NOTHING, 0, 0)):
            return False
        deadline_us = self.bridge.now_us() + CARD_US
        while self.bridge.status().state is MachineState.OFFERING and self.bridge.now_us() < deadline_us:
            event = self.bridge.next_event(deadline_us=min(deadline_us, self.bridge.now_us() + SLICE_US))
            if event is not None:
                self.inbox.keep(event)
        return True

    def _see_dark(self) -> Literal[True]:
        """Let the eye see the dark window once between two cards, while a card moves."""
        if not self._dark_seen:
            now_us = self.bridge.now_us()
            self.eye.rest(after_us=now_us, deadline_us=now_us + DARK_US)
            self._dark_seen = True
        return True

    def _taken(self, request: Request) -> bool:
        """Return whether the machine took the request; a refusal halts the deal, or, of a halted one, needs people."""
        if self.dealer.machine.state in _STOPPED:
            must_take(self.bridge, request)
        elif self.bridge.command(request).status not in TAKEN:
            self.do(self.dealer.halt("refused"))
            return False
        return True

    # --- the record ---

    def _commit(self, intents: Iterable[Intent]) -> None:
        """Make all lines since the last commit durable, with the movements intended next; then acknowledge events."""
        lines, self._lines = self._lines, []
        acts = [self._logged(intent) for intent in intents]
        ending = self.dealer.notes.ending
        if not self.deal:
            self.deal = self.log.open_deal(lines)
        elif self.ended and ending is not None:
            self.ended_us = self.ended_us or self.bridge.now_us()
            if (measured := self.eye.measured()) is not None:
                lines.append(measured)
            self.log.close_deal(self.deal, lines, status=ending.status)
        else:
            self.log.commit(self.deal, lines, acts=acts)
        for line in lines:
            self.tell(line)
        self.inbox.settle(self.bridge, self.talk)

    def _logged(self, intent: Intent) -> LoggedAct:
        """Return the intent as the log keeps it."""
        tray = intent.tray.name if isinstance(intent, RouteCard) else ""
        return LoggedAct(
            command_id=intent.command_id,
            kind="shelve" if isinstance(intent, ShelvePack) else "route" if tray else "feed",
            k=intent.number if isinstance(intent, ShelvePack) else intent.k,
            tray=tray,
            serial=self.bridge.hello.serial_number,
            boot_id=self.bridge.hello.boot_id,
        )


_NOTHING: Final = Step()

_MOVING: Final = (DealState.SHUFFLING, DealState.FEEDING, DealState.LOOKING, DealState.ROUTING, DealState.HOMING)
"""The states in which a card, or the machine, is on its way."""

_STOPPED: Final = (DealState.HALTED, DealState.HOMING, DealState.ENDED)
"""The states in which a refusal cannot halt the deal any more: people must see to the machine."""
