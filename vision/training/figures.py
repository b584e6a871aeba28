"""Figures drawn from strokes as packs have them and fonts do not: threes with a flat top, fives with a long flag.

They are those that are taken for one another: 3 and 5, 5 and J, 7 and J, 6 and 5, 9 and Q.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.training.pips import tight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.training.pips import Mask

    Stroke = NDArray[np.float64]

FIGURES: Final = "35679JQ"
"""Ranks that can be drawn."""

_SIZE: Final = 120


def draw_figure(rank: str, rng: np.random.Generator) -> Mask:
    """Return the figure of one of `FIGURES`, in strokes whose course and thickness the random source varies."""
    strokes = {"3": _three, "5": _five, "6": _six, "7": _seven, "9": _nine, "J": _jack, "Q": _queen}[rank](rng)
    canvas = np.zeros((2 * _SIZE, 2 * _SIZE), np.uint8)
    thickness, width = int(rng.integers(8, 26)), rng.uniform(0.55, 0.95)
    for stroke in strokes:
        points = (stroke * (width, 1) + (0.5, 0.5)) * _SIZE * 16
        cv2.polylines(canvas, [np.round(points).astype(np.int32)], False, (255,), thickness, cv2.LINE_AA, 4)
    mask = tight(canvas)
    if mask is None:
        raise ValueError(f"the figure of {rank!r} came out without ink")
    return mask


def _arc(x: float, y: float, radius: tuple[float, float], begin: float, end: float) -> Stroke:
    """Return an arc around a middle, angles in degrees clockwise from the right."""
    turn = np.deg2rad(np.linspace(begin, end, 30))
    return np.stack([x + radius[0] * np.cos(turn), y + radius[1] * np.sin(turn)], axis=1)


def _line(*points: tuple[float, float]) -> Stroke:
    return np.array(points, np.float64)


def _three(rng: np.random.Generator) -> list[Stroke]:
    middle, low = rng.uniform(0.3, 0.45), rng.uniform(0.25, 0.33)
    bowl = _arc(0.47, 1 - low, (rng.uniform(0.36, 0.45), low), -110, rng.uniform(120, 175))
    top = _line((rng.uniform(0.08, 0.2), 0.0), (rng.uniform(0.78, 0.92), 0.0), (rng.uniform(0.3, 0.5), middle), bowl[0])
    tick = [_line(top[0], (top[0][0] - rng.uniform(0, 0.05), rng.uniform(0.08, 0.2)))] if rng.random() < 0.6 else []
    return [top, bowl, *tick]


def _five(rng: np.random.Generator) -> list[Stroke]:
    low, left = rng.uniform(0.28, 0.36), rng.uniform(0.1, 0.24)
    bowl = _arc(0.46, 1 - low, (rng.uniform(0.36, 0.46), low), -150, rng.uniform(120, 175))
    flag = _line((left, 0.0), (rng.uniform(0.7, 0.98), rng.uniform(-0.04, 0.04)))
    tick = [_line(flag[1], flag[1] + (0.02, rng.uniform(0.06, 0.16)))] if rng.random() < 0.3 else []
    return [flag, _line((left, 0.0), (left - rng.uniform(0, 0.06), bowl[0][1])), bowl, *tick]


def _six(rng: np.random.Generator) -> list[Stroke]:
    low = rng.uniform(0.25, 0.34)
    wide, reach = rng.uniform(0.34, 0.45), rng.uniform(0.4, 0.7)
    loop = _arc(0.5, 1 - low, (wide, low), 0, 360)
    stem = _arc(0.5 - wide + reach, 1 - low, (reach, 1 - low), 180, rng.uniform(250, 290))
    return [loop, stem]


def _nine(rng: np.random.Generator) -> list[Stroke]:
    return [1.0 - stroke for stroke in _six(rng)]


def _seven(rng: np.random.Generator) -> list[Stroke]:
    left, right, foot = rng.uniform(0.05, 0.2), rng.uniform(0.75, 0.95), rng.uniform(0.25, 0.55)
    t = np.linspace(0, 1, 20)[:, None]
    bend = np.array([(right + foot) / 2 - rng.uniform(0, 0.25), rng.uniform(0.35, 0.6)])
    leg = (1 - t) ** 2 * np.array([right, 0.0]) + 2 * t * (1 - t) * bend + t**2 * np.array([foot, 1.0])
    tick = [_line((left, 0.0), (left, rng.uniform(0.08, 0.22)))] if rng.random() < 0.6 else []
    return [_line((left, 0.0), (right, 0.0)), leg, *tick]


def _jack(rng: np.random.Generator) -> list[Stroke]:
    stem, low = rng.uniform(0.55, 0.8), rng.uniform(0.18, 0.3)
    hook = _arc(stem - 0.33, 1 - low, (0.33, low), 0, rng.uniform(110, 185))
    bar = [_line((stem - rng.uniform(0.15, 0.35), 0.0), (stem + rng.uniform(0.0, 0.25), 0.0))]
    return [_line((stem, 0.0), hook[0]), hook, *(bar if rng.random() < 0.6 else [])]


def _queen(rng: np.random.Generator) -> list[Stroke]:
    wide, high = rng.uniform(0.34, 0.45), rng.uniform(0.4, 0.5)
    begin = (rng.uniform(0.45, 0.6), rng.uniform(0.5, 0.8) * 2 * high)
    tail = _line(begin, (rng.uniform(0.85, 1.05), 2 * high + rng.uniform(-0.05, 0.15)))
    return [_arc(0.5, high, (wide, high), 0, 360), tail]
