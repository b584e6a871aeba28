"""`pone see`: what the eye reads in pictures, folders, videos and cameras, as a table or as JSON Lines."""
# ruff: noqa: T201 - this is a command line, and a command line prints

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from vision.files import cut_name, named, named_path, on_one_line, plainly

if TYPE_CHECKING:
    import argparse

    from vision.recogniser import Examination, Looker
    from vision.shots import Shot, Source

DONE: Final = 0
UNREADABLE: Final = 1
"""Exit status where a picture, or the index reader itself, could not be read, or there was nothing to read."""

VIEWS: Final = ("card", "corner", "window")
"""Kinds of pictures."""

_VIEW_HELP: Final = (
    "what the camera sees: a whole card, one corner of it, or a read window through which cards of one pack pass, "
    "in the order of the files (default: %(default)s)"
)

_RATE_HELP: Final = "frames a second that are read of a video or a camera; 0 for every one (default: %(default)g)"
_RATE_MAX: Final = 1000

_LONG: Final = 20
"""Number of files from which on progress is shown."""

_NAME_WIDTH: Final = 44
"""Widest column of names, characters."""

_TIME_WIDTH: Final = 11
"""Column of the moment of a frame, characters: an hour of a video to a hundredth of a second."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `pone see`."""
    parser.description = (
        "Read the card in each picture: of files, folders, videos, or a camera such as v4l2:0 until Ctrl-C. "
        "Of an animation, the first picture is read."
    )
    parser.epilog = "Exit status: 0 all read, 1 something that cannot be read (or none given), 2 wrong use."
    parser.add_argument("paths", nargs="+", type=named, metavar="PATH", help="a picture, folder, video or camera")
    parser.add_argument("--view", choices=VIEWS, default=VIEWS[0], help=_VIEW_HELP)
    parser.add_argument("--rate", type=_rate, default=5.0, metavar="HZ", help=_RATE_HELP)
    parser.add_argument("--frames", type=_count, metavar="N", help="stop after N frames of each video or camera")
    parser.add_argument(
        "--decks", type=named_path, metavar="DIR", help="folder of enrolled decks: pone enroll makes it"
    )
    parser.add_argument(
        "--explain", type=named_path, metavar="DIR", help="draw what each stage found, a picture a file"
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object a picture, one a line")


def run(args: argparse.Namespace) -> int:
    """Read the pictures that the arguments name and return the exit status."""
    if args.explain is not None and _is_file(args.explain):
        print(
            f"pone see: {on_one_line(str(args.explain))}: cannot be written to: it is a file, not a folder",
            file=sys.stderr,
        )
        return UNREADABLE
    from vision.errors import DeckError, ModelError
    from vision.shots import sources_of

    sources, missing = sources_of(args.paths)
    for broken in missing:
        print(f"pone see: {on_one_line(broken.says)}", file=sys.stderr)
    if not sources:
        print("pone see: nothing to read", file=sys.stderr)
        return UNREADABLE
    try:
        looker = _looker(args.view, args.decks)
    except (ModelError, DeckError) as error:
        print(f"pone see: {on_one_line(str(error))}", file=sys.stderr)
        return UNREADABLE
    output = _Output(sources, as_json=args.json)
    try:
        bad = sum(_see(source, looker, args, output) for source in sources)
    except KeyboardInterrupt:
        if not any(source.endless for source in sources):
            raise
        bad = 0  # the way to end a camera
    except OSError as error:
        output.clear_progress()
        print(f"pone see: {on_one_line(str(args.explain))}: cannot be written to: {plainly(error)}", file=sys.stderr)
        return UNREADABLE
    output.finish(bad + len(missing))
    return UNREADABLE if bad + len(missing) else DONE


def _see(source: Source, looker: Looker, args: argparse.Namespace, output: _Output) -> int:
    """Read the pictures of one source; return how many of it could not be.

    Raises:
        OSError: a picture that explains a look cannot be written.
    """
    from vision.shots import Broken, shots_of

    broken = 0
    for shot in shots_of(source, rate_hz=args.rate, frames=args.frames):
        if isinstance(shot, Broken):
            output.clear_progress()
            print(f"pone see: {on_one_line(shot.says)}", file=sys.stderr, flush=True)
            broken += 1
            continue
        began = time.perf_counter()
        examination = looker.examine(shot.image)
        look = _Look(shot=shot, examination=examination, took_ms=(time.perf_counter() - began) * 1000)
        if args.explain is not None:
            _draw(look, args.explain / f"{output.done + 1:04d}_{cut_name(source.stem)}.png")
        output.show(look)
    return broken


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
    from vision.explain import explain
    from vision.picture import as_png

    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(as_png(explain(look.examination)))


def _rate(text: str) -> float:
    """Return frames a second.

    Raises:
        argparse.ArgumentTypeError: it is no number from 0 to 1000.
    """
    import argparse

    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 <= rate <= _RATE_MAX:
        raise argparse.ArgumentTypeError(f"{text!r}: expected frames a second, 0 to {_RATE_MAX}, as in 5 or 0.5")
    return rate


def _count(text: str) -> int:
    """Return a number of frames.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    import argparse

    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of frames, from 1")
    return int(text)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # no name of anything; why is told when it is written to


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """One picture read: where it is from, what was found, and the time that took in ms."""

    shot: Shot
    examination: Examination
    took_ms: float


class _Output:
    """Where the answers go: a table or JSON Lines on standard output, progress and notes on standard error."""

    def __init__(self, sources: list[Source], *, as_json: bool) -> None:
        from vision.shots import Kind

        self._as_json = as_json
        moving = any(source.kind is not Kind.PICTURE for source in sources)
        self._total = 0 if moving else len(sources)
        self.done = 0
        self._counts: Counter[str] = Counter()
        width = max(len(on_one_line(source.name)) for source in sources) + (_TIME_WIDTH if moving else 0)
        self._width = min(width, _NAME_WIDTH)
        watched = sys.stderr.isatty() and not sys.stdout.isatty()
        self._progress = watched and (moving or self._total >= _LONG)

    def show(self, look: _Look) -> None:
        """Write one answer at once."""
        name, pictures = on_one_line(look.shot.source.name), look.shot.pictures
        if pictures > 1:
            self.clear_progress()
            print(f"pone see: {name}: holds {pictures} pictures; the first is read", file=sys.stderr, flush=True)
        print(self._object(look) if self._as_json else self._row(look), flush=True)
        self.done += 1
        self._counts[_state(look)] += 1
        if self._progress:
            far = f"{self.done} of {self._total}" if self._total else f"{name}: {look.shot.t_us / 1e6:.1f} s"
            print(f"\r\033[K{far}", end="", file=sys.stderr, flush=True)

    def clear_progress(self) -> None:
        """Free the line that shows progress."""
        if self._progress:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def finish(self, broken: int) -> None:
        """Close a table with its sums."""
        self.clear_progress()
        if not self._as_json:
            parts = [f"{count} {_of(count, state)}" for state, count in self._counts.most_common()]
            print(", ".join(parts + ([f"{broken} unreadable"] if broken else [])), flush=True)

    def _object(self, look: _Look) -> str:
        verdict, shot = look.examination.verdict, look.shot
        doubt = verdict.doubt
        fields: dict[str, object] = {"file": shot.source.name}
        if shot.frame:
            fields |= {"frame": shot.frame, "t_us": shot.t_us}
        fields |= {
            "state": _state(look).replace(" ", "_"),
            "card": verdict.code or None,
            "confidence": round(verdict.confidence, 4),
            "accepted": doubt is None,
            "stage": None if doubt is None else doubt.stage.value,
            "reason": "" if doubt is None else doubt.reason.value,
            "ms": round(look.took_ms, 2),
        }
        return json.dumps(fields, ensure_ascii=False)

    def _row(self, look: _Look) -> str:
        verdict, shot = look.examination.verdict, look.shot
        at = f"{shot.t_us / 1e6:{_TIME_WIDTH - 2}.2f} s" if shot.frame else ""
        name, room = on_one_line(shot.source.name), self._width - len(at)
        if len(name) > room:
            name = "…" + name[1 - room :]
        what = f"{verdict.code}  {_name_of(verdict.code)}" if verdict.code else _state(look)
        why = "" if verdict.doubt is None else f"{verdict.doubt.stage}: {verdict.doubt.reason}"
        row = f"{name:<{room}}{at}  {what:<22} {verdict.confidence:5.2f} {look.took_ms:7.1f} ms  {why}"
        return row.rstrip()


def _state(look: _Look) -> str:
    """Return the state of a look in words."""
    from vision.sighting import State

    doubt = look.examination.verdict.doubt
    return (State.CARD if doubt is None else doubt.state).value.replace("_", " ")


def _of(count: int, state: str) -> str:
    from vision.sighting import State

    return "cards" if state == State.CARD.value and count > 1 else state


def _name_of(code: str) -> str:
    from vision.cards import Card

    return Card.parse(code).name
