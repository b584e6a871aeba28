"""The bridge to the machine: one wire and one session joined, so that a caller asks, waits and is answered.

Every wait has a deadline and never passes it. From the first command on, or the first wait for an event, the bridge
sends the heartbeat by itself where it waits and has said nothing for a while; a caller that does something else for
longer than the heartbeat's time-out is taken for dead by the machine, as it should be.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self, TypeVar

from firmware_bridge.codec import NotUnderstood
from firmware_bridge.dictionary import unpack_dictionary, words_of_protocol
from firmware_bridge.errors import BridgeError, LinkLost, MachineRebooted, NoAnswer, RemoteProtocolError
from firmware_bridge.event_order import Gap
from firmware_bridge.events import Event
from firmware_bridge.layout import Message, MessageError
from firmware_bridge.link import Wire, open_wire
from firmware_bridge.messages import (
    DICTIONARY_CHUNK,
    PROTOCOL,
    DictionaryReply,
    Heartbeat,
    Hello,
    HelloReply,
    ReadDictionary,
    ReadStatus,
    Request,
    StatusReply,
    Taken,
)
from firmware_bridge.session import NoReply, Outcome, Rebooted, Reply, Report, Session
from firmware_bridge.words import Status

HELLO_WITHIN_US: Final = 5_000_000
"""Time for the first HELLO: opening may have reset the machine, and a boot loader may wait two seconds."""

ANSWER_WITHIN_US: Final = 2_000_000
"""Time for any other reply. Every request is answered at once, before anything moves."""

HEARTBEAT_EVERY_US: Final = 500_000
HEARTBEAT_TIMEOUT_MS: Final = 2_000

QUIET_US: Final = 20_000
"""Silence that ends the draining of a port just opened: 500 bytes' time, and more than a USB bridge's 16 ms."""

DRAIN_MAX_US: Final = 200_000
"""Draining ends here in any case: a machine with events to tell is never silent for long."""

_M = TypeVar("_M", bound=Message)


class Bridge:
    """An open conversation with a machine.

    Attributes:
        hello: who the machine is; `refresh_hello` reads it anew.
        dictionary: the machine's words, constants and limits.
        session: for its counters of damaged, resent and stray packets.
        now_us: returns the time of the wire's clock, microseconds.
    """

    hello: HelloReply
    dictionary: dict[str, object]

    def __init__(self, wire: Wire, session: Session) -> None:
        """Join a wire and a session; `open` is the way in."""
        self.session = session
        self.now_us = wire.now_us
        self._wire = wire
        self._events: deque[Event] = deque()
        self._beat_at_us: int | None = None
        self._beating = False
        self._lost = False

    @classmethod
    def open(
        cls, url: str, *, hello_within_us: int = HELLO_WITHIN_US, last_event: tuple[int, int] | None = None
    ) -> Self:
        """Open the port and greet the machine.

        Args:
            url: see `link.open_wire`.
            hello_within_us: how long the machine may take to answer.
            last_event: boot id and event id of the last event on record: those up to it are not reported again.

        Raises:
            LinkError: the port does not open.
            LinkLost, NoAnswer, RemoteProtocolError: the machine is not there, or is not one this bridge can talk to.
        """
        return cls.over(open_wire(url), hello_within_us=hello_within_us, last_event=last_event)

    @classmethod
    def over(
        cls, wire: Wire, *, hello_within_us: int = HELLO_WITHIN_US, last_event: tuple[int, int] | None = None
    ) -> Self:
        """Greet the machine over an open wire; as `open`. The wire is closed if that fails."""
        bridge = cls(wire, Session(first_sequence=wire.now_us() // 1000, last_event=last_event))
        try:
            bridge._greet(hello_within_us)
        except BaseException:
            bridge._drop()
            raise
        return bridge

    def close(self) -> None:
        """Switch the machine's heartbeat watch off and close the port; closing twice does no harm.

        The farewell is said once and not waited for: if it is lost, the machine latches, which is safe. After an error
        in a `with` block there is none, so that the machine latches as after any other death of its controller.

        Raises:
            LinkLost: the link broke in this very moment; the port is closed all the same.
        """
        try:
            farewell = Heartbeat(timeout_ms=0)
            if self._beat_at_us is not None and not self._lost and self.session.may_ask(farewell):
                now_us = self.now_us()
                self.session.ask(farewell, now_us=now_us, deadline_us=now_us)
                self._flush()
        finally:
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._drop()

    # --- asking ---------------------------------------------------------------------------------------------------

    def command(self, request: Request) -> Taken:
        """Send a command and return how the machine took it; what comes of it comes as events.

        Raises:
            LinkLost, NoAnswer, MachineRebooted: whether the machine took it is not known: reconcile.
            RemoteProtocolError: the reply is none.
        """
        self._begin_to_beat()
        return self._ask(request, Taken)

    def status(self) -> StatusReply:
        """Return what the sensors, counters and the journal say now.

        Raises:
            LinkLost, NoAnswer, MachineRebooted, RemoteProtocolError: as `command`.
        """
        return self._ask(ReadStatus(), StatusReply)

    def refresh_hello(self) -> HelloReply:
        """Ask the machine anew who it is, as after `MachineRebooted`, and return what it says.

        Raises:
            LinkLost, NoAnswer, MachineRebooted, RemoteProtocolError: as `command`.
        """
        self._read_hello(self.now_us() + ANSWER_WITHIN_US)
        return self.hello

    def beat(self) -> None:
        """Send a heartbeat now; its reply is not waited for. While the bridge waits it does so by itself."""
        self._beat(self.now_us())
        self._flush()

    # --- events ---------------------------------------------------------------------------------------------------

    def next_event(self, *, deadline_us: int) -> Event | None:
        """Return the next event in order, None if there is none until the deadline.

        Raises:
            LinkLost, NoAnswer, MachineRebooted, RemoteProtocolError: as `command`; the events before it are kept.
        """
        self._begin_to_beat()
        while not self._events:
            self._turn(deadline_us)
            if not self._events and self.now_us() >= deadline_us:
                return None
        return self._events.popleft()

    def acknowledge(self, *events: Event) -> None:
        """Tell the machine that these events are on record, so that it forgets them.

        Raises:
            LinkLost: the port is gone.
        """
        for event in events:
            self.session.acknowledge(event)
        self._flush()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _greet(self, within_us: int) -> None:
        deadline_us = self.now_us() + within_us
        self._drain(min(deadline_us, self.now_us() + DRAIN_MAX_US))
        while True:
            try:
                self._read_hello(deadline_us)
            except MachineRebooted:
                continue  # opening the port reset the machine while we spoke; NoAnswer ends this at the deadline
            return

    def _drain(self, end_us: int) -> None:
        """Let go what was said before we came; events are said again."""
        while self._wire.receive(deadline_us=min(end_us, self.now_us() + QUIET_US)):
            if self.now_us() >= end_us:
                return

    def _read_hello(self, deadline_us: int) -> None:
        hello = self._ask(Hello(), HelloReply, deadline_us=deadline_us)
        if hello.protocol != PROTOCOL:
            raise RemoteProtocolError(f"the machine speaks protocol {hello.protocol}, this controller {PROTOCOL}")
        if not hasattr(self, "hello") or hello.dictionary_crc != self.hello.dictionary_crc:
            self.dictionary = self._read_dictionary(hello, deadline_us)
        self.hello = hello

    def _read_dictionary(self, hello: HelloReply, deadline_us: int) -> dict[str, object]:
        reads = [ReadDictionary(offset=offset) for offset in range(0, hello.dictionary_length, DICTIONARY_CHUNK)]
        data = bytearray()
        for read, reply in zip(reads, self._exchange(reads, deadline_us=deadline_us), strict=True):
            piece = _of_kind(read, reply, DictionaryReply)
            if piece.status is not Status.OK or piece.offset != read.offset:
                raise RemoteProtocolError(f"asked for the dictionary from {read.offset} on, got {piece}")
            data += piece.data
        compressed = bytes(data[: hello.dictionary_length])
        if zlib.crc32(compressed) != hello.dictionary_crc:
            raise RemoteProtocolError("the dictionary is not the one that HELLO names: its CRC differs")
        try:
            words = unpack_dictionary(compressed)
        except MessageError as error:
            raise RemoteProtocolError(f"the dictionary does not unpack: {error}") from error
        differing = [name for name, value in words_of_protocol().items() if words.get(name) != value]
        if differing:
            raise RemoteProtocolError(f"the machine has other words than this controller: {', '.join(differing)}")
        return words

    def _ask(self, request: Request, kind: type[_M], *, deadline_us: int | None = None) -> _M:
        if deadline_us is None:
            deadline_us = self.now_us() + ANSWER_WITHIN_US
        (reply,) = self._exchange([request], deadline_us=deadline_us)
        return _of_kind(request, reply, kind)

    def _exchange(self, requests: Sequence[Request], *, deadline_us: int) -> list[Message]:
        """Ask all of `requests`, as many at a time as the session allows, and return the replies in their order."""
        replies: list[Reply] = []
        asked = 0
        while len(replies) < len(requests):
            while asked < len(requests) and self.session.may_ask(requests[asked]):
                self.session.ask(requests[asked], now_us=self.now_us(), deadline_us=deadline_us)
                asked += 1
            replies += self._turn(deadline_us)
        return [reply.message for request in requests for reply in replies if reply.request is request]

    def _begin_to_beat(self) -> None:
        if self._beat_at_us is None:
            self._beat(self.now_us())

    def _beat(self, now_us: int) -> None:
        beat = Heartbeat(timeout_ms=HEARTBEAT_TIMEOUT_MS)
        if not self._beating and self.session.may_ask(beat):
            self.session.ask(beat, now_us=now_us, deadline_us=now_us + HEARTBEAT_TIMEOUT_MS * 1000)
            self._beating = True
            self._beat_at_us = now_us + HEARTBEAT_EVERY_US

    def _turn(self, deadline_us: int) -> list[Reply]:
        """Send what is to be sent, wait for bytes at most until the deadline, and take in what came."""
        now_us = self.now_us()
        wake_us = deadline_us
        if self._beat_at_us is not None:
            if now_us >= self._beat_at_us:
                self._beat(now_us)
            if not self._beating:
                wake_us = min(wake_us, self._beat_at_us)
        self._flush()
        session_wake_us = self.session.next_wake_us()
        if session_wake_us is not None:
            wake_us = min(wake_us, session_wake_us)
        data = self._receive(wake_us)
        now_us = self.now_us()
        outcomes = self.session.receive(data, now_us=now_us) if data else []
        if session_wake_us is not None and now_us >= session_wake_us:
            outcomes += self.session.tick(now_us)
        return self._take(outcomes) if outcomes else []

    def _take(self, outcomes: list[Outcome]) -> list[Reply]:
        """Sort what came; raise the first trouble, after all the rest is put where it belongs."""
        replies: list[Reply] = []
        trouble: BridgeError | None = None
        for outcome in outcomes:
            match outcome:
                case Report(event):
                    self._events.append(event)
                    continue
                case Reply(Heartbeat()) | NoReply(Heartbeat()):
                    self._beating = False
                case Reply():
                    replies.append(outcome)
                    continue
                case Rebooted():
                    self._beat_at_us = None  # the new boot does not watch us yet
            trouble = trouble or _trouble_in(outcome)
        if trouble is not None:
            raise trouble
        return replies

    def _flush(self) -> None:
        data = self.session.data_to_send()
        if data:
            try:
                self._wire.send(data)
            except LinkLost:
                self._lost = True
                raise
            if self._beat_at_us is not None:
                self._beat_at_us = self.now_us() + HEARTBEAT_EVERY_US

    def _receive(self, deadline_us: int) -> bytes:
        try:
            return self._wire.receive(deadline_us=deadline_us)
        except LinkLost:
            self._lost = True
            raise

    def _drop(self) -> None:
        self._lost = True
        self._wire.close()


def _of_kind(request: Request, reply: Message, kind: type[_M]) -> _M:
    if not isinstance(reply, kind):
        raise RemoteProtocolError(f"the machine does not understand {type(request).__name__}: {reply}")
    return reply


def _trouble_in(outcome: Outcome) -> BridgeError | None:
    match outcome:
        case Rebooted(boot_id, former_boot_id):
            return MachineRebooted(boot_id=boot_id, former_boot_id=former_boot_id)
        case NoReply(request, waited_us):
            return NoAnswer(type(request).__name__, waited_us)
        case NotUnderstood(packet, _, why):
            return RemoteProtocolError(f"{why} (type 0x{packet.type_byte:02x}, payload {packet.payload.hex()})")
        case Gap(boot_id, first, last):
            return RemoteProtocolError(f"events {first} to {last} of boot {boot_id:08x} are lost")
        case Reply(Heartbeat() as request, message):
            refused = isinstance(message, Taken) and message.status in (Status.UNKNOWN, Status.MALFORMED)
            return RemoteProtocolError(f"the machine does not understand {request}") if refused else None
        case _:
            return None
