"""How facts are declared, read from JSON and written back: strictly, and worked out once for each type."""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

from controller.errors import FactError
from controller.fact_kinds import Kind, Natural, Unfit, kind_of, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line of a record.

    Attributes:
        name: the fact's name in the record.
        t_us: time on the machine's clock, in microseconds, where it is known.
    """

    name: ClassVar[str] = ""
    t_us: Natural | None = None

    def complaint(self) -> tuple[str, str] | None:
        """Return the field at fault and the reason, where the fields contradict each other."""
        return None


F = TypeVar("F", bound=Fact)


class _Form:
    """The fields of one type of fact. The key of a field is its name, less the underscore that spares a keyword."""

    __slots__ = ("_defaults", "_kinds", "_make", "_needed", "_readers", "_speaks")

    def __init__(self, make: type[Fact]) -> None:
        hints = typing.get_type_hints(make, include_extras=True)
        fields = dataclasses.fields(make)
        self._make = make
        self._kinds: dict[str, tuple[str, Kind]] = {
            field.name.rstrip("_"): (field.name, kind_of(hints[field.name])) for field in fields
        }
        self._readers = {key: (name, kind.read) for key, (name, kind) in self._kinds.items()}
        self._defaults = {field.name: field.default for field in fields}
        self._needed = frozenset(field.name for field in fields if field.default is dataclasses.MISSING)
        self._speaks = make.complaint is not Fact.complaint

    def read(self, obj: dict[str, Any], line: int) -> Fact:
        """Return the fact that `obj` states, or raise `FactError`."""
        values = {}
        readers = self._readers
        try:
            for key, raw in obj.items():
                if key != "fact":
                    name, read = readers[key]
                    values[name] = read(raw)
            fact = self._make(**values)
        except (KeyError, TypeError, ValueError):
            self._refuse(obj, line)
            raise
        if self._speaks and (complaint := fact.complaint()) is not None:
            raise FactError(line, *complaint)
        return fact

    def _refuse(self, obj: dict[str, Any], line: int) -> None:
        """Raise `FactError` for the first field at fault in `obj`, in the order of the line, or for one missing."""
        named = set()
        for key, raw in obj.items():
            if key == "fact":
                continue
            found = self._kinds.get(key)
            if found is None:
                known = ", ".join(self._kinds)
                raise FactError(line, key, f"no such field; {self._make.name} has {known}") from None
            name, kind = found
            named.add(name)
            try:
                kind.fit(raw)
            except Unfit as unfit:
                raise FactError(line, f"{key}.{unfit.path}" if unfit.path else key, unfit.reason) from None
        if missing := sorted(self._needed - named):
            key = missing[0].rstrip("_")
            raise FactError(line, key, f"{self._make.name} needs it: {self._kinds[key][1].expected}") from None

    def write(self, fact: Fact) -> dict[str, Any]:
        """Return the JSON object of `fact`, the clock last."""
        line: dict[str, Any] = {"fact": fact.name}
        for key, (name, _) in self._kinds.items():
            value = getattr(fact, name)
            if name != "t_us" and value != self._defaults[name]:
                line[key] = plain(value)
        if fact.t_us is not None:
            line["t_us"] = fact.t_us
        return line


_TYPES: Final[dict[str, type[Fact]]] = {}


@cache
def _form_of(name: str) -> _Form:
    """Return the form of a declared fact, made when the first of them comes: a stream has facts of a few types."""
    return _Form(_TYPES[name])


@dataclass_transform(kw_only_default=True, frozen_default=True)
def declare(kind: type[F]) -> type[F]:
    """Declare a type of fact: its name is the type's, in lower case with underscores."""
    made = dataclass(frozen=True, slots=True, kw_only=True)(kind)
    made.name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]
    _TYPES[made.name] = made
    return made


def parse_fact(obj: dict[str, Any], *, line: int) -> Fact:
    """Return the fact that a decoded line states.

    Args:
        obj: the JSON object of the line.
        line: the line's number, from 1; it names the place in an error.

    Raises:
        FactError: the object is no fact of the contract: an unknown name or field, a wrong type or value, a field
            missing.
    """
    name = obj.get("fact")
    if type(name) is not str or name not in _TYPES:
        wrong = f"no such fact: {name!r}" if "fact" in obj else "the line names no fact"
        raise FactError(line, "fact", f"{wrong}; known are {', '.join(sorted(_TYPES))}")
    return _form_of(name).read(obj, line)


def to_json(fact: Fact) -> dict[str, Any]:
    """Return the JSON object of a fact, without the fields that have their default."""
    return _form_of(fact.name).write(fact)
