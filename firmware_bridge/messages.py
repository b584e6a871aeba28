"""Requests and replies of the wire, as values: what each says, its type byte and the layout of its payload.

Requests go from the controller to the machine and have type bytes 0x01 to 0x3F; the reply to a request has the same
byte with the top bit set and the same sequence number. Events, which come unasked, stand in `events`. All integers are
little-endian. A payload has at most 64 bytes. `docs/protocol.md` describes the exchange.

HELLO is fixed for ever; the machine's dictionary names the rest, so that a controller can refuse a machine whose words
it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from firmware_bridge.layout import Message, laid_out
from firmware_bridge.words import (
    Asked,
    Capability,
    FaultCode,
    MachineState,
    Motor,
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


@dataclass(frozen=True, slots=True)
class Request(Message):
    """A message from the controller to the machine."""

    type_byte: ClassVar[int]
    reply: ClassVar[type[Message] | None]
    """The class of the reply; None where there is none."""


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
        latch_id: the id of the latch that holds the machine; 0 while none does.
        count_n: cards the counter of that tray saw since the last pack was loaded; so for the others.
        supply_mv: the supply voltage, mV; 0 where the machine does not measure it.
        temperature_c: of the motor's driver, °C; 0 where the machine does not measure it.
        now_us: microseconds since the machine started.
    """

    status: Status
    state: MachineState
    fault: FaultCode
    latch_id: int
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
    count_stock: int
    asked: Asked
    supply_mv: int
    temperature_c: int
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
    """Send the card in the window to a tray. `command_id` is that of its feed.

    Where the tray is lifted or full the machine latches, answers `LATCHED`, and the card stays in the window.
    """

    command_id: int
    tray: Tray


@dataclass(frozen=True, slots=True)
class Clear(Request):
    """Write into the journal how a command ended that the machine cannot tell the end of; a shelf pass is one too."""

    command_id: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Stop(Request):
    """Finish the card in transit, the shelf pass or the cut, then latch."""


@dataclass(frozen=True, slots=True)
class StopNow(Request):
    """Stop the motor in mid-step, then latch. It is taken in every state."""


@dataclass(frozen=True, slots=True)
class Acknowledge(Request):
    """Acknowledge the latch of this id, and no later one. Nothing moves; the machine is then unhomed."""

    latch_id: int


@dataclass(frozen=True, slots=True)
class Home(Request):
    """Find the reference switches. A card standing in the window stays there; any other card in the way is a fault.

    Refused with `NOT_NOW` while the lid is open, the emergency stop pressed in, the supply low or the driver hot.
    """


@dataclass(frozen=True, slots=True)
class Ask(Request):
    """Have the panel ask the people at the table for something; `Asked.NOTHING` takes the question back.

    For `CUT` a machine with a cut tray brings the pack there first, and back before it says what the people did.
    """

    asked: Asked
    a: int
    b: int


SHELVES: Final = 8
"""Shelves of a machine that can shuffle."""

PASS_CARDS_MAX: Final = 64
"""The most cards of one shelf pass: two passes over 8 shelves realise any permutation of 8² cards."""


@dataclass(frozen=True, slots=True)
class ShelfPass(Request):
    """Lay the cards of the hopper on the shelves one by one, then the shelves, from the first on, back into the hopper.

    The lamp stays off, and nobody sees a face. A shelf keeps the order in which cards came to it: what came first is
    fed first again. `command_id` is the last one plus one; a pass is journalled as a whole.

    Attributes:
        cards: how many are to be carried; the hopper must then be empty.
        shelves: for each card in fed order its shelf, from 0, in three bits; the first card's are the lowest bits of
            the first byte. 24 bytes.
    """

    command_id: int
    cards: int
    shelves: bytes


@dataclass(frozen=True, slots=True)
class Jog(Request):
    """Move a motor by `um` µm, for service: only while no command is open. The machine is then unhomed."""

    motor: Motor
    um: int


REPLY_BIT: Final = 0x80

for _cls, _layout in (
    (Taken, "BBI"),
    (HelloReply, "BB8s8sIBIIBBBHI"),
    (DictionaryReply, f"BH{DICTIONARY_CHUNK}s"),
    (StatusReply, "BBBHIBIBBBBBBBBBHBQ"),
):
    laid_out(_layout)(_cls)

REQUESTS: Final[dict[int, type[Request]]] = {}
"""Request classes by type byte."""

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
    (0x14, Acknowledge, "H", Taken),
    (0x15, Home, "", Taken),
    (0x16, Ask, "BBB", Taken),
    (0x17, StopNow, "", Taken),
    (0x18, ShelfPass, f"IB{PASS_CARDS_MAX * 3 // 8}s", Taken),
    (0x19, Jog, "Bi", Taken),
):
    laid_out(_layout)(_request)
    _request.type_byte = _byte
    _request.reply = _reply
    REQUESTS[_byte] = _request
