"""What `pone sim --verbose` tells of the wire."""

from __future__ import annotations

from firmware_bridge.codec import encode_event, encode_request
from firmware_bridge.events import Delivered, Faulted
from firmware_bridge.messages import Feed, Heartbeat, Request, Route, ShelfPass
from firmware_bridge.words import FaultCode, Phase, Tray
from hardware_sims.wire_trace import WireTrace

ARRIVED = Delivered(boot_id=7, event_id=3, command_id=9, at_us=1_000, tray=Tray.W, count=1)


def heard(*requests: Request) -> list[str]:
    data = b"".join(encode_request(request, number) for number, request in enumerate(requests))
    return WireTrace().heard(data)


def test_commands_are_told_and_heartbeats_are_not() -> None:
    assert heard(Feed(9), Heartbeat(1_000), Route(9, Tray.W)) == [
        "> Feed: command_id 9",
        "> Route: command_id 9, tray w",
    ]


def test_the_shelves_of_a_shuffle_are_not_told() -> None:
    (line,) = heard(ShelfPass(1, 2, bytes([0b111])))
    assert line == "> ShelfPass: command_id 1, cards 2"


def test_an_event_is_told_once_however_often_it_is_said() -> None:
    trace = WireTrace()
    assert trace.said(encode_event(ARRIVED)) == ["  Delivered: command_id 9, tray w, count 1"]
    assert trace.said(encode_event(ARRIVED)) == []


def test_after_a_restart_the_events_are_numbered_anew() -> None:
    trace = WireTrace()
    trace.said(encode_event(ARRIVED))
    jam = Faulted(2, 1, 4, 5, code=FaultCode.JAM_EXIT, detail=0, phase=Phase.ROUTED, latch_id=1)
    (line,) = trace.said(encode_event(jam))
    assert line.startswith("  Faulted: command_id 4, ")
    assert "jam_exit" in line


def test_bytes_that_are_no_message_and_half_a_message_are_waited_out() -> None:
    trace, data = WireTrace(), encode_event(ARRIVED)
    assert trace.said(b"\x05noise\x00" + data[:4]) == []
    assert len(trace.said(data[4:])) == 1
