"""The command `pone`: its subcommands, their help, and how each ends (`controller.exit_status`).

Subcommands import what they need when they run, so that help comes at once. This module itself imports late too: Ctrl-C
is answered in plain words from the first moment on.
"""

from __future__ import annotations

import errno
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from controller.exit_status import FAULT, MEANING, STOPPED

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

_STOPPERS: Final = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "a request to end (SIGTERM)",
    signal.SIGHUP: "the end of its terminal (SIGHUP)",
}
"""Signals that stop a command, in words."""

_COMMANDS: Final = (
    ("deal", "controller.deal_command", "deal hands on a machine, real or simulated"),
    ("judge", "controller.judge_command", "apply a code of laws to a file of facts"),
    ("laws", "controller.laws_command", "read the laws that the judge applies"),
    ("see", "vision.see", "read cards in pictures"),
    ("enroll", "controller.enroll_command", "learn a deck, so that the eye is surer of its cards"),
    ("replay", "controller.replay_command", "go through a recorded deal and judge it again"),
    ("record", "controller.record_command", "print a deal's facts and rulings"),
    ("check", "controller.check_command", "send a pack through the window and say whether it is whole"),
    ("order", "controller.order_command", "test a machine with a pack in a known order, until the first mistake"),
    ("draw", "controller.draw_command", "cut for seats: one card to each player, the lowest first"),
    ("table", "controller.table_command", "keep a club's tables: who sits, who waits, who gives way"),
    ("health", "controller.health_command", "say how well the eye reads over the deals of a log"),
    ("doctor", "controller.doctor_command", "say what stands in the way of a deal, and what to do"),
)

_EPILOG: Final = """\
begin here:
  pone doctor                   is all there that a deal needs?
  pone deal                     deal one whist hand on the simulated machine
  pone replay                   go through the last deal again
  pone laws whist               the laws that were applied
  pone judge FILE.jsonl --text  what do the laws say of these facts?
docs/tutorial.md goes through them one by one.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    stopped_by = [signal.SIGINT]
    try:
        from controller.standard_streams import command_streams  # late, as above

        with command_streams(), _stopped_by_signals(stopped_by):
            return _main(argv, stopped_by)
    except KeyboardInterrupt:  # before, or behind, all that a command does
        return STOPPED + stopped_by[-1]


def _main(argv: Sequence[str] | None, stopped_by: list[signal.Signals]) -> int:
    """Run the command line with streams that it can rely on."""
    from controller.errors import OutputLost

    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        sys.stderr.write(f"\nStopped by {_STOPPERS[stopped_by[-1]]}. {interrupt}".rstrip() + "\n")
        return STOPPED + stopped_by[-1]
    except OutputLost as lost:
        # A reader that has read enough is told nothing, unless something is left half done.
        if lost.kept or lost.number != errno.EPIPE:
            sys.stderr.write(f"{lost}\n")
        return FAULT


def _run(argv: Sequence[str] | None) -> int:
    """Run the subcommand that the command line names."""
    from controller.errors import ControllerError
    from controller.standard_streams import must_be_heard

    try:
        args = _parser().parse_args(argv)
    except ControllerError as error:  # a file that an argument names: the use is right, the file is not
        command = next(iter(sys.argv[1:] if argv is None else argv))
        sys.stderr.writelines(f"pone {command}: {line}\n" for line in str(error).splitlines())
        return FAULT
    must_be_heard()
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


@contextmanager
def _stopped_by_signals(stopped_by: list[signal.Signals]) -> Iterator[None]:
    """Let every signal that stops a command do so as Ctrl-C does, and note which it was.

    A signal that was set to be ignored, as `nohup` does, stays so.
    """

    def stop(number: int, _: object) -> None:
        stopped_by.append(signal.Signals(number))
        raise KeyboardInterrupt

    in_main = threading.current_thread() is threading.main_thread()
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    heard = [number for number, handler in kept.items() if in_main and handler is signal.SIG_DFL]
    for number in heard:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, kept[number])


def _parser() -> argparse.ArgumentParser:
    """Return the parser with every subcommand, those of the simulators among them."""
    import argparse
    from importlib import import_module
    from importlib.metadata import entry_points, version

    from controller.command_parser import CommandParser

    parser = CommandParser(
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
        command.epilog = command.epilog or MEANING
        command.set_defaults(run=module.run)
    for entry_point in entry_points(group="pone.commands"):
        entry_point.load()(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
