"""The short form of the drawn sets: decks of artwork the reader never saw, in a window nobody trained on."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.drawn_frames import HEIGHT, WIDTH, artwork, draw_frame, read_decks
from tests.eye_gates import (
    Tally,
    _right,
    drawn_backs,
    drawn_empties,
    drawn_faces,
    drawn_jokers,
    drawn_pairs,
    drawn_parts,
    enrol_drawn,
    light_english,
    others,
    tally,
)
from vision.deck_match import DeckMatcher
from vision.doubts import Doubt
from vision.recogniser import Recogniser, shipped_reader
from vision.sighting import State

if TYPE_CHECKING:
    from pathlib import Path

    from tests.drawn_frames import DeckFolder


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.shipped()


@pytest.fixture(scope="module")
def decks(test_data: Path) -> list[DeckFolder]:
    return read_decks(test_data)


@pytest.mark.parametrize(("level", "least"), [(0.5, 0.85), (1.0, 0.85), (2.0, 0.5)])
def test_faces_are_read_and_never_wrongly(
    recogniser: Recogniser, decks: list[DeckFolder], level: float, least: float
) -> None:
    seen = tally(recogniser, drawn_faces(light_english(decks), level, frames=30, seed=1))
    assert seen.wrong == []
    assert seen.accepted >= least * seen.looked


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("gnome-tango", 0.7),  # printed off its middle, both ways
        ("kde-jolly-royal", 0.7),  # each card's indices at other heights
        ("kde-ancient-egyptians", 0.5),  # the lower index upright, the sign above the rank
    ],
)
def test_indices_in_other_places_are_read(
    recogniser: Recogniser, decks: list[DeckFolder], name: str, least: float
) -> None:
    chosen = [deck for deck in decks if deck.name == name]
    seen = tally(recogniser, drawn_faces(chosen, 1.0, frames=12, seed=1))
    assert seen.wrong == []
    assert seen.accepted >= least * seen.looked


def test_decks_of_other_countries_are_never_read_wrongly(recogniser: Recogniser, decks: list[DeckFolder]) -> None:
    assert tally(recogniser, drawn_faces(others(decks), 1.0, frames=20, seed=1)).wrong == []


def test_a_bell_under_a_nine_is_no_club(recogniser: Recogniser, decks: list[DeckFolder]) -> None:
    (frame,) = islice(drawn_faces(others(decks), 2.0, frames=250, seed=77032), 34, 35)
    assert frame.name.startswith("kde-xskat-german 9D")
    assert tally(recogniser, iter([frame])).wrong == []


def test_a_queen_whose_letter_motion_smears_is_no_jack(recogniser: Recogniser, decks: list[DeckFolder]) -> None:
    (frame,) = islice(drawn_faces(light_english(decks), 2.0, frames=66, seed=1066), 65, None)
    assert frame.right == {"QH"}
    assert recogniser.examine(frame.image).verdict.doubt is Doubt.UNSURE


def test_backs_and_parts_are_never_read(recogniser: Recogniser, decks: list[DeckFolder]) -> None:
    assert tally(recogniser, drawn_backs(decks, frames=20, seed=1)).wrong == []
    assert tally(recogniser, drawn_parts(decks, frames=12, seed=1)).wrong == []


def test_a_joker_is_no_card_that_can_be_named(recogniser: Recogniser, decks: list[DeckFolder]) -> None:
    seen = tally(recogniser, drawn_jokers(decks, frames=16, seed=1))
    assert seen.wrong == []
    assert seen.states[State.NOT_SURE] >= 14


def test_the_empty_window_is_named_empty(recogniser: Recogniser) -> None:
    seen = tally(recogniser, drawn_empties(frames=8, seed=1))
    assert seen.states == {State.EMPTY: 8}


def test_two_cards_from_five_per_cent_on_are_never_read_as_one(recogniser: Recogniser, decks: list[DeckFolder]) -> None:
    assert tally(recogniser, drawn_pairs(decks, (0.05, 0.25), frames=25, seed=1)).wrong == []


def after_enrolling(deck: DeckFolder, *, seed: int) -> Recogniser:
    """The eye once it has learnt a deck, every question answered."""
    reader = shipped_reader()
    learnt = enrol_drawn(deck, reader, seed=seed, pictures=1)
    assert learnt.refusals == ()
    assert learnt.deck is not None
    return Recogniser(reader, decks=(DeckMatcher(learnt.deck),))


def test_a_deck_with_strange_letters_is_read_after_enrolling(decks: list[DeckFolder]) -> None:
    (deck,) = (deck for deck in decks if deck.name == "gnome-guyenne-classic")
    enrolled = after_enrolling(deck, seed=1)
    usual, harsh = (tally(enrolled, drawn_faces([deck], level, frames=24, seed=1)) for level in (1.0, 2.0))
    assert usual.wrong == harsh.wrong == tally(enrolled, drawn_backs([deck], frames=8, seed=1)).wrong == []
    assert usual.accepted >= 23
    assert harsh.accepted >= 16


def test_cards_without_a_letter_are_asked_about_and_never_named_by_what_noise_reads(decks: list[DeckFolder]) -> None:
    """With this seed noise reads some kings and jacks of one suit as each other."""
    (deck,) = (deck for deck in decks if deck.name == "gnome-guyenne-classic")
    courts = replace(deck, files={code: file for code, file in deck.files.items() if code[0] in "AJQKB"})
    seen = tally(after_enrolling(courts, seed=5), drawn_faces([courts], 0.5, frames=32, seed=5))
    assert seen.wrong == []
    assert seen.accepted >= 30


def test_cards_that_differ_by_a_small_sign_are_paired_learnt_and_read(decks: list[DeckFolder]) -> None:
    """Dark cards whose rank stands at the upper right and whose suit is told by signs alone; glare is not in them."""
    (deck,) = (deck for deck in decks if deck.name == "kde-oxygen")
    few = replace(deck, files={code: file for code, file in deck.files.items() if code[0] in "2QKB"})
    enrolled = after_enrolling(few, seed=3)
    usual, harsh = (tally(enrolled, drawn_faces([few], level, frames=24, seed=1)) for level in (1.0, 2.0))
    assert usual.wrong == harsh.wrong == []
    assert usual.accepted >= 23
    assert harsh.accepted >= 15


def test_cards_whose_print_spoils_their_outline_are_learnt_and_no_pair_of_them_is_read(decks: list[DeckFolder]) -> None:
    """Black indices that run over the edge look like notches between two cards; a deck may say whose they are."""
    (deck,) = (deck for deck in decks if deck.name == "kde-penguins")
    most = replace(deck, files={code: file for code, file in deck.files.items() if code[0] in "35789TQ"})
    few = replace(deck, files={code: deck.files[code] for code in ("TC", "TS", "QC", "QS")})
    enrolled = after_enrolling(most, seed=35)
    shown = list(drawn_faces([few], 1.0, frames=10, seed=3))
    assert tally(Recogniser.shipped(), iter(shown)).accepted == 0
    assert tally(enrolled, iter(shown)).accepted >= 9
    for pictures in (
        drawn_faces([few], 2.0, frames=8, seed=3),
        drawn_pairs([few], (0.02, 0.05), frames=24, seed=3),
        drawn_pairs([few], (0.05, 0.25), frames=8, seed=3),
        drawn_parts([few], frames=8, seed=3),
    ):
        assert tally(enrolled, pictures).wrong == []


def test_a_seed_draws_the_same_frames(decks: list[DeckFolder]) -> None:
    for first, second in zip(*(islice(drawn_faces(decks, 1.0, frames=2, seed=5), 2) for _ in range(2)), strict=True):
        assert first.name == second.name
        assert np.array_equal(first.image, second.image)


def test_a_card_lies_near_the_middle_and_the_ground_is_dark(decks: list[DeckFolder]) -> None:
    deck = decks[0]
    image = draw_frame(np.random.default_rng(1), (artwork(deck.files[deck.faces[0]]),), level=0.5)
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert image[HEIGHT // 2 - 60 : HEIGHT // 2 + 60, WIDTH // 2 - 40 : WIDTH // 2 + 40].mean() > 80
    assert image[:, :60].mean() < 60


@pytest.mark.parametrize(
    ("label", "right"),
    [
        ("9C", {"9C"}), ("JK", {"J1", "J2"}), ("T (rank only)", {"TC", "TD", "TH", "TS"}),
        ("Q T 9 (rank only)", set()), ("NONE", set()), ("BACK2", set()), ("", set()),
    ],
)  # fmt: skip
def test_a_label_says_which_cards_may_be_accepted(label: str, right: set[str]) -> None:
    assert _right(label) == right


def test_a_zero_bounds_the_rate_by_three_over_the_number() -> None:
    assert Tally(looked=1_000).bound == pytest.approx(0.003, rel=0.01)
