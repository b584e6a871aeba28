"""Whist before the judge: scenarios named by their number in the law tables, or by the clause they show.

The dealer is South throughout, so the eldest hand is West, his partner North and the pone East.
"""

# ruff: noqa: N802  a test is named by its scenario or clause, which has capitals

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller import judge_command
from controller.facts import parse_fact
from controller.judge import Judge
from controller.laws import code
from controller.laws.vocabulary import Code
from controller.rulings import to_json
from controller.table import Seat, seat_of

Said = dict[str, Any]
Hear = Callable[..., list[Said]]

OPEN = '{"fact":"deal_opened","code":"whist","dealer":"S"}'
CUT = '{"fact":"cut","by":"E","top":20,"bottom":32}'
BEGAN = '{"fact":"dealing_began","by":"S"}'
TURNED = '{"fact":"turned","card":"QH"}'
LED = '{"fact":"led","seat":"W"}'
QUITTED = '{"fact":"quitted","trick":1}'
FAULT = '{"fact":"machine_fault","code":"double_feed"}'


def opened(**house: Any) -> str:
    """A deal under house settings."""
    return json.dumps({"fact": "deal_opened", "code": "whist", "dealer": "S", "house": house})


def dealt(first: int, last: int, *, by: Seat = Seat.S) -> str:
    """Cards `first` to `last` as the rotation wants them."""
    return "\n".join(f'{{"fact":"dealt","to":"{seat_of(k, by)}","k":{k}}}' for k in range(first, last + 1))


def card(k: int, to: str, count: int = 1) -> str:
    """Cards that fell to a seat."""
    return f'{{"fact":"dealt","to":"{to}","k":{k},"count":{count}}}'


def touched(seat: str) -> str:
    """A seat touches dealt cards."""
    return f'{{"fact":"touched","seat":"{seat}"}}'


def claimed(by: str, what: str = "new_deal") -> str:
    """A seat claims something."""
    return f'{{"fact":"claimed","by":"{by}","what":"{what}"}}'


def exposed(by: str, where: str = "on", seen: str = "7C") -> str:
    """A card is exposed by somebody."""
    return f'{{"fact":"exposed","card":"{seen}","by":"{by}","where":"{where}"}}'


def found(what: str, by: str) -> str:
    """Somebody draws attention to an error."""
    return f'{{"fact":"found","what":"{what}","by":"{by}"}}'


def counted(seat: str, count: int) -> str:
    """A hand is counted."""
    return f'{{"fact":"hand_counted","seat":"{seat}","count":{count}}}'


def hearing(laws: Code) -> Hear:
    """A judge that hears JSON Lines under given laws and answers without lines and reasons."""

    def hear(*parts: str) -> list[Said]:
        judge = Judge(laws)
        said: list[Said] = []
        for line, text in enumerate("\n".join(parts).splitlines(), start=1):
            for ruling in judge.hear(parse_fact(json.loads(text), line=line), line):
                shown = to_json(ruling)
                assert shown.pop("on") == line
                assert shown.pop("because").endswith(".")
                said.append(shown)
        return said

    return hear


@pytest.fixture
def hear() -> Hear:
    return hearing(code("whist"))


def ruled(ruling: str, law: str, **fields: Any) -> Said:
    """What the judge is to say."""
    return {"ruling": ruling, "law": f"whist {law}", **fields}


def lost(law: str, **fields: Any) -> Said:
    """A misdeal by which the deal passes to West."""
    return ruled("misdeal", law, lost=True, dealer="W", **fields)


def new_deal(law: str, **fields: Any) -> Said:
    """A new deal by South."""
    return ruled("new_deal", law, dealer="S", **fields)


def option(law: str, *may: str, what: str = "new_deal", until: str = "trump_turned", **fields: Any) -> Said:
    """A right that opens."""
    return ruled("option", law, may=list(may), what=what, until=until, **fields)


def closed(law: str, why: str, **fields: Any) -> Said:
    """A right that lapses."""
    return ruled("option_closed", law, why=why, **fields)


DEALING = f"{OPEN}\n{CUT}\n{BEGAN}"
DONE = f"{DEALING}\n{dealt(1, 52)}\n{TURNED}"
PLAYED = f"{DONE}\n{LED}\n{QUITTED}"
NOT_CALLABLE = ruled("not_callable", "30c", card="7C")
FIRST_30A = option("30a", "W", "E")


# Cutting and shuffling.


@pytest.mark.parametrize("top", [4, 20, 48])
def test_S01_S02_a_cut_that_leaves_four_is_good(hear: Hear, top: int) -> None:
    assert hear(OPEN, f'{{"fact":"cut","by":"E","top":{top},"bottom":{52 - top}}}', BEGAN, dealt(1, 4)) == []


@pytest.mark.parametrize("top", [3, 49])
def test_S03_S04_fewer_than_four_is_cut_again(hear: Hear, top: int) -> None:
    short = f'{{"fact":"cut","by":"E","top":{top},"bottom":{52 - top}}}'
    assert hear(OPEN, short, CUT, BEGAN, dealt(1, 4)) == [ruled("fresh_cut", "26")]


def test_S08_a_card_seen_in_cutting_is_cut_again(hear: Hear) -> None:
    assert hear(OPEN, CUT.replace("}", ',"exposed":true}')) == [ruled("fresh_cut", "26")]


def test_S09_a_card_shown_after_the_packets_are_reunited_is_an_exposure(hear: Hear) -> None:
    assert hear(OPEN, CUT, exposed("S"), claimed("W")) == [FIRST_30A, new_deal("30a")]


