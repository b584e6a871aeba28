"""The runner: what is durable before what is sent, acknowledged or told; and what it makes of silence and refusals."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from controller import shuffle
from controller.acts import AskPeople, ClearFault, Line
from controller.deal_log import Act, DealLog
from controller.deal_notes import DealNotes
from controller.dealer import Dealer
from controller.entropy import seeded_entropy
from controller.errors import Drained, Unattended
from controller.patience import CARD_US, LOOK_US, PEOPLE_US
from controller.runner import Runner
from controller.seats import SeatWord, parse_word
from controller.states import DealState
from controller.table import Seat
from controller.table_talk import TableTalk
from firmware_bridge.errors import LinkLost
from firmware_bridge.events import Answered, AtWindow, Delivered, Event, Faulted, Homed, SeatActed, Sorted
from firmware_bridge.messages import Acknowledge, Ask, Clear, Feed, Home, Request, Route, ShelfPass, StopNow, Taken
from firmware_bridge.words import (
    Asked,
    Capability,
    FaultCode,
    MachineState,
    Phase,
    SeatAct,
    Sensor,
    Status,
    Tray,
    Verdict,
    Who,
)
from tests.controller.conftest import BY_HAND, SIZE
from vision.cards import Pack
from vision.sighting import Sighting, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware_bridge.bridge import Bridge

CARDS = Pack.of(52).cards
BOOT = 0xB007
LATCH = 3

Entry = tuple[str, Any]
"""What happened, and to what: `committed` (lines, acts), `sent` a request, `acknowledged` an event, `told` a line."""


class DiaryLog(DealLog):
    """A log that notes its commits in the diary once they are durable."""

    diary: list[Entry]

    def open_deal(self, lines: Sequence[Line]) -> int:
        deal = super().open_deal(lines)
        self.diary.append(("committed", (list(lines), [])))
        return deal

    def commit(self, deal: int, lines: Sequence[Line], *, acts: Sequence[Act] = ()) -> None:
        super().commit(deal, lines, acts=acts)
        self.diary.append(("committed", (list(lines), list(acts))))

    def close_deal(self, deal: int, lines: Sequence[Line], *, status: str) -> None:
        super().close_deal(deal, lines, status=status)
        self.diary.append(("committed", (list(lines), [])))


@dataclass
class FakeMachine:
    """A bridge to a machine that does at once what it is asked, and notes what it is told in the diary.

    Attributes:
        faults: for a command id, the event that comes in place of the one wanted; None for none at all.
        refusals: for a class of requests, how it is taken.
        said_again: events that come once more after others.
        longest_us: the longest time that it was listened to in vain.
    """

    diary: list[Entry]
    faults: dict[int, FaultCode | None] = field(default_factory=dict)
    refusals: dict[type[Request], Status] = field(default_factory=dict)
    silent: set[Asked] = field(default_factory=set)
    thickness_um: dict[int, int] = field(default_factory=dict)
    fault: FaultCode = FaultCode.NONE
    phase: Phase = Phase.NONE
    now: int = 1_000
    last_id: int = 0
    events: deque[Event] = field(default_factory=deque)
    hello: Any = field(default_factory=lambda: SimpleNamespace(serial_number="FAKE1", boot_id=BOOT))
    longest_us: int = 0
    quiet_us: int = 0
    _count: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def now_us(self) -> int:
        return self.now

    def status(self) -> Any:
        state = MachineState.READY if self.fault is FaultCode.NONE else MachineState.LATCHED
        return SimpleNamespace(
            phase=self.phase,
            fault=self.fault,
            latch_id=LATCH if self.fault else 0,
            sensors=Sensor.NONE,
            last_id=self.last_id,
            state=state,
            asked=Asked.NOTHING,
        )

    def command(self, request: Request) -> Taken:
        self.diary.append(("sent", request))
        status = self.refusals.get(type(request), Status.OK)
        if status is Status.OK:
            self._do(request)
        return Taken(status, self.phase, self.last_id)

    def next_event(self, *, deadline_us: int) -> Event | None:
        if not self.events:
            self.quiet_us += deadline_us - self.now
            self.longest_us = max(self.longest_us, self.quiet_us)
            self.now = deadline_us
            return None
        self.quiet_us = 0
        self.now += 1_000
        return self.events.popleft()

    def acknowledge(self, *events: Event) -> None:
        self.diary += [("acknowledged", event) for event in events]

    def come(self, kind: Callable[..., Event], command_id: int, *rest: Any) -> None:
        """Let an event come."""
        self.events.append(kind(BOOT, next(self._count), command_id, self.now, *rest))

    def _do(self, request: Request) -> None:
        match request:
            case Ask(asked=asked, a=a, b=b):
                if asked not in self.silent:
                    self.come(Answered, 0, asked, *((26, 26, 0) if asked is Asked.CUT else (a, b, 1)))
            case Feed(command_id=number):
                self.last_id, self.phase = number, Phase.SHOWN
                self._end(
                    number, lambda: self.come(AtWindow, number, self.thickness_um.get(number, 300), 63_500, 48_280)
                )
            case Route(command_id=number, tray=tray):
                self.phase = Phase.DONE
                self.come(Delivered, number, tray, 1)
            case ShelfPass():
                self._sort(request)
            case Acknowledge():
                self.fault = FaultCode.NONE
            case Clear():
                self.phase = Phase.DONE
            case Home():
                self.come(Homed, 0)

    def _sort(self, request: ShelfPass) -> None:
        self.last_id, self.phase = request.command_id, Phase.DONE
        bits = int.from_bytes(request.shelves, "little")
        fell = [bits >> 3 * card & 7 for card in range(request.cards)]
        self.come(Sorted, request.command_id, request.cards, bytes(shuffle.counts(fell)))

    def _end(self, number: int, well: Callable[[], None]) -> None:
        code = self.faults.get(number, FaultCode.NONE)
        if code is FaultCode.NONE:
            well()
        elif code is not None:
            nothing_left = code in (FaultCode.MISFEED, FaultCode.HOPPER_EMPTY)
            self.phase = Phase.ABORT if nothing_left else Phase.UNKNOWN
            self.fault = FaultCode.NONE if nothing_left else code
            self.come(Faulted, number, code, 0, self.phase, LATCH if self.fault else 0)


@dataclass
class KnowingEye:
    """Reads the card that is due, and notes when it looked at a card and at the dark."""

    diary: list[Entry]
    windows: list[tuple[int, int]] = field(default_factory=list)
    seen: int = 0

    def begin(self) -> None:
        pass

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        self.diary.append(("dark", after_us))

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        self.diary.append(("looked", after_us))
        self.windows.append((after_us, deadline_us))
        self.seen += 1
        return Sighting(state=State.CARD, card=CARDS[self.seen - 1], confidence=1.0)

    def evidence(self) -> tuple[()]:
        return ()

    def measured(self) -> None:
        return None


@dataclass
class Scene:
    """A runner with all it works on."""

    diary: list[Entry]
    machine: FakeMachine
    eye: KnowingEye
    runner: Runner
    told: list[Line]
    asked: list[AskPeople]

    def begin(self) -> Scene:
        """Open the deal."""
        opening = {"fact": "deal_opened", "code": "whist", "dealer": "S"}
        self.runner.do(self.runner.dealer.open(opening))
        return self

    def places(self, what: str, wanted: Callable[[Any], bool]) -> list[int]:
        """Places in the diary of the entries of a kind that are wanted."""
        return [place for place, (kind, it) in enumerate(self.diary) if kind == what and wanted(it)]

    def committed(self, **fact: Any) -> int:
        """The place in the diary of the one commit that holds such a fact."""
        (place,) = self.places("committed", lambda commit: any(fact.items() <= line.items() for line in commit[0]))
        return place

    def sent(self, kind: type[Request]) -> list[Any]:
        """The requests of a class, in order."""
        return [it for what, it in self.diary if what == "sent" and isinstance(it, kind)]


@pytest.fixture
def scene() -> Iterator[Callable[..., Scene]]:
    with ExitStack() as held:

        def make(*, able: Capability = BY_HAND, **machine: Any) -> Scene:
            diary: list[Entry] = []
            log = DiaryLog.open(None, key_file=None, entropy=seeded_entropy(1))
            assert isinstance(log, DiaryLog)
            log.diary = diary
            held.callback(log.close)
            fake, eye = FakeMachine(diary, **machine), KnowingEye(diary)
            told: list[Line] = []
            asked: list[AskPeople] = []

            def tell(line: Line) -> None:
                diary.append(("told", line))
                told.append(line)

            runner = Runner(
                dealer=Dealer(notes=DealNotes(dealer=Seat.S), next_id=1, card=SIZE, able=able),
                bridge=cast("Bridge", fake),
                eye=eye,
                log=log,
                tell=tell,
                asking=asked.append,
                talk=TableTalk(),
            )
            return Scene(diary=diary, machine=fake, eye=eye, runner=runner, told=told, asked=asked)

        yield make


# --- the order of things ---


@pytest.fixture
def whole(scene: Callable[..., Scene]) -> Scene:
    """A whole deal with two cards together at 17, a misfeed of card 30 and a wrong-sized cut nowhere."""
    played: Scene = scene(thickness_um={17: 600}, faults={29: FaultCode.MISFEED}).begin()
    played.runner.run()
    assert played.runner.ended
    assert played.runner.dealer.notes.ending is not None
    assert played.runner.dealer.notes.ending.status == "completed"
    return played


FACT_OF: dict[type[Event], Callable[[Any, int], dict[str, Any]]] = {
    AtWindow: lambda event, k: {"fact": "seen", "k": k},
    Delivered: lambda event, k: {"fact": "routed", "k": k},
    Faulted: lambda event, k: {"fact": "machine_fault", "code": "misfeed"},
}
ANSWERS = {Asked.LOAD_PACK: "presented", Asked.CUT: "cut", Asked.MOVE_CARD: "corrected"}


def test_an_event_is_acknowledged_only_after_the_commit_that_holds_it(whole: Scene) -> None:
    numbers = {act.command_id: act.k for act in whole.runner.log.acts(1)}
    acknowledged = [(place, it) for place, (what, it) in enumerate(whole.diary) if what == "acknowledged"]
    for place, event in acknowledged:
        if isinstance(event, Answered):
            fact: dict[str, Any] = {"fact": ANSWERS[event.asked]}
        else:
            fact = FACT_OF[type(event)](event, numbers[event.command_id])
        assert whole.committed(**fact) < place, event
    assert {type(event) for _, event in acknowledged} == {*FACT_OF, Answered}


def test_every_event_is_acknowledged_once_and_in_order(whole: Scene) -> None:
    ids = [it.event_id for what, it in whole.diary if what == "acknowledged"]
    assert ids == list(range(1, len(ids) + 1))
    assert not whole.machine.events


def test_a_card_moves_only_after_the_commit_that_intends_it(whole: Scene) -> None:
    intended: set[tuple[str, int]] = set()
    moved = []
    for what, it in whole.diary:
        if what == "committed":
            intended |= {(act.kind, act.command_id) for act in it[1]}
        elif what == "sent" and isinstance(it, Feed | Route):
            moved.append(("feed" if isinstance(it, Feed) else "route", it.command_id))
            assert moved[-1] in intended
    assert set(moved) == intended, "and what is intended is done"


def test_a_card_is_released_only_after_its_sighting_is_durable(whole: Scene) -> None:
    numbers = {act.command_id: act.k for act in whole.runner.log.acts(1)}
    routes = whole.places("sent", lambda request: isinstance(request, Route))
    assert len(routes) == 51, "two cards came together once"
    for place in routes:
        assert whole.committed(fact="seen", k=numbers[whole.diary[place][1].command_id]) < place


def test_there_is_one_commit_a_card(whole: Scene) -> None:
    commits = whole.places("committed", lambda commit: True)
    sightings = len(whole.eye.windows)
    others = [
        "the opening",
        "the pack laid in",
        "the cut",
        "the hold of two cards together",
        "their correction",
        "the misfeed",
        "the end",
    ]
    assert len(commits) == sightings + len(others)


def test_no_command_is_sent_twice(whole: Scene) -> None:
    feeds = [feed.command_id for feed in whole.sent(Feed)]
    assert feeds == list(range(1, len(feeds) + 1))
    routes = [route.command_id for route in whole.sent(Route)]
    assert sorted(set(routes)) == routes


def test_nobody_is_told_a_line_before_it_is_durable(whole: Scene) -> None:
    durable: list[Line] = []
    for what, it in whole.diary:
        if what == "committed":
            durable += it[0]
        elif what == "told":
            assert it in durable
    assert whole.told == durable, "and everything is told, in order"


def test_an_intent_carries_tray_serial_number_and_boot(whole: Scene) -> None:
    first, second, third = whole.runner.log.acts(1)[:3]
    assert first == Act(command_id=1, kind="feed", k=1, tray="", serial="FAKE1", boot_id=BOOT)
    assert second == Act(command_id=1, kind="route", k=1, tray="W", serial="FAKE1", boot_id=BOOT)
    assert third == Act(command_id=2, kind="feed", k=2, tray="", serial="FAKE1", boot_id=BOOT)
    assert whole.runner.boot_of_last_act() == BOOT


def test_before_the_first_act_no_boot_is_known(scene: Callable[..., Scene]) -> None:
    assert scene().runner.boot_of_last_act() == 0


def test_a_frame_counts_from_when_the_card_stood_in_the_window(whole: Scene) -> None:
    """And the window is seen dark between every two looks."""
    assert all(deadline_us - after_us == LOOK_US for after_us, deadline_us in whole.eye.windows)
    kinds = [what for what, _ in whole.diary if what in ("dark", "looked")]
    assert kinds[: 2 * 51] == ["dark", "looked"] * 51


def test_the_deal_is_timed_from_the_first_feed_to_the_end(whole: Scene) -> None:
    first = whole.places("sent", lambda request: isinstance(request, Feed))[0]
    assert first
    assert 0 < whole.runner.began_us < whole.runner.ended_us == whole.machine.now
    assert whole.runner.feeds == len(whole.sent(Feed)) == 52, "51 passages and one misfeed"


def test_what_the_panel_asks_is_said(whole: Scene) -> None:
    assert [act.asked for act in whole.asked] == [Asked.LOAD_PACK, Asked.CUT, Asked.MOVE_CARD]


# --- events that come again, or mean nothing ---


def test_an_event_said_again_is_heard_once(scene: Callable[..., Scene]) -> None:
    played = scene().begin()
    runner, machine = played.runner, played.machine
    again = machine.events[0]
    machine.events.append(again)
    runner.run()
    assert [line["fact"] for line in played.told].count("presented") == 1
    assert runner.dealer.notes.ending is not None
    assert runner.dealer.notes.ending.status == "completed"


def test_an_event_said_again_before_its_commit_is_not_acknowledged_early(scene: Callable[..., Scene]) -> None:
    """That card 1 arrived becomes durable with the sighting of card 2."""
    played = scene().begin()
    while played.runner.dealer.k < 2:
        played.runner.do(played.runner._hear(played.runner._wait()))
    (delivered,) = played.runner.inbox._events
    played.machine.events.appendleft(delivered)
    played.runner.run()
    acknowledged = played.places("acknowledged", lambda event: event == delivered)
    assert len(acknowledged) == 1
    assert played.committed(fact="routed", k=1) < acknowledged[0]


def test_an_event_that_changes_nothing_is_acknowledged_at_once(scene: Callable[..., Scene]) -> None:
    played = scene(silent={Asked.LOAD_PACK}).begin()
    played.machine.come(Homed, 0)
    played.machine.come(Answered, 0, Asked.LOAD_PACK, 0, 0, 0)
    played.runner.run()
    homed, committed = (
        played.places("acknowledged", lambda event: isinstance(event, Homed)),
        played.committed(fact="cut"),
    )
    assert homed[0] < committed


# --- what does not come ---


def test_a_machine_that_never_says_how_a_feed_ended_is_halted(scene: Callable[..., Scene]) -> None:
    played = scene(faults={3: None}).begin()
    played.runner.run()
    assert played.machine.longest_us == CARD_US
    assert [line["code"] for line in played.told if line["fact"] == "machine_fault"] == ["machine_silent"]
    assert played.runner.dealer.notes.ending is not None
    assert played.runner.dealer.notes.ending.fault == "machine_silent"
    assert played.sent(Clear) == [Clear(3, Verdict.TAKEN_OUT)], "its journal is settled"


@pytest.mark.parametrize(
    ("asked", "facts"),
    [
        (Asked.LOAD_PACK, ["deal_opened"]),
        (Asked.CUT, ["deal_opened", "presented"]),
    ],
)
def test_people_who_do_nothing_are_waited_for_ten_minutes(
    asked: Asked, facts: list[str], scene: Callable[..., Scene]
) -> None:
    played = scene(silent={asked}).begin()
    played.runner.run()
    assert PEOPLE_US == 600_000_000
    assert played.machine.longest_us == PEOPLE_US
    assert [line["fact"] for line in played.told][: len(facts) + 2] == [*facts, "machine_fault", "halted"]
    assert played.runner.dealer.notes.ending is not None
    assert played.runner.dealer.notes.ending.fault == "people_silent"
    assert played.sent(Feed) == []


def test_people_may_take_their_time_to_put_a_card_right(scene: Callable[..., Scene]) -> None:
    played = scene(silent={Asked.MOVE_CARD}, thickness_um={2: 600}).begin()
    while played.runner.dealer.machine.state is not DealState.HOLDING:
        played.runner.do(played.runner._hear(played.runner._wait()))
    played.runner.run()
    assert played.machine.longest_us == PEOPLE_US


def test_a_halt_that_nobody_clears_ends_the_run_and_keeps_the_deal_open(scene: Callable[..., Scene]) -> None:
    played = scene(faults={3: FaultCode.JAM_ENTRY}, silent={Asked.CLEAR_PATH}).begin()
    with pytest.raises(Unattended):
        played.runner.run()
    assert played.runner.log.unfinished() == 1
    assert played.runner.dealer.machine.state is DealState.HALTED
    assert played.sent(Home) == [], "nothing moves before somebody has been there"


# --- refusals, faults, clearing ---


@pytest.mark.parametrize("status", [Status.GAP, Status.BUSY, Status.UNHOMED, Status.NOT_NOW, Status.UNKNOWN])
@pytest.mark.parametrize("kind", [Feed, Route])
def test_a_command_that_is_refused_halts_the_deal(
    kind: type[Request], status: Status, scene: Callable[..., Scene]
) -> None:
    played = scene(refusals={kind: status}).begin()
    played.runner.run()
    assert [line["code"] for line in played.told if line["fact"] == "machine_fault"] == ["refused"]
    assert len(played.sent(kind)) == 1
    assert played.runner.log.deals()[0].status == "voided"


def test_a_command_that_was_taken_before_is_taken(scene: Callable[..., Scene]) -> None:
    played = scene(refusals={Feed: Status.DUPLICATE}).begin()
    for _ in range(2):
        played.runner.do(played.runner._hear(played.runner._wait()))
    assert played.sent(Feed) == [Feed(1)]
    assert played.runner.dealer.machine.state is DealState.FEEDING


def test_a_latched_machine_speaks_through_its_fault(scene: Callable[..., Scene]) -> None:
    played = scene(refusals={Feed: Status.LATCHED}).begin()
    for _ in range(2):
        played.runner.do(played.runner._hear(played.runner._wait()))
    assert played.runner.dealer.machine.state is DealState.FEEDING
    played.machine.come(Faulted, 1, FaultCode.LID_OPEN, 0, Phase.NONE, LATCH)
    played.runner.run()
    assert [line["code"] for line in played.told if line["fact"] == "machine_fault"] == ["lid_open"]


def test_a_stop_that_leaves_the_deal_as_it_is_hands_it_back_to_be_gone_on_with(scene: Callable[..., Scene]) -> None:
    played = scene(refusals={Feed: Status.LATCHED}).begin()
    for _ in range(2):
        played.runner.do(played.runner._hear(played.runner._wait()))
    played.machine.fault = FaultCode.STOPPED
    played.machine.come(Faulted, 1, FaultCode.STOPPED, 0, Phase.NONE, LATCH)
    played.runner.run()
    assert not played.runner.ended
    assert played.runner.dealer.machine.state is DealState.FEEDING
    assert played.sent(Acknowledge) == [], "people put it right first"


@pytest.mark.parametrize("status", [Status.BUSY, Status.UNKNOWN])
def test_a_question_that_the_panel_does_not_ask_is_on_record_and_nobody_is_waited_for(
    status: Status, scene: Callable[..., Scene]
) -> None:
    played = scene(refusals={Ask: status})
    with pytest.raises(Unattended, match=status.name):
        played.begin()
    assert [line["code"] for line in played.told if line["fact"] == "machine_fault"] == ["refused"]
    assert (played.asked, played.machine.longest_us) == ([], 0)


@pytest.mark.parametrize(
    ("kind", "sent"),
    [(Clear, [Clear]), (Acknowledge, [Clear, Acknowledge]), (Home, [Clear, Acknowledge, Home])],
)
def test_nothing_is_sent_behind_a_refusal_on_the_way_out_of_a_halt(
    kind: type[Request], sent: list[type[Request]], scene: Callable[..., Scene]
) -> None:
    played = scene(faults={4: FaultCode.JAM_EXIT}, refusals={kind: Status.NOT_NOW}).begin()
    with pytest.raises(Unattended, match=r"NOT_NOW.*close its lid"):
        played.runner.run()
    way_out = [type(request) for request in played.sent(Request) if isinstance(request, Clear | Acknowledge | Home)]
    assert (way_out, played.runner.log.unfinished()) == (sent, 1)


# --- what comes from other threads ---


def test_a_wish_to_stop_lets_the_card_in_transit_arrive_and_keeps_everything(scene: Callable[..., Scene]) -> None:
    played = scene().begin()
    plain = played.runner.tell

    def tell(line: Line) -> None:
        plain(line)
        if line.get("fact") == "seen" and line["k"] == 9:
            played.runner.talk.ask_to_stop()

    played.runner.tell = tell
    with pytest.raises(Drained) as drained:
        played.runner.run()
    assert not drained.value.at_once
    assert played.told[-1] == {"fact": "dealt", "to": "W", "k": 9, "t_us": played.told[-1]["t_us"]}
    assert played.sent(Feed)[-1] == Feed(9), "card 10 stays in the hopper"
    assert played.sent(StopNow) == []
    assert played.runner.log.unfinished() == 1


def test_asked_to_stop_twice_the_machine_stops_at_once(scene: Callable[..., Scene]) -> None:
    played = scene(faults={4: None}).begin()
    plain = played.runner.tell

    def tell(line: Line) -> None:
        plain(line)
        if line.get("fact") == "seen" and line["k"] == 3:
            played.runner.talk.ask_to_stop()
            played.runner.talk.ask_to_stop()

    played.runner.tell = tell
    with pytest.raises(Drained) as drained:
        played.runner.run()
    assert drained.value.at_once
    assert played.sent(StopNow) == [StopNow()]
    assert "run the same command again" in str(drained.value).lower()


def test_people_are_not_waited_for_once_it_is_to_stop(scene: Callable[..., Scene]) -> None:
    played = scene(silent={Asked.LOAD_PACK}).begin()
    played.runner.talk.ask_to_stop()
    with pytest.raises(Drained):
        played.runner.run()
    assert played.machine.longest_us == 0


def test_what_seats_say_is_on_record_in_the_order_of_saying(scene: Callable[..., Scene]) -> None:
    played = scene().begin()
    answers: list[tuple[str, bool]] = []

    def answered(word: SeatWord, *, taken: bool) -> None:
        answers.append((str(word), taken))
        assert any(word.fact().items() <= line.items() for line in played.told), "it is on record before it is answered"

    played.runner.talk.answered = answered
    said = ("6 N touch", "E touch", "20 W look", "S ask shuffle")
    for line, text in enumerate(said, 1):
        played.runner.talk.say(parse_word(text, line=line))
    played.runner.run()
    facts = [line for line in played.told if line.get("fact") in ("touched", "looked", "asked", "dealt")]
    order = [line["fact"] if line["fact"] != "dealt" else line["k"] for line in facts]
    assert order[5:9] == [6, "touched", "touched", 7]
    assert order[order.index(20) + 1 : order.index(21)] == ["looked", "asked"]
    assert [line["seat"] for line in facts if line["fact"] == "touched"] == ["N", "E"]
    assert answers == [("N touch", True), ("E touch", True), ("W look own", True), ("S ask shuffle", True)]


def test_a_seat_of_the_machine_is_heard_and_acknowledged_behind_the_commit(scene: Callable[..., Scene]) -> None:
    played = scene().begin()
    played.machine.come(SeatActed, 0, Tray.N, SeatAct.LOOKED, 1, Who.N)
    played.runner.run()
    (place,) = played.places("acknowledged", lambda event: isinstance(event, SeatActed))
    assert played.committed(fact="looked", seat="N", at="trump") < place


def test_a_right_that_nobody_uses_is_waited_for_as_long_as_the_house_says(scene: Callable[..., Scene]) -> None:
    """Whist 30, 32: reasonable time is the house's `grace_s`; the option itself may last longer."""
    played = scene().begin()
    played.runner.talk.say(parse_word("20 W report exposed_on s", line=1))
    played.runner.run()
    assert played.machine.longest_us == played.runner.dealer.notes.house.grace_us == 5_000_000
    assert [line["to"] for line in played.told if line.get("fact") == "time_given"] == ["E", "W"]
    assert played.runner.dealer.notes.ending is not None
    assert played.runner.dealer.notes.ending.status == "completed"


