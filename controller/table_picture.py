"""The picture of the table at the end of a deal: four hands, the dealer, the trump card, and what was ruled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFilter

from controller.card_tiles import CARD_HEIGHT, CARD_WIDTH, GOLD, PAPER, SCALE, UNKNOWN, Colour, card_tile, font
from controller.counts import counted
from controller.table import Seat, left_of, pone_of, seat_name
from vision.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.cards import Card

WIDTH: Final = 1600
"""Width of the picture, px."""

_HEADER: Final = 76
_TABLE_BOTTOM: Final = 1030
_WORDS_MARGIN: Final = 18
_LEAST_HEIGHT: Final = 1200

_STEP: Final = 36
_SUIT_GAP: Final = 11
_WIDEST_FAN: Final = 476
_TURN_DEG: Final = 1.35

_INK: Final[Colour] = (240, 243, 236)
_QUIET: Final[Colour] = (176, 200, 184)
_DARK: Final[Colour] = (17, 38, 30)
_BAIZE: Final[tuple[Colour, Colour]] = ((38, 118, 80), (14, 62, 43))

_FAN_CENTRES: Final = {Seat.N: (800, 208), Seat.E: (1270, 530), Seat.S: (800, 850), Seat.W: (330, 530)}
_CENTRE: Final = (800, 530)

_SUIT_ORDER: Final = "SHCD"
_RANK_ORDER: Final = "A" + RANKS[:0:-1]

_PARTS: Final[dict[str, tuple[Colour, Colour, str]]] = {
    "D": (GOLD, _DARK, "dealer"),
    "P": ((150, 205, 240), _DARK, "pone, who cuts the pack"),
    "E": ((236, 236, 228), _DARK, "eldest hand, who receives the first card"),
}
"""By letter on the counter: its colour, the letter's colour, and what the legend says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """What is known about one deal when it is over.

    Attributes:
        code: the code of laws, as in *whist*.
        deal: number of the deal, from 1.
        dealer: whose deal it was.
        hands: by seat, the cards in any order; None is a card that lies there and is not known.
        trump: the card turned up, or None.
        rejected: the cards in the reject tray.
        status: how the deal ended, one sentence.
        rulings: what the laws said, one sentence each.
        seconds_per_card: time from one card to the next, or None where none was dealt.
        footer: the command that replays the record.
    """

    code: str
    deal: int
    dealer: Seat
    hands: Mapping[Seat, tuple[Card | None, ...]]
    trump: Card | None = None
    rejected: tuple[Card | None, ...] = ()
    status: str
    rulings: tuple[str, ...] = ()
    seconds_per_card: float | None = None
    footer: str = ""


def draw_table(view: TableView) -> Image.Image:
    """Return the table as an RGB picture, `WIDTH` px wide and as high as its rulings need, at least 1200 px."""
    words = _words(view)
    height = max(_LEAST_HEIGHT, _TABLE_BOTTOM + 2 * _WORDS_MARGIN + sum(line.height for line in words))
    picture = _baize(height)
    draw = ImageDraw.Draw(picture)
    _header(draw, view)
    for seat in Seat:
        cards = view.hands.get(seat, ())
        _fan(picture, cards, _FAN_CENTRES[seat], marked=view.trump if seat is view.dealer else None)
        _plate(draw, seat, view)
    _trump_spot(picture, draw, view)
    _legend(draw)
    if view.rejected:
        _reject_tray(picture, draw, view.rejected)
    y = _TABLE_BOTTOM + _WORDS_MARGIN
    for line in words:
        _text(draw, (40, y + line.height / 2), line.text, line.size, ink=line.ink)
        y += line.height
    return picture.reduce(SCALE)


def sorted_hand(cards: tuple[Card | None, ...]) -> tuple[Card | None, ...]:
    """Return the cards as a player holds them: by suit, colours alternating, aces high; unknown cards last.

    >>> from vision.cards import Card
    >>> [str(card) for card in sorted_hand(tuple(map(Card.parse, ("2S", "KD", "AS", "TC"))))]
    ['AS', '2S', 'TC', 'KD']
    """
    return tuple(sorted(cards, key=_place_in_hand))


def _place_in_hand(card: Card | None) -> tuple[int, int]:
    if card is None or card.is_joker:
        return len(_SUIT_ORDER) + (card is None), 0
    return _SUIT_ORDER.index(card.suit), _RANK_ORDER.index(card.rank)


def _big(*lengths: float) -> tuple[float, ...]:
    return tuple(length * SCALE for length in lengths)


def _text(draw: ImageDraw.ImageDraw, spot: tuple[float, float], text: str, size: float, *, ink: Colour = _INK) -> None:
    draw.text((spot[0] * SCALE, spot[1] * SCALE), text, ink, font(size), anchor="lm")


def _centred(draw: ImageDraw.ImageDraw, spot: tuple[float, float], text: str, size: float, ink: Colour = _INK) -> None:
    draw.text((spot[0] * SCALE, spot[1] * SCALE), text, ink, font(size), anchor="mm")


def _width(text: str, size: float) -> float:
    return font(size).getlength(text) / SCALE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line below the table, `size` and `height` in px."""

    text: str
    size: float
    height: int
    ink: Colour


