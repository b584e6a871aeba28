"""The register of the tables: every scenario of `scenarios/table.txt`, what each law is needed for, and the contract.

A scenario is a title with the numbers of the laws it shows, then facts, each followed by the rulings that it must
cause, marked `>`; whatever is not written there must not be said. `joined a b` is one fact for each player, `drawn a
7S` names who cuts and what he shows, and a ruling names its law and its players.
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
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import judge_command
from controller.errors import FactError, OrderError
from controller.facts import Fact, parse_fact
from controller.judge import Judge
from controller.laws.table import TABLE
from controller.laws.table_words import Circumstance, Occasion, Outcome, TableCode
from controller.register import Register
from controller.register_answers import ANSWERS
from controller.rulings import to_json

Line = dict[str, Any]

OPEN: Line = {"fact": "deal_opened", "code": "table"}
FILE = Path(__file__).parent / "scenarios" / "table.txt"
WHO = {"drawn": "by", "broke_up": "by"}


@dataclass(kw_only=True)
class Scenario:
    """One course of an evening: its facts, and what must be said on each, without lines and reasons."""

    title: str
    facts: list[Line] = field(default_factory=lambda: [OPEN])
    rulings: list[list[Line]] = field(default_factory=lambda: [[]])

    def add(self, text: str) -> None:
        name, *words = text.split()
        fields = {key: _value(key, value) for key, _, value in (word.partition("=") for word in words if "=" in word)}
        plain = [word for word in words if "=" not in word]
        if name == ">":
            ruling, number, *players = plain
            said = {"ruling": ruling, "law": f"table {number}"} | ({"players": players} if players else {}) | fields
            if ruling == "prior_right":
                said["player"] = players[0]
            self.rulings[-1].append(said)
        elif name == "drawn":
            self._hear({"fact": name, "by": plain[0], "cards": plain[1:]} | fields)
        else:
            for player in plain or [""]:
                self._hear({"fact": name} | ({WHO.get(name, "player"): player} if player else {}) | fields)

    def _hear(self, fact: Line) -> None:
        self.facts.append(fact)
        self.rulings.append([])


def _value(key: str, value: str) -> Any:
    return value.split(",") if key == "consent" else {"yes": True, "no": False}.get(value, value)


def read() -> list[Scenario]:
    scenarios = list[Scenario]()
    for text in FILE.read_text().splitlines():
        if text.strip() and text[0] != " ":
            scenarios.append(Scenario(title=text))
        elif text.strip():
            scenarios[-1].add(text)
    return scenarios


SCENARIOS = read()


def parsed(stream: list[Line]) -> list[Fact]:
    return [parse_fact(obj, line=line) for line, obj in enumerate(stream, 1)]


def judged(stream: list[Line], code: TableCode = TABLE) -> list[list[Line]]:
    """The rulings on every fact, without lines and reasons."""
    register = Register(code)
    return [[told(to_json(said)) for said in register.hear(fact, n)] for n, fact in enumerate(parsed(stream), 1)]


def told(ruling: Line) -> Line:
    assert ruling["on"]
    assert ruling["because"]
    return {key: value for key, value in ruling.items() if key not in ("on", "because")}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario.title))
def test_a_scenario_is_ruled_as_the_law_says(scenario: Scenario) -> None:
    assert judged(scenario.facts) == scenario.rulings


def test_the_command_rules_likewise(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    judge_command.add_arguments(parser)
    for one in SCENARIOS:
        stream = "".join(f"{json.dumps(fact)}\n" for fact in one.facts)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stream.encode())))
        assert judge_command.run(parser.parse_args(["-"])) == 0, one.title
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [ruling["on"] for ruling in said] == [n for n, rulings in enumerate(one.rulings, 1) for _ in rulings]
        assert [told(ruling) for ruling in said] == [ruling for rulings in one.rulings for ruling in rulings]


def test_every_law_is_needed_by_a_scenario() -> None:
    spare = []
    for index, law in enumerate(TABLE.laws):
        less = replace(TABLE, laws=TABLE.laws[:index] + TABLE.laws[index + 1 :])
        if all(judged(one.facts, less) == one.rulings for one in SCENARIOS):
            spare.append(str(law))
    assert spare == []


def test_every_clause_is_named_by_a_scenario() -> None:
    titles = " ".join(one.title for one in SCENARIOS)
    assert {law.number for law in TABLE.laws if not re.search(rf"\b{law.number}\b[^:]*:", titles)} == set()


def test_no_word_is_idle_and_every_outcome_has_its_answer() -> None:
    assert {law.when for law in TABLE.laws} == set(Occasion)
    assert {law.remedy for law in TABLE.laws} == set(Outcome) == set(ANSWERS)
    assert {held for law in TABLE.laws for held in (*law.provided, *law.unless)} == set(Circumstance)


def test_a_law_reads_aloud_with_its_source() -> None:
    assert str(TABLE.on(Occasion.JOKER_CUT)[0]) == "Table 2. If a player cuts the Joker, he cuts again."
    assert TABLE.on(Occasion.JOKER_CUT)[0].source == "euchre, law 7"


# Order.


@pytest.mark.parametrize(
    ("stream", "field", "words"),
    [
        ([{"fact": "joined", "player": "a"}], "fact", "a stream starts with deal_opened, not with joined"),
        ([OPEN, OPEN], "fact", "not deal_opened"),
        ([OPEN, {"fact": "dealt", "to": "N", "k": 1}], "fact", "the register, once it is open, hears joined"),
        ([OPEN, {"fact": "left", "player": "a"}], "player", "a has no place at any table and waits for none"),
        ([OPEN, {"fact": "rubber_ended", "table": "7"}], "table", "nobody has a place at table 7"),
        ([OPEN, {"fact": "broke_up", "by": "a"}], "by", "a has no place at any table"),
        ([OPEN, {"fact": "substitute", "player": "b", "for": "a", "consent": []}], "for", "a has no place"),
        (
            [
                OPEN,
                {"fact": "joined", "player": "a"},
                {"fact": "joined", "player": "b", "table": "2"},
                {"fact": "substitute", "player": "b", "for": "a", "consent": []},
            ],
            "player",
            "b has a place at table 2 himself",
        ),
        (
            [
                OPEN,
                *({"fact": "joined", "player": player} for player in "abcd"),
                {"fact": "substitute", "player": "e", "for": "a", "consent": ["b", "c", "d"]},
                {"fact": "substitute", "player": "e", "for": "b", "consent": ["c", "d", "e"]},
            ],
            "player",
            "e plays for a already",
        ),
    ],
)
def test_an_impossible_order_names_its_line_and_field(stream: list[Line], field: str, words: str) -> None:
    with pytest.raises(OrderError, match=words) as caught:
        judged(stream)
    assert (caught.value.line, caught.value.field) == (len(stream), field)


def test_a_register_and_a_deal_are_not_taken_for_each_other() -> None:
    with pytest.raises(FactError, match="the register is opened under table, not whist"):
        judged([{"fact": "deal_opened", "code": "whist", "dealer": "S"}])
    with pytest.raises(FactError, match="'table' is that of the register of the table"):
        Judge().hear(parse_fact(OPEN, line=1), 1)


def test_what_a_machine_that_cuts_writes_besides_is_passed_over() -> None:
    seen = {"fact": "seen", "k": 1, "state": "card", "card": "AS", "confidence_ppm": 990000}
    assert (
        judged([OPEN, {"fact": "mode", "mode": "cut_for_seats"}, seen, {"fact": "routed", "k": 1, "to": "N"}])
        == [[]] * 4
    )


def test_the_state_tells_who_sits_who_waits_and_who_must_cut() -> None:
    register = Register()
    assert register.state()["phase"] == "not_opened"
    text = """joined a b c d
    substitute x for=d consent=a,b,c
    candidate e
    joined k l m n table=2
    broke_up k"""
    one = Scenario(title="")
    for line in text.splitlines():
        one.add(line)
    for n, fact in enumerate(parsed(one.facts), 1):
        register.hear(fact, n)
    table = register.state()["tables"][0]
    assert table["seated"][2:] == [{"player": "c", "games": 0}, {"player": "d", "games": 0, "substitute": "x"}]
    assert (table["table"], table["rubbers"], table["waiting"], table["cut"]) == ("1", 0, ["e"], None)
    assert [right["player"] for right in register.state()["prior_rights"]] == ["l", "m", "n"]
    register.hear(parse_fact({"fact": "rubber_ended"}, line=20), 20)
    register.hear(parse_fact({"fact": "drawn", "by": "b", "cards": ["AS"]}, line=21), 21)
    cut = register.state()["tables"][0]["cut"]
    assert cut == {"for": "giving_way", "players": ["a", "b", "c", "d"], "to_draw": ["a", "c", "d"]}


# Properties.

PLAYERS = st.sampled_from("abcdefghij")
TABLES = st.sampled_from("123")
DRAWN = st.lists(st.sampled_from(["AS", "AH", "2S", "KS", "KH", "J1"]), max_size=2)
FACTS = st.one_of(
    st.fixed_dictionaries({"fact": st.sampled_from(["joined", "candidate"]), "player": PLAYERS, "table": TABLES}),
    st.fixed_dictionaries({"fact": st.just("left"), "player": PLAYERS}),
    st.fixed_dictionaries({"fact": st.sampled_from(["rubber_ended", "formed"]), "table": TABLES}),
    st.fixed_dictionaries({"fact": st.just("drawn"), "by": PLAYERS, "cards": DRAWN}),
    st.fixed_dictionaries({"fact": st.just("drawn"), "by": PLAYERS, "cards": DRAWN}),
    st.fixed_dictionaries(
        {"fact": st.just("substitute"), "player": PLAYERS, "for": PLAYERS, "consent": st.lists(PLAYERS, max_size=6)}
    ),
    st.fixed_dictionaries({"fact": st.just("broke_up"), "by": PLAYERS}),
)


@st.composite
def legal_streams(draw: st.DrawFn) -> list[Line]:
    """An evening at three tables in a legal order: what is impossible at its place is left out."""
    stream = [OPEN]
    register = Register()
    register.hear(parse_fact(OPEN, line=1), 1)
    seated = [{"fact": "joined", "player": player, "table": "1"} for player in draw(st.permutations("abcd"))]
    for fact in [*seated, *draw(st.lists(FACTS, max_size=40))]:
        try:
            register.hear(parse_fact(fact, line=len(stream) + 1), len(stream) + 1)
        except OrderError:
            continue
        stream.append(fact)
    return stream


@given(legal_streams())
@settings(max_examples=200, deadline=None)
def test_any_legal_order_is_judged_the_same_way_every_time_and_a_table_never_overflows(stream: list[Line]) -> None:
    assert judged(stream) == judged(stream)
    register = Register()
    for n, fact in enumerate(parsed(stream), 1):
        said = register.hear(fact, n)
        assert all(ruling.on == n for ruling in said)
        state = register.state()
        seated = [seat["player"] for table in state["tables"] for seat in table["seated"]]
        waiting = [player for table in state["tables"] for player in table["waiting"]]
        assert all(len(table["seated"]) <= TABLE.seats for table in state["tables"])
        assert (len(set(seated)), len(set(waiting))) == (len(seated), len(waiting))
        for table in state["tables"]:
            # A free place with somebody who waits for it is either cut for, or at a table that is not made up yet.
            assert not table["waiting"] or len(table["seated"]) in (0, TABLE.seats) or table["cut"] is not None


@given(legal_streams(), st.data())
@settings(max_examples=100, deadline=None)
def test_the_rulings_of_a_prefix_are_a_prefix_of_the_rulings(stream: list[Line], data: st.DataObject) -> None:
    length = data.draw(st.integers(1, len(stream)))
    assert judged(stream[:length]) == judged(stream)[:length]


@given(legal_streams(), st.permutations("abcdefghij"), st.permutations("123"))
@settings(max_examples=100, deadline=None)
def test_other_names_for_players_and_tables_change_nothing_else(
    stream: list[Line], players: list[str], tables: list[str]
) -> None:
    names = dict(zip("abcdefghij", players, strict=True)) | dict(zip("123", tables, strict=True))

    def renamed(obj: Line) -> Line:
        def name(value: Any) -> Any:
            return [name(item) for item in value] if isinstance(value, list) else names.get(value, value)

        return {key: value if isinstance(value, bool) else name(value) for key, value in obj.items()}

    assert judged([OPEN, *map(renamed, stream[1:])]) == [[*map(renamed, said)] for said in judged(stream)]
