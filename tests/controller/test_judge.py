"""The judge's contract whatever the code says: order, prefix, determinism, rotation, memory, and the state."""

from __future__ import annotations

import gc
import json
import sys
import tracemalloc
from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields
from itertools import count
from pathlib import Path
from types import FrameType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import facts
from controller.errors import FactError, OrderError
from controller.facts import Fact, parse_fact
from controller.judge import Judge
from controller.judge_hearings import HEARINGS
from controller.judge_state import DealState
from controller.laws import built, code
from controller.laws.vocabulary import Code
from controller.rulings import to_json
from controller.table import Seat, pone_of, rotation
from vision.cards import Card

Line = dict[str, Any]

DATA = Path(__file__).parent / "data"
OPEN: Line = {"fact": "deal_opened", "code": "whist", "dealer": "S"}


def judged(stream: list[Line]) -> list[list[Line]]:
    """The rulings on every line."""
    judge = Judge()
    return [[to_json(said) for said in judge.hear(parse_fact(obj, line=n), n)] for n, obj in enumerate(stream, 1)]


def in_rotation(first: int, last: int) -> list[Line]:
    """Cards dealt rightly by South."""
    return [{"fact": "dealt", "to": str(rotation(Seat.S)[k % 4]), "k": k} for k in range(first, last + 1)]


# Order.


@pytest.mark.parametrize(
    ("stream", "field"),
    [
        ([{"fact": "dealing_began", "by": "S"}], "fact"),
        ([{"fact": "seen", "k": 1, "state": "empty", "confidence_ppm": 0}], "fact"),
        ([OPEN, OPEN], "fact"),
        ([OPEN, {"fact": "dealt", "to": "W", "k": 2}], "k"),
        ([OPEN, *in_rotation(1, 3), {"fact": "dealt", "to": "S", "k": 3}], "k"),
        ([OPEN, *in_rotation(1, 52), {"fact": "dealt", "to": "W", "k": 53}], "k"),
        ([OPEN, {"fact": "faced", "k": 53}], "k"),
        ([OPEN, *in_rotation(1, 1), {"fact": "cut", "by": "E", "top": 20, "bottom": 32}], "fact"),
        ([OPEN, {"fact": "led", "seat": "W"}], "fact"),
        ([OPEN, {"fact": "played", "seat": "W"}], "fact"),
        ([OPEN, {"fact": "quitted", "trick": 1}], "fact"),
        ([OPEN, {"fact": "hand_ended"}], "fact"),
        ([OPEN, {"fact": "turned", "card": "AS"}], "fact"),
        ([OPEN, {"fact": "laid_face_down", "on": "S"}], "fact"),
    ],
)
def test_an_impossible_order_names_its_line_and_field(stream: list[Line], field: str) -> None:
    with pytest.raises(OrderError) as caught:
        judged(stream)
    assert (caught.value.line, caught.value.field) == (len(stream), field)


@pytest.mark.parametrize(
    ("opening", "field", "words"),
    [
        ({"code": "loo"}, "code", "not built yet"),
        ({"code": "snap"}, "code", "known are whist, euchre"),
        ({"pack": 32}, "pack", "52 cards, not 32"),
        ({"pattern": "2-3"}, "pattern", "one card at a time"),
        ({"code": "euchre", "pack": 52}, "pack", "32 or 33 or 24 or 25 cards, not 52"),
    ],
)
def test_a_deal_opened_under_other_laws_is_refused(opening: Line, field: str, words: str) -> None:
    with pytest.raises(FactError, match=words) as caught:
        judged([OPEN | opening])
    assert (caught.value.line, caught.value.field) == (1, field)


def test_what_the_record_carries_is_passed_over() -> None:
    carried: list[Line] = [
        {"fact": "mode", "mode": "table_deal"},
        {"fact": "seen", "k": 1, "state": "card", "card": "AS", "confidence_ppm": 990000},
        {"fact": "routed", "k": 1, "to": "W"},
        {"fact": "halted", "law": "whist 37-VI"},
        {"fact": "acknowledged", "by": "director"},
    ]
    assert judged([OPEN, *carried]) == [[]] * 6


# The state.

