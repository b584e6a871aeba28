"""Every kind of fault: what the machine says of it, and what really became of the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import AtWindow, Booted, Delivered, Faulted
from firmware_bridge.messages import Ask, Clear, Feed, Heartbeat, Hello, Home, ReadStatus, Route
from firmware_bridge.words import Asked, FaultCode, MachineState, Phase, ResetCause, Sensor, Status, Tray, Verdict
from hardware_sims.truth import ASIDE, HOPPER, PATH

Make = Callable[..., Any]


def deal_of(client: Any) -> Any:
    """Return the present deal's account, each card being in exactly one place."""
    account = client.world.truth().deals[-1]
    assert sorted(card.card for card in account.cards) == sorted(account.laid)
    assert len({card.number for card in account.cards}) == len(account.laid)
    return account


def fault_of(client: Any, command_id: int, tray: Tray | None = None) -> Faulted:
    """Do the command that must fail, and return its fault."""
    assert client.request(Feed(command_id)).status is Status.OK
    if tray is not None:
        client.wait_for(AtWindow)
        assert client.request(Route(command_id, tray)).status is Status.OK
    fault: Faulted = client.wait_for(Faulted)
    assert fault.command_id == command_id
    return fault


# --- feeding ---------------------------------------------------------------------------------------------------------


def test_a_misfeed_leaves_the_machine_ready_and_is_no_passage(faulty: Make) -> None:
    client = faulty('kind = "misfeed"\nat = 2\ntimes = 2')
    client.deal(1)
    for command_id in (2, 3):
        fault = fault_of(client, command_id)
        assert (fault.code, fault.phase) == (FaultCode.MISFEED, Phase.ABORT)
        assert client.request(ReadStatus()).state is MachineState.READY
    client.deal(1, first_id=4)
    assert len(deal_of(client).passages) == 2


def test_an_empty_hopper_is_told_from_a_misfeed(machine: Make) -> None:
    client = machine()
    client.home()
    fault = fault_of(client, 1)
    assert (fault.code, fault.phase) == (FaultCode.HOPPER_EMPTY, Phase.ABORT)


def test_a_jam_at_the_entry_latches_with_the_card_on_the_path(faulty: Make) -> None:
    client = faulty('kind = "jam"\nat = 3\nwhere = "entry"')
    client.deal(2)
    fault = fault_of(client, 3)
    assert (fault.code, fault.phase) == (FaultCode.JAM_ENTRY, Phase.UNKNOWN)
    status = client.request(ReadStatus())
    assert (status.state, status.lamp) == (MachineState.LATCHED, 0)
    assert Sensor.ENTRY in status.sensors
    assert Sensor.WINDOW not in status.sensors
    account = deal_of(client)
    assert account.of(PATH) == account.passages[-1]
    assert client.ask(Asked.CLEAR_PATH).c == 1
    account = deal_of(client)
    assert account.of(ASIDE) == account.passages[-1]


def test_a_jam_at_the_exit(faulty: Make) -> None:
    client = faulty('kind = "jam"\nat = 1\nwhere = "exit"')
    fault = fault_of(client, 1, Tray.N)
    assert (fault.code, fault.phase) == (FaultCode.JAM_EXIT, Phase.UNKNOWN)
    assert Sensor.EXIT in client.request(ReadStatus()).sensors
    assert len(deal_of(client).of(PATH)) == 1


@pytest.mark.parametrize(("overlap_mm", "length_um"), [(63.5, 63_520), (50.0, 77_000), (10.0, 80_000)])
def test_a_double_feed_is_thick_and_longer_than_a_card_and_counts_as_one(
    faulty: Make, overlap_mm: float, length_um: int
) -> None:
    client = faulty(f'kind = "double_feed"\nat = 2\noverlap_mm = {overlap_mm}')
    client.deal(1)
    shown = client.feed(2)
    assert 588 <= shown.thickness_um <= 612
    assert shown.length_um == length_um
    delivered = client.route(2, Tray.N)
    assert delivered.count == 1
    account = deal_of(client)
    assert account.of("N") == account.passages[1]
    assert len(account.passages[1]) == 2
    moved = client.ask(Asked.MOVE_CARD, Tray.N, Tray.E)
    assert (moved.a, moved.b, moved.c) == (Tray.N, Tray.E, 1)
    assert deal_of(client).of("E") == account.passages[1][1:]
    client.deal(1, first_id=3)