def test_S10_confusion_is_cut_again_as_often_as_needed(hear: Hear) -> None:
    confused = CUT.replace("}", ',"confused":true}')
    assert hear(OPEN, confused, confused, CUT) == [ruled("fresh_cut", "26")] * 2


@pytest.mark.parametrize("doubt", ['"doubt":true', '"top":4,"bottom":48,"tolerance":1'])
def test_26_a_doubt_where_the_pack_was_divided_is_cut_again(hear: Hear, doubt: str) -> None:
    cut = '{"fact":"cut","by":"E","top":20,"bottom":32}' if "doubt" in doubt else '{"fact":"cut","by":"E"}'
    assert hear(OPEN, cut.replace("}", f",{doubt}}}")) == [ruled("fresh_cut", "26")]


def test_S12_a_shuffle_after_the_cut_loses_the_deal(hear: Hear) -> None:
    assert hear(OPEN, CUT, '{"fact":"shuffled","by":"S"}') == [lost("28")]


def test_28_by_the_machine_is_nobodys_fault(hear: Hear) -> None:
    assert hear(OPEN, CUT, '{"fact":"shuffled","by":"machine"}') == [
        ruled("misdeal", "28", policy="machine_fault", lost=False, dealer="S")
    ]


def test_S13_a_face_seen_in_the_dealers_shuffle_lets_an_adversary_insist(hear: Hear) -> None:
    seen = '{"fact":"shuffled","by":"S","face_seen":true}'
    right = option("24", "W", "E", what="reshuffle", until="next_card")
    assert hear(OPEN, seen, claimed("E", "reshuffle")) == [right, ruled("reshuffle", "24")]
    assert hear(OPEN, '{"fact":"presented","face_seen":true}', CUT) == [right, closed("24", "completed")]


def test_24_a_face_shown_by_the_machine_follows_the_house(hear: Hear) -> None:
    seen = '{"fact":"shuffled","by":"machine","face_seen":true}'
    policy = {"policy": "machine_fault"}
    assert hear(OPEN, seen) == [ruled("reshuffle", "24", **policy)]
    right = option("24", "W", "E", what="reshuffle", until="next_card", **policy)
    assert hear(opened(machine_fault="as_dealer"), seen) == [right]


def test_S14_a_second_shuffle_is_refused_but_not_after_a_false_cut(hear: Hear) -> None:
    shuffled = '{"fact":"shuffled","by":"W"}'
    short = '{"fact":"cut","by":"E","top":3,"bottom":49}'
    refused = ruled("refused", "21", act="shuffle")
    assert hear(OPEN, shuffled, shuffled) == [refused]
    assert hear(OPEN, shuffled, '{"fact":"asked","by":"W","act":"shuffle"}') == [refused]
    assert hear(OPEN, shuffled, short, shuffled) == [ruled("fresh_cut", "26")]


def test_S15_nobody_cuts_or_shuffles_for_another_without_leave(hear: Hear) -> None:
    refused = ruled("refused", "35", act="cut")
    by_west = CUT.replace('"E"', '"W"')
    asked = '{"fact":"asked","by":"W","act":"cut","for":"E"}'
    assert hear(OPEN, by_west) == [refused]
    assert hear(OPEN, asked, '{"fact":"permitted","by":"N","act":"cut"}', by_west) == [refused]
    assert hear(OPEN, asked, '{"fact":"permitted","by":"E","act":"cut"}', by_west) == [refused, refused]
    assert hear(OPEN, CUT.replace('"E"', '"N"')) == [ruled("refused", "26", act="cut")]
    last_shuffle = '{"fact":"asked","by":"N","act":"shuffle","for":"S"}'
    assert hear(OPEN, last_shuffle) == [ruled("refused", "35", act="shuffle")]


def test_S16_shuffling_under_the_table_or_with_a_face_seen_is_refused(hear: Hear) -> None:
    for how in ("below_table", "face_seen"):
        shuffled = f'{{"fact":"shuffled","by":"W","{how}":true}}'
        assert hear(OPEN, shuffled) == [ruled("refused", "18", act="shuffle")]
        house = opened(hidden_shuffle="reshuffle")
        assert hear(house, shuffled) == [ruled("reshuffle", "18", policy="hidden_shuffle")]


def test_S17_shuffling_in_play_or_by_piles_is_refused(hear: Hear) -> None:
    in_play = '{"fact":"shuffled","by":"N","other_pack":true}'
    assert hear(DONE, LED, in_play) == [ruled("refused", "19", act="shuffle")]
    by_piles = '{"fact":"shuffled","by":"N","by_piles":true}'
    assert hear(OPEN, by_piles) == [ruled("refused", "20", act="shuffle")]


def test_19_the_machine_shuffles_in_play_if_the_house_says_so(hear: Hear) -> None:
    rest = f'{dealt(1, 52)}\n{TURNED}\n{LED}\n{{"fact":"shuffled","by":"machine","other_pack":true}}'
    assert hear(opened(), rest) == []
    assert hear(opened(shuffle_in_play=False), rest) == [
        ruled("refused", "19", policy="shuffle_in_play", act="shuffle")
    ]


def test_S18_new_packs_are_granted_before_the_cut_only(hear: Hear) -> None:
    asked = '{"fact":"asked","by":"W","act":"new_packs"}'
    assert hear(OPEN, asked) == []
    assert hear(OPEN, CUT, asked) == [ruled("refused", "3", act="new_packs")]


