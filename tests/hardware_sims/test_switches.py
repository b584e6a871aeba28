"""Lid, emergency stop, supply, heat, lamp, motor, board and trays: at every phase, and what the machine says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import AtWindow, Booted, Delivered
from firmware_bridge.messages import Acknowledge, Ask, Clear, Feed, Hello, Home, Jog, Route, Stop, StopNow
from firmware_bridge.words import (
    Asked,
    Capability,
    FaultCode,
    MachineState,
    Motor,
    Phase,
    ResetCause,
    Sensor,
    Status,
    Tray,
    Verdict,
)
from hardware_sims.firmware import ALL
from hardware_sims.switches import sensed

Make = Callable[..., Any]

DOINGS = {
    "feed": ("intent", 40, Phase.UNKNOWN),
    "feed_not_begun": ("intent", 0, Phase.UNKNOWN),
    "window": ("shown", 10, Phase.SHOWN),
    "route": ("routed", 60, Phase.UNKNOWN),
    "end": ("done", 0, Phase.DONE),
    "idle": ("done", 50, Phase.DONE),
    "pass": ("pass", 3_000, Phase.UNKNOWN),
    "offering": ("offer", 100, Phase.NONE),
    "homing": ("home", 100, Phase.NONE),
}
"""What is under way: the moment of the scenario; how long after it, ms; the phase at which a hard stop leaves it."""


def play(client: Any, doing: str) -> None:
    """Let the machine come to what is under way."""
    match doing:
        case "offering":
            client.request(Ask(Asked.CUT, 0, 0))
        case "homing":
            client.request(Home())
        case "pass":
            client.sort(1, [0, 1, 2, 3] * 13)
        case _:
            client.request(Feed(1))
            if doing not in ("feed", "feed_not_begun"):
                client.wait_for(AtWindow)
            if doing in ("route", "end", "idle"):
                client.request(Route(1, Tray.N))


def with_act(machine: Make, doing: str, *acts: str) -> Any:
    """Return a client whose machine has a pack, and where people do something at a moment of `doing`."""
    moment, after_ms, _ = DOINGS[doing]
    at = 2 if moment == "home" else 1
    texts = [f'{act}\nphase = "{moment}"\nat = {at}\nafter_ms = {after_ms + late}' for late, act in enumerate(acts)]
    client = machine("[[deal]]\n" + "\n".join(f"[[deal.act]]\n{text}" for text in texts))
    client.wait_for(Booted)
    client.ask(Asked.LOAD_PACK)
    client.home()
    return client


def where(client: Any) -> list[tuple[int, str]]:
    return [(card.number, card.place) for card in client.world.truth().deals[-1].cards]


@pytest.mark.parametrize("doing", DOINGS)
@pytest.mark.parametrize(
    ("opens", "closes", "code"),
    [("open_lid", "close_lid", FaultCode.LID_OPEN), ("press_e_stop", "release_e_stop", FaultCode.E_STOP)],
)
def test_an_interlock_stops_everything_where_it_is(
    machine: Make, doing: str, opens: str, closes: str, code: FaultCode
) -> None:
    client = with_act(machine, doing, f'what = "{opens}"')
    play(client, doing)
    fault = client.fault()
    assert (fault.code, fault.phase) == (code, DOINGS[doing][2])
    found = where(client)
    client.run(20_000_000)
    assert where(client) == found, "nothing moves any more"
    assert client.status().sensors & (Sensor.LID | Sensor.E_STOP)
    assert client.request(Home()).status is Status.LATCHED
    assert client.request(Acknowledge(fault.latch_id)).status is Status.OK
    assert client.request(Home()).status is Status.NOT_NOW, "the interlock is open still"
    client.world._mechanism.switches.release(Sensor.LID | Sensor.E_STOP)
    client.world._firmware.switched()
    client.run(5_000_000)
    assert where(client) == found, "closing it moves nothing"
    if fault.phase is Phase.UNKNOWN:
        client.request(Clear(1, Verdict.TAKEN_OUT))
    if doing != "window":
        client.ask(Asked.CLEAR_PATH)
    client.home()
    if doing == "window":
        assert client.status().state is MachineState.SHOWING
        client.route(1, Tray.N)


def test_what_is_over_by_the_time_of_the_stop_is_said_first(machine: Make) -> None:
    client = with_act(machine, "end", 'what = "open_lid"')
    play(client, "end")
    assert client.wait_for(Delivered).tray is Tray.N


def test_a_lid_opened_while_latched_is_no_second_latch_but_keeps_from_homing(machine: Make) -> None:
    client = with_act(machine, "idle", 'what = "open_lid"')
    client.feed(1)
    client.request(Stop())
    stopped = client.fault()
    client.world._mechanism.switches.close(Sensor.LID)
    client.world._firmware.switched()
    assert client.status().latch_id == stopped.latch_id
    client.request(Acknowledge(stopped.latch_id))
    assert client.request(Home()).status is Status.NOT_NOW


def test_a_machine_that_starts_with_its_lid_open_is_latched(machine: Make) -> None:
    client = machine(
        '[[deal]]\n[[deal.act]]\nwhat = "open_lid"\nphase = "loaded"\n'
        '[[deal.fault]]\nkind = "reset"\nphase = "loaded"\nafter_ms = 10'
    )
    client.wait_for(Booted)
    client.ask(Asked.LOAD_PACK)
    client.wait_for(Booted)
    hello = client.request(Hello())
    assert (hello.state, hello.fault, client.status().latch_id) == (MachineState.LATCHED, FaultCode.LID_OPEN, 1)


@pytest.mark.parametrize("doing", ["feed", "window", "route", "idle", "pass", "homing"])
@pytest.mark.parametrize(
    ("fault", "code", "detail"),
    [
        ('kind = "supply_sag"\nmv = 20_500\nfor_ms = 300', FaultCode.SUPPLY_LOW, 20_500),
        ('kind = "overheated"\ncelsius = 91\nfor_ms = 300', FaultCode.TOO_HOT, 91),
    ],
)
def test_a_gauge_lets_the_card_in_transit_end_first(
    machine: Make, doing: str, fault: str, code: FaultCode, detail: int
) -> None:
    moment, after_ms, _ = DOINGS[doing]
    at = 2 if moment == "home" else 1
    client = machine(f'[[deal]]\n[[deal.fault]]\n{fault}\nphase = "{moment}"\nafter_ms = {after_ms}\nat = {at}')
    client.wait_for(Booted)
    client.ask(Asked.LOAD_PACK)
    client.home()
    play(client, doing)
    said = client.fault()
    assert (said.code, said.detail) == (code, detail)
    ended = {"feed": Phase.SHOWN, "route": Phase.DONE, "pass": Phase.DONE}.get(doing, DOINGS[doing][2])
    assert said.phase is ended
    assert not [card for card in client.world.truth().deals[-1].cards if card.place == "path" and doing == "route"]
    client.request(Acknowledge(said.latch_id))
    client.run(400_000)
    client.home()


def test_supply_and_heat_keep_from_homing_and_are_told(machine: Make) -> None:
    client = machine('[[deal]]\n[[deal.fault]]\nkind = "supply_sag"\nmv = 20_000\nfor_ms = 2000\nphase = "loaded"')
    client.wait_for(Booted)
    client.home()
    assert (client.status().supply_mv, client.status().temperature_c) == (24_000, 35)
    client.ask(Asked.LOAD_PACK)
    fault = client.fault()
    assert client.status().supply_mv == 20_000
    client.request(Acknowledge(fault.latch_id))
    assert client.request(Home()).status is Status.NOT_NOW
    client.run(2_000_000)
    client.home()


def test_a_deeper_sag_starts_the_machine_anew(faulty: Make) -> None:
    client = faulty('kind = "supply_sag"\nmv = 9_000\nfor_ms = 50\nphase = "intent"')
    client.request(Feed(1))
    assert client.wait_for(Booted).reset_cause is ResetCause.BROWN_OUT


@pytest.mark.parametrize(("doing", "stalls"), [("feed", True), ("route", True), ("pass", True), ("window", False)])
def test_a_motor_that_stalls_is_seen_while_it_turns(machine: Make, doing: str, stalls: bool) -> None:
    moment, after_ms, phase = DOINGS[doing]
    client = machine(f'[[deal]]\n[[deal.fault]]\nkind = "motor_stalled"\nphase = "{moment}"\nafter_ms = {after_ms}')
    client.wait_for(Booted)
    client.ask(Asked.LOAD_PACK)
    client.home()
    play(client, doing)
    client.run(12_000_000)
    faults = [event for event in client.events if getattr(event, "code", None) is FaultCode.MOTOR_STALLED]
    assert [fault.phase for fault in faults] == ([phase] if stalls else [])


def test_a_dead_lamp_latches_with_the_card_in_the_window(faulty: Make) -> None:
    client = faulty('kind = "lamp_failed"\nat = 2')
    client.deal(1)
    client.request(Feed(2))
    fault = client.fault()
    assert (fault.code, fault.phase, fault.command_id) == (FaultCode.LAMP_FAILED, Phase.SHOWN, 2)
    assert client.status().lamp == 0
    assert not [event for event in client.events if isinstance(event, AtWindow)]
    client.request(Acknowledge(fault.latch_id))
    client.home()
    client.route(2, Tray.REJECT)


def test_without_a_check_of_the_lamp_the_window_just_stays_dark(faulty: Make) -> None:
    client = faulty('kind = "lamp_failed"\nat = 1', more='[machine]\nlacks = ["lamp_check"]')
    client.feed(1)
    assert client.status().lamp == 0
    assert not client.world.window_scene(client.now_us).lamp


def test_a_card_is_not_sent_to_a_tray_that_is_lifted(faulty: Make) -> None:
    client = faulty(acts=['what = "lift_tray"\nseat = "E"\nphase = "shown"'])
    client.feed(1)
    client.run(1_000)
    assert Sensor.LIFTED_E in client.status().sensors
    assert client.request(Route(1, Tray.E)).status is Status.LATCHED
    fault = client.fault()
    assert (fault.code, fault.detail, fault.phase) == (FaultCode.TRAY_LIFTED, Tray.E, Phase.SHOWN)
    assert client.ask(Asked.REPLACE_TRAY, Tray.E).a == Tray.E
    assert Sensor.LIFTED_E not in client.status().sensors
    client.request(Acknowledge(fault.latch_id))
    client.home()
    client.route(1, Tray.E)


def test_a_tray_may_be_lifted_and_put_back_between_two_cards(faulty: Make) -> None:
    lift, back = ('what = "lift_tray"', 'what = "put_tray_back"')
    acts = [f'{what}\nseat = "N"\nphase = "shown"\nafter_ms = {ms}' for what, ms in ((lift, 5), (back, 50))]
    client = faulty(acts=acts)
    client.feed(1)
    client.run(60_000)
    client.route(1, Tray.N)


def test_a_full_tray_takes_no_card(faulty: Make) -> None:
    client = faulty('kind = "tray_full"\ntray = "STOCK"\nat = 2')
    client.feed(1)
    client.route(1, Tray.STOCK)
    client.feed(2)
    assert client.request(Route(2, Tray.STOCK)).status is Status.LATCHED
    fault = client.fault()
    assert (fault.code, fault.detail) == (FaultCode.TRAY_FULL, Tray.STOCK)
    client.request(Acknowledge(fault.latch_id))
    client.home()
    client.route(2, Tray.REJECT)
    account = client.world.truth().deals[-1]
    assert (len(account.of("STOCK")), len(account.of("REJECT"))) == (1, 1)
    assert client.status().count_stock == 1


def test_a_board_taken_away_while_cards_come_is_a_fault_after_the_card(faulty: Make) -> None:
    act = 'what = "take_board"\nphase = "routed"\nafter_ms = 10'
    client = faulty(acts=[act], more="[machine]\nboard = 1")
    assert Sensor.BOARD in client.status().sensors
    client.feed(1)
    client.route(1, Tray.N)
    assert client.fault().code is FaultCode.BOARD_ABSENT


def test_a_board_taken_away_between_two_deals_is_none(faulty: Make) -> None:
    client = faulty(acts=['what = "take_board"\nphase = "done"\nafter_ms = 50'], more="[machine]\nboard = 1")
    client.deal(1)
    client.run(100_000)
    assert Sensor.BOARD not in client.status().sensors
    assert client.status().state is MachineState.READY


def test_a_machine_without_calibration_is_never_ready(machine: Make) -> None:
    client = machine("[machine]\ncalibrated = 0")
    client.wait_for(Booted)
    status = client.status()
    assert (status.state, status.fault, status.latch_id) == (MachineState.LATCHED, FaultCode.UNCALIBRATED, 1)
    client.request(Acknowledge(1))
    assert client.request(Home()).status is Status.OK
    assert client.fault().code is FaultCode.UNCALIBRATED


def test_stop_now_is_taken_in_every_state(machine: Make) -> None:
    client = machine()
    client.wait_for(Booted)
    assert client.request(StopNow()).status is Status.OK
    assert client.fault().code is FaultCode.STOPPED_NOW
    assert client.request(StopNow()).status is Status.OK
    assert client.status().latch_id == 1


def test_service_moves_a_motor_and_the_machine_is_then_unhomed(machine: Make) -> None:
    client = machine()
    client.wait_for(Booted)
    client.home()
    assert client.request(Jog(Motor.TURRET, 600_000)).status is Status.MALFORMED
    assert client.request(Jog(Motor.TURRET, -5_000)).status is Status.OK
    assert client.request(Jog(Motor.TURRET, 1)).status is Status.BUSY
    client.run(60_000)
    assert client.status().state is MachineState.UNHOMED
    client.home()
    client.ask(Asked.LOAD_PACK)
    client.feed(1)
    assert client.request(Jog(Motor.PICK, 100)).status is Status.NOT_NOW
    assert machine('[machine]\nlacks = ["jog"]').request(Jog(Motor.PICK, 1)).status is Status.UNKNOWN


# --- what a machine lacks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lack", [part for part in Capability if part.name], ids=lambda part: part.name)
def test_hello_says_what_the_machine_lacks(machine: Make, lack: Capability) -> None:
    client = machine(f'[machine]\nlacks = ["{str(lack.name).lower()}"]')
    assert client.request(Hello()).capabilities == ALL & ~lack


@pytest.mark.parametrize(
    ("lack", "act"),
    [("lid", 'what = "open_lid"'), ("e_stop", 'what = "press_e_stop"'), ("touch", 'what = "lift_tray"\nseat = "N"')],
)
def test_what_is_not_there_feels_nothing(faulty: Make, lack: str, act: str) -> None:
    client = faulty(acts=[f'{act}\nphase = "shown"'], more=f'[machine]\nlacks = ["{lack}"]')
    client.deal(2)
    assert not client.status().sensors & (Sensor.LID | Sensor.E_STOP | Sensor.LIFTED_N)


def test_the_simplest_machine_deals_nevertheless(machine: Make) -> None:
    most = [part.name.lower() for part in Capability if part.name and part is not Capability.PANEL]
    client = machine(f"[machine]\nlacks = {most}".replace("'", '"'))
    client.begin()
    assert client.feed(1).thickness_um == 0
    arrived = client.route(1, Tray.W)
    assert (arrived.tray, arrived.count) == (Tray.W, 0)
    status = client.status()
    assert (status.supply_mv, status.temperature_c) == (0, 0)
    client.feed(2)
    assert client.request(Route(2, Tray.STOCK)).status is Status.NOT_NOW
    assert client.request(Route(2, Tray.TRUMP)).status is Status.NOT_NOW


def test_every_switch_belongs_to_a_capability() -> None:
    assert sensed(ALL) == Sensor(sum(Sensor))
    assert sensed(Capability.NONE) == (
        Sensor.HOPPER
        | Sensor.ENTRY
        | Sensor.WINDOW
        | Sensor.EXIT
        | Sensor.TRAY_N
        | Sensor.TRAY_E
        | Sensor.TRAY_S
        | Sensor.TRAY_W
        | Sensor.TRAY_REJECT
    )
