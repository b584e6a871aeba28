"""Faces that come to light: what a scenario may say of them, when they are there, and words that the renderer knows."""

from __future__ import annotations

import pytest

from hardware_sims.errors import ScenarioError
from hardware_sims.exposures import PLACES, ExposedCard, ShownFaces, TableFit
from hardware_sims.moments import Moment
from hardware_sims.scenario import parse_scenario
from hardware_sims.table_places import Place
from hardware_sims.table_scene import CLOTHS, Light, Where
from vision.cards import Card

QUEEN = Card.parse("QH")


def exposed(**keys: object) -> ExposedCard:
    return ExposedCard(**{"place": "open", **keys})  # type: ignore[arg-type]  # keys of a test


def test_a_scenario_says_what_comes_to_light_and_what_the_table_is_like() -> None:
    text = """
    [table]
    hands = 2
    light = "warm"
    [[deal]]
    [[deal.exposed]]
    at = 7
    card = "QH"
    place = "open"
    seat = "E"
    [[deal.exposed]]
    phase = "offer"
    card = "next"
    place = "beyond"
    where = "below"
    by = "machine"
    for_ms = 900
    """
    scenario = parse_scenario(text, "f")
    assert scenario.table == TableFit(hands=2, light="warm")
    assert scenario.deals[0].exposed == (
        ExposedCard(at=7, phase=Moment.DONE, card=QUEEN, place="open", seat="E"),
        ExposedCard(phase=Moment.OFFER, place="beyond", where="below", by="machine", for_ms=900),
    )


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ('place = "N"\nseat = "E"', "place N: no seat goes with it"),
        ('place = "beyond"\nwhere = "below"\nseat = "S"', "seat S: the camera sees no floor there"),
        ('place = "open"\nwhere = "below"', "where below, place open"),
        ('place = "beyond"', "where on, place beyond"),
        ('place = "lap"', "place: expected one of N, E,"),
        ('card = "ZZ"\nplace = "open"', "card: expected a card, as in AS, TD or J1, or next"),
        ("at = 3", "place: missing"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(keys: str, reason: str) -> None:
    with pytest.raises(ScenarioError, match=r"deal\[1\]\.exposed\[1\]") as caught:
        parse_scenario(f"[[deal]]\n[[deal.exposed]]\n{keys}", "f")
    assert reason in str(caught.value)


def test_the_words_are_those_of_the_renderer() -> None:
    assert tuple(Place) == PLACES
    for where in Where:
        assert exposed(where=where.value, place="beyond" if where is Where.BELOW else "open").where == where
    for light in Light:
        assert parse_scenario(f'[table]\nlight = "{light}"', "f").table.light == light
    for cloth in CLOTHS:
        assert parse_scenario(f'[table]\ncloth = "{cloth}"', "f").table.cloth == cloth


def test_a_face_is_there_for_its_time() -> None:
    faces, plan = ShownFaces(), (exposed(), exposed(for_ms=10))
    faces.begin_deal(plan)
    assert faces.seen(0) == {}
    faces.show(plan[1], QUEEN, 1_000)
    assert faces.seen(10_999) == {1: QUEEN}
    assert faces.seen(11_000) == {}


def test_of_two_that_are_alike_each_has_its_place() -> None:
    faces, plan = ShownFaces(), (exposed(), exposed())
    faces.begin_deal(plan)
    faces.show(plan[1], QUEEN, 0)
    assert list(faces.seen(1)) == [1]


def test_a_face_of_the_deal_before_comes_no_more() -> None:
    faces, late = ShownFaces(), exposed()
    faces.begin_deal((exposed(),))
    faces.show(late, QUEEN, 0)
    assert faces.seen(1) == {}
