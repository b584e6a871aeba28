"""After a break: asks the machine how far it got, and goes on from there or gives the deal up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from controller import shuffle
from controller.acts import AskPeople, ClearFault, FeedCard, LookAtCard, LookIntoHopper, RouteCard, Step
from controller.dealer_base import TAKE_BACK
from controller.incident import Recovery
from controller.incidents import INCIDENTS, OF_FIRMWARE
from controller.readiness import have_done, home, question_for
from controller.states import DealState
from firmware_bridge.events import Delivered, Faulted, Sorted
from firmware_bridge.reconcile import AskPeople as PeopleMustLook
from firmware_bridge.reconcile import (
    BookAborted,
    BookDelivered,
    BookSorted,
    Found,
    JournalBehind,
    LogBehind,
    Logged,
    LookAgain,
    Open,
    SendFeed,
    SendPass,
    SendRoute,
    reconcile,
)
from firmware_bridge.words import Asked, FaultCode, MachineState, Phase, Sensor

if TYPE_CHECKING:
    from controller.acts import Act, Intent
    from controller.dealer import Dealer
    from controller.runner import Runner
    from firmware_bridge.messages import StatusReply

ANSWER_US: Final = 1_000_000
"""How long an answer that was given may take to be said again; events are said again every 60 ms."""

_PAUSES: Final = tuple(code for code, name in OF_FIRMWARE.items() if INCIDENTS[name].recovery is Recovery.PAUSE)
"""What people put right, and the deal is as it was."""

_NOBODYS: Final = (FaultCode.NONE, FaultCode.HEARTBEAT_LOST, FaultCode.PATH_NOT_EMPTY, *_PAUSES)
"""What a machine says of itself that restarted or heard nothing, or was put right; a halt is not called for."""


def go_on(runner: Runner) -> None:
    """Find out how far the machine got while nobody listened, and go on from there.

    Raises:
        firmware_bridge.errors.BridgeError: the link is lost again.
        controller.errors.Unattended: nobody clears the machine.
    """
    runner.do(runner.dealer.resumed())
    _have_put_right(runner)
    if _pack_gone(runner):
        runner.do(runner.dealer.halt("pack_gone"))
        return
    dealer = runner.dealer
    match dealer.machine.state:
        case DealState.ROUTING if dealer.k <= dealer.notes.out:  # the last card lies where it was sent
            runner.act(LookIntoHopper())
        case DealState.FEEDING | DealState.LOOKING | DealState.ROUTING | DealState.SHUFFLING if _under_way(dealer):
            while not _settled(runner):
                pass
        case _ if _ready(runner):
            _ask_again(runner, _asked_again(dealer))


def _under_way(dealer: Dealer) -> bool:
    """Return whether a card or a pass is under way: the numbers of a shuffle may be still to be drawn."""
    return dealer.machine.state is not DealState.SHUFFLING or bool(dealer.seed)


def _have_put_right(runner: Runner) -> None:
    """Where the machine is latched for something that leaves the deal as it is, have people put that right."""
    status = runner.bridge.status()
    if status.fault not in _PAUSES:
        return
    question = question_for(status, runner.dealer.able)
    have_done(runner.bridge, question, people_us=runner.people_us, asking=runner.asking, keep=runner.inbox.keep)


def _pack_gone(runner: Runner) -> bool:
    """Return whether the pack that was to be cut, or was cut, is in the machine no more: it is another's, or emptied.

    A pack that is on its way between hopper and cut tray is seen by neither.
    """
    if runner.dealer.machine.state not in (DealState.AWAITING_CUT, DealState.CUT):
        return False
    status = runner.bridge.status()
    return status.state is not MachineState.OFFERING and not status.sensors & (Sensor.HOPPER | Sensor.CUT_TRAY)


def _asked_again(dealer: Dealer) -> Act | None:
    """Return what to do once more where no card and no pass is under way."""
    match dealer.machine.state:
        case DealState.AWAITING_PACK:
            return dealer.ask_for_pack()
        case DealState.SHUFFLING:
            return dealer.draw_wanted()
        case DealState.AWAITING_CUT:
            return AskPeople(asked=Asked.CUT)
        case DealState.HALTED:
            return AskPeople(asked=Asked.CLEAR_PATH)
        case DealState.HOMING:
            return ClearFault()
    return dealer.question()


def _ready(runner: Runner) -> bool:
    """Home a machine that stands still because it restarted, or heard nothing; halt where it cannot be homed.

    After any other fault it stays latched: that fault is said again, and halts the deal.
    """
    status = runner.bridge.status()
    waiting = runner.dealer.machine.state not in (DealState.HALTED, DealState.HOMING)
    still = status.state in (MachineState.UNHOMED, MachineState.LATCHED) and status.fault in _NOBODYS
    return not waiting or not still or _home_or_halt(runner)


def _ask_again(runner: Runner, again: Act | None) -> None:
    """Ask the people once more, unless the panel still asks, or they have answered and the answer is on its way.

    A card must not be moved twice, nor the pack be cut once dealing has begun. Where the machine has restarted, nobody
    knows whether the card was moved.
    """
    bridge, dealer = runner.bridge, runner.dealer
    if again != AskPeople(asked=Asked.CUT) and bridge.status().state is MachineState.OFFERING:
        runner.act(TAKE_BACK)
    if again is None and dealer.machine.state is DealState.CUT and not dealer.waiting:
        runner.do(dealer.before_first_card())
    elif again is None:
        return
    elif not isinstance(again, AskPeople):
        runner.act(again)
    elif again.asked is Asked.MOVE_CARD and runner.boot_of_last_act() != bridge.hello.boot_id:
        runner.do(runner.dealer.halt("machine_reset"))
    elif bridge.status().asked is again.asked:
        runner.asking(again)
    else:
        _keep_answers(runner)
        runner.act(again)


def _keep_answers(runner: Runner) -> None:
    """Put aside the events that the machine says again; an answer among them is not asked for."""
    deadline_us = runner.bridge.now_us() + ANSWER_US
    while (event := runner.bridge.next_event(deadline_us=deadline_us)) is not None:
        runner.inbox.keep(event)


def _settled(runner: Runner) -> bool:
    """Do what log and journal together call for; return whether the rest comes by itself."""
    bridge, dealer = runner.bridge, runner.dealer
    status = bridge.status()
    same_boot = runner.boot_of_last_act() == bridge.hello.boot_id
    found = Found(last_id=status.last_id, phase=status.phase, same_boot=same_boot, sensors=status.sensors)
    advice = reconcile(_logged(dealer), found)
    if isinstance(advice, PeopleMustLook | LogBehind | JournalBehind):
        runner.do(dealer.halt(_lost(dealer)))
        return True
    let_down = status.fault is FaultCode.HEARTBEAT_LOST or status.fault in _PAUSES
    must_home = (let_down or not same_boot) and status.state is not MachineState.READY
    if must_home and not _home_or_halt(runner):
        return True
    match advice:
        case SendFeed(command_id=command_id):
            _do_anew(runner, FeedCard(command_id=command_id, k=dealer.k))
        case LookAgain() if dealer.machine.state is DealState.LOOKING:  # heard already that it stands there
            runner.act(LookAtCard(k=dealer.k))
        case SendRoute(command_id=command_id, tray=tray):
            _do_anew(runner, RouteCard(command_id=command_id, k=dealer.k, tray=tray))
        case SendPass():
            _do_anew(runner, dealer.shelf_pass())
        case BookDelivered() | BookSorted() | BookAborted() if not same_boot:
            return _booked(runner, advice, status)
    return True


def _lost(dealer: Dealer) -> str:
    """Return the incident where log and journal do not settle how far the machine got."""
    return "shuffle_failed" if dealer.machine.state is DealState.SHUFFLING else "machine_reset"


def _booked(runner: Runner, advice: BookDelivered | BookSorted | BookAborted, status: StatusReply) -> bool:
    """Hear from the journal what the machine, restarted, will not say again; return whether the rest comes by itself.

    What the journal does not keep is filled in: a pass has ended only where its counters bore it out.
    """
    dealer, boot_id, now_us = runner.dealer, runner.bridge.hello.boot_id, status.now_us
    match advice:
        case BookDelivered(command_id=command_id, tray=tray):
            step = dealer.delivered(Delivered(boot_id, 0, command_id, now_us, tray, 0))
            feeds = dealer.machine.state is DealState.FEEDING  # perhaps the machine has begun that already
            runner.do(step, act=not feeds)
            return not feeds
        case BookSorted(command_id=command_id):
            shelves = dealer.shelf_pass().shelves
            counts = bytes(shuffle.counts(shelves))
            runner.do(dealer.sorted(Sorted(boot_id, 0, command_id, now_us, len(shelves), counts)))
        case BookAborted(command_id=command_id):
            runner.do(dealer.faulted(Faulted(boot_id, 0, command_id, now_us, FaultCode.MISFEED, 0, Phase.ABORT, 0)))
    return True


def _home_or_halt(runner: Runner) -> bool:
    """Home the machine; halt where it cannot be homed, unless it says itself what people must put right first."""
    if home(runner.bridge, keep=runner.inbox.keep):
        return True
    if runner.bridge.status().fault not in _PAUSES:
        runner.do(runner.dealer.halt("path_not_empty"))
    return False


def _do_anew(runner: Runner, intent: Intent) -> None:
    """Do a movement that the machine has not begun, once it is on record for the machine's present start."""
    runner.do(Step(intents=(intent,), acts=(intent,), commit=True))


def _logged(dealer: Dealer) -> Logged:
    """Return which commands are open, as the dealer has them."""
    number = dealer.command_id
    if dealer.machine.state is not DealState.ROUTING:
        is_pass = dealer.machine.state is DealState.SHUFFLING
        return Logged(last_id=number, open=(Open(command_id=number, is_pass=is_pass),))
    routed = Open(command_id=number, tray=dealer.tray)
    if dealer.next_on_record:
        return Logged(last_id=number + 1, open=(routed, Open(command_id=number + 1)))
    return Logged(last_id=number, open=(routed,))
