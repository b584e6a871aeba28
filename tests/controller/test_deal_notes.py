"""The notes of a deal: what follows from its facts and rulings, and that its stored lines give the same notes again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from controller.deal_notes import DRAWS_MAX, MISFEEDS_MAX, DealNotes
from controller.ending import Ending
from controller.errors import FactError, OrderError
from controller.incident import Recovery
from controller.incidents import INCIDENTS
from controller.table import Seat, left_of
from firmware_bridge.words import Asked, FaultCode
from vision.cards import Card, Pack
from vision.sighting import Reason, Sighting, State

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker

CARDS = Pack.of(52).cards
OPENED = {"fact": "deal_opened", "code": "whist", "dealer": "S"}


def notes_of(*facts: dict[str, Any], dealer: Seat = Seat.S) -> DealNotes:
    notes = DealNotes(dealer=dealer)
    for fact in (OPENED | {"dealer": dealer.value}, *facts):
        notes.note(fact)
    return notes


def seen(k: int, card: str | None = None, state: str = "card") -> dict[str, Any]:
    return {"fact": "seen", "k": k, "state": state, "confidence_ppm": 1} | ({"card": card} if card else {})


def test_rulings_stand_behind_the_facts_that_caused_them() -> None:
    notes = notes_of({"fact": "cut", "by": "E", "top": 3, "bottom": 49})
    *_, cut, ruling = notes.take_lines()
    assert cut["fact"] == "cut"
    assert (ruling["ruling"], ruling["law"], ruling["on"]) == ("fresh_cut", "whist 26", 2)
    assert notes.take_lines() == [], "lines are taken once"


def test_lines_are_numbered_with_the_rulings_among_them() -> None:
    notes = notes_of(
        {"fact": "cut", "by": "E", "top": 3, "bottom": 49}, {"fact": "cut", "by": "E", "top": 2, "bottom": 50}
    )
    assert [line["on"] for line in notes.take_lines() if "ruling" in line] == [2, 4]


@pytest.mark.parametrize("dealer", list(Seat))
def test_the_pone_sits_on_the_dealers_right(dealer: Seat) -> None:
    notes = DealNotes(dealer=dealer)
    assert left_of(notes.cutter) is dealer
    assert (notes.last_seat, notes.dealt, notes.pack_size) == (dealer, 0, 52)


def test_a_fresh_cut_is_wanted_until_there_is_a_good_one() -> None:
    notes = notes_of({"fact": "cut", "by": "E", "top": 3, "bottom": 49})
    assert notes.fresh_cut
    notes.note({"fact": "cut", "by": "E", "top": 20, "bottom": 32})
    assert not notes.fresh_cut


def test_a_sighting_is_written_with_what_it_has() -> None:
    notes = notes_of()
    notes.note_sighting(1, Sighting(state=State.CARD, card=Card.parse("QC"), confidence=0.9876543, frame="ab"))
    notes.note_sighting(2, Sighting(state=State.NOT_SURE, confidence=0.4, reason=Reason.BLURRED))
    assert notes.take_lines()[1:] == [
        {"fact": "seen", "k": 1, "state": "card", "card": "QC", "confidence_ppm": 987_654, "frame": "ab"},
        {"fact": "seen", "k": 2, "state": "not_sure", "confidence_ppm": 400_000, "reason": "the picture is blurred"},
    ]


def test_cards_read_are_counted_by_number_and_by_kind() -> None:
    notes = notes_of(seen(1, "QC"), seen(2, "AS"), seen(3, "QC"))
    assert (notes.card_of(2), notes.card_of(4)) == (Card.parse("AS"), None)
    assert (notes.times_seen(Card.parse("QC")), notes.times_seen(Card.parse("2H"))) == (2, 0)
    assert len(notes.missing()) == 50
    assert "QC" not in notes.missing()
    assert (notes.fed, notes.unread, notes.all_read) == (3, 0, False), "one was read twice"


@pytest.mark.parametrize("state", [state for state in State if state is not State.CARD])
def test_a_card_not_read_is_unread_unless_it_lies_faced(state: State) -> None:
    """A back seen is no doubt of the eye's."""
    notes = notes_of(seen(1, "QC"), seen(2, state=state.value))
    assert (notes.fed, notes.unread) == (2, 0 if state is State.FACE_NOT_SEEN else 1)
    assert not notes.all_read


