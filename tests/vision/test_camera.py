"""Cameras by URL: order, stamps, ends, and the errors that name what to do."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision import camera as camera_module
from vision.camera import DeviceCamera, VideoCamera, open_camera
from vision.errors import CameraError, CameraLost
from vision.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.frame import Camera, Image

FOREVER = 10**12


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, now_us: int = 0) -> None:
        self.now_us = now_us

    def __call__(self) -> int:
        return self.now_us


def picture(level: int) -> Image:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", 20), ("a.png", 10), ("c.PNG", 30)):
        cv2.imwrite(str(tmp_path / name), picture(level))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_a_folder_gives_its_pictures_in_the_order_of_their_names(folder: Path) -> None:
    camera = open_camera(f"frames:{folder}", clock=Clock(500))
    frames = [camera.next_frame(after_us=0, deadline_us=FOREVER) for _ in range(3)]
    assert [frame.image[0, 0, 0] for frame in frames if frame] == [10, 20, 30]
    assert [frame.number for frame in frames if frame] == [1, 2, 3]
    assert [frame.captured_us for frame in frames if frame] == [500] * 3
    assert frames[0] is not None
    assert frames[0].source.endswith("a.png")
    assert camera.next_frame(after_us=0, deadline_us=FOREVER) is None


def test_a_folder_keeps_the_picture_a_deadline_refused(folder: Path) -> None:
    camera = open_camera(f"frames:{folder}", clock=Clock(500))
    assert camera.next_frame(after_us=900, deadline_us=800) is None
    frame = camera.next_frame(after_us=900, deadline_us=1000)
    assert frame is not None
    assert (frame.number, frame.captured_us) == (1, 900)


def test_a_folder_that_is_closed_gives_nothing_more_and_may_be_closed_again(folder: Path) -> None:
    camera = open_camera(f"frames:{folder}", clock=Clock())
    camera.close()
    camera.close()
    assert camera.next_frame(after_us=0, deadline_us=FOREVER) is None


def test_a_damaged_picture_in_a_folder_is_named(folder: Path) -> None:
    (folder / "a.png").write_bytes(b"")
    camera = open_camera(f"frames:{folder}", clock=Clock())
    with pytest.raises(CameraLost, match=r"a\.png: the file is empty"):
        camera.next_frame(after_us=0, deadline_us=FOREVER)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("frames:/no/such/folder", "there is no folder"),
        ("video:/no/such/file.avi", "there is no file"),
        ("v4l2:99", "there is no /dev/video99"),
        ("v4l2:front", "write the number"),
        ("v4l2:" + "9" * 300, "write the number"),
        ("v4l2:²", "write the number"),
        ("frames:" + "a" * 300, "the folder cannot be read"),
        ("video:" + "a" * 300, "the file cannot be read"),
        ("frames:", "write what to read"),
        ("webcam:0", "no camera scheme 'webcam'"),
        ("0", "write a scheme first"),
        ("", "write a scheme first"),
    ],
)
def test_a_url_that_opens_no_camera_is_named_with_what_to_do(url: str, says: str) -> None:
    with pytest.raises(CameraError, match=says) as caught:
        open_camera(url, clock=Clock())
    assert caught.value.url == url
    assert repr(url) in str(caught.value)


def test_a_folder_without_pictures_is_no_camera(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no picture"):
        open_camera(f"frames:{tmp_path}", clock=Clock())


def test_a_file_that_is_no_video_is_no_camera(tmp_path: Path) -> None:
    file = tmp_path / "film.avi"
    file.write_bytes(b"this is no film" * 100)
    with pytest.raises(CameraError, match="no video that can be read"):
        open_camera(f"video:{file}", clock=Clock())


@pytest.fixture
def film(tmp_path: Path) -> Path:
    file = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for level in range(10, 70, 10):
        writer.write(picture(level))
    writer.release()
    return file


def test_nothing_but_our_own_words_is_said_of_a_bad_video(tmp_path: Path) -> None:
    """In a process of its own: FFmpeg's level is set once, by whoever opens a video first."""
    file = tmp_path / "bad.mp4"
    file.write_bytes(b"\0\0\0\x1cftypisom\0\0\2\0isomiso2mp41\0\0\0\x08free")
    code = f"import sys; from controller.cli import main; sys.exit(main(['see', {str(file)!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"pone see: {file}: this file is no video that can be read; convert it to MP4 or AVI\n"


def test_a_video_is_stamped_by_its_rate_from_when_it_was_opened(film: Path) -> None:
    camera = open_camera(f"video:{film}", clock=Clock(1_000_000))
    first = camera.next_frame(after_us=0, deadline_us=FOREVER)
    later = camera.next_frame(after_us=1_120_000, deadline_us=FOREVER)
    assert first is not None
    assert later is not None
    assert (first.number, first.captured_us) == (1, 1_000_000)
    assert (later.number, later.captured_us) == (4, 1_150_000)
    assert abs(int(later.image[20, 20, 0]) - 40) <= 3
    camera.close()


