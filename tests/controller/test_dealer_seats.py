"""The dealer and the seats: rights open, claimed, let go and lapsed; touches in their order; what the director says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from controller.acts import AskPeople, FeedCard, Step
from controller.deal_notes import DealNotes
from controller.replay import replay
from controller.states import DealState
from controller.table import Seat
from firmware_bridge.words import Asked, Capability, FaultCode, Tray, Who
from tests.controller.conftest import BY_HAND
from tests.controller.test_dealer import WAYS, in_state
from vision.sighting import State

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker


def exposed_at(hand: ByHand, k: int, by: str = "s") -> ByHand:
    """Deal up to card k - 1; while card k stands in the window a face is seen on the table, then it arrives."""
    hand.deal_to(k - 1)
    hand.show()
    hand.say(f"W report exposed_on {by}")
    hand.see()
    hand.deliver()
    return hand


# --- a right that is open ---


@pytest.mark.parametrize(
    ("code", "may", "claimant"), [("whist", ["W", "E"], "E"), ("euchre", ["W", "E"], "W"), ("bridge", ["W"], "W")]
)
def test_the_card_under_way_falls_and_the_next_waits_until_the_right_is_used(
    code: str, may: list[str], claimant: str, by_hand: HandMaker
) -> None:
    """S32, S37, S43: whist and euchre either adversary, bridge the eldest hand alone."""
    hand = exposed_at(by_hand().begin(code=code), 6)
    (option,) = (line for line in hand.lines if line.get("ruling") == "option")
    assert option["may"] == may
    assert (hand.state, hand.step.acts, hand.facts("dealt")[-1]["k"]) == (DealState.HOLDING, (), 6)
    hand.say(f"{claimant} claim new_deal")
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (hand.state, ending.status, ending.next_dealer) == (DealState.ENDED, "new_deal", Seat.S)
    assert replay(hand.lines) == ()


def test_in_auction_a_face_seen_is_a_new_deal_without_a_claim(by_hand: HandMaker) -> None:
    """S50."""
    hand = by_hand().begin(code="auction").deal_to(29)
    hand.show()
    hand.say("N report exposed_on w")
    assert hand.see().intents[0].tray is Tray.REJECT  # type: ignore[union-attr]  # a route
    hand.deliver()
    assert hand.rulings == [("new_deal", "auction 37c")]


def test_a_right_that_all_let_go_is_waited_for_no_longer(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6)
    hand.say("W waive")
    assert hand.state is DealState.HOLDING
    step = hand.say("E waive")
    assert step is not None
    assert (hand.state, step.acts) == (DealState.FEEDING, (FeedCard(command_id=107, k=7),))
    assert "not_callable" in [kind for kind, _ in hand.rulings]


def test_a_touch_of_an_adversary_ends_the_right_and_the_deal_goes_on(by_hand: HandMaker) -> None:
    """Whist 30, 31: lost if an adversary touches first."""
    hand = exposed_at(by_hand().begin(), 6)
    hand.say("E touch")
    assert [kind for kind, _ in hand.rulings] == ["option", "option_closed", "not_callable"]
    assert hand.state is DealState.FEEDING


def test_touches_stand_in_the_order_in_which_they_came(by_hand: HandMaker) -> None:
    """S39: the dealer's partner touched first, so the adversaries keep their right."""
    hand = by_hand().begin().deal_to(10)
    hand.say("N touch")
    hand.say("E touch")
    exposed_at(hand, 20)
    hand.say("W claim new_deal")
    assert [line["seat"] for line in hand.facts("touched")] == ["N", "E"]
    assert hand.dealer.notes.ending is not None
    assert hand.dealer.notes.ending.status == "new_deal"


def test_reasonable_time_runs_out_and_the_deal_goes_on(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6)
    step = hand.hear(hand.dealer.time_over())
    assert [line["to"] for line in hand.facts("time_given")] == ["E", "W"]
    assert (hand.state, step.acts) == (DealState.FEEDING, (FeedCard(command_id=107, k=7),))
    hand.deal_to(52)
    assert hand.lines[-1] == {"fact": "deal_completed"}


