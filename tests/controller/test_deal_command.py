"""`pone deal`: what it prints, where it writes, its exit status, and that it goes on after Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from controller import cli, laws
from controller.console import Console
from controller.deal_log import DealLog
from controller.deal_reader import read_log
from controller.entropy import seeded_entropy
from controller.eye import FrameEye
from controller.facts import parse_fact
from controller.house import House
from controller.replay import replay
from controller.table_eye import FaceSeen, FrameTableEye
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import forget_worlds, world_named
from tests.status import status_of
from vision.camera import GROUP
from vision.cards import Card, Pack
from vision.sighting import Sighting
from vision.window_view import WindowRecogniser

CARDS = Pack.of(52).cards

JAM = '[[deal]]\n[[deal.fault]]\nkind = "jam"\nat = 2\nwhere = "exit"\n'
FACED = '[[deal]]\n[[deal.fault]]\nkind = "faced_card"\nat = 2\n'
MISFEEDS = '[[deal]]\n[[deal.fault]]\nkind = "misfeed"\nat = 2\ntimes = 3\n'
DOUBLE = '[[deal]]\n[[deal.fault]]\nkind = "double_feed"\nat = 5\n'
PLAIN = "[[deal]]\n"


@pytest.fixture(autouse=True)
def _around(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw no whole table for each deal, and let every world end behind the test."""
    monkeypatch.setattr("controller.deal_picture.draw_table", lambda view: Image.new("RGB", (4, 3)))
    yield
    forget_worlds()


@pytest.fixture
def knowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the eye know the cards, so that no frame is drawn and read."""
    monkeypatch.setattr(WindowRecogniser, "shipped", lambda decks=(): None)
    monkeypatch.setattr("controller.machine_session.FrameEye", lambda camera, recogniser: TruthEye(world_named("")))


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that gives the URL of a machine with a scenario."""

    def url(toml: str) -> str:
        file = tmp_path / "scenario.toml"
        file.write_text(toml, encoding="utf-8")
        return f"sim://?scenario={file}"

    return url


def deal(folder: Path, *words: str) -> int:
    return cli.main(["deal", "--log", str(folder / "deals.sqlite"), "--seed", "3", *words])


# --- JSON ---