EXPOSED_THEN_DOUBLE: list[Line] = [
    {"fact": "exposed", "card": "7C", "by": "S"},
    {"fact": "waived", "by": "W"},
    {"fact": "dealt", "to": "W", "k": 10, "count": 2},
]


def test_the_state_tells_what_is_held_open_and_decided() -> None:
    judge = Judge()
    assert judge.state() == {"phase": "not_opened"}
    for line, obj in enumerate([OPEN, *in_rotation(1, 8), *EXPOSED_THEN_DOUBLE], start=1):
        judge.hear(parse_fact(obj, line=line), line)
    state = judge.state()
    assert state["holding"] == "whist 37-VI"
    assert state["counts"] == {"N": 2, "E": 2, "S": 2, "W": 4}
    assert (judge.holding, judge.ended) == (True, None)
    assert [option.may for option in judge.open_options] == [(Seat.E,)]
    judge.hear(facts.Corrected(cards_moved=1), 12)
    assert judge.state()["counts"] == {"N": 3, "E": 2, "S": 2, "W": 3}
    assert judge.holding is False
    judge.hear(facts.Claimed(by=Seat.E, what="new_deal"), 13)
    assert (judge.state()["phase"], judge.state()["next_dealer"]) == ("ended", "S")
    assert judge.open_options == ()


def test_a_good_deal_passes_to_the_left_without_a_ruling() -> None:
    judge = Judge()
    for line, obj in enumerate([OPEN, *in_rotation(1, 52), {"fact": "turned", "card": "AS"}], start=1):
        assert judge.hear(parse_fact(obj, line=line), line) == []
    assert judge.state()["next_dealer"] == "W"
    assert set(judge.state()["counts"].values()) == {13}


@pytest.mark.parametrize(("third", "pattern"), [("W", "3-2"), ("N", "2-3")])
def test_the_first_round_of_euchre_shows_its_pattern(third: str, pattern: str) -> None:
    judge = Judge()
    stream: list[Line] = [{"fact": "deal_opened", "code": "euchre", "dealer": "S"}]
    stream += [{"fact": "dealt", "to": to, "k": k} for k, to in enumerate(("W", "W", third), start=1)]
    for line, obj in enumerate(stream, start=1):
        assert judge.hear(parse_fact(obj, line=line), line) == []
    assert judge.pattern == code("euchre").pattern_named(pattern)
    assert judge.state()["pattern"] == pattern


# Properties.

SEATS = st.sampled_from("NESW")
FLAG = st.booleans()


def among(*values: Any) -> st.SearchStrategy[Any]:
    """One of some values."""
    return st.sampled_from(values)


CARDS = among("AS", "7C", "QH")
NUMBERS = {
    "k": st.integers(1, 52),
    "count": st.integers(0, 14),
    "top": st.integers(0, 52),
    "bottom": st.integers(0, 52),
    "tolerance": st.integers(0, 2),
    "cards_moved": st.integers(1, 3),
    "trick": st.integers(1, 13),
}
WORDS = {"code": among("jam_exit", "double_feed"), "what": among("pass", "assist", "order_up", "1H", "8C", "double")}


def any_of(hint: Any, name: str) -> st.SearchStrategy[Any]:
    """Any value of a field, as JSON has it."""
    if hint is Any:
        return among(True, False, None, "machine", "W", 52)
    if get_origin(hint) is Literal:
        return among(*get_args(hint))
    if get_origin(hint) is tuple:
        return st.lists(CARDS, max_size=2)
    if get_origin(hint) in (Union, UnionType):
        return st.one_of(*(any_of(part, name) for part in get_args(hint)))
    if hint is str:
        return WORDS[name]
    if hint is int:
        return NUMBERS[name]
    return {Seat: SEATS, Card: CARDS, bool: FLAG, type(None): st.none()}[hint]


def a(fact: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Line]:
    """One kind of fact."""
    return st.fixed_dictionaries({"fact": st.just(fact), **fields})


def any_fact(kind: type[Fact]) -> st.SearchStrategy[Line]:
    """One kind of fact, with all it may say."""
    hints = get_type_hints(kind)
    said = [part.name for part in fields(kind) if part.name != "t_us"]
    return a(kind.name, **{name.rstrip("_"): any_of(hints[name], name) for name in said})


