"""Go through a recorded deal in plain words, and judge its facts again: are its rulings those that the laws give?

A deal that is still open is told without its faces, and judged again once it is closed.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from controller.counts import counted
from controller.exit_status import DONE, FAULT
from controller.record_command import add_deal_arguments, chosen, open_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from controller.acts import Line
    from controller.records import DealSummary
    from controller.replay import Difference, Ledger

_EPILOG = (
    "exit status: 0 the rulings agree, or the deal is still open; 1 they differ, or the log cannot be read; 2 wrong use"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone replay`."""
    parser.epilog = _EPILOG
    add_deal_arguments(parser)
    parser.add_argument("--json", action="store_true", help="JSON Lines: the events, then one result with every card")


def run(args: argparse.Namespace) -> int:
    """Tell the deal and judge it again; return the exit status."""
    from controller.errors import ControllerError, StreamError
    from controller.replay import ledger, replay

    try:
        with open_log(args) as log:
            deal, lines = chosen(log, args)
            try:
                differences = () if deal.status == "open" else replay(lines)
            except StreamError as error:
                raise log.damaged(f"deal {deal.number} cannot be judged again ({error})") from error
        cards = ledger(lines)
    except ControllerError as error:
        sys.stderr.write(f"pone replay: {error}\n")
        return FAULT
    if args.json:
        _write_json(deal, lines, cards, differences)
    else:
        _write_text(deal, lines, cards, differences)
    return FAULT if differences else DONE


def _events(lines: Sequence[Line], cards: Ledger, say: Callable[[Line], str]) -> Iterator[tuple[int, str]]:
    """Return the lines that say something to a person, with their numbers."""
    for number, line in enumerate(lines, 1):
        said = say(line)
        if line.get("fact") == "dealt" and line.get("count", 1) == 1:
            card = cards.cards[line["k"] - 1].card
            said = said if card is None else f"{said.removesuffix('.')}: {card.name}."
        if said:
            yield number, said


def _verdict(deal: DealSummary, lines: Sequence[Line], differences: Sequence[Difference]) -> str:
    """Return what the second judging found, in words."""
    if deal.status == "open":
        return "The deal is still open: its cards are sealed, and its rulings are judged again once it is closed."
    if not differences:
        rulings = sum("ruling" in line for line in lines)
        named = counted(rulings, "ruling") if rulings else "no ruling"
        whole = f"All {len(lines)} lines are as they were written (tree head {deal.head[:16]})."
        return f"{whole} The record has {named}; its facts, judged again, give the same."
    told = "".join(f"\n  {difference}" for difference in differences)
    return f"The record and its facts differ:{told}"


def _write_text(deal: DealSummary, lines: Sequence[Line], cards: Ledger, differences: Sequence[Difference]) -> None:
    from controller.narration import Narrator

    sys.stdout.write(f"Deal {deal.number}, {deal.status.replace('_', ' ')}, {counted(deal.cards, 'card')} dealt.\n")
    for number, said in _events(lines, cards, Narrator().sentence):
        sys.stdout.write(f"{number:>5}  {said}\n")
    sys.stdout.write(_verdict(deal, lines, differences) + "\n")


def _write_json(deal: DealSummary, lines: Sequence[Line], cards: Ledger, differences: Sequence[Difference]) -> None:
    from controller.narration import sentence

    for number, said in _events(lines, cards, sentence):
        _write({"line": number, "text": said})
    result: dict[str, Any] = {
        "deal": deal.number,
        "status": deal.status,
        "head": deal.head,
        "agrees": None if deal.status == "open" else not differences,
        "differences": [
            {"line": difference.line, "recorded": difference.recorded, "judged": difference.judged}
            for difference in differences
        ],
        "cards": [
            {"k": placed.k, "card": None if placed.card is None else str(placed.card), "place": placed.place}
            for placed in cards.cards
        ],
    }
    _write({"result": result})


def _write(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, separators=(",", ":")) + "\n")
