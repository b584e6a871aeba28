"""The picture a camera takes of the read window: the cards the scene names, lit, blurred and noisy.

Models: printed faces and backs with rounded corners, the slight tilt of a card that does not lie flat, a near card's
shadow on the one behind it, the lamp's fall-off, a mild reflection on one card in several, defocus, motion blur along
the feed, dirt on the glass that stays where it is, shot and read noise, sRGB.

Does not model: bent or worn cards, light through a card, the edge of the paper, lens distortion, rolling shutter,
flicker of the mains, compression, colour filter array.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware_sims.optics import (
    EXPOSURE_US,
    FRAME_HEIGHT,
    FRAME_WIDTH,
    PX_PER_MM,
    Light,
    expose,
    expose_darkness,
    to_linear,
    window,
)
from hardware_sims.pack_art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from hardware_sims.packs import draw_back, draw_face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware_sims.pack_art import Points
    from hardware_sims.scene import CardInView, WindowScene
    from vision.cards import Card
    from vision.frame import Image

__all__ = ["card_corners", "render_window"]

_CORNER_RADIUS_MM: Final = 3.4
_TEXTURE_PX_PER_MM: Final = 5
_TEXTURE_FULL: Final = 65535.0
_MARGIN_PX: Final = 14

_TILT_MM: Final = 0.22
_GLARE_ONE_IN: Final = 7
_SHADOW: Final = 0.7
_SHADOW_PX: Final = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lie:
    """How one card lies against the glass; the same in every frame of its stay.

    Attributes:
        tilt: `(4, 2)`, by how much each corner is off, mm.
        defocus_px: deviation of the blur.
        glare: strength of the reflection, linear light; mostly 0.
        glare_at: its centre in the picture, px.
    """

    tilt: tuple[tuple[float, float], ...]
    defocus_px: float
    glare: float
    glare_at: tuple[int, int]


def render_window(scene: WindowScene) -> Image:
    """Return the frame a camera takes of `scene`, `(480, 640, 3) uint8 BGR`; the same scene gives the same pixels."""
    if not scene.lamp:
        return expose_darkness(scene.seed)
    # The lamp's current wanders by a part in a hundred.
    brightness = 0.99 + 0.02 * (scene.seed * 0x9E3779B1 % 65536) / 65536.0
    light = window().behind * np.float32(brightness)
    _cards(light, scene, brightness)
    return expose(light, scene.seed)


def card_corners(seen: CardInView) -> Points:
    """Return where a card that lies quite flat has its corners, `(4, 2)` px, clockwise from the index corner."""
    return _to_pixels(_corners_mm(seen))


def _cards(light: Light, scene: WindowScene, brightness: float) -> None:
    """Put the cards of `scene` into the picture `light`, lit by a lamp of that relative brightness."""
    # The picture gathers light while the card moves: its centre is where the card is in mid-exposure.
    travel_mm = scene.speed_mm_s * EXPOSURE_US * 1e-6
    shift = np.array([travel_mm / 2.0, 0.0])
    quads = [_to_pixels(_corners_mm(seen) + np.array(_lie(_passage(seen)).tilt) + shift) for seen in scene.cards]
    part = _surroundings(quads)
    if part is None:
        return
    origin = np.array([part[1].start, part[0].start])
    paint = np.zeros_like(light[part])
    clear = np.ones_like(paint)
    for seen, quad in zip(reversed(scene.cards), reversed(quads), strict=True):
        _lay(paint, clear, _texture_of(seen, scene), quad - origin)
    lie = _lie(_passage(scene.cards[0]))
    along, across = _kernel(lie.defocus_px, abs(travel_mm) * PX_PER_MM), _kernel(lie.defocus_px, 0.0)
    cv2.sepFilter2D(paint, -1, along, across, dst=paint, borderType=cv2.BORDER_REPLICATE)
    cv2.sepFilter2D(clear, -1, along, across, dst=clear, borderType=cv2.BORDER_REPLICATE)
    if lie.glare > 0.0:
        _add_glare(paint, clear, lie, origin)
    lit = cv2.multiply(paint, window().lamp[part], scale=brightness)
    light[part] = cv2.add(cv2.multiply(light[part], clear), lit)


def _surroundings(quads: list[Points]) -> tuple[slice, slice] | None:
    """Return rows and columns of the picture in which the cards at `quads` can be seen, None where there are none."""
    if not quads:
        return None
    every = np.concatenate(quads)
    size = np.array([FRAME_WIDTH, FRAME_HEIGHT])
    left, top = np.clip(np.floor(every.min(axis=0)).astype(int) - _MARGIN_PX, 0, size)
    right, bottom = np.clip(np.ceil(every.max(axis=0)).astype(int) + _MARGIN_PX, 0, size)
    if left >= right or top >= bottom:
        return None
    return slice(int(top), int(bottom)), slice(int(left), int(right))


def _lay(paint: Light, clear: Light, texture: NDArray[np.uint16], quad: Points) -> None:
    """Lay one card over what `paint` holds (1.0 for white paper) and take it from `clear`, both `(H, W, 3)`."""
    height, width = paint.shape[:2]
    rows, columns = texture.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, (quad - 0.5).astype(np.float32))
    warped = cv2.warpPerspective(texture, matrix, (width, height), flags=cv2.INTER_LINEAR)
    ink = cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR).astype(np.float32)
    cover = cv2.extractChannel(warped, 3).astype(np.float32) * np.float32(1.0 / _TEXTURE_FULL)
    if clear.min() < 1.0:
        # A card lies behind this one.
        paint *= (np.float32(1.0) - np.float32(_SHADOW) * cv2.GaussianBlur(cover, (0, 0), _SHADOW_PX))[:, :, None]
    gap = cv2.cvtColor(np.float32(1.0) - cover, cv2.COLOR_GRAY2BGR)
    paint[:] = cv2.scaleAdd(ink, 1.0 / _TEXTURE_FULL, cv2.multiply(paint, gap))
    clear[:] = cv2.multiply(clear, gap)


def _texture_of(seen: CardInView, scene: WindowScene) -> NDArray[np.uint16]:
    return _face(seen.card, scene.pack) if seen.face_to_camera else _back(scene.back)


@lru_cache(maxsize=64)
def _face(card: Card, pack: str) -> NDArray[np.uint16]:
    return _texture(draw_face(card, pack))


@lru_cache(maxsize=8)
def _back(back: str) -> NDArray[np.uint16]:
    return _texture(draw_back(back))


def _texture(art: Image) -> NDArray[np.uint16]:
    """Return artwork as linear light times cover, and the cover, `(H, W, 4)`, with the corners rounded."""
    width, height = round(CARD_WIDTH_MM * _TEXTURE_PX_PER_MM), round(CARD_HEIGHT_MM * _TEXTURE_PX_PER_MM)
    light = cv2.resize(to_linear(art), (width, height), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(_rounded(art.shape[1], art.shape[0]), (width, height), interpolation=cv2.INTER_AREA)
    texture = np.concatenate([light * cover[:, :, None], cover[:, :, None]], axis=2)
    return np.rint(texture * _TEXTURE_FULL).astype(np.uint16)


def _rounded(width: int, height: int) -> Light:
    """Return the outline of a card as a mask, `(height, width)`, 1.0 inside."""
    radius = round(_CORNER_RADIUS_MM * width / CARD_WIDTH_MM)
    mask = np.ones((height, width), np.float32)
    y, x = np.mgrid[0:radius, 0:radius] + 0.5
    corner = (np.hypot(radius - x, radius - y) <= radius).astype(np.float32)
    mask[:radius, :radius] = corner
    mask[:radius, -radius:] = corner[:, ::-1]
    mask[-radius:, :radius] = corner[::-1]
    mask[-radius:, -radius:] = corner[::-1, ::-1]
    return mask


def _corners_mm(seen: CardInView) -> Points:
    half = np.array([CARD_WIDTH_MM, CARD_HEIGHT_MM]) / 2.0
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * half
    angle = np.radians(seen.angle_deg + (180.0 if seen.turned else 0.0))
    # With y down, a positive angle turns clockwise.
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    placed: Points = corners @ turn + np.array([seen.x_mm, seen.y_mm])
    return placed


def _to_pixels(points_mm: Points) -> Points:
    return points_mm * PX_PER_MM + np.array([FRAME_WIDTH, FRAME_HEIGHT]) / 2.0


def _passage(seen: CardInView) -> str:
    """Return what is the same for a card in all frames of its stay and differs between cards: all but its way along."""
    return f"{seen.card}|{seen.face_to_camera}|{seen.y_mm:.4f}|{seen.angle_deg:.4f}|{seen.turned}"


@lru_cache(maxsize=256)
def _lie(passage: str) -> _Lie:
    digest = hashlib.blake2b(passage.encode(), digest_size=8).digest()
    rng = np.random.default_rng(int.from_bytes(digest, "little"))
    tilt = rng.uniform(-_TILT_MM, _TILT_MM, (4, 2))
    shines = rng.integers(_GLARE_ONE_IN) == 0
    return _Lie(
        tilt=tuple((float(dx), float(dy)) for dx, dy in tilt),
        defocus_px=float(rng.uniform(0.55, 0.9)),
        glare=float(rng.uniform(0.05, 0.16)) if shines else 0.0,
        glare_at=(int(rng.integers(240, 400)), int(rng.integers(120, 360))),
    )


def _add_glare(paint: Light, clear: Light, lie: _Lie, origin: NDArray[np.int_]) -> None:
    """Add the lamp's reflection on the varnish, an elongated spot."""
    height, width = paint.shape[:2]
    x = np.arange(width, dtype=np.float32) + np.float32(origin[0] - lie.glare_at[0])
    y = np.arange(height, dtype=np.float32) + np.float32(origin[1] - lie.glare_at[1])
    spot = np.float32(lie.glare) * np.exp(-0.5 * (y / 16.0) ** 2)[:, None] * np.exp(-0.5 * (x / 52.0) ** 2)
    paint += spot[:, :, None] * (1.0 - clear)


@lru_cache(maxsize=1024)
def _kernel(defocus_px: float, travel_px: float) -> NDArray[np.float32]:
    """Return the blur of a lens and of `travel_px` of motion during the exposure, along one axis."""
    reach = int(np.ceil(3.0 * defocus_px + travel_px / 2.0))
    at = np.arange(-reach, reach + 1)[:, None]
    path = np.linspace(-0.5, 0.5, max(1, 2 * int(np.ceil(travel_px)) + 1)) * travel_px
    kernel = np.exp(-0.5 * ((at - path) / defocus_px) ** 2).sum(axis=1)
    return np.asarray(kernel / kernel.sum(), np.float32)
