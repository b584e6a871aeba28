"""The network of the index reader, its training, its calibration and its way into an ONNX file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import nn

from vision.classify import RANK_CLASSES, SUIT_CLASSES
from vision.index_crop import CROP_HEIGHT, CROP_WIDTH
from vision.training.samples import DOUBTFUL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

_BATCH: Final = 256
_PEAK_RATE: Final = 4e-3
_SMOOTHING: Final = 0.02


def build() -> Any:
    """Return the untrained network: `(N, 3, H, W) float32` in [0, 1] to rank scores, then suit scores."""
    layers: list[Any] = []
    for inputs, outputs, size, stride in (
        (3, 16, 3, 2),
        (16, 32, 3, 2),
        (32, 56, 3, 1),
        (56, 72, 3, 1),
        (72, 40, 1, 1),
    ):
        if inputs == 56:
            layers.append(nn.MaxPool2d(2))
        layers += [
            nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]
    cells = (CROP_HEIGHT // 8) * (CROP_WIDTH // 8)
    layers += [nn.Flatten(), nn.Dropout(0.3), nn.Linear(40 * cells, RANK_CLASSES + SUIT_CLASSES)]
    return nn.Sequential(*layers)


def _tensor(crops: NDArray[np.uint8]) -> Any:
    return torch.from_numpy(crops).permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)


def train(
    crops: NDArray[np.uint8],
    labels: NDArray[np.int64],
    *,
    epochs: int,
    seed: int,
    after_epoch: Callable[[int, Any, float], None],
) -> Any:
    """Return the trained network.

    Args:
        crops: `(N, H, W, 3) uint8 BGR`.
        labels: `(N, 2) int64`, rank and suit.
        epochs: passes over the crops.
        seed: of weights, order and augmentation.
        after_epoch: called with the number of the pass, the network and the mean loss.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng((seed, 0x7341))
    network = build().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), _PEAK_RATE / 2, weight_decay=1e-3)
    steps = epochs * (len(crops) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _PEAK_RATE, total_steps=steps + 1)
    loss_of = nn.CrossEntropyLoss(label_smoothing=_SMOOTHING, ignore_index=DOUBTFUL)
    targets = torch.from_numpy(labels)
    for epoch in range(epochs):
        network.train()
        order = rng.permutation(len(crops))
        losses = []
        for begin in range(0, len(crops) - _BATCH + 1, _BATCH):
            chosen = order[begin : begin + _BATCH]
            scores = network(_augment(_tensor(crops[chosen]), rng))
            wanted = targets[torch.from_numpy(chosen)]
            loss = loss_of(scores[:, :RANK_CLASSES], wanted[:, 0]) + loss_of(scores[:, RANK_CLASSES:], wanted[:, 1])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        network.eval()
        after_epoch(epoch, network, float(np.mean(losses)))
    return network


def _augment(batch: Any, rng: np.random.Generator) -> Any:
    """Shift the whole batch by a pixel or so and take the colour from one crop in twelve."""
    shift = int(rng.integers(-1, 2)), int(rng.integers(-2, 3))
    batch = torch.roll(batch, (shift[1], shift[0]), (2, 3))
    grey = torch.from_numpy(rng.random(len(batch)) < 1 / 12)
    batch[grey] = batch[grey].mean(1, keepdim=True).expand(-1, 3, -1, -1)
    return batch.contiguous(memory_format=torch.channels_last)


def scores_of(network: Any, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the raw scores of crops, `(N, RANK_CLASSES + SUIT_CLASSES) float32`."""
    network.eval()
    with torch.no_grad():
        parts = [network(_tensor(crops[begin : begin + 512])) for begin in range(0, len(crops), 512)]
    scores: NDArray[np.float32] = torch.cat(parts).numpy()
    return scores


def temperature(scores: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """Return the temperature that makes the scores' confidence honest on held-out crops, by a search of one number."""
    logits, wanted = torch.from_numpy(scores), torch.from_numpy(labels)
    loss_of = nn.CrossEntropyLoss(ignore_index=DOUBTFUL)

    def loss(heat: float) -> float:
        rank = loss_of(logits[:, :RANK_CLASSES] / heat, wanted[:, 0])
        suit = loss_of(logits[:, RANK_CLASSES:] / heat, wanted[:, 1])
        return float(rank + suit)

    return float(min(np.geomspace(0.4, 3.0, 60), key=loss))


def export(network: Any, file: Path, *, heat: float) -> None:
    """Write the network as ONNX: crops in [0, 255] go in, scores at the given temperature come out."""
    network.eval()
    with torch.no_grad():
        network[0].weight.div_(255.0)
        network[-1].weight.div_(heat)
        network[-1].bias.div_(heat)
        example = torch.zeros(1, 3, CROP_HEIGHT, CROP_WIDTH)
        torch.onnx.export(
            network.to(memory_format=torch.contiguous_format),
            (example,),
            str(file),
            input_names=["crops"],
            output_names=["scores"],
            dynamic_axes={"crops": {0: "n"}, "scores": {0: "n"}},
            opset_version=13,
            dynamo=False,
        )
