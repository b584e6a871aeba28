"""What the table's camera finds and overlooks, per light, and how long drawing and finding take.

Run as `python -m tests.benchmarks.bench_table [SCENES]`: by default 320 scenes with faces and 320 without. The limits
of the finder were set with a look at six of the lights and at seeds below 20,000; it has not been fitted to the lights
`lamp` and `mixed`, nor to these seeds.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from dataclasses import dataclass, field

import cv2
import numpy as np

from hardware_sims.packs import PACK_STYLES
from hardware_sims.seeded import Stream
from hardware_sims.table_chance import chance_table
from hardware_sims.table_places import View
from hardware_sims.table_render import render_table
from hardware_sims.table_scene import Light, TableCard, TableScene
from vision.cards import Pack
from vision.classify import IndexReader
from vision.recogniser import shipped_reader
from vision.table import ExposedFace, find_exposed
from vision.table_layout import SEATS, Region, TableLayout

FIRST_SEED = 3_000_000


@dataclass(slots=True)
class Tally:
    """What came of the scenes in one light."""

    planted: int = 0
    found: int = 0
    misplaced: int = 0
    read: int = 0
    misread: int = 0
    alarms: int = 0
    scenes: int = 0
    drawn: list[float] = field(default_factory=list)
    looked: list[float] = field(default_factory=list)


def _count(tally: Tally, scene: TableScene, faces: list[ExposedFace], view: View) -> None:
    left = list(faces)
    for truth in scene.cards:
        middle = truth.corners(view).mean(axis=0)
        near = [one for one in left if float(np.hypot(*(middle - one.centre))) < 25 * view.px_per_mm]
        tally.planted += 1
        if not near:
            continue
        left = [one for one in left if one is not near[0]]
        place = Region(truth.place)
        wrong_seat = place in SEATS and near[0].seat is not place
        tally.found += 1
        tally.misplaced += truth.height <= 0 and (near[0].region is not place or wrong_seat)
        tally.read += near[0].card is not None
        tally.misread += near[0].card not in (truth.card, None)
    tally.alarms += len(left)


def _run(tally: Tally, seed: int, faces: int, light: Light, reader: IndexReader, width: int) -> None:
    scene = chance_table(seed, faces=faces, lights=(light,))
    render_table(scene, width_px=width)  # draws the artwork once
    began = time.perf_counter()
    picture = render_table(scene, width_px=width)
    mid = time.perf_counter()
    found = find_exposed(picture, TableLayout(), reader)
    tally.drawn.append((mid - began) * 1000)
    tally.looked.append((time.perf_counter() - mid) * 1000)
    tally.scenes += 1
    _count(tally, scene, found, View(width_px=width))


def main() -> None:
    """Print the table."""
    scenes = int(sys.argv[1]) if len(sys.argv) > 1 else 320
    cv2.setNumThreads(1)
    reader = shipped_reader()
    print(
        f"{'px':>5} {'light':<8} {'scenes':>6} {'planted':>8} {'found':>6} {'recall':>7} {'misplaced':>9} {'read':>5}",
        end=" ",
    )
    print(f"{'misread':>7} {'alarms':>6} {'draw ms':>8} {'find ms':>8} {'p95':>6}")
    for width in (1280, 880):
        every = Tally()
        for light in Light:
            tally = Tally()
            for place in range(max(1, scenes // len(Light))):
                seed = FIRST_SEED + place * len(Light) + list(Light).index(light)
                _run(tally, seed, 1 + place % 3, light, reader, width)
                _run(tally, seed + FIRST_SEED, 0, light, reader, width)
            _print(width, light, tally)
            for name in ("planted", "found", "misplaced", "read", "misread", "alarms", "scenes"):
                setattr(every, name, getattr(every, name) + getattr(tally, name))
            every.drawn += tally.drawn
            every.looked += tally.looked
        _print(width, "all", every)
    _covered(reader, scenes)


COVERS = (0.1, 0.3, 0.5, 0.7)


def _covered(reader: IndexReader, count: int) -> None:
    """Print how many faces are found of which a back hides a part."""
    view = View(width_px=1280)
    found, planted = [0] * len(COVERS), [0] * len(COVERS)
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        stream = Stream(seed, "covered")
        x, y = 600 * stream.unit() - 300, 380 + 20 * stream.unit()
        card = Pack.of(52).cards[stream.below(52)]
        face = TableCard(card=card, face_up=True, x=x, y=y, angle_deg=360 * stream.unit())
        turn = 2 * math.pi * stream.unit()
        away = 20 + 60 * stream.unit()
        back = TableCard(
            card=card,
            face_up=False,
            x=x + away * math.cos(turn),
            y=y + away * math.sin(turn),
            angle_deg=360 * stream.unit(),
        )
        seen, hiding = (one.corners(view).astype(np.float32) for one in (face, back))
        hidden = cv2.intersectConvexConvex(seen, hiding)[0] / cv2.contourArea(seen)
        group = int(np.argmin([abs(hidden - cover) for cover in COVERS]))
        lights = tuple(Light)
        style = PACK_STYLES[stream.below(len(PACK_STYLES))]
        scene = TableScene(cards=(face, back), pack=style, light=lights[seed % len(lights)], seed=seed)
        planted[group] += 1
        found[group] += len(find_exposed(render_table(scene), TableLayout(), reader)) == 1
    for cover, hits, all_of in zip(COVERS, found, planted, strict=True):
        print(f"about {cover:.0%} hidden by a back: {hits} of {all_of} found ({hits / max(all_of, 1):.1%})")


def _print(width: int, name: str, tally: Tally) -> None:
    recall = tally.found / max(tally.planted, 1)
    p95 = statistics.quantiles(tally.looked, n=20)[18]
    print(f"{width:>5} {name:<8} {tally.scenes:6d} {tally.planted:8d} {tally.found:6d} {recall:7.1%}", end=" ")
    print(f"{tally.misplaced:9d} {tally.read:5d} {tally.misread:7d} {tally.alarms:6d}", end=" ")
    print(f"{statistics.median(tally.drawn):8.1f} {statistics.median(tally.looked):8.1f} {p95:6.1f}", flush=True)


if __name__ == "__main__":
    main()
