"""The dealer, driven by hand: what it writes down and does next, in every state and for every fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from controller.acts import AskPeople, ClearFault, FeedCard, LookAtCard, RouteCard, Step
from controller.dealer import UNREAD_MAX
from controller.dealer_base import TAKE_BACK
from controller.ending import Ending
from controller.replay import ledger, replay
from controller.states import ACTIVE, DealState
from controller.table import Seat
from controller.window_sensors import CardSize
from firmware_bridge.words import NO_CARD, Asked, Capability, FaultCode, Tray
from vision.cards import Card, Pack
from vision.sighting import State

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker

SEED = bytes(32)

CARDS = Pack.of(52).cards
ROUND = (Tray.W, Tray.N, Tray.E, Tray.S)
"""The trays of a round where South deals: to the left, the dealer last."""

DOUBTS = (State.NOT_SURE, State.PARTIAL)


# --- before the first card ---


def test_opening_is_durable_before_anybody_is_asked_for_the_pack(by_hand: HandMaker) -> None:
    hand = by_hand(Seat.E)
    step = hand.open({"fact": "mode", "mode": "table"})
    assert step.lines == [{"fact": "deal_opened", "code": "whist", "dealer": "E"}, {"fact": "mode", "mode": "table"}]
    assert (step.commit, step.intents, step.acts) == (True, (), (AskPeople(asked=Asked.LOAD_PACK, a=52),))
    assert hand.state is DealState.AWAITING_PACK


def test_the_pack_is_laid_in_and_offered_to_be_cut(by_hand: HandMaker) -> None:
    hand = by_hand()
    hand.open()
    step = hand.load()
    assert [line["fact"] for line in step.lines] == ["presented"]
    assert (step.commit, step.acts) == (True, (AskPeople(asked=Asked.CUT),))
    assert hand.state is DealState.AWAITING_CUT


@pytest.mark.parametrize(("dealer", "pone"), [("S", "E"), ("W", "S"), ("N", "W"), ("E", "N")])
def test_the_player_on_the_dealers_right_cuts(dealer: str, pone: str, by_hand: HandMaker) -> None:
    hand = by_hand(Seat(dealer)).begin()
    (cut,) = hand.facts("cut")
    assert (cut["by"], cut["top"], cut["bottom"], cut["tolerance"]) == (pone, 26, 26, 0)
    assert hand.facts("dealing_began") == [{"fact": "dealing_began", "by": dealer}]


def test_a_good_cut_feeds_the_first_card_once_that_is_durable(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    assert hand.step.commit
    assert hand.step.intents == hand.step.acts == (FeedCard(command_id=101, k=1),)
    assert hand.state is DealState.FEEDING


@pytest.mark.parametrize(("top", "bottom", "tolerance"), [(3, 49, 0), (49, 3, 0), (0, 52, 0), (5, 47, 2)])
def test_a_packet_of_fewer_than_four_is_cut_again(top: int, bottom: int, tolerance: int, by_hand: HandMaker) -> None:
    """Whist 26; where the count may be short of four, there is a doubt."""
    hand = by_hand()
    hand.open()
    hand.load()
    step = hand.cut(top, bottom, tolerance)
    assert hand.rulings == [("fresh_cut", "whist 26")]
    assert hand.facts("cut")[0].get("doubt", False) == (min(top, bottom) >= 4)
    assert (step.commit, step.intents, step.acts) == (True, (), (AskPeople(asked=Asked.CUT),))
    assert hand.state is DealState.AWAITING_CUT
    hand.cut(20, 32)
    assert hand.fed().k == 1


@pytest.mark.parametrize(("top", "tolerance"), [(4, 0), (48, 0), (6, 2)])
def test_a_packet_of_four_is_enough(top: int, tolerance: int, by_hand: HandMaker) -> None:
    hand = by_hand()
    hand.open()
    hand.load()
    hand.cut(top, 52 - top, tolerance)
    assert (hand.rulings, hand.state) == ([], DealState.FEEDING)
    assert "doubt" not in hand.facts("cut")[0]


# --- one card, and a whole deal ---


def test_a_card_in_the_window_is_looked_at_and_nothing_moves(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    step = hand.show()
    assert (step.acts, step.intents, step.commit) == ((LookAtCard(k=1),), (), False)
    assert hand.state is DealState.LOOKING


def test_route_and_next_feed_are_durable_together_before_the_card_is_released(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    hand.show()
    step = hand.see(frame="ab" * 32)
    route = RouteCard(command_id=101, k=1, tray=Tray.W)
    assert step.commit
    assert step.intents == (route, FeedCard(command_id=102, k=2))
    assert step.acts == (route,)
    assert step.lines == [
        {"fact": "seen", "k": 1, "state": "card", "card": "AC", "confidence_ppm": 990_000, "frame": "ab" * 32}
    ]
    assert hand.state is DealState.ROUTING


def test_the_next_card_is_fed_when_the_one_before_has_arrived(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    hand.show()
    hand.see()
    step = hand.deliver()
    assert [(line["fact"], line["k"], line["to"]) for line in step.lines] == [("routed", 1, "W"), ("dealt", 1, "W")]
    assert (step.intents, step.commit) == ((), False), "the feed is on record already"
    assert step.acts == (FeedCard(command_id=102, k=2),)
    assert hand.state is DealState.FEEDING


@pytest.mark.parametrize("dealer", list(Seat))
def test_a_whole_deal_gives_thirteen_to_each_in_rotation_and_turns_the_last(dealer: Seat, by_hand: HandMaker) -> None:
    hand = by_hand(dealer).begin().deal_to(51)
    hand.show()
    step = hand.see()
    route = RouteCard(command_id=152, k=52, tray=Tray.TRUMP)
    assert step.intents == step.acts == (route,), "no card is fed after the last"
    step = hand.deliver()
    seats = [line["to"] for line in hand.facts("dealt")]
    around = "NESW" * 2
    first = around.index(dealer.value) + 1
    assert seats == list(around[first : first + 4]) * 13
    assert hand.facts("turned") == [{"fact": "turned", "to": dealer.value, "card": str(CARDS[51])}]
    assert hand.lines[-1] == {"fact": "deal_completed"}
    assert (step.commit, step.acts, hand.state) == (True, (), DealState.ENDED)
    assert hand.dealer.notes.ending == Ending(status="completed", next_dealer=Seat(seats[0]))
    assert (hand.rulings, hand.faults()) == ([], [])


def test_every_feed_has_an_id_of_its_own_one_after_the_other(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    ids = [hand.fed().command_id]
    for _ in range(5):
        hand.card()
        ids.append(hand.fed().command_id)
    assert ids == [101, 102, 103, 104, 105, 106]


# --- what nobody waits for ---


def _await_pack(hand: ByHand) -> None:
    hand.open()


def _await_cut(hand: ByHand) -> None:
    hand.open()
    hand.load()


def _shuffle(hand: ByHand) -> None:
    hand.dealer.able |= Capability.SHELVES
    _await_cut(hand)
    hand.hear(hand.dealer.drawn(SEED))


def _cut_with_a_right_open(hand: ByHand) -> None:
    hand.begin_up_to_the_cut()
    hand.dealer.notes.note({"fact": "cut", "by": "E", "top": 20, "bottom": 32})
    hand.dealer.machine.cut_good()
    hand.say("W report exposed_on s")


def _feed(hand: ByHand) -> None:
    hand.begin().deal_to(4)


def _look(hand: ByHand) -> None:
    _feed(hand)
    hand.show()


def _route(hand: ByHand) -> None:
    _look(hand)
    hand.see()


def _hold(hand: ByHand) -> None:
    _feed(hand)
    hand.double()


def _halt(hand: ByHand) -> None:
    _feed(hand)
    hand.fault(FaultCode.JAM_ENTRY)


def _home(hand: ByHand) -> None:
    _halt(hand)
    hand.answer(Asked.CLEAR_PATH, c=1)


def _end(hand: ByHand) -> None:
    _home(hand)
    hand.home()


WAYS: dict[DealState, Callable[[ByHand], None]] = {
    DealState.AWAITING_PACK: _await_pack,
    DealState.SHUFFLING: _shuffle,
    DealState.AWAITING_CUT: _await_cut,
    DealState.CUT: _cut_with_a_right_open,
    DealState.FEEDING: _feed,
    DealState.LOOKING: _look,
    DealState.ROUTING: _route,
    DealState.HOLDING: _hold,
    DealState.HALTED: _halt,
    DealState.HOMING: _home,
    DealState.ENDED: _end,
}
"""How a deal by hand comes into each state."""

WAITED_FOR: dict[DealState, set[str]] = {
    DealState.AWAITING_PACK: {"load_pack"},
    DealState.SHUFFLING: {"sorted"},
    DealState.AWAITING_CUT: {"cut"},
    DealState.CUT: set(),
    DealState.FEEDING: {"at_window", "misfeed", "hopper_empty"},
    DealState.LOOKING: set(),
    DealState.ROUTING: {"delivered"},
    DealState.HOLDING: {"move_card"},
    DealState.HALTED: {"clear_path"},
    DealState.HOMING: {"homed"},
    DealState.ENDED: set(),
}
"""What may happen in each state, faults apart."""

EVENTS: dict[str, Callable[[ByHand], Step]] = {
    "load_pack": lambda hand: hand.answer(Asked.LOAD_PACK),
    "cut": lambda hand: hand.answer(Asked.CUT, 26, 26),
    "move_card": lambda hand: hand.answer(Asked.MOVE_CARD, Tray.W, Tray.N, 1),
    "clear_path": lambda hand: hand.answer(Asked.CLEAR_PATH, c=1),
    "name_card": lambda hand: hand.answer(Asked.NAME_CARD, 51),
    "count_pack": lambda hand: hand.answer(Asked.COUNT_PACK, 51),
    "at_window": lambda hand: hand.show(),
    "delivered": lambda hand: hand.deliver(),
    "homed": lambda hand: hand.home(),
    "sorted": lambda hand: hand.sort() if hand.dealer.seed else Step(),
}

STALE: dict[str, Callable[[ByHand], Step]] = {
    "at_window": lambda hand: hand.show(command_id=hand.dealer.command_id - 1),
    "delivered": lambda hand: hand.deliver(command_id=hand.dealer.command_id - 1),
    "misfeed": lambda hand: hand.fault(FaultCode.MISFEED, command_id=hand.dealer.command_id - 1),
    "hopper_empty": lambda hand: hand.fault(FaultCode.HOPPER_EMPTY, command_id=hand.dealer.command_id - 1),
}
"""What a machine says again of an earlier command, as after a controller's death between commit and acknowledgement."""