def test_a_claim_of_an_entitled_seat_ends_the_deal(scene: Callable[..., Scene]) -> None:
    """S37."""
    played = scene().begin()
    for text in ("20 W report exposed_on s", "W claim new_deal"):
        played.runner.talk.say(parse_word(text, line=1))
    played.runner.run()
    ending = played.runner.dealer.notes.ending
    assert ending is not None
    assert (ending.status, ending.law, ending.next_dealer) == ("new_deal", "whist 30a", Seat.S)
    assert played.machine.longest_us == 0


# --- the machine's own shuffle ---


def test_the_machine_shuffles_by_a_draw_that_follows_from_the_deals_key(scene: Callable[..., Scene]) -> None:
    played = scene(able=BY_HAND | Capability.SHELVES).begin()
    played.runner.run()
    key = bytes.fromhex(played.runner.log.lines(1)[-1]["key"])
    seed = shuffle.draw_seed(key, 1)
    passes = shuffle.passes(shuffle.permutation(seed, 52))
    assert played.sent(ShelfPass) == [ShelfPass(n, 52, shuffle.packed(passes[n - 1])) for n in (1, 2)]
    assert [line["commitment"] for line in played.told if line["fact"] == "draw_committed"] == [
        shuffle.commitment(seed)
    ]
    first = played.places("sent", lambda request: isinstance(request, ShelfPass))[0]
    assert played.committed(fact="draw_committed") < first
    assert played.runner.log.deals()[0].status == "completed"


