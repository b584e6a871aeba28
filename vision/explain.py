"""The stages of one look drawn on the picture: what each of them found, and which of them ended the look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.doubts import Stage
from vision.index_crop import INDEX_HEIGHT, INDEX_WIDTH, VIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from vision.classify import IndexReading
    from vision.frame import Image
    from vision.recogniser import Examination, OutlineLook

    Points = NDArray[np.float32]

_ACCEPTED: Final = (60, 190, 60)
_REFUSED: Final = (40, 40, 230)
_ROUGH: Final = (200, 160, 60)
_INDEX: Final = (230, 180, 0)
_PIPS: Final = (200, 60, 200)
_TEXT: Final = (235, 235, 235)
_GROUND: Final = 32

_LEAST_WIDTH: Final = 640
"""Width a smaller picture is brought to, px, so that the lines can be told apart and the words fit."""

_LINE: Final = 22
"""Height of a line of words, px."""


def explain(look: Examination) -> Image:
    """Return the picture with the stages drawn on it and told below, `uint8 BGR`."""
    height, width = look.image.shape[:2]
    scale = max(_LEAST_WIDTH / width, 1.0)
    size = (round(width * scale), round(height * scale))
    drawn = cv2.resize(look.image, size, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    colour = _ACCEPTED if look.verdict.doubt is None else _REFUSED
    for window in look.windows:
        _outline(drawn, window * scale, _INDEX, 1)
    for outline in look.outlines:
        _draw_outline(drawn, outline, scale)
    lines = list(told(look))
    words = np.full((_LINE * len(lines) + _LINE // 2, size[0], 3), _GROUND, np.uint8)
    for place, line in enumerate(lines):
        shade = colour if place == len(lines) - 1 else _TEXT
        at = (8, _LINE * (place + 1) - 4)
        cv2.putText(words, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, shade, 1, cv2.LINE_AA)
    return np.vstack([drawn, words]).astype(np.uint8)


def told(look: Examination) -> Iterable[str]:
    """Yield what the stages found, a line each; the last one is the answer."""
    yield f"{Stage.GATE}: {_many(len(look.outlines), 'outline')} that may be a card"
    if look.windows:
        yield f"{Stage.INDEX}: {_many(len(look.windows), 'window')} with an index"
    for outline in look.outlines:
        edges = outline.edges
        if outline.quad.whole:
            yield f"{Stage.GEOMETRY}: the picture is nothing but the card"
        elif edges.found:
            yield f"{Stage.GEOMETRY}: edges {edges.width:.1%} wide, {edges.residual:.2%} off straight"
        else:
            yield f"{Stage.GEOMETRY}: no clear edges"
        for number, (one, other) in enumerate(outline.pairs, 1):
            yield f"{Stage.INDEX}: view {number}: {_reading(one)}, {_reading(other)}"
        if outline.deck is not None:
            deck = outline.deck
            yield f"{Stage.SECOND_OPINION}: deck {deck.deck}, likeness {deck.likeness:.2f}, clear {deck.clear:.2f}"
        if outline.pips is not None:
            count = outline.pips.count
            yield f"{Stage.SECOND_OPINION}: " + ("no pips to count" if count is None else _many(count, "pip"))
    verdict = look.verdict
    if verdict.doubt is None:
        yield f"{Stage.DECISION}: {verdict.code}, confidence {verdict.confidence:.2f}"
    else:
        yield f"{verdict.doubt.stage}: {verdict.doubt.state.value.replace('_', ' ')}: {verdict.doubt.reason}"


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _reading(reading: IndexReading) -> str:
    return f"{reading.code or 'none'} {reading.confidence:.2f}"


def _outline(picture: Image, quad: Points, colour: tuple[int, int, int], thickness: int) -> None:
    cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, colour, thickness, cv2.LINE_AA)


def _draw_outline(picture: Image, look: OutlineLook, scale: float) -> None:
    """Draw one outline: rough and refined, the places of the indices, and the pips that were counted."""
    colour = _ACCEPTED if look.verdict.doubt is None else _REFUSED
    _outline(picture, look.quad.corners * scale, _ROUGH, 1)
    corners = (look.edges.corners * scale).astype(np.float32)
    _outline(picture, corners, colour, 2)
    for view, _ in zip(VIEWS, look.pairs, strict=False):
        top, zoom = view
        right, bottom = INDEX_WIDTH * zoom, top + INDEX_HEIGHT * zoom
        window = np.array([[0, top], [right, top], [right, bottom], [0, bottom]], np.float32)
        for turn in (0, 2):
            _outline(picture, _on_card(np.roll(corners, -turn, axis=0), window), _INDEX, 1)
    for left, top, width, height in () if look.pips is None else look.pips.boxes:
        right, bottom = left + width, top + height
        pip = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        _outline(picture, _on_card(corners, pip), _PIPS, 1)


def _on_card(corners: Points, part: Points) -> Points:
    """Return points given in parts of the card as points of the picture."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    warp = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    points: Points = cv2.perspectiveTransform(part[None], warp)[0].astype(np.float32)
    return points
