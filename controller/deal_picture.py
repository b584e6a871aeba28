"""Draws the table of a closed deal from its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.log_files import create_private
from controller.narration import sentence
from controller.replay import REJECT, TRUMP, ledger
from controller.table import Seat
from controller.table_picture import TableView, draw_table

if TYPE_CHECKING:
    from pathlib import Path

    from controller.acts import Line
    from controller.dealing import Outcome
    from vision.cards import Card


def table_view(lines: list[Line], outcome: Outcome, *, footer: str) -> TableView:
    """Return what the picture shows of a closed deal; its trump card counts to the dealer's hand."""
    cards = ledger(lines)

    def at(place: str) -> tuple[Card | None, ...]:
        return tuple(placed.card for placed in cards.at(place))

    trump = at(TRUMP)
    hands = {seat: at(seat.value) for seat in Seat}
    hands[outcome.dealer] += trump
    return TableView(
        code=lines[0]["code"],
        deal=outcome.deal,
        dealer=outcome.dealer,
        hands=hands,
        trump=trump[0] if trump else None,
        rejected=at(REJECT),
        status=f"Complete: {outcome.cards} cards dealt.",
        rulings=tuple(sentence(line) for line in lines if "ruling" in line),
        seconds_per_card=outcome.seconds_per_card,
        footer=footer,
    )


def draw_deal(lines: list[Line], outcome: Outcome, *, footer: str, to: Path) -> None:
    """Write the picture as PNG to the file `to`, for its owner alone: it shows four hands that are not played yet.

    Raises:
        OSError: the file cannot be written.
    """
    create_private(to)
    draw_table(table_view(lines, outcome, footer=footer)).save(to, format="PNG")
