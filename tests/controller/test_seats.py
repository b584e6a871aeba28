"""Words of the seats: from a machine's buttons and from lines of text, and the facts that they are."""

from __future__ import annotations

from typing import Any

import pytest

from controller.errors import SeatWordError
from controller.facts import parse_fact
from controller.seats import SeatWord, parse_word, vocabulary, word_of
from controller.table import Seat
from firmware_bridge.events import SeatActed
from firmware_bridge.words import Call, Claim, Report, SeatAct, TableAct, Tray, Who

SPOKEN: list[tuple[str, dict[str, Any]]] = [
    ("N touch", {"fact": "touched", "seat": "N"}),
    ("e take_up w", {"fact": "taken_up", "by": "E", "of": "W"}),
    ("S look", {"fact": "looked", "seat": "S", "at": "own"}),
    ("S look trump", {"fact": "looked", "seat": "S", "at": "trump"}),
    ("W claim fresh_cut", {"fact": "claimed", "by": "W", "what": "fresh_cut"}),
    ("W waive", {"fact": "waived", "by": "W"}),
    ("N permit deal", {"fact": "permitted", "by": "N", "act": "deal"}),
    ("N ask new_packs", {"fact": "asked", "by": "N", "act": "new_packs"}),
    ("E call order_up", {"fact": "called", "seat": "E", "what": "order_up"}),
    ("E report exposed_on", {"fact": "exposed", "where": "on", "told_by": "E"}),
    ("E report exposed_below s", {"fact": "exposed", "where": "below", "by": "S", "told_by": "E"}),
    (
        "E report exposed_above machine",
        {"fact": "exposed", "where": "above", "by": "machine", "told_by": "E"},
    ),
    ("E report out_of_turn", {"fact": "found", "what": "out_of_turn", "by": "E"}),
    ("E report wrong_pack", {"fact": "found", "what": "wrong_pack", "by": "E"}),
    ("E report cut_omitted", {"fact": "found", "what": "cut_omitted", "by": "E"}),
    ("E report short_hand n", {"fact": "found", "what": "short_hand", "by": "E", "seat": "N"}),
    ("E report long_hand", {"fact": "found", "what": "long_hand", "by": "E", "seat": "E"}),
    ("E report bad_pack", {"fact": "found", "what": "bad_pack", "by": "E"}),
    ("E report cut_exposed", {"fact": "asked", "by": "E", "act": "cut"}),
]


@pytest.mark.parametrize(("text", "fact"), SPOKEN, ids=lambda value: value if isinstance(value, str) else "")
def test_a_line_is_a_fact_that_the_record_knows(text: str, fact: dict[str, Any]) -> None:
    assert parse_word(text, line=1).fact() == fact
    parse_fact(fact, line=1)


def test_a_number_in_front_holds_the_word_back() -> None:
    assert (parse_word("20 N touch", line=1).after, parse_word("N touch", line=1).after) == (20, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("X touch", "it begins with a seat: N E S W"),
        ("", "it begins with a seat"),
        ("20", "it begins with a seat"),
        ("-1 N touch", "it begins with a seat"),
        ("N", "behind the seat stands one of: touch"),
        ("N shout", "behind the seat stands one of: touch"),
        ("N claim", "behind claim stands one of: new_deal"),
        ("N claim everything", "behind claim stands one of: new_deal"),
        ("N claim new_deal now", "nothing may stand behind it"),
        ("N touch s", "nothing may stand behind it"),
        ("N report exposed_on x", "whose act or hand"),
        ("N take_up", "behind take_up stands one of: n e s w"),
    ],
)
def test_a_line_that_says_nothing_is_named_by_its_number(text: str, says: str) -> None:
    with pytest.raises(SeatWordError, match=f"line 7: .*{says}") as error:
        parse_word(text, line=7)
    assert error.value.line == 7


EVENTS: list[tuple[SeatAct, int, Who, dict[str, Any]]] = [
    (SeatAct.TOUCHED, 0, Who.N, {"fact": "touched", "seat": "N"}),
    (SeatAct.TOUCHED, 0, Who.W, {"fact": "taken_up", "by": "N", "of": "W"}),
    (SeatAct.LOOKED, 2, Who.N, {"fact": "looked", "seat": "N", "at": "pack"}),
    *((SeatAct.CLAIMED, claim, Who.N, {"fact": "claimed", "by": "N", "what": claim.name.lower()}) for claim in Claim),
    (SeatAct.WAIVED, 0, Who.N, {"fact": "waived", "by": "N"}),
    *((SeatAct.PERMITTED, act, Who.N, {"fact": "permitted", "by": "N", "act": act.name.lower()}) for act in TableAct),
    *((SeatAct.ASKED, act, Who.N, {"fact": "asked", "by": "N", "act": act.name.lower()}) for act in TableAct),
    *((SeatAct.CALLED, call, Who.N, {"fact": "called", "seat": "N", "what": call.name.lower()}) for call in Call),
    (SeatAct.REPORTED, Report.EXPOSED_ON, Who.NOBODY_KNOWN, {"fact": "exposed", "where": "on", "told_by": "N"}),
    (SeatAct.REPORTED, Report.EXPOSED_ON, Who.E, {"fact": "exposed", "where": "on", "by": "E", "told_by": "N"}),
]


@pytest.mark.parametrize(("act", "what", "who", "fact"), EVENTS)
def test_a_button_is_a_fact_with_the_time_of_the_machine(
    act: SeatAct, what: int, who: Who, fact: dict[str, Any]
) -> None:
    word = word_of(SeatActed(1, 2, 0, 77, Tray.N, act, what, who))
    assert word is not None
    assert word.fact() == fact | {"t_us": 77}
    parse_fact(word.fact(), line=1)


@pytest.mark.parametrize("act", list(SeatAct))
def test_a_number_that_means_nothing_is_no_word(act: SeatAct) -> None:
    assert word_of(SeatActed(1, 2, 0, 77, Tray.N, act, 11, Who.N)) is None
    assert word_of(SeatActed(1, 2, 0, 77, Tray.STOCK, act, 0, Who.N)) is None


@pytest.mark.parametrize("report", list(Report))
def test_every_report_is_a_fact(report: Report) -> None:
    word = SeatWord(seat=Seat.N, act=SeatAct.REPORTED, what=report, who=Who.S)
    parse_fact(word.fact(), line=1)
    what = {Report.CUT_EXPOSED: "exposed", Report.CUT_CONFUSED: "confused"}.get(report)
    assert word.of_the_cut == (what and {"fact": "cut_reported", "what": what, "by": "N"})


def test_the_vocabulary_names_every_word_of_the_wire() -> None:
    said = vocabulary()
    for names in (Claim, TableAct, Call, Report):
        assert all(member.name.lower() in said for member in names)
