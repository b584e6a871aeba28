"""A pack goes through the simulated machine over a line that loses, flips or doubles bytes, and no card goes twice."""

from __future__ import annotations

import pytest

from firmware_bridge.events import AtWindow, Delivered
from firmware_bridge.messages import Feed, Route
from firmware_bridge.words import Phase, Status, Tray
from tests.conformance.machines import PACK, await_event, cases, connected


@pytest.mark.parametrize(("wire", "line", "cards", "seed"), cases(1, 2, 3))
def test_every_card_goes_once(wire: str, line: str, cards: int, seed: int) -> None:
    with connected(wire, line, cards, seed) as machine:
        bridge = machine.bridge
        for command_id in range(1, cards + 1):
            taken = bridge.command(Feed(command_id))
            assert taken.status in (Status.OK, Status.DUPLICATE)
            assert await_event(bridge, AtWindow).command_id == command_id
            tray = Tray(command_id % 4)
            assert bridge.command(Route(command_id, tray)).status in (Status.OK, Status.DUPLICATE)
            delivered = await_event(bridge, Delivered)
            assert (delivered.command_id, delivered.tray) == (command_id, tray)
        status = bridge.status()
        assert (status.last_id, status.phase) == (cards, Phase.DONE)
        counted = (status.count_n, status.count_e, status.count_s, status.count_w)
        assert counted == tuple(sum(k % 4 == tray for k in range(1, cards + 1)) for tray in range(4))
        troubled = bridge.session.decoder.bad_frames + bridge.session.resent + bridge.session.strays
        if wire == "sim":
            assert (troubled > 0) is (line != "plain")
        elif cards == PACK and line != "plain":
            assert troubled > 0
