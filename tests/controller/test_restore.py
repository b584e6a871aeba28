"""A dealer is had back from the log in every state, as if nothing had happened to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from controller.acts import AskPeople, FeedCard, Intent, Line, RouteCard, ShelvePack, Step
from controller.deal_log import Act, DealLog
from controller.dealer import Dealer
from controller.entropy import seeded_entropy
from controller.errors import LogDamaged, NoSuchDeal
from controller.restore import restore
from controller.states import DealState
from controller.table import Seat
from controller.table_eye import FaceSeen
from firmware_bridge.events import Delivered
from firmware_bridge.words import Asked, Capability, FaultCode, Tray
from tests.controller.conftest import SIZE
from vision.cards import Pack
from vision.sighting import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.controller.conftest import ByHand, HandMaker

CARDS = Pack.of(52).cards
NEXT_ID = 900
"""The id of the next feed as the machine has it, where the log intends none."""


OPENING: list[Line] = [{"fact": "deal_opened", "code": "whist", "dealer": "S"}]


@pytest.mark.parametrize(
    ("lines", "tray", "said"),
    [
        ([*OPENING, {"fact": "dealt", "to": "W", "k": 99}], "W", "cannot be gone on with .line 2"),
        ([*OPENING, {"fact": "zz"}], "W", "cannot be gone on with .line 2"),
        ([*OPENING, {"ruling": "new_deal", "law": "whist 37-I", "on": 1}], "W", "cannot be gone on with .line"),
        ([OPENING[0] | {"dealer": "Q"}], "W", "cannot be gone on with"),
        ([OPENING[0] | {"code": "snap"}], "W", "cannot be gone on with"),
        (OPENING, "Q", "was sent to 'Q', which is no tray"),
    ],
    ids=["order", "fact", "ruling", "dealer", "code", "tray"],
)
def test_a_record_that_no_deal_can_have_is_damage_that_names_the_log(lines: list[Line], tray: str, said: str) -> None:
    with DealLog.open(None, key_file=None, entropy=seeded_entropy(1)) as log:
        deal = log.open_deal(lines)
        log.commit(deal, [], acts=[Act(command_id=1, kind="route", k=1, tray=tray, serial="S", boot_id=1)])
        with pytest.raises(LogDamaged, match=f":memory:: it is damaged: .*{said}.*Keep the file as evidence"):
            restore(log, deal, SIZE, able=Capability.NONE, next_id=NEXT_ID)


# --- the dealer from the log ---


@dataclass
class Recorder:
    """Puts what a deal by hand says into a log, as the runner does."""

    log: DealLog
    hand: ByHand
    deal: int = 0
    next_id: int = NEXT_ID
    lines: list[Line] = field(default_factory=list)

    def hear(self, step: Step) -> Step:
        """Take an answer of the dealer down, and make it durable if it says so."""
        self.hand.lines += step.lines
        self.hand.step = step
        self.lines += step.lines
        if step.commit:
            self._commit(step)
        for act in step.acts:
            if isinstance(act, FeedCard | ShelvePack):
                self.next_id = act.command_id + 1
        return step

    def _commit(self, step: Step) -> None:
        lines, self.lines = self.lines, []
        ending = self.hand.dealer.notes.ending
        if not self.deal:
            self.deal = self.log.open_deal(lines)
        elif self.hand.state is DealState.ENDED and ending is not None:
            self.log.close_deal(self.deal, lines, status=ending.status)
        else:
            self.log.commit(self.deal, lines, acts=[self._logged(intent) for intent in step.intents])

    def _logged(self, intent: Intent) -> Act:
        tray = intent.tray.name if isinstance(intent, RouteCard) else ""
        kind: Any = "shelve" if isinstance(intent, ShelvePack) else "route" if tray else "feed"
        k = intent.number if isinstance(intent, ShelvePack) else intent.k
        return Act(command_id=intent.command_id, kind=kind, k=k, tray=tray, serial="S", boot_id=1)


@pytest.fixture
def recorded(by_hand: HandMaker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], tuple[ByHand, Recorder]]]:
    """Return a function that makes a deal by hand and the log it is recorded in."""
    with DealLog.open(None, key_file=None, entropy=seeded_entropy(1)) as log:

        def make() -> tuple[ByHand, Recorder]:
            hand = by_hand()
            recorder = Recorder(log, hand)
            monkeypatch.setattr(hand, "hear", recorder.hear)
            hand.draw = lambda attempt: log.draw(recorder.deal, attempt)
            return hand, recorder

        yield make


def _shuffling(hand: ByHand) -> None:
    hand.dealer.able |= Capability.SHELVES
    hand.open()
    hand.load()
    hand.drawn()


def _second_pass(hand: ByHand) -> None:
    _shuffling(hand)
    hand.sort()


def _shuffle_failed(hand: ByHand) -> None:
    _shuffling(hand)
    hand.sort(cards=51)


def _shuffled_anew(hand: ByHand) -> None:
    _shuffle_failed(hand)
    hand.answer(Asked.CLEAR_PATH)
    hand.home()
    hand.load()
    hand.drawn()


def _laid_in_anew(hand: ByHand) -> None:
    _shuffle_failed(hand)
    hand.answer(Asked.CLEAR_PATH)
    hand.home()


def _reshuffled_by_hand(hand: ByHand) -> None:
    hand.begin_up_to_the_cut(code="euchre")
    hand.say("N report cut_exposed")
    hand.cut(10, 22)


def _right_open(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.show()
    hand.say("W report exposed_on s")
    hand.see()
    hand.deliver()


def _right_open_while_a_card_is_fed(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.say("W report exposed_on s")


def _complete_and_open(hand: ByHand) -> None:
    hand.dealer.able |= Capability.SEAT_BUTTONS
    hand.begin().deal_to(52)


def _open(hand: ByHand) -> None:
    hand.open()


def _loaded(hand: ByHand) -> None:
    hand.open()
    hand.load()


def _cut_reported(hand: ByHand) -> None:
    _loaded(hand)
    hand.say("N report cut_exposed")


def _unweighed(hand: ByHand) -> None:
    hand.dealer.able &= ~Capability.CUT_TRAY
    _loaded(hand)


def _unweighed_and_bad(hand: ByHand) -> None:
    _unweighed(hand)
    hand.say("N report cut_confused")
    hand.cut(0, 0)


def _unweighed_and_a_right_open(hand: ByHand) -> None:
    _unweighed(hand)
    hand.say("E report exposed_on s")
    hand.cut(0, 0)


def _told_by_a_seat(hand: ByHand) -> None:
    hand.begin(code="euchre").deal_to(4)
    hand.say("W report exposed_on s")


def _badly_cut(hand: ByHand) -> None:
    _loaded(hand)
    hand.cut(2, 50)


def _begun(hand: ByHand) -> None:
    hand.begin()


def _first_shown(hand: ByHand) -> None:
    hand.begin()
    hand.show()


def _seen(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.show()
    hand.see()


def _seen_while_a_right_was_open(hand: ByHand) -> None:
    """No feed is on record behind this card, though nothing holds the deal any more."""
    _right_open_while_a_card_is_fed(hand)
    hand.show()
    hand.see()
    hand.say("W waive")
    hand.say("E waive")


def _seen_before_a_right_opened(hand: ByHand) -> None:
    """The next feed is on record, and not sent, since the deal waits."""
    _seen(hand)
    hand.say("W report exposed_on s")


def _arrived(hand: ByHand) -> None:
    hand.begin().deal_to(4)


def _arrived_and_lost(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.hear(hand.dealer.interrupted("no_answer"))


def _misfed(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.fault(FaultCode.MISFEED)


def _doubled(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.show(thickness_um=600)
    hand.see(State.TWO_CARDS)


def _rejected(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.show()
    hand.see(State.FACE_NOT_SEEN)


def _last_seen(hand: ByHand) -> None:
    hand.begin().deal_to(51)
    hand.show()
    hand.see()


def _last_arrived_and_lost(hand: ByHand) -> None:
    """Nobody has looked into the hopper behind the last card."""
    _last_seen(hand)
    dealer = hand.dealer
    hand.hear(dealer.delivered(Delivered(1, 0, dealer.command_id, 9_000_000, dealer.tray, 1)))
    hand.hear(dealer.interrupted("link_lost"))


def _holding_two(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.double()


def _holding_wrong_seat(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.card(tray=Tray.E)


def _put_right(hand: ByHand) -> None:
    _holding_wrong_seat(hand)
    hand.answer(Asked.MOVE_CARD, Tray.E, Tray.W, 1)


def _naming(hand: ByHand) -> None:
    hand.begin().deal_to(51)
    hand.card(State.FACE_NOT_SEEN)


def _counting(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.fault(FaultCode.HOPPER_EMPTY)


def _halted(hand: ByHand) -> None:
    hand.begin().deal_to(4)
    hand.fault(FaultCode.JAM_ENTRY)


def _halted_before_the_first(hand: ByHand) -> None:
    _loaded(hand)
    hand.hear(hand.dealer.halt("people_silent"))


def _homing(hand: ByHand) -> None:
    _halted(hand)
    hand.answer(Asked.CLEAR_PATH, c=1)


S = DealState

RESTORED: list[tuple[Callable[[ByHand], None], DealState, int, int, int]] = [
    (_open, S.AWAITING_PACK, 0, NEXT_ID, 0),
    (_loaded, S.AWAITING_CUT, 0, NEXT_ID, 0),
    (_badly_cut, S.AWAITING_CUT, 0, NEXT_ID, 0),
    (_cut_reported, S.AWAITING_CUT, 0, NEXT_ID, 0),
    (_unweighed_and_bad, S.AWAITING_CUT, 0, NEXT_ID, 0),
    (_unweighed_and_a_right_open, S.CUT, 0, NEXT_ID, 0),
    (_shuffling, S.SHUFFLING, 101, 102, 0),
    (_second_pass, S.SHUFFLING, 102, 103, 0),
    (_shuffle_failed, S.HALTED, 0, 102, 0),
    (_laid_in_anew, S.AWAITING_PACK, 0, 102, 0),
    (_shuffled_anew, S.SHUFFLING, 102, 103, 0),
    (_reshuffled_by_hand, S.AWAITING_PACK, 0, NEXT_ID, 0),
    (_right_open, S.HOLDING, 105, 106, 5),
    (_right_open_while_a_card_is_fed, S.FEEDING, 105, 106, 5),
    (_complete_and_open, S.HOLDING, 152, 153, 52),
    (_begun, S.FEEDING, 101, 102, 1),
    (_first_shown, S.FEEDING, 101, 102, 1),
    (_seen, S.ROUTING, 105, 106, 5),
    (_seen_while_a_right_was_open, S.ROUTING, 105, 106, 5),
    (_seen_before_a_right_opened, S.ROUTING, 105, 106, 5),
    (_arrived, S.ROUTING, 104, 105, 4),
    (_arrived_and_lost, S.FEEDING, 105, 106, 5),
    (_misfed, S.FEEDING, 106, 107, 5),
    (_doubled, S.ROUTING, 105, 106, 5),
    (_rejected, S.ROUTING, 105, 106, 5),
    (_last_seen, S.ROUTING, 152, 153, 52),
    (_last_arrived_and_lost, S.ROUTING, 152, 153, 52),
    (_holding_two, S.HOLDING, 105, 106, 6),
    (_holding_wrong_seat, S.HOLDING, 105, 106, 5),
    (_put_right, S.FEEDING, 106, 107, 6),
    (_naming, S.HOLDING, 152, 153, 52),
    (_counting, S.HOLDING, 105, 106, 5),
    (_halted, S.HALTED, 105, 106, 5),
    (_halted_before_the_first, S.HALTED, 0, NEXT_ID, 0),
    (_homing, S.HOMING, 105, 106, 5),
]
"""How a deal was cut off; the state, command, next id and card it is had back with.

