"""`python -m vision.training`: make the index reader from seeds, measure it on held-out decks, write the ONNX file."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.cards import RANKS, SUITS
from vision.classify import BACK, RANK_CLASSES, IndexReader
from vision.decide import DecisionLimits, decide
from vision.index_crop import VIEWS
from vision.second_opinion import Opinion
from vision.training import network as net
from vision.training.samples import draw, draw_alike, draw_cards, draw_figures, draw_held_out, draw_inverted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from vision.training.samples import Crops

_SHARD = 1_000
_HELD_OUT_CROPS = 6_000
_HELD_OUT_CARDS = 3_000
_LEAST = (0.97, 0.98, 0.99, 0.995, 0.998)


def _collect(parts: list[Crops]) -> Crops:
    return np.concatenate([crops for crops, _ in parts]), np.concatenate([labels for _, labels in parts])


def _counted(parts: Iterable[Crops], total: int) -> list[Crops]:
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
    """Return accuracy on held-out crops in one line: rank, suit, both, backs; what is doubtful is left out."""
    rank = scores[:, :RANK_CLASSES].argmax(1) == labels[:, 0]
    suit = scores[:, RANK_CLASSES:].argmax(1) == labels[:, 1]
    readable = (labels >= 0).all(1) & (labels[:, 0] < len(RANKS)) & (labels[:, 1] < len(SUITS))
    backs = labels[:, 0] == BACK
    return (
        f"rank {rank[readable].mean():.4f} suit {suit[readable].mean():.4f} "
        f"both {(rank & suit)[readable].mean():.4f} backs {rank[backs].mean():.4f}"
    )


def _report_cards(reader: IndexReader, crops: NDArray[np.uint8], labels: NDArray[np.int64]) -> str:
    """Return how many cards are accepted by all views of their corners, and how many of them wrongly, by the limit."""
    readings = reader.read(list(crops))
    pairs, shown = list(zip(readings[::2], readings[1::2], strict=True)), len(VIEWS)
    right = [RANKS[rank] + SUITS[suit] for rank, suit in labels[:: 2 * shown]]
    said = []
    for least in _LEAST:
        limits = DecisionLimits(confidence=least)
        codes = [decide(pairs[at : at + shown], Opinion(), limits).code for at in range(0, len(pairs), shown)]
        wrong = sum(code not in ("", true) for code, true in zip(codes, right, strict=True))
        said.append(f"{sum(code != '' for code in codes)} at {least} ({wrong} wrong)")
    return f"of {len(right)} cards accepted: {', '.join(said)}"


def _drawn(pool: ProcessPoolExecutor, args: argparse.Namespace) -> list[Crops]:
    """Return what is trained on, as the arguments say, a thousand crops a seed; of what is asked for, no fewer."""
    wanted = {
        draw: args.samples,
        draw_figures: args.figures,
        draw_inverted: args.inverted,
        draw_alike: args.alike,
    }
    parts = []
    for maker, count in wanted.items():
        seeds = [args.seed * 1_000_000 + shard for shard in range(math.ceil(count / _SHARD))]
        made = _counted(pool.map(partial(maker, count=_SHARD), seeds), len(seeds))
        parts += made * (args.figure_times if maker is draw_figures else 1)
    return parts


def main() -> int:
    """Train as the arguments say and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("vision/data/index_reader.onnx"), help="file to write")
    parser.add_argument("--samples", type=int, default=100_000, help="crops to train on (default: %(default)s)")
    parser.add_argument("--figures", type=int, default=30_000, help="more of figures alike (default: %(default)s)")
    parser.add_argument("--figure-times", type=int, default=1, help="how often in one pass (default: %(default)s)")
    parser.add_argument("--inverted", type=int, default=5_000, help="more, upside down (default: %(default)s)")
    parser.add_argument("--alike", type=int, default=30_000, help="more taken for others (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the crops (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="to draw the crops with (default: %(default)s)")
    parser.add_argument("--start", type=Path, help="ONNX file of this project to go on from (default: from nothing)")
    args = parser.parse_args()

    # A forked child may inherit a lock that a thread of OpenCV held; a spawned one starts clean.
    with ProcessPoolExecutor(args.processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        crops, labels = _collect(_drawn(pool, args))
        held = partial(draw_held_out, count=_SHARD)
        held_crops, held_labels = _collect(list(pool.map(held, range(_HELD_OUT_CROPS // _SHARD))))
        cards = _collect(list(pool.map(partial(draw_cards, count=_SHARD), range(_HELD_OUT_CARDS // _SHARD))))

    def after_epoch(epoch: int, network: Any, loss: float) -> None:
        report = _report(net.scores_of(network, held_crops), held_labels)
        _say(f"pass {epoch + 1} of {args.epochs}: loss {loss:.3f}; held out: {report}")

    start = net.load(args.start, seed=args.seed) if args.start else None
    network = net.train(crops, labels, epochs=args.epochs, seed=args.seed, after_epoch=after_epoch, start=start)
    scores = net.scores_of(network, held_crops)
    heat = net.temperature(scores, held_labels)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    net.export(network, args.out, heat=heat)
    _say(f"temperature {heat:.3f}; calibrated: {_report(scores / heat, held_labels)}; wrote {args.out}")
    _say(_report_cards(IndexReader(args.out.read_bytes()), *cards))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
