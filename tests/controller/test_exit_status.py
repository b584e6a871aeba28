"""One rule for the exit status of every command: held against each file, machine and camera that one can be given."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import cli, exit_status
from controller.exit_status import FAULT, WRONG_USE
from hardware_sims import serving
from hardware_sims.world import forget_worlds
from tests.status import status_of
from vision import see

NAMED_BY = {"CODE", "FILE", "LOG", "PATH", "SOCKET", "URL", "DIR"}
"""What the help calls an argument that names a file, a code that may be one, a machine or a camera."""

BAD: list[tuple[str, str, int]] = [
    # An input that cannot be read is 1; what it names is made by `around`.
    ("deal", "--seats nowhere", FAULT),
    ("deal", "--seats folder", FAULT),
    ("deal", "--seats nonsense", FAULT),
    ("deal", "--seats binary", FAULT),
    ("deal", "--seats /dev/zero", FAULT),
    ("deal", "--log nonsense", FAULT),
    ("deal", "--log folder/no/../../nonsense", FAULT),
    ("deal", "--machine sim://?scenario=nowhere", FAULT),
    ("deal", "--machine sim://?scenario=nonsense", FAULT),
    ("deal", "--machine ./nonsense --camera sim:", FAULT),
    ("deal", "--machine folder --camera sim:", FAULT),
    ("deal", "--camera v4l2:9999", FAULT),
    ("deal", "--camera sim:other", FAULT),
    ("deal", "--table-camera frames:nowhere", FAULT),
    ("check", "--machine sim://?scenario=nowhere", FAULT),
    ("check", "--camera v4l2:9999", FAULT),
    ("enroll", "blue --machine sim://?scenario=nowhere", FAULT),
    ("enroll", "blue --camera v4l2:9999", FAULT),
    ("enroll", "blue --frames nowhere folder", FAULT),
    ("enroll", "blue --frames folder nonsense", FAULT),
    ("enroll", "blue --frames nonsense folder", FAULT),
    ("enroll", "blue --store nonsense", FAULT),
    ("deal", "--decks nowhere", FAULT),
    ("deal", "--decks nonsense", FAULT),
    ("see", "--decks nowhere nonsense", FAULT),
    ("draw", "ann bob --machine sim://?scenario=nowhere", FAULT),
    ("draw", "ann bob --camera v4l2:9999", FAULT),
    ("order", "nowhere", FAULT),
    ("order", "folder", FAULT),
    ("order", "nonsense", FAULT),
    ("order", "binary", FAULT),
    ("order", "/dev/zero", FAULT),
    ("order", "cards --machine sim://?scenario=nowhere", FAULT),
    ("order", "cards --camera v4l2:9999", FAULT),
    ("deal", "--house nowhere", FAULT),
    ("deal", "--house nonsense", FAULT),
    ("deal", "--code folder/nowhere.toml", FAULT),
    ("deal", "--code ./nonsense", FAULT),
    ("judge", "nowhere", FAULT),
    ("judge", "--house nonsense -", FAULT),
    ("judge", "--code ./nonsense -", FAULT),
    ("laws", "--house nowhere", FAULT),
    ("laws", "--house binary", FAULT),
    ("laws", "--house /dev/zero", FAULT),
    ("laws", "--check nowhere", FAULT),
    ("laws", "--check nonsense", FAULT),
    ("laws", "./nonsense", FAULT),
    ("table", "--file nonsense", FAULT),
    ("judge", "folder", FAULT),
    ("see", "nowhere", FAULT),
    ("see", "folder", FAULT),
    ("see", "nonsense", FAULT),
    ("see", "v4l2:9999", FAULT),
    ("see", "video:nowhere", FAULT),
    ("see", "--explain nonsense nowhere", FAULT),
    ("record", "nowhere", FAULT),
    ("record", "folder", FAULT),
    ("record", "nonsense", FAULT),
    ("health", "nowhere", FAULT),
    ("health", "folder", FAULT),
    ("health", "nonsense", FAULT),
    ("replay", "nowhere", FAULT),
    ("replay", "folder", FAULT),
    ("replay", "nonsense", FAULT),
    ("doctor", "--machine nowhere", FAULT),
    ("doctor", "--machine ./nonsense", FAULT),
    ("doctor", "--open --machine ./nonsense", FAULT),
    ("doctor", "--machine nonsense:", FAULT),
    ("doctor", "--camera v4l2:9999", FAULT),
    ("doctor", "--camera nonsense", FAULT),
    ("doctor", "--machine sim://?scenario=nowhere", FAULT),
    ("doctor", "--table-camera frames:nowhere", FAULT),
    ("doctor", "--log nonsense", FAULT),
    ("doctor", "--log folder", FAULT),
    ("sim", "--pty --scenario nowhere", FAULT),
    ("sim", "--pty --scenario folder", FAULT),
    ("sim", "--pty --scenario nonsense", FAULT),
    ("sim", "--pty --journal nonsense", FAULT),
    ("sim", "--pty --journal folder", FAULT),
    ("sim", "--pty --truth folder", FAULT),
    ("sim", "--pty --link nonsense", FAULT),
    ("sim", "--pty --camera nonsense", FAULT),
    ("sim", "--pty --table-camera nonsense", FAULT),
    ("sim", "--frames nonsense", FAULT),
    # A place to write to that there is not, or that holds something else: 1 where only the writing shows it.
    ("check", "--receipt nowhere/receipt", FAULT),
    # What the command line itself says wrongly is 2.
    ("check", "--receipt nonsense", WRONG_USE),
    ("deal", "--picture nonsense", WRONG_USE),
    ("deal", "--picture folder", WRONG_USE),
    ("deal", "--log folder", WRONG_USE),
    ("deal", "--machine nowhere", WRONG_USE),
    ("deal", "--camera nonsense", WRONG_USE),
    ("deal", "--table-camera nonsense", WRONG_USE),
    ("deal", "--camera frames:folder", WRONG_USE),
    ("deal", "--pack 24", WRONG_USE),
    ("deal", "--code euchre --pattern 4-1", WRONG_USE),
    ("check", "--machine nowhere", WRONG_USE),
    ("check", "--camera nonsense", WRONG_USE),
    ("enroll", "../blue", WRONG_USE),
    ("enroll", "blue --machine nowhere", WRONG_USE),
    ("enroll", "blue --camera nonsense", WRONG_USE),
    ("enroll", "blue --pack 51", WRONG_USE),
    ("draw", "ann", WRONG_USE),
    ("order", "cards --camera nonsense", WRONG_USE),
    ("laws", "nonsense", WRONG_USE),
    ("record", "--list --bundle folder", WRONG_USE),
    ("laws", "whist 999", WRONG_USE),
    ("judge", "nonsense", WRONG_USE),  # the contract of the record: a line that is no fact
    ("table", "--file folder", WRONG_USE),
    ("sim", "", WRONG_USE),
    ("sim", "--pty --lacks wings", WRONG_USE),
    *((command, "--nonsense", WRONG_USE) for command in ("deal", "judge", "laws", "see", "replay", "record")),
    *(
        (command, "--nonsense", WRONG_USE)
        for command in ("check", "enroll", "order", "draw", "table", "doctor", "health", "sim")
    ),
]


@pytest.fixture(autouse=True)
def _around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in a folder with a text, a file that is no text, an empty folder, and a good order."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Path("nonsense").write_text("ceci n'est pas une carte\n", encoding="utf-8")
    Path("binary").write_bytes(b"\xff\xfe\x00")
    Path("folder").mkdir()
    Path("cards").write_text("AS 2S", encoding="utf-8")
    yield
    forget_worlds()


def commands() -> dict[str, argparse.ArgumentParser]:
    (choices,) = (action.choices for action in cli._parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(choices)


@pytest.mark.parametrize(("command", "words", "status"), BAD, ids=lambda value: str(value))
def test_what_a_command_is_given_wrongly(
    command: str, words: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(command, *words.split()) == status
    out, err = capsys.readouterr()
    assert "Errno" not in out + err
    assert "Traceback" not in err
    said = err or out
    assert said.strip(), "it is told"
    if command not in ("doctor", "see"):
        assert out == "", "nothing was begun"


def test_the_table_has_every_command_and_every_file_that_it_can_be_given() -> None:
    tried = [(command, words.split()) for command, words, _ in BAD]
    for name, parser in commands().items():
        assert [words for command, words in tried if command == name], name
        for action in parser._actions:
            if action.metavar not in NAMED_BY:
                continue
            given = [
                words
                for command, words in tried
                if command == name
                and (set(action.option_strings) & set(words) if action.option_strings else words[:1] != ["--nonsense"])
            ]
            assert given, f"pone {name} {action.option_strings or action.metavar}"


WANTED = {"enroll": ["blue"], "see": ["cards"], "judge": ["cards"], "order": ["cards"], "draw": ["ann", "bob"]}
"""Arguments that a command does not do without."""


def arguments_named(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command with one argument that names a file, a machine or a camera, and is this text."""
    for name, parser in commands().items():
        for action in parser._actions:
            if action.metavar in NAMED_BY:
                empty = [text] * (action.nargs if isinstance(action.nargs, int) else 1)
                yield (
                    name,
                    [*WANTED.get(name, []), *action.option_strings[:1], *empty] if action.option_strings else empty,
                )


