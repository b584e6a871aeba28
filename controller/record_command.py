"""Print a deal's facts and rulings as JSON Lines, list the deals of a log, or open what was kept of doubtful cards.

The cards of a deal that is still open are sealed, and so are the pictures kept of them; once it is closed they are
there to read.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from controller.exit_status import DONE, FAULT
from vision.files import named_path

if TYPE_CHECKING:
    from controller.acts import Line
    from controller.deal_reader import DealReader
    from controller.records import DealSummary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone record`."""
    add_deal_arguments(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="list the deals instead")
    instead.add_argument(
        "--bundle",
        metavar="DIR",
        type=named_path,
        help="write the pictures kept of doubtful cards to a folder, and list them",
    )
    parser.add_argument("--json", action="store_true", help="list as JSON Lines; a deal's lines are JSON in any case")


def add_deal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a log and a deal of it."""
    parser.add_argument(
        "log", metavar="LOG", nargs="?", type=named_path, help="the deal log (default: the one in your data folder)"
    )
    parser.add_argument("deal", metavar="N", nargs="?", type=_number, help="number of the deal (default: the last)")


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; return the exit status."""
    from controller.errors import ControllerError

    try:
        with open_log(args) as log:
            if args.list:
                _list(log.deals(), as_json=args.json)
            elif args.bundle is not None:
                return _bundle(log, args)
            else:
                for line in chosen(log, args)[1]:
                    sys.stdout.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    except ControllerError as error:
        sys.stderr.write(f"pone record: {error}\n")
        return FAULT
    return DONE


def _bundle(log: DealReader, args: argparse.Namespace) -> int:
    """Open what was kept of a deal's doubtful cards, list it, and return the exit status.

    Raises:
        controller.errors.LogError: the deal is open, or something cannot be read or written.
    """
    from controller.bundle_report import open_bundle
    from controller.data_folder import default_log

    deal, lines = chosen(log, args)
    opened, broken = open_bundle(args.log or default_log(), deal.number, lines, args.bundle)
    for card in opened:
        said = json.dumps(card.as_json(), ensure_ascii=False) if args.json else card.sentence()
        sys.stdout.write(f"{said}\n")
    if not opened and not broken and not args.json:
        sys.stdout.write(f"No card of deal {deal.number} was in doubt: nothing was kept of it.\n")
    for sentence in broken:
        sys.stderr.write(f"{sentence}\n")
    return FAULT if broken else DONE


def open_log(args: argparse.Namespace) -> DealReader:
    """Open the log that the arguments name.

    Raises:
        controller.errors.LogError: it cannot be read.
    """
    from controller.data_folder import default_log
    from controller.deal_reader import read_log

    return read_log(args.log or default_log())


def chosen(log: DealReader, args: argparse.Namespace) -> tuple[DealSummary, list[Line]]:
    """Return the deal that the arguments name, or the last, with its lines; both are of one moment.

    Raises:
        controller.errors.LogError: the log does not hold it, holds none, or cannot be read.
    """
    last = log.last()
    number = args.deal or max(last, 1)
    if number > last:
        raise log.no_such(number)
    return log.deal(number)


def _list(deals: list[DealSummary], *, as_json: bool) -> None:
    if as_json:
        for deal in deals:
            sys.stdout.write(json.dumps(dataclasses.asdict(deal), separators=(",", ":")) + "\n")
        return
    wide = max([9, *(len(deal.code) for deal in deals)])
    sys.stdout.write(f"deal  {'code':<{wide}}  dealer  cards  status     tree head\n")
    for deal in deals:
        sys.stdout.write(
            f"{deal.number:>4}  {deal.code:<{wide}}  {deal.dealer or '-':<6}  {deal.cards:>5}  {deal.status:<9}  "
            f"{deal.head[:16] or 'not closed'}\n"
        )


def _number(text: str) -> int:
    """Return a deal's number.

    Raises:
        argparse.ArgumentTypeError: the text is none.
    """
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no deal's number: deals are numbered from 1")
