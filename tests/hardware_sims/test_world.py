"""The world as a whole: determinism, the account of the cards, the window, the names."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import AtWindow, Delivered
from firmware_bridge.messages import Feed, Route
from firmware_bridge.words import Asked, Tray
from hardware_sims.errors import WorldInUse
from hardware_sims.faults import FrozenFrames, LateFrames, RepeatedFrame
from hardware_sims.path import REFERENCE
from hardware_sims.plan import Scenario
from hardware_sims.world import World, forget_worlds, world_named

Make = Callable[..., Any]

FAULTS = (
    'kind = "flipped_bytes"\ndirection = "from_machine"\nrate = 0.003',
    'kind = "misfeed"\nat = 4',
    'kind = "double_feed"\nat = 9',
)


def played(client: Any) -> tuple[Any, ...]:
    """Deal some cards and return all that was heard, with its times, and the truth."""
    command_id = 0
    while client.world.passage < 12:
        command_id += 1
        client.request(Feed(command_id))
        client.run(300_000)
        if any(isinstance(event, AtWindow) and event.command_id == command_id for event in client.events):
            client.request(Route(command_id, Tray(command_id % 4)))
            client.wait_for(Delivered)
    return client.frames, client.world.truth()


def test_one_seed_gives_the_same_bytes_at_the_same_times(faulty: Make) -> None:
    first, second = played(faulty(*FAULTS)), played(faulty(*FAULTS))
    assert first == second
    assert len(first[0]) > 40


def test_another_seed_gives_another_order(machine: Make) -> None:
    orders = set()
    for seed in (1, 2):
        client = machine(seed=seed)
        client.ask(Asked.LOAD_PACK)
        orders.add(client.world.truth().deals[-1].laid)
    assert len(orders) == 2


def test_every_card_is_in_one_place_at_every_moment(faulty: Make) -> None:
    client = faulty('kind = "double_feed"\nat = 2')
    places = set()
    for command_id in (1, 2, 3):
        for request, kind in ((Feed(command_id), AtWindow), (Route(command_id, Tray.TRUMP), Delivered)):
            client.request(request)
            while not any(isinstance(event, kind) and event.command_id == command_id for event in client.events):
                client.run(7_000)
                account = client.world.truth().deals[-1]
                assert sorted(card.number for card in account.cards) == list(range(1, 53))
                places |= {card.place for card in account.cards}
    assert places == {"hopper", "path", "TRUMP"}
    assert all(card.faced for card in account.cards if card.place == "TRUMP")


def test_a_deal_ends_as_it_was_dealt(faulty: Make) -> None:
    client = faulty(cut=20)
    client.deal()
    (account,) = client.world.truth().deals
    fed = [card for (card,) in account.passages]
    assert tuple(fed) == account.laid[32:] + account.laid[:32]
    assert account.of("W") == tuple(fed[0::4])
    assert account.of("TRUMP") == (fed[51],)
    assert json.loads(json.dumps(client.world.truth().as_json()))["deals"][0]["laid"] == list(account.laid)


def test_an_account_stays_when_the_pack_is_collected(faulty: Make) -> None:
    client = faulty()
    client.deal(5)
    before = client.world.truth().deals[0]
    client.ask(Asked.LOAD_PACK)
    old, new = client.world.truth().deals
    assert old == before
    assert (new.deal, len(new.of("hopper")), new.passages) == (2, 52, ())
    assert {card.number for card in new.cards} == set(range(53, 105))


# --- the window ------------------------------------------------------------------------------------------------------


def test_the_scene_follows_the_card(faulty: Make) -> None:
    client = faulty()
    began = client.now_us
    shown = client.feed(1)
    stands = shown.at_us
    client.run(30_000)
    scene = client.world.window_scene(client.now_us)
    (card,) = scene.cards
    assert (scene.lamp, scene.speed_mm_s) == (True, 0)
    assert abs(card.x_mm) <= 1
    assert abs(card.angle_deg) <= 2
    assert (scene.pack, scene.back) == ("plain", "lattice")
    moving = client.world.window_scene(stands - 30_000)
    assert not moving.lamp
    assert moving.cards[0].x_mm < -5
    assert 800 < moving.speed_mm_s < 1_000
    assert client.world.window_scene(began).cards == ()
    assert client.world.window_scene(stands - 1).seed != client.world.window_scene(stands).seed


def test_the_lamp_is_out_while_a_card_leaves_and_the_past_can_be_seen(faulty: Make) -> None:
    client = faulty()
    client.feed(1)
    client.request(Route(1, Tray.N))
    leaving = client.now_us
    client.wait_for(Delivered)
    client.run(50_000)
    world = client.world
    assert not world.window_scene(leaving).lamp
    assert world.window_scene(leaving + 30_000).cards[0].x_mm > 5
    assert world.window_scene(client.now_us).cards == ()
    assert world.dark_us() == client.now_us
    client.feed(2)
    dark = world.dark_us()
    assert not world.window_scene(dark).lamp
    assert world.window_scene(dark + 1).lamp


def test_of_a_double_feed_the_first_card_is_nearest_and_ahead(faulty: Make) -> None:
    client = faulty('kind = "double_feed"\nat = 1\noverlap_mm = 40')
    client.feed(1)
    account = client.world.truth().deals[-1]
    near, far = client.world.window_scene(client.now_us).cards
    assert (near.card.code, far.card.code) == account.passages[0]
    assert near.x_mm - far.x_mm == pytest.approx(23.5, abs=2.1)


def test_faults_of_the_camera_are_in_force_at_their_passage(faulty: Make) -> None:
    client = faulty(
        'kind = "late_frames"\nat = 1\nframes = 3',
        'kind = "repeated_frame"\nat = 2',
        'kind = "frozen_frames"\nat = 2',
    )
    found = []
    for command_id in (1, 2, 3):
        client.feed(command_id)
        found.append(client.world.frame_faults)
        client.route(command_id, Tray.N)
    late, repeated, frozen = LateFrames(at=1, frames=3), RepeatedFrame(at=2), FrozenFrames(at=2)
    assert found == [(late,), (repeated, frozen), (frozen,)]


# --- the registry ----------------------------------------------------------------------------------------------------


def test_a_name_is_one_world_until_it_is_forgotten() -> None:
    try:
        world = world_named("a", seed=1)
        assert world_named("a") is world
        assert world_named("a", seed=1) is world
        assert world_named("b") is not world
        with pytest.raises(WorldInUse, match="sim://a: it is running already, with scenario none, seed 1"):
            world_named("a", seed=2)
        forget_worlds()
        assert world_named("a", seed=2) is not world
    finally:
        forget_worlds()


def test_without_a_seed_the_source_given_decides() -> None:
    try:
        assert world_named("c", entropy=lambda count: b"\x05" + bytes(count - 1)).seed == 5
        assert world_named("d", scenario="plain").seed == 1
        assert world_named("e", scenario="plain", seed=9).seed == 9
    finally:
        forget_worlds()


def test_one_client_at_a_time() -> None:
    world = World(Scenario(), seed=1)
    one, two = object(), object()
    world.plug_in(one)
    with pytest.raises(WorldInUse, match="open already"):
        world.plug_in(two)
    world.unplug(one)
    world.plug_in(two)


# --- speed -----------------------------------------------------------------------------------------------------------


def test_a_deal_takes_the_virtual_time_that_the_design_allows(faulty: Make) -> None:
    client = faulty()
    began = client.now_us
    client.deal()
    look_us = 50_000
    assert (client.now_us - began) / 52 + look_us <= 380_000
    assert REFERENCE.step_um == 40