@pytest.mark.parametrize(("command", "words"), list(arguments_named("")), ids=lambda value: str(value))
def test_an_empty_text_names_nothing_and_not_the_folder_one_stands_in(
    command: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(command, *words) == WRONG_USE
    out, err = capsys.readouterr()
    assert out == ""
    assert "Errno" not in err
    assert {file.name for file in Path().iterdir()} == {"nonsense", "binary", "folder", "cards"}, "nothing is begun"


@pytest.mark.parametrize(("command", "words"), list(arguments_named("n" * 300)), ids=lambda value: str(value)[:40])
def test_a_name_that_no_file_can_have_is_told_before_anything_is_begun(
    command: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(command, *words) in (FAULT, WRONG_USE)
    out, err = capsys.readouterr()
    assert (out + err).strip()
    assert "Errno" not in out + err
    if command not in ("doctor", "see"):
        assert out == ""


def test_the_eye_and_the_simulators_keep_to_the_same_numbers() -> None:
    assert (see.DONE, see.UNREADABLE) == (exit_status.DONE, exit_status.FAULT)
    assert (serving._DONE, serving._FAULT, serving._WRONG_USE) == (exit_status.DONE, FAULT, WRONG_USE)


def test_a_seats_file_may_be_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell makes it of `<(...)`."""
    read, write = os.pipe()
    os.write(write, b"N tuch\n")
    os.close(write)
    assert status_of("deal", "--seats", f"/dev/fd/{read}") == FAULT
    os.close(read)
    assert "line 1: 'N tuch' is no word of a seat" in capsys.readouterr().err
