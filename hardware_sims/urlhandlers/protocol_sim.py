"""`sim://` for pyserial: a port at whose far end a simulated machine speaks the real bytes.

    serial.serial_for_url("sim://NAME?scenario=FILE_OR_NAME&seed=7&lacks=shelves,touch")

All parts may be left out. Time is virtual and passes only while somebody waits: in a `read` with a time-out, or in
`clock.pump`. Opening a name again is plugging the cable in again; the machine and its cards stay as they are.

Does not model: modem lines, parity, a wrong baud rate, write time-outs; a write never blocks.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import serial
from serial.serialutil import SerialBase

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import NothingWillCome, SimulatorError
from hardware_sims.plan import parts_named
from hardware_sims.world import World, world_named

_OPTIONS: Final = ("scenario", "seed", "lacks")


class Serial(SerialBase):
    """The controller's end of the wire, as pyserial's own ports behave.

    Attributes:
        world: what is at the far end; set while the port has been opened once.
    """

    world: World

    @property
    def clock(self) -> VirtualClock:
        """The only clock of this port: `now_us` and `pump`."""
        return self.world.clock

    def open(self) -> None:
        """Plug the cable in.

        Raises:
            serial.SerialException: the URL is wrong, the scenario cannot be used, or the port is open already.
        """
        if self.is_open:
            raise serial.SerialException("the port is open already")
        if self.port is None:
            raise serial.SerialException("the port must be given before it is opened")
        name, options = _parts(self.port)
        try:
            self.world = world_named(name, **options)
            self.world.plug_in(self)
        except SimulatorError as error:
            raise serial.SerialException(str(error)) from error
        self.is_open = True

    def close(self) -> None:
        """Pull the cable; twice does no harm."""
        if self.is_open:
            self.world.unplug(self)
            self.is_open = False

    def _reconfigure_port(self) -> None:
        """Take any settings: the line is simulated at the machine's own."""

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read now."""
        self._must_be_open()
        return len(self.world.received)

    @property
    def out_waiting(self) -> int:
        """How many bytes are still in the port; they leave it at once."""
        self._must_be_open()
        return 0

    def read(self, size: int = 1, /) -> bytes:
        """Return `size` bytes, fewer where the time-out, in virtual time, ends first.

        Raises:
            serial.SerialException: the port is not open, or nothing is left to happen and there is no time-out.
        """
        self._must_be_open()
        received = self.world.received
        if len(received) < size and self.timeout != 0:
            self._wait_for(size)
        data = bytes(received[:size])
        del received[:size]
        return data

    def _wait_for(self, size: int) -> None:
        clock, received = self.world.clock, self.world.received
        if self.timeout is not None:
            deadline = clock.now_us() + round(self.timeout * 1e6)
            while len(received) < size and clock.now_us() < deadline:
                clock.pump(deadline)
            return
        while len(received) < size:
            moments = [when for when in (clock.next_work_us(), clock.next_patience_us()) if when is not None]
            if not moments:
                raise serial.SerialException(str(NothingWillCome()))
            clock.pump(min(moments))

    def write(self, data: Any, /) -> int:
        """Put bytes on the wire and return how many."""
        self._must_be_open()
        sent = bytes(memoryview(data))
        self.world.send(sent)
        return len(sent)

    def flush(self) -> None:
        """Do nothing: written bytes have left the port."""
        self._must_be_open()

    def reset_input_buffer(self) -> None:
        """Forget the bytes that can be read now."""
        self._must_be_open()
        self.world.received.clear()

    def reset_output_buffer(self) -> None:
        """Do nothing: written bytes have left the port."""
        self._must_be_open()

    def _must_be_open(self) -> None:
        if not self.is_open:
            raise serial.PortNotOpenError


def _parts(url: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a URL."""
    parts = urlsplit(url)
    if parts.scheme != "sim" or parts.path.strip("/") or "#" in url:
        raise serial.SerialException(
            f"{url}: expected sim://NAME?scenario=FILE&seed=NUMBER&lacks=PART,PART, every part but sim:// free, "
            "# written as %23"
        )
    options: dict[str, Any] = {}
    for key, values in parse_qs(parts.query, keep_blank_values=True).items():
        if key not in _OPTIONS or len(values) != 1:
            raise serial.SerialException(f"{url}: {key}: expected once at most one of {', '.join(_OPTIONS)}")
        options[key] = values[0]
    if "seed" in options:
        try:
            options["seed"] = int(options["seed"])
        except ValueError as error:
            raise serial.SerialException(f"{url}: seed: expected a whole number") from error
    if "lacks" in options:
        try:
            options["lacks"] = parts_named(options["lacks"])
        except ValueError as error:
            raise serial.SerialException(f"{url}: lacks: {error}") from error
    return parts.netloc, options
