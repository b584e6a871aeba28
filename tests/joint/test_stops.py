"""E-stop, lid and stop-now in every state of machine and deal: latched, released without a motion, lifted by its id."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from controller.deal_log import DealLog
from controller.deal_notes import DealNotes
from controller.dealer import Dealer
from controller.dealing import Dealing, Outcome
from controller.entropy import seeded_entropy
from controller.runner import Runner
from controller.states import DealState
from controller.table import Seat
from firmware_bridge.bridge import Bridge
from firmware_bridge.events import AtWindow, Booted, Delivered, Faulted, Homed, Sorted
from firmware_bridge.messages import Acknowledge, Ask, Feed, Home, Route, Stop, StopNow
from firmware_bridge.words import Asked, FaultCode, MachineState, Sensor, Status, Tray
from hardware_sims.scenario import parse_scenario
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import World, forget_worlds, world_named
from tests.controller.conftest import BY_HAND, SIZE, ByHand
from tests.hardware_sims.conftest import RawClient

M, D = MachineState, DealState
STOPS = {"e_stop": FaultCode.E_STOP, "lid_open": FaultCode.LID_OPEN, "stopped_now": FaultCode.STOPPED_NOW}
"""Each way to stop at once, by the name of its incident."""

_SWITCHES = {"e_stop": Sensor.E_STOP, "lid_open": Sensor.LID}
_PEOPLE = "[people]\nload_ms = 9_000\ncut_ms = 9_000\nmove_ms = 9_000\nclear_ms = 9_000\n"
MOVES = (AtWindow, Delivered, Homed, Sorted)
"""What a machine says of a motion."""


def press(world: World, stop: str) -> None:
    """Press the e-stop in, or open the lid."""
    world._mechanism.switches.close(_SWITCHES[stop])
    world._firmware.switched()


def release(world: World, stop: str) -> None:
    """Let the e-stop go, or close the lid."""
    if stop in _SWITCHES:
        world._mechanism.switches.release(_SWITCHES[stop])
        world._firmware.switched()


def lying(world: World) -> object:
    """Where every card is."""
    deals = world.truth().deals
    return deals[-1].cards if deals else ()


# --- the machine ---


def _booted(client: RawClient) -> None:
    client.wait_for(Booted)


def _homing(client: RawClient) -> None:
    client.wait_for(Booted)
    client.request(Home())


def _loaded(client: RawClient) -> None:
    client.wait_for(Booted)
    client.home()
    client.ask(Asked.LOAD_PACK)


def _sorting(client: RawClient) -> None:
    _loaded(client)
    client.sort(1, [k % 8 for k in range(52)])
    client.run(500_000)


def _offering(client: RawClient) -> None:
    _loaded(client)
    client.request(Ask(Asked.CUT, 0, 0))
    client.run(2_000_000)


def _feeding(client: RawClient) -> None:
    client.begin()
    client.request(Feed(1))
    client.run(60_000)


def _showing(client: RawClient) -> None:
    client.begin()
    client.feed(1)


def _routing(client: RawClient) -> None:
    _showing(client)
    client.request(Route(1, Tray.N))
    client.run(20_000)


def _latched(client: RawClient) -> None:
    client.begin()
    client.request(Stop())
    client.wait_for(Faulted)


WAYS: dict[MachineState, Callable[[RawClient], None]] = {
    M.UNHOMED: _booted,
    M.READY: lambda client: client.begin(),
    M.FEEDING: _feeding,
    M.SHOWING: _showing,
    M.ROUTING: _routing,
    M.LATCHED: _latched,
    M.HOMING: _homing,
    M.SORTING: _sorting,
    M.OFFERING: _offering,
}
"""How the machine comes into each state."""


def test_the_machine_is_stopped_in_every_state() -> None:
    assert set(WAYS) == set(MachineState)


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("state", WAYS, ids=lambda state: state.name)
def test_a_stop_of_the_machine_is_latched_and_its_release_moves_nothing(state: MachineState, stop: str) -> None:
    client = RawClient(World(parse_scenario(f"{_PEOPLE}[[deal]]\n", "stop.toml"), seed=7))
    WAYS[state](client)
    assert client.status().state is state
    if stop == "stopped_now":
        client.request(StopNow())
    else:
        press(client.world, stop)
    client.run(1_000_000)
    status = client.status()
    assert status.state is M.LATCHED
    assert status.fault is (FaultCode.STOPPED if state is M.LATCHED else STOPS[stop])
    lay = lying(client.world)
    client.events.clear()
    for _ in ("held", "released"):
        assert client.request(Feed(status.last_id + 1)).status is not Status.OK
        assert client.request(Home()).status is Status.LATCHED
        assert client.request(Acknowledge(status.latch_id + 1)).status is Status.NOT_NOW
        client.run(3_000_000)
        assert (client.status().state, client.status().latch_id) == (M.LATCHED, status.latch_id)
        release(client.world, stop)
    assert client.request(Acknowledge(status.latch_id)).status is Status.OK
    client.run(3_000_000)
    assert client.status().state is M.UNHOMED
    assert lying(client.world) == lay
    assert not [event for event in client.events if isinstance(event, MOVES)]


@pytest.mark.parametrize("stop", _SWITCHES)
def test_while_it_is_held_an_acknowledged_machine_is_not_homed(stop: str) -> None:
    client = RawClient(World(parse_scenario("", "stop.toml"), seed=7))
    client.begin()
    press(client.world, stop)
    client.wait_for(Faulted)
    client.acknowledge_latch()
    assert client.request(Home()).status is Status.NOT_NOW
    release(client.world, stop)
    client.home()
    assert client.status().state is M.READY


# --- the deal ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a deal comes into a state, and what becomes of one that is stopped there.

    Attributes:
        status: how it ends.
        faults: what is on record besides the stop.
        fault: a table of the scenario that brings it there.
        stop: whether the stop itself is on record.
        k: from which card on it is stopped.
    """

    status: str
    faults: tuple[str, ...] = ()
    fault: str = ""
    stop: bool = True
    k: int = 0