def test_json_never_shows_a_card_of_an_open_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By frames and the recogniser: what they add to the record tells cards too, and is left out."""
    looks, look = iter(range(25)), FrameEye.look

    def looked(eye: FrameEye, *, after_us: int, deadline_us: int) -> Sighting:
        if next(looks, None) is None:
            raise KeyboardInterrupt
        return look(eye, after_us=after_us, deadline_us=deadline_us)

    monkeypatch.setattr(FrameEye, "look", looked)
    assert deal(tmp_path, "--json") == 130
    out = capsys.readouterr().out
    file = tmp_path / "deals.sqlite"
    with DealLog.open(file, key_file=tmp_path / "deals.key", entropy=seeded_entropy(3)) as log:
        record = log.own_lines(1)
    told = [line for line in map(json.loads, out.splitlines()) if "fact" in line]
    telling = {"card", "confidence_ppm", "frame", "reason"}
    assert told == [{name: value for name, value in line.items() if name not in telling} for line in record]
    named = [value for line in record for name, value in line.items() if name in telling]
    assert len([value for value in named if isinstance(value, str)]) >= 50, "25 cards and 25 hashes of frames"
    assert not [value for value in named if isinstance(value, str) and value and f'"{value}"' in out]
    assert not [card for card in CARDS if f'"{card}"' in out or card.name in out]


def test_json_says_what_the_panel_asks_and_how_the_deal_ended(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--json", "--machine", scenario(DOUBLE)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["asked"] for line in lines if "asked" in line] == ["load_pack", "cut", "move_card"]
    with read_log(tmp_path / "deals.sqlite") as log:
        *record, closed = log.lines(1)
    assert [line.get("fact", line.get("ruling")) for line in lines if "fact" in line or "ruling" in line] == [
        line.get("fact", line.get("ruling")) for line in record
    ]
    assert closed["fact"] == "closed"
    assert not [line for line in lines if "card" in line], "neither is the card turned up, which lies there to see"
    result = lines[-1]["result"]
    picture = tmp_path / "deals-deal-1.png"
    assert result == {
        "deal": 1,
        "code": "whist",
        "status": "completed",
        "next_dealer": "W",
        "cards": 52,
        "unread": 2,
        "doubted": [],
        "seconds_per_card": result["seconds_per_card"],
        "picture": str(picture),
        "replay": f"pone replay {tmp_path / 'deals.sqlite'} 1",
    }
    assert picture.exists()


def test_a_card_that_comes_twice_is_said_of_both_and_named_by_neither(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = scenario('[[deal]]\n[[deal.fault]]\nkind = "duplicate_card"\ncard = "AS"\ninstead_of = "6C"\n' + PLAIN)
    assert deal(tmp_path, "--machine", twice) == 0
    out = capsys.readouterr().out
    with read_log(tmp_path / "deals.sqlite") as log:
        lines = log.lines(1)
    (doubt,) = [line for line in lines if line.get("fact") == "doubted"]
    seen = {line["k"]: line["card"] for line in lines if line.get("fact") == "seen"}
    assert seen[doubt["earlier"]] == seen[doubt["k"]] == "AS"
    both = f"{doubt['earlier']} and {doubt['k']}"
    assert f"Cards {both} were read as the same card, so both are in doubt" in out
    assert f"-> Cards {both} are both in doubt: one of them was misread, or the pack holds that card twice." in out
    assert "ace of spades" not in out.lower()


def test_the_machine_is_on_record_as_simulated_and_seeded(knowing: None, tmp_path: Path) -> None:
    assert deal(tmp_path) == 0
    with read_log(tmp_path / "deals.sqlite") as log:
        opening, machine, mode, *_ = log.lines(1)
    assert (opening["fact"], mode) == ("deal_opened", {"fact": "mode", "mode": "table"})
    parse_fact(machine, line=2)
    assert (machine["simulated"], machine["seeded"]) == (True, True)
    assert machine["capabilities"][:4] == ["THICKNESS", "TRAY_COUNTERS", "TRUMP_SPOT", "PANEL"]


# --- sentences ---


def test_sentences_name_no_card_but_the_one_turned_up(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--dealer", "E") == 0
    out, err = capsys.readouterr()
    with read_log(tmp_path / "deals.sqlite") as log:
        (turned,) = (line for line in log.lines(1) if line["fact"] == "turned")
    trump = Card.parse(turned["card"])
    assert f"The trump card is turned up before East: the {trump.name}." in out
    assert not [card.name for card in CARDS if card is not trump and card.name in out]
    assert "Whist: East deals.\n" in out
    assert "Not for play." in out
    assert "Deal 1 is complete: 52 cards, 0.33 s a card." in out
    assert f"picture: {tmp_path / 'deals-deal-1.png'}" in out
    assert f"again:   pone replay {tmp_path / 'deals.sqlite'} 1" in out
    assert err == ""


def test_dealers_change_and_a_new_deal_is_told_with_its_law(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--machine", scenario(FACED + PLAIN + PLAIN), "--deals", "2") == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.endswith("deals.") and line.startswith("Whist:")] == [
        "Whist: South deals.",
        "Whist: South deals.",
        "Whist: West deals.",
    ]
    assert "Whist 29-II" in out
    assert "Deal 1 ended: new deal." in out


def test_a_next_step_that_the_panel_does_not_ask_is_said_behind_the_deal(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--machine", scenario(MISFEEDS + PLAIN)) == 0
    ended = capsys.readouterr().out.split("Deal 1 ended: voided.\n")[1]
    assert ended.startswith("  -> Square the pack in the hopper and clean the pick roller.\n")


def test_a_next_step_that_the_panel_asks_is_said_once(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--machine", scenario(JAM + PLAIN)) == 0
    assert capsys.readouterr().out.count("Take the cards out of the path") == 1


# --- files ---


def test_log_key_and_pictures_are_the_owners_alone(knowing: None, tmp_path: Path) -> None:
    assert deal(tmp_path) == 0
    for name in ("deals.sqlite", "deals.key", "deals-deal-1.png"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0, name


@pytest.mark.parametrize(
    ("deals", "pictures"), [(1, ["table.png"]), (2, ["table-1.png", "table-2.png"])], ids=["one", "two"]
)
def test_pictures_go_where_they_are_wanted(deals: int, pictures: list[str], knowing: None, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    assert deal(tmp_path, "--deals", str(deals), "--picture", str(tmp_path / "new" / "table.png")) == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == pictures


def test_a_picture_that_cannot_be_written_is_a_clear_error_and_the_deal_stands(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "table.png"
    picture.symlink_to(tmp_path / "gone" / "table.png")
    assert deal(tmp_path, "--picture", str(picture)) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"No picture at {picture}: ")
    assert "Traceback" not in err
    assert "Deal 1 is complete" in out
    with read_log(tmp_path / "deals.sqlite") as log:
        assert log.deals()[0].status == "completed"


@pytest.mark.parametrize("existing", [False, True], ids=["first", "again"])
@pytest.mark.parametrize(
    "name", ["deals.sqlite", "deals.sqlite-wal", "deals.sqlite-shm", "deals.sqlite.lock", "deals.key", "link", "hard"]
)
def test_a_picture_never_overwrites_a_file_of_the_log(
    name: str, existing: bool, knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, key = tmp_path / "deals.sqlite", tmp_path / "deals.key"
    if existing or name == "hard":
        assert deal(tmp_path) == 0
    (tmp_path / "link").symlink_to(log)
    if name == "hard":
        (tmp_path / "hard").hardlink_to(key)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.exists()}
    assert status_of("deal", "--log", str(log), "--seed", "3", "--picture", str(tmp_path / name)) == 2
    assert "--picture" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.exists()} == before


def test_a_picture_whose_name_becomes_one_of_the_log_is_not_drawn(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second of several pictures has a number in its name, and so the name of the log's key file."""
    log = tmp_path / "a-2.sqlite"
    assert (
        status_of("deal", "--log", str(log), "--seed", "3", "--deals", "2", "--picture", str(tmp_path / "a.key")) == 1
    )
    assert f"No picture at {tmp_path / 'a-2.key'}: it is a file of the deal log" in capsys.readouterr().err
    assert len((tmp_path / "a-2.key").read_bytes()) == 32
    assert [summary.status for summary in read_log(log).deals()] == ["completed", "completed"]


