"""The corner view: a camera that sees one corner of a card and no outline, at whatever quarter turn.

The index is looked for in windows of several sizes all over the picture. There is no second corner to agree, so several
windows must, each sure by itself, and none to speak of may say otherwise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.decide import Verdict
from vision.doubts import Doubt
from vision.frame import must_be_image
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, whiten
from vision.recogniser import Examination, at_working_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.classify import IndexReader, IndexReading
    from vision.frame import Image

    Points = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class CornerLimits:
    """How an index is looked for, and how many windows must show it.

    Attributes:
        parts: heights of the windows, parts of the picture's height as the card stands in it.
        step_px: distance of neighbouring windows, px of an index crop.
        margin_px: how far windows may reach over the picture's edge, px of an index crop.
        ink: least and largest part of a window that is dark: neither bare paper nor a pip shows an index.
        confidence: from which on a window counts, in [0, 1].
        windows: that must name the card.
        majority: windows that name it for each that names another one.
        least_side_px: shorter side below which no picture holds a readable index, px.
        working_side_px: longer side a larger picture is brought to, px.
    """

    parts: tuple[float, ...] = (0.5, 0.62, 0.78, 0.95)
    step_px: int = 6
    margin_px: int = 8
    ink: tuple[float, float] = (0.03, 0.6)
    confidence: float = 0.9
    windows: int = 3
    majority: int = 4
    least_side_px: int = 64
    working_side_px: int = 960


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Window:
    """One place that was looked at.

    Attributes:
        crop: whitened, as the reader wants it.
        quad: `(4, 2) float32`, its corners in the picture, px, the first the top left one of the index.
    """

    crop: Image
    quad: Points


class CornerRecogniser:
    """Reads the index of a picture that shows one corner; keeps nothing from one look to the next."""

    def __init__(self, reader: IndexReader, *, limits: CornerLimits | None = None) -> None:
        self._reader = reader
        self._limits = limits or CornerLimits()

    def begin(self) -> None:
        """See `vision.recogniser.Looker`; nothing is kept."""

    def examine(self, image: Image) -> Examination:
        """Return everything that a look finds; see `vision.recogniser.Looker`."""
        must_be_image(image)
        limits = self._limits
        if min(image.shape[:2]) < limits.least_side_px:
            return Examination(image=image, verdict=Verdict(doubt=Doubt.TOO_SMALL))
        image = at_working_size(image, limits.working_side_px)
        windows = [window for turns in range(4) for window in _windows(image, turns, limits)]
        named = [
            (window, reading)
            for begin in range(0, len(windows), _BATCH)
            for window, reading in self._read(windows[begin : begin + _BATCH])
            if reading.code and reading.confidence >= limits.confidence
        ]
        verdict = _verdict([reading for _, reading in named], limits)
        return Examination(image=image, windows=tuple(window.quad for window, _ in named), verdict=verdict)

    def _read(self, windows: list[_Window]) -> Iterator[tuple[_Window, IndexReading]]:
        return zip(windows, self._reader.read([window.crop for window in windows]), strict=True)


_BATCH: Final = 128
"""Crops the network reads at a time: more would not be faster."""


def _verdict(readings: list[IndexReading], limits: CornerLimits) -> Verdict:
    """Return what windows that are sure each come to together."""
    counted = Counter(reading.code for reading in readings).most_common(2)
    if not counted:
        return Verdict(doubt=Doubt.NO_CORNER)
    code, number = counted[0]
    other = counted[1][1] if len(counted) > 1 else 0
    best = sorted((reading.confidence for reading in readings if reading.code == code), reverse=True)
    confidence = float(np.mean(best[: limits.windows]))
    if other >= limits.windows:
        return Verdict(confidence=confidence, doubt=Doubt.TWO_INDICES)
    if number < limits.windows or number < limits.majority * other:
        return Verdict(confidence=confidence, doubt=Doubt.CORNER_UNSURE)
    return Verdict(code=code, confidence=confidence)


def _windows(image: Image, turns: int, limits: CornerLimits) -> Iterator[_Window]:
    """Yield the windows of a picture turned by so many quarters that may show an index."""
    upright = np.ascontiguousarray(np.rot90(image, turns))
    height, width = upright.shape[:2]
    for part in limits.parts:
        scale = CROP_HEIGHT / (part * height)
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        resized = cv2.resize(upright, size, interpolation=method)
        margins = (limits.margin_px,) * 4
        small: Image = cv2.copyMakeBorder(resized, *margins, cv2.BORDER_REPLICATE).astype(np.uint8)
        for x, y in _places(small, limits):
            corners = _UNIT * (CROP_WIDTH, CROP_HEIGHT) + (x - limits.margin_px, y - limits.margin_px)
            quad = _turned_back((corners / scale).astype(np.float32), turns, image.shape[1], image.shape[0])
            yield _Window(crop=whiten(small[y : y + CROP_HEIGHT, x : x + CROP_WIDTH]), quad=quad)


_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def _places(small: Image, limits: CornerLimits) -> list[tuple[int, int]]:
    """Return the places of windows that hold as much ink as an index may."""
    height, width = small.shape[:2]
    dim = small.min(axis=2)
    _, dark = cv2.threshold(dim, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    sums = cv2.integral(dark)
    least, most = (share * CROP_WIDTH * CROP_HEIGHT for share in limits.ink)
    found = []
    for y in range(0, height - CROP_HEIGHT + 1, limits.step_px):
        for x in range(0, width - CROP_WIDTH + 1, limits.step_px):
            right, bottom = x + CROP_WIDTH, y + CROP_HEIGHT
            ink = int(sums[bottom, right]) - int(sums[y, right]) - int(sums[bottom, x]) + int(sums[y, x])
            if least <= ink <= most:
                found.append((x, y))
    return found


def _turned_back(points: Points, turns: int, width: int, height: int) -> Points:
    """Return points of a picture turned by quarters against the clock as points of the picture before."""
    x, y = points[:, 0], points[:, 1]
    match turns:
        case 0:
            return points
        case 1:
            return np.stack([width - y, x], axis=1).astype(np.float32)
        case 2:
            return np.stack([width - x, height - y], axis=1).astype(np.float32)
        case _:
            return np.stack([y, height - x], axis=1).astype(np.float32)