def in_state(hand: ByHand, state: DealState) -> ByHand:
    WAYS[state](hand)
    assert hand.state is state
    return hand


def test_every_state_can_be_come_by() -> None:
    assert set(WAYS) == set(WAITED_FOR) == set(DealState)


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("state", list(DealState), ids=lambda state: state.name)
def test_an_event_is_heard_only_where_it_is_waited_for(state: DealState, event: str, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), state)
    step = EVENTS[event](hand)
    if event in WAITED_FOR[state]:
        assert step != Step()
    else:
        assert step == Step()
        assert hand.state is state


@pytest.mark.parametrize("event", STALE)
@pytest.mark.parametrize("state", list(DealState), ids=lambda state: state.name)
def test_what_is_said_again_of_an_earlier_command_changes_nothing(
    state: DealState, event: str, by_hand: HandMaker
) -> None:
    hand = in_state(by_hand(), state)
    before = len(hand.lines)
    assert STALE[event](hand) == Step()
    assert (hand.state, len(hand.lines)) == (state, before)


def test_a_misfeed_said_again_does_not_feed_a_third_time(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    hand.fault(FaultCode.MISFEED)
    assert hand.fed() == FeedCard(command_id=102, k=1)
    assert hand.fault(FaultCode.MISFEED, command_id=101) == Step()
    assert hand.faults() == [("misfeed", 1)]
    hand.show()
    assert hand.state is DealState.LOOKING


# --- halts ---


@pytest.mark.parametrize("state", ACTIVE, ids=lambda state: state.name)
def test_a_halt_stops_every_active_state_and_asks_for_a_clear_path(state: DealState, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), state)
    under_way = hand.dealer.k
    step = hand.fault(FaultCode.E_STOP)
    assert hand.state is DealState.HALTED
    assert (step.commit, step.intents) == (True, ())
    back = (TAKE_BACK,) if state is DealState.AWAITING_CUT else ()
    assert step.acts == (*back, AskPeople(asked=Asked.CLEAR_PATH)), "an offered pack is taken back first"
    assert hand.faults()[-1] == ("e_stop", under_way or None)
    assert hand.lines[-1] == {"fact": "halted", "fault": "e_stop"}


