"""What a look leaves behind for whoever asks why: the frame as it was taken, and what every stage said of it. Pure.

Convention: images are `(H, W, 3) uint8 BGR`; points of a look are px of the picture at the size at which it was read.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from vision.classify import IndexReading
    from vision.frame import Frame, Image
    from vision.recogniser import Examination, OutlineLook

_LENGTH: Final = struct.Struct(">I")

TOLD_BYTES: Final = 32 * 1024
"""What the words of one look are filled up to, bytes: how much a card gives to say must not tell which it is. Ten
outlines with every view of both corners take less than half of this."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One frame and what was found in it.

    Attributes:
        frame: as the camera gave it.
        examination: what every stage said; None of a frame that did not count, and so was not read.
    """

    frame: Frame
    examination: Examination | None


def look_as_json(look: Look) -> dict[str, Any]:
    """Return what every stage said of one frame, as JSON data; lengths are px, or parts where their field says so."""
    found = look.examination
    told = {"number": look.frame.number, "captured_us": look.frame.captured_us, "counted": found is not None}
    if found is None:
        return told
    verdict = found.verdict
    doubt = verdict.doubt
    return told | {
        "read_at": [found.image.shape[1], found.image.shape[0]],
        "outlines": [_outline(outline) for outline in found.outlines],
        "windows": [_points(window) for window in found.windows],
        "code": verdict.code,
        "confidence": _short(verdict.confidence),
        "stage": "" if doubt is None else doubt.stage.value,
        "state": "card" if doubt is None else doubt.state.value,
        "reason": "" if doubt is None else doubt.reason.value,
    }


def pack(looks: Sequence[Look], told: Mapping[str, Any], *, room: int) -> bytes:
    """Return looks, and what else is told of them, in one piece whose length follows from the size of a frame alone.

    The pixels stand as they are: a picture that is packed smaller by one card than by another tells of the card. So
    does how many frames it took, and the rest is filled up.

    Args:
        looks: of one card.
        told: what else is told.
        room: how many looks a card may take; the piece is as long as with that many.
    """
    header = {**told, "looks": [look_as_json(look) for look in looks]}
    header["sizes"] = [list(look.frame.image.shape[:2]) for look in looks]
    words = json.dumps(header, separators=(",", ":")).encode()
    block = TOLD_BYTES * max(room, 1)
    words = words.ljust(-(-len(words) // block) * block)
    pixels = b"".join(look.frame.image.tobytes() for look in looks)
    whole = room * max((look.frame.image.nbytes for look in looks), default=0)
    return b"".join([_LENGTH.pack(len(words)), words, pixels.ljust(whole, b"\0")])


def unpack(packed: bytes) -> tuple[dict[str, Any], list[Image]]:
    """Return what was told, and the frames, of looks that `pack` put together.

    Raises:
        ValueError: these are no such bytes, or not all of them.
    """
    try:
        (length,) = _LENGTH.unpack_from(packed)
        told = json.loads(packed[_LENGTH.size : _LENGTH.size + length])
        sizes = [(int(height), int(width)) for height, width in told.pop("sizes")]
    except (struct.error, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"these are no packed looks ({error})") from error
    images, at = [], _LENGTH.size + length
    for height, width in sizes:
        pixels = np.frombuffer(packed, np.uint8, height * width * 3, at)
        images.append(pixels.reshape(height, width, 3))
        at += pixels.size
    return told, images


def _outline(look: OutlineLook) -> dict[str, Any]:
    verdict = look.verdict
    return {
        "corners": _points(look.quad.corners),
        "whole_picture": look.quad.whole,
        "edges": {
            "corners": _points(look.edges.corners),
            "found": look.edges.found,
            "width_parts": _short(look.edges.width),
            "residual_parts": _short(look.edges.residual),
        },
        "views": [[_reading(one), _reading(other)] for one, other in look.pairs],
        "pips": None if look.pips is None else look.pips.count,
        "code": verdict.code,
        "confidence": _short(verdict.confidence),
        "stage": "" if verdict.doubt is None else verdict.doubt.stage.value,
        "reason": "" if verdict.doubt is None else verdict.doubt.reason.value,
    }


def _reading(reading: IndexReading) -> dict[str, Any]:
    return {
        "code": reading.code,
        "rank_confidence": _short(reading.rank_confidence),
        "suit_confidence": _short(reading.suit_confidence),
        "back": _short(reading.back),
    }


def _points(points: NDArray[np.float32]) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]


def _short(value: float) -> float:
    return round(float(value), 6)
