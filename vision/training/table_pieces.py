"""What lies on tables beside cards, drawn for training: hands and sleeves, sheets, boxes, coasters, cups, phones.

Lengths are mm; a `Pen` knows where on the canvas a piece lies and how large a mm is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from vision.cards import SUITS
from vision.training import pips
from vision.training.table_canvas import box, turned

if TYPE_CHECKING:
    from vision.training.pips import Mask
    from vision.training.table_canvas import Canvas, Colour, Points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pen:
    """Draws in mm around a point of a canvas, turned by an angle in radians."""

    canvas: Canvas
    at: Points
    angle: float
    scale: float

    def to_px(self, shape: Any) -> Points:
        """Return a shape in px of the canvas."""
        return turned(np.asarray(shape, np.float64) * self.scale, self.angle) + self.at

    def polygon(self, shape: Any, colour: Colour) -> None:
        """Fill a polygon."""
        self.canvas.polygon(self.to_px(shape), colour)

    def stroke(self, shape: Any, colour: Colour, width: float) -> None:
        """Draw a line."""
        self.canvas.stroke(self.to_px(shape), colour, width * self.scale)

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour) -> None:
        """Fill a circle."""
        self.canvas.disc(self.to_px([centre])[0], (radius * self.scale,) * 2, 0.0, colour)

    def sign(self, mask: Mask, centre: tuple[float, float], height: float, colour: Colour, *, turn: float = 0) -> None:
        """Print a mask."""
        quad = turned(box(height * mask.shape[1] / mask.shape[0], height), turn) + np.array(centre)
        self.canvas.mark(mask, self.to_px(quad), colour)


def any_colour(rng: np.random.Generator, low: float = 10, high: float = 245) -> Colour:
    """Return a colour of chance."""
    blue, green, red = rng.uniform(low, high, 3)
    return float(blue), float(green), float(red)


def light_colour(rng: np.random.Generator) -> Colour:
    """Return a colour of paper, china or cloth: white, or nearly."""
    base, tint = rng.uniform(205, 255), rng.uniform(0, 40, 3) * (rng.random() < 0.4)
    return float(base - tint[0]), float(base - tint[1] / 2), float(base - tint[2] / 3)


def dark_colour(rng: np.random.Generator) -> Colour:
    """Return a colour of ink."""
    inks = [(35, 32, 35), (40, 34, 185), (140, 70, 30), (50, 110, 40), (90, 85, 85)]
    ink = np.array(inks[int(rng.integers(len(inks)))]) + rng.uniform(-25, 25, 3)
    return float(max(ink[0], 0)), float(max(ink[1], 0)), float(max(ink[2], 0))


def scaled(colour: Colour, part: float) -> Colour:
    """Return a colour in other light."""
    blue, green, red = (min(value * part, 255.0) for value in colour)
    return blue, green, red


def any_sign(rng: np.random.Generator) -> Mask:
    """Return the mask of a suit sign, another sign or a letter."""
    kind = rng.random()
    if kind < 0.55:
        return pips.drawn_suit(str(rng.choice(list(SUITS))), rng)
    if kind < 0.75:
        return pips.odd_sign(rng)
    text = str(rng.choice(list("ABCDEFGHKLMNPRSTUVWXYZ0123456789&?")))
    glyph = pips.opencv_glyph(int(rng.choice(pips.OPENCV_FONTS)), int(rng.integers(4, 14)), text)
    return glyph if glyph is not None else pips.odd_sign(rng)


_SKINS: Final = np.array(
    [(185, 208, 240), (150, 180, 225), (120, 155, 205), (90, 125, 175), (62, 88, 135), (42, 56, 88)]
)


def draw_hand(pen: Pen, rng: np.random.Generator) -> None:
    """Draw a hand and its arm; the fingers point to +x and the longest ends near the origin."""
    tone = np.clip(_SKINS[int(rng.integers(len(_SKINS)))] * rng.uniform(0.9, 1.1) + rng.uniform(-8, 8, 3), 0, 255)
    skin: Colour = (float(tone[0]), float(tone[1]), float(tone[2]))
    rim = scaled(skin, rng.uniform(0.6, 0.85))
    wide = rng.uniform(34, 46)
    wrist = rng.uniform(-185, -150)
    arm = [(wrist + 30, -wide * 0.75), (wrist + 30, wide * 0.75), (-700, wide * 1.3), (-700, -wide * 1.3)]
    palm = np.array([(-72, -0.9), (-66, -0.2), (-70, 0.5), (-84, 0.95), (-125, 1.0), (wrist, 0.75), (wrist, -0.7),
                     (-140, -0.95), (-100, -1.05)]) * (1.0, wide)  # fmt: skip
    outline = np.concatenate([palm, np.array(arm[2:])])
    hull = cv2.convexHull(pen.to_px(outline).astype(np.float32))[:, 0].astype(np.float64)
    pen.canvas.shadow(
        hull + pen.scale * rng.uniform(-6, 6, 2), soft=pen.scale * rng.uniform(4, 14), depth=rng.uniform(0.2, 0.5)
    )
    pen.polygon(arm, skin)
    pen.polygon(palm, skin)
    _draw_fingers(pen, rng, wide, skin, rim)
    _draw_sleeve(pen, rng, wrist - rng.uniform(-15, 60), wide)


def _draw_fingers(pen: Pen, rng: np.random.Generator, wide: float, skin: Colour, rim: Colour) -> None:
    spread, bent = rng.uniform(0.6, 1.9), rng.uniform(0, 1) ** 1.5
    nails = _nail_colour(rng, skin)
    shown = rng.random() < 0.75
    for place, full in zip((-0.75, -0.25, 0.25, 0.72), (70, 80, 74, 56), strict=True):
        length = full * (1 - bent * rng.uniform(0.4, 0.9))
        if rng.random() < 0.08:
            length *= 0.3
        base = np.array([-82 - 8 * abs(place), place * wide * 0.9])
        tip = base + length * np.array([1.0, place * (spread - 0.9) * 0.8 + rng.uniform(-0.06, 0.06)])
        _finger(pen, np.array([base, tip]), rng.uniform(15, 19), (skin, rim, nails), nail=shown)
    knee = np.array([rng.uniform(-105, -80), -wide * rng.uniform(1.0, 1.7)])
    end = knee + rng.uniform((5, -20), (55, 25))
    _finger(pen, np.array([(-130, -wide * 0.8), knee, end]), rng.uniform(18, 22), (skin, rim, nails), nail=shown)
    if rng.random() < 0.3:
        at = (float(rng.uniform(-70, -45)), float(rng.uniform(-0.3, 0.3)) * wide)
        pen.stroke([(at[0], at[1] - 8), (at[0], at[1] + 8)], any_colour(rng, 60), rng.uniform(2, 4))
        pen.disc(at, rng.uniform(2, 5), light_colour(rng))


def _nail_colour(rng: np.random.Generator, skin: Colour) -> Colour:
    kind = rng.random()
    if kind < 0.35:  # red varnish is as large and as red as a pip
        return float(rng.uniform(10, 70)), float(rng.uniform(5, 50)), float(rng.uniform(140, 235))
    return dark_colour(rng) if kind < 0.5 else scaled(skin, 1.12)


def _finger(pen: Pen, path: Points, width: float, colours: tuple[Colour, Colour, Colour], *, nail: bool) -> None:
    skin, rim, varnish = colours
    pen.stroke(path, rim, width + 2)
    pen.stroke(path, skin, width - 0.5)
    if nail:
        along = path[-1] - path[-2]
        turn = float(np.arctan2(along[1], along[0])) + pen.angle
        pen.canvas.disc(pen.to_px([path[-1]])[0], (6.0 * pen.scale, 4.6 * pen.scale), turn, varnish)


def _draw_sleeve(pen: Pen, rng: np.random.Generator, wrist: float, wide: float) -> None:
    """Draw what the arm wears: nothing, a watch, a sleeve with or without pattern and cuff."""
    if rng.random() < 0.25:
        at = wrist - 5
        pen.stroke([(at, -wide * 0.8), (at, wide * 0.8)], any_colour(rng, 20, 120), rng.uniform(10, 20))
        pen.disc((at, 0.0), rng.uniform(13, 21), any_colour(rng, 60))
        pen.disc((at, 0.0), rng.uniform(9, 16), light_colour(rng))
        for _ in range(2):
            pen.stroke([(at, 0.0), (at + rng.uniform(-12, 12), rng.uniform(-12, 12))], dark_colour(rng), 1.6)
    if rng.random() < 0.12:
        return
    near, far = wide * rng.uniform(1.0, 1.25), wide * rng.uniform(1.5, 2.3)
    colour = light_colour(rng) if rng.random() < 0.5 else any_colour(rng)
    pen.polygon([(wrist, -near), (wrist, near), (-700, far), (-700, -far)], colour)
    for _ in range(int(rng.integers(0, 6))):
        x = rng.uniform(-450, wrist - 30)
        pen.stroke([(x, -near), (x + rng.uniform(-25, 25), 0), (x, near)], scaled(colour, rng.uniform(0.75, 0.95)), 4)
    _draw_pattern(pen, rng, wrist, near, far)
    if rng.random() < 0.4:
        cuff = light_colour(rng) if rng.random() < 0.7 else any_colour(rng)
        pen.polygon([(wrist, -near), (wrist, near), (wrist - 55, near * 1.1), (wrist - 55, -near * 1.1)], cuff)
        pen.stroke([(wrist - 55, -near * 1.1), (wrist - 55, near * 1.1)], scaled(cuff, 0.7), 1.5)
        pen.disc((wrist - 27, near * rng.uniform(-0.7, 0.7)), rng.uniform(3, 6), any_colour(rng))


def _draw_pattern(pen: Pen, rng: np.random.Generator, wrist: float, near: float, far: float) -> None:
    along, across, printed = rng.random(3) < (0.3, 0.3, 0.55)
    if along:
        step, ink, width = rng.uniform(0.12, 0.5), any_colour(rng), rng.uniform(2, 12)
        for part in np.arange(-0.95, 0.96, step):
            pen.stroke([(wrist, part * near), (-700, part * far)], ink, width)
    if across:
        step, ink, width = rng.uniform(8, 45), any_colour(rng), rng.uniform(2, 8)
        for x in np.arange(wrist, -480, -step):
            half = near + (far - near) * (wrist - x) / (wrist + 700)
            pen.stroke([(x, -half), (x, half)], ink, width)
    if printed:
        _draw_prints(pen, rng, np.arange(wrist - 12, -420, -rng.uniform(16, 40)), np.arange(-0.8, 0.81, 0.38) * near)


def _draw_prints(pen: Pen, rng: np.random.Generator, columns: Points, rows: Points) -> None:
    """Print dots or small signs in rows, all alike or in some colours."""
    sign, inks = any_sign(rng), [dark_colour(rng) for _ in range(3)]
    dots, height, turn = rng.random() < 0.5, rng.uniform(5, 16), rng.uniform(0, 6.3)
    for column, x in enumerate(columns):
        for row, y in enumerate(rows):
            at, ink = (float(x), float(y + 5 * (column % 2))), inks[(column + row) % len(inks)]
            if dots:
                pen.disc(at, height / 2.5, ink)
            else:
                pen.sign(sign, at, height, ink, turn=turn)


def _ink_on(ground: Colour, rng: np.random.Generator) -> Colour:
    """Return a colour that can be seen on another."""
    return dark_colour(rng) if float(np.mean(ground)) > 110 else light_colour(rng)


def _lay_shadow(
    pen: Pen,
    rng: np.random.Generator,
    size: tuple[float, float],
    *,
    off: float,
    soft: tuple[float, float],
    depth: tuple[float, float],
) -> None:
    """Lay the shadow of something flat, mm; `off` px at most beside it, so soft and deep by chance."""
    pen.canvas.shadow(
        pen.to_px(box(*size)) + rng.uniform(-off, off, 2),
        soft=pen.scale * rng.uniform(*soft),
        depth=rng.uniform(*depth),
    )


def draw_sheet(pen: Pen, rng: np.random.Generator) -> None:
    """Draw paper: blank, ruled, written on, or a card of another kind with a crest and print; or a box with a sign."""
    wide, high = rng.uniform(45, 170, 2)
    if rng.random() < 0.45:  # of the size of a playing card or nearly so
        wide, high = rng.uniform(52, 72), rng.uniform(78, 100)
    ground = light_colour(rng) if rng.random() < 0.8 else any_colour(rng)
    ink = _ink_on(ground, rng)
    _lay_shadow(pen, rng, (wide, high), off=2, soft=(1, 8), depth=(0.2, 0.5))
    pen.polygon(box(wide, high), ground)
    if rng.random() < 0.35:
        pen.stroke(box(wide * 0.9, high * 0.92)[[0, 1, 2, 3, 0]], ink, rng.uniform(0.8, 3))
    if rng.random() < 0.45:  # lines of print
        top, step = rng.uniform(-0.4, 0.2) * high, rng.uniform(5, 13)
        for row in range(int(rng.integers(2, 12))):
            y = top + row * step
            if y > high * 0.44:
                break
            left, right = np.sort(rng.uniform(-0.42, 0.42, 2) * wide)
            pen.stroke([(left, y), (right, y)], ink, step * rng.uniform(0.2, 0.4))
    if rng.random() < 0.35:  # scribbles in columns, as of scores
        for _ in range(int(rng.integers(2, 14))):
            start = rng.uniform(-0.4, 0.4, 2) * (wide, high)
            pen.stroke(start + np.cumsum(rng.uniform(-5, 6, (4, 2)), axis=0), ink, rng.uniform(1, 2))
    for _ in range(int(rng.integers(0, 3))):  # rules
        at = rng.uniform(-0.4, 0.4)
        line = (
            [(at * wide, -high * 0.45), (at * wide, high * 0.45)]
            if rng.random() < 0.5
            else [(-wide * 0.45, at * high), (wide * 0.45, at * high)]
        )
        pen.stroke(line, ink, rng.uniform(0.7, 1.5))
    _draw_crests(pen, rng, wide, high, ink)


def _draw_crests(pen: Pen, rng: np.random.Generator, wide: float, high: float, ink: Colour) -> None:
    kind = rng.random()
    if kind < 0.4:  # a large sign, and a word under it
        pen.sign(any_sign(rng), (0.0, -high * rng.uniform(0, 0.2)), high * rng.uniform(0.2, 0.55), ink)
        if rng.random() < 0.6:
            word, size = "".join(rng.choice(list("ABCDEGIKLNOPRSTUY"), int(rng.integers(3, 9)))), rng.uniform(5, 11)
            mask = pips.opencv_glyph(cv2.FONT_HERSHEY_DUPLEX, 8, word)
            if mask is not None:
                pen.sign(mask, (0.0, high * rng.uniform(0.2, 0.4)), size, ink)
    elif kind < 0.7:  # a small one in a corner
        at = (
            rng.choice([-1, 1]) * wide * rng.uniform(0.28, 0.42),
            rng.choice([-1, 1]) * high * rng.uniform(0.28, 0.42),
        )
        pen.sign(any_sign(rng), at, rng.uniform(6, 15), dark_colour(rng))


def draw_box(pen: Pen, rng: np.random.Generator) -> None:
    """Draw the box of a pack: of a card's size and a little more, with a large sign, words, frames, a side in view."""
    wide, high = rng.uniform(60, 76), rng.uniform(86, 106)
    ground = any_colour(rng) if rng.random() < 0.55 else light_colour(rng)
    ink = _ink_on(ground, rng)
    _lay_shadow(pen, rng, (wide, high), off=6, soft=(3, 14), depth=(0.2, 0.6))
    if rng.random() < 0.6:
        pen.polygon(box(wide, high) + rng.uniform(-7, 7, 2), scaled(ground, rng.uniform(0.5, 0.9)))
    pen.polygon(box(wide, high), ground)
    for inset in rng.uniform(2, 9, int(rng.integers(0, 3))):
        pen.stroke(box(wide - 2 * inset, high - 2 * inset)[[0, 1, 2, 3, 0]], ink, rng.uniform(0.6, 3))
    at = float(rng.uniform(-0.15, 0.1)) * high
    if rng.random() < 0.3:
        pen.disc((0.0, at), rng.uniform(14, 28), light_colour(rng))
    pen.sign(any_sign(rng), (0.0, at), rng.uniform(15, 55), dark_colour(rng) if rng.random() < 0.5 else ink)
    for end in (-1, 1):
        if rng.random() < 0.6:
            word = "".join(rng.choice(list("ABCDEGIKLNOPRSTUY"), int(rng.integers(3, 10))))
            mask = pips.opencv_glyph(cv2.FONT_HERSHEY_DUPLEX, int(rng.integers(6, 14)), word)
            if mask is not None:
                pen.sign(mask, (0.0, end * high * rng.uniform(0.3, 0.42)), rng.uniform(5, 11), ink)
    if rng.random() < 0.3:
        sign, size = any_sign(rng), rng.uniform(6, 14)
        for corner in box(wide * 0.72, high * 0.78)[:: int(rng.integers(1, 3))]:
            pen.sign(sign, (float(corner[0]), float(corner[1])), size, ink)
    if rng.random() < 0.3:  # the flap
        pen.stroke([(-wide / 2, -high * 0.42), (wide / 2, -high * 0.42)], scaled(ground, 0.7), 1.5)


