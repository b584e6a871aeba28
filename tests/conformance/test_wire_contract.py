"""One contract for every wire: the same questions to a machine behind a pseudo-terminal and to the simulated one."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
import zlib
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from itertools import count

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.codec import (
    BadFrame,
    Decoder,
    NotUnderstood,
    Packet,
    encode,
    encode_reply,
    encode_request,
    request_in,
)
from firmware_bridge.dictionary import pack_dictionary, words_of_protocol
from firmware_bridge.errors import LinkLost
from firmware_bridge.events import EVENT_FIRST
from firmware_bridge.layout import Message
from firmware_bridge.link import Wire, open_wire
from firmware_bridge.messages import (
    DICTIONARY_CHUNK,
    PROTOCOL,
    AcknowledgeEvent,
    DictionaryReply,
    Hello,
    HelloReply,
    ReadDictionary,
    ReadStatus,
    StatusReply,
    Taken,
)
from firmware_bridge.words import Asked, Capability, FaultCode, MachineState, Phase, ResetCause, Sensor, Status

WITHIN_US = 2_000_000
WORLDS = count(1)


class SmallMachine:
    """The least that answers: it has words and a status, and moves nothing."""

    dictionary = pack_dictionary(words_of_protocol())

    def __init__(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.url = os.ttyname(self._slave)
        self._told_to_stop, self._tell_to_stop = os.pipe()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def stop(self) -> None:
        os.close(self._tell_to_stop)
        self._thread.join()
        for descriptor in (self._told_to_stop, self._master, self._slave):
            os.close(descriptor)

    def _serve(self) -> None:
        decoder = Decoder()
        while self._told_to_stop not in select.select([self._master, self._told_to_stop], [], [])[0]:
            for packet in decoder.feed(os.read(self._master, 4096)):
                reply = self._reply(packet) if isinstance(packet, Packet) else None
                if isinstance(packet, Packet) and reply is not None:
                    os.write(self._master, encode_reply(packet, reply))

    def _reply(self, packet: Packet) -> Message | None:
        match request_in(packet):
            case Hello():
                return hello_reply(self.dictionary)
            case ReadDictionary(offset):
                return DictionaryReply(Status.OK, offset, self.dictionary[offset : offset + DICTIONARY_CHUNK])
            case ReadStatus():
                return status_reply()
            case AcknowledgeEvent():
                return None
            case NotUnderstood(status=status):
                return Taken(status, Phase.NONE, 0)
            case _:
                return Taken(Status.OK, Phase.NONE, 0)


def hello_reply(dictionary: bytes) -> HelloReply:
    return HelloReply(
        status=Status.OK,
        protocol=PROTOCOL,
        build=bytes(8),
        serial=b"small\0\0\0",
        boot_id=77,
        reset_cause=ResetCause.POWER_ON,
        capabilities=Capability.NONE,
        last_id=0,
        phase=Phase.NONE,
        state=MachineState.UNHOMED,
        fault=FaultCode.NONE,
        dictionary_length=len(dictionary),
        dictionary_crc=zlib.crc32(dictionary),
    )


def status_reply() -> StatusReply:
    return StatusReply(
        status=Status.OK,
        state=MachineState.UNHOMED,
        fault=FaultCode.NONE,
        latch_id=0,
        sensors=Sensor.NONE,
        lamp=0,
        last_id=0,
        phase=Phase.NONE,
        count_n=0,
        count_e=0,
        count_s=0,
        count_w=0,
        count_trump=0,
        count_reject=0,
        count_stock=0,
        asked=Asked.NOTHING,
        supply_mv=0,
        temperature_c=0,
        now_us=0,
    )


@pytest.fixture(params=["pty", "sim"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "pty":
        machine = SmallMachine()
        yield machine.url
        machine.stop()
        return
    if not entry_points(group="pone.ports", name="sim"):
        pytest.skip("sim:// is not registered: the project is not installed")
    yield f"sim://wire-contract-{next(WORLDS)}"


@pytest.fixture
def wire(url: str) -> Iterator[Wire]:
    opened = open_wire(url)
    while opened.receive(deadline_us=opened.now_us() + 20_000):
        pass  # what the machine says by itself, at first
    yield opened
    opened.close()


def hear(wire: Wire, found: Callable[[Packet], bool], within_us: int = WITHIN_US) -> Packet | None:
    """Return the first packet that is the one wanted; events in between are passed over."""
    decoder = Decoder()
    deadline_us = wire.now_us() + within_us
    while wire.now_us() < deadline_us:
        for packet in decoder.feed(wire.receive(deadline_us=deadline_us)):
            assert not isinstance(packet, BadFrame)
            if found(packet):
                return packet
    return None


def reply_to(wire: Wire, type_byte: int, sequence: int, within_us: int = WITHIN_US) -> Packet | None:
    return hear(wire, lambda packet: (packet.type_byte, packet.sequence) == (type_byte | 0x80, sequence), within_us)


def test_a_request_is_answered_with_its_sequence(wire: Wire) -> None:
    wire.send(encode_request(Hello(), 200))
    reply = reply_to(wire, Hello.type_byte, 200)
    assert reply is not None
    assert HelloReply.unpack(reply.payload).protocol == PROTOCOL


def test_a_request_repeated_is_answered_again(wire: Wire) -> None:
    for _ in range(2):
        wire.send(encode_request(ReadStatus(), 3))
        reply = reply_to(wire, ReadStatus.type_byte, 3)
        assert reply is not None
        assert StatusReply.unpack(reply.payload).status is Status.OK


def test_a_request_in_pieces_is_one_request(wire: Wire) -> None:
    frame = encode_request(Hello(), 1)
    for start in range(len(frame)):
        wire.send(frame[start : start + 1])
    assert reply_to(wire, Hello.type_byte, 1) is not None


def test_a_damaged_request_is_not_answered_and_the_next_one_is(wire: Wire) -> None:
    frame = bytearray(encode_request(Hello(), 4))
    frame[3] ^= 0x20
    wire.send(bytes(frame))
    assert reply_to(wire, Hello.type_byte, 4, within_us=50_000) is None
    wire.send(b"\xff" * 300 + b"\0" + encode_request(Hello(), 5))
    assert reply_to(wire, Hello.type_byte, 5) is not None


def test_a_request_that_is_not_known_is_answered_so(wire: Wire) -> None:
    wire.send(encode(0x3F, 6, b"?"))
    reply = reply_to(wire, 0x3F, 6)
    assert reply is not None
    assert Taken.unpack(reply.payload).status is Status.UNKNOWN


def test_a_request_with_the_wrong_payload_is_answered_so(wire: Wire) -> None:
    wire.send(encode(ReadDictionary.type_byte, 6, b"???"))
    reply = reply_to(wire, ReadDictionary.type_byte, 6)
    assert reply is not None
    assert Taken.unpack(reply.payload).status is Status.MALFORMED


def test_events_have_sequence_0(wire: Wire) -> None:
    event = hear(wire, lambda packet: packet.type_byte >= EVENT_FIRST, within_us=100_000)
    assert event is None or event.sequence == 0


def test_waiting_ends_at_the_deadline_and_not_before(url: str) -> None:
    with Bridge.open(url) as bridge:
        while (event := bridge.next_event(deadline_us=bridge.now_us() + 200_000)) is not None:
            bridge.acknowledge(event)
        deadline_us = bridge.now_us() + 30_000
        assert bridge.next_event(deadline_us=deadline_us) is None
        assert 0 <= bridge.now_us() - deadline_us < 1_000_000


def test_time_only_goes_on(wire: Wire) -> None:
    times = [wire.now_us()]
    for step_us in (5_000, 0, -5_000, 5_000):
        wire.receive(deadline_us=times[-1] + step_us)
        times.append(wire.now_us())
    assert times == sorted(times)
    assert times[-1] >= times[0] + 5_000


def test_a_machine_is_greeted_and_asked(url: str) -> None:
    with Bridge.open(url) as bridge:
        assert bridge.hello.protocol == bridge.dictionary["protocol"] == PROTOCOL
        assert bridge.status().status is Status.OK
        boot_id = bridge.hello.boot_id
    with Bridge.open(url) as again:
        assert again.hello.boot_id == boot_id  # neither port resets its machine


def test_a_closed_wire_is_closed_for_good(wire: Wire) -> None:
    wire.close()
    wire.close()
    with pytest.raises(LinkLost):
        wire.send(b"x")
    with pytest.raises(LinkLost):
        wire.receive(deadline_us=wire.now_us() + 1_000)
