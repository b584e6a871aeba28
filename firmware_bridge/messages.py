"""Every message of the wire, as a value: what it says, its type byte and the layout of its payload.

Requests go from the controller to the machine and have type bytes 0x01 to 0x3F; the reply to a request has the same
byte with the top bit set and the same sequence number; events come from the machine unasked, from 0xC0 on. All
integers are little-endian. A payload has at most 64 bytes. `docs/protocol.md` describes the exchange.

HELLO is fixed for ever; the machine's dictionary (a JSON object, zlib-compressed) names the rest, so that a controller
can refuse a machine whose words it does not know.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import ClassVar, Final

from firmware_bridge.layout import Message, MessageError, laid_out
from firmware_bridge.words import (
    Asked,
    Capability,
    FaultCode,
    MachineState,
    Phase,
    ResetCause,
    Sensor,
    Status,
    Tray,
    Verdict,
)

PROTOCOL: Final = 1
"""The version of this protocol; HELLO carries the machine's."""

PAYLOAD_MAX: Final = 64
"""Bytes."""

BAUD: Final = 250_000
"""Bits a second; exact on a 16 MHz AVR, where 115200 is 2.1 % off."""

EVENT_RESEND_US: Final = 60_000
"""How long the machine waits for an acknowledgement before it says an event again."""


@dataclass(frozen=True, slots=True)
class Request(Message):
    """A message from the controller to the machine."""

    type_byte: ClassVar[int]
    reply: ClassVar[type[Message] | None]
    """The class of the reply; None where there is none."""


@dataclass(frozen=True, slots=True)
class Event(Message):
    """A message from the machine that nobody asked for, said again until it is acknowledged.

    Attributes:
        boot_id: drawn anew at every start of the machine.
        event_id: counts the events of this boot, from 1.
        command_id: the command the event belongs to; 0 for none.
        at_us: when it happened, microseconds since the machine started.
    """

    type_byte: ClassVar[int]

    boot_id: int
    event_id: int
    command_id: int
    at_us: int


_EVENT_LAYOUT: Final = "IIIQ"


# --- replies -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken(Message):
    """The reply to a command: how it was taken, and the journal's last id and phase."""

    status: Status
    phase: Phase
    last_id: int


@dataclass(frozen=True, slots=True)
class HelloReply(Message):
    """Who the machine is. Fixed for ever.

    Attributes:
        build: the first 8 bytes of the SHA-256 of the firmware.
        serial: the machine's serial number, ASCII, padded with zero bytes.
        dictionary_crc: CRC-32 of the compressed dictionary, its name in any cache.
    """

    status: Status
    protocol: int
    build: bytes
    serial: bytes
    boot_id: int
    reset_cause: ResetCause
    capabilities: Capability
    last_id: int
    phase: Phase
    state: MachineState
    fault: FaultCode
    dictionary_length: int
    dictionary_crc: int

    @property
    def serial_number(self) -> str:
        """The machine's serial number as text."""
        return self.serial.rstrip(b"\0").decode("ascii", "replace")


DICTIONARY_CHUNK: Final = 60
"""Bytes of the compressed dictionary in one reply; the last is padded with zero bytes."""


@dataclass(frozen=True, slots=True)
class DictionaryReply(Message):
    """A piece of the compressed dictionary."""

    status: Status
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class StatusReply(Message):
    """What the machine's sensors, counters and journal say now.

    Attributes:
        lamp: 1 while the lamp of the read window is on.
        count_n: cards the counter of that tray saw since the last pack was loaded; so for the others.
        now_us: microseconds since the machine started.
    """

    status: Status
    state: MachineState
    fault: FaultCode
    sensors: Sensor
    lamp: int
    last_id: int
    phase: Phase
    count_n: int
    count_e: int
    count_s: int
    count_w: int
    count_trump: int
    count_reject: int
    asked: Asked
    now_us: int


# --- requests ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello(Request):
    """Ask who the machine is."""


@dataclass(frozen=True, slots=True)
class ReadDictionary(Request):
    """Ask for the compressed dictionary from `offset` on."""

    offset: int


@dataclass(frozen=True, slots=True)
class ReadStatus(Request):
    """Ask what the sensors, counters and journal say."""


@dataclass(frozen=True, slots=True)
class Heartbeat(Request):
    """Say that the controller is there; silence longer than `timeout_ms` latches the machine. 0 switches this off."""

    timeout_ms: int


@dataclass(frozen=True, slots=True)
class AcknowledgeEvent(Request):
    """Tell the machine that the event is on record. It gets no reply: if it is lost, the event is said again."""

    boot_id: int
    event_id: int


@dataclass(frozen=True, slots=True)
class Feed(Request):
    """Bring one card from the hopper into the read window. `command_id` is the last one plus one."""

    command_id: int


@dataclass(frozen=True, slots=True)
class Route(Request):
    """Send the card in the window to a tray. `command_id` is that of its feed."""

    command_id: int
    tray: Tray


@dataclass(frozen=True, slots=True)
class Clear(Request):
    """Write into the journal how a command ended that the machine cannot tell the end of."""

    command_id: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Stop(Request):
    """Finish the card in transit, then latch."""


@dataclass(frozen=True, slots=True)
class Acknowledge(Request):
    """Acknowledge the latched fault. Nothing moves; the machine is then unhomed."""

    fault: FaultCode


