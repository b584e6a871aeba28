"""The command `pone judge`: facts as JSON Lines in, each ruling out as soon as its fact has been read."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from controller.argument_types import code_of_laws, house_file
from controller.exit_status import DONE, FAULT, WRONG_USE

if TYPE_CHECKING:
    from controller.facts import Fact
    from controller.house import House
    from controller.judge import Judge
    from controller.laws.vocabulary import Code
    from controller.register import Register
    from controller.rulings import Ruling


LONGEST_LINE: Final = 1 << 20
"""Longest line that is read, in bytes; a fact needs a few hundred."""

LONGEST_NUMBER: Final = 100
"""Longest whole number that is read, in digits; no fact has one of twenty."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone judge` to its parser."""
    parser.epilog = "exit status: 0 done; 1 a file that cannot be read; 2 a line that is no fact, or wrong use"
    parser.add_argument("file", metavar="FILE", help="a deal as JSON Lines, one fact a line; - for standard input")
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
        self._say: Callable[[dict[str, Any]], str] | None = None
        if text:
            from controller.narration import Narrator  # late, so that the command's help does not load the laws

            self._say = Narrator().sentence
        self._state = state
        self._ruled = False

    def rulings(self, said: list[Ruling]) -> None:
        """Write rulings and let them out at once."""
        if self._state:
            return
        from controller.rulings import to_json  # late, as above

        self._ruled = True
        for ruling in said:
            line = to_json(ruling)
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


_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _judge_file(args: argparse.Namespace, printer: _Printer) -> int:
    from controller.errors import StreamError  # late, as above
    from controller.user_files import plainly

    name: str = args.file
    code = args.code.code if args.code else None
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as stream:
            judge_stream(stream, printer.rulings, printer.end, code=code, house=args.house)
    except StreamError as error:
        return _complain(f"{_shown(name)}: {error}", WRONG_USE)
    except OSError as error:
        return _complain(f"{_shown(name)}: {plainly(error)}", FAULT)
    except ValueError as error:  # a name with a null character
        return _complain(f"{_shown(name)}: {error}", FAULT)
    return DONE


def _shown(name: str) -> str:
    return "standard input" if name == "-" else name.encode(errors="backslashreplace").decode()


def _complain(message: str, status: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"pone judge: {message}\n")
    return status


def judge_stream(
    stream: BinaryIO,
    heard: Callable[[list[Ruling]], None],
    done: Callable[[Judge | Register], None] = lambda _: None,
    *,
    code: Code | None = None,
    house: House | None = None,
) -> None:
    """Judge a stream of JSON Lines, handing on the rulings of each fact before the next line is read.

    Rulings that stand in the stream, as they do in a whole record, are passed over; their lines count.

    Args:
        stream: the deal, or the register of the table, UTF-8.
        heard: takes the rulings of a fact; not called where there are none.
        done: takes the judge after the last fact.
        code: laws to apply in place of those that the deal names.
        house: what the house decides, where the deal does not say.

    Raises:
        controller.errors.StreamError: a line is no fact, or an impossible one.
    """
    from controller.errors import FactError  # late, as above
    from controller.facts import DealOpened, parse_fact

    judge = None
    for number, obj in enumerate(_objects(stream), start=1):
        if number > 1 and "ruling" in obj and "fact" not in obj:
            continue
        fact = parse_fact(obj, line=number)
        if number == 1 and house is not None and isinstance(fact, DealOpened) and "house" not in obj:
            fact = replace(fact, house=house)
        judge = judge or _judge_for(fact, code)
        said = judge.hear(fact, number)
        if said:
            heard(said)
    if judge is None:
        raise FactError(1, "", "the stream is empty; a deal starts with deal_opened")
    done(judge)


def _judge_for(first: Fact, code: Code | None) -> Judge | Register:
    """Return who judges a stream that begins so, by these laws if any: the register of the table is no deal."""
    from controller.facts import DealOpened  # late, as above
    from controller.judge import Judge
    from controller.laws.table import TABLE
    from controller.register import Register

    return Register() if isinstance(first, DealOpened) and first.code == TABLE.name else Judge(code)


def _objects(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        yield _object(raw, number)


def _object(raw: bytes, line: int) -> dict[str, Any]:
    from controller.errors import FactError  # late, as above

    if len(raw) > LONGEST_LINE:
        raise FactError(line, "", f"it is longer than {LONGEST_LINE} bytes")
    if line == 1 and raw.startswith(_BYTE_ORDER_MARK):
        raise FactError(line, "", "it starts with a byte order mark; write plain UTF-8")
    if not raw.strip():
        raise FactError(line, "", "it is blank; every line is one fact")
    try:
        obj = _decoded(raw.decode())
    except UnicodeDecodeError as error:
        raise FactError(line, "", f"byte {error.start + 1} is not UTF-8") from error
    except _TwiceNamed as error:
        raise FactError(line, error.key, "it is named twice") from error
    except json.JSONDecodeError as error:
        raise FactError(line, "", f"it is no JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise FactError(line, "", "it is nested too deeply") from error
    except ValueError as error:
        raise FactError(line, "", f"it cannot be read: {error}") from error
    if not isinstance(obj, dict):
        raise FactError(line, "", f"expected a JSON object, got {raw.decode().strip()[:40]}")
    return obj


def _decoded(text: str) -> object:
    """Decode one line; the decoder's own way, which also finds what is wrong, is only for lines with more than that."""
    if text[0] == "{":
        obj, end = _DECODER.raw_decode(text)
        if text[end:] in ("\n", ""):
            return obj
    return _DECODER.decode(text)


class _TwiceNamed(ValueError):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _TwiceNamed(key)
            seen.add(key)
    return obj


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")


def _whole_number(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} digits is too long")
    return int(text)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number, parse_int=_whole_number)
