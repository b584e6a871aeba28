"""Cameras by URL: a folder of pictures, a video file, a camera of this machine, or a scheme another package brings.

frames:DIR    the pictures of a folder, in the order of their names
video:FILE    the frames of a video, timed from the moment it is opened
v4l2:N        the camera /dev/videoN
SCHEME:…      what a package registers under the entry point group `pone.cameras`
"""

from __future__ import annotations

import math
import os
import re
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import cv2
import numpy as np

from vision.errors import CameraError, CameraLost, NoCameraURL, UnreadableImage
from vision.files import plainly
from vision.frame import Frame
from vision.picture import SUFFIXES, read_picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.frame import Camera, Image

GROUP: Final = "pone.cameras"
"""Entry point group of camera schemes: each value is a callable `(url, clock) -> Camera`."""

_OWN: Final = ("frames", "v4l2", "video")
"""Schemes of this module's own cameras."""

_SECOND_US: Final = 1_000_000


def open_camera(url: str, *, clock: Callable[[], int]) -> Camera:
    """Open the camera that a URL names.

    Args:
        url: as this module's text lists them.
        clock: tells the time of the machine's link, integer µs.

    Raises:
        NoCameraURL: the text is no URL of a camera.
        CameraError: the URL names no camera that can be opened.
    """
    check_camera_url(url)
    scheme, _, rest = url.partition(":")
    match scheme:
        case "frames":
            return FolderCamera(url, Path(rest), clock=clock)
        case "video":
            return _open_video(url, Path(rest), clock=clock)
        case "v4l2":
            return _open_device(url, rest, clock=clock)
        case _:
            return _open_registered(url, scheme, clock=clock)


def check_camera_url(url: str) -> None:
    """Make sure that a text is the URL of a camera; nothing is opened.

    Raises:
        NoCameraURL: it is none.
    """
    scheme, colon, rest = url.partition(":")
    known = {*_OWN, *entry_points(group=GROUP).names}
    if not colon:
        raise NoCameraURL(url, f"{url!r} is no camera: write a scheme first, as in v4l2:0 or frames:DIR")
    if scheme not in known:
        raise NoCameraURL(url, f"{url!r}: no camera scheme {scheme!r}; known are {', '.join(sorted(known))}")
    if scheme == "v4l2" and not re.fullmatch("[0-9]{1,4}", rest):
        raise NoCameraURL(url, f"{url!r}: write the number of the camera, as in v4l2:0 for /dev/video0")
    if scheme in _OWN and not rest:
        raise NoCameraURL(url, f"{url!r}: write what to read, as in frames:DIR or video:FILE")


def _open_registered(url: str, scheme: str, *, clock: Callable[[], int]) -> Camera:
    try:
        opener = entry_points(group=GROUP)[scheme].load()
    except (ImportError, AttributeError) as error:
        raise CameraError(url, f"{url!r}: the package behind {scheme!r} cannot be loaded: {error}") from error
    camera: Camera = opener(url, clock)
    return camera


class FolderCamera:
    """The pictures of a folder, one a call, in the order of their names: a camera that is never too late."""

    def __init__(self, url: str, folder: Path, *, clock: Callable[[], int]) -> None:
        """List the folder.

        Raises:
            CameraError: there is no such folder, or it holds no picture.
        """
        try:
            self._files = sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise CameraError(
                url, f"{url!r}: there is no folder {str(folder)!r}; give one that holds pictures"
            ) from error
        except OSError as error:
            raise CameraError(
                url, f"{url!r}: the folder cannot be read ({plainly(error)}); give another one"
            ) from error
        if not self._files:
            raise CameraError(url, f"{url!r}: the folder holds no picture; it should hold files such as 0001.png")
        self._url = url
        self._clock = clock
        self._next = 0

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """Return the next picture, as captured now; see `vision.frame.Camera`."""
        captured_us = max(self._clock(), after_us)
        if captured_us > deadline_us or self._next >= len(self._files):
            return None
        file = self._files[self._next]
        try:
            image = read_picture(file)
        except UnreadableImage as error:
            raise CameraLost(self._url, f"{self._url!r}: {error}; remove the file or mend it") from error
        self._next += 1
        return Frame(image=image, captured_us=captured_us, number=self._next, source=str(file))

    def close(self) -> None:
        """Forget the pictures left."""
        self._next = len(self._files)


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def grab(self) -> bool:
        """Take the next frame; false where there is none."""
        ...

    def retrieve(self) -> tuple[bool, Image]:
        """Return the frame taken last."""
        ...

    def release(self) -> None:
        """Close the source."""
        ...


def _open_video(url: str, file: Path, *, clock: Callable[[], int]) -> VideoCamera:
    try:
        if not file.is_file():
            raise CameraError(url, f"{url!r}: there is no file {str(file)!r}")
    except OSError as error:
        raise CameraError(url, f"{url!r}: the file cannot be read ({plainly(error)}); give another one") from error
    capture = _captured(str(file), cv2.CAP_FFMPEG)
    rate = capture.get(cv2.CAP_PROP_FPS) if capture.isOpened() else 0.0
    if not math.isfinite(rate) or rate <= 0:
        capture.release()
        raise CameraError(url, f"{url!r}: this file is no video that can be read; convert it to MP4 or AVI")
    count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    frames = round(count) if math.isfinite(count) and count > 0 else 0
    return VideoCamera(url, _as_capture(capture), frame_us=round(_SECOND_US / rate), begin_us=clock(), frames=frames)


