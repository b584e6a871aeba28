"""A machine is brought to where it can take a command, whatever was left behind in it; or people are asked."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from controller.acts import AskPeople
from controller.errors import Unattended
from controller.readiness import HOME_US, have_done, home, make_ready, prove_empty, question_for
from firmware_bridge.events import Answered, Event, Faulted, Homed, KeyTurned
from firmware_bridge.messages import Acknowledge, Ask, Clear, Home, Request, Taken
from firmware_bridge.words import Asked, Capability, FaultCode, MachineState, Phase, Sensor, Status, Tray, Verdict

if TYPE_CHECKING:
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.messages import StatusReply
    from tests.controller.conftest import MachineMaker

PEOPLE_US = 600_000_000
LATCH = 3
ALL = Capability((1 << 17) - 1)


@dataclass
class FakeMachine:
    """A machine with `cards` of them in its path, which people take out one at a time as they are asked."""

    state: MachineState = MachineState.UNHOMED
    fault: FaultCode = FaultCode.NONE
    phase: Phase = Phase.NONE
    last_id: int = 4
    sensors: Sensor = Sensor.NONE
    cards: int = 0
    deaf: bool = False
    refuses: type[Request] | None = None
    people: bool = True
    now: int = 0
    heard: list[Request] = field(default_factory=list)
    acknowledged: list[Event] = field(default_factory=list)
    events: deque[Event] = field(default_factory=deque)
    waits: list[int] = field(default_factory=list)
    _count: Any = field(default_factory=lambda: itertools.count(1))

    def now_us(self) -> int:
        return self.now

    def status(self) -> Any:
        return SimpleNamespace(
            state=self.state,
            fault=self.fault,
            latch_id=LATCH if self.fault else 0,
            phase=self.phase,
            last_id=self.last_id,
            sensors=self.sensors,
        )

    def next_event(self, *, deadline_us: int) -> Event | None:
        self.waits.append(deadline_us - self.now)
        if self.events:
            return self.events.popleft()
        self.now = deadline_us
        return None

    def acknowledge(self, *events: Event) -> None:
        self.acknowledged += events

    def command(self, request: Request) -> Taken:
        self.heard.append(request)
        if type(request) is self.refuses:
            return Taken(Status.NOT_NOW, self.phase, self.last_id)
        match request:
            case Ask() if self.people:
                self.cards, self.sensors = max(0, self.cards - 1), Sensor.NONE
                self.come(Answered, request.asked, 0, 0, 1)
            case Clear():
                self.phase = Phase.DONE
            case Acknowledge():
                self.state, self.fault = MachineState.UNHOMED, FaultCode.NONE
            case Home() if not self.deaf:
                if self.cards:
                    self.state, self.fault = MachineState.LATCHED, FaultCode.PATH_NOT_EMPTY
                    self.come(Faulted, FaultCode.PATH_NOT_EMPTY, int(Sensor.EXIT), self.phase, LATCH)
                else:
                    self.state = MachineState.READY
                    self.come(Homed)
        return Taken(Status.OK, self.phase, self.last_id)

    def come(self, kind: Any, *rest: Any) -> Event:
        event: Event = kind(1, next(self._count), 0, self.now, *rest)
        self.events.append(event)
        return event


def ready(machine: FakeMachine) -> Sequence[Request]:
    asked: list[AskPeople] = []
    make_ready(cast("Bridge", machine), people_us=PEOPLE_US, asking=asked.append)
    assert len(asked) == sum(isinstance(request, Ask) for request in machine.heard), "every question is told"
    assert machine.state is MachineState.READY
    return machine.heard


CLEAR_PATH = Ask(Asked.CLEAR_PATH, 0, 0)


def test_a_machine_that_is_ready_is_left_alone() -> None:
    assert ready(FakeMachine(state=MachineState.READY, phase=Phase.DONE)) == []


@pytest.mark.parametrize("phase", [Phase.NONE, Phase.DONE, Phase.ABORT])
def test_a_machine_that_has_just_started_is_homed(phase: Phase) -> None:
    machine = FakeMachine(phase=phase)
    assert ready(machine) == [Home()]
    assert machine.waits == [HOME_US]


def test_a_latch_is_acknowledged_before_homing() -> None:
    machine = FakeMachine(state=MachineState.LATCHED, fault=FaultCode.HEARTBEAT_LOST, phase=Phase.DONE)
    assert ready(machine) == [Acknowledge(LATCH), Home()]


@pytest.mark.parametrize("phase", [Phase.INTENT, Phase.SHOWN, Phase.ROUTED, Phase.UNKNOWN])
def test_a_command_without_an_end_is_ended_by_people_first(phase: Phase) -> None:
    machine = FakeMachine(state=MachineState.LATCHED, fault=FaultCode.JAM_EXIT, phase=phase)
    assert ready(machine) == [CLEAR_PATH, Clear(4, Verdict.TAKEN_OUT), Acknowledge(LATCH), Home()]
    assert machine.waits[0] == PEOPLE_US


def test_a_card_in_the_path_is_taken_out_by_people() -> None:
    machine = FakeMachine(cards=1)
    assert ready(machine) == [Home(), CLEAR_PATH, Acknowledge(LATCH), Home()]


def test_people_are_asked_twice_for_two_cards() -> None:
    assert [request for request in ready(FakeMachine(cards=2)) if isinstance(request, Ask)] == [CLEAR_PATH] * 2


def test_a_path_that_is_never_empty_is_given_up() -> None:
    """As where a sensor is stuck."""
    machine = FakeMachine(cards=99)
    with pytest.raises(Unattended, match="still not empty"):
        ready(machine)
    assert machine.heard.count(Home()) == 3


def test_people_who_do_not_come_are_waited_for_as_long_as_is_said() -> None:
    machine = FakeMachine(cards=1, people=False)
    with pytest.raises(Unattended, match="nobody cleared the path"):
        ready(machine)
    assert machine.waits[-1] == PEOPLE_US


def test_another_answer_is_not_taken_for_a_cleared_path() -> None:
    machine = FakeMachine(phase=Phase.SHOWN, people=False)
    machine.come(Answered, Asked.CUT, 20, 32, 0)
    with pytest.raises(Unattended):
        ready(machine)
    assert machine.heard == [CLEAR_PATH]
    assert [type(event) for event in machine.acknowledged] == [Answered]


def test_events_of_what_is_over_are_acknowledged_on_the_way() -> None:
    machine = FakeMachine()
    old = machine.come(Answered, Asked.LOAD_PACK, 0, 0, 0)
    ready(machine)
    assert machine.acknowledged[0] is old
    assert not machine.events


def test_homing_keeps_what_comes_meanwhile_and_acknowledges_its_own() -> None:
    machine = FakeMachine()
    old = machine.come(Answered, Asked.CUT, 20, 32, 0)
    kept: list[Event] = []
    assert home(cast("Bridge", machine), keep=kept.append)
    assert kept == [old]
    assert [type(event) for event in machine.acknowledged] == [Homed]


def test_homing_says_that_the_path_is_not_empty() -> None:
    machine = FakeMachine(cards=1)
    assert not home(cast("Bridge", machine), keep=machine.acknowledge)
    assert [type(event) for event in machine.acknowledged] == [Faulted]


def test_homing_that_never_ends_is_none() -> None:
    machine = FakeMachine(deaf=True)
    assert not home(cast("Bridge", machine), keep=machine.acknowledge)
    assert machine.now == HOME_US


def test_the_simulated_machine_is_made_ready(at_machine: MachineMaker) -> None:
    with at_machine().open() as bridge:
        assert bridge.status().state is MachineState.UNHOMED
        make_ready(bridge, people_us=PEOPLE_US, asking=lambda question: None)
        assert bridge.status().state is MachineState.READY


# --- what leaves the deal as it is, and what is left in the machine ---


@pytest.mark.parametrize(
    ("fault", "sensors", "able", "asked"),
    [
        (FaultCode.TRAY_LIFTED, Sensor.LIFTED_S, ALL, AskPeople(asked=Asked.REPLACE_TRAY, a=Tray.S)),
        (FaultCode.TRAY_LIFTED, Sensor.NONE, ALL, AskPeople(asked=Asked.NOTHING, a=FaultCode.TRAY_LIFTED)),
        (FaultCode.SUPPLY_LOW, Sensor.NONE, ALL, AskPeople(asked=Asked.NOTHING, a=FaultCode.SUPPLY_LOW)),
        (FaultCode.STOPPED, Sensor.NONE, Capability.PANEL, AskPeople(asked=Asked.CLEAR_PATH)),
    ],
)
def test_people_are_asked_for_what_the_latch_wants(
    fault: FaultCode, sensors: Sensor, able: Capability, asked: AskPeople
) -> None:
    status = cast("StatusReply", SimpleNamespace(fault=fault, sensors=sensors))
    assert question_for(status, able) == asked


def test_where_the_panel_has_no_question_the_key_says_that_it_is_done() -> None:
    machine = FakeMachine()
    other = machine.come(Answered, Asked.CUT, 20, 32, 0)
    machine.come(KeyTurned)
    kept: list[Event] = []
    told: list[AskPeople] = []
    question = AskPeople(asked=Asked.NOTHING, a=FaultCode.STOPPED)
    have_done(cast("Bridge", machine), question, people_us=PEOPLE_US, asking=told.append, keep=kept.append)
    assert (kept, told, machine.heard) == ([other], [question], [])


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (AskPeople(asked=Asked.NOTHING, a=FaultCode.STOPPED), "nobody turned the director's key"),
        (AskPeople(asked=Asked.REPLACE_TRAY, a=Tray.N), "nobody put the tray back"),
    ],
)
def test_people_who_do_not_put_it_right_are_named(question: AskPeople, says: str) -> None:
    machine = FakeMachine(people=False)
    with pytest.raises(Unattended, match=says):
        have_done(
            cast("Bridge", machine), question, people_us=PEOPLE_US, asking=lambda act: None, keep=machine.acknowledge
        )


@pytest.mark.parametrize(
    "left", [Sensor.WINDOW, Sensor.RETURN, Sensor.CUT_TRAY, Sensor.SHELF_1, Sensor.SHELF_8], ids=lambda left: left.name
)
def test_a_card_left_anywhere_in_the_machine_is_taken_out_before_a_run_and_behind_it(left: Sensor) -> None:
    machine = FakeMachine(state=MachineState.READY, phase=Phase.DONE, sensors=left)
    assert ready(machine) == [CLEAR_PATH]
    machine = FakeMachine(state=MachineState.READY, phase=Phase.DONE, sensors=left)
    prove_empty(cast("Bridge", machine), people_us=PEOPLE_US, asking=lambda act: None)
    assert machine.heard == [CLEAR_PATH]


@pytest.mark.parametrize("there", [Sensor.NONE, Sensor.HOPPER, Sensor.TRAY_N | Sensor.TRAY_TRUMP | Sensor.BOARD])
def test_what_lies_where_cards_belong_is_left_alone(there: Sensor) -> None:
    machine = FakeMachine(state=MachineState.READY, phase=Phase.DONE, sensors=there)
    prove_empty(cast("Bridge", machine), people_us=PEOPLE_US, asking=lambda act: None)
    assert ready(machine) == []


def test_homing_that_meets_another_fault_ends_at_once_and_keeps_it() -> None:
    machine = FakeMachine(deaf=True)
    old = machine.come(Faulted, FaultCode.HEARTBEAT_LOST, 0, Phase.DONE, 0)
    fault = machine.come(Faulted, FaultCode.SUPPLY_LOW, 20_000, Phase.DONE, LATCH)
    kept: list[Event] = []
    assert not home(cast("Bridge", machine), keep=kept.append)
    assert (kept, machine.now) == ([old, fault], 0)


@pytest.mark.parametrize("kind", [Ask, Clear, Acknowledge, Home])
def test_a_request_that_is_refused_ends_the_waiting_at_once(kind: type[Request]) -> None:
    """Nobody is waited for whom the panel has not asked, nor a machine that does not begin."""
    machine = FakeMachine(state=MachineState.LATCHED, fault=FaultCode.JAM_EXIT, phase=Phase.SHOWN, refuses=kind)
    with pytest.raises(Unattended, match=rf"refused {kind.__name__} \(NOT_NOW\): take every card out"):
        make_ready(cast("Bridge", machine), people_us=PEOPLE_US, asking=lambda question: None)
    assert (type(machine.heard[-1]), machine.now) == (kind, 0)