@pytest.mark.parametrize("state", [DealState.HALTED, DealState.HOMING, DealState.ENDED], ids=lambda state: state.name)
def test_a_halt_of_what_stands_already_adds_nothing(state: DealState, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), state)
    assert hand.hear(hand.dealer.halt("e_stop")) == Step()
    assert hand.state is state


@pytest.mark.parametrize("event", [*EVENTS, "jam_exit", "misfeed", "lid_open"])
def test_from_a_halt_nothing_is_taken_but_the_acknowledgement(event: str, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), DealState.HALTED)
    step = EVENTS[event](hand) if event in EVENTS else hand.fault(FaultCode[event.upper()])
    assert not [act for act in step.acts if isinstance(act, FeedCard | RouteCard | LookAtCard)]
    assert not step.intents
    assert (hand.state is DealState.HOMING) == (event == "clear_path")


def test_a_halted_deal_is_acknowledged_homed_and_voided(by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), DealState.HALTED)
    step = hand.answer(Asked.CLEAR_PATH, c=1)
    assert [line["fact"] for line in step.lines] == ["acknowledged"]
    assert step.commit
    assert step.acts == (ClearFault(),)
    step = hand.home()
    assert step.lines == [{"fact": "voided", "by": "machine"}]
    assert (step.commit, step.acts) == (True, ())
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="jam_entry")


def test_a_machine_that_cannot_be_homed_ends_the_deal_all_the_same(by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), DealState.HOMING)
    step = hand.fault(FaultCode.PATH_NOT_EMPTY)
    assert hand.state is DealState.ENDED
    assert [line.get("code", line["fact"]) for line in step.lines] == ["path_not_empty", "voided"]
    assert step.commit


def test_a_law_that_ended_the_deal_is_not_hidden_by_a_fault_after_it(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(9)
    hand.show()
    hand.see(State.FACE_NOT_SEEN)
    hand.fault(FaultCode.JAM_EXIT)
    hand.answer(Asked.CLEAR_PATH, c=1)
    step = hand.home()
    assert step.lines == [], "a new deal by law is no voided one"
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.law, ending.fault) == ("new_deal", "whist 29-II", "")


