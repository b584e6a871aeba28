"""Read the laws: the codes, one of them, one law, why a ruling was given, and what the house decides.

Also checks a code that a club wrote for itself.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.argument_types import code_of_laws, house_file
from controller.exit_status import DONE, FAULT, WRONG_USE
from vision.files import named

if TYPE_CHECKING:
    from controller.house import House

_EPILOG: Final = """\
  pone laws --house > club.toml        the house settings, as a file to change
  pone laws --house club.toml          what your house decides, and which clauses rest on it
  pone laws whist --house club.toml    a code, each clause that the house decides marked whether it is in force
  pone laws --why "whist 37-VI"        one law: where it stands, what follows, what the machine sees of it
  pone laws --check ours.toml          is this code of our own in order?
  pone laws ours.toml                  our own code, read out
  pone laws ours.toml --why T1         one law of it

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
        const=False,  # as they ship; a text would be read as the name of a file
        type=house_file,
        help="the settings of the house, those of FILE (default: as they ship)",
    )
    parser.add_argument("--why", metavar="LAW", help='where a law stands and what follows, as in "whist 37-VI"')
    parser.add_argument(
        "--check", metavar="FILE", type=named, help="a code of your own: say everything that is wrong with it"
    )


def run(args: argparse.Namespace) -> int:
    """Print what was asked for; return the exit status: 2 for a law that there is not, 1 for a file in disorder."""
    from controller.errors import ClubCodeError, CodeError, UnreadableInput

    if (complaint := _misused(args)) is not None:
        sys.stderr.write(f"pone laws: {complaint}\n")
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


def _misused(args: argparse.Namespace) -> str | None:
    """Return why the arguments do not go together; None where they do."""
    others = {"a code": args.code, "--why": args.why, "--house": args.house}
    if args.check is not None and (given := [name for name, value in others.items() if value is not None]):
        return f"--check reads one file, whatever the house decides: leave out {' and '.join(given)}"
    if args.number is not None and args.why is not None:
        return "name one law: behind the code, or behind --why"
    return None


def _text(args: argparse.Namespace) -> str:
    from controller import law_pages, table_pages  # late, so that the command's help does not load the laws
    from controller.club_code import read_code
    from controller.errors import UnreadableInput
    from controller.house import House, is_house
    from controller.user_files import text_of

    if args.check is not None:
        own = text_of(Path(args.check))
        if is_house(own):
            raise UnreadableInput(
                args.check, "these are settings of a house, and no code of laws: pone laws --house FILE"
            )
        return law_pages.checked_text(args.check, read_code(own))
    house = args.house or House()
    if args.why is not None:
        return _why(args.code, args.why, house)
    if args.code is None:
        return law_pages.code_list() if args.house is None else law_pages.house_text(house).rstrip()
    if args.code.casefold() == table_pages.NAME:
        return table_pages.text(args.number)
    code = code_of_laws(args.code).code
    if args.number is None:
        return law_pages.code_text(code, house)
    return law_pages.clause_text(code, args.number, house)


def _why(named: str | None, cited: str, house: House) -> str:
    """Return what there is to say of a law that is cited with its code or file, or without where that is named."""
    from controller import law_pages, table_pages  # late, as above

    name, number = (named, cited.strip()) if named is not None else _parted(cited.strip())
    if name == table_pages.NAME:
        return table_pages.why_text(_behind(name, number) or number)
    code = code_of_laws(name).code
    return law_pages.why_text(code, _behind(code.name, number) or number, house)


def _parted(cited: str) -> tuple[str, str]:
    """Return the code, or the file, and the number that a citation names; blanks may be in a file's name.

    Raises:
        argparse.ArgumentTypeError: it does not name both.

    >>> _parted("whist 37-VI"), _parted("English bridge 40"), _parted("our laws/tuesday.toml T1")
    (('whist', '37-VI'), ('english_bridge', '40'), ('our laws/tuesday.toml', 'T1'))
    """
    from controller import laws  # late, as above

    file, ending, number = cited.partition(".toml ")
    name = f"{file}.toml"
    if not ending:
        known = sorted(laws.KNOWN, key=len, reverse=True)  # euchre_modern before euchre
        name, number = next(((one, rest) for one in known if (rest := _behind(one, cited))), cited.partition(" ")[::2])
    if not number:
        raise argparse.ArgumentTypeError(
            f'{cited!r} does not name a code and a law of it: write --why "whist 37-VI", or CODE --why 37-VI'
        )
    return name, number.strip()


def _behind(name: str, cited: str) -> str:
    """Return what stands behind a code's name in a citation, as it is written or as one says it; empty for no name."""
    spoken = cited[: len(name)].casefold().replace(" ", "_")
    return cited[len(name) + 1 :].strip() if spoken == name and cited[len(name) : len(name) + 1] == " " else ""
