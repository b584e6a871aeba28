"""Shelf passes: the order they make, what is counted, and what becomes of the cards when one is broken off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import Booted, Sorted
from firmware_bridge.messages import Acknowledge, Clear, Feed, Hello, Home, ReadStatus, ShelfPass, Stop, StopNow
from firmware_bridge.words import Asked, FaultCode, MachineState, Phase, ResetCause, Sensor, Status, Verdict
from hardware_sims.seeded import Stream
from hardware_sims.truth import HOPPER, PATH
from tests.hardware_sims.conftest import RawClient

Make = Callable[..., Any]
ROUND = [number % 8 for number in range(52)]


def deal_of(client: RawClient) -> Any:
    """Return the present deal's account, each card being in exactly one place."""
    account = client.world.truth().deals[-1]
    assert len({card.number for card in account.cards}) == len(account.laid) == len(account.cards)
    return account


def places(client: RawClient) -> dict[str, int]:
    cards = deal_of(client).cards
    return {place: sum(card.place == place for card in cards) for place in {card.place for card in cards}}


def two_passes(order: list[int]) -> tuple[list[int], list[int]]:
    """Return the shelves of two passes that bring the card fed as number n to place `order[n]` (radix 8)."""
    first = [place % 8 for place in order]
    after = sorted(range(len(order)), key=lambda n: first[n])
    return first, [order[n] // 8 for n in after]


@pytest.mark.parametrize("size", [24, 25, 32, 33, 52])
def test_two_passes_make_any_order(machine: Make, size: int) -> None:
    client = machine(f"[[deal]]\npack = {size}")
    client.begin()
    before = deal_of(client).of(HOPPER)
    order = Stream(size, "order").shuffled(range(size))
    for command_id, shelves in enumerate(two_passes(order), start=1):
        began = client.now_us
        assert client.sort(command_id, shelves) is Status.OK
        done = client.wait_for(Sorted, 20_000_000)
        assert (done.command_id, done.cards) == (command_id, size)
        assert list(done.counts) == [shelves.count(shelf) for shelf in range(8)]
        assert client.now_us - began <= 200_000 * size
    wanted = [before[order.index(place)] for place in range(size)]
    assert list(deal_of(client).of(HOPPER)) == wanted
    status = client.request(ReadStatus())
    assert (status.state, status.phase, status.last_id) == (MachineState.READY, Phase.DONE, 2)


def test_a_table_deal_takes_at_most_a_minute_and_the_lamp_is_off_in_the_passes(machine: Make) -> None:
    client = machine()
    client.begin()
    began = client.now_us
    for command_id in (1, 2):
        client.sort(command_id, ROUND)
        client.run(3_000_000)
        assert client.status().lamp == 0
        assert client.status().state is MachineState.SORTING
        client.wait_for(Sorted, 20_000_000)
    dealt_from = client.now_us
    client.deal(first_id=3)
    assert client.now_us - dealt_from <= 20_000_000
    assert client.now_us - began <= 60_000_000


def test_a_pass_is_taken_once_and_like_any_command(machine: Make) -> None:
    client = machine()
    client.begin()
    assert client.sort(2, ROUND) is Status.GAP
    assert client.request(ShelfPass(1, 65, bytes(24))).status is Status.MALFORMED
    assert client.sort(1, ROUND) is Status.OK
    assert client.sort(1, ROUND) is Status.DUPLICATE
    assert client.request(Feed(2)).status is Status.BUSY
    client.wait_for(Sorted, 20_000_000)
    assert client.sort(1, ROUND) is Status.DUPLICATE
    client.feed(2)
    assert client.sort(3, ROUND) is Status.NOT_NOW


def test_a_machine_without_shelves_does_not_know_a_pass(machine: Make) -> None:
    client = machine('[machine]\nlacks = ["shelves"]')
    client.begin()
    assert client.sort(1, ROUND) is Status.UNKNOWN


def test_a_stop_lets_the_pass_end_first(machine: Make) -> None:
    client = machine()
    client.begin()
    client.sort(1, ROUND)
    client.request(Stop())
    client.wait_for(Sorted, 20_000_000)
    assert client.fault().code is FaultCode.STOPPED
    assert places(client) == {HOPPER: 52}


@pytest.mark.parametrize(
    ("fault", "code", "detail"),
    [
        ('kind = "shelf_misplaced"\nin_pass = 1\ncard = 5\nto = 8', FaultCode.SHELF_MISPLACED, 7),
        ('kind = "shelf_left"\nin_pass = 1\nshelf = 3', FaultCode.SHELF_NOT_EMPTY, 0b100),
        ('kind = "shelf_double"\nin_pass = 1\ncard = 9', FaultCode.SHELF_COUNT, 51),
        ('kind = "extra_card"\ncard = "J1"', FaultCode.SHELF_COUNT, 53),
        ('kind = "missing_card"\ncard = "7C"', FaultCode.SHELF_COUNT, 51),
        ('kind = "wrong_pack"\nsize = 32', FaultCode.SHELF_COUNT, 32),
        ('kind = "sensor_stuck"\nsensor = "shelf_2"\nlevel = 0\nat = 1', FaultCode.SHELF_COUNT, 45),
        ('kind = "sensor_stuck"\nsensor = "hopper"\nlevel = 1\nat = 1', FaultCode.SHELF_COUNT, 53),
    ],
)
def test_what_the_counters_do_not_bear_out_is_a_fault(faulty: Make, fault: str, code: FaultCode, detail: int) -> None:
    client = faulty(fault)
    assert client.sort(1, ROUND) is Status.OK
    said = client.fault()
    assert (said.code, said.detail, said.phase, said.command_id) == (code, detail, Phase.UNKNOWN, 1)
    left = {"shelf_3": 1} if code is FaultCode.SHELF_NOT_EMPTY else {}
    assert places(client) == {HOPPER: len(deal_of(client).laid) - len(left), **left}


def test_people_shuffle_by_hand_what_went_wrong(faulty: Make) -> None:
    client = faulty('kind = "shelf_left"\nin_pass = 1\nshelf = 3')
    client.sort(1, ROUND)
    left = client.fault()
    assert client.request(Feed(2)).status is Status.LATCHED
    assert client.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.OK
    client.request(Acknowledge(left.latch_id))
    client.request(Home())
    again = client.fault()
    assert again.code is FaultCode.SHELF_NOT_EMPTY
    assert client.ask(Asked.CLEAR_PATH).c == 1
    client.request(Acknowledge(again.latch_id))
    client.home()
    before = deal_of(client).of(HOPPER)
    assert client.ask(Asked.RESHUFFLE).asked is Asked.RESHUFFLE
    after = deal_of(client).of(HOPPER)
    assert sorted(after) == sorted(deal_of(client).laid)
    assert after[:51] != before
    client.feed(2)


def test_a_pack_that_people_change_amid_a_pass_loses_no_card(machine: Make) -> None:
    client = machine("[[deal]]\n[[deal]]\npack = 24")
    client.begin()
    client.sort(1, ROUND)
    client.run(1_000_000)
    client.ask(Asked.LOAD_PACK)
    client.run(20_000_000)
    assert sum(places(client).values()) == 24, "each of them is in one place"


def test_a_shelf_that_is_not_empty_before_a_pass_is_found_before_anything_moves(faulty: Make) -> None:
    client = faulty('kind = "sensor_stuck"\nsensor = "shelf_4"\nlevel = 1\nat = 1')
    began = client.now_us
    assert client.sort(1, ROUND) is Status.OK
    said = client.fault()
    assert (said.code, said.detail) == (FaultCode.SHELF_NOT_EMPTY, 0b1000)
    assert client.now_us - began < 100_000
    assert places(client) == {HOPPER: 52}


def test_a_jam_in_a_pass_leaves_cards_in_hopper_path_and_shelves(faulty: Make) -> None:
    client = faulty('kind = "shelf_jam"\nin_pass = 1\ncard = 10')
    client.sort(1, ROUND)
    said = client.fault()
    assert (said.code, said.detail, said.phase) == (FaultCode.SHELF_JAM, ROUND[9], Phase.UNKNOWN)
    found = places(client)
    assert (found[HOPPER], found[PATH], found["shelf_1"], found["shelf_2"]) == (42, 1, 2, 1)
    assert Sensor.WINDOW in client.status().sensors
    assert client.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.OK
    assert client.ask(Asked.CLEAR_PATH).c == 10
    client.acknowledge_latch()
    client.home()


PARTS_MS = (0, 100, 1_000, 7_300, 7_500, 8_000, 8_490)
"""While the first card is drawn, on its way; in the middle; while the shelves come back; while the end is written."""


@pytest.mark.parametrize("after_ms", PARTS_MS)
def test_a_reset_amid_a_pass_leaves_it_unknown_and_the_sensors_speak(faulty: Make, after_ms: int) -> None:
    client = faulty(f'kind = "reset"\nphase = "pass"\nafter_ms = {after_ms}')
    client.sort(1, ROUND)
    booted = client.wait_for(Booted, 20_000_000)
    assert (booted.reset_cause, booted.phase) == (ResetCause.BROWN_OUT, Phase.UNKNOWN)
    found, status = places(client), client.status()
    assert sum(found.values()) == 52
    assert status.phase is Phase.UNKNOWN
    for shelf in range(1, 9):
        assert (Sensor[f"SHELF_{shelf}"] in status.sensors) is (f"shelf_{shelf}" in found)
    in_path = status.sensors & (Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT | Sensor.RETURN)
    assert bool(in_path) is (PATH in found)
    if set(found) == {HOPPER}:
        assert status.fault is FaultCode.NONE
    else:
        assert status.fault is (FaultCode.PATH_NOT_EMPTY if in_path else FaultCode.SHELF_NOT_EMPTY)
        assert status.latch_id == 1
        assert client.ask(Asked.CLEAR_PATH).c == 52 - found.get(HOPPER, 0)
        client.acknowledge_latch()
    assert client.request(Feed(2)).status is Status.UNHOMED
    client.home()
    assert client.request(Feed(2)).status is Status.NOT_NOW
    assert client.request(Clear(1, Verdict.TAKEN_OUT)).status is Status.OK
    assert client.request(Hello()).phase is Phase.ABORT, "DONE is said only of what the counters bear out"


@pytest.mark.parametrize("part_ms", PARTS_MS)
def test_stop_now_leaves_every_card_where_it_is(machine: Make, part_ms: int) -> None:
    client = machine()
    client.begin()
    client.sort(1, ROUND)
    client.run(part_ms * 1_000 + 30_000)
    ended = client.status().phase is Phase.DONE
    assert client.request(StopNow()).status is Status.OK
    found = places(client)
    said = client.fault()
    assert said.code is FaultCode.STOPPED_NOW
    assert said.phase is (Phase.DONE if ended else Phase.UNKNOWN)
    client.run(20_000_000)
    assert places(client) == found
