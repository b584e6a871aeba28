"""The conversation with the machine: who asked what, what is still unanswered, what is said again and when.

Rules of this file: no port, no clock, no thread; `now_us` is an argument. A request is said again in the very same
bytes until its reply or its deadline comes, so that the machine can tell a repetition from a second request. At most
one command is under way, and at most `WINDOW` requests. When the machine has started anew, everything under way is
given up: nothing asked of one boot is ever sent to the next.
"""

from __future__ import annotations

import struct
from collections import deque
from dataclasses import dataclass
from typing import Final, NamedTuple

from firmware_bridge.codec import (
    BadFrame,
    Decoder,
    NotUnderstood,
    Packet,
    encode_request,
    event_in,
    reply_in,
)
from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.event_order import EventOrder, Gap
from firmware_bridge.events import EVENT_FIRST, Event
from firmware_bridge.layout import Message
from firmware_bridge.messages import REPLY_BIT, AcknowledgeEvent, HelloReply, Request
from firmware_bridge.words import Status

WINDOW: Final = 4
"""Requests under way at most."""

RTO_FIRST_US: Final = 50_000
"""Time after which an unanswered request is said again; three times the latency of the slowest USB bridge (16 ms)."""

RTO_MAX_US: Final = 1_000_000
"""What the time, doubled at every repetition, grows to."""

COMMAND_FIRST: Final = 0x10
"""Type byte from which on requests are commands: they change what the machine does, so one goes at a time."""

_FORMER_BOOTS: Final = 8


class Reply(NamedTuple):
    """The machine answered."""

    request: Request
    message: Message


class NoReply(NamedTuple):
    """The request is given up: its deadline passed, or the machine started anew. It may have been taken.

    Attributes:
        request: what was asked.
        waited_us: for how long.
    """

    request: Request
    waited_us: int


class Report(NamedTuple):
    """An event, in its turn."""

    event: Event


class Rebooted(NamedTuple):
    """The machine has started anew."""

    boot_id: int
    former_boot_id: int


Outcome = Reply | NoReply | Report | Rebooted | Gap | NotUnderstood


@dataclass(slots=True)
class _Pending:
    request: Request
    frame: bytes
    sequence: int
    asked_at_us: int
    deadline_us: int
    rto_us: int
    resend_at_us: int


def is_command(request: Request) -> bool:
    """Tell whether the request changes what the machine does, so that only one may be under way."""
    return request.type_byte >= COMMAND_FIRST


