"""The kinds of field a fact may have: what each accepts, in words, and how it is read from JSON and written back."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, Literal

from controller.table import Seat
from vision.cards import Card, CardError

Positive = Annotated[int, "positive"]
Natural = Annotated[int, "natural"]
PerMillion = Annotated[int, "ppm"]

Reader = Callable[[Any], Any]


class Unfit(ValueError):
    """A value that does not fit its field.

    Attributes:
        path: the fields below the one that was read, dotted; empty for the field itself.
        reason: what was expected and what was given.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of field.

    Attributes:
        expected: what is accepted, in words.
        read: returns the typed value; raises `KeyError`, `TypeError` or `ValueError` for one that does not fit.
    """

    expected: str
    read: Reader

    def fit(self, raw: object) -> object:
        """Return the typed value of `raw`.

        Raises:
            Unfit: `raw` is not of this kind.
        """
        try:
            return self.read(raw)
        except Unfit:
            raise
        except (KeyError, TypeError, ValueError):
            raise Unfit("", f"expected {self.expected}, got {shown(raw)}") from None


_AS_WRITTEN: Final[dict[object, str]] = {True: "true", False: "false", None: "null"}


def shown(raw: object, longest: int = 60) -> str:
    """Return a value as whoever wrote it in JSON or TOML knows it, cut to some characters.

    >>> shown(True), shown(None), shown("ab", 3)
    ('true', 'null', "'ab...")
    """
    text = _AS_WRITTEN.get(raw, "") if raw is None or type(raw) is bool else repr(raw)
    return text if len(text) <= longest else f"{text[:longest]}..."


def _whole(low: int, high: float = math.inf) -> Reader:
    def read(raw: object) -> int:
        if type(raw) is not int or not low <= raw <= high:
            raise ValueError
        return raw

    return read


def _seconds(raw: object) -> float:
    if type(raw) not in (int, float) or not 0 <= typing.cast("float", raw) <= 86_400:
        raise ValueError
    return typing.cast("float", raw)


def _exactly(wanted: type) -> Reader:
    def read(raw: object) -> object:
        if type(raw) is not wanted:
            raise TypeError
        return raw

    return read


def _card(raw: object) -> Card:
    if type(raw) is not str:
        raise TypeError
    try:
        return Card.parse(raw)
    except CardError as error:
        raise Unfit("", str(error)) from None


_COUNTED: Final = {
    "positive": Kind(expected="a whole number from 1", read=_whole(1)),
    "natural": Kind(expected="a whole number from 0", read=_whole(0)),
    "ppm": Kind(expected="a whole number from 0 to 1000000", read=_whole(0, 1_000_000)),
    "seconds": Kind(expected="a number of seconds from 0 to 86400", read=_seconds),
}

_PLAIN: Final[dict[Any, Kind]] = {
    Seat: Kind(expected="a seat N, E, S or W", read={str(seat): seat for seat in Seat}.__getitem__),
    Card: Kind(expected="a card: rank and suit, as in AS, TD or 7C", read=_card),
    bool: Kind(expected="true or false", read=_exactly(bool)),
    str: Kind(expected="a text", read=_exactly(str)),
    Any: Kind(expected="any value", read=lambda raw: raw),
}


def kind_of(hint: Any) -> Kind:
    """Return the kind that a type hint asks for.

    >>> kind_of(Literal["own", "pack"]).expected
    'one of "own", "pack"'
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _COUNTED[arguments[1]]
    if origin is Literal:
        return _choice(arguments)
    if origin in (typing.Union, types.UnionType):
        return _either([kind_of(part) for part in arguments if part is not types.NoneType], null=len(arguments))
    if origin is tuple:
        return _list(kind_of(arguments[0]))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _settings(hint)
    raise TypeError(f"no kind of field is declared for {hint!r}")


def _choice(values: tuple[Any, ...]) -> Kind:
    words = ", ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)
    only, allowed = type(values[0]), frozenset(values)

    def read(raw: object) -> object:
        if type(raw) is not only or raw not in allowed:
            raise ValueError
        return raw

    return Kind(expected=f"one of {words}" if len(values) > 1 else words, read=read)


def _either(kinds: list[Kind], *, null: int) -> Kind:
    optional = null > len(kinds)
    if len(kinds) == 1 and not optional:
        return kinds[0]
    *others, last = [kind.read for kind in kinds]

    def read(raw: object) -> object:
        if raw is None and optional:
            return None
        for one in others:
            try:
                return one(raw)
            except (KeyError, TypeError, ValueError):
                continue
        return last(raw)

    return Kind(expected=" or ".join(kind.expected for kind in kinds), read=read)


def _list(of: Kind) -> Kind:
    def read(raw: object) -> tuple[object, ...]:
        if type(raw) is not list:
            raise TypeError
        return tuple(of.fit(item) for item in raw)

    return Kind(expected=f"a list, each item {of.expected}", read=read)


def _settings(form: type) -> Kind:
    hints = typing.get_type_hints(form, include_extras=True)
    kinds = {item.name: kind_of(hints[item.name]) for item in dataclasses.fields(form)}

    def read(raw: object) -> object:
        if type(raw) is not dict:
            raise TypeError
        values = {}
        for key, value in raw.items():
            kind = kinds.get(key)
            if kind is None:
                raise Unfit(str(key), f"no such setting; known are {', '.join(kinds)}")
            try:
                values[key] = kind.fit(value)
            except Unfit as unfit:
                raise Unfit(key, unfit.reason) from None
        return form(**values)

    return Kind(expected="an object of settings", read=read)


def plain(value: object) -> object:
    """Return the JSON form of a typed field: lists for tuples, codes for cards, settings without their defaults."""
    kind = type(value)
    if kind is str or kind is int or kind is bool:
        return value
    if kind is Seat or kind is Card:
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        pairs = ((item, getattr(value, item.name)) for item in dataclasses.fields(value))
        return {item.name: plain(held) for item, held in pairs if held != item.default}
    return value
