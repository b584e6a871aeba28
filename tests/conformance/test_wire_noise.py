"""A pack goes through the simulated machine over a line that loses, flips or doubles bytes, and no card goes twice."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TypeVar

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.events import Answered, AtWindow, Delivered, Event, Faulted, Homed
from firmware_bridge.messages import Acknowledge, Ask, Feed, Home, Route
from firmware_bridge.words import Asked, FaultCode, Phase, Status, Tray

PACK = 52
MOVED_WITHIN_US = 5_000_000

_E = TypeVar("_E", bound=Event)


def await_event(bridge: Bridge, kind: type[_E]) -> _E:
    """Return the next event of the kind, each one acknowledged; a fault is a failure."""
    while (event := bridge.next_event(deadline_us=bridge.now_us() + MOVED_WITHIN_US)) is not None:
        bridge.acknowledge(event)
        assert not isinstance(event, Faulted), event
        if isinstance(event, kind):
            return event
    pytest.fail(f"no {kind.__name__} came")


@pytest.mark.parametrize("scenario", ["plain", "dropped_bytes", "flipped_bytes", "doubled_bytes"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_card_goes_once(scenario: str, seed: int) -> None:
    if not entry_points(group="pone.ports", name="sim"):
        pytest.skip("sim:// is not registered: the project is not installed")
    with Bridge.open(f"sim://wire-noise-{scenario}-{seed}?scenario={scenario}&seed={seed}") as bridge:
        if bridge.hello.fault is not FaultCode.NONE:
            bridge.command(Acknowledge(bridge.status().latch_id))
        bridge.command(Home())
        await_event(bridge, Homed)
        bridge.command(Ask(Asked.LOAD_PACK, 0, 0))
        await_event(bridge, Answered)
        for command_id in range(1, PACK + 1):
            taken = bridge.command(Feed(command_id))
            assert taken.status in (Status.OK, Status.DUPLICATE)
            assert await_event(bridge, AtWindow).command_id == command_id
            tray = Tray(command_id % 4)
            assert bridge.command(Route(command_id, tray)).status in (Status.OK, Status.DUPLICATE)
            delivered = await_event(bridge, Delivered)
            assert (delivered.command_id, delivered.tray) == (command_id, tray)
        status = bridge.status()
        assert (status.last_id, status.phase) == (PACK, Phase.DONE)
        assert (status.count_n, status.count_e, status.count_s, status.count_w) == (13, 13, 13, 13)
        troubled = bridge.session.decoder.bad_frames + bridge.session.resent + bridge.session.strays
        assert (troubled > 0) is (scenario != "plain")
