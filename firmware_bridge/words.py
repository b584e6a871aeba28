"""The words of the wire: what a message can say of the machine, its trays, its faults and the people at the table.

Every machine's dictionary repeats them by name; a value is never given another meaning.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final


class Status(IntEnum):
    """How the machine took a request."""

    OK = 0
    DUPLICATE = 1
    """This command was taken before; `phase` says how far it went. Nothing moves again."""
    GAP = 2
    """The command's id is not the last one plus one."""
    BUSY = 3
    LATCHED = 4
    """A fault or a stop holds the machine until it is acknowledged."""
    UNHOMED = 5
    """The machine must be homed first."""
    UNKNOWN = 6
    """No request of this type is known."""
    MALFORMED = 7
    """The payload's length or a value in it is wrong."""
    NOT_NOW = 8
    """The request makes no sense in this state, as a route where no card stands in the window."""


class Phase(IntEnum):
    """How far the last command got, as the machine's journal has it."""

    NONE = 0
    INTENT = 1
    """Written before the motor turns. After a reset: perhaps shown."""
    SHOWN = 2
    """The card stands in the read window. After a reset: perhaps delivered."""
    ROUTED = 3
    """The card was sent to its tray. After a reset: perhaps delivered."""
    DONE = 4
    """The exit sensor and the tray's counter saw it arrive."""
    ABORT = 5
    """No card left the hopper."""
    UNKNOWN = 6
    """The machine cannot say where the card is."""


class MachineState(IntEnum):
    """What the machine is doing."""

    UNHOMED = 0
    READY = 1
    FEEDING = 2
    SHOWING = 3
    """A card stands in the window, lamp on."""
    ROUTING = 4
    LATCHED = 5
    HOMING = 6


class ResetCause(IntEnum):
    """Why the machine last started."""

    POWER_ON = 0
    EXTERNAL = 1
    BROWN_OUT = 2
    WATCHDOG = 3


class Tray(IntEnum):
    """Where a card can be delivered."""

    N = 0
    E = 1
    S = 2
    W = 3
    TRUMP = 4
    """The trump spot; the card is turned over on its way."""
    REJECT = 5


class FaultCode(IntEnum):
    """What the machine found wrong. A doubt about a card's face is not the machine's to have."""

    NONE = 0
    MISFEED = 1
    """No card left the hopper."""
    HOPPER_EMPTY = 2
    JAM_ENTRY = 3
    """A card passed the entry sensor and did not reach the window in time."""
    JAM_EXIT = 4
    """A card left the window and did not pass the exit sensor in time."""
    NOT_COUNTED = 5
    """The exit sensor saw the card leave and the tray's counter did not see it arrive."""
    SENSOR_STUCK = 6
    """A sensor says what cannot be; `detail` is the sensor's bit in `Sensor`."""
    HEARTBEAT_LOST = 7
    """The controller was silent; the card in transit was finished first."""
    STOPPED = 8
    """The controller, or the stop button, asked for a stop; the card in transit was finished first."""
    PATH_NOT_EMPTY = 9
    """A card stands in the path where none should be, as after a reset; `detail` holds the `Sensor` bits."""


class Sensor(IntFlag):
    """Optical gates and switches; a set bit means blocked or closed."""

    NONE = 0
    HOPPER = 1
    """At least one card lies in the hopper."""
    ENTRY = 2
    WINDOW = 4
    EXIT = 8
    TRAY_N = 16
    TRAY_E = 32
    TRAY_S = 64
    TRAY_W = 128
    TRAY_TRUMP = 256
    TRAY_REJECT = 512


class Capability(IntFlag):
    """What the machine has beyond hopper, window and trays."""

    NONE = 0
    THICKNESS = 1
    TRAY_COUNTERS = 2
    TRUMP_SPOT = 4
    PANEL = 8
    """Can ask the people at the table for something and report their answer."""


class Verdict(IntEnum):
    """What people and sensors together decided about a command whose end the machine does not know."""

    NOT_FED = 0
    """The card is in the hopper still, or was put back on top of it."""
    DELIVERED = 1
    TAKEN_OUT = 2
    """A person took the card out of the path."""


class Asked(IntEnum):
    """What the machine's panel asks of the people at the table."""

    NOTHING = 0
    LOAD_PACK = 1
    """Collect the cards, shuffle, lay the pack in the hopper."""
    CUT = 2
    """The pone cuts the pack."""
    MOVE_CARD = 3
    """Move the upper card of tray `a` to tray `b`."""
    CLEAR_PATH = 4
    """Take the cards out of the path and lay them aside."""
    NAME_CARD = 5
    """Name the card that lies face up in tray `a`."""
    COUNT_PACK = 6
    """Count the pack: what lies in the trays, the path and the hopper, and under the table."""


NO_CARD: Final = 0xFF
"""The answer to `NAME_CARD` where the card is none of the pack's 52."""
