"""`python -m vision.training`: make the index reader from seeds, measure it on held-out decks, write the ONNX file."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.cards import RANKS, SUITS
from vision.classify import RANK_CLASSES
from vision.training import network as net
from vision.training.artwork import HELD_OUT, read_deck
from vision.training.samples import draw, draw_held_out

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    _Part = tuple[NDArray[np.uint8], NDArray[np.int64]]

_SHARD = 1_000
_HELD_OUT_CROPS = 6_000


def _collect(parts: list[_Part]) -> _Part:
    return np.concatenate([crops for crops, _ in parts]), np.concatenate([labels for _, labels in parts])


def _counted(parts: Iterable[_Part], total: int) -> list[_Part]:
    """Return the parts as a list, telling how many are there at every tenth."""
    done = []
    for part in parts:
        done.append(part)
        if len(done) % max(total // 10, 1) == 0:
            _say(f"{len(done) * _SHARD} of {total * _SHARD} crops drawn")
    return done


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _report(scores: NDArray[np.float32], labels: NDArray[np.int64]) -> str:
    """Return accuracy on held-out crops in one line: rank, suit, both, backs, and errors among the confident."""
    rank, suit = scores[:, :RANK_CLASSES], scores[:, RANK_CLASSES:]
    index = labels[:, 0] < len(RANKS)
    right_rank, right_suit = rank.argmax(1) == labels[:, 0], suit.argmax(1) == labels[:, 1]
    both = right_rank & right_suit
    sure = _confidence(rank, len(RANKS)) * _confidence(suit, len(SUITS))
    accepted = sure > 0.8
    return (
        f"rank {right_rank[index].mean():.4f} suit {right_suit[index].mean():.4f} both {both[index].mean():.4f} "
        f"backs {right_rank[~index].mean():.4f} accepted {accepted[index].mean():.4f} "
        f"wrong {(accepted & ~both).sum()} of {accepted.sum()}"
    )


def _confidence(scores: NDArray[np.float32], cards_only: int) -> NDArray[np.float32]:
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    best: NDArray[np.float32] = likely[:, :cards_only].max(axis=1)
    return best


def main() -> int:
    """Train as the arguments say and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("vision/data/index_reader.onnx"), help="file to write")
    parser.add_argument("--samples", type=int, default=100_000, help="crops to train on (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the crops (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="to draw the crops with (default: %(default)s)")
    args = parser.parse_args()

    seeds = [args.seed * 1_000_000 + shard for shard in range(max(args.samples // _SHARD, 1))]
    held_out_names = [name for name in HELD_OUT if len(read_deck(name)) >= 52]
    # A forked child may inherit a lock that a thread of OpenCV held; a spawned one starts clean.
    with ProcessPoolExecutor(args.processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        crops, labels = _collect(_counted(pool.map(partial(draw, count=_SHARD), seeds), len(seeds)))
        held = partial(draw_held_out, count=_SHARD, names=held_out_names)
        held_crops, held_labels = _collect(list(pool.map(held, range(_HELD_OUT_CROPS // _SHARD))))

    def after_epoch(epoch: int, network: Any, loss: float) -> None:
        report = _report(net.scores_of(network, held_crops), held_labels)
        _say(f"pass {epoch + 1} of {args.epochs}: loss {loss:.3f}; held out: {report}")

    network = net.train(crops, labels, epochs=args.epochs, seed=args.seed, after_epoch=after_epoch)
    scores = net.scores_of(network, held_crops)
    heat = net.temperature(scores, held_labels)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    net.export(network, args.out, heat=heat)
    _say(f"temperature {heat:.3f}; calibrated: {_report(scores / heat, held_labels)}; wrote {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
