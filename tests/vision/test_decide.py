"""The decision: what confirms, what contradicts, and what is not enough."""

from __future__ import annotations

import pytest

from vision.classify import IndexReading
from vision.decide import DecisionLimits, decide
from vision.doubts import Doubt
from vision.second_opinion import Opinion

LIMITS = DecisionLimits()


def reading(code: str, rank: float = 0.97, suit: float = 0.97) -> IndexReading:
    place = "A23456789TJQK-B".index(code[0])
    return IndexReading(rank=place, suit="CDHS-".index(code[1]), rank_confidence=rank, suit_confidence=suit, back=rank)


def odds(*chances: float) -> float:
    """Return the probability that independent witnesses with these chances give together."""
    right, wrong = 1.0, 1.0
    for chance in chances:
        right, wrong = right * chance, wrong * (1 - chance)
    return right / (right + wrong)


def both(code: str, rank: float = 0.97, suit: float = 0.97) -> tuple[IndexReading, IndexReading]:
    return reading(code, rank, suit), reading(code, rank, suit)


def test_two_sure_corners_name_the_card() -> None:
    verdict = decide([both("9C")], Opinion(), LIMITS)
    assert (verdict.code, verdict.doubt) == ("9C", None)
    assert verdict.confidence == pytest.approx(odds(0.97, 0.97) ** 2)


def test_views_of_a_smeared_letter_do_not_bear_each_other_out() -> None:
    read = [both("QH", 0.9, 0.85), both("QH", 0.85, 0.9)]
    assert decide(read, Opinion(edge=0.021), LIMITS).code == "QH"
    assert decide(read, Opinion(edge=0.023), LIMITS).doubt is Doubt.UNSURE
    assert decide([both("QH")], Opinion(edge=0.023), LIMITS).code == "QH"
    assert decide([both("9H", 0.8, 0.9), both("9H", 0.8, 0.9)], Opinion(edge=0.023, pips=9), LIMITS).code == "9H"


def test_two_corners_are_surer_than_one_and_no_surer_than_they_are() -> None:
    verdict = decide([(reading("9C", 0.8), reading("9C", 0.7))], Opinion(), LIMITS)
    assert verdict.doubt is Doubt.UNSURE
    assert verdict.confidence == pytest.approx(odds(0.8, 0.7) * odds(0.97, 0.97))


def test_a_further_view_is_half_a_witness() -> None:
    one, other = both("9C", 0.85, 0.9), both("9C", 0.8, 0.97)
    assert decide([one], Opinion(), LIMITS).doubt is Doubt.UNSURE
    verdict = decide([one, other], Opinion(), LIMITS)
    assert verdict.code == "9C"
    # Half of two corners of one view is one of them: the root of the odds of 0.8 twice are those of 0.8.
    assert verdict.confidence == pytest.approx(odds(0.85, 0.85, 0.8) * odds(0.97, 0.97, 0.9))


def test_a_view_that_tells_next_to_nothing_takes_nothing_from_the_others() -> None:
    alone, together = (decide([both("9C"), *more], Opinion(), LIMITS) for more in ((), [both("9C", 0.3, 0.4)]))
    assert together.confidence == pytest.approx(alone.confidence)


def test_two_views_that_doubt_the_rank_are_no_surer_together() -> None:
    """However sure the suit is, the pips confirm what is little more than a guess."""
    surer, less = reading("9D", 0.7, 1.0), reading("9D", 0.1, 1.0)
    verdict = decide([(surer, less), (less, surer)], Opinion(pips=9), LIMITS)
    assert verdict.doubt is Doubt.UNSURE
    assert verdict.confidence == pytest.approx(odds(0.7, 0.1, 1 / 1.02))


def test_another_card_that_is_barely_read_is_no_contradiction_however_sure_its_suit() -> None:
    assert decide([both("9D"), both("6D", 0.3, 1.0)], Opinion(), LIMITS).code == "9D"


def test_what_one_corner_barely_tells_does_not_support_the_other() -> None:
    verdict = decide([(reading("9D", 0.999, 0.999), reading("9D", 0.5))], Opinion(), LIMITS)
    assert (verdict.code, verdict.doubt) == ("", Doubt.UNSURE)


