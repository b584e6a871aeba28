"""The recogniser on drawn frames: every card of the simulated packs, and everything that is no card."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware_sims.packs import BACKS, PACK_STYLES
from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Pack
from vision.classify import IndexReader, IndexReading
from vision.recogniser import Limits, Recogniser
from vision.sighting import Reason, State
from vision.training.packs import Corner, Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.cards import Card
    from vision.frame import Image

CARDS = Pack.of(52).cards


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser.shipped()


def lying(card: Card, seed: int, *, face: bool = True, off: float = 0.0) -> CardInView:
    """A card that lies a little out of place, as the seed says, and `off` mm more along the feed."""
    rng = np.random.default_rng(seed)
    x, y, angle = rng.normal(0, (1.0, 0.7, 0.8))
    turned = bool(rng.random() < 0.5)
    return CardInView(card=card, face_to_camera=face, x_mm=x + off, y_mm=y, angle_deg=angle, turned=turned)


def frame(*cards: CardInView, pack: str = "plain", back: str = "lattice", seed: int = 1) -> Image:
    return render_window(WindowScene(cards=cards, lamp=True, speed_mm_s=0, pack=pack, back=back, seed=seed))


@pytest.mark.parametrize("pack", PACK_STYLES)
def test_all_cards_of_a_simulated_pack_are_read(recogniser: Recogniser, pack: str) -> None:
    seen = [recogniser.look(frame(lying(card, seed), pack=pack, seed=seed)) for seed, card in enumerate(CARDS)]
    assert [sighting.card for sighting in seen] == list(CARDS)
    assert min(sighting.confidence for sighting in seen) >= Limits().decision.confidence


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_card_is_read_in_every_quarter_turn(recogniser: Recogniser, turns: int) -> None:
    for seed, card in enumerate(CARDS[::7]):
        turned = np.ascontiguousarray(np.rot90(frame(lying(card, seed)), turns))
        assert recogniser.look(turned).card == card


def test_a_large_picture_is_read_as_a_small_one_is(recogniser: Recogniser) -> None:
    large = cv2.resize(frame(lying(CARDS[20], 4)), (4000, 3000), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    assert recogniser.look(large).card == CARDS[20]


@pytest.mark.parametrize("back", BACKS)
def test_a_back_is_a_face_not_seen(recogniser: Recogniser, back: str) -> None:
    for seed in range(6):
        sighting = recogniser.look(frame(lying(CARDS[seed], seed, face=False), back=back, seed=seed))
        assert sighting.state is State.FACE_NOT_SEEN
        assert sighting.card is None


def drawn_back(pattern: str, ink: tuple[int, int, int]) -> Image:
    """A back drawn by the plainest code, on the dark ground of a read window."""
    y, x = np.mgrid[0:350, 0:250]
    inked = {
        "stripes across": (y // 9) % 2 == 0,
        "stripes down": (x // 12) % 2 == 0,
        "slanting stripes": ((x + y) // 11) % 2 == 0,
        "checks": (x // 10 + y // 10) % 2 == 0,
        "dots": (x % 14 - 7) ** 2 + (y % 14 - 7) ** 2 < 20,
        "plain": np.ones_like(x, dtype=bool),
    }[pattern]
    card = np.full((350, 250, 3), 228, np.uint8)
    inside = np.zeros((350, 250), np.bool_)
    inside[14:-14, 14:-14] = True
    card[inked & inside] = ink
    image = np.full((480, 640, 3), 14, np.uint8)
    image[65:415, 195:445] = card
    noise = np.random.default_rng(7).normal(0, 2.5, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("ink", [(40, 35, 190), (170, 70, 30), (50, 50, 50)])
@pytest.mark.parametrize("pattern", ["stripes across", "stripes down", "slanting stripes", "checks", "dots", "plain"])
def test_no_back_is_ever_read_as_a_card(recogniser: Recogniser, pattern: str, ink: tuple[int, int, int]) -> None:
    sighting = recogniser.look(drawn_back(pattern, ink))
    assert sighting.state in {State.FACE_NOT_SEEN, State.NOT_SURE, State.TWO_CARDS}


def test_the_empty_window_is_empty(recogniser: Recogniser) -> None:
    for seed in range(5):
        sighting = recogniser.look(frame(seed=seed))
        assert sighting.state is State.EMPTY
        assert sighting.reason


@pytest.mark.parametrize("off", [-80, -62, 62, 80])
def test_a_card_not_wholly_in_view_is_partial(recogniser: Recogniser, off: float) -> None:
    for seed, card in enumerate(CARDS[::9]):
        assert recogniser.look(frame(lying(card, seed, off=off), seed=seed)).state is State.PARTIAL


@pytest.mark.parametrize("share", [-0.25, -0.12, -0.07, 0.07, 0.12, 0.25])
@pytest.mark.parametrize("pack", PACK_STYLES)
def test_two_cards_out_of_line_are_never_read_as_one(recogniser: Recogniser, pack: str, share: float) -> None:
    for seed in range(3):
        near, far = CARDS[seed * 11], CARDS[51 - seed * 7]
        off = share * 63.5
        sighting = recogniser.look(frame(lying(near, seed), lying(far, seed, off=off), pack=pack, seed=seed))
        assert sighting.state in {State.TWO_CARDS, State.NOT_SURE, State.PARTIAL}
        assert sighting.reason


def test_a_blurred_card_is_refused(recogniser: Recogniser) -> None:
    for seed, card in enumerate(CARDS[::4]):
        blurred = cv2.GaussianBlur(frame(lying(card, seed)), (0, 0), 7).astype(np.uint8)
        assert not recogniser.look(blurred).accepted


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 500, 3), (40, 40, 3)])
def test_a_picture_too_small_for_an_index_is_refused(recogniser: Recogniser, shape: tuple[int, ...]) -> None:
    sighting = recogniser.look(np.full(shape, 200, np.uint8))
    assert sighting.state is State.NOT_SURE
    assert sighting.reason is Reason.TOO_FEW_PIXELS


def test_noise_and_plain_light_are_no_card(recogniser: Recogniser) -> None:
    rng = np.random.default_rng(5)
    noise = rng.integers(0, 256, (480, 640, 3)).astype(np.uint8)
    for image in (noise, np.full((480, 640, 3), 250, np.uint8), np.full((350, 250, 3), 250, np.uint8)):
        assert not recogniser.look(image).accepted


def test_the_frame_is_named_by_the_hash_of_its_pixels(recogniser: Recogniser) -> None:
    image = frame(lying(CARDS[3], 3))
    assert recogniser.look(image).frame == hashlib.sha256(image.tobytes()).hexdigest()
    assert recogniser.look(image[:, ::-1]).frame == hashlib.sha256(image[:, ::-1].tobytes()).hexdigest()


def test_a_look_leaves_the_picture_and_the_next_look_as_they_were(recogniser: Recogniser) -> None:
    image = frame(lying(CARDS[30], 1))
    before = image.copy()
    first = recogniser.look(image)
    recogniser.look(frame(lying(CARDS[31], 2)))
    assert np.array_equal(image, before)
    assert recogniser.look(image) == first


class Says(IndexReader):
    """A reader that answers every pair of crops with the same two readings."""

    def __init__(self, *pair: IndexReading) -> None:
        self._pair = pair

    def read(self, crops: Sequence[Image]) -> list[IndexReading]:
        return list(self._pair) * (len(crops) // 2)


def reading(code: str, confidence: float = 0.99) -> IndexReading:
    rank = "A23456789TJQK-B".index(code[0])
    suit = "CDHS-".index(code[1])
    return IndexReading(rank=rank, suit=suit, rank_confidence=confidence, suit_confidence=1.0, back=confidence)


@pytest.mark.parametrize(
    ("one", "other", "state", "reason"),
    [
        (reading("KC"), reading("KC"), State.CARD, Reason.NONE),
        (reading("KC"), reading("KH"), State.NOT_SURE, Reason.INDICES_DIFFER),
        (reading("KC"), reading("KC", 0.5), State.NOT_SURE, Reason.NOT_SURE_ENOUGH),
        (reading("KC"), reading("--"), State.NOT_SURE, Reason.ONE_INDEX),
        (reading("--"), reading("--"), State.NOT_SURE, Reason.NO_INDEX),
        (reading("B-"), reading("B-"), State.FACE_NOT_SEEN, Reason.BACK),
        (reading("B-"), reading("B-", 0.5), State.NOT_SURE, Reason.NO_INDEX),
        (reading("B-"), reading("KC"), State.NOT_SURE, Reason.ONE_INDEX),
    ],
)
def test_both_corners_must_agree_and_be_sure(
    one: IndexReading, other: IndexReading, state: State, reason: Reason
) -> None:
    sighting = Recogniser(Says(one, other)).look(frame(lying(CARDS[12], 1)))
    assert sighting.state is state
    assert sighting.reason is reason


@pytest.mark.parametrize("code", ["QH", "9C", "TS", "AD"])
def test_a_card_with_a_covered_corner_is_told_by_its_reason(recogniser: Recogniser, code: str) -> None:
    """People hear the reason of a doubt while the deal is open."""
    card = next(card for card in CARDS if str(card) == code)
    scene = WindowScene(cards=(lying(card, 3),), lamp=True, speed_mm_s=0.0, pack=PACK_STYLES[0], back=BACKS[0], seed=3)
    frame = render_window(scene).copy()
    frame[66:190, 200:290] = np.percentile(frame, 95, axis=(0, 1))  # one index corner is covered with paper
    doubt = recogniser.look(frame)
    assert doubt.state is State.NOT_SURE
    assert doubt.reason is Reason.ONE_INDEX


def held(face: Image) -> Image:
    """A face on the dark ground of a read window."""
    image = np.full((480, 640, 3), 14, np.uint8)
    image[65:415, 195:445] = cv2.resize(face, (250, 350), interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.uint8)


def test_an_index_at_the_right_is_read(recogniser: Recogniser) -> None:
    read = 0
    for seed, card in enumerate(CARDS[::5]):
        code = str(card)
        face, _ = Style(9_000 + seed).face(code[0], code[1], np.random.default_rng(seed), corner=Corner.RIGHT)
        sighting = recogniser.look(held(face))
        assert sighting.card in {None, card}
        read += sighting.card == card
    assert read >= 5
