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
    SORTING = 7
    """A shelf pass is under way: the pack goes over the shelves and back into the hopper."""
    OFFERING = 8
    """The pack lies in the cut tray, for the people to cut."""


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
    STOCK = 6
    """What is left of the pack when every hand is full."""


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
    """The controller was silent; the card in transit, the shelf pass or the cut was finished first."""
    STOPPED = 8
    """The controller asked for a stop; the card in transit, the shelf pass or the cut was finished first."""
    PATH_NOT_EMPTY = 9
    """A card stands in the path or lies in the cut tray where none should be, as after a reset.

    `detail` holds the low `Sensor` bits.
    """
    LID_OPEN = 10
    """The lid was opened: the motor stopped in mid-step."""
    E_STOP = 11
    """The emergency stop was pressed: the motor stopped in mid-step."""
    STOPPED_NOW = 12
    """The controller asked to stop at once: the motor stopped in mid-step."""
    SUPPLY_LOW = 13
    """The supply sagged; the card in transit was finished first. `detail` is the voltage, mV."""
    TOO_HOT = 14
    """The motor's driver is too hot; the card in transit was finished first. `detail` is the temperature, °C."""
    LAMP_FAILED = 15
    """The lamp of the read window draws no current: a card stands there, and this is said in place of `AtWindow`."""
    SHELF_COUNT = 16
    """A shelf pass ended with another number of cards than it was to carry; `detail` is the number it counted.

    Where the hopper was not empty after as many as it was to carry, that is one more.
    """
    SHELF_MISPLACED = 17
    """A card of a shelf pass fell into another shelf than it was sent to; `detail` is the shelf, from 0."""
    SHELF_NOT_EMPTY = 18
    """A card lies in a shelf where none should; `detail` holds a bit for each shelf, the first the lowest."""
    CELL_DRIFT = 19
    """The load cell of the cut tray does not weigh the pack as what it was; `detail` is the difference, 0.1 g."""
    TRAY_LIFTED = 20
    """The tray of a route is not in its place; `detail` is the `Tray`. The card stays in the window."""
    TRAY_FULL = 21
    """The tray of a route cannot take another card; `detail` is the `Tray`. The card stays in the window."""
    MOTOR_STALLED = 22
    """The motor's encoder does not follow the steps."""
    BOARD_ABSENT = 23
    """The board was taken out of the pockets while cards came; the card in transit was finished first."""
    UNCALIBRATED = 24
    """The calibration in the machine's memory does not match its checksum."""
    SHELF_JAM = 25
    """A card of a shelf pass did not come to its shelf in time; `detail` is the shelf it was sent to, from 0."""


class Sensor(IntFlag):
    """Optical gates and switches; a set bit means blocked, pressed or present."""

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
    TRAY_STOCK = 1 << 10
    CUT_TRAY = 1 << 11
    """At least one card lies in the cut tray."""
    LID = 1 << 12
    """The lid is open."""
    E_STOP = 1 << 13
    """The emergency stop is pressed in."""
    BOARD = 1 << 14
    """A board lies in the pockets."""
    RETURN = 1 << 15
    """The way from the shelves back to the hopper."""
    SHELF_1 = 1 << 16
    """At least one card lies in that shelf; so the others."""
    SHELF_2 = 1 << 17
    SHELF_3 = 1 << 18
    SHELF_4 = 1 << 19
    SHELF_5 = 1 << 20
    SHELF_6 = 1 << 21
    SHELF_7 = 1 << 22
    SHELF_8 = 1 << 23
    LIFTED_N = 1 << 24
    """The seat's tray is not in its place; so the others."""
    LIFTED_E = 1 << 25
    LIFTED_S = 1 << 26
    LIFTED_W = 1 << 27