def test_a_jam_is_cleared_acknowledged_and_homed_in_that_order(scene: Callable[..., Scene]) -> None:
    played = scene(faults={3: FaultCode.JAM_ENTRY}).begin()
    played.runner.run()
    requests = [it for what, it in played.diary if what == "sent"]
    assert requests[-4:] == [
        Ask(Asked.CLEAR_PATH, 0, 0),
        Clear(3, Verdict.TAKEN_OUT),
        Acknowledge(LATCH),
        Home(),
    ]
    assert [line["fact"] for line in played.told][-4:] == ["machine_fault", "halted", "acknowledged", "voided"]
    assert played.runner.log.deals()[0].status == "voided"


def test_a_machine_that_has_settled_is_only_homed(scene: Callable[..., Scene]) -> None:
    played = scene()
    played.runner.act(ClearFault())
    assert [it for what, it in played.diary if what == "sent"] == [Home()]


def test_a_machine_that_heard_nothing_ends_the_run_so_that_it_is_gone_on_with(scene: Callable[..., Scene]) -> None:
    played = scene(faults={3: None}).begin()
    while played.runner.dealer.k < 3:
        played.runner.do(played.runner._hear(played.runner._wait()))
    played.machine.fault = FaultCode.HEARTBEAT_LOST
    played.machine.come(Faulted, 3, FaultCode.HEARTBEAT_LOST, 0, Phase.SHOWN, LATCH)
    played.runner.run()
    assert not played.runner.ended
    assert played.runner.dealer.machine.state is DealState.FEEDING


