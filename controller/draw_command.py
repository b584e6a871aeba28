"""Cut for seats: the machine feeds one card to each player in turn; the lowest wins, the ace is low, ties draw again.

Who draws again does so by law 2 of the register (`pone laws table 2`). Players are named by any ids; with up to four,
the first draws from North's tray, the next from East's, and so on.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from controller import machine_session
from controller.exit_status import DONE, FAULT, WRONG_USE

if TYPE_CHECKING:
    from controller.console import Console
    from controller.laws.table_words import Occasion
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

    if wrong := [name for name in args.players if not name.strip() or not name.isprintable()]:
        sys.stderr.write(f"pone draw: {wrong[0]!r:.80} cannot be a name: it needs characters that can be printed\n")
        return WRONG_USE
    if len(args.players) < 2 or len(set(args.players)) != len(args.players):
        sys.stderr.write(f"pone draw: a cut needs two players or more, each named once: {', '.join(args.players)}\n")
        return WRONG_USE
    return machine_session.with_machine(args, "draw", lambda machine: _draw(SeatDraw(args.players), machine))


def _draw(draw: SeatDraw, machine: Machine) -> int:
    from controller.laws.table_words import Occasion

    machine.lay_in(52)
    console = machine.console
    passing = machine.passages(machine_session.in_turn)
    while again := draw.again():
        for player in again:
            passed = next(passing, None)
            if passed is None:
                console.complain("The hopper ran out before every player had his place. Lay a whole pack in it.")
                return FAULT
            cards = _drawn(passed)
            console.say(f"{player}: {_named(cards)}.")
            if console.as_json:
                console.data({"fact": "drawn", "by": player, "cards": [str(card) for card in cards]})
            if (fault := _fault(passed, cards)) is not None:
                _cite(console, fault, (player,))
            if tied := draw.drawn(player, cards):
                _cite(console, Occasion.EQUAL_CARDS, tied)
    order = draw.order()
    console.say(f"In order, the lowest first: {', '.join(order)}.")
    if console.as_json:
        console.data({"order": order})
    return DONE


def _drawn(passed: Passed) -> list[Card]:
    """Return the one card that a player drew; none where two came together, or it was not read."""
    card = passed.sighting.card
    return [card] if card is not None and passed.single else []


def _fault(passed: Passed, cards: list[Card]) -> Occasion | None:
    """Return why the law has a player draw again; None where his card counts, or where only the eye failed."""
    from controller.laws.table_words import Occasion
    from controller.seat_draw import fault_in

    return fault_in(cards) if passed.single else Occasion.TWO_CARDS_SHOWN


def _cite(console: Console, occasion: Occasion, players: tuple[str, ...]) -> None:
    """Say who draws again, and by which law."""
    from controller.laws.table import TABLE
    from controller.rulings import spoken

    for law in TABLE.on(occasion):
        line = {"ruling": "cut_again", "law": law.citation, "players": list(players), "because": law.sentence}
        console.say(spoken(line))
        if console.as_json:
            console.data(line)


def _named(cards: list[Card]) -> str:
    """Say what a player drew."""
    return cards[0].name if cards else "no single card was read; draws again"
