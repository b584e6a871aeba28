"""The known-order test: each kind of mistake is laid at the right door."""

from __future__ import annotations

import pytest

from controller.known_order import Culprit, Mistake, mistake_in
from firmware_bridge.words import Tray
from vision.cards import Card, Pack
from vision.sighting import Reason, Sighting, State

ORDER = Pack.of(52).cards


def seen(code: str) -> Sighting:
    return Sighting(state=State.CARD, card=Card.parse(code), confidence=0.99)


def mistake(k: int, sighting: Sighting, *, doubled: bool = False, arrived: Tray | None = Tray.N) -> Mistake | None:
    return mistake_in(ORDER, k, sighting, doubled=doubled, sent=Tray.N, arrived=arrived)


def test_the_right_card_in_the_right_tray_is_no_mistake() -> None:
    assert all(mistake(k, seen(str(card))) is None for k, card in enumerate(ORDER, start=1))


@pytest.mark.parametrize(
    ("sighting", "culprit"),
    [
        (Sighting(state=State.EMPTY), Culprit.TRIGGER),
        (Sighting(state=State.PARTIAL), Culprit.TRIGGER),
        (Sighting(state=State.TWO_CARDS), Culprit.FEED),
        (Sighting(state=State.FACE_NOT_SEEN), Culprit.PACK),
        (Sighting(state=State.NOT_SURE, reason=Reason.BLURRED), Culprit.EYE),
    ],
)
def test_what_was_seen_instead_of_a_card_names_the_culprit(sighting: Sighting, culprit: Culprit) -> None:
    found = mistake(5, sighting)
    assert found is not None
    assert found.culprit is culprit


def test_the_card_before_is_a_picture_taken_too_late_and_the_card_after_one_passed_over() -> None:
    before, after = mistake(5, seen(str(ORDER[3]))), mistake(5, seen(str(ORDER[5])))
    assert before is not None
    assert before.culprit is Culprit.TRIGGER
    assert after is not None
    assert after.culprit is Culprit.FEED


def test_any_other_card_is_rather_the_orders_mistake_than_the_eyes() -> None:
    found = mistake(1, seen(str(ORDER[40])))
    assert found is not None
    assert (found.culprit, found.rather) == (Culprit.EYE, Culprit.ORDER)
    assert found.sentence == (
        f"Card 1: it should be the {ORDER[0].name}, and was read as the {ORDER[40].name}. "
        "It is the order of the pack, or the eye erred."
    )
    assert found.next_step.index("Lay the pack in the stated order") < found.next_step.index("Clean the window")


def test_an_eye_that_is_unsure_has_erred_itself() -> None:
    found = mistake(1, Sighting(state=State.NOT_SURE, reason=Reason.BLURRED))
    assert found is not None
    assert found.rather is None
    assert found.sentence == f"Card 1: the eye erred; it was not read: {Reason.BLURRED}."
    assert "order" not in found.next_step


def test_two_cards_felt_rule_over_what_was_seen() -> None:
    found = mistake(1, seen(str(ORDER[0])), doubled=True)
    assert found is not None
    assert found.culprit is Culprit.FEED


@pytest.mark.parametrize("arrived", [None, Tray.E])
def test_the_right_card_elsewhere_is_the_routes_mistake(arrived: Tray | None) -> None:
    found = mistake(52, seen(str(ORDER[51])), arrived=arrived)
    assert found is not None
    assert found.culprit is Culprit.ROUTE


@pytest.mark.parametrize("k", [0, 53])
def test_a_card_that_the_order_does_not_have_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="1 to 52"):
        mistake(k, seen("AS"))
