"""Photographs of real decks the reader never saw: most are accepted, and none of the accepted is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.eye_gates import photographs, tally
from vision.corner_view import CornerRecogniser
from vision.recogniser import Recogniser, shipped_reader

if TYPE_CHECKING:
    from pathlib import Path

    from vision.classify import IndexReader


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return shipped_reader()


def test_whole_cards_are_read_and_never_wrongly(reader: IndexReader, test_data: Path) -> None:
    seen = tally(Recogniser(reader), photographs(test_data, "single"))
    assert seen.wrong == []
    assert seen.looked == 320
    assert seen.accepted >= 0.98 * seen.looked


def test_of_several_cards_none_is_read_as_if_alone(reader: IndexReader, test_data: Path) -> None:
    """A third of the cards that lie alone in clutter are found; the others have an outline too unclear to be sure."""
    seen = tally(Recogniser(reader), photographs(test_data, "clutter"))
    assert seen.wrong == []
    assert seen.looked == 363
    assert seen.accepted >= 55
    assert tally(Recogniser(reader), photographs(test_data, "multi/fanned_deals")).wrong == []


@pytest.mark.slow
def test_corners_seen_inside_a_machine_are_read_and_never_wrongly(reader: IndexReader, test_data: Path) -> None:
    seen = tally(CornerRecogniser(reader), photographs(test_data, "machine/shuffler_corner"))
    assert seen.wrong == []
    assert seen.looked == 52
    assert seen.accepted >= 40


@pytest.mark.slow
def test_odd_designs_are_not_read_wrongly(reader: IndexReader, test_data: Path) -> None:
    seen = tally(Recogniser(reader), photographs(test_data, "odd/designs"))
    assert seen.wrong == []
    assert seen.looked == 636
    assert seen.accepted >= 0.55 * seen.looked