JAM = '[[deal.fault]]\nkind = "jam"\nat = 5\nwhere = "exit"\n'
DEALS: dict[DealState, Way] = {
    D.AWAITING_PACK: Way(status="completed"),
    D.SHUFFLING: Way(status="completed"),
    D.AWAITING_CUT: Way(status="completed"),
    D.FEEDING: Way(status="voided", k=6),
    D.LOOKING: Way(status="voided", k=6),
    D.ROUTING: Way(status="voided", k=6),
    D.HOLDING: Way(
        status="voided", faults=("double_feed",), fault='[[deal.fault]]\nkind = "double_feed"\nat = 5\n', k=6
    ),
    D.HALTED: Way(status="voided", faults=("jam_exit",), fault=JAM, stop=False),
    D.HOMING: Way(status="voided", faults=("jam_exit",), fault=JAM),
}
"""Before the first card a stop costs the pack that lies in the machine, and no deal."""

BY_THEMSELVES = {D.CUT, D.ENDED}
"""The deal rests in `CUT` while a right is open, and in `ENDED` there is none: both have tests of their own below."""


def test_a_deal_is_stopped_in_every_state() -> None:
    assert set(DEALS) | BY_THEMSELVES == set(DealState)


@dataclass(slots=True)
class Stopping:
    """Stops the machine once when the deal comes into a state, and lets it go again."""

    state: DealState
    stop: str
    k: int
    world: World
    done: bool = False

    def now(self, runner: Runner) -> None:
        """Stop, hold and release, if the deal is there."""
        if not self.done and runner.dealer.machine.state is self.state and runner.dealer.k >= self.k:
            self.done = True
            stopped(runner.bridge, self.world, self.stop)


