"""Read the laws: the codes, one of them, one law, why a ruling was given, and what the house decides."""

from __future__ import annotations

import argparse
import sys

from controller.exit_status import DONE, WRONG_USE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone laws` to its parser."""
    parser.add_argument("code", metavar="CODE", nargs="?", help="a code, as in whist (default: list them)")
    parser.add_argument("number", metavar="NUMBER", nargs="?", help="one law of it, as in 37-VI")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--why", metavar="LAW", help='where a cited law stands and what follows, as in "whist 37-VI"')
    other.add_argument("--house", action="store_true", help="the house settings with their defaults")


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; return the exit status: 0, or 2 for a law that does not exist."""
    from controller.errors import CodeError

    if args.code is not None and (args.why is not None or args.house):
        sys.stderr.write("pone laws: give either a code, or --why, or --house\n")
        return WRONG_USE
    try:
        text = _text(args)
    except CodeError as error:
        sys.stderr.write(f"pone laws: {error}\n")
        return WRONG_USE
    sys.stdout.write(f"{text}\n")
    return DONE


def _text(args: argparse.Namespace) -> str:
    from controller import law_pages, laws, table_pages  # late, so that the command's help does not load the laws

    if args.house:
        return law_pages.house_text()
    if args.why is not None:
        return law_pages.why_text(args.why)
    if args.code is None:
        return law_pages.code_list()
    if args.code == table_pages.NAME:
        return table_pages.text(args.number)
    code = laws.code(args.code)
    return law_pages.code_text(code) if args.number is None else law_pages.clause_text(code, args.number)
