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

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from vision.recogniser import Examination, Looker

DONE: Final = 0
UNREADABLE: Final = 1
"""Exit status where a picture, or the index reader itself, could not be read, or there was nothing to read."""

VIEWS: Final = ("card", "corner", "window")
"""Kinds of pictures."""

_VIEW_HELP: Final = (
    "what the camera sees: a whole card, one corner of it, or a read window through which cards of one pack pass, "
    "in the order of the files (default: %(default)s)"
)

_LONG: Final = 20
"""Number of files from which on progress is shown."""

_NAME_WIDTH: Final = 44
"""Widest column of names, characters."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `pone see`."""
    parser.description = "Read the card in each picture. Of an animation, the first picture is read."
    parser.epilog = "Exit status: 0 all read, 1 a file that is no readable picture (or none given), 2 wrong use."
    parser.add_argument("paths", nargs="+", type=_path, metavar="PATH", help="a picture, or a folder to search through")
    parser.add_argument("--view", choices=VIEWS, default=VIEWS[0], help=_VIEW_HELP)
    parser.add_argument("--decks", type=_path, metavar="DIR", help="folder of enrolled decks: pone enroll makes it")
    parser.add_argument("--explain", type=_path, metavar="DIR", help="draw what each stage found, a picture a file")
    parser.add_argument("--json", action="store_true", help="write one JSON object a file, one a line")


def run(args: argparse.Namespace) -> int:
    """Read the pictures that the arguments name and return the exit status."""
    files, missing = _gather(args.paths)
    for path, reason in missing:
        print(f"pone see: {path}: {reason}", file=sys.stderr)
    if not files:
        print("pone see: nothing to read", file=sys.stderr)
        return UNREADABLE
    from vision.errors import DeckError, ModelError, UnreadableImage

    try:
        looker = _looker(args.view, args.decks)
    except (ModelError, DeckError) as error:
        print(f"pone see: {error}", file=sys.stderr)
        return UNREADABLE
    output = _Output(files, as_json=args.json)
    broken = len(missing)
    for file in files:
        try:
            look = _read(looker, file)
            if args.explain is not None:
                _draw(look, args.explain / f"{output.done + 1:04d}_{file.stem}.png")
            output.show(file, look)
        except UnreadableImage as error:
            output.clear_progress()
            print(f"pone see: {error}", file=sys.stderr, flush=True)
            broken += 1
        except OSError as error:
            print(f"pone see: {args.explain}: cannot be written to: {error.strerror or error}", file=sys.stderr)
            return UNREADABLE
    output.finish(broken)
    return UNREADABLE if broken else DONE


def _looker(view: str, folder: Path | None) -> Looker:
    """Return who examines pictures of a view, with the enrolled decks of a folder; a corner alone is of no deck.

    Raises:
        ModelError: the index reader is missing or damaged.
        DeckError: the folder cannot be read, or a deck in it is damaged.
    """
    from vision.corner_view import CornerRecogniser
    from vision.deck_store import read_matchers
    from vision.recogniser import Recogniser, shipped_reader
    from vision.window_view import WindowRecogniser

    reader = shipped_reader()
    decks = () if folder is None else read_matchers(folder)
    match view:
        case "corner":
            return CornerRecogniser(reader)
        case "window":
            return WindowRecogniser(reader, decks=decks)
        case _:
            return Recogniser(reader, decks=decks)


def _draw(look: _Look, file: Path) -> None:
    """Write the picture that explains a look.

    Raises:
        OSError: the file cannot be written.
    """
    import cv2

    from vision.explain import explain

    file.parent.mkdir(parents=True, exist_ok=True)
    fine, code = cv2.imencode(".png", explain(look.examination))
    if fine:
        file.write_bytes(code.tobytes())


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
    """One picture read: what was found, the time it took in ms, and how many pictures the file holds."""

    examination: Examination
    took_ms: float
    pictures: int


def _read(looker: Looker, file: Path) -> _Look:
    from vision.picture import pictures_in, read_picture

    image = read_picture(file)
    began = time.perf_counter()
    examination = looker.examine(image)
    took_ms = (time.perf_counter() - began) * 1000
    return _Look(examination=examination, took_ms=took_ms, pictures=pictures_in(file))


class _Output:
    """Where the answers go: a table or JSON Lines on standard output, progress and notes on standard error."""

    def __init__(self, files: list[Path], *, as_json: bool) -> None:
        self._as_json = as_json
        self._total = len(files)
        self.done = 0
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
        self.done += 1
        self._counts[_state(look)] += 1
        if self._progress:
            print(f"\r{self.done} of {self._total}", end="", file=sys.stderr, flush=True)

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
        verdict = look.examination.verdict
        doubt = verdict.doubt
        fields = {
            "file": str(file),
            "state": _state(look).replace(" ", "_"),
            "card": verdict.code or None,
            "confidence": round(verdict.confidence, 4),
            "accepted": doubt is None,
            "stage": None if doubt is None else doubt.stage.value,
            "reason": "" if doubt is None else doubt.reason.value,
            "ms": round(look.took_ms, 2),
        }
        return json.dumps(fields, ensure_ascii=False)

    def _row(self, file: Path, look: _Look) -> str:
        verdict = look.examination.verdict
        name = str(file)
        if len(name) > self._width:
            name = "…" + name[1 - self._width :]
        what = f"{verdict.code}  {_name_of(verdict.code)}" if verdict.code else _state(look)
        why = "" if verdict.doubt is None else f"{verdict.doubt.stage}: {verdict.doubt.reason}"
        return f"{name:<{self._width}}  {what:<22} {verdict.confidence:5.2f} {look.took_ms:7.1f} ms  {why}".rstrip()


def _state(look: _Look) -> str:
    """Return the state of a look in words."""
    from vision.sighting import State

    doubt = look.examination.verdict.doubt
    return (State.CARD if doubt is None else doubt.state).value.replace("_", " ")


def _name_of(code: str) -> str:
    from vision.cards import Card

    return Card.parse(code).name
