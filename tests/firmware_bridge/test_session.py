"""The session repeats without asking twice, drops what is late or of a former boot, and loses no event."""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.codec import (
    Decoder,
    NotUnderstood,
    Packet,
    encode,
    encode_event,
    encode_reply,
    request_in,
)
from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.event_order import SETTLE_US
from firmware_bridge.events import EVENT_RESEND_US, Event, Homed
from firmware_bridge.messages import (
    AcknowledgeEvent,
    Feed,
    Hello,
    HelloReply,
    ReadDictionary,
    ReadStatus,
    Request,
    Stop,
    Taken,
)
from firmware_bridge.session import (
    RTO_MAX_US,
    WINDOW,
    NoReply,
    Outcome,
    Rebooted,
    Reply,
    Report,
    Session,
    is_command,
)
from firmware_bridge.words import Capability, FaultCode, MachineState, Phase, ResetCause, Status

BOOT, NEXT_BOOT = 0xA, 0xB
OK = Taken(Status.OK, Phase.NONE, 0)
FAR_US = 10_000_000


def hello_reply(boot_id: int) -> HelloReply:
    return HelloReply(
        status=Status.OK,
        protocol=1,
        build=bytes(8),
        serial=bytes(8),
        boot_id=boot_id,
        reset_cause=ResetCause.POWER_ON,
        capabilities=Capability.NONE,
        last_id=0,
        phase=Phase.NONE,
        state=MachineState.READY,
        fault=FaultCode.NONE,
        dictionary_length=0,
        dictionary_crc=0,
    )


def homed(number: int, boot_id: int = BOOT) -> Homed:
    return Homed(boot_id=boot_id, event_id=number, command_id=0, at_us=0)


def sent(session: Session) -> list[Packet]:
    packets = Decoder().feed(session.data_to_send())
    assert all(isinstance(packet, Packet) for packet in packets)
    return [packet for packet in packets if isinstance(packet, Packet)]


def answer(session: Session, asked: Packet, reply: Taken | HelloReply = OK, *, now_us: int = 0) -> list[Outcome]:
    return session.receive(encode_reply(asked, reply), now_us=now_us)


# --- requests ---


def test_a_reply_answers_its_request_once() -> None:
    session = Session(first_sequence=300)
    session.ask(Feed(1), now_us=0, deadline_us=FAR_US)
    (asked,) = sent(session)
    assert asked.sequence == 300 % 256
    assert answer(session, asked) == [Reply(Feed(1), OK)]
    assert answer(session, asked) == []
    assert session.strays == 1
    assert session.next_wake_us() is None


def test_a_reply_of_another_sequence_or_type_is_dropped() -> None:
    session = Session()
    session.ask(Feed(1), now_us=0, deadline_us=FAR_US)
    (asked,) = sent(session)
    assert answer(session, Packet(asked.type_byte, asked.sequence + 1, b"")) == []
    assert answer(session, Packet(asked.type_byte + 1, asked.sequence, b"")) == []
    assert session.receive(encode(asked.type_byte, asked.sequence, asked.payload), now_us=0) == []  # an echo
    assert session.strays == 3


def test_a_request_is_said_again_in_the_same_bytes_ever_more_slowly() -> None:
    session = Session()
    session.ask(Feed(1), now_us=0, deadline_us=5_000_000)
    first = session.data_to_send()
    times = []
    while (wake_us := session.next_wake_us()) is not None:
        outcomes = session.tick(wake_us)
        if outcomes:
            break
        times.append(wake_us)
        assert session.data_to_send() == first
    assert times == [50_000, 150_000, 350_000, 750_000, 1_550_000, 2_550_000, 3_550_000, 4_550_000]
    assert times[-1] - times[-2] == RTO_MAX_US
    assert (wake_us, outcomes) == (5_000_000, [NoReply(Feed(1), 5_000_000)])
    assert session.next_wake_us() is None
    assert session.data_to_send() == b""


