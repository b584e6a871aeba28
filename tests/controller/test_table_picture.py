"""The picture of the table: every card that is known is there, none that is not, and all words fit."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from controller.card_tiles import GOLD, PAPER, RED, UNKNOWN, Colour, card_tile
from controller.table import Seat, seat_of
from controller.table_picture import WIDTH, TableView, draw_table, sorted_hand
from vision.cards import Card, Pack


def view(
    hands: dict[Seat, tuple[Card | None, ...]],
    *,
    trump: Card | None = None,
    rejected: tuple[Card | None, ...] = (),
    rulings: tuple[str, ...] = (),
) -> TableView:
    return TableView(
        code="whist",
        deal=2,
        dealer=Seat.S,
        hands=hands,
        trump=trump,
        rejected=rejected,
        status="The deal stands.",
        rulings=rulings,
        seconds_per_card=0.41,
        footer="pone replay deals.log",
    )


def dealt() -> dict[Seat, tuple[Card | None, ...]]:
    hands: dict[Seat, list[Card | None]] = {seat: [] for seat in Seat}
    for k, card in enumerate(Pack.of(52).cards, start=1):
        hands[seat_of(k, Seat.S)].append(card)
    return {seat: tuple(cards) for seat, cards in hands.items()}


def count(picture: Image.Image, colour: Colour, *, box: tuple[int, int, int, int] = (0, 300, WIDTH, 1020)) -> int:
    """Count pixels of about one colour; the legend's samples, top left, lie outside the default box."""
    return int((np.abs(np.asarray(picture.crop(box)).astype(int) - colour).max(axis=2) < 8).sum())


def test_the_picture_is_1600_by_1200() -> None:
    picture = draw_table(view(dealt()))
    assert picture.size == (1600, 1200)
    assert picture.mode == "RGB"


def test_a_card_that_is_not_known_shows_no_face() -> None:
    unknown: dict[Seat, tuple[Card | None, ...]] = dict.fromkeys(Seat, (None,) * 13)
    picture = draw_table(view(unknown))
    assert count(picture, PAPER) == 0
    assert count(picture, RED) == 0
    assert count(picture, UNKNOWN) > 50_000


def test_known_cards_show_faces_and_no_backs() -> None:
    picture = draw_table(view(dealt()))
    assert count(picture, PAPER) > 100_000
    assert count(picture, RED) > 5_000
    assert count(picture, UNKNOWN) == 0


def test_a_card_in_the_middle_of_a_fan_shows_its_index() -> None:
    """North's eight of hearts becomes a nine: its neighbours hide all but its index."""
    hands = dealt()
    north = hands[Seat.N]
    other = tuple(Card.parse("9H") if card == Card.parse("8H") else card for card in north)
    assert other != north
    before, after = (np.asarray(draw_table(view({**hands, Seat.N: hand}))).astype(int) for hand in (north, other))
    rows, columns = np.nonzero(np.abs(after - before).max(axis=2) > 60)
    assert len(rows) > 80
    # Indices stand in the upper half of a card, a card's middle at 208.
    assert rows.max() < 208
    assert columns.max() - columns.min() < 40


def test_the_trump_card_is_outlined_in_gold_on_its_spot_and_in_the_dealers_hand() -> None:
    hands = dealt()
    trump = hands[Seat.S][-1]
    with_trump, without = draw_table(view(hands, trump=trump)), draw_table(view(hands))
    spot, dealers_hand = (700, 400, 900, 680), (400, 740, 1200, 950)
    assert count(without, GOLD, box=spot) == 0
    assert count(with_trump, GOLD, box=spot) > 1_000
    assert count(with_trump, GOLD, box=dealers_hand) > count(without, GOLD, box=dealers_hand) + 500
    assert count(with_trump, GOLD, box=(0, 300, 700, 700)) == 0


def test_the_reject_tray_is_drawn_only_if_a_card_lies_in_it() -> None:
    corner = (1250, 80, WIDTH, 300)
    assert count(draw_table(view(dealt())), PAPER, box=corner) == 0
    assert count(draw_table(view(dealt(), rejected=(Card.parse("7C"),))), PAPER, box=corner) > 5_000


def test_the_picture_grows_with_its_rulings() -> None:
    short, long = (draw_table(view(dealt(), rulings=("The dealer deals again. " * words,))) for words in (1, 60))
    assert long.height > short.height == 1200
    assert long.width == short.width


def test_words_never_run_out_of_the_picture() -> None:
    from dataclasses import replace

    long = replace(view(dealt()), status="The deal is void. " * 20, footer="pone replay " + "/a/very/long/folder" * 20)
    picture = draw_table(long)
    below = np.asarray(picture).astype(int)[1040:]
    assert np.ptp(below[:, WIDTH - 35 :], axis=(0, 1)).max() == 0
    assert np.ptp(below[-15:], axis=(0, 1)).max() == 0


def test_the_same_view_gives_the_same_picture() -> None:
    assert draw_table(view(dealt())).tobytes() == draw_table(view(dealt())).tobytes()


@pytest.mark.parametrize("cards", [0, 1, 20])
def test_a_hand_may_have_any_number_of_cards(cards: int) -> None:
    hand = Pack.of(52).cards[:cards]
    assert draw_table(view({Seat.E: hand})).size == (1600, 1200)


def test_a_hand_is_sorted_by_suit_and_unknown_cards_come_last() -> None:
    hand = (None, Card.parse("J1"), Card.parse("2S"), Card.parse("AD"), Card.parse("TS"), Card.parse("KC"))
    assert [str(card) for card in sorted_hand(hand)] == ["TS", "2S", "KC", "AD", "J1", "None"]


def test_all_tiles_differ() -> None:
    tiles = {card_tile(card).tobytes() for card in (*Pack.of(52).cards, Card.parse("J1"), None)}
    assert len(tiles) == 54
