"""Every code but whist before the judge and the command: every scenario of `scenarios/`.

A scenario is a title, then facts as they fall, each followed by the rulings that it must cause, marked `>`; whatever is
not written there must not be said. South has the deal, so the eldest hand is West, his partner North and the pone East.
`dealt 1-20` deals these cards as the pattern wants them; `in turn of E` before it says that East deals. A law is named
by its number; `-` stands where only a setting of the house speaks.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from controller import judge_command
from controller.facts import Fact, parse_fact
from controller.judge import Judge
from controller.laws import code
from controller.laws.vocabulary import Code
from controller.rulings import to_json
from controller.table import Seat

Line = dict[str, Any]

FOLDER = Path(__file__).parent / "scenarios"
CODES = ("euchre", "bridge", "auction", "duplicate", "rubber", "euchre_modern", "english_bridge", "somerset_euchre")


@dataclass(kw_only=True)
class Scenario:
    """One course of a deal.

    Attributes:
        title: its number or the laws it shows, and what happens.
        facts: the facts, the opening first.
        rulings: what must be said on each fact, without lines and reasons.
    """

    title: str
    facts: list[Line]
    rulings: list[list[Line]] = field(default_factory=lambda: [[]])
    dealer: Seat = Seat.S

    def add(self, text: str, laws: Code) -> None:
        """Take one line of the file in."""
        name, *words = text.split()
        if name == ">":
            cited = {} if words[1] == "-" else {"law": f"{laws.name} {words[1]}"}
            said = {"ruling": words[0]} | cited | _fields(words[2:])
            if "saved_by" in said:
                said["saved_by"] = f"{laws.name} {said['saved_by']}"
            self.rulings[-1].append(said)
        elif name == "open":
            self.facts[0] |= _fields(words)
        elif text.startswith("in turn of "):
            self.dealer = Seat(words[-1])
        elif name == "dealt" and (span := re.fullmatch(r"(\d+)-(\d+)", words[0])):
            pattern = laws.pattern_named(self.facts[0].get("pattern", laws.pattern.name))
            order = pattern.order(self.dealer)
            for k in range(int(span[1]), int(span[2]) + 1):
                self._hear({"fact": "dealt", "to": str(order[k - 1]), "k": k})
        else:
            self._hear({"fact": name} | _fields(words))

    def _hear(self, fact: Line) -> None:
        self.facts.append(fact)
        self.rulings.append([])


def _fields(words: list[str]) -> Line:
    """Read `key=value` pairs: numbers and yes or no as such, letters joined by a comma as a list."""
    fields: Line = {}
    for word in words:
        key, _, value = word.partition("=")
        target, _, part = key.partition(".")
        read: Any = {"yes": True, "no": False}.get(value, int(value) if value.isdigit() else value)
        if "," in value or key in ("may", "seats", "missing", "duplicate", "foreign"):
            read = value.split(",")
        if part:
            fields.setdefault(target, {})[part] = read
        else:
            fields[key] = read
    return fields


def read(name: str) -> list[Scenario]:
    """Return the scenarios of a code's file."""
    laws, scenarios = code(name), list[Scenario]()
    for text in (FOLDER / f"{name}.txt").read_text().splitlines():
        if not text.strip():
            continue
        if text[0] != " ":
            opening = {"fact": "deal_opened", "code": name, "dealer": "S"}
            scenarios.append(Scenario(title=text.strip(), facts=[opening]))
        else:
            scenarios[-1].add(text.strip(), laws)
    return scenarios


WORKED = (
    *(f"S{number:02}" for number in (*range(1, 7), 8, 9, 10, *range(12, 21), 22, 23, 24, 26, 27, 28, 29, 31, 32, 33)),
    *(f"S{number}" for number in (35, 36, 37, 39, 41, 42, 43, 45, 46, 47, 50, 51, 53, 54, 55, 56, 58, 59, 60, 61)),
    *(f"S{number}" for number in (63, 64, 65, 67, 68, 70, 71, 73, 74, 75, 77, 78, 79, 80, 82, 84, 85, 87, 89, 90, 91)),
    *(f"S{number}" for number in (92, 94, 95, 96, 97, 98, 99, 100, 101, 103, 104, 105, 106, 108, 109, 111, 112)),
)
"""The worked scenarios of the law tables, by their numbers there."""

