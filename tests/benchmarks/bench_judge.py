"""How fast facts are judged, on one core: `python -m tests.benchmarks.bench_judge`.

The judge alone hears typed facts; `pone judge` reads JSON Lines and prints what it rules. Times are of the processor,
so that a busy machine does not change them. The long deals are of touches, looks, exposures and waivers, over and over:
every fourth line opens an option.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
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

Line = dict[str, Any]


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
    restless: list[Line] = [
        {"fact": "exposed", "card": "7C", "by": "S"},
        {"fact": "waived", "by": "W"},
        {"fact": "touched", "seat": "N"},
        {"fact": "looked", "seat": "N"},
    ]
    return (good_deal("whist")[:100] + restless * (length // 4 + 1))[:length]


def parsed(stream: list[Line]) -> list[Fact]:
    return [parse_fact(obj, line=line) for line, obj in enumerate(stream, start=1)]


def heard_s(facts: list[Fact]) -> float:
    """Judge a deal and return the time it took in s."""
    judge = Judge()
    began = time.process_time()
    for line, fact in enumerate(facts, start=1):
        judge.hear(fact, line)
    return time.process_time() - began


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
    with tempfile.TemporaryDirectory() as folder:
        stream = touches(LONG)
        took = statistics.median(command_s(stream, Path(folder)) for _ in range(3))
    missed += LONG / took < LEAST_COMMAND
    print(f"{'pone judge, end to end':<28} {LONG:8} {took * 1000:10.1f} {LONG / took:10.0f}")
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
