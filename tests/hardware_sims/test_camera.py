"""The simulated camera: when it exposes, how it waits, and how its faults look to the reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hardware_sims.camera import FRAMES_PER_SECOND, READOUT_US, Film, SimCamera, open_camera
from hardware_sims.clock import VirtualClock
from hardware_sims.faults import CameraGone, FrameFault, FrozenFrames, LateFrames, RepeatedFrame, StrayLight
from hardware_sims.frame_server import SocketCamera, now_us, serve_frames
from hardware_sims.optics import EXPOSURE_US
from hardware_sims.scene import CardInView, WindowScene
from hardware_sims.world import forget_worlds, world_named
from vision.cards import Card
from vision.errors import CameraError
from vision.frame import Frame

LATENCY_US = EXPOSURE_US + READOUT_US


class Window:
    """A window with a card over it whose lamp is switched on at 100 ms, and faults that tests put in force."""

    def __init__(self) -> None:
        self.frame_faults: tuple[FrameFault, ...] = ()
        self.asked: list[int] = []

    def window_scene(self, at_us: int) -> WindowScene:
        self.asked.append(at_us)
        seven = CardInView(card=Card.parse("7C"), face_to_camera=True, x_mm=0.0, y_mm=0.0, angle_deg=0.0, turned=False)
        lamp = at_us >= 100_000
        return WindowScene(cards=(seven,), lamp=lamp, speed_mm_s=0.0, pack="plain", back="lattice", seed=at_us)


@pytest.fixture
def window() -> Window:
    return Window()


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def camera(window: Window, clock: VirtualClock) -> SimCamera:
    return SimCamera("sim:test", window, clock)


@pytest.fixture
def no_worlds() -> Iterator[None]:
    forget_worlds()
    yield
    forget_worlds()


def taken(frame: Frame | None) -> Frame:
    assert frame is not None
    return frame


@pytest.mark.parametrize(
    ("after_us", "captured_us", "number"),
    [(0, 0, 0), (1, 16_666, 1), (16_666, 16_666, 1), (16_667, 33_333, 2), (999_999, 1_000_000, 60)],
)
def test_exposures_begin_at_the_multiples_of_a_sixtieth(
    camera: SimCamera, after_us: int, captured_us: int, number: int
) -> None:
    frame = taken(camera.next_frame(after_us=after_us, deadline_us=2_000_000))
    assert (frame.captured_us, frame.number, frame.source) == (captured_us, number, "sim:test")
    assert FRAMES_PER_SECOND == 60


def test_the_reader_waits_until_the_frame_is_read_out(camera: SimCamera, clock: VirtualClock) -> None:
    frame = taken(camera.next_frame(after_us=50_000, deadline_us=1_000_000))
    assert clock.now_us() == frame.captured_us + LATENCY_US == 50_000 + LATENCY_US


def test_the_frame_shows_what_was_there_at_the_exposure(camera: SimCamera, window: Window) -> None:
    dark = taken(camera.next_frame(after_us=90_000, deadline_us=110_000 + LATENCY_US))
    assert window.asked == [100_000]
    assert dark.image.mean() > 30  # the lamp is on from this very exposure on
    before = taken(SimCamera("", window, VirtualClock()).next_frame(after_us=80_000, deadline_us=1_000_000))
    assert before.captured_us == 83_333
    assert before.image.mean() < 4


def test_no_exposure_is_given_twice(camera: SimCamera) -> None:
    frames = [taken(camera.next_frame(after_us=0, deadline_us=1_000_000)) for _ in range(3)]
    assert [frame.number for frame in frames] == [0, 1, 2]


def test_a_frame_nobody_waited_for_is_gone(camera: SimCamera, clock: VirtualClock) -> None:
    clock.pump(500_000)
    frame = taken(camera.next_frame(after_us=0, deadline_us=1_000_000))
    assert frame.captured_us >= 500_000 - LATENCY_US


def test_the_clock_never_passes_the_deadline(camera: SimCamera, clock: VirtualClock, window: Window) -> None:
    deadline = 33_333 + LATENCY_US - 1
    assert camera.next_frame(after_us=20_000, deadline_us=deadline) is None
    assert clock.now_us() == deadline
    assert window.asked == []
    later = taken(camera.next_frame(after_us=20_000, deadline_us=deadline + 1))
    assert later.captured_us == 33_333


def test_bytes_for_the_machines_reader_do_not_cut_the_wait_short(camera: SimCamera, clock: VirtualClock) -> None:
    for moment in (51_000, 52_000, 59_000):
        clock.at(moment, clock.wake)
    taken(camera.next_frame(after_us=50_000, deadline_us=1_000_000))
    assert clock.now_us() == 50_000 + LATENCY_US


def film(window: Window) -> Callable[[int], Frame]:
    """Return how exposure n comes out of a film: stamps and world on one clock, exposures 20 ms apart."""
    reel = Film("sim:test")

    def take(n: int) -> Frame:
        frame = reel.take(window, at_us=n * 20_000, captured_us=n * 20_000, number=n)
        assert frame is not None
        return frame

    return take


def test_a_camera_that_is_gone_gives_nothing(window: Window) -> None:
    window.frame_faults = (CameraGone(at=3),)
    assert Film("sim:test").take(window, at_us=0, captured_us=0, number=1) is None


def test_late_frames_are_old_ones_with_their_true_stamps(window: Window) -> None:
    take = film(window)
    window.frame_faults = (LateFrames(at=3, frames=3),)
    frame = take(6)
    # Three sixtieths before 120 ms the lamp was off.
    assert (frame.captured_us, frame.number) == (70_000, 3)
    assert window.asked == [70_000]
    assert frame.image.mean() < 4


def test_a_repeated_frame_is_the_very_same_once(window: Window) -> None:
    take = film(window)
    first = take(6)
    window.frame_faults = (RepeatedFrame(at=3),)
    again, then = take(7), take(8)
    assert again is first
    assert (then.captured_us, then.number) == (160_000, 8)
    window.frame_faults = ()
    take(9)
    window.frame_faults = (RepeatedFrame(at=3),)
    assert take(10).number == 9


def test_frozen_frames_show_the_old_picture_with_new_stamps_for_ever(window: Window) -> None:
    take = film(window)
    dark = take(4)
    window.frame_faults = (FrozenFrames(at=3),)
    frames = [take(n) for n in (5, 6)]
    window.frame_faults = ()
    frames.append(take(7))
    assert [(frame.captured_us, frame.number) for frame in frames] == [(100_000, 5), (120_000, 6), (140_000, 7)]
    assert all(np.array_equal(frame.image, dark.image) for frame in frames)
    assert window.asked == [80_000]


@pytest.mark.usefixtures("no_worlds")
def test_a_camera_by_name_films_the_world_of_that_name_on_its_clock() -> None:
    world = world_named("seen", seed=7)
    camera = open_camera("sim:seen", world.clock.now_us)
    frame = taken(camera.next_frame(after_us=1_000, deadline_us=100_000))
    camera.close()
    camera.close()
    assert world.clock.now_us() == 16_666 + LATENCY_US
    assert frame.image.shape == (480, 640, 3)
    assert frame.image.mean() < 4  # the lamp is off until a card stands in the window


@pytest.mark.usefixtures("no_worlds")
def test_a_camera_of_another_clock_than_the_machines_is_refused() -> None:
    world_named("seen", seed=7)
    with pytest.raises(CameraError, match="open both by the same name"):
        open_camera("sim:seen", now_us)


def test_a_path_names_a_socket(tmp_path: Path) -> None:
    def take() -> Frame:
        return Frame(image=np.zeros((2, 2, 3), np.uint8), captured_us=now_us(), number=1)

    with serve_frames(tmp_path / "eye.sock", take):
        camera = open_camera(f"sim:{tmp_path}/eye.sock", now_us)
        assert isinstance(camera, SocketCamera)
        camera.close()


def test_by_stray_light_the_window_is_never_dark(camera: SimCamera, window: Window) -> None:
    window.frame_faults = (StrayLight(at=1),)
    assert taken(camera.next_frame(after_us=0, deadline_us=1_000_000)).image.mean() > 30
    window.frame_faults = ()
    assert taken(camera.next_frame(after_us=0, deadline_us=1_000_000)).image.mean() < 4
