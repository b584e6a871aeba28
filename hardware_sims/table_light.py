"""The light over the simulated table: how much of each colour reaches each place, and where it falls from."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.table_scene import Light

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Power = NDArray[np.float32]

GAIN_SCALE: Final = 1.4
"""Gain that the value 255 of a light map stands for."""

_GAMMA: Final = 2.2
_SHADOWS: Final = 5
"""Directions from which light falls, chosen by the seed."""

_COLOURS: Final = {
    Light.WARM: (0.52, 0.82, 1.05),
    Light.COLD: (1.1, 0.98, 0.8),
    Light.LAMP: (0.7, 0.9, 1.0),
}
_USUAL_COLOUR: Final = (0.97, 1.0, 1.0)
_DAYLIGHT: Final = (1.1, 1.0, 0.85)
_BULB: Final = (0.55, 0.82, 1.0)


def light_map(light: Light, seed: int, width: int) -> Image:
    """Return by how much light changes the levels of each colour, `(3/4 W, W, 3)`, 255 for `GAIN_SCALE`."""
    return _light_map(light, seed % _SHADOWS, width)


@lru_cache(maxsize=48)
def _light_map(light: Light, fall: int, width: int) -> Image:
    across, down = np.linspace(-1, 1, width), np.linspace(-0.75, 0.75, width * 3 // 4)
    x, y = np.meshgrid(across.astype(np.float32), down.astype(np.float32))
    turn = 2.0 * np.pi * (fall + 0.3) / _SHADOWS
    along = np.asarray(x * np.cos(turn) + y * np.sin(turn), np.float32)
    colour = np.array(_COLOURS.get(light, _USUAL_COLOUR), np.float32)[None, None]
    if light is Light.MIXED:
        day = (1.0 / (1.0 + np.exp(-3.0 * along)))[:, :, None]
        colour = np.asarray(day * np.array(_DAYLIGHT) + (1.0 - day) * np.array(_BULB), np.float32)
    gain = np.clip(_power(light, x, y, along)[:, :, None] * colour, 0.0, None) ** (1.0 / _GAMMA)
    return np.asarray(np.clip(np.rint(gain * (255.0 / GAIN_SCALE)), 0, 255), np.uint8)


def _power(light: Light, x: Power, y: Power, along: Power) -> Power:
    """Return the strength of the light, 1.0 where white paper is just white."""
    match light:
        case Light.NEUTRAL:
            power = 0.92 + 0.06 * along
        case Light.WARM:
            power = 0.88 + 0.1 * along
        case Light.COLD:
            power = 0.85 + 0.08 * along
        case Light.DIM:
            power = 0.24 + 0.05 * along
        case Light.BRIGHT:
            power = 1.25 + 0.2 * along
        case Light.SIDE:
            # Somebody stands in the light: past a soft edge half of it is gone.
            power = (0.72 + 0.34 * along) * (1.0 - 0.5 / (1.0 + np.exp((along - 0.1 * x - 0.05) / 0.03)))
        case Light.LAMP:
            power = 0.22 + 0.95 * np.exp(-2.2 * (x * x + y * y))
        case Light.MIXED:
            power = 0.85 + 0.1 * y
    return np.asarray(power, np.float32)
