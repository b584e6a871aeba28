"""`pone sim`: a simulated machine behind a pseudo-terminal, for controllers that want a real serial port, and samples.

Only the arguments stand here: the simulator itself is loaded when it is to run, so that help comes at once.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from vision.files import named

_EPILOG: Final = """\
in one terminal:   pone sim --pty --link machine.tty --camera machine.sock --verbose
in another:        pone deal --machine machine.tty --camera sim:machine.sock

The machine waits until a controller opens its port. At the pace of a real one a hand takes some fifty seconds, with
--pace free a few; Ctrl-C ends it. Without --pty nothing need run at all: --machine sim:// has the same machine inside
the other commands, with scenario, seed and lacks behind a question mark, as in "sim://?scenario=jam_exit&seed=7".

what goes wrong:   --scenario NAME_OR_FILE; --list-scenarios names those that are there, docs/scenarios.md tells how to
                   write one
what to look at:   --verbose while it runs; --truth FILE afterwards: where every card really went
pictures to read:  pone sim --frames DIR, then pone see DIR

exit status: 0 ended by Ctrl-C, or done; 1 a fault or unreadable input; 2 wrong use
"""


def add_sim(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `pone sim` to the command line."""
    parser = subparsers.add_parser(
        "sim",
        help="simulate a machine behind a serial port",
        description="Simulate the reference machine, its people and its cameras until Ctrl-C.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pty", action="store_true", help="serve the machine at a pseudo-terminal")
    parser.add_argument("--link", type=_file, metavar="PATH", help="a link to make to the pseudo-terminal")
    parser.add_argument(
        "--pace", choices=("free", "real"), default="real", help="free: motion and people take no time (default: real)"
    )
    parser.add_argument("--scenario", metavar="FILE", type=named, help="a file, or a name of --list-scenarios")
    parser.add_argument("--lacks", metavar="PARTS", default="", help="what the machine has not, as in shelves,touch")
    parser.add_argument("--seed", type=int, metavar="N", help="what everything random depends on")
    parser.add_argument(
        "--camera", type=_file, metavar="SOCKET", help="the camera's Unix socket (default: one of its own)"
    )
    parser.add_argument(
        "--table-camera", type=_file, metavar="SOCKET", help="that of the camera over the table (default: likewise)"
    )
    parser.add_argument("--truth", type=_file, metavar="FILE", help="write what really became of every card, as JSON")
    parser.add_argument("--journal", type=_file, metavar="FILE", help="keep the machine's journal here between runs")
    parser.add_argument(
        "--verbose", action="store_true", help="a line for each command that comes (>) and each event that goes"
    )
    parser.add_argument(
        "--frames", type=_file, metavar="DIR", help="write pictures of the read window, every card of a pack, and end"
    )
    parser.add_argument("--list-scenarios", action="store_true", help="list the scenarios that come with the simulator")
    parser.set_defaults(run=run_sim)


def run_sim(arguments: argparse.Namespace) -> int:
    """Run `pone sim` and return its exit status."""
    from hardware_sims.serving import run

    return run(arguments)


def _file(text: str) -> Path:
    """Return the path of a file.

    Raises:
        argparse.ArgumentTypeError: the text names a folder, or nothing, whatever is on the disk.
    """
    path = Path(text)
    if not path.name:
        raise argparse.ArgumentTypeError(f"{text!r} is a folder, or nothing: name a file in it")
    return path
