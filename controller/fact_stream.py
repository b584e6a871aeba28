"""Judges a stream of facts, JSON Lines: each line is read, checked and heard before the next."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO, Final

from controller.errors import FactError
from controller.facts import DealOpened, Fact, parse_fact
from controller.house import House
from controller.judge import Judge
from controller.laws.table import TABLE
from controller.laws.vocabulary import Code
from controller.register import Register
from controller.rulings import Ruling

LONGEST_LINE: Final = 1 << 20
"""Longest line that is read, in bytes; a fact needs a few hundred."""

LONGEST_NUMBER: Final = 100
"""Longest whole number that is read, in digits; no fact has one of twenty."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def judge_stream(
    stream: BinaryIO,
    heard: Callable[[list[Ruling]], None],
    *,
    code: Code | None = None,
    house: House | None = None,
) -> Judge | Register:
    """Judge a stream of JSON Lines, handing on the rulings of each fact before the next line is read.

    Rulings that stand in the stream, as they do in a whole record, are passed over; their lines count.

    Args:
        stream: the deal, or the register of the table, UTF-8.
        heard: takes the rulings of a fact; not called where there are none.
        code: laws to apply in place of those that the deal names.
        house: what the house decides, where the deal does not say.

    Returns:
        Who has judged it, after the last fact.

    Raises:
        controller.errors.StreamError: a line is no fact, or an impossible one.
    """
    judge: Judge | Register | None = None
    lines = iter(partial(stream.readline, LONGEST_LINE + 1), b"")
    for number, raw in enumerate(lines, start=1):
        obj = _object(raw, number)
        if number > 1 and "ruling" in obj and "fact" not in obj:
            continue
        fact = parse_fact(obj, line=number)
        if number == 1 and house is not None and isinstance(fact, DealOpened) and "house" not in obj:
            fact = replace(fact, house=house)
        judge = judge or _judge_for(fact, code, house)
        said = judge.hear(fact, number)
        if said:
            heard(said)
    if judge is None:
        raise FactError(1, "", "the stream is empty; a deal starts with deal_opened")
    return judge


def _judge_for(first: Fact, code: Code | None, house: House | None) -> Judge | Register:
    """Return who judges a stream that begins so, by these laws if any: the register of the table is no deal.

    Raises:
        FactError: it is the register, which has laws of its own that no setting of a house changes, and others are to
            be applied.
    """
    if not isinstance(first, DealOpened) or first.code != TABLE.name:
        return Judge(code)
    if code is not None or house is not None:
        given = f"the laws of {code.name}" if code is not None else "the settings of the house"
        reason = f"it opens the register of the table, which has laws of its own: leave out {given}"
        raise FactError(1, "code", reason)
    return Register()


def _object(raw: bytes, line: int) -> dict[str, Any]:
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
        if end == len(text) or text[end:] == "\n":
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