def test_a_machine_that_heard_nothing_leaves_the_deal_as_it_is(by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), DealState.FEEDING)
    step = hand.fault(FaultCode.HEARTBEAT_LOST)
    assert (step.acts, hand.state) == ((), DealState.FEEDING)
    assert hand.faults() == [("heartbeat_lost", 5)]
    assert hand.dealer.notes.ending is None


@pytest.mark.parametrize("state", ACTIVE, ids=lambda state: state.name)
def test_a_lost_link_is_written_down_and_the_deal_stays_as_it_is(state: DealState, by_hand: HandMaker) -> None:
    hand = in_state(by_hand(), state)
    step = hand.hear(hand.dealer.interrupted("link_lost"))
    assert (step.commit, step.acts, hand.state) == (True, (), state)
    assert hand.faults()[-1][0] == "link_lost"
    step = hand.hear(hand.dealer.resumed())
    assert step.lines == [{"fact": "resumed", "by": "machine"}]
    assert (step.commit, hand.state, hand.dealer.notes.ending) == (True, state, None)


# --- two cards together ---


def test_two_cards_together_are_put_right_by_moving_one(by_hand: HandMaker) -> None:
    """Whist 37-VI, S55: halted before the third card, one card moved, the deal goes on."""
    hand = by_hand().begin().deal_to(16)
    hand.show(thickness_um=600)
    step = hand.see(State.TWO_CARDS)
    assert step.intents == (RouteCard(command_id=117, k=17, tray=Tray.W),), "no feed before it is put right"
    step = hand.deliver()
    assert step.lines[1] == {"fact": "dealt", "to": "W", "k": 18, "count": 2, "t_us": step.lines[1]["t_us"]}
    assert hand.rulings == [("correct_first", "whist 37-VI")]
    assert hand.state is DealState.HOLDING
    assert step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray.W, b=Tray.N),)
    step = hand.answer(Asked.MOVE_CARD, Tray.W, Tray.N, 1)
    assert (step.lines[0]["fact"], step.lines[0]["cards_moved"]) == ("corrected", 1)
    assert step.commit
    assert step.intents == step.acts == (FeedCard(command_id=118, k=19),)
    hand.deal_to(52)
    assert len(hand.rulings) == 1
    assert hand.dealer.notes.ending == Ending(status="completed", next_dealer=Seat.W)


def test_two_cards_in_a_row_are_put_right_as_two_together(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    hand.show(length_um=2 * 63_500)
    hand.see()
    hand.deliver()
    assert (hand.state, hand.faults()) == (DealState.HOLDING, [("chained_feed", 1)])
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray.W, b=Tray.N),)


@pytest.mark.parametrize(
    ("measures", "code"),
    [
        ({"length_um": 66_000}, "skew"),
        ({"travel_um": 51_000}, "sensor_late"),
        ({"length_um": 66_000, "travel_um": 51_000}, "slip"),
        ({"length_um": 40_000}, "short_card"),
    ],
)
def test_a_card_that_comes_badly_is_dealt_and_that_is_written_down(
    measures: dict[str, int], code: str, by_hand: HandMaker
) -> None:
    hand = by_hand().begin().deal_to(2)
    hand.show(**measures)
    hand.see()
    hand.deliver()
    assert (hand.state, hand.faults(), hand.dealer.notes.dealt) == (DealState.FEEDING, [(code, 3)], 3)
    damaged = [line["card"] for line in hand.facts("card_damaged")]
    assert damaged == ([str(CARDS[2])] if code == "short_card" else [])


def test_the_sensors_are_read_by_the_card_size_of_the_machine(by_hand: HandMaker) -> None:
    hand = by_hand()
    hand.dealer.card = CardSize(thickness_um=350, length_um=88_000, travel_um=48_250, entry_um=10_000, stand_um=90_000)
    hand.begin()
    hand.show(thickness_um=500, length_um=88_000)
    hand.see()
    assert hand.faults() == []


def test_the_sensors_doubt_is_stronger_than_a_card_read(by_hand: HandMaker) -> None:
    """One of two cards lies so well over the other that the camera reads it."""
    hand = by_hand().begin()
    hand.show(thickness_um=600)
    hand.see(CARDS[0])
    hand.deliver()
    assert hand.faults() == [("double_feed", 1)]
    assert hand.dealer.notes.unread == 1, "the other was not seen"


@pytest.mark.parametrize("at", [51, 52])
def test_two_cards_that_take_the_last_with_them_void_the_deal(at: int, by_hand: HandMaker) -> None:
    """Whist 37-II: the last card must be turned; at 52 the pack has a card too many, or the sensor errs."""
    hand = by_hand().begin().deal_to(at - 1)
    hand.show(thickness_um=600)
    step = hand.see(State.TWO_CARDS)
    assert step.intents == (RouteCard(command_id=100 + at, k=at, tray=Tray.REJECT),)
    hand.deliver()
    assert hand.state is DealState.ENDED
    assert hand.faults() == [("double_feed_at_end", at)]
    assert hand.facts("dealt")[-1]["k"] == at - 1, "what lies in the reject tray was dealt to nobody"
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="double_feed_at_end")


