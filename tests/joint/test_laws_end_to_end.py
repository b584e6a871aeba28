"""Every clause that the reference machine can meet, met once: from physics, people and pictures to the ruling."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from controller import laws
from controller.replay import ledger, replay
from controller.table import Seat
from tests.joint.law_courses import COURSES, NOT_MET, Course
from vision.table import shipped_table_reader

if TYPE_CHECKING:
    from controller.acts import Line
    from tests.joint.playing import Play
    from vision.table import TableReader

CODES = {"E": "euchre", "B": "bridge", "W": "whist", "A": "auction", "D": "duplicate"}
"""The letter before a row of the tables, and its code."""

SETTLES = {"corrected", "claimed", "waived", "touched", "looked", "time_given", "director"}
"""What people do about an error or a right."""


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return shipped_table_reader()


def told(ruling: Line) -> Line:
    """A ruling without its line, its reason and the words of a question."""
    passed_over = {"on", "because"} | ({"why"} if ruling["ruling"] == "ask_director" else set())
    return {key: value for key, value in ruling.items() if key not in passed_over}


def hastened(lines: list[Line]) -> list[Line]:
    """The cards that were dealt while an error waited to be put right, or a right to be used.

    A card that stands in the window when a right is opened still falls.
    """
    hasty: list[Line] = []
    may_fall: int | None = None
    for line in lines:
        if line.get("ruling") in ("correct_first", "option", "ask_director"):
            may_fall = 0 if line["ruling"] == "correct_first" else 1
        elif line.get("fact") in SETTLES or "ruling" in line:
            may_fall = None
        elif line.get("fact") == "dealt" and may_fall is not None:
            hasty += [line] if may_fall == 0 else []
            may_fall = 0
    return hasty


@pytest.mark.parametrize("course", COURSES, ids=lambda course: f"{course.code}: {course.title}")
def test_a_course_of_a_deal_is_ruled_as_the_law_says(course: Course, play: Play, reader: TableReader) -> None:
    watching = reader if course.watched else None
    played = play(course.toml(), code=course.code, house=course.house, frames=True, table_reader=watching)
    (outcome,), (lines,) = played.outcomes, played.lines
    rulings = [line for line in lines if "ruling" in line]
    assert [told(ruling) for ruling in rulings] == course.expected()
    assert f"{outcome.ending.status} {outcome.ending.next_dealer}" == course.ends
    cited = {ruling["law"] for ruling in rulings} | {ruling.get("saved_by") for ruling in rulings}
    assert {citation(row) for row in course.meets.split()} <= cited
    assert hastened(lines) == []
    assert replay(lines) == ()
    if outcome.ending.status == "completed":
        places = Counter(placed.place for placed in ledger(lines).cards)
        assert {places[seat] for seat in Seat} == {laws.code(course.code).pattern.hand}


def test_the_deal_passes_or_stays_as_it_was_ruled(play: Play) -> None:
    """Euchre 14a loses South's deal, 11a leaves West his, and a good deal passes on."""
    lost = (
        '[[deal]]\ncut = 12\n[[deal.act]]\nwhat = "report"\nsays = "cut_omitted"\nseat = "E"\nat = 2\nphase = "shown"\n'
    )
    kept = '[[deal]]\ncut = 12\n[[deal.fault]]\nkind = "faced_card"\nat = 2\n'
    played = play(f"{lost}{kept}[[deal]]\ncut = 12\n", code="euchre", frames=True, tries=3)
    assert [(outcome.dealer, outcome.ending.status) for outcome in played.outcomes] == [
        (Seat.S, "misdeal"),
        (Seat.W, "new_deal"),
        (Seat.W, "completed"),
    ]
    assert [line["by"] for lines in played.lines for line in lines if line.get("fact") == "dealing_began"] == list(
        "SWW"
    )
    assert played.outcomes[-1].ending.next_dealer is Seat.N


def citation(row: str) -> str:
    """What a ruling calls a row of the tables."""
    return f"{CODES[row[0]]} {row[1:]}"


def rows(section: str) -> set[str]:
    """The rows of a section's tables, each number of several for itself, as in W87-88."""
    found = set[str]()
    for line in section.splitlines():
        for row in line.split("|")[1].split(",") if line.startswith("| ") else ():
            several = re.fullmatch(r"([A-Z])(\d+)-(\d+)", row.strip())
            span = range(int(several[2]), int(several[3]) + 1) if several else ()
            found |= {f"{several[1]}{number}" for number in span} if several else {row.strip()}
    return found - {"id"}


def test_every_clause_is_met_or_excused(law_tables: str) -> None:
    old = law_tables[law_tables.index("### 2.E") : law_tables.index("### 2.T")]
    duplicate = law_tables[law_tables.index("### 5.1") : law_tables.index("### 5.2")]
    parts = {"E15a", "E15b", "E15c"}  # the tables of the register divide it
    clauses = (rows(old) | rows(duplicate)) - {"E15"} | parts
    met = {row for course in COURSES for row in f"{course.meets} {course.shows}".split()}
    assert clauses == met | set(NOT_MET)
    assert met & set(NOT_MET) == set()


def test_every_row_that_is_named_is_a_clause_of_its_code() -> None:
    named = {row for course in COURSES for row in f"{course.meets} {course.shows}".split()}
    codes = laws.built()
    known = {law.citation for code in codes for law in code.laws}
    known |= {f"{code.name} {duty.number}" for code in codes for duty in code.duties}
    assert {citation(row) for row in named} - known == set()
