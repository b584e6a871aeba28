"""What a camera does to a printed corner: perspective, blur, light, glare, colour, noise, compression.

The ranges are those of the survey of photographs this project rests on; the seeded source decides within them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.index_crop import CROP_HEIGHT, CROP_WIDTH, INDEX_HEIGHT, INDEX_WIDTH, whiten
from vision.training.printing import CARD_H, CARD_W

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A crop as a camera would give it, and how much its edges were washed out.

    Attributes:
        crop: `(CROP_HEIGHT, CROP_WIDTH, 3) uint8 BGR`, whitened.
        blur: standard deviation of all blur together, parts of the card's height.
        to_crop: 3x3 map from canvas px to crop px.
    """

    crop: Image
    blur: float
    to_crop: NDArray[np.float64]


def shoot(
    card: Image, rng: np.random.Generator, *, left: float, top: float, zoom: float = 1.0, blur: float | None = None
) -> Shot:
    """Return the crop whose top left corner stands at `(left, top)`, parts of the card, as a camera would see it.

    Args:
        card: `(CARD_H, CARD_W, 3) uint8 BGR`, filling its canvas.
        rng: the random source of everything.
        left: of the crop, parts of the card's width.
        top: of the crop, parts of the card's height.
        zoom: how much larger than an index crop the piece is that is brought to the crop's size.
        blur: standard deviation of the defocus, parts of the card's height; drawn where not given.
    """
    seen_height = float(rng.choice([110, 140, 180, 240, 350, 420])) * rng.uniform(0.9, 1.1)
    window = (left, top, INDEX_WIDTH * zoom, INDEX_HEIGHT * zoom)
    small, warp = _warp(card, rng, seen_height=seen_height, window=window)
    light = small.astype(np.float32) / 255.0
    if rng.random() < 0.1:
        light = _stain(light, rng)
    light = _fade(light, rng)
    light, spread = _blur(light, rng, seen_height=seen_height, wanted=blur)
    light = _light(light, rng)
    light = light + rng.standard_normal(light.shape, dtype=np.float32) * np.float32(rng.uniform(0.002, 0.03))
    seen: Image = np.clip(light * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, code = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(35, 95))])
        decoded = cv2.imdecode(code, cv2.IMREAD_COLOR)
        seen = seen if decoded is None else decoded.astype(np.uint8)
    method = cv2.INTER_LINEAR if seen.shape[0] < CROP_HEIGHT else cv2.INTER_AREA
    crop = cv2.resize(seen, (CROP_WIDTH, CROP_HEIGHT), interpolation=method).astype(np.uint8)
    scale = np.diag([CROP_WIDTH / seen.shape[1], CROP_HEIGHT / seen.shape[0], 1.0])
    return Shot(crop=whiten(crop), blur=spread / seen_height, to_crop=scale @ warp)


def _warp(
    card: Image, rng: np.random.Generator, *, seen_height: float, window: tuple[float, float, float, float]
) -> tuple[Image, NDArray[np.float64]]:
    """Return the seen corner, and the map from canvas px to its px; the card's corners are found a little wrong."""
    quad = np.array([[0, 0], [CARD_W, 0], [CARD_W, CARD_H], [0, CARD_H]], np.float32)
    error = float(rng.choice([0.004, 0.008, 0.014]))
    found = quad + rng.normal(0, error * CARD_H, (4, 2)).astype(np.float32)
    seen_width = seen_height * CARD_W / CARD_H
    width, height = max(int(window[2] * seen_width), 8), max(int(window[3] * seen_height), 12)
    target = np.array([[0, 0], [seen_width, 0], [seen_width, seen_height], [0, seen_height]], np.float32)
    target -= np.array([window[0] * seen_width, window[1] * seen_height], np.float32)
    warp = cv2.getPerspectiveTransform(found, target).astype(np.float64)
    twice = np.diag([2.0, 2.0, 1.0])
    table = rng.integers(0, 150, 3).tolist() if rng.random() > 0.15 else [int(rng.integers(120, 245))] * 3
    big = cv2.warpPerspective(card, twice @ warp, (width * 2, height * 2), flags=cv2.INTER_LINEAR, borderValue=table)
    return cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8), warp


