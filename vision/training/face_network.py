"""The network that finds faces on a table, its training and its way into an ONNX file."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional

from vision.training.table_canvas import FACE
from vision.training.table_views import DOUBTFUL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.training.table_views import Views

Layer = tuple[int, int, int, int, int]
"""Channels in, channels out, size, stride and dilation of a convolution."""

LAYERS: Final[dict[str, tuple[Layer, ...]]] = {
    "narrow": (
        *((3, 16, 3, 2, 1), (16, 32, 3, 2, 1), (32, 32, 3, 1, 1), (32, 64, 3, 2, 1)),
        *((64, 64, 3, 1, 1), (64, 64, 3, 1, 2), (64, 64, 3, 1, 3), (64, 80, 1, 1, 1)),
    ),
    "wide": (
        *((3, 16, 3, 2, 1), (16, 40, 3, 2, 1), (40, 40, 3, 1, 1), (40, 96, 3, 2, 1), (96, 96, 3, 1, 1)),
        *((96, 96, 3, 1, 2), (96, 96, 3, 1, 3), (96, 96, 3, 1, 1), (96, 112, 1, 1, 1)),
    ),
}
"""All convolutions but the last, which tells kinds and poses."""

_COLOURS: Final = 3
KINDS: Final = 3
POSES: Final = 4

_BATCH: Final = 16
RATE: Final = 2e-3
RATE_ON: Final = 8e-4
"""Peak rate of learning from nothing, and for weights that have learnt before."""
_KEPT: Final = 150
"""Shards that can be learnt from again: of 500 pieces each they take 9 GB of memory."""

_POSE: Final = 0.1
"""How much the poses of cells count beside their kinds."""

_WEIGHTS: Final = (1.0, 1.0, 2.0)
"""How much a cell of each kind counts: faces are few."""


def build(convolutions: Sequence[Layer], *, normalised: bool = True) -> Any:
    """Return the untrained network: `(N, 3, H, W)` in [0, 1] to `(N, KINDS + POSES, H / 8, W / 8)`.

    Args:
        convolutions: all but the last.
        normalised: with batch normalisation, as it learns best from nothing; the ONNX file has it folded.
    """
    layers: list[Any] = []
    for inputs, outputs, size, stride, dilation in convolutions:
        reach = dilation * (size // 2)
        layers.append(nn.Conv2d(inputs, outputs, size, stride, reach, dilation, bias=not normalised))
        layers += [nn.BatchNorm2d(outputs)] if normalised else []
        layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers, nn.Conv2d(convolutions[-1][1], KINDS + POSES, 1))


def fresh(convolutions: Sequence[Layer], seed: int) -> Any:
    """Return a network that has learnt nothing, its weights drawn from a seed."""
    torch.manual_seed(seed)
    return build(convolutions)


def load(file: Path) -> list[Any]:
    """Return the networks of an ONNX file that `export` wrote, ready to learn on."""
    graph = onnx.load(str(file)).graph
    weights = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    networks: list[list[tuple[Layer, NDArray[np.float32], NDArray[np.float32]]]] = []
    for node in graph.node:
        if node.op_type == "Conv":
            weight, bias = (weights[name] for name in node.input[1:])
            if weight.shape[1] == _COLOURS:  # it looks at the picture itself
                networks.append([])
            networks[-1].append((_layer(node, weight), weight, bias))
    return [_loaded(layers) for layers in networks]


def shape_of(network: Any) -> tuple[Layer, ...]:
    """Return all convolutions of a network but the last, as `LAYERS` has them."""
    return tuple(
        (one.in_channels, one.out_channels, one.kernel_size[0], one.stride[0], one.dilation[0])
        for one in network
        if isinstance(one, nn.Conv2d)
    )[:-1]


def _loaded(layers: list[tuple[Layer, NDArray[np.float32], NDArray[np.float32]]]) -> Any:
    """Return the network whose convolutions have these shapes, weights and biases."""
    network = build([shape for shape, _, _ in layers[:-1]], normalised=False)
    convolutions = [one for one in network if isinstance(one, nn.Conv2d)]
    with torch.no_grad():
        for convolution, (_, weight, bias) in zip(convolutions, layers, strict=True):
            convolution.weight.copy_(torch.from_numpy(weight.copy()))
            convolution.bias.copy_(torch.from_numpy(bias.copy()))
        network[0].weight.mul_(255.0)
    return network


def _layer(node: Any, weights: NDArray[np.float32]) -> Layer:
    """Return what a convolution of an ONNX file is."""
    told = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
    outputs, inputs, size, _ = weights.shape
    return inputs, outputs, size, told["strides"][0], told["dilations"][0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a network learns.

    Attributes:
        shards: until which the rate of learning falls.
        shard_size: pieces of tables in each of them.
        replays: earlier shards that are learnt from again with each new one.
        rate: of learning, at its peak.
        seed: of order and augmentation.
    """

    shards: int
    shard_size: int
    replays: int
    rate: float
    seed: int


