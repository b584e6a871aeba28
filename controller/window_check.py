"""What the camera of the window shows before a deal, lamp off and no card there, and what that means. Pure.

A lit picture can be had only of a card: what it tells of lamp, focus and window is measured card by card and put on
record when a deal is over (`eye_watch`), and `health` reads it from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from controller.findings import Finding, Level
from vision.scene import DARK_LEVEL, brightest_part, mean_level

if TYPE_CHECKING:
    from vision.frame import Camera, Frame

FRAMES: Final = 3
"""Pictures that are looked at: two can be alike by chance of the camera's timing, three are not."""

NEARLY_LIGHT: Final = 0.9 * DARK_LEVEL
"""Mean level of 255 from which on a little more light would keep the window from being dark."""

SPOT_LEVEL: Final = 2 * DARK_LEVEL
"""Mean level of the lightest part of a dark picture, of 255, from which on light falls in there."""

SHADE: Final = "Close the lid and shade the window."


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowCheck:
    """What up to `FRAMES` pictures of the window showed.

    Attributes:
        pictures: how many came.
        level: mean level of the lightest one, in [0, 255].
        spot: mean level of the lightest part of any, in [0, 255].
        late: how many were taken before they were asked for.
        repeated: how many did not follow the one before by the camera's own count, or had the very same pixels.
    """

    pictures: int
    level: float = 0.0
    spot: float = 0.0
    late: int = 0
    repeated: int = 0


def check_window(camera: Camera, *, now_us: Callable[[], int], wait_us: int) -> WindowCheck:
    """Look through the camera of the window.

    Args:
        camera: it.
        now_us: the clock its pictures are stamped by.
        wait_us: how long each picture may take.

    Raises:
        vision.errors.CameraLost: the camera is gone.
    """
    frames: list[Frame] = []
    late, repeated = 0, 0
    for _ in range(FRAMES):
        asked_us = now_us()
        frame = camera.next_frame(after_us=asked_us, deadline_us=asked_us + wait_us)
        if frame is None:
            break
        late += frame.captured_us < asked_us
        if frames:
            before = frames[-1]
            repeated += frame.number <= before.number or frame.image.tobytes() == before.image.tobytes()
        frames.append(frame)
    return WindowCheck(
        pictures=len(frames),
        level=max((mean_level(frame.image) for frame in frames), default=0.0),
        spot=max((brightest_part(frame.image) for frame in frames), default=0.0),
        late=late,
        repeated=repeated,
    )


def window_findings(check: WindowCheck, about: str) -> Iterator[Finding]:
    """Yield what is amiss with the window, worst first; nothing where all is well.

    >>> list(window_findings(WindowCheck(pictures=3, level=3.0, spot=3.5), "v4l2:0"))
    []
    """
    if check.pictures < FRAMES:
        says = f"The camera of the window gave {check.pictures} of {FRAMES} pictures in time."
        yield Finding(about=about, level=Level.FAULT, says=says, step="See to its cable, and close what else uses it.")
    if check.repeated:
        says = "The camera of the window gives the same picture again: it has stopped, and no card will be read."
        yield Finding(about=about, level=Level.FAULT, says=says, step="Pull its plug and put it in again.")
    if check.late:
        says = "The pictures of the window come late: they were taken before they were asked for."
        yield Finding(about=about, level=Level.FAULT, says=says, step="Set the camera's queue to one picture.")
    level = f"mean level {check.level:.1f} of 255"
    if check.level >= DARK_LEVEL:
        says = f"The picture is light ({level}), but with no card in the window the lamp is off and it must be dark."
        step = f"{SHADE[:-1]}; or this camera is not the one in the machine."
        yield Finding(about=about, level=Level.FAULT, says=says, step=step)
    elif check.level >= NEARLY_LIGHT:
        says = f"The window is hardly dark with the lamp off ({level}; from {DARK_LEVEL:.0f} on no card counts)."
        yield Finding(about=about, level=Level.WARN, says=says, step=SHADE)
    elif check.spot >= SPOT_LEVEL:
        says = f"Light falls into a part of the window (level {check.spot:.1f} of 255 there, lamp off)."
        yield Finding(about=about, level=Level.WARN, says=says, step=SHADE)
