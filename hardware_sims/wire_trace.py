"""What goes over the wire in plain lines: each command that comes, each event that goes, once. Pure.

Does not model: anything; it listens. Heartbeats, questions and acknowledgements are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from firmware_bridge.codec import Decoder, Packet, event_in, request_in
from firmware_bridge.events import Event
from firmware_bridge.layout import Message
from firmware_bridge.messages import AcknowledgeEvent, Heartbeat, Hello, ReadDictionary, ReadStatus

_PASSED_OVER: Final = (AcknowledgeEvent, Heartbeat, Hello, ReadDictionary, ReadStatus)
_HIDDEN: Final = ("boot_id", "event_id", "at_us")


class WireTrace:
    """Listens to both directions of one wire."""

    def __init__(self) -> None:
        self._to_machine = Decoder()
        self._from_machine = Decoder()
        self._last_event = (0, 0)

    def heard(self, data: bytes) -> list[str]:
        """Return a line for each command in these bytes, and the ones before, of the controller."""
        return [f"> {_told(message)}" for message in self._commands(data)]

    def said(self, data: bytes) -> list[str]:
        """Return a line for each event in these bytes, and the ones before, of the machine."""
        return [f"  {_told(event)}" for event in self._events(data)]

    def _commands(self, data: bytes) -> Iterator[Message]:
        for packet in self._to_machine.feed(data):
            if isinstance(packet, Packet):
                message = request_in(packet)
                if isinstance(message, Message) and not isinstance(message, _PASSED_OVER):
                    yield message

    def _events(self, data: bytes) -> Iterator[Event]:
        """Yield the events that were not said before: each is said again until it is acknowledged."""
        for packet in self._from_machine.feed(data):
            if isinstance(packet, Packet):
                event = event_in(packet)
                if isinstance(event, Event) and (event.boot_id, event.event_id) > self._last_event_of(event.boot_id):
                    self._last_event = (event.boot_id, event.event_id)
                    yield event

    def _last_event_of(self, boot_id: int) -> tuple[int, int]:
        """Return the last event of this start of the machine; numbers begin anew with each."""
        return self._last_event if self._last_event[0] == boot_id else (boot_id, 0)


def _told(message: Message) -> str:
    """Return a message's name and what it says; bytes, as the shelves of a shuffle, are left out."""
    said = {field.name: getattr(message, field.name) for field in fields(message) if field.name not in _HIDDEN}
    words = [
        f"{name} {value.name.lower() if hasattr(value, 'name') else value}"
        for name, value in said.items()
        if not isinstance(value, bytes)
    ]
    return f"{type(message).__name__}: {', '.join(words)}" if words else type(message).__name__
