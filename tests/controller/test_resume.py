"""After a break: the dealer is had back from the log in every state, and goes on without asking or moving twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from controller.acts import AskPeople, FeedCard, Intent, Line, RouteCard, ShelvePack, Step
from controller.deal_log import Act, DealLog
from controller.dealer import Dealer
from controller.entropy import seeded_entropy
from controller.errors import LogDamaged, NoSuchDeal, Unattended
from controller.resume import restore
from controller.seats import parse_word
from controller.states import DealState
from controller.table import Seat
from firmware_bridge.bridge import Bridge
from firmware_bridge.messages import Ask, Feed, Home, Request, Route, Taken
from firmware_bridge.words import Asked, Capability, FaultCode, Tray
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import forget_worlds, world_named
from tests.controller.conftest import SIZE
from vision.cards import Pack
from vision.sighting import Sighting, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.controller.conftest import AtMachine, ByHand, HandMaker, MachineMaker

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
    (_arrived, S.ROUTING, 104, 105, 4),
    (_arrived_and_lost, S.FEEDING, 105, 106, 5),
    (_misfed, S.FEEDING, 106, 107, 5),
    (_doubled, S.ROUTING, 105, 106, 5),
    (_rejected, S.ROUTING, 105, 106, 5),
    (_last_seen, S.ROUTING, 152, 153, 52),
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

What is not durable did not happen: the machine says it again. LOOKING is never durable, CUT only while a right is open,
and ENDED is closed.
"""


def had_back(recorder: Recorder) -> Dealer:
    return restore(recorder.log, recorder.deal, SIZE, able=recorder.hand.dealer.able, next_id=recorder.next_id)


def test_every_state_that_can_be_durable_is_had_back() -> None:
    assert {state for _, state, *_ in RESTORED} == set(DealState) - {S.LOOKING, S.CUT, S.ENDED}


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


@pytest.mark.parametrize("way", [_seen, _doubled, _rejected, _last_seen])
def test_a_card_on_its_way_keeps_its_tray(
    way: Callable[[ByHand], None], recorded: Callable[[], tuple[ByHand, Recorder]]
) -> None:
    hand, recorder = recorded()
    way(hand)
    dealer = had_back(recorder)
    assert (dealer.tray, dealer.doubled) == (hand.dealer.tray, hand.dealer.doubled)
    assert dealer.feed_intended == hand.dealer.feed_intended


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


def test_the_house_of_the_deal_is_had_back(recorded: Callable[[], tuple[ByHand, Recorder]]) -> None:
    hand, recorder = recorded()
    hand.begin(grace_s=2)
    assert had_back(recorder).notes.house_grace_us == 2_000_000


def test_a_closed_deal_is_not_gone_on_with(recorded: Callable[[], tuple[ByHand, Recorder]]) -> None:
    hand, recorder = recorded()
    _homing(hand)
    hand.home()
    with pytest.raises(NoSuchDeal):
        had_back(recorder)


# --- on a machine ---


class Death(BaseException):
    """The controller is gone at this moment."""


class RecordingBridge(Bridge):
    """A bridge that keeps what it was asked to command."""

    requests: list[Request]

    def command(self, request: Request) -> Taken:
        self.__dict__.setdefault("requests", []).append(request)
        return super().command(request)

    def sent(self, kind: type[Request]) -> list[Any]:
        return [request for request in self.__dict__.get("requests", []) if isinstance(request, kind)]


def die_at(machine: AtMachine, asked: Asked) -> None:
    """Begin a deal, and die right after the panel was told to ask this."""

    moment, word = WORDS.get(asked, (Asked.NOTHING, ""))

    def asking(act: AskPeople) -> None:
        if act.asked is asked:
            raise Death
        if act.asked is moment:
            dealing.say(parse_word(word, line=1))

    dealing = machine.dealing(asking=asking, code=CODES.get(asked, "whist"))
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
        raise AssertionError("the panel never asked")
    dealing.bridge._drop()


