"""The optics of the simulated read window: its lamp, its glass with dirt on it, and the camera's sensor.

Convention: light is linear, `float32`, 1.0 where the sensor is full; pictures are sRGB, 8 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.frame import Image

Light: TypeAlias = NDArray[np.float32]
"""Linear light, `(H, W, 3)` or `(H, W)`."""

FRAME_WIDTH: Final = 640
FRAME_HEIGHT: Final = 480

PX_PER_MM: Final = 4.0
"""Scale of the picture in the plane of the glass."""

EXPOSURE_US: Final = 2_000
"""How long the sensor gathers light for one frame."""

_FULL_WELL: Final = 6_000.0  # electrons at linear 1.0
_READ_NOISE: Final = 0.0009
_DARK_LEVEL: Final = 0.0006
_PAPER: Final = 0.80  # linear light from white paper at the brightest point of the window

_TONES: Final = 1 << 16
_TAPE_SPARE: Final = 1 << 18
_FRAME_VALUES: Final = FRAME_WIDTH * FRAME_HEIGHT * 3

# The one window of the one reference machine: it looks the same in every world.
_WINDOW_SEED: Final = 20_260
_NOISE_SEED: Final = 20_261


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Window:
    """What stays the same from frame to frame while the lamp is on.

    Attributes:
        lamp: `(480, 640, 3)`, light that white paper at the glass sends to the sensor through the dirt.
        behind: `(480, 640, 3)`, light from the machine's inside and from dust, where no card is.
    """

    lamp: Light
    behind: Light


def to_linear(picture: Image) -> Light:
    """Return sRGB levels as linear light."""
    level = np.arange(256) / 255.0
    curve = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).astype(np.float32)
    light: Light = curve[picture]
    return light


@cache
def window() -> Window:
    """Return the reference machine's window."""
    rng = np.random.default_rng(_WINDOW_SEED)
    y, x = np.mgrid[0:FRAME_HEIGHT, 0:FRAME_WIDTH].astype(np.float32)
    away = ((x - 335.0) / 400.0) ** 2 + ((y - 228.0) / 330.0) ** 2
    fall_off = 1.0 - 0.24 * away + 0.02 * np.cos(x / 70.0) * np.cos(y / 90.0)
    glass, dust = _dirt(rng)
    white_balance = np.array([0.95, 1.0, 0.975], np.float32)
    lamp = (_PAPER * fall_off * glass)[:, :, None] * white_balance
    inside = np.full((FRAME_HEIGHT, FRAME_WIDTH), 0.0095, np.float32)
    for rail in (-208, 208):
        top = FRAME_HEIGHT // 2 + rail - 9
        inside[top : top + 18] = 0.0125
        inside[top + 2 : top + 4] = 0.0160
    behind = (inside * fall_off * glass + dust)[:, :, None] * white_balance + _DARK_LEVEL
    return Window(lamp=lamp.astype(np.float32), behind=cv2.GaussianBlur(behind.astype(np.float32), (0, 0), 1.2))


def _dirt(rng: np.random.Generator) -> tuple[Light, Light]:
    """Return what the glass lets through, 0 to 1, and the light its dust scatters, both `(480, 640)`."""
    glass = np.ones((FRAME_HEIGHT, FRAME_WIDTH), np.float32)
    dust = np.zeros_like(glass)
    for _ in range(34):
        centre = (int(rng.integers(FRAME_WIDTH)), int(rng.integers(FRAME_HEIGHT)))
        axes = (int(rng.integers(1, 4)), int(rng.integers(1, 3)))
        turn = float(rng.integers(180))
        cv2.ellipse(glass, centre, axes, turn, 0, 360, float(rng.uniform(0.62, 0.92)), -1, cv2.LINE_AA)
        cv2.ellipse(dust, centre, axes, turn, 0, 360, float(rng.uniform(0.0, 0.004)), -1, cv2.LINE_AA)
    smear = np.zeros_like(glass)
    cv2.ellipse(smear, (470, 300), (95, 22), -28, 0, 360, 1.0, -1, cv2.LINE_AA)
    glass = cv2.GaussianBlur(glass, (0, 0), 0.8) * (1.0 - 0.035 * cv2.GaussianBlur(smear, (0, 0), 14.0))
    return glass, np.asarray(cv2.GaussianBlur(dust, (0, 0), 0.8), np.float32)


def expose(light: Light, seed: int) -> Image:
    """Return the picture a sensor takes of `light`, `(480, 640, 3)`, with the shot and read noise of `seed`."""
    deviation = cv2.sqrt(cv2.addWeighted(light, 1.0 / _FULL_WELL, light, 0.0, _READ_NOISE**2))
    return _picture(np.asarray(cv2.add(light, cv2.multiply(deviation, _noise(seed))), np.float32))


def expose_darkness(seed: int) -> Image:
    """Return the picture a sensor takes with the lamp off, `(480, 640, 3)`: read noise about the black level."""
    start = _tape_start(seed)
    return _dark_tape()[start : start + _FRAME_VALUES].reshape(FRAME_HEIGHT, FRAME_WIDTH, 3).copy()


def _picture(light: Light) -> Image:
    # One pass scales, rounds and holds the values within the curve.
    tone = cv2.addWeighted(light, _TONES - 1, light, 0.0, 0.0, dtype=cv2.CV_16U)
    picture: Image = np.take(_tone_curve(), np.asarray(tone, np.uint16))
    return picture


@cache
def _tone_curve() -> NDArray[np.uint8]:
    light = np.arange(_TONES) / (_TONES - 1)
    level = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.rint(255.0 * level).astype(np.uint8)


# Noise is read from one long tape, starting where the seed says: a fresh normal deviate a pixel would cost more
# than the rest of the frame.
@cache
def _tape() -> NDArray[np.float32]:
    return np.random.default_rng(_NOISE_SEED).standard_normal(_FRAME_VALUES + _TAPE_SPARE, np.float32)


@cache
def _dark_tape() -> Image:
    return _picture(_DARK_LEVEL + _READ_NOISE * _tape()).ravel()


def _tape_start(seed: int) -> int:
    # Multiples of an odd constant spread neighbouring seeds over the tape.
    return (seed * 0x9E3779B1) % _TAPE_SPARE


def _noise(seed: int) -> Light:
    start = _tape_start(seed)
    return _tape()[start : start + _FRAME_VALUES].reshape(FRAME_HEIGHT, FRAME_WIDTH, 3)
