"""A pack is shuffled and cut over clean and noisy wires: each shelf pass goes once, the order is what was asked for."""

from __future__ import annotations

import pytest

from firmware_bridge.events import Answered, Sorted
from firmware_bridge.messages import Ask, ShelfPass
from firmware_bridge.words import Asked, Status
from tests.conformance.machines import await_event, cases, connected


def packed(shelves: list[int]) -> bytes:
    return sum(shelf << 3 * number for number, shelf in enumerate(shelves)).to_bytes(24, "little")


@pytest.mark.parametrize(("wire", "line", "cards", "seed"), cases(1, 2))
def test_two_passes_reverse_the_pack_and_the_cut_is_weighed(wire: str, line: str, cards: int, seed: int) -> None:
    with connected(wire, line, cards, seed) as machine:
        bridge, world = machine.bridge, machine.world
        # The card fed as number n is to come to place cards - 1 - n: by its units first, then by its eights.
        first = [(cards - 1 - n) % 8 for n in range(cards)]
        second = [(cards - 1 - n) // 8 for n in sorted(range(cards), key=lambda n: first[n])]
        for command_id, shelves in enumerate((first, second), start=1):
            began_us = bridge.now_us()
            taken = bridge.command(ShelfPass(command_id, cards, packed(shelves)))
            assert taken.status in (Status.OK, Status.DUPLICATE)
            done = await_event(bridge, Sorted)
            assert (done.command_id, done.cards) == (command_id, cards)
            assert list(done.counts) == [shelves.count(shelf) for shelf in range(8)]
            assert wire == "free" or bridge.now_us() - began_us >= cards * 140_000 + 8 * 150_000
        deal = world.truth().deals[-1]
        assert deal.of("hopper") == deal.laid[::-1]
        bridge.command(Ask(Asked.CUT, 0, 0))
        cut = await_event(bridge, Answered)
        assert abs(cut.a - world._plan.upper_packet(1, cards)) <= cut.c
        assert cut.a + cut.b == pytest.approx(cards, abs=cut.c)
