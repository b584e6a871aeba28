"""Backs of procedural packs, and the textures of tables and machines: what must never be read as an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.training.printing import CARD_H, CARD_W

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image


def _colour(rng: np.random.Generator) -> NDArray[np.float32]:
    hues = [(40, 30, 190), (160, 60, 20), (40, 40, 40), (60, 120, 30), (120, 40, 110), (30, 110, 200), (150, 120, 40)]
    base = np.array(hues[int(rng.integers(len(hues)))], np.float32)
    colour: NDArray[np.float32] = np.clip(base + rng.uniform(-35, 45, 3), 0, 255).astype(np.float32)
    return colour


def _wave(phase: NDArray[np.float32], *, duty: float) -> NDArray[np.float32]:
    """Return bars of ink in [0, 1] along a phase that counts periods, with soft edges."""
    distance = np.abs((phase % 1.0) - 0.5)
    bars: NDArray[np.float32] = np.clip((duty / 2 - distance) * 12 + 0.5, 0, 1).astype(np.float32)
    return bars


def _soft(height: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cover of ink of a height field: none below -0.5, full above 0.5."""
    cover: NDArray[np.float32] = np.clip(height + np.float32(0.5), 0, 1).astype(np.float32)
    return cover


def _pattern(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a pattern's cover of ink, `(CARD_H, CARD_W) float32` in [0, 1]."""
    y, x = np.mgrid[0:CARD_H, 0:CARD_W].astype(np.float32)
    period, duty = rng.uniform(5, 60), rng.uniform(0.25, 0.75)
    angle = rng.choice([0, 90, 45, rng.uniform(0, 180)]) * np.pi / 180
    u = (x * np.cos(angle) + y * np.sin(angle)) / period
    v = (-x * np.sin(angle) + y * np.cos(angle)) / (period * rng.choice([1, 1, rng.uniform(0.5, 2)]))
    match int(rng.integers(8)):
        case 0:
            return _wave(u, duty=duty)
        case 1:
            return _soft(np.maximum(_wave(u, duty=duty / 2), _wave(v, duty=duty / 2)) - np.float32(0.5))
        case 2:
            return _soft(np.abs(_wave(u, duty=0.5) - _wave(v, duty=0.5)) - np.float32(0.5))
        case 3:
            radius = np.hypot((u % 1) - 0.5, (v % 1) - 0.5)
            return _soft((duty * 0.5 - radius) * period)
        case 4:
            radius = np.hypot((u % 1) - 0.5, (v % 1) - 0.5)
            return _wave((radius * rng.uniform(2, 4)).astype(np.float32), duty=duty)
        case 5:
            return _wave((u + 0.4 * np.sin(v * 2 * np.pi)).astype(np.float32), duty=duty)
        case 6:
            motif = rng.random((int(rng.integers(5, 14)),) * 2).astype(np.float32)
            motif = np.maximum(motif, motif[:, ::-1])
            tile = cv2.resize(motif, (max(int(period), 12),) * 2, interpolation=cv2.INTER_CUBIC)
            repeats = (CARD_H // tile.shape[0] + 1, CARD_W // tile.shape[1] + 1)
            cover: NDArray[np.float32] = np.tile(tile, repeats)[:CARD_H, :CARD_W].astype(np.float32)
            return _soft((cover - 0.5) * 6)
        case _:
            return np.full((CARD_H, CARD_W), 1.0 if rng.random() < 0.7 else 0.0, np.float32)


def draw_back(rng: np.random.Generator) -> Image:
    """Return the back of a card: a pattern in one or two colours, often with a white border or an ornament."""
    paper = np.array([rng.uniform(215, 256), rng.uniform(225, 256), rng.uniform(235, 256)], np.float32)
    ink = _colour(rng)
    ground = paper if rng.random() < 0.6 else _colour(rng)
    cover = _pattern(rng)
    if float(cover.max()) == 0.0:
        ground = ink
    if rng.random() < 0.3:
        cover = np.maximum(cover, _pattern(rng) * rng.uniform(0.4, 1))
    card = ground * (1 - cover[..., None]) + ink * cover[..., None]
    if rng.random() < 0.25:
        second = _pattern(rng)[..., None] * rng.uniform(0.5, 1)
        card = card * (1 - second) + _colour(rng) * second
    result: Image = card.astype(np.uint8)
    _draw_border(result, rng, paper, ink)
    if rng.random() < 0.7:
        result[CARD_H // 2 :] = np.ascontiguousarray(result[::-1, ::-1])[CARD_H // 2 :]
    return result


def _draw_border(card: Image, rng: np.random.Generator, paper: NDArray[np.float32], ink: NDArray[np.float32]) -> None:
    if rng.random() < 0.65:
        width = int(CARD_W * rng.uniform(0.02, 0.1))
        inner = card[width:-width, width:-width].copy()
        card[:] = paper.astype(np.uint8)
        card[width:-width, width:-width] = inner
        if rng.random() < 0.5:
            colour = tuple(int(value) for value in ink)
            cv2.rectangle(card, (width, width), (CARD_W - width, CARD_H - width), colour, int(rng.integers(1, 7)))
    if rng.random() < 0.3:
        radius = int(CARD_W * rng.uniform(0.08, 0.3))
        centre = (CARD_W // 2, CARD_H // 2) if rng.random() < 0.5 else (int(CARD_W * 0.18), int(CARD_H * 0.13))
        cv2.circle(card, centre, radius, tuple(int(value) for value in _colour(rng)), int(rng.choice([-1, 3, 8])))


def draw_texture(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a piece of something that is no card: cloth, wood, a plain wall, noise, a slope of light."""
    base = rng.uniform(5, 240, 3).astype(np.float32)
    size = int(rng.integers(2, 20))
    noise = rng.normal(0, rng.uniform(2, 40), (max(height // size, 2), max(width // size, 2), 1)).astype(np.float32)
    if rng.random() < 0.3:
        noise[:] = noise[:, :1]
    smooth = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC).reshape(height, width, 1)
    slope = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None] * rng.uniform(-60, 60)
    fine = rng.normal(0, rng.uniform(0, 10), (height, width, 3)).astype(np.float32)
    texture: Image = np.clip(base + smooth + slope + fine, 0, 255).astype(np.uint8)
    return texture
