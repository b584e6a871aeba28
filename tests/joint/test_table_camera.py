"""The camera over the simulated table in a whole deal: a face that comes to light is found, and the law follows."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.deal_log import DealLog
from controller.entropy import seeded_entropy
from controller.eye import FrameEye
from controller.replay import replay
from controller.table import Seat
from controller.table_eye import FrameTableEye
from firmware_bridge.bridge import Bridge
from hardware_sims.camera import open_camera
from hardware_sims.table_camera import open_table_camera
from tests.joint.playing import Played, dealing_at
from vision.recogniser import shipped_reader

if TYPE_CHECKING:
    from controller.acts import Line
    from tests.joint.playing import Play
    from vision.classify import IndexReader
    from vision.recogniser import Looker

AUCTION_37C = ("new_deal", "auction 37c")
ROOM = '[table]\nhands = {hands}\nthings = {things}\nlight = "{light}"\n'
FACE = '[[deal]]\n[[deal.exposed]]\nat = 2\ncard = "QH"\nplace = "{place}"\nfor_ms = 3000\n'


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return shipped_reader()


def rulings(played: Played) -> list[tuple[str, str]]:
    return [(line["ruling"], line["law"]) for line in played.lines[0] if "ruling" in line]


@pytest.mark.parametrize(
    ("place", "more", "owner", "where"),
    [
        ("open", 'seat = "E"\n', "E", "on"),
        ("open", 'seat = "W"\nwhere = "above"\nby = "machine"\n', "W", "above"),
        ("N", "", "N", "on"),
        ("beyond", 'seat = "W"\nwhere = "below"\n', "W", "below"),
    ],
)
def test_a_face_on_the_table_is_found_and_the_law_follows(
    place: str, more: str, owner: str, where: str, reader: IndexReader, play: Play
) -> None:
    """Auction 37c: whoever exposed it, there must be a new deal."""
    room = ROOM.format(hands=1, things=2, light="warm")
    played = play(room + FACE.format(place=place) + more, code="auction", table_reader=reader)
    (lines,) = played.lines
    (exposed,) = (line for line in lines if line.get("fact") == "exposed")
    assert (exposed["owner"], exposed["where"]) == (owner, where)
    assert exposed.get("card", "QH") == "QH"
    assert "by" not in exposed
    assert rulings(played) == [AUCTION_37C]
    assert [line["k"] for line in lines if line.get("fact") == "dealt"] in ([1, 2], [1, 2, 3])
    routed = [line["t_us"] for line in lines if line.get("fact") == "routed"]
    assert 0 < exposed["t_us"] - routed[1] < 1_500_000
    assert replay(lines) == ()
    assert all("QH" not in str(line.get("card", "")) for line in played.told if line.get("fact") == "turned")


def test_a_face_that_comes_to_light_in_cutting_has_the_pack_cut_anew(reader: IndexReader, play: Play) -> None:
    """Auction 32; a face at the second card ends the deal, so that it takes no longer."""
    cutting = '[[deal.exposed]]\nphase = "offer"\nplace = "cut"\ncard = "9C"\nfor_ms = 1500\n'
    toml = "[people]\ncut_ms = 2000\n" + FACE.format(place="open") + cutting
    played = play(toml, code="auction", table_reader=reader)
    cuts = [line.get("exposed", False) for line in played.lines[0] if line.get("fact") == "cut"]
    assert cuts == [True, False]
    assert rulings(played) == [("fresh_cut", "auction 32"), AUCTION_37C]


def test_hands_cups_and_the_turned_trump_are_nothing(reader: IndexReader, play: Play) -> None:
    played = play(ROOM.format(hands=3, things=4, light="mixed"), code="euchre", pack=24, table_reader=reader)
    assert (rulings(played), played.outcomes[0].ending.status) == ([], "completed")
    assert [line for line in played.lines[0] if line.get("fact") == "exposed"] == []
    assert [line["fact"] for line in played.lines[0] if line.get("fact") == "turned"] == ["turned"]


def test_a_face_on_the_table_of_a_machine_in_another_process_is_found(
    reader: IndexReader, recogniser: Looker, tmp_path: Path
) -> None:
    """Auction 37c again, over a real terminal at real pace, both cameras at sockets; people take no time."""
    scenario, port = tmp_path / "face.toml", tmp_path / "port"
    people = '[machine]\nlacks = ["shelves", "cut_tray", "seat_buttons"]\n[people]\nload_ms = 0\ncut_ms = 0\n'
    face = FACE.format(place="open").replace("3000", "60000")  # a loaded computer looks less often at real pace
    scenario.write_text(people + face + 'seat = "E"\n', encoding="utf-8")
    window, table = tmp_path / "window", tmp_path / "table"
    pone = Path(sys.executable).with_name("pone")
    options: list[str | Path] = ["--scenario", scenario, "--link", port, "--camera", window, "--table-camera", table]
    with subprocess.Popen([pone, "sim", "--pty", *options], stdout=subprocess.PIPE, text=True) as simulator:
        assert simulator.stdout is not None
        assert "machine at" in simulator.stdout.readline()
        assert simulator.stdout.readline().endswith(f"--table-camera simtable:{table}\n")
        try:
            lines = _one_deal(str(port), f"sim:{window}", f"simtable:{table}", reader, recogniser)
        finally:
            simulator.terminate()
    (exposed,) = (line for line in lines if line.get("fact") == "exposed")
    assert (exposed["owner"], exposed["where"]) == ("E", "on")
    assert [(line["ruling"], line["law"]) for line in lines if "ruling" in line] == [AUCTION_37C]
    assert replay(lines) == ()


def _one_deal(port: str, window: str, table: str, reader: IndexReader, recogniser: Looker) -> list[Line]:
    """Deal auction once, and return the record."""
    with DealLog.open(None, key_file=None, entropy=seeded_entropy(7)) as log, ExitStack() as stack:
        bridge = Bridge.open(port)
        cameras = [open_camera(window, bridge.now_us), open_table_camera(table, bridge.now_us)]
        for camera in cameras:
            stack.callback(camera.close)
        eye = FrameEye(camera=cameras[0], recogniser=recogniser)
        dealing = dealing_at(log, bridge, port, eye, Played(), {"code": "auction"})
        dealing.table_eye = FrameTableEye(camera=cameras[1], reader=reader)
        with dealing:
            outcome = next(dealing.deals(1, Seat.S))
        return log.lines(outcome.deal)
