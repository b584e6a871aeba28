"""What a scenario times belongs to its pack: a new pack calls it off, but what has begun comes to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import Booted, Faulted, KeyTurned
from firmware_bridge.messages import Feed
from firmware_bridge.words import Asked, FaultCode, ResetCause, Sensor
from hardware_sims.faults import SUPPLY_MV

Make = Callable[..., Any]

LATE = 'phase = "loaded"\nafter_ms = 9000'
"""Long after the pack was laid in, which takes two seconds; the next one lies there by then."""


def two_packs(*tables: str) -> str:
    """Return a scenario of a pack with faults and acts, and a plain one."""
    return "[[deal]]\n" + "\n".join(tables) + "\n[[deal]]\n"


def began(machine: Make, *tables: str) -> Any:
    """Return a client whose machine has the first pack."""
    client = machine(two_packs(*tables))
    client.wait_for(Booted)
    client.home()
    client.ask(Asked.LOAD_PACK)
    return client


@pytest.mark.parametrize(
    "table",
    [
        f'[[deal.fault]]\nkind = "reset"\n{LATE}',
        f'[[deal.fault]]\nkind = "supply_sag"\nmv = 9000\n{LATE}',
        f'[[deal.fault]]\nkind = "overheated"\n{LATE}',
        f'[[deal.act]]\nwhat = "key"\n{LATE}',
        f'[[deal.act]]\nwhat = "press_e_stop"\n{LATE}',
        f'[[deal.act]]\nwhat = "open_lid"\n{LATE}\n[[deal.act]]\nwhat = "close_lid"\n{LATE}',
    ],
)
def test_what_was_timed_for_a_pack_does_not_happen_to_the_next(table: str, machine: Make) -> None:
    client = began(machine, table)
    client.ask(Asked.LOAD_PACK)
    client.run(20_000_000)
    assert client.events == []
    assert not client.status().sensors & (Sensor.LID | Sensor.E_STOP)


def test_it_happens_to_its_own_pack(machine: Make) -> None:
    reset = '[[deal.fault]]\nkind = "reset"\nphase = "loaded"\nafter_ms = 9500'
    client = began(machine, f'[[deal.act]]\nwhat = "key"\n{LATE}', reset)
    assert client.wait_for(KeyTurned)
    assert client.wait_for(Booted).reset_cause is ResetCause.BROWN_OUT


@pytest.mark.parametrize(
    ("does", "undoes", "switch"),
    [
        ('what = "open_lid"', 'what = "close_lid"', Sensor.LID),
        ('what = "press_e_stop"', 'what = "release_e_stop"', Sensor.E_STOP),
        ('what = "lift_tray"\nseat = "E"', 'what = "put_tray_back"\nseat = "E"', Sensor.LIFTED_E),
    ],
)
def test_what_was_done_is_undone_though_a_new_pack_lies_there(
    does: str, undoes: str, switch: Sensor, machine: Make
) -> None:
    early = 'phase = "loaded"\nafter_ms = 10'
    client = began(machine, f"[[deal.act]]\n{does}\n{early}", f"[[deal.act]]\n{undoes}\n{LATE}")
    client.run(100_000)
    assert client.status().sensors & switch
    client.ask(Asked.LOAD_PACK)
    assert client.status().sensors & switch
    client.run(9_000_000)
    assert not client.status().sensors & switch


def test_what_waits_for_a_moment_that_comes_no_more_is_undone_when_the_next_pack_is_laid_in(machine: Make) -> None:
    opened = '[[deal.act]]\nwhat = "open_lid"\nphase = "loaded"\nafter_ms = 10'
    client = began(machine, opened, '[[deal.act]]\nwhat = "close_lid"\nphase = "done"\nat = 9')
    client.run(100_000)
    assert client.status().sensors & Sensor.LID
    client.ask(Asked.LOAD_PACK)
    assert not client.status().sensors & Sensor.LID


def test_a_board_that_was_taken_is_laid_back(machine: Make) -> None:
    taken = '[[deal.act]]\nwhat = "take_board"\nphase = "loaded"\nafter_ms = 10'
    laid = f'[[deal.act]]\nwhat = "lay_board"\n{LATE}'
    client = machine("[machine]\nboard = 1\n" + two_packs(taken, laid))
    client.ask(Asked.LOAD_PACK)
    client.run(100_000)
    assert not client.status().sensors & Sensor.BOARD
    client.ask(Asked.LOAD_PACK)
    client.run(9_000_000)
    assert client.status().sensors & Sensor.BOARD


def test_a_supply_that_sags_recovers_under_the_next_pack(machine: Make) -> None:
    client = began(machine, '[[deal.fault]]\nkind = "supply_sag"\nphase = "loaded"\nafter_ms = 10\nfor_ms = 9000')
    assert client.wait_for(Faulted).code is FaultCode.SUPPLY_LOW
    client.ask(Asked.LOAD_PACK)
    assert client.status().supply_mv == 20_000
    client.run(9_000_000)
    assert client.status().supply_mv == SUPPLY_MV


def test_a_short_sag_does_not_end_a_longer_one(machine: Make) -> None:
    long = '[[deal.fault]]\nkind = "supply_sag"\nphase = "loaded"\nmv = 19000\nafter_ms = 10\nfor_ms = 9000'
    short = '[[deal.fault]]\nkind = "supply_sag"\nphase = "loaded"\nmv = 18000\nafter_ms = 20\nfor_ms = 500'
    client = began(machine, long, short)
    client.run(100_000)
    assert client.status().supply_mv == 18_000
    client.run(1_000_000)
    assert client.status().supply_mv == 19_000
    client.run(9_000_000)
    assert client.status().supply_mv == SUPPLY_MV


def test_a_short_heat_does_not_end_a_longer_one(machine: Make) -> None:
    long = '[[deal.fault]]\nkind = "overheated"\nphase = "loaded"\ncelsius = 95\nafter_ms = 10\nfor_ms = 9000'
    short = '[[deal.fault]]\nkind = "overheated"\nphase = "loaded"\ncelsius = 99\nafter_ms = 20\nfor_ms = 500'
    client = began(machine, long, short)
    client.run(1_000_000)
    assert client.status().temperature_c == 95
    client.run(9_000_000)
    assert client.status().temperature_c < 80


def test_a_short_silence_does_not_end_a_longer_one(machine: Make) -> None:
    long = '[[deal.fault]]\nkind = "silence"\nat = 1\nfor_ms = 3000'
    short = '[[deal.fault]]\nkind = "silence"\nat = 1\nfor_ms = 100'
    client = began(machine, long, short)
    began_us = client.now_us
    client.request(Feed(1), tries=100)
    assert client.now_us - began_us >= 3_000_000
