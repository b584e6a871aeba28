"""Backs that the training of the finder of faces adds to those of the packs: signs in rows, emblems, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.training.printing import draw_court
from vision.training.table_canvas import Canvas, box, turned
from vision.training.table_pieces import Pen, any_colour, any_sign, dark_colour, light_colour, scaled

if TYPE_CHECKING:
    from vision.frame import Image

TEXTURE: Final = (96, 134)
"""Width and height of a card's print as it is kept, px: twice what is seen of it."""

CARD_MM: Final = (63.5, 88.9)


def small(card: Image) -> Image:
    """Return a card as its print is kept."""
    return np.asarray(cv2.resize(card, TEXTURE, interpolation=cv2.INTER_AREA), np.uint8)


def motif_back(rng: np.random.Generator) -> Image:
    """Return a back with small signs in rows on plain ground, as many as there are on no face."""
    width, height = TEXTURE
    ground = light_colour(rng) if rng.random() < 0.6 else any_colour(rng)
    ink = dark_colour(rng) if rng.random() < 0.7 else scaled(ground, rng.uniform(0.5, 0.85))
    card: Image = np.full((height, width, 3), ground, np.uint8)
    pen = Pen(canvas=Canvas(card), at=np.array([width / 2, height / 2]), angle=0.0, scale=width / CARD_MM[0])
    step, sign, turn = rng.uniform(5, 16), any_sign(rng), rng.choice([0, rng.uniform(0, 6.3)])
    brick = rng.random() < 0.5
    for row, y in enumerate(np.arange(-44, 45, step)):
        for x in np.arange(-32, 33, step) + step / 2 * brick * (row % 2):
            if rng.random() < 0.97:
                pen.sign(sign, (float(x), float(y)), step * 0.75, ink, turn=float(turn))
    return pen.canvas.image


def emblem_back(rng: np.random.Generator) -> Image:
    """Return a back with one picture or sign in its middle, with or without frames."""
    width, height = TEXTURE
    ground = any_colour(rng) if rng.random() < 0.8 else light_colour(rng)
    dark = float(np.mean(ground)) < 125
    ink = light_colour(rng) if dark else dark_colour(rng)
    card: Image = np.full((height, width, 3), ground, np.uint8)
    if rng.random() < 0.3:
        slope = np.linspace(rng.uniform(0.5, 1), 1, height)[:, None, None]
        card = (card * slope).astype(np.uint8)
    pen = Pen(canvas=Canvas(card), at=np.array([width / 2, height / 2]), angle=0.0, scale=width / CARD_MM[0])
    for inset in rng.uniform(2, 9, int(rng.integers(0, 3))):
        pen.stroke(box(63 - 2 * inset, 88 - 2 * inset)[[0, 1, 2, 3, 0]], ink, rng.uniform(0.6, 2.5))
    for _ in range(int(rng.integers(0, 3))):
        pen.disc((0.0, 0.0), rng.uniform(8, 28), any_colour(rng) if rng.random() < 0.5 else ground)
    pen.sign(any_sign(rng), (0.0, 0.0), rng.uniform(12, 50), ink)
    if rng.random() < 0.3:
        for corner in box(48, 72):
            pen.disc((float(corner[0]), float(corner[1])), rng.uniform(2, 5), ink)
    return pen.canvas.image


def lozenge_back(rng: np.random.Generator) -> Image:
    """Return a back with large lozenges where a face has its pips, mostly with lines between them, to its edge."""
    width, height = TEXTURE
    ground = dark_colour(rng) if rng.random() < 0.6 else any_colour(rng)
    ink = any_colour(rng) if float(np.mean(ground)) > 125 else light_colour(rng)
    card: Image = np.full((height, width, 3), ground, np.uint8)
    pen = Pen(canvas=Canvas(card), at=np.array([width / 2, height / 2]), angle=0.0, scale=width / CARD_MM[0])
    columns, rows = int(rng.integers(2, 5)), int(rng.integers(2, 6))
    wide, high = CARD_MM[0] / columns, CARD_MM[1] / rows
    sign, size = any_sign(rng) if rng.random() < 0.4 else None, rng.uniform(0.5, 0.95)
    line, brick = rng.uniform(0.8, 3.0) * (rng.random() < 0.7), rng.random() < 0.6
    for row in range(-1, rows + 1):
        for column in range(-1, columns + 1):
            x = (column - (columns - 1) / 2 + 0.5 * brick * (row % 2)) * wide
            y = (row - (rows - 1) / 2) * high
            around = np.array([(0, -high / 2), (wide / 2, 0), (0, high / 2), (-wide / 2, 0)])
            if line:
                pen.stroke(around[[0, 1, 2, 3, 0]] + np.array([x, y + high / 2]), ink, line)
            if sign is None:
                pen.polygon(around * size + (x, y), ink)
            else:
                pen.sign(sign, (x, y), min(wide, high) * size, ink)
    if rng.random() < 0.3:
        pen.stroke(box(62, 87)[[0, 1, 2, 3, 0]], light_colour(rng), rng.uniform(1.5, 5))
    return pen.canvas.image


def picture_back(rng: np.random.Generator) -> Image:
    """Return a back that shows a picture to its edge, or a court inside a border."""
    card: Image = np.full((448, 320, 3), light_colour(rng), np.uint8)
    coarse = rng.uniform(0, 255, (int(rng.integers(3, 14)), int(rng.integers(3, 10)), 3)).astype(np.float32)
    card[:] = np.clip(cv2.resize(coarse, (320, 448), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        draw_court(card, rng, any_sign(rng), (40, 40, 40), framed=rng.random() < 0.5)
    if rng.random() < 0.6:
        ink = any_colour(rng)
        for radius in np.arange(10, 220, rng.uniform(14, 40)):
            cv2.circle(card, (160, 224), int(radius), ink, int(rng.integers(1, 8)), cv2.LINE_AA)
    if rng.random() < 0.5:
        edge = int(rng.uniform(6, 26))
        cv2.rectangle(card, (0, 0), (319, 447), light_colour(rng), edge)
    return small(card)


def cards_back(rng: np.random.Generator, faces: list[Image]) -> Image:
    """Return a back on which some cards are pictured, in a fan, in rows or thrown down.

    Args:
        rng: decides.
        faces: of which some are pictured, as `small` keeps them.
    """
    width, height = TEXTURE
    card: Image = np.full((height, width, 3), any_colour(rng) if rng.random() < 0.7 else light_colour(rng), np.uint8)
    canvas, size = Canvas(card), rng.uniform(0.22, 0.5)
    whole = np.full((height, width), 255, np.uint8)
    count, fan = int(rng.integers(2, 8)), rng.random() < 0.5
    for number in range(count):
        angle = (number - (count - 1) / 2) * rng.uniform(0.25, 0.4) if fan else rng.uniform(0, 6.3)
        away = (
            np.array([np.sin(angle), -np.cos(angle)]) * height * 0.2 if fan else rng.uniform(-0.35, 0.35, 2) * TEXTURE
        )
        quad = turned(box(width * size, height * size), float(angle)) + np.array(TEXTURE) / 2 + away
        canvas.card(faces[int(rng.integers(len(faces)))], whole, quad, face=False)
    if rng.random() < 0.5:
        cv2.rectangle(card, (0, 0), (width - 1, height - 1), light_colour(rng), int(rng.uniform(3, 10)))
    return canvas.image