def test_an_old_loss_of_the_heartbeat_does_not_end_the_run(scene: Callable[..., Scene]) -> None:
    """The machine was acknowledged and homed meanwhile; the event is only said again."""
    played = scene().begin()
    played.machine.come(Faulted, 0, FaultCode.HEARTBEAT_LOST, 0, Phase.NONE, LATCH)
    played.runner.run()
    assert played.runner.ended


# --- the link ---


def test_lines_that_became_durable_are_told_even_if_the_link_breaks_then(scene: Callable[..., Scene]) -> None:
    played = scene().begin()

    def broken(*events: Event) -> None:
        raise LinkLost("sim://", "pulled")

    played.machine.acknowledge = broken  # type: ignore[method-assign]  # the cable is pulled
    with pytest.raises(LinkLost):
        played.runner.run()
    assert [line["fact"] for line in played.told] == ["deal_opened", "presented"]


def test_a_lost_link_is_put_on_record_without_the_link(scene: Callable[..., Scene]) -> None:
    played = scene().begin()
    while played.runner.dealer.k < 2:
        played.runner.do(played.runner._hear(played.runner._wait()))

    def broken(*events: Event) -> None:
        raise LinkLost("sim://", "pulled")

    played.machine.acknowledge = broken  # type: ignore[method-assign]  # the cable is pulled
    played.runner.interrupted("link_lost")
    assert played.told[-1] == {"fact": "machine_fault", "code": "link_lost", "k": 2}
    assert played.committed(fact="dealt", k=1), "what was known of card 1 is on record with it"


