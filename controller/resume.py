"""After a break: rebuilds the dealer from the log, asks the machine how far it got, goes on or gives the deal up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from controller.acts import AskPeople, ClearFault, FeedCard, RouteCard, Step
from controller.deal_notes import DealNotes
from controller.dealer import CardSize, Dealer
from controller.errors import StreamError
from controller.readiness import home
from controller.states import DealMachine, DealState
from controller.table import Seat
from firmware_bridge.messages import Delivered, Faulted
from firmware_bridge.reconcile import AskPeople as PeopleMustLook
from firmware_bridge.reconcile import (
    BookAborted,
    BookDelivered,
    Found,
    JournalBehind,
    LogBehind,
    Logged,
    Open,
    SendFeed,
    SendRoute,
    reconcile,
)
from firmware_bridge.words import Asked, FaultCode, MachineState, Phase, Tray

if TYPE_CHECKING:
    from controller.acts import Act, Intent, Line
    from controller.deal_log import DealLog
    from controller.runner import Runner


ANSWER_US: Final = 1_000_000
"""How long an answer that was given may take to be said again; events are said again every 60 ms."""

_NOBODYS: Final = (FaultCode.NONE, FaultCode.HEARTBEAT_LOST, FaultCode.PATH_NOT_EMPTY)
"""What a machine says of itself that restarted or heard nothing; no person has to acknowledge that."""


def restore(log: DealLog, deal: int, card: CardSize, *, next_id: int) -> Dealer:
    """Return the dealer of an unfinished deal as the log has it.

    Args:
        log: the log that holds it.
        deal: its number.
        card: one card as the machine's sensors feel it.
        next_id: the id of the next feed, where the log intends none yet.

    Raises:
        controller.errors.LogError: the record cannot be read, or is damaged: its rulings are not those its facts give.
    """
    lines = log.own_lines(deal)
    acts = log.acts(deal)
    try:
        notes = DealNotes(dealer=Seat(lines[0]["dealer"]))
        notes.restore(lines)
    except (StreamError, KeyError, ValueError) as error:
        raise log.damaged(f"deal {deal} cannot be gone on with ({error})") from error
    if astray := [act.tray for act in acts if act.kind == "route" and act.tray not in Tray.__members__]:
        raise log.damaged(f"a card of deal {deal} was sent to {astray[0]!r:.20}, which is no tray")
    feeds = [act for act in acts if act.kind == "feed"]
    routes = [act for act in acts if act.kind == "route"]
    dealer = Dealer(notes=notes, next_id=next_id, card=card)
    if not feeds:
        dealer.machine = DealMachine(_state(notes, lines, feeding=False, routing=False))
        return dealer
    arrived = {line["k"] for line in lines if line.get("fact") == "routed"}
    routing = bool(routes) and routes[-1].k not in arrived
    under_way = routes[-1] if routing or notes.holding else feeds[-1]
    dealer.command_id, dealer.next_id = under_way.command_id, under_way.command_id + 1
    dealer.k = notes.dealt if notes.holding else under_way.k
    dealer.doubled = any(line.get("code") == "double_feed" and line.get("k") == dealer.k for line in lines)
    if routing:
        dealer.tray = Tray[under_way.tray]
    dealer.machine = DealMachine(_state(notes, lines, feeding=True, routing=routing))
    return dealer


def _state(notes: DealNotes, lines: list[Line], *, feeding: bool, routing: bool) -> DealState:
    """Return where the deal stood at its last commit."""
    facts = [line["fact"] for line in lines if "fact" in line]
    if "acknowledged" in facts:
        return DealState.HOMING
    if "halted" in facts:
        return DealState.HALTED
    if notes.wanted is not None:
        return DealState.HOLDING
    if not feeding:
        return DealState.AWAITING_CUT if "presented" in facts else DealState.AWAITING_PACK
    return DealState.ROUTING if routing else DealState.FEEDING


def go_on(runner: Runner) -> None:
    """Find out how far the machine got while nobody listened, and go on from there.

    Raises:
        firmware_bridge.errors.BridgeError: the link is lost again.
        controller.errors.Unattended: nobody clears the machine.
    """
    runner.do(runner.dealer.resumed())
    again = _asked_again(runner.dealer)
    if again is None:
        while not _settled(runner):
            pass
    elif _ready(runner):
        _ask_again(runner, again)


def _asked_again(dealer: Dealer) -> Act | None:
    """Return what to do once more where no card is under way."""
    match dealer.machine.state:
        case DealState.AWAITING_PACK:
            return AskPeople(asked=Asked.LOAD_PACK)
        case DealState.AWAITING_CUT:
            return AskPeople(asked=Asked.CUT)
        case DealState.HOLDING:
            return dealer.question()
        case DealState.HALTED:
            return AskPeople(asked=Asked.CLEAR_PATH)
        case DealState.HOMING:
            return ClearFault()
    return None


def _ready(runner: Runner) -> bool:
    """Home a machine that stands still because it restarted, or heard nothing; halt where it cannot be homed.

    After any other fault it stays latched: that fault is said again, and halts the deal.
    """
    status = runner.bridge.status()
    waiting = runner.dealer.machine.state not in (DealState.HALTED, DealState.HOMING)
    still = status.state is not MachineState.READY and status.fault in _NOBODYS
    if not waiting or not still or home(runner.bridge, keep=runner.keep):
        return True
    runner.do(runner.dealer.halt("path_not_empty"))
    return False


def _ask_again(runner: Runner, again: Act) -> None:
    """Ask the people once more, unless the panel still asks, or they have answered and the answer is on its way.

    A card must not be moved twice, nor the pack be cut once dealing has begun. Where the machine has restarted, nobody
    knows whether the card was moved.
    """
    bridge = runner.bridge
    if not isinstance(again, AskPeople):
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
        runner.keep(event)


def _settled(runner: Runner) -> bool:
    """Do what log and journal together call for; return whether the rest comes by itself."""
    bridge, dealer = runner.bridge, runner.dealer
    status = bridge.status()
    same_boot = runner.boot_of_last_act() == bridge.hello.boot_id
    found = Found(last_id=status.last_id, phase=status.phase, same_boot=same_boot, sensors=status.sensors)
    advice = reconcile(_logged(dealer), found)
    if isinstance(advice, PeopleMustLook | LogBehind | JournalBehind):
        runner.do(dealer.halt("machine_reset"))
        return True
    forgotten = not same_boot
    must_home = (forgotten or status.fault is FaultCode.HEARTBEAT_LOST) and status.state is not MachineState.READY
    if must_home and not home(bridge, keep=runner.keep):
        runner.do(dealer.halt("path_not_empty"))
        return True
    match advice:
        case SendFeed(command_id=command_id):
            _do_anew(runner, FeedCard(command_id=command_id, k=dealer.k))
        case SendRoute(command_id=command_id, tray=tray):
            _do_anew(runner, RouteCard(command_id=command_id, k=dealer.k, tray=tray))
        case BookDelivered(command_id=command_id, tray=tray) if forgotten:
            runner.do(
                dealer.delivered(Delivered(bridge.hello.boot_id, 0, command_id, status.now_us, tray, 0)), act=False
            )
            if dealer.machine.state is DealState.HOLDING:
                runner.act(dealer.question())
            return dealer.machine.state is not DealState.FEEDING
        case BookAborted(command_id=command_id) if forgotten:
            fault = Faulted(bridge.hello.boot_id, 0, command_id, status.now_us, FaultCode.MISFEED, 0, Phase.ABORT)
            runner.do(dealer.faulted(fault))
    return True


def _do_anew(runner: Runner, intent: Intent) -> None:
    """Do a movement that the machine has not begun, once it is on record for the machine's present start."""
    runner.do(Step(intents=(intent,), acts=(intent,), commit=True))


def _logged(dealer: Dealer) -> Logged:
    """Return which commands are open, as the dealer has them."""
    number = dealer.command_id
    if dealer.machine.state is not DealState.ROUTING:
        return Logged(last_id=number, open=(Open(command_id=number),))
    routed = Open(command_id=number, tray=dealer.tray)
    if dealer.feed_intended:
        return Logged(last_id=number + 1, open=(routed, Open(command_id=number + 1)))
    return Logged(last_id=number, open=(routed,))
