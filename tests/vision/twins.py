"""Card pictures that differ by one small sign, with glare where it is asked for."""

from __future__ import annotations

import cv2
import numpy as np

from vision.deck import PICTURE_HEIGHT, PICTURE_WIDTH


def card(sign: str, *, seed: int = 1, glare: tuple[int, int] | None = None) -> np.ndarray:
    """A red card with a fine pattern all over, a large figure, and one small sign; noise by the seed."""
    picture = np.full((PICTURE_HEIGHT, PICTURE_WIDTH, 3), (40, 30, 150), np.uint8)
    cv2.rectangle(picture, (0, 0), (PICTURE_WIDTH - 1, PICTURE_HEIGHT - 1), (235, 235, 235), 5)
    spots = np.random.default_rng(0)
    for x, y in spots.integers((12, 12), (PICTURE_WIDTH - 12, PICTURE_HEIGHT - 12), (60, 2)).tolist():
        cv2.circle(picture, (x, y), 1, (200, 200, 200), -1)
    cv2.ellipse(picture, (45, 85), (18, 30), 20, 0, 360, (225, 225, 225), -1)
    match sign:
        case "disc":
            cv2.circle(picture, (70, 34), 8, (230, 230, 230), -1)
        case "bar":
            cv2.rectangle(picture, (60, 32), (80, 36), (230, 230, 230), -1)
    light = np.random.default_rng(seed).normal(0, 4, picture.shape)
    if glare is not None:
        rows, columns = np.mgrid[:PICTURE_HEIGHT, :PICTURE_WIDTH]
        light += 110 * np.exp(-((columns - glare[0]) ** 2 + (rows - glare[1]) ** 2) / 160)[..., None]
    shown = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(float) + light
    return np.clip(shown, 0, 255).astype(np.uint8)