class Session:
    """One end of the conversation, the controller's.

    Attributes:
        boot_id: the machine's boot, once HELLO or an event has told it.
        resent: how many times a request was said again.
        strays: packets that belonged to nothing: late replies, events of a former boot, echoes.
        decoder: counts the damaged frames.
    """

    def __init__(self, *, first_sequence: int = 0, last_event: tuple[int, int] | None = None) -> None:
        """Start with nothing asked.

        Args:
            first_sequence: where the sequence numbers begin; another one than the session before had, so that a late
                reply to that is not taken for one to this.
            last_event: boot id and event id of the last event on record, None if there is none.
        """
        self.boot_id: int | None = None
        self.resent = 0
        self.strays = 0
        self.decoder = Decoder()
        self._sequence = first_sequence % 256
        self._last_event = last_event
        self._pending: list[_Pending] = []
        self._order: EventOrder | None = None
        self._former_boots: deque[int] = deque(maxlen=_FORMER_BOOTS)
        self._to_send: list[bytes] = []

    # --- asking ---------------------------------------------------------------------------------------------------

    def may_ask(self, request: Request) -> bool:
        """Tell whether there is room for the request now."""
        if len(self._pending) >= WINDOW:
            return False
        return not is_command(request) or not any(is_command(pending.request) for pending in self._pending)

    def ask(self, request: Request, *, now_us: int, deadline_us: int) -> None:
        """Ask the machine something; a `Reply` or a `NoReply` follows, at the latest at `deadline_us`.

        Raises:
            LocalProtocolError: a command is under way, or the window is full; the request has no reply
                (`AcknowledgeEvent`); a value does not fit its field.
        """
        if request.reply is None:
            raise LocalProtocolError(f"{type(request).__name__} has no reply: it is not asked, see acknowledge()")
        if not self.may_ask(request):
            under_way = ", ".join(type(pending.request).__name__ for pending in self._pending)
            raise LocalProtocolError(f"{type(request).__name__} must wait for the reply to {under_way}")
        sequence = self._new_sequence()
        frame = _frame_of(request, sequence)
        self._pending.append(
            _Pending(request, frame, sequence, now_us, deadline_us, RTO_FIRST_US, now_us + RTO_FIRST_US)
        )
        self._to_send.append(frame)

    def acknowledge(self, event: Event) -> None:
        """Tell the machine that the event is on record; if it comes again, tell it again.

        An event of a former boot needs no acknowledgement: the machine no longer has it.
        """
        if self._order is not None and event.boot_id == self._order.boot_id:
            self._order.acknowledged(event.event_id)
            self._send_acknowledgement(event)

    def data_to_send(self) -> bytes:
        """Return the bytes to send now, whole frames; they are forgotten here."""
        data = b"".join(self._to_send)
        self._to_send.clear()
        return data

    # --- hearing --------------------------------------------------------------------------------------------------

    def receive(self, data: bytes, *, now_us: int) -> list[Outcome]:
        """Return what the bytes that came mean; any bytes will do."""
        outcomes: list[Outcome] = []
        for packet in self.decoder.feed(data):
            if isinstance(packet, BadFrame):
                continue  # counted by the decoder; what it was will be said again
            if packet.type_byte >= EVENT_FIRST:
                self._take_event(packet, outcomes, now_us=now_us)
            else:
                self._take_reply(packet, outcomes, now_us=now_us)
        return outcomes

    def tick(self, now_us: int) -> list[Outcome]:
        """Do what is due: say requests again, give up those whose deadline has come, let held events go."""
        outcomes: list[Outcome] = []
        for pending in tuple(self._pending):
            if now_us >= pending.deadline_us:
                self._pending.remove(pending)
                outcomes.append(NoReply(pending.request, now_us - pending.asked_at_us))
            elif now_us >= pending.resend_at_us:
                pending.rto_us = min(2 * pending.rto_us, RTO_MAX_US)
                pending.resend_at_us = now_us + pending.rto_us
                self._to_send.append(pending.frame)
                self.resent += 1
        if self._order is not None:
            outcomes += map(_outcome, self._order.settle(now_us=now_us))
        return outcomes

    def next_wake_us(self) -> int | None:
        """Return when `tick` has something to do next; None for never."""
        wake_us = self._order.settles_at_us if self._order is not None else None
        for pending in self._pending:
            due_us = min(pending.resend_at_us, pending.deadline_us)
            if wake_us is None or due_us < wake_us:
                wake_us = due_us
        return wake_us

    # --- inside ---------------------------------------------------------------------------------------------------

    def _new_sequence(self) -> int:
        taken = {pending.sequence for pending in self._pending}
        while self._sequence in taken:
            self._sequence = (self._sequence + 1) % 256
        sequence = self._sequence
        self._sequence = (sequence + 1) % 256
        return sequence

    def _send_acknowledgement(self, event: Event) -> None:
        request = AcknowledgeEvent(boot_id=event.boot_id, event_id=event.event_id)
        self._to_send.append(encode_request(request, 0))  # no reply will name its sequence

    def _take_reply(self, packet: Packet, outcomes: list[Outcome], *, now_us: int) -> None:
        for pending in self._pending:
            if pending.sequence == packet.sequence and pending.request.type_byte | REPLY_BIT == packet.type_byte:
                break
        else:
            self.strays += 1
            return
        self._pending.remove(pending)
        message = reply_in(packet, pending.request)
        if isinstance(message, NotUnderstood):
            outcomes.append(message)
            return
        if isinstance(message, HelloReply):
            self._note_boot(message.boot_id, outcomes, now_us=now_us)
        outcomes.append(Reply(pending.request, message))

    def _take_event(self, packet: Packet, outcomes: list[Outcome], *, now_us: int) -> None:
        event = event_in(packet)
        if isinstance(event, NotUnderstood):
            outcomes.append(event)
            return
        if event.event_id < 1:
            outcomes.append(NotUnderstood(packet, Status.MALFORMED, "events are counted from 1"))
            return
        if event.boot_id in self._former_boots:
            self.strays += 1
            return
        order = self._note_boot(event.boot_id, outcomes, now_us=now_us)
        if order.on_record(event.event_id):
            self._send_acknowledgement(event)
            return
        outcomes += map(_outcome, order.take(event, now_us=now_us))

    def _note_boot(self, boot_id: int, outcomes: list[Outcome], *, now_us: int) -> EventOrder:
        if self._order is not None and self._order.boot_id == boot_id:
            return self._order
        if self.boot_id is not None:
            self._former_boots.append(self.boot_id)
            outcomes.append(Rebooted(boot_id, self.boot_id))
            outcomes += [NoReply(pending.request, now_us - pending.asked_at_us) for pending in self._pending]
            self._pending.clear()
            self._to_send.clear()
        self.boot_id = boot_id
        on_record = self._last_event[1] if self._last_event is not None and self._last_event[0] == boot_id else None
        self._order = EventOrder(boot_id, on_record=on_record)
        return self._order


def _frame_of(request: Request, sequence: int) -> bytes:
    try:
        return encode_request(request, sequence)
    except struct.error as error:
        raise LocalProtocolError(f"{request} does not fit its layout: {error}") from error


def _outcome(item: Event | Gap) -> Outcome:
    return item if isinstance(item, Gap) else Report(item)
