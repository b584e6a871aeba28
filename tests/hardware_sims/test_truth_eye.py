"""The eye that knows: what it sees, when, and its doubts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.messages import Feed, Route
from firmware_bridge.words import Tray
from hardware_sims.truth_eye import FRAME_US, TruthEye
from vision.sighting import Reason, State

Make = Callable[..., Any]


def look(client: Any, eye: TruthEye | None = None) -> Any:
    eye = eye or TruthEye(client.world)
    return eye.look(after_us=client.now_us, deadline_us=client.now_us + 100_000)


def test_it_names_the_card_that_stands_there_and_takes_a_camera_s_time(faulty: Make) -> None:
    client = faulty()
    assert look(client).state is State.EMPTY
    client.feed(1)
    began = client.now_us
    sighting = look(client)
    assert FRAME_US <= client.now_us - began <= 2 * FRAME_US
    assert sighting.card.code == client.world.truth().deals[-1].passages[0][0]


def test_a_faced_card_two_cards_and_a_card_in_motion(faulty: Make) -> None:
    client = faulty('kind = "faced_card"\nat = 1', 'kind = "double_feed"\nat = 2')
    client.feed(1)
    assert look(client).state is State.FACE_NOT_SEEN
    client.route(1, Tray.N)
    client.feed(2)
    assert look(client).state is State.TWO_CARDS
    client.request(Route(2, Tray.N))
    assert look(client).state is State.EMPTY


def test_it_doubts_as_often_as_the_scenario_wants(faulty: Make) -> None:
    client = faulty('kind = "eye_doubt"\nat = 1\ntimes = 2', 'kind = "eye_doubt"\nat = 2\nstate = "partial"')
    eye = TruthEye(client.world)
    client.feed(1)
    assert [look(client, eye).state for _ in range(3)] == [State.NOT_SURE, State.NOT_SURE, State.CARD]
    client.route(1, Tray.N)
    client.feed(2)
    assert [look(client, eye).state for _ in range(2)] == [State.PARTIAL, State.CARD]


def test_it_is_not_sure_when_there_was_no_time(faulty: Make) -> None:
    client = faulty()
    client.feed(1)
    deadline = client.now_us + 10_000
    sighting = TruthEye(client.world).look(after_us=client.now_us, deadline_us=deadline)
    assert (sighting.state, sighting.reason) == (State.NOT_SURE, Reason.NO_FRAME)
    assert client.now_us == deadline


@pytest.mark.parametrize("moment_us", [20_000, 100_000, 140_000])
def test_a_card_that_is_not_at_rest_is_never_named(faulty: Make, moment_us: int) -> None:
    client = faulty()
    client.request(Feed(1))
    client.run(moment_us)
    assert client.world.window_scene(client.now_us).lamp is False
    assert look(client).state in (State.EMPTY, State.CARD)
