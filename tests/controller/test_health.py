"""The health of the eye: what the records of deals come to, and what is said of it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.deal_log import DealLog
from controller.entropy import seeded_entropy
from controller.findings import Finding, Level
from controller.health import RECENT, Health, health_of, nines, trend
from controller.health_command import add_arguments, run
from controller.health_findings import EDGE_MAX, LAG_US, amiss, findings
from vision.cards import Card, Pack
from vision.recogniser import Limits
from vision.scene import DARK_LEVEL

if TYPE_CHECKING:
    from controller.acts import Line

CARDS = [str(card) for card in Pack.of(52).cards]
SIX = "6C"
SIX_PLACE = CARDS.index(SIX)
EYE = {
    "fact": "eye_measured",
    "cards": 52,
    "lamp_off_ppm": 8_000,
    "lamp_on_ppm": 300_000,
    "edge_ppm": 8_000,
    "x_ppm": 500_000,
    "y_ppm": 500_000,
    "lag_us": 8_000,
    "late": 0,
    "repeated": 0,
}


def deal(*, sure: float = 0.99, eye: bool = True, **special: Any) -> list[Line]:
    """A deal of 52 cards, each read with that confidence.

    Args:
        sure: of every card but the six of clubs.
        eye: whether what the eye measured is on record.
        special: `six`, the confidence of the six of clubs, or its state where it was not read; else fields of `EYE`.
    """
    six = special.pop("six", sure)
    lines: list[Line] = [{"fact": "deal_opened", "code": "whist", "dealer": "S"}]
    for k, card in enumerate(CARDS, 1):
        told = six if card == SIX else sure
        if isinstance(told, str):
            lines.append({"fact": "seen", "k": k, "state": told, "confidence_ppm": 0})
        else:
            lines.append({"fact": "seen", "k": k, "state": "card", "card": card, "confidence_ppm": round(told * 1e6)})
    return lines + ([EYE | special] if eye else [])


def over(deals: Sequence[list[Line]]) -> Health:
    return health_of(enumerate(deals, 1))


def of_six(health: Health) -> Any:
    return next(one for one in health.cards if str(one.card) == SIX)


def said(health: Health, about: str) -> Finding:
    (finding,) = [one for one in findings(health) if one.about == about]
    return finding


# --- numbers ---


@pytest.mark.parametrize(("confidence", "count"), [(0.0, 0), (0.9, 1), (0.99, 2), (0.999, 3), (1.0, 6), (1 - 1e-9, 6)])
def test_nines(confidence: float, count: float) -> None:
    assert nines(confidence) == pytest.approx(count)


def test_a_card_that_is_read_as_surely_as_the_others_has_no_margin_to_lose() -> None:
    health = over([deal()] * 20)
    assert (health.deals, health.looked, health.stopped, health.silent) == (20, 1040, 0, 0)
    assert (of_six(health).late_margin, of_six(health).fell, health.worn) == (0.0, 0.0, ())
    assert list(health.sureness) == pytest.approx([2.0] * 20)


def test_a_card_that_is_read_less_and_less_surely_is_to_be_replaced() -> None:
    health = over([deal()] * RECENT + [deal(six=0.9)] * RECENT)
    assert of_six(health).fell == pytest.approx(1.0)
    assert [str(one.card) for one in health.worn] == [SIX]
    found = said(health, SIX)
    assert found.step == f"Replace the {Card.parse(SIX).name}, or the pack."
    assert "less and less surely" in found.says


def test_one_good_reading_among_the_last_is_chance() -> None:
    assert over([deal()] * RECENT + [deal(six=0.9)] * (RECENT - 1) + [deal(six=0.995)]).worn == ()


def test_too_few_deals_are_no_trend() -> None:
    assert over([deal()] * (RECENT - 1) + [deal(six=0.9)] * RECENT).worn == ()


def test_where_all_cards_are_read_less_surely_no_card_is_worn() -> None:
    """Light, focus and dirt change the whole pack alike."""
    health = over([deal(sure=0.999)] * RECENT + [deal(sure=0.99)] * RECENT)
    assert health.worn == ()
    assert said(health, "pack").says == "All cards are read less surely than in the first deals: 1.0 nines less."


def test_a_card_that_stays_unread_is_known_from_the_pack_and_named() -> None:
    health = over([deal()] * 3 + [deal(six="not_sure")] * 2)
    assert (health.stopped, of_six(health).unread) == (2, 2)
    assert said(health, SIX).says == f"The {Card.parse(SIX).name} was not read 2 times in the last {RECENT} deals."


def test_where_two_cards_were_not_read_none_is_named() -> None:
    lines = deal(six="not_sure")
    lines[1] = {"fact": "seen", "k": 1, "state": "partial", "confidence_ppm": 0}
    health = over([lines] * 2)
    assert (health.stopped, health.worn) == (4, ())


def test_an_unread_card_of_a_deal_that_was_given_up_is_not_guessed() -> None:
    assert over([deal(six="not_sure")[: SIX_PLACE + 2]] * 2).worn == ()


def test_stopped_and_silent_are_counted_apart() -> None:
    twice = [*deal(six="not_sure"), {"fact": "doubted", "k": 9, "earlier": 4}]
    health = over([twice, deal(), deal(), deal()])
    assert (health.stopped, health.silent) == (1, 1)
    assert (health.per_hundred(health.stopped), health.per_hundred(health.silent)) == (25, 25)


def test_a_doubted_card_counts_for_neither_reading() -> None:
    health = over([[*deal(), {"fact": "doubted", "k": 2, "earlier": 1}]])
    assert {CARDS[0], CARDS[1]}.isdisjoint(str(one.card) for one in health.cards)


def test_backs_and_double_feeds_are_no_errors_of_the_eye() -> None:
    lines = [*deal(six="two_cards"), {"fact": "machine_fault", "code": "double_feed", "k": SIX_PLACE + 1}]
    assert over([lines, deal(six="face_not_seen")]).stopped == 0
    assert over([deal(six="two_cards")]).stopped == 1


def test_the_bound_is_three_in_the_number_of_cards_where_nothing_went_wrong() -> None:
    """-ln 0.05 = 2.996: the 95 % limit of a Poisson mean for no event; 4.744 for one, by the tables of chi-square."""
    assert over([deal()] * 10).silent_bound == pytest.approx(2.996 / 520)
    one = [*deal(), {"fact": "doubted", "k": 2, "earlier": 1}]
    assert over([one] + [deal()] * 9).silent_bound == pytest.approx(4.744 / 520)
    assert over([]).silent_bound == 1.0


def test_deals_in_which_no_card_was_looked_at_do_not_count() -> None:
    assert over([[{"fact": "deal_opened", "code": "whist", "dealer": "S"}]]).deals == 0


def test_a_trend_wants_two_ends_that_do_not_overlap() -> None:
    assert trend([1.0] * 15) is None
    assert trend([1.0] * 8 + [3.0] * 8) == (1.0, 3.0)


# --- sentences ---


def test_a_healthy_eye_says_so_in_every_respect() -> None:
    found = findings(over([deal()] * 20))
    assert {one.level for one in found} == {Level.OK}
    assert [one.about for one in found] == [
        "lamp off",
        "lamp on",
        "focus",
        "frames",
        "stopped",
        "silent",
        "yardstick",
    ]


WORSE = [
    ("lamp off", {"lamp_off_ppm": round(0.95 * DARK_LEVEL / 255 * 1e6)}, "Close the lid"),
    ("lamp on", {"lamp_on_ppm": 200_000}, "Clean the window"),
    ("focus", {"edge_ppm": 25_000}, "set the focus"),
    ("window", {"x_ppm": 515_000}, "Fasten the camera"),
    ("window", {"y_ppm": 485_000}, "Fasten the camera"),
    ("frames", {"late": 2}, "cable"),
    ("frames", {"repeated": 1}, "cable"),
    ("frames", {"lag_us": LAG_US + 1}, "60 frames"),
]


@pytest.mark.parametrize(("about", "change", "step"), WORSE)
def test_what_of_the_eye_gets_worse_is_said_with_a_next_step(about: str, change: dict[str, Any], step: str) -> None:
    health = over([deal()] * RECENT + [deal(**change)] * RECENT)
    found = said(health, about)
    assert found.level is Level.WARN
    assert step in found.step
    assert found in amiss(health)
    assert [one.about for one in findings(health) if one.level is Level.WARN] == [about]


def test_a_shift_of_the_window_within_its_tolerance_is_nothing() -> None:
    assert [one.level for one in amiss(over([deal()] * 8 + [deal(x_ppm=505_000)] * 8))] == [Level.OK] * 4


def test_the_limit_of_focus_is_the_eyes_own() -> None:
    assert Limits().edge_width == EDGE_MAX


@pytest.mark.parametrize(
    ("deals", "silent", "said_of"),
    [(20, 0, "too few cards so far to say"), (20, 1, "this eye is worse"), (300, 0, "this eye is better")],
)
def test_the_yardstick_is_held_beside_what_so_many_cards_can_tell(deals: int, silent: int, said_of: str) -> None:
    """Zero errors prove one in 5,200 from 2.996 × 5,200 = 15,579 cards on: 300 deals."""
    doubt = {"fact": "doubted", "k": 2, "earlier": 1}
    found = said(over([deal() + [doubt] * (n < silent) for n in range(deals)]), "yardstick")
    assert said_of in found.says
    assert found.level is (Level.WARN if silent else Level.OK)


def test_a_card_that_came_twice_is_named_and_the_pack_is_looked_at_before_the_lamp() -> None:
    lines = deal()
    lines[9] = lines[9] | {"card": CARDS[4]}
    lines.append({"fact": "doubted", "k": 9, "earlier": 5})
    found = over([lines, lines, deal()])
    named = str(Card.parse(CARDS[4]).name)
    assert found.twice == ((Card.parse(CARDS[4]), 2),)
    assert f"Read twice: the {named} in 2 deals; either the pack holds a card twice" in said(found, "silent").says
    assert said(found, "silent").step.startswith("Say whether the pack holds a card twice: pone check.")
    assert said(found, "yardstick").step.startswith("Check the pack; if it is whole,")


def test_without_deals_that_is_said() -> None:
    (found,) = findings(over([]))
    assert found.says == "No deal of this log is over in which a card was looked at."


# --- the command ---


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    """A log of 16 deals, in the last 8 of which the six of clubs is read badly, and one that is open."""
    file = tmp_path / "deals.sqlite"
    with DealLog.open(file, key_file=tmp_path / "deals.key", entropy=seeded_entropy(1)) as log:
        for number in range(16):
            log.close_deal(log.open_deal(deal(six=0.99 if number < 8 else 0.85)), [], status="completed")
        log.open_deal(deal(six="not_sure"))
    return file


def main(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="pone health")
    add_arguments(parser)
    return run(parser.parse_args(words))


def health(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    return main(*words), capsys.readouterr().out


def test_the_command_names_the_card_and_the_next_step(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = health(capsys, str(log_file))
    assert status == 1
    assert f"-> Replace the {Card.parse(SIX).name}, or the pack." in out
    assert "in 16 deals, 832 cards" in out, "the open deal is sealed, and counts for nothing"


def test_the_command_counts_from_a_new_pack_on(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = health(capsys, str(log_file), "--since", "9")
    assert (status, "Replace" in out) == (0, False)
    assert "in 8 deals, 416 cards" in out


def test_a_deal_beyond_the_end_of_the_log_is_none_to_count_from(
    log_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(log_file), "--since", "18") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "it holds deals 1 to 17, and no deal 18" in err


def test_the_command_prints_json(log_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = health(capsys, str(log_file), "--json")
    told = json.loads(out)
    assert (status, told["deals"], told["stopped"], told["silent"]) == (1, 16, 0, 0)
    assert [one["card"] for one in told["cards"] if one["worn"]] == [SIX]
    assert [one["about"] for one in told["findings"] if one["level"] == "warn"] == [SIX]


def test_a_log_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert health(capsys, str(tmp_path / "none.sqlite"))[0] == 1
