"""`pone see` reads every card of every pack that the simulator draws, and no back as a card."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.render import render_window
from hardware_sims.sample_frames import lying
from hardware_sims.seeded import Stream
from vision import see
from vision.cards import Card, Pack


def _seen(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    parser = argparse.ArgumentParser()
    see.add_arguments(parser)
    assert see.run(parser.parse_args(["--json", str(folder)])) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {Path(seen["file"]).stem: seen for seen in objects}


@pytest.mark.parametrize("style", PACK_STYLES)
def test_all_52_cards_of_a_pack_are_read(style: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream = Stream(1, style)
    for number, card in enumerate(Pack.of(52).cards):
        scene = lying(card, stream, face=True, style=style, back=BACKS[0], seed=number)
        assert cv2.imwrite(str(tmp_path / f"{card}.png"), render_window(scene))
    seen = _seen(tmp_path, capsys)
    assert {name: found["card"] for name, found in seen.items()} == {str(card): str(card) for card in Pack.of(52).cards}
    assert all(found["accepted"] and found["state"] == "card" for found in seen.values())


@pytest.mark.parametrize("back", BACKS)
def test_no_back_is_read_as_a_card(back: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream = Stream(2, back)
    for number in range(12):
        scene = lying(Card.parse("AS"), stream, face=False, style=PACK_STYLES[0], back=back, seed=number)
        assert cv2.imwrite(str(tmp_path / f"back{number}.png"), render_window(scene))
    states = [found["state"] for found in _seen(tmp_path, capsys).values()]
    assert states == ["face_not_seen"] * 12
