"""In every state of a deal something is waited for, and no longer than that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from controller.patience import CARD_US, PEOPLE_US, SHELVES_US, patience_us
from controller.states import DealMachine, DealState

if TYPE_CHECKING:
    from tests.controller.conftest import HandMaker

S = DealState
GRACE_US = 3_000_000
WAITED = dict.fromkeys(DealState, PEOPLE_US)
WAITED |= dict.fromkeys((S.FEEDING, S.ROUTING, S.HOMING), CARD_US) | {S.SHUFFLING: SHELVES_US}
WAITED |= dict.fromkeys((S.HOLDING, S.CUT), GRACE_US)


@pytest.mark.parametrize("state", list(DealState), ids=lambda state: state.name)
def test_each_state_has_its_patience(state: DealState, by_hand: HandMaker) -> None:
    hand = by_hand()
    hand.open(grace_s=3)
    hand.dealer.machine = DealMachine(state)
    assert patience_us(hand.dealer, people_us=PEOPLE_US) == WAITED[state]


def test_people_who_are_asked_something_have_the_time_of_people(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(4)
    hand.double()
    assert hand.state is S.HOLDING
    assert patience_us(hand.dealer, people_us=7) == 7