FAULTS = {
    Asked.LOAD_PACK: "",
    Asked.CUT: "",
    Asked.MOVE_CARD: 'kind = "double_feed"\nat = 3',
    Asked.CLEAR_PATH: 'kind = "jam"\nat = 3\nwhere = "exit"',
    Asked.NAME_CARD: 'kind = "faced_card"\nat = 52',
    Asked.COUNT_PACK: 'kind = "missing_card"\ncard = "7C"',
    Asked.RESHUFFLE: "",
    Asked.DECIDE: "",
}
"""A fault that makes the panel ask this."""

WORDS = {
    Asked.RESHUFFLE: (Asked.CUT, "S report cut_exposed"),
    Asked.DECIDE: (Asked.CUT, "5 W report exposed_on nobody_known"),
}
"""What a seat says, and at which question, to make the panel ask this."""

CODES = {Asked.RESHUFFLE: "euchre"}

ENDINGS = {Asked.CLEAR_PATH: "voided", Asked.COUNT_PACK: "new_deal"}
ABSENCE_US = {"at once": 0, "answered meanwhile": 1_900_000, "latched meanwhile": 30_000_000}
"""How long nobody is there; after two seconds the machine has latched, since it heard nothing."""


def scenario(asked: Asked) -> str:
    fault = FAULTS[asked]
    people = "".join(f"{what}_ms = 1_000\n" for what in ("load", "move", "clear", "name", "count", "shuffle", "decide"))
    people += "cut_ms = 300\n"  # the cut tray takes its time besides
    return f"[people]\n{people}[[deal]]\ncut = 26\n" + (f"[[deal.fault]]\n{fault}\n" if fault else "")


def test_every_question_is_died_at() -> None:
    """A tray that is put back twice lies where it lay: `test_a_tray_is_put_back` asks for it as often as it is off."""
    assert set(FAULTS) == set(Asked) - {Asked.NOTHING, Asked.REPLACE_TRAY}


@pytest.mark.parametrize("absence", ABSENCE_US)
@pytest.mark.parametrize("asked", FAULTS, ids=lambda asked: asked.name)
def test_no_question_is_asked_twice(asked: Asked, absence: str, at_machine: MachineMaker) -> None:
    """A card must not be moved twice, nor the pack be cut once dealing has begun."""
    machine = at_machine(scenario(asked))
    die_at(machine, asked)
    machine.world.clock.run_until(machine.world.clock.now_us() + ABSENCE_US[absence])
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert asked not in [ask.asked for ask in bridge.sent(Ask)]
    assert outcome.ending.status == ENDINGS.get(asked, "completed")
    cutting = asked is Asked.CUT and absence == "answered meanwhile"  # the pack comes back when it has been weighed
    still_open = absence == "at once" or cutting
    assert (asked in machine.asked) == still_open, "a question that is still open is told once more"
    assert machine.world.deal == 1, "one pack was laid in"


@pytest.mark.parametrize("asked", [Asked.LOAD_PACK, Asked.CLEAR_PATH, Asked.NAME_CARD], ids=lambda a: a.name)
def test_a_machine_that_forgot_its_question_asks_again(asked: Asked, at_machine: MachineMaker) -> None:
    machine = at_machine(scenario(asked))
    die_at(machine, asked)
    restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert [ask.asked for ask in bridge.sent(Ask)].count(asked) == 1
    assert outcome.ending.status == ENDINGS.get(asked, "completed")


@pytest.mark.parametrize("asked", [Asked.LOAD_PACK, Asked.CUT], ids=lambda asked: asked.name)
def test_a_deal_that_goes_on_at_a_machine_without_its_pack_has_it_laid_in_anew(
    asked: Asked, at_machine: MachineMaker
) -> None:
    """As with a simulated machine, whose world ends with its process; people may have emptied a real one."""
    machine = at_machine()
    die_at(machine, asked)
    forget_worlds()
    Bridge.open(machine.url).close()
    machine.world = world_named(machine.world.name)
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert outcome.ending.status == "completed"
    assert machine.faults(outcome.deal) == (["pack_gone"] if asked is Asked.CUT else [])
    assert machine.world.deal == 1


