"""Draws the table of a closed deal from its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller import laws
from controller.log_files import create_private
from controller.narration import NOT_FOR_PLAY, sentence
from controller.replay import REJECT, TRUMP, ledger
from controller.table import Seat
from controller.table_picture import TableView, draw_table
from vision.cards import Card

if TYPE_CHECKING:
    from pathlib import Path

    from controller.acts import Line
    from controller.dealing import Outcome


def table_view(lines: list[Line], outcome: Outcome, *, footer: str) -> TableView:
    """Return what the picture shows of a closed deal; in whist its trump card counts to the dealer's hand."""
    cards = ledger(lines)

    def at(place: str) -> tuple[Card | None, ...]:
        return tuple(placed.card for placed in cards.at(place))

    hands = {seat: at(seat.value) for seat in Seat}
    if laws.code(lines[0]["code"]).pattern.trump_is_dealt:
        hands[outcome.dealer] += at(TRUMP)
    turned = next((line["card"] for line in lines if line.get("fact") == "turned"), None)
    return TableView(
        code=lines[0]["code"],
        deal=outcome.deal,
        dealer=outcome.dealer,
        hands=hands,
        trump=None if turned is None else Card.parse(turned),
        rejected=at(REJECT),
        status=_status(lines, outcome),
        rulings=tuple(sentence(line) for line in lines if "ruling" in line),
        seconds_per_card=outcome.seconds_per_card,
        footer=footer,
    )


def _status(lines: list[Line], outcome: Outcome) -> str:
    """Return how the deal ended, and whether it may be played."""
    unread = f", {outcome.unread} of them not read" if outcome.unread else ""
    machine = next((line for line in lines if line.get("fact") == "machine"), {})
    not_for_play = f" {NOT_FOR_PLAY}" if machine.get("simulated") or machine.get("seeded") else ""
    return f"Complete: {outcome.cards} cards dealt{unread}.{not_for_play}"


def draw_deal(lines: list[Line], outcome: Outcome, *, footer: str, to: Path) -> None:
    """Write the picture as PNG to the file `to`, for its owner alone: it shows four hands that are not played yet.

    Raises:
        OSError: the file cannot be written.
    """
    create_private(to)
    draw_table(table_view(lines, outcome, footer=footer)).save(to, format="PNG")
