"""Simulated machines for one contract: in memory on virtual time, and behind a terminal at free and at real pace."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from itertools import count
from typing import Final, TypeVar

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.events import Answered, Event, Faulted, Homed
from firmware_bridge.messages import Acknowledge, Ask, Home
from firmware_bridge.words import Asked, FaultCode
from hardware_sims.plan import PeopleAtTheTable, Scenario
from hardware_sims.pty import Pace, PtyMachine
from hardware_sims.scenario import load_scenario
from hardware_sims.world import World, world_named
from vision.cards import Pack

FULL: Final = os.environ.get("PONE_SWEEP") == "full"
"""Whole packs at real pace over every line, which take minutes; else as many cards as fit into the tests of a push."""

PACK: Final = 52
FEW: Final = PACK if FULL else 10
"""Cards of a pack at real pace: enough for two shelves to take more than one in each pass."""

LINES: Final = ("plain", "dropped_bytes", "flipped_bytes", "doubled_bytes")


def cases(*seeds: int) -> list[tuple[str, str, int, int]]:
    """Return the wires to try: how the machine is reached, the scenario of the line, the pack's cards and the seed.

    One seed is enough where a second is a second.
    """
    return [
        *(("sim", line, PACK, seed) for line in LINES for seed in seeds),
        *(("free", line, PACK, seeds[0]) for line in LINES),
        *(("real", line, FEW, seeds[0]) for line in (LINES if FULL else ("plain",))),
    ]


WITHIN_US: Final = 30_000_000
_NAMES = count(1)
_E = TypeVar("_E", bound=Event)


@dataclass(frozen=True, kw_only=True)
class Connected:
    """A conversation with a machine that has a pack, and the world around that machine."""

    bridge: Bridge
    world: World


class _OverError(Exception):
    """The test is over."""


@contextmanager
def connected(wire: str, line: str, cards: int, seed: int) -> Iterator[Connected]:
    """Open a machine: `sim` in memory, or at `free` or `real` pace behind a terminal; home it, have a pack laid in."""
    if wire == "sim":
        if not entry_points(group="pone.ports", name="sim"):
            pytest.skip("sim:// is not registered: the project is not installed")
        name = f"conformance-{next(_NAMES)}"
        with Bridge.open(f"sim://{name}?scenario={line}&seed={seed}") as bridge:
            _lay_in(bridge)
            yield Connected(bridge=bridge, world=world_named(name))
        return
    world = World(_scenario(line, cards), seed=seed)
    with _served(world, "real" if wire == "real" else "free") as device, Bridge.open(device) as bridge:
        _lay_in(bridge)
        yield Connected(bridge=bridge, world=world)


def _scenario(line: str, cards: int) -> Scenario:
    """Return a shipped scenario with so many cards in its pack, and people who take no time."""
    scenario = load_scenario(line)
    deal = replace(scenario.deal(1), order=Pack.of(PACK).cards[:cards])
    return replace(scenario, people=PeopleAtTheTable(load_ms=0, cut_ms=0), deals=(deal,))


@contextmanager
def _served(world: World, pace: Pace) -> Iterator[str]:
    """Serve a machine from a thread of its own, and give its terminal."""
    machine = PtyMachine(world, pace=pace)
    over = threading.Event()

    def moved() -> None:
        if over.is_set():
            raise _OverError

    def serve() -> None:
        with pytest.raises(_OverError):
            machine.serve(moved=moved)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield machine.device
    finally:
        over.set()
        thread.join()
        machine.close()


def _lay_in(bridge: Bridge) -> None:
    if bridge.hello.fault is not FaultCode.NONE:
        bridge.command(Acknowledge(bridge.status().latch_id))
    bridge.command(Home())
    await_event(bridge, Homed)
    bridge.command(Ask(Asked.LOAD_PACK, 0, 0))
    await_event(bridge, Answered)


def await_event(bridge: Bridge, kind: type[_E]) -> _E:
    """Return the next event of the kind, each one acknowledged; a fault is a failure."""
    while (event := bridge.next_event(deadline_us=bridge.now_us() + WITHIN_US)) is not None:
        bridge.acknowledge(event)
        assert not isinstance(event, Faulted), event
        if isinstance(event, kind):
            return event
    pytest.fail(f"no {kind.__name__} came")
