"""One look at the read window: which frames count as this card's, and what the recogniser says of them.

The lamp is on only while a card stands in the window. A frame counts only if it was captured after the card came to
rest and after a frame of the dark window, so that a late, repeated or frozen frame is never taken for this card. A card
counts as read only where two such frames agree on it.

The second frame is read as the first was, and not only compared with it: two pictures that look alike to a comparison
are not two readings, and the sensor's noise is what an unsure reading turns on. It costs one frame of the camera, 17 ms
of a card's 380, and one more reading.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from controller.eye_watch import EyeWatch
from vision.sighting import Reason, Sighting, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from controller.acts import Line
    from vision.evidence import Look
    from vision.frame import Camera, Frame
    from vision.recogniser import Looker

LOOKS: Final = 4
"""Frames that are read before a doubt stands: two that agree, and two more where one or both were doubtful."""

FRAME_US: Final = 16_667
"""One frame of a camera at 60 frames a second."""


class Eye(Protocol):
    """Whoever looks at the window. All times are microseconds on the clock of the machine's link."""

    def begin(self) -> None:
        """Forget what the cards of the deal before have taught: another pack may lie in the machine."""
        ...

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        """Make sure that the window is dark, between two cards."""
        ...

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        """Return what stands in the window, from frames captured after `after_us`."""
        ...

    def evidence(self) -> Sequence[Look]:
        """Return the frames of the last look with what was found in each; none for an eye without frames.

        Where no frame counted, those that did not are given, as far as there were any.
        """
        ...

    def measured(self) -> Line | None:
        """Return the line that says how well it could see since this was last asked; None where it has none."""
        ...


def agreed(sightings: Sequence[Sighting]) -> Sighting | None:
    """Return what frames of one card settle: a card that two agree on, or that they differ; None while neither is so.

    Of two frames that agree the less sure one answers. A frame that is not sure, or shows the card in motion, leaves it
    to the others; one that sees a back, two cards or nothing contradicts a card.
    """
    told = [sighting for sighting in sightings if sighting.state not in _UNDECIDED]
    if not any(sighting.accepted for sighting in told):
        return None
    if len({(sighting.state, sighting.card) for sighting in told}) > 1:
        return Sighting(state=State.NOT_SURE, reason=Reason.FRAMES_DIFFER, frame=told[-1].frame)
    return min(told, key=lambda sighting: sighting.confidence) if len(told) > 1 else None


def left_in_doubt(sightings: Sequence[Sighting], *, why: Reason) -> Sighting:
    """Return the doubt where frames of one card settled nothing and no more are taken.

    Args:
        sightings: one a frame.
        why: why there is none, where there is none.
    """
    if not sightings:
        return Sighting(state=State.NOT_SURE, reason=why)
    read = next((sighting for sighting in sightings if sighting.accepted), None)
    if read is None:
        return sightings[-1]
    reason = Reason.ONE_FRAME if len(sightings) > 1 else Reason.NO_SECOND_FRAME
    return Sighting(state=State.NOT_SURE, confidence=read.confidence, reason=reason, frame=read.frame)


_UNDECIDED: Final = (State.NOT_SURE, State.PARTIAL)
"""What a frame says that neither names a card nor speaks against one."""


@dataclass(slots=True)
class FrameEye:
    """An eye that looks through a camera.

    Attributes:
        camera: where frames come from.
        recogniser: what reads them.
    """

    camera: Camera
    recogniser: Looker
    _dark: bool = field(default=False, init=False)
    _number: int = field(default=-1, init=False)
    _why: Reason = field(default=Reason.DARK_NOT_SEEN, init=False)
    _looks: list[Look] = field(default_factory=list, init=False)
    _passed_over: deque[Frame] = field(default_factory=lambda: deque(maxlen=LOOKS), init=False)
    _watch: EyeWatch = field(default_factory=EyeWatch, init=False)

    def begin(self) -> None:
        """See `Eye`."""
        self.recogniser.begin()

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        """See the window dark; remember it if that cannot be seen, so that the next look is refused.

        Raises:
            vision.errors.CameraLost: the camera is gone.
        """
        from vision.scene import is_dark

        self._dark = False
        self._passed_over.clear()
        while not self._dark:
            frame = self.camera.next_frame(after_us=after_us, deadline_us=deadline_us)
            if frame is None:
                self._why = Reason.NO_DARK_FRAME if self._passed_over else Reason.NO_FRAME
                return
            self._dark = self._fresh(frame, after_us) and is_dark(frame.image)
            after_us = max(after_us, frame.captured_us + 1)
            if self._dark:
                self._watch.saw_dark(frame)
                self._passed_over.clear()
            else:
                self._passed_over.append(frame)

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        """Return the sighting of two frames that agree, or the doubt that up to `LOOKS` frames leave.

        Raises:
            vision.errors.CameraLost: the camera is gone.
        """
        from vision.evidence import Look
        from vision.frame import name_of
        from vision.recogniser import sighting_of

        self._looks, asked_us = [], after_us
        sightings: list[Sighting] = []
        if self._dark:
            self._why = Reason.NO_FRAME
        while self._dark and len(sightings) < LOOKS:
            frame = self._next_fresh(after_us=after_us, deadline_us=deadline_us)
            if frame is None:
                break
            after_us = frame.captured_us + 1
            examination = self.recogniser.examine(frame.image)
            self._looks.append(Look(frame=frame, examination=examination))
            sightings.append(sighting_of(examination.verdict, frame=name_of(frame.image)))
            settled = agreed(sightings)
            if settled is not None:
                if settled.accepted:
                    self._watch.read(self._looks[-1], lag_us=self._looks[0].frame.captured_us - asked_us)
                return settled
        return left_in_doubt(sightings, why=self._why)

    def evidence(self) -> Sequence[Look]:
        """See `Eye`."""
        from vision.evidence import Look

        return tuple(self._looks) or tuple(Look(frame=frame, examination=None) for frame in self._passed_over)

    def measured(self) -> Line | None:
        """See `Eye`."""
        return self._watch.take()

    def _next_fresh(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """Return the next new frame that was taken with the lamp on; None where none comes in time."""
        from vision.scene import is_dark

        while True:
            frame = self.camera.next_frame(after_us=after_us, deadline_us=deadline_us)
            if frame is None:
                return None
            fresh = self._fresh(frame, after_us)
            after_us = max(after_us, frame.captured_us + 1)
            if fresh and not is_dark(frame.image):
                return frame
            self._passed_over.append(frame)

    def _fresh(self, frame: Frame, after_us: int) -> bool:
        """Return whether the frame is a new one; remember its number, and why not."""
        repeated = frame.number <= self._number
        self._number = max(self._number, frame.number)
        late = frame.captured_us < after_us
        self._why = Reason.REPEATED if repeated else Reason.LATE if late else Reason.STAYED_DARK
        if repeated or late:
            self._watch.refused(self._why)
        return not (repeated or late)