@pytest.mark.parametrize("absence", ABSENCE_US)
def test_a_tray_is_put_back_where_the_controller_died_asking_for_it(absence: str, at_machine: MachineMaker) -> None:
    """Put back meanwhile, it is not asked for any more; what is left is the key, or the path to be cleared."""
    lifted = '[[deal.act]]\nwhat = "lift_tray"\nseat = "N"\nat = 3\nphase = "shown"\n'
    key = '[[deal.act]]\nwhat = "key"\nat = 3\nphase = "shown"\nafter_ms = 40_000\n'
    machine = at_machine(f"[people]\nreplace_ms = 1_000\n[[deal]]\n{lifted}{key}")
    machine.people_us = 60_000_000
    die_at(machine, Asked.REPLACE_TRAY)
    machine.world.clock.run_until(machine.world.clock.now_us() + ABSENCE_US[absence])
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert outcome.ending.status == "completed"
    assert [ask.asked for ask in bridge.sent(Ask)].count(Asked.REPLACE_TRAY) == (absence == "at once")
    assert machine.faults() == ["tray_lifted"]


def restart(machine: AtMachine) -> None:
    """Take the machine's power away and let it come up again."""
    from firmware_bridge.words import ResetCause

    machine.world._firmware.reset(ResetCause.POWER_ON)
    machine.world.clock.run_until(machine.world.clock.now_us() + 3_000_000)


def test_nobody_knows_whether_a_card_was_moved_where_the_machine_has_restarted(at_machine: MachineMaker) -> None:
    machine = at_machine(scenario(Asked.MOVE_CARD))
    die_at(machine, Asked.MOVE_CARD)
    restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "machine_reset")
    assert [ask.asked for ask in bridge.sent(Ask)] == [Asked.CLEAR_PATH]


def test_a_deal_cut_off_before_its_first_card_goes_on_under_the_machines_next_id(at_machine: MachineMaker) -> None:
    """The log intends no feed yet; the machine has had the 52 of the deal before."""
    machine = at_machine()
    dealing = machine.dealing()
    deals = dealing.deals(2, Seat.S)
    next(deals)
    dealing.bridge._drop()
    die_at(machine, Asked.LOAD_PACK)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.deal, outcome.ending.status) == (2, "completed")
    assert bridge.sent(Feed)[0] == Feed(53)


def test_a_halt_is_latched_beyond_the_death_of_the_controller(at_machine: MachineMaker) -> None:
    """Halted before the first card: nobody cut the pack, and nobody clears the path."""
    machine = at_machine('[people]\nsilent = ["cut", "clear_path"]\n[[deal]]\n')
    for _ in range(2):
        bridge = RecordingBridge.open(machine.url)
        with pytest.raises(Unattended):
            next(machine.dealing(bridge=bridge, people_us=3_000_000).deals(1, Seat.S))
        bridge._drop()
    assert [ask.asked for ask in bridge.sent(Ask)] in ([], [Asked.CLEAR_PATH])
    assert not bridge.sent(Feed) + bridge.sent(Route) + bridge.sent(Home)


def test_two_cards_delivered_just_before_a_restart_are_put_right(at_machine: MachineMaker) -> None:
    """The journal knows them as delivered, and the question was never asked."""
    double, reset = 'kind = "double_feed"\nat = 8', 'kind = "reset"\nat = 8\nphase = "done"'
    machine = at_machine(f"[[deal]]\n[[deal.fault]]\n{double}\n[[deal.fault]]\n{reset}\n")
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert outcome.ending.status == "completed"
    assert machine.faults() == ["double_feed", "machine_restarted"]
    assert machine.asked.count(Asked.MOVE_CARD) == 1


def test_a_machine_that_forgot_the_card_under_way_halts_the_deal(at_machine: MachineMaker) -> None:
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 8\nphase = "intent"\nafter_ms = 60\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "machine_reset")
    assert machine.faults() == ["machine_restarted", "machine_reset"]
    assert machine.asked[-1] is Asked.CLEAR_PATH
    assert machine.passages() == 8, "the card is not fed again"


