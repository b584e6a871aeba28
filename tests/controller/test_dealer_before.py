"""The dealer before the first card: the blind shuffle in two passes, and the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from controller import shuffle
from controller.acts import AskPeople, Draw, FeedCard, ShelvePack, Step
from controller.deal_notes import CUTS_MAX, DRAWS_MAX
from controller.states import DealState
from controller.table import Seat
from firmware_bridge.events import Sorted
from firmware_bridge.words import Asked, Capability, FaultCode
from tests.controller.conftest import BY_HAND, SEED

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker

SHELVED = BY_HAND | Capability.SHELVES


def shuffling(by_hand: HandMaker, **opening: Any) -> ByHand:
    """A deal whose pack was laid into a machine with shelves, the draw still to come."""
    hand = by_hand(able=SHELVED)
    hand.open(**opening)
    hand.load()
    return hand


def test_the_draw_is_committed_to_before_the_first_card_moves(by_hand: HandMaker) -> None:
    hand = shuffling(by_hand)
    assert hand.step.acts == (Draw(attempt=1),)
    assert (hand.step.intents, hand.state) == ((), DealState.SHUFFLING)
    step = hand.drawn()
    assert step.lines == [{"fact": "draw_committed", "commitment": shuffle.commitment(SEED), "attempt": 1}]
    first, _ = shuffle.passes(shuffle.permutation(SEED, 52))
    assert step.commit
    assert step.intents == step.acts == (ShelvePack(command_id=101, number=1, shelves=first),)


@pytest.mark.parametrize(
    ("code", "pack"), [("whist", 52), ("euchre", 24), ("euchre", 25), ("euchre", 32), ("euchre", 33)]
)
def test_two_passes_lay_the_pack_as_it_was_drawn(code: str, pack: int, by_hand: HandMaker) -> None:
    hand = shuffling(by_hand, code=code, pack=pack)
    hand.drawn()
    lying = tuple(range(pack))
    for number in (1, 2):
        act = hand.dealer.shelf_pass()
        assert (act.number, act.command_id) == (number, 100 + number)
        lying = shuffle.carried(lying, act.shelves)
        hand.sort()
    assert lying == shuffle.permutation(SEED, pack)
    assert [line["fact"] for line in hand.lines[-2:]] == ["shuffled", "presented"]
    assert hand.facts("shuffled")[0]["by"] == "machine"
    assert (hand.step.acts, hand.state) == ((AskPeople(asked=Asked.CUT),), DealState.AWAITING_CUT)
    hand.cut(10, pack - 10)
    assert hand.fed() == FeedCard(command_id=103, k=1)


def test_without_shelves_people_shuffle(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    assert (hand.facts("shuffled"), hand.facts("draw_committed")) == ([], [])


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("wrong", ["cards", "counts"])
def test_a_pass_with_other_counts_than_drawn_costs_a_new_draw_and_not_the_deal(
    number: int, wrong: str, by_hand: HandMaker
) -> None:
    hand = shuffling(by_hand)
    hand.drawn()
    if number == 2:
        hand.sort()
    if wrong == "cards":
        hand.sort(cards=51)
    else:
        hand.sort(counts=(7, 6, 6, 6, 7, 6, 7, 7))
    assert (hand.state, hand.faults()) == (DealState.HALTED, [("shuffle_failed", None)])
    assert (AskPeople(asked=Asked.CLEAR_PATH),) == hand.step.acts
    hand.answer(Asked.CLEAR_PATH)
    hand.home()
    assert (hand.state, hand.step.acts) == (DealState.AWAITING_PACK, (AskPeople(asked=Asked.LOAD_PACK, a=52),))
    assert hand.load().acts == (Draw(attempt=2),)
    hand.shelve()
    assert [line["attempt"] for line in hand.facts("draw_committed")] == [1, 2]
    hand.cut()
    hand.deal_to(52)
    assert (hand.state, hand.lines[-1]) == (DealState.ENDED, {"fact": "deal_completed"})


@pytest.mark.parametrize(
    "code", [FaultCode.SHELF_COUNT, FaultCode.SHELF_MISPLACED, FaultCode.LID_OPEN, FaultCode.E_STOP]
)
def test_a_fault_in_the_shuffle_costs_the_deal_only_the_third_time(code: FaultCode, by_hand: HandMaker) -> None:
    hand = by_hand(able=SHELVED)
    hand.open()
    for attempt in range(1, DRAWS_MAX + 1):
        hand.load()
        assert hand.step.acts == (Draw(attempt=attempt),)
        hand.drawn()
        hand.fault(code)
        hand.answer(Asked.CLEAR_PATH)
        hand.home()
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, hand.state) == ("voided", Seat.S, DealState.ENDED)


def test_a_pass_that_is_said_again_changes_nothing(by_hand: HandMaker) -> None:
    hand = shuffling(by_hand)
    hand.drawn()
    hand.sort()
    stale = Sorted(1, 0, hand.dealer.command_id - 1, hand.at_us, 52, bytes(8))
    assert hand.dealer.sorted(stale) == Step()
    assert (hand.state, hand.faults()) == (DealState.SHUFFLING, [])


def test_a_machine_that_is_not_empty_after_a_halt_is_asked_to_be_cleared_again(by_hand: HandMaker) -> None:
    hand = shuffling(by_hand)
    hand.drawn()
    hand.fault(FaultCode.SHELF_NOT_EMPTY)
    hand.answer(Asked.CLEAR_PATH)
    hand.fault(FaultCode.PATH_NOT_EMPTY)
    assert (hand.state, hand.step.acts) == (DealState.HALTED, (AskPeople(asked=Asked.CLEAR_PATH),))


# --- the cut ---


@pytest.mark.parametrize(
    ("code", "law", "again"),
    [
        ("whist", "whist 26", DealState.AWAITING_CUT),
        ("bridge", "bridge D2", DealState.AWAITING_CUT),
        ("auction", "auction 32", DealState.AWAITING_CUT),
        ("euchre", "euchre 9b", DealState.SHUFFLING),
    ],
)
def test_a_card_exposed_in_cutting_is_a_fresh_cut_and_in_euchre_a_new_shuffle(
    code: str, law: str, again: DealState, by_hand: HandMaker
) -> None:
    """S08."""
    hand = shuffling(by_hand, code=code)
    hand.shelve()
    step = hand.say("N report cut_exposed")
    report = {"fact": "cut_reported", "what": "exposed", "by": "N"}
    assert step == Step(lines=[report], commit=True), "it must not be lost before the cut is weighed"
    hand.cut(10, len(hand.cards) - 10)
    assert hand.facts("cut")[0]["exposed"] is True
    assert [found for _, found in hand.rulings] == [law]
    assert hand.state is again
    if again is DealState.SHUFFLING:
        assert hand.step.acts == (Draw(attempt=2),)
        hand.shelve()
    hand.cut(10, len(hand.cards) - 10)
    assert hand.fed().k == 1


def test_a_confused_cut_is_made_again(by_hand: HandMaker) -> None:
    """S10."""
    hand = by_hand().begin_up_to_the_cut()
    hand.say("W report cut_confused")
    hand.cut()
    assert hand.facts("cut")[0]["confused"] is True
    assert (hand.rulings, hand.state) == ([("fresh_cut", "whist 26")], DealState.AWAITING_CUT)


@pytest.mark.parametrize("report", ["exposed", "confused"])
def test_a_cut_that_nobody_weighs_is_made_again_where_it_was_bad(report: str, by_hand: HandMaker) -> None:
    hand = by_hand(able=BY_HAND & ~Capability.CUT_TRAY).begin_up_to_the_cut()
    hand.say(f"W report cut_{report}")
    hand.cut(0, 0)
    assert (hand.facts("cut"), hand.rulings, hand.state) == ([], [], DealState.AWAITING_CUT)
    hand.cut(0, 0)
    assert [line["by"] for line in hand.facts("cut_unweighed")] == ["E", "E"]
    assert hand.fed().k == 1


def test_what_was_said_of_a_cut_does_not_stand_for_the_cut_of_a_pack_laid_in_anew(by_hand: HandMaker) -> None:
    hand = by_hand().begin_up_to_the_cut()
    hand.say("W report cut_exposed")
    hand.hear(hand.dealer.halt("pack_gone"))
    hand.answer(Asked.CLEAR_PATH)
    hand.home()
    hand.load()
    hand.cut()
    assert "exposed" not in hand.facts("cut")[0]
    assert hand.fed().k == 1


def test_without_shelves_people_are_asked_to_shuffle_again(by_hand: HandMaker) -> None:
    hand = by_hand().begin_up_to_the_cut(code="euchre")
    hand.say("S report cut_exposed")
    hand.cut(10, 22)
    assert (hand.state, hand.step.acts) == (DealState.AWAITING_PACK, (AskPeople(asked=Asked.RESHUFFLE, a=32),))
    hand.answer(Asked.RESHUFFLE)
    assert hand.facts("shuffled")[0]["by"] == "S"
    hand.cut(10, 22)
    assert hand.fed().k == 1


@pytest.mark.parametrize(("code", "law"), [("whist", "whist 26"), ("euchre", "euchre 9a"), ("bridge", "bridge D2")])
@pytest.mark.parametrize(("top", "tolerance"), [(3, 0), (5, 2)])
def test_a_packet_too_small_or_perhaps_too_small_is_never_dealt(
    code: str, law: str, top: int, tolerance: int, by_hand: HandMaker
) -> None:
    """S03, S05; near the least allowed the scale refuses rather than guesses."""
    hand = by_hand().begin_up_to_the_cut(code=code)
    for first in (top, len(hand.cards) - top):
        hand.cut(first, len(hand.cards) - first, tolerance)
        assert (hand.rulings[-1][1], hand.state) == (law, DealState.AWAITING_CUT)
    assert hand.facts("dealing_began") == []


@pytest.mark.parametrize(("code", "top"), [("whist", 0), ("euchre", 3), ("bridge", 1), ("auction", 2)])
def test_people_who_cannot_cut_are_not_asked_for_ever(code: str, top: int, by_hand: HandMaker) -> None:
    hand = by_hand()
    hand.begin_up_to_the_cut(code=code)
    for _ in range(CUTS_MAX - 1):
        hand.cut(top, len(hand.cards) - top)
        assert hand.step.acts == (AskPeople(asked=Asked.CUT),)
    hand.cut(top, len(hand.cards) - top)
    assert (hand.state, hand.faults()) == (DealState.ENDED, [("bad_cuts", None)])
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.fault, ending.next_dealer) == ("voided", "bad_cuts", Seat.S)


@pytest.mark.parametrize(
    ("code", "permitted_by", "cutter"), [("auction", "N", "W"), ("auction", "E", "E"), ("whist", "S", "W")]
)
def test_who_cuts_for_his_partner_with_leave_is_named(
    by_hand: HandMaker, code: str, permitted_by: str, cutter: str
) -> None:
    """Whist 35, auction 41: a player cuts for his partner where the other side permits it, here West for East."""
    hand = by_hand()
    hand.begin_up_to_the_cut(code=code)
    hand.dealer.notes.note({"fact": "asked", "by": "W", "act": "cut", "for": "E"})
    hand.dealer.notes.note({"fact": "permitted", "by": permitted_by, "act": "cut"})
    hand.cut(20, 32)
    assert [line["by"] for line in hand.facts("cut")] == [cutter]
    assert (hand.state, hand.fed().k) == (DealState.FEEDING, 1)


def test_the_last_cut_that_is_tried_may_be_good(by_hand: HandMaker) -> None:
    hand = by_hand()
    hand.begin_up_to_the_cut()
    for _ in range(CUTS_MAX - 1):
        hand.cut(0, 52)
    hand.cut(20, 32)
    assert (hand.state, hand.fed().k) == (DealState.FEEDING, 1)


def test_a_right_that_opens_on_the_cut_pack_holds_the_first_card(by_hand: HandMaker) -> None:
    """S09: packets reunited, then a card shows: no fault of the cut; either adversary may ask for a new deal."""
    hand = by_hand().begin_up_to_the_cut()
    hand.dealer.notes.note({"fact": "cut", "by": "E", "top": 20, "bottom": 32})
    hand.dealer.machine.cut_good()
    hand.say("E report exposed_on s")
    assert (hand.state, hand.step.intents) == (DealState.CUT, ())
    hand.say("W waive")
    assert hand.state is DealState.CUT
    hand.say("E waive")
    assert (hand.state, hand.fed().k) == (DealState.FEEDING, 1)
