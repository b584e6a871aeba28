"""A cut for seats: euchre law 7 and rows T0 to T2."""

from __future__ import annotations

import pytest

from controller.seat_draw import SeatDraw, Standing
from vision.cards import Card


def cards(**drawn: str) -> dict[str, list[Card]]:
    return {player: [Card.parse(code) for code in codes.split()] for player, codes in drawn.items()}


def test_the_ace_is_low_and_the_king_is_high() -> None:
    draw = SeatDraw(["ann", "bob", "cid", "dot"])
    standing = draw.drawn(cards(ann="KS", bob="7D", cid="AC", dot="TH"))
    assert standing == Standing((("cid",), ("bob",), ("dot",), ("ann",)), ())


def test_only_the_tied_draw_again() -> None:
    draw = SeatDraw(["ann", "bob", "cid", "dot"])
    standing = draw.drawn(cards(ann="7S", bob="7D", cid="AC", dot="KH"))
    assert standing == Standing((("cid",), ("ann", "bob"), ("dot",)), ("ann", "bob"))
    assert draw.drawn(cards(ann="QS", bob="JD")).groups == (("cid",), ("bob",), ("ann",), ("dot",))


def test_two_ties_are_broken_one_after_the_other() -> None:
    draw = SeatDraw(["ann", "bob", "cid", "dot"])
    assert draw.drawn(cards(ann="7S", bob="7D", cid="KC", dot="KH")).again == ("ann", "bob")
    assert draw.drawn(cards(ann="8S", bob="9D")).again == ("cid", "dot")
    assert draw.drawn(cards(cid="8D", dot="9S")) == Standing((("ann",), ("bob",), ("cid",), ("dot",)), ())


@pytest.mark.parametrize("drawn", ["J1", "2S 3S"])
def test_who_draws_the_joker_or_shows_two_cards_draws_again_alone(drawn: str) -> None:
    draw = SeatDraw(["ann", "bob"])
    assert draw.drawn(cards(ann=drawn, bob="7D")).again == ("ann",)
    assert draw.drawn(cards(ann="7S")).again == ("ann", "bob")
    assert draw.drawn(cards(ann="AS", bob="2D")).groups == (("ann",), ("bob",))


def test_who_is_not_to_draw_is_refused() -> None:
    draw = SeatDraw(["ann", "bob"])
    with pytest.raises(ValueError, match="ann, bob must draw"):
        draw.drawn(cards(ann="7S"))


@pytest.mark.parametrize("players", [["ann"], ["ann", "ann"], []])
def test_a_cut_needs_two_players(players: list[str]) -> None:
    with pytest.raises(ValueError, match="two players"):
        SeatDraw(players)
