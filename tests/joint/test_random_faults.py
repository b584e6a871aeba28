"""Three hundred deals with random faults: nothing is lost, nothing fed twice, every halt names its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardware_sims.seeded import Stream

SCENARIOS = 300
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
        f'kind = "jam"\nat = {at}\nwhere = "{("entry", "exit")[stream.below(2)]}"',
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
    if frames:
        kinds += [
            f'kind = "late_frames"\nat = {at}\nframes = {1 + stream.below(20)}',
            f'kind = "repeated_frame"\nat = {at}',
            f'kind = "frozen_frames"\nat = {at}',
        ] * 3
    return kinds[stream.below(len(kinds))]


def _direction(stream: Stream) -> str:
    return ("to_machine", "from_machine")[stream.below(2)]


def scenario(number: int, *, frames: bool) -> str:
    """Return the text of a scenario with one to three faults; faults of the pack stand alone, since two may clash."""
    stream = Stream(number, "random faults")
    faults = [_fault(stream, frames=frames) for _ in range(1 + stream.below(3))]
    of_pack = [fault for fault in faults if "_card" in fault.split("\n")[0] and "faced" not in fault]
    chosen = of_pack[:1] + [fault for fault in faults if fault not in of_pack]
    tables = "\n".join(f"[[deal.fault]]\n{fault}" for fault in chosen)
    return f"seed = {number}\n[[deal]]\ncut = {4 + stream.below(45)}\n{tables}\n"


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_faults(group: int, play: Callable[..., Any], held: Callable[..., Any]) -> None:
    known, cards = 0, 0
    for number in range(group, SCENARIOS, GROUPS):
        frames = number < FRAMED
        text = scenario(number, frames=frames)
        played = play(text, seed=number, frames=frames)
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
