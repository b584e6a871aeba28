"""What makers, firmwares and users of dealing machines report as faults: each can be injected, and has its incident.

Three lists are kept apart: faults that a feeder's mechanism, sensors, wire and processor can have; what the firmwares
of like machines can say; and what people complain of, as far as a mechanism can be the cause.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from controller.incidents import INCIDENTS
from hardware_sims.faults import KINDS
from tests.joint.fault_table import CASES

ROOT: Final = Path(__file__).resolve().parents[2]

FEEDER: Final[dict[str, tuple[str, ...]]] = {
    "hopper empty": ("missing_card, shuffled by hand", "missing_card"),
    "misfeed": ("misfeed", "misfeed, three times"),
    "jam at x µm": ("jam, entry", "jam, exit", "jam, at the mouth", "jam, in the window", "jam, at the nip"),
    "double feed with overlap": ("double_feed",),
    "chained feed": ("chained_feed",),
    "skew": ("skewed_card", "skewed_card, most"),
    "short or torn card": ("torn_card",),
    "slip": ("slipping_card", "slipping_card, 3 %", "slipping_card, 25 %"),
    "sensor stuck at blocked": ("sensor_stuck, entry blocked", "sensor_stuck, hopper blocked"),
    "sensor stuck at free": (
        "sensor_stuck, entry blind",
        "sensor_stuck, window blind",
        "sensor_stuck, exit blind",
        "sensor_stuck, counter blind",
        "sensor_stuck, hopper blind",
        "sensor_stuck, hopper blind, and misfeed",
    ),
    "sensor late": ("late_sensor", "late_sensor, silent"),
    "sensor bounces": ("sensor_bounce", "sensor_bounce, long"),
    "sensor glitch": ("sensor_glitch", "sensor_glitch, long"),
    "gate slips": ("gate_slip",),
    "door at any phase": ("lid opened",),
    "emergency stop": ("e-stop pressed",),
    "motor not enabled": ("motor_stalled",),
    "tray lifted": ("tray lifted",),
    "tray full": ("tray_full",),
    "board taken": ("board taken",),
    "card falls into the wrong shelf": ("shelf_misplaced",),
    "card left in a shelf": ("shelf_left",),
    "two cards into one shelf": ("shelf_double",),
    "jam before the shelves": ("shelf_jam",),
    "load cell drifts": ("cell_drift",),
    "lamp failed": ("lamp_failed",),
    "supply sag": ("supply_sag",),
    "driver hot": ("overheated",),
    "bytes dropped": ("dropped_bytes", "dropped_bytes, many"),
    "bytes doubled": ("doubled_bytes",),
    "bits flipped": ("flipped_bytes",),
    "bytes delayed by 1 and 16 ms": ("delayed_bytes",),
    "burst lost, or buffer overrun": ("lost_burst",),
    "host silent": ("silence", "silence, long"),
    "brown-out": ("supply_sag, deep", "reset"),
    "watchdog": ("reset",),
    "camera gone": ("camera_gone", "table_camera_gone"),
    "camera frozen, late, repeating": ("frozen_frames", "late_frames", "repeated_frame"),
    "eye not sure": ("eye_doubt", "eye_doubt, two cards", "eye_doubt, empty"),
    "extra card": ("extra_card", "extra_card, shuffled by hand"),
    "wrong pack": ("wrong_pack", "wrong_pack, shuffled by hand"),
    "two packs mixed": ("mixed_packs",),
}

FIRMWARES: Final[dict[str, tuple[str, ...]]] = {
    "empty": ("missing_card, shuffled by hand",),
    "no feed": ("misfeed, three times",),
    "double feed": ("double_feed",),
    "jam at gate N": ("jam, entry", "jam, exit", "shelf_jam"),
    "extra card": ("extra_card, shuffled by hand",),
    "stall": ("motor_stalled",),
    "door or hopper open": ("lid opened",),
    "light fault": ("lamp_failed",),
    "brown-out, reset": ("supply_sag, deep", "reset"),
    "bad frame": ("flipped_bytes", "dropped_bytes"),
    "card left in the path at boot": ("reset",),
}

COMPLAINTS: Final[dict[str, tuple[str, ...]]] = {
    "a card lies face up in the hopper": ("faced_card",),
    "a joker or an advertisement in the pack": ("foreign_card", "extra_card, shuffled by hand"),
    "a duplicate card": ("duplicate_card",),
    "a corner that is not read": ("eye_doubt",),
    "cards hot, cold, long in the board: they stick": ("misfeed", "misfeed, three times"),
    "two packs with equal backs mixed": ("mixed_packs",),
    "rollers dirty: the machine slows down": ("slipping_card", "slipping_card, 25 %"),
    "sunlight on the lens": ("stray_light",),
    "sunlight on a sensor": ("sensor_stuck, entry blind", "sensor_glitch, long"),
    "mains adaptor dead": ("supply_sag, deep",),
    "a board of 51 cards": ("missing_card", "missing_card, shuffled by hand"),
    "one card missing and a foreign one there": ("foreign_card",),
    "cards stay inside the machine": ("shelf_left", "reset"),
    "no way to stop a cycle": ("e-stop pressed",),
    "the last two cards feed together": ("double_feed", "chained_feed"),
    "a picture taken too early": ("late_frames", "late_sensor"),
    "two cards at once, or none": ("double_feed", "misfeed"),
    "a lost byte, or a power blip that leaves a card in the path": ("dropped_bytes", "reset"),
    "a tray knocked out of place": ("tray lifted",),
}

ELSEWHERE: Final = {
    "calibration missing": (
        "tests/hardware_sims/test_switches.py",
        "test_a_machine_without_calibration_is_never_ready",
    ),
    "host dies": ("tests/joint/test_kill.py", "test_killed_anywhere_the_deal_goes_on_or_is_given_up"),
    "cable pulled out": ("tests/firmware_bridge/test_link.py", "test_an_unplugged_port_is_lost_and_closed"),
    "port opened again, with and without a reset": (
        "tests/firmware_bridge/test_reconcile.py",
        "test_cut_off_anywhere_no_card_leaves_the_hopper_twice",
    ),
    "record torn in the journal": (
        "tests/hardware_sims/test_journal.py",
        "test_a_record_that_a_reset_interrupts_is_lost",
    ),
    "memory of the journal damaged or of old": (
        "tests/hardware_sims/test_journal.py",
        "test_a_damaged_journal_is_no_empty_journal",
    ),
}
"""What is no fault of a scenario, and the test that stands for it. A wrong baud rate is the firmware's own matter: a
pseudo-terminal has none."""

NAMED: Final = [*FEEDER.items(), *FIRMWARES.items(), *COMPLAINTS.items()]


@pytest.mark.parametrize(("fault", "cases"), NAMED)
def test_a_fault_can_be_injected_and_has_its_incident_or_a_reason_for_none(fault: str, cases: tuple[str, ...]) -> None:
    assert cases
    for case in map(CASES.__getitem__, cases):
        assert case.toml or case.acts, fault
        assert case.named <= set(INCIDENTS)
        assert case.named or all(case.unnamed.values()), fault


@pytest.mark.parametrize(("fault", "where"), ELSEWHERE.items())
def test_what_no_scenario_injects_is_tested_elsewhere(fault: str, where: tuple[str, str]) -> None:
    file, test = where
    assert test in (ROOT / file).read_text(encoding="utf-8"), fault


def test_every_kind_of_fault_and_every_case_stands_for_something_reported() -> None:
    used = {case for _, cases in NAMED for case in cases}
    assert used == set(CASES)
    kinds = {kind for case in used for kind in re.findall(r'kind = "(\w+)"', CASES[case].toml)}
    assert kinds == set(KINDS)


def test_every_incident_is_named_by_a_case_or_needs_more_than_one_fault() -> None:
    """These need a person, a stop, a machine as it was found or a conversation that breaks off: `test_incidents.py`."""
    named = {code for case in CASES.values() for code in case.named}
    assert set(INCIDENTS) - named == {
        "bad_cuts",
        "garbled",
        "link_lost",
        "machine_silent",
        "not_put_right",
        "pack_gone",
        "path_not_empty",
        "people_silent",
        "refused",
        "shuffle_failed",
        "stopped",
        "stopped_now",
        "uncalibrated",
    }
