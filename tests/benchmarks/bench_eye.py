"""How long the eye takes for a frame of the read window, calibrated or not, its stages, and a naive reader beside it.

Run as `python -m tests.benchmarks.bench_eye`: 640×480 frames of every simulated pack, un-enrolled. Times are those of
the one thread that works, so that others on the machine count little; each frame is copied just before, as one that a
camera has just delivered. The naive reader looks for 52 index templates in one corner of a card that it is told the
place of.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack
from vision.company import has_company
from vision.decide import decide
from vision.frame import name_of
from vision.index_crop import VIEWS
from vision.locate import locate
from vision.overlap import indices_apart, inner_edge
from vision.pips import count_pips
from vision.recogniser import Limits, Recogniser, opinion_on, shipped_reader
from vision.rectify import canonical, dimmest, index_crops, refine
from vision.window_calibration import WindowCalibration, calibrate
from vision.window_gate import WindowGate
from vision.window_view import WindowRecogniser

if TYPE_CHECKING:
    from vision.classify import IndexReader
    from vision.frame import Image
    from vision.recogniser import Looker

CARDS = Pack.of(52).cards


def _scene(card: Card, style: str, stream: Stream) -> WindowScene:
    """One card as it comes to rest."""
    seen = CardInView(
        card=card,
        face_to_camera=True,
        x_mm=2 * stream.unit() - 1,
        y_mm=2 * stream.unit() - 1,
        angle_deg=3 * stream.unit() - 1.5,
        turned=stream.below(2) == 1,
    )
    return WindowScene(cards=(seen,), lamp=True, speed_mm_s=0.0, pack=style, back=BACKS[0], seed=stream.below(10**6))


def _row(name: str, frames: list[tuple[Card, Image]], looker: Looker) -> float:
    """Print what a reader answers and the time it takes, ms, and return the median."""
    took, right, wrong = [], 0, 0
    for _, image in frames[:10]:
        looker.examine(image)
    for card, taken in frames:
        image = taken.copy()
        began = time.thread_time()
        code = looker.examine(image).verdict.code
        took.append((time.thread_time() - began) * 1000)
        right += code == str(card)
        wrong += code not in (str(card), "")
    p99 = statistics.quantiles(took, n=100)[98]
    rest = len(frames) - right - wrong
    median = statistics.median(took)
    print(f"{name:<26} {right:6d} {wrong:6d} {rest:9d} {median:8.2f} {p99:8.2f}", flush=True)
    return median


def _calibration(style: str) -> WindowCalibration:
    """Return what frames of other cards and of the empty window say of a window."""
    stream = Stream(6, style)
    window = calibrate(
        [render_window(_scene(card, style, stream)) for card in CARDS[:10]],
        [render_window(replace(_scene(CARDS[0], style, stream), cards=())) for _ in range(3)],
    )
    if not isinstance(window, WindowCalibration):
        raise SystemExit(f"the window cannot be calibrated: {window}")
    return window


def _stages(
    frames: list[tuple[Card, Image]], reader: IndexReader, window: WindowCalibration | None
) -> dict[str, tuple[float, float]]:
    """Return median and 99th percentile of the time of each stage, ms, in the order in which they are asked."""
    limits = Limits()
    gate = None if window is None else WindowGate(window)
    took: list[list[float]] = []
    for _, taken in frames * 2:
        image = taken.copy()
        marks = [time.thread_time()]
        quad = locate(image, limits.locate).quads[0] if gate is None else gate.card(image)
        marks.append(time.thread_time())
        if quad is None:
            continue  # a card far off its place is looked for in the whole frame
        edges = refine(image, quad.corners)
        marks.append(time.thread_time())
        crops = index_crops(image, edges.corners, VIEWS[0])
        marks.append(time.thread_time())
        one, other = reader.read(crops)
        pairs = ((one, other),)
        marks.append(time.thread_time())
        card = canonical(image, edges.corners)
        dim = [dimmest(crop) for crop in crops]
        opinion = opinion_on(pairs, count_pips(card), dim, edge=0.0)
        marks.append(time.thread_time())
        inner_edge(card)
        indices_apart(*dim, wide=0.7)
        if gate is None:
            has_company(image, edges.corners)
        marks.append(time.thread_time())
        decide(pairs, opinion, limits.decision)
        marks.append(time.thread_time())
        name_of(image)
        marks.append(time.thread_time())
        took.append([(after - before) * 1000 for before, after in pairwise(marks)])
    middle, most = np.percentile(took[len(took) // 2 :], (50, 99), axis=0).tolist()
    return dict(zip(_STAGES, zip(middle, most, strict=True), strict=True))


_STAGES: Final = (
    *("gate", "geometry", "crops", "index reader", "second opinion", "second card", "decision"),
    "name of the frame",
)
"""What is timed apart; the last is asked for by a deal's record alone, and no part of the look."""


def _naive_ms(frames: list[tuple[Card, Image]]) -> float:
    """Return the median time of a reader that knows the place of the card and matches every template, ms."""
    limits = Limits()
    corners = [refine(image, locate(image, limits.locate).quads[0].corners).corners for _, image in frames]
    templates = [
        index_crops(image, quad, VIEWS[0])[0][6:66, 4:44] for (_, image), quad in zip(frames, corners, strict=True)
    ]
    took = []
    for (_, image), quad in zip(frames, corners, strict=True):
        began = time.thread_time()
        crop = index_crops(image, quad, VIEWS[0])[0]
        max(float(cv2.matchTemplate(crop, template, cv2.TM_CCOEFF_NORMED).max()) for template in templates)
        took.append((time.thread_time() - began) * 1000)
    return statistics.median(took)


def main() -> None:
    """Print the tables."""
    cv2.setNumThreads(1)
    reader = shipped_reader()
    print(f"{'pack, window':<26} {'right':>6} {'wrong':>6} {'not sure':>9} {'eye ms':>8} {'eye p99':>8}")
    every: list[tuple[Card, Image]] = []
    for style in PACK_STYLES:
        stream = Stream(5, style)
        frames = [(card, render_window(_scene(card, style, stream))) for card in CARDS]
        every += frames
        _row(f"{style}, un-calibrated", frames, Recogniser(reader))
        _row(f"{style}, calibrated", frames, WindowRecogniser(reader, calibration=_calibration(style)))
    window = _calibration(PACK_STYLES[0])
    _row("all, un-calibrated", every, Recogniser(reader))
    whole = _row("all, calibrated", every, WindowRecogniser(reader, calibration=window))
    print(f"\n{'stage, ms':<26} {'calibrated':>10} {'p99':>8} {'un-calibrated':>14} {'p99':>8}")
    known, free = (_stages(every, reader, place) for place in (window, None))
    for name in _STAGES:
        print(f"{name:<26} {known[name][0]:10.2f} {known[name][1]:8.2f} {free[name][0]:14.2f} {free[name][1]:8.2f}")
    naive = _naive_ms(every[: len(CARDS)])
    print(f"naive reader of {len(CARDS)} templates, place of the card given: {naive:.2f} ms, ", end="")
    print(f"{naive / whole:.1f} times the eye in a calibrated window")


if __name__ == "__main__":
    main()
