"""The bridge greets, commands, waits and beats, and every trouble has its own exception."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest

from firmware_bridge import bridge as bridge_module
from firmware_bridge.bridge import (
    ANSWER_WITHIN_US,
    DRAIN_MAX_US,
    HEARTBEAT_EVERY_US,
    HEARTBEAT_TIMEOUT_MS,
    QUIET_US,
    Bridge,
)
from firmware_bridge.codec import Decoder, Packet, encode, encode_event, encode_reply, request_in
from firmware_bridge.dictionary import pack_dictionary, words_of_protocol
from firmware_bridge.errors import LinkLost, MachineRebooted, NoAnswer, RemoteProtocolError
from firmware_bridge.events import Event, Homed
from firmware_bridge.layout import Message
from firmware_bridge.messages import (
    DICTIONARY_CHUNK,
    AcknowledgeEvent,
    DictionaryReply,
    Feed,
    Heartbeat,
    Hello,
    HelloReply,
    ReadDictionary,
    ReadStatus,
    StatusReply,
    Taken,
)
from firmware_bridge.words import Asked, Capability, FaultCode, MachineState, Phase, ResetCause, Sensor, Status

BOOT, NEXT_BOOT = 0xA, 0xB
WORDS = words_of_protocol() | {"limits": {"cards": 52}, "noise": [zlib.crc32(bytes([n])) for n in range(60)]}
STATUS = StatusReply(
    status=Status.OK,
    state=MachineState.READY,
    fault=FaultCode.NONE,
    latch_id=0,
    sensors=Sensor.HOPPER,
    lamp=0,
    last_id=3,
    phase=Phase.DONE,
    count_n=1,
    count_e=1,
    count_s=1,
    count_w=0,
    count_trump=0,
    count_reject=0,
    count_stock=0,
    asked=Asked.NOTHING,
    supply_mv=0,
    temperature_c=0,
    now_us=5,
)


def homed(number: int, boot_id: int = BOOT) -> Homed:
    return Homed(boot_id=boot_id, event_id=number, command_id=0, at_us=0)


@dataclass
class FakeWire:
    """A wire with its own time, and a machine at its end that answers after 1 ms what it is asked.

    Attributes:
        tamper: sees each request, and may answer with other frames.
    """

    time_us: int = 1_000_000
    boot_id: int = BOOT
    protocol: int = 1
    dictionary: bytes = pack_dictionary(WORDS)
    tamper: Callable[[Packet], list[bytes] | None] = lambda packet: None
    coming: list[tuple[int, bytes]] = field(default_factory=list)
    asked: list[tuple[int, object]] = field(default_factory=list)
    decoder: Decoder = field(default_factory=Decoder)
    lost: bool = False
    closed: int = 0

    def now_us(self) -> int:
        return self.time_us

    def send(self, data: bytes) -> None:
        if self.lost:
            raise LinkLost("fake://", "pulled")
        for packet in self.decoder.feed(data):
            assert isinstance(packet, Packet)
            self.asked.append((self.time_us, request_in(packet)))
            frames = self.tamper(packet)
            for frame in self.answer(packet) if frames is None else frames:
                self.say(frame)

    def receive(self, *, deadline_us: int) -> bytes:
        if self.lost:
            raise LinkLost("fake://", "pulled")
        self.coming.sort(key=lambda item: item[0])
        if self.coming and self.coming[0][0] <= max(deadline_us, self.time_us):
            at_us, data = self.coming.pop(0)
            self.time_us = max(self.time_us, at_us)
            return data
        self.time_us = max(self.time_us, deadline_us)
        return b""

    def close(self) -> None:
        self.closed += 1

    def say(self, frame: bytes, *, after_us: int = 1000) -> None:
        self.coming.append((self.time_us + after_us, frame))

    def answer(self, packet: Packet) -> list[bytes]:
        reply: Message
        match request_in(packet):
            case Hello():
                reply = self.hello()
            case ReadDictionary(offset):
                piece = self.dictionary[offset : offset + DICTIONARY_CHUNK]
                reply = DictionaryReply(Status.OK, offset, piece)
            case ReadStatus():
                reply = STATUS
            case AcknowledgeEvent():
                return []
            case _:
                reply = Taken(Status.OK, Phase.DONE, 3)
        return [encode_reply(packet, reply)]

    def hello(self) -> HelloReply:
        return HelloReply(
            status=Status.OK,
            protocol=self.protocol,
            build=bytes(8),
            serial=b"0042\0\0\0\0",
            boot_id=self.boot_id,
            reset_cause=ResetCause.POWER_ON,
            capabilities=Capability.PANEL,
            last_id=3,
            phase=Phase.DONE,
            state=MachineState.READY,
            fault=FaultCode.NONE,
            dictionary_length=len(self.dictionary),
            dictionary_crc=zlib.crc32(self.dictionary),
        )

    def requests(self, kind: type) -> list[tuple[int, object]]:
        return [(at_us, request) for at_us, request in self.asked if isinstance(request, kind)]


@pytest.fixture
def wire() -> FakeWire:
    return FakeWire()


def silent(packet: Packet) -> list[bytes]:
    return []


# --- greeting ---


def test_the_greeting_reads_who_the_machine_is_and_its_words(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    assert bridge.hello == wire.hello()
    assert bridge.dictionary["limits"] == {"cards": 52}
    assert len(wire.dictionary) > 4 * DICTIONARY_CHUNK  # so that the window is filled
    assert len(wire.requests(ReadDictionary)) == -(-len(wire.dictionary) // DICTIONARY_CHUNK)


def test_open_opens_the_wire(wire: FakeWire, monkeypatch: pytest.MonkeyPatch) -> None:
    urls: list[str] = []

    def open_wire(url: str) -> FakeWire:
        urls.append(url)
        return wire

    monkeypatch.setattr(bridge_module, "open_wire", open_wire)
    assert Bridge.open("fake://").hello.boot_id == BOOT
    assert urls == ["fake://"]


def test_what_was_said_before_is_let_go_until_quiet(wire: FakeWire) -> None:
    for number in range(5):
        wire.say(b"boot loader\0", after_us=number * (QUIET_US - 1000))
    bridge = Bridge.over(wire)
    assert bridge.session.decoder.bad_frames == 0
    (at_us, _), *_ = wire.requests(Hello)
    assert at_us == 1_000_000 + 4 * (QUIET_US - 1000) + QUIET_US


def test_a_machine_that_is_never_quiet_is_greeted_all_the_same(wire: FakeWire) -> None:
    for number in range(100):
        wire.say(encode_event(homed(1)), after_us=number * 10_000)
    Bridge.over(wire)
    (at_us, _), *_ = wire.requests(Hello)
    assert at_us == 1_000_000 + DRAIN_MAX_US


def test_a_machine_that_starts_slowly_is_greeted_again_and_again(wire: FakeWire) -> None:
    wire.tamper = lambda packet: [] if wire.time_us < 3_000_000 else None
    assert Bridge.over(wire).hello.boot_id == BOOT
    assert len(wire.requests(Hello)) > 3


def test_a_machine_reset_by_the_opening_is_greeted_anew(wire: FakeWire) -> None:
    def reset_at_the_first_read(packet: Packet) -> list[bytes] | None:
        if wire.boot_id == NEXT_BOOT or not isinstance(request_in(packet), ReadDictionary):
            return None
        wire.boot_id = NEXT_BOOT
        return [encode_event(homed(1, NEXT_BOOT))]

    wire.tamper = reset_at_the_first_read
    bridge = Bridge.over(wire)
    assert bridge.hello.boot_id == bridge.session.boot_id == NEXT_BOOT
    assert bridge.next_event(deadline_us=bridge.now_us()) == homed(1, NEXT_BOOT)


def test_silence_ends_the_greeting_at_its_deadline(wire: FakeWire) -> None:
    wire.tamper = silent
    with pytest.raises(NoAnswer, match="Hello") as caught:
        Bridge.over(wire, hello_within_us=700_000)
    assert wire.time_us == 1_700_000
    assert caught.value.waited_us == 700_000 - QUIET_US
    assert wire.closed == 1


def other_words() -> FakeWire:
    return FakeWire(dictionary=pack_dictionary(words_of_protocol() | {"events": {}}))


def wrong_crc() -> FakeWire:
    wire = FakeWire()
    wire.hello = lambda: replace(FakeWire.hello(wire), dictionary_crc=1)  # type: ignore[method-assign]  # one bad reply
    return wire


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        (FakeWire(protocol=2), "protocol 2"),
        (other_words(), "other words.*events"),
        (wrong_crc(), "CRC"),
        (FakeWire(dictionary=b"no zlib"), "does not unpack"),
    ],
)
def test_a_machine_of_another_tongue_is_refused_and_the_wire_closed(wire: FakeWire, reason: str) -> None:
    with pytest.raises(RemoteProtocolError, match=reason):
        Bridge.over(wire)
    assert wire.closed == 1


# --- commands ---


def test_a_command_returns_how_it_was_taken(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    assert bridge.command(Feed(4)) == Taken(Status.OK, Phase.DONE, 3)
    assert bridge.status() == STATUS


def test_a_command_without_answer_is_given_up_at_its_deadline(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    wire.tamper = lambda packet: [] if isinstance(request_in(packet), Feed) else None
    began_us = wire.time_us
    with pytest.raises(NoAnswer, match="Feed"):
        bridge.command(Feed(4))
    assert wire.time_us == began_us + ANSWER_WITHIN_US
    assert {request for _, request in wire.requests(Feed)} == {Feed(4)}


def test_events_that_come_before_the_reply_are_kept(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    wire.say(encode_event(homed(1)), after_us=10)
    bridge.command(Feed(4))
    wire.coming.clear()
    assert bridge.next_event(deadline_us=wire.time_us) == homed(1)


def test_a_machine_that_does_not_understand_is_a_protocol_error(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    wire.tamper = lambda packet: [encode_reply(packet, Taken(Status.UNKNOWN, Phase.NONE, 0))]
    with pytest.raises(RemoteProtocolError, match="does not understand ReadStatus"):
        bridge.status()


@pytest.mark.parametrize(
    "frame",
    [encode(0xFE, 0, b""), encode(0xC5, 0, b""), encode_event(homed(100))],
    ids=["no such event", "short", "events lost"],
)
def test_what_the_protocol_does_not_allow_is_a_protocol_error(wire: FakeWire, frame: bytes) -> None:
    bridge = Bridge.over(wire, last_event=(BOOT, 0))
    wire.say(frame)
    with pytest.raises(RemoteProtocolError):
        bridge.next_event(deadline_us=wire.time_us + 10_000)


# --- events ---


def test_waiting_ends_at_the_deadline(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    deadline_us = wire.time_us + 1_234_567
    assert bridge.next_event(deadline_us=deadline_us) is None
    assert wire.time_us == deadline_us
    assert bridge.next_event(deadline_us=deadline_us - 5) is None
    assert wire.time_us == deadline_us


def test_waiting_ends_with_the_event(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    at_us = wire.time_us + 40_000
    wire.say(encode_event(homed(1)), after_us=40_000)
    assert bridge.next_event(deadline_us=wire.time_us + 1_000_000) == homed(1)
    assert wire.time_us == at_us


def test_events_are_acknowledged_when_the_caller_says_so(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    events: list[Event] = []
    for number in (1, 2):
        wire.say(encode_event(homed(number)), after_us=number)
    while (event := bridge.next_event(deadline_us=wire.time_us + 1000)) is not None:
        events.append(event)
    assert wire.requests(AcknowledgeEvent) == []
    bridge.acknowledge(*events)
    assert [request for _, request in wire.requests(AcknowledgeEvent)] == [
        AcknowledgeEvent(BOOT, 1),
        AcknowledgeEvent(BOOT, 2),
    ]


# --- reboots and lost links ---


def test_a_reboot_under_a_command_is_told_and_the_command_not_sent_again(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)

    def reboot(packet: Packet) -> list[bytes] | None:
        if not isinstance(request_in(packet), Feed):
            return None
        wire.boot_id = NEXT_BOOT
        return [encode_event(homed(1, NEXT_BOOT))]

    wire.tamper = reboot
    with pytest.raises(MachineRebooted) as caught:
        bridge.command(Feed(4))
    assert (caught.value.former_boot_id, caught.value.boot_id) == (BOOT, NEXT_BOOT)
    assert bridge.refresh_hello().boot_id == bridge.hello.boot_id == NEXT_BOOT
    assert bridge.next_event(deadline_us=wire.time_us) == homed(1, NEXT_BOOT)
    assert bridge.next_event(deadline_us=wire.time_us + 5_000_000) is None
    assert len(wire.requests(Feed)) == 1
    assert bridge.status() == STATUS


def test_a_new_boot_watches_from_its_first_command_on(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    bridge.command(Feed(4))
    wire.boot_id = NEXT_BOOT
    with pytest.raises(MachineRebooted):
        bridge.refresh_hello()
    bridge.refresh_hello()
    bridge.command(Feed(5))
    assert [request for _, request in wire.asked[-2:]] == [Heartbeat(HEARTBEAT_TIMEOUT_MS), Feed(5)]


def test_the_dictionary_is_read_again_only_where_it_is_another(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    reads = len(wire.requests(ReadDictionary))
    bridge.refresh_hello()
    assert len(wire.requests(ReadDictionary)) == reads
    wire.dictionary = pack_dictionary(words_of_protocol() | {"limits": {"cards": 32}})
    bridge.refresh_hello()
    assert bridge.dictionary["limits"] == {"cards": 32}


def test_a_lost_link_is_told_and_closing_says_nothing_more(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    wire.lost = True
    with pytest.raises(LinkLost):
        bridge.command(Feed(4))
    asked = len(wire.asked)
    bridge.close()
    assert (wire.closed, len(wire.asked)) == (1, asked)


# --- the heartbeat ---


def test_while_the_bridge_waits_it_beats(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    began_us = wire.time_us
    bridge.next_event(deadline_us=began_us + 5_000_000)
    beats = wire.requests(Heartbeat)
    assert {request for _, request in beats} == {Heartbeat(HEARTBEAT_TIMEOUT_MS)}
    times = [at_us for at_us, _ in beats]
    assert len(times) == 10
    assert all(b - a == HEARTBEAT_EVERY_US for a, b in pairwise(times))
    assert 4 * HEARTBEAT_EVERY_US <= HEARTBEAT_TIMEOUT_MS * 1000  # three may be lost


def test_whatever_is_said_stands_for_a_beat(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    bridge.command(Feed(1))
    for _ in range(10):
        bridge.next_event(deadline_us=wire.time_us + HEARTBEAT_EVERY_US * 4 // 5)
        bridge.status()
    assert len(wire.requests(Heartbeat)) == 1
    bridge.next_event(deadline_us=wire.time_us + HEARTBEAT_EVERY_US + 10_000)
    assert len(wire.requests(Heartbeat)) == 2


def test_the_watch_begins_with_the_first_command(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    bridge.status()
    assert wire.requests(Heartbeat) == []
    bridge.command(Feed(4))
    assert [request for _, request in wire.asked[-2:]] == [Heartbeat(HEARTBEAT_TIMEOUT_MS), Feed(4)]


def test_a_caller_may_beat_by_himself(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    bridge.next_event(deadline_us=wire.time_us + 10_000)
    before = len(wire.requests(Heartbeat))
    bridge.beat()
    bridge.beat()  # the first is unanswered: it is repeated by itself
    assert len(wire.requests(Heartbeat)) == before + 1


def test_a_machine_that_no_longer_answers_the_heartbeat_is_told(wire: FakeWire) -> None:
    bridge = Bridge.over(wire)
    wire.tamper = silent
    with pytest.raises(NoAnswer, match="Heartbeat"):
        bridge.next_event(deadline_us=wire.time_us + 60_000_000)


def test_closing_takes_the_watch_off(wire: FakeWire) -> None:
    with Bridge.over(wire) as bridge:
        bridge.command(Feed(4))
    assert wire.asked[-1][1] == Heartbeat(0)
    assert wire.closed == 1


def test_closing_twice_says_farewell_once(wire: FakeWire) -> None:
    with Bridge.over(wire) as bridge:
        bridge.command(Feed(4))
        bridge.close()
    assert [request for _, request in wire.asked].count(Heartbeat(0)) == 1


def test_dying_leaves_the_watch_on(wire: FakeWire) -> None:
    def die() -> None:
        with Bridge.over(wire) as bridge:
            bridge.command(Feed(4))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        die()
    assert wire.asked[-1][1] == Feed(4)
    assert wire.closed == 1
