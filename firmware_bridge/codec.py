"""Bytes to packets and back: COBS frames with a CRC-32, the same in both directions.

    frame  = COBS(body + CRC-32 of body, little-endian) 00
    body   = type byte, sequence byte, payload of 0 to 64 bytes

Rules of this file: any bytes whatever give packets or `BadFrame` values, never an exception; a stream without a zero
byte cannot make the decoder grow; nothing here knows which end of the wire it serves.

The CRC is that of zlib and IEEE 802.3.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from firmware_bridge.cobs import stuff, unstuff
from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.events import EVENTS, Event
from firmware_bridge.layout import Message, MessageError
from firmware_bridge.messages import PAYLOAD_MAX, REPLY_BIT, REQUESTS, Request, Taken
from firmware_bridge.words import Status

_CRC_BYTES: Final = 4
_CRC_RESIDUE: Final = 0x2144_DF1C
"""CRC-32 of any body with its own CRC behind it (RFC 1662, appendix C.3, gives its complement as the "good" value)."""

_BODY_MIN: Final = 2 + _CRC_BYTES
_BODY_MAX: Final = 2 + PAYLOAD_MAX + _CRC_BYTES

FRAME_MAX: Final = _BODY_MAX + 2
"""Bytes of the longest frame: COBS adds one byte to a body of up to 254, the delimiter is another."""


class Packet(NamedTuple):
    """What a whole frame said. Events have sequence 0."""

    type_byte: int
    sequence: int
    payload: bytes


class Damage(Enum):
    """What is wrong with a frame."""

    TOO_LONG = "too long"
    TOO_SHORT = "too short"
    STUFFING = "no COBS"
    CHECKSUM = "wrong CRC"


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two delimiters that are no frame.

    Attributes:
        damage: what is wrong.
        length: bytes, without the delimiter.
    """

    damage: Damage
    length: int


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A packet that is no message of this protocol.

    Attributes:
        packet: what came.
        status: `UNKNOWN` for a type byte without a message, `MALFORMED` for a payload that does not fit.
        why: one clause.
    """

    packet: Packet
    status: Status
    why: str


def encode(type_byte: int, sequence: int, payload: bytes) -> bytes:
    """Return the frame, delimiter included.

    Raises:
        LocalProtocolError: the payload is too long, or a number does not fit its byte.

    >>> encode(0x10, 7, bytes([1, 0, 0, 0])).hex(" ")
    '04 10 07 01 01 01 05 4d 18 88 b8 00'
    """
    if len(payload) > PAYLOAD_MAX:
        raise LocalProtocolError(f"a payload has at most {PAYLOAD_MAX} bytes, not {len(payload)}")
    try:
        body = bytes((type_byte, sequence)) + payload
    except ValueError as error:
        raise LocalProtocolError(f"type {type_byte} or sequence {sequence} does not fit a byte") from error
    return stuff(body + zlib.crc32(body).to_bytes(_CRC_BYTES, "little")) + b"\0"


class Decoder:
    """Turns bytes, in whatever pieces they come, into packets.

    Attributes:
        bad_frames: how many damaged frames there were so far.
    """

    def __init__(self) -> None:
        self.bad_frames = 0
        self._rest = b""
        self._dropped = 0

    def feed(self, data: bytes) -> list[Packet | BadFrame]:
        """Return what the bytes up to the last delimiter in `data` said; the rest is kept for the next call."""
        *pieces, rest = data.split(b"\0")
        found: list[Packet | BadFrame] = []
        for piece in pieces:
            frame, length = self._rest + piece, self._dropped + len(self._rest) + len(piece)
            self._rest, self._dropped = b"", 0
            if length:  # two delimiters in a row say nothing: senders may flush the line with one
                item = _opened(frame) if length < FRAME_MAX else BadFrame(Damage.TOO_LONG, length)
                if isinstance(item, BadFrame):
                    self.bad_frames += 1
                found.append(item)
        kept = self._rest + rest
        self._rest = kept[: FRAME_MAX - 1]  # the delimiter is not among them
        self._dropped += len(kept) - len(self._rest)
        return found


def _opened(frame: bytes) -> Packet | BadFrame:
    """Return what a frame without its delimiter says."""
    body = unstuff(frame)
    if body is None:
        return BadFrame(Damage.STUFFING, len(frame))
    if len(body) < _BODY_MIN:
        return BadFrame(Damage.TOO_SHORT, len(frame))
    if zlib.crc32(body) != _CRC_RESIDUE:
        return BadFrame(Damage.CHECKSUM, len(frame))
    return Packet(body[0], body[1], body[2:-_CRC_BYTES])


# --- messages in packets -----------------------------------------------------------------------------------------


def encode_request(request: Request, sequence: int) -> bytes:
    """Return the frame of a request."""
    return encode(request.type_byte, sequence, request.pack())


def encode_reply(asked: Packet, reply: Message) -> bytes:
    """Return the frame of the reply to the request that came as `asked`.

    A machine that does not understand a request replies `Taken` with status `UNKNOWN` or `MALFORMED`, whatever reply
    the request would have.
    """
    return encode(asked.type_byte | REPLY_BIT, asked.sequence, reply.pack())


def encode_event(event: Event) -> bytes:
    """Return the frame of an event."""
    return encode(event.type_byte, 0, event.pack())


def request_in(packet: Packet) -> Request | NotUnderstood:
    """Return the request that `packet` holds; the machine's side."""
    cls = REQUESTS.get(packet.type_byte)
    if cls is None:
        return NotUnderstood(packet, Status.UNKNOWN, f"no request has type 0x{packet.type_byte:02x}")
    try:
        return cls.unpack(packet.payload)
    except MessageError as error:
        return NotUnderstood(packet, Status.MALFORMED, str(error))


def event_in(packet: Packet) -> Event | NotUnderstood:
    """Return the event that `packet` holds; the controller's side."""
    cls = EVENTS.get(packet.type_byte)
    if cls is None:
        return NotUnderstood(packet, Status.UNKNOWN, f"no event has type 0x{packet.type_byte:02x}")
    try:
        return cls.unpack(packet.payload)
    except MessageError as error:
        return NotUnderstood(packet, Status.MALFORMED, str(error))


def reply_in(packet: Packet, request: Request) -> Message | NotUnderstood:
    """Return the reply to `request` that `packet` holds; the controller's side.

    That is a message of `request.reply`, or a `Taken` with status `UNKNOWN` or `MALFORMED` from a machine that did not
    understand the request.
    """
    cls = request.reply
    if cls is None:
        return NotUnderstood(packet, Status.UNKNOWN, f"{type(request).__name__} has no reply")
    try:
        return cls.unpack(packet.payload)
    except MessageError as error:
        refusal = _refusal_in(packet)
        return refusal or NotUnderstood(packet, Status.MALFORMED, str(error))


def _refusal_in(packet: Packet) -> Taken | None:
    try:
        taken = Taken.unpack(packet.payload)
    except MessageError:
        return None
    return taken if taken.status in (Status.UNKNOWN, Status.MALFORMED) else None
