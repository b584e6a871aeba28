"""One picture from a camera, and what a camera must do.

Convention: images are `(H, W, 3) uint8`, colours in the order BGR, origin top-left, points `(x, y)`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image: TypeAlias = NDArray[np.uint8]
    """`(H, W, 3) uint8 BGR`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture.

    Attributes:
        image: `(H, W, 3) uint8 BGR`; not to be written to.
        captured_us: when the exposure began, integer µs on the clock of the machine's link.
        number: the camera's own count of frames, growing; a repeated number is a repeated frame.
        source: where the frame comes from, for messages: a file's name, or the camera's URL.
    """

    image: Image
    captured_us: int
    number: int
    source: str = ""


def must_be_image(image: Image) -> None:
    """Make sure that an array is a picture.

    Raises:
        ValueError: it is not `(H, W, 3) uint8`.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != "uint8":
        raise ValueError(f"a picture is (H, W, 3) uint8 BGR, not {image.shape} {image.dtype}: convert it first")


def name_of(image: Image) -> str:
    """Return the SHA-256 of a picture's pixels in hexadecimal, by which a record names it."""
    pixels = image if image.flags.c_contiguous else image.copy()
    return hashlib.sha256(pixels.data).hexdigest()


class Camera(Protocol):
    """A source of frames in the order of their capture."""

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """Return the first frame captured at or after `after_us`.

        Frames captured earlier are dropped. Returns None where `deadline_us` passes first, or where a source of
        finite length has ended.

        Raises:
            vision.errors.CameraLost: the camera is gone or cannot be read.
        """
        ...

    def close(self) -> None:
        """Release the camera; closing twice does no harm."""
        ...
