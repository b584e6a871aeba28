"""What speaks for a reading, what against it, and what says nothing."""

from __future__ import annotations

import pytest

from vision.doubts import Doubt
from vision.index_marks import IndexMarks
from vision.second_opinion import Opinion, marks_tell, mistaken, says_something, speaks_against


def seen(*rings: float, notch: float | None = None) -> Opinion:
    return Opinion(marks=(IndexMarks(rings=rings, notch=notch),) * 2)


@pytest.mark.parametrize(("code", "pips"), [("QD", 9), ("5H", 6), ("2S", 3), ("AS", 4), ("TD", 2), ("3C", 1)])
def test_pips_speak_against_another_rank(code: str, pips: int) -> None:
    assert speaks_against(Opinion(pips=pips), code) is Doubt.PIPS


@pytest.mark.parametrize(("code", "pips"), [("QD", 1), ("KS", 2), ("AS", 1), ("JC", None)])
def test_one_or_two_marks_in_the_field_do_not_speak_against_a_court(code: str, pips: int | None) -> None:
    assert speaks_against(Opinion(pips=pips), code) is None


@pytest.mark.parametrize(
    ("code", "rings"), [("QD", (0.3,)), ("9C", (0.44,)), ("6H", (0.3,)), ("9S", (0.67,)), ("AC", (0.2,))]
)
def test_a_ring_at_another_height_speaks_against_a_rank(code: str, rings: tuple[float, ...]) -> None:
    assert speaks_against(seen(*rings), code) is Doubt.FIGURES


@pytest.mark.parametrize(
    ("code", "rings"),
    [
        ("QD", (0.42,)),
        ("QD", (0.36, 0.76)),
        ("QS", ()),
        ("9C", (0.31,)),
        ("8C", (0.2, 0.64)),
        ("5H", (0.5,)),
        ("KD", ()),
    ],
)
def test_a_ring_in_its_place_or_none_does_not(code: str, rings: tuple[float, ...]) -> None:
    assert speaks_against(seen(*rings), code) is None


def test_in_a_blurred_picture_a_mark_that_is_not_seen_says_nothing() -> None:
    corners = (IndexMarks(rings=(0.2,), notch=0.0),) * 2
    assert speaks_against(Opinion(marks=corners), "AH") is Doubt.FIGURES
    assert speaks_against(Opinion(marks=corners, edge=0.02), "AH") is None
    assert speaks_against(Opinion(marks=corners, pips=4, edge=0.02), "AH") is Doubt.PIPS


def test_a_notch_is_filled_by_less_blur_than_a_ring() -> None:
    corners = (IndexMarks(rings=(0.5,), notch=0.0),) * 2
    assert speaks_against(Opinion(marks=corners, edge=0.008), "AH") is Doubt.SIGNS
    assert speaks_against(Opinion(marks=corners, edge=0.012), "AH") is None


def test_closed_feet_are_no_ring_of_another_figure() -> None:
    assert speaks_against(seen(0.79), "AS") is None


def test_one_corner_alone_speaks_against_nothing() -> None:
    corners = (IndexMarks(rings=(0.3,), notch=0.0), IndexMarks())
    assert speaks_against(Opinion(marks=corners), "QH") is None


@pytest.mark.parametrize(
    ("code", "notch", "doubt"),
    [
        ("AH", 0.0, Doubt.SIGNS), ("AH", 0.1, None), ("AD", 0.1, Doubt.SIGNS), ("AD", 0.02, None),
        ("AS", 0.1, None), ("AC", 0.0, None), ("AH", None, None),
    ],
)  # fmt: skip
def test_a_notch_makes_the_heart(code: str, notch: float | None, doubt: Doubt | None) -> None:
    assert speaks_against(seen(0.5, notch=notch), code) is doubt


def test_what_confirms_a_rank_makes_it_less_likely_mistaken() -> None:
    assert mistaken(Opinion(), "9") == 1.0
    assert mistaken(Opinion(pips=9), "9") == pytest.approx(0.02)
    assert mistaken(Opinion(pips=8), "9") == 1.0
    assert mistaken(seen(0.31), "9") == pytest.approx(0.1)
    assert mistaken(seen(0.36, 0.76), "Q") == pytest.approx(0.1)
    assert mistaken(seen(0.2, 0.64), "8") == pytest.approx(0.1)
    assert mistaken(seen(0.2, 0.64), "Q") == 1.0
    assert mistaken(seen(), "5") == 1.0
    assert mistaken(Opinion(pips=9, marks=seen(0.31).marks), "9") == pytest.approx(0.002)


def test_marks_tell_of_ranks_with_rings_and_of_red_suits_alone() -> None:
    assert all(marks_tell(code, None) for code in ("AS", "4C", "6S", "8C", "9S", "QC", "2H", "KD"))
    assert not any(marks_tell(code, None) for code in ("2S", "3C", "5S", "7C", "TS", "JC", "KS"))


@pytest.mark.parametrize(
    ("code", "pips", "tell"), [("9H", 9, False), ("9H", 8, True), ("3D", 3, False), ("AH", 1, True), ("QD", 3, True)]
)
def test_marks_are_not_asked_where_several_pips_say_what_the_index_does(code: str, pips: int, tell: bool) -> None:
    assert marks_tell(code, pips) is tell


@pytest.mark.parametrize(
    ("code", "marks", "says"),
    [
        ("9S", IndexMarks(rings=(0.3,)), True),
        ("9S", IndexMarks(rings=(0.67,)), True),
        ("9S", IndexMarks(), False),
        ("8C", IndexMarks(rings=(0.2, 0.6)), True),
        ("2H", IndexMarks(rings=(), notch=0.01), True),
        ("2H", IndexMarks(rings=(), notch=0.15), False),
    ],
)
def test_one_index_that_says_nothing_makes_the_other_needless(code: str, marks: IndexMarks, says: bool) -> None:
    assert says_something(marks, code) is says
    if not says:
        one, both = Opinion(marks=(marks,)), Opinion(marks=(marks, IndexMarks(rings=(0.3,), notch=0.01)))
        assert speaks_against(one, code) is speaks_against(both, code) is None
        assert mistaken(one, code[0]) == mistaken(both, code[0]) == 1.0


@pytest.mark.parametrize(("code", "tip", "doubt"), [("3C", 0.3, Doubt.SIGNS), ("3C", 0.35, None), ("3S", 0.3, None)])
def test_pips_with_a_slim_top_speak_against_a_club(code: str, tip: float, doubt: Doubt | None) -> None:
    assert speaks_against(Opinion(pips=3, tip=tip, edge=0.02), code) is doubt
