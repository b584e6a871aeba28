"""A club's own code: what it changes, all that can be wrong with it, and that no club's code breaks the judge."""

from __future__ import annotations

import argparse
import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller import cli, judge_command, laws, laws_command
from controller.cli import _parser
from controller.club_check import complaints_of, overruled
from controller.club_code import PATTERNS, code_of, read_code
from controller.errors import ClubCodeError, CodeError, FactError
from controller.facts import parse_fact
from controller.house import House
from controller.judge import Judge
from controller.laws.vocabulary import Code
from controller.laws.words import Claimant, Condition, Fault, Party, Remedy, Window
from controller.rulings import to_json
from tests.controller.test_judge import legal_streams

Line = dict[str, Any]

HEAD = 'name = "tuesday_whist"\ntitle = "Whist on Tuesdays"\nbook = "The minutes of the club"\nbased_on = "whist"\n'
ALONE = """\
name = "plain"
title = "A plain game"
book = "Our minutes"
packs = [52]
patterns = ["singly"]
completion = "last_card"
"""
FACED = '[[law]]\nnumber = "1"\nwhen = "card_faced"\nremedy = "new_deal"\n'


def law(**fields: object) -> str:
    """One law of a file; lists and truth as TOML writes them."""
    return "[[law]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())


def wrong(text: str) -> tuple[str, ...]:
    """Everything that is wrong with a file."""
    with pytest.raises(ClubCodeError) as caught:
        read_code(text)
    return caught.value.complaints


# What a club may change.


def test_a_law_of_the_club_takes_the_place_of_those_of_its_number() -> None:
    club = read_code(HEAD + law(number="29-II", when="card_faced", until="lead", remedy="misdeal"))
    assert [str(one) for one in club.laws if one.number == "29-II"] == [
        "Tuesday whist 29-II. If a card is found face up in the pack, before the first card is led, it is a misdeal."
    ]
    assert len(club.laws) == len(laws.code("whist").laws)
    assert {one.code for one in club.laws} == {"tuesday_whist"}


def test_a_law_of_a_new_number_comes_before_the_others_on_its_fault() -> None:
    club = read_code(HEAD + law(number="C1", when="card_faced", provided=["last_card"], remedy="misdeal"))
    assert [one.number for one in club.on(Fault.CARD_FACED)] == ["C1", "29-II"]


def test_laws_and_duties_are_taken_away() -> None:
    club = read_code(HEAD + 'remove = ["72", "93"]\n')
    assert "72" not in {one.number for one in club.laws}
    assert "93" not in {duty.number for duty in club.duties}
    assert len(club.duties) == len(laws.code("whist").duties) - 1


def test_a_code_of_its_own_needs_no_printed_one() -> None:
    club = read_code(ALONE + FACED + '[[duty]]\nnumber = "2"\nsays = "Nobody smokes."\n')
    assert (club.name, club.packs, club.pattern.given, len(club.laws)) == ("plain", (52,), 52, 1)
    assert club.duties[0].says == "Nobody smokes."


def test_a_right_with_every_field_is_read() -> None:
    text = HEAD + law(
        number="C2",
        when="card_exposed",
        provided=["by_dealing_side"],
        unless=["adversaries_touched"],
        since="pack_cut",
        until="trump_turned",
        claimed_by="eldest_hand",
        claimants=["not_looked"],
        shown=True,
        remedy="new_deal",
    )
    read = read_code(text + 'setting = {key = "hand_cure", value = false}\n').laws[0]
    assert (read.claimed_by, read.claimants, read.shown, read.since) == (
        Party.ELDEST_HAND,
        (Claimant.NOT_LOOKED,),
        True,
        Window.PACK_CUT,
    )
    assert read.policy == "hand_cure"


