"""What people at the seats do: how the machine says it, and that a flood of it blocks nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import Delivered, KeyTurned, SeatActed
from firmware_bridge.messages import Feed
from firmware_bridge.words import Call, Claim, Report, SeatAct, Status, TableAct, Tray, Who
from hardware_sims.clock import VirtualClock
from hardware_sims.event_queue import EventQueue
from hardware_sims.seat_events import IN_QUEUE_MAX, SeatEvents

Make = Callable[..., Any]

SAID = {
    'what = "touch"\nseat = "N"': (Tray.N, SeatAct.TOUCHED, 0, Who.N),
    'what = "look"\nseat = "E"\nsays = "trump"': (Tray.E, SeatAct.LOOKED, 1, Who.E),
    'what = "claim"\nseat = "S"\nsays = "new_deal"': (Tray.S, SeatAct.CLAIMED, Claim.NEW_DEAL, Who.S),
    'what = "waive"\nseat = "W"': (Tray.W, SeatAct.WAIVED, 0, Who.W),
    'what = "permit"\nseat = "W"\nsays = "cut"': (Tray.W, SeatAct.PERMITTED, TableAct.CUT, Who.W),
    'what = "ask"\nseat = "N"\nsays = "shuffle"': (Tray.N, SeatAct.ASKED, TableAct.SHUFFLE, Who.N),
    'what = "call"\nseat = "N"\nsays = "order_up"': (Tray.N, SeatAct.CALLED, Call.ORDER_UP, Who.N),
    'what = "report"\nseat = "N"\nsays = "exposed_on"\nwho = "s"': (Tray.N, SeatAct.REPORTED, Report.EXPOSED_ON, Who.S),
    'what = "report"\nseat = "N"\nsays = "bad_pack"\nwho = "nobody_known"': (
        Tray.N,
        SeatAct.REPORTED,
        Report.BAD_PACK,
        Who.NOBODY_KNOWN,
    ),
}


@pytest.mark.parametrize("act", SAID)
def test_a_deed_at_a_seat_is_said(faulty: Make, act: str) -> None:
    client = faulty(acts=[f'{act}\nphase = "shown"\nat = 2\nafter_ms = 20'])
    client.deal(1)
    assert not [event for event in client.events if isinstance(event, SeatActed)]
    client.feed(2)
    said = client.wait_for(SeatActed)
    assert (said.seat, said.act, said.what, said.who) == SAID[act]
    client.route(2, Tray.N)


def test_the_directors_key_is_said_and_after_a_time_without_cards_too(faulty: Make) -> None:
    client = faulty(acts=['what = "key"\nphase = "loaded"\nafter_ms = 9000'])
    client.wait_for(KeyTurned)


@pytest.mark.parametrize(
    ("lack", "act"), [("touch", "touch"), ("touch", "look"), ("seat_buttons", "waive"), ("director_key", "key")]
)
def test_what_is_not_there_says_nothing(faulty: Make, lack: str, act: str) -> None:
    seat = "" if act == "key" else '\nseat = "N"'
    says = '\nsays = "own"' if act == "look" else ""
    client = faulty(acts=[f'what = "{act}"{seat}{says}\nphase = "shown"'], more=f'[machine]\nlacks = ["{lack}"]')
    client.deal(2)
    assert not [event for event in client.events if isinstance(event, SeatActed | KeyTurned)]


def test_a_flood_of_touches_neither_blocks_motion_nor_loses_the_order(faulty: Make) -> None:
    order = "NESW" * 6
    acts = [
        f'what = "touch"\nseat = "{seat}"\nphase = "shown"\nafter_ms = {number}' for number, seat in enumerate(order)
    ]
    client = faulty(acts=acts)
    client.feed(1)
    client.acknowledges = False
    client.run(100_000)
    assert len([event for event in client.events if isinstance(event, SeatActed)]) == IN_QUEUE_MAX
    client.route(1, Tray.N)
    assert client.request(Feed(2)).status is Status.OK, "motion finds room"
    client.acknowledges = True
    client.run(2_000_000)
    touched = [event for event in client.events if isinstance(event, SeatActed)]
    assert [event.seat.name for event in touched] == ["N", "E", "S", "W"], "one of a seat is enough while it waits"
    assert [event.at_us for event in touched] == sorted(event.at_us for event in touched)


def test_a_touch_on_record_makes_room_for_the_next_of_the_same_seat(faulty: Make) -> None:
    touch = 'what = "touch"\nseat = "N"\nphase = "shown"'
    client = faulty(acts=[f"{touch}\nafter_ms = {ms}" for ms in (1, 20, 40)])
    client.feed(1)
    client.run(100_000)
    assert len([event for event in client.events if isinstance(event, SeatActed)]) == 3
    client.route(1, Tray.W)
    assert not [event for event in client.events if isinstance(event, Delivered)]


def test_acts_wait_while_the_queue_is_full_and_are_said_in_order() -> None:
    clock = VirtualClock()
    said: list[bytes] = []
    queue = EventQueue(clock, 7, said.append)
    seats = SeatEvents(queue)
    for number in range(5):
        seats.acted(SeatActed, 100 + number, number % 4, SeatAct.CLAIMED, number, number % 4)
    assert len(said) == IN_QUEUE_MAX
    for event_id in range(1, 6):
        queue.acknowledge(7, event_id)
        seats.acknowledged(event_id)
    assert len(said) == 5
