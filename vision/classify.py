"""The index reader: a small network that tells rank and suit from index crops, run by ONNX Runtime on one thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from vision.cards import RANKS, SUITS
from vision.errors import ModelError
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH
from vision.weights import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.frame import Image

NO_RANK: Final = len(RANKS)
"""Class of a crop that shows no readable English rank."""

BACK: Final = len(RANKS) + 1
"""Class of a crop that shows the back of a card."""

NO_SUIT: Final = len(SUITS)
"""Class of a crop that shows no readable suit."""

RANK_CLASSES: Final = len(RANKS) + 2
SUIT_CLASSES: Final = len(SUITS) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReading:
    """What one index crop says.

    Attributes:
        rank: the best class: a place in `RANKS`, `NO_RANK` or `BACK`.
        suit: the best class: a place in `SUITS`, or `NO_SUIT`.
        rank_confidence: probability of the rank, in [0, 1].
        suit_confidence: probability of the suit, in [0, 1].
        back: probability that this is the back of a card, in [0, 1].
    """

    rank: int
    suit: int
    rank_confidence: float
    suit_confidence: float
    back: float

    @property
    def confidence(self) -> float:
        """Of rank and suit together, in [0, 1]."""
        return self.rank_confidence * self.suit_confidence

    @property
    def code(self) -> str:
        """The card named by this crop alone, as in `"AS"`; empty where it names none."""
        if self.rank >= NO_RANK or self.suit >= NO_SUIT:
            return ""
        return RANKS[self.rank] + SUITS[self.suit]


class IndexReader:
    """The network, loaded from the bytes of its ONNX file; it keeps no state between crops."""

    def __init__(self, weights: bytes) -> None:
        """Load the network.

        Raises:
            ModelError: the bytes are no index reader.
        """
        session = session_of(weights, "index reader")
        shape = list(session.get_inputs()[0].shape[1:]), list(session.get_outputs()[0].shape[1:])
        if shape != ([3, CROP_HEIGHT, CROP_WIDTH], [RANK_CLASSES + SUIT_CLASSES]):
            raise ModelError(f"the index reader has the wrong shape {shape}; install pone again")
        self._session: Any = session
        self._input, self._outputs = session.get_inputs()[0].name, [session.get_outputs()[0].name]

    def read(self, crops: Sequence[Image]) -> list[IndexReading]:
        """Return what each crop says.

        Args:
            crops: whitened index crops, each `(CROP_HEIGHT, CROP_WIDTH, 3) uint8 BGR`.
        """
        return readings_of(*self.probabilities(crops))

    def probabilities(self, crops: Sequence[Image]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the probability of each rank and of each suit, `(crops, RANK_CLASSES)` and `(crops, SUIT_CLASSES)`.

        Args:
            crops: as for `read`.
        """
        batch = cv2.dnn.blobFromImages(crops)
        likely = softmax(self._session.run(self._outputs, {self._input: batch})[0])
        return likely[:, :RANK_CLASSES], likely[:, RANK_CLASSES:]


def readings_of(ranks: NDArray[np.float32], suits: NDArray[np.float32]) -> list[IndexReading]:
    """Return the readings that rows of probabilities come to."""
    return [_reading(rank, suit) for rank, suit in zip(ranks.tolist(), suits.tolist(), strict=True)]


def _reading(ranks: list[float], suits: list[float]) -> IndexReading:
    rank_confidence, suit_confidence = max(ranks), max(suits)
    return IndexReading(
        rank=ranks.index(rank_confidence),
        suit=suits.index(suit_confidence),
        rank_confidence=rank_confidence,
        suit_confidence=suit_confidence,
        back=ranks[BACK],
    )


def softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probabilities of the ranks, and those of the suits, that rows of scores of both come to.

    Args:
        scores: `(N, RANK_CLASSES + SUIT_CLASSES) float32`, the ranks first.
    """
    surest: NDArray[np.float32] = np.maximum.reduceat(scores, _FIRSTS, axis=1)
    likely = np.exp(scores - surest[:, _WHICH])
    sums: NDArray[np.float32] = np.add.reduceat(likely, _FIRSTS, axis=1)
    probabilities: NDArray[np.float32] = likely / sums[:, _WHICH]
    return probabilities


_FIRSTS: Final = np.array([0, RANK_CLASSES])
"""Where the scores of the ranks begin, and those of the suits."""

_WHICH: Final = np.repeat([0, 1], [RANK_CLASSES, SUIT_CLASSES])
"""Which of both each score is of."""
