"""The four games on the whole machine: shuffled, cut, dealt and recorded, with every fault at several places.

What is recorded is held against what really became of the cards: a card's name is never wrong, its place is right or
named not known, and none is fed twice.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pytest

from controller.replay import replay
from firmware_bridge.words import Asked
from vision.cards import Pack

if TYPE_CHECKING:
    from controller.acts import Line
    from hardware_sims.truth import DealTruth
    from tests.joint.playing import Held, Play, Played

Hold = Callable[["list[Line]", "DealTruth"], "Held"]

GAMES = {"whist": 52, "euchre": 32, "bridge": 52, "auction": 52}
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


CARD_FAULTS = {
    "misfeed": 'kind = "misfeed"\nat = {at}',
    "jam_entry": 'kind = "jam"\nat = {at}\nwhere = "entry"',
    "jam_exit": 'kind = "jam"\nat = {at}\nwhere = "exit"',
    "double_feed": 'kind = "double_feed"\nat = {at}',
    "chained_feed": 'kind = "chained_feed"\nat = {at}',
    "slip": 'kind = "slipping_card"\nat = {at}',
    "sensor_late": 'kind = "late_sensor"\nat = {at}',
    "skew": 'kind = "skewed_card"\nat = {at}',
    "short_card": 'kind = "torn_card"\nat = {at}',
    "faced": 'kind = "faced_card"\nat = {at}',
    "wrong_seat": 'kind = "gate_slip"\nat = {at}\nto = "N"',
}
PLACES = (2, 13, 23)
FULL = os.environ.get("PONE_SWEEP") == "full"
"""Every fault at every place; else at one place in each game, another in the next."""


def places(fault: str, code: str, faults: Iterable[str]) -> tuple[int, ...]:
    """Return where a fault is tried in a game."""
    turn = list(faults).index(fault) + list(GAMES).index(code)
    return PLACES if FULL else (PLACES[turn % len(PLACES)],)


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("fault", CARD_FAULTS)
def test_a_fault_of_a_card_at_three_places_in_each_game(fault: str, code: str, play: Play, held: Hold) -> None:
    for at in places(fault, code, CARD_FAULTS):
        played = play(scenario(GAMES[code], CARD_FAULTS[fault].format(at=at)), code=code, tries=1 + FULL)
        checked(played, held)
        codes = [line["code"] for line in played.lines[0] if line.get("fact") == "machine_fault"]
        if fault != "faced":
            in_order = fault == "wrong_seat" and not codes  # the card was North's anyhow
            at_end = {"double_feed": "double_feed_at_end", "chained_feed": "double_feed_at_end"}.get(fault, fault)
            wrong = {"wrong_seat": {"wrong_seat", "wrong_tray"}}.get(fault, {fault, at_end})
            assert in_order or wrong & set(codes), codes
        else:
            ending = played.outcomes[0].ending
            assert ending.law, "a faced card is the law's matter"


SHUFFLE_FAULTS = {
    "shelf_misplaced": 'kind = "shelf_misplaced"\nin_pass = {number}\ncard = 5\nto = 3',
    "shelf_not_empty": 'kind = "shelf_left"\nin_pass = {number}\nshelf = 3',
    "shelf_double": 'kind = "shelf_double"\nin_pass = {number}\ncard = 9',
    "shelf_jam": 'kind = "shelf_jam"\nin_pass = {number}\ncard = 20',
}


@pytest.mark.parametrize(("code", "number"), list(itertools.product(GAMES if FULL else ("whist", "euchre"), (1, 2))))
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


MACHINE_FAULTS = {
    "motor_stalled": 'kind = "motor_stalled"\nat = {at}\nphase = "{phase}"\nafter_ms = 5',
    "supply_low": 'kind = "supply_sag"\nat = {at}\nphase = "{phase}"\nafter_ms = 5',
    "too_hot": 'kind = "overheated"\nat = {at}\nphase = "{phase}"\nafter_ms = 5',
}
DEEDS = {
    "lid_open": ("open_lid", "close_lid"),
    "e_stop": ("press_e_stop", "release_e_stop"),
    "tray_lifted": ('lift_tray"\nseat = "N', 'put_tray_back"\nseat = "N'),
}
KEY = '[[deal.act]]\nwhat = "key"\nat = {at}\nphase = "{phase}"\nafter_ms = 4000\n'
PAUSES = ("supply_low", "too_hot", "tray_lifted")


def upset(what: str, at: int, phase: str) -> str:
    """Return the tables of a fault of the machine, or of a deed and its undoing, and of the key turned behind it."""
    if what in MACHINE_FAULTS:
        tables = f"[[deal.fault]]\n{MACHINE_FAULTS[what]}\n"
    else:
        done, undone = DEEDS[what]
        tables = "".join(
            f'[[deal.act]]\nwhat = "{deed}"\nat = {{at}}\nphase = "{{phase}}"\nafter_ms = {ms}\n'
            for deed, ms in ((done, 5), (undone, 900))
        )
    return (tables + (KEY if what in PAUSES else "")).format(at=at, phase=phase)


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("what", [*MACHINE_FAULTS, *DEEDS])
def test_a_fault_of_the_machine_leaves_every_card_where_the_record_says(
    what: str, code: str, play: Play, held: Hold
) -> None:
    for at in places(what, code, [*MACHINE_FAULTS, *DEEDS]):
        phase = dict(zip(PLACES, ("intent", "shown", "routed"), strict=True))[at]
        played = play(scenario(GAMES[code], tables=upset(what, at, phase)), code=code, tries=1 + FULL)
        checked(played, held)
        codes = [line["code"] for line in played.lines[0] if line.get("fact") == "machine_fault"]
        assert set(codes) <= {what, "machine_silent"}, codes
        if what in PAUSES:
            assert played.outcomes[0].ending.status == "completed", "the deal goes on where it stood"
