"""The virtual clock: order, pumping, and what patience does not count."""

from __future__ import annotations

from hardware_sims.clock import VirtualClock


def test_things_happen_in_the_order_of_time_and_equals_in_the_order_of_planning() -> None:
    clock = VirtualClock()
    seen: list[str] = []
    clock.at(200, lambda: seen.append("c"))
    clock.at(100, lambda: seen.append("a"))
    clock.at(100, lambda: seen.append("b"))
    clock.patience(100, lambda: seen.append("worn out"))
    clock.run_until(300)
    assert seen == ["a", "b", "worn out", "c"]
    assert clock.now_us() == 300


def test_pump_stops_when_bytes_come_and_never_passes_its_deadline() -> None:
    clock = VirtualClock()
    clock.at(50, clock.wake)
    clock.at(60, lambda: None)
    clock.pump(1_000)
    assert clock.now_us() == 50
    clock.pump(55)
    assert clock.now_us() == 55
    clock.pump(10)
    assert clock.now_us() == 55


def test_bytes_that_came_while_nobody_read_do_not_stop_the_next_pump() -> None:
    clock = VirtualClock()
    clock.at(10, clock.wake)
    clock.run_until(20)
    clock.pump(100)
    assert clock.now_us() == 100


def test_what_is_called_off_does_not_happen_and_takes_no_time() -> None:
    clock = VirtualClock()
    planned = clock.at(500, lambda: 1 / 0)
    planned.call_off()
    clock.run_work()
    assert clock.now_us() == 0


def test_patience_does_not_count_time_that_work_skipped() -> None:
    clock = VirtualClock()
    seen: list[int] = []
    clock.patience(60, lambda: seen.append(clock.now_us()))
    clock.at(1_000, lambda: None)
    clock.run_work()
    assert (clock.now_us(), clock.patient_us(), clock.next_patience_us()) == (1_000, 0, 1_060)
    clock.run_until(1_059)
    assert seen == []
    clock.run_until(1_060)
    assert seen == [1_060]


def test_work_planned_for_the_past_happens_now() -> None:
    clock = VirtualClock()
    clock.run_until(100)
    seen: list[int] = []
    clock.at(5, lambda: seen.append(clock.now_us()))
    clock.pump(200)
    assert seen == [100]
