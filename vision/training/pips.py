"""Masks of glyphs and suit signs: text from font files and from OpenCV's own letters, pips from curves.

A mask is `(H, W) uint8`, 255 where ink is, cut tight around the ink.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Mask = NDArray[np.uint8]

_SIZE: Final = 96
_SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

OPENCV_FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)


def tight(mask: Mask) -> Mask | None:
    """Return the mask cut to its ink, or None where there is too little ink to be a glyph."""
    x, y, width, height = cv2.boundingRect(mask)
    if width < _SIZE // 16 or height < _SIZE // 4:
        return None
    return mask[y : y + height, x : x + width]


@lru_cache(maxsize=20_000)
def font_glyph(font: Path, text: str) -> Mask | None:
    """Return the mask of a text in a font file, or None where the font lacks it."""
    face = ImageFont.truetype(str(font), _SIZE)
    canvas = Pillow.new("L", (_SIZE * 2 * max(len(text), 1), _SIZE * 2))
    ImageDraw.Draw(canvas).text((_SIZE // 2, _SIZE // 3), text, font=face, fill=255)
    return tight(np.asarray(canvas, dtype=np.uint8))


@lru_cache(maxsize=4_000)
def opencv_glyph(font: int, thickness: int, text: str) -> Mask | None:
    """Return the mask of a text drawn with one of OpenCV's own fonts."""
    canvas = np.zeros((_SIZE * 2, _SIZE * 2 * len(text)), np.uint8)
    cv2.putText(canvas, text, (_SIZE // 3, int(_SIZE * 1.4)), font, 2.6, (255,), thickness, cv2.LINE_AA)
    return tight(canvas)


def bend(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return the glyph a little bent out of shape, as no font file but many a pack has it."""
    height, width = mask.shape
    grid = rng.normal(0, 1, (2, 4, 4)).astype(np.float32)
    reach = height * rng.uniform(0.0, 0.035)
    shift = [cv2.resize(axis, (width, height), interpolation=cv2.INTER_CUBIC) * reach for axis in grid]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    bent = cv2.remap(mask, x + shift[0], y + shift[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return bent.astype(np.uint8)


def draw_tone(mask: Mask, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return how much of the ink a sign lacks where, in [0, 1]: slopes, facets, gloss, a line inside the outline.

    Packs print their signs as gems, as relief or as mere outlines; the outline still says which suit it is.
    """
    height, width = mask.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    tone = np.zeros((height, width), np.float32)
    match int(rng.integers(4)):
        case 0:
            angle = rng.uniform(0, 2 * np.pi)
            along = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
            tone[:] = (along + 0.7) / 1.4 * rng.uniform(0.2, 0.6)
        case 1:
            for _ in range(int(rng.integers(2, 8))):
                corners = rng.uniform(-0.1, 1.1, (3, 2)) * (width, height)
                cv2.fillPoly(tone, [corners.astype(np.int32)], (float(rng.uniform(0.0, 0.6)),), cv2.LINE_AA)
        case 2:
            centre, axes = rng.uniform(0.2, 0.6, 2) * (width, height), rng.uniform(0.1, 0.35, 2) * (width, height)
            away = np.hypot((x - centre[0]) / axes[0], (y - centre[1]) / axes[1])
            tone[:] = np.clip(1.5 - away, 0, 1) * rng.uniform(0.3, 0.8)
        case _:
            inset, line = rng.uniform(0.04, 0.09) * height, rng.uniform(0.03, 0.07) * height
            depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
            hollow = depth > inset if rng.random() < 0.35 else (depth > inset) & (depth < inset + line)
            tone[hollow] = rng.uniform(0.5, 1.0)
    return tone


@lru_cache(maxsize=4_000)
def font_suit(font: Path, suit: str) -> Mask | None:
    """Return a font's own sign of a suit, or None where the font lacks it."""
    face = ImageFont.truetype(str(font), _SIZE)
    missing = face.getmask("\uffff")
    sign = face.getmask(_SUIT_SIGNS[suit])
    if sign.size == missing.size and bytes(sign) == bytes(missing):
        return None
    return font_glyph(font, _SUIT_SIGNS[suit])


def drawn_suit(suit: str, rng: np.random.Generator) -> Mask:
    """Return a suit sign drawn from curves whose shape the random source varies."""
    canvas = np.zeros((4 * _SIZE, 4 * _SIZE), np.uint8)
    match suit:
        case "D":
            _draw_diamond(canvas, rng)
        case "H":
            _draw_heart(canvas, rng, top=0.1, point=0.95)
        case "S":
            flipped = np.zeros_like(canvas)
            _draw_heart(flipped, rng, top=0.2, point=0.95)
            canvas[:] = flipped[::-1]
            _draw_stem(canvas, rng, top=0.45)
        case _:
            _draw_club(canvas, rng)
    mask = tight(canvas)
    if mask is None:
        raise ValueError(f"the sign of {suit!r} came out without ink")
    scale = _SIZE / mask.shape[0]
    width = max(1, round(mask.shape[1] * scale * rng.uniform(0.85, 1.12)))
    return cv2.resize(mask, (width, _SIZE), interpolation=cv2.INTER_AREA).astype(np.uint8)


def slim_suit(suit: str, rng: np.random.Generator) -> Mask:
    """Return a sign of spades or clubs whose parts are so slim that either looks like the other where it is small.

    Raises:
        ValueError: it came out without ink.
    """
    canvas = np.zeros((4 * _SIZE, 4 * _SIZE), np.uint8)
    lobe, spread = rng.uniform(0.13, 0.19), rng.uniform(0.9, 1.25)
    low = 0.95 - rng.uniform(0.28, 0.4)
    turn = np.linspace(0, 2 * np.pi, 60)
    places = [(0.5 - spread * lobe, low), (0.5 + spread * lobe, low)]
    if suit == "C":
        places.append((0.5, low - lobe * rng.uniform(1.4, 1.9)))
    else:
        tip, waist = rng.uniform(0.05, 0.15), rng.uniform(0.02, 0.1)
        half = (spread + 0.95) * lobe
        t = np.linspace(0, 1, 24)[:, None]
        start, end = np.array([0.5 - half, low - lobe * 0.2]), np.array([0.5, tip])
        control = np.array([0.5 - half * rng.uniform(0.25, 0.75), low - (low - tip) * rng.uniform(0.3, 0.5)])
        left = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
        _fill(canvas, np.concatenate([left, np.array([1, 0]) + np.array([-1, 1]) * left[::-1], [[0.5, low + waist]]]))
    for x, y in places:
        _fill(canvas, np.stack([x + lobe * np.cos(turn), y + lobe * np.sin(turn)], axis=1))
    _draw_stem(canvas, rng, top=low - 0.05)
    mask = tight(canvas)
    if mask is None:
        raise ValueError(f"the slim sign of {suit!r} came out without ink")
    width = max(1, round(mask.shape[1] * _SIZE / mask.shape[0] * rng.uniform(0.9, 1.2)))
    return cv2.resize(mask, (width, _SIZE), interpolation=cv2.INTER_AREA).astype(np.uint8)


def odd_sign(rng: np.random.Generator) -> Mask:
    """Return a sign that is none of the four suits: a gem, a shield, a bell, a star, a ring of lobes, a plain form."""
    canvas = np.zeros((4 * _SIZE, 4 * _SIZE), np.uint8)
    wide, high = rng.uniform(0.3, 0.45), rng.uniform(0.35, 0.45)
    match int(rng.integers(5)):
        case 0:
            table, girdle = wide * rng.uniform(0.45, 0.85), 0.5 - high * rng.uniform(0.3, 0.75)
            outline = [(-table, 0.5 - high), (table, 0.5 - high), (wide, girdle), (0, 0.5 + high), (-wide, girdle)]
            _fill(canvas, np.array(outline) + np.array([0.5, 0.0]))
        case 1:
            turn = np.linspace(0, np.pi, 40)
            bowl = np.stack([0.5 + wide * np.cos(turn), 0.5 + high * np.sin(turn) ** rng.uniform(0.6, 1.6)], axis=1)
            top = 0.5 - high * rng.uniform(0.3, 1.0)
            _fill(canvas, np.concatenate([bowl, [[0.5 - wide, top], [0.5 + wide, top]]]))
        case 2:
            corners = int(rng.choice([3, 5, 6]))
            turn = np.arange(2 * corners) * np.pi / corners - np.pi / 2 + rng.choice([0, np.pi / corners])
            radius = np.where(np.arange(2 * corners) % 2 == 0, 1.0, rng.uniform(0.35, 0.95))
            _fill(canvas, 0.5 + np.stack([wide * radius * np.cos(turn), high * radius * np.sin(turn)], axis=1))
        case 3:
            turn, lobes = np.linspace(0, 2 * np.pi, 120), int(rng.integers(4, 8))
            radius = 1 - rng.uniform(0.1, 0.4) * (1 + np.cos(lobes * turn)) / 2
            _fill(canvas, 0.5 + np.stack([wide * radius * np.cos(turn), high * radius * np.sin(turn)], axis=1))
        case _:
            turn, power = np.linspace(0, 2 * np.pi, 120), rng.uniform(0.35, 1.0)
            x, y = np.cos(turn), np.sin(turn)
            round_box = np.stack(
                [np.sign(x) * np.abs(x) ** power * wide, np.sign(y) * np.abs(y) ** power * high], axis=1
            )
            _fill(canvas, 0.5 + round_box)
    mask = tight(canvas)
    if mask is None:
        raise ValueError("a sign came out without ink")
    width = max(1, round(mask.shape[1] * _SIZE / mask.shape[0]))
    return cv2.resize(mask, (width, _SIZE), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _fill(canvas: Mask, points: NDArray[np.float64]) -> None:
    size = canvas.shape[0]
    cv2.fillPoly(canvas, [np.round(points * size * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)


def _draw_diamond(canvas: Mask, rng: np.random.Generator) -> None:
    half, bulge = rng.uniform(0.28, 0.44), rng.uniform(-0.2, 0.1)
    corners = np.array([[0.5, 0.04], [0.5 + half, 0.5], [0.5, 0.96], [0.5 - half, 0.5]])
    t = np.linspace(0, 1, 20)[:, None]
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        middle = (start + end) / 2
        middle += (np.array([0.5, 0.5]) - middle) * bulge * 2
        sides.append((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end)
    _fill(canvas, np.concatenate(sides))


def _draw_heart(canvas: Mask, rng: np.random.Generator, *, top: float, point: float) -> None:
    radius = rng.uniform(0.2, 0.24)
    spread, centre_y = radius * rng.uniform(0.85, 1.0), top + radius
    belly = rng.uniform(-0.03, 0.1)
    for side in (-1, 1):
        turn = np.linspace(0, 2 * np.pi, 60)
        lobe = np.stack([0.5 + side * spread + radius * np.cos(turn), centre_y + radius * np.sin(turn)], axis=1)
        _fill(canvas, lobe)
    outer = 0.5 + np.array([-1, 1]) * (spread + radius * 0.96)
    t = np.linspace(0, 1, 24)[:, None]
    tip = np.array([0.5, point])
    curves = []
    for x in outer:
        start = np.array([x, centre_y + radius * 0.25])
        control = np.array([x + (0.5 - x) * (0.3 - belly), centre_y + (point - centre_y) * 0.55])
        curves.append((1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * tip)
    _fill(canvas, np.concatenate([curves[0], curves[1][::-1], [[0.5, centre_y]]]))


def _draw_stem(canvas: Mask, rng: np.random.Generator, *, top: float) -> None:
    foot, waist, bottom = rng.uniform(0.08, 0.22), rng.uniform(0.015, 0.05), rng.uniform(0.93, 1.0)
    t = np.linspace(0, 1, 16)[:, None]
    left = np.array([0.5 - waist, top]), np.array([0.5 - waist, bottom - 0.1]), np.array([0.5 - foot, bottom])
    curve = (1 - t) ** 2 * left[0] + 2 * t * (1 - t) * left[1] + t**2 * left[2]
    _fill(canvas, np.concatenate([curve, np.array([1, 0]) + np.array([-1, 1]) * curve[::-1]]))


def _draw_club(canvas: Mask, rng: np.random.Generator) -> None:
    radius = rng.uniform(0.17, 0.235)
    top = 0.05 + radius
    low, spread = top + radius * rng.uniform(1.35, 1.75), radius * rng.uniform(0.98, 1.3)
    turn = np.linspace(0, 2 * np.pi, 60)
    for x, y in ((0.5, top), (0.5 - spread, low), (0.5 + spread, low)):
        _fill(canvas, np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1))
    heart = rng.uniform(0.04, 0.12)
    _fill(canvas, np.stack([0.5 + heart * np.cos(turn), low - 0.05 + heart * np.sin(turn)], axis=1))
    _draw_stem(canvas, rng, top=low - 0.05)
