"""The laws as data: they read aloud, they cite, and their files hold nothing but data."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from controller import laws
from controller.errors import CodeError
from controller.house import House
from controller.judge_conditions import ENTITLED, HOLDS
from controller.judge_remedies import ANSWERS
from controller.laws import KNOWN, built, code
from controller.laws.vocabulary import Law
from controller.laws.words import SEEN, Claimant, Completion, Condition, Fault, Party, Remedy, Window
from controller.table import THREE_TWO

BUILT = tuple(laws.name for laws in built())
ALL = [law for name in BUILT for law in code(name).laws]
FILES = [
    path
    for path in Path(laws.__file__).parent.glob("*.py")
    if path.name not in ("__init__.py", "vocabulary.py", "words.py", "table_words.py")
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_a_file_of_laws_holds_data_only(path: Path) -> None:
    forbidden = (ast.If, ast.IfExp, ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.For, ast.While, ast.BoolOp)
    found = [type(node).__name__ for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, forbidden)]
    assert found == []


def test_a_law_reads_aloud_with_its_citation() -> None:
    faced = next(law for law in code("whist").laws if law.number == "29-II")
    assert str(faced) == (
        "Whist 29-II. If a card is found face up in the pack, before the trump card is turned, there must be a new "
        "deal by the same dealer, unless it is the last card."
    )
    assert faced.citation == "whist 29-II"


def test_a_right_reads_aloud_with_its_end_and_a_policy_with_its_setting() -> None:
    of = {number: [str(law) for law in code("whist").laws if law.number == number] for number in ("30b", "19")}
    assert of["30b"] == [
        "Whist 30b. If a card is exposed during the deal, and an adversary is the cause, and it was seen on or below "
        "the table, the dealer may demand a new deal by the same dealer until the trump card is turned, unless the "
        "dealer's partner has touched cards."
    ]
    assert of["19"][1].endswith("it is not allowed (the house decides: shuffle_in_play = false).")


def test_what_may_be_claimed_can_be_said_and_has_an_end() -> None:
    for law in ALL:
        if law.claimed_by is not None:
            assert law.remedy.value[1], str(law)
            assert law.until is not None, str(law)


def test_every_condition_has_a_meaning() -> None:
    assert set(HOLDS) == set(Condition)
    assert set(ENTITLED) == set(Claimant)
    assert set(ANSWERS) >= {law.remedy for law in ALL if law.when is not Fault.MISDEAL} - {Remedy.BAR_LIFTED}


def test_no_word_of_the_vocabulary_is_idle() -> None:
    assert {law.when for law in ALL} == set(Fault)
    assert {law.remedy for law in ALL} == set(Remedy)
    assert {condition for law in ALL for condition in (*law.provided, *law.unless)} == set(Condition)
    assert {trait for law in ALL for trait in law.claimants} == set(Claimant)
    assert {law.claimed_by for law in ALL} == {None, *Party}
    assert {window for law in ALL for window in (law.since, law.until)} == {None, *Window}
    assert {code(name).completion for name in BUILT} == set(Completion)


def test_every_fault_has_its_sight_and_only_one() -> None:
    seen = [fault for faults in SEEN.values() for fault in faults]
    assert len(seen) == len(set(seen))
    assert set(seen) == set(Fault)


def test_no_law_is_called_by_the_number_of_a_duty() -> None:
    for name in BUILT:
        laws = code(name)
        assert not {law.number for law in laws.laws} & {duty.number for duty in laws.duties}


def test_every_house_setting_that_a_law_rests_on_exists() -> None:
    for law in ALL:
        if law.setting is not None:
            assert isinstance(getattr(House(), law.setting.key), type(law.setting.value)), str(law)


def test_a_code_knows_its_packs_and_patterns() -> None:
    euchre = code("euchre")
    assert len(euchre.cards()) == 32
    assert [len(euchre.cards(size)) for size in euchre.packs] == [32, 33, 24, 25]
    assert [pattern.name for pattern in euchre.patterns] == ["2-3", "3-2"]
    assert euchre.pattern_named("3-2") is THREE_TWO
    with pytest.raises(CodeError, match="euchre is played with 32 or 33 or 24 or 25 cards, not 52"):
        euchre.cards(52)
    with pytest.raises(CodeError, match="whist is dealt one card at a time, not 2-3"):
        code("whist").pattern_named("2-3")


def test_a_code_finds_its_laws_by_their_fault_in_order() -> None:
    first, second = (Law(number=n, when=Fault.CARD_FACED, remedy=Remedy.NEW_DEAL) for n in "12")
    house = replace(code("whist"), name="club", laws=(first, second))
    assert [law.citation for law in house.on(Fault.CARD_FACED)] == ["club 1", "club 2"]
    assert house.on(Fault.MISDEAL) == ()


def test_codes_without_laws_say_so() -> None:
    with pytest.raises(CodeError, match="'loo' is known, but its laws are not built yet; built: whist, euchre"):
        code("loo")
    with pytest.raises(CodeError, match="'table' is that of the register of the table, and no deal is played by it"):
        code("table")
    with pytest.raises(CodeError, match="no such code of laws: 'snap'; known are whist, euchre") as caught:
        code("snap")
    assert caught.value.code == "snap"
    assert len(KNOWN) == len(set(KNOWN))
