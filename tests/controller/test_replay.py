"""The ledger of a record, card by card, and the second judging of its facts."""

from __future__ import annotations

from typing import Any

import pytest

from controller.errors import FactError, OrderError
from controller.facts import parse_fact
from controller.judge import Judge
from controller.replay import Difference, Placed, ledger, replay
from controller.rulings import to_json
from controller.sealing import seal_line
from controller.table import SINGLY, Seat
from vision.cards import Card, Pack

Line = dict[str, Any]

OPENED: Line = {"fact": "deal_opened", "code": "whist", "dealer": "S"}
ORDER = SINGLY.order(Seat.S)
CARDS = Pack.of(52).cards


def seen(k: int, card: str) -> Line:
    return {"fact": "seen", "k": k, "state": "card", "card": card, "confidence_ppm": 999_000}


def doubted(k: int, state: str = "not_sure") -> Line:
    return {"fact": "seen", "k": k, "state": state, "confidence_ppm": 300_000, "reason": "glare"}


def dealt(k: int, to: str, count: int = 1) -> list[Line]:
    line: Line = {"fact": "dealt", "to": to, "k": k}
    return [{"fact": "routed", "k": k - count + 1, "to": to}, line | ({"count": count} if count > 1 else {})]


def whole_deal() -> list[Line]:
    lines = [OPENED, {"fact": "dealing_began", "by": "S"}]
    for k, (card, seat) in enumerate(zip(CARDS, ORDER, strict=True), 1):
        tray = "trump" if k == 52 else str(seat)
        lines += [
            seen(k, str(card)),
            {"fact": "routed", "k": k, "to": tray},
            {"fact": "dealt", "to": str(seat), "k": k},
        ]
    return [*lines, {"fact": "turned", "to": "S", "card": str(CARDS[51])}, {"fact": "deal_completed"}]


def judged(facts: list[Line]) -> list[Line]:
    """Return the record that a controller writes: each fact, then the rulings on it."""
    judge, lines = Judge(), list[Line]()
    for fact in facts:
        lines.append(fact)
        lines += [to_json(ruling) for ruling in judge.hear(parse_fact(fact, line=len(lines)), len(lines))]
    return lines


def where(lines: list[Line], *cards: int) -> list[tuple[str | None, str]]:
    placed = ledger(lines).cards
    return [(str(placed[k - 1].card) if placed[k - 1].card else None, placed[k - 1].place) for k in cards]


# --- the ledger ---


def test_a_whole_deal_puts_thirteen_cards_before_each_seat_the_last_of_the_dealer_turned_up() -> None:
    found = ledger(whole_deal())
    assert [placed.card for placed in found.cards] == list(CARDS)
    assert {place: len(found.at(place)) for place in ("W", "N", "E", "S", "trump")} == {
        "W": 13, "N": 13, "E": 13, "S": 12, "trump": 1,
    }  # fmt: skip
    assert found.at("trump") == (Placed(k=52, card=CARDS[51], place="trump"),)


def test_every_card_is_in_exactly_one_place_after_each_line() -> None:
    lines = whole_deal()
    for end in range(1, len(lines) + 1):
        assert [placed.k for placed in ledger(lines[:end]).cards] == list(range(1, 53))


def test_a_card_goes_from_the_hopper_by_the_window_to_its_seat() -> None:
    lines = [OPENED, seen(1, "QC"), *dealt(1, "W")]
    assert [where(lines[:end], 1) for end in (1, 2, 3)] == [[(None, "hopper")], [("QC", "window")], [("QC", "W")]]


def test_a_card_that_was_not_read_has_a_place_and_no_name() -> None:
    assert where([OPENED, doubted(1), *dealt(1, "W")], 1) == [(None, "W")]


def test_a_card_read_twice_and_differently_has_no_name_ever_after() -> None:
    lines = [OPENED, seen(1, "QC"), seen(1, "QS"), seen(1, "QC"), *dealt(1, "W")]
    assert where(lines, 1) == [(None, "W")]


def test_a_doubt_before_a_good_reading_does_no_harm() -> None:
    assert where([OPENED, doubted(1), seen(1, "QC")], 1) == [("QC", "window")]


def test_after_a_double_feed_that_was_put_right_places_are_known_and_names_are_not() -> None:
    fault = {"fact": "machine_fault", "code": "double_feed", "k": 3}
    lines = [OPENED, seen(3, "QC"), fault, *dealt(4, "E", count=2), {"fact": "corrected", "cards_moved": 1}]
    lines = [OPENED, seen(1, "AS"), *dealt(1, "W"), seen(2, "KS"), *dealt(2, "N"), *lines[1:]]
    assert where(lines[:-1], 1, 2, 3, 4) == [("AS", "W"), ("KS", "N"), (None, "E"), (None, "E")]
    assert where(lines, 1, 2, 3, 4, 5) == [("AS", "W"), ("KS", "N"), (None, "E"), (None, "S"), (None, "hopper")]


def test_cards_that_fell_together_have_no_names_though_one_was_read() -> None:
    assert where([OPENED, seen(1, "QC"), *dealt(2, "W", count=2)], 1, 2) == [(None, "W"), (None, "W")]


def test_a_double_feed_sent_to_the_reject_tray_takes_both_cards() -> None:
    fault = {"fact": "machine_fault", "code": "double_feed_at_end", "k": 51}
    lines = [OPENED, doubted(51, "two_cards"), fault, {"fact": "routed", "k": 51, "to": "reject"}]
    assert where(lines, 51, 52) == [(None, "reject"), (None, "reject")]


def test_a_correction_under_a_code_without_a_known_rotation_leaves_no_place() -> None:
    opened = {"fact": "deal_opened", "code": "loo", "dealer": "S"}
    lines = [opened, seen(1, "QC"), *dealt(1, "W"), {"fact": "corrected", "cards_moved": 1}]
    assert ledger(lines).cards == (Placed(k=1, card=Card.parse("QC"), place="not_known"),)


