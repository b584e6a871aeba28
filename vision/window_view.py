"""The window view: a camera that stands still over a read window, through which cards of one pack pass.

The first cards say how large a card is there. From then on the search is coarse, nothing is looked for beside the card,
and an outline of another size is that of two cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.decide import Verdict
from vision.doubts import Doubt
from vision.quads import side_lengths
from vision.recogniser import Limits, Recogniser

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.classify import IndexReader
    from vision.frame import Image
    from vision.recogniser import Examination


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowLimits:
    """How the window is learnt.

    Attributes:
        cards: that must have been read before their size is relied on.
        size: by how much width and height may differ from those of the cards before, parts.
        search_side_px: longer side of the picture that is searched once the size is known.
    """

    cards: int = 8
    size: float = 0.02
    search_side_px: int = 160


class WindowRecogniser:
    """Reads cards in one window, and remembers from look to look how large they are."""

    def __init__(
        self, reader: IndexReader, *, limits: Limits | None = None, window: WindowLimits | None = None
    ) -> None:
        limits = limits or Limits()
        self._window = window or WindowLimits()
        coarse = replace(limits.locate, search_side_px=self._window.search_side_px)
        self._first = Recogniser(reader, limits=limits)
        self._later = Recogniser(reader, limits=replace(limits, locate=coarse, beside=False))
        self._sizes: list[NDArray[np.float32]] = []

    @property
    def calibrated(self) -> bool:
        """Whether enough cards have been seen."""
        return len(self._sizes) >= self._window.cards

    def examine(self, image: Image) -> Examination:
        """Return everything that a look finds; see `vision.recogniser.Looker`."""
        look = (self._later if self.calibrated else self._first).examine(image)
        if look.verdict.doubt is not None:
            return look
        sides = side_lengths(look.outlines[-1].edges.corners)
        size = np.array([sides[0] + sides[2], sides[1] + sides[3]]) / 2
        if not self.calibrated:
            self._sizes.append(size.astype(np.float32))
            return look
        if float(np.abs(size / np.median(self._sizes, axis=0) - 1).max()) > self._window.size:
            return replace(look, verdict=Verdict(confidence=look.verdict.confidence, doubt=Doubt.OTHER_SIZE))
        return look
