"""Names of the pictures of a pack: what the assignment settles, what a person is asked, and what he may not answer."""

from __future__ import annotations

import numpy as np

from vision.cards import Card, Pack
from vision.classify import NO_RANK, RANK_CLASSES, SUIT_CLASSES
from vision.enrol_names import Question, Readings, evidence, name_all

CARDS = Pack.of(52).cards


def reading(card: Card, *, rank: float = 0.9, suit: float = 0.9) -> Readings:
    """What an index reads as, the rest of the chance being that nothing can be read."""
    ranks, suits = np.zeros(RANK_CLASSES, np.float32), np.zeros(SUIT_CLASSES, np.float32)
    ranks[NO_RANK], suits[-1] = 1 - rank, 1 - suit
    if not card.is_joker:
        ranks["A23456789TJQK".index(card.rank)] += rank
        suits["CDHS".index(card.suit)] += suit
    return Readings(ranks=ranks, suits=suits)


def chances(cards: tuple[Card, ...], weak: dict[str, float] | None = None) -> np.ndarray:
    weak = weak or {}
    return np.stack([evidence([reading(card, rank=weak.get(card.rank, 0.9))] * 2, cards) for card in cards])


def never(question: Question) -> Card | None:
    raise AssertionError(f"asked about {question}")


def test_clear_readings_name_every_card_and_nobody_is_asked() -> None:
    assert name_all(chances(CARDS), CARDS, never).cards == CARDS


def test_one_letter_that_cannot_be_read_is_settled_by_what_is_left() -> None:
    """As the K of a pack whose king has a strange letter: all other ranks are taken."""
    assert name_all(chances(CARDS, {"K": 0.0}), CARDS, never).cards == CARDS


def test_two_letters_that_cannot_be_read_are_asked_about_once_a_suit() -> None:
    asked: list[Question] = []

    def person(question: Question) -> Card:
        asked.append(question)
        return CARDS[question.number]

    named = name_all(chances(CARDS, {"Q": 0.0, "J": 0.0}), CARDS, person)
    assert named.cards == CARDS
    assert named.open == ()
    assert len(asked) == 4
    for question in asked:
        assert {card.rank for card in question.likely[:2]} == {"Q", "J"}


def test_what_nobody_answers_stays_open() -> None:
    named = name_all(chances(CARDS, {"Q": 0.0, "J": 0.0}), CARDS, lambda question: None)
    assert len(named.open) == 8
    assert named.answered == ()


def test_a_card_that_was_named_twice_is_told() -> None:
    named = name_all(chances(CARDS, {"Q": 0.0, "J": 0.0}), CARDS, lambda question: Card.parse("QS"))
    assert named.twice == Card.parse("QS")


def test_a_picture_that_reads_as_a_card_that_is_taken_is_asked_about() -> None:
    """A doubled card: both read as it, and one of them would have to be the one that is missing."""
    doubled = chances(CARDS)
    doubled[7] = doubled[8]
    named = name_all(doubled, CARDS, lambda question: None)
    assert {question.number for question in named.open} >= {7} or {question.number for question in named.open} >= {8}


def test_jokers_need_no_names_of_their_own() -> None:
    cards = (*CARDS, Card.parse("J1"), Card.parse("J2"))
    named = name_all(chances(cards), cards, never)
    assert named.cards[:52] == CARDS
    assert {str(card) for card in named.cards[52:]} == {"J1", "J2"}


def faint(card: Card, *, seen: str, much: float) -> Readings:
    """What an index reads as whose suit is clear, and whose rank is next to none: a little of it is seen."""
    ranks, suits = np.zeros(RANK_CLASSES, np.float32), np.zeros(SUIT_CLASSES, np.float32)
    ranks[NO_RANK], ranks["A23456789TJQK".index(seen)] = 1 - much, much
    suits["CDHS".index(card.suit)] = 1.0
    return Readings(ranks=ranks, suits=suits)


def test_what_little_is_read_where_an_index_is_none_names_nothing() -> None:
    """As in gnome-guyenne-classic, whose courts have no letter: the king of hearts read as a jack, with 0.09 of 1."""
    found = chances(CARDS)
    courts = {CARDS.index(Card.parse(code)): seen for code, seen in (("JH", "K"), ("QH", "K"), ("KH", "J"))}
    for number, seen in courts.items():
        found[number] = evidence([faint(CARDS[number], seen=seen, much=0.09)] * 2, CARDS)
    asked: list[int] = []

    def person(question: Question) -> Card:
        asked.append(question.number)
        return CARDS[question.number]

    assert name_all(found, CARDS, person).cards == CARDS
    assert len(asked) == 2, "the third is what is left"
