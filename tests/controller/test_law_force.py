"""Which clauses are in force in a house: those that a setting brings in, and those that it switches off."""

from __future__ import annotations

import pytest

from controller import laws
from controller.house import House
from controller.judge_bench import _rules_of
from controller.law_force import force
from controller.laws import built
from controller.laws.words import Condition, Fault, Remedy


def marks(code: str, number: str, when: Fault, house: House) -> list[tuple[Remedy, str | None]]:
    of = laws.code(code)
    return [(law.remedy, force(of, law, house)) for law in of.on(when) if law.number == number]


def test_a_setting_brings_one_clause_in_and_switches_the_next_off() -> None:
    for hidden, first, second in (("refused", "not in force", "in force"), ("reshuffle", "in force", "not in force")):
        house = House(hidden_shuffle=hidden)  # type: ignore[arg-type]  # the loop's type is wider
        assert marks("whist", "18", Fault.SHUFFLED_BELOW_TABLE, house) == [
            (Remedy.RESHUFFLE, f'{first}: hidden_shuffle is "{hidden}"'),
            (Remedy.REFUSED, f'{second}: hidden_shuffle is "{hidden}"'),
        ]


def test_a_clause_of_which_a_setting_takes_a_part_stays_in_force_without_a_mark() -> None:
    """Whist 37-VI: two cards that no single move puts right are a misdeal in every house."""
    for cure in (True, False):
        said = marks("whist", "37-VI", Fault.TWO_CARDS, House(hand_cure=cure))
        assert said[-1] == (Remedy.MISDEAL, None)


def test_a_clauses_own_setting_decides() -> None:
    """Euchre 12a: an exposure by the machine, as the house takes it."""
    of = laws.code("euchre")
    law = next(law for law in of.on(Fault.CARD_EXPOSED) if Condition.BY_MACHINE in law.provided)
    assert force(of, law, House()) == 'in force: machine_fault is "same_dealer"'
    assert force(of, law, House(machine_fault="as_dealer")) == 'not in force: machine_fault is "as_dealer"'


def test_a_clause_before_which_a_setting_has_the_same_follow_is_not_switched_off() -> None:
    """Euchre 14a: an uncut pack stands once the hand has ended, and in this house from the lead on."""
    assert marks("euchre", "14a", Fault.CUT_OMITTED, House())[-1] == (Remedy.STANDS, None)


@pytest.mark.parametrize("code", [code.name for code in built()])
@pytest.mark.parametrize("house", [House(), House(hand_cure=False, single_card_cure=False, euchre="modern")])
def test_what_the_judge_does_not_ask_for_is_not_in_force(code: str, house: House) -> None:
    of = laws.code(code)
    asked = {id(rule.law) for rules in _rules_of(of, house).values() for rule in rules}
    for law in of.laws:
        if id(law) not in asked:
            assert (force(of, law, house) or "").startswith("not in force"), law
