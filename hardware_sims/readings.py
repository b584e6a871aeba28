"""How the values of a scenario file are read: each kind with what it must be, for messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from vision.cards import Card


@dataclass(frozen=True, slots=True)
class Reading:
    """How one value of a scenario file is read.

    Attributes:
        expected: what it must be, for messages.
        read: turns it into the field's value; raises `ValueError` or `TypeError` where it is something else.
    """

    expected: str
    read: Callable[[Any], object]


def whole(least: int, most: int) -> Reading:
    """Return the reading of a whole number from `least` to `most`."""

    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(value)
        return value

    return Reading(f"a whole number from {least} to {most}", read)


def number(least: float, most: float) -> Reading:
    """Return the reading of a number from `least` to `most`."""

    def read(value: Any) -> float:
        if type(value) not in (int, float) or not least <= value <= most:
            raise ValueError(value)
        return float(value)

    return Reading(f"a number from {least:g} to {most:g}", read)


def one_of(values: Mapping[Any, object]) -> Reading:
    """Return the reading of one of some words, or numbers."""

    def read(value: Any) -> object:
        if type(value) not in (str, int) or value not in values:
            raise ValueError(value)
        return values[value]

    return Reading("one of " + ", ".join(str(word) for word in values), read)


def text() -> Reading:
    """Return the reading of any text."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(value)
        return value

    return Reading("a text", read)


CARD: Final = Reading("a card, as in AS, TD or J1", Card.parse)
PASSAGE: Final = {"read": whole(1, 200)}
"""Which passage of a deal, from 1."""


def list_of(item: Reading) -> Reading:
    """Return the reading of a list of values of one kind."""

    def read(value: Any) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise TypeError(value)
        return tuple(item.read(entry) for entry in value)

    return Reading(f"a list, each of it {item.expected}", read)