def test_the_last_card_alone_cannot_be_double_fed(machine: Make) -> None:
    client = machine('[[deal]]\norder = ["AS"]\ncut = 0\n[[deal.fault]]\nkind = "double_feed"\nat = 1')
    client.begin()
    assert client.feed(1).thickness_um < 310


def test_a_faced_card_shows_its_back(faulty: Make) -> None:
    client = faulty('kind = "faced_card"\nat = 1')
    client.feed(1)
    (card,) = client.world.window_scene(client.now_us).cards
    assert not card.face_to_camera
    client.route(1, Tray.TRUMP)
    client.feed(2)
    (card,) = client.world.window_scene(client.now_us).cards
    assert card.face_to_camera


def test_a_bad_pack_is_dealt_as_it_is(faulty: Make) -> None:
    client = faulty(
        'kind = "missing_card"\ncard = "7C"', 'kind = "foreign_card"\ncard = "J1"\ninstead_of = "QD"', cut=20
    )
    client.deal(51)
    dealt = Counter(card for passage in deal_of(client).passages for card in passage)
    assert sum(dealt.values()) == 51
    assert (dealt["7C"], dealt["QD"], dealt["J1"]) == (0, 0, 1)
    assert fault_of(client, 52).code is FaultCode.HOPPER_EMPTY


# --- sensors and gate ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sensor", ["entry", "window", "exit", "tray_n"])
def test_a_blocked_path_sensor_keeps_the_card_in_the_hopper(faulty: Make, sensor: str) -> None:
    client = faulty(f'kind = "sensor_stuck"\nsensor = "{sensor}"\nlevel = 1\nat = 3')
    client.deal(2)
    fault = fault_of(client, 3)
    assert (fault.code, fault.detail) == (FaultCode.SENSOR_STUCK, Sensor[sensor.upper()])
    assert len(deal_of(client).of(HOPPER)) == 50
    client.acknowledge_latch()
    client.request(Home())
    assert client.wait_for(Faulted).code is FaultCode.PATH_NOT_EMPTY
    client.ask(Asked.CLEAR_PATH)
    client.acknowledge_latch()
    client.request(Clear(3, Verdict.NOT_FED))
    client.home()
    client.deal(1, first_id=4)


@pytest.mark.parametrize(
    ("sensor", "code", "detail"),
    [
        ("entry", FaultCode.SENSOR_STUCK, Sensor.ENTRY),
        ("window", FaultCode.SENSOR_STUCK, Sensor.WINDOW),
    ],
)
def test_a_blind_sensor_before_the_window_is_found_out(
    faulty: Make, sensor: str, code: FaultCode, detail: Sensor
) -> None:
    client = faulty(f'kind = "sensor_stuck"\nsensor = "{sensor}"\nlevel = 0\nat = 1')
    fault = fault_of(client, 1)
    assert (fault.code, fault.detail, fault.phase) == (code, detail, Phase.UNKNOWN)


@pytest.mark.parametrize(
    ("sensor", "code", "detail"),
    [("exit", FaultCode.SENSOR_STUCK, Sensor.EXIT), ("tray_n", FaultCode.NOT_COUNTED, 0)],
)
def test_a_blind_sensor_behind_the_window_is_found_out(faulty: Make, sensor: str, code: FaultCode, detail: int) -> None:
    client = faulty(f'kind = "sensor_stuck"\nsensor = "{sensor}"\nlevel = 0\nat = 1')
    fault = fault_of(client, 1, Tray.N)
    assert (fault.code, fault.detail, fault.phase) == (code, detail, Phase.UNKNOWN)
    assert len(deal_of(client).of("N")) == 1


def test_a_blind_hopper_sensor_makes_a_misfeed_look_like_an_empty_hopper(faulty: Make) -> None:
    client = faulty('kind = "sensor_stuck"\nsensor = "hopper"\nlevel = 0\nat = 1', 'kind = "misfeed"\nat = 2', cut=20)
    client.deal(1)
    assert fault_of(client, 2).code is FaultCode.HOPPER_EMPTY


