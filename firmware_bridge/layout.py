"""How a message is laid out in bytes: one `struct` format a class, its fields packed in their order."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from operator import attrgetter
from typing import ClassVar, Self, get_type_hints


class MessageError(ValueError):
    """A payload that does not fit its message.

    Attributes:
        message_name: the message's class.
        payload: the bytes.
    """

    def __init__(self, message_name: str, payload: bytes, why: str) -> None:
        super().__init__(f"{message_name}: {why}")
        self.message_name = message_name
        self.payload = payload


@dataclass(frozen=True, slots=True)
class Message:
    """Root of all messages.

    The fields of a message are packed in their order by its `layout`.
    """

    layout: ClassVar[struct.Struct]
    kinds: ClassVar[tuple[type, ...]]
    enumerations: ClassVar[tuple[tuple[int, type[Enum], dict[int, Enum]], ...]]
    names: ClassVar[tuple[str, ...]]
    values_of: ClassVar[Callable[[Message], tuple[object, ...]]]

    def pack(self) -> bytes:
        """Return the payload."""
        return self.layout.pack(*type(self).values_of(self))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """Return the message that `payload` holds.

        Raises:
            MessageError: wrong length, or a value outside its enumeration.
        """
        try:
            values = list(cls.layout.unpack(payload))
            for place, kind, members in cls.enumerations:
                member = members.get(values[place])
                values[place] = kind(values[place]) if member is None else member
            return cls(*values)
        except (struct.error, ValueError) as error:
            raise MessageError(cls.__name__, payload, str(error)) from error


def _few(names: tuple[str, ...]) -> Callable[[Message], tuple[object, ...]]:
    """Return what gets the values of a message of one field or none."""
    return lambda message: tuple(getattr(message, name) for name in names)


def laid_out(layout: str) -> Callable[[type[Message]], None]:
    """Return a function that gives a message class its layout, its field names and the kinds of its fields."""

    def give(cls: type[Message]) -> None:
        cls.layout = struct.Struct("<" + layout)
        cls.names = tuple(field.name for field in fields(cls))
        hints = get_type_hints(cls)
        # An attrgetter of one name returns the bare value, and one of none cannot be made; with two it is the quickest.
        cls.values_of = attrgetter(*cls.names) if len(cls.names) > 1 else _few(cls.names)
        cls.kinds = tuple(hints[name] for name in cls.names)
        cls.enumerations = tuple(
            # Looking a member up is quicker than asking its class, which is left with sets of flags and what is none.
            (place, kind, {member.value: member for member in kind})
            for place, kind in enumerate(cls.kinds)
            if issubclass(kind, Enum)
        )

    return give
