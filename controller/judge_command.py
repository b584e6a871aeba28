"""The command `pone judge`: facts as JSON Lines in, each ruling out as soon as its fact has been read."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.argument_types import code_of_laws, house_file
from controller.exit_status import DONE, FAULT, WRONG_USE
from vision.files import named, on_one_line

if TYPE_CHECKING:
    from controller.judge import Judge
    from controller.register import Register
    from controller.rulings import Ruling


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone judge` to its parser."""
    parser.epilog = "exit status: 0 done; 1 a file that cannot be read; 2 a line that is no fact, or wrong use"
    parser.add_argument(
        "file", metavar="FILE", type=named, help="a deal as JSON Lines, one fact a line; - for standard input"
    )
    parser.add_argument(
        "--code", metavar="CODE", type=code_of_laws, help="laws to apply, a code or a file (default: those of the deal)"
    )
    parser.add_argument(
        "--house", metavar="FILE", type=house_file, help="what the house decides, where the deal does not say"
    )
    parser.add_argument("--text", action="store_true", help="print sentences in place of JSON")
    parser.add_argument("--state", action="store_true", help="print only the state of the deal at its end")


def run(args: argparse.Namespace) -> int:
    """Judge the deal that `args` names and return the exit status, 2 also for a line that is no fact."""
    return _judge_file(args, _Printer(text=args.text, state=args.state))


class _Printer:
    """Writes rulings, or the final state alone."""

    def __init__(self, *, text: bool, state: bool) -> None:
        from controller.rulings import to_json  # late, so that the command's help does not load the laws

        self._say: Callable[[dict[str, Any]], str] | None = None
        if text:
            from controller.narration import Narrator  # late, as above

            self._say = Narrator().sentence
        self._told = to_json
        self._state = state
        self._ruled = False

    def rulings(self, said: list[Ruling]) -> None:
        """Write rulings and let them out at once."""
        if self._state:
            return
        self._ruled = True
        for ruling in said:
            line = self._told(ruling)
            sys.stdout.write(f"Line {ruling.on}. {self._say(line)}\n" if self._say else f"{_json(line)}\n")
        sys.stdout.flush()

    def end(self, judge: Judge | Register) -> None:
        """Write the state, where that is asked for; to a person, that nothing was ruled."""
        if not self._state:
            if self._say and not self._ruled:
                sys.stdout.write("The facts call for no ruling.\n")
            return
        state = judge.state()
        if self._say:
            sys.stdout.writelines(f"{name}: {_words(value)}\n" for name, value in state.items())
        else:
            sys.stdout.write(f"{_json(state)}\n")
        sys.stdout.flush()


def _words(value: object) -> str:
    return value if isinstance(value, str) else _json(value)


_json: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


def _judge_file(args: argparse.Namespace, printer: _Printer) -> int:
    from controller.errors import StreamError  # late, as above
    from controller.fact_stream import judge_stream
    from vision.files import plainly

    name: str = args.file
    code = args.code.code if args.code else None
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as stream:
            printer.end(judge_stream(stream, printer.rulings, code=code, house=args.house))
    except StreamError as error:
        return _complain(f"{_shown(name)}: {error}", WRONG_USE)
    except OSError as error:
        return _complain(f"{_shown(name)}: {plainly(error)}", FAULT)
    except ValueError as error:  # a name with a null character
        return _complain(f"{_shown(name)}: {error}", FAULT)
    return DONE


def _shown(name: str) -> str:
    return "standard input" if name == "-" else on_one_line(name)


def _complain(message: str, status: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"pone judge: {message}\n")
    return status
