"""The firmware's sequence of one cut: offer the pack in the cut tray, weigh the packets, take the pack back."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from firmware_bridge.events import Answered
from firmware_bridge.words import Asked, FaultCode, MachineState, Status
from hardware_sims.core import ENDED, MotionCore
from hardware_sims.cut_tray import CARD_G, NOISE_G, PACK_SPREAD
from hardware_sims.moments import Moment

WEIGHINGS: Final = 4
"""How often the whole pack is weighed before the cut, and after it; with a packet lifted there is no time for that."""

DRIFT_G: Final = 1.2
"""A whole pack that differs by more from what it was is not to be believed, g: nearly five standard deviations."""

_SURE: Final = 3.0
"""Standard deviations that the tolerance covers."""


def packets(lower_g: float, before_g: float, after_g: float) -> tuple[int, int, int]:
    """Return the cards of the upper and the lower packet, and the tolerance of both, from three weights.

    The tolerance covers three standard deviations of the weighings, what the whole pack has drifted by, and 1 % of the
    heavier packet, as much as a pack's cards may differ from calibration.

    >>> packets(18.1, 93.4, 93.7)
    (42, 10, 1)
    """
    whole_g = (before_g + after_g) / 2
    upper_g = whole_g - lower_g
    error_g = _SURE * NOISE_G * math.sqrt(1 + 1 / (2 * WEIGHINGS)) + abs(after_g - before_g)
    error_g += PACK_SPREAD * max(upper_g, lower_g)
    return _cards(upper_g), _cards(lower_g), math.floor(error_g / CARD_G + 0.5)


def _cards(grams: float) -> int:
    return min(max(round(grams / CARD_G), 0), 0xFF)


class CutSequence:
    """The cuts of one boot."""

    def __init__(self, core: MotionCore) -> None:
        self._core = core
        self._before_g = 0.0
        self._lower_g = 0.0
        self._offered = False
        self._withdrawn = False

    def offer(self) -> Status:
        """Bring the pack into the cut tray, and have the panel ask for the cut."""
        core = self._core
        if core.state is MachineState.OFFERING:
            return Status.BUSY if self._withdrawn else Status.OK
        refusal = core.refusal()
        if refusal is not None:
            return refusal
        if core.state is not MachineState.READY or core.phase not in ENDED:
            return Status.NOT_NOW
        core.state = MachineState.OFFERING
        self._offered = self._withdrawn = False
        core.mechanism.offer(core.clock.now_us())
        core.then(core.clock.now_us() + core.mechanism.geometry.cut_tray_us, self._ask)
        return Status.OK

    def _ask(self) -> None:
        core = self._core
        self._offered = True
        self._before_g = self._lower_g = self._whole_g()
        core.outside.show_on_panel(Asked.CUT, 0, 0)
        core.outside.reached(Moment.OFFER, core.clock.now_us())

    def _whole_g(self) -> float:
        now = self._core.clock.now_us()
        return sum(self._core.mechanism.cut_tray.weight_g(now) for _ in range(WEIGHINGS)) / WEIGHINGS

    def lifted(self) -> None:
        """Weigh what is left while people hold the upper packet."""
        if self._core.state is MachineState.OFFERING and self._offered:
            self._lower_g = self._core.mechanism.cut_tray.weight_g(self._core.clock.now_us())

    def completed(self) -> None:
        """Weigh the whole pack, and take it back."""
        if self._core.state is MachineState.OFFERING and self._offered:
            self._offered = False
            self._bring_back(after_g=self._whole_g())

    def withdraw(self) -> None:
        """Take the pack back, cut or not: nobody is asked any more."""
        if self._core.state is MachineState.OFFERING:
            self._offered, self._withdrawn = False, True
            self._core.call_off()
            self._bring_back(after_g=None)

    def _bring_back(self, *, after_g: float | None) -> None:
        core = self._core
        when = core.clock.now_us() + core.mechanism.geometry.cut_tray_us
        core.then(when, partial(self._back, after_g, core.clock.now_us()))

    def _back(self, after_g: float | None, at_us: int) -> None:
        core = self._core
        core.mechanism.take_back()
        core.state = MachineState.READY
        if after_g is not None:
            drift_g = after_g - self._before_g
            if abs(drift_g) > DRIFT_G:
                core.latch(FaultCode.CELL_DRIFT, round(abs(drift_g) * 10))
                return
            top, bottom, tolerance = packets(self._lower_g, self._before_g, after_g)
            core.events.post(Answered, 0, at_us, Asked.CUT, top, bottom, tolerance)
        core.latch_if_asked()
