"""The wire as the bridge sees it: bytes out, bytes in, a clock, and the one place where waiting happens.

A port that brings a clock of its own (a simulator in this process) is pumped in the caller's thread and moves only
while the caller waits. A native port is served by one thread, which alone reads, writes and closes it: pyserial fails
in odd ways when two threads share a port.

Whatever goes wrong with an open port is `LinkLost`, and the port is closed by then. There is no second try here: a
write that timed out may have sent half a frame, so only a new session on a port opened anew is sound.
"""

from __future__ import annotations

import select
import socket
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

import serial

from firmware_bridge.errors import LinkLost
from firmware_bridge.ports import open_port

BUFFER_MAX: Final = 65_536
"""Bytes received and not asked for, after which the thread stops reading; the operating system then holds the rest."""

EMPTY_READS_MAX: Final = 3
"""Reads in a row without a byte from a port that said it had some, after which it is given up."""

JOIN_S: Final = 2.0
"""Seconds that closing waits for the thread, which is never longer in one call than the write time-out."""


class Wire(Protocol):
    """An open way to the machine."""

    def now_us(self) -> int:
        """Return the time of the wire's clock, microseconds."""
        ...

    def send(self, data: bytes) -> None:
        """Send whole frames.

        Raises:
            LinkLost: the port is gone.
        """
        ...

    def receive(self, *, deadline_us: int) -> bytes:
        """Return bytes as soon as there are any; `b""` at the deadline.

        Raises:
            LinkLost: the port is gone.
        """
        ...

    def close(self) -> None:
        """Close the port; closing twice does no harm."""
        ...


class Clock(Protocol):
    """What a port in this process offers where time moves only while somebody waits."""

    def now_us(self) -> int:
        """Return the time, microseconds."""
        ...

    def pump(self, deadline_us: int) -> None:
        """Let the world run until bytes are there for the reader, or until the deadline."""
        ...


def open_wire(url: str) -> Wire:
    """Open the port at `url`.

    Args:
        url: a device as `/dev/serial/by-id/…`, or a URL whose scheme a package registered in the entry point group
            `pone.ports`.

    Raises:
        LinkError: it cannot be opened.
    """
    port = open_port(url)
    clock: Clock | None = getattr(port, "clock", None)
    return NativeWire(port, url=url) if clock is None else PumpedWire(port, clock, url=url)


_NATIVE_LOSSES: Final = (serial.SerialException, OSError, termios.error, TypeError)
"""What a native port throws when it is gone, measured with pyserial 3.5: `read` SerialException, `in_waiting` OSError,
the flush functions termios.error; a port closed under way gives TypeError."""

_PUMPED_LOSSES: Final = (serial.SerialException, OSError)
"""What a simulated port throws when its scenario pulls the cable; a TypeError there is a fault of the simulator."""


@contextmanager
def _losing(url: str, losses: tuple[type[Exception], ...]) -> Iterator[None]:
    try:
        yield
    except losses as error:
        raise LinkLost(url, str(error)) from error


class PumpedWire:
    """A port with its own clock, in the caller's thread."""

    def __init__(self, port: serial.Serial, clock: Clock, *, url: str) -> None:
        self._port = port
        self._clock = clock
        self._url = url
        self.now_us = clock.now_us

    def send(self, data: bytes) -> None:
        """See `Wire`."""
        try:
            self._port.write(data)
        except _PUMPED_LOSSES as error:
            raise LinkLost(self._url, str(error)) from error

    def receive(self, *, deadline_us: int) -> bytes:
        """See `Wire`."""
        port = self._port
        try:
            waiting = port.in_waiting
            if not waiting:
                self._clock.pump(deadline_us)
                waiting = port.in_waiting
            return port.read(waiting) if waiting else b""
        except _PUMPED_LOSSES as error:
            raise LinkLost(self._url, str(error)) from error

    def close(self) -> None:
        """See `Wire`."""
        with _losing(self._url, _PUMPED_LOSSES):
            self._port.close()


class NativeWire:
    """A port of the operating system, and the thread that serves it."""

    def __init__(self, port: serial.Serial, *, url: str) -> None:
        self._port = port
        self._url = url
        self._changed = threading.Condition()
        self._received = bytearray()
        self._to_send = bytearray()
        self._lost: LinkLost | None = None
        self._closing = False
        self._ended = False
        self._doorbell, self._ring = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name=f"wire {url}", daemon=True)
        self._thread.start()

    def now_us(self) -> int:
        """See `Wire`."""
        return time.monotonic_ns() // 1000

    def send(self, data: bytes) -> None:
        """See `Wire`."""
        with self._changed:
            self._still_there()
            self._to_send += data
        self._ring.send(b"x")

    def receive(self, *, deadline_us: int) -> bytes:
        """See `Wire`."""
        with self._changed:
            while not self._received:
                self._still_there()
                left_us = deadline_us - self.now_us()
                if left_us <= 0:
                    return b""
                self._changed.wait(left_us / 1e6)
            data = bytes(self._received)
            self._received.clear()
        if len(data) >= BUFFER_MAX:
            self._ring.send(b"x")  # the thread had stopped reading
        return data

    def close(self) -> None:
        """See `Wire`."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
        self._ring.send(b"x")
        self._thread.join(JOIN_S)
        if self._thread.is_alive():
            raise LinkLost(self._url, f"the port did not close within {JOIN_S} s")
        self._ring.close()
        self._doorbell.close()

    def _still_there(self) -> None:
        if self._lost is not None:
            raise LinkLost(self._url, self._lost.why) from self._lost
        if self._closing or self._ended:
            raise LinkLost(self._url, "it is closed")

    # --- the thread -----------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            with _losing(self._url, _NATIVE_LOSSES):
                self._exchange()
                self._port.close()
        except LinkLost as error:
            self._abandon()
            self._lost = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _exchange(self) -> None:
        """Move bytes both ways until the wire is closed."""
        empty_reads = 0
        doors = [self._port.fileno(), self._doorbell.fileno()]
        while True:
            with self._changed:
                data = bytes(self._to_send)
                self._to_send.clear()
                closing = self._closing
                room = len(self._received) < BUFFER_MAX
            if data:
                sent = self._port.write(data)
                if sent != len(data):
                    raise LinkLost(self._url, f"{sent} of {len(data)} bytes could be sent")
            elif closing:
                return
            else:
                ready, _, _ = select.select(doors if room else doors[1:], [], [])
                if doors[1] in ready:
                    self._doorbell.recv(4096)
                if doors[0] in ready:
                    empty_reads = 0 if self._read() else empty_reads + 1
                    if empty_reads == EMPTY_READS_MAX:
                        raise LinkLost(self._url, "the port says it has bytes and gives none")

    def _read(self) -> int:
        data = self._port.read(max(1, self._port.in_waiting))
        with self._changed:
            self._received += data
            self._changed.notify_all()
        return len(data)

    def _abandon(self) -> None:
        """Close a port that no longer works, so that closing does not wait for bytes nobody will take."""
        for act in (self._port.reset_output_buffer, self._port.close):
            try:
                with _losing(self._url, _NATIVE_LOSSES):
                    act()
            except LinkLost:
                continue  # it is lost already; the first reason is the one to tell
