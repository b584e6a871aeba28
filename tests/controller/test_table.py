"""The seats and the order of dealing."""

from __future__ import annotations

import pytest

from controller.table import (
    SINGLY,
    Seat,
    adversaries_of,
    left_of,
    partner_of,
    pattern,
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


def test_packets_of_two_and_three_as_in_euchre() -> None:
    two_three = pattern(2, 2, 2, 2, 3, 3, 3, 3, trump=21)
    assert two_three.hand == 5
    assert "".join(map(str, two_three.places)) == "11223300" + "111222333000"


@pytest.mark.parametrize("k", [0, 53])
def test_a_card_that_goes_to_no_hand_is_refused(k: int) -> None:
    with pytest.raises(IndexError, match=f"card {k} goes to no hand"):
        seat_of(k, Seat.N)