def test_a_new_pack_ends_the_faults_of_the_old_one(faulty: Make) -> None:
    client = faulty('kind = "sensor_stuck"\nsensor = "tray_n"\nlevel = 0\nat = 1')
    client.ask(Asked.LOAD_PACK)
    client.deal(52)


def test_where_the_gate_slips_the_other_counter_tells(faulty: Make) -> None:
    client = faulty('kind = "gate_slip"\nat = 1\nto = "REJECT"')
    client.feed(1)
    client.request(Route(1, Tray.N))
    arrived = client.wait_for(Delivered)
    assert (arrived.tray, arrived.count) == (Tray.REJECT, 1)
    status = client.request(ReadStatus())
    assert (status.count_n, status.count_reject) == (0, 1)
    assert len(deal_of(client).of("REJECT")) == 1


# --- the wire --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["to_machine", "from_machine"])
@pytest.mark.parametrize("kind", ["dropped_bytes", "flipped_bytes", "doubled_bytes"])
def test_a_deal_survives_bad_bytes(faulty: Make, kind: str, direction: str) -> None:
    client = faulty(f'kind = "{kind}"\ndirection = "{direction}"\nrate = 0.005')
    client.deal()
    account = deal_of(client)
    assert [len(account.of(tray)) for tray in ("N", "E", "S", "W", "TRUMP")] == [13, 13, 12, 13, 1]
    assert all(len(passage) == 1 for passage in account.passages)


def test_a_silence_hides_the_reply_and_the_feed_is_not_done_twice(faulty: Make) -> None:
    client = faulty('kind = "silence"\nat = 2\nfor_ms = 400')
    client.deal(1)
    began = client.now_us
    reply = client.request(Feed(2))
    assert (reply.status, reply.phase) == (Status.DUPLICATE, Phase.SHOWN)
    assert client.now_us - began > 400_000
    client.wait_for(AtWindow)
    assert len(deal_of(client).passages) == 2


# --- resets ----------------------------------------------------------------------------------------------------------


def test_a_reset_between_two_cards_loses_nothing(faulty: Make) -> None:
    client = faulty('kind = "reset"\nat = 2\nphase = "done"\ncause = "watchdog"\nafter_ms = 20')
    first_boot = client.request(Hello()).boot_id
    client.deal(2)
    booted = client.wait_for(Booted)
    assert (booted.reset_cause, booted.phase) == (ResetCause.WATCHDOG, Phase.DONE)
    hello = client.request(Hello())
    assert hello.boot_id not in (0, first_boot)
    assert (hello.last_id, hello.phase, hello.state) == (2, Phase.DONE, MachineState.UNHOMED)
    assert client.request(ReadStatus()).count_n == 1
    client.home()
    client.deal(50, first_id=3)


@pytest.mark.parametrize(
    ("phase", "after_ms", "found", "sensors"),
    [
        ("intent", 0, Phase.INTENT, Sensor.NONE),
        ("intent", 60, Phase.INTENT, Sensor.ENTRY),
        ("intent", 95, Phase.INTENT, Sensor.WINDOW),
        ("intent", 115, Phase.SHOWN, Sensor.WINDOW),
        ("shown", 10, Phase.SHOWN, Sensor.WINDOW),
        ("routed", 0, Phase.ROUTED, Sensor.WINDOW),
        ("routed", 50, Phase.ROUTED, Sensor.EXIT),
        ("routed", 100, Phase.ROUTED, Sensor.NONE),
    ],
)
def test_a_reset_with_a_card_under_way(faulty: Make, phase: str, after_ms: int, found: Phase, sensors: Sensor) -> None:
    client = faulty(f'kind = "reset"\nat = 1\nphase = "{phase}"\nafter_ms = {after_ms}')
    client.request(Feed(1))
    if phase != "intent":
        client.wait_for(AtWindow)
        client.request(Route(1, Tray.N)) if phase == "routed" else None
    booted = client.wait_for(Booted)
    assert booted.phase is found
    hello = client.request(Hello())
    status = client.request(ReadStatus())
    assert sensors in status.sensors
    blocked = status.sensors & ~Sensor.HOPPER
    assert hello.state is (MachineState.LATCHED if blocked else MachineState.UNHOMED)
    assert hello.fault is (FaultCode.PATH_NOT_EMPTY if blocked else FaultCode.NONE)
    assert (hello.last_id, status.lamp) == (1, 0)
    assert client.request(Feed(1)).status is Status.DUPLICATE
    deal_of(client)
    cleared = client.ask(Asked.CLEAR_PATH).c
    assert cleared == (1 if blocked else 0)
    if blocked:
        client.acknowledge_latch()
    client.home()
    assert client.request(Feed(2)).status is Status.NOT_NOW
    assert client.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.OK
    client.feed(2)