def test_a_second_face_seen_opens_the_time_anew(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6)
    hand.hear(hand.dealer.time_over())
    exposed_at(hand, 10)
    assert hand.state is DealState.HOLDING


def test_the_directors_key_ends_the_time(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6)
    hand.turn_key()
    decided = hand.facts("director")
    assert [(line["decides"], line["seat"]) for line in decided] == [("time", "E"), ("time", "W")]
    assert hand.state is DealState.FEEDING


@pytest.mark.parametrize("state", sorted(set(DealState) - {DealState.CUT}, key=str), ids=lambda state: state.name)
def test_a_key_turned_where_no_right_is_open_says_nothing(state: DealState, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), state)
    assert hand.turn_key() == Step()
    assert hand.state is state


def test_no_card_is_fed_that_is_not_on_record(by_hand: HandMaker) -> None:
    """A right that was open when the card was released, and is let go while it moves, must not hide the intent."""
    hand = by_hand().begin(code="euchre").deal_to(4)
    hand.say("W report exposed_on s")
    hand.show()
    hand.see()
    assert not [intent for intent in hand.step.intents if isinstance(intent, FeedCard)]
    hand.say("W waive")
    hand.say("E waive")
    hand.deliver()
    assert hand.step.intents == (hand.fed(),)
    assert hand.step.commit


# --- in every state ---


@pytest.mark.parametrize("state", list(WAYS), ids=lambda state: state.name)
def test_what_a_seat_does_is_on_record_in_every_state(state: DealState, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), state)
    step = hand.say("N ask shuffle")
    if state is DealState.ENDED:
        assert step is None, "the log is closed"
        return
    assert step is not None
    assert hand.facts("asked") == [{"fact": "asked", "by": "N", "act": "shuffle"}]
    assert step.commit
    assert hand.state is state
    assert not step.intents


