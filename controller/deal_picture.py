"""Draws the table of a closed deal from its record."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

from controller.club_code import code_of
from controller.log_files import create_private, is_regular
from controller.narration import NOT_FOR_PLAY, sentence
from controller.replay import REJECT, TRUMP, ledger
from controller.table import Seat
from controller.table_picture import TableView, draw_table
from vision.cards import Card

if TYPE_CHECKING:
    from pathlib import Path

    from controller.acts import Line
    from controller.dealing import Outcome


_PNG: Final = b"\x89PNG\r\n\x1a\n"
"""How a PNG file begins (ISO/IEC 15948, section 5.2)."""


def table_view(lines: list[Line], outcome: Outcome, *, footer: str) -> TableView:
    """Return what the picture shows of a closed deal; in whist its trump card counts to the dealer's hand."""
    cards = ledger(lines)

    def at(place: str) -> tuple[Card | None, ...]:
        return tuple(placed.card for placed in cards.at(place))

    hands = {seat: at(seat.value) for seat in Seat}
    if code_of(lines[0]).pattern.trump_is_dealt:
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
        controller.errors.LogError: what is there is no file.
        OSError: the file cannot be written, or holds something else than a picture.
    """
    refuse_other(to)
    create_private(to)
    to.chmod(0o600)
    draw_table(table_view(lines, outcome, footer=footer)).save(to, format="PNG")


def refuse_other(to: Path) -> None:
    """Refuse a file that a picture must not overwrite: one that holds anything but a picture.

    Raises:
        controller.errors.LogError: what is there is no file.
        OSError: it holds something else, or cannot be read.
    """
    if not is_regular(to, str(to)):
        return
    with to.open("rb") as file:
        start = file.read(len(_PNG))
    if start and start != _PNG:
        raise FileExistsError(errno.EEXIST, "it holds something else, which a picture would overwrite", str(to))