def test_a_video_ends_and_holds_back_what_comes_after_the_deadline(film: Path) -> None:
    camera = open_camera(f"video:{film}", clock=Clock(0))
    assert camera.next_frame(after_us=40_000, deadline_us=45_000) is None
    held = camera.next_frame(after_us=40_000, deadline_us=60_000)
    assert held is not None
    assert held.captured_us == 50_000
    assert camera.next_frame(after_us=FOREVER, deadline_us=FOREVER) is None
    camera.close()


class Driver:
    """A stand-in for a camera driver: `queue` old frames wait, then one comes every 10 ms."""

    def __init__(self, clock: Clock, *, queue: int, gone_after: int = 10**6, decodes: bool = True) -> None:
        self.clock = clock
        self.waiting = queue
        self.left = gone_after
        self.decodes = decodes
        self.level = 0
        self.released = False

    def grab(self) -> bool:
        if self.left == 0:
            return False
        self.left -= 1
        if self.waiting:
            self.waiting -= 1
        else:
            self.clock.now_us += 10_000
        self.level += 1
        return True

    def retrieve(self) -> tuple[bool, Image]:
        return self.decodes, picture(self.level)

    def release(self) -> None:
        self.released = True


def device(driver: Driver, *, queue: int = 1) -> DeviceCamera:
    return DeviceCamera("v4l2:0", driver, clock=driver.clock, frame_us=10_000, queue=queue)


@pytest.mark.parametrize("queue", [1, 4])
def test_a_device_throws_away_the_frames_that_waited(queue: int) -> None:
    driver = Driver(Clock(1_000_000), queue=queue)
    frame = device(driver, queue=queue).next_frame(after_us=1_000_000, deadline_us=2_000_000)
    assert frame is not None
    assert frame.number == queue + 1
    assert frame.captured_us == 1_000_000
    assert frame.image[0, 0, 0] == queue + 1


def test_a_device_waits_for_a_frame_late_enough_but_not_past_its_deadline() -> None:
    driver = Driver(Clock(0), queue=1)
    camera = device(driver)
    frame = camera.next_frame(after_us=35_000, deadline_us=100_000)
    assert frame is not None
    assert frame.captured_us == 40_000
    assert camera.next_frame(after_us=900_000, deadline_us=100_000) is None
    assert driver.clock.now_us <= 120_000


def test_a_device_that_gives_no_frames_is_lost() -> None:
    with pytest.raises(CameraLost, match="check its cable"):
        device(Driver(Clock(), queue=1, gone_after=3)).next_frame(after_us=FOREVER - 1, deadline_us=FOREVER)


def test_a_frame_that_cannot_be_decoded_is_a_lost_camera() -> None:
    clock = Clock()
    with pytest.raises(CameraLost, match="cannot be decoded"):
        device(Driver(clock, queue=1, decodes=False)).next_frame(after_us=0, deadline_us=FOREVER)
    video = VideoCamera("video:x", Driver(clock, queue=0, decodes=False), frame_us=1, begin_us=0)
    with pytest.raises(CameraLost, match="cannot be decoded"):
        video.next_frame(after_us=0, deadline_us=FOREVER)


def test_closing_a_device_releases_it() -> None:
    driver = Driver(Clock(), queue=1)
    device(driver).close()
    assert driver.released


class Registered:
    """A camera some other package brings."""

    def __init__(self, url: str, clock: Callable[[], int]) -> None:
        self.url, self.clock = url, clock

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        del after_us, deadline_us
        return Frame(image=picture(1), captured_us=self.clock(), number=1, source=self.url)

    def close(self) -> None:
        """Nothing to release."""


def opened_by_name(url: str, clock: Callable[[], int]) -> Camera:
    return Registered(url, clock)


def register(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entry = EntryPoint(name="test", value=value, group=camera_module.GROUP)
    monkeypatch.setattr(camera_module, "entry_points", lambda **_: EntryPoints([entry]))


def test_a_scheme_of_another_package_opens_its_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint(name="test", value="unused:unused", group=camera_module.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda _: opened_by_name)
    monkeypatch.setattr(camera_module, "entry_points", lambda **_: EntryPoints([entry]))
    frame = open_camera("test:window", clock=Clock(77)).next_frame(after_us=0, deadline_us=FOREVER)
    assert frame is not None
    assert (frame.source, frame.captured_us) == ("test:window", 77)


def test_a_scheme_whose_package_is_broken_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, "no_such_package:open_camera")
    with pytest.raises(CameraError, match="cannot be loaded"):
        open_camera("test:window", clock=Clock())


def test_the_schemes_that_are_there_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, "no_such_package:open_camera")
    with pytest.raises(CameraError, match="known are frames, test, v4l2, video"):
        open_camera("other:1", clock=Clock())