PLACED = {"cut", "turned", "laid_face_down", "deal_completed", "declared", "called", "led", "played", "quitted"}
PLACED |= {"hand_ended", "next_dealt"}
ANYTIME = [any_fact(kind) for kind in HEARINGS if kind is not facts.Dealt and kind.name not in PLACED]
BEFORE = [any_fact(facts.Cut)]
AFTER = [any_fact(kind) for kind in HEARINGS if kind.name in PLACED and kind is not facts.Cut]
WRONG = a("dealt", to=SEATS, count=st.integers(1, 3))
HOUSE = st.fixed_dictionaries(
    {},
    optional={
        "grace_s": among(0, 2.5, 5),
        "shuffle_in_play": FLAG,
        "machine_fault": among("same_dealer", "as_dealer"),
        "two_faults": among("first", "gravest"),
        "looked": among("tray_lifted", "said"),
        "single_card_cure": FLAG,
        "hand_cure": FLAG,
        "short_hand_early": among("ask_director", "new_deal"),
        "misdeal_until": among("lead", "hand_ended"),
        "stock_faced": among("counts", "ignored"),
        "euchre": among("foster", "somerset", "modern"),
        "hidden_shuffle": among("refused", "reshuffle"),
        "modern_exposed": among("misdeal", "new_deal"),
        "modern_misdeal": among("same_dealer", "second_lost", "deal_lost"),
        "unread_law": among("ask_director", "ignored"),
    },
)


@st.composite
def legal_streams(draw: st.DrawFn) -> list[Line]:
    """A deal under one of the codes in a legal order, with as many faults as can be."""
    dealer, laws = draw(SEATS), draw(among(*built()))
    pattern, pack = draw(among(*laws.patterns)), draw(among(*laws.packs))
    order = pattern.order(Seat(dealer))
    stream: list[Line] = [
        {"fact": "deal_opened", "code": laws.name, "dealer": dealer, "pack": pack, "house": draw(HOUSE)}
        | draw(among({}, {"misdeals": 1}))
    ]
    dealt = 0
    clock = count(1_000_000, draw(st.integers(0, 3_000_000)))
    for cards, step in draw(
        st.lists(st.tuples(among(0, 0, 0, 1, 5, 20), st.one_of(WRONG, *ANYTIME, *BEFORE, *AFTER)), max_size=25)
    ):
        last = max(dealt, min(len(order), dealt + cards))
        stream += [{"fact": "dealt", "to": str(order[k - 1]), "k": k} for k in range(dealt + 1, last + 1)]
        dealt = last
        if step["fact"] == "dealt":
            if dealt + step["count"] <= pack:
                dealt += step["count"]
                stream.append(step | {"k": dealt})
        elif _is_possible(step, dealt, pack):
            stream.append(step | {"t_us": next(clock)})
    return stream


def _is_possible(step: Line, dealt: int, pack: int) -> bool:
    too_late = step["fact"] == "cut" and dealt
    too_early = step["fact"] in PLACED and step["fact"] != "cut" and not dealt
    return not too_late and not too_early and (step.get("k") or 0) <= pack


@given(legal_streams())
@settings(max_examples=400, deadline=None)
def test_any_legal_order_is_judged_the_same_way_every_time(stream: list[Line]) -> None:
    said = judged(stream)
    assert said == judged(stream)
    for line, rulings in enumerate(said, start=1):
        assert all(ruling["on"] == line and {"law", "policy"} & ruling.keys() for ruling in rulings)


@given(legal_streams(), st.data())
@settings(max_examples=200, deadline=None)
def test_the_rulings_of_a_prefix_are_a_prefix_of_the_rulings(stream: list[Line], data: st.DataObject) -> None:
    length = data.draw(st.integers(1, len(stream)))
    assert judged(stream[:length]) == judged(stream)[:length]


@given(legal_streams())
@settings(max_examples=200, deadline=None)
def test_a_table_turned_by_a_quarter_gives_rulings_turned_by_a_quarter(stream: list[Line]) -> None:
    turned = [_turned(line) for line in stream]
    assert judged(turned) == [[_turned(ruling) for ruling in rulings] for rulings in judged(stream)]