def _words(view: TableView) -> list[_Line]:
    """Return how the deal ended, the rulings and how to replay it, in lines that fit."""
    lines = [_Line(text=text, size=25, height=38, ink=_INK) for text in _wrapped(view.status, 25)]
    for ruling in view.rulings:
        lines += [_Line(text=text, size=20, height=29, ink=_QUIET) for text in _wrapped(ruling, 20)]
    lines += [_Line(text=text, size=18, height=36, ink=_QUIET) for text in _wrapped(view.footer, 18)]
    return lines


def _wrapped(text: str, size: float) -> list[str]:
    """Break `text` into lines that fit the picture, between words where that can be."""
    width = WIDTH - 80
    lines: list[str] = []
    for word in text.split():
        if lines and _width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
            continue
        rest = word
        while rest:
            fits = len(rest)
            while fits > 1 and _width(rest[:fits], size) > width:
                fits -= 1
            lines.append(rest[:fits])
            rest = rest[fits:]
    return lines


def _baize(height: int) -> Image.Image:
    """Return the empty table: green cloth, lighter in the middle, a dark strip above and below."""
    size = (WIDTH * SCALE, height * SCALE)
    near, far = (Image.new("RGB", size, colour) for colour in _BAIZE)
    picture = Image.composite(far, near, Image.radial_gradient("L").resize(size))
    draw = ImageDraw.Draw(picture)
    draw.rectangle(_big(0, 0, WIDTH, _HEADER), fill=_DARK)
    draw.rectangle(_big(0, _TABLE_BOTTOM, WIDTH, height), fill=_DARK)
    for y in (_HEADER, _TABLE_BOTTOM):
        draw.line(_big(0, y, WIDTH, y), fill=GOLD, width=SCALE)
    return picture


def _header(draw: ImageDraw.ImageDraw, view: TableView) -> None:
    title = f"{view.code.capitalize()}, deal {view.deal}"
    _text(draw, (40, 38), title, 34)
    _text(draw, (64 + _width(title, 34), 40), f"dealt by {seat_name(view.dealer)}", 24, ink=_QUIET)
    if view.seconds_per_card is not None:
        pace = f"{view.seconds_per_card:.3g} s a card"
        _text(draw, (WIDTH - 40 - _width(pace, 24), 40), pace, 24, ink=_QUIET)


def _fan(picture: Image.Image, cards: tuple[Card | None, ...], centre: tuple[int, int], *, marked: Card | None) -> None:
    """Lay a hand in a shallow arc about `centre`, the card `marked` outlined."""
    hand = sorted_hand(cards)
    if not hand:
        _centred(ImageDraw.Draw(picture), centre, "no cards", 22, _QUIET)
        return
    offsets = [0.0]
    for left, right in pairwise(hand):
        gap = _SUIT_GAP if _place_in_hand(left)[0] != _place_in_hand(right)[0] else 0
        offsets.append(offsets[-1] + _STEP + gap)
    tight = min(1.0, _WIDEST_FAN / max(offsets[-1], 1.0))
    for card, offset in zip(hand, offsets, strict=True):
        away = (offset - offsets[-1] / 2) * tight
        turn = _TURN_DEG * away / _STEP
        spot = (centre[0] + away, centre[1] + 0.42 * abs(away) * math.sin(math.radians(abs(turn))))
        _lay(picture, card, spot, turn_deg=turn, marked=card is not None and card == marked)


