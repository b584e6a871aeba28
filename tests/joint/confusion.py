"""The confusion table: every fault at three places of the four games, by what is injected and what the record names.

Run as `python -m tests.joint.confusion`: prints a row for each fault, and exits with 1 where one is named wrongly, a
card is lost or twice, or a deal ends otherwise than its faults say. `make faults` does.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from controller.incident import Recovery
from controller.incidents import INCIDENTS
from controller.replay import replay
from hardware_sims.world import forget_worlds
from tests.joint.fault_table import CASES, GAMES, PLACES, Case, scenario
from tests.joint.playing import Played, held_against_truth, play_deals
from vision.errors import CameraLost
from vision.recogniser import Recogniser


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What came of one fault at one place of one game.

    Attributes:
        named: the incidents on record.
        status: how the deal ended.
        wrong: what is wrong with it; empty for nothing.
    """

    named: tuple[str, ...]
    status: str
    wrong: tuple[str, ...]


def tried(what: str, place: str, code: str, folder: Path, recogniser: Recogniser | None) -> Tried:
    """Play one fault, and hold what came of it against its case."""
    case = CASES[what]
    eye = recogniser if case.frames else None
    try:
        played = play_deals(folder, scenario(case, place, GAMES[code]), code=code, pack=GAMES[code], recogniser=eye)
    except CameraLost:
        return Tried(named=("camera_lost",), status="kept open", wrong=_misnamed(case, place, ("camera_lost",)))
    except Exception as e:
        return Tried(named=(), status="EXC "+repr(e)[:200], wrong=(repr(e)[:200],))
    (outcome,), (lines,) = played.outcomes, played.lines
    named = tuple(dict.fromkeys(line["code"] for line in lines if line.get("fact") == "machine_fault"))
    ending = outcome.ending
    status = f"{ending.status} by law" if ending.law else ending.status
    wrong = (*_misnamed(case, place, named), *_not_the_truth(played), *_ended_otherwise(played, named))
    return Tried(named=named, status=status, wrong=wrong)


def _misnamed(case: Case, place: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Say where the record names what was not injected, or nothing where it should."""
    if not set(named) <= case.named:
        return (f"named {', '.join(named)}",)
    return () if named or place in case.unnamed else ("not named",)


def _not_the_truth(played: Played) -> tuple[str, ...]:
    """Say where the record is not what really became of the cards."""
    (lines,), (truth,), (commands,) = played.lines, played.truths, played.commands
    found = list(held_against_truth(lines, truth).differ)
    if len({card.number for card in truth.cards}) != len(truth.cards) or len(truth.cards) != len(truth.laid):
        found.append("a card is lost or twice")
    if sum(bool(passage) for passage in truth.passages) > len(commands):
        found.append("a card was fed that the log did not intend")
    return (*found, *(str(difference) for difference in replay(lines)))


def _ended_otherwise(played: Played, named: tuple[str, ...]) -> tuple[str, ...]:
    """Say where the deal ended otherwise than its incidents and laws call for."""
    ending = played.outcomes[0].ending
    began = any(line.get("fact") == "dealing_began" for line in played.lines[0])
    voids = {code for code in named if INCIDENTS[code].recovery is Recovery.VOID and began}
    if ending.status == "completed":
        return ("completed in spite of it",) if ending.fault or ending.law else ()
    return () if ending.law or ending.fault in (voids | {"misfeed"}) else (f"{ending.status} by {ending.fault}",)


def main() -> int:
    """Print the table of all cases, places and games, or of those named."""
    chosen = sys.argv[1:] or list(CASES)
    recogniser = Recogniser.shipped()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for what in chosen:
            found: Counter[str] = Counter()
            for code in GAMES:
                for place in PLACES:
                    one = tried(what, place, code, Path(folder), recogniser)
                    found[f"{'+'.join(one.named) or 'nothing'}: {one.status}"] += 1
                    failures += [f"{what}, {place}, {code}: {wrong}" for wrong in one.wrong]
            forget_worlds()
            print(f"{what:32} {'; '.join(f'{count} × {name}' for name, count in found.most_common())}", flush=True)
    print(*failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