# What can be wrong.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name =", "it is no TOML"),
        ('looked = "said"\ngrace_s = 3\n', "it holds settings of the house: name it with --house FILE"),
        ("name = " + "[" * 3000, "it is no TOML that can be read: it is nested too deeply"),
        ("least_cut = " + "9" * 5000, "it is no TOML that can be read: a number in it is too long"),
        (FACED, "name: it is missing"),
        (FACED, "packs: it is missing"),
        (HEAD + "luck = 1\n", "luck: no such field; known are name, title, book, based_on"),
        (HEAD.replace("tuesday_whist", "whist"), "name: 'whist' is the name of a printed code"),
        (HEAD.replace("tuesday_whist", "Our Whist"), "name: 'Our Whist' is not made of small letters"),
        (HEAD.replace('"whist"', '"snap"'), "based_on: no such code: 'snap'; allowed: whist, euchre"),
        (HEAD.replace('"whist"', '["whist"]'), "based_on: no such code: ['whist']; allowed: whist, euchre"),
        (HEAD + 'remove = ["999"]\n', "remove: whist has no law '999'"),
        (HEAD + 'remove = [["72"]]\n', "remove: whist has no law ['72']"),
        (ALONE + 'remove = ["1"]\n' + FACED, "remove: there is no code that it is based on"),
        (HEAD + "packs = [51]\n", "packs: no such one: 51; allowed: 24, 25, 32, 33, 52"),
        (HEAD + "packs = [52.0]\n", "packs: no such one: 52.0; allowed: 24, 25, 32, 33, 52"),
        (HEAD + "packs = [52, true]\n", "packs: no such one: true; allowed: 24, 25, 32, 33, 52"),
        (HEAD + "packs = [52, 52]\n", "packs: 52 is there twice"),
        (HEAD + "packs = []\n", "packs: it is empty"),
        (HEAD + "packs = 52\n", "packs: expected a list"),
        (HEAD + "packs = [32]\n", "packs: a deal singly gives out 52 cards, more than 32"),
        (
            HEAD + 'patterns = ["5-5"]\n',
            "patterns: no such one: '5-5'; allowed: singly, singly_trump, 2-3, 3-2, singles",
        ),
        (HEAD + 'patterns = ["singly"]\n', "completion: no card is turned up in one of the patterns"),
        (HEAD + "least_cut = 0\n", "least_cut: expected a whole number from 1, got 0"),
        (HEAD + "least_cut = 27\n", "least_cut: 52 cards do not make two packets of 27"),
        (HEAD.replace('"Whist on Tuesdays"', "3"), "title: expected a text of one line, got 3"),
        (HEAD.replace("on Tuesdays", "on\\u001b[2J"), "title: expected a text of one line, got 'Whist on"),
        (HEAD + 'completion = "never"\n', "completion: no such word: 'never'; allowed: trump, last_card"),
        (HEAD + 'law = "x"\n', "law: each one is a table of its own: write [[law]] above it"),
    ],
)
def test_what_is_wrong_with_the_head_names_its_field(text: str, words: str) -> None:
    assert any(complaint.startswith(words) for complaint in wrong(text))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"when": "card_facd"}, "law C1, when: no such word: 'card_facd'; allowed: shuffled_face_seen, "),
        ({"remedy": "flogging"}, "law C1, remedy: no such word: 'flogging'; allowed: allowed, refused, "),
        ({"until": "dawn"}, "law C1, until: no such word: 'dawn'; allowed: pack_cut, first_card, "),
        ({"claimed_by": "me"}, "law C1, claimed_by: no such word: 'me'; allowed: anyone, adversaries, "),
        ({"provided": ["luck"]}, "law C1, provided: no such word: 'luck'; allowed: one_card_cures, "),
        ({"unless": "last_card"}, "law C1, unless: expected a list, as in [...], got 'last_card'"),
        ({"shown": 1}, "law C1, shown: expected true or false, got 1"),
        ({"luck": 1}, "law C1, luck: no such field; known are number, when, since, until"),
        ({"number": 1}, 'law (law 1 of the file), number: expected a text, as in "30a", got 1'),
        ({"setting": "x"}, "law C1, setting: expected a house setting, as in {key"),
        ({"since": "lead", "until": "pack_cut"}, "law C1, until: it is over before it begins"),
        ({"provided": ["last_card"], "unless": ["last_card"]}, "law C1, unless: last_card must hold and must not"),
        ({"when": "card_exposed", "since": "lead"}, "law C1, since: card_exposed cannot happen then any more"),
        ({"when": "cards_counted", "until": "pack_cut"}, "law C1, until: cards_counted cannot happen before then"),
        ({"when": "unequal_packets"}, "law C1, when: the cards are dealt one at a time: it can never apply"),
        ({"provided": ["in_stock"]}, "law C1, provided: every card is dealt: it can never apply"),
        (
            {"remedy": "deal_lost", "when": "misdeal", "claimed_by": "anyone"},
            "law C1, claimed_by: what follows misdeal",
        ),
        (
            {"remedy": "dealt_again"},
            "law C1, remedy: dealt_again does not follow card_faced; allowed: allowed, refused",
        ),
        ({"remedy": "correct_first"}, "law C1, remedy: correct_first does not follow card_faced"),
        ({"claimed_by": "anyone"}, "law C1, until: a right needs an end; allowed: pack_cut, trump_turned"),
        ({"claimed_by": "anyone", "until": "first_call"}, "law C1, until: a right does not end so; allowed: pack_cut"),
        ({"claimed_by": "anyone", "until": "lead", "remedy": "stands"}, "law C1, remedy: stands cannot be claimed"),
        ({"claimed_by": "opponents", "until": "lead"}, "law C1, claimed_by: card_faced names no player who has oppon"),
        ({"when": "trick_missed", "until": "first_card"}, "law C1, until: trick_missed cannot happen before then"),
        ({"when": "call_corrected"}, "law C1, when: call_corrected needs a trump that is turned up to be ordered up"),
        ({"when": "call_out_of_turn"}, "law C1, when: call_out_of_turn needs players who call, and the trump is dealt"),
        ({"when": "bid_out_of_turn"}, "law C1, when: bid_out_of_turn needs players who name the trump"),
        ({"remedy": "ordering_lost"}, "law C1, remedy: ordering_lost needs a trump that is turned up to be ordered up"),
        ({"claimants": ["not_looked"]}, "law C1, claimants: nobody claims it: name who may under claimed_by"),
    ],
)
def test_what_is_wrong_with_a_law_names_it_and_its_field(fields: Line, words: str) -> None:
    right = {"number": "C1", "when": "card_faced", "remedy": "new_deal"}
    complaints = wrong(HEAD + law(**(right | fields)))
    assert any(complaint.startswith(words) for complaint in complaints), complaints


