"""The pictures of what a user names: of a file, a folder, a video frame by frame, or what a camera sees now."""

from __future__ import annotations

import re
import time
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vision.camera import VideoCamera, check_camera_url, open_camera
from vision.errors import CameraError, NoCameraURL, UnreadableImage
from vision.picture import SUFFIXES, pictures_in, read_picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vision.frame import Camera, Image

VIDEOS: Final = frozenset(
    {".3gp", ".avi", ".m4v", ".mjpeg", ".mjpg", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".ogv", ".webm", ".wmv"}
)
"""Endings, in small letters, by which a video is told from a picture."""

WAIT_US: Final = 2_000_000
"""How long a camera may take for a picture; cheap ones want a second to set their exposure."""

_FOREVER_US: Final = 1 << 62
_SECOND_US: Final = 1_000_000

_URL: Final = re.compile("[a-z][a-z0-9+.-]*:")
_FINITE: Final = ("frames", "video")
"""Cameras that end by themselves."""


class Kind(Enum):
    """What a source is."""

    PICTURE = "picture"
    VIDEO = "video"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something that pictures come from.

    Attributes:
        kind: what it is.
        name: its path, or the camera's URL.
    """

    kind: Kind
    name: str

    @property
    def endless(self) -> bool:
        """Whether pictures come until somebody stops it."""
        return self.kind is Kind.CAMERA and self.name.partition(":")[0] not in _FINITE

    @property
    def stem(self) -> str:
        """Its name as part of a file's name."""
        return Path(self.name).stem if self.kind is not Kind.CAMERA else re.sub(r"[^\w.-]+", "_", self.name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shot:
    """One picture.

    Attributes:
        source: where it comes from.
        image: `(H, W, 3) uint8 BGR`.
        pictures: how many the file holds, of which this is the first; 1 for frames.
        frame: number of the frame, from 1; 0 for a picture.
        t_us: when it was taken, since the beginning of the video or the first frame of the camera; 0 for a picture.
    """

    source: Source
    image: Image
    pictures: int = 1
    frame: int = 0
    t_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A source, or a part of it, that cannot be read, in a sentence that names it."""

    says: str


def sources_of(texts: Iterable[str]) -> tuple[list[Source], list[Broken]]:
    """Return what the texts name, pictures of a folder one by one, and those that name nothing."""
    found: list[Source] = []
    broken: list[Broken] = []
    for text in texts:
        path = Path(text)
        try:
            is_folder, there = path.is_dir(), path.exists()
        except OSError:
            is_folder = there = False  # no name of anything; why is told when it is read
        if is_folder:
            pictures = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
            found += [Source(kind=Kind.PICTURE, name=str(file)) for file in pictures]
            broken += [] if pictures else [Broken(says=f"{text}: the folder holds no picture")]
        elif not there and _URL.match(text) and _is_camera(text):
            found.append(Source(kind=Kind.CAMERA, name=text))
        else:
            kind = Kind.VIDEO if path.suffix.lower() in VIDEOS else Kind.PICTURE
            found.append(Source(kind=kind, name=str(path)))
    return found, broken


def shots_of(source: Source, *, rate_hz: float, frames: int | None) -> Iterator[Shot | Broken]:
    """Yield the pictures of a source, and what of it cannot be read.

    Args:
        source: it.
        rate_hz: frames a second that are taken of a video or a camera; 0 for all that come.
        frames: how many are taken of it at most; None for all.
    """
    if source.kind is Kind.PICTURE:
        yield _picture(source)
        return
    video = source.kind is Kind.VIDEO or not source.endless
    try:
        # A recording's own time begins with its first frame, and it is read as fast as can be.
        clock = (lambda: 0) if video else _now_us
        url = f"video:{source.name}" if source.kind is Kind.VIDEO else source.name
        with closing(open_camera(url, clock=clock)) as camera:
            step_us = round(_SECOND_US / rate_hz) if rate_hz else 1
            yield from _frames(source, camera, step_us=step_us, most=frames)
    except CameraError as error:
        yield Broken(says=f"{source.name}: {str(error).removeprefix(f'{error.url!r}: ')}")


def _is_camera(text: str) -> bool:
    """Return whether a text is the URL of a camera of a kind that is known here."""
    try:
        check_camera_url(text)
    except NoCameraURL:
        return text.startswith(("v4l2:", "video:", "frames:"))  # meant as one, and told why it is none
    return True


def _picture(source: Source) -> Shot | Broken:
    try:
        image = read_picture(source.name)
        return Shot(source=source, image=image, pictures=pictures_in(source.name))
    except UnreadableImage as error:
        return Broken(says=str(error))


def _frames(source: Source, camera: Camera, *, step_us: int, most: int | None) -> Iterator[Shot | Broken]:
    """Yield frames at least `step_us` apart.

    Raises:
        CameraError: the camera is gone, or a frame cannot be decoded.
    """
    began_us: int | None = None
    after_us, given = 0, 0
    while most is None or given < most:
        if source.endless:
            after_us = max(after_us, _now_us())
        deadline_us = after_us + step_us + WAIT_US if source.endless else _FOREVER_US
        frame = camera.next_frame(after_us=after_us, deadline_us=deadline_us)
        if frame is None:
            break
        began_us = frame.captured_us if began_us is None else began_us
        # Whole steps from the beginning, so that a rate that the video's does not divide is kept all the same.
        after_us = began_us + ((frame.captured_us - began_us) // step_us + 1) * step_us
        given += 1
        yield Shot(source=source, image=frame.image, frame=frame.number, t_us=frame.captured_us - began_us)
    else:
        return
    if source.endless:
        yield Broken(says=f"{source.name}: the camera gave no picture for {WAIT_US / 1e6:.0f} s; check its cable")
    elif not given:
        yield Broken(says=f"{source.name}: no frame of it can be read")
    elif isinstance(camera, VideoCamera) and camera.missing:
        yield Broken(says=f"{source.name}: cut short or damaged: {camera.missing} frames at its end are not there")


def _now_us() -> int:
    return time.monotonic_ns() // 1000