_SIDES = {"NS": "EW", "EW": "NS"}
_TEXTS = {"because", "why", "law", "card", "fact", "ruling"}


def _turned(obj: Line) -> Line:
    def turn(key: str, value: Any) -> Any:
        if isinstance(value, list):
            return [turn(key, item) for item in value]
        if key in _TEXTS or not isinstance(value, str):
            return value
        return str(pone_of(Seat(value))) if value in tuple(Seat) else _SIDES.get(value, value)

    return {key: turn(key, value) for key, value in obj.items()}


RESTLESS: list[Line] = [
    *(
        {"fact": "exposed", "card": card, "by": by}
        for card, by in zip(("7C", "QH", "AS"), ("S", "E", None), strict=True)
    ),
    *({"fact": "touched", "seat": seat} for seat in "NESW"),
    {"fact": "waived", "by": "W"},
    {"fact": "claimed", "by": "N", "what": "new_deal"},
    {"fact": "looked", "seat": "N", "at": "pack"},
]
"""What can be said of a deal over and over; in whist most of it opens a right or answers one."""
LONG = 10_000


@pytest.mark.parametrize("laws", built(), ids=lambda laws: laws.name)
@pytest.mark.parametrize("whole", [False, True])
def test_a_long_deal_costs_the_same_for_every_fact_and_no_memory(laws: Code, *, whole: bool) -> None:
    """The work is counted in calls, so that a busy machine changes nothing; the benchmark hears a million facts."""
    order = laws.pattern.order(Seat.S)
    stream = [OPEN | {"code": laws.name}, *({"fact": "dealt", "to": to, "k": k} for k, to in enumerate(order, start=1))]
    judge = Judge()
    for line, obj in enumerate(stream if whole else stream[:9], start=1):
        judge.hear(parse_fact(obj, line=line), line)
    restless = [parse_fact(obj, line=1) for obj in RESTLESS]

    def hear(first: int, count: int) -> int:
        """Hear so many facts from a line on, and return the bytes taken since `tracemalloc` began."""
        for line in range(first, first + count):
            judge.hear(restless[line % len(restless)], line)
        gc.collect()  # else the interpreter keeps a stock of tuples
        return tracemalloc.get_traced_memory()[0]

    hear(100, 100)
    early = calls_of(lambda: hear(200, 100))
    tracemalloc.start()
    settled = hear(1_000, 1_000)
    grown = hear(2_000, LONG) - settled
    tracemalloc.stop()
    assert grown < 2_000, "bytes"
    assert calls_of(lambda: hear(100_000, 100)) == early


def calls_of(act: Callable[[], object]) -> int:
    """How many functions are called."""
    made = 0

    def note(frame: FrameType, event: str, arg: object) -> None:
        nonlocal made
        made += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    act()
    sys.setprofile(before)
    return made


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ({}, "who exposed the card is not known"),
        ({"by": "E"}, "a card is exposed during the deal, and the code leaves it to the director"),
    ],
)
def test_the_director_is_asked_who_exposed_a_card_only_where_nobody_knows(by: Line, why: str) -> None:
    dealt: Line = {"fact": "dealt", "to": "W", "k": 1}
    stream = [OPEN | {"code": "english_bridge"}, dealt, {"fact": "exposed", "card": "7C"} | by]
    judge = Judge()
    said = [judge.hear(parse_fact(fact, line=line), line) for line, fact in enumerate(stream, start=1)][-1]
    assert [to_json(ruling)["why"] for ruling in said] == [why]


def test_the_example_of_the_contract() -> None:
    stream = [json.loads(line) for line in (DATA / "contract_example.jsonl").read_text().splitlines()]
    said = [ruling for rulings in judged(stream) for ruling in rulings]
    for ruling in said:
        assert ruling.pop("because")
    assert said == [
        {"ruling": "correct_first", "law": "whist 37-VI", "on": 5},
        {"ruling": "misdeal", "law": "whist 37-VI", "lost": True, "dealer": "W", "on": 6},
    ]


# A fact that is refused.


