"""`python -m vision.training.faces`: make the finder of faces on the table from seeds, and write its ONNX file."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.training import face_network as net
from vision.training.table_views import draw_views

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.training.table_views import Views

_SHARD = 500
_HELD_OUT_SEED = 999_999


def _drawn(pool: ProcessPoolExecutor, seeds: list[int], ahead: int) -> Iterator[Views]:
    """Yield shards in order, some of them drawn ahead."""
    waiting = [pool.submit(draw_views, seed, _SHARD) for seed in seeds[:ahead]]
    for place in range(len(seeds)):
        if place + ahead < len(seeds):
            waiting.append(pool.submit(draw_views, seeds[place + ahead], _SHARD))
        yield waiting.pop(0).result()


def _learnt(file: Path, layers: str) -> Any:
    """Return the network of those layers that a file holds."""
    for network in net.load(file):
        if net.shape_of(network) == net.LAYERS[layers]:
            return network
    raise SystemExit(f"{file} holds no {layers} network; name another --start or --layers")


def main() -> int:
    """Train as the arguments say and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.faces", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("vision/data/face_finder.onnx"), help="file to write")
    parser.add_argument("--shards", type=int, default=110, help=f"of {_SHARD} pieces of tables (default: %(default)s)")
    parser.add_argument("--until", type=int, help="shard after which to end, as if the others came (default: the last)")
    parser.add_argument("--seed", type=int, default=7, help="of everything (default: %(default)s)")
    parser.add_argument("--replays", type=int, default=2, help="earlier shards learnt anew with each (default: 2)")
    parser.add_argument("--processes", type=int, default=1, help="to draw with (default: %(default)s)")
    parser.add_argument("--layers", choices=net.LAYERS, default="narrow", help="of the network")
    parser.add_argument("--start", type=Path, help="ONNX file to go on from, with a network of those layers")
    parser.add_argument("--mean", type=Path, nargs="+", help="write the mean of all networks in these, and train none")
    args = parser.parse_args()
    if args.mean:
        net.export([network for file in args.mean for network in net.load(file)], args.out)
        return 0

    seeds = [args.seed * 1_000_000 + number for number in range(args.until or args.shards)]

    def after_shard(number: int, network: Any, loss: float) -> None:
        sys.stderr.write(f"shard {number + 1} of {len(seeds)}: loss {loss:.4f}\n")
        if number % 5 == 4 or number + 1 == len(seeds):
            sys.stderr.write(f"held out: {net.report(network, held_out)}\n")
            net.export([network], args.out)
        sys.stderr.flush()

    # A forked child may inherit a lock that a thread of OpenCV held; a spawned one starts clean.
    with ProcessPoolExecutor(args.processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        held_out = pool.submit(partial(draw_views, _HELD_OUT_SEED, _SHARD, held_out=True)).result()
        shards = _drawn(pool, seeds, 4)
        network = _learnt(args.start, args.layers) if args.start else net.fresh(net.LAYERS[args.layers], args.seed)
        course = net.Course(
            shards=args.shards,
            shard_size=_SHARD,
            replays=args.replays,
            rate=net.RATE_ON if args.start else net.RATE,
            seed=args.seed,
        )
        net.train(network, shards, course, after_shard=after_shard)
    sys.stderr.write(f"wrote {args.out}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