def draw_thing(pen: Pen, rng: np.random.Generator) -> None:
    """Draw a thing that is no paper: a cup, a phone, a coaster, chips, a pencil, a dark tray or plate."""
    match int(rng.integers(6)):
        case 0:
            _draw_cup(pen, rng)
        case 1:
            _draw_phone(pen, rng)
        case 2:
            ground, ink = light_colour(rng), dark_colour(rng)
            if rng.random() < 0.5:
                ground, ink = ink, ground
            radius = rng.uniform(38, 52)
            if rng.random() < 0.5:
                pen.polygon(box(radius * 2, radius * 2), ground)
            else:
                pen.disc((0.0, 0.0), radius, ground)
            pen.disc((0.0, 0.0), radius * 0.75, ink)
            pen.disc((0.0, 0.0), radius * rng.uniform(0.6, 0.7), ground)
            pen.sign(any_sign(rng), (0.0, 0.0), radius * rng.uniform(0.4, 0.9), ink)
        case 3:
            draw_chips(pen, rng, 55)
        case 4:
            pen.stroke([(-75, 0), (75, 0)], any_colour(rng), rng.uniform(5, 9))
            pen.stroke([(75, 0), (86, 0)], light_colour(rng), 4)
        case _:
            wide, high = rng.uniform(70, 200, 2)
            pen.polygon(box(wide + 10, high + 10), any_colour(rng, 40, 130))
            pen.polygon(box(wide, high), any_colour(rng, 10, 70))