def test_a_refused_fact_does_not_let_the_reasonable_time_run_out() -> None:
    """It is on nobody's record, so neither is the moment that it names."""
    judge = Judge()
    stream = [OPEN, *in_rotation(1, 51), {"fact": "exposed", "by": "S", "card": "7C", "t_us": 1_000_000}]
    stream += [{"fact": "dealt", "to": "S", "k": 52}, {"fact": "turned", "card": "AS"}]
    for line, obj in enumerate(stream, start=1):
        judge.hear(parse_fact(obj, line=line), line)
    open_before = judge.open_options
    assert open_before
    with pytest.raises(OrderError):
        judge.hear(parse_fact({"fact": "cut", "by": "E", "top": 9, "bottom": 43, "t_us": 99_000_000}, line=56), 56)
    assert judge.open_options == open_before


def state_of(judge: Judge) -> DealState:
    """A copy of all that the judge knows; laws and house do not change."""
    assert judge._bench is not None
    deal = judge._bench.deal
    fixed = (deal.code, deal.house, deal.pattern, deal.patterns, *deal.code.laws)
    return deepcopy(deal, {id(one): one for one in fixed})


REFUSED = st.one_of(
    a("dealt", to=SEATS, k=st.integers(1, 60), count=st.integers(1, 3)),
    a("faced", k=st.integers(20, 60)),
    *BEFORE,
    *AFTER,
    a("deal_opened", code=st.just("whist"), dealer=SEATS),
)
"""Facts that stand in some places only."""


@given(legal_streams(), st.lists(st.tuples(st.integers(0, 60), REFUSED, st.integers(0, 9_000_000)), max_size=12))
@settings(max_examples=200, deadline=None)
def test_a_refused_fact_changes_nothing(stream: list[Line], others: list[tuple[int, Line, int]]) -> None:
    for place, other, later_us in others:
        stream.insert(1 + place % len(stream), other | {"t_us": 1_000_000 + later_us})
    judge = Judge()
    judge.hear(parse_fact(stream[0], line=1), 1)
    for line, obj in enumerate(stream[1:], start=2):
        before, fact = state_of(judge), parse_fact(obj, line=line)
        try:
            judge.hear(fact, line)
        except OrderError:
            assert state_of(judge) == before


def test_a_call_before_the_first_card_is_refused_and_leaves_no_trace() -> None:
    """Whoever calls has seen his hand: a call that could not be is no such sign when the hands are weighed."""
    judge = Judge()
    judge.hear(parse_fact(OPEN, line=1), 1)
    before = state_of(judge)
    for line, fact in enumerate((facts.Called(seat=Seat.N, what="pass"), facts.Declared(seat=Seat.E)), start=2):
        with pytest.raises(OrderError):
            judge.hear(fact, line)
    assert state_of(judge) == before


@pytest.mark.parametrize(
    ("name", "law"), [("whist", "29-II"), ("euchre", "11a"), ("bridge", "N1c"), ("auction", "37c")]
)
def test_a_call_before_the_deal_is_completed_ends_no_right(name: str, law: str) -> None:
    """A button pressed too soon must not disarm the laws of the deal."""
    stream = [
        OPEN | {"code": name},
        {"fact": "dealt", "to": "W", "k": 1},
        {"fact": "called", "seat": "W", "what": "pass"},
    ]
    *_, early, late = judged([*stream, {"fact": "faced", "k": 2}])
    assert [ruling["law"] for ruling in early] == (["euchre 15a"] if name == "euchre" else [])
    assert [ruling["law"] for ruling in late] == [f"{name} {law}"]


# Claims without a right.

EXPOSED_LATE: list[Line] = [{"fact": "touched", "seat": "W"}, {"fact": "exposed", "card": "7C", "by": "S"}]
CLAIM: Line = {"fact": "claimed", "by": "W", "what": "new_deal"}


def refusal(name: str, *said: Line) -> Line:
    """The last ruling on a deal of which eight cards fell before this was said."""
    opened = OPEN | {"code": name}
    order = code(name).pattern.order(Seat.S)
    cards: list[Line] = [{"fact": "dealt", "to": str(order[k - 1]), "k": k} for k in range(1, 9)]
    return judged([opened, *cards, *said])[-1][-1]


