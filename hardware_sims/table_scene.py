"""What the camera above the table has before it: a description of cards, packets, hands and other things.

The simulated world makes these values, and `hardware_sims.table_render` draws them. Lengths and axes as in
`hardware_sims.table_places`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.pack_art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from hardware_sims.table_places import Place, View, place_at

if TYPE_CHECKING:
    from hardware_sims.pack_art import Points
    from vision.cards import Card

CLOTHS: Final = ("green", "blue", "wine", "black", "wood")
"""What the table is covered with."""

SLEEVES: Final = (
    *("white", "black", "navy", "red", "grey", "beige", "striped", "checked", "denim", "bare"),
    *("dotted", "floral", "lettered", "tartan", "knit"),
)
"""What the arms at the table wear."""

SKINS: Final = 6
"""Tones of skin, from light to dark."""


class Light(StrEnum):
    """How the table is lit."""

    NEUTRAL = "neutral"
    WARM = "warm"
    COLD = "cold"
    DIM = "dim"
    BRIGHT = "bright"
    SIDE = "side"
    """From one side, with somebody's shadow across the table."""
    LAMP = "lamp"
    """One lamp over the middle; the table's edges are dark."""
    MIXED = "mixed"
    """Daylight from one side, a warm lamp from the other."""


class Where(StrEnum):
    """How high an exposed card is."""

    ON = "on"
    ABOVE = "above"
    BELOW = "below"


class Pose(StrEnum):
    """What a hand does."""

    FLAT = "flat"
    POINT = "point"
    PINCH = "pinch"
    """Forefinger and thumb hold something between them."""
    FIST = "fist"
    SPREAD = "spread"
    """The fingers apart, as over a packet that is spread."""
    CUPPED = "cupped"
    """The fingers bent, as around a packet."""


class Wear(StrEnum):
    """What a hand wears."""

    NOTHING = "nothing"
    RING = "ring"
    WATCH = "watch"
    BEADS = "beads"
    VARNISH = "varnish"
    """Red nails."""


class ThingKind(StrEnum):
    """What people put down on a card table."""

    CUP = "cup"
    PHONE = "phone"
    PAD = "pad"
    """A sheet to score on."""
    PENCIL = "pencil"
    COASTER = "coaster"
    CHIPS = "chips"
    BOX = "box"
    """What a pack is sold in, with a pip and a word on it."""
    NAMECARD = "namecard"
    """A visiting card, with a crest in its corner and lines of print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCard:
    """One card lying or held by itself.

    Attributes:
        card: what is printed on its face.
        face_up: whether the face is towards the camera.
        x: of its middle.
        y: of its middle.
        angle_deg: clockwise as the camera sees it.
        height: over the table top; negative below it.
        tilt_deg: by how much the card leans about its short middle line.
    """

    card: Card
    face_up: bool
    x: float
    y: float
    angle_deg: float = 0.0
    height: float = 0.0
    tilt_deg: float = 0.0

    @property
    def place(self) -> Place:
        """Where the camera sees its middle; a card in the air is over what it hides."""
        view = View(width_px=1)
        middle = self.corners(view).mean(axis=0) - np.array([view.width_px, view.height_px]) / 2.0
        return place_at(*(middle / view.px_per_mm))

    def corners(self, view: View) -> Points:
        """Return where the picture shows the corners, `(4, 2)` px, clockwise from the index corner."""
        half = np.array([CARD_WIDTH_MM, CARD_HEIGHT_MM]) / 2.0
        flat = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * half
        lean = np.radians(self.tilt_deg)
        heights = self.height + flat[:, 1] * np.sin(lean)
        flat = flat * np.array([1.0, np.cos(lean)])
        angle = np.radians(self.angle_deg)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        return view.to_pixels(flat @ turn + np.array([self.x, self.y]), heights)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePacket:
    """Cards lying face down on each other, not quite squared.

    Attributes:
        count: number of cards.
        x: of its middle.
        y: of its middle.
        angle_deg: clockwise as the camera sees it.
        spread: by how much single cards are off, mm.
    """

    count: int
    x: float
    y: float
    angle_deg: float = 0.0
    spread: float = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A hand that reaches into the picture, with its sleeve.

    Attributes:
        x: of the fingertips.
        y: of the fingertips.
        angle_deg: direction in which the fingers point, clockwise from the picture's x.
        pose: what the hand does.
        skin: tone, from 0 (light) to `SKINS - 1`.
        sleeve: one of `SLEEVES`.
        size: 1.0 is a grown hand lying on the table; one in the air looks larger.
        wear: what the hand wears.
    """

    x: float
    y: float
    angle_deg: float
    pose: Pose
    skin: int
    sleeve: str
    size: float = 1.0
    wear: Wear = Wear.NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something lying on the table that is no card.

    Attributes:
        kind: what it is.
        x: of its middle.
        y: of its middle.
        angle_deg: clockwise as the camera sees it.
        look: which of its looks.
    """

    kind: ThingKind
    x: float
    y: float
    angle_deg: float = 0.0
    look: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScene:
    """Everything a picture of the table depends on.

    Attributes:
        packets: face down in trays or on the table, the lower ones first.
        cards: single cards, the lower ones first; they lie on the packets.
        things: they lie on the cards.
        reaches: hands, over all that lies on the table.
        light: how the table is lit.
        cloth: one of `CLOTHS`.
        pack: name of the pack style the faces are printed in.
        back: name of the back.
        seed: small disorder and the noise of this exposure.
    """

    packets: tuple[TablePacket, ...] = ()
    cards: tuple[TableCard, ...] = ()
    things: tuple[Thing, ...] = ()
    reaches: tuple[Reach, ...] = ()
    light: Light = Light.NEUTRAL
    cloth: str = "green"
    pack: str = "plain"
    back: str = "lattice"
    seed: int = 0