@pytest.mark.parametrize("picture", ["", ".", "/dev/null", "letter", "x" * 300, "loop"])
def test_a_picture_that_cannot_be_one_is_wrong_use_before_anything_is_dealt(
    picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter").write_text("Dear partner")
    (tmp_path / "loop").symlink_to("loop")
    assert status_of("deal", "--log", "deals.sqlite", "--picture", picture) == 2
    assert "argument --picture" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"letter", "loop"}
    assert (tmp_path / "letter").read_text() == "Dear partner"


def test_a_log_taken_away_while_dealing_stops_the_run(
    knowing: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks, look = iter(range(5)), TruthEye.look

    def looked(eye: TruthEye, *, after_us: int, deadline_us: int) -> Sighting:
        if next(looks, None) is None:
            (tmp_path / "deals.sqlite").unlink(missing_ok=True)
        return look(eye, after_us=after_us, deadline_us=deadline_us)

    monkeypatch.setattr(TruthEye, "look", looked)
    assert deal(tmp_path) == 1
    err = capsys.readouterr().err
    assert "deals.sqlite was taken away or replaced while deals were written. Put it back" in err


def test_without_a_log_named_the_users_own_is_used(
    knowing: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.data_folder.default_log", lambda: tmp_path / "data" / "deals.sqlite")
    assert cli.main(["deal"]) == 0
    assert (tmp_path / "data" / "deals.sqlite").exists()


# --- what goes wrong ---


def test_a_port_that_is_not_there_is_a_clear_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deal(tmp_path, "--machine", str(tmp_path / "ttyNONE"), "--camera", "sim:") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"cannot open {tmp_path / 'ttyNONE'}: there is no such device" in err
    assert "plug the machine in" in err


@pytest.mark.parametrize("camera", ["", "x", "nope:", "v4l2:", "v4l2:x", "frames:"])
def test_a_text_that_is_no_camera_is_wrong_use_and_moves_nothing(
    camera: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--camera", camera) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"pone deal: {camera!r}")
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("machine", ["", " ", "sim", "sim:", "ttyNONE", "a" * 300])
def test_a_text_that_is_no_machine_is_wrong_use(
    machine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of("deal", "--log", str(tmp_path / "deals.sqlite"), "--machine", machine) == 2
    assert f"{machine!r} is no machine: write sim://, or a port that `pone doctor` lists" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("url", ["sim://#x", "sim://club#x?seed=1"])
def test_a_simulated_machines_url_has_no_fragment(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deal(tmp_path, "--machine", url) == 1
    assert "expected sim://NAME?scenario=FILE&seed=NUMBER" in capsys.readouterr().err


def test_a_wrong_scenario_sends_nobody_to_the_ports(
    scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--machine", scenario("nonsense = 1\n")) == 1
    err = capsys.readouterr().err
    assert "nonsense: no such key here" in err
    assert "put that right in the URL, or in the file that it names" in err
    assert "pone doctor" not in err


@pytest.mark.parametrize("camera", ["sim:/no/such/socket", "v4l2:99"])
def test_a_camera_that_is_not_there_is_a_clear_sentence_and_lets_the_machine_go(
    camera: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--camera", camera) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert camera.split("/")[0] in err
    world = world_named("")
    world.plug_in(object())
    with read_log(tmp_path / "deals.sqlite") as log:
        assert log.deals() == []


def test_a_machine_on_a_port_needs_its_camera_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deal(tmp_path, "--machine", "/dev/ttyACM0") == 2
    assert "--camera is needed" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "log", [".", "/", "deals.key", "", "/dev/null", "/dev/zero", "pipe", "loop", "x" * 300, "a.lock", "a-wal", "a-shm"]
)
def test_a_log_that_cannot_be_one_is_wrong_use_and_leaves_nothing(
    log: str, knowing: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder; a name that a file beside a log would have; nothing; a device, a pipe; a name that leads nowhere."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    (tmp_path / "loop").symlink_to("loop")
    assert status_of("deal", "--log", log) == 2
    assert "argument --log" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "loop"}


def test_a_file_that_is_no_log_is_left_as_it_is(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deals.sqlite"
    file.write_text("my diary " * 500, encoding="utf-8")
    assert deal(tmp_path) == 1
    assert "it is no deal log" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "my diary " * 500
    assert list(tmp_path.iterdir()) == [file]


def test_two_controllers_on_one_log_are_one_too_many(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deals.sqlite"
    with DealLog.open(file, key_file=tmp_path / "deals.key", entropy=seeded_entropy(1)):
        assert deal(tmp_path) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "another controller writes to it" in err
    assert "Wait for it to end, or give another log." in err


def test_people_who_never_clear_a_halt_end_the_run_with_what_to_do(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = scenario('[people]\nsilent = ["clear_path"]\n' + JAM)
    assert deal(tmp_path, "--machine", url) == 1
    err = capsys.readouterr().err
    assert "nobody cleared the machine after the halt" in err
    assert "Run the same command again" in err


def test_deals_that_never_come_to_an_end_are_given_up(
    knowing: None, scenario: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--machine", scenario(FACED * 9)) == 1
    assert "5 deals in a row were not completed" in capsys.readouterr().err


# --- Ctrl-C ---


@pytest.fixture
def interrupted_at(knowing: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that has Ctrl-C pressed once, when card `k` is looked at."""

    def at(k: int) -> None:
        class Pressed(TruthEye):
            pressed = False

            def look(self, *, after_us: int, deadline_us: int) -> Sighting:
                if self._world.passage == k and not Pressed.pressed:
                    Pressed.pressed = True
                    raise KeyboardInterrupt
                return super().look(after_us=after_us, deadline_us=deadline_us)

        monkeypatch.setattr("controller.machine_session.FrameEye", lambda camera, recogniser: Pressed(world_named("")))

    return at


def test_after_ctrl_c_the_same_command_goes_on_where_it_stopped(
    interrupted_at: Callable[[int], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted_at(20)
    assert deal(tmp_path) == 130
    err = capsys.readouterr().err
    assert err.startswith("\nStopped by Ctrl-C. The record is kept. The simulated machine was a part of this program")
    with read_log(tmp_path / "deals.sqlite") as log:
        assert log.unfinished() == 1
    assert deal(tmp_path) == 0
    assert "Deal 1 is complete: 52 cards" in capsys.readouterr().out
    with read_log(tmp_path / "deals.sqlite") as log:
        lines = log.lines(1)
    dealt = [line["k"] for line in lines if line.get("fact") == "dealt"]
    assert dealt == list(range(1, 53))
    assert len([line for line in lines if line.get("fact") == "resumed"]) == 1
    assert sum(bool(passage) for passage in world_named("").truth().deals[-1].passages) == 52


def test_one_seed_gives_the_same_output(knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outs: list[Any] = []
    for folder in ("one", "other"):
        forget_worlds()
        (tmp_path / folder).mkdir()
        assert deal(tmp_path / folder, "--json") == 0
        outs.append([line for line in capsys.readouterr().out.splitlines() if '"result"' not in line])
    assert outs[0] == outs[1]


# --- codes, seats, stopping ---


@pytest.mark.parametrize("code", [code.name for code in laws.built()])
def test_every_code_with_declared_laws_can_be_dealt(code: str, knowing: None, tmp_path: Path) -> None:
    """Every code that the judge applies can be dealt at the table, that of boards by hand too."""
    assert deal(tmp_path, "--code", code) == 0
    with read_log(tmp_path / "deals.sqlite") as log:
        assert [(summary.code, summary.status) for summary in log.deals()] == [(code, "completed")]


def test_a_code_that_there_is_not_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("deal", "--code", "loo") == 2
    err = capsys.readouterr().err
    assert all(code.name in err for code in laws.built())


@pytest.mark.parametrize(
    ("words", "code", "cards"),
    [
        (("--code", "euchre"), "euchre", 32),
        (("--code", "euchre", "--pack", "24", "--pattern", "3-2"), "euchre", 24),
        (("--code", "bridge"), "bridge", 52),
        (("--code", "auction", "--dealer", "N"), "auction", 52),
        (("--code", "duplicate"), "duplicate", 52),
        (("--code", "rubber"), "rubber", 52),
        (("--code", "english_bridge"), "english_bridge", 52),
        (("--code", "euchre_modern", "--pattern", "singles"), "euchre_modern", 24),
    ],
)
def test_each_code_is_dealt_to_its_end(
    words: tuple[str, ...],
    code: str,
    cards: int,
    knowing: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert deal(tmp_path, *words) == 0
    with read_log(tmp_path / "deals.sqlite") as log:
        lines = log.lines(1)
        assert [summary.cards for summary in log.deals()] == [cards]
    assert f"Deal 1 is complete: {cards} cards" in capsys.readouterr().out, "the stock too, as the list of deals has it"
    assert lines[0]["code"] == code
    assert lines[0].get("pattern") == (words[-1] if "--pattern" in words else "2-3" if code == "euchre" else None)
    assert [line["fact"] for line in lines[-2:]] == ["deal_completed", "closed"]
    assert len([line for line in lines if line.get("fact") == "seen"]) == cards
    assert replay(lines) == ()


def test_a_club_deals_by_its_own_laws_and_house_and_the_record_alone_judges(
    knowing: None, tmp_path: Path, scenario: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whist, in which every card found face up is let stand."""
    ours, house = tmp_path / "ours.toml", tmp_path / "house.toml"
    head = 'name = "ours"\ntitle = "Our whist"\nbook = "Our minutes"\nbased_on = "whist"\n'
    ours.write_text(head + '[[law]]\nnumber = "29-II"\nwhen = "card_faced"\nremedy = "stands"\n')
    house.write_text('short_hand_early = "new_deal"\n')
    url = scenario('[[deal]]\n[[deal.fault]]\nkind = "faced_card"\nat = 2\n')
    assert deal(tmp_path, "--machine", url, "--code", str(ours), "--house", str(house)) == 0
    with read_log(tmp_path / "deals.sqlite") as log:
        lines = log.lines(1)
    assert (lines[0]["code"], lines[0]["laws"]) == ("ours", ours.read_text())
    assert lines[0]["house"] == House(short_hand_early="new_deal").whole()
    assert [(line["ruling"], line["law"]) for line in lines if "ruling" in line] == [("stands", "ours 29-II")]
    assert replay(lines) == ()
    ours.unlink()
    assert cli.main(["replay", str(tmp_path / "deals.sqlite")]) == 0
    assert cli.main(["record", str(tmp_path / "deals.sqlite")]) == 0
    assert "ours" in capsys.readouterr().out


def test_hands_that_no_law_puts_right_are_told_behind_the_deal(
    knowing: None, tmp_path: Path, scenario: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text(
        'name = "ours"\ntitle = "Ours"\nbook = "B"\npacks = [52]\npatterns = ["singly"]\ncompletion = "last_card"\n'
        '[[law]]\nnumber = "1"\nwhen = "pack_bad"\nremedy = "new_deal"\n'
    )
    double = scenario(DOUBLE)
    assert deal(tmp_path, "--code", str(ours), "--machine", double) == 0
    wrong = "Deal 1: hands are not right: North 12, West 14"
    assert capsys.readouterr().err == f"{wrong}. Put that right before the cards are looked at.\n"
    forget_worlds()
    assert deal(tmp_path, "--code", "rubber", "--machine", double, "--json") == 0
    captured = capsys.readouterr()
    said = [json.loads(line) for line in captured.out.splitlines()]
    asked = [line["why"] for line in said if line.get("ruling") == "ask_director"]
    assert [why.partition(",")[0] for why in asked] == [
        "two cards are dealt at once",
        "a hand has too many cards and another too few",
    ]
    assert said[-1]["result"]["wrong_hands"] == {"N": 12, "W": 14}


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("--code", "loo"), 2, "its laws are not built yet"),
        (("--code", "nowhere.toml"), 1, "nowhere.toml: "),
        (("--house", "nowhere.toml"), 1, "nowhere.toml: "),
    ],
)
def test_a_code_that_is_not_there_is_wrong_use_and_a_file_that_is_not_cannot_be_read(
    words: tuple[str, ...], status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of("deal", *words) == status
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--code", "euchre", "--pack", "52"), "euchre is played with 32 or 33 or 24 or 25 cards, not 52"),
        (("--code", "whist", "--pattern", "2-3"), "whist"),
    ],
)
def test_what_a_code_is_not_played_with_is_wrong_use(
    words: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, *words) == 2
    out, err = capsys.readouterr()
    assert (out, says in err) == ("", True)
    assert not (tmp_path / "deals.sqlite").exists()


def test_a_file_says_what_the_seats_do_at_which_card(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = tmp_path / "seats.txt"
    said.write_text("# South shows a card\n\n20 W report exposed_on s\nW claim new_deal\n", encoding="utf-8")
    assert deal(tmp_path, "--seats", str(said)) == 0
    with read_log(tmp_path / "deals.sqlite") as log:
        lines = log.lines(1)
    told = [line.get("fact") or line["ruling"] for line in lines]
    assert told[told.index("exposed") :][:4] == ["exposed", "option", "claimed", "new_deal"]
    assert max(line["k"] for line in lines if line.get("fact") == "dealt") in (20, 21), "halted within one card"
    assert "West claims: new deal." in capsys.readouterr().out


def test_in_the_place_of_a_deal_that_was_given_up_the_seats_say_their_words_anew(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = tmp_path / "seats.txt"
    said.write_text("5 N touch\n30 E touch\n", encoding="utf-8")
    _Stopper(monkeypatch, {"fact": "dealt", "k": 20})
    assert deal(tmp_path, "--seats", str(said)) == 130
    forget_worlds()
    assert deal(tmp_path, "--seats", str(said)) == 0
    with read_log(tmp_path / "deals.sqlite") as log:
        touched = [[line["seat"] for line in log.lines(number) if line.get("fact") == "touched"] for number in (1, 2)]
    assert touched == [["N"], ["N", "E"]]


def test_a_line_that_no_seat_can_say_is_named_before_anything_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = tmp_path / "seats.txt"
    said.write_text("N touch\nN clam new_deal\n", encoding="utf-8")
    assert deal(tmp_path, "--seats", str(said)) == 1
    assert "seats.txt: line 2: 'N clam new_deal' is no word of a seat" in capsys.readouterr().err


def test_what_cannot_be_said_now_is_told_and_not_on_record(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = tmp_path / "seats.txt"
    said.write_text("N call pass\n", encoding="utf-8")
    assert deal(tmp_path, "--seats", str(said)) == 0
    assert "N call pass: that cannot be now, and is not on record." in capsys.readouterr().err
    with read_log(tmp_path / "deals.sqlite") as log:
        assert not [line for line in log.lines(1) if line.get("fact") == "called"]


def test_the_help_lists_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["deal", "--help"])
    out = capsys.readouterr().out
    assert "SEAT claim new_deal|misdeal|reshuffle|fresh_cut|stop|bar|stand|other" in out
    assert "SEAT report exposed_on" in out


def test_what_the_machine_lacks_is_said_once(knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert deal(tmp_path, "--deals", "2", "--machine", "sim://?lacks=shelves,cut_tray") == 0
    out = capsys.readouterr().out
    assert out.startswith("It has no shelves and cannot shuffle: people shuffle, and how is not on record.\n")
    assert out.count("It has no") == 2


def test_ctrl_c_lets_the_card_in_transit_arrive_and_the_same_command_goes_on(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look, looks = TruthEye.look, iter(range(20))

    def looked(eye: TruthEye, *, after_us: int, deadline_us: int) -> Sighting:
        if next(looks, None) == 19:
            signal.raise_signal(signal.SIGINT)
        return look(eye, after_us=after_us, deadline_us=deadline_us)

    monkeypatch.setattr(TruthEye, "look", looked)
    assert deal(tmp_path) == 130
    err = capsys.readouterr().err
    assert err.startswith("The card in transit was finished. The record is kept. The simulated machine was a part of")
    with read_log(tmp_path / "deals.sqlite") as log:
        assert [line["k"] for line in log.lines(1) if line.get("fact") == "dealt"] == list(range(1, 21))
    assert deal(tmp_path) == 0
    assert "Deal 1 is complete: 52 cards" in capsys.readouterr().out
    with read_log(tmp_path / "deals.sqlite") as log:
        assert not [line for line in log.lines(1) if line.get("fact") == "machine_fault"]


def test_ctrl_c_pressed_twice_stops_the_machine_at_once(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look, looks = TruthEye.look, iter(range(20))

    def looked(eye: TruthEye, *, after_us: int, deadline_us: int) -> Sighting:
        if next(looks, None) == 19:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        return look(eye, after_us=after_us, deadline_us=deadline_us)

    monkeypatch.setattr(TruthEye, "look", looked)
    assert deal(tmp_path) == 130
    assert capsys.readouterr().err.startswith("The machine was stopped at once")
    with read_log(tmp_path / "deals.sqlite") as log:
        assert log.unfinished() == 1


class _Stopper:
    """Presses Ctrl-C as soon as a line of the record is told, once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, line: dict[str, Any]) -> None:
        self._line = line
        self._tell = Console.tell
        self._pressed = False
        monkeypatch.setattr(Console, "tell", lambda console, line: self.tell(console, line))

    def tell(self, console: Console, line: dict[str, Any]) -> None:
        self._tell(console, line)
        if not self._pressed and self._line.items() <= line.items():
            self._pressed = True
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("stopped_at", "statuses", "said"),
    [
        ({"fact": "shuffled"}, ["completed"], "The pack that was to be cut no longer lies in the machine."),
        ({"fact": "dealt", "k": 1}, ["voided", "completed"], "The machine restarted while card 3 was under way"),
        ({"fact": "dealt", "k": 20}, ["voided", "completed"], "The deal is void; the same player deals again."),
        ({"fact": "dealt", "k": 52}, ["completed"], "Deal 1 is complete: 52 cards.\n"),
    ],
    ids=["before the cut", "card 1", "card 20", "behind the last card"],
)
def test_of_a_machine_that_ended_with_the_command_nothing_is_promised_that_cannot_be(
    stopped_at: dict[str, Any],
    statuses: list[str],
    said: str,
    knowing: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _Stopper(monkeypatch, stopped_at)
    assert deal(tmp_path) == 130
    err = capsys.readouterr().err
    assert "is gone, with the cards in it" in err
    assert "what was not dealt to its end is given up, with the reason, and dealt anew" in err
    forget_worlds()
    assert deal(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.startswith("Deal 1 is not at its end: it comes first.\n")
    assert said in out
    assert "the deal goes on" not in out
    assert "0.00 s a card" not in out
    with read_log(tmp_path / "deals.sqlite") as log:
        assert [summary.status for summary in log.deals()] == statuses


def test_an_open_deal_of_another_code_does_not_pass_for_what_was_asked(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _Stopper(monkeypatch, {"fact": "dealt", "k": 52})
    assert deal(tmp_path) == 130
    capsys.readouterr()
    forget_worlds()
    assert deal(tmp_path, "--code", "euchre") == 0
    out, err = capsys.readouterr()
    assert "Deal 1 is complete: 52 cards" in out
    assert err == (
        "Deal 1 is whist: it was begun before, and takes the place of one of euchre. For that run the same command "
        "again.\n"
    )


def test_what_a_seat_was_to_do_behind_the_last_card_is_told(
    knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = tmp_path / "seats.txt"
    seats.write_text("20 N touch\n99 N touch\n30 W look\n")
    assert deal(tmp_path, "--seats", str(seats)) == 0
    assert capsys.readouterr().err == (
        "99 N touch: the deal was over first, and it is not on record.\n"
        "30 W look own: the deal was over first, and it is not on record.\n"
    )


def test_a_deal_on_a_machine_of_its_own_goes_on(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As one behind a pseudo-terminal, or a real one."""
    monkeypatch.setattr("controller.deal_command.ends_with_us", lambda machine: False)
    _Stopper(monkeypatch, {"fact": "dealt", "k": 3})
    assert deal(tmp_path) == 130
    assert capsys.readouterr().err == (
        "The card in transit was finished. The record is kept. "
        "Run the same command again: it asks the machine how far it got.\n"
    )


def test_without_a_card_since_the_break_there_is_no_pace(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _Stopper(monkeypatch, {"fact": "turned"})
    assert deal(tmp_path) == 130
    capsys.readouterr()
    assert deal(tmp_path, "--json") == 0
    *_, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert last["result"]["seconds_per_card"] is None


# --- the bar ---


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("words", "of"),
    [
        ((), 52),
        (("--code", "euchre"), 20),
        (("--code", "euchre", "--pack", "24", "--pattern", "3-2"), 20),
        (("--code", "bridge"), 52),
    ],
)
def test_the_bar_counts_to_what_the_hands_are_given(
    words: tuple[str, ...], of: int, knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = Terminal()
    monkeypatch.setattr("sys.stdout", out)
    assert deal(tmp_path, *words) == 0
    counted = re.findall(r"\] (\d+) of (\d+)", out.getvalue())
    assert counted == [(str(k), str(of)) for k in range(1, of + 1)]


def test_the_bar_of_a_deal_that_is_gone_on_with_counts_on(
    knowing: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _Stopper(monkeypatch, {"fact": "dealt", "k": 7})
    assert deal(tmp_path, "--code", "euchre") == 130
    out = Terminal()
    monkeypatch.setattr("sys.stdout", out)
    assert deal(tmp_path) == 0
    assert re.findall(r"\] (\d+ of \d+)", out.getvalue())[0] == "9 of 20"


# --- the camera over the table ---

NO_CAMERA = "No camera looks at the table: exposed faces are then reported by the seats alone.\n"


@pytest.fixture
def over_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the simulators' two cameras be registered, whatever was installed."""
    cameras = {"sim": "hardware_sims.camera:open_camera", "simtable": "hardware_sims.table_camera:open_table_camera"}
    points = EntryPoints(EntryPoint(name, value, GROUP) for name, value in cameras.items())
    monkeypatch.setattr("vision.camera.entry_points", lambda group: points)


def test_a_face_on_the_table_is_found_and_never_named(
    knowing: None,
    over_the_table: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first looks tell; behind them no picture is drawn, so that the deal after the new deal takes no time."""
    look, looks = FrameTableEye.look, iter(range(12))

    def first_ones(eye: FrameTableEye, **times: Any) -> list[FaceSeen] | None:
        return [] if next(looks, None) is None else look(eye, **times)

    monkeypatch.setattr(FrameTableEye, "look", first_ones)
    words = ("--machine", "sim://?scenario=exposed_face", "--table-camera", "simtable:")
    assert cli.main(["deal", "--log", str(tmp_path / "deals.sqlite"), "--code", "auction", *words]) == 0
    out = capsys.readouterr().out
    assert NO_CAMERA not in out
    with read_log(tmp_path / "deals.sqlite") as log:
        assert len([line for line in log.lines(1) if line.get("fact") == "exposed"]) == 1
        assert [line["law"] for line in log.lines(1) if line.get("ruling") == "new_deal"] == ["auction 37c"]
    assert "A face was seen on the table.\n" in out


@pytest.mark.parametrize("json_lines", [(), ("--json",)], ids=["sentences", "json"])
def test_without_a_camera_over_the_table_it_is_said_once(
    json_lines: tuple[str, ...], knowing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deal(tmp_path, "--code", "euchre", *json_lines) == 0
    assert capsys.readouterr().out.count(NO_CAMERA) == (not json_lines)


@pytest.mark.parametrize(
    ("url", "status", "reason"),
    [
        ("nonsense", 2, "pone deal: 'nonsense' is no camera: write a scheme first"),
        (
            "simtable:other",
            1,
            "pone deal: simtable:other: it runs on the clock of sim://other, but the machine is another",
        ),
    ],
)
def test_a_camera_over_the_table_that_cannot_be_used_is_named(
    url: str,
    status: int,
    reason: str,
    knowing: None,
    over_the_table: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert deal(tmp_path, "--table-camera", url) == status
    assert capsys.readouterr().err.startswith(reason)


def test_the_help_says_what_the_camera_over_the_table_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["deal", "--help"])
    out = " ".join(capsys.readouterr().out.split())
    assert "--table-camera URL camera over the table, finds exposed faces (default: none)" in out
    assert "simtable: the camera over the simulated machine's table" in out
