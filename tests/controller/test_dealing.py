"""A run of deals: who deals next, what counts, when it gives up, and how it comes back to a machine that was lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from controller.acts import Line
from controller.dealing import RECOVERIES_MAX, REOPEN_S, REOPEN_WAIT_S, TELL_EVERY_S, TRIES_MAX, _misdeals, card_size
from controller.errors import Drained, TooManyTries, WrongMachine
from controller.house import SETTINGS, House
from controller.replay import replay
from controller.seats import parse_word
from controller.table import Seat
from controller.window_sensors import CardSize
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import LinkError, LinkLost, NoAnswer, RemoteProtocolError
from firmware_bridge.events import Event
from firmware_bridge.messages import Feed, Request, Route, StatusReply, Taken
from firmware_bridge.words import FaultCode, Tray
from hardware_sims.path import REFERENCE
from hardware_sims.truth_eye import TruthEye
from vision.errors import CameraLost
from vision.sighting import Sighting

if TYPE_CHECKING:
    from tests.controller.conftest import AtMachine, MachineMaker

FACED = '[[deal]]\n[[deal.fault]]\nkind = "faced_card"\nat = 2\n'
PLAIN = "[[deal]]\n"


class LooseCable(Bridge):
    """A bridge whose cable comes off when `loose` says so; then nothing passes any more.

    Attributes:
        loose: asked with each request and each event waited for.
    """

    loose: Callable[[Request | None], bool]
    off = False

    def command(self, request: Request) -> Taken:
        self._pass(request)
        return super().command(request)

    def status(self) -> StatusReply:
        self._pass(None)
        return super().status()

    def next_event(self, *, deadline_us: int) -> Event | None:
        self._pass(None)
        return super().next_event(deadline_us=deadline_us)

    def acknowledge(self, *events: Event) -> None:
        self._pass(None)
        super().acknowledge(*events)

    def _pass(self, request: Request | None) -> None:
        if self.off or (request is not None and self.loose(request)):
            self.off = self._lost = True
            raise LinkLost("sim://", "the cable is off")


def cable(machine: AtMachine, loose: Callable[[Any], bool]) -> LooseCable:
    bridge = LooseCable.open(machine.url)
    bridge.loose = loose
    return bridge


# --- deal after deal ---


def test_the_deal_passes_to_the_left(at_machine: MachineMaker) -> None:
    outcomes = list(at_machine().dealing().deals(3, Seat.S))
    assert [(outcome.deal, outcome.dealer) for outcome in outcomes] == [(1, Seat.S), (2, Seat.W), (3, Seat.N)]
    assert [outcome.ending.next_dealer for outcome in outcomes] == [Seat.W, Seat.N, Seat.E]
    assert {(outcome.cards, outcome.unread, outcome.ending.status) for outcome in outcomes} == {(52, 0, "completed")}


def test_a_deal_that_was_not_complete_does_not_count_and_the_same_player_deals_again(at_machine: MachineMaker) -> None:
    outcomes = list(at_machine(PLAIN + FACED + PLAIN).dealing().deals(2, Seat.S))
    assert [(outcome.ending.status, outcome.dealer) for outcome in outcomes] == [
        ("completed", Seat.S),
        ("new_deal", Seat.W),
        ("completed", Seat.W),
    ]


def test_five_deals_in_a_row_without_a_complete_one_end_the_run(at_machine: MachineMaker) -> None:
    machine = at_machine(FACED * 9)
    with pytest.raises(TooManyTries) as tired:
        list(machine.dealing().deals(1, Seat.S))
    assert tired.value.tries == TRIES_MAX == 5
    assert [deal.status for deal in machine.log.deals()] == ["new_deal"] * 5


def test_a_complete_deal_makes_good_for_those_before_it(at_machine: MachineMaker) -> None:
    machine = at_machine(FACED * 4 + PLAIN + FACED * 4 + PLAIN)
    assert len(list(machine.dealing().deals(2, Seat.S))) == 10


def test_a_deal_that_was_cut_off_is_gone_on_with_first_and_counts(at_machine: MachineMaker) -> None:
    machine = at_machine()

    class Death(BaseException):
        pass

    def tell(line: dict[str, Any]) -> None:
        if line.get("k") == 20:
            raise Death

    first = machine.dealing(tell=tell)
    with pytest.raises(Death):
        next(first.deals(1, Seat.N))
    first.bridge._drop()
    (outcome,) = machine.dealing().deals(1, Seat.S)
    assert (outcome.deal, outcome.dealer, outcome.ending.next_dealer) == (1, Seat.N, Seat.E), "the dealer of the record"
    assert outcome.cards == 52
    assert 0 < outcome.seconds_per_card < 1, "timed over what was dealt since"


def test_the_record_opens_with_code_dealer_and_what_it_carries(at_machine: MachineMaker) -> None:
    machine = at_machine()
    carried = ({"fact": "mode", "mode": "table"},)
    next(machine.dealing(carried=lambda bridge: carried).deals(1, Seat.W))
    opening = {"fact": "deal_opened", "code": "whist", "dealer": "W", "house": House().whole()}
    assert machine.log.lines(1)[:2] == [opening, *carried]
    assert set(opening["house"]) == {setting.key for setting in SETTINGS}


def test_the_record_counts_the_misdeals_of_this_dealer_just_before(at_machine: MachineMaker) -> None:
    """Modern euchre 3: in a house the second misdeal in a row may cost the deal, so the record says what was before."""
    machine = at_machine()
    dealing = machine.dealing(code="euchre_modern", house=House(modern_misdeal="second_lost"))
    run, outcomes = dealing.deals(1, Seat.S), []
    for _ in range(2):
        dealing.say(parse_word("5 N report exposed_on s", line=1))
        outcomes.append(next(run))
    outcomes += run
    assert [outcome.ending.status for outcome in outcomes] == ["misdeal", "misdeal", "completed"]
    openings = [machine.log.lines(deal)[0] for deal in (1, 2, 3)]
    assert [(line["dealer"], line.get("misdeals")) for line in openings] == [("S", None), ("S", 1), ("W", None)]
    assert all(replay(machine.log.lines(deal)) == () for deal in (1, 2, 3))


@pytest.mark.parametrize(
    ("code", "dealer", "misdeals"),
    [("euchre_modern", Seat.S, 1), ("euchre_modern", Seat.W, None), ("euchre", Seat.S, None)],
)
def test_a_misdeal_that_ended_the_last_run_counts_in_the_next_of_that_dealer_and_game(
    at_machine: MachineMaker, code: str, dealer: Seat, misdeals: int | None
) -> None:
    machine = at_machine()
    dealing = machine.dealing(code="euchre_modern")
    dealing.say(parse_word("5 N report exposed_on s", line=1))
    run = dealing.deals(1, Seat.S)
    assert next(run).ending.status == "misdeal"
    dealing.bridge.close()
    next(machine.dealing(code=code).deals(1, dealer))
    assert machine.log.lines(2)[0].get("misdeals") == misdeals


@pytest.mark.parametrize(
    ("before", "status", "again", "after"),
    [
        (1, "misdeal", True, 2),
        (1, "misdeal", False, 0),
        (1, "voided", True, 1),
        (1, "new_deal", True, 0),
        (1, "completed", False, 0),
        (1, "open", True, 0),
    ],
)
def test_misdeals_count_in_a_row_and_a_deal_given_up_is_none(before: int, status: str, again: bool, after: int) -> None:
    assert _misdeals(before, status, again=again) == after


def test_the_misdeals_before_a_deal_that_was_cut_off_count_on(at_machine: MachineMaker) -> None:
    machine = at_machine()

    class Death(BaseException):
        pass

    def tell(line: Line) -> None:
        if line.get("misdeals"):
            raise Death

    first = machine.dealing(code="euchre_modern", tell=tell)
    first.say(parse_word("5 N report exposed_on s", line=1))
    run = first.deals(1, Seat.S)
    assert next(run).ending.status == "misdeal"
    with pytest.raises(Death):
        next(run)
    first.bridge._drop()
    again = machine.dealing(code="euchre_modern")
    again.say(parse_word("5 N report exposed_on s", line=1))
    assert [outcome.ending.status for outcome in again.deals(2, Seat.S)] == ["misdeal", "completed", "completed"]
    assert [machine.log.lines(deal)[0].get("misdeals") for deal in (1, 2, 3, 4)] == [None, 1, 2, None]


def test_where_the_law_was_not_read_the_director_is_asked_and_the_deal_goes_on(at_machine: MachineMaker) -> None:
    """Rubber bridge 7 to 12 were not read, so what a faced card costs only the director knows."""
    machine = at_machine(FACED)
    outcome = next(machine.dealing(code="rubber").deals(1, Seat.S))
    asked, answer = [line for line in machine.log.lines(1) if {"policy", "decides"} & line.keys()]
    assert (asked["ruling"], asked["policy"], "law" in asked) == ("ask_director", "unread_law", False)
    assert (answer["fact"], outcome.ending.status, outcome.cards) == ("director", "completed", 52)
    assert replay(machine.log.lines(1)) == ()


def test_the_time_a_card_takes_is_that_of_the_machine(at_machine: MachineMaker) -> None:
    """The design gives 0.38 s a card dealt."""
    (outcome,) = at_machine().dealing().deals(1, Seat.S)
    assert 0.25 < outcome.seconds_per_card < 0.38


def test_what_happens_is_told_line_by_line(at_machine: MachineMaker) -> None:
    machine = at_machine()
    next(machine.dealing().deals(1, Seat.S))
    *lines, closing = machine.log.lines(1)
    assert machine.told == lines
    assert closing["fact"] == "closed"


# --- the link ---


@pytest.mark.parametrize("request_lost", [Feed(1), Feed(5), Route(5, Tray.W), Route(52, Tray.TRUMP)], ids=repr)
def test_a_cable_that_comes_off_is_waited_for_and_the_deal_goes_on(
    request_lost: Request, at_machine: MachineMaker
) -> None:
    machine = at_machine()
    bridge = cable(machine, lambda request: bool(request == request_lost))
    waited: list[float] = []
    tries = iter([False, False, True])

    def open_bridge() -> Bridge:
        if not next(tries):
            raise LinkError("sim://", "there is no such device", next_step="plug the machine in")
        return machine.open()

    dealing = machine.dealing(bridge=bridge, open_bridge=open_bridge, wait=waited.append)
    (outcome,) = dealing.deals(1, Seat.S)
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert waited == [REOPEN_WAIT_S] * 2
    assert machine.faults() == ["link_lost"]
    assert len(machine.facts(1, "resumed")) == 1
    assert machine.passages() == 52
    assert dealing.bridge is not bridge


def test_a_machine_that_does_not_come_back_ends_the_run_and_keeps_the_deal(at_machine: MachineMaker) -> None:
    machine = at_machine()
    waited: list[float] = []
    told: list[float] = []

    def open_bridge() -> Bridge:
        raise LinkError("sim://", "there is no such device", next_step="plug the machine in")

    bridge = cable(machine, lambda request: request == Feed(5))
    dealing = machine.dealing(bridge=bridge, open_bridge=open_bridge, wait=waited.append, waiting=told.append)
    with pytest.raises(LinkError):
        next(dealing.deals(1, Seat.S))
    assert sum(waited) + REOPEN_WAIT_S == REOPEN_S
    assert told == [30, 27, 24, 21, 18, 15, 12, 9, 6, 3], "people are never left in silence"
    assert TELL_EVERY_S == 3
    assert machine.log.unfinished() == 1
    assert machine.told[-1] == {"fact": "machine_fault", "code": "link_lost", "k": 5}
    (outcome,) = machine.dealing().deals(1, Seat.S)
    assert outcome.ending.status == "completed"


def test_the_time_that_a_silent_machine_takes_counts_and_is_told(at_machine: MachineMaker) -> None:
    machine = at_machine()
    waited: list[float] = []
    told: list[float] = []

    def open_bridge() -> Bridge:
        raise NoAnswer("Hello", 5_000_000)

    bridge = cable(machine, lambda request: request == Feed(5))
    dealing = machine.dealing(bridge=bridge, open_bridge=open_bridge, wait=waited.append, waiting=told.append)
    with pytest.raises(NoAnswer):
        next(dealing.deals(1, Seat.S))
    assert told == [30, 24.5, 19, 13.5, 8, 2.5]
    assert len(waited) == 5


def test_a_cable_that_comes_off_again_and_again_ends_the_run(at_machine: MachineMaker) -> None:
    machine = at_machine()
    opened = []

    def open_bridge() -> Bridge:
        opened.append(1)
        return cable(machine, lambda request: isinstance(request, Feed | Route))

    dealing = machine.dealing(bridge=open_bridge(), open_bridge=open_bridge)
    with pytest.raises(LinkLost):
        next(dealing.deals(1, Seat.S))
    assert len(opened) == 1 + RECOVERIES_MAX
    assert machine.log.unfinished() == 1


def test_a_card_dealt_between_two_losses_makes_good_for_the_first(at_machine: MachineMaker) -> None:
    machine = at_machine()
    lost: set[int] = set()

    def loose(request: Request) -> bool:
        if isinstance(request, Route) and request.command_id % 3 == 0 and request.command_id not in lost:
            lost.add(request.command_id)
            return True
        return False

    dealing = machine.dealing(bridge=cable(machine, loose), open_bridge=lambda: cable(machine, loose))
    (outcome,) = dealing.deals(1, Seat.S)
    assert outcome.ending.status == "completed"
    assert len(lost) == 17
    assert machine.passages() == 52


def test_a_link_that_breaks_behind_the_last_commit_loses_nothing(at_machine: MachineMaker) -> None:
    machine = at_machine()
    bridge = cable(machine, lambda request: False)

    def tell(line: dict[str, Any]) -> None:
        machine.told.append(line)
        bridge.off = bridge.off or line["fact"] == "deal_completed"

    dealing = machine.dealing(bridge=bridge, tell=tell)
    first, second = dealing.deals(2, Seat.S)
    assert [(outcome.deal, outcome.ending.status) for outcome in (first, second)] == [
        (1, "completed"),
        (2, "completed"),
    ]
    assert machine.faults(1) == []


# --- the right machine ---


def test_a_deal_is_not_gone_on_with_on_another_machine(at_machine: MachineMaker) -> None:
    one = at_machine()
    bridge = cable(one, lambda request: request == Feed(5))

    def gone() -> Bridge:
        raise LinkError("sim://", "there is no such device", next_step="plug the machine in")

    with pytest.raises(LinkError):
        next(one.dealing(bridge=bridge, open_bridge=gone).deals(1, Seat.S))
    other = at_machine(log=one.log)
    with pytest.raises(WrongMachine) as wrong:
        next(other.dealing().deals(1, Seat.S))
    assert wrong.value.wanted == bridge.hello.serial_number != wrong.value.serial
    assert one.log.unfinished() == 1


def test_another_machine_at_the_same_port_is_refused(at_machine: MachineMaker) -> None:
    one, other = at_machine(), at_machine()
    bridge = cable(one, lambda request: request == Feed(5))
    with pytest.raises(WrongMachine):
        next(one.dealing(bridge=bridge, open_bridge=other.open).deals(1, Seat.S))
    assert not other.world.deal, "nothing was done to it"


def test_a_card_is_as_thick_and_long_as_the_machine_says(at_machine: MachineMaker) -> None:
    with at_machine().open() as bridge:
        size = card_size(bridge)
    assert size.thickness_um == REFERENCE.card_thickness_um == 300
    assert size.length_um == REFERENCE.constants()["card_length_um"]


@pytest.mark.parametrize(
    "dictionary",
    [
        {},
        {"constants": None},
        {"constants": {"card_thickness_um": 300}},
        {"constants": {"card_thickness_um": "thin", "card_length_um": 1}},
    ],
    ids=repr,
)
def test_a_machine_that_does_not_say_how_a_card_feels_is_refused(dictionary: dict[str, object]) -> None:
    with pytest.raises(RemoteProtocolError, match="how thick and long"):
        card_size(cast(Bridge, SimpleNamespace(dictionary=dictionary)))


def test_a_card_size_is_read_in_micrometres() -> None:
    places = {"entry_um": 10_000, "window_um": 58_250, "stand_um": 90_000}
    words = {"constants": {"card_thickness_um": 310, "card_length_um": 88_000} | places}
    bridge = cast(Bridge, SimpleNamespace(dictionary=words))
    assert card_size(bridge) == CardSize(
        thickness_um=310, length_um=88_000, travel_um=48_250, entry_um=10_000, stand_um=90_000
    )


# --- leaving ---


def test_leaving_in_peace_lets_the_machine_stand(at_machine: MachineMaker) -> None:
    machine = at_machine()
    with machine.dealing() as dealing:
        next(dealing.deals(1, Seat.S))
    machine.world.clock.run_until(machine.world.clock.now_us() + 10_000_000)
    with machine.open() as bridge:
        assert bridge.status().fault is FaultCode.NONE


def test_leaving_in_trouble_has_the_machine_latch_by_itself(at_machine: MachineMaker) -> None:
    machine = at_machine()
    dealing = machine.dealing()
    next(dealing.deals(1, Seat.S))
    dealing.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    machine.world.clock.run_until(machine.world.clock.now_us() + 10_000_000)
    with machine.open() as bridge:
        assert bridge.status().fault is FaultCode.HEARTBEAT_LOST


def test_every_deal_begins_with_an_eye_that_knows_no_pack(at_machine: MachineMaker) -> None:
    class CountingEye(TruthEye):
        begun = 0

        def begin(self) -> None:
            self.begun += 1

    machine = at_machine()
    eye = CountingEye(machine.world)
    with machine.dealing(eye) as dealing:
        assert [eye.begun for _ in dealing.deals(2, Seat.S)] == [1, 2]


# --- stopping, and what stands in the way ---


def test_a_camera_that_goes_leaves_the_deal_open_to_be_gone_on_with(at_machine: MachineMaker) -> None:
    class GoingEye(TruthEye):
        looks = 0

        def look(self, *, after_us: int, deadline_us: int) -> Sighting:
            self.looks += 1
            if self.looks == 12:
                raise CameraLost("v4l2:0", "it is gone")
            return super().look(after_us=after_us, deadline_us=deadline_us)

    machine = at_machine()
    with pytest.raises(CameraLost), machine.dealing(GoingEye(machine.world)) as dealing:
        next(dealing.deals(1, Seat.S))
    assert machine.log.unfinished() == 1
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert machine.faults() == ["camera_lost"]
    assert machine.passages() == 52


def test_a_wish_to_stop_between_cards_keeps_the_deal_and_the_next_run_ends_it(at_machine: MachineMaker) -> None:
    machine = at_machine()
    dealing = machine.dealing()
    plain = dealing.tell

    def tell(line: Line) -> None:
        plain(line)
        if line.get("fact") == "seen" and line["k"] == 30:
            dealing.talk.ask_to_stop()

    dealing.tell = tell
    with pytest.raises(Drained), dealing:
        next(dealing.deals(1, Seat.S))
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults(), machine.passages()) == ("completed", [], 52)


def test_what_is_said_from_another_thread_is_on_record(at_machine: MachineMaker) -> None:
    machine = at_machine()
    dealing = machine.dealing()
    thread = threading.Thread(target=lambda: dealing.say(parse_word("N touch", line=1)))
    thread.start()
    thread.join()
    dealing.say(parse_word("30 E look", line=2))
    with dealing:
        next(dealing.deals(1, Seat.S))
    assert [line["seat"] for line in machine.facts(1, "touched", "looked")] == ["N", "E"]


def test_the_machine_is_proved_empty_behind_the_last_deal(
    at_machine: MachineMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved: list[int] = []
    monkeypatch.setattr("controller.dealing.prove_empty", lambda bridge, **parts: proved.append(parts["people_us"]))
    machine = at_machine()
    with machine.dealing() as dealing:
        assert len(list(dealing.deals(2, Seat.S))) == 2
    assert proved == [machine.people_us]
