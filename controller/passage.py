"""One card after another without a deal: fed, looked at and routed, for checks of a pack and tests of a machine.

Nothing of this is a deal, so nothing is gone on with after a break: the machine is made ready again and the pack laid
in anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.deal_notes import MISFEEDS_MAX
from controller.errors import PassageBroken
from controller.incident import Recovery
from controller.incidents import INCIDENTS
from controller.patience import CARD_US, DARK_US, LOOK_US
from controller.readiness import TAKEN
from controller.window_sensors import CardSize, finding
from firmware_bridge.events import AtWindow, Delivered, Event, Faulted
from firmware_bridge.messages import Feed, Request, Route
from firmware_bridge.words import FaultCode, Tray

if TYPE_CHECKING:
    from controller.eye import Eye
    from firmware_bridge.bridge import Bridge
    from vision.sighting import Sighting


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """One card that went through.

    Attributes:
        k: its number, from 1.
        finding: the incident that the window's sensors showed; empty for one good card.
        sighting: what the eye said.
        sent: where it was routed.
        arrived: whose counter saw it.
    """

    k: int
    finding: str
    sighting: Sighting
    sent: Tray
    arrived: Tray

    @property
    def single(self) -> bool:
        """Whether one card went through: one that slipped, lay askew or is torn is one card all the same."""
        return not self.finding or INCIDENTS[self.finding].recovery is Recovery.NOTE


def passages(bridge: Bridge, eye: Eye, card: CardSize, *, tray_of: Callable[[int], Tray]) -> Iterator[Passed]:
    """Send card after card through the window until the hopper is empty, giving each when it has arrived.

    Args:
        bridge: a machine that is ready, with a pack in the hopper.
        eye: looks at the window.
        card: one card as the sensors feel it.
        tray_of: where the card of a number, from 1, is sent.

    Raises:
        PassageBroken: the machine found a fault, or says nothing any more.
        firmware_bridge.errors.BridgeError: the link is lost.
        vision.errors.CameraLost: the camera is gone.
    """
    command_id = bridge.status().last_id
    k, misfeeds = 1, 0
    while True:
        command_id += 1
        came = _moved(bridge, eye, Feed(command_id), k)
        if isinstance(came, Faulted):
            misfeeds += 1
            if came.code is FaultCode.HOPPER_EMPTY:
                return
            if misfeeds == MISFEEDS_MAX:
                raise PassageBroken("misfeed", k)
            continue
        if not isinstance(came, AtWindow):
            raise PassageBroken("machine_silent", k)
        misfeeds = 0
        now_us = bridge.now_us()
        sighting = eye.look(after_us=now_us, deadline_us=now_us + LOOK_US)
        tray = tray_of(k)
        arrived = _moved(bridge, eye, Route(command_id, tray), k)
        if not isinstance(arrived, Delivered):
            raise PassageBroken("machine_silent", k)
        yield Passed(k=k, finding=finding(came, card), sighting=sighting, sent=tray, arrived=arrived.tray)
        k += 1


def _moved(bridge: Bridge, eye: Eye, request: Request, k: int) -> Event:
    """Have a card moved, and return what came of it: where it stands or lies, or that none left the hopper."""
    if bridge.command(request).status not in TAKEN:
        raise PassageBroken("refused", k)
    now_us = bridge.now_us()
    eye.rest(after_us=now_us, deadline_us=now_us + DARK_US)
    deadline_us = bridge.now_us() + CARD_US
    while (event := bridge.next_event(deadline_us=deadline_us)) is not None:
        bridge.acknowledge(event)
        match event:
            case Faulted(code=FaultCode.MISFEED | FaultCode.HOPPER_EMPTY) | AtWindow() | Delivered():
                return event
            case Faulted(code=code):
                raise PassageBroken(code.name.lower(), k)
            case _:
                pass
    raise PassageBroken("machine_silent", k)