def _captured(source: str | int, by: int) -> cv2.VideoCapture:
    """Return what OpenCV makes of a source, without a word of its own, or of FFmpeg's, on standard error.

    What they would say is no sentence for people, and names no next step. Whoever wants to hear it sets
    OPENCV_LOG_LEVEL or OPENCV_FFMPEG_LOGLEVEL.
    """
    if "OPENCV_LOG_LEVEL" not in os.environ:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _SILENT)
    return cv2.VideoCapture(source, by)


_SILENT: Final = "-8"
"""FFmpeg's AV_LOG_QUIET."""


def _as_capture(capture: cv2.VideoCapture) -> Capture:
    return capture  # type: ignore[return-value]  # OpenCV types its pixels as any number; a camera's are uint8


_HEADER_SLACK: Final = 2
"""Frames by which the header of a whole video may be wrong: some count what cannot be shown."""


class VideoCamera:
    """A recorded video: its frames are stamped by its own rate, from the moment it was opened."""

    def __init__(self, url: str, capture: Capture, *, frame_us: int, begin_us: int, frames: int = 0) -> None:
        """Take frames from an open video.

        Args:
            url: what it is called.
            capture: gives the frames.
            frame_us: from one to the next.
            begin_us: when it was opened.
            frames: how many its header states; 0 where it does not.
        """
        self.frames = frames
        self._url = url
        self._capture = capture
        self._frame_us = frame_us
        self._begin_us = begin_us
        self._number = 0
        self._held = False

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """Return the first frame from `after_us` on; see `vision.frame.Camera`."""
        while True:
            if not self._held:
                if not self._capture.grab():
                    return None
                self._number += 1
                self._held = True
            captured_us = self._begin_us + (self._number - 1) * self._frame_us
            if captured_us > deadline_us:
                return None
            self._held = False
            if captured_us < after_us:
                continue
            image = _retrieved(self._url, self._capture)
            return Frame(image=image, captured_us=captured_us, number=self._number, source=self._url)

    @property
    def missing(self) -> int:
        """How many of the frames that the header states have not come so far; a header may be wrong by one or two."""
        return max(self.frames - self._number, 0) if self.frames - self._number > _HEADER_SLACK else 0

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


def _retrieved(url: str, capture: Capture) -> Image:
    fine, image = capture.retrieve()
    if not fine or image is None:
        raise CameraLost(url, f"{url!r}: a frame came but cannot be decoded")
    return np.ascontiguousarray(image, dtype=np.uint8)


_QUEUE: Final = 4
"""Frames a driver may hold back where it does not let its queue be set to one: OpenCV's default for V4L2."""

_SLOW_FRAME_US: Final = 33_333
"""Frame time taken where the driver states no rate: 30 frames a second, the slowest in use here."""


def _open_device(url: str, rest: str, *, clock: Callable[[], int]) -> DeviceCamera:
    device = Path(f"/dev/video{rest}")
    if not device.exists():
        others = ", ".join(f"v4l2:{path.name.removeprefix('video')}" for path in sorted(Path("/dev").glob("video*")))
        hint = f"this machine has {others}" if others else "this machine has no camera; plug it in"
        raise CameraError(url, f"{url!r}: there is no {device}; {hint}")
    capture = _captured(int(rest), cv2.CAP_V4L2)
    if not capture.isOpened():
        capture.release()
        raise CameraError(url, f"{url!r}: {device} does not open; is it in use, and may this user read it?")
    queue = 1 if capture.set(cv2.CAP_PROP_BUFFERSIZE, 1) else _QUEUE
    rate = capture.get(cv2.CAP_PROP_FPS)
    frame_us = round(_SECOND_US / rate) if math.isfinite(rate) and rate > 0 else _SLOW_FRAME_US
    return DeviceCamera(url, _as_capture(capture), clock=clock, frame_us=frame_us, queue=queue)


class DeviceCamera:
    """A camera of this machine.

    The driver does not say when an exposure began. Frames that may have waited in its queue are thrown away, and a
    fresh one is stamped one frame time before it arrived, because no exposure is longer.
    """

    def __init__(self, url: str, capture: Capture, *, clock: Callable[[], int], frame_us: int, queue: int) -> None:
        self._url = url
        self._capture = capture
        self._clock = clock
        self._frame_us = frame_us
        self._queue = queue
        self._number = 0

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """Return the newest frame from `after_us` on; see `vision.frame.Camera`."""
        for _ in range(self._queue):
            self._grab()
        while self._clock() <= deadline_us:
            self._grab()
            captured_us = self._clock() - self._frame_us
            if captured_us > deadline_us:
                return None
            if captured_us >= after_us:
                image = _retrieved(self._url, self._capture)
                return Frame(image=image, captured_us=captured_us, number=self._number, source=self._url)
        return None

    def _grab(self) -> None:
        if not self._capture.grab():
            raise CameraLost(self._url, f"{self._url!r}: the camera gives no frames any more; check its cable")
        self._number += 1

    def close(self) -> None:
        """Release the device."""
        self._capture.release()
