"""Every fact of the contract is read, refused and written as the contract says."""

from __future__ import annotations

from typing import Any

import pytest

from controller import facts
from controller.errors import FactError
from controller.facts import parse_fact, to_json
from controller.house import House
from controller.table import Seat
from vision.cards import Card

OPENED: dict[str, Any] = {"fact": "deal_opened", "code": "whist", "dealer": "S"}

EXAMPLES: list[dict[str, Any]] = [
    {"fact": "deal_opened", "code": "whist", "dealer": "S", "pack": 52, "number": 7, "house": {"grace_s": 2.5}},
    {"fact": "deal_opened", "code": "euchre", "dealer": "N", "pack": 33, "pattern": "3-2"},
    {"fact": "deal_opened", "code": "table"},
    {"fact": "shuffled", "by": "machine", "face_seen": True, "below_table": True, "by_piles": True, "other_pack": True},
    {"fact": "collected", "by": "N"},
    {"fact": "placed", "left_of": "W"},
    {"fact": "presented", "face_seen": True},
    {
        "fact": "cut",
        "by": "E",
        "top": 20,
        "bottom": 32,
        "tolerance": 1,
        "exposed": True,
        "confused": True,
        "doubt": True,
    },
    {"fact": "asked", "by": "W", "act": "new_packs", "for": "E"},
    {"fact": "permitted", "by": "N", "act": "cut"},
    {"fact": "dealing_began", "by": "S", "pack_used": "adversaries", "cut_omitted": True},
    {"fact": "dealt", "to": "W", "k": 3, "count": 2, "face": "up", "card": "TD"},
    {"fact": "faced", "k": 17, "card": "J1"},
    {"fact": "exposed", "card": "2H", "by": "machine", "where": "below", "owner": "N", "told_by": "W"},
    {"fact": "corrected", "cards_moved": 1},
    {"fact": "turned", "card": "AS", "to": "N"},
    {"fact": "laid_face_down", "on": "S"},
    {"fact": "touched", "seat": "N"},
    {"fact": "looked", "seat": "N", "at": "trump"},
    {"fact": "counted", "what": "stock", "purpose": "other"},
    {"fact": "interrupted", "by": "W", "about": "score", "upheld": False},
    {"fact": "taken_up", "by": "N", "of": "E"},
    {"fact": "hand_counted", "seat": "W", "count": 14, "cause": "E"},
    {"fact": "pack_proved", "state": "incorrect", "missing": ["AS"], "duplicate": ["QC", "QC"], "foreign": ["J2"]},
    {"fact": "card_damaged", "card": "7C"},
    {"fact": "machine_fault", "code": "jam", "k": 52},
    {"fact": "deal_completed"},
    {"fact": "declared", "seat": "N", "what": "hearts"},
    {"fact": "called", "seat": "N", "what": "order_up", "correcting": True},
    {"fact": "remarked", "by": "N", "what": "at_the_bridge"},
    {"fact": "led", "seat": "W"},
    {"fact": "played", "seat": "N"},
    {"fact": "quitted", "trick": 1},
    {"fact": "hand_ended"},
    {"fact": "next_dealt"},
    {"fact": "found", "what": "cut_omitted", "by": "director", "seat": "W"},
    {"fact": "claimed", "by": "W", "what": "new_deal"},
    {"fact": "waived", "by": "W"},
    {"fact": "consulted", "side": "EW"},
    {"fact": "time_given", "to": "W"},
    {"fact": "director", "decides": "attribution", "seat": "N", "value": ["any", {"json": 1}]},
    {
        "fact": "machine",
        "serial": "PONE-1",
        "firmware": "1.0",
        "host": "1.0",
        "capabilities": ["cut_tray"],
        "simulated": True,
        "seeded": True,
        "config": {"house": "00ff"},
    },
    {"fact": "mode", "mode": "table_deal"},
    {"fact": "draw_committed", "commitment": "00ff", "attempt": 1},
    {"fact": "cut_reported", "what": "confused", "by": "W"},
    {"fact": "cut_unweighed", "by": "E"},
    {"fact": "exposure_confirmed", "card": "2H", "by": "machine", "where": "below", "owner": "N", "told_by": "E"},
    {"fact": "seen", "k": 1, "state": "card", "card": "AS", "confidence_ppm": 990000, "frame": "00ff"},
    {"fact": "seen", "k": 1, "state": "not_sure", "confidence_ppm": 0, "reason": "glare"},
    {"fact": "routed", "k": 1, "to": "W"},
    {"fact": "halted", "fault": "jam"},
    {"fact": "acknowledged", "by": "director"},
    {"fact": "resumed", "by": "director"},
    {"fact": "voided", "by": "director"},
    {"fact": "unsealed", "by": "director", "why": "appeal"},
    {"fact": "closed", "status": "completed", "key": "00ff"},
    {"fact": "joined", "player": "p1", "table": "2"},
    {"fact": "left", "player": "p1"},
    {"fact": "candidate", "player": "p1", "table": "2"},
    {"fact": "formed", "table": "2"},
    {"fact": "rubber_ended", "table": "2"},
    {"fact": "drawn", "by": "p1", "cards": ["AS"]},
    {"fact": "substitute", "player": "p1", "for": "p2", "consent": ["p3", "p4"]},
    {"fact": "broke_up", "by": "p1"},
]