def draw_chips(pen: Pen, rng: np.random.Generator, reach: float) -> None:
    """Draw some chips, their middles up to `reach` mm aside."""
    for _ in range(int(rng.integers(1, 7))):
        x, y = rng.uniform(-reach, reach, 2)
        pen.disc((x, y), 20, dark_colour(rng))
        for turn in np.arange(0, 6.2, 6.3 / rng.integers(4, 9)):
            pen.disc((x + 16 * np.cos(turn), y + 16 * np.sin(turn)), 3.2, light_colour(rng))
        pen.disc((x, y), rng.uniform(8, 13), light_colour(rng))


def _draw_cup(pen: Pen, rng: np.random.Generator) -> None:
    china = light_colour(rng) if rng.random() < 0.6 else any_colour(rng)
    if rng.random() < 0.5:
        pen.disc((0.0, 0.0), rng.uniform(60, 80), china)
        pen.disc((0.0, 0.0), rng.uniform(45, 55), scaled(china, 0.85))
    pen.stroke([(0, 0), (60, 0)], china, rng.uniform(8, 14))
    pen.disc((0.0, 0.0), 42, china)
    pen.disc((0.0, 0.0), 37, any_colour(rng))


def _draw_phone(pen: Pen, rng: np.random.Generator) -> None:
    wide, high = rng.uniform(64, 80), rng.uniform(135, 165)
    pen.polygon(box(wide, high), any_colour(rng, 10, 60) if rng.random() < 0.7 else light_colour(rng))
    screen = light_colour(rng) if rng.random() < 0.5 else any_colour(rng)
    pen.polygon(box(wide - 8, high - 14), screen)
    if rng.random() < 0.5:
        for row in range(int(rng.integers(3, 12))):
            y = -high * 0.4 + row * 11
            pen.stroke([(-wide * 0.38, y), (wide * rng.uniform(-0.1, 0.38), y)], any_colour(rng), rng.uniform(2, 5))
    else:
        for spot in range(int(rng.integers(1, 14))):
            at = np.array([(spot % 3 - 1) * 18.0, (spot // 3) * 22.0 - 50])
            pen.polygon(box(rng.uniform(9, 14), rng.uniform(9, 14)) + at, any_colour(rng))
    if rng.random() < 0.3:
        pen.sign(any_sign(rng), (0.0, float(rng.uniform(-40, 40))), rng.uniform(8, 40), dark_colour(rng))
