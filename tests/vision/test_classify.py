"""The index reader: what it accepts as weights, and what it answers."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from vision.classify import (
    BACK,
    NO_RANK,
    RANK_CLASSES,
    SUIT_CLASSES,
    IndexReader,
    IndexReading,
    readings_of,
    softmax,
)
from vision.errors import ModelError
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH


@pytest.fixture(scope="module")
def weights() -> bytes:
    return (resources.files("vision") / "data" / "index_reader.onnx").read_bytes()


@pytest.mark.parametrize("damaged", [b"", b"no model", bytes(range(256)) * 8])
def test_bytes_that_are_no_network_are_refused(damaged: bytes) -> None:
    with pytest.raises(ModelError, match="install pone again"):
        IndexReader(damaged)


def test_weights_cut_short_are_refused(weights: bytes) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        IndexReader(weights[: len(weights) // 2])


def test_the_shipped_weights_stay_small(weights: bytes) -> None:
    assert len(weights) <= 800_000


def test_plain_crops_name_no_card(weights: bytes) -> None:
    crops = [np.full((CROP_HEIGHT, CROP_WIDTH, 3), level, np.uint8) for level in (0, 60, 128, 235)]
    readings = IndexReader(weights).read(crops)
    assert [reading.code for reading in readings] == [""] * 4


def test_a_crop_reads_the_same_alone_and_in_company(weights: bytes) -> None:
    reader = IndexReader(weights)
    crops = [
        np.random.default_rng(seed).integers(0, 255, (CROP_HEIGHT, CROP_WIDTH, 3)).astype(np.uint8) for seed in (1, 2)
    ]
    together = reader.read(crops)
    for crop, other in zip(crops, together, strict=True):
        (alone,) = reader.read([crop])
        assert alone.rank == other.rank
        assert alone.confidence == pytest.approx(other.confidence, abs=1e-4)


@pytest.mark.parametrize(
    ("rank", "suit", "code"), [(0, 3, "AS"), (9, 1, "TD"), (12, 0, "KC"), (NO_RANK, 2, ""), (BACK, 2, ""), (4, 4, "")]
)
def test_a_code_takes_a_rank_and_a_suit(rank: int, suit: int, code: str) -> None:
    assert IndexReading(rank=rank, suit=suit, rank_confidence=0.9, suit_confidence=0.9, back=0).code == code


def test_probabilities_of_ranks_and_of_suits_add_to_one_even_for_scores_far_apart() -> None:
    scores = np.full((2, RANK_CLASSES + SUIT_CLASSES), -1000.0, np.float32)
    scores[0, :2] = 1000.0, 999.0
    probabilities = softmax(scores)
    ranks, suits = probabilities[:, :RANK_CLASSES], probabilities[:, RANK_CLASSES:]
    for either in (ranks, suits):
        assert either.sum(axis=1).tolist() == pytest.approx([1, 1])
    assert ranks[0, 0] == pytest.approx(1 / (1 + np.exp(-1)), abs=1e-5)
    assert suits[0].tolist() == pytest.approx([1 / SUIT_CLASSES] * SUIT_CLASSES)


def test_a_reading_is_the_likeliest_rank_and_suit() -> None:
    ranks, suits = np.full((1, RANK_CLASSES), 0.02, np.float32), np.full((1, SUIT_CLASSES), 0.1, np.float32)
    ranks[0, [3, BACK]], suits[0, 2] = (0.5, 0.25), 0.6
    (reading,) = readings_of(ranks, suits)
    assert (reading.code, reading.back) == ("4H", 0.25)
    assert reading.confidence == pytest.approx(0.5 * 0.6)
