"""The figures of a pack: double-ended kings, queens and jacks in a frame, and the jokers, as flat shapes.

Convention: as in `pack_art`; an upper half is drawn, and drawn again for the player opposite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.pack_art import CARD_HEIGHT_MM, CARD_WIDTH_MM, Colour, arc, bezier, circle, draw_pip

if TYPE_CHECKING:
    from hardware_sims.pack_art import Points, Sheet

_CENTRE_X: Final = CARD_WIDTH_MM / 2
_CENTRE_Y: Final = CARD_HEIGHT_MM / 2
_FRAME_TOP: Final = 8.6
_HEAD_Y: Final = 23.2

_INK: Final[Colour] = (35, 25, 25)
_RED: Final[Colour] = (45, 40, 190)
_GOLD: Final[Colour] = (70, 190, 240)
_BLUE: Final[Colour] = (150, 85, 35)
_GREEN: Final[Colour] = (80, 125, 50)
_SKIN: Final[Colour] = (205, 222, 245)
_GREY: Final[Colour] = (205, 205, 200)

_ROBES: Final[dict[str, tuple[Colour, Colour, Colour]]] = {
    "C": (_BLUE, _GOLD, _RED),
    "D": (_RED, _GOLD, _GREEN),
    "H": (_RED, _BLUE, _GOLD),
    "S": (_INK, _GOLD, _BLUE),
}
"""By suit: colours of the robe, of its panel and of its trimming."""

_HAIR: Final[dict[str, Colour]] = {"C": _INK, "D": _GOLD, "H": (60, 130, 205), "S": (60, 75, 110)}


def draw_court(sheet: Sheet, rank: str, suit: str, colour: Colour, *, frame_left: float) -> None:
    """Print the court card of `rank` and `suit`, its frame beginning `frame_left` mm from the card's edge."""
    frame = _box(frame_left, _FRAME_TOP, CARD_WIDTH_MM - frame_left, CARD_HEIGHT_MM - _FRAME_TOP)
    for half in (sheet, sheet.turned()):
        # Half the courts look the other way, as in printed packs.
        view = half.mirror() if (rank + suit) in {"KC", "KD", "QD", "QS", "JH", "JS"} else half
        _robe(view, rank, suit, frame_left)
        _head(view, rank, suit)
        _attribute(half, rank, suit, frame_left)
        draw_pip(half, suit, (frame_left + 5.6, _FRAME_TOP + 6.4), 9.0, colour)
    sheet.polygon(_box(frame_left, _CENTRE_Y - 1.3, CARD_WIDTH_MM - frame_left, _CENTRE_Y + 1.3), _GOLD)
    for x in np.linspace(frame_left + 2.4, CARD_WIDTH_MM - frame_left - 2.4, 11):
        sheet.polygon(circle((float(x), _CENTRE_Y), 0.62), _RED)
    sheet.line(np.concatenate([frame, frame[:1]]), _INK, 0.35)


def draw_joker(sheet: Sheet, *, coloured: bool) -> None:
    """Print the joker's figure: a fool's head in a cap and bells over a star."""
    first, second, bell = (_RED, _BLUE, _GOLD) if coloured else (_INK, (120, 120, 120), _GREY)
    x, y = _CENTRE_X, 42.0
    sheet.polygon(_star((x, y + 6.0), 25.0, 14.0), bell)
    sheet.polygon(_star((x, y + 6.0), 22.5, 12.0), (250, 250, 250))
    for side, cloth in ((1.0, first), (-1.0, second)):
        horn = np.concatenate(
            [
                bezier((0.0, -7.0), (4.0, -20.0), (15.0, -20.0), (16.0, -5.0)),
                bezier((16.0, -5.0), (12.0, -10.0), (8.0, -8.0), (7.6, 0.5)),
                np.array([(0.0, 1.0)]),
            ]
        )
        sheet.polygon(horn * np.array([side, 1.0]) + np.array([x, y]), cloth)
        sheet.polygon(circle((x + side * 16.0, y - 3.6), 1.9), bell)
        sheet.line(_ring((x + side * 16.0, y - 3.6), 1.9), _INK, 0.3)
    sheet.polygon(_oval((x, y + 6.0), 7.6, 9.2), _SKIN if coloured else (235, 235, 235))
    sheet.line(np.concatenate([_oval((x, y + 6.0), 7.6, 9.2), np.array([(x + 7.6, y + 6.0)])]), _INK, 0.4)
    sheet.polygon(_box(x - 8.2, y - 2.6, x + 8.2, y + 0.8), second)
    for side in (-1.0, 1.0):
        sheet.polygon(_oval((x + side * 2.9, y + 4.2), 1.0, 1.3), _INK)
        sheet.polygon(circle((x + side * 4.8, y + 8.6), 1.2), first)
    sheet.line(arc((x, y + 8.0), (4.2, 4.0), 20.0, 160.0), _INK, 0.8)
    sheet.line(np.array([(x + 0.4, y + 5.0), (x - 0.8, y + 8.0), (x + 0.6, y + 8.2)]), _INK, 0.4)
    for step in range(-2, 3):
        tip = (x + step * 4.6, y + 24.5 - abs(step) * 2.2)
        collar = np.array([(x + step * 1.8 - 2.4, y + 13.6), tip, (x + step * 1.8 + 2.4, y + 13.6)])
        sheet.polygon(collar, first if step % 2 == 0 else second)
        sheet.polygon(circle(tip, 1.2), bell)