@pytest.mark.parametrize(
    ("name", "law", "why"),
    [
        ("whist", "whist 88", "whist 30a gives no right to it: the adversaries have touched cards"),
        ("euchre", "euchre 12a", "euchre 12a gives no right to it: the adversaries have touched cards"),
    ],
)
def test_a_refused_claim_says_why_what_happened_gives_no_right(name: str, law: str, why: str) -> None:
    said = refusal(name, *EXPOSED_LATE, CLAIM)
    assert said["law"] == law
    assert why in said["because"]


def test_a_bar_claimed_against_a_side_that_is_barred_already_is_no_more_than_that() -> None:
    order = code("euchre").pattern.order(Seat.S)
    cards: list[Line] = [{"fact": "dealt", "to": str(order[k - 1]), "k": k} for k in range(1, 21)]
    turned: Line = {"fact": "turned", "to": "S", "card": "9H"}
    remarked: Line = {"fact": "remarked", "by": "W", "what": "at_the_bridge"}
    bar: Line = {"fact": "claimed", "by": "N", "what": "bar"}
    *_, barred, again = judged([OPEN | {"code": "euchre"}, *cards, turned, remarked, bar])
    assert [(one["ruling"], one["law"]) for one in barred + again] == [
        ("barred", "euchre 15c"),
        ("refused", "euchre 15c"),
    ]
    assert "the other side is barred already" in again[0]["because"]


def test_a_player_who_looked_is_told_that_he_did() -> None:
    looked: Line = {"fact": "looked", "seat": "W"}
    said = refusal("bridge", looked, EXPOSED_LATE[1], CLAIM)
    assert (said["ruling"], said["law"]) == ("refused", "bridge N3")
    assert "bridge N2a gives no right to it: it is given to a player who has not looked at a card" in said["because"]
    assert refusal("bridge", looked, CLAIM | {"what": "stop"})["law"] != "bridge N3"


@pytest.mark.parametrize(
    ("name", "what", "law"),
    [
        ("euchre", "bar", "euchre 15b"),
        ("euchre", "stop", "euchre 13a"),
        ("auction", "stop", "auction 40a"),
        ("english_bridge", "new_deal", "english_bridge 40"),
        ("somerset_euchre", "stop", "somerset_euchre 40"),
    ],
)
def test_a_claim_that_nothing_gave_rise_to_is_refused_by_the_clause_that_gives_such_a_right(
    name: str, what: str, law: str
) -> None:
    said = refusal(name, CLAIM | {"what": what})
    assert (said["ruling"], said["law"]) == ("refused", law)
    assert said["because"] in {one.sentence for one in code(name).laws if one.citation == law}


@pytest.mark.parametrize(("name", "what"), [("euchre", "other"), ("euchre", "reshuffle"), ("somerset_euchre", "bar")])
def test_a_claim_that_no_clause_gives_is_refused_by_the_code_and_says_so(name: str, what: str) -> None:
    said = refusal(name, CLAIM | {"what": what})
    assert (said["ruling"], said["law"]) == ("refused", name)
    assert said["because"] == f"No clause of {code(name).spoken} gives a player such a claim."


def test_a_claim_that_no_clause_gives_is_refused_by_the_right_that_is_open() -> None:
    exposed, wrong = EXPOSED_LATE[1], CLAIM | {"what": "misdeal"}
    for by in Seat:
        said = refusal("euchre", exposed, wrong | {"by": str(by)})
        assert (said["ruling"], said["law"], said["act"]) == ("refused", "euchre 12a", "misdeal")
        assert "(this is what may be claimed now, and no clause gives what was claimed)" in said["because"]
    assert refusal("euchre", exposed, wrong, CLAIM)["ruling"] == "new_deal"  # euchre has no law on wrong claims


def test_a_misdeal_that_nobody_made_is_refused_by_the_heading_of_misdeals() -> None:
    for name, law in (("euchre", "euchre 14"), ("somerset_euchre", "somerset_euchre 41")):
        said = refusal(name, CLAIM | {"what": "misdeal"})
        assert (said["ruling"], said["law"]) == ("refused", law)
        assert said["because"].startswith("If a misdeal has been made, ")
        assert "(the facts show none)" in said["because"]


