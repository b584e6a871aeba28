"""Draws what people put down on the simulated table: cups, phones, paper, pencils, coasters, chips, a pack's box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.pack_art import PIPS, circle
from hardware_sims.table_art import placed
from hardware_sims.table_scene import Thing, ThingKind

if TYPE_CHECKING:
    from hardware_sims.pack_art import Colour, Points
    from hardware_sims.table_art import Easel


def _box(width: float, height: float, dx: float = 0.0, dy: float = 0.0) -> Points:
    corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2.0
    return np.asarray(corners + np.array([dx, dy]))


_CUPS: Final[tuple[Colour, ...]] = ((244, 246, 246), (190, 120, 40), (60, 60, 200), (225, 235, 240))
_DRINKS: Final[tuple[Colour, ...]] = ((22, 38, 62), (40, 90, 150), (200, 214, 222))


def draw_thing(easel: Easel, thing: Thing) -> None:
    """Draw what is no card and no hand."""
    match thing.kind:
        case ThingKind.CUP:
            _cup(easel, thing)
        case ThingKind.PHONE:
            _phone(easel, thing)
        case ThingKind.PAD:
            _pad(easel, thing)
        case ThingKind.PENCIL:
            stick = placed(_box(150.0, 7.0), thing.x, thing.y, thing.angle_deg)
            easel.shadow(stick, reach=3.0, depth=0.4)
            easel.polygon(stick, ((40, 190, 230), (60, 60, 190), (90, 120, 40))[thing.look % 3])
            easel.polygon(placed(_box(14.0, 5.0, 75.0), thing.x, thing.y, thing.angle_deg), (150, 190, 215))
        case ThingKind.COASTER:
            _coaster(easel, thing)
        case ThingKind.CHIPS:
            _chips(easel, thing)
        case ThingKind.BOX:
            _pack_box(easel, thing)
        case ThingKind.NAMECARD:
            _namecard(easel, thing)


def _cup(easel: Easel, cup: Thing) -> None:
    centre = (cup.x, cup.y)
    china = _CUPS[cup.look % len(_CUPS)]
    dark = (int(china[0] * 0.8), int(china[1] * 0.8), int(china[2] * 0.8))
    if cup.look % 2 == 0:
        easel.shadow(circle(centre, 72.0), reach=8.0, depth=0.5)
        easel.polygon(circle(centre, 72.0), china)
        easel.polygon(circle(centre, 50.0), dark)
    easel.shadow(circle(centre, 44.0), reach=16.0, depth=0.5)
    easel.polygon(placed(_box(34.0, 12.0, 52.0), cup.x, cup.y, cup.angle_deg), china)
    easel.polygon(circle(centre, 42.0), china)
    easel.polygon(circle(centre, 37.0), _DRINKS[cup.look % len(_DRINKS)])


def _phone(easel: Easel, phone: Thing) -> None:
    def part(width: float, height: float, dx: float = 0.0, dy: float = 0.0) -> Points:
        return placed(_box(width, height, dx, dy), phone.x, phone.y, phone.angle_deg)

    easel.shadow(part(74.0, 150.0), reach=5.0, depth=0.5)
    easel.polygon(part(74.0, 150.0), (36, 34, 33) if phone.look % 3 else (225, 228, 230))
    match phone.look % 4:
        case 0:
            easel.polygon(part(66.0, 136.0), (14, 12, 12))
        case 1:
            easel.polygon(part(66.0, 136.0), (250, 248, 246))
            for row in range(9):
                easel.polygon(part(52.0 - 5.0 * (row % 3), 3.2, -3.0, -52.0 + 11.0 * row), (96, 92, 90))
        case 2:
            easel.polygon(part(66.0, 136.0), (170, 110, 50))
            for icon in range(12):
                colour = ((240, 240, 240), (60, 60, 220), (60, 190, 70), (40, 200, 240))[icon % 4]
                easel.polygon(part(11.0, 11.0, -18.0 + 18.0 * (icon % 3), -50.0 + 22.0 * (icon // 3)), colour)
        case _:
            easel.polygon(part(66.0, 136.0), (240, 240, 238))
            easel.polygon(part(58.0, 60.0, 0.0, -32.0), (120, 140, 60))
            easel.polygon(part(14.0, 14.0, -20.0, 14.0), (50, 50, 205))
            easel.polygon(part(40.0, 4.0, 4.0, 40.0), (90, 90, 90))


def _pad(easel: Easel, pad: Thing) -> None:
    wide, high = ((105.0, 148.0), (88.0, 125.0), (148.0, 105.0))[pad.look % 3]
    sheet = placed(_box(wide, high), pad.x, pad.y, pad.angle_deg)
    easel.shadow(sheet, reach=2.0, depth=0.35)
    easel.polygon(sheet, ((242, 246, 247), (205, 236, 244))[pad.look % 2])

    def stroke(points: list[tuple[float, float]], width: float, ink: Colour) -> None:
        easel.line(placed(np.array(points), pad.x, pad.y, pad.angle_deg), ink, width)

    if pad.look % 2 == 0:
        stroke([(0.0, -high / 2 + 8), (0.0, high / 2 - 8)], 1.0, (110, 90, 80))
        stroke([(-wide / 2 + 8, -high / 2 + 20), (wide / 2 - 8, -high / 2 + 20)], 1.0, (110, 90, 80))
    for row in range(pad.look):
        y = -high / 2 + 30 + 10 * row
        if y < high / 2 - 10:
            for side in (-1, 1):
                at = side * wide / 4
                stroke([(at - 5, y), (at - 2, y - 5), (at + 1, y + 1), (at + 5, y - 4)], 1.3, (70, 50, 40))


_INKS: Final[tuple[Colour, ...]] = ((40, 36, 40), (40, 34, 190), (130, 70, 30), (60, 110, 40))


def _coaster(easel: Easel, coaster: Thing) -> None:
    """Draw a square or round coaster: a ring and a pip, light on dark or dark on light."""
    light, ink = (236, 240, 240), _INKS[coaster.look % 4]
    ground, print_ = (light, ink) if coaster.look % 2 else (ink, light)
    square = placed(_box(92.0, 92.0), coaster.x, coaster.y, coaster.angle_deg)
    outline = square if coaster.look < 4 else circle((coaster.x, coaster.y), 47.0)
    easel.shadow(outline, reach=3.0, depth=0.4)
    easel.polygon(outline, ground)
    easel.polygon(circle((coaster.x, coaster.y), 34.0), print_)
    easel.polygon(circle((coaster.x, coaster.y), 30.0), ground)
    _pip(easel, coaster, (0.0, 0.0), 32.0, print_)


def _chips(easel: Easel, chips: Thing) -> None:
    """Draw some round counters with light notches at their rims."""
    for place in range(2 + chips.look % 4):
        turn = np.radians(chips.angle_deg + 80.0 * place)
        x, y = chips.x + 34.0 * np.cos(turn), chips.y + 34.0 * np.sin(turn)
        rim = circle((x, y), 19.5)
        easel.shadow(rim, reach=4.0, depth=0.45)
        easel.polygon(rim, _INKS[(chips.look + place) % 4])
        for notch in range(6):
            easel.polygon(placed(_box(5.0, 7.0, 16.0), x, y, chips.angle_deg + 60.0 * notch), (238, 240, 242))
        easel.polygon(circle((x, y), 11.0), (238, 240, 242))


def _pack_box(easel: Easel, pack: Thing) -> None:
    light, ink = (238, 242, 244), _INKS[pack.look % 4]
    ground, print_ = (light, ink) if pack.look % 3 else (ink, light)
    side = placed(_box(66.0, 92.0), pack.x, pack.y, pack.angle_deg)
    easel.shadow(side, reach=10.0, depth=0.5)
    easel.polygon(side, ground)
    _pip(easel, pack, (0.0, -8.0), 40.0, print_)
    for place in range(7):
        letter = _box(5.0, 9.0, -24.0 + 8.0 * place, 28.0)
        easel.polygon(placed(letter, pack.x, pack.y, pack.angle_deg), print_)


def _namecard(easel: Easel, card: Thing) -> None:
    sheet = placed(_box(85.0, 55.0), card.x, card.y, card.angle_deg)
    easel.shadow(sheet, reach=1.5, depth=0.35)
    easel.polygon(sheet, (244, 247, 248))
    _pip(easel, card, (-34.0, -18.0), 11.0, _INKS[card.look % 4])
    for row in range(4):
        words = _box(44.0 - 9.0 * (row % 2), 2.6, 8.0, -12.0 + 9.0 * row)
        easel.polygon(placed(words, card.x, card.y, card.angle_deg), (84, 80, 78))


def _pip(easel: Easel, thing: Thing, at: tuple[float, float], height: float, ink: Colour) -> None:
    for outline in PIPS["CDHS"[thing.look // 2 % 4]]:
        easel.polygon(placed(outline * height + np.array(at), thing.x, thing.y, thing.angle_deg), ink)
