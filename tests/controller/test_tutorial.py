"""The tutorial holds: every command line in it can be read, and what it shows is what comes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from controller import cli
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import forget_worlds, world_named
from vision.window_view import WindowRecogniser

ROOT = Path(cli.__file__).parents[1]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
LINES = [line for _, block in BLOCKS for line in block.splitlines() if line.startswith("pone ")]
TABLE = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| (.*) \|$", TUTORIAL, re.MULTILINE)


@pytest.fixture(autouse=True)
def _around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in an empty folder; the eye knows the cards, so that no frame is drawn and read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("controller.deal_picture.draw_table", lambda view: Image.new("RGB", (4, 3)))
    monkeypatch.setattr(WindowRecogniser, "shipped", lambda decks=(): None)
    monkeypatch.setattr("controller.machine_session.FrameEye", lambda camera, recogniser: TruthEye(world_named("")))
    yield
    forget_worlds()


def block(begins: str) -> str:
    """Return the block of the tutorial that begins so."""
    (found,) = [text for _, text in BLOCKS if text.startswith(begins)]
    return str(found)


def told(capsys: pytest.CaptureFixture[str], *lines: str) -> str:
    """Run command lines, each on a machine of its own, and return what the last prints."""
    out = ""
    for line in lines:
        assert cli.main(shlex.split(line)[1:]) in (0, 1)
        out = capsys.readouterr().out
        forget_worlds()
    return out


def shows(shown: str, line: str) -> bool:
    """Return whether a line is the one that is shown with what is long cut out."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), line) is not None


@pytest.mark.parametrize("line", dict.fromkeys(LINES))
def test_a_command_line_can_be_read(line: str) -> None:
    cli._parser().parse_args(shlex.split(line)[1:])


def test_the_first_deal_and_its_record(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "pone deal --seed 7 --log first.sqlite")
    assert out.rstrip("\n") == block("No camera looks").rstrip("\n")
    record = iter(told(capsys, "pone record first.sqlite 1").splitlines())
    for shown in block('{"code":"whist","dealer":"S","fact"').splitlines():
        without_frame = shown.replace('"frame":"…",', "")  # the eye knows the cards here, and looks at none
        assert any(shows(without_frame, line) for line in record), shown
    replayed = told(capsys, "pone replay first.sqlite").splitlines()
    assert shows(block("All …").rstrip("\n"), replayed[-1])


def test_the_record_of_two_cards_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, 'pone deal --machine "sim://?scenario=show" --deals 2 --log show.sqlite')
    record = iter(told(capsys, "pone record show.sqlite 2").splitlines())
    for shown in block('{"code":"double_feed"').splitlines():
        assert any(shows(shown, line) for line in record), shown


def test_west_claims_a_new_deal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("seats.txt").write_text(block("20 N report"), encoding="utf-8")
    out = told(capsys, "pone deal --seats seats.txt --log first.sqlite")
    assert re.search(r"West claims: new deal\.\nNew deal: South deals again\. Whist 30", out)


def test_the_known_order_finds_the_wrong_card(capsys: pytest.CaptureFixture[str]) -> None:
    Path("order.txt").write_text(block("AS 2S"), encoding="utf-8")
    Path("four.toml").write_text(block("[[deal]]\norder"), encoding="utf-8")
    out = told(capsys, 'pone order order.txt --machine "sim://?scenario=four.toml"')
    assert "Card 4: " in out
    assert "five of spades" in out


def test_the_judged_file_gets_its_two_rulings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two_at_once.jsonl").write_text(block('{"fact":"deal_opened","code":"whist"'), encoding="utf-8")
    out = told(capsys, "pone judge two_at_once.jsonl --text").splitlines()
    assert [line.split(". Whist 37-VI")[0] for line in out] == [
        "Line 5. Put it right before going on",
        "Line 6. Misdeal: West deals next",
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("", "Put it right before going on. Whist 37-VI"),
        ('kind = "faced_card"', "Card 17 lies faced in the pack."),
        ("at = 51", "Deal 1 ended: voided."),
        ("cut = 2", "Cut again."),
    ],
)
def test_the_scenario_and_each_change_of_it(changed: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = block("title")
    if changed:
        (instead,) = (before for before, after, _ in TABLE if after == changed)
        assert instead in scenario
        scenario = scenario.replace(instead, changed)
    Path("my_scenario.toml").write_text(scenario, encoding="utf-8")
    assert said in told(capsys, 'pone deal --machine "sim://?scenario=my_scenario.toml" --log mine.sqlite')