def test_only_one_command_is_under_way() -> None:
    session = Session()
    session.ask(Feed(1), now_us=0, deadline_us=FAR_US)
    assert not session.may_ask(Stop())
    with pytest.raises(LocalProtocolError, match="Feed"):
        session.ask(Stop(), now_us=0, deadline_us=FAR_US)
    session.ask(ReadStatus(), now_us=0, deadline_us=FAR_US)
    answer(session, sent(session)[0])
    assert session.may_ask(Stop())


def test_reads_fill_a_window() -> None:
    session = Session()
    for offset in range(WINDOW):
        session.ask(ReadDictionary(offset), now_us=0, deadline_us=FAR_US)
    assert len({packet.sequence for packet in sent(session)}) == WINDOW
    with pytest.raises(LocalProtocolError):
        session.ask(ReadDictionary(WINDOW), now_us=0, deadline_us=FAR_US)


def test_a_sequence_under_way_is_not_given_twice() -> None:
    session = Session()
    session.ask(ReadStatus(), now_us=0, deadline_us=FAR_US)
    (slow,) = sent(session)
    for _ in range(600):
        session.ask(Feed(1), now_us=0, deadline_us=FAR_US)
        (asked,) = sent(session)
        assert asked.sequence != slow.sequence
        answer(session, asked)


def test_what_has_no_reply_or_does_not_fit_is_not_asked() -> None:
    session = Session()
    for request in (AcknowledgeEvent(1, 1), Feed(-1), Feed(2**32)):
        with pytest.raises(LocalProtocolError):
            session.ask(request, now_us=0, deadline_us=FAR_US)
    assert session.data_to_send() == b""
    assert session.next_wake_us() is None


def test_a_reply_that_is_none_is_a_value() -> None:
    session = Session()
    session.ask(ReadStatus(), now_us=0, deadline_us=FAR_US)
    (asked,) = sent(session)
    (outcome,) = session.receive(encode(asked.type_byte | 0x80, asked.sequence, b"??"), now_us=0)
    assert isinstance(outcome, NotUnderstood)


# --- events ---


def test_an_event_is_reported_once_and_acknowledged_on_demand_only() -> None:
    session = Session()
    said = encode_event(homed(1))
    assert session.receive(said, now_us=0) == [Report(homed(1))]
    assert session.receive(said, now_us=0) == []
    assert sent(session) == []
    session.acknowledge(homed(1))
    (acknowledgement,) = sent(session)
    assert request_in(acknowledgement) == AcknowledgeEvent(BOOT, 1)


def test_an_acknowledged_event_that_comes_again_is_acknowledged_again() -> None:
    session = Session()
    session.receive(encode_event(homed(1)), now_us=0)
    session.acknowledge(homed(1))
    sent(session)
    assert session.receive(encode_event(homed(1)), now_us=0) == []
    assert [request_in(packet) for packet in sent(session)] == [AcknowledgeEvent(BOOT, 1)]


def test_what_the_record_holds_is_acknowledged_and_not_reported() -> None:
    session = Session(last_event=(BOOT, 5))
    assert session.receive(encode_event(homed(5)), now_us=0) == []
    assert [request_in(packet) for packet in sent(session)] == [AcknowledgeEvent(BOOT, 5)]
    assert session.receive(encode_event(homed(6)), now_us=0) == [Report(homed(6))]


def test_a_record_of_another_boot_says_nothing() -> None:
    session = Session(last_event=(NEXT_BOOT, 5))
    assert session.receive(encode_event(homed(1)), now_us=0) == [Report(homed(1))]


def test_held_events_are_let_go_in_time() -> None:
    session = Session()
    assert session.receive(encode_event(homed(6)), now_us=100) == []
    assert session.next_wake_us() == 100 + SETTLE_US
    assert session.tick(100 + SETTLE_US) == [Report(homed(6))]


@pytest.mark.parametrize("frame", [encode(0xFE, 0, b""), encode(0xC5, 0, b"short"), encode_event(homed(0))])
def test_an_event_that_is_none_is_a_value(frame: bytes) -> None:
    (outcome,) = Session().receive(frame, now_us=0)
    assert isinstance(outcome, NotUnderstood)


# --- boots ---