def train(
    network: Any, shards: Iterable[Views], course: Course, *, after_shard: Callable[[int, Any, float], None]
) -> None:
    """Train a network.

    Args:
        network: it.
        shards: pieces of tables; each is learnt from as it comes, together with some that came before.
        course: how it learns.
        after_shard: called with the number of the shard, the network and the mean loss.
    """
    torch.set_num_threads(1)  # more would add up in an order of their own, to another network
    rng = np.random.default_rng((course.seed, 0xFACED))
    network = network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), course.rate, weight_decay=1e-3)
    steps = course.shards * (1 + course.replays) * (course.shard_size // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, course.rate, total_steps=steps + 1, pct_start=0.15)
    kept: list[Views] = []
    for number, shard in enumerate(shards):
        kept.append(shard)
        del kept[:-_KEPT]
        network.train()
        losses = []
        for views in (shard, *(kept[place] for place in rng.integers(0, len(kept), course.replays))):
            order = rng.permutation(len(views.images))
            for begin in range(0, len(order) - _BATCH + 1, _BATCH):
                loss = _loss(network, *_batch(views, order[begin : begin + _BATCH], rng))
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                schedule.step()
                losses.append(loss.item())
        network.eval()
        after_shard(number, network, float(np.mean(losses)))


def _batch(views: Views, chosen: Any, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Return images, kinds and poses, turned by some quarters, in other light and colour."""
    images = torch.from_numpy(views.images[chosen]).permute(0, 3, 1, 2).float().div_(255)
    kinds = torch.from_numpy(views.kinds[chosen]).long()
    poses = torch.from_numpy(views.poses[chosen]).float()
    quarters = int(rng.integers(4))
    images, kinds, poses = (torch.rot90(one, quarters, (-2, -1)) for one in (images, kinds, poses))
    for _ in range(quarters):  # a quarter against the clock as seen: (x, y) becomes (y, -x)
        poses = torch.stack([poses[:, 1], -poses[:, 0], -poses[:, 2], -poses[:, 3]], dim=1)
    gains = torch.from_numpy(
        rng.uniform(0.8, 1.2, (len(chosen), 1, 1, 1)) * rng.uniform(0.93, 1.07, (len(chosen), 3, 1, 1))
    )
    images = (images * gains.float()).clamp_(0, 1)
    return images.contiguous(memory_format=torch.channels_last), kinds, poses


def _loss(network: Any, images: Any, kinds: Any, poses: Any) -> Any:
    told = network(images)
    wrong = functional.cross_entropy(told[:, :KINDS], kinds, torch.tensor(_WEIGHTS), ignore_index=DOUBTFUL)
    faces = (kinds == FACE)[:, None].float()
    away = functional.smooth_l1_loss(told[:, KINDS:] * faces, poses * faces, beta=0.1, reduction="sum")
    return wrong + _POSE * away / faces.sum().clamp(min=1)


def report(network: Any, views: Views) -> str:
    """Return in one line how well cells of held-out pieces are told."""
    network.eval()
    with torch.no_grad():
        parts = []
        for begin in range(0, len(views.images), 64):
            batch = torch.from_numpy(views.images[begin : begin + 64]).permute(0, 3, 1, 2).float().div(255)
            parts.append(network(batch.contiguous(memory_format=torch.channels_last)))
    told = torch.cat(parts)
    likely = torch.softmax(told[:, :KINDS], 1)[:, FACE].numpy()
    face, clear = views.kinds == FACE, views.kinds != DOUBTFUL
    away = np.abs(told[:, KINDS : KINDS + 2].numpy() - views.poses[:, :2]).max(axis=1)[face]
    return (
        f"cells of faces found {np.mean(likely[face] > 0.5):.4f}, others taken for them "
        f"{np.mean(likely[clear & ~face] > 0.5):.5f}, surely {np.mean(likely[clear & ~face] > 0.95):.5f}; "
        f"middles wrong by {float(np.mean(away)):.3f} of a card"
    )


class _Mean(nn.Module):  # type: ignore[misc]  # torch is not there where the types are checked
    """Several networks as one, whose answer is the mean of theirs."""

    def __init__(self, networks: Sequence[Any]) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, picture: Any) -> Any:
        return torch.stack([network(picture) for network in self.networks]).mean(0)


def export(networks: Sequence[Any], file: Path) -> None:
    """Write the mean of networks as ONNX: a picture in [0, 255] goes in, scores of kinds and poses come out."""
    scaled = [copy.deepcopy(network).eval() for network in networks]
    with torch.no_grad():
        for network in scaled:
            network[0].weight.div_(255.0)
        shipped = scaled[0] if len(scaled) == 1 else _Mean(scaled).eval()
        torch.onnx.export(
            shipped.to(memory_format=torch.contiguous_format),
            (torch.zeros(1, 3, 64, 64),),
            str(file),
            input_names=["picture"],
            output_names=["cells"],
            dynamic_axes={"picture": {2: "height", 3: "width"}, "cells": {2: "rows", 3: "columns"}},
            opset_version=13,
            dynamo=False,
        )
