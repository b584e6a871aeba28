"""Real pseudo-terminals show that one thread serves the port, and that every way of losing it is `LinkLost`."""

from __future__ import annotations

import os
import pty
import select
import termios
import threading
import time
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from firmware_bridge.errors import LinkLost
from firmware_bridge.link import BUFFER_MAX, EMPTY_READS_MAX, NativeWire, PumpedWire, open_wire

SOON_US = 2_000_000


@dataclass
class FarEnd:
    """The master side of a pseudo-terminal: where the machine would be."""

    master: int
    url: str

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            ready, _, _ = select.select([self.master], [], [], 2.0)
            assert ready, f"{len(data)} of {count} bytes came"
            data += os.read(self.master, count - len(data))
        return data

    def write(self, data: bytes) -> None:
        os.write(self.master, data)

    def unplug(self) -> None:
        os.close(self.master)
        self.master = -1


@pytest.fixture
def far_end() -> Iterator[FarEnd]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    end = FarEnd(master, os.ttyname(slave))
    yield end
    os.close(slave)
    if end.master >= 0:
        os.close(end.master)


@pytest.fixture
def wire(far_end: FarEnd) -> Iterator[NativeWire]:
    opened = open_wire(far_end.url)
    assert isinstance(opened, NativeWire)
    yield opened
    opened.close()


def soon(wire: NativeWire) -> int:
    return wire.now_us() + SOON_US


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("wire ")]


def wait_for_loss(wire: NativeWire) -> LinkLost:
    deadline_us = soon(wire)
    while wire.now_us() < deadline_us:
        try:
            wire.receive(deadline_us=deadline_us)
        except LinkLost as lost:
            return lost
    pytest.fail("the link is not lost")


def test_bytes_go_both_ways(wire: NativeWire, far_end: FarEnd) -> None:
    wire.send(b"ab\0\x11\x13\r\n\xff")
    assert far_end.read(8) == b"ab\0\x11\x13\r\n\xff"
    far_end.write(b"\0\x03\x04\r\n\x7f")
    data = b""
    while len(data) < 6:
        data += wire.receive(deadline_us=soon(wire))
    assert data == b"\0\x03\x04\r\n\x7f"


def test_receive_returns_with_the_first_bytes(wire: NativeWire, far_end: FarEnd) -> None:
    far_end.write(b"x")
    began_us = wire.now_us()
    assert wire.receive(deadline_us=began_us + SOON_US) == b"x"
    assert wire.now_us() - began_us < SOON_US // 4


def test_receive_returns_nothing_at_the_deadline(wire: NativeWire) -> None:
    began_us = wire.now_us()
    assert wire.receive(deadline_us=began_us + 30_000) == b""
    assert 30_000 <= wire.now_us() - began_us < 1_000_000
    assert wire.receive(deadline_us=began_us) == b""


def test_a_long_write_arrives_whole_though_the_terminal_takes_it_in_pieces(wire: NativeWire, far_end: FarEnd) -> None:
    data = bytes(range(256)) * 256  # more than a pseudo-terminal's buffer holds
    wire.send(data)
    assert far_end.read(len(data)) == data


def test_one_thread_serves_the_port_and_ends_with_it(far_end: FarEnd) -> None:
    before = threads()
    wire = open_wire(far_end.url)
    assert len(threads()) == len(before) + 1
    wire.close()
    wire.close()
    assert threads() == before


