"""A sighting names a card if and only if it saw one."""

from __future__ import annotations

import pytest

from vision.cards import Card
from vision.sighting import Sighting, State


def test_only_a_card_is_accepted() -> None:
    assert Sighting(state=State.CARD, card=Card.parse("9D")).accepted
    for state in State:
        if state is not State.CARD:
            assert not Sighting(state=state, reason="told in a test").accepted


def test_a_card_without_its_name_is_refused() -> None:
    with pytest.raises(ValueError, match="if and only if"):
        Sighting(state=State.CARD)


@pytest.mark.parametrize("state", [state for state in State if state is not State.CARD])
def test_a_doubt_cannot_name_a_card(state: State) -> None:
    with pytest.raises(ValueError, match="if and only if"):
        Sighting(state=state, card=Card.parse("9D"))


def test_the_states_have_the_names_the_record_uses() -> None:
    assert {state.value for state in State} == {"card", "face_not_seen", "empty", "partial", "two_cards", "not_sure"}
