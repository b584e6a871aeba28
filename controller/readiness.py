"""Brings a machine to where it can take a command: latch acknowledged, nothing left in it, homed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from controller.acts import AskPeople
from controller.errors import Unattended
from firmware_bridge.events import Answered, Event, Faulted, Homed, KeyTurned
from firmware_bridge.messages import Acknowledge, Ask, Clear, Home
from firmware_bridge.reconcile import ENDED, INSIDE
from firmware_bridge.words import Asked, Capability, FaultCode, MachineState, Sensor, Status, Tray, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.bridge import Bridge
    from firmware_bridge.messages import Request, StatusReply

HOME_US: Final = 5_000_000
"""How long homing may take; the reference machine takes 0.3 s."""

_TRIES: Final = 3

TAKEN: Final = (Status.OK, Status.DUPLICATE, Status.LATCHED)
"""How a request is taken that is gone on with; a machine that is latched says why by its fault."""

_LIFTED: Final = {Sensor[f"LIFTED_{tray.name}"]: tray for tray in (Tray.N, Tray.E, Tray.S, Tray.W)}


def must_take(bridge: Bridge, request: Request) -> None:
    """Have the machine do what only people can help with where it refuses.

    Raises:
        controller.errors.Unattended: it refuses; what people must do first.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    status = bridge.command(request).status
    if status not in TAKEN:
        first = _FIRST.get(status, "switch it off and on")
        raise Unattended(f"the machine refused {type(request).__name__} ({status.name}): {first}")


def make_ready(bridge: Bridge, *, people_us: int, asking: Callable[[AskPeople], None]) -> None:
    """Bring an idle machine to READY with nothing in path, shelves and cut tray; people clear what lies there.

    Args:
        bridge: the machine.
        people_us: how long people may take.
        asking: called with the question that the panel puts to them.

    Raises:
        controller.errors.Unattended: nobody clears the machine.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    question = AskPeople(asked=Asked.CLEAR_PATH)
    for _ in range(_TRIES):
        status = bridge.status()
        left = bool(status.sensors & INSIDE)
        if status.phase not in ENDED or left:
            have_done(bridge, question, people_us=people_us, asking=asking, keep=bridge.acknowledge)
        if status.phase not in ENDED:
            must_take(bridge, Clear(status.last_id, Verdict.TAKEN_OUT))
        if left:
            continue
        if status.state is MachineState.READY or home(bridge, keep=bridge.acknowledge):
            return
        have_done(bridge, question, people_us=people_us, asking=asking, keep=bridge.acknowledge)
    raise Unattended("the machine is still not empty")


def prove_empty(bridge: Bridge, *, people_us: int, asking: Callable[[AskPeople], None]) -> None:
    """Make sure that no card is left in path, shelves and cut tray when a run is over; people clear what lies there.

    Raises:
        controller.errors.Unattended: nobody clears the machine.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    if bridge.status().sensors & INSIDE:
        make_ready(bridge, people_us=people_us, asking=asking)


def home(bridge: Bridge, *, keep: Callable[[Event], object]) -> bool:
    """Acknowledge the latch that holds the machine, home it, and say whether it found its switches.

    Args:
        bridge: the machine.
        keep: given every other event that comes meanwhile.

    Raises:
        controller.errors.Unattended: the machine refuses, and people must see to it first.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    status = bridge.status()
    latch = status.latch_id
    _begin_homing(bridge, status)
    deadline_us = bridge.now_us() + HOME_US
    while (event := bridge.next_event(deadline_us=deadline_us)) is not None:
        match event:
            case Homed():
                bridge.acknowledge(event)
                return True
            case Faulted(code=FaultCode.PATH_NOT_EMPTY):
                bridge.acknowledge(event)
                return False
            case Faulted(latch_id=later) if later > latch:
                keep(event)
                return False
            case _:
                keep(event)
    return False


def clear_and_home(bridge: Bridge) -> None:
    """Settle the machine's journal, acknowledge its fault and begin to home it; people have cleared the path.

    Raises:
        controller.errors.Unattended: the machine refuses one of them, and the next is not sent.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    status = bridge.status()
    if status.phase not in ENDED:
        must_take(bridge, Clear(status.last_id, Verdict.TAKEN_OUT))
    _begin_homing(bridge, status)


def _begin_homing(bridge: Bridge, status: StatusReply) -> None:
    """Acknowledge the latch that holds the machine, and have it home unless it is at that already."""
    if status.latch_id:
        must_take(bridge, Acknowledge(status.latch_id))
    if status.state is not MachineState.HOMING:
        must_take(bridge, Home())


def question_for(status: StatusReply, able: Capability) -> AskPeople:
    """Return what people are asked to do about a latch that leaves the deal as it is.

    The panel has no question for it, but for a lifted tray: the key turned says that it is done. Without a key the path
    is cleared.
    """
    for switch, tray in _LIFTED.items():
        if status.fault is FaultCode.TRAY_LIFTED and switch in status.sensors:
            return AskPeople(asked=Asked.REPLACE_TRAY, a=tray)
    if Capability.DIRECTOR_KEY in able:
        return AskPeople(asked=Asked.NOTHING, a=status.fault)
    return AskPeople(asked=Asked.CLEAR_PATH)


def have_done(
    bridge: Bridge,
    question: AskPeople,
    *,
    people_us: int,
    asking: Callable[[AskPeople], None],
    keep: Callable[[Event], object],
) -> None:
    """Ask the people to do something, and wait until they say that it is done.

    Args:
        bridge: the machine.
        question: what they are asked; where it is nothing, the director's key is waited for.
        people_us: how long they may take.
        asking: called with the question.
        keep: given every other event that comes meanwhile.

    Raises:
        controller.errors.Unattended: nobody answers, or the panel does not ask.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    by_key = question.asked is Asked.NOTHING
    if not by_key:
        must_take(bridge, Ask(question.asked, question.a, question.b))
    asking(question)
    deadline_us = bridge.now_us() + people_us
    while (event := bridge.next_event(deadline_us=deadline_us)) is not None:
        if isinstance(event, KeyTurned) if by_key else isinstance(event, Answered) and event.asked is question.asked:
            bridge.acknowledge(event)
            return
        keep(event)
    raise Unattended(_NOT_DONE.get(question.asked, "nobody cleared the path of the machine"))


_NOT_DONE: Final = {Asked.REPLACE_TRAY: "nobody put the tray back", Asked.NOTHING: "nobody turned the director's key"}

_FIRST: Final = {
    Status.BUSY: "let it come to rest",
    Status.NOT_NOW: "take every card out of its path, close its lid and release its stop",
    Status.UNKNOWN: "plug in a machine that can do that",
}
"""What people must do before a machine takes what it refused with this status."""
