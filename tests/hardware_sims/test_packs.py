"""Faces and backs: what is printed where, and that no two can be taken for each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware_sims.pack_art import CARD_HEIGHT_MM, CARD_WIDTH_MM, PX_PER_MM
from hardware_sims.packs import BACKS, PACK_STYLES, draw_back, draw_face
from vision.cards import JOKERS, Card, Pack

if TYPE_CHECKING:
    from vision.frame import Image

SIZE = (711, 508, 3)


def ink(art: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether each pixel is printed: 100 levels or more below white in some colour."""
    return np.asarray(art.min(axis=2) < 150)


def test_artwork_has_the_size_of_a_card() -> None:
    assert draw_face(Card.parse("AS"), "plain").shape == SIZE
    assert SIZE[:2] == (int(CARD_HEIGHT_MM * PX_PER_MM), int(CARD_WIDTH_MM * PX_PER_MM))
    assert {draw_back(back).shape for back in BACKS} == {SIZE}


def test_there_are_three_styles_and_two_backs() -> None:
    assert {"plain", "serif", "jumbo"} <= set(PACK_STYLES)
    assert len(BACKS) >= 2


@pytest.mark.parametrize("style", PACK_STYLES)
def test_no_two_cards_of_a_pack_have_the_same_index(style: str) -> None:
    corners = {card: draw_face(card, style)[:230:3, :140:3].astype(np.int16) for card in Pack.of(52).cards}
    for one, other in combinations(corners, 2):
        apart = np.abs(corners[one] - corners[other]).max(axis=2) > 60
        assert apart.sum() > 15, f"{one} and {other} look alike in {style}"


@pytest.mark.parametrize(("style", "left", "right", "bottom"), [("plain", 8, 92, 170), ("jumbo", 8, 128, 232)])
def test_the_index_is_in_the_corner_and_inside_the_card(style: str, left: int, right: int, bottom: int) -> None:
    for card in Pack.of(52).cards:
        rows, columns = np.nonzero(ink(draw_face(card, style))[:bottom, :right])
        assert columns.min() >= left, card
        assert rows.min() >= 3 * PX_PER_MM, card
        # Rank above, suit below: both thirds are printed.
        assert rows.min() < bottom // 3 < 2 * bottom // 3 < rows.max(), card


@pytest.mark.parametrize("style", PACK_STYLES)
@pytest.mark.parametrize("code", ["AD", "2C", "4S", "TH", "JD", "QS", "KC", "J1"])
def test_a_card_has_its_second_index_where_its_first_is_when_turned(style: str, code: str) -> None:
    art = draw_face(Card.parse(code), style).astype(np.int16)
    corner = np.s_[:150, :70]
    difference = np.abs(art[corner] - art[::-1, ::-1][corner]).max(axis=2)
    assert (difference > 60).mean() < 0.02


def test_a_ten_is_written_with_two_figures() -> None:
    band = ink(draw_face(Card.parse("TS"), "plain"))[4 * PX_PER_MM : 12 * PX_PER_MM, : 11 * PX_PER_MM]
    middle = band[band.shape[0] // 2]
    strokes = np.count_nonzero(np.diff(middle.astype(np.int8)) == 1)
    assert strokes == 3  # the stem of the one, and both sides of the nought


@pytest.mark.parametrize(("code", "pips"), [("2S", 2), ("3S", 3), ("5S", 5), ("7S", 7), ("8S", 8), ("TS", 10)])
def test_a_number_card_shows_as_many_pips(code: str, pips: int) -> None:
    from cv2 import connectedComponents

    field = ink(draw_face(Card.parse(code), "plain"))[:, 100:-100].astype(np.uint8)
    assert connectedComponents(field)[0] - 1 == pips


@pytest.mark.parametrize("style", ["plain", "serif", "jumbo"])
def test_hearts_and_diamonds_are_red_and_the_others_black(style: str) -> None:
    for card in Pack.of(52).cards:
        corner = draw_face(card, style)[:200, :80].reshape(-1, 3).astype(np.int16)
        darkest = corner[corner.sum(axis=1).argmin()]
        assert (darkest[2] - darkest[0] > 80) == (card.suit in "DH"), card


def test_the_four_colour_pack_has_four_colours() -> None:
    colours = {suit: tuple(draw_face(Card.parse("A" + suit), "four_colour")[355, 254]) for suit in "CDHS"}
    assert len(set(colours.values())) == 4


def test_the_jokers_differ() -> None:
    first, second = (draw_face(Card.parse(code), "plain").astype(np.int16) for code in JOKERS)
    assert (np.abs(first - second).max(axis=2) > 60).sum() > 5000


@pytest.mark.parametrize("back", BACKS)
def test_a_back_looks_the_same_from_both_ends(back: str) -> None:
    art = draw_back(back).astype(np.int16)
    assert (np.abs(art - art[::-1, ::-1]).max(axis=2) > 60).mean() < 0.05


def test_styles_and_backs_differ_from_each_other() -> None:
    faces = [draw_face(Card.parse("8C"), style) for style in PACK_STYLES]
    backs = [draw_back(back) for back in BACKS]
    for one, other in combinations([*faces, *backs], 2):
        assert (np.abs(one.astype(np.int16) - other).max(axis=2) > 60).mean() > 0.01


def test_a_name_that_is_none_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match="'gothic': use one of plain, serif"):
        draw_face(Card.parse("AS"), "gothic")
    with pytest.raises(ValueError, match="'tartan': use one of lattice, stripes"):
        draw_back("tartan")