def test_events_put_aside_are_heard_next(scene: Callable[..., Scene]) -> None:
    played = scene(silent={Asked.LOAD_PACK}).begin()
    assert not played.runner.inbox.answer_waits(Asked.LOAD_PACK)
    played.runner.inbox.keep(Answered(BOOT, 9_000, 0, 5, Asked.LOAD_PACK, 0, 0, 0))
    assert played.runner.inbox.answer_waits(Asked.LOAD_PACK)
    played.runner.run()
    assert played.runner.dealer.notes.ending is not None
    assert played.runner.dealer.notes.ending.status == "completed"


def test_a_question_whose_answer_waits_is_not_asked(scene: Callable[..., Scene]) -> None:
    """A pack must not be cut once dealing has begun, nor a card moved twice."""
    played = scene(silent={Asked.LOAD_PACK}).begin()
    played.runner.inbox.keep(Answered(BOOT, 9_000, 0, 5, Asked.LOAD_PACK, 0, 0, 0))
    played.runner.inbox.keep(Answered(BOOT, 9_001, 0, 6, Asked.CUT, 20, 32, 0))
    played.runner.run()
    assert [ask.asked for ask in played.sent(Ask)] == [Asked.LOAD_PACK]
    assert played.committed(fact="cut", top=20)


def test_acts_can_be_withheld(scene: Callable[..., Scene]) -> None:
    played = scene()
    step = played.runner.dealer.open({"fact": "deal_opened", "code": "whist", "dealer": "S"})
    played.runner.do(step, act=False)
    assert played.committed(fact="deal_opened") == 0
    assert played.sent(Ask) == []


