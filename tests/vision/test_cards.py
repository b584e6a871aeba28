"""Cards and packs: names, what is no card, the sizes of pack that the codes use."""

from __future__ import annotations

import pytest

from vision.cards import RANKS, SUITS, Card, CardError, Pack


def test_every_card_is_written_rank_then_suit_and_reads_back() -> None:
    codes = [rank + suit for rank in RANKS for suit in SUITS]
    assert len(codes) == 52
    assert [str(Card.parse(code)) for code in codes] == codes


@pytest.mark.parametrize(
    ("code", "name"),
    [("AS", "ace of spades"), ("TD", "ten of diamonds"), ("7C", "seven of clubs"), ("QH", "queen of hearts")],
)
def test_a_card_says_its_name(code: str, name: str) -> None:
    assert Card.parse(code).name == name


def test_a_joker_has_neither_rank_nor_suit() -> None:
    for code in ("J1", "J2"):
        joker = Card.parse(code)
        assert joker.is_joker
        assert (joker.rank, joker.suit, joker.name) == ("", "", "joker")


def test_a_jack_is_no_joker() -> None:
    jack = Card.parse("JC")
    assert not jack.is_joker
    assert (jack.rank, jack.suit) == ("J", "C")


def test_cards_are_numbered_suit_by_suit_and_the_jokers_follow() -> None:
    """Docs: `Answered` of the wire, 13 times the suit plus rank; clubs, diamonds, hearts, spades, the ace being 0."""
    numbered = {str(card): number for number, card in enumerate(map(Card.numbered, range(54))) if card is not None}
    assert len(numbered) == 54
    assert all(Card.parse(code).number == number for code, number in numbered.items())
    known = {"AC": 0, "2C": 1, "KC": 12, "AD": 13, "TH": 35, "KS": 51, "J1": 52, "J2": 53}
    assert {code: numbered[code] for code in known} == known


@pytest.mark.parametrize("number", [-1, 54, 255])
def test_any_other_number_is_no_cards(number: int) -> None:
    assert Card.numbered(number) is None


@pytest.mark.parametrize("text", ["", "A", "SA", "10H", "as", "1S", "AX", "J3", "AS "])
def test_a_text_that_names_no_card_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(CardError, match="is no card") as caught:
        Card.parse(text)
    assert caught.value.text == text


@pytest.mark.parametrize(("size", "low"), [(52, "2"), (32, "7"), (24, "9")])
def test_a_pack_has_the_ranks_its_size_says(size: int, low: str) -> None:
    pack = Pack.of(size)
    assert len(pack) == size == len(set(pack.cards))
    assert Card.parse(low + "H") in pack
    below = RANKS[RANKS.index(low) - 1]
    assert (Card.parse(below + "H") in pack) == (below == "A")


@pytest.mark.parametrize("size", [33, 25])
def test_a_pack_with_a_joker_has_just_one(size: int) -> None:
    pack = Pack.of(size)
    assert len(pack) == size
    assert Card.parse("J1") in pack
    assert Card.parse("J2") not in pack


@pytest.mark.parametrize("size", [0, 31, 53, -52])
def test_a_pack_that_no_code_uses_is_refused(size: int) -> None:
    with pytest.raises(CardError, match="use 52, 33, 32, 25 or 24"):
        Pack.of(size)
