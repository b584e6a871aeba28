"""Every shipped scenario comes out as its file says, from physics to record; the record is the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardware_sims.scenario import load_scenario, shipped_scenarios
from vision.cards import Card, Pack
from vision.table import shipped_table_reader

FRAME_FAULTS = {"late_frames", "repeated_frame", "frozen_frames", "camera_gone", "stray_light"}


@pytest.mark.parametrize("name", sorted(shipped_scenarios()))
def test_scenario(name: str, play: Callable[..., Any], held: Callable[..., Any]) -> None:
    scenario = load_scenario(name)
    frames = any(fault.kind in FRAME_FAULTS for plan in scenario.deals for fault in plan.faults)
    watched = shipped_table_reader() if any(plan.exposed for plan in scenario.deals) else None
    played = play(name, tries=max(len(scenario.deals), 1), frames=frames, table_reader=watched)
    for number, plan in enumerate(scenario.deals):
        outcome, lines, truth = played.outcomes[number], played.lines[number], played.truths[number]
        expected = plan.expect
        if expected.status:
            assert outcome.ending.status == expected.status
        if expected.ruling:
            rulings = [(line["ruling"], line.get("law", "")) for line in lines if "ruling" in line]
            assert (expected.ruling, expected.law) in rulings
        if expected.fault:
            assert expected.fault in [line["code"] for line in lines if line.get("fact") == "machine_fault"]
        assert not held(lines, truth).differ


def test_the_show_is_four_hands_with_a_cure_and_a_new_deal(play: Callable[..., Any]) -> None:
    played = play("show", tries=5)
    assert [outcome.ending.status for outcome in played.outcomes] == [
        "completed",
        "completed",
        "new_deal",
        "completed",
        "completed",
    ]
    assert [outcome.dealer.value for outcome in played.outcomes] == ["S", "W", "N", "N", "E"]
    laws = [line["law"] for lines in played.lines for line in lines if "ruling" in line]
    assert laws == ["whist 37-VI", "whist 29-II"]


_STUCK = '[[deal.fault]]\nkind = "sensor_stuck"\nsensor = "hopper"\nlevel = 1\nat = 9\n'


@pytest.mark.parametrize(
    ("extra", "fault", "named", "status"),
    [
        (["J1"], "", ["hopper_not_empty", "extra_card"], "new_deal"),
        ([], _STUCK, ["hopper_not_empty", "hopper_sensor"], "completed"),
    ],
    ids=["a joker is left", "the sensor sticks"],
)
def test_a_card_too_many_is_told_from_a_sensor_that_sticks(
    extra: list[str], fault: str, named: list[str], status: str, play: Callable[..., Any]
) -> None:
    """People count the pack, and only that proves it incorrect; the joker lies so that the cut brings it to the end."""
    plain = [str(card) for card in Pack.of(52).cards]
    order = [*plain[:26], *extra, *plain[26:]]
    played = play(f'[machine]\nlacks = ["shelves"]\n[[deal]]\norder = {order}\ncut = 26\n{fault}')
    (outcome,), (lines,) = played.outcomes, played.lines
    assert [line["code"] for line in lines if line.get("fact") == "machine_fault"] == named
    assert [line["value"] for line in lines if line.get("decides") == "cards"] == [len(order)]
    assert outcome.ending.status == status


def test_two_runs_with_one_seed_give_byte_identical_records(play: Callable[..., Any]) -> None:
    first, second, other = play("show", tries=5), play("show", tries=5), play("show", tries=5, seed=8)
    assert first.leaves == second.leaves
    assert first.leaves != other.leaves


def test_nobody_is_told_a_face_while_the_deal_is_open(play: Callable[..., Any]) -> None:
    from controller.narration import sentence

    played = play("show", tries=5)
    names = [Card.parse(rank + suit).name for suit in "CDHS" for rank in "A23456789TJQK"]
    face_up = [sentence(line) for line in played.told if line.get("fact") == "turned"]
    for line in played.told:
        said = sentence(line)
        assert said in face_up or not any(name in said for name in names)


def test_an_unread_joker_is_turned_up_as_people_name_it(play: Callable[..., Any]) -> None:
    """Euchre with 33 cards: the joker lies so that the cut brings it to the turn-up."""
    plain = [str(card) for card in Pack.of(33).cards if not card.is_joker]
    order = [*plain[:7], "J1", *plain[7:]]
    table = f'order = {order}\ncut = 13\n[[deal.fault]]\nkind = "eye_doubt"\nat = 21\n'
    played = play(f'[machine]\nlacks = ["shelves"]\n[[deal]]\n{table}', code="euchre", pack=33)
    (outcome,), (lines,) = played.outcomes, played.lines
    assert outcome.ending.status == "completed"
    assert [line["card"] for line in lines if line.get("fact") == "turned"] == ["J1"]
