"""The machine behind a pseudo-terminal, stepped by hand on a wall clock that the test moves."""

from __future__ import annotations

import fcntl
import struct
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from firmware_bridge.codec import Decoder, Packet, encode_request
from firmware_bridge.events import EVENT_RESEND_US, Answered, AtWindow, Booted, Homed, Sorted
from firmware_bridge.messages import Ask, Feed, Heartbeat, Home, ReadStatus, ShelfPass
from firmware_bridge.words import Asked
from hardware_sims.errors import PathInUse
from hardware_sims.plan import Scenario
from hardware_sims.pty import Pace, PtyMachine, link_to
from hardware_sims.world import World

TIOCGEXCL = 0x80045440
"""Asks whether a terminal is marked exclusive; the module `termios` has no name for it."""

QUIET_S = 0.03
"""The kernel passes a terminal's bytes on by itself, a little later: so long is listened for more."""


class Bench:
    """A machine at a terminal, a port at the other end and a wall clock."""

    def __init__(self, pace: Pace) -> None:
        self.wall_us = 10**9
        self.world = World(Scenario(), seed=1)
        self.machine = PtyMachine(self.world, pace=pace, wall_us=lambda: self.wall_us)
        self.port = self.open()
        self.decoder = Decoder()
        self.heard: list[int] = []

    def open(self) -> serial.Serial:
        return serial.Serial(self.machine.device, 250_000, timeout=QUIET_S, write_timeout=0.3, exclusive=True)

    def pass_time(self, for_us: int, *requests: Any) -> list[int]:
        """Write requests, let the wall clock go on and return the type bytes heard."""
        for sequence, request in enumerate(requests):
            self.port.write(encode_request(request, sequence))
        self.machine.step()
        self.wall_us += for_us
        self.machine.step()
        packets = self.decoder.feed(self.port.read(65_536))
        return [packet.type_byte for packet in packets if isinstance(packet, Packet)]

    def close(self) -> None:
        self.port.close()
        self.machine.close()


@pytest.fixture(params=["free", "real"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(request.param)
    yield bench
    bench.close()


@pytest.fixture
def free() -> Iterator[Bench]:
    bench = Bench("free")
    yield bench
    bench.close()


@pytest.fixture
def real() -> Iterator[Bench]:
    bench = Bench("real")
    yield bench
    bench.close()


def test_a_request_is_answered_over_the_terminal(bench: Bench) -> None:
    assert ReadStatus.type_byte | 0x80 in bench.pass_time(10_000, ReadStatus())


def test_at_free_pace_motion_and_people_take_no_time(free: Bench) -> None:
    heard = free.pass_time(0, Home(), Ask(Asked.LOAD_PACK, 0, 0))
    heard += free.pass_time(0, Feed(1))
    assert Homed.type_byte in heard
    assert AtWindow.type_byte in heard
    assert free.world.clock.patient_us() == 0


def test_at_free_pace_a_shelf_pass_and_a_cut_take_no_time_either(free: Bench) -> None:
    free.pass_time(0, Home(), Ask(Asked.LOAD_PACK, 0, 0))
    assert Sorted.type_byte in free.pass_time(0, ShelfPass(1, 52, bytes(24)))
    assert Answered.type_byte in free.pass_time(0, Ask(Asked.CUT, 0, 0))
    assert free.world.clock.patient_us() == 0


def test_at_free_pace_patience_runs_on_the_wall_clock(free: Bench) -> None:
    free.pass_time(0, Heartbeat(1_000), Home())
    assert free.pass_time(EVENT_RESEND_US - 1_000) == []
    assert free.pass_time(2_000).count(Homed.type_byte) == 1
    assert int(free.world._firmware._core.fault) == 0
    free.pass_time(1_000_000)
    assert free.world._firmware._core.fault.name == "HEARTBEAT_LOST"


def test_at_real_pace_everything_takes_its_time(real: Bench) -> None:
    assert Homed.type_byte not in real.pass_time(290_000, Home())
    assert Homed.type_byte in real.pass_time(20_000)
    assert real.machine.step() <= EVENT_RESEND_US


def test_the_terminal_lives_on_when_the_controller_goes_and_comes(bench: Bench) -> None:
    bench.pass_time(10_000, ReadStatus())
    bench.port.close()
    bench.wall_us += 100_000
    bench.machine.step()
    bench.port = bench.open()
    bench.decoder = Decoder()
    heard = bench.pass_time(EVENT_RESEND_US, ReadStatus())
    assert ReadStatus.type_byte | 0x80 in heard
    assert Booted.type_byte in heard


@pytest.mark.skipif(sys.platform != "linux", reason="the question is Linux's own")
def test_a_controller_that_died_does_not_keep_out_the_next(real: Bench) -> None:
    fcntl.ioctl(real.port.fileno(), termios.TIOCEXCL)
    real.machine.step()
    (exclusive,) = struct.unpack("i", fcntl.ioctl(real.port.fileno(), TIOCGEXCL, bytes(4)))
    assert exclusive == 0


def test_bytes_that_nobody_reads_do_not_stop_the_machine(real: Bench) -> None:
    real.port.close()
    for _ in range(3_000):
        real.wall_us += 60_000
        real.machine.step()
    real.port = real.open()
    assert ReadStatus.type_byte | 0x80 in real.pass_time(10_000, ReadStatus())


def test_a_link_points_to_the_terminal_while_it_lasts(tmp_path: Path) -> None:
    link = tmp_path / "machine"
    link.symlink_to("/dev/pts/left-over")
    with link_to("/dev/pts/999", link):
        assert link.readlink() == Path("/dev/pts/999")
    assert not link.is_symlink()


def test_a_link_that_leads_to_a_running_simulator_is_left_alone(tmp_path: Path) -> None:
    link = tmp_path / "machine"
    with link_to("/dev/null", link):
        with pytest.raises(PathInUse, match="stop the simulator there"), link_to("/dev/pts/999", link):
            pass
        assert link.readlink() == Path("/dev/null")


def test_a_link_replaces_no_file(tmp_path: Path) -> None:
    file = tmp_path / "machine"
    file.write_text("precious")
    with pytest.raises(PathInUse, match="choose another path"), link_to("/dev/pts/999", file):
        pass
    assert file.read_text() == "precious"
