"""The judge's contract whatever the code says: order, prefix, determinism, rotation, memory, and the state."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import facts
from controller.errors import FactError, OrderError
from controller.facts import parse_fact
from controller.judge import Judge
from controller.judge_state import DealState
from controller.laws import built, code
from controller.rulings import to_json
from controller.table import Seat, pone_of, rotation

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
AGENTS = st.sampled_from([*"NESW", "machine"])
FLAG = st.booleans()


def a(fact: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Line]:
    """One kind of fact."""
    return st.fixed_dictionaries({"fact": st.just(fact), **fields})


def among(*values: Any) -> st.SearchStrategy[Any]:
    """One of some values."""
    return st.sampled_from(values)


SMALL = st.integers(0, 14)
CARDS = among("AS", "7C", "QH")
ANYTIME = [
    a("shuffled", by=AGENTS, face_seen=FLAG, below_table=FLAG, by_piles=FLAG, other_pack=FLAG),
    a("presented", face_seen=FLAG),
    a("asked", by=SEATS, act=among("shuffle", "cut", "deal", "new_packs"), **{"for": SEATS}),
    a("permitted", by=SEATS, act=among("shuffle", "cut", "deal")),
    a("dealing_began", by=SEATS, pack_used=among("right", "adversaries"), cut_omitted=FLAG),
    a("faced", k=st.integers(1, 52)),
    a("exposed", card=CARDS, by=st.none() | AGENTS, where=among("on", "above", "below"), owner=st.none() | SEATS),
    a("corrected", cards_moved=st.integers(1, 3)),
    a("touched", seat=SEATS),
    a("looked", seat=SEATS, at=among("own", "trump", "pack")),
    a("counted", what=among("table", "stock"), purpose=among("count", "other")),
    a("interrupted", by=SEATS, about=among("score", "turn", "other"), upheld=FLAG),
    a("taken_up", by=SEATS, of=SEATS),
    a("hand_counted", seat=SEATS, count=SMALL, cause=st.none() | SEATS),
    a("pack_proved", state=among("perfect", "imperfect", "incorrect")),
    a("machine_fault", code=among("jam", "double_feed"), k=st.none() | SMALL),
    a(
        "found",
        what=among("out_of_turn", "wrong_pack", "cut_omitted", "bad_pack", "missed_trick"),
        by=AGENTS | among("director"),
        seat=st.none() | SEATS,
    ),
    a("placed", left_of=SEATS),
    a("remarked", by=SEATS, what=among("at_the_bridge")),
    a("claimed", by=SEATS, what=among("new_deal", "misdeal", "reshuffle", "fresh_cut", "stop", "bar", "stand")),
    a("waived", by=SEATS),
    a("consulted", side=among("NS", "EW")),
    a("time_given", to=SEATS),
    a("director", decides=among("attribution", "cure", "time"), seat=st.none() | SEATS, value=among(True, None)),
]
BEFORE = [a("cut", by=SEATS, top=st.integers(0, 52), bottom=st.integers(0, 52), exposed=FLAG, confused=FLAG)]
AFTER = [
    a("turned", card=CARDS, to=st.none() | SEATS),
    a("laid_face_down", on=SEATS),
    a("deal_completed"),
    a("declared", seat=SEATS),
    a("called", seat=SEATS, what=among("pass", "order_up", "1H", "8C", "double"), correcting=FLAG),
    a("led", seat=SEATS),
    a("played", seat=SEATS),
    a("quitted", trick=st.integers(1, 13)),
    a("hand_ended"),
    a("next_dealt"),
]
WRONG = a("dealt", to=SEATS, count=st.integers(1, 3))
RUN = a("run", cards=st.integers(1, 30))
HOUSE = st.fixed_dictionaries(
    {},
    optional={
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
    for step in draw(st.lists(st.one_of(RUN, WRONG, *ANYTIME, *BEFORE, *AFTER), max_size=25)):
        if step["fact"] == "run":
            last = max(dealt, min(len(order), dealt + step["cards"]))
            stream += [{"fact": "dealt", "to": str(order[k - 1]), "k": k} for k in range(dealt + 1, last + 1)]
            dealt = last
        elif step["fact"] == "dealt":
            if dealt + step["count"] <= pack:
                dealt += step["count"]
                stream.append(step | {"k": dealt})
        elif _is_possible(step, dealt, pack):
            stream.append(step | {"t_us": next(clock)})
    return stream


def _is_possible(step: Line, dealt: int, pack: int) -> bool:
    too_late = step["fact"] == "cut" and dealt
    too_early = step["fact"] in _PLAY and not dealt
    return not too_late and not too_early and (step.get("k") or 0) <= pack


_PLAY = {"turned", "laid_face_down", "deal_completed", "declared", "called", "led", "played", "quitted", "hand_ended"}
_PLAY |= {"next_dealt"}


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


def test_memory_stays_the_same_however_often_cards_are_touched_and_seen() -> None:
    judge = Judge()
    for line, obj in enumerate([OPEN, *in_rotation(1, 8)], start=1):
        judge.hear(parse_fact(obj, line=line), line)
    sizes = set()
    for line in range(10, 3010):
        judge.hear(facts.Exposed(by=Seat.S), line)
        judge.hear(facts.Touched(seat=Seat.N), line)
        sizes.add(len(json.dumps(judge.state())) - len(str(line)))
    assert len(sizes) == 1


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
    fixed = (deal.code, deal.house, deal.pattern, deal.patterns, *deal.rights)
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