def test_27_the_cutter_may_not_change_his_cut(hear: Hear) -> None:
    assert hear(OPEN, CUT, '{"fact":"asked","by":"E","act":"cut"}') == [ruled("refused", "27", act="cut")]
    assert hear(OPEN, CUT, '{"fact":"asked","by":"E","act":"shuffle"}') == [ruled("refused", "27", act="shuffle")]
    assert hear(OPEN, CUT, '{"fact":"shuffled","by":"E"}') == [ruled("refused", "27", act="shuffle")]


def test_34_a_player_who_asks_to_deal_out_of_turn_is_refused(hear: Hear) -> None:
    assert hear(OPEN, '{"fact":"asked","by":"E","act":"deal"}') == [ruled("refused", "34", act="deal")]
    assert hear(OPEN, '{"fact":"asked","by":"S","act":"deal"}') == []


# Faced cards and a bad pack.


def test_S20_a_card_faced_in_the_pack_is_a_new_deal(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 16), '{"fact":"faced","k":17}', dealt(17, 20)) == [new_deal("29-II")]


def test_29_II_excepts_the_last_card(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 51), '{"fact":"faced","k":52}', card(52, "S"), TURNED) == []


def test_29_III_taking_up_another_hand_is_a_new_deal_and_in_play_void(hear: Hear) -> None:
    taken = '{"fact":"taken_up","by":"N","of":"E"}'
    assert hear(DEALING, dealt(1, 30), taken) == [new_deal("29-III")]
    assert hear(DONE, LED, taken) == [ruled("void", "29-III", dealer="S")]


IMPERFECT = '{"fact":"pack_proved","state":"incorrect","duplicate":["QC"]}'


def test_S24_a_duplicate_proved_in_the_deal_is_a_new_deal(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 40), IMPERFECT) == [new_deal("29-I")]


def test_29_I_hands_that_hold_more_cards_than_the_pack_prove_it_incorrect_before_the_last_card_too(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 40), counted("W", 13)) == []
    assert hear(DEALING, dealt(1, 40), counted("W", 23)) == [new_deal("29-I")]


def test_S26_a_duplicate_proved_in_play_voids_the_hand(hear: Hear) -> None:
    assert hear(PLAYED, IMPERFECT) == [ruled("void", "41", dealer="S")]


def test_41_a_settled_hand_stands(hear: Hear) -> None:
    assert hear(PLAYED, '{"fact":"hand_ended"}', IMPERFECT) == [ruled("stands", "41")]


def test_29_I_a_bad_pack_saves_a_lost_deal(hear: Hear) -> None:
    double = card(2, "W", 2)
    assert hear(DEALING, double, card(3, "E"), IMPERFECT) == [
        ruled("correct_first", "37-VI"),
        lost("37-VI"),
        new_deal("29-I"),
    ]


def test_S31_a_card_left_in_the_machine_is_no_imperfect_pack(hear: Hear) -> None:
    jam = '{"fact":"machine_fault","code":"jam","k":52}'
    assert hear(DEALING, dealt(1, 51), jam) == []
    assert hear(DEALING, dealt(1, 51), jam, '{"fact":"pack_proved","state":"perfect"}', card(52, "S"), TURNED) == []


# Exposure.


def test_S37_an_adversary_claims_for_a_card_exposed_by_the_dealer(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 20), exposed("S"), claimed("W")) == [FIRST_30A, new_deal("30a")]


def test_S39_the_side_that_touches_second_keeps_its_claim(hear: Hear) -> None:
    start = f"{DEALING}\n{dealt(1, 20)}\n{touched('N')}\n{touched('E')}"
    assert hear(start, exposed("S"), claimed("W")) == [FIRST_30A, new_deal("30a")]


def test_30a_is_lost_by_touching_first(hear: Hear) -> None:
    before = f"{DEALING}\n{dealt(1, 20)}\n{touched('E')}\n{touched('N')}"
    assert hear(before, exposed("S"), claimed("W")) == [NOT_CALLABLE, ruled("refused", "88", act="new_deal")]
    assert hear(DEALING, dealt(1, 20), exposed("S"), touched("E"), claimed("W")) == [
        FIRST_30A,
        closed("30a", "touched"),
        NOT_CALLABLE,
        closed("30a", "touched"),
    ]


def test_30b_the_dealer_claims_for_a_card_exposed_by_an_adversary(hear: Hear) -> None:
    right = option("30b", "S")
    assert hear(DEALING, dealt(1, 20), exposed("E"), claimed("S")) == [right, new_deal("30b")]
    assert hear(DEALING, dealt(1, 20), exposed("E"), claimed("W")) == [right, ruled("refused", "30b", act="new_deal")]
    assert hear(DEALING, dealt(1, 20), touched("N"), exposed("E")) == [NOT_CALLABLE]


def test_30c_a_card_for_which_nobody_claims_is_not_callable(hear: Hear) -> None:
    waived = '{"fact":"waived","by":"W"}\n{"fact":"waived","by":"E"}'
    assert hear(DEALING, dealt(1, 20), exposed("S"), waived) == [FIRST_30A, closed("30a", "waived"), NOT_CALLABLE]
    assert hear(DEALING, dealt(1, 20), exposed("S"), dealt(21, 52), TURNED) == [
        FIRST_30A,
        closed("30a", "completed"),
        NOT_CALLABLE,
    ]


def test_30a_an_exposure_by_nobody_known_is_for_the_director(hear: Hear) -> None:
    unknown = '{"fact":"exposed","card":"7C"}'
    answer = '{"fact":"director","decides":"attribution","seat":"N"}'
    asked = ruled("ask_director", "30a", why="who exposed the card is not known")
    assert hear(DEALING, dealt(1, 20), unknown, answer) == [asked, FIRST_30A]
    machine = answer.replace("seat", "value").replace('"N"', '"machine"')
    assert hear(DEALING, dealt(1, 20), unknown, machine) == [asked, new_deal("30a", policy="machine_fault")]


