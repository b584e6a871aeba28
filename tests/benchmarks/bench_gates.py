"""The eye's gates as a table: what it accepts of each set, what it gets wrong, and whether that is enough.

Run as `python -m tests.benchmarks.bench_gates`; `PONE_TEST_DATA` names the folder with photographs and decks. The long
form is `--frames 100000`, which takes hours: `--only` takes its three parts one by one, and drawn frames that were
cut off go on with `--first`. Enrolling all decks takes ten minutes of one core, however many frames are looked at.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import cv2

from tests.drawn_frames import read_decks
from tests.eye_gates import (
    LEVELS,
    NEVER_ENROLLED,
    Tally,
    drawn_backs,
    drawn_faces,
    drawn_sets,
    enrol_drawn,
    photographs,
    tally,
)
from vision.corner_view import CornerRecogniser
from vision.deck_match import DeckMatcher
from vision.recogniser import Recogniser, shipped_reader
from vision.sighting import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What a set must reach.

    Attributes:
        accepted: least part accepted, in [0, 1].
        wrong: largest part accepted wrongly, in [0, 1].
    """

    accepted: float = 0.0
    wrong: float = 0.0

    def __str__(self) -> str:
        return f">= {self.accepted:.1%}, <= {self.wrong:.0%} wrong"

    def passed(self, counted: Tally) -> bool:
        """Return whether a set reaches it."""
        enough = counted.accepted >= self.accepted * counted.looked
        return enough and len(counted.wrong) <= self.wrong * counted.looked


PHOTOGRAPHS: Final = {
    "single": Gate(accepted=0.98),
    "odd/designs": Gate(accepted=0.55),
    "machine/shuffler_corner": Gate(accepted=40 / 52),
    "clutter": Gate(),
    "multi/fanned_deals": Gate(),
}
"""Sets of photographs; the labels of the rest of `multi` are missing."""

DRAWN: Final = {
    "English, light, level 1.0": Gate(accepted=0.97),
    "enrolled, level 1.0": Gate(accepted=0.995),
    "two cards, 5 to 25 % apart": Gate(wrong=0.01),
    "two cards, 0 to 5 % apart": Gate(wrong=1.0),
}
"""Sets of drawn frames; none of the others may be wrong, and what is accepted is stated."""


def _drawn_part(test_data: Path, frames: int, seed: int) -> dict[str, Tally]:
    cv2.setNumThreads(1)
    looker = Recogniser.shipped()
    return {name: tally(looker, pictures) for name, pictures in drawn_sets(test_data, frames=frames, seed=seed).items()}


def _gate(name: str) -> Gate:
    """Return the gate of a set of drawn frames."""
    return DRAWN.get(name, Gate())


_PART: Final = 1_000
"""Frames drawn from one seed."""


