"""The law tables against the declared codes: every clause of them is a law, a duty, or not built for a reason."""

from __future__ import annotations

import re
from typing import Final

import pytest

from controller.laws import code
from controller.laws.not_built import NOT_BUILT

OF: Final = {
    "2": {"E": "euchre", "B": "bridge", "W": "whist", "A": "auction"},
    "5": {"D": "duplicate", "R": "rubber", "EM": "euchre_modern"},
}
"""Which sections of the tables have clauses of which code, by the letters in front of their numbers."""

LABEL: Final = r"(?P<letters>EM|[EBWADR])(?P<number>(?:[SDMNXGEC]|NC|TD)?\d[\w-]*|NC|G1)"


def section(law_tables: str, number: str) -> str:
    """One section of the tables."""
    return re.split(rf"^## (?={number}\. )", law_tables, flags=re.MULTILINE)[1].split("\n## ")[0]


def clauses(text: str, letters: dict[str, str]) -> list[str]:
    """The clauses that the rows of a section name, as rulings cite them; a row of several numbers names each."""
    found = []
    for cell in re.findall(r"^\| ([A-Z][^|]*?) \|", text, re.MULTILINE):
        for label in cell.split(", "):
            if (match := re.fullmatch(LABEL, label)) and match["letters"] in letters:
                found += [f"{letters[match['letters']]} {number}" for number in _numbers(match["number"])]
    return found


def _numbers(number: str) -> list[str]:
    if span := re.fullmatch(r"(\d+)-(\d+)", number):
        first, last = map(int, span.groups())
        if last > first:
            return [str(each) for each in range(first, last + 1)]
    return [number]


def declared(name: str) -> set[str]:
    """What a code says something under."""
    laws = code(name)
    numbers = [*(law.number for law in laws.laws), *(duty.number for duty in laws.duties)]
    return {f"{name} {number}" for number in numbers}


def test_a_row_of_several_numbers_names_each() -> None:
    cells = ("W22-23", "W91, W93", "W37-IV", "BNC", "WD3", "id", "BX2", "R6-1")
    rows = "\n".join(f"| {cell} | x |" for cell in cells)
    letters = {"W": "whist", "B": "bridge", "R": "rubber"}
    assert clauses(rows, letters) == [
        *("whist 22", "whist 23", "whist 91", "whist 93", "whist 37-IV"),
        *("bridge NC", "whist D3", "bridge X2", "rubber 6-1"),
    ]


@pytest.mark.parametrize(("number", "least"), [("2", 120), ("5", 25)])
def test_every_clause_of_the_tables_is_declared_or_not_built_for_a_reason(
    law_tables: str, number: str, least: int
) -> None:
    named = clauses(section(law_tables, number), OF[number])
    known = set[str]().union(*(declared(name) for name in OF[number].values()))
    assert len(named) >= least
    assert [clause for clause in named if clause not in known | set(NOT_BUILT)] == []


def test_what_is_not_built_has_a_reason_and_is_not_declared() -> None:
    for clause, why in NOT_BUILT.items():
        assert len(why.split()) > 5, clause
        assert clause not in declared(clause.split()[0])


def test_what_is_not_built_stands_in_the_tables(law_tables: str) -> None:
    named = {clause for number, letters in OF.items() for clause in clauses(section(law_tables, number), letters)}
    assert set(NOT_BUILT) <= named


def test_what_the_tables_say_of_the_two_supplements_is_declared(law_tables: str) -> None:
    """The paragraphs on English bridge (UK) and the Somerset Club (SOM), and ranges such as SOM41-45 in them."""
    text = section(law_tables, "2")
    for letters, name in (("UK", "english_bridge"), ("SOM", "somerset_euchre")):
        named = {number for label in re.findall(rf"{letters}(\d+(?:-\w+)?)", text) for number in _numbers(label)}
        heads = {number.partition(" ")[2].partition("-")[0] for number in declared(name)}
        assert len(named) >= 9
        assert {number for number in named if number.partition("-")[0] not in heads} == set(), name
