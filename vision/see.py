"""`pone see`: what the eye reads in files and folders of pictures, as a table or as JSON Lines."""
# ruff: noqa: T201 - this is a command line, and a command line prints

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vision.errors import ModelError, UnreadableImage

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from vision.recogniser import Recogniser
    from vision.sighting import Sighting

DONE: Final = 0
UNREADABLE: Final = 1
"""Exit status where a picture, or the index reader itself, could not be read, or there was nothing to read."""

_LONG: Final = 20
"""Number of files from which on progress is shown."""

_NAME_WIDTH: Final = 44
"""Widest column of names, characters."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `pone see`."""
    parser.description = "Read the card in each picture. Of an animation, the first picture is read."
    parser.epilog = "Exit status: 0 all read, 1 a file that is no readable picture (or none given), 2 wrong use."
    parser.add_argument("paths", nargs="+", type=_path, metavar="PATH", help="a picture, or a folder to search through")
    parser.add_argument("--json", action="store_true", help="write one JSON object a file, one a line")


def run(args: argparse.Namespace) -> int:
    """Read the pictures that the arguments name and return the exit status."""
    files, missing = _gather(args.paths)
    for path, reason in missing:
        print(f"pone see: {path}: {reason}", file=sys.stderr)
    if not files:
        print("pone see: nothing to read", file=sys.stderr)
        return UNREADABLE
    from vision.recogniser import Recogniser

    try:
        recogniser = Recogniser.shipped()
    except ModelError as error:
        print(f"pone see: {error}", file=sys.stderr)
        return UNREADABLE
    output = _Output(files, as_json=args.json)
    broken = len(missing)
    for file in files:
        try:
            output.show(file, _read(recogniser, file))
        except UnreadableImage as error:
            output.clear_progress()
            print(f"pone see: {error}", file=sys.stderr, flush=True)
            broken += 1
    output.finish(broken)
    return UNREADABLE if broken else DONE


def _path(text: str) -> Path:
    """Return the path that the text names.

    Raises:
        argparse.ArgumentTypeError: it names none; an empty one would be the folder one stands in.
    """
    import argparse  # late: whoever calls this has it

    if not text:
        raise argparse.ArgumentTypeError("empty: name a picture or a folder")
    return Path(text)


def _gather(paths: Iterable[Path]) -> tuple[list[Path], list[tuple[Path, str]]]:
    """Return the files to read, and the paths that hold none with the reason."""
    from vision.picture import SUFFIXES

    files: list[Path] = []
    missing = []
    for path in paths:
        try:
            is_folder = path.is_dir()
        except OSError:
            is_folder = False  # no name of anything; why is told when the file is read
        if not is_folder:
            files.append(path)
            continue
        found = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        files += found
        if not found:
            missing.append((path, "the folder holds no picture"))
    return files, missing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """One picture read: the sighting, the time it took in ms, and how many pictures the file holds."""

    sighting: Sighting
    took_ms: float
    pictures: int


def _read(recogniser: Recogniser, file: Path) -> _Look:
    from vision.picture import pictures_in, read_picture

    image = read_picture(file)
    began = time.perf_counter()
    sighting = recogniser.look(image, frame_hash=False)
    return _Look(sighting=sighting, took_ms=(time.perf_counter() - began) * 1000, pictures=pictures_in(file))


class _Output:
    """Where the answers go: a table or JSON Lines on standard output, progress and notes on standard error."""

    def __init__(self, files: list[Path], *, as_json: bool) -> None:
        self._as_json = as_json
        self._total = len(files)
        self._done = 0
        self._counts: Counter[str] = Counter()
        self._width = min(max(len(str(file)) for file in files), _NAME_WIDTH)
        watched = sys.stderr.isatty() and not sys.stdout.isatty()
        self._progress = watched and self._total >= _LONG

    def show(self, file: Path, look: _Look) -> None:
        """Write one answer at once."""
        if look.pictures > 1:
            self.clear_progress()
            print(f"pone see: {file}: holds {look.pictures} pictures; the first is read", file=sys.stderr, flush=True)
        print(self._object(file, look) if self._as_json else self._row(file, look), flush=True)
        self._done += 1
        self._counts[look.sighting.state.value.replace("_", " ")] += 1
        if self._progress:
            print(f"\r{self._done} of {self._total}", end="", file=sys.stderr, flush=True)

    def clear_progress(self) -> None:
        """Free the line that shows progress."""
        if self._progress:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def finish(self, broken: int) -> None:
        """Close a table with its sums."""
        self.clear_progress()
        if not self._as_json:
            parts = [f"{count} {state}" for state, count in self._counts.most_common()]
            print(", ".join(parts + ([f"{broken} unreadable"] if broken else [])), flush=True)

    def _object(self, file: Path, look: _Look) -> str:
        seen = look.sighting
        fields = {
            "file": str(file),
            "state": seen.state.value,
            "card": str(seen.card) if seen.card else None,
            "confidence": round(seen.confidence, 4),
            "accepted": seen.accepted,
            "reason": seen.reason,
            "ms": round(look.took_ms, 2),
        }
        return json.dumps(fields, ensure_ascii=False)

    def _row(self, file: Path, look: _Look) -> str:
        seen = look.sighting
        name = str(file)
        if len(name) > self._width:
            name = "…" + name[1 - self._width :]
        what = f"{seen.card}  {seen.card.name}" if seen.card else seen.state.value.replace("_", " ")
        return (
            f"{name:<{self._width}}  {what:<22} {seen.confidence:5.2f} {look.took_ms:7.1f} ms  {seen.reason}".rstrip()
        )
