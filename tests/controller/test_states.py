"""The states of a deal: what each allows and refuses, and that a halt is latched."""

from __future__ import annotations

import pytest
from transitions import MachineError

from controller.states import ACTIVE, TRANSITIONS, DealMachine, DealState

S = DealState

ALLOWED: dict[DealState, dict[str, DealState]] = {
    S.AWAITING_PACK: {
        "pack_loaded": S.AWAITING_CUT,
        "shuffle": S.SHUFFLING,
        "have_shuffled": S.AWAITING_PACK,
        "end": S.ENDED,
        "halt": S.HALTED,
    },
    S.SHUFFLING: {"next_pass": S.SHUFFLING, "shuffled": S.AWAITING_CUT, "end": S.ENDED, "halt": S.HALTED},
    S.AWAITING_CUT: {
        "shuffle": S.SHUFFLING,
        "have_shuffled": S.AWAITING_PACK,
        "cut_again": S.AWAITING_CUT,
        "cut_good": S.CUT,
        "end": S.ENDED,
        "halt": S.HALTED,
    },
    S.CUT: {
        "shuffle": S.SHUFFLING,
        "have_shuffled": S.AWAITING_PACK,
        "cut_again": S.AWAITING_CUT,
        "begin": S.FEEDING,
        "end": S.ENDED,
        "halt": S.HALTED,
    },
    S.FEEDING: {
        "feed_again": S.FEEDING,
        "shown": S.LOOKING,
        "hold": S.HOLDING,
        "end": S.ENDED,
        "halt": S.HALTED,
    },
    S.LOOKING: {"release": S.ROUTING, "halt": S.HALTED},
    S.ROUTING: {"next_card": S.FEEDING, "hold": S.HOLDING, "end": S.ENDED, "halt": S.HALTED},
    S.HOLDING: {"put_right": S.FEEDING, "end": S.ENDED, "halt": S.HALTED},
    S.HALTED: {"acknowledge": S.HOMING},
    S.HOMING: {
        "homed": S.ENDED,
        "homed_undealt": S.AWAITING_PACK,
        "still_blocked": S.HALTED,
        "not_homed": S.ENDED,
    },
    S.ENDED: {},
}
"""What each state allows, by the path of one card: fed, looked at, released, arrived; and halt, acknowledge, home."""

TRIGGERS = sorted({trigger for trigger, _, _ in TRANSITIONS})
EVERY = [(state, trigger) for state in DealState for trigger in TRIGGERS]


def test_every_state_has_its_row_here() -> None:
    assert set(ALLOWED) == set(DealState)
    assert {trigger for allowed in ALLOWED.values() for trigger in allowed} == set(TRIGGERS)


@pytest.mark.parametrize(("state", "trigger"), EVERY, ids=lambda value: getattr(value, "name", value))
def test_a_trigger_leads_where_it_should_or_is_refused(state: DealState, trigger: str) -> None:
    machine = DealMachine(state)
    wanted = ALLOWED[state].get(trigger)
    if wanted is None:
        with pytest.raises(MachineError):
            getattr(machine, trigger)()
        assert machine.state is state
    else:
        getattr(machine, trigger)()
        assert machine.state is wanted


def test_no_card_is_fed_without_a_good_cut() -> None:
    """Without the one row that says that the cut is good, no state in which a card moves is ever come to."""
    reached, new = set[DealState](), {DealMachine().state}
    while new:
        reached |= new
        leads = [ALLOWED[state] for state in new]
        new = {dest for row in leads for trigger, dest in row.items() if trigger != "cut_good"} - reached
    assert reached.isdisjoint({S.CUT, S.FEEDING, S.LOOKING, S.ROUTING, S.HOLDING})
    assert [row for row in TRANSITIONS if row[2] is S.CUT] == [("cut_good", S.AWAITING_CUT, S.CUT)]
    assert [row[0] for row in TRANSITIONS if row[1] is S.CUT and row[2] is S.FEEDING] == ["begin"]


def test_a_deal_begins_by_waiting_for_the_pack() -> None:
    assert DealMachine().state is S.AWAITING_PACK


@pytest.mark.parametrize("state", [state for state in DealState if state not in (S.HALTED, S.HOMING, S.ENDED)])
def test_every_active_state_can_halt(state: DealState) -> None:
    assert state in ACTIVE
    machine = DealMachine(state)
    machine.halt()
    assert machine.state is S.HALTED


def test_from_a_halt_the_only_way_on_is_to_acknowledge_and_then_to_home() -> None:
    assert ALLOWED[S.HALTED].keys() == {"acknowledge"}
    machine = DealMachine(S.HALTED)
    states = []
    for trigger in (machine.acknowledge, machine.homed):
        trigger()
        states.append(machine.state)
    assert states == [S.HOMING, S.ENDED]


def test_an_ended_deal_takes_nothing_more() -> None:
    machine = DealMachine(S.ENDED)
    for trigger in TRIGGERS:
        with pytest.raises(MachineError):
            getattr(machine, trigger)()


def test_every_state_can_be_reached() -> None:
    reached, new = set[DealState](), {DealMachine().state}
    while new:
        reached |= new
        new = {dest for state in new for dest in ALLOWED[state].values()} - reached
    assert reached == set(DealState)


def test_no_state_can_be_set_past_the_table() -> None:
    machine = DealMachine()
    assert not [name for name in dir(machine) if name.startswith(("to_", "may_"))]


def test_each_trigger_says_when_it_is_given() -> None:
    for trigger in TRIGGERS:
        assert (getattr(DealMachine, trigger).__doc__ or "").endswith(".")
