"""What a camera over the table makes of a drawn piece of it: light and its colour, blur, noise, compression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.table_faces import CARD_PX

if TYPE_CHECKING:
    from vision.frame import Image

_COARSE: Final = 40 / CARD_PX
"""Scale at which a card is 40 px wide."""


def expose(image: Image, rng: np.random.Generator) -> Image:
    """Return what a camera makes of a square picture: light and its slope and colour, blur, noise, compression."""
    side = image.shape[0]
    steps = np.linspace(-0.5, 0.5, side, dtype=np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = steps[None] * np.float32(np.cos(angle)) + steps[:, None] * np.float32(np.sin(angle))
    span = (0.25, 0.6) if rng.random() < 0.2 else (0.35, 1.3)
    power = np.float32(rng.uniform(*span)) * (1 + np.float32(rng.uniform(0, 0.35)) * along)
    if rng.random() < 0.15:  # somebody stands in the light
        edge, soft, taken = (np.float32(rng.uniform(*span)) for span in ((-0.4, 0.4), (0.01, 0.1), (0.15, 0.4)))
        power = power * (1 - taken / (1 + np.exp(np.clip((along - edge) / soft, -30, 30))))
    colour = np.array([rng.uniform(0.68, 1.12), rng.uniform(0.9, 1.05), rng.uniform(0.85, 1.1)], np.float32)
    lit = image.astype(np.float32) * (power[..., None] * colour)
    if coarse := rng.random() < 0.45:  # a card is 40 px wide in the picture, and is enlarged for the network
        lit = np.asarray(cv2.resize(lit, (round(side * _COARSE),) * 2, interpolation=cv2.INTER_AREA), np.float32)
    sigma = rng.choice([rng.uniform(0.25, 0.8), rng.uniform(0.6, 1.1)])
    lit = np.asarray(cv2.GaussianBlur(np.asarray(lit, np.float32), (0, 0), float(sigma)), np.float32)
    noise = rng.standard_normal(lit.shape, np.float32) * np.float32(
        rng.choice([rng.uniform(0.3, 2), rng.uniform(1, 5)])
    )
    if rng.random() < 0.5:  # a larger picture made smaller has noise without grain
        noise = np.asarray(cv2.GaussianBlur(np.asarray(noise, np.float32), (0, 0), float(rng.uniform(0.3, 0.7))))
    seen: Image = np.clip(np.rint(lit + noise), 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        _, code = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(50, 95))])
        decoded = cv2.imdecode(code, cv2.IMREAD_COLOR)
        seen = seen if decoded is None else decoded.astype(np.uint8)
    if coarse:
        seen = np.asarray(cv2.resize(seen, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
    return seen
