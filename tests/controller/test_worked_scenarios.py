"""Every worked scenario of the law tables is told to the judge by a test that bears its number, or excused.

A test bears a number in its name, a scenario of `scenarios/` in its title; each of those runs as JSON Lines through
`pone judge` too, where it stands.
"""

from __future__ import annotations

import re
from pathlib import Path

from controller import laws

HERE = Path(__file__).parent

OF_CODES = {
    "S19": "table",
    "S95": "rubber",
    "S96": "holdem_tda",
    "S97": "holdem_tda",
    "S98": "holdem_tda",
    "S99": "euchre_modern",
    "S100": "cribbage",
    "S108": "rubber",
    "S111": "euchre_modern",
    "S112": "cribbage",
}
"""The scenarios of codes beside the printed four: each is told where its code is declared."""

NOT_TOLD = {
    "S90": "the facts know four players, not three and a dummy",
    "S109": "it rests on two laws that were recalled and not read, and so on no law",
}
"""The scenarios that the facts of a deal cannot tell, or no law settles."""


def numbers_told() -> set[str]:
    """The numbers in the names of tests and the titles of scenarios."""
    titles = [line for file in (HERE / "scenarios").glob("*.txt") for line in file.read_text().splitlines()]
    tests = [
        name for file in HERE.glob("test_*.py") for name in re.findall(r"^def test_(S\d.*)\(", file.read_text(), re.M)
    ]
    told = " ".join([*tests, *(title for title in titles if not title.startswith(" "))])
    return set(re.findall(r"(?<![A-Za-z0-9])S\d{2,3}(?![0-9])", told.replace("_", " ")))


def numbers_worked(tables: str) -> set[str]:
    """The numbers of the worked scenarios in the law tables."""
    worked = tables[tables.index("## 6. Worked scenarios") : tables.index("## 7.")]
    return set(re.findall(r"^(S\d+) ", worked, re.MULTILINE))


def test_every_worked_scenario_is_told_or_excused(law_tables: str) -> None:
    built = {code.name for code in laws.built()}
    excused = set(NOT_TOLD) | {number for number, code in OF_CODES.items() if code not in built}
    told, worked = numbers_told(), numbers_worked(law_tables)
    assert worked - told - excused == set()
    assert set(NOT_TOLD) & told == set(), "there is nothing to excuse"
    assert (set(NOT_TOLD) | set(OF_CODES)) - worked == set(), "there is no such scenario"
    assert told - worked == set(), "the tables know no such scenario"