@pytest.mark.parametrize("other", ["6D", "9H"])
def test_one_corner_that_surely_reads_another_card_contradicts_whatever_the_other_says(other: str) -> None:
    """Of a flat-topped three: both corners read it as a five in one view, and one of them as itself in another."""
    assert decide([both("9D"), (reading("9D"), reading(other))], Opinion(), LIMITS).doubt is Doubt.DISAGREE
    assert decide([both("9D"), (reading("--"), reading(other))], Opinion(), LIMITS).doubt is Doubt.DISAGREE
    assert decide([both("9D"), (reading("9D"), reading(other, 0.5, 0.5))], Opinion(), LIMITS).code == "9D"


def test_pips_settle_what_one_corner_reads_otherwise() -> None:
    assert decide([both("9D"), (reading("9D"), reading("6D"))], Opinion(pips=9), LIMITS).code == "9D"


def test_a_suit_that_one_corner_tells_in_no_view_well_is_not_enough() -> None:
    """Of a gem in the place of a diamond, which is a heart to one corner by 0.96, to the other by 0.78 at most."""
    assert decide([(reading("AH", 0.999, 0.96), reading("AH", 0.999, 0.78))] * 4, Opinion(), LIMITS).code == ""
    assert decide([(reading("AH", 0.999, 0.96), reading("AH", 0.999, 0.85))] * 4, Opinion(), LIMITS).code == "AH"


def test_views_of_another_place_contradict_and_never_support() -> None:
    weak = [both("9C", 0.85, 0.9)]
    assert decide(weak * 4, Opinion(), LIMITS).code == "9C"
    assert decide(weak, Opinion(), LIMITS, elsewhere=weak * 3).doubt is Doubt.UNSURE
    sure = [both("9C")]
    assert decide(sure, Opinion(), LIMITS, elsewhere=[both("6C", 0.8)]).doubt is Doubt.DISAGREE
    assert decide(sure, Opinion(), LIMITS, elsewhere=[(reading("6C"), reading("--"))]).code == "9C"


def test_a_corner_that_doubts_takes_from_the_other() -> None:
    verdict = decide([(reading("9C", 0.97), reading("9C", 0.3))], Opinion(), LIMITS)
    assert verdict.doubt is Doubt.UNSURE
    assert verdict.confidence < odds(0.97, 0.5)


def test_pips_raise_the_rank_they_confirm_by_bayes_rule() -> None:
    verdict = decide([both("9C", 0.8)], Opinion(pips=9), LIMITS)
    assert verdict.code == "9C"
    assert verdict.confidence == pytest.approx(odds(0.8, 0.8, 1 / 1.02) * odds(0.97, 0.97))


def test_pips_do_not_make_the_suit_surer() -> None:
    assert decide([both("9C", 0.9, 0.6)], Opinion(pips=9), LIMITS).doubt is Doubt.UNSURE


@pytest.mark.parametrize(("code", "pips"), [("QD", 9), ("5H", 6), ("AS", 4)])
def test_what_speaks_against_a_card_is_not_outweighed(code: str, pips: int) -> None:
    verdict = decide([both(code, 0.999, 0.999)], Opinion(pips=pips), LIMITS)
    assert verdict.code == ""
    assert verdict.doubt is Doubt.PIPS


def test_another_card_in_another_view_is_a_contradiction() -> None:
    assert decide([both("5D"), both("JD", 0.8, 0.8)], Opinion(), LIMITS).doubt is Doubt.DISAGREE
    assert decide([both("5D"), both("JD", 0.6, 0.6)], Opinion(), LIMITS).code == "5D"


def test_another_card_that_the_pips_speak_against_takes_nothing() -> None:
    pairs = [both("6C", 0.9), both("5C", 0.9)]
    assert decide(pairs, Opinion(), LIMITS).code == ""
    assert decide(pairs, Opinion(pips=6), LIMITS).code == "6C"


def test_each_corner_must_tell_in_some_view_not_both_in_the_same() -> None:
    surer, less = reading("9D", 0.99, 0.99), reading("9D", 0.5)
    assert decide([(surer, less)], Opinion(), LIMITS).doubt is Doubt.UNSURE
    assert decide([(surer, less), (less, surer)], Opinion(), LIMITS).code == "9D"


def test_a_back_must_show_in_every_view() -> None:
    assert decide([both("B-"), both("B-")], Opinion(), LIMITS).doubt is Doubt.BACK
    assert decide([both("B-"), both("--")], Opinion(), LIMITS).doubt is Doubt.NO_INDEX
    assert decide([(reading("B-"), reading("9C"))], Opinion(), LIMITS).doubt is Doubt.ONE_CORNER
