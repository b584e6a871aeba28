"""Scenario files: what they say, and how one that says something impossible is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.words import Asked, ResetCause, Sensor
from hardware_sims.card_faults import DoubleFeed, SensorStuck
from hardware_sims.errors import ScenarioError
from hardware_sims.faults import KINDS, Reset
from hardware_sims.moments import Moment
from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.plan import DealPlan
from hardware_sims.scenario import load_scenario, parse_scenario, shipped_scenarios
from hardware_sims.seeded import Stream
from hardware_sims.world import DEFAULT_BACK, DEFAULT_STYLE
from vision.cards import Card, Pack

ORDER = ", ".join(f'"{card}"' for card in Pack.of(52).cards)


def test_a_whole_scenario_is_read() -> None:
    scenario = parse_scenario(
        f"""
        title = "t"
        seed = 5
        style = "{PACK_STYLES[0]}"
        [people]
        cut_ms = 10
        silent = ["move_card"]
        [[deal]]
        order = [{ORDER}]
        cut = 20
        [[deal.fault]]
        kind = "double_feed"
        at = 12
        [[deal.fault]]
        kind = "sensor_stuck"
        sensor = "tray_n"
        level = 1
        at = 3
        [[deal.fault]]
        kind = "reset"
        at = 4
        phase = "shown"
        cause = "watchdog"
        [deal.expect]
        status = "completed"
        law = "whist 37-VI"
        """,
        "t.toml",
    )
    assert (scenario.title, scenario.seed, scenario.people.cut_ms, scenario.people.load_ms) == ("t", 5, 10, 2_000)
    assert scenario.people.delay_us(Asked.MOVE_CARD) is None
    (deal,) = scenario.deals
    assert deal.faults == (
        DoubleFeed(at=12, overlap_mm=50.0),
        SensorStuck(sensor=Sensor.TRAY_N, level=1, at=3),
        Reset(at=4, phase=Moment.SHOWN, cause=ResetCause.WATCHDOG, after_ms=0),
    )
    assert deal.cards(Stream(0)) == Pack.of(52).cards
    assert (deal.expect.status, deal.expect.ruling, deal.expect.law) == ("completed", "", "whist 37-VI")
    assert scenario.deal(2) == DealPlan()


FAULT = "[[deal]]\n[[deal.fault]]\n"
ACT = "[[deal]]\n[[deal.act]]\n"
WRONG = {
    "x = 1": "f.toml: x: no such key here: expected one of title, seed",
    "seed = -1": "f.toml: seed: expected a whole number from 0",
    "seed = true": "f.toml: seed: expected a whole number from 0",
    'style = "gothic"': "f.toml: style: expected one of plain",
    'back = "gothic"': "f.toml: back: expected one of lattice",
    "deal = 1": "f.toml: deal: expected tables, each begun with [[deal]]",
    "people = 1": "f.toml: people: expected a table, found 1",
    '[people]\nsilent = ["sing"]': "f.toml: people.silent: expected a list, each of it one of load_pack, cut",
    "[[deal]]\n[[deal]]\ncut = 61": "f.toml: deal[2].cut: expected a whole number from 0 to 60, found 61",
    '[[deal]]\norder = ["AS", "AS"]': "f.toml: deal[1].order: expected every card once, found AS twice",
    '[[deal]]\norder = ["1S"]': "f.toml: deal[1].order: expected a list, each of it a card",
    '[[deal]]\norder = ["AS", "2S"]\ncut = 3': "f.toml: deal[1].cut: expected at most the 2 cards of the pack",
    '[[deal]]\n[deal.expect]\nstatus = "fine"': "f.toml: deal[1].expect.status: expected one of completed",
    FAULT + "at = 1": "f.toml: deal[1].fault[1].kind: expected one of misfeed",
    FAULT + 'kind = "jam"\nat = 1': "f.toml: deal[1].fault[1]: give either where or um",
    FAULT + 'kind = "jam"\nat = 1\nwhere = "exit"\num = 20000': "f.toml: deal[1].fault[1]: give either where or um",
    FAULT + 'kind = "jam"\nat = 1\num = 9999': "f.toml: deal[1].fault[1].um: expected a whole number from 10000",
    FAULT + 'kind = "gate_slip"\nat = 1': "f.toml: deal[1].fault[1].to: missing: expected one of N, E",
    FAULT + 'kind = "jam"\nat = 0\nwhere = "exit"': "f.toml: deal[1].fault[1].at: expected a whole number from 1",
    FAULT + 'kind = "dropped_bytes"\ndirection = "to_machine"': "fault[1]: give either a rate or a byte",
    FAULT + 'kind = "missing_card"\ncard = "J1"': "fault[1].card: expected a card of the pack, found J1",
    FAULT + 'kind = "duplicate_card"\ncard = "AS"\ninstead_of = "AS"': "fault[1].card: expected another card",
    FAULT + 'kind = "foreign_card"\ncard = "AS"\ninstead_of = "2S"': "fault[1].card: expected a card that is not in",
    "[machine]\nlacks = ['wings']": "f.toml: machine.lacks: expected a list, each of it one of thickness,",
    "[[deal]]\npack = 36": "f.toml: deal[1].pack: expected one of 24, 25, 32, 33, 52, found 36",
    "[[deal]]\npack = true": "f.toml: deal[1].pack: expected one of 24, 25, 32, 33, 52, found True",
    "[[deal]]\npack = 24\nfresh_cuts = [12, 25]": "f.toml: deal[1].fresh_cuts: expected at most the 24 cards",
    "[[deal]]\npack = 24\n[[deal.fault]]\nkind = 'mixed_packs'\ncards = 13": "cards: expected at most half of the 24",
    ACT + "what = 'touch'": "f.toml: deal[1].act[1].phase: missing: expected one of intent, shown",
    ACT + "what = 'touch'\nphase = 'shown'": "f.toml: deal[1].act[1]: touch: give a seat",
    ACT + "what = 'open_lid'\nphase = 'shown'\nseat = 'N'": "act[1]: open_lid: no seat does that",
    ACT + "what = 'call'\nphase = 'shown'\nseat = 'N'": "call: says: expected one of pass, assist, order_up, found ''",
    ACT + "what = 'touch'\nphase = 'shown'\nseat = 'N'\nsays = 'x'": "touch: says: expected one of nothing, found 'x'",
    ACT + "what = 'fly'\nphase = 'shown'": "f.toml: deal[1].act[1].what: expected one of touch, look",
    "seed = ": "f.toml: no TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_an_impossible_scenario_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "f.toml")
    assert WRONG[text] in str(caught.value)


def test_a_file_that_is_not_there_is_refused_with_the_way_on(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no such file, nor such a name in `pone sim --list-scenarios`"):
        load_scenario("nothing_like_it")
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(f"{tmp_path}/")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(str(tmp_path / "latin.toml"))


def test_every_shipped_scenario_says_what_must_come_of_it() -> None:
    kinds = set()
    for name, title in shipped_scenarios().items():
        scenario = load_scenario(name)
        assert title
        assert scenario.seed is not None
        for deal in scenario.deals:
            kinds |= {fault.kind for fault in deal.faults}
            assert deal.expect.status or deal.expect.ruling or deal.expect.fault
    assert kinds <= set(KINDS)


def test_the_show_lays_five_packs_for_four_hands() -> None:
    show = load_scenario("show")
    ends = [deal.expect.status for deal in show.deals]
    assert ends == ["completed", "completed", "new_deal", "completed", "completed"]
    assert next(fault for deal in show.deals for fault in deal.faults if isinstance(fault, DoubleFeed)).at != 51


def test_packs_that_no_scenario_names_can_be_drawn() -> None:
    assert DEFAULT_STYLE in PACK_STYLES
    assert DEFAULT_BACK in BACKS


def test_pack_faults_change_the_pack() -> None:
    text = """
    [[deal]]
    [[deal.fault]]
    kind = "missing_card"
    card = "7C"
    [[deal.fault]]
    kind = "duplicate_card"
    card = "AS"
    instead_of = "2H"
    [[deal.fault]]
    kind = "foreign_card"
    card = "J1"
    instead_of = "QD"
    """
    cards = parse_scenario(text, "f").deals[0].cards(Stream(1))
    gone = {Card.parse(code) for code in ("7C", "2H", "QD")}
    assert len(cards) == 51
    assert set(Pack.of(52).cards) - set(cards) == gone
    assert cards.count(Card.parse("AS")) == 2
    assert cards.count(Card.parse("J1")) == 1


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ("a = " + "[" * 3000, "nested too deeply"),
        ("seed = " + "9" * 5000, "a number in it is too long"),
        ("seed = 0x1" + "0" * 5000, "found a number that is too long"),
        ("[[deal]]\ncut = " + "[" * 50 + "]" * 50, "cut: expected"),
        (f'style = "{"x" * 5000}"', "style: expected one of"),
    ],
    ids=["deep", "long number", "long hexadecimal number", "list", "long text"],
)
def test_a_text_of_no_measure_is_refused_in_a_sentence(toml: str, reason: str) -> None:
    with pytest.raises(ScenarioError, match=reason) as caught:
        parse_scenario(toml, "f.toml")
    assert len(str(caught.value)) < 400


def test_a_device_is_no_scenario() -> None:
    with pytest.raises(ScenarioError, match="/dev/zero: cannot be read: a device or a pipe"):
        load_scenario("/dev/zero")