def _stain(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the light with stains on the paper, as of age, of a print of old paper or of stripes of cloth."""
    height, width = light.shape[:2]
    coarse = rng.uniform(0, 1, (int(rng.integers(2, 9)), int(rng.integers(2, 7)))).astype(np.float32)
    field = np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), 0, 1)[..., None]
    tint = np.array([rng.uniform(0.4, 0.9), rng.uniform(0.55, 0.95), rng.uniform(0.7, 1.0)], np.float32)
    return light * (1 - field * (1 - tint))


def _fade(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    if rng.random() < 0.5:
        light = light ** np.float32(rng.uniform(0.7, 1.5))
    fade = rng.uniform(0, 0.25)
    light = light * np.float32(1 - fade) + np.float32(fade)
    if rng.random() < 0.06:
        light = np.repeat(light.mean(axis=2, keepdims=True), 3, axis=2)
    elif rng.random() < 0.25:
        colours = cv2.cvtColor(np.clip(light, 0, 1), cv2.COLOR_BGR2HSV)
        # A lamp of one colour turns the inks far from what they are on paper brought to white.
        turn = rng.uniform(-14, 14) if rng.random() < 0.75 else rng.uniform(-60, 60)
        colours[..., 0] = (colours[..., 0] + turn) % 360
        colours[..., 1] = colours[..., 1] * rng.uniform(0.6, 1.1)
        light = cv2.cvtColor(np.clip(colours, 0, [360, 1, 1]).astype(np.float32), cv2.COLOR_HSV2BGR).astype(np.float32)
    return light


def _blur(
    light: NDArray[np.float32], rng: np.random.Generator, *, seen_height: float, wanted: float | None
) -> tuple[NDArray[np.float32], float]:
    """Return the blurred light and the standard deviation of the blur, px of the seen card."""
    sigma = 0.0
    if wanted is not None:
        sigma = wanted * seen_height
    elif rng.random() < 0.6:
        sigma = rng.uniform(0.3, max(seen_height * 0.0075, 0.5))
    spread = sigma**2
    if sigma:
        light = cv2.GaussianBlur(light, (0, 0), sigma).astype(np.float32)
    if rng.random() < 0.35:
        length = max(int(rng.uniform(1, seen_height / 26)), 2)
        angle = rng.choice([0.0, 0.0, np.pi / 2, rng.uniform(0, np.pi)])
        kernel = np.zeros((length, length), np.float32)
        half, reach = length / 2, np.array([np.cos(angle), np.sin(angle)]) * length / 2
        begin, end = (int(half - reach[0]), int(half - reach[1])), (int(half + reach[0]), int(half + reach[1]))
        cv2.line(kernel, begin, end, (1.0,))
        light = cv2.filter2D(light, -1, kernel / max(float(kernel.sum()), 1e-6)).astype(np.float32)
        spread += length**2 / 12
    return light, float(np.sqrt(spread))


def _light(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    height, width = light.shape[:2]
    x = np.linspace(0, 1, width, dtype=np.float32)[None]
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    slope = 1 + rng.uniform(-0.25, 0.25) * (x - 0.5) + rng.uniform(-0.25, 0.25) * (y - 0.5)
    light = light * slope[..., None].astype(np.float32)
    if rng.random() < 0.2:
        centre, size = rng.uniform(-0.3, 1.3, 2), rng.uniform(0.15, 0.8, 2)
        glare = np.exp(-((x - centre[0]) ** 2) / (2 * size[0] ** 2) - (y - centre[1]) ** 2 / (2 * size[1] ** 2))
        light = light + np.float32(rng.uniform(0.1, 0.7)) * glare[..., None].astype(np.float32)
    if rng.random() < 0.15:
        light = _dirty(light, rng)
    balance = np.array([rng.uniform(0.75, 1.15), 1, rng.uniform(0.8, 1.15)], np.float32)
    return light * (balance * np.float32(rng.uniform(0.35, 1.15)))


def _dirty(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the light with specks and a scratch of wear."""
    height, width = light.shape[:2]
    light = np.ascontiguousarray(light)
    for _ in range(int(rng.integers(1, 4))):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        grey = float(rng.choice([rng.uniform(0.1, 0.4), rng.uniform(0.8, 1.0)]))
        cv2.circle(light, centre, int(rng.uniform(1, max(height * 0.03, 1.5))), (grey,) * 3, -1, cv2.LINE_AA)
    return light
