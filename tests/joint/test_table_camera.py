"""The camera over the simulated table in a whole deal: a face that comes to light is found, and the law follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from controller.replay import replay
from vision.recogniser import shipped_reader

if TYPE_CHECKING:
    from tests.joint.playing import Play, Played
    from vision.classify import IndexReader

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
