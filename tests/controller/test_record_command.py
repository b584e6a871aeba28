"""`pone record`: a deal's lines, sealed while it is open, and the list of deals."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.deal_log import DealLog
from controller.entropy import seeded_entropy
from controller.record_command import add_arguments, run
from controller.sealing import is_sealed

LINES: list[dict[str, Any]] = [
    {"fact": "deal_opened", "code": "whist", "dealer": "S"},
    {"fact": "seen", "k": 1, "state": "card", "card": "QC", "confidence_ppm": 999_000},
    {"fact": "dealt", "to": "W", "k": 1},
]


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    """A log of one deal that was voided and one that is open."""
    file = tmp_path / "deals.db"
    with DealLog.open(file, key_file=tmp_path / "machine.key", entropy=seeded_entropy(1)) as log:
        log.close_deal(log.open_deal(LINES), [{"fact": "voided", "by": "director"}], status="voided")
        log.open_deal([LINES[0] | {"dealer": "W"}, *LINES[1:2]])
    return file


def record(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="pone record")
    add_arguments(parser)
    return run(parser.parse_args(words))


def test_a_closed_deal_is_printed_with_its_cards(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(str(log_file), "1") == 0
    *lines, voided, closed = map(json.loads, capsys.readouterr().out.splitlines())
    assert lines == LINES
    assert (voided["by"], closed["status"], len(closed["key"])) == ("director", "voided", 64)


def test_the_last_deal_is_the_default_and_sealed_while_it_is_open(
    log_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(str(log_file)) == 0
    out = capsys.readouterr().out
    opened, seen = map(json.loads, out.splitlines())
    assert (opened["dealer"], is_sealed(seen["card"])) == ("W", True)
    assert "QC" not in out.replace(seen["card"]["sealed"], "").replace(seen["confidence_ppm"]["sealed"], "")


def test_deals_are_listed(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(str(log_file), "--list") == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["deal", "code", "dealer", "cards", "status", "tree", "head"]
    assert first.split()[:5] == ["1", "whist", "S", "1", "voided"]
    assert second.split() == ["2", "whist", "W", "0", "open", "not", "closed"]


def test_a_long_code_keeps_the_columns(log_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with DealLog.open(log_file, key_file=tmp_path / "machine.key", entropy=seeded_entropy(2)) as log:
        log.close_deal(2, [{"fact": "voided", "by": "director"}], status="voided")
        log.open_deal([LINES[0] | {"code": "somerset_euchre"}])
    assert record(str(log_file), "--list") == 0
    head, *deals = capsys.readouterr().out.splitlines()
    assert {line.index(status) for line, status in zip(deals, ("voided", "voided", "open"), strict=True)} == {
        head.index("status")
    }


def test_the_list_is_of_the_log_that_was_named(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(str(log_file), "9") == 1
    assert f"See the list: pone record {log_file} --list" in capsys.readouterr().err


def test_deals_are_listed_as_json(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(str(log_file), "--list", "--json") == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert second == {"number": 2, "code": "whist", "dealer": "W", "status": "open", "cards": 0, "head": ""}
    assert (first["number"], first["status"], len(first["head"])) == (1, "voided", 64)


def test_a_deal_that_is_not_there_is_an_error_that_says_which_are(
    log_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(str(log_file), "3") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "holds deals 1 to 2, and no deal 3" in err


def test_a_missing_file_is_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(str(tmp_path / "none.db")) == 1
    assert "none.db: there is no such file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [(), ("1",), ("--list",)], ids=["last", "first", "list"])
def test_a_log_that_is_not_what_was_written_is_not_shown(
    words: tuple[str, ...], log_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(log_file)) as db:
        db.execute("DELETE FROM leaf WHERE place > 0")
        db.commit()
    assert record(str(log_file), *words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "it is damaged" in err
    assert "Keep the file as evidence" in err


@pytest.mark.parametrize("log", ["folder", "pipe", "loop", "x" * 300])
def test_what_is_no_file_is_told(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    assert record(str(tmp_path / log)) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"pone record: {tmp_path / log}: ")
    assert ". Give " in err


def test_a_log_without_deals_is_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    DealLog.open(tmp_path / "deals.db", key_file=tmp_path / "key", entropy=seeded_entropy(1)).close()
    assert record(str(tmp_path / "deals.db")) == 1
    assert "it holds no deal yet" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "²"])
def test_what_is_no_number_is_wrong_use(number: str, log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as wrong:
        record(str(log_file), number)
    assert wrong.value.code == 2
    assert "usage:" in capsys.readouterr().err
