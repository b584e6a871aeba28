"""Deals with random faults on the whole machine under every code: nothing is lost, nothing fed twice.

Every halt names its reason. `PONE_SWEEP=full` tries 2,000.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from hardware_sims.seeded import Stream
from tests.joint.fault_table import GAMES

FULL = os.environ.get("PONE_SWEEP") == "full"
"""Every deal of the sweep; else as many as fit into the tests of a push."""

SCENARIOS = 2_000 if FULL else 240
FRAMED = 20
GROUPS = 20
KNOWN_PART = 0.95
"""Part of all cards, over all scenarios, whose place the record must know rightly; the rest must be named not known."""

_CARDS = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def _fault(stream: Stream, *, frames: bool) -> str:
    """Return one random fault as a table of a scenario file."""
    at = 1 + stream.below(52)
    card, other = stream.shuffled(_CARDS)[:2]
    kinds = [
        f'kind = "misfeed"\nat = {at}\ntimes = {1 + stream.below(3)}',
        f'kind = "jam"\nat = {at}\num = {10_000 + stream.below(150_001)}',
        f'kind = "double_feed"\nat = {at}\noverlap_mm = {2 + stream.below(60)}',
        f'kind = "faced_card"\nat = {at}',
        f'kind = "missing_card"\ncard = "{card}"',
        f'kind = "duplicate_card"\ncard = "{card}"\ninstead_of = "{other}"',
        f'kind = "foreign_card"\ncard = "J1"\ninstead_of = "{other}"',
        f'kind = "sensor_stuck"\nsensor = "{("entry", "window", "exit", "hopper")[stream.below(4)]}"\n'
        f"level = {stream.below(2)}\nat = {at}",
        f'kind = "gate_slip"\nat = {at}\nto = "{"NESW"[stream.below(4)]}"',
        f'kind = "dropped_bytes"\ndirection = "{_direction(stream)}"\nrate = 0.002',
        f'kind = "flipped_bytes"\ndirection = "{_direction(stream)}"\nrate = 0.002',
        f'kind = "doubled_bytes"\ndirection = "{_direction(stream)}"\nrate = 0.002',
        f'kind = "silence"\nat = {at}\nfor_ms = {100 + stream.below(6000)}',
        f'kind = "reset"\nat = {at}\nphase = "{("intent", "shown", "routed", "done")[stream.below(4)]}"\n'
        f"after_ms = {stream.below(90)}",
        f'kind = "eye_doubt"\nat = {at}\nstate = "{("not_sure", "partial", "empty", "two_cards")[stream.below(4)]}"',
    ]
    kinds += _of_the_whole_machine(stream, at)
    if frames:
        kinds += [
            f'kind = "late_frames"\nat = {at}\nframes = {1 + stream.below(20)}',
            f'kind = "repeated_frame"\nat = {at}',
            f'kind = "frozen_frames"\nat = {at}',
        ] * 3
    return kinds[stream.below(len(kinds))]


def _of_the_whole_machine(stream: Stream, at: int) -> list[str]:
    """Return a random fault of each kind that only the whole machine has, or its sensors see."""
    in_pass, shelf = 1 + stream.below(2), 1 + stream.below(8)
    sensor = ("entry", "window", "exit")[stream.below(3)]
    timed = (
        f'at = {at}\nphase = "{("intent", "shown", "routed", "done")[stream.below(4)]}"\nafter_ms = {stream.below(90)}'
    )
    return [
        f'kind = "chained_feed"\nat = {at}\ngap_mm = {stream.below(3)}',
        f'kind = "skewed_card"\nat = {at}\ndegrees = {3 + stream.below(23)}',
        f'kind = "slipping_card"\nat = {at}\npercent = {1 + stream.below(30)}',
        f'kind = "torn_card"\nat = {at}\nmissing_mm = {1 + stream.below(30)}',
        f'kind = "late_sensor"\nat = {at}\nms = {1 + stream.below(40)}',
        f'kind = "sensor_bounce"\nat = {at}\nsensor = "{sensor}"\nus = {200 + stream.below(4_000)}',
        f'kind = "sensor_glitch"\nat = {at}\nsensor = "{sensor}"\nus = {200 + stream.below(4_000)}',
        f'kind = "lamp_failed"\nat = {at}',
        f'kind = "shelf_misplaced"\nin_pass = {in_pass}\ncard = {at}\nto = {shelf}',
        f'kind = "shelf_left"\nin_pass = {in_pass}\nshelf = {shelf}',
        f'kind = "shelf_double"\nin_pass = {in_pass}\ncard = {at}',
        f'kind = "shelf_jam"\nin_pass = {in_pass}\ncard = {at}',
        f'kind = "cell_drift"\ngrams_per_s = {stream.below(9) - 4}',
        f'kind = "lost_burst"\ndirection = "{_direction(stream)}"\nbyte = {stream.below(5_000)}',
        f'kind = "delayed_bytes"\ndirection = "{_direction(stream)}"\nms = {1 + stream.below(40)}',
        f'kind = "supply_sag"\nmv = {8_000 + stream.below(12_000)}\n{timed}',
        f'kind = "overheated"\n{timed}',
        f'kind = "motor_stalled"\n{timed}',
    ]


def _direction(stream: Stream) -> str:
    return ("to_machine", "from_machine")[stream.below(2)]


def scenario(number: int, code: str, *, frames: bool) -> str:
    """Return the text of a scenario with one to three faults; faults of the pack stand alone, since two may clash."""
    stream = Stream(number, "random faults")
    faults = [_fault(stream, frames=frames) for _ in range(1 + stream.below(3))]
    of_pack = [fault for fault in faults if "_card" in fault.split("\n")[0] and "faced" not in fault]
    chosen = of_pack[:1] + [fault for fault in faults if fault not in of_pack]
    tables = "\n".join(f"[[deal.fault]]\n{fault}" for fault in chosen)
    for fault in chosen:
        tables += _KEY.format(at=fault.partition("at = ")[2].partition("\n")[0]) if _pauses(fault) else ""
    machine = '[machine]\nlacks = ["shelves"]\n' if stream.below(2) else ""
    return f"seed = {number}\n{machine}[[deal]]\ncut = {4 + stream.below(GAMES[code] - 7)}\n{tables}\n"


def _pauses(fault: str) -> bool:
    """Return whether the director's key must be turned before the deal goes on."""
    return "supply_sag" in fault or "overheated" in fault


_KEY = '\n[[deal.act]]\nwhat = "key"\nat = {at}\nphase = "intent"\nafter_ms = 4000\n'


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_faults(group: int, play: Callable[..., Any], held: Callable[..., Any]) -> None:
    known, cards = 0, 0
    for number in range(group, SCENARIOS, GROUPS):
        frames = number < FRAMED
        code = list(GAMES)[(number // GROUPS) % len(GAMES)]
        text = scenario(number, code, frames=frames)
        played = play(text, seed=number, frames=frames, code=code, pack=GAMES[code])
        (outcome,), (lines,), (truth,), (commands,) = played.outcomes, played.lines, played.truths, played.commands
        found = held(lines, truth)
        assert not found.differ, text
        known, cards = known + found.agree, cards + found.agree + found.not_known
        assert found.agree + found.not_known == len(truth.laid), text
        assert sum(bool(passage) for passage in truth.passages) <= len(commands), text
        if outcome.ending.status != "completed":
            assert outcome.ending.law or outcome.ending.fault, text
        for line in lines:
            if line.get("fact") == "halted":
                assert line.get("fault") or line.get("law"), text
    assert known >= KNOWN_PART * cards
