"""What the table's camera finds, overlooks and reads, against its gate; all scenes are drawn.

Run as `python -m tests.benchmarks.bench_table [--scenes 2000]`; `PONE_TEST_DATA` names the folder with the decks. A
scene takes four tenths of a second of one core, drawing included: 20,000 scenes over an hour on two free cores.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import cv2

from tests.table_gate import FIRST_SEED, Tally, looked_at
from vision.table import shipped_table_reader

RECALL: Final = 0.995
"""Least part of the open faces that is found."""

_PART: Final = 20
"""Scenes that one process looks at in one go."""


def _part(test_data: Path | None, first: int, count: int) -> Tally:
    cv2.setNumThreads(1)
    return looked_at(range(first, first + count), shipped_table_reader(), test_data)


def _counted(scenes: int, first: int, test_data: Path | None) -> Tally:
    told = Tally()
    starts = range(first, first + scenes, _PART)
    # A forked child may inherit a lock that a thread of OpenCV held; a spawned one starts clean.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        counts = [min(_PART, first + scenes - start) for start in starts]
        for done, part in enumerate(pool.map(partial(_part, test_data), starts, counts), 1):
            told.add(part)
            progress = f"{done} of {len(starts)} parts: {len(told.missed)} missed, {len(told.alarms)} alarms"
            print(
                f"{progress}, {len(told.wrong)} wrong",
                *part.alarms,
                *part.wrong,
                sep="\n    ",
                file=sys.stderr,
                flush=True,
            )
    return told


def bound(wrong: int, looked: int) -> float:
    """Return the rate that is exceeded with 5 % probability at most, where `wrong` of `looked` were wrong."""
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        term = (1.0 - rate) ** looked
        below = term
        for number in range(wrong):
            term *= (looked - number) / (number + 1) * rate / max(1.0 - rate, 1e-12)
            below += term
        low, high = (rate, high) if below > 0.05 else (low, rate)
    return high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bench_table", description=__doc__)
    parser.add_argument("--scenes", type=int, default=400, help="scenes, half with an open face (default: %(default)s)")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="first seed (default: %(default)s)")
    chosen = parser.parse_args()
    data = os.environ.get("PONE_TEST_DATA")
    began = time.perf_counter()
    told = _counted(chosen.scenes, chosen.first, Path(data) if data else None)
    print(f"{'faces':<28} {'planted':>7} {'found':>7} {'recall':>7} {'missed at most':>14} {'read':>6}")
    for kind in sorted(told.planted, key=lambda kind: (kind != "all", kind)):
        planted, found = told.planted[kind], told.found[kind]
        line = f"{kind:<28} {planted:7d} {found:7d} {found / planted:7.2%}"
        print(f"{line} {bound(planted - found, planted):14.2%} {told.read[kind] / planted:6.1%}")
    found = told.found["all"]
    enough = "pass" if found >= RECALL * told.planted["all"] else "FAIL"
    print(f"recall {found / max(told.planted['all'], 1):.2%}, gate >= {RECALL:.1%}: {enough}")
    for name, lines, of in (("false alarms", told.alarms, told.scenes), ("wrong cards", told.wrong, found)):
        said = "FAIL" if lines else "pass"
        print(f"{name}: {len(lines)} of {of} (95 %: < {bound(len(lines), max(of, 1)):.3%}), gate 0: {said}")
    print(f"in the wrong place: {told.misplaced}; {time.perf_counter() - began:.0f} s")
    for title, lines in (("false alarm", told.alarms), ("wrong", told.wrong), ("missed", told.missed)):
        for line in lines:
            print(f"    {title}: {line}")


if __name__ == "__main__":
    main()