def test_a_reset_before_the_intent_is_durable_forgets_the_command(faulty: Make) -> None:
    client = faulty('kind = "silence"\nat = 9\nfor_ms = 1')
    client.request(Feed(1))
    client.world._firmware.reset(ResetCause.BROWN_OUT)
    assert client.wait_for(Booted).phase is Phase.NONE
    assert client.request(Hello()).last_id == 0
    assert len(deal_of(client).of(HOPPER)) == 52
    client.home()
    client.feed(1)


def test_a_delivery_that_a_reset_hid_is_in_the_tray(faulty: Make) -> None:
    client = faulty('kind = "reset"\nat = 1\nphase = "routed"\nafter_ms = 110')
    client.feed(1)
    client.request(Route(1, Tray.N))
    assert client.wait_for(Booted).phase is Phase.ROUTED
    assert not [event for event in client.events if isinstance(event, Delivered)]
    assert client.request(ReadStatus()).count_n == 0
    assert len(deal_of(client).of("N")) == 1


def test_a_reset_forgets_the_watch_for_heartbeats_and_the_question_on_the_panel(faulty: Make) -> None:
    client = faulty('kind = "reset"\nat = 1\nphase = "done"\nafter_ms = 10')
    client.deal(1)
    client.request(Heartbeat(300))
    client.request(Ask(Asked.LOAD_PACK, 0, 0))
    client.wait_for(Booted)
    client.run(3_000_000)
    assert client.request(ReadStatus()).state is MachineState.UNHOMED
    assert (client.world.deal, client.events) == (1, [])


def test_a_reset_cuts_the_frame_that_is_being_sent(faulty: Make) -> None:
    client = faulty('kind = "reset"\nat = 1\nphase = "shown"\nafter_ms = 0')
    client.request(Feed(1))
    client.wait_for(Booted)
    assert not [event for event in client.events if isinstance(event, AtWindow)]


# --- people ----------------------------------------------------------------------------------------------------------


def test_people_take_the_time_the_scenario_gives_them_and_may_be_silent(machine: Make) -> None:
    client = machine('[people]\nload_ms = 700\nsilent = ["cut"]')
    client.home()
    began = client.now_us
    client.ask(Asked.LOAD_PACK)
    assert 700_000 <= client.now_us - began < 705_000
    with pytest.raises(AssertionError, match="no Answered came"):
        client.ask(Asked.CUT)


def test_who_lays_a_new_pack_takes_the_card_out_of_the_window(faulty: Make) -> None:
    client = faulty()
    client.feed(1)
    client.ask(Asked.LOAD_PACK)
    assert Sensor.WINDOW not in client.request(ReadStatus()).sensors
    old, new = client.world.truth().deals
    assert (len(old.of(PATH)), len(new.of(HOPPER)), len(new.of(PATH))) == (1, 52, 0)


def test_a_card_left_on_the_path_does_not_count_in_the_next_deal(machine: Make) -> None:
    client = machine(
        '[[deal]]\n[[deal.fault]]\nkind = "jam"\nat = 3\nwhere = "entry"\n'
        '[[deal]]\n[[deal.fault]]\nkind = "sensor_stuck"\nsensor = "exit"\nlevel = 1\nat = 3'
    )
    client.begin()
    client.deal(2)
    fault_of(client, 3)
    client.ask(Asked.LOAD_PACK)
    client.ask(Asked.CLEAR_PATH)
    client.acknowledge_latch()
    client.request(Clear(3, Verdict.TAKEN_OUT))
    client.home()
    client.deal(2, first_id=4)
    assert fault_of(client, 6).code is FaultCode.SENSOR_STUCK


def test_a_tray_that_does_not_exist_is_not_moved_from(faulty: Make) -> None:
    client = faulty()
    with pytest.raises(AssertionError, match="no Answered came"):
        client.ask(Asked.MOVE_CARD, 9, 1)