def test_a_window_that_went_dark_because_the_machine_restarted_is_not_called_empty(at_machine: MachineMaker) -> None:
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 8\nphase = "shown"\nafter_ms = 5\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert machine.faults() == ["machine_restarted", "machine_reset"]
    assert outcome.ending.fault == "machine_reset"


def test_a_machine_that_cannot_be_homed_after_a_restart_halts_the_deal(
    at_machine: MachineMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.resume.home", lambda bridge, keep: False)
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 12\nphase = "done"\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "path_not_empty")
    assert machine.asked[-1] is Asked.CLEAR_PATH


def test_a_path_that_is_not_empty_before_the_first_card_has_the_pack_laid_in_anew(at_machine: MachineMaker) -> None:
    dirt = 'kind = "sensor_stuck"\nsensor = "exit"\nlevel = 1\nat = 1'
    machine = at_machine(f"[people]\ncut_ms = 9_000\n[[deal]]\n[[deal.fault]]\n{dirt}\n")
    die_at(machine, Asked.CUT)
    restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("completed", "")
    assert machine.faults() == ["path_not_empty"]
    assert len(bridge.sent(Feed)) == 52


def test_a_halt_that_was_acknowledged_is_homed_after_a_death(at_machine: MachineMaker) -> None:
    machine = at_machine(scenario(Asked.CLEAR_PATH))

    def tell(line: Line) -> None:
        if line["fact"] == "acknowledged":
            raise Death

    dealing = machine.dealing(tell=tell)
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    dealing.bridge._drop()
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "jam_exit")
    assert (bridge.sent(Ask), bridge.sent(Home)) == ([], [Home()])


class LastWords(RecordingBridge):
    """Dies as soon as the machine has taken the fifth feed."""

    def command(self, request: Request) -> Taken:
        taken = super().command(request)
        if request == Feed(5):
            raise Death
        return taken


def test_a_misfeed_that_only_the_journal_knows_is_booked_and_tried_again(at_machine: MachineMaker) -> None:
    """Controller and machine both died while the roller slipped; nothing left the hopper."""
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "misfeed"\nat = 5\n')
    bridge = LastWords.open(machine.url)
    with suppress(Death):
        next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    bridge._drop()
    machine.world.clock.run_until(machine.world.clock.now_us() + 1_500_000)
    restart(machine)
    again = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=again).deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults()) == ("completed", ["misfeed"])
    assert again.sent(Feed)[0] == Feed(6)
    assert machine.passages() == 52


class SleepyEye(TruthEye):
    """Does nothing for three seconds when it should look at card 5, as a suspended computer."""

    slept = False

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        if self._world.passage == 5 and not self.slept:
            self.slept = True
            clock = self._world.clock
            clock.run_until(clock.now_us() + 3_000_000)
            after_us, deadline_us = clock.now_us(), clock.now_us() + 500_000
        return super().look(after_us=after_us, deadline_us=deadline_us)


def test_a_machine_that_heard_nothing_for_too_long_is_gone_on_with(at_machine: MachineMaker) -> None:
    """Decision 0007: only the conversation failed, so log and journal are compared and the deal goes on."""
    machine = at_machine()
    outcome = next(machine.dealing(eye=SleepyEye(machine.world)).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert machine.faults() == ["heartbeat_lost"]
    assert len(machine.facts(1, "resumed")) == 1
    assert machine.passages() == 52


@pytest.mark.parametrize("lines", [5, 30, 100, 150])
def test_no_card_is_fed_twice_over_a_death(lines: int, at_machine: MachineMaker) -> None:
    machine = at_machine()
    told: list[Line] = []

    def tell(line: Line) -> None:
        told.append(line)
        if len(told) == lines:
            raise Death

    dealing = machine.dealing(tell=tell)
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    dealing.bridge._drop()
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert machine.passages() == 52
    lines_on_record = machine.log.lines(1)
    assert told == lines_on_record[: len(told)], "no line that was told is lost"