class Capability(IntFlag):
    """What the machine has beyond hopper, window and trays."""

    NONE = 0
    THICKNESS = 1
    TRAY_COUNTERS = 2
    TRUMP_SPOT = 4
    PANEL = 8
    """Can ask the people at the table for something and report their answer."""
    SHELVES = 16
    """Eight shelves and a return to the hopper: the machine can shuffle."""
    CUT_TRAY = 32
    """A tray on a load cell in which the pack is offered to be cut, and the packets are weighed."""
    STOCK_TRAY = 64
    TOUCH = 128
    """The seat trays feel when somebody touches or lifts what lies in them."""
    SEAT_BUTTONS = 256
    """Every seat can say something by buttons."""
    DIRECTOR_KEY = 512
    BOARD_SWITCH = 1024
    LID = 2048
    """An interlock stops the motor when the lid is opened."""
    E_STOP = 4096
    SUPPLY = 8192
    """Measures its supply voltage."""
    TEMPERATURE = 16384
    LAMP_CHECK = 32768
    """Measures the current of the lamp."""
    JOG = 65536
    """Moves a motor by hand, for service."""


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
    """Collect the cards, shuffle, lay the pack of `a` cards in the hopper."""
    CUT = 2
    """The pone cuts the pack."""
    MOVE_CARD = 3
    """Move the upper card of tray `a` to tray `b`."""
    CLEAR_PATH = 4
    """Take the cards out of the path, the shelves and the cut tray, and lay them aside."""
    NAME_CARD = 5
    """Name the card that lies face up in tray `a`."""
    COUNT_PACK = 6
    """Count the pack: what lies in the trays, the path and the hopper, and under the table."""
    RESHUFFLE = 7
    """Shuffle the pack by hand and lay it in the hopper: the machine cannot, or its shuffle went wrong."""
    DECIDE = 8
    """The director decides what the code is silent about; `a` of the answer is a `Who`."""
    REPLACE_TRAY = 9
    """Put the tray of seat `a` back in its place."""


NO_CARD: Final = 0xFF
"""The answer to `NAME_CARD` where no card lies, or one that is neither of the 52 nor a joker."""


class SeatAct(IntEnum):
    """What somebody at a seat did or said; what `what` of the event means with it."""

    TOUCHED = 0
    """Touched the cards in the seat's tray. `what` is 0."""
    LOOKED = 1
    """Looked at a face: `what` is 0 for his own, 1 for the trump card, 2 for the pack."""
    CLAIMED = 2
    """Uses a right; `what` is a `Claim`."""
    WAIVED = 3
    """Lets a right go. `what` is 0."""
    PERMITTED = 4
    """Gives leave; `what` is a `TableAct`."""
    ASKED = 5
    """Wants to do something himself; `what` is a `TableAct`."""
    CALLED = 6
    """Answers the trump card, euchre; `what` is a `Call`."""
    REPORTED = 7
    """Reports what the machine cannot see; `what` is a `Report`."""


class Claim(IntEnum):
    """The right that a seat uses."""

    NEW_DEAL = 0
    MISDEAL = 1
    RESHUFFLE = 2
    FRESH_CUT = 3
    STOP = 4
    BAR = 5
    STAND = 6
    OTHER = 7


class TableAct(IntEnum):
    """An act of the table for which leave is asked and given."""

    SHUFFLE = 0
    CUT = 1
    DEAL = 2
    NEW_PACKS = 3


class Call(IntEnum):
    """An answer to euchre's trump card."""

    PASS = 0
    ASSIST = 1
    ORDER_UP = 2


class Report(IntEnum):
    """What a seat reports; of an exposure and a hand, `who` of the event names whose act or hand it is."""

    EXPOSED_ON = 0
    """A face was seen on the table."""
    EXPOSED_ABOVE = 1
    EXPOSED_BELOW = 2
    CUT_EXPOSED = 3
    CUT_CONFUSED = 4
    OUT_OF_TURN = 5
    WRONG_PACK = 6
    CUT_OMITTED = 7
    SHORT_HAND = 8
    LONG_HAND = 9
    BAD_PACK = 10


class Who(IntEnum):
    """Whose act or hand a report is about."""

    N = 0
    E = 1
    S = 2
    W = 3
    MACHINE = 4
    NOBODY_KNOWN = 5


class Motor(IntEnum):
    """What service can move by hand."""

    PICK = 0
    TRANSPORT = 1
    TURRET = 2
    SHELVES = 3
    CUT_TRAY = 4