def test_a_misdeal_claimed_before_the_next_card_is_refused_by_the_law_that_lets_the_error_be_put_right() -> None:
    astray: Line = {"fact": "dealt", "to": "S", "k": 9}
    said = refusal("euchre", astray, CLAIM | {"what": "misdeal"})
    assert (said["ruling"], said["law"]) == ("refused", "euchre 14e")


def test_a_new_deal_for_a_card_seen_too_late_is_refused_by_the_clause_on_such_cards() -> None:
    said = refusal("auction", CLAIM)
    assert (said["ruling"], said["law"]) == ("refused", "auction 37c")


def test_a_new_deal_claimed_for_the_trump_card_is_told_that_it_is_the_trump_card() -> None:
    said = refusal("euchre", {"fact": "faced", "k": 21}, CLAIM)
    assert (said["ruling"], said["law"]) == ("refused", "euchre 11a")
    assert "euchre 11a gives no right to it: it is the trump card" in said["because"]


@pytest.mark.parametrize("name", ["whist", "bridge", "auction", "euchre"])
def test_who_asks_for_the_cut_that_is_due_is_not_refused(name: str) -> None:
    pack = len(code(name).cards())
    cut: Line = {"fact": "cut", "by": "E", "top": 3, "bottom": pack - 3}
    *_, ordered, asked = judged([OPEN | {"code": name}, cut, CLAIM | {"what": "fresh_cut"}])
    assert [ruling["ruling"] for ruling in ordered] == ["fresh_cut"]
    assert asked == []


# Cards that the pack cannot hold.


@pytest.mark.parametrize(
    ("name", "card", "law", "said"),
    [
        ("euchre", "3S", "euchre 11b", "the three of spades is no card of this pack"),
        ("whist", "J1", "whist 29-I", "the joker is no card of this pack"),
        ("bridge", "J2", "bridge N1b", "the joker is no card of this pack"),
        ("auction", "J1", "auction 37b", "the joker is no card of this pack"),
        ("somerset_euchre", "2H", "somerset_euchre 33", "the two of hearts is no card of this pack"),
    ],
)
def test_a_card_that_the_pack_does_not_hold_proves_it_bad(name: str, card: str, law: str, said: str) -> None:
    for fact in (
        {"fact": "dealt", "to": "W", "k": 9, "card": card},
        {"fact": "faced", "k": 9, "card": card},
        {"fact": "exposed", "card": card, "by": "S"},
        {"fact": "turned", "card": card},
        {"fact": "card_damaged", "card": card},
    ):
        ruled = refusal(name, fact)
        assert (ruled["ruling"], ruled["law"], ruled["dealer"]) == ("new_deal", law, "S")
        assert f"({said})" in ruled["because"]


def test_the_pack_that_is_named_says_which_cards_it_holds() -> None:
    exposed: Line = {"fact": "exposed", "card": "7C", "by": "S"}
    small = judged([OPEN | {"code": "euchre", "pack": 24}, {"fact": "dealt", "to": "W", "k": 1}, exposed])[-1]
    assert [ruling["law"] for ruling in small] == ["euchre 11b"]
    assert refusal("euchre", exposed)["law"] == "euchre 12a"
    assert refusal("euchre", exposed | {"card": "J1"})["law"] == "euchre 12a", "nobody said that there is no joker"


def test_a_card_of_no_pack_changes_nothing_once_the_deal_is_over() -> None:
    over: Line = {"fact": "faced", "k": 9}
    *_, ended, after = judged(
        [OPEN, {"fact": "dealt", "to": "W", "k": 1}, over, {"fact": "exposed", "card": "J1", "by": "S"}]
    )
    assert ([ruling["law"] for ruling in ended], after) == (["whist 29-II"], [])


def test_an_eye_that_reads_a_strange_card_leaves_it_to_the_audit() -> None:
    seen: Line = {"fact": "seen", "k": 1, "state": "card", "card": "3S", "confidence_ppm": 1}
    assert judged([OPEN | {"code": "euchre"}, seen]) == [[], []]