def test_the_route_goes_to_the_tray_that_was_judged(scene: Callable[..., Scene]) -> None:
    played = scene().begin()
    played.runner.run()
    assert [route.tray for route in played.sent(Route)][:4] == [Tray.W, Tray.N, Tray.E, Tray.S]
    assert played.sent(Route)[-1] == Route(52, Tray.TRUMP)


def test_an_offered_pack_is_waited_for_before_it_moves_again(scene: Callable[..., Scene]) -> None:
    """A right of whist 24 used before the cut: the panel's question is taken back, then the pack is shuffled anew."""
    played = scene(able=BY_HAND | Capability.SHELVES, silent={Asked.CUT, Asked.NOTHING}).begin()
    states = iter([MachineState.OFFERING] * 3)
    plain = played.machine.status

    def status() -> Any:
        found = plain()
        found.state = next(states, MachineState.READY)
        return found

    played.machine.status = status  # type: ignore[method-assign]  # a pack that takes its time

    def asking(act: AskPeople) -> None:
        for text in ("S report exposed_on s", "W claim reshuffle") if act.asked is Asked.CUT else ():
            played.runner.talk.say(parse_word(text, line=1))

    played.runner.asking = asking
    with pytest.raises(Drained):
        _run_until(played, ShelfPass, 4)
    sent = [request for request in played.sent(Request) if isinstance(request, Ask | ShelfPass)]
    assert Ask(Asked.NOTHING, 0, 0) in sent
    assert next(states, None) is None, "it was waited for"


def _run_until(played: Scene, kind: type[Request], times: int) -> None:
    """Run until the machine has been sent that many requests of a class."""
    plain = played.machine.command

    def command(request: Request) -> Taken:
        taken = plain(request)
        if len(played.sent(kind)) >= times:
            played.runner.talk.ask_to_stop()
        return taken

    played.machine.command = command  # type: ignore[method-assign]  # it counts
    played.runner.run()
