"""What the simulated firmware says to every request, in raw frames."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from firmware_bridge.codec import encode, encode_request
from firmware_bridge.dictionary import unpack_dictionary, words_of_protocol
from firmware_bridge.events import EVENT_RESEND_US, EVENTS, Answered, AtWindow, Booted, Delivered, Faulted, Homed
from firmware_bridge.messages import (
    PROTOCOL,
    Acknowledge,
    AcknowledgeEvent,
    Ask,
    Clear,
    Feed,
    Heartbeat,
    Hello,
    Home,
    ReadDictionary,
    ReadStatus,
    Route,
    Stop,
)
from firmware_bridge.words import (
    Asked,
    Capability,
    FaultCode,
    MachineState,
    Phase,
    ResetCause,
    Sensor,
    Status,
    Tray,
    Verdict,
    Who,
)
from hardware_sims.card_faults import SensorStuck
from hardware_sims.path import REFERENCE

Make = Callable[..., Any]


@pytest.fixture
def ready(faulty: Make) -> Any:
    """A machine that is homed, with a pack in the hopper."""
    return faulty()


def test_hello_says_who_the_machine_is(machine: Make) -> None:
    client = machine()
    hello = client.request(Hello())
    assert (hello.protocol, hello.last_id, hello.phase) == (PROTOCOL, 0, Phase.NONE)
    assert (hello.state, hello.fault, hello.reset_cause) == (
        MachineState.UNHOMED,
        FaultCode.NONE,
        ResetCause.POWER_ON,
    )
    assert Capability.PANEL in hello.capabilities
    assert client.wait_for(Booted).boot_id == hello.boot_id


def test_the_dictionary_says_all_words_and_the_constants(machine: Make) -> None:
    client = machine()
    length = client.request(Hello()).dictionary_length
    pieces = [client.request(ReadDictionary(offset)).data for offset in range(0, length, 60)]
    words = unpack_dictionary(b"".join(pieces))
    assert words["constants"] == REFERENCE.constants()
    assert {key: words[key] for key in words_of_protocol()} == words_of_protocol()


def test_a_card_goes_its_way(ready: Any) -> None:
    began = ready.now_us
    shown = ready.feed(1)
    assert 294 <= shown.thickness_um <= 306
    assert shown.length_um == 63_520
    status = ready.request(ReadStatus())
    assert (status.state, status.lamp, status.phase) == (MachineState.SHOWING, 1, Phase.SHOWN)
    assert status.sensors == Sensor.HOPPER | Sensor.WINDOW
    delivered = ready.route(1, Tray.W)
    assert (delivered.command_id, delivered.tray, delivered.count) == (1, Tray.W, 1)
    assert ready.now_us - began < 330_000
    status = ready.request(ReadStatus())
    assert (status.state, status.lamp, status.phase, status.count_w) == (MachineState.READY, 0, Phase.DONE, 1)
    assert status.sensors == Sensor.HOPPER


def test_no_card_is_fed_twice_and_none_out_of_order(ready: Any) -> None:
    assert ready.request(Feed(0)).status is Status.GAP
    assert ready.request(Feed(2)).status is Status.GAP
    assert ready.request(Feed(1)).status is Status.OK
    duplicate = ready.request(Feed(1))
    assert (duplicate.status, duplicate.phase) == (Status.DUPLICATE, Phase.INTENT)
    assert ready.request(Feed(2)).status is Status.BUSY
    ready.wait_for(AtWindow)
    assert ready.request(Feed(2)).status is Status.NOT_NOW
    assert ready.request(Route(2, Tray.N)).status is Status.GAP
    ready.route(1, Tray.N)
    again = ready.request(Route(1, Tray.E))
    assert (again.status, again.phase) == (Status.DUPLICATE, Phase.DONE)
    assert ready.request(Feed(1)).phase is Phase.DONE
    assert ready.world.passage == 1


def test_nothing_moves_before_the_machine_is_homed(machine: Make) -> None:
    client = machine()
    assert client.request(Feed(1)).status is Status.UNHOMED
    assert client.request(Route(1, Tray.N)).status is Status.GAP


def test_what_is_no_request_is_answered(machine: Make) -> None:
    client = machine()
    client.world.send(encode(0x3E, 9, b"") + encode(0x10, 10, b"\x01") + encode(0x11, 11, b"\x01\0\0\0\x63"))
    client.run(20_000)
    replies = [
        (packet.type_byte, packet.sequence, packet.payload[0])
        for _, packet in client.frames
        if packet.type_byte not in EVENTS
    ]
    assert replies == [(0xBE, 9, Status.UNKNOWN), (0x90, 10, Status.MALFORMED), (0x91, 11, Status.MALFORMED)]


def test_what_is_outside_the_range_of_requests_is_not_answered(machine: Make) -> None:
    client = machine()
    client.world.send(encode(0x90, 1, b"") + encode(0x40, 2, b"") + b"\x05rubbish\0")
    client.run(20_000)
    assert {packet.type_byte for _, packet in client.frames} == {Booted.type_byte}


# --- events ----------------------------------------------------------------------------------------------------------


def test_an_event_is_said_again_until_it_is_acknowledged(ready: Any) -> None:
    ready.acknowledges = False
    ready.frames.clear()
    event = ready.feed(1)
    ready.run(3 * EVENT_RESEND_US + 20_000)
    said = [at for at, packet in ready.frames if packet.type_byte == AtWindow.type_byte]
    assert len(said) == 4
    assert all(later - earlier == EVENT_RESEND_US for earlier, later in pairwise(said[1:]))
    ready.world.send(encode_request(AcknowledgeEvent(event.boot_id + 1, event.event_id), 0))
    ready.world.send(encode_request(AcknowledgeEvent(event.boot_id, event.event_id + 1), 0))
    ready.run(EVENT_RESEND_US)
    assert len([packet for _, packet in ready.frames if packet.type_byte == AtWindow.type_byte]) > len(said)
    ready.world.send(encode_request(AcknowledgeEvent(event.boot_id, event.event_id), 0))
    ready.run(1_000)
    ready.frames.clear()
    ready.run(500_000)
    assert ready.frames == []


def test_an_idle_machine_sleeps(ready: Any) -> None:
    ready.run(1_000_000)
    clock = ready.world.clock
    assert clock.next_work_us() is None
    assert clock.next_patience_us() is None


def test_nothing_is_begun_that_the_queue_of_events_has_no_room_for(ready: Any) -> None:
    ready.acknowledges = False
    for _ in range(2):
        ready.home()
    ready.feed(1)
    ready.route(1, Tray.N)
    ready.feed(2)
    assert ready.request(Route(2, Tray.N)).status is Status.BUSY


# --- stop, latch, home -----------------------------------------------------------------------------------------------


def test_a_stop_finishes_the_card_in_transit_and_latches(ready: Any) -> None:
    assert ready.request(Feed(1)).status is Status.OK
    assert ready.request(Stop()).status is Status.OK
    ready.wait_for(AtWindow)
    fault = ready.wait_for(Faulted)
    assert (fault.code, fault.phase) == (FaultCode.STOPPED, Phase.SHOWN)
    assert ready.request(Route(1, Tray.N)).status is Status.LATCHED
    assert ready.request(Home()).status is Status.LATCHED
    assert ready.request(Acknowledge(fault.latch_id + 1)).status is Status.NOT_NOW
    assert ready.request(Acknowledge(fault.latch_id)).status is Status.OK
    assert ready.request(Route(1, Tray.N)).status is Status.UNHOMED
    ready.home()
    assert ready.request(ReadStatus()).state is MachineState.SHOWING
    ready.route(1, Tray.N)


def test_a_latch_is_acknowledged_by_its_id_and_no_later_one_with_it(ready: Any) -> None:
    ready.request(Stop())
    first = ready.wait_for(Faulted).latch_id
    assert (first, ready.request(ReadStatus()).latch_id) == (1, 1)
    assert ready.request(Acknowledge(first)).status is Status.OK
    assert ready.request(ReadStatus()).latch_id == 0
    ready.request(Stop())
    second = ready.wait_for(Faulted).latch_id
    assert second == 2
    assert ready.request(Acknowledge(first)).status is Status.OK, "it was acknowledged before, and is so still"
    assert ready.request(ReadStatus()).latch_id == second
    assert [ready.request(Acknowledge(other)).status for other in (0, 3)] == [Status.NOT_NOW] * 2


def test_homing_with_a_card_in_the_window_finds_what_else_blocks_the_path(ready: Any) -> None:
    ready.feed(1)
    ready.request(Stop())
    ready.wait_for(Faulted)
    ready.acknowledge_latch()
    ready.world._mechanism._lasting.append(SensorStuck(sensor=Sensor.EXIT, level=1, at=1))
    ready.request(Home())
    fault = ready.wait_for(Faulted)
    assert (fault.code, fault.detail) == (FaultCode.PATH_NOT_EMPTY, Sensor.WINDOW | Sensor.EXIT)


def test_a_stop_while_routing_delivers_first(ready: Any) -> None:
    ready.feed(1)
    ready.request(Route(1, Tray.N))
    ready.request(Stop())
    ready.wait_for(Delivered)
    assert ready.wait_for(Faulted).phase is Phase.DONE


def test_a_stop_at_rest_latches_at_once_and_twice_is_once(ready: Any) -> None:
    ready.request(Stop())
    ready.request(Stop())
    ready.wait_for(Faulted)
    ready.run(100_000)
    assert not ready.events
    assert ready.request(Feed(1)).status is Status.LATCHED


def test_homing_takes_its_time_and_a_stop_breaks_it_off(ready: Any) -> None:
    assert ready.request(Home()).status is Status.OK
    assert ready.request(Home()).status is Status.OK
    assert ready.request(Feed(1)).status is Status.BUSY
    ready.request(Stop())
    assert ready.wait_for(Faulted).code is FaultCode.STOPPED
    ready.run(500_000)
    assert not [event for event in ready.events if isinstance(event, Homed)]


def test_silence_of_the_controller_latches_after_the_card_in_transit(ready: Any) -> None:
    assert ready.request(Heartbeat(100)).status is Status.OK
    ready.run(90_000)
    ready.request(Heartbeat(100))
    ready.request(Feed(1))
    ready.acknowledges = False
    sent_us = ready.now_us
    ready.wait_for(AtWindow)
    fault = ready.wait_for(Faulted)
    assert (fault.code, fault.phase) == (FaultCode.HEARTBEAT_LOST, Phase.SHOWN)
    assert ready.now_us - sent_us < 170_000


def test_anything_heard_is_a_sign_of_life_and_zero_switches_the_watch_off(ready: Any) -> None:
    ready.request(Heartbeat(100))
    for _ in range(5):
        ready.run(80_000)
        ready.request(ReadStatus())
    ready.request(Heartbeat(0))
    ready.run(1_000_000)
    assert not ready.events
    assert ready.request(ReadStatus()).state is MachineState.READY


# --- clear -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "phase"),
    [(Verdict.NOT_FED, Phase.ABORT), (Verdict.DELIVERED, Phase.DONE), (Verdict.TAKEN_OUT, Phase.DONE)],
)
def test_people_settle_what_the_machine_cannot(faulty: Make, verdict: Verdict, phase: Phase) -> None:
    client = faulty('kind = "jam"\nat = 1\nwhere = "entry"')
    client.request(Feed(1))
    fault = client.wait_for(Faulted)
    assert (fault.code, fault.phase) == (FaultCode.JAM_ENTRY, Phase.UNKNOWN)
    assert client.request(Clear(2, verdict)).status is Status.GAP
    cleared = client.request(Clear(1, verdict))
    assert (cleared.status, cleared.phase) == (Status.OK, phase)
    assert client.request(Clear(1, verdict)).status is Status.DUPLICATE
    client.acknowledge_latch()
    client.request(Home())
    stands = client.wait_for(Faulted)
    assert (stands.code, stands.detail) == (FaultCode.PATH_NOT_EMPTY, Sensor.ENTRY)
    assert client.ask(Asked.CLEAR_PATH).c == 1
    client.acknowledge_latch()
    client.home()
    client.feed(2)


def test_a_verdict_is_confirmed_when_it_is_durable(faulty: Make) -> None:
    client = faulty('kind = "jam"\nat = 1\nwhere = "entry"')
    client.request(Feed(1))
    client.wait_for(Faulted)
    began = client.now_us
    client.request(Clear(1, Verdict.TAKEN_OUT))
    assert client.now_us - began > REFERENCE.journal_us


def test_a_card_that_can_be_routed_is_not_cleared_away(ready: Any) -> None:
    ready.request(Feed(1))
    assert ready.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.BUSY
    ready.wait_for(AtWindow)
    assert ready.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.NOT_NOW
    ready.ask(Asked.CLEAR_PATH)
    assert ready.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.OK
    assert ready.request(ReadStatus()).state is MachineState.READY


def test_a_command_whose_end_is_unknown_stops_all_others(faulty: Make) -> None:
    client = faulty('kind = "jam"\nat = 1\nwhere = "entry"')
    client.request(Feed(1))
    client.wait_for(Faulted)
    client.ask(Asked.CLEAR_PATH)
    client.acknowledge_latch()
    client.home()
    assert client.request(Feed(2)).status is Status.NOT_NOW


# --- the panel -------------------------------------------------------------------------------------------------------


def test_a_question_sent_again_is_asked_once(machine: Make) -> None:
    client = machine()
    frame = encode_request(Ask(Asked.LOAD_PACK, 0, 0), 33)
    client.world.send(frame)
    client.run(100_000)
    assert client.request(ReadStatus()).asked is Asked.LOAD_PACK
    client.wait_for(Answered)
    client.world.send(frame)
    client.run(5_000_000)
    assert client.world.deal == 1
    client.request(Hello())
    client.world.send(frame)
    client.wait_for(Answered)
    assert client.world.deal == 2


def test_a_question_with_the_sequence_number_come_round_is_asked_again(machine: Make) -> None:
    client = machine()
    frame = encode_request(Ask(Asked.LOAD_PACK, 0, 0), 33)
    client.world.send(frame)
    client.wait_for(Answered)
    client.request(Home())
    client.world.send(frame)
    client.wait_for(Answered)
    assert client.world.deal == 2


def test_a_question_taken_back_is_not_answered(machine: Make) -> None:
    client = machine()
    client.request(Ask(Asked.LOAD_PACK, 0, 0))
    client.request(Ask(Asked.NOTHING, 0, 0))
    client.wait_for(Booted)
    client.run(5_000_000)
    assert (client.world.deal, client.events) == (0, [])


def test_without_a_cut_tray_nobody_says_what_nobody_counted(machine: Make) -> None:
    client = machine('[machine]\nlacks = ["cut_tray"]\n[[deal]]\ncut = 20')
    client.ask(Asked.LOAD_PACK)
    answer = client.ask(Asked.CUT)
    assert (answer.a, answer.b, answer.c) == (0, 0, 0)
    deal = client.world.truth().deals[-1]
    assert deal.of("hopper") == (*deal.laid[32:], *deal.laid[:32])


def test_the_director_decides_what_the_scenario_has_him_decide(machine: Make) -> None:
    assert machine().ask(Asked.DECIDE).a == Who.NOBODY_KNOWN
    assert machine('[people]\ndecide = "machine"').ask(Asked.DECIDE).a == Who.MACHINE


def test_a_new_pack_counts_the_trays_anew(ready: Any) -> None:
    ready.deal(4)
    assert ready.request(ReadStatus()).count_n == 1
    ready.ask(Asked.LOAD_PACK)
    status = ready.request(ReadStatus())
    assert (status.count_n, status.count_w, status.last_id, status.phase) == (0, 0, 4, Phase.DONE)
