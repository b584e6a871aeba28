"""What is known of the faces of a deal's cards."""

from __future__ import annotations

from controller.cards_seen import CardsSeen
from vision.cards import Card, Pack

ACE, TWO = Card.parse("AS"), Card.parse("2S")


def seen_of(*told: str) -> CardsSeen:
    """The cards of a deal, each by its code, or by the state of its sighting."""
    seen = CardsSeen()
    for k, text in enumerate(told, 1):
        is_card = text[0].isupper() or text[0].isdigit()
        seen.saw({"fact": "seen", "k": k, **({"state": "card", "card": text} if is_card else {"state": text})})
    return seen


def test_a_back_is_no_doubt_and_two_cards_are_unread() -> None:
    seen = seen_of("AS", "face_not_seen", "two_cards", "not_sure")
    assert (seen.fed, seen.unread, seen.doubts, seen.all_read) == (4, 2, 1, False)
    seen.fell_with_another(1)
    assert (seen.fed, seen.unread) == (5, 3)


def test_cards_that_differ_are_all_read_and_the_rest_of_the_pack_is_missing() -> None:
    seen = seen_of("AS", "2S")
    assert seen.all_read
    assert (seen.card_of(1), seen.card_of(3)) == (ACE, None)
    assert len(seen.missing(Pack.of(52))) == 50
    assert not {"AS", "2S"} & set(seen.missing(Pack.of(52)))


def test_of_two_that_were_read_alike_neither_is_called_by_that_card() -> None:
    seen = seen_of("AS", "2S", "AS")
    assert (seen.earlier(3, ACE), seen.earlier(1, ACE), seen.earlier(2, TWO)) == (1, None, None)
    assert seen.earlier(4, TWO) == 2, "of a card that people named"
    seen.doubt({"fact": "doubted", "k": 3, "earlier": 1})
    assert (seen.card_of(1), seen.card_of(2), seen.card_of(3)) == (None, TWO, None)
    assert (seen.times_read(ACE), seen.all_read) == (2, False)