def _lay(
    picture: Image.Image, card: Card | None, spot: tuple[float, float], *, turn_deg: float = 0.0, marked: bool = False
) -> None:
    """Lay one card with its middle at `spot`, rotated clockwise, over its own shadow."""
    tile = card_tile(card, marked=marked).rotate(-turn_deg, Image.Resampling.BILINEAR, expand=True)
    left, top = round(spot[0] * SCALE - tile.width / 2), round(spot[1] * SCALE - tile.height / 2)
    shadow = tile.getchannel("A").point(lambda alpha: alpha * 2 // 5).filter(ImageFilter.GaussianBlur(3 * SCALE))
    picture.paste((4, 22, 14), (left - 2 * SCALE, top + 2 * SCALE), shadow)
    picture.paste(tile, (left, top), tile)


def _plate(draw: ImageDraw.ImageDraw, seat: Seat, view: TableView) -> None:
    """Write the seat's name below its hand, with counters for the parts its player has."""
    x, middle = _FAN_CENTRES[seat]
    y = middle + CARD_HEIGHT / 2 + 46
    parts = [
        letter
        for letter, holder in (("D", view.dealer), ("P", pone_of(view.dealer)), ("E", left_of(view.dealer)))
        if holder is seat
    ]
    cards = len(view.hands.get(seat, ()))
    name, count = seat_name(seat), counted(cards, "card")
    wide = 34 * len(parts) + _width(name, 26) + 14 + _width(count, 19)
    left = x - wide / 2
    draw.rounded_rectangle(_big(left - 20, y - 22, left + wide + 20, y + 22), 22 * SCALE, fill=(11, 48, 33))
    for letter in parts:
        _counter(draw, letter, (left + 12, y))
        left += 34
    _text(draw, (left, y), name, 26)
    _text(draw, (left + _width(name, 26) + 14, y + 2), count, 19, ink=_QUIET)


def _counter(draw: ImageDraw.ImageDraw, letter: str, centre: tuple[float, float]) -> None:
    colour, ink, _ = _PARTS[letter]
    x, y = centre
    draw.ellipse(_big(x - 14, y - 14, x + 14, y + 14), fill=colour)
    _centred(draw, (x, y), letter, 19, ink)


def _trump_spot(picture: Image.Image, draw: ImageDraw.ImageDraw, view: TableView) -> None:
    x, y = _CENTRE
    half_width, half_height = CARD_WIDTH / 2 + 12, CARD_HEIGHT / 2 + 12
    spot = _big(x - half_width, y - half_height, x + half_width, y + half_height)
    draw.rounded_rectangle(spot, 14 * SCALE, outline=_QUIET, width=SCALE)
    _centred(draw, (x, y - half_height - 22), "trump spot", 19, _QUIET)
    if view.trump is None:
        _centred(draw, (x, y), "no trump", 19, _QUIET)
        _centred(draw, (x, y + 24), "card", 19, _QUIET)
        return
    _lay(picture, view.trump, (x, y), marked=True)
    _centred(draw, (x, y + half_height + 24), view.trump.name, 22)


def _legend(draw: ImageDraw.ImageDraw) -> None:
    left, top = 40, _HEADER + 40
    for row, (letter, (_, _, meaning)) in enumerate(_PARTS.items()):
        _counter(draw, letter, (left + 14, top + 38 * row))
        _text(draw, (left + 42, top + 38 * row), meaning, 19, ink=_QUIET)
    for row, (sample, marked, meaning) in enumerate(
        ((PAPER, True, "trump card"), (UNKNOWN, False, "a card that is not known")), start=len(_PARTS)
    ):
        y = top + 38 * row
        outline = GOLD if marked else _QUIET
        draw.rounded_rectangle(_big(left + 3, y - 15, left + 25, y + 15), 4 * SCALE, sample, outline, 2 * SCALE)
        if not marked:
            _centred(draw, (left + 14, y), "?", 18)
        _text(draw, (left + 42, y), meaning, 19, ink=_QUIET)


def _reject_tray(picture: Image.Image, draw: ImageDraw.ImageDraw, cards: tuple[Card | None, ...]) -> None:
    right, y = WIDTH - 40, _HEADER + 120
    step = min(_STEP + 4, 300 / len(cards))
    first = right - CARD_WIDTH / 2 - 14 - step * (len(cards) - 1)
    box = _big(first - CARD_WIDTH / 2 - 14, y - CARD_HEIGHT / 2 - 14, right, y + CARD_HEIGHT / 2 + 14)
    draw.rounded_rectangle(box, 14 * SCALE, outline=_QUIET, width=SCALE)
    for place, card in enumerate(cards):
        _lay(picture, card, (first + step * place, y))
    label = "reject tray"
    _text(draw, (right - 14 - _width(label, 19), y + CARD_HEIGHT / 2 + 34), label, 19, ink=_QUIET)
