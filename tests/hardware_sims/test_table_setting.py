"""From plain data to a scene: everything lies where it was said, and the seed decides the rest the same way twice."""

from __future__ import annotations

import numpy as np
import pytest

from hardware_sims.table_chance import chance_table
from hardware_sims.table_places import SEATS, SPOTS, Place, View, place_at
from hardware_sims.table_scene import Light, TableScene, Where
from hardware_sims.table_setting import Company, Look, Lying, Shown, scene_of
from vision.cards import Card

QUEEN = Card.parse("QD")
SEVEN = Card.parse("7C")


def test_packets_lie_in_their_trays() -> None:
    packets = {Place.N: 5, Place.E: 4, Place.S: 0, Place.STOCK: 12}
    scene = scene_of(Lying(packets=packets), seed=3)
    assert [(place_at(packet.x, packet.y), packet.count) for packet in scene.packets] == [
        (Place.N, 5),
        (Place.E, 4),
        (Place.STOCK, 12),
    ]


def test_the_packets_of_a_cut_lie_side_by_side_in_the_cut_tray() -> None:
    upper, lower = scene_of(Lying(cut=(20, 32)), seed=3).packets
    assert (upper.count, lower.count) == (20, 32)
    assert place_at(upper.x, upper.y) is place_at(lower.x, lower.y) is Place.CUT
    assert lower.x - upper.x > 64


@pytest.mark.parametrize("place", [*SPOTS, Place.OPEN, Place.BEYOND])
def test_a_face_lies_where_it_was_said(place: Place) -> None:
    where = Where.BELOW if place is Place.BEYOND else Where.ON
    for seed in range(30):
        (card,) = scene_of(Lying(shown=[Shown(card=QUEEN, place=place, where=where)]), seed=seed).cards
        assert (card.card, card.face_up, card.place) == (QUEEN, True, place)
        assert (card.height < 0) == (place is Place.BEYOND)


@pytest.mark.parametrize("seat", SEATS)
def test_a_face_on_the_open_table_lies_before_its_seat(seat: Place) -> None:
    for seed in range(20):
        (card,) = scene_of(Lying(shown=[Shown(card=QUEEN, place=Place.OPEN, seat=seat)]), seed=seed).cards
        ahead = {Place.N: -card.y, Place.E: card.x, Place.S: card.y, Place.W: -card.x}
        assert max(ahead, key=lambda one: ahead[one]) is seat


def test_the_trump_card_lies_face_up_on_its_spot_and_a_card_above_is_in_the_air() -> None:
    shown = [Shown(card=SEVEN, place=Place.OPEN, where=Where.ABOVE)]
    trump, held = scene_of(Lying(trump=QUEEN, shown=shown), seed=1).cards
    assert (trump.card, trump.place, trump.height) == (QUEEN, Place.TRUMP, 0.0)
    assert held.height > 130


@pytest.mark.parametrize("seat", [Place.N, Place.S])
def test_a_card_cannot_lie_where_the_camera_sees_no_floor(seat: Place) -> None:
    with pytest.raises(ValueError, match=f"the camera sees no floor at {seat}: lay the card at E or W"):
        scene_of(Lying(shown=[Shown(card=QUEEN, place=Place.BEYOND, where=Where.BELOW, seat=seat)]), seed=1)


def test_the_seed_decides_and_decides_the_same_twice() -> None:
    def scene(seed: int) -> TableScene:
        look = Look(light=Light.WARM, cloth="wine", pack="jumbo", back="plain")
        return scene_of(Lying(packets={Place.N: 5}), seed=seed, look=look, company=Company(hands=2, things=2))

    assert scene(1) == scene(1)
    assert scene(1) != scene(2)
    assert (scene(1).light, scene(1).cloth, scene(1).pack, scene(1).back) == (Light.WARM, "wine", "jumbo", "plain")
    assert len(scene(1).things) == 2


def test_chance_makes_tables_of_all_kinds() -> None:
    scenes = [chance_table(seed, faces=2) for seed in range(80)]
    assert {scene.light for scene in scenes} == set(Light)
    assert {card.place for scene in scenes for card in scene.cards} == set(Place)
    assert {len(scene.reaches) for scene in scenes} == {0, 1, 2, 3}
    assert {reach.sleeve for scene in scenes for reach in scene.reaches} >= {"white", "striped", "bare"}
    assert {card.height > 0 for scene in scenes for card in scene.cards} == {True, False}


def test_no_arm_lies_over_a_card_on_the_floor_as_the_camera_sees_it() -> None:
    """An arm is drawn along its axis from the hand to the picture's edge."""
    view = View(width_px=1354)
    shown = [Shown(card=QUEEN, place=Place.BEYOND, where=Where.BELOW, seat=Place.W)]
    for seed in range(60):
        scene = scene_of(Lying(shown=shown), seed=seed, company=Company(hands=2))
        middle = scene.cards[0].corners(view).mean(axis=0)
        for reach in scene.reaches:
            (hand,) = view.to_pixels(np.array([[reach.x, reach.y]]))
            angle = np.radians(reach.angle_deg)
            along = np.array([np.cos(angle), np.sin(angle)])
            behind = float((hand - middle) @ along)
            aside = abs(float(along[0] * (hand - middle)[1] - along[1] * (hand - middle)[0]))
            assert behind < 0 or behind > 520 or aside > 90