def test_all_are_read_while_every_card_was_and_none_twice() -> None:
    assert notes_of(*(seen(k, str(card)) for k, card in enumerate(CARDS[:30], 1))).all_read


def test_the_second_of_two_cards_together_was_fed_and_not_read() -> None:
    notes = notes_of(seen(1, "QC"), {"fact": "dealt", "to": "W", "k": 2, "count": 2})
    assert (notes.fed, notes.unread, notes.dealt, notes.last_seat) == (2, 1, 2, Seat.W)


# --- endings ---


def test_a_complete_deal_passes_to_the_left() -> None:
    notes = notes_of(*({"fact": "dealt", "to": "WNES"[k % 4], "k": k + 1} for k in range(52)))
    notes.note({"fact": "turned", "to": "S", "card": "AS"})
    assert notes.ending is None
    notes.note({"fact": "deal_completed"})
    assert notes.ending == Ending(status="completed", next_dealer=Seat.W)


@pytest.mark.parametrize("code", sorted(INCIDENTS))
def test_a_fault_ends_the_deal_if_its_recovery_is_to_void(code: str) -> None:
    began = {"fact": "dealing_began", "by": "N"}
    notes = notes_of(began, {"fact": "machine_fault", "code": code, "k": 4}, dealer=Seat.N)
    if INCIDENTS[code].recovery in (Recovery.VOID, Recovery.LEAVE):
        assert notes.ending == Ending(status="voided", next_dealer=Seat.N, fault=code)
    else:
        assert notes.ending is None


@pytest.mark.parametrize("code", sorted(INCIDENTS))
def test_before_the_first_card_a_fault_costs_the_deal_only_the_third_time(code: str) -> None:
    notes = notes_of(dealer=Seat.N)
    for _ in range(DRAWS_MAX - 1):
        notes.note({"fact": "machine_fault", "code": code})
    left = INCIDENTS[code].recovery is Recovery.LEAVE
    assert (notes.ending is not None) == left
    notes.note({"fact": "machine_fault", "code": code})
    assert (notes.ending is not None) == (left or INCIDENTS[code].recovery in (Recovery.VOID, Recovery.RETRY))


def test_a_shuffle_that_succeeds_forgives_those_that_failed() -> None:
    failed = {"fact": "machine_fault", "code": "shuffle_failed"}
    notes = notes_of(failed, failed, {"fact": "shuffled", "by": "machine"}, failed)
    assert notes.ending is None


def test_the_first_of_two_faults_is_the_reason() -> None:
    began = {"fact": "dealing_began", "by": "S"}
    faults = [{"fact": "machine_fault", "code": code, "k": 4} for code in ("window_empty", "jam_exit")]
    ending = notes_of(began, *faults).ending
    assert ending is not None
    assert ending.fault == "window_empty"


def test_misfeeds_are_counted_for_each_card() -> None:
    notes = notes_of(*({"fact": "machine_fault", "code": "misfeed", "k": k} for k in (1, 1, 2, 2)))
    assert ([notes.misfeeds(k) for k in (1, 2, 3)], notes.ending) == ([2, 2, 0], None)
    notes.note({"fact": "machine_fault", "code": "misfeed", "k": 2})
    assert MISFEEDS_MAX == 3
    assert notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="misfeed")


def test_a_law_is_a_better_reason_than_a_fault_before_it() -> None:
    """As where the hopper is empty and that proves the pack imperfect."""
    notes = notes_of(
        {"fact": "dealing_began", "by": "S"},
        {"fact": "dealt", "to": "W", "k": 1},
        {"fact": "machine_fault", "code": "hopper_empty", "k": 2},
        {"fact": "pack_proved", "state": "imperfect", "missing": ["2H"]},
    )
    assert notes.ending is not None
    assert (notes.ending.status, notes.ending.law, notes.ending.fault) == ("new_deal", "whist 29-I", "")
    assert notes.ending.because