def test_what_is_asked_is_not_asked_again_for_every_touch(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(4)
    hand.double()
    assert hand.step.acts
    hand.say("N touch")
    assert (hand.step.acts, hand.state) == ((), DealState.HOLDING)


def test_what_cannot_be_is_not_on_record(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    before = list(hand.lines)
    assert hand.say("N call pass") is None
    assert hand.lines == before


def test_a_claim_while_a_card_is_fed_lets_it_come_and_rejects_it(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(5)
    hand.say("W report exposed_on s")
    hand.say("W claim new_deal")
    assert hand.step.acts == ()
    hand.card()
    assert hand.facts("routed")[-1]["to"] == "reject"
    assert hand.state is DealState.ENDED


def test_a_claim_while_a_card_falls_lets_it_fall(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(5)
    hand.show()
    hand.see()
    hand.say("W report exposed_on s")
    hand.say("W claim new_deal")
    hand.deliver()
    assert (hand.facts("dealt")[-1]["k"], hand.state) == (6, DealState.ENDED)


# --- who deals, and whose act it was ---


def test_a_deal_out_of_turn_is_stopped_for_the_rightful_dealer(by_hand: HandMaker) -> None:
    """S78."""
    hand = by_hand()
    hand.open()
    hand.dealer.notes.note({"fact": "dealing_began", "by": "E"})
    notes = hand.dealer.notes
    notes.note({"fact": "dealt", "to": "S", "k": 1})
    notes.note({"fact": "found", "what": "out_of_turn", "by": "N"})
    assert notes.ending is not None
    assert (notes.ending.status, notes.ending.next_dealer, notes.ending.law) == ("stopped", Seat.S, "whist 34")


@pytest.mark.parametrize(
    ("who", "answer", "status"),
    [
        (Who.S, {"seat": "S"}, None),
        (Who.MACHINE, {"value": "machine"}, "new_deal"),
        (Who.NOBODY_KNOWN, {"value": "nobody_known"}, None),
    ],
)
def test_the_director_says_whose_act_an_exposure_was(
    who: Who, answer: dict[str, str], status: str | None, by_hand: HandMaker
) -> None:
    """Where nobody knows, whist asks; an act of the dealer opens the adversaries' right, the machine's is nobody's."""
    hand = exposed_at(by_hand().begin(), 6, by="nobody_known")
    assert hand.rulings[0][0] == "ask_director"
    assert hand.step.acts == (AskPeople(asked=Asked.DECIDE),)
    hand.answer(Asked.DECIDE, who)
    (decided,) = hand.facts("director")
    assert {name: decided[name] for name in answer} == answer
    assert decided["decides"] == "attribution"
    ending = hand.dealer.notes.ending
    assert (ending.status if ending else None) == status
    if who is Who.S:
        assert hand.state is DealState.HOLDING, "the right that this opens is waited for"
    if who is Who.NOBODY_KNOWN:
        assert hand.state is DealState.FEEDING


def test_an_answer_of_the_director_that_names_nobody_is_asked_for_again(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6, by="nobody_known")
    step = hand.answer(Asked.DECIDE, max(Who) + 1)
    assert (step.lines, step.acts, step.commit) == ([], (AskPeople(asked=Asked.DECIDE),), True)
    hand.answer(Asked.DECIDE, Who.NOBODY_KNOWN)
    assert hand.state is DealState.FEEDING


def test_where_the_code_does_not_say_who_deals_the_director_does() -> None:
    notes = DealNotes(dealer=Seat.S)
    for fact in (
        {"fact": "deal_opened", "code": "whist", "dealer": "S"},
        {"fact": "dealing_began", "by": "E"},
        {"fact": "dealt", "to": "S", "k": 1},
        {"fact": "faced", "k": 2},
    ):
        notes.note(fact)
    assert (notes.wanted, notes.to_decide) == (Asked.DECIDE, "order")
    notes.note({"fact": "director", "decides": "order", "seat": "W"})
    assert notes.wanted is None
    assert notes.ending is not None
    assert (notes.ending.status, notes.ending.next_dealer) == ("stopped", Seat.W)


# --- behind the last card ---


def test_with_buttons_at_the_seats_the_deal_stays_open_a_while_behind_the_last_card(by_hand: HandMaker) -> None:
    hand = by_hand(able=BY_HAND | Capability.SEAT_BUTTONS).begin(code="euchre", pattern="2-3").deal_to(32)
    assert (hand.state, hand.lines[-1]) == (DealState.HOLDING, {"fact": "deal_completed"})
    for text in ("W call pass", "N call assist"):
        assert hand.say(text) is not None
    assert [line["what"] for line in hand.facts("called")] == ["pass", "assist"]
    hand.hear(hand.dealer.time_over())
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (hand.state, ending.status, ending.next_dealer) == (DealState.ENDED, "completed", Seat.W)


def test_a_claim_behind_the_last_card_takes_the_complete_deal_back(by_hand: HandMaker) -> None:
    """S41: card 50 exposed, the trump turned at once, the claim in reasonable time."""
    hand = by_hand(able=BY_HAND | Capability.SEAT_BUTTONS).begin().deal_to(51)
    hand.show()
    hand.see()
    hand.say("W report exposed_on s")
    hand.deliver()
    assert hand.state is DealState.HOLDING
    hand.say("W claim new_deal")
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (hand.state, ending.status, ending.next_dealer) == (DealState.ENDED, "new_deal", Seat.S)


def test_a_fault_while_a_right_is_open_halts_all_the_same(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6)
    hand.fault(FaultCode.LID_OPEN)
    assert (hand.state, hand.step.acts) == (DealState.HALTED, (AskPeople(asked=Asked.CLEAR_PATH),))


def test_a_pause_leaves_the_state_as_it_is(by_hand: HandMaker) -> None:
    hand = exposed_at(by_hand().begin(), 6)
    hand.fault(FaultCode.SUPPLY_LOW)
    assert (hand.state, hand.dealer.notes.ending) == (DealState.HOLDING, None)


def test_a_doubtful_last_card_is_named_before_any_right_runs_out(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.show()
    hand.say("W report exposed_on s")
    hand.see(State.NOT_SURE)
    hand.deliver()
    assert hand.step.acts == (AskPeople(asked=Asked.NAME_CARD, a=Tray.TRUMP),)