def test_duties_have_numbers_of_their_own_and_say_something() -> None:
    duties = '[[duty]]\nnumber = "T2"\nsays = "One."\n[[duty]]\nnumber = "T2"\nsays = "Another."\n'
    assert wrong(HEAD + duties) == ("law T2, number: it is the number of two duties",)
    assert wrong(HEAD + '[[duty]]\nnumber = "T2"\nsays = " "\n')[0].startswith("law T2, says: expected a sentence")


def test_a_setting_of_a_law_is_one_of_the_house() -> None:
    text = HEAD + law(number="C1", when="card_faced", remedy="new_deal")
    unknown = wrong(text + 'setting = {key = "luck", value = true}\n')[0]
    assert unknown.startswith("law C1, setting: luck: no such setting; known are machine_fault")
    bad = wrong(text + 'setting = {key = "looked", value = "no"}\n')[0]
    assert bad == 'law C1, setting: looked: expected one of "tray_lifted", "said", got \'no\''


def test_a_card_that_is_turned_up_is_needed_for_laws_on_it() -> None:
    text = ALONE + law(number="1", when="last_card_face_down", remedy="new_deal")
    assert wrong(text) == ("law 1, when: last_card_face_down needs a card that is turned up: it can never apply",)


def test_a_law_behind_one_that_always_applies_can_never_apply() -> None:
    second = law(number="2", when="card_faced", provided=["last_card"], remedy="stands")
    assert wrong(ALONE + FACED + second) == (
        "law 2, when: law 1 before it applies whenever this does: it can never apply",
    )
    assert wrong(ALONE + FACED + FACED) == (
        "law 1, number: it is there twice, on the same fault and under the same conditions",
    )


def test_a_misdeal_and_a_cure_need_the_laws_that_follow_them() -> None:
    assert wrong(ALONE + law(number="1", when="card_faced", remedy="misdeal")) == (
        'law 1, remedy: no law says what a misdeal costs: declare one when = "misdeal"',
    )
    assert wrong(ALONE + law(number="1", when="two_cards", remedy="correct_first")) == (
        "law 1, remedy: no law says what follows if it is not: declare one when = 'two_cards_left'",
    )


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        (["39", "38", "36"], 'whist 28 stays, but no law says what a misdeal costs: declare one when = "misdeal"'),
        (["39"], 'whist 28 stays, but no law says what every misdeal costs: declare one when = "misdeal" without cond'),
    ],
)
def test_what_a_misdeal_costs_cannot_be_taken_away(numbers: list[str], reason: str) -> None:
    (complaint,) = wrong(HEAD + f"remove = {json.dumps(numbers)}\n")
    assert complaint.startswith(f"remove: {reason}")
    kept = law(number="C1", when="misdeal", remedy="dealt_again")
    assert read_code(HEAD + f"remove = {json.dumps(numbers)}\n" + kept).on(Fault.MISDEAL)[0].number == "C1"


