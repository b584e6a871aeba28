"""Frames of a read window drawn from deck artwork, for evaluation alone: no line of this is shared with training.

The ranges are those of the survey's simulated window; level 1 is its plain case, 2 twice as far out of line, blurred
and dirty. Light is reckoned linear, the card lies near the middle of 640 × 480 px, and chance comes from one source.

Does not model: bent cards, a card on its way in or out, wear of the artwork, dust that stays over many frames.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.frame import Image

    Light = NDArray[np.float32]
    Points = NDArray[np.float32]

WIDTH: Final = 640
HEIGHT: Final = 480
_GAMMA: Final = 2.2
_TO_LINEAR: Final = ((np.arange(256) / 255.0) ** _GAMMA).astype(np.float32)
_FROM_LINEAR: Final = (255 * (np.arange(4096) / 4095.0) ** (1 / _GAMMA)).astype(np.uint8)
_PAPER: Final = 0.82
"""Part of the light that white paper throws back."""

_Y, _X = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFolder:
    """One deck of artwork.

    Attributes:
        name: of its folder.
        index: what kind of index it has, as the table of decks says.
        files: picture of each card, joker (`JK…`) and back (`BACK…`) by code.
    """

    name: str
    index: str
    files: dict[str, Path]

    @property
    def faces(self) -> list[str]:
        """Codes of the cards that are neither joker nor back."""
        return [code for code in self.files if not code.startswith(("JK", "BACK"))]

    @property
    def backs(self) -> list[str]:
        """Codes of the backs."""
        return [code for code in self.files if code.startswith("BACK")]


def read_decks(test_data: Path) -> list[DeckFolder]:
    """Return the decks of the test data in the order of their names."""
    with (test_data / "decks" / "decks.csv").open(encoding="utf-8", newline="") as table:
        kinds = {row["deck"]: row["index_style"] for row in csv.DictReader(table)}
    decks = []
    for name in sorted(kinds):
        files = {file.stem: file for file in sorted((test_data / "decks" / name).glob("*.jpg"))}
        decks.append(DeckFolder(name=name, index=kinds[name], files=files))
    return decks


@lru_cache(maxsize=3_000)
def artwork(file: Path) -> Image:
    """Return the picture of a card, filling its canvas."""
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{file} is no picture")
    return picture.astype(np.uint8)


@lru_cache(maxsize=1)
def _noise() -> Light:
    """Return a store of normal numbers; each frame takes a stretch of it from a place of its own."""
    return np.random.default_rng(0x0153).standard_normal(4 * HEIGHT * WIDTH * 3, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lie:
    """How a card lies: middle and height, px, angle in degrees, and how far its corners are out of square, px."""

    x: float
    y: float
    height: float
    angle: float
    skew: Points

    def corners(self, aspect: float) -> Points:
        """Return the corners on the sensor, `(4, 2) float32`."""
        half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]], np.float32) * self.height / 2
        turn = np.deg2rad(self.angle)
        matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.float32)
        return (half @ matrix + np.array([self.x, self.y], np.float32) + self.skew).astype(np.float32)


def draw_frame(
    rng: np.random.Generator,
    cards: tuple[Image, ...],
    *,
    level: float = 1.0,
    out_of_line: float = 0.0,
    shift: float = 0.0,
) -> Image:
    """Return what the camera sees: cards on the dark ground of the window, the last one on top.

    Args:
        rng: where all chance comes from.
        cards: pictures of cards; none for the empty window.
        level: how far everything is from the ideal.
        out_of_line: how far a lower card sticks out from under the top one along the feed, parts of a card's width.
        shift: how far the cards are from the middle along the feed, px.
    """
    light = np.full((HEIGHT, WIDTH, 3), 0.012 * rng.uniform(0.6, 2.0), np.float32)
    light[: HEIGHT // 25] = 0.004
    skew = rng.normal(0, 0.004 * level, (4, 2)).astype(np.float32)
    height = rng.uniform(300, 390)
    lie = _Lie(
        x=WIDTH / 2 + rng.normal(0, 12 * level) + shift,
        y=HEIGHT / 2 + rng.normal(0, 10 * level),
        height=height,
        angle=rng.normal(0, 1.5 * level),
        skew=skew * height,
    )
    for place, card in enumerate(cards):
        turned = np.ascontiguousarray(card[::-1, ::-1]) if rng.random() < 0.5 else card
        aspect = card.shape[1] / card.shape[0]
        if place < len(cards) - 1:
            under = _Lie(
                x=lie.x + rng.choice([-1, 1]) * out_of_line * aspect * height,
                y=lie.y + rng.uniform(-0.005, 0.005) * height,
                height=height,
                angle=lie.angle + rng.normal(0, 0.5),
                skew=lie.skew,
            )
            _lay(light, turned, under.corners(aspect))
        else:
            _lay(light, turned, lie.corners(aspect))
    _light_up(light, rng, level)
    light = _blur(light, rng, level)
    return _expose(light, rng, level)


def _lay(light: Light, card: Image, corners: Points) -> None:
    """Put a card with rounded corners and a soft shadow onto what is there."""
    height, width = card.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(source, corners)
    size = (WIDTH, HEIGHT)
    printed = cv2.warpPerspective(cv2.LUT(card, _TO_LINEAR), warp, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(_rounded(height, width), warp, size, flags=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(np.roll(cover, (4, 4), (0, 1)), (0, 0), 4) * np.float32(0.4)
    light *= (1 - shadow * (1 - cover))[..., None]
    light += cover[..., None] * (printed * np.float32(_PAPER) - light)


@lru_cache(maxsize=64)
def _rounded(height: int, width: int) -> Light:
    radius = round(0.045 * width)
    mask = np.zeros((height, width), np.float32)
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height - 1), (1.0,), -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - radius - 1), (1.0,), -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, (1.0,), -1)
    return mask


def _light_up(light: Light, rng: np.random.Generator, level: float) -> None:
    """Lay the lamp's fall-off over the window and, where it shines, a streak of glare."""
    lamp_x, lamp_y, reach = rng.uniform(0.3, 0.7) * WIDTH, rng.uniform(0.3, 0.7) * HEIGHT, rng.uniform(500, 900)
    light /= (1 + ((_X - lamp_x) ** 2 + (_Y - lamp_y) ** 2) / np.float32(reach**2))[..., None]
    if rng.random() < 0.35 * level:
        turn, narrow, wide = rng.uniform(0, np.pi), rng.uniform(10, 40), rng.uniform(40, 160)
        x, y = _X - rng.uniform(0.2, 0.8) * WIDTH, _Y - rng.uniform(0.2, 0.8) * HEIGHT
        across, along = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        streak = np.exp(-(across**2) / (2 * narrow**2) - along**2 / (2 * wide**2)).astype(np.float32)
        glossy = light.max(axis=2) > 0.1
        light += (np.float32(rng.uniform(0.1, 0.6)) * streak * glossy)[..., None]


