"""Events come doubled, out of order and with holes, and are delivered once and in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.event_order import HOLE_US, QUEUE, SETTLE_US, EventOrder, Gap
from firmware_bridge.events import Event, Homed

BOOT = 0xB007


def event(number: int) -> Homed:
    return Homed(boot_id=BOOT, event_id=number, command_id=0, at_us=number)


def ids(items: list[Event | Gap]) -> list[int | tuple[int, int]]:
    return [(item.first, item.last) if isinstance(item, Gap) else item.event_id for item in items]


def take(order: EventOrder, *numbers: int, now_us: int = 0) -> list[int | tuple[int, int]]:
    return ids([item for number in numbers for item in order.take(event(number), now_us=now_us)])


def wake_us(order: EventOrder) -> int | None:
    return order.settles_at_us


def test_from_the_start_of_a_boot_nothing_is_held_back() -> None:
    order = EventOrder(BOOT, on_record=None)
    assert take(order, 1, 1, 2, 2, 1, 3) == [1, 2, 3]
    assert order.settles_at_us is None


def test_a_hole_is_waited_for() -> None:
    order = EventOrder(BOOT, on_record=None)
    assert take(order, 1, 4, 3) == [1]
    assert take(order, 2) == [2, 3, 4]


def test_after_what_is_on_record_the_next_is_known() -> None:
    order = EventOrder(BOOT, on_record=41)
    assert take(order, 43, 41) == []
    assert order.on_record(41)
    assert not order.on_record(43)
    assert take(order, 42) == [42, 43]


def test_an_unknown_first_id_is_settled_by_time() -> None:
    order = EventOrder(BOOT, on_record=None)
    assert take(order, 9, 7, now_us=1000) == []
    assert order.settles_at_us == 1000 + SETTLE_US
    assert order.settle(now_us=999 + SETTLE_US) == []
    assert ids(order.settle(now_us=1000 + SETTLE_US)) == [7]
    assert take(order, 8) == [8, 9]


def test_an_event_older_than_the_settled_first_is_late_but_not_lost() -> None:
    order = EventOrder(BOOT, on_record=None)
    take(order, 7)
    order.settle(now_us=SETTLE_US)
    assert not order.on_record(6)
    assert take(order, 6, 6) == [6]
    assert not order.on_record(6)
    order.acknowledged(6)
    assert order.on_record(6)


def test_only_what_was_delivered_and_acknowledged_is_on_record() -> None:
    order = EventOrder(BOOT, on_record=None)
    take(order, 1, 2)
    order.acknowledged(1)
    assert [order.on_record(number) for number in (1, 2, 3)] == [True, False, False]


def test_what_the_machine_no_longer_keeps_is_named_as_lost() -> None:
    # It keeps 8: when 11 is there, 3 is not, and 4 may be.
    order = EventOrder(BOOT, on_record=2)
    assert take(order, *range(5, 11)) == []
    assert take(order, 11) == [(3, 3)]
    assert take(order, 4) == [4, 5, 6, 7, 8, 9, 10, 11]


def test_a_far_id_makes_one_gap() -> None:
    order = EventOrder(BOOT, on_record=0)
    assert take(order, 100) == [(1, 92)]
    assert take(order, 101) == [(93, 93)]


@given(st.data())
def test_whatever_a_queue_of_eight_sends_is_delivered_once_in_order(data: st.DataObject) -> None:
    """The machine's queue in small: up to eight at a time, any of them lost, doubled or overtaken."""
    order = EventOrder(BOOT, on_record=data.draw(st.sampled_from([None, 0])))
    order.take(event(1), now_us=0)
    order.acknowledged(1)
    delivered = [1]
    said = 1
    for _ in range(data.draw(st.integers(1, 30))):
        oldest = len(delivered) + 1
        said = data.draw(st.integers(max(said, oldest), oldest + QUEUE - 1))
        heard = data.draw(st.lists(st.integers(oldest, said), max_size=10))
        for number in heard:
            for item in order.take(event(number), now_us=0):
                assert isinstance(item, Event)
                delivered.append(item.event_id)
                order.acknowledged(item.event_id)
    assert delivered == list(range(1, len(delivered) + 1))
    assert all(map(order.on_record, delivered))


def test_a_hole_that_a_former_session_acknowledged_is_passed_over() -> None:
    order = EventOrder(BOOT, on_record=None)
    assert take(order, 1, 3, 4, now_us=5000) == [1]
    assert wake_us(order) == 5000 + HOLE_US
    assert take(order, 3, 4, now_us=5000 + HOLE_US - 1) == []
    assert ids(order.settle(now_us=5000 + HOLE_US)) == [3, 4]
    assert wake_us(order) is None
    assert take(order, 5, now_us=5000 + HOLE_US) == [5]


def test_an_event_passed_over_is_late_but_not_lost() -> None:
    order = EventOrder(BOOT, on_record=None)
    take(order, 1, 3)
    order.settle(now_us=HOLE_US)
    assert not order.on_record(2)
    assert take(order, 2, 2) == [2]
    order.acknowledged(2)
    assert order.on_record(2)


def test_each_hole_is_waited_for_anew() -> None:
    order = EventOrder(BOOT, on_record=None)
    assert take(order, 1, 3, 5, now_us=0) == [1]
    assert take(order, 2, now_us=100) == [2, 3]
    assert order.settles_at_us == 100 + HOLE_US
    assert ids(order.settle(now_us=100 + HOLE_US)) == [5]