def test_two_cards_before_the_last_two_are_cured(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(49)
    hand.double()
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray.N, b=Tray.E),)
    hand.answer(Asked.MOVE_CARD, c=1)
    assert hand.fed().k == 52
    hand.card()
    assert hand.facts("turned")[0]["card"] == str(CARDS[51])


@pytest.mark.parametrize(
    ("code", "law", "status"),
    [
        ("whist", "whist 37-VI", "misdeal"),
        ("euchre", "euchre 14b", "misdeal"),
        ("bridge", "bridge N1e", "new_deal"),
        ("auction", "auction 37e", "new_deal"),
    ],
)
def test_where_the_house_has_no_cure_by_hand_two_cards_are_ruled_on_at_once(
    code: str, law: str, status: str, by_hand: HandMaker
) -> None:
    hand = by_hand().begin(code=code, pattern="2-3" if code == "euchre" else "", hand_cure=False).deal_to(1)
    hand.double()
    assert hand.facts("dealt")[-1]["count"] == 2
    assert [(line["law"], line["policy"], line["dealer"]) for line in hand.lines if "ruling" in line] == [
        (law, "hand_cure", "S")
    ]
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (hand.state, ending.status, ending.next_dealer) == (DealState.ENDED, status, Seat.S)


def test_where_the_house_has_no_cure_by_hand_two_cards_for_one_player_are_none_too_many(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="euchre", pattern="2-3", hand_cure=False)
    hand.double()
    hand.deal_to(32)
    assert (hand.rulings, hand.lines[-1]) == ([], {"fact": "deal_completed"})


def test_an_answer_that_nothing_was_moved_puts_nothing_right(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(16)
    hand.double()
    hand.answer(Asked.MOVE_CARD, Tray.W, Tray.N, 0)
    assert hand.facts("corrected") == []
    assert hand.faults()[-1] == ("not_put_right", 18)
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="not_put_right")
    assert hand.state is DealState.ENDED


def test_more_than_one_card_moved_is_no_cure(by_hand: HandMaker) -> None:
    """Whist 37-VI allows the moving of one card; the machine's double feed is not the dealer's, so he deals again."""
    hand = by_hand().begin().deal_to(16)
    hand.double()
    hand.answer(Asked.MOVE_CARD, Tray.W, Tray.N, 2)
    assert hand.rulings == [("correct_first", "whist 37-VI"), ("misdeal", "whist 37-VI")]
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, hand.state) == ("misdeal", Seat.S, DealState.ENDED)


def test_two_cards_that_only_the_camera_sees_void_the_deal(by_hand: HandMaker) -> None:
    """The stronger doubt wins."""
    hand = by_hand().begin().deal_to(9)
    hand.show()
    step = hand.see(State.TWO_CARDS)
    assert step.intents == (RouteCard(command_id=110, k=10, tray=Tray.REJECT),)
    hand.deliver()
    assert hand.faults() == [("two_cards_seen", 10)]
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="two_cards_seen")


# --- a card in another tray ---


def test_a_card_to_the_wrong_seat_is_put_right_before_the_next(by_hand: HandMaker) -> None:
    """Whist 37-I with the house setting single_card_cure: card 3 is East's and fell to South."""
    hand = by_hand().begin().deal_to(2)
    hand.card(tray=Tray.S)
    assert hand.rulings == [("correct_first", "whist 37-I")]
    assert hand.faults() == [("wrong_seat", 3)]
    assert hand.facts("dealt")[-1]["to"] == "S", "the record says where the card fell, not where it was sent"
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray.S, b=Tray.E),)
    step = hand.answer(Asked.MOVE_CARD, Tray.S, Tray.E, 1)
    assert step.intents == step.acts == (FeedCard(command_id=104, k=4),), "the id that was intended before"
    hand.deal_to(52)
    assert hand.dealer.notes.ending == Ending(status="completed", next_dealer=Seat.W)


def test_a_second_card_to_the_same_seat_is_two_cards_to_one_hand(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(2)
    hand.card(tray=Tray.N)
    assert hand.rulings == [("correct_first", "whist 37-VI")]
    assert hand.step.acts == (AskPeople(asked=Asked.MOVE_CARD, a=Tray.N, b=Tray.E),)


def test_two_cards_to_a_seat_that_should_have_neither_are_a_misdeal_of_the_machines(by_hand: HandMaker) -> None:
    """Whist 37-VI allows the moving of one card; the machine is not the dealer, so he deals again."""
    hand = by_hand().begin().deal_to(4)
    hand.show(thickness_um=600)
    hand.see(State.TWO_CARDS)
    hand.deliver(Tray.S)
    assert hand.faults() == [("double_feed", 5), ("wrong_seat", 6)]
    assert hand.rulings == [("misdeal", "whist 37-VI")]
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, hand.state) == ("misdeal", Seat.S, DealState.ENDED)