def test_a_misdeal_passes_the_deal_as_the_law_says() -> None:
    """Whist 37-VI: a third card after two together, by the dealer's own hand; the deal is lost to his left."""
    notes = notes_of(
        {"fact": "dealing_began", "by": "S"},
        {"fact": "dealt", "to": "W", "k": 2, "count": 2},
    )
    held = notes.holding
    notes.note({"fact": "dealt", "to": "E", "k": 3})
    assert (held, notes.holding) == (True, False)
    assert notes.ending is not None
    assert (notes.ending.status, notes.ending.next_dealer, notes.ending.law) == ("misdeal", Seat.W, "whist 37-VI")


def test_an_error_put_right_is_held_no_longer() -> None:
    notes = notes_of({"fact": "dealing_began", "by": "S"}, {"fact": "dealt", "to": "W", "k": 2, "count": 2})
    notes.note({"fact": "corrected", "cards_moved": 1})
    assert (notes.holding, notes.ending) == (False, None)


# --- what cannot be ---


def test_what_is_no_fact_is_refused() -> None:
    with pytest.raises(FactError):
        notes_of({"fact": "shuffled_well"})


def test_a_card_number_cannot_be_left_out() -> None:
    with pytest.raises(OrderError):
        notes_of({"fact": "dealt", "to": "W", "k": 2})


# --- had back from the stored lines ---


def _plain(hand: ByHand) -> None:
    hand.begin().deal_to(52)


def _cured(hand: ByHand) -> None:
    hand.begin().deal_to(16)
    hand.double()
    hand.answer(Asked.MOVE_CARD, c=1)
    hand.deal_to(20)
    hand.card(State.NOT_SURE)


def _held(hand: ByHand) -> None:
    hand.begin().deal_to(16)
    hand.double()


def _fresh_cut(hand: ByHand) -> None:
    hand.open()
    hand.load()
    hand.cut(2, 50)


def _faced(hand: ByHand) -> None:
    hand.begin().deal_to(3)
    hand.show()
    hand.see(State.FACE_NOT_SEEN)


def _misfed(hand: ByHand) -> None:
    hand.begin().deal_to(3)
    hand.fault(FaultCode.MISFEED)
    hand.fault(FaultCode.MISFEED)


def _halted(hand: ByHand) -> None:
    hand.begin(grace_s=2).deal_to(3)
    hand.fault(FaultCode.JAM_EXIT)


@pytest.mark.parametrize("way", [_plain, _cured, _held, _fresh_cut, _faced, _misfed, _halted])
def test_the_notes_are_the_fold_of_the_stored_lines(way: Callable[[ByHand], None], by_hand: HandMaker) -> None:
    hand = by_hand()
    way(hand)
    stored = json.loads(json.dumps(hand.lines))
    again = DealNotes(dealer=Seat.S)
    again.restore(stored)
    assert again.take_lines() == [], "what is stored is not written again"
    same = [item.name for item in dataclasses.fields(DealNotes) if item.name not in ("_judge", "_lines")]
    assert {name: getattr(again, name) for name in same} == {name: getattr(hand.dealer.notes, name) for name in same}
    assert again.holding == hand.dealer.notes.holding


def test_a_stored_ruling_that_the_facts_do_not_give_is_an_error(by_hand: HandMaker) -> None:
    hand = by_hand()
    _held(hand)
    changed = [line | {"law": "whist 37-I"} if "ruling" in line else line for line in hand.lines]
    with pytest.raises(OrderError, match="not those that its facts give"):
        DealNotes(dealer=Seat.S).restore(changed)


def test_a_ruling_left_out_of_the_record_is_an_error(by_hand: HandMaker) -> None:
    hand = by_hand()
    _held(hand)
    with pytest.raises(OrderError, match="not those that its facts give"):
        DealNotes(dealer=Seat.S).restore([line for line in hand.lines if "fact" in line])
