"""How long the eye takes for a frame of the read window in each view, its stages, and a naive reader beside it.

Run as `python -m tests.benchmarks.bench_eye`: 640×480 frames of every simulated pack, un-enrolled. Times are those of
the one thread that works, so that others on the machine count little. The
naive reader looks for 52 index templates in one corner of a card that it is told the place of.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np

from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack
from vision.decide import decide
from vision.index_crop import VIEWS
from vision.index_marks import index_marks
from vision.locate import locate
from vision.overlap import indices_apart, inner_edge
from vision.pips import count_pips
from vision.recogniser import Limits, Recogniser, shipped_reader
from vision.rectify import canonical, index_crops, refine
from vision.second_opinion import Opinion
from vision.window_view import WindowLimits, WindowRecogniser

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


def _row(name: str, frames: list[tuple[Card, Image]], looker: Looker) -> None:
    """Print what a reader answers and the time it takes, ms; a window is calibrated before the clock starts."""
    took, right, wrong = [], 0, 0
    for _, image in frames[:10]:
        looker.examine(image)
    for card, image in frames:
        began = time.thread_time()
        code = looker.examine(image).verdict.code
        took.append((time.thread_time() - began) * 1000)
        right += code == str(card)
        wrong += code not in (str(card), "")
    p99 = statistics.quantiles(took, n=100)[98]
    rest = len(frames) - right - wrong
    print(f"{name:<22} {right:6d} {wrong:6d} {rest:9d} {statistics.median(took):8.2f} {p99:8.2f}")


def _stages(frames: list[tuple[Card, Image]], reader: IndexReader) -> dict[str, float]:
    """Return the median time of each stage in the calibrated window, ms, in the order in which they are asked."""
    limits = Limits()
    coarse = replace(limits.locate, search_side_px=WindowLimits().search_side_px)
    took: list[list[float]] = []
    for _, image in frames:
        marks = [time.thread_time()]
        quad = locate(image, coarse).quads[0]
        marks.append(time.thread_time())
        edges = refine(image, quad.corners)
        marks.append(time.thread_time())
        crops = index_crops(image, edges.corners, VIEWS[0])
        marks.append(time.thread_time())
        one, other = reader.read(crops)
        marks.append(time.thread_time())
        card = canonical(image, edges.corners)
        opinion = Opinion(pips=count_pips(card).count, marks=tuple(index_marks(crop) for crop in crops))
        marks.append(time.thread_time())
        inner_edge(card)
        indices_apart(crops[0], crops[1], wide=0.7)
        marks.append(time.thread_time())
        decide([(one, other)], opinion, limits.decision)
        marks.append(time.thread_time())
        took.append([(after - before) * 1000 for before, after in pairwise(marks)])
    names = ("gate", "geometry", "crops", "index reader", "second opinion", "second card", "decision")
    return dict(zip(names, np.median(took, axis=0).tolist(), strict=True))


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
    print(f"{'pack, view':<22} {'right':>6} {'wrong':>6} {'not sure':>9} {'eye ms':>8} {'eye p99':>8}")
    window: list[tuple[Card, Image]] = []
    for style in PACK_STYLES:
        stream = Stream(5, style)
        frames = [(card, render_window(_scene(card, style, stream))) for card in CARDS]
        _row(f"{style}, card", frames, Recogniser(reader))
        _row(f"{style}, window", frames, WindowRecogniser(reader))
        window = window or frames
    print("\nstages in the window, ms: ", end="")
    stages = _stages(window, reader)
    print(", ".join(f"{name} {took:.2f}" for name, took in stages.items()))
    naive = _naive_ms(window)
    print(f"naive reader of {len(CARDS)} templates, place of the card given: {naive:.2f} ms, ", end="")
    print(f"{naive / sum(stages.values()):.1f} times the stages together")


if __name__ == "__main__":
    main()
