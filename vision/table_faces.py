"""Find open faces of cards in a picture of the table: a small network tells of each cell of the picture what it shows.

A cell of a face also says where the middle of its card lies and how the card is turned, so that a face is found by
whatever of it can be seen: an index, pips, a part of a court. What may be a face is looked at again in other ways,
turned and in more light, and all looks together decide: what only seems a face seldom does so every way up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from vision.errors import ModelError
from vision.weights import session_of, shipped_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

    Points = NDArray[np.float32]
    Cells = NDArray[np.float32]

__all__ = ["CARD_PX", "CELL", "FaceFinder", "FinderLimits", "FoundFace", "is_face", "shipped_finder"]

CARD_PX: Final = 48
"""Width of a card in the picture that the network looks at, px."""

CELL: Final = 8
"""Side of a cell of that picture, px."""

KINDS: Final = 3
"""What a cell may show: anything else, a back, a face; in this order."""

POSES: Final = 4
"""What a cell of a face says of its card: the way to its middle, parts of `CARD_PX`, to the right and down; then cosine
and sine of twice the angle of its long side."""

_LONG_SIDE: Final = 1.4
"""Long side over short side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderLimits:
    """What makes a face of cells.

    Attributes:
        cell: least probability of a face in a cell that counts.
        near: farthest that the middle may lie from where the others say, for a cell to be of the same card, parts of
            a card's width.
        again: least probability, in the third surest cell and in each that counts, for what may be one to be looked at
            again.
        sure: least probability in the third surest cell, for an index to be looked for.
        alone: least probability in the third surest cell, from which on a face needs no index to speak for it.
        large: fewest cells, where its card lies, of a face of which less is asked; a card on the table has about 50.
        large_alone: `alone` of such a face.

    In 4,334 tables what was none came to 0.93, 0.86 and 0.83, all of them backs under hands, with 13 cells at most.
    """

    cell: float = 0.4
    near: float = 0.3
    again: float = 0.3
    sure: float = 0.5
    alone: float = 0.95
    large: float = 18.0
    large_alone: float = 0.75


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundFace:
    """What may be an open face.

    Attributes:
        quad: `(4, 2) float32`, where its corners would be if it lay on the table, px, clockwise from either index.
        seen: part of a card that is seen to be its face, in [0, 1].
        sure: probability of a face in the third surest cell.
        here: cells that show a face where its card lies; a whole card on the table has about 50.
    """

    quad: Points
    seen: float
    sure: float
    here: float