@dataclass(frozen=True, slots=True)
class Home(Request):
    """Find the reference switches. A card standing in the window stays there; any other card in the path is a fault."""


@dataclass(frozen=True, slots=True)
class Ask(Request):
    """Have the panel ask the people at the table for something; `Asked.NOTHING` takes the question back."""

    asked: Asked
    a: int
    b: int


# --- events ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Booted(Event):
    """The machine has started."""

    reset_cause: ResetCause
    phase: Phase


@dataclass(frozen=True, slots=True)
class AtWindow(Event):
    """A card stands in the read window and the lamp is on.

    Attributes:
        thickness_um: the greatest thickness the sensor felt, µm; one card is about 300.
        length_um: how much card passed the entry sensor, µm along the path; one card is about 63,500.
    """

    thickness_um: int
    length_um: int


@dataclass(frozen=True, slots=True)
class Delivered(Event):
    """The card passed the exit sensor and the counter of the tray.

    Attributes:
        count: what the tray's counter stands at.
    """

    tray: Tray
    count: int


@dataclass(frozen=True, slots=True)
class Faulted(Event):
    """Something is wrong.

    Attributes:
        detail: what `FaultCode` says of it; else 0.
        phase: how far the command got.
    """

    code: FaultCode
    detail: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """The people at the table did what the panel asked.

    For `LOAD_PACK` nothing is told (0, 0, 0); for `CUT` the cards of the upper and the lower packet and the tolerance
    of both; for `MOVE_CARD` the trays it went from and to and the cards moved; for `CLEAR_PATH`, in `c`, the cards that
    were taken out; for `NAME_CARD`, in `a`, the card: 13 times the suit (clubs, diamonds, hearts, spades) plus rank,
    the ace being 0, or `NO_CARD`; for `COUNT_PACK`, in `a`, the cards counted.
    """

    asked: Asked
    a: int
    b: int
    c: int


@dataclass(frozen=True, slots=True)
class Homed(Event):
    """The reference switches were found."""


REPLY_BIT: Final = 0x80
EVENT_FIRST: Final = 0xC0

for _cls, _layout in (
    (Taken, "BBI"),
    (HelloReply, "BB8s8sIBIIBBBHI"),
    (DictionaryReply, f"BH{DICTIONARY_CHUNK}s"),
    (StatusReply, "BBBHBIBBBBBBBBQ"),
):
    laid_out(_layout)(_cls)

REQUESTS: Final[dict[int, type[Request]]] = {}
"""Request classes by type byte."""

EVENTS: Final[dict[int, type[Event]]] = {}
"""Event classes by type byte."""

for _byte, _request, _layout, _reply in (
    (0x01, Hello, "", HelloReply),
    (0x02, ReadDictionary, "H", DictionaryReply),
    (0x03, ReadStatus, "", StatusReply),
    (0x04, Heartbeat, "H", Taken),
    (0x05, AcknowledgeEvent, "II", None),
    (0x10, Feed, "I", Taken),
    (0x11, Route, "IB", Taken),
    (0x12, Clear, "IB", Taken),
    (0x13, Stop, "", Taken),
    (0x14, Acknowledge, "B", Taken),
    (0x15, Home, "", Taken),
    (0x16, Ask, "BBB", Taken),
):
    laid_out(_layout)(_request)
    _request.type_byte = _byte
    _request.reply = _reply
    REQUESTS[_byte] = _request

for _byte, _event, _layout in (
    (0xC0, Booted, "BB"),
    (0xC1, AtWindow, "HI"),
    (0xC2, Delivered, "BB"),
    (0xC3, Faulted, "BHB"),
    (0xC4, Answered, "BBBB"),
    (0xC5, Homed, ""),
):
    laid_out(_EVENT_LAYOUT + _layout)(_event)
    _event.type_byte = _byte
    EVENTS[_byte] = _event


def pack_dictionary(words: dict[str, object]) -> bytes:
    """Return the compressed dictionary of a machine: ids, enumerations, constants and limits by name."""
    return zlib.compress(json.dumps(words, sort_keys=True, separators=(",", ":")).encode(), 9)


def unpack_dictionary(data: bytes) -> dict[str, object]:
    """Return the dictionary that `data` holds; padding behind it is passed over.

    Raises:
        MessageError: `data` is no compressed JSON object.
    """
    try:
        words = json.loads(zlib.decompressobj().decompress(data))
    except (zlib.error, ValueError) as error:
        raise MessageError("dictionary", data, str(error)) from error
    if not isinstance(words, dict):
        raise MessageError("dictionary", data, "no JSON object")
    return words


def words_of_protocol() -> dict[str, object]:
    """Return what every dictionary of this protocol version says: the type bytes and the enumerations."""
    enums = (Status, Phase, MachineState, ResetCause, Tray, FaultCode, Verdict, Asked)
    return {
        "protocol": PROTOCOL,
        "requests": {cls.__name__: byte for byte, cls in REQUESTS.items()},
        "events": {cls.__name__: byte for byte, cls in EVENTS.items()},
        "enums": {enum.__name__: {member.name: int(member) for member in enum} for enum in enums},
        "payload_max": PAYLOAD_MAX,
    }
