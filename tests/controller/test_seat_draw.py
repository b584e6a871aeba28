"""A cut among players: euchre laws 6 and 7, and rows T0 to T2."""

from __future__ import annotations

import pytest

from controller.laws.table_words import Occasion
from controller.seat_draw import SeatDraw, fault_in
from vision.cards import Card


def card(code: str) -> list[Card]:
    return [Card.parse(part) for part in code.split()]


def draw_all(draw: SeatDraw, **drawn: str) -> tuple[str, ...]:
    """Take these draws in their order, and return whom the last leaves tied."""
    return [draw.drawn(player, card(codes)) for player, codes in drawn.items()][-1]


def test_the_ace_is_low_and_the_king_is_high() -> None:
    draw = SeatDraw(["ann", "bob", "cid", "dot"])
    assert draw_all(draw, ann="KS", bob="7D", cid="AC", dot="TH") == ()
    assert (draw.order(), draw.again()) == (("cid", "bob", "dot", "ann"), ())


def test_only_the_tied_draw_again() -> None:
    draw = SeatDraw(["ann", "bob", "cid", "dot"])
    assert draw_all(draw, ann="7S", bob="7D", cid="AC") == ()
    assert draw_all(draw, dot="KH") == ("ann", "bob")
    assert draw_all(draw, ann="QS", bob="JD") == ()
    assert draw.order() == ("cid", "bob", "ann", "dot")


def test_two_ties_are_broken_one_after_the_other() -> None:
    draw = SeatDraw(["ann", "bob", "cid", "dot"])
    assert draw_all(draw, ann="7S", bob="7D", cid="KC", dot="KH") == ("ann", "bob")
    assert draw_all(draw, ann="8S", bob="9D") == ("cid", "dot")
    assert draw_all(draw, cid="8D", dot="9S") == ()
    assert draw.order() == ("ann", "bob", "cid", "dot")


def test_a_tie_may_tie_again() -> None:
    draw = SeatDraw(["ann", "bob", "cid"])
    assert draw_all(draw, ann="7S", bob="7D", cid="7C") == ("ann", "bob", "cid")
    assert draw_all(draw, ann="2S", bob="9D", cid="9C") == ("bob", "cid")
    assert draw_all(draw, bob="3S", cid="AC") == ()
    assert draw.order() == ("ann", "cid", "bob")


@pytest.mark.parametrize(
    ("drawn", "fault"), [("J1", Occasion.JOKER_CUT), ("2S 3S", Occasion.TWO_CARDS_SHOWN), ("", None)]
)
def test_a_draw_that_does_not_count_is_made_again(drawn: str, fault: Occasion | None) -> None:
    draw = SeatDraw(["ann", "bob"])
    assert fault_in(card(drawn)) is fault
    assert draw_all(draw, ann=drawn, bob="7D") == ()
    assert draw.again() == ("ann",)
    assert draw_all(draw, ann="7S") == ("ann", "bob")
    assert draw_all(draw, ann="AS", bob="2D") == ()
    assert draw.order() == ("ann", "bob")


def test_a_tie_that_decides_nothing_is_left() -> None:
    """Two of four are sought: the sevens are both in, the kings both out."""
    draw = SeatDraw(["ann", "bob", "cid", "dot"], lowest=2)
    assert draw_all(draw, ann="7S", cid="KC", bob="7D", dot="KH") == ()
    assert (draw.again(), draw.order()) == ((), ("ann", "bob", "cid", "dot"))
    draw = SeatDraw(["ann", "bob", "cid", "dot"], lowest=2)
    assert draw_all(draw, ann="7S", cid="KC", bob="KD", dot="KH") == ("bob", "cid", "dot")
    assert draw_all(draw, bob="2S", cid="5C", dot="5H") == ()
    assert draw.order()[:2] == ("ann", "bob")


def test_who_comes_later_may_tie_with_those_who_have_drawn() -> None:
    draw = SeatDraw()
    for player, code, tied in (("ann", "7S", ()), ("bob", "7D", ("ann", "bob")), ("cid", "2S", ())):
        draw.enter(player)
        assert draw_all(draw, **{player: code}) == tied
    assert draw_all(draw, ann="3S") == ()
    draw.enter("dot")
    assert draw_all(draw, dot="7H") == ("bob", "dot")
    assert draw_all(draw, bob="2H", dot="KH") == ()
    assert draw.order() == ("cid", "bob", "ann", "dot")


def test_who_is_not_to_draw_is_refused() -> None:
    draw = SeatDraw(["ann", "bob"])
    draw_all(draw, ann="7S")
    with pytest.raises(ValueError, match="bob must draw, not ann"):
        draw_all(draw, ann="8S")
    draw_all(draw, bob="8S")
    with pytest.raises(ValueError, match="nobody must draw"):
        draw_all(draw, ann="8S")
