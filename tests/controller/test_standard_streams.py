"""Streams that are closed, full, gone or narrow: every command says so in a sentence, and none with a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from controller.capabilities import NO_TABLE_CAMERA
from controller.deal_log import DealLog
from controller.entropy import seeded_entropy

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "tests" / "controller" / "data" / "contract_example.jsonl"
FULL = Path("/dev/full")

COMMANDS = [
    ("judge", str(EXAMPLE)),
    ("record", "{log}"),
    ("sim", "--list-scenarios"),
    ("deal", "--log", "{new}"),
    ("--help",),
]
"""One of each way to write: flushed line by line, buffered to the end, through the simulators, and by argparse."""


def pone(*words: str | bytes, streams: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own, its streams as the shell is told."""
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-m", "controller.cli", *words]
    return subprocess.run(
        shell,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of one deal that was voided at once."""
    (tmp_path / "log").mkdir()
    file = tmp_path / "log" / "deals.sqlite"
    opened = {"fact": "deal_opened", "code": "whist", "dealer": "S"}
    with DealLog.open(file, key_file=file.with_suffix(".key"), entropy=seeded_entropy(1)) as log:
        log.close_deal(log.open_deal([opened]), [{"fact": "voided", "by": "director"}], status="voided")
    return file


def filled(words: tuple[str, ...], log: Path, tmp_path: Path) -> list[str]:
    return [word.format(log=log, new=tmp_path / "new.sqlite") for word in words]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_closed_output_is_told_before_anything_begins(words: tuple[str, ...], log: Path, tmp_path: Path) -> None:
    ended = pone(*filled(words, log, tmp_path), streams=">&-", HOME=str(tmp_path))
    assert ended.returncode == 1
    assert ended.stderr == (
        b"Standard output takes no more (Bad file descriptor). Send it to where there is room, or to /dev/null.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_a_sentence(words: tuple[str, ...], log: Path, tmp_path: Path) -> None:
    ended = pone(*filled(words, log, tmp_path), streams=f">{FULL}", HOME=str(tmp_path))
    assert ended.returncode == 1
    said = ended.stderr.decode().splitlines()[-1]
    assert said.startswith("Standard output takes no more (No space left on device). ")
    assert ("The record is kept." in said) == (words[0] == "deal")
    assert b"Traceback" not in ended.stderr


def test_a_reader_that_has_read_enough_is_told_nothing(log: Path) -> None:
    ended = pone("record", str(log), streams="| head -n 1")
    assert (ended.stdout.count(b"\n"), ended.stderr) == (1, b"")


def test_a_deal_whose_reader_has_gone_says_what_is_kept(tmp_path: Path) -> None:
    ended = pone("deal", "--log", str(tmp_path / "new.sqlite"), streams="| head -n 1")
    assert ended.stdout == NO_TABLE_CAMERA.encode() + b"\n"
    said = ended.stderr.decode()
    assert said.startswith("Standard output takes no more (Broken pipe). The record is kept. ")
    assert "Run the same command again: " in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
def test_a_complaint_that_nobody_can_hear_leaves_the_exit_status(streams: str) -> None:
    ended = pone("judge", os.devnull, streams=streams)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, b"", b"")


def test_no_file_takes_the_place_of_a_closed_stream() -> None:
    """A log that were number 2 would be written over by whatever is complained of."""
    program = (
        "import os, sys; from controller.standard_streams import command_streams\n"
        "with command_streams(): number = os.open(os.devnull, os.O_RDONLY); sys.stdout.write(str(number))"
    )
    ended = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&- <&-', "sh", sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    assert int(ended.stdout) > 2


def test_a_closed_input_is_an_empty_one() -> None:
    ended = pone("judge", "-", streams="<&-")
    assert ended.returncode == 2
    assert ended.stderr.startswith(b"pone judge: standard input: line 1: the stream is empty")


@pytest.mark.parametrize("words", [("see",), ("doctor", "--machine"), ("replay",)], ids=" ".join)
def test_a_name_that_is_no_text_can_be_told(words: tuple[str, ...], tmp_path: Path) -> None:
    ended = pone(*words, os.fsencode(tmp_path) + b"/caf\xe9\xff.png", PYTHONIOENCODING="utf-8:strict")
    assert ended.returncode == 1
    assert rb"/caf\udce9\udcff.png" in ended.stdout + ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("encoding", ["utf-8:surrogateescape", "ascii"])
def test_json_stays_json_whatever_the_encoding(encoding: str, tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xe9 \xf0\x9f\x82\xa1 \xc3\xa9.png"
    Image.new("RGB", (64, 48)).save(tmp_path / "a.png")
    os.rename(tmp_path / "a.png", name)  # noqa: PTH104 - a name in bytes
    ended = pone("see", "--json", name, PYTHONIOENCODING=encoding)
    assert ended.returncode == 0, ended.stderr
    assert os.fsencode(json.loads(ended.stdout.decode())["file"]) == name
