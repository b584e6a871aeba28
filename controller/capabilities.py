"""What a machine lacks, in plain sentences: what it then cannot do or see, and who does or sees it instead. Pure."""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code
from firmware_bridge.words import Capability

_WITHOUT: Final = {
    Capability.THICKNESS: "It has no thickness sensor: only the camera sees two cards that lie well over each other.",
    Capability.TRAY_COUNTERS: "Its trays count nothing: that a card fell into the right one is taken on trust.",
    Capability.PANEL: "It has no panel: nobody can be asked for anything, and a deal cannot begin.",
    Capability.SHELVES: "It has no shelves and cannot shuffle: people shuffle, and how is not on record.",
    Capability.CUT_TRAY: "It has no scale for the cut: people cut, and where is not on record.",
    Capability.TOUCH: "Its trays feel no touch: who touched cards, and who first, is on record only if it is said.",
    Capability.SEAT_BUTTONS: "Its seats have no buttons: claims and reports reach it only through --seats.",
    Capability.DIRECTOR_KEY: "It has no director's key: whoever answers the panel is taken for the director.",
    Capability.LID: "It has no lid switch: nothing stops the motor when somebody reaches in.",
    Capability.E_STOP: "It has no emergency stop: pull the plug instead, and run the same command again.",
    Capability.SUPPLY: "It does not measure its supply: a sagging adaptor shows only as a restart.",
    Capability.TEMPERATURE: "It does not measure how hot its driver is.",
    Capability.LAMP_CHECK: "It does not check its lamp: a dark window shows only in the picture.",
}
_NO_TRUMP_SPOT: Final = "It has no trump spot: people turn the trump card and name it."
_NO_STOCK: Final = "It has no stock tray: the rest of the pack stays in the hopper and is not seen."

NO_TABLE_CAMERA: Final = "No camera looks at the table: exposed faces are then reported by the seats alone."


def lacks(able: Capability, code: Code) -> tuple[str, ...]:
    """Return a sentence for everything that a deal under a code misses in this machine.

    Args:
        able: what the machine has.
        code: the code of laws.

    >>> from controller.laws import code
    >>> lacks(~Capability.SHELVES & ~Capability.STOCK_TRAY, code("bridge"))
    ('It has no shelves and cannot shuffle: people shuffle, and how is not on record.',)
    """
    pattern, pack = code.pattern, code.packs[0]
    missing = [sentence for flag, sentence in _WITHOUT.items() if flag not in able]
    if pattern.trump is not None and Capability.TRUMP_SPOT not in able:
        missing.append(_NO_TRUMP_SPOT)
    if pattern.leave_pack < pack and Capability.STOCK_TRAY not in able:
        missing.append(_NO_STOCK)
    return tuple(missing)