def test_a_new_boot_ends_all_that_was_under_way() -> None:
    session = Session()
    session.ask(Hello(), now_us=0, deadline_us=FAR_US)
    answer(session, sent(session)[0], hello_reply(BOOT))
    session.ask(Feed(1), now_us=0, deadline_us=FAR_US)
    (asked,) = sent(session)
    session.ask(ReadStatus(), now_us=0, deadline_us=FAR_US)  # not even sent yet
    booted = homed(1, NEXT_BOOT)
    assert session.receive(encode_event(booted), now_us=7) == [
        Rebooted(NEXT_BOOT, BOOT),
        NoReply(Feed(1), 7),
        NoReply(ReadStatus(), 7),
        Report(booted),
    ]
    assert (session.data_to_send(), session.next_wake_us()) == (b"", None)
    assert answer(session, asked) == []


def test_events_of_a_former_boot_are_dropped() -> None:
    session = Session()
    session.receive(encode_event(homed(1)), now_us=0)
    session.receive(encode_event(homed(1, NEXT_BOOT)), now_us=0)
    assert session.receive(encode_event(homed(2)), now_us=0) == []
    assert session.boot_id == NEXT_BOOT
    session.acknowledge(homed(1))
    assert session.data_to_send() == b""


def test_a_new_boot_may_show_in_hello() -> None:
    session = Session()
    session.receive(encode_event(homed(1)), now_us=0)
    session.ask(Hello(), now_us=0, deadline_us=FAR_US)
    reply = hello_reply(NEXT_BOOT)
    assert answer(session, sent(session)[0], reply) == [Rebooted(NEXT_BOOT, BOOT), Reply(Hello(), reply)]


def test_the_first_boot_heard_of_is_no_reboot() -> None:
    session = Session()
    session.ask(Hello(), now_us=0, deadline_us=FAR_US)
    session.receive(encode_event(homed(1)), now_us=0)
    assert answer(session, sent(session)[0], hello_reply(BOOT)) == [Reply(Hello(), hello_reply(BOOT))]


@given(st.binary(max_size=400), st.integers(0, FAR_US))
def test_any_bytes_at_any_time_do_no_harm(data: bytes, now_us: int) -> None:
    session = Session()
    session.ask(Feed(1), now_us=0, deadline_us=FAR_US)
    session.receive(data, now_us=now_us)
    session.tick(now_us)


# --- against a machine over a bad line ---


@dataclass
class Machine:
    """Takes feeds of the next id, answers everything at once, says events until they are acknowledged."""

    fed: list[int] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)
    events: dict[int, Event] = field(default_factory=dict)
    event_id: int = 0

    def take(self, packet: Packet) -> list[bytes]:
        request = request_in(packet)
        match request:
            case AcknowledgeEvent(_, event_id):
                self.events.pop(event_id, None)
                return []
            case Feed(command_id):
                self.heard.append(encode(packet.type_byte, packet.sequence, packet.payload))
                status = self._feed(command_id)
                return [encode_reply(packet, Taken(status, Phase.DONE, len(self.fed))), *self.say()]
        return [encode_reply(packet, OK)]

    def say(self) -> list[bytes]:
        return [encode_event(event) for event in self.events.values()]

    def _feed(self, command_id: int) -> Status:
        if command_id == len(self.fed):
            return Status.DUPLICATE
        if command_id != len(self.fed) + 1:
            return Status.GAP
        self.fed.append(command_id)
        for _ in range(2):
            self.event_id += 1
            self.events[self.event_id] = homed(self.event_id)
        return Status.OK


