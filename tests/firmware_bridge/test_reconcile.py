"""Every combination of log and journal has its answer, and none of them feeds a card twice."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import pytest

from firmware_bridge.reconcile import (
    ENDED,
    INSIDE,
    PATH,
    Advice,
    AskPeople,
    Awaited,
    BookAborted,
    BookDelivered,
    BookSorted,
    Found,
    JournalBehind,
    LogBehind,
    Logged,
    LookAgain,
    Open,
    SendFeed,
    SendPass,
    SendRoute,
    WaitFor,
    Why,
    reconcile,
)
from firmware_bridge.words import Phase, Sensor, Tray, Verdict

N = 7
ADVICES = (
    SendFeed,
    SendRoute,
    WaitFor,
    LookAgain,
    BookDelivered,
    BookAborted,
    AskPeople,
    LogBehind,
    JournalBehind,
)
PATHS = [Sensor(bits) for bits in range(16) if not bits & ~PATH]
LAST = [Open(command_id=N, tray=tray) for tray in (None, Tray.E)]
BEFORE = [Open(command_id=N - 1, tray=tray) for tray in (None, Tray.S)]
LOGS = [
    Logged(last_id=N, open=commands) for commands in [*((last,) for last in LAST), *itertools.product(BEFORE, LAST)]
]
FOUND = [
    Found(last_id=last_id, phase=phase, same_boot=same_boot, sensors=sensors)
    for last_id, phase, same_boot, sensors in itertools.product(range(N - 3, N + 3), Phase, (True, False), PATHS)
]
ALL = list(itertools.product(LOGS, FOUND))


def log(*, last: Tray | None = None) -> Logged:
    return Logged(last_id=N, open=(Open(command_id=N, tray=last),))


def found(
    phase: Phase, *, last_id: int = N, reboot: bool = False, sensors: Sensor = Sensor.HOPPER | Sensor.TRAY_N
) -> Found:
    return Found(last_id=last_id, phase=phase, same_boot=not reboot, sensors=sensors)


THIS_BOOT: list[tuple[Phase, Tray | None, Sensor, Advice]] = [
    (Phase.INTENT, None, Sensor.NONE, WaitFor(N, Awaited.AT_WINDOW)),
    (Phase.INTENT, None, Sensor.ENTRY, WaitFor(N, Awaited.AT_WINDOW)),
    (Phase.SHOWN, None, Sensor.WINDOW, LookAgain(N)),
    (Phase.SHOWN, Tray.E, Sensor.WINDOW, SendRoute(N, Tray.E)),
    (Phase.SHOWN, Tray.E, Sensor.WINDOW | Sensor.ENTRY, SendRoute(N, Tray.E)),  # two cards that overlap
    (Phase.SHOWN, None, Sensor.NONE, AskPeople(N, Why.CARD_TAKEN, None)),
    (Phase.SHOWN, Tray.E, Sensor.NONE, AskPeople(N, Why.OUT_OF_SIGHT, None)),
    (Phase.ROUTED, Tray.E, Sensor.EXIT, WaitFor(N, Awaited.DELIVERED)),
    (Phase.ROUTED, None, Sensor.EXIT, AskPeople(N, Why.CONTRADICTION, Verdict.TAKEN_OUT)),
    (Phase.DONE, Tray.E, Sensor.NONE, BookDelivered(N, Tray.E)),
    (Phase.DONE, None, Sensor.NONE, AskPeople(N, Why.CONTRADICTION, None)),
    (Phase.ABORT, None, Sensor.NONE, BookAborted(N)),
    (Phase.ABORT, Tray.E, Sensor.NONE, AskPeople(N, Why.CONTRADICTION, None)),
    (Phase.UNKNOWN, None, Sensor.ENTRY, AskPeople(N, Why.OUT_OF_SIGHT, Verdict.TAKEN_OUT)),
    (Phase.UNKNOWN, Tray.E, Sensor.NONE, AskPeople(N, Why.OUT_OF_SIGHT, None)),
]

AFTER_A_REBOOT: list[tuple[Phase, Tray | None, Sensor, Advice]] = [
    (Phase.INTENT, None, Sensor.NONE, AskPeople(N, Why.PERHAPS_SHOWN, Verdict.NOT_FED)),
    (Phase.INTENT, None, Sensor.WINDOW, AskPeople(N, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)),
    (Phase.SHOWN, None, Sensor.WINDOW, AskPeople(N, Why.CARD_IN_WINDOW, Verdict.TAKEN_OUT)),
    (Phase.SHOWN, Tray.E, Sensor.WINDOW, AskPeople(N, Why.CARD_IN_WINDOW, Verdict.TAKEN_OUT)),
    (Phase.SHOWN, Tray.E, Sensor.EXIT, AskPeople(N, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)),
    (Phase.SHOWN, Tray.E, Sensor.NONE, AskPeople(N, Why.PERHAPS_DELIVERED, Verdict.DELIVERED)),
    (Phase.SHOWN, None, Sensor.NONE, AskPeople(N, Why.CARD_TAKEN, None)),
    (Phase.ROUTED, Tray.E, Sensor.NONE, AskPeople(N, Why.PERHAPS_DELIVERED, Verdict.DELIVERED)),
    (Phase.ROUTED, Tray.E, Sensor.EXIT, AskPeople(N, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)),
    (Phase.DONE, Tray.E, Sensor.NONE, BookDelivered(N, Tray.E)),
    (Phase.ABORT, None, Sensor.NONE, BookAborted(N)),
    (Phase.UNKNOWN, None, Sensor.NONE, AskPeople(N, Why.OUT_OF_SIGHT, None)),
]


@pytest.mark.parametrize(("phase", "tray", "sensors", "advice"), THIS_BOOT)
def test_at_the_command_in_this_boot(phase: Phase, tray: Tray | None, sensors: Sensor, advice: Advice) -> None:
    assert reconcile(log(last=tray), found(phase, sensors=sensors)) == advice


@pytest.mark.parametrize(("phase", "tray", "sensors", "advice"), AFTER_A_REBOOT)
def test_at_the_command_after_a_reboot(phase: Phase, tray: Tray | None, sensors: Sensor, advice: Advice) -> None:
    assert reconcile(log(last=tray), found(phase, sensors=sensors, reboot=True)) == advice


PASSES: list[tuple[Phase, bool, Sensor, Advice]] = [
    (Phase.INTENT, False, Sensor.SHELF_2, WaitFor(N, Awaited.SORTED)),
    (Phase.INTENT, True, Sensor.NONE, AskPeople(N, Why.ORDER_LOST, None)),
    (Phase.UNKNOWN, True, Sensor.SHELF_2, AskPeople(N, Why.ORDER_LOST, Verdict.TAKEN_OUT)),
    (Phase.UNKNOWN, False, Sensor.RETURN, AskPeople(N, Why.ORDER_LOST, Verdict.TAKEN_OUT)),
    (Phase.DONE, False, Sensor.HOPPER, BookSorted(N)),
    (Phase.DONE, True, Sensor.HOPPER | Sensor.TRAY_N, BookSorted(N)),
    (Phase.DONE, True, Sensor.NONE, AskPeople(N, Why.ORDER_LOST, None)),
    (Phase.DONE, True, Sensor.HOPPER | Sensor.SHELF_3, AskPeople(N, Why.ORDER_LOST, Verdict.TAKEN_OUT)),
    (Phase.ABORT, True, Sensor.HOPPER, AskPeople(N, Why.ORDER_LOST, None)),
    (Phase.ABORT, False, Sensor.HOPPER, AskPeople(N, Why.ORDER_LOST, None)),
    (Phase.SHOWN, False, Sensor.WINDOW, AskPeople(N, Why.CONTRADICTION, Verdict.TAKEN_OUT)),
]


@pytest.mark.parametrize(("phase", "reboot", "sensors", "advice"), PASSES)
def test_at_a_shelf_pass(phase: Phase, reboot: bool, sensors: Sensor, advice: Advice) -> None:
    logged = Logged(last_id=N, open=(Open(command_id=N, is_pass=True),))
    assert reconcile(logged, found(phase, reboot=reboot, sensors=sensors)) == advice


@pytest.mark.parametrize("phase", ENDED)
def test_a_pass_the_machine_has_not_begun_is_sent(phase: Phase) -> None:
    logged = Logged(last_id=N, open=(Open(command_id=N, is_pass=True),))
    assert reconcile(logged, found(phase, last_id=N - 1)) == SendPass(N)
    shelf = found(phase, last_id=N - 1, sensors=Sensor.SHELF_8)
    assert reconcile(logged, shelf) == AskPeople(0, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)


IN_AND_AROUND = [Sensor(bits) for bits in (0, Sensor.HOPPER, Sensor.SHELF_1, Sensor.HOPPER | Sensor.RETURN)]


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("reboot", [False, True])
def test_a_pass_is_trusted_or_sent_only_where_nothing_speaks_against_it(phase: Phase, reboot: bool) -> None:
    """It ends with the pack in the hopper and nothing left inside; it is begun where none was begun before."""
    logged = Logged(last_id=N, open=(Open(command_id=N, is_pass=True),))
    for last_id, sensors in itertools.product(range(N - 3, N + 3), IN_AND_AROUND):
        advice = reconcile(logged, found(phase, last_id=last_id, reboot=reboot, sensors=sensors))
        ended = last_id == N and phase is Phase.DONE and sensors == Sensor.HOPPER
        unbegun = last_id == N - 1 and phase in ENDED and not sensors & INSIDE
        assert (advice == BookSorted(N)) == ended
        assert (advice == SendPass(N)) == unbegun
        assert isinstance(advice, WaitFor) == (last_id == N and phase is Phase.INTENT and not reboot)


def test_a_pass_that_the_machine_is_past_has_ended() -> None:
    logged = Logged(last_id=N, open=(Open(command_id=N - 1, is_pass=True), Open(command_id=N)))
    assert reconcile(logged, found(Phase.INTENT)) == BookSorted(N - 1)


def test_a_pass_goes_to_no_tray() -> None:
    with pytest.raises(ValueError, match="goes to no tray"):
        Open(command_id=N, tray=Tray.E, is_pass=True)


@pytest.mark.parametrize("reboot", [False, True])
@pytest.mark.parametrize("phase", ENDED)
def test_a_feed_the_machine_has_not_begun_is_sent(phase: Phase, reboot: bool) -> None:
    assert reconcile(log(), found(phase, last_id=N - 1, reboot=reboot)) == SendFeed(N)
    blocked = found(phase, last_id=N - 1, reboot=reboot, sensors=Sensor.EXIT)
    assert reconcile(log(), blocked) == AskPeople(0, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)


@pytest.mark.parametrize(
    ("phase", "sensors", "advice"),
    [
        (Phase.SHOWN, Sensor.WINDOW, SendRoute(N - 1, Tray.S)),
        (Phase.ROUTED, Sensor.EXIT, WaitFor(N - 1, Awaited.DELIVERED)),
        (Phase.DONE, Sensor.NONE, BookDelivered(N - 1, Tray.S)),
    ],
)
def test_the_route_comes_before_the_feed_committed_with_it(phase: Phase, sensors: Sensor, advice: Advice) -> None:
    both = Logged(last_id=N, open=(Open(command_id=N - 1, tray=Tray.S), Open(command_id=N)))
    assert reconcile(both, found(phase, last_id=N - 1, sensors=sensors)) == advice


@pytest.mark.parametrize("phase", Phase)
def test_a_machine_at_the_next_command_has_ended_the_one_before(phase: Phase) -> None:
    both = Logged(last_id=N, open=(Open(command_id=N - 1, tray=Tray.S), Open(command_id=N)))
    assert reconcile(both, found(phase)) == BookDelivered(N - 1, Tray.S)


def test_log_and_machine_that_do_not_belong_together() -> None:
    assert reconcile(log(), found(Phase.DONE, last_id=N + 1)) == LogBehind(N + 1, N)
    assert reconcile(log(), found(Phase.DONE, last_id=N - 2)) == JournalBehind(N - 2, N)
    assert reconcile(log(last=Tray.E), found(Phase.DONE, last_id=N - 1)) == JournalBehind(N - 1, N)


def test_every_combination_is_answered() -> None:
    assert len(ALL) == len(LOGS) * len(FOUND) > 3_000
    given = {type(reconcile(logged, machine)) for logged, machine in ALL}
    assert given == set(ADVICES)


def test_a_feed_is_advised_only_where_the_machine_has_not_begun_it() -> None:
    for logged, machine in ALL:
        advice = reconcile(logged, machine)
        if isinstance(advice, SendFeed):
            assert machine.last_id == advice.command_id - 1
            assert machine.phase in ENDED
            assert not machine.sensors & PATH
            assert advice.command_id == logged.open[0].command_id
            assert logged.open[0].tray is None


def test_a_route_is_advised_only_where_the_card_stands_in_the_window_of_this_boot() -> None:
    for logged, machine in ALL:
        advice = reconcile(logged, machine)
        if isinstance(advice, SendRoute | LookAgain):
            assert (machine.last_id, machine.phase, machine.same_boot) == (advice.command_id, Phase.SHOWN, True)
            assert machine.sensors & Sensor.WINDOW
        if isinstance(advice, SendRoute):
            assert Open(command_id=advice.command_id, tray=advice.tray) in logged.open


def test_after_a_reboot_a_card_that_may_have_moved_is_for_people_to_find() -> None:
    for logged, machine in ALL:
        perhaps = machine.phase in (Phase.INTENT, Phase.SHOWN, Phase.ROUTED, Phase.UNKNOWN)
        if perhaps and not machine.same_boot and machine.last_id == logged.open[0].command_id:
            assert isinstance(reconcile(logged, machine), AskPeople)


def test_open_commands_are_the_last_ones() -> None:
    with pytest.raises(ValueError, match="not the last"):
        Logged(last_id=N, open=(Open(command_id=N - 1),))


# --- the whole way: a machine and a log, cut off anywhere ---


@dataclass(frozen=True)
class World:
    """Where the card of feed N is, how often it left the hopper, and what log and journal hold of it."""

    logged: Logged
    journal_id: int
    phase: Phase
    sensors: Sensor
    left_hopper: int


FED = replace(LAST[0])
STORY = [
    World(Logged(last_id=N, open=(FED,)), N - 1, Phase.DONE, Sensor.NONE, 0),
    World(Logged(last_id=N, open=(FED,)), N, Phase.INTENT, Sensor.NONE, 0),
    World(Logged(last_id=N, open=(FED,)), N, Phase.INTENT, Sensor.ENTRY, 1),
    World(Logged(last_id=N, open=(FED,)), N, Phase.INTENT, Sensor.WINDOW, 1),
    World(Logged(last_id=N, open=(FED,)), N, Phase.SHOWN, Sensor.WINDOW, 1),
    World(log(last=Tray.E), N, Phase.SHOWN, Sensor.WINDOW, 1),
    World(log(last=Tray.E), N, Phase.SHOWN, Sensor.EXIT, 1),
    World(log(last=Tray.E), N, Phase.ROUTED, Sensor.EXIT, 1),
    World(log(last=Tray.E), N, Phase.ROUTED, Sensor.NONE, 1),
    World(log(last=Tray.E), N, Phase.DONE, Sensor.NONE, 1),
]


@pytest.mark.parametrize("world", STORY)
@pytest.mark.parametrize("reboot", [False, True])
def test_cut_off_anywhere_no_card_leaves_the_hopper_twice(world: World, reboot: bool) -> None:
    advice = reconcile(
        world.logged,
        Found(last_id=world.journal_id, phase=world.phase, same_boot=not reboot, sensors=world.sensors),
    )
    if isinstance(advice, SendFeed):
        assert world.left_hopper == 0
    if isinstance(advice, BookDelivered):
        assert world.phase is Phase.DONE