def test_30a_an_exposure_by_the_machine_follows_the_house(hear: Hear) -> None:
    policy = {"policy": "machine_fault"}
    assert hear(DEALING, dealt(1, 20), exposed("machine")) == [new_deal("30a", **policy)]
    as_dealer = opened(machine_fault="as_dealer")
    assert hear(as_dealer, dealt(1, 20), exposed("machine")) == [FIRST_30A | policy]


def test_30a_is_lost_by_touching_also_where_the_machine_is_the_dealer(hear: Hear) -> None:
    said = hear(opened(machine_fault="as_dealer"), dealt(1, 20), touched("E"), exposed("machine"))
    assert said == [NOT_CALLABLE]


def test_S51_a_card_that_falls_below_the_table_gives_an_option(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 20), exposed("S", "below")) == [FIRST_30A]
    assert hear(DEALING, dealt(1, 20), exposed("S", "above")) == []


def test_S41_the_trump_turned_too_soon_leaves_the_claim_its_time(hear: Hear) -> None:
    start = f"{DEALING}\n{dealt(1, 50)}\n" + '{"fact":"exposed","card":"7C","by":"S","t_us":1000000}'
    turned = '{"fact":"turned","card":"QH","t_us":1500000}'
    right = option("32", "W", "E", until="time")
    prompt = '{"fact":"claimed","by":"W","what":"new_deal","t_us":3000000}'
    late = prompt.replace("3000000", "6500001")
    said = hear(start, dealt(51, 52), turned, prompt)
    assert said == [FIRST_30A, right, new_deal("32")]
    expired = closed("32", "time", policy="grace_s")
    assert hear(start, dealt(51, 52), turned, late, late) == [FIRST_30A, right, expired, NOT_CALLABLE, expired]
    assert hear(start, dealt(51, 52), turned.replace("1500000", "9000000")) == [
        FIRST_30A,
        closed("30a", "completed"),
        NOT_CALLABLE,
    ]


def test_32_without_a_clock_people_say_when_the_time_is_over(hear: Hear) -> None:
    start = f"{DEALING}\n{dealt(1, 50)}\n{exposed('S')}\n{dealt(51, 52)}\n{TURNED}"
    over = '{"fact":"time_given","to":"W"}\n{"fact":"time_given","to":"E"}'
    right = option("32", "W", "E", until="time")
    assert hear(start, claimed("E")) == [FIRST_30A, right, new_deal("32")]
    assert hear(start, over) == [FIRST_30A, right, closed("32", "time"), NOT_CALLABLE]
    assert hear(start, LED) == [FIRST_30A, right, closed("32", "time"), NOT_CALLABLE]
    of_west = '{"fact":"time_given","to":"W"}'
    assert hear(start, of_west, claimed("W")) == [FIRST_30A, right, closed("32", "time")]
    assert hear(start, of_west, claimed("W"), claimed("E")) == [FIRST_30A, right, closed("32", "time"), new_deal("32")]


def test_32_does_not_prolong_the_dealers_own_right(hear: Hear) -> None:
    said = hear(DEALING, dealt(1, 51), exposed("E"), card(52, "S"), TURNED)
    assert said == [option("30b", "S"), closed("30b", "completed"), NOT_CALLABLE]


def test_S42_a_peep_at_the_trump_is_shown_and_may_cost_a_new_deal(hear: Hear) -> None:
    peeped = '{"fact":"looked","seat":"S","at":"trump"}'
    shown = ruled("show_to", "33", seats=["W", "E"])
    assert hear(DEALING, dealt(1, 51), peeped, claimed("E")) == [shown, option("33", "W", "E"), new_deal("33")]


# Rotation, counts, the last card.


def test_S55_two_cards_at_once_are_put_right_by_moving_one(hear: Hear) -> None:
    corrected = '{"fact":"corrected","cards_moved":1}'
    said = hear(DEALING, dealt(1, 1), card(3, "N", 2), corrected, dealt(4, 52), TURNED)
    assert said == [ruled("correct_first", "37-VI")]


@pytest.mark.parametrize(
    "second",
    [card(3, "N", 2), card(3, "E", 2), f"{card(2, 'N')}\n{card(3, 'N')}"],
    ids=["to the first's hand", "to the second's hand", "one after the other"],
)
def test_S56_a_third_card_before_that_loses_the_deal(hear: Hear, second: str) -> None:
    said = hear(DEALING, dealt(1, 1), second, dealt(4, 5))
    assert said == [ruled("correct_first", "37-VI"), lost("37-VI")]


@pytest.mark.parametrize("fallen", [card(3, "S", 2), card(4, "N", 3)], ids=["two to a wrong hand", "three at once"])
def test_37_VI_what_one_card_does_not_cure_is_a_misdeal(hear: Hear, fallen: str) -> None:
    assert hear(DEALING, dealt(1, 1), fallen) == [lost("37-VI")]


def test_37_VI_moving_two_cards_is_no_cure(hear: Hear) -> None:
    moved_two = '{"fact":"corrected","cards_moved":2}'
    assert hear(DEALING, card(2, "W", 2), moved_two) == [ruled("correct_first", "37-VI"), lost("37-VI")]


def test_37_VI_a_double_feed_that_may_not_be_cured_by_hand_is_a_misdeal(hear: Hear) -> None:
    no_hand = opened(hand_cure=False)
    assert hear(no_hand, card(2, "W", 2)) == [lost("37-VI", policy="hand_cure")]
    assert hear(no_hand, FAULT, card(2, "W", 2)) == [
        ruled("misdeal", "37-VI", policy="hand_cure", lost=False, dealer="S")
    ]


