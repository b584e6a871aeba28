"""`pone replay`: the deal in plain words, and whether its rulings are those that its facts give."""

from __future__ import annotations

import argparse
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.deal_log import Act, DealLog
from controller.entropy import seeded_entropy
from controller.facts import parse_fact
from controller.judge import Judge
from controller.replay_command import add_arguments, run
from controller.rulings import to_json

Line = dict[str, Any]

FACTS: list[Line] = [
    {"fact": "deal_opened", "code": "whist", "dealer": "S"},
    {"fact": "cut", "by": "E", "top": 20, "bottom": 32},
    {"fact": "dealing_began", "by": "S"},
    {"fact": "seen", "k": 1, "state": "card", "card": "QC", "confidence_ppm": 999_000},
    {"fact": "routed", "k": 1, "to": "W"},
    {"fact": "dealt", "to": "W", "k": 1},
    {"fact": "seen", "k": 2, "state": "not_sure", "confidence_ppm": 300_000, "reason": "7C or 7S"},
    {"fact": "routed", "k": 2, "to": "N"},
    {"fact": "dealt", "to": "N", "k": 2},
    {"fact": "seen", "k": 3, "state": "face_not_seen", "confidence_ppm": 999_000},
    {"fact": "faced", "k": 3},
]
"""Card 3 lies faced in the pack: a new deal (whist 29-II)."""


def judged() -> list[Line]:
    judge, lines = Judge(), list[Line]()
    for fact in FACTS:
        lines.append(fact)
        lines += [to_json(ruling) for ruling in judge.hear(parse_fact(fact, line=len(lines)), len(lines))]
    return lines


def log_of(folder: Path, lines: list[Line], *, closed: bool) -> Path:
    with DealLog.open(folder / "deals.db", key_file=folder / "machine.key", entropy=seeded_entropy(1)) as log:
        deal = log.open_deal(lines[:3])
        act = Act(command_id=7, kind="feed", k=1, tray="", serial="PONE-1", boot_id=1)
        log.commit(deal, lines[3:], acts=[act])
        if closed:
            log.close_deal(deal, [], status="new_deal")
    return folder / "deals.db"


def replay(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="pone replay")
    add_arguments(parser)
    return run(parser.parse_args(words))


def test_a_closed_deal_is_told_with_its_cards_and_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(str(log_of(tmp_path, judged(), closed=True))) == 0
    head, *events, verdict = capsys.readouterr().out.splitlines()
    assert head == "Deal 1, new deal, 2 cards dealt."
    told = {int(number): said for number, said in (line.split(maxsplit=1) for line in events)}
    assert told[6] == "Card 1 to West: queen of clubs."
    assert told[7] == "Card 2: not sure (7C or 7S)."
    assert told[9] == "Card 2 to North."
    assert 12 in told
    assert verdict.startswith("All 13 lines are as they were written (tree head ")
    assert verdict.endswith("). The record has 1 ruling; its facts, judged again, give the same.")


def test_an_open_deal_is_told_without_its_faces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(log_of(tmp_path, judged(), closed=False))
    assert replay(file) == 0
    assert replay(file, "1", "--json") == 0
    out = capsys.readouterr().out
    assert "Card 1 to West.\n" in out
    assert "judged again once it is closed" in out
    assert not [mark for mark in ("queen", "QC", "7C", "commitment", 'sealed"') if mark in out]
    result = json.loads(out.splitlines()[-1])["result"]
    assert (result["agrees"], result["cards"][0]) == (None, {"k": 1, "card": None, "place": "W"})


def test_the_result_is_there_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(str(log_of(tmp_path, judged(), closed=True)), "--json") == 0
    *events, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert {"line": 6, "text": "Card 1 to West: queen of clubs."} in events
    result = last["result"]
    assert (result["deal"], result["status"], result["agrees"], result["differences"]) == (1, "new_deal", True, [])
    assert result["cards"][:4] == [
        {"k": 1, "card": "QC", "place": "W"},
        {"k": 2, "card": None, "place": "N"},
        {"k": 3, "card": None, "place": "window"},
        {"k": 4, "card": None, "place": "hopper"},
    ]
    assert len(result["cards"]) == 52


def test_rulings_that_its_facts_do_not_give_are_named_and_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = judged()
    lines[-1] |= {"law": "whist 37-I"}
    assert replay(str(log_of(tmp_path, lines, closed=True))) == 1
    out = capsys.readouterr().out
    assert (
        "line 12: the record has new deal (whist 37-I, on line 11), its facts give new deal (whist 29-II, on line 11)"
        in out
    )


def test_a_record_that_cannot_be_judged_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [*FACTS[:3], {"fact": "dealt", "to": "W", "k": 99}]
    assert replay(str(log_of(tmp_path, lines, closed=True))) == 1
    err = capsys.readouterr().err
    assert "deals.db: it is damaged: deal 1 cannot be judged again (line 4" in err
    assert "Keep the file as evidence" in err


@pytest.mark.parametrize(
    "forgery", ["DELETE FROM leaf WHERE place > 7", "DELETE FROM act", "UPDATE deal SET head = x''"]
)
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_a_log_cut_short_is_an_error(
    forgery: str, closed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = log_of(tmp_path, judged(), closed=closed)
    with closing(sqlite3.connect(file)) as db:
        db.execute(forgery)
        db.commit()
    assert replay(str(file)) == 1
    out, err = capsys.readouterr()
    assert (out, "deals.db: it is damaged: the " in err) == ("", True)


def test_a_changed_log_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = log_of(tmp_path, judged(), closed=True)
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE leaf SET body = CAST(replace(body, '\"W\"', '\"N\"') AS BLOB)")
        db.commit()
    assert replay(str(file)) == 1
    assert "of deal 1 is not what was written" in capsys.readouterr().err


def test_a_missing_file_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(str(tmp_path / "none.db")) == 1
    assert "none.db: there is no such file" in capsys.readouterr().err
