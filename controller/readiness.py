"""Brings a machine to where it can take a command: fault acknowledged, path empty or known, homed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from controller.acts import AskPeople
from controller.errors import Unattended
from firmware_bridge.events import Answered, Event, Faulted, Homed
from firmware_bridge.messages import Acknowledge, Ask, Clear, Home
from firmware_bridge.reconcile import ENDED
from firmware_bridge.words import Asked, FaultCode, MachineState, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_bridge.bridge import Bridge

HOME_US: Final = 5_000_000
"""How long homing may take; the reference machine takes 0.3 s."""

_TRIES: Final = 3


def make_ready(bridge: Bridge, *, people_us: int, asking: Callable[[AskPeople], None]) -> None:
    """Bring an idle machine to READY; people are asked to clear the path where a card stands in it.

    Args:
        bridge: the machine.
        people_us: how long people may take.
        asking: called with the question that the panel puts to them.

    Raises:
        controller.errors.Unattended: nobody clears the path.
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    for _ in range(_TRIES):
        status = bridge.status()
        if status.phase not in ENDED:
            _have_path_cleared(bridge, people_us, asking)
            bridge.command(Clear(status.last_id, Verdict.TAKEN_OUT))
        if status.state is MachineState.READY or home(bridge, keep=bridge.acknowledge):
            return
        _have_path_cleared(bridge, people_us, asking)
    raise Unattended("the path of the machine is still not empty")


def home(bridge: Bridge, *, keep: Callable[[Event], object]) -> bool:
    """Acknowledge the machine's fault, home it, and say whether it found its switches.

    Args:
        bridge: the machine.
        keep: given every other event that comes meanwhile.

    Raises:
        firmware_bridge.errors.BridgeError: the machine does not answer.
    """
    status = bridge.status()
    if status.fault is not FaultCode.NONE:
        bridge.command(Acknowledge(status.latch_id))
    bridge.command(Home())
    deadline_us = bridge.now_us() + HOME_US
    while (event := bridge.next_event(deadline_us=deadline_us)) is not None:
        match event:
            case Homed():
                bridge.acknowledge(event)
                return True
            case Faulted(code=FaultCode.PATH_NOT_EMPTY):
                bridge.acknowledge(event)
                return False
            case _:
                keep(event)
    return False


def _have_path_cleared(bridge: Bridge, people_us: int, asking: Callable[[AskPeople], None]) -> None:
    """Ask the people to clear the path, and wait until they say that it is clear."""
    bridge.command(Ask(Asked.CLEAR_PATH, 0, 0))
    asking(AskPeople(asked=Asked.CLEAR_PATH))
    deadline_us = bridge.now_us() + people_us
    while (event := bridge.next_event(deadline_us=deadline_us)) is not None:
        bridge.acknowledge(event)
        if isinstance(event, Answered) and event.asked is Asked.CLEAR_PATH:
            return
    raise Unattended("nobody cleared the path of the machine")
