"""The console: sentences and a bar for people, JSON Lines for programs, and faces for neither while a deal is open."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from controller.acts import AskPeople
from controller.console import Console
from firmware_bridge.words import Asked, Tray
from vision.cards import Pack
from vision.sighting import Reason

SEEN: dict[str, Any] = {
    "fact": "seen",
    "k": 3,
    "state": "not_sure",
    "confidence_ppm": 612_345,
    "reason": "both corners agree, but not surely enough",
    "frame": "5e" * 32,
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(*lines: dict[str, Any], out: io.StringIO | None = None, as_json: bool = False) -> str:
    out = out or io.StringIO()
    console = Console(out=out, err=io.StringIO(), as_json=as_json)
    for line in lines:
        console.tell(line)
    return out.getvalue()


def dealt(k: int) -> dict[str, Any]:
    return {"fact": "dealt", "to": "WNES"[(k - 1) % 4], "k": k}


def test_an_event_is_one_line() -> None:
    out = told(
        {"fact": "deal_opened", "code": "whist", "dealer": "S"}, {"fact": "cut", "by": "E", "top": 20, "bottom": 32}
    )
    assert out == "Whist: South deals.\nEast cuts: 20 above, 32 below.\n"


def test_what_the_bar_shows_is_not_said_too() -> None:
    assert told(dealt(1), dealt(2), {"fact": "dealing_began", "by": "S"}, {"fact": "deal_completed"}) == ""


def test_two_cards_together_are_said() -> None:
    assert told(dealt(17) | {"k": 18, "count": 2}) == "Cards 17 and 18 fell together, to West.\n"


OPENED: dict[str, Any] = {"fact": "deal_opened", "code": "whist", "dealer": "S"}


@pytest.mark.parametrize(
    ("code", "more", "of"),
    [
        ("whist", {}, 52),
        ("euchre", {"pattern": "3-2", "pack": 24}, 20),
        ("auction", {}, 52),
        ("somerset_euchre", {}, 20),
    ],
)
def test_the_bar_is_of_what_the_hands_are_given(code: str, more: dict[str, Any], of: int) -> None:
    out = told(OPENED | {"code": code} | more, dealt(of), out=Terminal())
    assert out.splitlines()[-1].split("\r")[-1].strip() == f"[{'#' * 26}] {of} of {of}"


def test_a_terminal_shows_how_far_the_deal_is() -> None:
    out = told(OPENED, dealt(1), dealt(26), dealt(52), out=Terminal())
    first, half, whole = out.split("\r")[1:]
    assert first.strip() == f"[{'.' * 26}] 1 of 52"
    assert half.strip() == f"[{'#' * 13}{'.' * 13}] 26 of 52"
    assert whole.strip() == f"[{'#' * 26}] 52 of 52"
    assert "\n" not in whole


def test_a_sentence_begins_on_a_fresh_line_after_the_bar() -> None:
    out = told(
        OPENED, dealt(1), {"fact": "faced", "k": 2}, {"fact": "pack_proved", "state": "imperfect"}, out=Terminal()
    )
    assert out.split("\n")[2:] == ["Card 2 lies faced in the pack.", "The pack is imperfect.", ""]


def test_a_pipe_gets_no_bar() -> None:
    assert "\r" not in told(*(dealt(k) for k in range(1, 53)))


def test_json_is_one_object_a_line_with_nothing_left_out_but_faces() -> None:
    out = told({"fact": "routed", "k": 1, "to": "W"}, dealt(1), SEEN, as_json=True)
    assert [json.loads(line) for line in out.splitlines()] == [
        {"fact": "routed", "k": 1, "to": "W"},
        {"fact": "dealt", "k": 1, "to": "W"},
        {"fact": "seen", "k": 3, "state": "not_sure"},
    ]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("card", Pack.of(52).cards[::7], ids=str)
def test_no_face_of_an_open_deal_is_shown(card: Any, as_json: bool) -> None:
    out = told(
        {"fact": "seen", "k": 3, "state": "card", "card": card.code, "confidence_ppm": 990_000, "frame": "ab"},
        {"fact": "pack_proved", "state": "imperfect", "duplicate": [card.code]},
        dealt(3) | {"card": card.code},
        as_json=as_json,
    )
    assert card.code not in out
    assert card.name not in out


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason], ids=lambda reason: reason.name)
def test_why_the_eye_is_not_sure_is_said(reason: Reason) -> None:
    assert told(SEEN | {"reason": reason.value}) == f"Card 3: not sure ({reason}).\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_reason_that_the_eye_does_not_know_is_not_said(as_json: bool) -> None:
    """Of another program's record nobody knows what it names."""
    assert "7C" not in told(SEEN | {"reason": "7C or 7S"}, as_json=as_json)


