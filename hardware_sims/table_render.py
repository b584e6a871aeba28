"""The picture a camera over the table takes: cards, packets, hands and things, lit from the room.

Models: perspective of cards held over the table or lying on the floor, soft shadows, packets that are not squared,
the room's light with its colour and its gradients, defocus, noise that grows in the dark, values that saturate.

Does not model: glare on cards, bent cards, motion blur, lens distortion, compression, light from a phone's screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

import cv2
import numpy as np

from hardware_sims.pack_art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from hardware_sims.packs import draw_back, draw_face
from hardware_sims.seeded import Stream
from hardware_sims.table_art import Easel, bare_table
from hardware_sims.table_hands import draw_hand, draw_thumb
from hardware_sims.table_light import GAIN_SCALE, light_map
from hardware_sims.table_places import View
from hardware_sims.table_scene import Light, Pose, TableCard, TablePacket, TableScene
from hardware_sims.table_things import draw_thing
from vision.cards import Card

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.frame import Image

__all__ = ["FRAME_WIDTH", "Artwork", "PrintedPack", "render_table"]

FRAME_WIDTH: Final = 1280
"""Width of a picture, px: a card on the table is 60 px wide."""

_CORNER_RADIUS_MM: Final = 3.4
_DEFOCUS_PX: Final = 0.7
_SEEN_OF_PACKET: Final = 5
"""Upper cards of a packet that are drawn; the others hide behind them."""
_CARD_THICKNESS_MM: Final = 0.29


class Artwork(Protocol):
    """What is printed on the cards."""

    def face(self, card: Card) -> Image:
        """Return the face of `card`, upright, `uint8 BGR`, in a card's proportions."""
        ...

    def back(self) -> Image:
        """Return the back, as `face`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPack:
    """A pack of this project's own drawing.

    Attributes:
        style: of the faces.
        back_name: of the back.
    """

    style: str
    back_name: str

    def face(self, card: Card) -> Image:
        """Return the face of `card`."""
        return draw_face(card, self.style)

    def back(self) -> Image:
        """Return the back."""
        return draw_back(self.back_name)


def render_table(scene: TableScene, *, width_px: int = FRAME_WIDTH, artwork: Artwork | None = None) -> Image:
    """Return the picture of `scene`, `(3/4 W, W, 3) uint8 BGR`; the same scene gives the same pixels.

    Args:
        scene: what lies on the table.
        width_px: width of the picture.
        artwork: what is printed on the cards, where it is not the scene's own pack and back.
    """
    view = View(width_px=width_px)
    printed = artwork or PrintedPack(style=scene.pack, back_name=scene.back)
    easel = Easel(image=bare_table(scene.cloth, width_px).copy(), view=view)
    lying = [card for packet in scene.packets for card in _cards_of(packet, scene)]
    lying += [card for card in scene.cards if card.height <= 0.0]
    for card in lying:
        _lay(easel, card, printed)
    for thing in scene.things:
        draw_thing(easel, thing)
    for reach in scene.reaches:
        draw_hand(easel, reach)
    for card in (card for card in scene.cards if card.height > 0.0):
        _lay(easel, card, printed)
    for reach in (reach for reach in scene.reaches if reach.pose is Pose.PINCH):
        draw_thumb(easel, reach)
    return _expose(easel.image, scene)


_ANY: Final = Card.parse("AS")
"""What a card is whose face nobody sees."""


def _cards_of(packet: TablePacket, scene: TableScene) -> list[TableCard]:
    """Return the cards of a packet that can be seen, the lowest first."""
    stream = Stream(scene.seed, "packet", round(packet.x), round(packet.y), packet.count)
    cards = []
    for place in range(max(0, packet.count - _SEEN_OF_PACKET), packet.count):
        dx, dy = ((2 * stream.unit() - 1) * packet.spread for _ in range(2))
        angle = packet.angle_deg + (2 * stream.unit() - 1) * packet.spread
        height = place * _CARD_THICKNESS_MM
        cards.append(
            TableCard(card=_ANY, face_up=False, x=packet.x + dx, y=packet.y + dy, angle_deg=angle, height=height)
        )
    return cards


def _lay(easel: Easel, card: TableCard, printed: Artwork) -> None:
    """Draw one card with its shadow."""
    view, image = easel.view, easel.image
    quad = card.corners(view)
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(quad.min(axis=0)).astype(int) - 2, 0, (width, height))
    right, bottom = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 2, 0, (width, height))
    if left >= right or top >= bottom:
        return
    flat = (quad - np.array([view.width_px, view.height_px]) / 2.0) / view.px_per_mm
    lift = max(card.height, 0.0)
    easel.shadow(flat, reach=1.2 + 0.1 * lift, depth=0.45 if lift < _HELD_MM else 0.3)
    art = printed.face(card.card) if card.face_up else printed.back()
    texture = _texture(_Art(art), view.width_px)
    rows, columns = texture.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, (quad - (left, top) - 0.5).astype(np.float32))
    size = (int(right - left), int(bottom - top))
    cover = cv2.warpPerspective(_cover(rows, columns), matrix, size, flags=cv2.INTER_LINEAR)
    paint = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    part = image[top:bottom, left:right]
    part[:] = cv2.blendLinear(paint, part, cover, np.float32(1.0) - cover)


_HELD_MM: Final = 30.0


@dataclass(frozen=True, slots=True)
class _Art:
    """Artwork, told from other artwork by being the same array."""

    image: Image

    def __hash__(self) -> int:
        return id(self.image)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Art) and other.image is self.image


@lru_cache(maxsize=512)
def _texture(art: _Art, width_px: int) -> Image:
    """Return artwork at about twice the scale of the picture."""
    scale = 2.0 * View(width_px=width_px).px_per_mm
    size = (round(CARD_WIDTH_MM * scale), round(CARD_HEIGHT_MM * scale))
    return np.asarray(cv2.resize(art.image, size, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=8)
def _cover(rows: int, columns: int) -> NDArray[np.float32]:
    """Return the outline of a card with its rounded corners, 1.0 inside."""
    radius = _CORNER_RADIUS_MM * columns / CARD_WIDTH_MM
    y, x = np.mgrid[0:rows, 0:columns] + 0.5
    out_x = np.maximum(radius - np.minimum(x, columns - x), 0.0)
    out_y = np.maximum(radius - np.minimum(y, rows - y), 0.0)
    return np.asarray(np.clip(radius - np.hypot(out_x, out_y) + 0.5, 0.0, 1.0), np.float32)


_NOISE_SPARE: Final = 1 << 18
_NOISE: Final = {Light.DIM: 3.6, Light.LAMP: 2.6}
_USUAL_NOISE: Final = 1.7


def _expose(paint: Image, scene: TableScene) -> Image:
    """Return what the sensor makes of surfaces of these colours under the scene's light."""
    height, width = paint.shape[:2]
    lit = cv2.multiply(paint, light_map(scene.light, scene.seed, width), scale=GAIN_SCALE / 255.0)
    soft = cv2.GaussianBlur(lit, (0, 0), _DEFOCUS_PX * width / FRAME_WIDTH)
    start = (scene.seed * 0x9E3779B1) % _NOISE_SPARE
    values = height * width * 3
    noise = _noise_tape(_NOISE.get(scene.light, _USUAL_NOISE), values)[start : start + values]
    return np.asarray(cv2.add(soft, noise.reshape(height, width, 3), dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=4)
def _noise_tape(deviation: float, values: int) -> NDArray[np.int16]:
    normal = np.random.default_rng(31).standard_normal(values + _NOISE_SPARE, np.float32)
    return np.asarray(np.rint(normal * deviation), np.int16)
