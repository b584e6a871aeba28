"""The window view: a camera that stands still over a read window, through which cards of one pack pass.

A calibrated window says where a card comes to rest and how large it is: a card there is found without a search, and an
outline of another size is that of two cards. Without a calibration, the first cards give one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from vision.decide import Verdict
from vision.doubts import Doubt
from vision.frame import must_be_image, name_of
from vision.locate import Located
from vision.recogniser import Limits, Recogniser, at_working_size, shipped_reader, sighting_of
from vision.window_calibration import WindowCalibration, of_quads, of_size, reduced
from vision.window_gate import GateLimits, WindowGate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.classify import IndexReader
    from vision.deck_match import DeckMatcher
    from vision.frame import Image
    from vision.recogniser import Examination
    from vision.sighting import Sighting

    Points = NDArray[np.float32]

_FIRST_CARDS: Final = 8
"""Cards that must have been read before their place and size are relied on."""

_UNSEEN: Final = 1.15
"""How much larger than a card the part of the window is that no frame with a card shows empty."""


class WindowRecogniser:
    """Reads cards in one window; it keeps the window's calibration, and what it learns until it has one."""

    def __init__(
        self,
        reader: IndexReader,
        *,
        limits: Limits | None = None,
        gate: GateLimits | None = None,
        calibration: WindowCalibration | None = None,
        decks: Sequence[DeckMatcher] = (),
    ) -> None:
        self._limits = limits or Limits()
        self._gate_limits = gate
        self._anywhere = Recogniser(reader, limits=self._limits, decks=decks)
        self._at_rest = Recogniser(reader, limits=replace(self._limits, beside=False), decks=decks)
        self._given = calibration
        self.begin()

    def begin(self) -> None:
        """Forget the place and the size of cards that were learnt, not those that were given; see `Looker`."""
        self._calibration: WindowCalibration | None = None
        self._gate: WindowGate | None = None
        if self._given is not None:
            self._rely_on(self._given)
        self._quads: list[Points] = []
        self._frames: list[NDArray[np.uint8]] = []

    @classmethod
    def shipped(cls, *, decks: Sequence[DeckMatcher] = ()) -> Self:
        """Return one that learns its window, with the index reader that belongs to this package.

        Raises:
            ModelError: its file is missing or damaged.
        """
        return cls(shipped_reader(), decks=decks)

    @property
    def calibration(self) -> WindowCalibration | None:
        """What is known of the window; None until enough cards have been read."""
        return self._calibration

    def look(self, image: Image) -> Sighting:
        """Return what the picture shows; see `vision.recogniser.Recogniser.look`."""
        return sighting_of(self.examine(image).verdict, frame=name_of(image))

    def examine(self, image: Image) -> Examination:
        """Return everything that a look finds; see `vision.recogniser.Looker`."""
        must_be_image(image)
        image = at_working_size(image, self._limits.working_side_px)
        if self._gate is None:
            look = self._anywhere.examine(image)
            if look.verdict.doubt is None:
                self._learn(look.image, look.outlines[-1].edges.corners)
            return look
        quad = self._gate.card(image)
        if quad is None:
            look = self._anywhere.examine(image)
        else:
            look = self._at_rest.examine_located(image, Located(quads=(quad,)))
        if look.verdict.doubt is None and not of_size(look.outlines[-1].edges.corners, self._card_size):
            return replace(look, verdict=Verdict(confidence=look.verdict.confidence, doubt=Doubt.OTHER_SIZE))
        return look

    def _learn(self, image: Image, corners: Points) -> None:
        """Remember a card that was read; the first cards together say where cards come to rest."""
        frame = reduced(image)
        if self._frames and frame.shape != self._frames[0].shape:
            self._quads, self._frames = [], []
        self._quads.append(corners)
        self._frames.append(frame)
        if len(self._quads) < _FIRST_CARDS:
            return
        learnt = of_quads(self._quads, self._frames)
        if isinstance(learnt, Doubt):
            del self._quads[0], self._frames[0]
            return
        scale = learnt.empty.shape[1] / image.shape[1]
        quad = learnt.corners * scale
        middle = quad.mean(axis=0)
        empty = learnt.empty.copy()
        cv2.fillConvexPoly(empty, np.rint(middle + (quad - middle) * _UNSEEN).astype(np.int32), (0,))
        self._rely_on(replace(learnt, empty=empty))

    def _rely_on(self, calibration: WindowCalibration) -> None:
        """Look for cards where a calibration says from now on."""
        self._calibration, self._card_size = calibration, calibration.size
        self._gate = WindowGate(calibration, limits=self._gate_limits)