@pytest.mark.parametrize("tray", [Tray.REJECT, Tray.TRUMP])
def test_a_card_in_a_tray_that_is_no_players_voids_the_deal(tray: Tray, by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(6)
    hand.card(tray=tray)
    assert hand.faults() == [("wrong_tray", 7)]
    assert hand.facts("routed")[-1]["to"] == tray.name.lower()
    assert hand.facts("dealt")[-1]["k"] == 6
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="wrong_tray")


def test_a_last_card_that_falls_to_no_player_voids_the_deal(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.card(tray=Tray.REJECT)
    assert hand.faults() == [("wrong_tray", 52)]
    assert (hand.facts("turned"), hand.facts("deal_completed")) == ([], [])


@pytest.mark.parametrize(("tray", "law"), [(Tray.N, "whist 37-III"), (Tray.S, "whist 37-II")])
@pytest.mark.parametrize(("house", "lost"), [("same_dealer", False), ("as_dealer", True)])
def test_a_last_card_that_lies_face_down_on_a_packet_is_a_misdeal_of_the_machines(
    house: str, lost: bool, tray: Tray, law: str, by_hand: HandMaker
) -> None:
    """The trump card must come to the dealer, face up; only on the trump spot it is turned over."""
    hand = by_hand().begin(machine_fault=house).deal_to(51)
    hand.card(tray=tray)
    assert hand.faults() == [("wrong_tray", 52)]
    assert [line["on"] for line in hand.facts("laid_face_down")] == [tray.name]
    assert (hand.facts("turned"), hand.facts("deal_completed")) == ([], [])
    (ruling,) = (line for line in hand.lines if "ruling" in line)
    assert (ruling["law"], ruling["lost"], ruling["policy"]) == (law, lost, "machine_fault")
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer) == ("misdeal", Seat.W if lost else Seat.S)
    assert ledger(hand.lines).cards[51].place == tray.name
    assert replay(hand.lines) == ()


# --- what the eye says ---


@pytest.mark.parametrize("k", [1, 17, 51])
def test_a_faced_card_is_a_new_deal_by_the_same_dealer(k: int, by_hand: HandMaker) -> None:
    """Whist 29-II, S20."""
    hand = by_hand().begin().deal_to(k - 1)
    hand.show()
    step = hand.see(State.FACE_NOT_SEEN)
    assert hand.rulings == [("new_deal", "whist 29-II")]
    assert step.intents == (RouteCard(command_id=100 + k, k=k, tray=Tray.REJECT),), "the next card is not fed"
    hand.deliver()
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, ending.law) == ("new_deal", Seat.S, "whist 29-II")
    assert (hand.state, hand.facts("voided")) == (DealState.ENDED, [])


# --- the last card, where the camera does not name it ---


@pytest.mark.parametrize("seen", [State.FACE_NOT_SEEN, State.NOT_SURE, State.PARTIAL])
def test_people_name_the_last_card_where_the_camera_does_not(seen: State, by_hand: HandMaker) -> None:
    """It lies face up before them; it is never concluded from the others, for an unread card proves nothing.

    Whist 29-II excepts the last card. A faced one falls face up to the dealer as it is; to the trump spot it would be
    turned face down.
    """
    hand = by_hand(Seat.E).begin().deal_to(51)
    hand.show()
    tray = Tray.E if seen is State.FACE_NOT_SEEN else Tray.TRUMP
    assert hand.see(seen).intents == (RouteCard(command_id=152, k=52, tray=tray),)
    step = hand.deliver()
    assert (step.commit, step.acts) == (True, (AskPeople(asked=Asked.NAME_CARD, a=tray),))
    assert (hand.state, hand.facts("turned")) == (DealState.HOLDING, [])
    hand.answer(Asked.NAME_CARD, 51)
    assert hand.facts("director")[0]["value"] == str(CARDS[51])
    assert hand.facts("turned") == [{"fact": "turned", "to": "E", "card": str(CARDS[51])}]
    assert hand.rulings == []
    assert hand.dealer.notes.ending == Ending(status="completed", next_dealer=Seat.S)


