"""The seats and the order of dealing."""

from __future__ import annotations

import pytest

from controller.table import (
    SINGLY,
    SINGLY_BLIND,
    THREE_TWO,
    TWO_THREE,
    Pattern,
    Seat,
    adversaries_of,
    left_of,
    partner_of,
    pone_of,
    rotation,
    seat_of,
    side_of,
)


def test_the_rotation_is_to_the_left_n_e_s_w() -> None:
    assert rotation(Seat.N) == (Seat.N, Seat.E, Seat.S, Seat.W)
    assert [left_of(seat) for seat in Seat] == [Seat.E, Seat.S, Seat.W, Seat.N]


@pytest.mark.parametrize("dealer", Seat)
def test_the_seats_about_a_dealer(dealer: Seat) -> None:
    assert pone_of(left_of(dealer)) is dealer
    assert partner_of(partner_of(dealer)) is dealer
    assert adversaries_of(dealer) == (left_of(dealer), pone_of(dealer))
    assert set(side_of(dealer)) | set(adversaries_of(dealer)) == set(Seat)


@pytest.mark.parametrize("dealer", Seat)
def test_a_pack_dealt_singly_gives_thirteen_each_and_the_last_to_the_dealer(dealer: Seat) -> None:
    order = SINGLY.order(dealer)
    assert order[:4] == (left_of(dealer), partner_of(dealer), pone_of(dealer), dealer)
    assert [order.count(seat) for seat in Seat] == [13] * 4
    assert order[51] is dealer is seat_of(52, dealer)
    assert (SINGLY.trump, SINGLY.hand) == (52, 13)


@pytest.mark.parametrize(
    ("pattern", "places"),
    [(TWO_THREE, "11223300" + "111222333000"), (THREE_TWO, "111222333000" + "11223300")],
    ids=["2-3", "3-2"],
)
def test_euchre_gives_five_each_in_two_rounds_and_turns_the_twenty_first_up(pattern: Pattern, places: str) -> None:
    assert "".join(map(str, pattern.places)) == places
    assert (pattern.hand, pattern.given, pattern.trump, pattern.trump_is_dealt) == (5, 20, 21, False)
    assert [pattern.stock(pack) for pack in (24, 25, 32, 33)] == [4, 5, 12, 13]
    assert pattern.leave_pack == 21


def test_bridge_turns_nothing_up() -> None:
    assert SINGLY_BLIND.places == SINGLY.places
    assert (SINGLY_BLIND.trump, SINGLY_BLIND.trump_is_dealt, SINGLY_BLIND.stock(52)) == (None, False, 0)


@pytest.mark.parametrize("k", [0, 53])
def test_a_card_that_goes_to_no_hand_is_refused(k: int) -> None:
    with pytest.raises(IndexError, match=f"card {k} goes to no hand"):
        seat_of(k, Seat.N)
