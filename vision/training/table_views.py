"""Labelled pieces of tables as a camera above sees them: faces among backs, packets, hands and things, or none.

A card on the table is `CARD_PX` wide. Of each cell of `CELL` by `CELL` px it is told what it shows, and of a cell of a
face where that face's middle lies and how it is turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cards import RANKS, SUITS
from vision.table_faces import CARD_PX, CELL
from vision.training.artwork import FREE_DECKS, read_deck
from vision.training.backs import draw_back, draw_texture
from vision.training.packs import Corner, Style
from vision.training.table_backs import (
    CARD_MM,
    TEXTURE,
    cards_back,
    emblem_back,
    lozenge_back,
    motif_back,
    picture_back,
    small,
)
from vision.training.table_canvas import BACK, FACE, Canvas, box, turned
from vision.training.table_exposure import expose
from vision.training.table_pieces import (
    Pen,
    any_colour,
    draw_box,
    draw_chips,
    draw_hand,
    draw_sheet,
    draw_thing,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image
    from vision.training.table_canvas import Points

SIDE: Final = 192
"""Side of a piece, px."""

_STYLES: Final = 1_200
_FACES_OF_STYLE: Final = 6
_BACKS: Final = 1_500
_HELD_OUT: Final = 150
"""Packs, and backs, that no weight is trained on."""

DOUBTFUL: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Views:
    """Pieces of tables and what their cells show.

    Attributes:
        images: `(N, SIDE, SIDE, 3) uint8 BGR`.
        kinds: `(N, SIDE / CELL, SIDE / CELL) int8`: `OTHER`, `BACK`, `FACE`, or `DOUBTFUL`.
        poses: `(N, 4, SIDE / CELL, SIDE / CELL) float16`: in a cell of a face, the way from the cell's middle to the
            face's in parts of `CARD_PX`, then cosine and sine of twice the angle of its long side.
    """

    images: NDArray[np.uint8]
    kinds: NDArray[np.int8]
    poses: NDArray[np.float16]


@lru_cache(maxsize=2)
def _faces(*, held_out: bool) -> list[Image]:
    """Return faces of procedural packs and of free artwork; those held out are in letters of their own."""
    faces = []
    for seed in range(_HELD_OUT if held_out else _STYLES):
        style, rng = Style(seed, held_out=held_out), np.random.default_rng((seed, 0xFACE5))
        for _ in range(_FACES_OF_STYLE):
            rank, suit = str(rng.choice(list(RANKS))), str(rng.choice(list(SUITS)))
            corner = Corner.LOWER if rng.random() < 0.06 else Corner.LEFT
            faces.append(small(style.face(rank, suit, rng, corner=corner)[0]))
        if rng.random() < 0.15:
            faces.append(small(style.joker(rng)))
    return faces if held_out else faces + _free_faces()


def _free_faces() -> list[Image]:
    """Return the faces of free artwork; courts and jokers, better drawn than those of procedural packs, three times."""
    faces = []
    for deck in FREE_DECKS:
        for code, card in read_deck(deck.name).items():
            if not code.startswith("BACK"):
                faces += [small(card)] * (3 if code[0] in "JQK" else 1)
    return faces


@lru_cache(maxsize=2)
def _backs(*, held_out: bool) -> list[Image]:
    """Return backs of procedural packs and of free artwork, or others that are held out."""
    rng = np.random.default_rng((0xBAC5, 1) if held_out else 0xBAC5)
    backs = []
    for number in range(_HELD_OUT if held_out else _BACKS):
        draw = (draw_back, draw_back, draw_back, motif_back, emblem_back, picture_back)[number % 6]
        backs.append(small(draw(rng)))
    pictured = _faces(held_out=held_out)
    backs += [cards_back(rng, pictured) for _ in range(len(backs) // 8)]
    backs += [lozenge_back(rng) for _ in range(len(backs) // 10)]
    return backs if held_out else backs + _free_backs()


def _free_backs() -> list[Image]:
    """Return the backs of free artwork, each five times."""
    backs = []
    for deck in FREE_DECKS:
        backs += [small(card) for code, card in read_deck(deck.name).items() if code.startswith("BACK")] * 5
    return backs


@lru_cache(maxsize=8)
def _outline(radius_mm: int) -> NDArray[np.uint8]:
    """Return the outline of a card's print with round corners, 255 inside."""
    width, height = TEXTURE
    radius = max(radius_mm * width / CARD_MM[0], 0.5)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    out_x = np.maximum(radius - np.minimum(x, width - x), 0)
    out_y = np.maximum(radius - np.minimum(y, height - y), 0)
    return np.asarray(np.clip((radius - np.hypot(out_x, out_y) + 0.5) * 255, 0, 255), np.uint8)


