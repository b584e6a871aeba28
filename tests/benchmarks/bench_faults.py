"""The confusion table: every fault at four places of the four games, by what is injected and what the record names.

Run as `python -m tests.benchmarks.bench_faults [CASE ...]`: a row for each case of `tests.joint.fault_table`, or of
those named. Exits with 1 where a fault is named wrongly, a card is lost or twice, or a deal ends otherwise than its
faults and laws call for. `make faults` does the same.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.joint.confusion import tried
from tests.joint.fault_table import CASES, GAMES, PLACES
from vision.window_view import WindowRecogniser


def main() -> int:
    """Print the table."""
    recogniser = WindowRecogniser.shipped()
    failures: list[str] = []
    deals, began = 0, time.perf_counter()
    print("| injected | named: how the deal ended, and how often |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what in sys.argv[1:] or CASES:
            found: Counter[str] = Counter()
            for code in GAMES:
                for place in PLACES:
                    one = tried(what, place, code, Path(folder), recogniser)
                    found[f"{' + '.join(one.named) or 'nothing'}: {one.status}"] += 1
                    failures += [f"{what}, {place}, {code}: {wrong}" for wrong in one.wrong]
                    deals += 1
            row = "; ".join(f"{came} ({count})" for came, count in found.most_common())
            print(f"| {what} | {row} |", flush=True)
    print(f"\n{deals} deals in {time.perf_counter() - began:.0f} s, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
