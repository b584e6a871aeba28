"""`pone laws` and the page of the laws: what they print, and how they refuse."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from controller import cli, law_pages, laws, laws_command, laws_doc
from controller.house import SETTINGS, House, read_house
from controller.law_force import force
from controller.laws.table import TABLE
from controller.user_files import LARGEST

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
        "rubber",
        "euchre_modern",
        "english_bridge",
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


def test_every_setting_is_told_with_its_value_its_meaning_and_what_rests_on_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("--house") == 0
    printed = capsys.readouterr().out
    assert read_house(printed, "printed") == House()
    head, *parts = printed.split("\n\n")
    assert all(line.startswith("# ") for line in head.splitlines())
    assert [part.splitlines()[-1].split(" = ")[0] for part in parts] == [setting.key for setting in SETTINGS]
    for part in parts:
        words = [line.split()[1] for line in part.splitlines()[:-1]]
        assert {"Because", "May", "Rest"} <= set(words)
        assert len(part.partition("Rest on it: ")[2]) > 5
    assert '# May be: same_dealer, as_dealer. The default is "same_dealer".\n' in parts[0]
    assert "# Rest on it: whist 24, 30a, 32, 39; euchre 12a, 14; bridge N2a, N2d, X1;" in parts[0]


def test_the_settings_of_a_file_are_told_beside_the_defaults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "club.toml"
    file.write_text('machine_fault = "as_dealer"\ngrace_s = 2.5\n')
    assert run("--house", str(file)) == 0
    printed = capsys.readouterr().out
    assert 'The default is "same_dealer".\n' in printed
    assert '\nmachine_fault = "as_dealer"\n' in printed
    assert '\nlooked = "tray_lifted"\n' in printed
    assert read_house(printed, "printed") == House(machine_fault="as_dealer", grace_s=2.5)


def marks(out: str) -> list[str]:
    return [line.strip() for line in out.splitlines() if line.strip().startswith(("in force", "not in force"))]


def test_a_code_is_marked_by_what_the_house_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "club.toml"
    file.write_text("shuffle_in_play = false\n")
    assert run("whist", "19", "--house", str(file)) == 0
    said = ["not in force: shuffle_in_play is false", "in force: shuffle_in_play is false"]
    assert marks(capsys.readouterr().out) == said


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("", ["not in force: hand_cure is true", "in force: hand_cure is true"]),
        ("hand_cure = false", ["in force: hand_cure is false", "not in force: hand_cure is false"]),
    ],
)
@pytest.mark.parametrize("number", [["whist", "37-VI"], ["bridge", "N1e"], ["auction", "37e"]])
def test_the_clause_that_a_setting_switches_off_is_marked_as_the_one_it_brings_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str, said: list[str], number: list[str]
) -> None:
    file = tmp_path / "club.toml"
    file.write_text(setting)
    house = ["--house", str(file)] if setting else []
    code, _ = number
    for arguments in (number, [code], ["--why", " ".join(number)], [code, "--why", number[1]]):
        assert run(*arguments, *house) == 0
        of_this = [mark for mark in marks(capsys.readouterr().out) if "hand_cure" in mark]
        assert of_this == said


def test_every_clause_that_a_setting_decides_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    for code in laws.built():
        assert run(code.name) == 0
        found = marks(capsys.readouterr().out)
        assert len(found) >= sum(law.setting is not None for law in code.laws)
        assert found == [mark for law in code.laws if (mark := force(code, law, House()))]


OURS = """
name = "tuesday_whist"
title = "Whist on Tuesdays"
book = "The minutes of the club"
based_on = "whist"
[[law]]
number = "T1"
when = "two_cards"
provided = ["by_machine"]
remedy = "new_deal"
[[duty]]
number = "T2"
says = "The pack is changed every hour."
"""


def test_why_is_answered_of_a_code_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "our laws").mkdir()
    file = tmp_path / "our laws" / "ours.toml"
    file.write_text(OURS)
    for arguments in ([str(file), "--why", "T1"], ["--why", f"{file} T1"], [str(file), "--why", "tuesday_whist T1"]):
        assert run(*arguments) == 0
        out = capsys.readouterr().out
        assert out.startswith("Tuesday whist T1. If two cards are dealt at once")
        assert "stands in: The minutes of the club: Whist on Tuesdays, T1\n" in out
    assert run(str(file), "--why", "T2") == 0
    assert "stands in: The minutes of the club: Whist on Tuesdays, T2\n" in capsys.readouterr().out
    assert run("whist", "--why", "whist 3") == run("--why", "whist 3") == 0
    once, again = capsys.readouterr().out.split("Whist 3. ")[1:]
    assert once == again


@pytest.mark.parametrize(
    ("cited", "citation"),
    [
        ("Whist 37-vi", "Whist 37-VI. "),
        ("English bridge 40", "English bridge 40. "),
        ("euchre_modern 1", "Euchre modern 1. "),
        ("Euchre modern 1", "Euchre modern 1. "),
        ("Table 5", "Table 5. "),
    ],
)
def test_a_law_may_be_cited_as_it_is_read_out(capsys: pytest.CaptureFixture[str], cited: str, citation: str) -> None:
    assert run("--why", cited) == 0
    assert capsys.readouterr().out.startswith(citation)


@pytest.mark.parametrize(
    ("code", "number", "parts"),
    [
        ("whist", "30", ["30a", "30b", "30c"]),
        ("bridge", "N1", ["N1a", "N1b", "N1c", "N1d", "N1e", "N1f", "N1g"]),
        ("euchre", "15", ["15a", "15b", "15c"]),
        ("whist", "3", ["3"]),
    ],
)
def test_a_number_without_a_law_of_its_own_has_its_parts(
    capsys: pytest.CaptureFixture[str], code: str, number: str, parts: list[str]
) -> None:
    assert run(code, number) == 0
    heads = [line.split(". ")[0].split()[1] for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert sorted(set(heads)) == parts


def test_what_a_club_leaves_as_it_is_stands_where_it_stood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(OURS)
    for number in ("30a", "25"):
        assert run(str(file), "--why", number) == 0
        assert f"The Laws of Whist, revised code 1900, {number}\n" in capsys.readouterr().out


def test_a_check_counts_as_the_list_of_codes_does_and_in_words_that_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.toml"
    own = OURS.replace('based_on = "whist"', 'packs = [52]\npatterns = ["singly"]\ncompletion = "last_card"')
    for text, said in ((own, "1 law and 1 duty"), (own.partition("[[duty]]")[0], "1 law and 0 duties")):
        file.write_text(text)
        assert run("--check", str(file)) == 0
        assert capsys.readouterr().out.startswith(f"{file} is in order: tuesday_whist, {said}.\n")
    numbers = len({law.number for law in laws.code("whist").laws})
    file.write_text(OURS)
    assert run("--check", str(file)) == 0
    assert f"tuesday_whist, {numbers + 1} laws and 9 duties." in capsys.readouterr().out


def test_what_was_not_read_and_not_built_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rubber") == 0
    out = capsys.readouterr().out
    assert "Not read, and so for the director:" in out
    assert "Laws 7 to 12, on the deal and a new deal." in out
    assert "Rubber 8: putting two cards right is recalled and was not read." in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("looked = 1", 'looked: expected one of "tray_lifted", "said", got 1'),
        ("luck = 1", "luck: no such setting; known are machine_fault, grace_s"),
        ("grace_s", "it is no TOML"),
        ("grace_s = " + "[" * 3000, "it is no TOML that can be read: it is nested too deeply"),
        ("grace_s = " + "9" * 5000, "it is no TOML that can be read: a number in it is too long"),
        ("grace_s = -1", "grace_s: expected a number of seconds from 0 to 86400, got -1"),
    ],
)
def test_a_bad_file_of_settings_is_refused_with_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    file = tmp_path / "club.toml"
    file.write_text(text)
    assert cli.main(["laws", "--house", str(file)]) == 1
    assert f"pone laws: {file}: {words}" in capsys.readouterr().err


def test_settings_of_a_house_are_not_taken_for_a_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "club.toml"
    file.write_text('looked = "said"\ngrace_s = 4\n')
    assert cli.main(["laws", "--check", str(file)]) == 1
    assert capsys.readouterr().err == (
        f"pone laws: {file}: these are settings of a house, and no code of laws: pone laws --house FILE\n"
    )


def test_everything_that_is_wrong_with_a_file_of_settings_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "club.toml"
    file.write_text('hand_cure = "no"\nluck = 1\ngrace_s = 2\nwit = 2\nlooked = 3\n[euchre]\n')
    assert cli.main(["laws", "--house", str(file)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[:3] == [
        f"pone laws: {file}: hand_cure: expected true or false, got 'no'",
        f'pone laws: {file}: looked: expected one of "tray_lifted", "said", got 3',
        f'pone laws: {file}: euchre: expected one of "foster", "somerset", "modern", got {{}}',
    ]
    assert [line.partition("; known are ")[0] for line in said[3:]] == [
        f"pone laws: {file}: luck, wit: no such settings"
    ]


def test_a_file_of_settings_that_cannot_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    (tmp_path / "long.toml").write_bytes(b"#" * (LARGEST + 1))
    for name, words in (
        ("none.toml", "no such file"),
        ("latin.toml", "no text in UTF-8"),
        ("long.toml", "larger than"),
        ("/dev/zero", "larger than"),
    ):
        assert cli.main(["laws", "--house", str(tmp_path / name)]) == 1
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["loo"], "its laws are not built yet"),
        (["whist", "99"], "whist has no law '99'; it has 3, 18"),
        (["--why", "37-VI"], "'37-VI' does not name a code and a law of it: write --why \"whist 37-VI\""),
        (["--why", "whist"], "'whist' does not name a code and a law of it"),
        (["--why", "wist 3"], "no such code of laws: 'wist'"),
        (["--why", "tuesday_whist T1"], "a code of your own is named by its file, as in ours.toml"),
        (["whist", ""], "whist has no law ''"),
        (["rubber", "8"], "rubber 8 is not built: putting two cards right is recalled and was not read"),
        (["english_bridge", "36"], "not read: laws 27 to 29 and 31 to 36"),
        (
            ["wist"],
            "known are whist, euchre, bridge, auction, duplicate, rubber, euchre_modern, english_bridge, somerset_",
        ),
        (["table", "9"], "table has no law '9'; it has 0, 1, 2, 3, 4, 5"),
        (["--why", "table 37-VI"], "table has no law '37-VI'"),
        (["whist", "3", "--why", "18"], "name one law: behind the code, or behind --why"),
        (["whist", "--check", "ours.toml"], "--check reads one file, whatever the house decides: leave out a code"),
        (["--check", "ours.toml", "--house"], "leave out --house"),
        (["--check", "ours.toml", "--why", "whist 3"], "leave out --why"),
    ],
)
def test_what_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert (printed.out, words in printed.err) == ("", True)


@pytest.mark.parametrize(
    ("arguments", "first", "last"),
    [
        (["euchre", "14"], "Euchre 14a. ", "Euchre 14. "),
        (["euchre_modern", "1"], "Euchre modern 1. ", "Euchre modern 1a. "),
        (["WHIST", "37-vi"], "Whist 37-VI. ", "Whist 37-VI. "),
        (["Euchre modern", "3"], "Euchre modern 3. ", "Euchre modern 3. "),
        (["Table", "1"], "Table 1. ", "Table 1. "),
    ],
)
def test_a_law_is_found_as_one_says_it_and_with_its_parts(
    capsys: pytest.CaptureFixture[str], arguments: list[str], first: str, last: str
) -> None:
    assert run(*arguments) == 0
    laws_read = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert laws_read[0].startswith(first)
    assert any(line.startswith(last) for line in laws_read)


def test_why_a_clause_rests_on_the_house_is_said_in_the_words_of_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--why", "whist 37-VI") == 0
    why = capsys.readouterr().out
    assert "the house setting hand_cure = false, because the printed codes let the dealer put it right before" in why
    assert run("--why", "whist 32") == 0
    assert '  what its words mean: machine_fault is "same_dealer", grace_s is 5\n' in capsys.readouterr().out


def test_a_packet_of_the_cut_is_told_only_where_a_clause_names_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("duplicate") == 0
    assert "packet of the cut" not in capsys.readouterr().out
    assert run("whist") == 0
    assert "a packet of the cut has at least 4." in capsys.readouterr().out


def test_what_duplicate_says_reads_once_and_fits_the_end_of_a_deal() -> None:
    sentences = {law.number: law.sentence for law in laws.code("duplicate").laws}
    assert sentences["6A"] == "Either adversary may demand a fresh cut until the first card is dealt."
    assert "next card" not in sentences["13A"]


def test_the_page_holds_every_clause() -> None:
    page = law_pages.document()
    assert all(f"| {law.number} | {law.sentence} | {law.source} |" in page for law in TABLE.laws)
    for code in laws.built():
        assert all(f"| {law.number} | {law.sentence} |" in page for law in code.laws)
        assert all(f"| {duty.number} | {duty.says} |" in page for duty in code.duties)


def test_the_page_is_written_and_compared(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "controller").mkdir()
    for arguments, status in ((["--check"], 1), ([], 0), (["--check"], 0)):
        monkeypatch.setattr("sys.argv", ["laws_doc", *arguments])
        assert laws_doc.main() == status
    assert "docs/laws.md is stale: run python -m controller.laws_doc" in capsys.readouterr().err


def test_what_is_drawn_from_the_laws_is_fresh() -> None:
    for file, drawn in laws_doc.WRITTEN.items():
        assert (ROOT / file).read_text(encoding="utf-8") == drawn()