NOT_TOLD = {
    **dict.fromkeys(("S96", "S97", "S98"), "poker gives its cards to other numbers of players, by rules of its own"),
    **dict.fromkeys(("S100", "S112"), "cribbage has two players, a crib and a starter, which the facts do not know"),
    "S109": "laws 8 and 9 of rubber bridge are recalled and were not read",
    "S90": "the facts know four players, not three and a dummy",
}
"""Those that the facts of a deal cannot tell, and why."""

SCENARIOS = {name: read(name) for name in CODES}
ALL = [pytest.param(one, id=f"{name} {one.title}") for name, of_code in SCENARIOS.items() for one in of_code]


def judged(facts: list[Fact], laws: Code | None = None) -> list[list[Line]]:
    """The rulings on every fact, without lines and reasons."""
    judge = Judge(laws)
    return [[told(to_json(said)) for said in judge.hear(fact, line)] for line, fact in enumerate(facts, start=1)]


def told(ruling: Line) -> Line:
    """A ruling as the scenarios write it: without its line, its reason and the words of a question."""
    passed_over = {"on", "because"} | ({"why"} if ruling["ruling"] == "ask_director" else set())
    assert all(ruling[key] for key in passed_over)
    return {key: value for key, value in ruling.items() if key not in passed_over}


def parsed(scenario: Scenario) -> list[Fact]:
    return [parse_fact(obj, line=line) for line, obj in enumerate(scenario.facts, start=1)]


@pytest.mark.parametrize("scenario", ALL)
def test_a_scenario_is_ruled_as_the_law_says(scenario: Scenario) -> None:
    assert judged(parsed(scenario)) == scenario.rulings


@pytest.mark.parametrize("name", CODES)
def test_the_command_rules_likewise(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    judge_command.add_arguments(parser)
    for one in SCENARIOS[name]:
        stream = "".join(f"{json.dumps(fact)}\n" for fact in one.facts)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stream.encode())))
        assert judge_command.run(parser.parse_args(["-"])) == 0, one.title
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        lines = [ruling["on"] for ruling in said]
        assert lines == [line for line, rulings in enumerate(one.rulings, 1) for _ in rulings], one.title
        assert [told(ruling) for ruling in said] == [ruling for rulings in one.rulings for ruling in rulings], one.title


@pytest.mark.parametrize("name", CODES)
def test_every_law_is_needed_by_a_scenario(name: str) -> None:
    laws = code(name)
    streams = [(parsed(one), one.rulings) for one in SCENARIOS[name]]
    spare = []
    for index, law in enumerate(laws.laws):
        less = replace(laws, laws=laws.laws[:index] + laws.laws[index + 1 :])
        if all(judged(facts, less) == rulings for facts, rulings in streams):
            spare.append(str(law))
    assert spare == []


@pytest.mark.parametrize("name", CODES)
def test_every_clause_is_named_by_a_scenario(name: str) -> None:
    titles = " ".join(one.title for one in SCENARIOS[name])
    unnamed = {law.number for law in code(name).laws if not re.search(rf"\b{law.number}\b", titles)}
    assert unnamed == set()


def test_every_worked_scenario_is_told_or_excused() -> None:
    told_of = [one.title for name in CODES for one in SCENARIOS[name]]
    told_of += re.findall(r"^\S.*", (FOLDER / "table.txt").read_text(), re.MULTILINE)
    told_of += re.findall(r"def test_(\w+)", (Path(__file__).parent / "test_judge_whist.py").read_text())
    known = set(re.findall(r"S\d{2,3}", " ".join(told_of)))
    assert known | set(NOT_TOLD) == set(WORKED)
    assert not known & set(NOT_TOLD)


def test_the_worked_scenarios_are_those_of_the_tables(law_tables: str) -> None:
    assert re.findall(r"^(S\d+)\b", law_tables.split("\n## 6. ")[1], re.MULTILINE) == list(WORKED)