@pytest.mark.parametrize("obj", EXAMPLES, ids=lambda obj: str(obj["fact"]))
@pytest.mark.parametrize("clock", [{}, {"t_us": 5}], ids=["", "t_us"])
def test_a_fact_is_written_as_it_was_read(obj: dict[str, Any], clock: dict[str, int]) -> None:
    line = obj | clock
    assert to_json(parse_fact(line, line=1)) == line


def test_every_declared_fact_has_an_example() -> None:
    with pytest.raises(FactError) as caught:
        parse_fact({"fact": "unheard_of"}, line=1)
    assert set(caught.value.reason.partition("known are ")[2].split(", ")) == {obj["fact"] for obj in EXAMPLES}


def test_defaults_are_those_of_the_contract() -> None:
    assert parse_fact({"fact": "dealt", "to": "W", "k": 1}, line=1) == facts.Dealt(
        to=Seat.W, k=1, count=1, face="down", card=None
    )
    assert facts.Exposed().by is None
    assert House() == House(
        machine_fault="same_dealer",
        grace_s=5,
        misdeal_until="lead",
        looked="tray_lifted",
        stock_faced="counts",
        short_hand_early="ask_director",
        shuffle_in_play=True,
        two_faults="first",
        euchre="foster",
        hand_cure=True,
        single_card_cure=True,
        hidden_shuffle="refused",
        modern_exposed="misdeal",
        modern_misdeal="same_dealer",
        unread_law="ask_director",
    )


def test_a_card_is_a_card() -> None:
    fact = parse_fact({"fact": "turned", "card": "TD"}, line=1)
    assert isinstance(fact, facts.Turned)
    assert fact.card == Card.parse("TD")


@pytest.mark.parametrize(
    ("obj", "field", "reason"),
    [
        ({}, "fact", "a line states one"),
        ({"fact": "snapped"}, "fact", "no such fact: 'snapped'"),
        ({"fact": ["dealt"]}, "fact", "no such fact"),
        ({"fact": "dealt", "to": "W", "k": 1, "colour": 1}, "colour", "no such field; dealt has"),
        ({"fact": "dealt", "to": "W"}, "k", "dealt needs it: a whole number from 1"),
        ({"fact": "dealt", "to": "W", "k": True}, "k", "got true"),
        ({"fact": "dealt", "to": "W", "k": 1.0}, "k", "got 1.0"),
        ({"fact": "dealt", "to": "W", "k": 0}, "k", "from 1, got 0"),
        ({"fact": "dealt", "to": "X", "k": 1}, "to", "expected a seat N, E, S or W, got 'X'"),
        ({"fact": "dealt", "to": ["W"], "k": 1}, "to", "expected a seat"),
        ({"fact": "dealt", "to": "W", "k": 1, "card": "1S"}, "card", "'1S' is no card"),
        ({"fact": "dealt", "to": "W", "k": 1, "face": "sideways"}, "face", 'one of "down", "up"'),
        ({"fact": "dealt", "to": None, "k": 1}, "to", "expected a seat"),
        ({"fact": "dealt", "to": "W", "k": 1, "t_us": -1}, "t_us", "from 0"),
        ({"fact": "shuffled", "by": "director"}, "by", 'a seat N, E, S or W or "machine"'),
        ({"fact": "interrupted", "by": "W", "about": "score", "upheld": "no"}, "upheld", "true or false"),
        ({"fact": "asked", "by": "W", "act": "cut", "for": "X"}, "for", "expected a seat"),
        ({"fact": "asked", "by": "W", "act": "cut", "for_": "E"}, "for_", "no such field"),
        ({"fact": "pack_proved", "state": "incorrect", "missing": ["AS", "AX"]}, "missing", "'AX' is no card"),
        ({"fact": "pack_proved", "state": "incorrect", "missing": "AS"}, "missing", "a list"),
        ({"fact": "deal_opened", "code": "whist"}, "dealer", "a deal needs it"),
        ({"fact": "deal_opened", "code": "table", "dealer": "S"}, "dealer", "the register of the table has none"),
        (OPENED | {"pack": 51}, "pack", "one of 52, 32, 33, 24, 25"),
        (
            {"fact": "deal_opened", "code": "whist", "dealer": "S", "house": {"luck": 1}},
            "house.luck",
            "no such setting",
        ),
        (
            {"fact": "deal_opened", "code": "whist", "dealer": "S", "house": {"looked": 1}},
            "house.looked",
            "tray_lifted",
        ),
        ({"fact": "deal_opened", "code": "whist", "dealer": "S", "house": []}, "house", "an object of settings"),
        ({"fact": "seen", "k": 1, "state": "card", "confidence_ppm": 1}, "card", "if and only if"),
        ({"fact": "seen", "k": 1, "state": "empty", "confidence_ppm": 1000001}, "confidence_ppm", "0 to 1000000"),
        ({"fact": "halted"}, "fault", "a fault or a law"),
    ],
)
def test_what_is_no_fact_is_refused_with_its_place(obj: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(FactError) as caught:
        parse_fact(obj, line=9)
    assert (caught.value.line, caught.value.field) == (9, field)
    assert reason in caught.value.reason
    assert str(caught.value).startswith(f"line 9, field {field}: ")