@pytest.mark.parametrize("order", [f"{FAULT}\n{card(2, 'W', 2)}", f"{card(2, 'W', 2)}\n{FAULT}"])
def test_37_VI_a_double_feed_of_the_machine_follows_the_house(hear: Hear, order: str) -> None:
    policy = {"policy": "machine_fault"}
    held = ruled("correct_first", "37-VI")
    assert hear(OPEN, order, card(3, "E")) == [held, ruled("misdeal", "37-VI", lost=False, dealer="S", **policy)]
    as_dealer = opened(machine_fault="as_dealer")
    assert hear(as_dealer, order, card(3, "E")) == [held, lost("37-VI", **policy)]


def test_37_VI_the_trump_turned_on_an_open_error_is_too_late(hear: Hear) -> None:
    said = hear(DEALING, dealt(1, 50), card(52, "S", 2), TURNED)
    assert said == [ruled("correct_first", "37-VI"), lost("37-VI")]


def test_director_decides_whether_an_error_was_cured(hear: Hear) -> None:
    cured = '{"fact":"director","decides":"cure","value":true}'
    held = ruled("correct_first", "37-VI")
    assert hear(DEALING, card(2, "W", 2), cured, dealt(3, 8)) == [held]
    assert hear(DEALING, card(2, "W", 2), cured.replace("true", "false")) == [held, lost("37-VI")]


@pytest.mark.parametrize("to", "NESW")
def test_S58_the_last_card_face_down_is_a_misdeal_without_cure(hear: Hear, to: str) -> None:
    assert hear(DEALING, dealt(1, 52), f'{{"fact":"laid_face_down","on":"{to}"}}') == [lost("37-II")]


def test_S59_a_seat_left_out_is_a_misdeal(hear: Hear) -> None:
    shifted = "\n".join(card(k, str(seat_of(k + 1, Seat.S))) for k in range(9, 52))
    said = hear(DEALING, dealt(1, 8), shifted, card(52, "W"), TURNED)
    assert said == [ruled("correct_first", "37-I", policy="single_card_cure"), lost("37-I")]


def test_S60_beginning_with_the_wrong_seat_is_a_misdeal(hear: Hear) -> None:
    said = hear(DEALING, card(1, "N"), card(2, "E"))
    assert said == [ruled("correct_first", "37-I", policy="single_card_cure"), lost("37-I")]


def test_37_I_one_card_to_the_wrong_packet_follows_the_house(hear: Hear) -> None:
    corrected = '{"fact":"corrected","cards_moved":1}'
    held = ruled("correct_first", "37-I", policy="single_card_cure")
    assert hear(DEALING, dealt(1, 4), card(5, "E"), corrected, dealt(6, 52), TURNED) == [held]
    assert hear(opened(single_card_cure=False), dealt(1, 4), card(5, "E")) == [lost("37-I", policy="single_card_cure")]


def test_37_III_the_last_card_must_come_to_the_dealer_in_order(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 51), card(52, "N")) == [lost("37-III")]
    assert hear(DEALING, dealt(1, 52), TURNED.replace("}", ',"to":"N"}')) == [lost("37-III")]


def test_37_III_but_the_deal_is_kept_if_the_pack_is_imperfect(hear: Hear) -> None:
    missing = '{"fact":"pack_proved","state":"imperfect","missing":["2D"]}'
    said = hear(DEALING, dealt(1, 51), TURNED.replace("}", ',"to":"E"}'), missing)
    assert said == [lost("37-III"), new_deal("29-I")]


def test_S61_fourteen_against_twelve_is_a_misdeal(hear: Hear) -> None:
    early = ruled(
        "ask_director",
        "40",
        policy="short_hand_early",
        why="a hand is short before the code speaks of it; count the pack and look for the card",
    )
    assert hear(DONE, counted("N", 12), counted("W", 14)) == [early, lost("37-IV")]
    assert hear(DONE, counted("W", 14), counted("N", 12)) == [new_deal("29-I"), lost("37-IV")]
    assert hear(PLAYED, counted("W", 14), counted("N", 12))[-1] == lost("37-IV")
    assert hear(PLAYED, '{"fact":"hand_ended"}', counted("W", 14), counted("N", 12)) == [ruled("stands", "41")]


def test_37_IV_an_excess_caused_by_an_adversary_is_a_fresh_deal(hear: Hear) -> None:
    by_east = counted("W", 14).replace("}", ',"cause":"E"}')
    assert hear(DONE, counted("N", 12), by_east)[-1] == new_deal("37-IV")


def test_37_IV_the_director_says_whose_act_the_excess_was(hear: Hear) -> None:
    said = '{"fact":"director","decides":"attribution","seat":"%s"}'
    counts = f"{counted('N', 12)}\n{counted('W', 14)}"
    assert hear(DONE, counts, said % "E")[-2:] == [lost("37-IV"), new_deal("37-IV")]
    assert hear(DONE, counts, said % "S")[-1] == lost("37-IV")


def test_37_IV_and_footnote_56_fifty_three_cards_are_an_imperfect_pack(hear: Hear) -> None:
    assert hear(DONE, counted("W", 14)) == [new_deal("29-I")]
    hands = [counted(seat, 14 if seat == "W" else 13) for seat in "WNES"]
    assert hear(DONE, LED, *hands) == [ruled("void", "41", dealer="S")]


