"""A simulated machine behind a pseudo-terminal: what a controller finds at a real serial port, on the wall clock.

At *real* pace everything takes the time it takes. At *free* pace motion and people take none, and only what waits on
the controller (an event said again, a heartbeat missed) runs on the wall clock.

Does not model: a cable that is pulled out, modem lines, the baud rate the controller sets.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from hardware_sims.errors import PathInUse
from hardware_sims.world import World
from vision.files import plainly

Pace: TypeAlias = Literal["free", "real"]

_READ_MAX: Final = 4096
_IDLE_US: Final = 500_000
"""How long the loop sleeps at most, so that a terminal left marked exclusive does not stay so."""


@contextmanager
def link_to(device: str, link: Path) -> Iterator[None]:
    """Let `link` point to the terminal while the context lasts. A link left over by a simulator that died is replaced.

    Raises:
        PathInUse: there is something there that is no link.
    """
    try:
        if link.is_symlink() and link.exists():
            raise PathInUse(str(link), f"it points to {link.readlink()}: stop the simulator there, or remove the link")
        if link.is_symlink():
            link.unlink()
        link.symlink_to(device)
    except OSError as error:
        raise PathInUse(str(link), f"no link can be made there ({plainly(error)}): choose another path") from error
    try:
        yield
    finally:
        if link.is_symlink() and str(link.readlink()) == device:
            link.unlink()


def _nobody(data: bytes) -> None:
    """Listen to nothing."""


class PtyMachine:
    """A world whose machine is reached through a pseudo-terminal.

    Attributes:
        device: the terminal to open, as `/dev/pts/3`.
        heard: called with the controller's bytes.
        said: called with the machine's.
        lock: held while the world moves; who looks at the world from another thread takes it.
    """

    def __init__(self, world: World, *, pace: Pace, wall_us: Callable[[], int] | None = None) -> None:
        self.lock = threading.Lock()
        self._world = world
        self._pace = pace
        self._wall_us = wall_us or (lambda: time.monotonic_ns() // 1000)
        self._began_us = self._wall_us() - world.clock.now_us()
        self._master, self._slave = os.openpty()
        # The slave stays open here, so that the terminal lives on when a controller closes it.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)
        self.heard: Callable[[bytes], object] = _nobody
        self.said: Callable[[bytes], object] = _nobody
        world.plug_in(self)

    def close(self) -> None:
        """Give the terminal back."""
        self._world.unplug(self)
        os.close(self._master)
        os.close(self._slave)

    def serve(self, *, moved: Callable[[], object]) -> None:
        """Let the machine live until an exception, as that of Ctrl-C, ends it; call `moved` after every move."""
        while True:
            wait_us = self.step()
            moved()
            select.select([self._master], [], [], wait_us / 1e6)

    def step(self) -> int:
        """Take the controller's bytes, let happen what is due and give the machine's bytes; return how long to wait.

        Returns:
            The time until something is due, µs, or less.
        """
        world = self._world
        with self.lock:
            data = self._read()
            if data:
                self._catch_up()
                world.send(data)
            self._catch_up()
            said = bytes(world.received)
            world.received.clear()
            due = self._next_due_us()
            now = world.clock.now_us()
        if data:
            self.heard(data)
        if said:
            self.said(said)
            self._write(said)
        # A terminal stays marked exclusive until its last user closes it, and this process never does.
        fcntl.ioctl(self._slave, termios.TIOCNXCL)
        return _IDLE_US if due is None else min(_IDLE_US, max(0, due - now))

    def now_us(self) -> int:
        """Return the world's time now: the wall clock's, and what was skipped."""
        clock = self._world.clock
        return self._wall_us() - self._began_us + clock.now_us() - clock.patient_us()

    def _catch_up(self) -> None:
        """Bring the world to now."""
        clock = self._world.clock
        if self._pace == "real":
            clock.run_until(self.now_us())
            return
        while True:
            clock.run_work()
            clock.run_until(self.now_us())
            if clock.next_work_us() is None:
                return

    def _next_due_us(self) -> int | None:
        clock = self._world.clock
        moments = [when for when in (clock.next_work_us(), clock.next_patience_us()) if when is not None]
        return min(moments, default=None)

    def _read(self) -> bytes:
        try:
            return os.read(self._master, _READ_MAX)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> None:
        """Give bytes to the terminal; what does not fit is lost, as on a line that nobody reads."""
        try:
            os.write(self._master, data)
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
