"""Enrolling: what two passes of a simulated pack give, and each reason for which a pack is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.vision.enrolled import CARDS, deck, enrolment, nobody, passes, picture
from vision import deck_look
from vision.cards import Card
from vision.deck_decide import DeckLimits
from vision.deck_match import DeckMatcher
from vision.doubts import Doubt
from vision.enrol import EnrolLimits, enrol
from vision.enrol_report import draw_report
from vision.pips import PipCount
from vision.recogniser import Limits, Recogniser, shipped_reader
from vision.sighting import State

if TYPE_CHECKING:
    from vision.frame import Image


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.shipped(decks=(DeckMatcher(deck()),))


def test_a_pack_is_learnt_from_two_passes_and_nobody_is_asked() -> None:
    learnt = enrolment()
    assert learnt.refusals == ()
    assert learnt.questions == ()
    assert learnt.asked == 0
    assert [check.what for check in learnt.checks if check.passed] == ["light", "focus", "flatness"]
    assert deck().cards == CARDS
    assert deck().back is not None


def test_the_worst_cards_come_first_and_their_rivals_are_of_their_rank() -> None:
    worst = enrolment().qualities[0]
    assert worst.card.rank == worst.rival.rank
    assert worst.apart == min(quality.apart for quality in enrolment().qualities)


@pytest.mark.parametrize("card", CARDS[::5])
def test_later_pictures_are_read_with_the_deck(recogniser: Recogniser, card: Card) -> None:
    look = recogniser.examine(picture(card, seed=300))
    assert look.verdict.code == str(card)
    assert look.outlines[0].deck is not None
    assert look.outlines[0].deck.deck == "plain"


def test_the_back_of_the_deck_is_known(recogniser: Recogniser) -> None:
    verdict = recogniser.examine(picture(CARDS[3], seed=301, face=False)).verdict
    assert verdict.doubt is Doubt.BACK


def test_a_card_of_another_pack_is_read_as_if_no_deck_were_there(recogniser: Recogniser) -> None:
    look = recogniser.examine(picture(CARDS[0], seed=302, style="jumbo"))
    assert look.outlines[0].deck is None
    assert look.verdict == Recogniser.shipped().examine(picture(CARDS[0], seed=302, style="jumbo")).verdict


def test_an_index_that_says_another_card_than_the_whole_is_not_believed(recogniser: Recogniser) -> None:
    """The corners of a nine on a card that is a ten otherwise, as no pack prints it."""
    ten, nine = Card.parse("TH"), Card.parse("9H")
    image, other = picture(ten, seed=5), picture(nine, seed=5)
    quad = recogniser.examine(image).outlines[0].edges.corners
    theirs = recogniser.examine(other).outlines[0].edges.corners
    brought = cv2.warpPerspective(other, cv2.getPerspectiveTransform(theirs, quad), image.shape[1::-1])
    mask = np.zeros(image.shape[:2], np.uint8)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_image = cv2.getPerspectiveTransform(unit, quad)
    for left, top in ((0.03, 0.02), (0.81, 0.73)):
        corner = np.array([[left, top], [left + 0.16, top], [left + 0.16, top + 0.25], [left, top + 0.25]], np.float32)
        cv2.fillConvexPoly(mask, cv2.perspectiveTransform(corner[None], to_image)[0].astype(np.int32), (255,))
    forged = np.where(mask[..., None] > 0, brought, image).astype(np.uint8)
    verdict = recogniser.examine(forged).verdict
    assert verdict.doubt in (Doubt.WHOLE_CARD, Doubt.UNSURE)
    assert verdict.doubt is not None
    assert verdict.doubt.state is State.NOT_SURE


def test_pips_speak_against_a_card_that_may_be_of_a_deck_like_the_enrolled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ten = Card.parse("TH")
    image = picture(ten, seed=303)
    nine = PipCount(count=9, boxes=np.zeros((0, 4), np.float32), ink=np.zeros((0, 0), np.uint8))
    monkeypatch.setattr(deck_look, "count_pips", lambda grey: nine)
    usual = Recogniser.shipped(decks=(DeckMatcher(deck()),))
    assert usual.examine(image).verdict.code == str(ten)
    limits = Limits(deck=DeckLimits(strange=1.0))
    strange = Recogniser(shipped_reader(), limits=limits, decks=(DeckMatcher(deck()),))
    assert strange.examine(image).verdict.doubt is Doubt.PIPS


def test_a_pack_that_is_not_whole_is_refused() -> None:
    first, second = passes()
    learnt = enrol("plain", (first[:-1], second), CARDS, shipped_reader(), ask=nobody)
    assert learnt.deck is None
    assert learnt.refusals == ("23 faces came in the first pass, and the pack has 24. Lay the whole pack in.",)


def test_one_card_that_one_pass_could_not_see_is_learnt_from_the_other() -> None:
    first, second = passes()
    unseen = np.zeros_like(first[0][0])
    learnt = enrol("plain", ([[unseen], *first[1:]], second), CARDS, shipped_reader(), ask=nobody)
    assert learnt.refusals == ()
    assert learnt.deck is not None
    assert learnt.deck.cards == CARDS


def notched(image: Image, *, at: float = 0.4) -> Image:
    """A picture in which something as dark as the ground covers a part of the card's left edge, from so far down on."""
    corners = Recogniser.shipped().examine(image).outlines[0].edges.corners
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    patch = np.array([[[-0.02, at], [0.2, at], [0.2, at + 0.2], [-0.02, at + 0.2]]], np.float32)
    covered = cv2.perspectiveTransform(patch, cv2.getPerspectiveTransform(unit, corners))[0].astype(np.int32)
    return cv2.fillPoly(image.copy(), [covered], (12, 12, 12)).astype(np.uint8)


