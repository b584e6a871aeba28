"""From findings in single pictures to exposures: each is told once, after two pictures agree."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.table import ExposedFace

__all__ = ["Exposure", "TableWatch", "WatchLimits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLimits:
    """When findings of different pictures are the same face.

    Attributes:
        agree_us: longest time between two pictures that agree, µs.
        forget_us: how long a face must be out of sight, µs, until it counts as a new exposure when it comes again: a
            hand that passes over it takes less. Another face that comes to the same place within this time is taken
            for the same one, unless both were read and differ.
        step: how far the middle of a face may move from one picture to the next that shows it, parts of its longer
            side.
    """

    agree_us: int = 500_000
    forget_us: int = 1_500_000
    step: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """A face was seen that must not be.

    Attributes:
        first_us: when the first of the two pictures was taken, µs.
        t_us: when the second was taken, µs.
        face: as the second shows it.
    """

    first_us: int
    t_us: int
    face: ExposedFace


@dataclass(frozen=True, slots=True, kw_only=True)
class _Track:
    """One face over time."""

    face: ExposedFace
    seen_us: int
    told: bool = False


_MOST: Final = 64
"""Faces that are followed at a time; a pack thrown on the table has no more."""


class TableWatch:
    """Follows the faces on the table from picture to picture.

    A face that is lawful where it lies is never told; taken from there to another place, it is. A face that goes on
    being seen is told once, wherever it is moved meanwhile.
    """

    def __init__(self, limits: WatchLimits | None = None) -> None:
        self._limits = limits or WatchLimits()
        self._tracks: list[_Track] = []
        self._last_us: int | None = None

    def look(self, faces: Sequence[ExposedFace], *, t_us: int) -> list[Exposure]:
        """Return the exposures that this picture brings to certainty.

        Args:
            faces: found in the picture, lawful ones too.
            t_us: when it was taken, µs; a picture that is not newer than the last tells nothing.
        """
        if self._last_us is not None and t_us <= self._last_us:
            return []
        self._last_us = t_us
        open_tracks = [track for track in self._tracks if t_us - track.seen_us <= self._limits.forget_us]
        exposures, followed = [], []
        for face in faces:
            if face.lawful:
                continue
            track = self._nearest(face, open_tracks)
            if track is None:
                followed.append(_Track(face=face, seen_us=t_us))
                continue
            open_tracks.remove(track)
            agreed = not track.told and t_us - track.seen_us <= self._limits.agree_us
            if agreed:
                exposures.append(Exposure(first_us=track.seen_us, t_us=t_us, face=face))
            known = replace(face, card=face.card or track.face.card)
            followed.append(replace(track, face=known, seen_us=t_us, told=track.told or agreed))
        self._tracks = (followed + open_tracks)[:_MOST]
        return exposures

    @property
    def pending(self) -> bool:
        """Whether the last picture shows a face that waits for a second one to agree."""
        return any(not track.told and track.seen_us == self._last_us for track in self._tracks)

    def forget(self) -> None:
        """Begin anew, as for a new deal: whatever is seen from now on is told."""
        self._tracks.clear()

    def _nearest(self, face: ExposedFace, tracks: list[_Track]) -> _Track | None:
        """Return the track that a face goes on with, or None for a new one."""
        reach = self._limits.step * math.dist(face.quad[2], face.quad[1])
        near = [
            (math.dist(face.centre, track.face.centre), track)
            for track in tracks
            if face.card is None or track.face.card in (face.card, None)
        ]
        away, track = min(near, key=lambda pair: pair[0], default=(math.inf, None))
        return track if away <= reach else None