def test_only_the_thread_closes_the_port(far_end: FarEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    closers: list[str] = []
    real = serial.Serial.close

    def close(port: serial.Serial) -> None:
        closers.append(threading.current_thread().name)
        real(port)

    wire = open_wire(far_end.url)
    monkeypatch.setattr(serial.Serial, "close", close)
    wire.close()
    assert closers == [f"wire {far_end.url}"]


def test_a_closed_wire_says_so(wire: NativeWire) -> None:
    wire.close()
    with pytest.raises(LinkLost, match="closed"):
        wire.send(b"x")
    with pytest.raises(LinkLost, match="closed"):
        wire.receive(deadline_us=soon(wire))


def test_what_was_sent_before_closing_is_still_sent(wire: NativeWire, far_end: FarEnd) -> None:
    wire.send(b"farewell")
    wire.close()
    assert far_end.read(8) == b"farewell"


def test_an_unplugged_port_is_lost_and_closed_and_stays_lost(wire: NativeWire, far_end: FarEnd) -> None:
    far_end.unplug()
    lost = wait_for_loss(wire)
    assert lost.url == far_end.url
    assert "open it anew" in lost.next_step
    assert threads() == []
    assert not wire._port.is_open
    with pytest.raises(LinkLost):
        wire.send(b"x")


def test_a_port_unplugged_while_somebody_waits_wakes_him(wire: NativeWire, far_end: FarEnd) -> None:
    timer = threading.Timer(0.05, far_end.unplug)
    timer.start()
    began_us = wire.now_us()
    wait_for_loss(wire)
    assert wire.now_us() - began_us < SOON_US
    timer.join()


def test_bytes_that_came_before_the_loss_are_received(wire: NativeWire, far_end: FarEnd) -> None:
    far_end.write(b"last words")
    while not wire._received:
        assert wire._thread.is_alive()
        threading.Event().wait(0.001)
    far_end.unplug()
    wire._thread.join(2.0)
    assert wire.receive(deadline_us=soon(wire)) == b"last words"
    wait_for_loss(wire)


def test_a_write_that_nobody_takes_loses_the_link_within_the_write_time_out(wire: NativeWire) -> None:
    began = time.perf_counter()
    wire.send(bytes(1_000_000))
    lost = wait_for_loss(wire)
    assert "timeout" in lost.why.lower()
    assert time.perf_counter() - began < 1.5
    assert not wire._port.is_open


@pytest.mark.parametrize(
    "error",
    [serial.SerialException("gone"), OSError(5, "Input/output error"), termios.error(5, "x"), TypeError("NoneType")],
)
def test_whatever_the_port_throws_is_a_lost_link(
    wire: NativeWire, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(_port: serial.Serial, _data: bytes) -> int:
        raise error

    monkeypatch.setattr(serial.Serial, "write", write)
    wire.send(b"x")
    assert wait_for_loss(wire).why == str(error)


def test_half_a_frame_sent_is_a_lost_link(wire: NativeWire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial.Serial, "write", lambda _port, data: len(data) - 1)
    wire.send(b"frame")
    assert wait_for_loss(wire).why == "4 of 5 bytes could be sent"


def test_a_port_that_is_ready_without_bytes_is_given_up(
    wire: NativeWire, far_end: FarEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []

    def read(_port: serial.Serial, size: int) -> bytes:
        reads.append(size)
        return b""

    monkeypatch.setattr(serial.Serial, "read", read)
    far_end.write(b"x")
    assert "gives none" in wait_for_loss(wire).why
    assert len(reads) == EMPTY_READS_MAX


def test_a_caller_who_does_not_read_does_not_fill_the_memory(wire: NativeWire, far_end: FarEnd) -> None:
    os.set_blocking(far_end.master, False)
    total = stalled = 0
    while stalled < 20:  # until the terminal takes no more for a while
        try:
            total += os.write(far_end.master, bytes(8192))
            stalled = 0
        except BlockingIOError:
            stalled += 1
            threading.Event().wait(0.005)
        assert total < 10 * BUFFER_MAX
    assert BUFFER_MAX <= len(wire._received) < 2 * BUFFER_MAX
    received = 0
    while received < total:
        received += len(wire.receive(deadline_us=soon(wire)))
    assert received == total


def test_an_idle_wire_costs_no_processor_time(wire: NativeWire, far_end: FarEnd) -> None:
    wire.send(b"x")
    far_end.read(1)
    before = time.process_time()
    assert wire.receive(deadline_us=wire.now_us() + 200_000) == b""
    assert time.process_time() - before < 0.05


def test_an_answer_comes_at_once(wire: NativeWire, far_end: FarEnd) -> None:
    took_us = []
    for _ in range(20):
        began_us = wire.now_us()
        wire.send(b"ping")
        far_end.read(4)
        far_end.write(b"pong")
        wire.receive(deadline_us=soon(wire))
        took_us.append(wire.now_us() - began_us)
    assert sorted(took_us)[10] < 10_000  # far below the 50 ms of the read time-out: nothing polls


# --- a port with its own clock ---


class World(SimpleNamespace):
    """A port in this process: bytes come when its clock is pumped."""

    def __init__(self) -> None:
        super().__init__(time_us=0, coming=[], here=b"", written=[], open=True)

    def now_us(self) -> int:
        return int(self.time_us)

    def pump(self, deadline_us: int) -> None:
        if self.coming and self.coming[0][0] <= deadline_us:
            self.time_us, self.here = self.coming.pop(0)
        else:
            self.time_us = max(self.time_us, deadline_us)

    @property
    def in_waiting(self) -> int:
        return len(self.here)

    def read(self, size: int) -> bytes:
        data, self.here = self.here[:size], self.here[size:]
        return bytes(data)

    def write(self, data: bytes) -> None:
        if not self.open:
            raise serial.SerialException("pulled")
        self.written.append(data)

    def close(self) -> None:
        self.open = False


def pumped() -> tuple[PumpedWire, World]:
    world: Any = World()
    return PumpedWire(world, world, url="world://"), world


def test_a_pumped_wire_moves_only_while_the_caller_waits() -> None:
    wire, world = pumped()
    world.coming = [(700, b"one"), (900, b"two")]
    wire.send(b"go")
    assert (world.written, wire.now_us()) == ([b"go"], 0)
    assert (wire.receive(deadline_us=1000), wire.now_us()) == (b"one", 700)
    assert (wire.receive(deadline_us=800), wire.now_us()) == (b"", 800)
    assert (wire.receive(deadline_us=1000), wire.now_us()) == (b"two", 900)
    assert (wire.receive(deadline_us=1000), wire.now_us()) == (b"", 1000)


def test_bytes_already_there_cost_no_time() -> None:
    wire, world = pumped()
    world.here = b"here"
    assert (wire.receive(deadline_us=1000), wire.now_us()) == (b"here", 0)


def test_a_pumped_port_that_is_gone_is_a_lost_link() -> None:
    wire, _ = pumped()
    wire.close()
    with pytest.raises(LinkLost, match="pulled"):
        wire.send(b"x")
