"""A controller as small as can be, which talks to a simulated machine in raw frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import pytest

from firmware_bridge.codec import BadFrame, Decoder, Packet, encode_request, event_in, reply_in
from firmware_bridge.events import Answered, AtWindow, Booted, Delivered, Event, Faulted, Homed
from firmware_bridge.messages import (
    REPLY_BIT,
    Acknowledge,
    AcknowledgeEvent,
    Ask,
    Feed,
    Home,
    ReadStatus,
    Request,
    Route,
    ShelfPass,
    StatusReply,
)
from firmware_bridge.words import Asked, Status, Tray
from hardware_sims.scenario import parse_scenario
from hardware_sims.world import World, forget_worlds

EventT = TypeVar("EventT", bound=Event)
_EVENT_FIRST = 0xC0
_RESEND_US = 50_000
_SEATS = (Tray.W, Tray.N, Tray.E, Tray.S)


class RawClient:
    """Stop and wait: one request at a time, sent again until its reply comes; events are acknowledged at once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.events: list[Event] = []
        self.frames: list[tuple[int, Packet]] = []
        self.acknowledges = True
        self._seen: set[tuple[int, int]] = set()
        self._replies: list[Packet] = []
        self._decoder = Decoder()
        self._sequence = 0
        world.plug_in(self)

    @property
    def now_us(self) -> int:
        return self.world.clock.now_us()

    def poll(self, deadline_us: int) -> None:
        """Wait for bytes and sort what they say."""
        if not self.world.received:
            self.world.clock.pump(deadline_us)
        data = bytes(self.world.received)
        self.world.received.clear()
        for packet in self._decoder.feed(data):
            if isinstance(packet, BadFrame):
                continue
            self.frames.append((self.now_us, packet))
            if packet.type_byte < _EVENT_FIRST:
                self._replies.append(packet)
                continue
            event = event_in(packet)
            assert isinstance(event, Event)
            if self.acknowledges:
                self.world.send(encode_request(AcknowledgeEvent(event.boot_id, event.event_id), 0))
            if (event.boot_id, event.event_id) not in self._seen:
                self._seen.add((event.boot_id, event.event_id))
                self.events.append(event)

    def request(self, request: Request, *, tries: int = 30) -> Any:
        """Return the reply."""
        self._sequence = (self._sequence + 1) & 0xFF
        frame = encode_request(request, self._sequence)
        for _ in range(tries):
            self.world.send(frame)
            deadline = self.now_us + _RESEND_US
            while self.now_us < deadline:
                self.poll(deadline)
                while self._replies:
                    packet = self._replies.pop(0)
                    if packet.sequence == self._sequence and packet.type_byte == request.type_byte | REPLY_BIT:
                        return reply_in(packet, request)
        raise AssertionError(f"no reply to {request}")

    def wait_for(self, kind: type[EventT], within_us: int = 10_000_000) -> EventT:
        """Return the next event of a kind, and forget it."""
        deadline = self.now_us + within_us
        while True:
            for event in self.events:
                if isinstance(event, kind):
                    self.events.remove(event)
                    return event
            assert self.now_us < deadline, f"no {kind.__name__} came"
            self.poll(deadline)

    def run(self, for_us: int) -> None:
        """Listen for a while."""
        deadline = self.now_us + for_us
        while self.now_us < deadline:
            self.poll(deadline)

    def acknowledge_latch(self) -> None:
        """Acknowledge whatever latch holds the machine."""
        assert self.request(Acknowledge(self.request(ReadStatus()).latch_id)).status is Status.OK

    def home(self) -> None:
        assert self.request(Home()).status is Status.OK
        self.wait_for(Homed)

    def ask(self, asked: Asked, a: int = 0, b: int = 0) -> Answered:
        assert self.request(Ask(asked, a, b)).status is Status.OK
        return self.wait_for(Answered, 60_000_000)

    def begin(self) -> None:
        """Home the machine, have a pack laid in and cut."""
        self.wait_for(Booted)
        self.home()
        self.ask(Asked.LOAD_PACK)
        self.ask(Asked.CUT)

    def feed(self, command_id: int) -> AtWindow:
        assert self.request(Feed(command_id)).status in (Status.OK, Status.DUPLICATE)
        return self.wait_for(AtWindow)

    def route(self, command_id: int, tray: Tray) -> Delivered:
        assert self.request(Route(command_id, tray)).status in (Status.OK, Status.DUPLICATE)
        return self.wait_for(Delivered)

    def fault(self) -> Faulted:
        """Return the next fault."""
        return self.wait_for(Faulted, 30_000_000)

    def sort(self, command_id: int, shelves: Sequence[int]) -> Status:
        """Begin a shelf pass: for each card in fed order its shelf, from 0."""
        packed = sum(shelf << 3 * number for number, shelf in enumerate(shelves)).to_bytes(24, "little")
        status: Status = self.request(ShelfPass(command_id, len(shelves), packed)).status
        return status

    def status(self) -> StatusReply:
        reply: StatusReply = self.request(ReadStatus())
        return reply

    def deal(self, cards: int = 52, first_id: int = 1) -> None:
        """Deal as at whist with dealer S: round to the left, the last card of 52 to the trump spot."""
        for k in range(cards):
            self.feed(first_id + k)
            self.route(first_id + k, Tray.TRUMP if k == 51 else _SEATS[k % 4])


@pytest.fixture
def machine() -> Iterator[Callable[..., RawClient]]:
    """Return a function that makes a machine for a scenario's text and a client that is plugged in."""

    def make(toml: str = "", *, seed: int = 7) -> RawClient:
        return RawClient(World(parse_scenario(toml, "test.toml"), seed=seed))

    yield make
    forget_worlds()


def deal_with(*faults: str, cut: int = 26, more: str = "", acts: Sequence[str] = ()) -> str:
    """Return a scenario of one deal with faults and acts, each the inside of a table."""
    lines = [more, "[[deal]]", f"cut = {cut}", *(f"[[deal.fault]]\n{fault}" for fault in faults)]
    return "\n".join([*lines, *(f"[[deal.act]]\n{act}" for act in acts)])


@pytest.fixture
def faulty(machine: Callable[..., RawClient]) -> Callable[..., RawClient]:
    """Return a function that makes a machine whose first deal has these faults, and begins that deal."""

    def make(*faults: str, seed: int = 7, **options: Any) -> RawClient:
        client = machine(deal_with(*faults, **options), seed=seed)
        client.begin()
        return client

    return make
