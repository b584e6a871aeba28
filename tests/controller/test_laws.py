"""The laws as data: they read aloud, they cite, and their files hold nothing but data."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from controller import laws
from controller.errors import CodeError
from controller.judge_conditions import HOLDS
from controller.laws import KNOWN, code, vocabulary
from controller.laws.vocabulary import Condition, Fault, Law, Remedy

FILES = [path for path in Path(laws.__file__).parent.glob("*.py") if path.name not in ("__init__.py", "vocabulary.py")]


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
    for name in ("whist",):
        for law in code(name).laws:
            if law.claimed_by is not None:
                assert law.remedy.value[1], str(law)
                assert law.until is not None, str(law)


def test_every_condition_has_a_meaning() -> None:
    assert set(HOLDS) == set(Condition)


def test_no_word_of_the_vocabulary_is_idle() -> None:
    used = {law.when for law in code("whist").laws}
    assert used == set(Fault)
    assert {law.remedy for law in code("whist").laws} == set(Remedy)


def test_a_code_finds_its_laws_by_their_fault_in_order() -> None:
    first, second = (Law(number=n, when=Fault.CARD_FACED, remedy=Remedy.NEW_DEAL) for n in "12")
    house = vocabulary.Code(name="club", title="", packs=(52,), pattern=code("whist").pattern, laws=(first, second))
    assert [law.citation for law in house.on(Fault.CARD_FACED)] == ["club 1", "club 2"]
    assert house.on(Fault.MISDEAL) == ()


def test_codes_without_laws_say_so() -> None:
    with pytest.raises(CodeError, match="'euchre' is known, but its laws are not built yet; built: whist"):
        code("euchre")
    with pytest.raises(CodeError, match="no such code of laws: 'snap'; known are whist, euchre") as caught:
        code("snap")
    assert caught.value.code == "snap"
    assert len(KNOWN) == len(set(KNOWN))
