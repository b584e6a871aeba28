"""How long a deal takes on the simulated machine: `python -m tests.benchmarks.bench_deal`.

Rows: 52 cards, pumped, log in memory, no frames; the same with the durable log, beside 52 bare commits of the same file
system; the same with frames and recognition; then a table deal on the whole machine, blind shuffle and cut included, of
each code. Each row gives median, least and greatest of its runs, and the last the machine's own time as well.
"""

from __future__ import annotations

import itertools
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from controller.deal_log import DealLog
from controller.dealing import Dealing
from controller.entropy import seeded_entropy
from controller.eye import Eye, FrameEye
from controller.table import Seat
from firmware_bridge.bridge import Bridge
from hardware_sims.camera import open_camera
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import world_named
from vision.recogniser import Looker
from vision.window_view import WindowRecogniser

_names = itertools.count()


CARDS_ALONE: Final = "&lacks=shelves,cut_tray,seat_buttons"
"""A machine that only deals: no shuffle, nobody who might still claim something when the last card is down."""


def deal_ms(log_file: Path | None, *, frames: bool, recogniser: Looker | None = None) -> float:
    """Deal 52 cards once and return the wall time in ms, opening of machine and log apart."""
    return timed_deal(log_file, frames=frames, recogniser=recogniser, machine=CARDS_ALONE)[0]


def timed_deal(
    log_file: Path | None,
    *,
    frames: bool = False,
    recogniser: Looker | None = None,
    machine: str = "",
    code: str = "whist",
) -> tuple[float, float]:
    """Deal once and return the wall time in ms and the machine's own time in s, opening of machine and log apart."""
    name = f"bench{next(_names)}"
    url = f"sim://{name}?seed=7{machine}"
    key_file = None if log_file is None else log_file.with_suffix(".key")
    with DealLog.open(log_file, key_file=key_file, entropy=seeded_entropy(7)) as log:
        bridge = Bridge.open(url)
        eye: Eye
        if frames and recogniser is not None:
            eye = FrameEye(camera=open_camera(f"sim:{name}", bridge.now_us), recogniser=recogniser)
        else:
            eye = TruthEye(world_named(name))
        dealing = Dealing(
            log=log,
            bridge=bridge,
            open_bridge=lambda: Bridge.open(url),
            eye=eye,
            tell=lambda line: None,
            asking=lambda question: None,
            carried=lambda bridge: (),
            wait=lambda seconds: None,
            code=code,
        )
        began, began_us = time.perf_counter(), bridge.now_us()
        outcome = next(dealing.deals(1, Seat.S))
        took, took_us = (time.perf_counter() - began) * 1000, bridge.now_us() - began_us
        dealing.__exit__(None, None, None)
        if outcome.ending.status != "completed":
            raise SystemExit(f"the deal was not completed: {outcome}")
    return took, took_us / 1e6


def table_ms(code: str) -> float:
    """Deal a hand on the whole machine with the log in memory, and return the wall time in ms."""
    return timed_deal(None, code=code)[0]


def bare_commits_ms(folder: Path) -> float:
    """Commit 52 times to a fresh SQLite file as the log does, 600 bytes each, and return the wall time in ms."""
    db = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
        db.execute(f"PRAGMA {pragma}")
    db.execute("CREATE TABLE leaf (body BLOB)")
    began = time.perf_counter()
    for _ in range(52):
        db.execute("BEGIN")
        db.execute("INSERT INTO leaf VALUES (?)", (bytes(600),))
        db.execute("COMMIT")
    took = (time.perf_counter() - began) * 1000
    db.close()
    return took


def row(label: str, measure: Callable[[], float], runs: int) -> float:
    """Print a row of the table and return its median."""
    measure()
    took = [measure() for _ in range(runs)]
    median = statistics.median(took)
    print(f"{label:<52} {median:9.1f} {min(took):9.1f} {max(took):9.1f} {runs:6d}", flush=True)
    return median


def in_new_folder(measure: Callable[[Path], float]) -> Callable[[], float]:
    """Return a measurement that gets a fresh folder each time."""

    def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return measure(Path(folder))

    return run


def main() -> None:
    """Print the table."""
    print(f"{'52 cards, wall time in ms':<52} {'median':>9} {'least':>9} {'greatest':>9} {'runs':>6}")
    memory = row("pumped, log in memory, no frames", lambda: deal_ms(None, frames=False), 41)
    durable = row(
        "pumped, durable log, no frames",
        in_new_folder(lambda folder: deal_ms(folder / "log.sqlite", frames=False)),
        21,
    )
    bare = row("52 bare commits (SQLite, WAL, synchronous=FULL)", in_new_folder(bare_commits_ms), 21)
    recogniser = WindowRecogniser.shipped()
    frames = row(
        "pumped, log in memory, frames and recognition", lambda: deal_ms(None, frames=True, recogniser=recogniser), 5
    )
    print(f"durable log less memory log less bare commits: {durable - memory - bare:.1f} ms")
    print(f"durable deal less bare commits: {durable - bare:.1f} ms")
    for code in ("whist", "bridge", "auction", "euchre"):
        row(f"table deal of {code}: shuffle, cut, cards", partial(table_ms, code), 21)
        print(f"{'':<4}{timed_deal(None, code=code)[1]:.1f} s on the machine's clock, waits for people included")
    print(f"frames and recognition: {(frames - memory) / 52:.1f} ms a card; ratio to no frames {frames / memory:.1f}")


if __name__ == "__main__":
    main()