def test_what_follows_a_cure_cannot_be_taken_away() -> None:
    (complaint,) = wrong(
        HEAD.replace("whist", "bridge")
        + 'remove = ["N1e"]\n'
        + law(number="C1", when="two_at_once", remedy="correct_first")
    )
    assert complaint.startswith("law C1, remedy: no law says what follows if it is not")


def test_a_code_without_a_law_is_none() -> None:
    assert wrong(ALONE) == ("law: there is none: a code has at least one law",)


def test_what_is_wrong_with_laws_is_said_beside_what_is_wrong_with_the_head() -> None:
    right_without_end = law(number="T2", when="card_faced", claimed_by="anyone", remedy="new_deal")
    text = HEAD.replace('"whist"', '"wist"') + 'remove = ["72"]\n' + right_without_end
    assert [complaint.split(": ")[0] for complaint in wrong(text)] == ["based_on", "law T2, until"]


def test_a_number_may_hold_a_law_and_a_duty() -> None:
    """As auction 29 does."""
    code = read_code(ALONE + FACED + '[[duty]]\nnumber = "1"\nsays = "Nobody smokes."\n')
    assert [law.number for law in code.laws] == [duty.number for duty in code.duties] == ["1"]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    text = HEAD + "luck = 1\npacks = [32]\n" + law(number="C1", when="x", remedy="y") + law(number="C2", remedy="stop")
    text += law(number="C3", when="card_faced", since="lead", until="pack_cut", remedy="misdeal")
    assert [complaint.split(":")[0] for complaint in wrong(text)] == [
        "luck",
        "law C1, when",
        "law C1, remedy",
        "law C2, when",
        "packs",
        "law C3, until",
    ]


def test_nothing_is_said_of_a_law_that_is_only_misspelt() -> None:
    cost = law(number="2", when="misdeel", remedy="deal_lost")
    assert [complaint.split(":")[0] for complaint in wrong(ALONE + FACED.replace("new_deal", "misdeal") + cost)] == [
        "law 2, when"
    ]


@pytest.mark.parametrize("name", [code.name for code in laws.built()])
def test_no_printed_code_has_what_a_club_is_told_of(name: str) -> None:
    code = laws.code(name)
    assert complaints_of(code, len(code.laws)) == ()
    assert overruled(code) == ()


