"""A machine that lacks a part, or all it can lack, deals every code all the same, and its record is the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from controller.errors import Unattended
from controller.replay import replay
from firmware_bridge.words import Asked, Capability
from tests.joint.fault_table import GAMES

if TYPE_CHECKING:
    from controller.acts import Line
    from hardware_sims.truth import DealTruth
    from tests.joint.playing import Held, Play

PARTS = [part.name.lower() for part in Capability if part is not Capability.PANEL and part.name]
LACKS = [*([part] for part in PARTS), PARTS]


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("lacks", LACKS, ids=lambda lacks: lacks[0] if len(lacks) == 1 else "all")
def test_what_lacks_costs_no_deal(
    lacks: list[str], code: str, play: Play, held: Callable[[list[Line], DealTruth], Held]
) -> None:
    played = play(f"[machine]\nlacks = {lacks}\n[[deal]]\ncut = 10\n", code=code, pack=GAMES[code])
    (outcome,), (lines,), (truth,) = played.outcomes, played.lines, played.truths
    assert (outcome.ending.status, outcome.unread) == ("completed", 0)
    assert held(lines, truth).differ == ()
    assert replay(lines) == ()
    facts = [line["fact"] for line in lines if "fact" in line]
    assert "machine_fault" not in facts
    assert ("cut" in facts) == ("cut_tray" not in lacks), "a cut that nobody weighed is on nobody's record"
    assert ("shuffled" in facts) == ("shelves" not in lacks)
    asked = [question for question, _ in played.asked]
    assert (Asked.NAME_CARD in asked) == ("trump_spot" in lacks and code in ("whist", "euchre"))


def test_a_machine_that_can_ask_nobody_says_so(play: Play) -> None:
    with pytest.raises(Unattended):
        play('[machine]\nlacks = ["panel"]\n[[deal]]\n')
