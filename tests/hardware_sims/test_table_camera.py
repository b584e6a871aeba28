"""The camera over the simulated table: its pace, and that it shows what lies there, each thing in its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from firmware_bridge.words import Asked, Tray
from hardware_sims.exposures import ExposedCard, TableFit, TableState
from hardware_sims.table_camera import open_table_camera, scene_now
from hardware_sims.table_places import SPOTS, Place
from hardware_sims.table_scene import Light
from hardware_sims.world import forget_worlds, world_named
from tests.hardware_sims.conftest import RawClient
from vision.cards import Card
from vision.errors import CameraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

QUEEN, SEVEN = Card.parse("QH"), Card.parse("7C")
STATE = TableState(
    seed=5,
    fit=TableFit(),
    style="plain",
    back="lattice",
    packets={"N": 3, "stock": 0},
    cut=None,
    faces={},
    plan=(ExposedCard(place="open", seat="E"), ExposedCard(place="open", seat="W", by="machine")),
    shown={},
)


@pytest.fixture(autouse=True)
def _no_worlds() -> Iterator[None]:
    forget_worlds()
    yield
    forget_worlds()


def test_it_exposes_ten_times_a_second_and_lets_the_world_run() -> None:
    clock = world_named("tc").clock
    camera = open_table_camera("simtable:tc", clock.now_us)
    frames = [camera.next_frame(after_us=after, deadline_us=1_000_000) for after in (0, 1, 100_001)]
    assert [(frame.captured_us, frame.number) for frame in frames if frame] == [(0, 0), (100_000, 1), (200_000, 2)]
    assert clock.now_us() == 200_000
    assert camera.next_frame(after_us=0, deadline_us=299_999) is None
    camera.close()


def test_another_clock_is_refused() -> None:
    with pytest.raises(CameraError, match="it runs on the clock of sim://tc"):
        open_table_camera("simtable:tc", lambda: 77)


def test_where_nothing_changes_the_picture_is_the_same() -> None:
    camera = open_table_camera("simtable:tc", world_named("tc").clock.now_us)
    first, second = (camera.next_frame(after_us=after, deadline_us=300_000) for after in (0, 1))
    assert first is not None
    assert second is not None
    assert first.image.shape == (960, 1280, 3)
    assert np.array_equal(first.image, second.image)


def test_packets_lie_in_their_spots() -> None:
    (packet,) = scene_now(STATE).packets
    assert packet.count == 3
    assert SPOTS[Place.N].holds(packet.x, packet.y)


def test_a_cut_under_way_is_two_packets() -> None:
    assert [packet.count for packet in scene_now(replace(STATE, packets={}, cut=(20, 32))).packets] == [20, 32]


def test_the_trump_lies_face_up_on_its_spot() -> None:
    (card,) = scene_now(replace(STATE, faces={"trump": QUEEN})).cards
    assert (card.card, card.face_up, card.place) == (QUEEN, True, Place.TRUMP)


def test_a_face_stays_where_it_came_to_light_while_others_come_and_go() -> None:
    alone = scene_now(replace(STATE, shown={1: QUEEN})).cards
    later = scene_now(replace(STATE, packets={"N": 4, "E": 4}, shown={0: SEVEN, 1: QUEEN})).cards
    assert [card.card for card in later] == [SEVEN, QUEEN]
    assert later[1] == alone[0]
    assert [card.place for card in later] == [Place.OPEN, Place.OPEN]
    assert later[0].x > 0 > later[1].x


def test_a_hand_is_in_view_while_the_face_that_it_shows_is() -> None:
    shown = [scene_now(replace(STATE, shown=shown)) for shown in ({}, {0: QUEEN}, {1: QUEEN})]
    assert [len(scene.reaches) for scene in shown] == [0, 1, 0]


def test_hands_things_light_and_cloth_are_the_tables() -> None:
    scene = scene_now(replace(STATE, fit=TableFit(hands=2, things=3, light="dim", cloth="blue")))
    assert (len(scene.reaches), len(scene.things), scene.light, scene.cloth) == (2, 3, Light.DIM, "blue")


def test_the_world_tells_what_lies_on_its_table(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text('[table]\nthings = 1\n[[deal]]\n[[deal.exposed]]\nplace = "open"\n', encoding="utf-8")
    state = world_named("tc", scenario=str(file), seed=3).table_state()
    assert (state.fit.things, state.cut, sum(state.packets.values())) == (1, None, 0)
    assert set(state.packets) == {"N", "E", "S", "W", "trump", "reject", "stock"}


def test_a_camera_that_is_gone_gives_no_picture_while_that_pack_lies_there(machine: Callable[..., Any]) -> None:
    client = machine('[[deal]]\n[[deal.fault]]\nkind = "table_camera_gone"\nat = 2\n[[deal]]\n')
    client.begin()
    client.feed(1)
    assert client.world.table_camera_works
    client.route(1, Tray.N)
    client.feed(2)
    assert not client.world.table_camera_works
    client.route(2, Tray.N)
    client.ask(Asked.LOAD_PACK)
    assert client.world.table_camera_works


def test_who_waits_for_a_camera_that_is_gone_waits_until_his_deadline(tmp_path: Path) -> None:
    file = tmp_path / "gone.toml"
    file.write_text('[people]\nload_ms = 0\n[[deal]]\n[[deal.fault]]\nkind = "table_camera_gone"\nat = 1\n')
    world = world_named("tc", scenario=str(file), seed=3)
    camera = open_table_camera("simtable:tc", world.clock.now_us)
    assert camera.next_frame(after_us=0, deadline_us=500_000) is not None
    client = RawClient(world)
    client.home()
    client.ask(Asked.LOAD_PACK)
    client.feed(1)
    deadline_us = world.clock.now_us() + 500_000
    assert camera.next_frame(after_us=world.clock.now_us(), deadline_us=deadline_us) is None
    assert world.clock.now_us() >= deadline_us