def _ground(rng: np.random.Generator) -> Image:
    ground = draw_texture(rng, SIDE, SIDE)
    if rng.random() < 0.3:  # a table is darker than paper, mostly
        ground = (ground * rng.uniform(0.3, 0.8)).astype(np.uint8)
    if rng.random() < 0.25:  # the table's edge
        away, angle = rng.uniform(-60, 60), rng.uniform(0, 6.3)
        edge = turned(box(600, 300) + np.array([0, 150 + away]), angle) + SIDE / 2
        cv2.fillPoly(ground, [np.rint(edge).astype(np.int32)], any_colour(rng, 10, 130), cv2.LINE_AA)
        cv2.polylines(ground, [np.rint(edge).astype(np.int32)], True, any_colour(rng, 10, 90), 5, cv2.LINE_AA)
    return np.ascontiguousarray(ground)


class _Table:
    """One piece of a table under way."""

    def __init__(self, rng: np.random.Generator, *, held_out: bool) -> None:
        self._rng = rng
        self.canvas = Canvas(_ground(rng))
        self.scale = CARD_PX / CARD_MM[0]
        faces, backs = _faces(held_out=held_out), _backs(held_out=held_out)
        self._face = faces[int(rng.integers(len(faces)))]
        self._backs = [backs[int(rng.integers(len(backs)))] for _ in range(2)]
        self._radius = int(rng.choice([2, 3, 3, 4, 5]))

    def anywhere(self) -> Points:
        return np.asarray(self._rng.uniform(0, SIDE, 2))

    def pen(self, at: Points, angle: float, size: float = 1.0) -> Pen:
        return Pen(canvas=self.canvas, at=at, angle=angle, scale=self.scale * size)

    def lay(self, at: Points, angle: float, *, face: bool, size: float = 1.0, other_back: bool = False) -> None:
        """Lay a card down, leaning a little where it is not on the table."""
        rng = self._rng
        quad = turned(box(*CARD_MM) * self.scale * size, angle) + at
        if size != 1.0:
            middle = quad.mean(axis=0)
            lean = 1 + rng.uniform(-0.04, 0.04) * np.sign(turned(box(1, 1), 0.0)[:, 1:])
            quad = middle + (quad - middle) * lean * (1, rng.uniform(0.93, 1))
        soft = (0.4 + 0.6 * rng.random() + max(size - 1, 0) * 60) * self.scale
        self.canvas.shadow(quad + soft * rng.uniform(-0.8, 0.8, 2), soft=soft, depth=rng.uniform(0.1, 0.5))
        texture = self._face if face else self._backs[int(other_back)]
        self.canvas.card(texture, _outline(self._radius), quad, face=face)

    def packet(self, at: Points, angle: float) -> None:
        """Lay some backs on each other, not quite squared."""
        spread = self._rng.uniform(0.3, 4.0) * self.scale
        for _ in range(int(self._rng.integers(2, 6))):
            off, twist = self._rng.uniform(-spread, spread, 2), self._rng.uniform(-0.06, 0.06)
            self.lay(at + off, angle + twist, face=False)

    def tray(self, at: Points, angle: float) -> None:
        """Draw a tray or spot of a machine, light, dark or coloured, with its rim."""
        size = self._rng.uniform((76, 100), (170, 130))
        rim, floor = any_colour(self._rng, 15, 150), any_colour(self._rng, 10, 90)
        pen = self.pen(at, angle)
        pen.polygon(box(*size), rim)
        pen.polygon(box(*(size - self._rng.uniform(4, 14))), floor)

    def hand(self, tip: Points) -> None:
        self.draw_hand_at(tip, self._rng.uniform(0, 2 * np.pi))

    def draw_hand_at(self, tip: Points, angle: float) -> None:
        draw_hand(self.pen(tip, angle, self._rng.uniform(0.8, 1.25)), self._rng)

    def arm(self) -> None:
        """Draw an arm whose sleeve lies across, the hand elsewhere."""
        angle = self._rng.uniform(0, 2 * np.pi)
        along = np.array([np.cos(angle), np.sin(angle)])
        self.draw_hand_at(self.anywhere() + along * self._rng.uniform(190, 480) * self.scale, angle)

    def cover_most(self, at: Points) -> None:
        """Cover the face that was laid last at a point so that less than its half is left, or about that."""
        canvas, mine = self.canvas, len(self.canvas.faces) - 1
        whole = canvas.seen_of(mine)
        for _ in range(_TRIES):
            before = canvas.image.copy(), canvas.kind.copy(), canvas.owner.copy()
            self.cover_of(at, by_cards=self._rng.random() < 0.6)
            if _LEAST_LEFT * whole <= canvas.seen_of(mine) <= _MOST_LEFT * whole:
                break
            canvas.image, canvas.kind, canvas.owner = before

    def cover_of(self, at: Points, *, by_cards: bool = False) -> None:
        """Lay a back, a packet or, unless by cards alone, a hand or a sheet over a part of what lies at a point."""
        rng = self._rng
        turn, away = rng.uniform(0, 2 * np.pi), rng.uniform(12, 80) * self.scale
        beside, angle = at + away * np.array([np.cos(turn), np.sin(turn)]), rng.uniform(0, 2 * np.pi)
        match rng.uniform(0, _CARDS if by_cards else 1):
            case chance if chance < 0.3:
                self.lay(beside, angle, face=False, other_back=rng.random() < 0.2)
            case chance if chance < _CARDS:
                self.packet(beside, angle)
            case chance if chance < 0.95:
                past, aside = rng.uniform(-40, 75) * self.scale, rng.uniform(-38, 38) * self.scale
                along = np.array([np.cos(angle), np.sin(angle)])
                self.draw_hand_at(at + past * along + aside * np.array([-along[1], along[0]]), angle)
            case _:
                draw_sheet(self.pen(beside, angle), rng)