What is not durable did not happen: the machine says it again. LOOKING is never durable, and ENDED is closed.
"""


def had_back(recorder: Recorder) -> Dealer:
    return restore(recorder.log, recorder.deal, SIZE, able=recorder.hand.dealer.able, next_id=recorder.next_id)


def test_every_state_that_can_be_durable_is_had_back() -> None:
    assert {state for _, state, *_ in RESTORED} == set(DealState) - {S.LOOKING, S.ENDED}


@pytest.mark.parametrize(
    ("way", "state", "command", "next_id", "k"), RESTORED, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_dealer_is_had_back_from_the_log(
    way: Callable[[ByHand], None],
    state: DealState,
    command: int,
    next_id: int,
    k: int,
    recorded: Callable[[], tuple[ByHand, Recorder]],
) -> None:
    hand, recorder = recorded()
    way(hand)
    dealer = had_back(recorder)
    assert dealer.machine.state is state
    assert (dealer.command_id, dealer.next_id, dealer.k) == (command, next_id, k)
    assert dealer.notes.dealer is Seat.S
    assert dealer.notes.take_lines() == [], "nothing is written twice"


@pytest.mark.parametrize(
    "way",
    [_seen, _seen_while_a_right_was_open, _seen_before_a_right_opened, _doubled, _rejected, _last_seen],
)
def test_a_card_on_its_way_keeps_its_tray(
    way: Callable[[ByHand], None], recorded: Callable[[], tuple[ByHand, Recorder]]
) -> None:
    hand, recorder = recorded()
    way(hand)
    dealer = had_back(recorder)
    assert (dealer.tray, dealer.doubled) == (hand.dealer.tray, hand.dealer.doubled)
    assert dealer.next_on_record == hand.dealer.next_on_record


@pytest.mark.parametrize("way", [_begun, _misfed, _seen, _holding_two, _holding_wrong_seat, _put_right, _doubled])
def test_a_deal_that_was_had_back_comes_out_the_same(
    way: Callable[[ByHand], None], recorded: Callable[[], tuple[ByHand, Recorder]], by_hand: HandMaker
) -> None:
    hand, recorder = recorded()
    way(hand)
    again = by_hand()
    again.dealer = had_back(recorder)
    for deal in (hand, again):
        if deal.state is S.ROUTING:
            deal.deliver()
        if deal.state is S.HOLDING:
            deal.answer(Asked.MOVE_CARD, c=1)
        deal.deal_to(52)
    assert again.dealer.notes.ending == hand.dealer.notes.ending
    assert again.dealer.next_id == hand.dealer.next_id
    plain = [{key: value for key, value in line.items() if key != "t_us"} for line in hand.lines]
    tail = [{key: value for key, value in line.items() if key != "t_us"} for line in again.lines]
    assert tail == plain[-len(tail) :]


@pytest.mark.parametrize("way", [_holding_two, _holding_wrong_seat, _naming, _counting])
def test_a_deal_that_holds_asks_the_same_as_before(
    way: Callable[[ByHand], None], recorded: Callable[[], tuple[ByHand, Recorder]]
) -> None:
    hand, recorder = recorded()
    way(hand)
    (asked,) = (act for act in hand.step.acts if isinstance(act, AskPeople))
    assert had_back(recorder).question() == asked


@pytest.mark.parametrize("way", [_shuffling, _second_pass, _shuffled_anew])
def test_the_same_pass_is_had_back_from_the_deals_key(
    way: Callable[[ByHand], None], recorded: Callable[[], tuple[ByHand, Recorder]]
) -> None:
    hand, recorder = recorded()
    way(hand)
    assert had_back(recorder).shelf_pass() == hand.dealer.shelf_pass()


def test_what_was_said_of_a_cut_is_had_back(
    recorded: Callable[[], tuple[ByHand, Recorder]], by_hand: HandMaker
) -> None:
    """Whist 26: a card exposed in cutting is a fresh cut, whoever died meanwhile."""
    hand, recorder = recorded()
    _cut_reported(hand)
    again = by_hand()
    again.dealer = had_back(recorder)
    again.cut()
    assert again.facts("cut")[0]["exposed"] is True
    assert (again.rulings, again.state) == ([("fresh_cut", "whist 26")], S.AWAITING_CUT)


@pytest.mark.parametrize("way", [_unweighed_and_bad, _unweighed_and_a_right_open])
def test_a_cut_that_nobody_weighed_is_had_back(
    way: Callable[[ByHand], None], recorded: Callable[[], tuple[ByHand, Recorder]]
) -> None:
    hand, recorder = recorded()
    way(hand)
    dealer = had_back(recorder)
    assert (dealer.notes.fresh_cut, dealer.notes.cut_reports) == (way is _unweighed_and_bad, set())
    assert dealer.notes.entitled == hand.dealer.notes.entitled


def test_a_face_that_was_told_is_had_back_and_not_told_twice(
    recorded: Callable[[], tuple[ByHand, Recorder]], by_hand: HandMaker
) -> None:
    hand, recorder = recorded()
    _told_by_a_seat(hand)
    again = by_hand()
    again.dealer = had_back(recorder)
    face = FaceSeen(where="on", place="E", owner=Seat.E, card=None, at_us=1)
    step = again.dealer.said(face)
    assert step is not None
    assert [line["fact"] for line in step.lines] == ["exposure_confirmed"]


def test_the_house_of_the_deal_is_had_back(recorded: Callable[[], tuple[ByHand, Recorder]]) -> None:
    hand, recorder = recorded()
    hand.begin(hand_cure=False)
    assert not had_back(recorder).notes.hand_cure


def test_a_closed_deal_is_not_gone_on_with(recorded: Callable[[], tuple[ByHand, Recorder]]) -> None:
    hand, recorder = recorded()
    _homing(hand)
    hand.home()
    with pytest.raises(NoSuchDeal):
        had_back(recorder)
