"""How fast facts are judged, on one core: `python -m tests.benchmarks.bench_judge`.

The judge alone hears typed facts; `pone judge` reads JSON Lines and prints what it rules. Times are of the processor,
so that a busy machine does not change them. The long deals are of touches, looks, exposures and waivers, over and over:
every fourth line opens an option.
"""

from __future__ import annotations

import gc
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any, Final

from controller.facts import Fact, parse_fact
from controller.judge import Judge
from controller.laws import code
from controller.table import Seat

RUNS: Final = 7
LEAST_ALONE: Final = 150_000
LEAST_COMMAND: Final = 50_000
MOST_DEAL_MS: Final = 1.0
LONG: Final = 200_000
LONGEST: Final = 1_000_000
MOST_GROWN: Final = 2_000
"""Bytes that the judge may take between the tenth part of the longest deal and its end."""

Line = dict[str, Any]
RESTLESS: Final[list[Line]] = [
    {"fact": "exposed", "card": "7C", "by": "S"},
    {"fact": "waived", "by": "W"},
    {"fact": "touched", "seat": "N"},
    {"fact": "looked", "seat": "N"},
]


def good_deal(name: str) -> list[Line]:
    """Return a deal without a fault, with what a live machine writes of it."""
    laws = code(name)
    stream: list[Line] = [
        {"fact": "deal_opened", "code": name, "dealer": "S"},
        {"fact": "cut", "by": "E", "top": 16, "bottom": len(laws.cards()) - 16},
        {"fact": "dealing_began", "by": "S"},
    ]
    cards = [card.code for card in laws.cards().cards]
    for k, seat in enumerate(laws.pattern.order(Seat.S), start=1):
        stream += [
            {"fact": "seen", "k": k, "state": "card", "card": cards[k - 1], "confidence_ppm": 999_000},
            {"fact": "routed", "k": k, "to": str(seat)},
            {"fact": "dealt", "to": str(seat), "k": k, "t_us": k * 700_000},
        ]
    if laws.pattern.trump is not None:
        stream.append({"fact": "turned", "card": cards[laws.pattern.trump - 1]})
    return stream


def touches(length: int) -> list[Line]:
    """Return a long deal: exposures, touches and waivers, over and over."""
    opening = good_deal("whist")[:100]
    return (opening + RESTLESS * (length // len(RESTLESS) + 1))[: max(length, len(opening))]


def parsed(stream: list[Line]) -> list[Fact]:
    return [parse_fact(obj, line=line) for line, obj in enumerate(stream, start=1)]


def heard_s(facts: list[Fact]) -> float:
    """Judge a deal and return the time it took in s."""
    judge = Judge()
    began = time.process_time()
    for line, fact in enumerate(facts, start=1):
        judge.hear(fact, line)
    return time.process_time() - began


def longest() -> tuple[float, float, int]:
    """Judge the longest deal, and return the times of its first and last tenth in s, and the bytes it grew by."""
    opening, restless = parsed(touches(0)), parsed(RESTLESS)
    judge = Judge()
    for line, fact in enumerate(opening, start=1):
        judge.hear(fact, line)

    def hear(first: int, count: int) -> float:
        began = time.process_time()
        for line in range(first, first + count):
            judge.hear(restless[line % len(restless)], line)
        return time.process_time() - began

    tenth = LONGEST // 10
    early = hear(tenth, tenth)
    gc.collect()  # else the interpreter keeps a stock of tuples
    tracemalloc.start()
    hear(2 * tenth, tenth // 10)
    gc.collect()
    settled, _ = tracemalloc.get_traced_memory()
    hear(3 * tenth, 6 * tenth)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - settled
    tracemalloc.stop()
    return early, hear(9 * tenth, tenth), grown


def command_s(stream: list[Line], folder: Path) -> float:
    """Run `pone judge` on a file and return the time it took in s, start of Python included."""
    file = folder / "deal.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in stream))
    began = _children_s()
    program = [sys.executable, "-m", "controller.cli", "judge", str(file)]
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    return _children_s() - began


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Print the table and return 1 where a bar is missed."""
    missed = 0
    print(f"{'judge alone':<28} {'facts':>8} {'ms a deal':>10} {'facts/s':>10}")
    for name in ("whist", "euchre", "bridge", "auction"):
        facts = parsed(good_deal(name))
        heard_s(facts)
        took = statistics.median(heard_s(facts) for _ in range(50))
        rate = len(facts) / took
        missed += rate < LEAST_ALONE or took * 1000 > MOST_DEAL_MS
        print(f"{f'a good deal of {name}':<28} {len(facts):8} {took * 1000:10.3f} {rate:10.0f}")
    for length in (LONG // 10, LONG):
        facts = parsed(touches(length))
        took = statistics.median(heard_s(facts) for _ in range(RUNS))
        missed += length / took < LEAST_ALONE
        print(f"{'touches and exposures':<28} {length:8} {took * 1000:10.1f} {length / took:10.0f}")
    early, late, grown = longest()
    missed += late > 1.5 * early or grown > MOST_GROWN
    print(f"{'its first and last tenth':<28} {LONGEST:8} {early * 1000:10.1f} {LONGEST / 10 / early:10.0f}")
    print(f"{f'and what it grew by: {grown} B':<28} {LONGEST:8} {late * 1000:10.1f} {LONGEST / 10 / late:10.0f}")
    with tempfile.TemporaryDirectory() as folder:
        stream = touches(LONG)
        took = statistics.median(command_s(stream, Path(folder)) for _ in range(3))
    missed += LONG / took < LEAST_COMMAND
    print(f"{'pone judge, end to end':<28} {LONG:8} {took * 1000:10.1f} {LONG / took:10.0f}")
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
