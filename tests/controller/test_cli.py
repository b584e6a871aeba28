"""The command `pone`: its subcommands, its help, and the exit status of each end."""

from __future__ import annotations

import argparse
import re
import signal
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import pytest

from controller import cli, judge_command, record_command
from tests.status import status_of

COMMANDS = ("deal", "judge", "laws", "see", "replay", "record", "check", "order", "draw", "doctor", "sim")
"""What the README promises; `sim` comes through the simulators' entry points."""


def usage(*words: str) -> int:
    """The exit status of a command line that argparse ends."""
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert isinstance(end.value.code, int)
    return end.value.code


def test_help_names_every_command_and_where_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    assert usage("--help") == 0
    out = capsys.readouterr().out
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("    ") and line[4] != " "]
    assert set(COMMANDS) <= set(listed)
    assert "pone deal" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert usage(command, "--help") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: pone {command}")
    assert len(out.splitlines()) > 4
    assert "exit status: 0" in out.lower()


def test_the_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    assert usage("--version") == 0
    assert capsys.readouterr().out == f"pone {version('pone')}\n"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("shuffle",),
        ("--nonsense",),
        ("deal", "--nonsense"),
        ("deal", "--code", "loo"),
        ("deal", "--dealer", "X"),
        ("deal", "--dealer", "s"),
        ("deal", "--deals", "0"),
        ("deal", "--deals", "-1"),
        ("deal", "--deals", "1.5"),
        ("deal", "--deals", "²"),
        ("deal", "--deals", "9" * 5000),
        ("deal", "--machine", ""),
        ("deal", "--seed", "three"),
        ("deal", "--log"),
        ("deal", "extra"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_wrong_use_ends_with_2_and_the_usage(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert usage(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: pone")
    assert "error:" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("replay t.sqlite --json 2", {"log": Path("t.sqlite"), "deal": 2, "json": True}),
        ("record t.sqlite --list 1", {"log": Path("t.sqlite"), "deal": 1, "list": True}),
        ("laws whist --why W 37-VI", {"code": "whist", "number": "37-VI", "why": "W"}),
        ("judge --text a.jsonl --state", {"file": "a.jsonl", "text": True, "state": True}),
        ("judge --text -- -a.jsonl", {"file": "-a.jsonl", "text": True}),
        ("draw ann --json bob", {"players": ["ann", "bob"], "json": True}),
        ("table --json join a --at 2 b", {"players": ["a", "b"], "at": "2", "json": True, "action": "join"}),
        ("table cut --json a KS", {"player": "a", "cards": ["KS"], "json": True}),
        ("table substitute e --for b --consent a c", {"player": "e", "absent": "b", "consent": ["a", "c"]}),
    ],
)
def test_options_may_stand_between_arguments(words: str, told: dict[str, object]) -> None:
    args = vars(cli._parser().parse_args(words.split()))
    assert {name: args[name] for name in told} == told


@pytest.mark.parametrize(
    ("words", "command", "error"),
    [
        (
            "judge a.jsonl --json",
            "judge",
            "unrecognized arguments: --json (it prints JSON Lines as it is, or sentences",
        ),
        ("laws whist --json", "laws", "unrecognized arguments: --json (the laws are printed as text alone)"),
        ("laws --check a.toml --json", "laws", "unrecognized arguments: --json (the laws are printed as text alone)"),
        ("table join ann --jsn", "table join", "unrecognized arguments: --jsn"),
        ("replay a.sqlite 1 2", "replay", "unrecognized arguments: 2"),
        ("sim --nonsense", "sim", "unrecognized arguments: --nonsense"),
        ("deal --seed three", "deal", "argument --seed: 'three' is no whole number"),
        ("deal --seed 1.5", "deal", "argument --seed: '1.5' is no whole number"),
        ("check --pack all", "check", "argument --pack: 'all' is no whole number"),
        ("deal --log empty.toml", "deal", "'empty.toml' is the name of another kind of file: give one as in deals.sql"),
        ("table --file t.sqlite", "table", "'t.sqlite' is the name of another kind of file: give one as in tables.jso"),
    ],
)
def test_an_error_of_use_shows_the_usage_of_its_command(
    words: str, command: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert usage(*words.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"usage: pone {command} [-h]")
    assert f"pone {command}: error: " in err
    assert error in err


@pytest.mark.parametrize(
    "words", [("deal", "--a\x1b[31m"), ("deal", "x\ny"), ("deal", "--code", "\u202ea"), ("\x1b[31m",)]
)
def test_what_is_not_understood_moves_no_cursor(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert usage(*words) == 2
    err = capsys.readouterr().err
    assert all(line.isprintable() for line in err.splitlines())
    assert ascii(words[-1])[1:-1] in err.splitlines()[-1]


@pytest.mark.parametrize(
    "command",
    [
        "judge",
        "replay",
        "record",
        "health",
        "deal --log",
        "deal --seats",
        "deal --machine",
        "deal --camera",
        "deal --code",
        "deal --machine sim://?scenario=a",
        "draw b",
        "table --file",
        "table join",
        "see",
        "see x.png --decks",
        "laws",
        "laws --check",
        "check --camera",
        "order --machine",
        "enroll",
    ],
)
def test_what_a_command_is_given_moves_no_cursor(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(*command.split(), f"{tmp_path}/a\x1b[31m\rb\nc.jsonl") != 0
    err = capsys.readouterr().err
    assert err
    assert all(line.isprintable() for line in err.split("\n"))
    assert not re.search(r"(?m)^(pone \w+: )?c\.jsonl", err)


@pytest.mark.parametrize(
    "words", ["deal --log {}/x.sqlite", "deal --picture {}/x.png", "table --file {}/x.jsonl join a"]
)
def test_a_folder_that_is_not_there_is_not_made_from_a_name(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words.format(tmp_path / "typo").split()) == 1
    assert f"there is no folder {tmp_path / 'typo'}. Make it, or mend the name." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("status", [0, 1, 2])
def test_the_exit_status_is_the_commands(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_command, "run", lambda args: status)
    assert cli.main(["record"]) == status


def test_the_arguments_reach_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[argparse.Namespace] = []

    def run(args: argparse.Namespace) -> int:
        heard.append(args)
        return 0

    monkeypatch.setattr(record_command, "run", run)
    cli.main(["record", "deals.db", "3", "--json"])
    (args,) = heard
    assert (str(args.log), args.deal, args.json, args.list) == ("deals.db", 3, True, False)


@pytest.mark.parametrize(("said", "shown"), [("", "Stopped by Ctrl-C."), ("Go on.", "Stopped by Ctrl-C. Go on.")])
def test_ctrl_c_ends_with_130_and_one_plain_sentence(
    said: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt(*([said] if said else []))

    monkeypatch.setattr(judge_command, "run", run)
    assert cli.main(["judge", "-"]) == 130
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"\n{shown}\n")


# --- stopped by a signal ---


def test_ctrl_c_while_the_commands_are_loaded_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", load)
    assert cli.main(["record"]) == 130
    assert capsys.readouterr() == ("", "\nStopped by Ctrl-C.\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_end_is_told_and_lets_a_command_end_in_order(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: argparse.Namespace) -> int:
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("The record is kept.") from None
        return 0

    monkeypatch.setattr(record_command, "run", run)
    assert cli.main(["record"]) == 128 + number
    assert re.fullmatch(rf"\nStopped by .*{number.name}.*\. The record is kept\.\n", capsys.readouterr().err)
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_signal_that_is_ignored_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `nohup` has it."""

    def run(args: argparse.Namespace) -> int:
        signal.raise_signal(signal.SIGHUP)
        return 0

    monkeypatch.setattr(record_command, "run", run)
    kept = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert cli.main(["record"]) == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, kept)
