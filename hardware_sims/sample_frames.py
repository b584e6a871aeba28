"""Writes pictures as the camera below the read window takes them: every card of a pack, a back, and an empty window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2

from hardware_sims.errors import PathInUse
from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack
from vision.files import plainly

if TYPE_CHECKING:
    from vision.frame import Image

_TILT_DEG: Final = 1.5
_SHIFT_MM: Final = 1.0
"""How far a card may lie off its place when it has come to rest."""


def lying(card: Card, stream: Stream, *, face: bool, style: str, back: str, seed: int) -> WindowScene:
    """Return the scene of a card that has come to rest: a little off its place, half of them turned.

    Args:
        card: the card.
        stream: what its place is drawn from.
        face: whether its face is to the camera; else its back is.
        style: name of the pack's style.
        back: name of its back.
        seed: noise of this exposure.
    """

    def between(bound: float) -> float:
        return (2 * stream.unit() - 1) * bound

    seen = CardInView(
        card=card,
        face_to_camera=face,
        x_mm=between(_SHIFT_MM),
        y_mm=between(_SHIFT_MM),
        angle_deg=between(_TILT_DEG),
        turned=stream.below(2) == 1,
    )
    return WindowScene(cards=(seen,), lamp=True, speed_mm_s=0.0, pack=style, back=back, seed=seed)


def write_frames(folder: Path, *, seed: int) -> int:
    """Write the pictures to a new or empty folder, each as PNG named for what it shows; return how many.

    Args:
        folder: where to.
        seed: decides the pack's style and back, and how each card lies.

    Raises:
        PathInUse: something lies there already, or nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise PathInUse(str(folder), "the folder is not empty: choose another path")
        pictures = list(_pictures(seed))
        _write({folder / f"{name}.png": cv2.imencode(".png", image)[1].tobytes() for name, image in pictures})
    except OSError as error:
        reason = plainly(error)
        raise PathInUse(str(folder), f"no picture can be written there ({reason}): choose another path") from error
    return len(pictures)


def _pictures(seed: int) -> Iterator[tuple[str, Image]]:
    """Yield each picture, `(480, 640, 3) uint8 BGR`, and its name."""
    stream = Stream(seed, "frames")
    style, back = PACK_STYLES[stream.below(len(PACK_STYLES))], BACKS[stream.below(len(BACKS))]
    cards = Pack.of(52).cards
    for number, card in enumerate(cards):
        yield str(card), render_window(lying(card, stream, face=True, style=style, back=back, seed=number))
    yield "back", render_window(lying(cards[0], stream, face=False, style=style, back=back, seed=len(cards)))
    empty = WindowScene(cards=(), lamp=True, speed_mm_s=0.0, pack=style, back=back, seed=len(cards) + 1)
    yield "empty", render_window(empty)


def _write(files: Mapping[Path, bytes]) -> None:
    """Write new files, all of them or none: half a set would be in the way of the next try."""
    try:
        for file, data in files.items():
            file.write_bytes(data)
    except OSError:
        for file in files:
            file.unlink(missing_ok=True)
        raise
