"""One fault at one place of a game: played, and held against what its case allows and what became of the cards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.errors import ControllerError
from controller.incident import Recovery
from controller.incidents import INCIDENTS
from controller.replay import replay
from hardware_sims.world import forget_worlds
from tests.joint.fault_table import CASES, GAMES, Case, scenario
from tests.joint.playing import Played, held_against_truth, play_deals
from vision.errors import CameraLost
from vision.recogniser import Looker, shipped_reader


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


def tried(what: str, place: str, code: str, folder: Path, recogniser: Looker | None) -> Tried:
    """Play one fault, and hold what came of it against its case."""
    case = CASES[what]
    eye = recogniser if case.frames else None
    try:
        played = play_deals(
            folder,
            scenario(case, place, GAMES[code]),
            code=code,
            pack=GAMES[code],
            recogniser=eye,
            table_reader=shipped_reader() if case.watched else None,
        )
    except CameraLost:
        return Tried(named=("camera_lost",), status="kept open", wrong=_misnamed(case, place, ("camera_lost",)))
    except ControllerError as error:
        return Tried(named=(), status="kept open", wrong=(str(error),))
    finally:
        forget_worlds()
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