def _blur(light: Light, rng: np.random.Generator, level: float) -> Light:
    """Blur by focus and by motion along the feed, lean by the rolling shutter, and put dirt on the glass."""
    light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 0.4 + level)).astype(np.float32)
    if rng.random() < 0.6:
        motion = rng.uniform(0, 10 * level)
        length = max(round(motion), 1)
        light = cv2.blur(light, (length, 1)).astype(np.float32)
        lean = motion * rng.uniform(0, 2)
        matrix = np.array([[1, lean / HEIGHT, -lean / 2], [0, 1, 0]], np.float32)
        light = cv2.warpAffine(light, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    for _ in range(int(rng.poisson(2 * level))):
        at = int(rng.uniform(0, WIDTH)), int(rng.uniform(0, HEIGHT))
        cv2.circle(light, at, int(rng.uniform(1, 5)), (float(rng.uniform(0.01, 0.15)),) * 3, -1)
    return light


def _expose(light: Light, rng: np.random.Generator, level: float) -> Image:
    """Return eight bits: exposure, white balance, the noise of photons and of reading, gamma, often JPEG."""
    del level  # a camera is what it is, however badly the card lies
    balance = np.array([rng.uniform(0.8, 1.15), 1.0, rng.uniform(0.85, 1.15)], np.float32)
    light = light * (balance * np.float32(rng.uniform(0.45, 1.25)))
    well, read = rng.uniform(1500, 9000), rng.uniform(0.001, 0.004)
    store = _noise()
    begin = int(rng.integers(len(store) - light.size))
    noise = store[begin : begin + light.size].reshape(light.shape)
    light += noise * np.sqrt(np.maximum(light, 0) / np.float32(well) + np.float32(read**2))
    image: Image = _FROM_LINEAR[(np.clip(light, 0, 1) * 4095).astype(np.uint16)]
    if rng.random() < 0.5:
        _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(55, 95))])
        decoded = cv2.imdecode(code, cv2.IMREAD_COLOR)
        image = image if decoded is None else decoded.astype(np.uint8)
    return image