def stopped(bridge: Bridge, world: World, stop: str) -> None:
    """Stop the machine, wrongly acknowledge it, and let it go: nothing moves."""
    if stop == "stopped_now":
        bridge.command(StopNow())
    else:
        press(world, stop)
    world.clock.run_until(world.clock.now_us() + 400_000)
    latch, lay = bridge.status().latch_id, lying(world)
    assert bridge.command(Acknowledge(latch + 1)).status is Status.NOT_NOW
    release(world, stop)
    world.clock.run_until(world.clock.now_us() + 400_000)
    status = bridge.status()
    assert (status.state, status.latch_id) == (M.LATCHED, latch)
    assert lying(world) == lay


_names = itertools.count()


def deals(folder: Path, fault: str, count: int) -> tuple[Dealing, World, DealLog, Any]:
    """Return a run of deals on a whole machine whose first pack has this fault."""
    file = folder / "stop.toml"
    file.write_text(f"{_PEOPLE}[[deal]]\n{fault}", encoding="utf-8")
    name = f"stops{next(_names)}"
    url = f"sim://{name}?seed=7&scenario={file}"
    log = DealLog.open(None, key_file=None, entropy=seeded_entropy(7))
    bridge = Bridge.open(url)
    world = world_named(name)
    dealing = Dealing(
        log=log,
        bridge=bridge,
        open_bridge=lambda: Bridge.open(url),
        eye=TruthEye(world),
        tell=lambda line: None,
        asking=lambda question: None,
        carried=lambda bridge: (),
        wait=lambda seconds: None,
        people_us=20_000_000,
    )
    return dealing, world, log, dealing.deals(count, Seat.S)


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("state", DEALS, ids=lambda state: state.name)
def test_a_stopped_deal_goes_on_only_when_it_was_acknowledged_and_homed(
    state: DealState, stop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = DEALS[state]
    dealing, world, log, run = deals(tmp_path, way.fault, 1)
    stopping = Stopping(state=state, stop=stop, k=way.k, world=world)
    for name in ("_wait", "_look"):
        plain = getattr(Runner, name)

        def watched(runner: Runner, plain: Any = plain) -> Any:
            stopping.now(runner)
            return plain(runner)

        monkeypatch.setattr(Runner, name, watched)
    outcome: Outcome = next(run)
    assert stopping.done
    assert outcome.ending.status == way.status
    lines = log.lines(outcome.deal)
    codes = [line["code"] for line in lines if line.get("fact") == "machine_fault"]
    assert codes == [*way.faults, *([stop] if way.stop else [])]
    told = [line["fact"] for line in lines if line.get("fact") in ("halted", "acknowledged")]
    assert told[:2] == ["halted", "acknowledged"]
    dealing.bridge.close()
    log.close()
    forget_worlds()


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_between_two_deals_costs_none(stop: str, tmp_path: Path) -> None:
    dealing, world, log, run = deals(tmp_path, "", 2)
    first: Outcome = next(run)
    stopped(dealing.bridge, world, stop)
    second: Outcome = next(run)
    assert [first.ending.status, second.ending.status] == ["completed", "completed"]
    dealing.bridge.close()
    log.close()
    forget_worlds()


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_while_a_right_is_open_on_the_cut_pack_has_it_laid_in_anew(stop: str) -> None:
    hand = ByHand(dealer=Dealer(notes=DealNotes(dealer=Seat.S), next_id=101, card=SIZE, able=BY_HAND))
    hand.begin_up_to_the_cut()
    hand.dealer.notes.note({"fact": "cut", "by": "E", "top": 20, "bottom": 32})
    hand.dealer.machine.cut_good()
    hand.say("E report exposed_on s")
    states: list[DealState] = [hand.state]
    hand.fault(STOPS[stop])
    states.append(hand.state)
    hand.answer(Asked.CLEAR_PATH)
    states.append(hand.state)
    hand.home()
    assert [*states, hand.state] == [D.CUT, D.HALTED, D.HOMING, D.AWAITING_PACK]
    assert hand.faults() == [(stop, None)]
