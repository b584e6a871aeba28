"""The report of an enrolling in one picture: the pairs that are told apart worst, and the cards that were learnt worst.

Pure drawing: an enrolment goes in, pixels come out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.deck import PICTURE_HEIGHT, PICTURE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.enrol import CardQuality, Enrolment
    from vision.frame import Image

_SHOWN: Final = 6
"""Pairs, and cards, that are shown."""

_GAP: Final = 10
_LINE: Final = 20
"""Height of a line of words, px."""

_WIDTH: Final = 3 * (2 * PICTURE_WIDTH + 3 * _GAP) + _GAP
_PAPER: Final = 32
_INK: Final = (235, 235, 235)
_FAILED: Final = (80, 80, 240)


def draw_report(name: str, enrolment: Enrolment) -> Image:
    """Return the report, `(H, W, 3) uint8 BGR`."""
    rows = [_words([f"Deck {name}: {_outcome(enrolment)}"])]
    rows += [_words([check.said], failed=not check.passed) for check in enrolment.checks]
    rows += [_words(_folded(said), failed=True) for said in enrolment.refusals]
    qualities = enrolment.qualities
    if qualities:
        by_card = {quality.card: quality for quality in qualities}
        rows.append(_words(["", "Pairs that are told apart worst:"]))
        worst = {frozenset((one.card, one.rival)): one for one in sorted(qualities, key=lambda one: -one.apart)}
        pairs = [(one, by_card[one.rival]) for one in sorted(worst.values(), key=lambda one: one.apart)[:_SHOWN]]
        rows += _grid([_pair(*pair) for pair in pairs])
        rows.append(_words(["", "Cards whose two pictures differ most:"]))
        rows += _grid([_card(one) for one in sorted(qualities, key=lambda one: one.alike)[:_SHOWN]])
    return np.vstack(rows).astype(np.uint8)


def _outcome(enrolment: Enrolment) -> str:
    if enrolment.refusals:
        return "refused"
    if enrolment.questions:
        return f"{len(enrolment.questions)} cards are not named"
    return f"{len(enrolment.qualities)} cards learnt"


def _pair(one: CardQuality, other: CardQuality) -> Image:
    words = f"{one.card} and {other.card}: {one.apart:.1f}"
    return _side_by_side((one.pictures[0], other.pictures[0]), words)


def _card(one: CardQuality) -> Image:
    return _side_by_side((one.pictures[0], one.pictures[-1]), f"{one.card}: {one.alike:.2f} alike")


def _side_by_side(pictures: tuple[Image, Image], words: str) -> Image:
    tile = np.full((PICTURE_HEIGHT + _LINE + _GAP, 2 * PICTURE_WIDTH + 3 * _GAP, 3), _PAPER, np.uint8)
    for place, picture in enumerate(pictures):
        left = _GAP + place * (PICTURE_WIDTH + _GAP)
        tile[:PICTURE_HEIGHT, left : left + PICTURE_WIDTH] = picture
    _write(tile, words, PICTURE_HEIGHT + _LINE - 5, _INK)
    return tile


def _grid(tiles: Sequence[Image]) -> list[Image]:
    """Return rows of three tiles, the last one filled up."""
    rows = []
    for first in range(0, len(tiles), 3):
        row = np.hstack(tiles[first : first + 3])
        rows.append(cv2.copyMakeBorder(row, 0, 0, 0, _WIDTH - row.shape[1], cv2.BORDER_CONSTANT, value=(_PAPER,) * 3))
    return [row.astype(np.uint8) for row in rows]


def _words(lines: Iterable[str], *, failed: bool = False) -> Image:
    lines = list(lines)
    strip = np.full((_LINE * len(lines) + 4, _WIDTH, 3), _PAPER, np.uint8)
    for place, line in enumerate(lines):
        _write(strip, line, _LINE * (place + 1) - 4, _FAILED if failed else _INK)
    return strip


def _write(picture: Image, words: str, baseline: int, colour: tuple[int, int, int]) -> None:
    cv2.putText(picture, words, (_GAP, baseline), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)


_LETTERS: Final = 92
"""Letters of a line."""


def _folded(text: str) -> list[str]:
    """Return a sentence in lines that fit."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
