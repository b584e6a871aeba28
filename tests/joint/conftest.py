"""What the joint tests share: a player of scenarios, and the record held against the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hardware_sims.world import forget_worlds
from tests.joint.playing import Held, Play, Played, held_against_truth, play_deals
from vision.window_view import WindowRecogniser

if TYPE_CHECKING:
    from controller.acts import Line
    from hardware_sims.truth import DealTruth


@pytest.fixture(scope="session")
def recogniser() -> WindowRecogniser:
    return WindowRecogniser.shipped()


@pytest.fixture
def play(tmp_path: Path, recogniser: WindowRecogniser) -> Iterator[Play]:
    """Return a function that plays a scenario: its TOML text, or the name of a shipped one."""

    def run(scenario: str, *, frames: bool = False, **parts: Any) -> Played:
        return play_deals(tmp_path, scenario, recogniser=recogniser if frames else None, **parts)

    yield run
    forget_worlds()


@pytest.fixture(scope="session")
def held() -> Callable[[list[Line], DealTruth], Held]:
    return held_against_truth