_CARDS: Final = 0.57
"""Part of what covers that is cards."""

_TRIES: Final = 10
_LEAST_LEFT: Final = 0.27
_MOST_LEFT: Final = 0.52
"""Part of a face that is left where most of it is covered, and how often it is tried."""

_ARMS: Final = 0.3
_FACES: Final = 0.5
"""Part of the pieces across which a sleeve lies, and in which there is a face."""


def _table(rng: np.random.Generator, *, held_out: bool) -> Canvas:
    """Return a piece of a table."""
    table = _Table(rng, held_out=held_out)
    if rng.random() < 0.08:  # seen from elsewhere, or a camera set otherwise
        table.scale *= rng.uniform(0.85, 1.15)
    _lay_around(table, rng)
    if rng.random() < 0.2:
        table.hand(table.anywhere())
    if rng.random() < _ARMS:
        table.arm()
    if rng.random() < _FACES:
        _lay_faces(table, rng)
    else:
        _lay_none(table, rng)
    if rng.random() < 0.12:
        table.hand(table.anywhere())
    return table.canvas


def _lay_around(table: _Table, rng: np.random.Generator) -> None:
    """Lay some of what a table has on it."""
    for _ in range(int(rng.integers(0, 3))):
        table.tray(table.anywhere(), float(rng.choice([0, np.pi / 2, rng.uniform(0, 6.3)])))
    for _ in range(int(rng.integers(0, 3))):
        match int(rng.integers(5)):
            case 0:
                table.packet(table.anywhere(), rng.uniform(0, 6.3))
            case 1:
                table.lay(table.anywhere(), rng.uniform(0, 6.3), face=False)
            case 2:
                draw_sheet(table.pen(table.anywhere(), rng.uniform(0, 6.3)), rng)
            case 3:
                draw_box(table.pen(table.anywhere(), rng.uniform(0, 6.3)), rng)
            case _:
                draw_thing(table.pen(table.anywhere(), rng.uniform(0, 6.3)), rng)


