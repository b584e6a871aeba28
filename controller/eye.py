"""One look at the read window: which frame counts as this card's, and what the recogniser says of it.

The lamp is on only while a card stands in the window. A frame counts only if it was captured after the card came to
rest and after a frame of the dark window, so that a late, repeated or frozen frame is never taken for this card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from vision.sighting import Reason, Sighting, State

if TYPE_CHECKING:
    from vision.frame import Camera, Frame, Image

LOOKS: Final = 3
"""Frames that are read before a doubt stands."""

FRAME_US: Final = 16_667
"""One frame of a camera at 60 frames a second."""


class Eye(Protocol):
    """Whoever looks at the window. All times are microseconds on the clock of the machine's link."""

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        """Make sure that the window is dark, between two cards."""
        ...

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        """Return what stands in the window, from frames captured after `after_us`."""
        ...


class Reader(Protocol):
    """Whoever reads the card of a picture: anywhere in it, or where a calibrated window shows cards."""

    def look(self, image: Image) -> Sighting:
        """Return what the picture shows, `(H, W, 3) uint8 BGR`."""
        ...


@dataclass(slots=True)
class FrameEye:
    """An eye that looks through a camera.

    Attributes:
        camera: where frames come from.
        recogniser: what reads them.
    """

    camera: Camera
    recogniser: Reader
    _dark: bool = field(default=False, init=False)
    _number: int = field(default=-1, init=False)
    _why: Reason = field(default=Reason.DARK_NOT_SEEN, init=False)

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        """See the window dark; remember it if that cannot be seen, so that the next look is refused.

        Raises:
            vision.errors.CameraLost: the camera is gone.
        """
        from vision.scene import is_dark

        self._dark = False
        while not self._dark:
            frame = self.camera.next_frame(after_us=after_us, deadline_us=deadline_us)
            if frame is None:
                self._why = Reason.NO_DARK_FRAME
                return
            self._dark = self._fresh(frame, after_us) and is_dark(frame.image)
            after_us = max(after_us, frame.captured_us + 1)

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        """Return the first sighting without doubt, or the last doubt of `LOOKS` frames.

        Raises:
            vision.errors.CameraLost: the camera is gone.
        """
        from vision.scene import is_dark

        doubt: Sighting | None = None
        looks = 0
        if self._dark:
            self._why = Reason.NO_FRAME
        while self._dark and looks < LOOKS:
            frame = self.camera.next_frame(after_us=after_us, deadline_us=deadline_us)
            if frame is None:
                break
            fresh = self._fresh(frame, after_us)
            after_us = max(after_us, frame.captured_us + 1)
            if not fresh or is_dark(frame.image):
                continue
            looks += 1
            doubt = self.recogniser.look(frame.image)
            if doubt.accepted:
                return doubt
        return doubt or Sighting(state=State.NOT_SURE, reason=self._why)

    def _fresh(self, frame: Frame, after_us: int) -> bool:
        """Return whether the frame is a new one; remember its number, and why not."""
        repeated = frame.number <= self._number
        self._number = max(self._number, frame.number)
        if repeated:
            self._why = Reason.REPEATED
            return False
        if frame.captured_us < after_us:
            self._why = Reason.LATE
            return False
        self._why = Reason.STAYED_DARK
        return True
