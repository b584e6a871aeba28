"""Cut for seats: the machine feeds one card to each player in turn; the lowest wins, the ace is low, ties draw again.

Players are named by any ids; with up to four, the first draws from North's tray, the next from East's, and so on.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from controller import machine_session
from controller.exit_status import DONE, FAULT, WRONG_USE

if TYPE_CHECKING:
    from controller.machine_session import Machine
    from controller.passage import Passed
    from controller.seat_draw import SeatDraw
    from vision.cards import Card


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone draw`."""
    parser.epilog = "exit status: 0 every player has his place, 1 a fault, or the pack ran out, 2 wrong use"
    parser.add_argument("players", metavar="PLAYER", nargs="+", help="two players or more, in the order they draw")
    machine_session.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Draw until every player is told apart; return the exit status."""
    from controller.seat_draw import SeatDraw

    try:
        draw = SeatDraw(args.players)
    except ValueError as error:
        sys.stderr.write(f"pone draw: {error}\n")
        return WRONG_USE
    return machine_session.with_machine(args, "draw", lambda machine: _draw(draw, machine))


def _draw(draw: SeatDraw, machine: Machine) -> int:
    machine.lay_in(52)
    console = machine.console
    passing = machine.passages(machine_session.in_turn)
    line: dict[str, Any]
    while again := draw.standing().again:
        cards = {}
        for player in again:
            passed = next(passing, None)
            if passed is None:
                console.complain("The hopper ran out before every player had his place. Lay a whole pack in it.")
                return FAULT
            cards[player] = _drawn(passed)
            line = {"fact": "drawn", "by": player, "cards": [str(card) for card in cards[player]]}
            console.say(f"{player}: {_named(cards[player])}.")
            if console.as_json:
                console.data(line)
        draw.drawn(cards)
    order = [group[0] for group in draw.standing().groups]
    console.say(f"In order, the lowest first: {', '.join(order)}.")
    if console.as_json:
        console.data({"order": order})
    return DONE


def _drawn(passed: Passed) -> list[Card]:
    """Return the one card that a player drew; none where two came together, or it was not read."""
    card = passed.sighting.card
    return [card] if card is not None and passed.single else []


def _named(cards: list[Card]) -> str:
    """Say what a player drew."""
    if not cards:
        return "no single card was read; draws again"
    return f"{cards[0].name}; draws again" if cards[0].is_joker else cards[0].name
