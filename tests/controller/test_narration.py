"""The record in plain sentences: each event once, in words, and no face of a card that is dealt face down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from controller.acts import AskPeople
from controller.facts import parse_fact
from controller.incidents import INCIDENTS
from controller.narration import question, sentence
from firmware_bridge.words import Asked, FaultCode, Tray
from vision.cards import JOKERS, Card, Pack

if TYPE_CHECKING:
    from tests.controller.conftest import HandMaker

CARDS = [*Pack.of(52).cards, *map(Card.parse, JOKERS)]

MACHINE = {
    "fact": "machine",
    "serial": "PONE-1",
    "firmware": "00",
    "host": "pone 1",
    "capabilities": [],
    "simulated": False,
    "seeded": False,
    "config": {},
}

SAID: list[tuple[dict[str, Any], str]] = [
    ({"fact": "deal_opened", "code": "whist", "dealer": "S"}, "Whist: South deals."),
    ({"fact": "presented"}, "The pack is offered to be cut."),
    ({"fact": "cut", "by": "E", "top": 20, "bottom": 32}, "East cuts: 20 above, 32 below."),
    (
        {"fact": "cut", "by": "E", "top": 26, "bottom": 27, "tolerance": 1},
        "East cuts: about 26 above, about 27 below.",
    ),
    ({"fact": "dealing_began", "by": "S"}, "Dealing begins."),
    ({"fact": "seen", "k": 3, "state": "card", "card": "QC", "confidence_ppm": 990_000}, ""),
    ({"fact": "seen", "k": 3, "state": "face_not_seen", "confidence_ppm": 0}, "Card 3: face not seen."),
    (
        {"fact": "seen", "k": 3, "state": "not_sure", "confidence_ppm": 0, "reason": "it moves"},
        "Card 3: not sure (it moves).",
    ),
    ({"fact": "faced", "k": 17}, "Card 17 lies faced in the pack."),
    (
        {"fact": "doubted", "k": 17, "earlier": 3},
        "Cards 3 and 17 were read as the same card, so both are in doubt: look at both when the deal is over.",
    ),
    ({"fact": "routed", "k": 1, "to": "W"}, ""),
    ({"fact": "dealt", "to": "W", "k": 5}, "Card 5 to West."),
    ({"fact": "dealt", "to": "N", "k": 18, "count": 2}, "Cards 17 and 18 fell together, to North."),
    ({"fact": "turned", "to": "S", "card": "QC"}, "The trump card is turned up before South: the queen of clubs."),
    ({"fact": "corrected", "cards_moved": 1}, "It was put right: every card lies as the rotation wants."),
    ({"fact": "pack_proved", "state": "imperfect"}, "The pack is imperfect."),
    (
        {"fact": "pack_proved", "state": "imperfect", "missing": ["2H"], "foreign": ["J1"]},
        "The pack is imperfect: missing two of hearts; foreign joker.",
    ),
    (
        {"fact": "director", "decides": "cards", "value": "2H"},
        "The people at the table said what the machine did not see.",
    ),
    (
        {"fact": "director", "decides": "attribution", "value": "nobody_known"},
        "The director decides: nobody knows whose act it was.",
    ),
    ({"fact": "director", "decides": "attribution", "seat": "W"}, "The director decides: it was the act of West."),
    (
        {"fact": "director", "decides": "attribution", "value": "machine"},
        "The director decides: it was the act of the machine.",
    ),
    ({"fact": "director", "decides": "order", "seat": "E"}, "The director decides: East deals."),
    (
        {"fact": "director", "decides": "order", "value": "nobody_known"},
        "The director decides: the same player deals.",
    ),
    ({"fact": "director", "decides": "time", "seat": "N"}, "The director decides: the time of North is over."),
    ({"fact": "director", "decides": "cure", "value": True}, "The director decides: it was put right."),
    ({"fact": "director", "decides": "policy"}, "The director decides."),
    (MACHINE, "Machine PONE-1."),
    (MACHINE | {"simulated": True}, "Machine PONE-1, simulated. Not for play."),
    (MACHINE | {"simulated": True, "seeded": True}, "Machine PONE-1, simulated and seeded. Not for play."),
    ({"fact": "halted", "fault": "jam_exit"}, ""),
    ({"fact": "acknowledged", "by": "director"}, "The halt was acknowledged; the machine homes."),
    ({"fact": "resumed", "by": "machine"}, "The machine answers again."),
    ({"fact": "voided", "by": "machine"}, "The deal is void; the same player deals again."),
    ({"fact": "deal_completed"}, "The deal is complete."),
    ({"fact": "machine_fault", "code": "misfeed", "k": 9}, "Card 9 did not leave the hopper."),
    (
        {"fact": "machine_fault", "code": "jam_entry", "k": 9},
        "Card 9 jammed between the hopper and the read window.",
    ),
    ({"fact": "machine_fault", "code": "power_loss"}, "Machine fault power_loss."),
    ({"fact": "mode", "mode": "table"}, ""),
]


@pytest.mark.parametrize(("line", "said"), SAID)
def test_a_fact_is_said(line: dict[str, Any], said: str) -> None:
    parse_fact(line, line=1)
    assert sentence(line) == said


@pytest.mark.parametrize("code", sorted(INCIDENTS))
def test_every_incident_is_said_with_and_without_a_card(code: str) -> None:
    assert sentence({"fact": "machine_fault", "code": code, "k": 12}).endswith(".")
    if code != "misfeed":
        assert sentence({"fact": "machine_fault", "code": code}).endswith(".")


def test_a_ruling_is_said_with_its_law_and_its_reason() -> None:
    ruling = {"ruling": "new_deal", "law": "whist 29-II", "dealer": "N", "on": 9, "because": "A card lies faced."}
    assert sentence(ruling) == "New deal: North deals again. Whist 29-II: A card lies faced."


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_no_card_dealt_face_down_is_named(card: Card) -> None:
    lines: list[dict[str, Any]] = [
        {"fact": "seen", "k": 3, "state": "card", "card": card.code, "confidence_ppm": 990_000, "frame": "ab"},
        {"fact": "dealt", "to": "W", "k": 3, "card": card.code},
        {"fact": "faced", "k": 3, "card": card.code},
        {"fact": "director", "decides": "cards", "value": card.code},
    ]
    for line in lines:
        said = sentence(line)
        assert card.code not in said
        assert card.name not in said


def test_what_is_sealed_is_left_out() -> None:
    sealed = {"commitment": "00", "sealed": "AA=="}
    seen = {"fact": "seen", "k": 3, "state": "not_sure", "confidence_ppm": sealed, "reason": sealed}
    assert sentence(seen) == "Card 3: not sure."
    proved = {"fact": "pack_proved", "state": "imperfect", "missing": sealed}
    assert sentence(proved) == "The pack is imperfect."
    turned = {"fact": "turned", "to": "S", "card": sealed}
    assert sentence(turned) == "The trump card is turned up before South: the trump card."


def test_every_line_of_a_troubled_deal_can_be_said(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(16)
    hand.double()
    hand.answer(Asked.MOVE_CARD, c=1)
    hand.fault(FaultCode.MISFEED)
    hand.card(tray=Tray.S)
    hand.answer(Asked.MOVE_CARD, c=1)
    hand.fault(FaultCode.JAM_ENTRY)
    hand.answer(Asked.CLEAR_PATH, c=1)
    hand.home()
    said = [sentence(line) for line in hand.lines]
    assert all(not text or (text[0].isupper() and text.endswith(".")) for text in said)
    assert said[-1] == "The deal is void; the same player deals again."


@pytest.mark.parametrize(
    "asked", [asked for asked in Asked if asked is not Asked.NOTHING], ids=lambda asked: asked.name
)
def test_every_question_of_the_panel_is_a_request(asked: Asked) -> None:
    said = question(AskPeople(asked=asked, a=Tray.W, b=Tray.N))
    assert said[0].isupper()
    assert said.endswith(".")


@pytest.mark.parametrize(
    ("tray", "name"),
    [
        (Tray.N, "North's tray"),
        (Tray.S, "South's tray"),
        (Tray.TRUMP, "the trump tray"),
        (Tray.REJECT, "the reject tray"),
    ],
)
def test_a_move_names_both_trays(tray: Tray, name: str) -> None:
    move = AskPeople(asked=Asked.MOVE_CARD, a=tray, b=Tray.E)
    assert question(move) == f"Move the upper card of {name} to East's tray."
