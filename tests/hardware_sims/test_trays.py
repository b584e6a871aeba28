"""Cards that lie still: the cut, what falls into a tray and what is moved."""

from __future__ import annotations

from firmware_bridge.words import Tray
from hardware_sims.physical import PhysicalCard, Train, made_card
from hardware_sims.seeded import Stream
from hardware_sims.trays import Holders
from vision.cards import Pack


def pack(count: int) -> list[PhysicalCard]:
    stream = Stream(1, "lying")
    return [made_card(number, card, 300, stream) for number, card in enumerate(Pack.of(52).cards[:count], start=1)]


def numbers(cards: object) -> list[int]:
    return [card.number for card in cards]  # type: ignore[attr-defined]  # any iterable of cards


def test_the_upper_packet_of_a_cut_is_fed_first() -> None:
    holders = Holders()
    holders.lay(pack(10))
    holders.cut(3)
    assert numbers(holders.hopper) == [8, 9, 10, 1, 2, 3, 4, 5, 6, 7]


def test_a_cut_deeper_than_the_pack_takes_all() -> None:
    holders = Holders()
    holders.lay(pack(3))
    holders.cut(5)
    assert numbers(holders.hopper) == [1, 2, 3]


def test_of_two_cards_that_fell_together_the_second_lies_upper_and_is_moved() -> None:
    holders = Holders()
    holders.drop(pack(2), Tray.N, turned_over=False)
    assert holders.move_upper(Tray.N, Tray.E) == 1
    assert (numbers(holders.trays[Tray.N]), numbers(holders.trays[Tray.E])) == ([1], [2])
    assert holders.move_upper(Tray.S, Tray.E) == 0


def test_the_trump_spot_turns_cards_over() -> None:
    holders = Holders()
    card = pack(1)[0]
    holders.drop([card], Tray.TRUMP, turned_over=True)
    assert card.faced
    assert holders.collect() == [card]
    assert holders.collect() == []


def test_overlapping_cards_are_as_thick_as_both() -> None:
    one, two = pack(2)
    assert Train(1, (one, two), (0, 20_000), 83_500).thickest_um() == one.thickness_um + two.thickness_um
    assert Train(1, (one, two), (0, 63_500), 127_000).thickest_um() == max(one.thickness_um, two.thickness_um)
    assert 294 <= one.thickness_um <= 306
