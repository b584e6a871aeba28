"""Whether a pack is whole, as what was read of it proves."""

from __future__ import annotations

import pytest

from controller.pack_check import PackReport, check_pack
from vision.cards import Card, Pack
from vision.sighting import Reason, Sighting, State

WHIST = Pack.of(52)


def read(*codes: str) -> list[Sighting]:
    return [Sighting(state=State.CARD, card=Card.parse(code), confidence=0.99) for code in codes]


def report(pack: Pack, *, drop: str = "", add: tuple[Sighting, ...] = ()) -> PackReport:
    return check_pack(pack, [*read(*(str(card) for card in pack.cards if str(card) not in drop.split())), *add])


@pytest.mark.parametrize("size", [24, 25, 32, 33, 52])
def test_a_whole_pack_is_perfect(size: int) -> None:
    found = report(Pack.of(size))
    assert (found.state, found.counted) == ("perfect", size)
    assert "perfect" in found.sentences()[0]


def test_a_missing_card_is_named() -> None:
    found = report(WHIST, drop="6C")
    assert (found.state, found.counted, found.missing) == ("imperfect", 51, (Card.parse("6C"),))
    assert any("six of clubs" in sentence or "6 of clubs" in sentence for sentence in found.sentences())


def test_a_card_twice_and_one_missing_are_both_named() -> None:
    found = report(WHIST, drop="6C", add=tuple(read("AS")))
    assert (found.state, found.duplicate, found.missing) == ("imperfect", (Card.parse("AS"),), (Card.parse("6C"),))


def test_of_a_card_read_twice_both_are_in_doubt() -> None:
    """The earlier may be the one that was misread: whoever looks must look at both."""
    ace = str(Card.parse("AS"))
    first = [str(card) for card in WHIST.cards if str(card) != "6C"].index(ace) + 1
    found = report(WHIST, drop="6C", add=tuple(read("AS")))
    assert found.doubted == ((Card.parse("AS"), (first, 52)),)
    assert found.as_json()["doubted"] == [{"card": "AS", "k": [first, 52]}]
    assert f"Cards {first} and 52 were read as the {Card.parse('AS').name}: look at each." in found.sentences()


def test_a_card_of_another_pack_is_foreign() -> None:
    found = report(Pack.of(24), drop="9C", add=tuple(read("2S")))
    assert (found.state, found.foreign) == ("imperfect", (Card.parse("2S"),))


def test_two_packs_mixed_name_every_card_that_is_too_many() -> None:
    found = report(WHIST, add=tuple(read("AS", "AS", "KD")))
    assert sorted(str(card) for card in found.duplicate) == ["AS", "AS", "KD"]
    assert found.state == "imperfect"


@pytest.mark.parametrize(
    "sighting", [Sighting(state=State.NOT_SURE, reason=Reason.BLURRED), Sighting(state=State.FACE_NOT_SEEN)]
)
def test_an_unread_card_proves_nothing(sighting: Sighting) -> None:
    found = report(WHIST, drop="6C", add=(sighting,))
    assert (found.state, found.counted, found.missing) == ("not proved", 52, (Card.parse("6C"),))
    assert found.faced == ((52,) if sighting.state is State.FACE_NOT_SEEN else ())


def test_a_torn_card_is_told_and_makes_no_pack_imperfect() -> None:
    found = check_pack(WHIST, read(*map(str, WHIST.cards)), [(7, "short_card")])
    assert found.state == "perfect"
    assert found.as_json()["noted"] == [{"k": 7, "code": "short_card", "card": "7C"}]
    assert found.sentences()[1:] == [
        "Card 7, the seven of clubs, is shorter than a card: it is torn or folded.",
        "Replace the torn card by agreement, or take another pack.",
    ]


def test_a_torn_card_that_was_not_read_has_only_its_number() -> None:
    sightings = [*read(*map(str, WHIST.cards[1:])), Sighting(state=State.NOT_SURE, reason=Reason.BLURRED)]
    found = check_pack(WHIST, sightings, [(52, "short_card")])
    assert found.as_json()["noted"] == [{"k": 52, "code": "short_card"}]
    assert "Card 52 is shorter than a card: it is torn or folded." in found.sentences()


def test_an_empty_hopper_is_no_pack() -> None:
    found = check_pack(WHIST, [])
    assert (found.state, found.counted, len(found.missing)) == ("imperfect", 0, 52)


def test_the_report_is_json_data() -> None:
    assert report(WHIST, drop="6C").as_json() == {
        "state": "imperfect",
        "pack": 52,
        "counted": 51,
        "missing": ["6C"],
        "duplicate": [],
        "foreign": [],
        "doubted": [],
        "faced": [],
        "unread": [],
        "noted": [],
    }
