"""`pone judge`: what it prints, when, and how it refuses."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller import fact_stream, judge_command

EXAMPLE = Path(__file__).parent / "data" / "contract_example.jsonl"
OPEN = '{"fact":"deal_opened","code":"whist","dealer":"S"}'
ROOT = Path(judge_command.__file__).parents[1]


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    judge_command.add_arguments(parser)
    return judge_command.run(parser.parse_args(arguments))


def judge_bytes(tmp_path: Path, data: bytes) -> int:
    path = tmp_path / "deal.jsonl"
    path.write_bytes(data)
    return run(str(path))


def test_the_example_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE)) == 0
    out = capsys.readouterr()
    said = [json.loads(line) for line in out.out.splitlines()]
    assert [(ruling["ruling"], ruling["law"], ruling["on"]) for ruling in said] == [
        ("correct_first", "whist 37-VI", 5),
        ("misdeal", "whist 37-VI", 6),
    ]
    assert out.out.startswith('{"ruling":"correct_first","law":"whist 37-VI","on":5,"because":"')
    assert out.err == ""


def test_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE), "--text") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Line 5. Put it right before going on. Whist 37-VI: If two cards are dealt at once")
    assert lines[1].startswith("Line 6. Misdeal: West deals next. Whist 37-VI: If")


def test_the_text_of_a_law_is_printed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = '{"fact":"cut","by":"E","top":2,"bottom":50}'
    (tmp_path / "cuts.jsonl").write_text(f"{OPEN}\n{cut}\n{cut}\n")
    assert run(str(tmp_path / "cuts.jsonl"), "--text") == 0
    first, again = capsys.readouterr().out.splitlines()
    law, _, text = first.partition(": ")
    assert text.startswith("If")
    assert again == f'{law.replace("Line 2", "Line 3")}: as above (pone laws --why "{law.split(". ")[-1].lower()}").'


def test_the_state_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE), "--state") == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["phase"], state["next_dealer"], state["standing"]["law"]) == ("ended", "W", "whist 37-VI")
    assert run(str(EXAMPLE), "--state", "--text") == 0
    assert "next_dealer: W\n" in capsys.readouterr().out


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXAMPLE.read_bytes())))
    assert run("-") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_rulings_of_a_record_are_passed_over_and_keep_their_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = EXAMPLE.read_text().splitlines()
    assert judge_bytes(tmp_path, "\n".join([*facts[:5], '{"ruling":"correct_first"}', facts[5]]).encode()) == 0
    assert [json.loads(line)["on"] for line in capsys.readouterr().out.splitlines()] == [5, 7]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: the stream is empty"),
        (b"\xef\xbb\xbf" + OPEN.encode(), "line 1: it starts with a byte order mark"),
        (OPEN.encode() + b"\n\n" + OPEN.encode(), "line 2: it is blank"),
        (b'{"fact":"\xff"}', "line 1: byte 10 is not UTF-8"),
        (b'{"fact":', "line 1: it is no JSON: Expecting value at character 9"),
        (b"[1]", "line 1: expected a JSON object, got [1]"),
        (b'{"fact":"dealt","k":NaN}', "line 1: it cannot be read: NaN is no JSON number"),
        (b'{"fact":"dealt","k":1,"k":2}', "line 1, field k: it is named twice"),
        (
            b'{"fact":"dealt","k":' + b"9" * 5000 + b"}",
            "line 1: it cannot be read: a number of 5000 digits is",
        ),
        (b"[" * 200_000, "line 1: it is nested too deeply\n"),
        (b'{"fact":"' + b"x" * fact_stream.LONGEST_LINE + b'"}', "line 1: it is longer than 1048576 bytes"),
        (OPEN.replace("whist", "loo").encode(), "line 1, field code: the code 'loo' is known, but its laws"),
        (
            OPEN.encode() + b'\n{"fact":"dealt","to":"W","k":2}',
            "line 2, field k: expected 1 (cards dealt before: 0, now: 1), got 2",
        ),
        (OPEN.encode() + b'\n{"fact":"dealt","to":"\\ud800","k":1}', "line 2, field to: expected a seat"),
    ],
    ids=[
        *("empty", "byte order mark", "blank", "not UTF-8", "not JSON", "no object", "NaN", "twice", "huge number"),
        *("deep", "huge line", "code", "order", "half a character"),
    ],
)
def test_what_cannot_be_judged_names_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, message: str
) -> None:
    assert judge_bytes(tmp_path, data) == 2
    out = capsys.readouterr()
    assert message in out.err
    assert out.err.count("\n") == 1
    assert out.out == ""


def test_rulings_before_a_bad_line_stand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge_bytes(tmp_path, EXAMPLE.read_bytes().replace(b'"k":4', b'"k":5')) == 2
    assert [json.loads(line)["on"] for line in capsys.readouterr().out.splitlines()] == [5]


def test_laws_and_settings_of_a_deal_are_not_applied_to_the_register(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, house = tmp_path / "tables.jsonl", tmp_path / "club.toml"
    file.write_text('{"fact":"deal_opened","code":"table"}\n')
    house.write_text("hand_cure = false\n")
    said = "line 1, field code: it opens the register of the table, which has laws of its own: leave out"
    for arguments, given in (
        (["--code", "whist"], "laws of whist"),
        (["--house", str(house)], "settings of the house"),
    ):
        assert run(str(file), *arguments) == 2
        assert capsys.readouterr().err == f"pone judge: {file}: {said} the {given}\n"


@pytest.mark.parametrize(
    ("name", "shown"), [("no/such/file", "no/such/file"), (".", "."), ("nul\0", r"nul\x00"), ("a\nb", r"a\nb")]
)
def test_a_file_that_cannot_be_opened(name: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(name) == 1
    assert capsys.readouterr().err.startswith(f"pone judge: {shown}: ")


def test_each_ruling_is_out_before_the_next_line_is_read() -> None:
    """Talk to the command line by line, as a running deal does, and then stop listening."""
    command = [sys.executable, "-m", "controller.cli", "judge", "-"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        assert judge.stderr is not None
        lines = EXAMPLE.read_text().splitlines(keepends=True)
        judge.stdin.write("".join(lines[:5]))
        judge.stdin.flush()
        assert json.loads(judge.stdout.readline())["ruling"] == "correct_first"
        judge.stdout.close()
        judge.stdin.write(lines[5])
        judge.stdin.close()
        assert judge.stderr.read() == ""
        assert judge.wait() == 1


def test_the_help_does_not_load_the_laws() -> None:
    code = "import sys, controller.judge_command; sys.exit('controller.judge' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ, check=False).returncode == 0