def test_29_I_a_pack_that_is_proved_by_hands_taken_as_dealt_says_so_and_asks_for_their_count() -> None:
    judge = Judge()
    lines = "\n".join((DONE, counted("W", 14), *(counted(seat, 13) for seat in "NES"))).splitlines()
    said = [judge.hear(parse_fact(json.loads(text), line=line), line) for line, text in enumerate(lines, start=1)]
    (alone,) = said[-4]
    assert alone.law == "whist 29-I"
    assert alone.because.endswith(
        "(the hands not counted are taken as dealt: count them too before the cards are gathered)."
    )
    assert said[-3:] == [[], [], []]


def test_S64_a_short_hand_found_after_the_first_trick_stands(hear: Hear) -> None:
    assert hear(PLAYED, counted("N", 12)) == [ruled("stands", "40", liable="N")]
    assert hear(PLAYED, counted("N", 12), counted("N", 12), counted("E", 13)) == [ruled("stands", "40", liable="N")]


def test_40_the_pack_is_then_taken_to_be_complete(hear: Hear) -> None:
    stands = ruled("stands", "40", liable="N")
    missing = '{"fact":"pack_proved","state":"imperfect","missing":["2D"]}'
    assert hear(PLAYED, counted("N", 12), missing) == [stands]
    assert hear(PLAYED, counted("N", 12), IMPERFECT) == [stands, ruled("void", "41", dealer="S")]
    twice = IMPERFECT.replace("incorrect", "imperfect")
    assert hear(PLAYED, counted("N", 12), twice) == [stands, ruled("void", "41", dealer="S")]
    assert hear(DONE, LED, missing, counted("N", 12)) == [ruled("void", "41", dealer="S")]


def test_a_hand_that_is_over_is_over(hear: Hear) -> None:
    over = f'{PLAYED}\n{{"fact":"hand_ended"}}'
    assert hear(over, '{"fact":"taken_up","by":"N","of":"E"}') == []
    assert hear(over, counted("N", 12), counted("E", 12)) == [ruled("stands", "40", liable="N")]


def test_S65_a_short_hand_found_before_is_for_the_director_or_the_house(hear: Hear) -> None:
    assert [said["ruling"] for said in hear(DONE, counted("N", 12))] == ["ask_director"]
    house = opened(short_hand_early="new_deal")
    assert hear(house, dealt(1, 52), TURNED, counted("N", 12)) == [new_deal("40", policy="short_hand_early")]


def test_40_two_short_hands_are_for_the_director(hear: Hear) -> None:
    assert hear(PLAYED, counted("N", 12), counted("E", 12))[-1]["ruling"] == "ask_director"


def test_40_counts_before_the_last_card_wait_for_it(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 40), counted("N", 9), dealt(41, 51)) == []
    said = hear(DEALING, dealt(1, 40), counted("N", 9), dealt(41, 52), TURNED)
    assert [ruling["law"] for ruling in said] == ["whist 40"]


def test_S71_counting_the_cards_is_a_misdeal_squaring_a_packet_is_not(hear: Hear) -> None:
    by_count = '{"fact":"counted","what":"stock"}'
    assert hear(DEALING, dealt(1, 20), by_count) == [lost("37-V")]
    assert hear(DEALING, dealt(1, 20), by_count.replace("}", ',"purpose":"other"}')) == []


# The cut omitted.


@pytest.mark.parametrize("by", ["W", "E", "director"])
def test_S73_no_cut_found_by_an_adversary_is_a_misdeal(hear: Hear, by: str) -> None:
    assert hear(OPEN, BEGAN, dealt(1, 30), found("cut_omitted", by)) == [lost("37-VII")]


def test_S74_no_cut_found_too_late_stands(hear: Hear) -> None:
    stands = ruled("stands", "37-VII")
    assert hear(OPEN, BEGAN, dealt(1, 52), TURNED, found("cut_omitted", "W")) == [stands]
    looked = '{"fact":"looked","seat":"E"}'
    assert hear(OPEN, BEGAN, dealt(1, 30), looked, found("cut_omitted", "W")) == [stands]


def test_37_VII_taking_up_a_hand_is_looking_if_the_house_says_so(hear: Hear) -> None:
    taken = '{"fact":"taken_up","by":"E","of":"E"}'
    rest = f"{dealt(1, 30)}\n{taken}\n{found('cut_omitted', 'W')}"
    assert hear(opened(), rest) == [ruled("stands", "37-VII", policy="looked")]
    touch_saves = ruled("misdeal", "37-VII", lost=False, dealer="S", saved_by="whist 39")
    assert hear(opened(looked="said"), rest) == [touch_saves]


def test_37_VII_once_the_trump_is_turned_it_stands_whoever_took_up_his_cards(hear: Hear) -> None:
    taken = '{"fact":"taken_up","by":"E","of":"E"}'
    said = hear(OPEN, BEGAN, dealt(1, 52), TURNED, taken, found("cut_omitted", "W"))
    assert said == [ruled("stands", "37-VII")]


def test_37_VII_only_the_adversaries_may_find_it(hear: Hear) -> None:
    assert hear(OPEN, dealt(1, 30), found("cut_omitted", "N")) == [ruled("refused", "37-VII", act="misdeal")]


def test_37_VII_what_the_machine_finds_opens_an_option(hear: Hear) -> None:
    right = option("37-VII", "W", "E", what="misdeal")
    start = f"{OPEN}\n{dealt(1, 30)}\n{found('cut_omitted', 'machine')}"
    assert hear(start, claimed("E", "misdeal")) == [right, lost("37-VII")]
    assert hear(start, '{"fact":"looked","seat":"E"}') == [right, closed("37-VII", "looked")]


