"""The runner: does what the dealer decides, on the machine, through the eye, into the log.

One thread, one loop: wait for an event, let the dealer answer, make its lines durable, then act. An event of the
machine is acknowledged only after the commit that holds it; a card moves only after the commit that intends it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from controller.acts import Act, AskPeople, ClearFault, FeedCard, Intent, Line, LookAtCard, RouteCard, Step
from controller.deal_log import Act as LoggedAct
from controller.errors import Unattended
from controller.states import DealState
from firmware_bridge.events import Answered, AtWindow, Delivered, Event, Faulted, Homed
from firmware_bridge.messages import Acknowledge, Ask, Clear, Feed, Home, Route, Taken
from firmware_bridge.reconcile import ENDED
from firmware_bridge.words import FaultCode, Status, Verdict

if TYPE_CHECKING:
    from controller.deal_log import DealLog
    from controller.dealer import Dealer
    from controller.eye import Eye
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.words import Asked

CARD_US: Final = 5_000_000
"""How long one movement of a card may take before the machine is held to be silent; it takes a quarter of a second."""

PEOPLE_US: Final = 600_000_000
"""How long the panel waits for the people at the table: ten minutes."""

LOOK_US: Final = 500_000
"""How long the eye may take for one card; a frame comes every 17 ms."""

DARK_US: Final = 250_000
"""How long the eye waits for the dark window while a card moves to its tray."""


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
        deal: the deal's number in the log; 0 before it is opened there.
        people_us: how long people may take.
        feeds: how often a card was fed.
        began_us: when the first card was fed, on the clock of the link; 0 before that.
        ended_us: when the deal was closed.
    """

    dealer: Dealer
    bridge: Bridge
    eye: Eye
    log: DealLog
    tell: Callable[[Line], None]
    asking: Callable[[AskPeople], None]
    deal: int = 0
    people_us: int = PEOPLE_US
    feeds: int = 0
    began_us: int = 0
    ended_us: int = 0
    _lines: list[Line] = field(default_factory=list)
    _unacknowledged: list[Event] = field(default_factory=list)
    _heard: set[tuple[int, int]] = field(default_factory=set)
    _kept: deque[Event] = field(default_factory=deque)
    _dark_seen: bool = False

    @property
    def ended(self) -> bool:
        """Whether the deal is over and closed in the log."""
        return self.dealer.machine.state is DealState.ENDED

    def run(self) -> None:
        """Go on until the deal has ended, or the machine has latched because it heard nothing for too long.

        Raises:
            firmware_bridge.errors.BridgeError: the link is lost, the machine restarted or does not answer; everything
                that happened so far is on record, and the deal can be gone on with.
            controller.errors.Unattended: nobody clears the machine after a halt.
            vision.errors.CameraLost: the camera is gone.
        """
        while not self.ended:
            event = self._wait()
            self.do(self._hear(event))
            if self._let_down(event):
                return

    def do(self, step: Step, *, act: bool = True) -> None:
        """Make the step's lines durable, then do its acts, unless `act` forbids."""
        self._lines += step.lines
        if step.commit:
            self._commit(step.intents)
        for wanted in step.acts if act else ():
            self.act(wanted)

    def interrupted(self, code: str) -> None:
        """Put on record that the conversation broke off; events that were not acknowledged are said again."""
        self._unacknowledged.clear()
        self.do(self.dealer.interrupted(code))

    def keep(self, event: Event) -> None:
        """Put an event aside that came while something else was waited for; it is heard next."""
        self._kept.append(event)

    def answer_waits(self, asked: Asked) -> bool:
        """Return whether the people's answer to `asked` was put aside."""
        return any(isinstance(event, Answered) and event.asked is asked for event in self._kept)

    def boot_of_last_act(self) -> int:
        """Return the machine's start during which the last movement was intended; 0 if none was."""
        acts = self.log.acts(self.deal) if self.deal else []
        return acts[-1].boot_id if acts else 0

    # --- hearing ---

    def _wait(self) -> Event | None:
        """Return the next event that was not heard before, or None when time has run out."""
        moving = self.dealer.machine.state in (DealState.FEEDING, DealState.ROUTING, DealState.HOMING)
        deadline_us = self.bridge.now_us() + (CARD_US if moving else self.people_us)
        while (event := self._next_event(deadline_us)) is not None:
            key = (event.boot_id, event.event_id)
            if key not in self._heard:
                self._heard.add(key)
                return event
            if event not in self._unacknowledged:
                self.bridge.acknowledge(event)
        return None

    def _next_event(self, deadline_us: int) -> Event | None:
        """Return an event that was put aside, or the machine's next."""
        return self._kept.popleft() if self._kept else self.bridge.next_event(deadline_us=deadline_us)

    def _hear(self, event: Event | None) -> Step:
        """Tell the dealer what happened."""
        if event is None:
            return self._nothing_came()
        step = self._answer(event)
        if step != Step() or self._lines:
            self._unacknowledged.append(event)
        else:
            self.bridge.acknowledge(event)
        return step

    def _answer(self, event: Event) -> Step:
        """Return the dealer's answer to an event of the machine."""
        match event:
            case AtWindow():
                return self.dealer.shown(event)
            case Delivered():
                return self.dealer.delivered(event)
            case Answered():
                return self.dealer.answered(event)
            case Faulted():
                return self.dealer.faulted(event)
            case Homed():
                return self.dealer.homed()
        return Step()

    def _let_down(self, event: Event | None) -> bool:
        """Return whether the machine stands still because it heard nothing; that is no fault, so it is gone on with."""
        silent = isinstance(event, Faulted) and event.code is FaultCode.HEARTBEAT_LOST
        return silent and self.bridge.status().fault is FaultCode.HEARTBEAT_LOST

    def _nothing_came(self) -> Step:
        """Time has run out: people were silent, or the machine was."""
        if self.dealer.machine.state in (DealState.HALTED, DealState.HOMING):
            homing = self.dealer.machine.state is DealState.HOMING
            raise Unattended("the machine does not home" if homing else "nobody cleared the machine after the halt")
        waiting = (DealState.AWAITING_PACK, DealState.AWAITING_CUT, DealState.HOLDING)
        return self.dealer.halt("people_silent" if self.dealer.machine.state in waiting else "machine_silent")

    # --- acting ---

    def act(self, act: Act) -> None:
        """Do one act."""
        match act:
            case FeedCard(command_id=command_id):
                self.began_us = self.began_us or self.bridge.now_us()
                self.feeds += 1
                self._taken(self.bridge.command(Feed(command_id)))
                self._see_dark()
            case RouteCard(command_id=command_id, tray=tray):
                self._taken(self.bridge.command(Route(command_id, tray)))
                self._see_dark()
            case LookAtCard():
                now_us = self.bridge.now_us()
                self._dark_seen = False
                sighting = self.eye.look(after_us=now_us, deadline_us=now_us + LOOK_US)
                self.do(self.dealer.sighted(sighting))
            case AskPeople(asked=asked, a=a, b=b) if not self.answer_waits(asked):
                self.bridge.command(Ask(asked, a, b))
                self.asking(act)
            case ClearFault():
                self._clear_and_home()

    def _see_dark(self) -> None:
        """Let the eye see the dark window once between two cards, while a card moves."""
        if not self._dark_seen:
            now_us = self.bridge.now_us()
            self.eye.rest(after_us=now_us, deadline_us=now_us + DARK_US)
            self._dark_seen = True

    def _taken(self, taken: Taken) -> None:
        """Go on if the machine took the command; a latch speaks for itself through its fault."""
        if taken.status in (Status.OK, Status.DUPLICATE, Status.LATCHED):
            return
        self.do(self.dealer.halt("refused"))

    def _clear_and_home(self) -> None:
        """Settle the machine's journal, acknowledge its fault and home it; people have cleared the path."""
        status = self.bridge.status()
        if status.phase not in ENDED:
            self._taken(self.bridge.command(Clear(status.last_id, Verdict.TAKEN_OUT)))
        if status.fault is not FaultCode.NONE:
            self._taken(self.bridge.command(Acknowledge(status.latch_id)))
        self._taken(self.bridge.command(Home()))

    # --- the record ---

    def _commit(self, intents: Iterable[Intent]) -> None:
        """Make all lines since the last commit durable, with the movements intended next; then acknowledge events."""
        lines, self._lines = self._lines, []
        acts = [self._logged(intent) for intent in intents]
        ending = self.dealer.notes.ending
        if not self.deal:
            self.deal = self.log.open_deal(lines)
        elif self.ended and ending is not None:
            self.ended_us = self.bridge.now_us()
            self.log.close_deal(self.deal, lines, status=ending.status)
        else:
            self.log.commit(self.deal, lines, acts=acts)
        for line in lines:
            self.tell(line)
        events, self._unacknowledged = self._unacknowledged, []
        if events:
            self.bridge.acknowledge(*events)

    def _logged(self, intent: Intent) -> LoggedAct:
        """Return the intent as the log keeps it."""
        tray = intent.tray.name if isinstance(intent, RouteCard) else ""
        return LoggedAct(
            command_id=intent.command_id,
            kind="route" if tray else "feed",
            k=intent.k,
            tray=tray,
            serial=self.bridge.hello.serial_number,
            boot_id=self.bridge.hello.boot_id,
        )