def test_what_covers_the_edge_of_a_card_in_one_pass_is_not_learnt_as_its_print() -> None:
    first, second = passes()
    came = [[notched(first[0][0])], *first[1:]]
    learnt = enrol("plain", (came, second), CARDS, shipped_reader(), ask=nobody)
    assert learnt.refusals == ()
    assert learnt.deck is not None
    assert not learnt.deck.spoilt.any()
    (covered,) = [one for one in learnt.qualities if one.card == CARDS[0]]
    assert len(covered.pictures) == 1, "that of the other pass alone"
    enrolled = Recogniser.shipped(decks=(DeckMatcher(learnt.deck),))
    assert enrolled.examine(came[0][0]).verdict.doubt is Doubt.NOTCHED


def test_what_covers_the_edge_of_every_card_is_the_fault_of_the_window() -> None:
    both = [[[notched(image) for image in frames] for frames in one] for one in passes()]
    learnt = enrol("plain", (both[0], both[1]), CARDS, shipped_reader(), ask=nobody)
    assert learnt.deck is None
    assert learnt.refusals == ("No card was seen. Look at a picture of the camera with pone see --explain.",)


def test_a_back_that_no_picture_counts_of_is_no_missing_card() -> None:
    first, second = passes()
    learnt = enrol("plain", (first, [[np.zeros_like(first[0][0])], *second[1:]]), CARDS, shipped_reader(), ask=nobody)
    assert learnt.refusals == ()
    assert learnt.deck is not None
    assert learnt.deck.cards == CARDS
    assert learnt.deck.back is None


def test_two_jokers_that_are_printed_alike_are_no_fault_of_a_pack() -> None:
    first, second = (list(one) for one in passes())
    joker = Card.parse("J1")
    first += [[picture(joker, seed=seed)] for seed in (41, 42)]
    second += [[picture(joker, seed=seed)] for seed in (43, 44)]
    cards = (*CARDS, joker, Card.parse("J2"))
    learnt = enrol("plain", (first, second), cards, shipped_reader(), ask=nobody)
    assert learnt.refusals == ()
    assert learnt.deck is not None
    assert learnt.deck.cards == cards


def test_a_doubled_card_in_place_of_another_is_asked_about_and_then_refused() -> None:
    first, second = (list(one) for one in passes())
    first[0], second[-1] = [picture(CARDS[1], seed=31)], [picture(CARDS[1], seed=32)]
    asked = enrol("plain", (first, second), CARDS, shipped_reader(), ask=nobody)
    assert asked.deck is None
    assert asked.questions
    told = enrol("plain", (first, second), CARDS, shipped_reader(), ask=lambda question, image: CARDS[1])
    assert told.deck is None
    assert told.refusals == (
        "Two pictures were named the nine of clubs. Look whether the pack is whole, and begin again.",
    )


@pytest.mark.parametrize(("came", "instead_of"), [("9H", "TH"), ("AS", "AC"), ("JS", "JC")])
def test_two_cards_that_were_paired_as_one_are_told_and_the_pack_is_refused(came: str, instead_of: str) -> None:
    """One pass brought a card twice and lacked another; what is left over of both passes becomes a pair."""
    first, second = (list(one) for one in passes())
    lacked = Card.parse(instead_of)
    first[CARDS.index(lacked)] = [picture(Card.parse(came), seed=731)]
    learnt = enrol("plain", (first, second), CARDS, shipped_reader(), ask=nobody)
    assert learnt.deck is None
    assert learnt.refusals == (
        f"The two pictures of the {lacked.name} do not show one card: they are as much like the "
        f"{Card.parse(came).name}. Look whether the pack holds a card twice, or another deck's, and begin again.",
    )


def test_one_card_whose_pictures_are_quite_unlike_is_enough_to_refuse_a_pack() -> None:
    learnt = enrol("plain", passes(), CARDS, shipped_reader(), ask=nobody, limits=EnrolLimits(alike=0.0, same=0.999))
    assert learnt.deck is None
    assert all("do not show one card" in said for said in learnt.refusals)


def test_a_weak_light_is_told_with_the_next_step() -> None:
    dark = [[(frames[0] // 6).astype(np.uint8)] for frames in passes()[0]]
    learnt = enrol("plain", (dark, dark), CARDS, shipped_reader(), ask=nobody)
    assert learnt.refusals == (learnt.checks[0].said,)
    assert "Turn the lamp up" in learnt.refusals[0]


def test_a_worn_pack_is_refused_with_the_reason() -> None:
    limits = EnrolLimits(alike=0.999)
    learnt = enrol("plain", passes(), CARDS, shipped_reader(), ask=nobody, limits=limits)
    assert learnt.deck is None
    assert "worn or dirty" in learnt.refusals[0]


def test_another_pack_in_the_second_pass_is_told_as_one() -> None:
    other = [[picture(card, seed=900 + number, style="jumbo")] for number, card in enumerate(CARDS)]
    learnt = enrol("plain", (passes()[0], other), CARDS, shipped_reader(), ask=nobody)
    assert learnt.deck is None
    assert "another pack came" in learnt.refusals[0]
    assert "or glare hides what is printed. Lay one pack in for both passes" in learnt.refusals[0]


def test_pictures_without_a_card_are_refused() -> None:
    empty = [[np.zeros((480, 640, 3), np.uint8)]] * 24
    assert "No card was seen" in enrol("plain", (empty, empty), CARDS, shipped_reader(), ask=nobody).refusals[0]


def test_the_report_shows_six_pairs_and_six_cards() -> None:
    report = draw_report("plain", enrolment())
    assert report.dtype == np.uint8
    assert report.shape[1:] == (700, 3)
    # Four rows of card pictures, 140 px each, and words.
    assert 4 * 140 < report.shape[0] < 1_000
