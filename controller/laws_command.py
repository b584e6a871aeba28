"""Read the laws: the codes, one of them, one law, why a ruling was given, and what the house decides.

Also checks a code that a club wrote for itself.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from controller.argument_types import code_of_laws, house_file, is_file_of_laws
from controller.exit_status import DONE, FAULT, WRONG_USE

_EPILOG: Final = """\
  pone laws --house > club.toml        the house settings, as a file to change
  pone laws --house club.toml          what your house decides, and which clauses rest on it
  pone laws whist --house club.toml    a code, each clause that the house decides marked whether it is in force
  pone laws --check ours.toml          is this code of our own in order?
  pone laws ours.toml                  our own code, read out

exit status: 0 done, 1 a file that cannot be read or is not in order, 2 wrong use, or a law that there is not
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone laws` to its parser."""
    parser.epilog = _EPILOG
    parser.add_argument("code", metavar="CODE", nargs="?", help="a code, as in whist, or a file (default: list them)")
    parser.add_argument("number", metavar="NUMBER", nargs="?", help="one law of it, as in 37-VI")
    parser.add_argument(
        "--house",
        metavar="FILE",
        nargs="?",
        const="",
        type=house_file,
        help="the settings of the house, those of FILE (default: as they ship)",
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--why", metavar="LAW", help='where a cited law stands and what follows, as in "whist 37-VI"')
    other.add_argument("--check", metavar="FILE", help="a code of your own: say everything that is wrong with it")


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; return the exit status: 2 for a law that there is not, 1 for a file in disorder."""
    from controller.errors import ClubCodeError, CodeError, UnreadableInput

    if args.code is not None and (args.why is not None or args.check is not None):
        sys.stderr.write("pone laws: give either a code, or --why, or --check\n")
        return WRONG_USE
    try:
        text = _text(args)
    except ClubCodeError as error:
        sys.stderr.writelines(f"pone laws: {args.check}: {complaint}\n" for complaint in error.complaints)
        return FAULT
    except UnreadableInput as error:
        sys.stderr.write(f"pone laws: {error}\n")
        return FAULT
    except (CodeError, argparse.ArgumentTypeError) as error:
        sys.stderr.write(f"pone laws: {error}\n")
        return WRONG_USE
    sys.stdout.write(f"{text}\n")
    return DONE


def _text(args: argparse.Namespace) -> str:
    from controller import law_pages, laws, table_pages  # late, so that the command's help does not load the laws
    from controller.club_code import read_code
    from controller.user_files import text_of

    if args.check is not None:
        return law_pages.checked_text(args.check, read_code(text_of(Path(args.check))))
    if args.why is not None:
        return law_pages.why_text(args.why)
    if args.code is None:
        return law_pages.code_list() if args.house is None else law_pages.house_text(args.house).rstrip()
    if args.code == table_pages.NAME:
        return table_pages.text(args.number)
    code = code_of_laws(args.code).code if is_file_of_laws(args.code) else laws.code(args.code)
    if args.number is None:
        return law_pages.code_text(code, args.house)
    return law_pages.clause_text(code, args.number, args.house)