class Line:
    """Virtual time and a wire that drops, doubles, damages and delays frames as it is told, and is good after that."""

    def __init__(self, faults: list[tuple[str, int]]) -> None:
        self.now_us = 0
        self._faults = deque(faults)
        self._under_way: list[tuple[int, int, str, bytes]] = []
        self._count = 0

    def put(self, end: str, frame: bytes) -> None:
        kind, amount = self._faults.popleft() if self._faults else ("", 0)
        match kind:
            case "drop":
                return
            case "flip":
                position = amount % len(frame)
                frame = frame[:position] + bytes([frame[position] ^ 1 << amount % 8]) + frame[position + 1 :]
            case "double":
                self._later(end, frame, 700)
        self._later(end, frame, amount * 1000 if kind == "delay" else 600)

    def next_us(self) -> int | None:
        return self._under_way[0][0] if self._under_way else None

    def arrived(self) -> list[tuple[str, bytes]]:
        found = []
        while self._under_way and self._under_way[0][0] <= self.now_us:
            _, _, end, frame = heapq.heappop(self._under_way)
            found.append((end, frame))
        return found

    def _later(self, end: str, frame: bytes, delay_us: int) -> None:
        self._count += 1
        heapq.heappush(self._under_way, (self.now_us + delay_us, self._count, end, frame))


@dataclass
class Conversation:
    """Asks one request after another and acknowledges every event, until all is said."""

    session: Session
    machine: Machine
    line: Line
    outcomes: list[Outcome] = field(default_factory=list)
    decoder: Decoder = field(default_factory=Decoder)
    say_at_us: int = EVENT_RESEND_US

    def hold(self, requests: list[Request]) -> None:
        waiting = deque(requests)
        while waiting or self.open():
            assert self.line.now_us < 600_000_000, "the conversation does not end"
            told = sum(isinstance(outcome, Report) for outcome in self.outcomes)
            if waiting and told == 2 * (len(requests) - len(waiting)) and self.session.may_ask(waiting[0]):
                now_us = self.line.now_us
                self.session.ask(waiting.popleft(), now_us=now_us, deadline_us=now_us + 60_000_000)
            self.turn()

    def open(self) -> bool:
        return bool(self.machine.events) or (self.session.next_wake_us(), self.line.next_us()) != (None, None)

    def turn(self) -> None:
        for frame in self.session.data_to_send().split(b"\0")[:-1]:
            self.line.put("machine", frame + b"\0")
        times = (self.line.next_us(), self.session.next_wake_us(), self.say_at_us)
        self.line.now_us = min(time_us for time_us in times if time_us is not None)
        if self.line.now_us >= self.say_at_us:
            self.say_at_us += EVENT_RESEND_US
            for frame in self.machine.say():
                self.line.put("session", frame)
        for end, frame in self.line.arrived():
            if end == "session":
                self.note(self.session.receive(frame, now_us=self.line.now_us))
            else:
                self.answer(frame)
        self.note(self.session.tick(self.line.now_us))

    def answer(self, frame: bytes) -> None:
        for packet in self.decoder.feed(frame):
            if isinstance(packet, Packet):
                for reply in self.machine.take(packet):
                    self.line.put("session", reply)

    def note(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            if isinstance(outcome, Report):
                self.session.acknowledge(outcome.event)
        self.outcomes += outcomes


fault = st.tuples(st.sampled_from(["", "drop", "double", "flip", "delay"]), st.integers(1, 300))


@settings(max_examples=150, deadline=None)
@given(st.lists(fault, max_size=60), st.integers(0, 255))
def test_over_a_bad_line_every_feed_is_fed_once_and_every_event_told_once(
    faults: list[tuple[str, int]], first_sequence: int
) -> None:
    session, machine = Session(first_sequence=first_sequence, last_event=(BOOT, 0)), Machine()
    feeds: list[Request] = [Feed(number) for number in range(1, 9)]
    conversation = Conversation(session, machine, Line(faults))
    conversation.hold(feeds)
    outcomes = conversation.outcomes
    assert [outcome.request for outcome in outcomes if isinstance(outcome, Reply)] == feeds
    assert machine.fed == list(range(1, 9))
    assert [outcome.event.event_id for outcome in outcomes if isinstance(outcome, Report)] == list(range(1, 17))
    assert len(outcomes) == len(feeds) + 16
    # Each command went in one form of bytes only; a frame delayed by the line may come late, never in another form.
    assert len(set(machine.heard)) == len(feeds)


def test_commands_are_those_that_change_what_the_machine_does() -> None:
    assert [is_command(request) for request in (Hello(), ReadStatus(), Feed(1), Stop())] == [False, False, True, True]
