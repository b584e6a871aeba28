"""Check a pack: every card goes through the window once, and a receipt says whether the pack is whole.

The order of the cards is not on the receipt, but whoever stands at the machine may have seen it: shuffle before play.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller import machine_session
from controller.argument_types import whole_number
from controller.exit_status import DONE, FAULT
from vision.cards import PACK_SIZES
from vision.files import named_path

if TYPE_CHECKING:
    from controller.machine_session import Machine
    from controller.pack_check import PackReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone check`."""
    parser.epilog = "exit status: 0 the pack is perfect, 1 it is not, or a fault, 2 wrong use"
    machine_session.add_arguments(parser)
    parser.add_argument(
        "--pack",
        metavar="CARDS",
        type=whole_number,
        choices=PACK_SIZES,
        default=52,
        help="24, 25, 32, 33 or 52 (default: 52)",
    )
    parser.add_argument(
        "--receipt", metavar="FILE", type=_new_file, help="write the receipt, a JSON object, to a new file"
    )


def run(args: argparse.Namespace) -> int:
    """Check the pack; return the exit status."""
    from controller.user_files import why_no_file_at

    if args.receipt is not None and (reason := why_no_file_at(args.receipt, make_folder=False)):
        sys.stderr.write(f"pone check: {args.receipt}: the receipt cannot be written there: {reason}\n")
        return FAULT
    return machine_session.with_machine(args, "check", lambda machine: _check(args, machine))


def _new_file(text: str) -> Path:
    """Return the file that the text names, where nothing is yet.

    Raises:
        argparse.ArgumentTypeError: the text names nothing, or something is there.
    """
    path = named_path(text)
    if os.path.lexists(path):
        raise argparse.ArgumentTypeError(f"{text!r} is there already: name a new file for the receipt")
    return path


def _check(args: argparse.Namespace, machine: Machine) -> int:
    from controller.errors import PassageBroken
    from controller.pack_check import check_pack
    from vision.cards import Pack

    console = machine.console
    machine.lay_in(args.pack, f"Lay the pack of {args.pack} cards in the hopper, face down, in any order.")
    sightings, noted = [], []
    for passed in machine.passages(machine_session.in_turn):
        sightings.append(passed.sighting)
        console.progress(passed.k, args.pack)
        if not passed.single:
            raise PassageBroken(passed.finding, passed.k)
        if passed.finding:
            noted.append((passed.k, passed.finding))
    report = check_pack(Pack.of(args.pack), sightings, noted)
    receipt = receipt_of(report, machine.identity())
    for said in report.sentences():
        console.say(said)
    console.say(f"Receipt {receipt['receipt'][:16]}.")
    if args.json:
        console.data(receipt)
    if args.receipt is not None:
        _write(args.receipt, receipt)
        console.say(f"  written: {args.receipt}")
    return DONE if report.state == "perfect" else FAULT


def receipt_of(report: PackReport, machine: dict[str, Any]) -> dict[str, Any]:
    """Return a receipt: report, machine, and as its number the SHA-256 of both in canonical JSON."""
    from controller.records import canonical

    said = {"check": report.as_json(), "machine": machine}
    return said | {"receipt": hashlib.sha256(canonical(said)).hexdigest()}


def _write(file: Path, receipt: dict[str, Any]) -> None:
    """Write the receipt whole or not at all.

    Raises:
        controller.errors.LogError: the file cannot be written.
    """
    from controller.errors import LogError
    from controller.records import canonical
    from vision.files import plainly, put_in_place

    try:
        put_in_place(file, canonical(receipt) + b"\n", private=False)
    except OSError as error:
        raise LogError(str(file), f"the receipt cannot be written: {plainly(error)}", "Name another file.") from error
