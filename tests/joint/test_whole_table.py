"""The four games on the whole machine: shuffled, cut, dealt and recorded, also where the shuffle goes wrong.

What is recorded is held against what really became of the cards: a card's name is never wrong, its place is right or
named not known, and none is fed twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from controller.replay import replay
from firmware_bridge.words import Asked
from tests.joint.fault_table import GAMES
from vision.cards import Pack

if TYPE_CHECKING:
    from controller.acts import Line
    from hardware_sims.truth import DealTruth
    from tests.joint.playing import Held, Play, Played

Hold = Callable[["list[Line]", "DealTruth"], "Held"]

WITHOUT_CUT_US = 60_000_000


def scenario(cards: int, *faults: str, tables: str = "", deals: int = 3) -> str:
    """Return a scenario whose first pack has the faults; packs behind it are plain."""
    order = [str(card) for card in Pack.of(cards).cards]
    plain = f"[[deal]]\norder = {order}\ncut = 10\n"
    return plain + "".join(f"[[deal.fault]]\n{fault}\n" for fault in faults) + tables + plain * deals


def checked(played: Played, held: Hold) -> None:
    """Hold every deal's record against the truth, and its rulings against its facts."""
    for lines, truth, commands in zip(played.lines, played.truths, played.commands, strict=True):
        assert held(lines, truth).differ == ()
        assert sum(bool(passage) for passage in truth.passages) <= len(commands)
        assert replay(lines) == ()


@pytest.mark.parametrize(("code", "cards"), [*GAMES.items(), ("euchre", 24), ("euchre", 25), ("euchre", 33)])
def test_each_game_is_shuffled_cut_and_dealt_within_the_bar(code: str, cards: int, play: Play, held: Hold) -> None:
    played = play(scenario(cards), code=code, pack=cards)
    (outcome,), (lines,) = played.outcomes, played.lines
    assert (outcome.ending.status, outcome.cards, outcome.unread) == ("completed", cards, 0)
    checked(played, held)
    assert [line["by"] for line in lines if line.get("fact") == "shuffled"] == ["machine"]
    (cut,) = (line for line in lines if line.get("fact") == "cut")
    assert abs(cut["top"] - 10) <= cut["tolerance"]
    order = [line["card"] for line in lines if line.get("fact") == "seen"]
    assert order != sorted(order, key=order.index) or order != [str(card) for card in Pack.of(cards).cards]
    asked = dict(played.asked)
    dealt_us = [line["t_us"] for line in lines if line.get("fact") == "routed"]
    shuffled_us = asked[Asked.CUT] - asked[Asked.LOAD_PACK]
    assert shuffled_us + dealt_us[-1] - dealt_us[0] <= WITHOUT_CUT_US


SHUFFLE_FAULTS = {
    "shelf_misplaced": 'kind = "shelf_misplaced"\nin_pass = {number}\ncard = 5\nto = 3',
    "shelf_not_empty": 'kind = "shelf_left"\nin_pass = {number}\nshelf = 3',
    "shelf_double": 'kind = "shelf_double"\nin_pass = {number}\ncard = 9',
    "shelf_jam": 'kind = "shelf_jam"\nin_pass = {number}\ncard = 20',
}


@pytest.mark.parametrize(("code", "number"), list(itertools.product(("whist", "euchre"), (1, 2))))
@pytest.mark.parametrize("fault", SHUFFLE_FAULTS)
def test_a_shuffle_that_goes_wrong_costs_a_draw_and_not_the_deal(
    fault: str, code: str, number: int, play: Play, held: Hold
) -> None:
    played = play(scenario(GAMES[code], SHUFFLE_FAULTS[fault].format(number=number)), code=code)
    (outcome,), (lines,) = played.outcomes, played.lines
    assert outcome.ending.status == "completed"
    draws = [line["attempt"] for line in lines if line.get("fact") == "draw_committed"]
    assert draws in ([1], [1, 2]), "a double that the counters cannot tell from one card may pass"
    assert len({line["commitment"] for line in lines if line.get("fact") == "draw_committed"}) == len(draws)
    assert replay(lines) == ()
