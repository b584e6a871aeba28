"""The serial line: its pace, its silence and the bytes that go wrong on it."""

from __future__ import annotations

from hardware_sims.clock import VirtualClock
from hardware_sims.link_faults import DelayedBytes, DoubledBytes, DroppedBytes, FlippedBytes, LostBurst, SpoiltBytes
from hardware_sims.seeded import Stream
from hardware_sims.wire import BYTE_US, Line


def sent_through(fault: SpoiltBytes, pieces: list[bytes]) -> bytes:
    clock, arrived = VirtualClock(), bytearray()
    line = Line(clock, arrived.extend)
    line.spoil([fault], Stream(1, "spoil"))
    for piece in pieces:
        line.send(piece)
    clock.run_work()
    return bytes(arrived)


def test_a_byte_takes_forty_microseconds_and_writes_queue_up() -> None:
    clock = VirtualClock()
    arrived: list[tuple[int, bytes]] = []
    line = Line(clock, lambda data: arrived.append((clock.now_us(), data)))
    line.send(b"x" * 10)
    line.send(b"y" * 5)
    clock.run_until(10_000)
    line.send(b"z")
    clock.run_work()
    assert BYTE_US == 40
    assert arrived == [(400, b"x" * 10), (600, b"y" * 5), (10_040, b"z")]


def test_the_byte_with_the_number_goes_wrong_whatever_the_pieces() -> None:
    data = bytes(range(10, 30))
    for cut in (1, 7, 8, 20):
        pieces = [data[:cut], data[cut:]]
        assert sent_through(DroppedBytes(direction="to_machine", byte=7), pieces) == data[:7] + data[8:]
        assert sent_through(DoubledBytes(direction="to_machine", byte=7), pieces) == data[:8] + data[7:]
        flipped = sent_through(FlippedBytes(direction="to_machine", byte=7), pieces)
        assert flipped[:7] + flipped[8:] == data[:7] + data[8:]
        assert (flipped[7] ^ data[7]).bit_count() == 1


def test_a_rate_spoils_its_part_of_the_bytes() -> None:
    left = len(sent_through(DroppedBytes(direction="to_machine", rate=0.01), [b"a" * 100] * 1_000))
    assert 98_800 < left < 99_200


def test_a_burst_is_lost_as_a_whole_whatever_the_pieces() -> None:
    data = bytes(range(10, 40))
    for cut in (1, 7, 8, 9, 11, 12, 30):
        burst = LostBurst(direction="to_machine", byte=7, count=5)
        assert sent_through(burst, [data[:cut], data[cut:]]) == data[:7] + data[12:]


def test_a_rate_of_bursts_loses_that_many_times_their_length() -> None:
    left = len(sent_through(LostBurst(direction="to_machine", rate=0.001, count=50), [b"a" * 100] * 2_000))
    # A burst of 50 every 1,050 bytes.
    assert 200_000 * 0.945 < left < 200_000 * 0.96


def test_a_bridge_delays_every_write_and_a_cut_line_too() -> None:
    clock = VirtualClock()
    arrived: list[tuple[int, bytes]] = []
    line = Line(clock, lambda data: arrived.append((clock.now_us(), data)))
    line.spoil([DelayedBytes(direction="to_machine", ms=16)], Stream(1, "spoil"))
    line.send(b"x" * 10)
    clock.run_until(20_000)
    line.send(b"y" * 10)
    clock.run_until(20_000 + 2 * BYTE_US)
    line.cut()
    clock.run_work()
    assert arrived == [(16_400, b"x" * 10), (36_080, b"yy")]


def test_a_silent_line_loses_what_would_arrive() -> None:
    clock, arrived = VirtualClock(), bytearray()
    line = Line(clock, arrived.extend)
    line.silent_until_us = 1_000
    line.send(b"lost")
    clock.run_until(1_000)
    line.send(b"kept")
    clock.run_work()
    assert arrived == b"kept"


def test_a_cut_line_brings_what_was_sent_so_far() -> None:
    clock, arrived = VirtualClock(), bytearray()
    line = Line(clock, arrived.extend)
    line.send(bytes(range(10)))
    clock.run_until(3 * BYTE_US + 1)
    line.cut()
    clock.run_work()
    assert arrived == bytes(range(3))