def _drawn(test_data: Path, frames: int, first: int) -> dict[str, Tally]:
    """Return the tallies of the drawn sets, counted by two processes."""
    sums: dict[str, Tally] = {}
    seeds = range(first, first + max(frames // _PART, 1))
    # A forked child may inherit a lock that a thread of OpenCV held; a spawned one starts clean.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for done, part in enumerate(pool.map(partial(_drawn_part, test_data, min(frames, _PART)), seeds), 1):
            for name, counted in part.items():
                sums.setdefault(name, Tally()).add(counted)
            wrong = [line for name, one in part.items() if not _gate(name).wrong for line in one.wrong]
            print(f"{done} of {len(seeds)} parts", *wrong, sep="\n    ", file=sys.stderr, flush=True)
    return sums


@dataclass(frozen=True, slots=True, kw_only=True)
class _Enrolled:
    """What became of one deck: the cards a person had to name, why it was refused, and the tallies of its frames."""

    name: str
    asked: int
    refused: str
    tallies: dict[str, Tally]


def _enrolled_deck(test_data: Path, frames: int, number: int) -> _Enrolled:
    """Enrol one deck, and count frames of it that other chance draws; of a refused one, without its deck."""
    cv2.setNumThreads(1)
    deck = read_decks(test_data)[number]
    reader = shipped_reader()
    learnt = enrol_drawn(deck, reader, seed=number)
    looker = Recogniser(reader, decks=() if learnt.deck is None else (DeckMatcher(learnt.deck),))
    sets = {f"enrolled, level {level}": drawn_faces([deck], level, frames=frames, seed=number) for level in LEVELS}
    if deck.backs:
        sets["enrolled, backs"] = drawn_backs([deck], frames=frames, seed=number)
    counted = {name: tally(looker, pictures) for name, pictures in sets.items()}
    return _Enrolled(name=deck.name, asked=learnt.asked, refused=" ".join(learnt.refusals), tallies=counted)


def _enrolled(test_data: Path, frames: int) -> tuple[dict[str, Tally], list[_Enrolled]]:
    """Return the tallies of all decks after enrolling, counted by two processes, and what became of each."""
    decks = [number for number, deck in enumerate(read_decks(test_data)) if deck.name not in NEVER_ENROLLED]
    sums: dict[str, Tally] = {}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        became = list(pool.map(partial(_enrolled_deck, test_data, max(frames // 125, 4)), decks))
    for one in became:
        for name, counted in one.tallies.items():
            sums.setdefault(name, Tally()).add(counted)
    return sums, became


def _row(name: str, kind: str, counted: Tally, gate: Gate) -> None:
    said = "pass" if gate.passed(counted) else "FAIL"
    bound = f"< {counted.bound:.2%}" if not counted.wrong else ""
    part = f"{counted.accepted / counted.looked:7.1%}"
    wrong = len(counted.wrong)
    print(f"{name:<30} {kind:<6} {counted.looked:7d} {part} {wrong:6d} {bound:>9}  {gate!s:<24} {said}", flush=True)
    for line in counted.wrong[:_NAMED]:
        print(f"    {line}")


_NAMED: Final = 5
"""Wrong answers of a set that are named."""


def _photograph_rows(test_data: Path) -> None:
    cv2.setNumThreads(1)
    reader = shipped_reader()
    for name, gate in PHOTOGRAPHS.items():
        looker = (CornerRecogniser if name.startswith("machine") else Recogniser)(reader)
        _row(name, "photo", tally(looker, photographs(test_data, name)), gate)


def _drawn_rows(sums: dict[str, Tally]) -> None:
    for name, counted in sums.items():
        _row(name, "drawn", counted, _gate(name))
        if name == "empty":
            print(f"    named empty: {counted.states[State.EMPTY]}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bench_gates", description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000, help="drawn frames (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first drawn frames (default: %(default)s)")
    parser.add_argument("--only", choices=("photographs", "drawn", "enrolled"), help="measure these alone")
    chosen = parser.parse_args()
    named = os.environ.get("PONE_TEST_DATA")
    if not named:
        print("no gates measured: PONE_TEST_DATA does not name a folder with test data")
        return
    test_data, began = Path(named).resolve(), time.perf_counter()
    print(f"{'set':<30} {'kind':<6} {'looked':>7} {'accepted':>7} {'wrong':>5} {'95 %':>9}  {'gate':<24}")
    if chosen.only in ("photographs", None):
        _photograph_rows(test_data)
    if chosen.only in ("drawn", None):
        _drawn_rows(_drawn(test_data, chosen.frames, chosen.first))
    if chosen.only in ("enrolled", None):
        sums, became = _enrolled(test_data, chosen.frames)
        _drawn_rows(sums)
        for one in became:
            if one.asked or one.refused:
                print(f"    {one.name}: {one.asked} cards named by a person. {one.refused}")
    print(f"{(time.perf_counter() - began) / 3600:.2f} hours")


if __name__ == "__main__":
    main()
