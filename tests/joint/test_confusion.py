"""Every fault is named rightly, costs no card, and ends the deal rightly: a sample of what `make faults` tries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.incidents import INCIDENTS
from hardware_sims.faults import KINDS
from tests.joint.confusion import tried
from tests.joint.fault_table import CASES, GAMES, PLACES
from vision.window_view import WindowRecogniser


def _sampled() -> list[tuple[str, str, str]]:
    """Return one place in one game for each case: the games in turn, and the places at which it must be named.

    Pictures take their time, so that they are read in the game of the fewest cards, and of the table only at first.
    """
    chosen = []
    for number, (what, case) in enumerate(CASES.items()):
        places = [place for place in PLACES if place not in case.unnamed] or PLACES
        code = "euchre" if case.frames or case.watched else list(GAMES)[number % len(GAMES)]
        place = "early" if case.watched else places[(number + number // len(GAMES)) % len(places)]
        chosen.append((what, place, code))
    return chosen


@pytest.mark.parametrize(("what", "place", "code"), _sampled())
def test_a_fault_is_named_rightly_and_no_card_is_lost(
    what: str, place: str, code: str, tmp_path: Path, recogniser: WindowRecogniser
) -> None:
    assert tried(what, place, code, tmp_path, recogniser).wrong == ()


def test_every_kind_of_fault_is_tried() -> None:
    assert {found for case in CASES.values() for found in re.findall(r'kind = "(\w+)"', case.toml)} == set(KINDS)


def test_every_place_and_game_is_in_the_sample() -> None:
    sampled = _sampled()
    assert {what for what, _, _ in sampled} == set(CASES)
    assert {place for _, place, _ in sampled} == set(PLACES)
    assert {code for _, _, code in sampled} == set(GAMES)


@pytest.mark.parametrize("what", CASES)
def test_a_case_names_incidents_or_says_why_there_is_none(what: str) -> None:
    case = CASES[what]
    assert case.named <= set(INCIDENTS)
    assert case.named or set(case.unnamed) == set(PLACES)
    assert set(case.unnamed) <= set(PLACES)
    assert all(case.unnamed.values())
