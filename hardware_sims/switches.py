"""Switches and gauges around the machine: lid, emergency stop, board, trays in place, supply, temperature, lamp."""

from __future__ import annotations

from typing import Final

from firmware_bridge.words import Capability, Sensor, Tray
from hardware_sims.faults import SUPPLY_MV

SEATS: Final = (Tray.N, Tray.E, Tray.S, Tray.W)

LIFTED: Final = {tray: Sensor[f"LIFTED_{tray.name}"] for tray in SEATS}
"""The switch under each seat's tray."""

WARM_C: Final = 35
"""The motor's driver in use, °C."""

_SENSED_BY: Final = (
    (Capability.LID, Sensor.LID),
    (Capability.E_STOP, Sensor.E_STOP),
    (Capability.BOARD_SWITCH, Sensor.BOARD),
    (Capability.TOUCH, Sensor(sum(LIFTED.values()))),
    (Capability.CUT_TRAY, Sensor.CUT_TRAY),
    (Capability.SHELVES, Sensor(Sensor.RETURN | sum(Sensor[f"SHELF_{number}"] for number in range(1, 9)))),
    (Capability.STOCK_TRAY, Sensor.TRAY_STOCK),
    (Capability.TRUMP_SPOT, Sensor.TRAY_TRUMP),
)


def sensed(capabilities: Capability) -> Sensor:
    """Return the sensors that a machine with these capabilities has."""
    lacking = sum(int(sensors) for capability, sensors in _SENSED_BY if not capability & capabilities)
    return Sensor(sum(Sensor) & ~lacking)


class Switches:
    """What is really so; the firmware knows of it what it can sense.

    Attributes:
        pressed: the bits of `Sensor` of what is closed: lid open, stop pressed, board present, trays lifted.
        supply_mv: the supply voltage, mV.
        driver_c: temperature of the motor's driver, °C.
        lamp_works: whether the lamp of the window lights when it is switched on.
        calibrated: whether the calibration in the machine's memory matches its checksum.
    """

    def __init__(self) -> None:
        self.pressed = 0
        self.supply_mv = SUPPLY_MV
        self.driver_c = WARM_C
        self.lamp_works = True
        self.calibrated = True

    def close(self, switch: Sensor) -> None:
        """Close a switch."""
        self.pressed |= int(switch)

    def release(self, switch: Sensor) -> None:
        """Open a switch."""
        self.pressed &= ~int(switch)