def test_37_VII_a_bad_cut_dealt_on_is_a_pack_not_cut(hear: Hear) -> None:
    short = '{"fact":"cut","by":"E","top":3,"bottom":49}'
    said = hear(OPEN, short, BEGAN, dealt(1, 4), claimed("W", "misdeal"))
    assert said == [ruled("fresh_cut", "26"), lost("37-VII")]


# Turn, pack, interruption, touch.

EAST_BEGAN = '{"fact":"dealing_began","by":"E"}'


@pytest.mark.parametrize("by", ["N", "W", "S", "E", "director"])
def test_S78_dealing_out_of_turn_is_stopped_until_the_trump(hear: Hear, by: str) -> None:
    said = hear(OPEN, EAST_BEGAN, dealt(1, 40, by=Seat.E), found("out_of_turn", by))
    assert said == [ruled("stop", "34", dealer="S")]


def test_S78_and_stands_after_it(hear: Hear) -> None:
    turned = TURNED
    said = hear(OPEN, EAST_BEGAN, dealt(1, 52, by=Seat.E), turned, found("out_of_turn", "N"))
    assert said == [ruled("stands", "34", next_dealer="S")]


def test_34_the_adversaries_pack_likewise(hear: Hear) -> None:
    began = '{"fact":"dealing_began","by":"S","pack_used":"adversaries"}'
    assert hear(OPEN, began, dealt(1, 40), found("wrong_pack", "E")) == [ruled("stop", "34", dealer="S")]
    assert hear(OPEN, began, dealt(1, 52), TURNED, found("wrong_pack", "E")) == [ruled("stands", "34")]
    right = option("34", "W", "N", "E", "S", what="stop")
    start = f"{OPEN}\n{began}\n{dealt(1, 9)}\n{found('wrong_pack', 'machine')}"
    assert hear(start, claimed("N", "stop")) == [right, ruled("stop", "34", dealer="S")]


def test_34_a_fault_while_the_wrong_player_deals_is_for_the_director(hear: Hear) -> None:
    start = f"{OPEN}\n{EAST_BEGAN}\n{dealt(1, 4, by=Seat.E)}"
    said = hear(start, '{"fact":"faced","k":5}', found("out_of_turn", "N"))
    assert [ruling["ruling"] for ruling in said] == ["ask_director", "stop"]
    said = hear(start, card(6, "S", 2), card(7, "N"))
    assert [ruling["ruling"] for ruling in said] == ["correct_first", "ask_director"]


INTERRUPTED = '{"fact":"interrupted","by":"W","about":"score","upheld":false}'


def test_S84_a_vain_interruption_saves_the_deal(hear: Hear) -> None:
    said = hear(DEALING, dealt(1, 8), INTERRUPTED, card(10, "W", 2), card(11, "E"))
    saved = ruled("misdeal", "37-VI", lost=False, dealer="S", saved_by="whist 36")
    assert said == [ruled("correct_first", "37-VI"), saved]


@pytest.mark.parametrize("change", [('"score"', '"other"'), ("false", "true"), ('"W"', '"N"')])
def test_36_saves_only_from_an_adversary_who_was_wrong(hear: Hear, change: tuple[str, str]) -> None:
    said = hear(DEALING, dealt(1, 8), INTERRUPTED.replace(*change), card(10, "W", 2), card(11, "E"))
    assert said[-1] == lost("37-VI")


def test_S85_an_interruption_about_the_turn_that_is_right_stops_the_deal(hear: Hear) -> None:
    upheld = '{"fact":"interrupted","by":"N","about":"turn","upheld":true}'
    assert hear(OPEN, EAST_BEGAN, dealt(1, 8, by=Seat.E), upheld) == [ruled("stop", "34", dealer="S")]


@pytest.mark.parametrize(
    ("order", "saved"),
    [("W", True), ("EN", True), ("SW", True), ("NW", False), ("S", False), ("", False)],
)
def test_S87_the_first_touch_decides_whether_a_misdeal_loses_the_deal(hear: Hear, order: str, *, saved: bool) -> None:
    touches = "\n".join(map(touched, order)) or BEGAN
    said = hear(DEALING, dealt(1, 8), touches, card(10, "W", 2), card(11, "E"))
    again = ruled("misdeal", "37-VI", lost=False, dealer="S", saved_by="whist 39")
    assert said[-1] == (again if saved else lost("37-VI"))


def test_38_a_misdeal_in_the_partners_turn_costs_him_the_deal(hear: Hear) -> None:
    north = '{"fact":"dealing_began","by":"N"}'
    said = hear(OPEN, north, dealt(1, 4, by=Seat.N), card(6, "E", 2), card(7, "W"))
    assert said == [ruled("correct_first", "37-VI"), lost("38")]


def test_35_a_partner_who_deals_with_leave_deals_for_him(hear: Hear) -> None:
    leave = '{"fact":"asked","by":"N","act":"deal","for":"S"}\n{"fact":"permitted","by":"E","act":"deal"}'
    rest = f'{{"fact":"dealing_began","by":"N"}}\n{dealt(1, 4, by=Seat.N)}\n{{"fact":"faced","k":5}}'
    assert hear(OPEN, leave, rest) == [ruled("refused", "35", act="deal"), new_deal("29-II")]
    assert [ruling["ruling"] for ruling in hear(OPEN, rest)] == ["ask_director"]


def test_S91_a_wrong_claim_loses_the_right(hear: Hear) -> None:
    start = f"{DEALING}\n{dealt(1, 20)}\n{exposed('S')}"
    wrong = closed("88", "wrong_claim")
    assert hear(start, claimed("W", "bar"), claimed("E")) == [FIRST_30A, wrong, NOT_CALLABLE, wrong]
    assert hear(DEALING, dealt(1, 20), claimed("W")) == [ruled("refused", "88", act="new_deal")]


