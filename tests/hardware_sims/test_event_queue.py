"""Events that are said again until they are acknowledged."""

from __future__ import annotations

from firmware_bridge.events import EVENT_RESEND_US, Homed
from hardware_sims.clock import VirtualClock
from hardware_sims.event_queue import QUEUE_MAX, EventQueue


def queue_of() -> tuple[VirtualClock, EventQueue, list[tuple[int, bytes]]]:
    clock = VirtualClock()
    said: list[tuple[int, bytes]] = []
    return clock, EventQueue(clock, 7, lambda frame: said.append((clock.now_us(), frame))), said


def test_every_event_has_its_own_time_of_being_said_again() -> None:
    clock, queue, said = queue_of()
    queue.post(Homed, 0, 0)
    clock.run_until(25_000)
    queue.post(Homed, 0, 25_000)
    clock.run_until(2 * EVENT_RESEND_US)
    assert [when for when, _ in said] == [0, 25_000, 250_000, 275_000, 500_000]
    assert said[0][1] == said[2][1] != said[1][1]


def test_only_an_acknowledged_event_is_forgotten() -> None:
    clock, queue, said = queue_of()
    for _ in range(2):
        queue.post(Homed, 0, 0)
    queue.acknowledge(7, 1)
    queue.acknowledge(8, 2)
    said.clear()
    clock.run_until(EVENT_RESEND_US)
    assert len(said) == 1
    queue.acknowledge(7, 2)
    clock.run_until(10 * EVENT_RESEND_US)
    assert len(said) == 1
    assert clock.next_patience_us() is None


def test_a_full_queue_takes_no_more() -> None:
    clock, queue, said = queue_of()
    for _ in range(QUEUE_MAX + 3):
        queue.post(Homed, 0, 0)
    assert (queue.room, len(said)) == (0, QUEUE_MAX)
    queue.close()
    clock.run_until(10 * EVENT_RESEND_US)
    assert (queue.room, len(said)) == (QUEUE_MAX, QUEUE_MAX)
