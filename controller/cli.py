"""The command `pone`: its subcommands, their help, and the exit status.

Exit status: 0 done, 1 a fault or unreadable input, 2 wrong use. Subcommands import what they need when they run, so
that help comes at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import entry_points, version
from typing import Final

INTERRUPTED: Final = 130
"""What a shell reports for Ctrl-C."""

_COMMANDS: Final = (
    ("deal", "controller.deal_command", "deal hands on a machine, real or simulated"),
    ("judge", "controller.judge_command", "apply a code of laws to a file of facts"),
    ("laws", "controller.laws_command", "read the laws that the judge applies"),
    ("see", "vision.see", "read cards in pictures"),
    ("replay", "controller.replay_command", "go through a recorded deal and judge it again"),
    ("record", "controller.record_command", "print a deal's facts and rulings"),
    ("doctor", "controller.doctor_command", "say what is wrong with ports, cameras and light, and what to do"),
)

_EPILOG: Final = """\
begin here:
  pone deal                     deal one whist hand on the simulated machine
  pone replay                   go through the last deal again
  pone judge FILE.jsonl --text  what do the laws say of these facts?
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = _parser()
    args = parser.parse_args(argv)
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except KeyboardInterrupt as interrupt:
        print(f"\nStopped by Ctrl-C. {interrupt}".rstrip(), file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    """Return the parser with every subcommand, those of the simulators among them."""
    parser = argparse.ArgumentParser(
        prog="pone",
        description="Deal cards by machine, see every one, apply the printed laws, keep a record anybody can check.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pone {version('pone')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, module_name, summary in _COMMANDS:
        module = import_module(module_name)
        command = commands.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    for entry_point in entry_points(group="pone.commands"):
        entry_point.load()(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