def test_the_last_card_may_be_any_that_was_not_read(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(20)
    hand.card(State.NOT_SURE)
    hand.deal_to(51)
    hand.card(State.FACE_NOT_SEEN)
    hand.answer(Asked.NAME_CARD, 20)
    assert hand.facts("turned")[0]["card"] == str(CARDS[20]), "people say what lies there, not what should"


@pytest.mark.parametrize(
    ("named", "value", "proof"),
    [
        (3, str(CARDS[3]), {"duplicate": [str(CARDS[3])]}),
        (NO_CARD, "none of the pack", {}),
        (52, "none of the pack", {}),
    ],
)
def test_a_last_card_that_cannot_be_proves_the_pack_imperfect(
    named: int, value: str, proof: dict[str, list[str]], by_hand: HandMaker
) -> None:
    """Whist 29-I."""
    hand = by_hand().begin().deal_to(51)
    hand.card(State.FACE_NOT_SEEN)
    hand.answer(Asked.NAME_CARD, named)
    assert hand.facts("director")[0]["value"] == value
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect"} | proof]
    assert hand.rulings == [("new_deal", "whist 29-I")]
    assert (hand.state, hand.facts("turned")) == (DealState.ENDED, [])


def test_while_the_last_card_is_asked_for_no_other_answer_is_heard(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.card(State.FACE_NOT_SEEN)
    assert EVENTS["move_card"](hand) == EVENTS["count_pack"](hand) == Step()
    assert hand.state is DealState.HOLDING


def test_a_question_is_there_only_where_something_is_wanted(by_hand: HandMaker) -> None:
    assert by_hand().begin().dealer.question() is None


# --- the pack ---


@pytest.mark.parametrize("k", [2, 40, 52])
def test_a_second_card_of_a_kind_proves_the_pack_imperfect(k: int, by_hand: HandMaker) -> None:
    """Whist 29-I, S24: a new deal by the same dealer; nothing is dealt on after a duplicate."""
    hand = by_hand().begin().deal_to(k - 1)
    hand.show()
    step = hand.see(CARDS[0])
    assert hand.facts("pack_proved") == [
        {"fact": "pack_proved", "state": "imperfect", "duplicate": [str(CARDS[0])]},
    ]
    assert hand.rulings == [("new_deal", "whist 29-I")]
    assert step.intents == (RouteCard(command_id=100 + k, k=k, tray=Tray.REJECT),)
    hand.deliver()
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer) == ("new_deal", Seat.S)


@pytest.mark.parametrize(("first", "again"), [(1, 2), (1, 40), (17, 52)])
def test_a_second_card_of_a_kind_puts_both_in_doubt(first: int, again: int, by_hand: HandMaker) -> None:
    """The earlier is as likely the one that was misread; neither reading counts any more."""
    hand = by_hand().begin().deal_to(again - 1)
    assert hand.dealer.notes.card_of(first) == CARDS[first - 1]
    hand.show()
    step = hand.see(CARDS[first - 1])
    assert hand.facts("doubted") == [{"fact": "doubted", "k": again, "earlier": first}]
    assert [line["fact"] for line in step.lines if "fact" in line] == ["seen", "doubted", "pack_proved"]
    assert (hand.dealer.notes.card_of(first), hand.dealer.notes.card_of(again)) == (None, None)
    assert hand.dealer.notes.doubted == ((first, again),)


def test_a_card_named_by_people_that_was_read_before_puts_both_in_doubt(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.card(State.FACE_NOT_SEEN)
    hand.answer(Asked.NAME_CARD, CARDS[3].number)
    assert hand.facts("doubted") == [{"fact": "doubted", "k": 52, "earlier": 4}]


def test_a_card_that_the_pack_does_not_have_proves_it_imperfect(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(7)
    hand.show()
    hand.see(Card.parse("J1"))
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect", "foreign": ["J1"]}]
    assert hand.rulings == [("new_deal", "whist 29-I")]


@pytest.mark.parametrize(
    ("read", "proof"), [(CARDS[0], {"duplicate": [str(CARDS[0])]}), (Card.parse("J1"), {"foreign": ["J1"]})]
)
def test_a_card_read_of_two_that_came_together_proves_the_pack_imperfect_as_one_alone(
    read: Card, proof: dict[str, list[str]], by_hand: HandMaker
) -> None:
    """Whist 29-I: how a card came says nothing of the pack."""
    hand = by_hand().begin().deal_to(10)
    hand.show(thickness_um=2 * 300)
    step = hand.see(read)
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect"} | proof]
    assert hand.rulings == [("new_deal", "whist 29-I")]
    assert step.intents == (RouteCard(command_id=111, k=11, tray=Tray.REJECT),)
    hand.deliver()
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer) == ("new_deal", Seat.S)


def test_a_hopper_that_is_empty_too_soon_has_the_pack_counted(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    step = hand.fault(FaultCode.HOPPER_EMPTY)
    assert hand.faults() == [("hopper_empty", 52)]
    assert (step.commit, step.acts) == (True, (AskPeople(asked=Asked.COUNT_PACK),))
    assert (hand.state, hand.facts("pack_proved")) == (DealState.HOLDING, [])


@pytest.mark.parametrize(("dealt", "counted"), [(51, 51), (40, 40)])
def test_a_short_count_names_the_missing_cards_where_every_other_was_read(
    dealt: int, counted: int, by_hand: HandMaker
) -> None:
    hand = by_hand().begin().deal_to(dealt)
    hand.fault(FaultCode.HOPPER_EMPTY)
    step = hand.answer(Asked.COUNT_PACK, counted)
    missing = [str(card) for card in CARDS[dealt:]]
    assert hand.facts("director")[0]["value"] == counted
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect", "missing": missing}]
    assert hand.rulings == [("new_deal", "whist 29-I")]
    assert (step.commit, hand.state, hand.facts("voided")) == (True, DealState.ENDED, [])
    ending = hand.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.next_dealer, ending.law) == ("new_deal", Seat.S, "whist 29-I")


def test_a_short_count_proves_the_pack_imperfect_and_names_no_card_where_that_is_not_known(by_hand: HandMaker) -> None:
    """An unread card is never proof that a certain card is missing."""
    hand = by_hand().begin().deal_to(30)
    hand.card(State.NOT_SURE)
    hand.deal_to(51)
    hand.fault(FaultCode.HOPPER_EMPTY)
    hand.answer(Asked.COUNT_PACK, 51)
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect"}]
    assert hand.rulings == [("new_deal", "whist 29-I")]


def test_a_count_that_fits_not_what_was_dealt_names_no_card(by_hand: HandMaker) -> None:
    """As where cards lie under the table: 40 were dealt, and 51 are there."""
    hand = by_hand().begin().deal_to(40)
    hand.fault(FaultCode.HOPPER_EMPTY)
    hand.answer(Asked.COUNT_PACK, 51)
    assert hand.facts("pack_proved") == [{"fact": "pack_proved", "state": "imperfect"}]


@pytest.mark.parametrize("dealt", [0, 40])
def test_a_whole_pack_is_proved_nothing_of_and_the_deal_is_void(dealt: int, by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(dealt)
    hand.fault(FaultCode.HOPPER_EMPTY)
    hand.answer(Asked.COUNT_PACK, 52)
    assert (hand.facts("pack_proved"), hand.rulings) == ([], [])
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="hopper_empty")
    assert (hand.state, hand.facts("voided")) == (DealState.ENDED, [{"fact": "voided", "by": "machine"}])


# --- cards that are not read ---


@pytest.mark.parametrize("doubt", DOUBTS)
@pytest.mark.parametrize("unread", [1, 2])
def test_one_or_two_unread_cards_are_dealt(unread: int, doubt: State, by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(10)
    for _ in range(unread):
        hand.card(doubt)
    hand.deal_to(52)
    assert len(hand.facts("dealt")) == 52
    assert hand.faults() == []
    assert hand.dealer.notes.ending == Ending(status="completed", next_dealer=Seat.W)
    assert [line["k"] for line in hand.facts("seen") if "card" not in line] == list(range(11, 11 + unread))


def test_a_third_unread_card_voids_the_deal(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    for _ in range(UNREAD_MAX):
        hand.card(State.NOT_SURE)
    hand.show()
    step = hand.see(State.PARTIAL)
    assert step.intents == (RouteCard(command_id=103, k=3, tray=Tray.REJECT),)
    hand.deliver()
    assert hand.faults() == [("eye_unsure", 3)]
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="eye_unsure")


def test_an_empty_window_where_a_card_should_stand_voids_the_deal(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(3)
    hand.show()
    step = hand.see(State.EMPTY)
    assert step.intents == (RouteCard(command_id=104, k=4, tray=Tray.REJECT),)
    hand.deliver()
    assert hand.faults() == [("window_empty", 4)]
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="window_empty")


# --- misfeeds ---


def test_a_misfeed_is_tried_again_under_a_new_command(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(8)
    step = hand.fault(FaultCode.MISFEED)
    assert step.commit
    assert step.intents == step.acts == (FeedCard(command_id=110, k=9),)
    assert (hand.faults(), hand.state) == ([("misfeed", 9)], DealState.FEEDING)
    hand.deal_to(52)
    assert hand.dealer.notes.ending == Ending(status="completed", next_dealer=Seat.W)


def test_two_misfeeds_of_one_card_are_lived_with(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(8)
    hand.fault(FaultCode.MISFEED)
    hand.fault(FaultCode.MISFEED)
    assert hand.fed() == FeedCard(command_id=111, k=9)
    hand.card()
    assert hand.facts("dealt")[-1]["k"] == 9


def test_the_third_misfeed_of_one_card_voids_the_deal(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(8)
    for _ in range(3):
        step = hand.fault(FaultCode.MISFEED)
    assert (step.intents, step.acts, step.commit) == ((), (), True)
    assert hand.faults() == [("misfeed", 9)] * 3
    assert hand.lines[-1] == {"fact": "voided", "by": "machine"}
    assert hand.dealer.notes.ending == Ending(status="voided", next_dealer=Seat.S, fault="misfeed")


def test_misfeeds_of_different_cards_do_not_add_up(by_hand: HandMaker) -> None:
    hand = by_hand().begin()
    for k in (1, 2, 3, 4):
        hand.fault(FaultCode.MISFEED)
        hand.deal_to(k)
    assert (hand.state, hand.dealer.notes.ending) == (DealState.FEEDING, None)
