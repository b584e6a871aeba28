"""The simulated camera below the read window: 60 frames a second on the clock of its world, and its faults.

`sim:NAME` films the world of the machine `sim://NAME`; `sim:/path/to.sock` asks a simulator in another process.

Does not model: exposure or gain control, a queue in the driver (a frame nobody waited for is gone), bandwidth.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from hardware_sims.faults import CameraGone, FrozenFrames, LateFrames, RepeatedFrame, StrayLight
from hardware_sims.frame_server import SocketCamera
from hardware_sims.optics import EXPOSURE_US
from hardware_sims.render import render_window
from hardware_sims.world import World, world_named
from vision.errors import CameraError
from vision.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware_sims.faults import FrameFault
    from hardware_sims.scene import WindowScene
    from vision.frame import Camera, Image

__all__ = [
    "FRAMES_PER_SECOND",
    "READOUT_US",
    "Film",
    "Filmed",
    "PacedCamera",
    "SimCamera",
    "SimClock",
    "camera_served",
    "open_camera",
    "world_filmed",
]

FRAMES_PER_SECOND: Final = 60

READOUT_US: Final = 8_000
"""From the end of an exposure until the frame is with the reader."""

_LATENCY_US: Final = EXPOSURE_US + READOUT_US


class SimClock(Protocol):
    """A clock that moves only while somebody waits, as `firmware_bridge` knows it."""

    def now_us(self) -> int:
        """Return the time."""
        ...

    def pump(self, deadline_us: int) -> None:
        """Let things happen until bytes come for the machine's reader, or the time is `deadline_us`."""
        ...


class Filmed(Protocol):
    """What a camera has before it."""

    @property
    def frame_faults(self) -> tuple[FrameFault, ...]:
        """The faults of the camera that are in force now."""
        ...

    def window_scene(self, at_us: int) -> WindowScene:
        """Return what is in view at a moment that is not in the future."""
        ...


def open_camera(url: str, clock: Callable[[], int]) -> Camera:
    """Open `sim:NAME` or `sim:/path/to.sock`.

    Args:
        url: the camera.
        clock: the time on the clock of the machine's link, µs.

    Raises:
        CameraError: there is nothing to film there, or it runs on another clock than the machine.
    """
    name = url.removeprefix("sim:")
    served = camera_served(url, name, clock)
    if served is not None:
        return served
    world = world_filmed(url, name, clock)
    return SimCamera(url, world, world.clock)


def camera_served(url: str, name: str, clock: Callable[[], int]) -> SocketCamera | None:
    """Return a camera whose frames another process serves, where a name is a socket's; None where it is a world's.

    Raises:
        CameraError: nobody serves frames there.
    """
    return SocketCamera(url, Path(name), clock) if "/" in name or name.endswith(".sock") else None


def world_filmed(url: str, name: str, clock: Callable[[], int]) -> World:
    """Return the world `sim://NAME`, to be filmed.

    Raises:
        CameraError: it runs on another clock than the machine.
    """
    world = world_named(name)
    if clock() != world.clock.now_us():
        message = f"{url}: it runs on the clock of sim://{name}, but the machine is another: open both by the same name"
        raise CameraError(url, message)
    return world


class Film:
    """The frames of one camera in the order they are taken, its faults included."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._last: Frame | None = None
        self._frozen: Image | None = None
        self._in_force: tuple[FrameFault, ...] = ()

    def take(self, world: Filmed, *, at_us: int, captured_us: int, number: int) -> Frame | None:
        """Return the frame the camera gives for one exposure; None where it gives none any more.

        Args:
            world: what is filmed.
            at_us: when the exposure began, on the world's clock.
            captured_us: the same moment on the clock frames are stamped with.
            number: counts exposures.
        """
        faults, before = world.frame_faults, self._in_force
        self._in_force = faults
        last = self._last
        late, stray = 0, False
        for fault in faults:
            match fault:
                case CameraGone():
                    return None
                case RepeatedFrame() if fault not in before and last is not None:
                    return last
                case FrozenFrames() if self._frozen is None and last is not None:
                    self._frozen = last.image
                case LateFrames(frames=frames):
                    late = frames
                case StrayLight():
                    stray = True
                case _:
                    pass
        behind_us = late * 1_000_000 // FRAMES_PER_SECOND
        if self._frozen is not None:
            image = self._frozen
        else:
            scene = world.window_scene(max(0, at_us - behind_us))
            image = render_window(replace(scene, lamp=scene.lamp or stray))
        self._last = Frame(image=image, captured_us=captured_us - behind_us, number=number - late, source=self._source)
        return self._last


class PacedCamera:
    """A camera in the world of a machine in this process; waiting for it lets that world run."""

    def __init__(
        self,
        clock: SimClock,
        take: Callable[[int, int], Frame | None],
        *,
        per_second: int = FRAMES_PER_SECOND,
        latency_us: int = _LATENCY_US,
    ) -> None:
        """Film at a steady pace.

        Args:
            clock: of the world.
            take: returns the frame of an exposure, given when it began, µs, and its number; None where none comes.
            per_second: exposures in a second.
            latency_us: from the beginning of an exposure until the frame is with the reader.
        """
        self._clock = clock
        self._take = take
        self._per_second = per_second
        self._latency_us = latency_us
        self._next = 0

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """See `vision.frame.Camera`. Exposures begin at the multiples of the time from one to the next."""
        earliest_us = max(after_us, self._clock.now_us() - self._latency_us)
        number = max(self._next, -(-earliest_us * self._per_second // 1_000_000))
        captured_us = number * 1_000_000 // self._per_second
        ready_us = captured_us + self._latency_us
        self._run_until(min(ready_us, deadline_us))
        if ready_us > deadline_us:
            return None
        self._next = number + 1
        frame = self._take(captured_us, number)
        if frame is None:
            self._run_until(deadline_us)
        return frame

    def close(self) -> None:
        """See `vision.frame.Camera`."""

    def _run_until(self, moment_us: int) -> None:
        # The clock stops whenever bytes come for the machine's reader; they keep while the camera is waited for.
        while self._clock.now_us() < moment_us:
            self._clock.pump(moment_us)


class SimCamera(PacedCamera):
    """The camera of the read window: 60 frames a second, with the faults of its world."""

    def __init__(self, url: str, world: Filmed, clock: SimClock) -> None:
        film = Film(url)

        def take(at_us: int, number: int) -> Frame | None:
            return film.take(world, at_us=at_us, captured_us=at_us, number=number)

        super().__init__(clock, take)
