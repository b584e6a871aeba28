"""`pone table`: an evening at a club, told by a director."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller import cli, register_file

Table = Callable[..., int]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a function that runs the command on a register of its own."""
    return lambda *words: cli.main(["table", "--file", str(tmp_path / "tables.jsonl"), *words])


def say(table: Table, *lines: str) -> None:
    for line in lines:
        assert table(*line.split()) == 0, line


def test_an_evening(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join Ann Bob Cid Dot", "wait Eve")
    assert capsys.readouterr().out.endswith(
        "Table 1, 0 rubbers played: Ann (0), Bob (0), Cid (0), Dot (0).\n  waiting: Eve\n"
    )
    say(table, "rubber")
    out = capsys.readouterr().out
    assert out.startswith("To cut: Ann, Bob, Cid and Dot. Table 1: If players have ended a rubber")
    assert out.endswith("  to cut for who gives way: Ann, Bob, Cid, Dot\n")
    say(table, "cut Ann KS", "cut Bob J1", "cut Bob 2H", "cut Cid 3H")
    assert "To cut: Bob. Table 2: If a player cuts the Joker, he cuts again." in capsys.readouterr().out
    say(table, "cut Dot 5H")
    assert [line.partition(" Table")[0] for line in capsys.readouterr().out.splitlines()] == [
        "Giving way: Ann.",
        "Admitted: Eve.",
        "Table 1, 1 rubber played: Bob (1), Cid (1), Dot (1), Eve (0).",
        "Ann has a prior right at table 1, and waits for no place: pone table wait Ann",
    ]


def test_the_facts_know_numbers_and_the_judge_rules_on_them(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(table, "join Ann Bob Cid Dot", "substitute Eve --for Dot --consent Ann Bob Cid", "break-up Ann")
    facts = (tmp_path / "tables.jsonl").read_text()
    assert "Ann" not in facts
    assert json.loads(facts.splitlines()[-2]) == {
        "fact": "substitute",
        "player": "p5",
        "for": "p4",
        "consent": ["p1", "p2", "p3"],
    }
    capsys.readouterr()
    assert cli.main(["judge", str(tmp_path / "tables.jsonl")]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(ruling["ruling"], ruling["players"]) for ruling in said] == [
        ("admitted", ["p5"]),
        ("prior_right", ["p2"]),
        ("prior_right", ["p3"]),
        ("prior_right", ["p4"]),
    ]


def test_an_erased_name_leaves_a_number_and_comes_back_as_another_player(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(table, "join Ann Bob", "--erase ann")
    assert "Ann" not in (tmp_path / "tables.names.json").read_text()
    assert capsys.readouterr().out.endswith("The name is erased; the record goes on with p1.\n")
    say(table, "join Ann", "leave p1")
    assert capsys.readouterr().out.endswith("Table 1, 0 rubbers played: Bob (0), Ann (0); 2 places free.\n")
    assert table("--erase", "Zoe") == 2
    assert capsys.readouterr().err == "pone table: no name 'Zoe' is kept\n"


def test_json_tells_rulings_state_and_names(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join Ann Bob Cid Dot")
    capsys.readouterr()
    say(table, "rubber", "wait Eve", "rubber --json")
    cut, state = (json.loads(line) for line in capsys.readouterr().out.splitlines()[-2:])
    assert (cut["ruling"], cut["law"], cut["players"]) == ("cut_again", "table 1", ["p1", "p2", "p3", "p4"])
    assert state["names"]["p5"] == "Eve"
    assert [seat["player"] for seat in state["tables"][0]["seated"]] == ["p1", "p2", "p3", "p4"]
    say(table, "--json")
    assert json.loads(capsys.readouterr().out) == state


def test_tables_have_names_and_candidates_form_new_ones(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join Ann Bob Cid Dot", "wait Eve Fay Guy Dot --at second", "form --at second")
    out = capsys.readouterr().out
    assert "Admitted: Eve, Fay, Guy and Dot." in out
    assert "Dot keeps his prior right. Table 3: " in out
    assert "Table second, 0 rubbers played: Eve (0), Fay (0), Guy (0), Dot (0).\n" in out
    say(table, "wait Hal --at third", "cut Hal 9C --json")
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["tables"][-1]["table"] == "third"


def test_nobody_is_there_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert cli.main(["table"]) == 0
    assert capsys.readouterr().out == "Nobody sits at a table. Begin with: pone table join NAME...\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["", "leave Ann", "rubber", "--erase Ann"])
def test_a_register_that_is_named_and_not_there_is_not_taken_for_an_empty_one(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert table(*words.split()) == 1
    printed = capsys.readouterr()
    assert (printed.out, "tables.jsonl: there is no such file." in printed.err) == ("", True)
    assert list(tmp_path.iterdir()) == []
    say(table, "join Ann")
    assert capsys.readouterr().out.startswith(f"A new register begins: {tmp_path / 'tables.jsonl'}\nTable 1, ")
    say(table, "join Bob")
    assert capsys.readouterr().out.startswith("Table 1, ")


@pytest.mark.parametrize(
    ("before", "line", "words"),
    [
        (
            ["join ann bob"],
            "join cid dot eve fay",
            "eve and fay cannot take a place at table 1. Table 1: If a player takes a place at a table that is full, "
            "it is not allowed. Nothing of it is written down.",
        ),
        (
            ["join ann bob cid dot"],
            "substitute eve --for dot --consent ann bob",
            "eve cannot stand in for dot. Table 4: If a player who quits names a substitute, it is not allowed, unless "
            "the other three players consent. Nothing of it is written down.",
        ),
        (
            ["join ann bob cid dot", "wait eve", "rubber"],
            "substitute fay --for dot --consent ann bob cid",
            "fay cannot stand in for dot. Table 4: If a player who quits names a substitute, it is not allowed, unless "
            "a rubber is under way. Nothing of it is written down.",
        ),
    ],
)
def test_who_is_refused_is_told_why_and_nothing_is_kept_of_it(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], before: list[str], line: str, words: str
) -> None:
    say(table, *before)
    kept = [(path, path.read_bytes()) for path in sorted(tmp_path.glob("*.json*"))]
    capsys.readouterr()
    assert table(*line.split()) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"pone table: {words}\n")
    assert [(path, path.read_bytes()) for path in sorted(tmp_path.glob("*.json*"))] == kept


def test_a_rubber_waits_for_the_cut(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join ann bob cid dot", "wait eve", "rubber", "cut bob KS")
    capsys.readouterr()
    assert table("rubber") == 2
    assert capsys.readouterr().err == (
        "pone table: no rubber is over at table 1: people must cut first, ann, cid, dot\n"
    )


def test_who_waits_for_a_table_that_breaks_up_is_shown_to_wait_still(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    say(table, "join ann bob cid dot", "wait eve fay", "break-up ann")
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "Table 1 is not made up; waiting for it: eve, fay. To make it up: pone table form --at 1",
        "bob has a prior right at any table, and waits for no place: pone table wait bob --at TABLE",
        "cid has a prior right at any table, and waits for no place: pone table wait cid --at TABLE",
        "dot has a prior right at any table, and waits for no place: pone table wait dot --at TABLE",
    ]


@pytest.mark.parametrize("line", ["leave bob", "leave eve", "join bob"])
def test_a_substitute_who_plays_no_more_is_told_of(table: Table, capsys: pytest.CaptureFixture[str], line: str) -> None:
    say(table, "join ann bob cid dot", "substitute eve --for bob --consent ann cid dot")
    capsys.readouterr()
    say(table, line)
    assert capsys.readouterr().out.startswith("eve plays for bob no more.\n")


def test_another_command_that_writes_is_waited_for(table: Table, tmp_path: Path) -> None:
    say(table, "join ann")
    command = [sys.executable, "-m", "controller.cli", "table", "wait", "--file", str(tmp_path / "tables.jsonl")]
    with register_file.writing(tmp_path / "tables.jsonl"):
        waiting = subprocess.Popen([*command, "bob"], stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=0.8)
    assert waiting.communicate(timeout=20)[0].endswith("Table 1, 0 rubbers played: ann (0), bob (0); 2 places free.\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("leave Zed", "there is no player 'Zed'; known: Ann, Bob"),
        ("rubber --at 9", "nobody has a place at table 9: no rubber is played there"),
        ("cut Ann 99", "'99' is no card"),
        ("join p9", "'p9' is how the record calls a player, and can be no name"),
        ("join Cid --at p1", "'p1' is how the record calls a player, and can be no name"),
        ("join P9", "'P9' is how the record calls a player, and can be no name"),
        ("join Cid --at room-p1", "'room-p1' cannot be the name of a table: there is a player's number in it"),
        ("join Cid, Dot", "'Cid,' cannot be a name: it may not have a comma"),
        ("join \u2066Cid", "it needs 1 to 60 characters that can be printed"),
        (f"join {'x' * 61}", "it needs 1 to 60 characters that can be printed"),
        ("substitute Bob --for Ann", "Bob has a place at table 1 himself"),
        ("break-up Zed", "there is no player 'Zed'"),
        ("--erase Ann leave Bob", "give either an action or --erase"),
    ],
)
def test_what_cannot_be_is_refused_and_not_written(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, complaint: str
) -> None:
    say(table, "join Ann Bob")
    before: Any = [(path, path.read_bytes()) for path in sorted(tmp_path.glob("*.json*"))]
    capsys.readouterr()
    assert table(*words.split()) == 2
    printed = capsys.readouterr()
    assert (printed.out, complaint in printed.err) == ("", True)
    assert [(path, path.read_bytes()) for path in sorted(tmp_path.glob("*.json*"))] == before


def test_a_file_that_cannot_be_used_is_a_fault(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tables.jsonl").write_text('{"fact":"deal_opened","code":"whist","dealer":"S"}\n')
    assert table("join", "Ann") == 1
    assert "it holds a deal, and is no register of tables. Give the file of a register." in capsys.readouterr().err


def test_what_was_not_written_whole_is_told(table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join Ann")
    with (tmp_path / "tables.jsonl").open("a") as file:
        file.write('{"fact":"le')
    say(table, "join Bob")
    assert "was not whole, as after a loss of power: it was taken away" in capsys.readouterr().err
    assert len((tmp_path / "tables.jsonl").read_text().splitlines()) == 3


def test_what_stands_in_a_name_is_not_taken_for_a_number(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join step2 Ann", "join Bob --at step2")
    assert "Table 1, 0 rubbers played: step2 (0), Ann (0); 2 places free.\nTable step2," in capsys.readouterr().out


@pytest.mark.parametrize("action", [("rubber",), ("leave", "Ann")])
def test_who_cannot_read_the_answer_is_told_that_it_is_written_down(
    table: Table, tmp_path: Path, action: tuple[str, ...]
) -> None:
    """Told again, a rubber would be counted twice."""
    say(table, "join Ann Bob Cid Dot")
    before = len((tmp_path / "tables.jsonl").read_text().splitlines())
    command = [sys.executable, "-m", "controller.cli", "table", *action, "--file", str(tmp_path / "tables.jsonl")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "What was told is written down, and must not be told again" in done.stderr
    assert len((tmp_path / "tables.jsonl").read_text().splitlines()) == before + 1


@pytest.mark.parametrize(
    ("before", "line", "words"),
    [
        (["join ann bob"], "rubber", "no rubber has begun at table 1, with 2 of its 4 places taken"),
        (
            ["join ann bob cid dot", "leave cid", "rubber"],
            "rubber",
            "no rubber has begun at table 1, with 3 of its 4 places taken",
        ),
        (["join ann"], "wait ann", "ann has a place at table 1 already"),
        (["join ann"], "join ann", "ann has a place at table 1 already"),
        (["join ann"], "join bob Bob", "Bob is named twice"),
        (["join ann"], "leave ann ann", "ann is named twice"),
        (["join ann"], "wait bob bob", "bob is named twice"),
        (
            ["join ann bob cid dot", "substitute eve --for dot --consent ann bob cid"],
            "substitute eve --for dot --consent ann bob cid",
            "eve plays for dot already",
        ),
        (
            ["join ann bob cid dot", "substitute eve --for dot --consent ann bob cid"],
            "substitute eve --for cid --consent ann bob eve",
            "eve plays for dot already",
        ),
        (["wait ann --at 7"], "wait ann --at 7", "ann waits for table 7 already"),
        (["join ann"], "form", "nobody waits for table 1"),
        (
            ["join ann bob cid dot", "wait eve"],
            "form",
            "table 1 has no place for those who wait until a rubber is over",
        ),
        (["join ann", "leave ann"], "leave ann", "ann has no place at any table and waits for none"),
        (["join ann bob", "cut ann KS"], "cut ann QS", "ann is not to cut now; to cut: bob"),
        (["join ann", "leave ann"], "cut ann QS", "ann is not to cut now; to cut: nobody"),
    ],
)
def test_what_changes_nothing_or_cannot_be_meant_is_said_and_not_written(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], before: list[str], line: str, words: str
) -> None:
    say(table, *before)
    kept = (tmp_path / "tables.jsonl").read_bytes()
    capsys.readouterr()
    assert table(*line.split()) == 2
    assert capsys.readouterr().err == f"pone table: {words}\n"
    assert (tmp_path / "tables.jsonl").read_bytes() == kept


def test_a_rubber_that_somebody_left_before_its_end_has_begun(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join ann bob cid dot", "leave dot", "rubber")
    assert capsys.readouterr().out.endswith("Table 1, 1 rubber played: ann (1), bob (1), cid (1); 1 place free.\n")


@pytest.mark.parametrize("typed", ["KS", "ks", "kS"])
def test_a_card_is_taken_as_people_type_it(table: Table, tmp_path: Path, typed: str) -> None:
    say(table, "join ann bob", f"cut ann {typed}", "cut bob 10h")
    drawn = [json.loads(line) for line in (tmp_path / "tables.jsonl").read_text().splitlines()[-2:]]
    assert [fact["cards"] for fact in drawn] == [["KS"], ["TH"]]


def test_a_table_at_which_nobody_sits_is_said_to_be_none_yet(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join ann bob", "wait bob --at 7")
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "Table 1, 0 rubbers played: ann (0), bob (0); 2 places free.",
        "Table 7 is not made up; waiting for it: bob. To make it up: pone table form --at 7",
    ]
    say(table, "form --at 7")
    assert "Table 7, 0 rubbers played: bob (0); 3 places free.\n" in capsys.readouterr().out


def test_a_cut_for_seats_ends_with_the_order_of_those_who_cut(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    say(table, "join ann bob cid dot", "cut ann KS", "cut bob AS", "cut cid 3D")
    assert "the lowest first" not in capsys.readouterr().out
    say(table, "cut dot 2S")
    assert capsys.readouterr().out.startswith("Cut for seats, the lowest first: bob, dot, cid, ann.\n")
    say(table, "wait eve")
    assert "Cut for seats" not in capsys.readouterr().out


def test_two_who_show_the_very_same_card_of_one_pack_are_told_so(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """No law speaks of it, and equal cards are cut again; in the next round the pack is whole."""
    say(table, "join Ann Bob Cid Dot", "wait Eve", "rubber", "cut Ann KS", "cut Bob KH")
    assert capsys.readouterr().err == ""
    say(table, "cut Cid KS")
    told = capsys.readouterr()
    assert "Cid and Ann have both shown the king of spades, which one pack holds once." in told.err
    say(table, "cut Dot 2H", "cut Ann KS", "cut Bob 3S")
    assert capsys.readouterr().err == ""
    say(table, "cut Cid 3S")
    assert "Cid and Bob have both shown the three of spades" in capsys.readouterr().err
