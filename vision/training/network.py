"""The network of the index reader, its training, its calibration and its way into an ONNX file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnx
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
_PEAK_RATE_ON: Final = 8e-4
"""Peak rate of learning for weights that have learnt before."""
_SMOOTHING: Final = 0.02


_LAYERS: Final = ((3, 16, 3, 2), (16, 48, 3, 2), (48, 64, 3, 1), (64, 80, 3, 1), (80, 80, 3, 1), (80, 48, 1, 1))
"""Channels in, channels out, size and stride of each convolution."""

_POOLED: Final = 3
"""Convolution before which the larger of two by two is taken."""


def build(*, normalised: bool = True) -> Any:
    """Return the untrained network: `(N, 3, H, W) float32` in [0, 1] to rank scores, then suit scores.

    Args:
        normalised: with batch normalisation, as it learns best from nothing; the ONNX file has it folded.
    """
    layers: list[Any] = []
    for number, (inputs, outputs, size, stride) in enumerate(_LAYERS):
        if number == _POOLED:
            layers.append(nn.MaxPool2d(2))
        layers.append(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=not normalised))
        layers += [nn.BatchNorm2d(outputs)] if normalised else []
        layers.append(nn.ReLU(inplace=True))
    cells = (CROP_HEIGHT // 8) * (CROP_WIDTH // 8)
    layers += [nn.Flatten(), nn.Dropout(0.3), nn.Linear(_LAYERS[-1][1] * cells, RANK_CLASSES + SUIT_CLASSES)]
    return nn.Sequential(*layers)


def load(file: Path, *, seed: int) -> Any:
    """Return the network of an ONNX file that `export` wrote, ready to learn on.

    The file's may be narrower than `_LAYERS`, and may lack convolutions before its last: what is added to it changes
    nothing of what it says until it has learnt.

    Args:
        file: of the weights.
        seed: of what is added.

    Raises:
        ValueError: the file's network has more convolutions.
    """
    torch.manual_seed(seed)
    graph = onnx.load(str(file)).graph
    weights = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    learnt = [[weights[name] for name in node.input[1:3]] for node in graph.node if node.op_type in {"Conv", "Gemm"}]
    network = build(normalised=False)
    places = [layer for layer in network if isinstance(layer, nn.Conv2d | nn.Linear)]
    *early, last, linear = learnt
    added: list[Any] = [None] * (len(places) - len(learnt))
    with torch.no_grad():
        for layer, known in zip(places, [*early, *added, last, linear], strict=True):
            _go_on(layer, known or _identity(len(early[-1][1])))
        network[0].weight.mul_(255.0)
    return network


def _identity(channels: int) -> list[NDArray[np.float32]]:
    """Return weights and biases of a convolution of 3x3 that changes nothing."""
    weight = np.zeros((channels, channels, 3, 3), np.float32)
    weight[np.arange(channels), np.arange(channels), 1, 1] = 1.0
    return [weight, np.zeros(channels, np.float32)]


def _go_on(layer: Any, known: list[NDArray[np.float32]]) -> None:
    """Put known weights into a layer that may be wider; its further inputs have no say in its first outputs."""
    weight, bias = (torch.from_numpy(part.copy()) for part in known)
    if isinstance(layer, nn.Linear):
        # What is flattened has a cell's place last, so that the first channels come first.
        outputs, inputs = weight.shape
        layer.weight.zero_()
        layer.weight[:outputs, :inputs] = weight
    else:
        outputs, inputs = weight.shape[:2]
        layer.weight[:outputs] = 0.0
        layer.weight[:outputs, :inputs] = weight
    layer.bias[:outputs] = bias


def _tensor(crops: NDArray[np.uint8]) -> Any:
    return torch.from_numpy(crops).permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)


def train(
    crops: NDArray[np.uint8],
    labels: NDArray[np.int64],
    *,
    epochs: int,
    seed: int,
    after_epoch: Callable[[int, Any, float], None],
    start: Any = None,
) -> Any:
    """Return the trained network.

    Args:
        crops: `(N, H, W, 3) uint8 BGR`.
        labels: `(N, 2) int64`, rank and suit.
        epochs: passes over the crops.
        seed: of weights, order and augmentation.
        after_epoch: called with the number of the pass, the network and the mean loss.
        start: a network that has learnt before, to go on with; None to begin from nothing.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # more would add up in an order of their own, to another network
    rng = np.random.default_rng((seed, 0x7341))
    network = (build() if start is None else start).to(memory_format=torch.channels_last)
    rate = _PEAK_RATE if start is None else _PEAK_RATE_ON
    optimiser = torch.optim.AdamW(network.parameters(), rate / 2, weight_decay=1e-3)
    steps = epochs * (len(crops) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1)
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

    # A confidence is never raised: of the few crops that are surely wrong, a fit to all of them tells little.
    return float(min(np.geomspace(1.0, 3.0, 40), key=loss))


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