class FaceFinder:
    """The network, loaded from the bytes of its ONNX file; it keeps no state between pictures."""

    def __init__(self, weights: bytes) -> None:
        """Load the network.

        Raises:
            ModelError: the bytes are no finder of faces.
        """
        session = session_of(weights, "finder of faces")
        shape = session.get_inputs()[0].shape[1], session.get_outputs()[0].shape[1]
        if shape != (3, KINDS + POSES):
            raise ModelError(f"the finder of faces has the wrong shape {shape}; install pone again")
        self._session: Any = session
        self._input = session.get_inputs()[0].name

    def find(self, image: Image, card_width: float, limits: FinderLimits | None = None) -> list[FoundFace]:
        """Return what may be open faces, those of which most is seen first.

        Args:
            image: `(H, W, 3) uint8 BGR`.
            card_width: width of a card lying on the table, px.
            limits: of what makes a face.
        """
        limits = limits or FinderLimits()
        scale = CARD_PX / card_width
        if min(image.shape[:2]) * scale < CELL:  # it shows less than a cell
            return []
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        seen = _whole_cells(np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=method), np.uint8))
        told = self._looked_again(seen, self._told(seen), limits)
        found = faces_of(_likely(told), told[KINDS:], limits)
        return [replace(face, quad=face.quad / np.float32(scale)) for face in found]

    def _looked_again(self, seen: Image, told: Cells, limits: FinderLimits) -> Cells:
        """Return what cells come to, once all that may be a face has been looked at in every way."""
        perhaps = faces_of(_likely(told), told[KINDS:], replace(limits, cell=limits.again, sure=limits.again))
        rows, columns = told.shape[1:]
        if len(perhaps) * (2 * _IN_VIEW) ** 2 > rows * columns:  # then the whole picture takes less time than its parts
            return self._every_way(seen, told)
        both = told.copy()
        for face in perhaps:
            column, row = np.clip(face.quad.mean(axis=0) // CELL, 0, (columns - 1, rows - 1)).astype(int)
            top, left = max(row - _IN_VIEW, 0), max(column - _IN_VIEW, 0)
            part = seen[top * CELL : (row + _IN_VIEW) * CELL, left * CELL : (column + _IN_VIEW) * CELL]
            ways = self._every_way(part, told[:, top : row + _IN_VIEW, left : column + _IN_VIEW])
            first, start = max(row - _AROUND, 0), max(column - _AROUND, 0)
            of_face = ways[:, first - top : row + _AROUND - top, start - left : column + _AROUND - left]
            both[:, first : row + _AROUND, start : column + _AROUND] = of_face
        return both

    def _every_way(self, part: Image, told: Cells) -> Cells:
        """Return the mean of what cells of a part of the picture come to in every way.

        Args:
            part: it, of whole cells.
            told: what its cells come to as it is.
        """
        ways = [told]
        for gain in _GAINS:
            lit = cv2.convertScaleAbs(part, alpha=gain)
            turns = range(1 if gain == 1 else 0, 4)  # as it is, it has been looked at
            ways += [_turned_back(self._told(np.rot90(lit, quarters)), quarters) for quarters in turns]
        return np.asarray(np.mean(ways, axis=0), np.float32)

    def _told(self, seen: Image) -> Cells:
        """Return what the network says of each cell, `(KINDS + POSES, rows, columns) float32`."""
        told = self._session.run(None, {self._input: cv2.dnn.blobFromImage(np.ascontiguousarray(seen))})[0][0]
        return np.asarray(told, np.float32)


_GAINS: Final = (1.0, 1.35)
"""In how much light a part is looked at, over that of the picture. In 1,000 tables these left the fewest faces less
sure than the surest of what was none; darker looks added nothing, and mirrored ones took away."""

_IN_VIEW: Final = 18
_AROUND: Final = 10
"""How far around the middle of what may be a face is looked, and how far what was seen there holds: up to where a cell
still sees all that the network looks at around it; cells."""


def _whole_cells(seen: Image) -> Image:
    """Return a picture that whole cells fill, which it does turned as well."""
    height, width = seen.shape[:2]
    return np.asarray(cv2.copyMakeBorder(seen, 0, -height % CELL, 0, -width % CELL, cv2.BORDER_REPLICATE), np.uint8)


def _turned_back(told: Cells, quarters: int) -> Cells:
    """Return what the cells of a picture come to, of what they come to with it turned by quarters against the clock."""
    turned = np.rot90(told, -quarters, (1, 2))
    kinds, (x, y, cosine, sine) = turned[:KINDS], turned[KINDS:]
    for _ in range(quarters):
        x, y, cosine, sine = -y, x, -cosine, -sine
    return np.concatenate([kinds, [x, y, cosine, sine]])


def _likely(told: Cells) -> Cells:
    """Return the probability of a face in each cell, `(rows, columns) float32`."""
    odds = np.exp(told[:KINDS] - told[:KINDS].max(axis=0))
    return np.asarray(odds[-1] / odds.sum(axis=0), np.float32)


_HERE: Final = 0.8
"""How far from a card's middle cells are counted to tell whether little of it is seen, parts of its width."""

_SUREST: Final = 3
"""How many cells must be sure: one may err."""


def faces_of(likely: Cells, poses: Cells, limits: FinderLimits) -> list[FoundFace]:
    """Return the faces that cells come to, px of the network's picture, those of which most is seen first.

    Args:
        likely: `(rows, columns)`, probability of a face.
        poses: `(POSES, rows, columns)`.
        limits: of what makes a face.
    """
    rows, columns = np.nonzero(likely >= limits.cell)
    weights = likely[rows, columns]
    told = poses[:, rows, columns].T
    places = (np.stack([columns, rows], axis=1) + 0.5) * CELL
    middles = places + told[:, :2] * CARD_PX
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) <= limits.near * CARD_PX
    left = np.ones(len(weights), bool)
    found = []
    while left.any():
        rest = np.flatnonzero(left)
        best = rest[int((near[np.ix_(rest, rest)] @ weights[rest]).argmax())]
        mine = left & near[best]
        left &= ~mine
        weight, sure = float(weights[mine].sum()), float(np.sort(weights[mine])[-_SUREST:][0])
        if mine.sum() >= _SUREST and sure >= limits.sure:
            middle = np.average(middles[mine], axis=0, weights=weights[mine])
            cosine, sine = weights[mine] @ told[mine, 2:]
            quad = _quad(middle, float(np.arctan2(sine, cosine)) / 2)
            seen = min(weight * CELL * CELL / (CARD_PX * CARD_PX * _LONG_SIDE), 1.0)
            # Whatever card a cell says it is of, it shows what lies here.
            here = float(weights[np.linalg.norm(places - middle, axis=1) <= _HERE * CARD_PX].sum())
            found.append(FoundFace(quad=quad, seen=seen, sure=sure, here=here))
    return sorted(found, key=lambda face: -face.seen)


def is_face(found: FoundFace, limits: FinderLimits) -> bool:
    """Return whether what may be a face is one by its looks, whether an index can be read or not.

    Args:
        found: it.
        limits: of what makes a face.
    """
    return found.sure >= (limits.large_alone if found.here >= limits.large else limits.alone)


def _quad(middle: Points, angle: float) -> Points:
    """Return the corners of a card whose long side has an angle, clockwise from one at the end of a long side."""
    down = np.array([np.cos(angle), np.sin(angle)]) * CARD_PX * _LONG_SIDE / 2
    right = np.array([np.sin(angle), -np.cos(angle)]) * CARD_PX / 2
    return np.asarray(middle + np.stack([-right - down, right - down, right + down, down - right]), np.float32)


_WEIGHTS: Final = "face_finder.onnx"


def shipped_finder() -> FaceFinder:
    """Return the finder that belongs to this package.

    Raises:
        ModelError: its file is missing or damaged.
    """
    return FaceFinder(shipped_weights(_WEIGHTS, "finder of faces"))