# At the command line and in the record.


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A club where an exposed card is a new deal at once."""
    file = tmp_path / "ours.toml"
    file.write_text(HEAD + law(number="C3", when="card_exposed", until="trump_turned", remedy="new_deal"))
    return file


def command(module: Any, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    status: int = module.run(parser.parse_args(arguments))
    return status


def test_a_file_in_order_is_said_to_be_and_what_it_overrules(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(laws_command, "--check", str(club)) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{club} is in order: tuesday_whist, ")
    assert "Never applied, because the club's laws come first:\n  Tuesday whist 30a." in out
    assert "No clause speaks of" not in out
    assert command(laws_command, str(club), "C3") == 0
    assert capsys.readouterr().out.startswith("Tuesday whist C3. If a card is exposed during the deal")


def test_a_file_in_order_is_told_of_what_it_leaves_unsaid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plain.toml"
    file.write_text(ALONE + FACED)
    assert command(laws_command, "--check", str(file)) == 0
    said = capsys.readouterr().out.partition("No clause speaks of these, so that a deal goes on where\n")[2]
    assert said.splitlines() == [
        f"  {fault.value}"
        for fault in (Fault.TWO_CARDS, Fault.WRONG_PACKET, Fault.CARD_EXPOSED, Fault.LONG_HAND, Fault.PACK_BAD)
    ]


def test_a_file_in_disorder_is_refused_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(HEAD + "luck = 1\n" + law(number="C1", when="x", remedy="new_deal"))
    assert command(laws_command, "--check", str(file)) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[2] for line in lines] == ["luck", "law C1, when"]
    assert all(line.startswith(f"pone laws: {file}: ") for line in lines)
    assert command(laws_command, "--check", str(tmp_path / "none.toml")) == 1
    assert "no such file" in capsys.readouterr().err
    assert cli.main(["judge", "-", "--code", str(file)]) == 1
    assert f"(1 more: pone laws --check {file})" in capsys.readouterr().err


EXPOSED: tuple[Line, ...] = ({"fact": "dealt", "to": "W", "k": 1}, {"fact": "exposed", "card": "7C", "by": "E"})


def judged(
    opening: Line, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> list[Line]:
    """The rulings of the command on a deal in which a card is seen."""
    stream = "".join(f"{json.dumps(fact)}\n" for fact in (opening, *EXPOSED))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stream.encode())))
    assert command(judge_command, "-", *arguments) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


WHIST: Line = {"fact": "deal_opened", "code": "whist", "dealer": "S"}


def test_the_judge_applies_a_file_in_place_of_the_laws_of_the_deal(
    club: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged(WHIST, monkeypatch, capsys)[0]["ruling"] == "option"
    said = judged(WHIST, monkeypatch, capsys, "--code", str(club))
    assert [(one["ruling"], one["law"]) for one in said] == [("new_deal", "tuesday_whist C3")]


def test_the_record_holds_the_clubs_laws_and_is_judged_by_them(
    club: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opening = WHIST | {"code": "tuesday_whist", "laws": club.read_text()}
    said = judged(opening, monkeypatch, capsys)
    assert [one["law"] for one in said] == ["tuesday_whist C3"]
    assert code_of(opening) == read_code(club.read_text())
    assert code_of(WHIST) is laws.code("whist")
    with pytest.raises(CodeError, match="the laws in the record are those of 'tuesday_whist', not of 'whist'"):
        code_of(opening | {"code": "whist"})
    with pytest.raises(FactError, match=r"field laws: x: no such field; .* name: it is missing"):
        Judge().hear(parse_fact(WHIST | {"laws": "x = 1"}, line=1), 1)


def test_the_house_of_a_file_rules_where_the_deal_does_not_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.toml"
    file.write_text('euchre = "modern"\n')
    opening = WHIST | {"code": "euchre"}
    assert judged(opening, monkeypatch, capsys)[0]["ruling"] == "option"
    by_house = judged(opening, monkeypatch, capsys, "--house", str(file))
    assert [(one["ruling"], one["policy"]) for one in by_house] == [("new_deal", "euchre")]
    said_itself = judged(opening | {"house": {}}, monkeypatch, capsys, "--house", str(file))
    assert said_itself[0]["ruling"] == "option"


# No club's code breaks the judge.


def word_of(words: Any) -> st.SearchStrategy[str]:
    return st.sampled_from([word.name.lower() for word in words])


LAWS = st.fixed_dictionaries(
    {"number": st.sampled_from(["1", "2", "3", "4"]), "when": word_of(Fault), "remedy": word_of(Remedy)},
    optional={
        "provided": st.lists(word_of(Condition), max_size=1),
        "unless": st.lists(word_of(Condition), max_size=1),
        "since": word_of(Window),
        "until": word_of(Window),
        "claimed_by": word_of(Party),
        "claimants": st.lists(word_of(Claimant), max_size=1),
        "shown": st.booleans(),
    },
)


def in_order(base: str, entries: list[Line]) -> Code:
    """A club's code of as many of these laws as are in order together."""
    text = HEAD.replace('"whist"', f'"{base}"')
    code = read_code(text)
    for entry in entries:
        try:
            code = read_code(text + law(**entry))
        except ClubCodeError:
            continue
        text += law(**entry)
    return code


@given(legal_streams(), st.lists(LAWS, max_size=30))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_in_order_can_be_judged(stream: list[Line], entries: list[Line]) -> None:
    code = in_order(stream[0]["code"], entries)
    judge = Judge(code)
    for line, obj in enumerate(stream, start=1):
        for said in judge.hear(parse_fact(obj, line=line), line):
            assert to_json(said)["on"] == line


def test_every_pattern_by_name_is_one_of_the_record() -> None:
    named = {name: pattern for name, pattern in PATTERNS.items() if pattern.name}
    assert {pattern.name for pattern in named.values()} == set(named)


def test_the_defaults_are_the_house_of_a_deal_that_says_nothing() -> None:
    fact = parse_fact(WHIST | {"house": House().whole()}, line=1)
    assert fact == parse_fact(WHIST, line=1)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "house.md"


def test_the_example_of_the_page_does_what_the_page_says() -> None:
    code = read_code(PAGE.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0])
    assert [one.number for one in code.laws[:2]] == ["29-II", "T1"]
    assert code.on(Fault.CARD_FACED)[0].unless == ()
    assert "72" not in {one.number for one in code.laws}


def test_the_commands_of_the_page_are_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club.toml").write_text("grace_s = 3\n")
    Path("ours.toml").write_text(HEAD)
    lines = [line.strip() for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("    pone ")]
    assert len(lines) == 8
    for line in lines:
        assert callable(_parser().parse_args(shlex.split(line.partition(" > ")[0])[1:]).run), line
