"""Every fault of machine and eye: it is said, it can happen, and it does to a deal what its recovery says."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import controller
from controller.acts import AskPeople, FeedCard
from controller.deal_notes import Ending
from controller.dealing import _broken_off as _incident_of
from controller.incident import Incident, Recovery
from controller.incidents import INCIDENTS, OF_FIRMWARE
from controller.states import DealState
from controller.table import Seat
from firmware_bridge.errors import BridgeError, LinkLost, MachineRebooted, NoAnswer, RemoteProtocolError
from firmware_bridge.words import Asked, FaultCode, Tray
from vision.cards import Pack
from vision.sighting import State

if TYPE_CHECKING:
    from tests.controller.conftest import ByHand, HandMaker

CARDS = Pack.of(52).cards
CONTROLLER = Path(controller.__file__).parent


def _misfeed(hand: ByHand) -> None:
    hand.fault(FaultCode.MISFEED)


def _of_firmware(code: FaultCode) -> Callable[[ByHand], None]:
    def happen(hand: ByHand) -> None:
        hand.fault(code)

    return happen


def _by_runner(code: str) -> Callable[[ByHand], None]:
    def happen(hand: ByHand) -> None:
        hand.hear(hand.dealer.halt(code))

    return happen


def _double_feed(hand: ByHand) -> None:
    hand.double()


def _double_feed_at_end(hand: ByHand) -> None:
    hand.deal_to(50)
    hand.double()


def _felt(**measures: int) -> Callable[[ByHand], None]:
    def happen(hand: ByHand) -> None:
        hand.show(**measures)
        hand.see()
        hand.deliver()

    return happen


def _hopper_not_empty(hand: ByHand) -> None:
    hand.deal_to(51)
    hand.show()
    hand.see()
    hand.deliver_last(card_left=True)


def _counted_behind_the_last(cards: int) -> Callable[[ByHand], None]:
    def happen(hand: ByHand) -> None:
        _hopper_not_empty(hand)
        hand.answer(Asked.COUNT_PACK, cards)

    return happen


def _not_put_right(hand: ByHand) -> None:
    hand.double()
    hand.answer(Asked.MOVE_CARD, c=0)


def _seen_as(state: State) -> Callable[[ByHand], None]:
    def happen(hand: ByHand) -> None:
        hand.card(state)

    return happen


def _eye_unsure(hand: ByHand) -> None:
    for _ in range(3):
        hand.card(State.NOT_SURE)


def _wrong_tray(hand: ByHand) -> None:
    hand.card(tray=Tray.REJECT)


def _wrong_seat(hand: ByHand) -> None:
    hand.card(tray=Tray.E if hand.dealer.k % 4 != 3 else Tray.W)


def _broken_off(code: str) -> Callable[[ByHand], None]:
    def happen(hand: ByHand) -> None:
        hand.hear(hand.dealer.interrupted(code))

    return happen


WAYS: dict[str, Callable[[ByHand], None]] = {
    **{name: _of_firmware(code) for code, name in OF_FIRMWARE.items()},
    "misfeed": _misfeed,
    "chained_feed": _felt(length_um=2 * 63_500),
    "slip": _felt(length_um=70_000, travel_um=60_000),
    "slip_too_far": _felt(length_um=77_520, travel_um=60_320),
    "bad_cuts": _by_runner("bad_cuts"),
    "pack_gone": _by_runner("pack_gone"),
    "sensor_late": _felt(travel_um=60_000),
    "skew": _felt(length_um=70_000),
    "short_card": _felt(length_um=30_000),
    "hopper_not_empty": _hopper_not_empty,
    "extra_card": _counted_behind_the_last(53),
    "hopper_sensor": _counted_behind_the_last(52),
    "double_feed": _double_feed,
    "double_feed_at_end": _double_feed_at_end,
    "not_put_right": _not_put_right,
    "two_cards_seen": _seen_as(State.TWO_CARDS),
    "window_empty": _seen_as(State.EMPTY),
    "eye_unsure": _eye_unsure,
    "wrong_tray": _wrong_tray,
    "wrong_seat": _wrong_seat,
    "machine_reset": _by_runner("machine_reset"),
    "machine_silent": _by_runner("machine_silent"),
    "refused": _by_runner("refused"),
    "link_lost": _broken_off("link_lost"),
    "no_answer": _broken_off("no_answer"),
    "machine_restarted": _broken_off("machine_restarted"),
    "garbled": _broken_off("garbled"),
    "shuffle_failed": _by_runner("shuffle_failed"),
    "camera_lost": _broken_off("camera_lost"),
    "people_silent": _by_runner("people_silent"),
}
"""How each incident comes about in a deal of which four cards lie in the trays."""


def test_there_is_a_way_to_every_incident() -> None:
    assert set(WAYS) == set(INCIDENTS)


@pytest.mark.parametrize("code", WAYS)
def test_an_incident_is_on_record_and_does_what_its_recovery_says(code: str, by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(4)
    WAYS[code](hand)
    assert code in [line["code"] for line in hand.facts("machine_fault")]
    ending = hand.dealer.notes.ending
    match INCIDENTS[code].recovery:
        case Recovery.RETRY:
            assert isinstance(hand.step.acts[0], FeedCard)
            assert (hand.fed().k, ending) == (5, None), "the same card"
        case Recovery.CURE:
            (ask,) = hand.step.acts
            assert isinstance(ask, AskPeople)
            assert (ask.asked, hand.state, ending) == (Asked.MOVE_CARD, DealState.HOLDING, None)
        case Recovery.RESUME | Recovery.PAUSE:
            assert (hand.state, hand.step.acts, ending) == (DealState.FEEDING, (), None)
        case Recovery.NOTE if code == "hopper_not_empty":
            assert (hand.step.acts, hand.state) == ((AskPeople(asked=Asked.COUNT_PACK),), DealState.HOLDING)
        case Recovery.NOTE if code in ("extra_card", "hopper_sensor"):
            ended = ("whist 29-I", "new_deal") if code == "extra_card" else ("", "completed")
            assert ((ending and ending.law, ending and ending.status), hand.state) == (ended, DealState.ENDED)
        case Recovery.NOTE:
            assert (hand.fed().k, ending) == (6, None)
        case Recovery.VOID | Recovery.LEAVE:
            assert ending == Ending(status="voided", next_dealer=Seat.S, fault=code)
            assert hand.state in (DealState.HALTED, DealState.HOLDING, DealState.ENDED)


@pytest.mark.parametrize(
    "code", ["machine_reset", "machine_silent", "refused", "people_silent", "path_not_empty", "pack_gone"]
)
def test_what_only_the_shells_find_is_said_by_one_of_them(code: str) -> None:
    """`_by_runner` above halts by itself; here is that a module that runs deals does."""
    assert code in {found for module in ("runner.py", "resume.py") for found in _halts(CONTROLLER / module)}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LinkLost("/dev/ttyACM0", "pulled"), "link_lost"),
        (NoAnswer("Feed", 2_000_000), "no_answer"),
        (MachineRebooted(boot_id=2, former_boot_id=1), "machine_restarted"),
        (RemoteProtocolError("an event of no known type"), "garbled"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_end_of_the_conversation_has_its_incident(error: BridgeError, code: str) -> None:
    assert _incident_of(error) == code
    assert INCIDENTS[code].recovery is Recovery.RESUME


def _halts(file: Path) -> set[str]:
    """The texts that a module calls `halt` with."""
    calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    halts = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "halt"]
    return {
        node.value
        for call in halts
        for node in ast.walk(call)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_halt_of_the_shells_names_an_incident() -> None:
    found = {code for file in CONTROLLER.glob("*.py") for code in _halts(file)}
    assert found
    assert found <= set(INCIDENTS)


def test_every_fault_of_the_firmware_is_an_incident() -> None:
    assert set(OF_FIRMWARE) == set(FaultCode) - {FaultCode.NONE}
    assert set(OF_FIRMWARE.values()) <= set(INCIDENTS)


@pytest.mark.parametrize("incident", INCIDENTS.values(), ids=lambda incident: incident.code)
def test_an_incident_is_said_in_whole_sentences(incident: Incident) -> None:
    said = incident.say(7)
    assert said.endswith(".")
    assert said[0].isupper()
    assert "{" not in said
    assert set(_fields(incident.sentence)) <= {"k"}
    assert ("7" in said) == ("k" in _fields(incident.sentence))
    assert incident.next_step.endswith(".")
    assert incident.next_step[0].isupper()
    assert incident.trusted
    assert INCIDENTS[incident.code] is incident


def _fields(sentence: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(sentence) if name]


def test_a_card_that_is_not_known_is_said_so() -> None:
    assert INCIDENTS["jam_exit"].say(None) == "Card ? jammed between the read window and the trays."


def test_an_empty_hopper_is_not_said_to_prove_or_disprove_anything() -> None:
    """Whether the pack is proved short, the record says behind it; the sensor may be wrong."""
    said = INCIDENTS["hopper_empty"].say(52)
    assert said == "No card came as card 52, and by its sensor the hopper is empty: it is, or the sensor sticks."


ASKED_FOR = {
    "Take the cards out of the path": Asked.CLEAR_PATH,
    "Move ": Asked.MOVE_CARD,
    "Count the pack": Asked.COUNT_PACK,
    "Collect the cards": Asked.LOAD_PACK,
}
"""How the next steps begin that the panel asks for; the pack is asked for at the beginning of the next deal."""


@pytest.mark.parametrize("code", WAYS)
def test_the_panel_asks_for_a_next_step_exactly_where_it_is_said_to(code: str, by_hand: HandMaker) -> None:
    """Any other next step is the console's to say."""
    hand = by_hand().begin().deal_to(4)
    WAYS[code](hand)
    asked = {act.asked for act in hand.step.acts if isinstance(act, AskPeople)} | {Asked.LOAD_PACK}
    incident = INCIDENTS[code]
    if code == "tray_lifted":
        assert incident.on_panel
        return
    wanted = {question for words, question in ASKED_FOR.items() if incident.next_step.startswith(words)}
    assert incident.on_panel == bool(wanted & asked)
