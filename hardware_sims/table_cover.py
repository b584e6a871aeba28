"""Tables on which one face lies open, a back, a packet or a hand over a part of it; and which part can be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware_sims.pack_art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from hardware_sims.seeded import Stream
from hardware_sims.table_art import Easel
from hardware_sims.table_chance import chance_table
from hardware_sims.table_hands import draw_hand
from hardware_sims.table_places import View
from hardware_sims.table_scene import SKINS, SLEEVES, Light, Pose, Reach, TableCard, TableScene, Wear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Grid = NDArray[np.bool_]

__all__ = ["MOST_COVERED", "Cover", "CoveredFace", "covered_table", "seen_of"]

MOST_COVERED: Final = 0.7
"""Largest part of the face that is covered."""


class Cover(StrEnum):
    """What lies over the face."""

    NOTHING = "nothing"
    BACK = "back"
    PACKET = "packet"
    HAND = "hand"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoveredFace:
    """A table with one open face outside the trump spot.

    Attributes:
        scene: the whole table.
        face: the open face.
        cover: what lies over it.
        seen: which of its square millimetres can be seen, `(89, 64) bool`, upright.
    """

    scene: TableScene
    face: TableCard
    cover: Cover
    seen: Grid

    @property
    def covered(self) -> float:
        """Part of the face that cannot be seen, in [0, 1]."""
        return 1.0 - float(self.seen.mean())

    @property
    def index_in_view(self) -> bool:
        """Whether the corner in which either index stands, 13 by 28 mm, can be seen whole."""
        return any(bool(turned[:28, :13].mean() > _WHOLE) for turned in (self.seen, self.seen[::-1, ::-1]))


def covered_table(seed: int, *, lights: Sequence[Light] = tuple(Light)) -> CoveredFace:
    """Return a table as chance has it with one open face, in three of four a part of it covered.

    >>> covered_table(5).covered <= MOST_COVERED
    True
    """
    stream = Stream(seed, "covered table")
    bare = chance_table(seed, faces=1, lights=lights)
    face = bare.cards[-1]
    cover = tuple(Cover)[stream.below(len(Cover))]
    if face.height != 0.0:  # nothing lies over a card in the air or on the floor
        cover = Cover.NOTHING
    aim = MOST_COVERED * stream.unit()
    best = CoveredFace(scene=bare, face=face, cover=Cover.NOTHING, seen=seen_of(face, bare))
    for _ in range(0 if cover is Cover.NOTHING else _TRIES):
        scene = _with_cover(bare, face, cover, stream)
        tried = CoveredFace(scene=scene, face=face, cover=cover, seen=seen_of(face, scene))
        if tried.covered <= MOST_COVERED and abs(tried.covered - aim) < abs(best.covered - aim):
            best = tried
        if abs(best.covered - aim) < _NEAR:
            break
    return best


_TRIES: Final = 12
_NEAR: Final = 0.08
_WHOLE: Final = 0.99


def _with_cover(bare: TableScene, face: TableCard, cover: Cover, stream: Stream) -> TableScene:
    if cover is Cover.HAND:
        return replace(bare, reaches=(*bare.reaches, _hand_over(face, stream)))
    turn, away = 2.0 * np.pi * stream.unit(), 15.0 + 65.0 * stream.unit()
    x, y = face.x + away * np.cos(turn), face.y + away * np.sin(turn)
    angle = 360.0 * stream.unit()
    backs = []
    for place in range(5 if cover is Cover.PACKET else 1):
        off_x, off_y, off_angle = (4.0 * stream.unit() - 2.0 for _ in range(3))
        backs.append(
            TableCard(
                card=face.card, face_up=False, x=x + off_x * bool(place), y=y + off_y * bool(place),
                angle_deg=angle + off_angle * bool(place),
            )
        )  # fmt: skip
    return replace(bare, cards=(*bare.cards, *backs))


def _hand_over(face: TableCard, stream: Stream) -> Reach:
    """Return a hand that comes from the table's edge and ends on the face or past it."""
    outward = np.degrees(np.arctan2(face.y, face.x))
    angle = outward + 180.0 + 120.0 * (stream.unit() - 0.5)
    past, aside = 110.0 * stream.unit() - 40.0, 70.0 * (stream.unit() - 0.5)
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    tip = np.array([face.x, face.y]) + past * along + aside * np.array([-along[1], along[0]])
    return Reach(
        x=float(tip[0]), y=float(tip[1]), angle_deg=float(angle), pose=tuple(Pose)[stream.below(len(Pose))],
        skin=stream.below(SKINS), sleeve=SLEEVES[stream.below(len(SLEEVES))], size=0.85 + 0.3 * stream.unit(),
        wear=tuple(Wear)[stream.below(len(Wear))],
    )  # fmt: skip


_VIEW: Final = View(width_px=1354)
"""One px is a millimetre."""


def seen_of(face: TableCard, scene: TableScene) -> Grid:
    """Return which of a face's square millimetres neither a later card nor a hand covers, `(89, 64) bool`, upright."""
    canvas = np.zeros((_VIEW.height_px, _VIEW.width_px, 3), np.uint8)
    easel = Easel(image=canvas, view=_VIEW)
    for card in scene.cards[scene.cards.index(face) + 1 :]:
        cv2.fillConvexPoly(canvas, np.rint(card.corners(_VIEW)).astype(np.int32), (255, 255, 255))
    if face.height <= 0.0:
        for reach in scene.reaches:
            draw_hand(easel, reach)
    size = (round(CARD_WIDTH_MM), round(CARD_HEIGHT_MM))
    upright = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    warp = cv2.getPerspectiveTransform(face.corners(_VIEW).astype(np.float32), upright)
    return np.asarray(cv2.warpPerspective(canvas, warp, size).max(axis=2) == 0)
