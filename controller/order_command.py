"""Test a machine with a pack in a known order: it runs until the first mistake, and says who made it.

The file names the cards in the order in which they are fed, from the bottom of the pack lying face down: two letters a
card, as in AS, TD or 7C, none of them twice, with blanks or line ends between. Text behind # is passed over.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller import machine_session
from controller.counts import counted
from controller.exit_status import DONE, FAULT
from vision.files import named_path

if TYPE_CHECKING:
    from controller.known_order import Mistake
    from controller.machine_session import Machine
    from vision.cards import Card


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone order`."""
    parser.epilog = "exit status: 0 no mistake; 1 a mistake, a fault, or an order that cannot be read; 2 wrong use"
    parser.add_argument("order", metavar="FILE", type=named_path, help="the order of the pack")
    machine_session.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the test; return the exit status."""
    from controller.errors import UnreadableInput

    try:
        order = read_order(args.order)
    except UnreadableInput as error:
        sys.stderr.writelines(f"pone order: {line}\n" for line in str(error).splitlines())
        return FAULT
    return machine_session.with_machine(args, "order", lambda machine: _test(order, machine))


def read_order(file: Path) -> tuple[Card, ...]:
    """Return the cards that a file names.

    Raises:
        controller.errors.UnreadableInput: it cannot be read, or words in it are no cards, or one that stands there
            already, each of which is named, or it names none.
    """
    from controller.errors import UnreadableInput
    from controller.typed_cards import typed_card
    from controller.user_files import text_of
    from vision.cards import CardError

    order: list[Card] = []
    wrong: list[str] = []
    for number, line in enumerate(text_of(file).splitlines(), start=1):
        for word in line.partition("#")[0].split():
            try:
                card = typed_card(word)
            except CardError as error:
                wrong.append(f"line {number}: {error}")
                continue
            if card in order:
                wrong.append(f"line {number}: the {card.name} is named twice, and a pack has one")
            order.append(card)
    if wrong:
        raise UnreadableInput(str(file), *wrong)
    if not order:
        raise UnreadableInput(str(file), "it names no card: write the cards in the order in which they are fed")
    return tuple(order)


def _test(order: tuple[Card, ...], machine: Machine) -> int:
    from controller.known_order import mistake_in
    from controller.window_sensors import PAIRS

    whole = counted(len(order), "card")
    laid = f"Lay the {whole} in the hopper, face down, in the order of the file: its first card is the bottom one."
    machine.lay_in(min(len(order), 0xFF), laid)
    k = 0
    for passed in machine.passages(machine_session.in_turn):
        k = passed.k
        machine.console.progress(k, len(order))
        if k > len(order):
            return _say(machine, k, None, f"Card {k} came, and the order has only {len(order)}: count the pack.")
        doubled = passed.finding in PAIRS
        mistake = mistake_in(order, k, passed.sighting, doubled=doubled, sent=passed.sent, arrived=passed.arrived)
        if mistake is not None:
            return _say(machine, k, mistake, f"{mistake.sentence} {mistake.next_step}")
    if k < len(order):
        return _say(machine, k, None, f"The hopper was empty after {k} of {whole}: count the pack.")
    came = f"{'All ' if k > 1 else ''}{counted(k, 'card')}"
    machine.console.say(f"{came} came in order: trigger, eye and route made no mistake.")
    if machine.console.as_json:
        machine.console.data({"cards": k, "mistake": None})
    return DONE


def _say(machine: Machine, k: int, mistake: Mistake | None, said: str) -> int:
    """Say how the test ended early; return the exit status."""
    machine.console.say(said)
    if machine.console.as_json:
        named = {"culprit": mistake.culprit.name.lower() if mistake else "pack"}
        if mistake and mistake.rather:
            named["rather"] = mistake.rather.name.lower()
        machine.console.data({"cards": k, "mistake": {"k": k, **named, "what": said}})
    return FAULT