def test_S91_a_wrong_claim_costs_only_the_side_that_makes_it(hear: Hear) -> None:
    start = f"{OPEN}\n{EAST_BEGAN}\n{dealt(1, 8, by=Seat.E)}\n{found('out_of_turn', 'machine')}"
    assert hear(start, claimed("W", "bar"), claimed("N", "stop")) == [
        option("34", "S", "W", "N", "E", what="stop"),
        ruled("refused", "88", act="bar"),
        ruled("stop", "34", dealer="S"),
    ]


def test_S91_consulting_over_an_exposed_card_is_for_the_director(hear: Hear) -> None:
    start = f"{DEALING}\n{dealt(1, 20)}\n{exposed('S')}"
    said = hear(start, '{"fact":"consulted","side":"EW"}', '{"fact":"consulted","side":"NS"}')
    assert [(ruling["ruling"], ruling["law"]) for ruling in said[1:]] == [("ask_director", "whist 87")]


def test_S91_consulting_over_another_right_loses_it(hear: Hear) -> None:
    start = f"{OPEN}\n{EAST_BEGAN.replace('E', 'S')}\n{dealt(1, 8)}\n{found('cut_omitted', 'machine')}"
    lapsed = closed("87", "consulted")
    said = hear(start, '{"fact":"consulted","side":"EW"}', claimed("W", "misdeal"))
    assert said == [option("37-VII", "W", "E", what="misdeal"), lapsed, lapsed]


def test_72_a_player_who_misses_a_trick_gives_the_other_side_a_new_deal(hear: Hear) -> None:
    missed = '{"fact":"found","what":"missed_trick","by":"N","seat":"W"}'
    right = option("72", "N", "S", until="hand_ended")
    assert hear(PLAYED, missed, claimed("E"), claimed("S")) == [
        right,
        ruled("refused", "72", act="new_deal"),
        ruled("void", "72", dealer="S"),
    ]
    assert hear(PLAYED, missed, '{"fact":"hand_ended"}') == [right, closed("72", "completed")]


def test_S103_a_torn_card_is_no_imperfect_pack(hear: Hear) -> None:
    assert hear(DEALING, dealt(1, 20), '{"fact":"card_damaged","card":"7C"}') == []


def test_S105_the_duties_of_a_first_deal_call_for_no_ruling(hear: Hear) -> None:
    duties = ['{"fact":"shuffled","by":"W"}', '{"fact":"shuffled","by":"S","other_pack":true}']
    duties += ['{"fact":"collected","by":"N"}', '{"fact":"placed","left_of":"W"}']
    assert hear(OPEN, *duties, '{"fact":"shuffled","by":"S"}', CUT, BEGAN, dealt(1, 52), TURNED) == []


# Two faults in one deal.


def test_two_faults_follow_the_house(hear: Hear) -> None:
    rest = f'{dealt(1, 9)}\n{{"fact":"faced","k":10}}\n{found("cut_omitted", "W")}'
    assert hear(opened(), rest) == [new_deal("29-II")]
    assert hear(opened(two_faults="gravest"), rest) == [new_deal("29-II"), lost("37-VII", policy="two_faults")]


def test_after_the_end_nothing_changes(hear: Hear) -> None:
    rest = [card(3, "E"), '{"fact":"faced","k":4}', exposed("S"), claimed("W"), dealt(4, 6), INTERRUPTED]
    assert hear(DEALING, card(2, "W", 2), *rest) == [ruled("correct_first", "37-VI"), lost("37-VI")]


# The laws as data.


def scenarios() -> dict[str, tuple[Callable[..., None], list[dict[str, Any]]]]:
    """Every scenario of this module with the arguments it is run with."""
    module = sys.modules[__name__]
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_") and "hear" in _names(test)}
    return {name: (test, _arguments(test)) for name, test in tests.items()}


def _names(test: Any) -> tuple[str, ...]:
    return tuple(test.__annotations__)


def _arguments(test: Any) -> list[dict[str, Any]]:
    for mark in getattr(test, "pytestmark", []):
        names, values = mark.args
        if isinstance(names, str):
            return [{names: value} for value in values]
        return [dict(zip(names, value, strict=True)) for value in values]
    return [{}]


def test_the_command_rules_likewise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[tuple[str, list[Said]]] = []
    judge = hearing(code("whist"))

    def hear(*parts: str) -> list[Said]:
        said = judge(*parts)
        heard.append(("\n".join(parts), said))
        return said

    for test, arguments in scenarios().values():
        for values in arguments:
            test(hear, **values)
    parser = argparse.ArgumentParser()
    judge_command.add_arguments(parser)
    for stream, said in heard:
        file = tmp_path / "deal.jsonl"
        file.write_text(stream)
        assert judge_command.run(parser.parse_args([str(file)])) == 0
        printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [{key: ruling[key] for key in ruling if key not in ("on", "because")} for ruling in printed] == said
    assert len(heard) > len(scenarios())


def is_kept(laws: Code) -> bool:
    """Whether every scenario has the outcome it asserts under these laws."""
    hear = hearing(laws)
    try:
        for test, arguments in scenarios().values():
            for values in arguments:
                test(hear, **values)
    except (AssertionError, IndexError, KeyError):
        return False
    return True


def test_every_law_is_needed_by_a_scenario() -> None:
    whist = code("whist")
    assert is_kept(whist)
    spare = [
        str(law)
        for index, law in enumerate(whist.laws)
        if is_kept(replace(whist, laws=whist.laws[:index] + whist.laws[index + 1 :]))
    ]
    assert spare == []
