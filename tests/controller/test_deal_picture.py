"""The picture of a deal: every card of the record at its place, the trump card with the dealer, doubts as doubts."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from controller.deal_picture import draw_deal, table_view
from controller.dealing import Outcome
from controller.ending import Ending
from controller.table import Seat
from firmware_bridge.words import Asked, Tray
from vision.cards import Pack
from vision.sighting import State

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker

CARDS = Pack.of(52).cards


def outcome_of(hand: ByHand) -> Outcome:
    notes = hand.dealer.notes
    return Outcome(
        deal=3,
        dealer=notes.dealer,
        ending=notes.ending or Ending(status="voided", next_dealer=notes.dealer),
        cards=notes.fed,
        unread=notes.unread,
        seconds_per_card=0.38,
    )


@pytest.mark.parametrize("dealer", list(Seat))
def test_every_hand_holds_its_thirteen_cards(dealer: Seat, by_hand: HandMaker) -> None:
    hand = by_hand(dealer).begin().deal_to(52)
    view = table_view(hand.lines, outcome_of(hand), footer="pone replay LOG 3")
    around = "NESW" * 2
    first = around.index(dealer.value) + 1
    for place, seat in enumerate(around[first : first + 4]):
        assert sorted(map(str, view.hands[Seat(seat)])) == sorted(map(str, CARDS[place::4]))
    assert view.trump == CARDS[51]
    assert view.trump in view.hands[dealer]
    assert (view.code, view.deal, view.dealer, view.footer) == ("whist", 3, dealer, "pone replay LOG 3")
    assert (view.status, view.rulings, view.rejected) == ("Complete: 52 cards dealt.", (), ())
    assert view.seconds_per_card == 0.38


def test_a_card_that_was_not_read_lies_there_without_a_name(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(4)
    hand.card(State.NOT_SURE)
    hand.deal_to(52)
    view = table_view(hand.lines, outcome_of(hand), footer="")
    assert [len(cards) for cards in view.hands.values()] == [13] * 4
    assert [seat for seat, cards in view.hands.items() if None in cards] == [Seat.W]
    assert CARDS[4] not in [card for cards in view.hands.values() for card in cards]
    assert view.status == "Complete: 52 cards dealt, 1 of them not read."


def test_two_cards_that_came_together_are_not_told_apart(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(16)
    hand.double()
    hand.answer(Asked.MOVE_CARD, Tray.W, Tray.N, 1)
    hand.deal_to(52)
    view = table_view(hand.lines, outcome_of(hand), footer="")
    assert [seat for seat, cards in view.hands.items() if None in cards] == [Seat.N, Seat.W]
    assert [len(cards) for cards in view.hands.values()] == [13] * 4
    (ruling,) = view.rulings
    assert "Whist 37-VI" in ruling


def test_a_card_put_right_is_where_it_belongs(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(2)
    hand.card(tray=Tray.S)
    hand.answer(Asked.MOVE_CARD, Tray.S, Tray.E, 1)
    hand.deal_to(52)
    view = table_view(hand.lines, outcome_of(hand), footer="")
    assert CARDS[2] in view.hands[Seat.E]
    assert [len(cards) for cards in view.hands.values()] == [13] * 4


def test_cards_in_the_reject_tray_are_shown_there(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(6)
    hand.card(State.FACE_NOT_SEEN)
    view = table_view(hand.lines, outcome_of(hand), footer="")
    assert (view.rejected, view.trump) == ((None,), None)
    assert [len(view.hands[Seat(seat)]) for seat in "WNES"] == [2, 2, 1, 1]


def test_a_faced_last_card_is_the_trump_card_in_the_dealers_hand(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.card(State.FACE_NOT_SEEN)
    hand.answer(Asked.NAME_CARD, 51)
    view = table_view(hand.lines, outcome_of(hand), footer="")
    assert view.trump == CARDS[51]
    assert sorted(map(str, view.hands[Seat.S])) == sorted(map(str, CARDS[3::4]))


@pytest.mark.parametrize("why", ["simulated", "seeded"])
def test_a_deal_that_is_not_for_play_says_so(why: str, by_hand: HandMaker) -> None:
    hand = by_hand()
    machine: dict[str, object] = {"fact": "machine", "serial": "S", "firmware": "0", "host": "pone 1"}
    machine |= {"capabilities": [], "config": {}, "simulated": False, "seeded": False}
    hand.open(machine | {why: True})
    hand.load()
    hand.cut()
    hand.deal_to(52)
    view = table_view(hand.lines, outcome_of(hand), footer="")
    assert view.status == "Complete: 52 cards dealt. Not for play."


def test_only_its_owner_may_see_the_hands(by_hand: HandMaker, tmp_path: Path) -> None:
    hand = by_hand().begin().deal_to(52)
    file = tmp_path / "deal.png"
    draw_deal(hand.lines, outcome_of(hand), footer="", to=file)
    assert file.stat().st_mode & 0o077 == 0


def test_the_picture_is_a_png_in_a_folder_that_is_made(by_hand: HandMaker, tmp_path: Path) -> None:
    hand = by_hand().begin().deal_to(52)
    file = tmp_path / "new" / "folder" / "deal.picture"
    draw_deal(hand.lines, outcome_of(hand), footer="pone replay LOG 3", to=file)
    with Image.open(file) as picture:
        assert (picture.format, picture.width) == ("PNG", 1600)


def test_a_place_that_cannot_be_written_is_an_error_of_the_system(by_hand: HandMaker, tmp_path: Path) -> None:
    hand = by_hand().begin().deal_to(52)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=re.escape(os.fspath(tmp_path))):
        draw_deal(hand.lines, outcome_of(hand), footer="", to=tmp_path / "file" / "table.png")


def test_only_another_picture_is_overwritten_and_becomes_the_owners_alone(by_hand: HandMaker, tmp_path: Path) -> None:
    hand = by_hand().begin().deal_to(52)
    picture, letter = tmp_path / "table.png", tmp_path / "letter"
    Image.new("RGB", (4, 3)).save(picture)
    picture.chmod(0o644)
    letter.write_text("Dear partner")
    draw_deal(hand.lines, outcome_of(hand), footer="", to=picture)
    assert picture.stat().st_mode & 0o777 == 0o600
    with Image.open(picture) as drawn:
        assert drawn.size != (4, 3)
    with pytest.raises(FileExistsError, match="holds something else"):
        draw_deal(hand.lines, outcome_of(hand), footer="", to=letter)
    assert letter.read_text() == "Dear partner"