def _robe(view: Sheet, rank: str, suit: str, frame_left: float) -> None:
    cloth, panel, trim = _ROBES[suit]
    left, right = frame_left + 0.6, CARD_WIDTH_MM - frame_left - 0.6
    x = _CENTRE_X
    mantle = np.concatenate(
        [
            bezier((x - 4.0, 28.6), (x - 10.0, 30.0), (left + 1.0, 32.0), (left, 40.0)),
            np.array([(left, _CENTRE_Y), (right, _CENTRE_Y)]),
            bezier((right, 40.0), (right - 1.0, 32.0), (x + 10.0, 30.0), (x + 4.0, 28.6)),
        ]
    )
    view.polygon(mantle, cloth)
    for step in range(1, 5):
        away = 6.5 + step * 2.6
        for side in (-1.0, 1.0):
            foot = min(max(x + side * (away + 3.0), left + 0.6), right - 0.6)
            stripe = np.array([(x + side * (away - 2.0), 33.0 + step * 0.8), (foot, _CENTRE_Y)])
            view.line(stripe, panel if step % 2 else trim, 0.9)
    view.polygon(np.array([(x - 3.2, 28.0), (x + 3.2, 28.0), (x + 6.6, _CENTRE_Y), (x - 6.6, _CENTRE_Y)]), panel)
    for row in range(4):
        for column in range(-1, 2):
            spot = circle((x + column * 3.0, 32.4 + row * 3.4), 0.75)
            view.polygon(spot, trim if (row + column) % 2 else cloth)
    edges = np.array([(x - 3.2, 28.0), (x - 6.6, _CENTRE_Y)])
    for side_edge in (edges, edges * np.array([-1.0, 1.0]) + np.array([2 * x, 0.0])):
        view.line(side_edge, _INK, 0.4)
    collar = np.concatenate([arc((x, 26.4), (7.2, 4.4), 10.0, 170.0), np.array([(x - 3.0, 26.0), (x + 3.0, 26.0)])])
    view.polygon(collar, _GREY if rank == "K" else trim)
    view.line(arc((x, 26.4), (7.2, 4.4), 10.0, 170.0), _INK, 0.4)
    view.line(mantle, _INK, 0.4)


def _head(view: Sheet, rank: str, suit: str) -> None:
    x, y, hair = _CENTRE_X, _HEAD_Y, _HAIR[suit]
    if rank == "Q":
        view.polygon(_oval((x, y + 1.4), 7.0, 7.0), hair)
    elif rank == "J":
        for side in (-1.0, 1.0):
            view.polygon(_oval((x + side * 5.0, y + 2.6), 2.4, 3.4), hair)
    else:
        for side in (-1.0, 1.0):
            view.line(arc((x + side * 6.0, y + 3.6), (1.6, 1.6), 90.0, 400.0), hair, 1.6)
    view.polygon(_oval((x, y), 4.9, 6.0), _SKIN)
    view.line(_ring_oval((x, y), 4.9, 6.0), _INK, 0.35)
    for side in (-1.0, 1.0):
        view.polygon(_oval((x + side * 1.9, y - 0.6), 0.65, 0.45), _INK)
        view.line(arc((x + side * 1.9, y - 1.2), (1.1, 0.7), 200.0, 340.0), _INK, 0.3)
    view.line(np.array([(x + 0.1, y - 0.6), (x - 0.7, y + 1.7), (x + 0.3, y + 1.9)]), _INK, 0.3)
    view.line(np.array([(x - 1.2, y + 3.3), (x + 1.2, y + 3.3)]), _RED, 0.6)
    if rank == "K":
        beard = np.concatenate([arc((x, y + 1.8), (5.2, 7.6), 12.0, 168.0), arc((x, y + 1.4), (3.6, 3.6), 160.0, 20.0)])
        view.polygon(beard, hair)
        view.line(arc((x, y + 2.6), (2.2, 0.8), 190.0, 350.0), hair, 0.9)
    _hat(view, rank, suit)


