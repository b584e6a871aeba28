"""What a press does to a blank card: ink through a mask, frames, the inks of a pack, the clutter of a court."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image
    from vision.training.pips import Mask

CARD_W: Final = 320
CARD_H: Final = 448


def draw_frame(card: Image, inset: int, ink: tuple[int, int, int], width: int) -> None:
    """Draw a frame with round corners, as much in from the card's edge on all sides."""
    radius = max(int(CARD_W * 0.05) - inset, 3)
    right, bottom = CARD_W - inset, CARD_H - inset
    for x, y, turn in (
        (inset + radius, inset + radius, 180),
        (right - radius, inset + radius, 270),
        (right - radius, bottom - radius, 0),
        (inset + radius, bottom - radius, 90),
    ):
        cv2.ellipse(card, (x, y), (radius, radius), turn, 0, 90, ink, width, cv2.LINE_AA)
    for x in (inset, right):
        cv2.line(card, (x, inset + radius), (x, bottom - radius), ink, width)
    for y in (inset, bottom):
        cv2.line(card, (inset + radius, y), (right - radius, y), ink, width)


def draw_inks(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Return the ink of each suit, BGR: two colours, or four in one pack of seven."""

    def shade(blue: float, green: float, red: float) -> tuple[int, int, int]:
        noise = rng.uniform(-25, 25, 3)
        values = [int(np.clip(value + change, 0, 235)) for value, change in zip((blue, green, red), noise, strict=True)]
        return values[0], values[1], values[2]

    black, red = shade(25, 25, 25), shade(35, 25, 200)
    if rng.random() < 0.2:  # dull inks: of old packs, of painted ones
        black, red = shade(*rng.uniform(10, 90, 3)), shade(*rng.uniform((20, 20, 140), (110, 100, 225)))
    if rng.random() < 0.22:
        colours = {
            "C": [shade(40, 130, 30), shade(200, 100, 40), black],
            "D": [shade(190, 80, 30), shade(30, 110, 225), shade(30, 190, 220), red],
            "S": [black, black, shade(190, 90, 70), shade(50, 130, 40)],
        }
        chosen = {suit: inks[int(rng.integers(len(inks)))] for suit, inks in colours.items()}
        return {**chosen, "H": red}
    return {"C": black, "D": red, "H": red, "S": black}


def stamp(
    card: Image,
    mask: Mask,
    box: tuple[float, float, float, float],
    *,
    ink: tuple[int, int, int],
    tone: NDArray[np.float32] | None = None,
) -> None:
    """Print a mask into the box `(left, top, width, height)`, px, with less ink where the tone says so."""
    left, top, width, height = box
    size = max(round(width), 2), max(round(height), 2)
    shape = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255.0
    if tone is not None:
        shape = shape * (1 - cv2.resize(tone, size, interpolation=cv2.INTER_AREA))
    x, y = max(round(left), 0), max(round(top), 0)
    patch = card[y : y + size[1], x : x + size[0]]
    cover = shape[: patch.shape[0], : patch.shape[1], None]
    patch[:] = (patch * (1 - cover) + np.array(ink, np.float32) * cover).astype(np.uint8)


def draw_court(card: Image, rng: np.random.Generator, sign: Mask, ink: tuple[int, int, int], *, framed: bool) -> None:
    """Draw a picture that has the clutter of a court card: frame, patches of colour, stripes, a large suit sign."""
    left, top = int(CARD_W * rng.uniform(0.1, 0.24)), int(CARD_H * rng.uniform(0.03, 0.12))
    if rng.random() < 0.25:  # the picture fills the card and leaves out the index alone
        left, top = int(CARD_W * rng.uniform(0.01, 0.08)), int(CARD_H * rng.uniform(0.01, 0.06))
    right, bottom = CARD_W - left, CARD_H - top
    inside = card[top:bottom, left:right]
    palette = [(30, 30, 200), (190, 90, 30), (40, 200, 230), (30, 30, 30), (60, 140, 50), (235, 235, 240)]
    for _ in range(int(rng.integers(4, 26))):
        colour = palette[int(rng.integers(len(palette)))]
        centre = (int(rng.uniform(0.05, 0.95) * inside.shape[1]), int(rng.uniform(0.0, 0.8) * inside.shape[0]))
        axes = (int(rng.uniform(6, 60)), int(rng.uniform(6, 60)))
        match int(rng.integers(4)):
            case 0:
                cv2.ellipse(inside, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
            case 1:
                cv2.ellipse(inside, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, 2, cv2.LINE_AA)
            case 2:
                corners = np.array(centre) + rng.integers(-60, 60, (int(rng.integers(3, 6)), 2))
                cv2.fillPoly(inside, [corners.astype(np.int32)], colour, cv2.LINE_AA)
            case _:
                step = int(rng.integers(4, 10))
                for shift in range(0, axes[1], step):
                    begin = (centre[0] - axes[0], centre[1] + shift)
                    cv2.line(inside, begin, (centre[0] + axes[0], begin[1]), colour, 1 + step // 4, cv2.LINE_AA)
    height = CARD_H * rng.uniform(0.08, 0.22)
    width = height * sign.shape[1] / sign.shape[0] * rng.uniform(0.85, 1.2)
    at = rng.uniform(0.11, 0.32) * CARD_W, rng.uniform(0.015, 0.14) * CARD_H
    if rng.random() < 0.85:
        stamp(card, sign, (*at, width, height), ink=ink)
    if framed:
        frame = tuple(int(value) for value in rng.integers(0, 140, 3))
        cv2.rectangle(card, (left, top), (right, bottom), frame, int(rng.integers(1, 3)))