def test_a_law_is_told_in_full_once() -> None:
    law = {"ruling": "new_deal", "law": "whist 29-II", "dealer": "N", "on": 9, "because": "A card lies faced."}
    assert told(law, law, law | {"because": "Another."}).splitlines() == [
        "New deal: North deals again. Whist 29-II: A card lies faced.",
        'New deal: North deals again. Whist 29-II: as above (pone laws --why "whist 29-II").',
        "New deal: North deals again. Whist 29-II: Another.",
    ]
    house = {"ruling": "ask_director", "policy": "machine_fault", "why": "attribution", "on": 1, "because": "So."}
    assert told(house, house).splitlines()[1].endswith("House setting machine_fault: as above (pone laws --house).")


def test_the_card_turned_up_is_named_to_people() -> None:
    out = told({"fact": "turned", "to": "S", "card": "QC"})
    assert out == "The trump card is turned up before South: the queen of clubs.\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_complaint_goes_to_standard_error_on_a_fresh_line(as_json: bool) -> None:
    out, err = Terminal(), io.StringIO()
    console = Console(out=out, err=err, as_json=as_json)
    console.tell(OPENED)
    console.tell(dealt(1))
    console.complain("The disk is full.")
    assert err.getvalue() == "The disk is full.\n"
    assert out.getvalue().endswith("\n")


@pytest.mark.parametrize("as_json", [False, True])
def test_sentences_are_for_people_and_data_for_programs(as_json: bool) -> None:
    out = io.StringIO()
    console = Console(out=out, err=io.StringIO(), as_json=as_json)
    console.say("Deal 1 is complete.")
    assert out.getvalue() == ("" if as_json else "Deal 1 is complete.\n")
    console.data({"b": 1, "a": "é"})
    assert json.loads(out.getvalue().splitlines()[-1]) == {"a": "é", "b": 1}


def test_what_the_panel_asks_is_told_to_both() -> None:
    move = AskPeople(asked=Asked.MOVE_CARD, a=Tray.W, b=Tray.N)
    out = io.StringIO()
    Console(out=out, err=io.StringIO()).ask(move)
    assert out.getvalue() == "  -> Move the upper card of West's tray to North's tray.\n"
    out = io.StringIO()
    Console(out=out, err=io.StringIO(), as_json=True).ask(move)
    assert json.loads(out.getvalue()) == {"asked": "move_card", "a": 3, "b": 0}


def test_waiting_for_the_machine_is_told_with_the_time_left_and_what_to_do() -> None:
    out = io.StringIO()
    Console(out=out, err=io.StringIO()).waiting(24.5)
    assert out.getvalue().startswith("  -> Check cable and power: the machine is tried for 24 s more. ")
    out = io.StringIO()
    Console(out=out, err=io.StringIO(), as_json=True).waiting(24.5)
    assert json.loads(out.getvalue()) == {"waiting_s": 24}


def test_a_complaint_is_out_at_once() -> None:
    raw = io.BytesIO()
    err = io.TextIOWrapper(raw, encoding="utf-8")
    Console(out=io.StringIO(), err=err).complain("The lamp is out.")
    assert raw.getvalue() == b"The lamp is out.\n"
