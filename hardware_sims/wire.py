"""The serial line between the ports of machine and controller, one direction at a time.

Bytes take their time, 40 µs each at 250 000 baud; a write arrives as a whole when its last byte does.

Does not model: modem lines, a wrong baud rate, a receive buffer that overruns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from firmware_bridge.messages import BAUD
from hardware_sims.clock import Planned, VirtualClock
from hardware_sims.link_faults import DelayedBytes, DoubledBytes, DroppedBytes, LineFault, LostBurst, SpoiltBytes
from hardware_sims.seeded import Stream

BYTE_US: Final = 10 * 1_000_000 // BAUD
"""A byte on the line: start bit, 8 bits, stop bit."""


class Line:
    """One direction of the wire.

    Attributes:
        silent_until_us: bytes that would arrive before this moment are lost.
    """

    def __init__(self, clock: VirtualClock, deliver: Callable[[bytes], object]) -> None:
        self.silent_until_us = 0
        self._clock = clock
        self._deliver = deliver
        self._busy_us = 0
        self._flying: tuple[int, bytes, Planned] | None = None
        self._spoilers: tuple[_Spoiler, ...] = ()
        self._delay_us = 0

    def spoil(self, faults: Iterable[LineFault], stream: Stream) -> None:
        """Let these faults work on all bytes from now on, in place of those before."""
        spoilers, delay_us = [], 0
        for fault in faults:
            if isinstance(fault, DelayedBytes):
                delay_us += fault.ms * 1_000
            else:
                spoilers.append(_Spoiler(fault, stream))
        self._spoilers, self._delay_us = tuple(spoilers), delay_us

    def send(self, data: bytes) -> None:
        """Put bytes on the line, behind those still on it."""
        self._busy_us = max(self._busy_us, self._clock.now_us()) + BYTE_US * len(data)
        planned = self._clock.at(self._busy_us + self._delay_us, partial(self._arrive, data))
        self._flying = (self._busy_us, data, planned)

    def cut(self) -> None:
        """Stop sending in the middle of a byte, as a machine that goes down: only what was sent arrives."""
        now = self._clock.now_us()
        if self._flying is not None and self._flying[0] > now:
            ends, data, planned = self._flying
            planned.call_off()
            sent = data[: max(0, len(data) - -(-(ends - now) // BYTE_US))]
            self._busy_us = now
            self._clock.at(now + self._delay_us, partial(self._arrive, sent))

    def _arrive(self, data: bytes) -> None:
        if self._clock.now_us() < self.silent_until_us:
            return
        for spoiler in self._spoilers:
            data = spoiler.spoilt(data)
        self._deliver(data)


class _Spoiler:
    """One fault at work: it knows the number of the next byte that goes wrong."""

    def __init__(self, fault: SpoiltBytes, stream: Stream) -> None:
        self._fault = fault
        self._stream = stream
        self._next = fault.byte if fault.byte >= 0 else self._gap()
        self._width = fault.count if isinstance(fault, LostBurst) else 1
        self._over = 0

    def _gap(self) -> int:
        """Return how many bytes pass before the next bad one, each being bad with the fault's rate."""
        return int(math.log(1.0 - self._stream.unit()) / math.log(1.0 - self._fault.rate))

    def spoilt(self, data: bytes) -> bytes:
        """Return what arrives of `data`."""
        start = min(self._over, len(data))
        self._over -= start
        pieces = []
        while self._next < len(data) - start:
            bad = start + self._next
            pieces += [data[start:bad], self._made_of(data[bad])]
            start = min(bad + self._width, len(data))
            self._over = bad + self._width - start
            self._next = self._gap() if self._fault.byte < 0 else 1 << 62
        self._next -= len(data) - start
        return b"".join((*pieces, data[start:]))

    def _made_of(self, byte: int) -> bytes:
        match self._fault:
            case DroppedBytes() | LostBurst():
                return b""
            case DoubledBytes():
                return bytes((byte, byte))
            case _:
                return bytes((byte ^ 1 << self._stream.below(8),))
