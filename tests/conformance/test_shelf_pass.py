"""A pack is shuffled and cut over a noisy line: each shelf pass goes once, and the order is what was asked for."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TypeVar

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.events import Answered, Event, Faulted, Homed, Sorted
from firmware_bridge.messages import Ask, Home, ShelfPass
from firmware_bridge.words import Asked, Status
from hardware_sims.world import world_named

PACK = 52
WITHIN_US = 20_000_000

_E = TypeVar("_E", bound=Event)


def await_event(bridge: Bridge, kind: type[_E]) -> _E:
    """Return the next event of the kind, each one acknowledged; a fault is a failure."""
    while (event := bridge.next_event(deadline_us=bridge.now_us() + WITHIN_US)) is not None:
        bridge.acknowledge(event)
        assert not isinstance(event, Faulted), event
        if isinstance(event, kind):
            return event
    pytest.fail(f"no {kind.__name__} came")


def packed(shelves: list[int]) -> bytes:
    return sum(shelf << 3 * number for number, shelf in enumerate(shelves)).to_bytes(24, "little")


@pytest.mark.parametrize("scenario", ["plain", "dropped_bytes", "flipped_bytes", "doubled_bytes"])
@pytest.mark.parametrize("seed", [1, 2])
def test_two_passes_reverse_the_pack_and_the_cut_is_weighed(scenario: str, seed: int) -> None:
    if not entry_points(group="pone.ports", name="sim"):
        pytest.skip("sim:// is not registered: the project is not installed")
    name = f"shelf-pass-{scenario}-{seed}"
    with Bridge.open(f"sim://{name}?scenario={scenario}&seed={seed}") as bridge:
        bridge.command(Home())
        await_event(bridge, Homed)
        bridge.command(Ask(Asked.LOAD_PACK, 0, 0))
        await_event(bridge, Answered)
        # The card fed as number n is to come to place 51 - n: by its units first, then by its eights.
        first = [(PACK - 1 - n) % 8 for n in range(PACK)]
        second = [(PACK - 1 - n) // 8 for n in sorted(range(PACK), key=lambda n: first[n])]
        for command_id, shelves in enumerate((first, second), start=1):
            taken = bridge.command(ShelfPass(command_id, PACK, packed(shelves)))
            assert taken.status in (Status.OK, Status.DUPLICATE)
            done = await_event(bridge, Sorted)
            assert (done.command_id, done.cards) == (command_id, PACK)
            assert list(done.counts) == [shelves.count(shelf) for shelf in range(8)]
        deal = world_named(name).truth().deals[-1]
        assert deal.of("hopper") == deal.laid[::-1]
        bridge.command(Ask(Asked.CUT, 0, 0))
        cut = await_event(bridge, Answered)
        world = world_named(name)
        assert abs(cut.a - world._plan.upper_packet(1, PACK)) <= cut.c