def _hat(view: Sheet, rank: str, suit: str) -> None:
    x, base = _CENTRE_X, _HEAD_Y - 4.4
    cloth, _, trim = _ROBES[suit]
    if rank == "J":
        view.polygon(_box(x - 6.2, base - 3.6, x + 6.2, base - 0.4), cloth)
        view.polygon(_box(x - 6.8, base - 1.2, x + 6.8, base + 0.4), trim)
        feather = bezier((x + 4.0, base - 3.0), (x + 8.0, base - 9.0), (x + 12.0, base - 5.0), (x + 11.0, base - 1.0))
        view.line(feather, _GOLD, 1.5)
        view.line(feather, _INK, 0.25)
        return
    points, tall = (3, 6.6) if rank == "K" else (5, 4.6)
    steps = np.linspace(-1.0, 1.0, 2 * points - 1)
    top = [(x + 6.4 * s, base - (tall if i % 2 == 0 else tall * 0.42)) for i, s in enumerate(steps)]
    crown = np.array([(x - 5.2, base + 0.4), *top, (x + 5.2, base + 0.4)])
    view.polygon(crown, _GOLD)
    view.line(np.concatenate([crown, crown[:1]]), _INK, 0.35)
    pearl, size = (trim, 0.95) if rank == "K" else (_GREY, 0.8)
    for tip_x, tip_y in top[::2]:
        view.polygon(circle((float(tip_x), float(tip_y)), size), pearl)
        view.line(_ring((float(tip_x), float(tip_y)), size), _INK, 0.25)
    view.line(np.array([(x - 5.0, base - 0.5), (x + 5.0, base - 0.5)]), _RED, 0.9)


def _attribute(view: Sheet, rank: str, suit: str, frame_left: float) -> None:
    """Draw what the figure holds at the card's right: a sword, a flower or a halberd."""
    x, top = CARD_WIDTH_MM - frame_left - 4.6, _FRAME_TOP + 2.0
    shaft = np.array([(x, top + 3.0), (x - 1.0, 43.0)])
    if rank == "K":
        blade = np.array([(x, top), (x + 1.1, top + 3.0), (x + 0.5, 32.0), (x - 1.3, 32.0), (x - 1.1, top + 3.0)])
        view.polygon(blade, _GREY)
        view.line(np.concatenate([blade, blade[:1]]), _INK, 0.35)
        view.line(np.array([(x - 3.4, 32.0), (x + 2.6, 32.0)]), _GOLD, 1.4)
        view.line(np.array([(x - 0.5, 32.5), (x - 0.8, 38.0)]), _INK, 1.3)
    elif rank == "Q":
        view.line(shaft, _GREEN, 0.8)
        for turn in range(0, 360, 72):
            away = np.radians(turn - 90)
            petal = (float(x + 2.0 * np.cos(away)), float(top + 4.0 + 2.0 * np.sin(away)))
            view.polygon(circle(petal, 1.5), _RED if suit in "CD" else _BLUE)
        view.polygon(circle((x, top + 4.0), 1.2), _GOLD)
    else:
        view.line(shaft, (60, 95, 130), 1.1)
        axe = np.concatenate([arc((x - 1.0, top + 8.0), (5.0, 4.6), 290.0, 430.0), np.array([(x, top + 8.0)])])
        view.polygon(axe, _GREY)
        view.line(np.concatenate([axe, axe[:1]]), _INK, 0.35)
        view.polygon(np.array([(x, top), (x + 0.9, top + 4.0), (x - 0.9, top + 4.0)]), _GREY)
    view.polygon(_oval((x - 0.7, 35.6), 1.9, 1.6), _SKIN)
    view.line(_ring_oval((x - 0.7, 35.6), 1.9, 1.6), _INK, 0.3)


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _oval(centre: tuple[float, float], half_width: float, half_height: float) -> Points:
    return arc(centre, (half_width, half_height), 0.0, 360.0, count=37)[:-1]


def _ring_oval(centre: tuple[float, float], half_width: float, half_height: float) -> Points:
    return arc(centre, (half_width, half_height), 0.0, 360.0, count=37)


def _ring(centre: tuple[float, float], radius: float) -> Points:
    return _ring_oval(centre, radius, radius)


def _star(centre: tuple[float, float], outer: float, inner: float, *, rays: int = 8) -> Points:
    angle = np.linspace(0.0, 2.0 * np.pi, 2 * rays, endpoint=False) - np.pi / 2
    radius = np.where(np.arange(2 * rays) % 2 == 0, outer, inner)
    return np.stack([centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)], axis=1)
