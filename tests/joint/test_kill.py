"""A controller killed anywhere goes on or gives the deal up: no card twice, no acknowledged fact lost."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.states import DealState
from vision.cards import Pack

POINTS = 100
PARTS = 4
DEALS = 80

EVERY_STATE = {state.name for state in DealState} - {"SHUFFLING", "CUT", "ENDED"}
"""The machine of these deals does not shuffle, so that the driver knows the order; `test_state_machine` dies there."""


DOUBLE = '[[deal.fault]]\nkind = "double_feed"\nat = 5\n'
JAM = '[[deal.fault]]\nkind = "jam"\nat = 30\nwhere = "exit"\n'


def _scenario(faults: str) -> str:
    """Return the same deal again and again."""
    order = [str(card) for card in Pack.of(52).cards]
    machine = '[machine]\nlacks = ["shelves", "seat_buttons"]\n'
    return "seed = 3\n" + machine + f"[[deal]]\ncut = 26\norder = {order!r}\n{faults}" * DEALS


@contextmanager
def _machine(folder: Path, faults: str) -> Iterator[Path]:
    """Run `pone sim` on a pty at free pace; give the port."""
    scenario, port = folder / "scenario.toml", folder / "port"
    scenario.write_text(_scenario(faults), encoding="utf-8")
    pone = Path(sys.executable).with_name("pone")
    options: list[str | Path] = [
        "--pace",
        "free",
        "--scenario",
        scenario,
        "--link",
        port,
        "--truth",
        folder / "truth.json",
    ]
    with subprocess.Popen([pone, "sim", "--pty", *options], stdout=subprocess.PIPE, text=True) as simulator:
        assert simulator.stdout is not None
        assert "machine at" in simulator.stdout.readline()
        try:
            yield port
        finally:
            simulator.terminate()


def _killed(folder: Path, part: int, faults: str) -> dict[str, Any]:
    driver = Path(__file__).with_name("kill_driver.py")
    with _machine(folder, faults) as port:
        done = subprocess.run(
            [sys.executable, driver, port, folder / "truth.json", folder, str(POINTS), str(part), str(PARTS)],
            check=True,
            capture_output=True,
            text=True,
        )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_killed_anywhere_the_deal_goes_on_or_is_given_up(part: int, tmp_path: Path) -> None:
    """Half of the deals hold once, for a double feed, and halt, for a jam; in the others only the controller dies."""
    faults, ending = (DOUBLE + JAM, "voided") if part % 2 == 0 else (DOUBLE, "completed")
    found = _killed(tmp_path, part, faults)
    assert found["points"] > 5 * POINTS
    states = {result["died"]["state"] for result in found["results"] if result["died"]}
    places = {result["died"]["died"] for result in found["results"] if result["died"]}
    for result in found["results"]:
        assert not result["problems"], result
        assert result["ended"]["ended"] == ending, result
    assert len(found["results"]) >= 1 + POINTS // PARTS
    assert states >= ({"FEEDING", "LOOKING", "ROUTING"} if part else EVERY_STATE)
    assert len(places) >= 8
