"""How soon the command answers, beside a bare Python start: `python -m tests.benchmarks.bench_start`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 15


def median_ms(command: list[str]) -> float:
    """Run the command `RUNS` times and return the median wall time in ms."""
    took = []
    for _ in range(RUNS + 1):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took[1:])


def main() -> None:
    """Print the table."""
    bare = median_ms([sys.executable, "-c", "pass"])
    print(f"{'start, wall time in ms':<30} {'median':>9} {'ratio':>7}")
    print(f"{'python -c pass':<30} {bare:9.1f} {1:7.1f}")
    pone = str(Path(sys.executable).with_name("pone"))
    for words in (["--help"], ["deal", "--help"], ["see", "--help"], ["judge", "--help"]):
        took = median_ms([pone, *words])
        print(f"{'pone ' + ' '.join(words):<30} {took:9.1f} {took / bare:7.1f}")


if __name__ == "__main__":
    main()