def _lay_faces(table: _Table, rng: np.random.Generator) -> None:
    for _ in range(1 if rng.random() < 0.85 else 2):
        at, angle = rng.uniform(SIDE * 0.2, SIDE * 0.8, 2), float(rng.uniform(0, 2 * np.pi))
        if rng.random() < 0.35:  # squared on a packet in a tray
            if rng.random() < 0.7:
                table.tray(at + rng.uniform(-4, 4, 2), angle)
            table.packet(at + rng.uniform(-4, 4, 2), angle + rng.uniform(-0.1, 0.1))
        match rng.random():
            case chance if chance < 0.12:
                table.lay(at, angle, face=True, size=float(rng.uniform(1.06, 1.3)))
            case chance if chance < 0.2:
                table.lay(at, angle, face=True, size=float(rng.uniform(0.64, 0.8)))
            case chance if chance < 0.3:
                table.lay(at, angle, face=True)
            case chance if chance < 0.7:
                table.lay(at, angle, face=True)
                table.cover_most(at)
            case _:
                table.lay(at, angle, face=True)
                table.cover_of(at)


def _lay_none(table: _Table, rng: np.random.Generator) -> None:
    """Lay what is no face as a face would lie, and cover it likewise."""
    at, angle = rng.uniform(SIDE * 0.2, SIDE * 0.8, 2), float(rng.uniform(0, 2 * np.pi))
    match rng.random():
        case chance if chance < 0.2:
            draw_sheet(table.pen(at, angle), rng)
            if rng.random() < 0.4:
                draw_chips(table.pen(at, angle), rng, 45)
        case chance if chance < 0.45:
            draw_box(table.pen(at, angle, float(rng.uniform(0.95, 1.1))), rng)
        case chance if chance < 0.53:
            draw_thing(table.pen(at, angle), rng)
        case chance if chance < 0.74:
            if rng.random() < 0.7:
                table.tray(at + rng.uniform(-4, 4, 2), angle)
            table.packet(at, angle)
        case chance if chance < 0.8:
            table.lay(at, angle, face=False, size=float(rng.choice([0.7, 1.15])) * float(rng.uniform(0.95, 1.1)))
        case _:
            table.lay(at, angle, face=False, other_back=rng.random() < 0.3)
    if rng.random() < 0.7:  # hands over backs look like faces more than backs alone do
        table.cover_of(at)


_CLEAR: Final = 0.4
_NONE: Final = 0.12
"""Part of a cell that a face fills for it to be one of a face, and up to which it is none; between them it is
doubtful."""


def _labels(canvas: Canvas) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    cells = SIDE // CELL
    tiles = canvas.kind.reshape(cells, CELL, cells, CELL)
    face, back = ((tiles == kind).mean(axis=(1, 3)) for kind in (FACE, BACK))
    kinds = np.where(back > 0.5, BACK, 0).astype(np.int8)
    kinds[face > _NONE] = DOUBTFUL
    kinds[face >= _CLEAR] = FACE
    poses = np.zeros((4, cells, cells), np.float16)
    owners = canvas.owner.reshape(cells, CELL, cells, CELL)
    shares = [(owners == number).mean(axis=(1, 3)) for number in range(len(canvas.faces))]
    for row, column in np.argwhere(kinds == FACE):
        laid = canvas.faces[int(np.argmax([share[row, column] for share in shares]))]
        middle = (column + 0.5) * CELL, (row + 0.5) * CELL
        poses[:, row, column] = (
            (laid.x - middle[0]) / CARD_PX, (laid.y - middle[1]) / CARD_PX,
            np.cos(2 * laid.angle), np.sin(2 * laid.angle),
        )  # fmt: skip
    return kinds, poses


def draw_views(seed: int, count: int, *, held_out: bool = False) -> Views:
    """Return `count` pieces of tables of one seed; those held out show packs that no weight is trained on."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, 0x7AB1E))
    images, kinds, poses = [], [], []
    for _ in range(count):
        canvas = _table(rng, held_out=held_out)
        images.append(expose(canvas.image, rng))
        kind, pose = _labels(canvas)
        kinds.append(kind)
        poses.append(pose)
    return Views(images=np.stack(images), kinds=np.stack(kinds), poses=np.stack(poses))
