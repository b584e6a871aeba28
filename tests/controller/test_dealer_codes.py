"""The dealer under each code: its pattern, the card turned up, the stock, and how its own laws rule on the machine."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from controller.acts import AskPeople, RouteCard
from controller.deal_notes import DealNotes
from controller.replay import ledger, replay
from controller.states import DealState
from controller.table import Seat
from firmware_bridge.words import Asked, Capability, Tray
from tests.controller.conftest import BY_HAND
from vision.cards import Card, Pack
from vision.sighting import State

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker

TWO_THREE = "WWNNEESSWWWNNNEEESSS"
THREE_TWO = "WWWNNNEEESSSWWNNEESS"
"""Laws, section 0: who gets cards 1 to 20 of euchre where South deals."""

EUCHRE = [(pack, pattern) for pack, pattern in product((24, 25, 32, 33), ("2-3", "3-2"))]


def trays(hand: ByHand) -> list[str]:
    """Where each card lies by its `routed` facts."""
    return [line["to"] for line in hand.facts("routed")]


def restored(hand: ByHand) -> DealNotes:
    """The notes had back from the record."""
    notes = DealNotes(dealer=hand.dealer.notes.dealer)
    notes.restore(hand.lines)
    return notes


@pytest.mark.parametrize(("pack", "pattern"), EUCHRE)
def test_euchre_gives_five_to_each_turns_the_next_and_sends_the_rest_to_the_stock(
    pack: int, pattern: str, by_hand: HandMaker
) -> None:
    hand = by_hand().begin(code="euchre", pack=pack, pattern=pattern).deal_to(pack)
    order = TWO_THREE if pattern == "2-3" else THREE_TWO
    assert "".join(line["to"] for line in hand.facts("dealt")) == order
    assert trays(hand)[20:] == ["trump", *["stock"] * (pack - 21)]
    assert hand.facts("turned") == [{"fact": "turned", "to": "S", "card": str(Pack.of(pack).cards[20])}]
    assert hand.lines[-1] == {"fact": "deal_completed"}
    assert (hand.rulings, hand.faults(), hand.state) == ([], [], DealState.ENDED)
    assert [line["k"] for line in hand.facts("seen")] == list(range(1, pack + 1)), "each is seen, the stock too"
    assert replay(hand.lines) == ()
    found = ledger(hand.lines)
    assert {place: len(found.at(place)) for place in ("N", "E", "S", "W", "trump", "stock")} == {
        "N": 5, "E": 5, "S": 5, "W": 5, "trump": 1, "stock": pack - 21,
    }  # fmt: skip
    assert [placed.card for placed in found.cards] == list(Pack.of(pack).cards)


@pytest.mark.parametrize("code", ["bridge", "auction"])
def test_bridge_and_auction_are_complete_with_the_last_card_down(code: str, by_hand: HandMaker) -> None:
    hand = by_hand().begin(code=code).deal_to(52)
    assert trays(hand) == list("WNES" * 13)
    assert (hand.facts("turned"), hand.lines[-1]) == ([], {"fact": "deal_completed"})
    assert (hand.rulings, hand.state) == ([], DealState.ENDED)
    assert replay(hand.lines) == ()


@pytest.mark.parametrize(
    ("code", "k", "law", "status", "dealer"),
    [
        ("whist", 17, "whist 29-II", "new_deal", "S"),
        ("euchre", 9, "euchre 11a", "new_deal", "S"),
        ("euchre", 25, "euchre 11a", "new_deal", "S"),
        ("bridge", 52, "bridge N1c", "new_deal", "S"),
        ("auction", 52, "auction 37c", "new_deal", "S"),
    ],
)
def test_a_faced_card_is_ruled_by_the_codes_own_law(
    code: str, k: int, law: str, status: str, dealer: str, by_hand: HandMaker
) -> None:
    """S20, S22, S23; bridge and auction have no exception for the last card."""
    hand = by_hand().begin(code=code).deal_to(k - 1)
    hand.show()
    step = hand.see(State.FACE_NOT_SEEN)
    assert step.intents == (RouteCard(command_id=100 + k, k=k, tray=Tray.REJECT),)
    hand.deliver()
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.law, ending.status, ending.next_dealer.value) == (law, status, dealer)
    assert restored(hand).ending == ending


def test_a_faced_trump_card_is_no_fault_in_euchre_and_lies_face_up_unturned(by_hand: HandMaker) -> None:
    """S22: card 21 face up is lawful. On the trump spot it would be turned face down."""
    hand = by_hand().begin(code="euchre", pattern="2-3").deal_to(20)
    hand.card(State.FACE_NOT_SEEN)
    assert hand.rulings == []
    assert hand.step.acts == (AskPeople(asked=Asked.NAME_CARD, a=Tray.S),)
    pack = Pack.of(32).cards
    hand.answer(Asked.NAME_CARD, Pack.of(52).cards.index(pack[20]))
    assert hand.facts("turned") == [{"fact": "turned", "to": "S", "card": str(pack[20])}]
    hand.deal_to(32)
    assert (hand.rulings, hand.state) == ([], DealState.ENDED)


def test_the_joker_follows_the_52_cards_where_people_name_it(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="euchre", pack=33, pattern="2-3").deal_to(20)
    hand.card(State.NOT_SURE)
    hand.answer(Asked.NAME_CARD, 52)
    assert hand.facts("turned")[0]["card"] == "J1"


@pytest.mark.parametrize(
    ("code", "k", "law"),
    [("whist", 17, "whist 37-VI"), ("bridge", 17, "bridge N1e"), ("auction", 51, "auction 37e")],
)
def test_two_cards_together_are_put_right_under_the_codes_own_law(
    code: str, k: int, law: str, by_hand: HandMaker
) -> None:
    hand = by_hand().begin(code=code).deal_to(k - 1)
    hand.double()
    assert hand.rulings == [("correct_first", law)]
    first, second = "WNES"[(k - 1) % 4], "WNES"[k % 4]
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray[first], b=Tray[second]),)
    hand.answer(Asked.MOVE_CARD, c=1)
    hand.deal_to(52)
    assert hand.lines[-1] == {"fact": "deal_completed"}
    assert replay(hand.lines) == ()


def test_two_cards_together_that_both_belong_to_one_hand_are_no_fault_in_euchre(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="euchre", pattern="2-3")
    hand.double()
    assert (hand.rulings, hand.state, hand.fed().k) == ([], DealState.FEEDING, 3)
    assert hand.dealer.notes.fed == 2


def test_two_cards_of_different_hands_are_put_right_in_euchre(by_hand: HandMaker) -> None:
    """E14e: put right before another card is dealt."""
    hand = by_hand().begin(code="euchre", pattern="2-3").deal_to(1)
    hand.double()
    assert hand.rulings == [("correct_first", "euchre 14e")]
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray.W, b=Tray.N),)
    hand.answer(Asked.MOVE_CARD, c=1)
    assert hand.fed().k == 4


@pytest.mark.parametrize("at", [20, 21])
def test_two_cards_that_take_the_trump_card_with_them_void_the_deal(at: int, by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="euchre", pattern="2-3").deal_to(at - 1)
    hand.double()
    assert (hand.faults(), hand.state) == ([("double_feed_at_end", at)], DealState.ENDED)


def test_two_cards_of_the_stock_fall_on_it_together(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="euchre", pattern="2-3").deal_to(23)
    hand.double()
    assert (hand.state, hand.fed().k, hand.dealer.notes.fed) == (DealState.FEEDING, 26, 25)
    hand.deal_to(32)
    assert hand.state is DealState.ENDED
    assert [placed.place for placed in ledger(hand.lines).cards][23:25] == ["stock", "stock"]
    assert [placed.card for placed in ledger(hand.lines).cards][23:25] == [None, None]
    assert restored(hand).fed == 32


@pytest.mark.parametrize(("code", "law"), [("bridge", "bridge N1g"), ("auction", "auction 37g")])
def test_a_last_card_that_misses_the_dealer_is_ruled_by_the_code(code: str, law: str, by_hand: HandMaker) -> None:
    hand = by_hand().begin(code=code).deal_to(51)
    hand.card(tray=Tray.N)
    assert hand.faults() == [("wrong_seat", 52)]
    assert hand.rulings == [("new_deal", law)]


@pytest.mark.parametrize(("k", "stray"), [(2, Tray.E), (17, Tray.N), (52, Tray.W)])
def test_where_the_order_of_dealing_is_free_a_stray_card_is_moved_all_the_same(
    k: int, stray: Tray, by_hand: HandMaker
) -> None:
    """Duplicate 6B and 13A: no card is out of its turn, but each hand must have thirteen once the last one lies."""
    hand = by_hand().begin(code="duplicate").deal_to(k - 1)
    right = hand.dealer.tray_of(k)
    hand.card(tray=stray)
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=stray, b=right),)
    assert restored(hand).wanted is Asked.MOVE_CARD
    hand.answer(Asked.MOVE_CARD, c=1)
    hand.deal_to(52)
    said = [("correct_first", "duplicate 13A")] if k == 52 else []
    assert (hand.rulings, hand.state, hand.lines[-1]) == (said, DealState.ENDED, {"fact": "deal_completed"})
    found = ledger(hand.lines)
    assert [placed.place for placed in found.cards] == list("WNES" * 13)


def test_a_stray_card_that_nobody_moves_voids_the_deal(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="duplicate").deal_to(1)
    hand.card(tray=Tray.E)
    hand.answer(Asked.MOVE_CARD)
    assert hand.faults() == [("wrong_seat", 2), ("not_put_right", 2)]
    assert hand.state is DealState.ENDED


def test_a_stock_card_that_falls_to_a_player_voids_the_deal(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="euchre", pattern="3-2").deal_to(24)
    hand.card(tray=Tray.E)
    assert (hand.faults(), hand.state) == ([("wrong_tray", 25)], DealState.ENDED)


@pytest.mark.parametrize("code", ["whist", "euchre", "bridge", "auction"])
def test_a_card_left_in_the_hopper_proves_the_pack_incorrect(code: str, by_hand: HandMaker) -> None:
    hand = by_hand().begin(code=code)
    last = hand.dealer.last_card
    hand.deal_to(last - 1)
    hand.show()
    hand.see()
    hand.deliver_last(card_left=True)
    assert hand.faults() == [("hopper_not_empty", last)]
    assert (hand.state, hand.step.acts) == (DealState.HOLDING, (AskPeople(asked=Asked.COUNT_PACK),))
    hand.answer(Asked.COUNT_PACK, last + 1)
    assert hand.faults()[1:] == [("extra_card", last)]
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "incorrect"}]
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, hand.state) == ("new_deal", Seat.S, DealState.ENDED)


@pytest.mark.parametrize("code", ["whist", "euchre", "bridge", "auction"])
def test_a_hopper_that_only_looks_full_ends_no_deal(code: str, by_hand: HandMaker) -> None:
    hand = by_hand().begin(code=code)
    last = hand.dealer.last_card
    hand.deal_to(last - 1)
    hand.show()
    hand.see()
    hand.deliver_last(card_left=True)
    hand.answer(Asked.COUNT_PACK, last)
    assert hand.faults() == [("hopper_not_empty", last), ("hopper_sensor", last)]
    assert (hand.facts("pack_proved"), hand.rulings) == ([], [])
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, hand.state) == ("completed", Seat.W, DealState.ENDED)


def test_a_count_behind_the_last_card_that_is_short_proves_the_pack_imperfect(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.show()
    hand.see()
    hand.deliver_last(card_left=True)
    hand.answer(Asked.COUNT_PACK, 51)
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect"}]
    assert (hand.rulings, hand.state) == ([("new_deal", "whist 29-I")], DealState.ENDED)


@pytest.mark.parametrize("code", ["euchre", "auction"])
def test_a_second_card_of_a_kind_is_a_new_deal_in_every_code(code: str, by_hand: HandMaker) -> None:
    hand = by_hand().begin(code=code).deal_to(10)
    hand.card(Card.parse(str(hand.cards[3])))
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer) == ("new_deal", Seat.S)


# --- a machine that lacks something ---


def test_without_a_trump_spot_people_turn_the_last_card_and_name_it(by_hand: HandMaker) -> None:
    hand = by_hand(able=BY_HAND & ~Capability.TRUMP_SPOT).begin().deal_to(52)
    assert trays(hand)[-1] == "S"
    assert hand.step.acts == (AskPeople(asked=Asked.NAME_CARD, a=Tray.S),)
    assert hand.facts("turned") == []
    hand.answer(Asked.NAME_CARD, 51)
    assert hand.facts("turned") == [{"fact": "turned", "to": "S", "card": str(hand.cards[51])}]
    assert hand.lines[-1] == {"fact": "deal_completed"}


def test_without_a_stock_tray_euchre_is_complete_with_the_trump_card(by_hand: HandMaker) -> None:
    hand = by_hand(able=BY_HAND & ~Capability.STOCK_TRAY).begin(code="euchre", pattern="2-3").deal_to(21)
    assert (hand.state, hand.lines[-1]) == (DealState.ENDED, {"fact": "deal_completed"})
    assert len(ledger(hand.lines).at("hopper")) == 11


def test_where_nobody_weighs_the_packets_no_cut_is_on_record(by_hand: HandMaker) -> None:
    hand = by_hand(able=BY_HAND & ~Capability.CUT_TRAY)
    hand.open()
    hand.load()
    assert hand.step.acts == (AskPeople(asked=Asked.CUT),), "people are asked to cut all the same"
    hand.cut(0, 0)
    assert (hand.facts("cut"), hand.state, hand.fed().k) == ([], DealState.FEEDING, 1)
