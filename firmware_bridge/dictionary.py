"""The machine's dictionary: the words of the protocol by name, as a compressed JSON object."""

from __future__ import annotations

import json
import zlib

from firmware_bridge.events import EVENTS
from firmware_bridge.layout import MessageError
from firmware_bridge.messages import PAYLOAD_MAX, PROTOCOL, REQUESTS
from firmware_bridge.words import (
    Asked,
    Call,
    Claim,
    FaultCode,
    MachineState,
    Motor,
    Phase,
    Report,
    ResetCause,
    SeatAct,
    Status,
    TableAct,
    Tray,
    Verdict,
    Who,
)


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
    enums = (
        Status,
        Phase,
        MachineState,
        ResetCause,
        Tray,
        FaultCode,
        Verdict,
        Who,
        Asked,
        SeatAct,
        Claim,
        TableAct,
        Call,
        Report,
        Motor,
    )
    return {
        "protocol": PROTOCOL,
        "requests": {cls.__name__: byte for byte, cls in REQUESTS.items()},
        "events": {cls.__name__: byte for byte, cls in EVENTS.items()},
        "enums": {enum.__name__: {member.name: int(member) for member in enum} for enum in enums},
        "payload_max": PAYLOAD_MAX,
    }