@pytest.mark.parametrize(
    ("code", "before", "place"),
    [
        ("misfeed", [], "hopper"),
        ("jam_entry", [], "not_known"),
        ("jam_exit", [seen(1, "QC")], "not_known"),
        ("machine_reset", [seen(1, "QC")], "not_known"),
        ("eye_unsure", [doubted(1)], "window"),
        ("machine_silent", [seen(1, "QC"), *dealt(1, "W")], "W"),
    ],
)
def test_where_a_fault_leaves_the_card(code: str, before: list[Line], place: str) -> None:
    lines = [OPENED, *before, {"fact": "machine_fault", "code": code, "k": 1}]
    assert ledger(lines).cards[0].place == place


def test_a_card_found_again_after_a_fault_has_its_place_again() -> None:
    lines = [OPENED, seen(1, "QC"), {"fact": "machine_fault", "code": "machine_reset", "k": 1}, *dealt(1, "W")]
    assert where(lines, 1) == [("QC", "W")]


def test_an_empty_hopper_leaves_the_rest_of_the_pack_unknown() -> None:
    lines = [OPENED, seen(1, "QC"), *dealt(1, "W"), {"fact": "machine_fault", "code": "hopper_empty", "k": 2}]
    assert where(lines, 1, 2, 52) == [("QC", "W"), (None, "not_known"), (None, "not_known")]


def test_a_void_deal_leaves_no_card_in_the_window() -> None:
    assert where([OPENED, seen(1, "QC"), {"fact": "voided", "by": "machine"}], 1) == [("QC", "not_known")]


def test_the_last_card_laid_face_down_lies_on_that_packet() -> None:
    lines = [line for line in whole_deal() if line["fact"] != "turned"]
    assert where([*lines, {"fact": "laid_face_down", "on": "E"}], 52) == [("KS", "E")]


def test_sealed_cards_count_as_not_read() -> None:
    key, lines = bytes(32), [OPENED, seen(1, "QC"), *dealt(1, "W")]
    sealed = [seal_line(line, key, deal=1, leaf=leaf, entropy=bytes) for leaf, line in enumerate(lines)]
    assert where(sealed, 1) == [(None, "W")]


# --- judged again ---

WHIST_37_VI = [
    OPENED,
    {"fact": "cut", "by": "E", "top": 20, "bottom": 32},
    {"fact": "dealing_began", "by": "S"},
    {"fact": "dealt", "to": "W", "k": 1},
    {"fact": "dealt", "to": "N", "k": 3, "count": 2},
    {"fact": "dealt", "to": "E", "k": 4},
]
"""The example of the record's contract: a double feed that is not put right before the next card is a misdeal."""


def test_a_whole_deal_gives_no_ruling_and_agrees() -> None:
    assert judged(whole_deal()) == whole_deal()
    assert replay(whole_deal()) == ()


def test_a_record_as_the_controller_writes_it_agrees_also_with_its_own_facts() -> None:
    lines = judged(WHIST_37_VI)
    assert [(line["ruling"], line["law"], line["on"]) for line in lines if "ruling" in line] == [
        ("correct_first", "whist 37-VI", 5),
        ("misdeal", "whist 37-VI", 7),
    ]
    carried = {"fact": "closed", "status": "misdeal", "key": "00" * 32}
    assert replay([*lines, carried]) == ()


def test_a_ruling_left_out_is_named_by_its_fact() -> None:
    lines = judged(WHIST_37_VI)
    (difference,) = replay(lines[:-1])
    assert difference == Difference(line=7, recorded=None, judged=lines[-1])
    assert str(difference) == "line 7: the record has no ruling, its facts give misdeal (whist 37-VI, on line 7)"


@pytest.mark.parametrize("on", [55, 161, 9_999, None])
def test_a_ruling_made_up_is_named_by_its_own_line(on: int | None) -> None:
    made_up = {"ruling": "new_deal", "law": "whist 29-II", "dealer": "S", "on": on, "because": "So it is."}
    lines = [*whole_deal(), made_up]
    assert replay(lines) == (Difference(line=len(lines), recorded=made_up, judged=None),)


@pytest.mark.parametrize("change", [{"law": "whist 37-I"}, {"lost": False}, {"dealer": "S"}, {"because": "So it is."}])
def test_a_ruling_changed_is_named_by_its_own_line(change: Line) -> None:
    lines = judged(WHIST_37_VI)
    changed = lines[-1] | change
    assert replay([*lines[:-1], changed]) == (Difference(line=8, recorded=changed, judged=lines[-1]),)


def test_a_fact_changed_shows_in_the_rulings() -> None:
    lines = judged(WHIST_37_VI)
    lines[4] = {"fact": "dealt", "to": "N", "k": 2}
    lines[6] = {"fact": "dealt", "to": "E", "k": 3}
    assert [difference.line for difference in replay(lines)] == [6, 8]


def test_a_ruling_on_another_fact_is_a_difference_at_both_lines() -> None:
    lines = judged(WHIST_37_VI)
    moved = lines[-1] | {"on": 4}
    assert [difference.line for difference in replay([*lines[:-1], moved])] == [7, 8]


def test_a_record_that_cannot_be_is_refused_with_its_line() -> None:
    with pytest.raises(FactError) as malformed:
        replay([OPENED, {"fact": "dealt", "to": "Q", "k": 1}])
    assert (malformed.value.line, malformed.value.field) == (2, "to")
    with pytest.raises(OrderError) as impossible:
        replay([OPENED, *dealt(2, "W"), *dealt(2, "N")])
    assert impossible.value.line > 1
