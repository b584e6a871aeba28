"""How long the eye takes for a frame of the read window, and what the renderer takes to draw one.

Run as `python -m tests.benchmarks.bench_eye`: 640×480 frames of every simulated pack, one thread, un-enrolled.
"""

from __future__ import annotations

import statistics
import time

import cv2

from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack
from vision.recogniser import Recogniser


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


def main() -> None:
    """Print the table."""
    cv2.setNumThreads(1)
    recogniser = Recogniser.shipped()
    print(f"{'pack':<14} {'right':>6} {'wrong':>6} {'not sure':>9} {'draw ms':>9} {'eye ms':>8} {'eye p99':>8}")
    for style in PACK_STYLES:
        stream, drawn, looked = Stream(5, style), [], []
        right, wrong = 0, 0
        for card in Pack.of(52).cards:
            render_window(_scene(card, style, stream))  # draws the artwork once
            began = time.perf_counter()
            frame = render_window(_scene(card, style, stream))
            mid = time.perf_counter()
            sighting = recogniser.look(frame)
            drawn.append((mid - began) * 1000)
            looked.append((time.perf_counter() - mid) * 1000)
            right += sighting.card == card
            wrong += sighting.card not in (card, None)
        p99 = statistics.quantiles(looked, n=100)[98]
        medians = f"{statistics.median(drawn):9.1f} {statistics.median(looked):8.1f} {p99:8.1f}"
        print(f"{style:<14} {right:6d} {wrong:6d} {52 - right - wrong:9d} {medians}")


if __name__ == "__main__":
    main()
