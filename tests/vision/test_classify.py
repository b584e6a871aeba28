"""The index reader: what it accepts as weights, and what it answers."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from vision.classify import BACK, NO_RANK, IndexReader, IndexReading, softmax
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


def test_probabilities_add_to_one_even_for_large_scores() -> None:
    probabilities = softmax(np.array([[1000.0, 999.0, 0.0], [-5.0, -5.0, -5.0]], np.float32))
    assert probabilities.sum(axis=1).tolist() == pytest.approx([1, 1])
    assert probabilities[0, 0] == pytest.approx(1 / (1 + np.exp(-1)), abs=1e-5)
