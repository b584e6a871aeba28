"""A sighting names a card if and only if it saw one."""

from __future__ import annotations

import re
from typing import cast

import pytest

from vision.cards import Card, Pack
from vision.sighting import Reason, Sighting, State


def test_only_a_card_is_accepted() -> None:
    assert Sighting(state=State.CARD, card=Card.parse("9D")).accepted
    for state in State:
        if state is not State.CARD:
            assert not Sighting(state=state, reason=Reason.BLURRED).accepted


def test_a_card_without_its_name_is_refused() -> None:
    with pytest.raises(ValueError, match="if and only if"):
        Sighting(state=State.CARD)


@pytest.mark.parametrize("state", [state for state in State if state is not State.CARD])
def test_a_doubt_cannot_name_a_card(state: State) -> None:
    with pytest.raises(ValueError, match="if and only if"):
        Sighting(state=state, card=Card.parse("9D"))


@pytest.mark.parametrize("text", ["7C or 7S", "the picture is blurred", ""])
def test_a_reason_in_words_of_its_own_is_refused(text: str) -> None:
    """What people hear while the deal is open is a closed set, so that no eye can let a card slip out."""
    with pytest.raises(TypeError, match="one of Reason"):
        Sighting(state=State.NOT_SURE, reason=cast("Reason", text))


def test_a_card_read_without_doubt_has_no_reason() -> None:
    with pytest.raises(ValueError, match="needs no reason"):
        Sighting(state=State.CARD, card=Card.parse("9D"), reason=Reason.BLURRED)


NAMES = {word for card in Pack.of(52).cards for word in card.name.lower().split() if word not in ("the", "of")}
NAMES |= {"club", "diamond", "heart", "spade", "red", "black", "face", "court", "pip", "rank", "suit", "joker"}
"""The words that tell a card, or narrow it down."""


@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.name)
def test_no_reason_names_or_measures_a_card(reason: Reason) -> None:
    words = re.findall(r"[a-z]+", reason.lower())
    counting = {"two", "one"}  # cards, corners and sides are counted; no card is meant
    assert not NAMES.difference(counting).intersection(words)
    assert not re.search(r"[0-9]|\b[AKQJT][CDHS]\b", reason)


def test_the_states_have_the_names_the_record_uses() -> None:
    assert {state.value for state in State} == {"card", "face_not_seen", "empty", "partial", "two_cards", "not_sure"}
