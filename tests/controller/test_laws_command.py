"""`pone laws` and the page of the laws: what they print, and how they refuse."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from controller import law_pages, laws, laws_command, laws_doc
from controller.house import House
from controller.laws import built
from controller.laws.table import TABLE

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    laws_command.add_arguments(parser)
    return laws_command.run(parser.parse_args(arguments))


def test_the_codes_are_listed_with_their_books(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "whist",
        "euchre",
        "bridge",
        "auction",
        "duplicate",
        "somerset_euchre",
        "table",
    ]
    assert "Hoyle's Games Modernized" in lines[0]


def test_a_code_is_read_out_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("euchre") == 0
    out = capsys.readouterr().out
    assert all(str(law) in out for law in laws.code("euchre").laws)
    assert "32 or 33 or 24 or 25 cards, dealt 2-3 or 3-2; the deal is completed when the trump card is turned" in out
    assert "Euchre 8. Every player may shuffle, the dealer last." in out


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("36", "Whist 36. If a misdeal has been made, and the adversaries interrupted the dealer about the score"),
        ("25", "Whist 25. The players deal in turn, and the deal goes to the left.\n"),
    ],
)
def test_one_law_is_read_out(capsys: pytest.CaptureFixture[str], number: str, text: str) -> None:
    assert run("whist", number) == 0
    assert capsys.readouterr().out.startswith(text)


def test_why_tells_source_consequence_setting_and_sight(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--why", "whist 37-VI") == 0
    out = capsys.readouterr().out
    assert "stands in: Hoyle's Games Modernized" in out
    assert "follows: it may be put right before the next card, and the deal goes on, without a claim" in out
    assert "rests on: the house setting hand_cure = false" in out
    assert "seen: the machine sees it" in out
    assert run("--why", "whist 25") == 0
    assert "the deal goes to the left" in capsys.readouterr().out


def test_the_register_of_the_table_is_read_out_likewise(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("table") == 0
    out = capsys.readouterr().out
    assert all(str(law) in out for law in TABLE.laws)
    assert "4 play at a table; in cutting the ranks are, from the lowest, A 2 3 4 5 6 7 8 9 T J Q K.\n" in out
    assert run("table", "5") == 0
    assert capsys.readouterr().out == f"{TABLE.laws[-1]}\n"
    assert run("--why", "table 5") == 0
    assert "stands in: bridge, right of entry (R. F. Foster" in capsys.readouterr().out


def test_every_setting_is_told_with_default_values_and_meaning() -> None:
    parts = law_pages.house_text().split("\n\n")
    assert len(parts) == len(House.__dataclass_fields__)
    for part, name in zip(parts, House.__dataclass_fields__, strict=True):
        head, says, values = part.splitlines()
        assert head == f"{name} = {str(getattr(House(), name)).lower()}"
        assert len(says.split()) > 3
        assert values.startswith("  may be: ")
    assert "may be: same_dealer, as_dealer" in parts[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["loo"], "its laws are not built yet"),
        (["whist", "99"], "whist has no law '99'; it has 3, 18"),
        (["--why", "37-VI"], "no such code of laws: '37-VI'"),
        (["--why", "whist"], "whist has no law ''"),
        (["table", "9"], "table has no law '9'; it has 0, 1, 2, 3, 4, 5"),
        (["--why", "table 37-VI"], "table has no law '37-VI'"),
        (["whist", "--house"], "give either a code, or --why, or --house"),
    ],
)
def test_what_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert (printed.out, words in printed.err) == ("", True)


def test_the_page_holds_every_clause() -> None:
    page = law_pages.document()
    assert all(f"| {law.number} | {law.sentence} | {law.source} |" in page for law in TABLE.laws)
    for code in built():
        assert all(f"| {law.number} | {law.sentence} |" in page for law in code.laws)
        assert all(f"| {duty.number} | {duty.says} |" in page for duty in code.duties)


def test_the_page_is_written_and_compared(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for arguments, status in ((["--check"], 1), ([], 0), (["--check"], 0)):
        monkeypatch.setattr("sys.argv", ["laws_doc", *arguments])
        assert laws_doc.main() == status
    assert "docs/laws.md is stale: run python -m controller.laws_doc" in capsys.readouterr().err


def test_the_page_in_the_project_is_fresh() -> None:
    assert (ROOT / laws_doc.DOC).read_text(encoding="utf-8") == law_pages.document()
