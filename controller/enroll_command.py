"""Enrol a deck: learn how each of its cards looks through this window, so that the eye is surer of them from then on.

One pack goes through the window twice, the second time turned end for end. You are asked only about cards that the eye
cannot name for itself. To have the back learnt too, lay one spare card in with its back to the camera.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller import machine_session
from controller.exit_status import DONE, FAULT, WRONG_USE
from vision.cards import JOKERS, PACK_SIZES, Card, Pack

if TYPE_CHECKING:
    from controller.console import Console
    from controller.machine_session import Machine
    from vision.enrol import Enrolment
    from vision.enrol_names import Question
    from vision.frame import Image
    from vision.recogniser import Examination

    Pass = list[list[Image]]

_TURN: Final = "For the second pass, turn the whole pack end for end, and lay it in again."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone enroll`."""
    parser.epilog = "exit status: 0 the deck is learnt, 1 refused, a card nobody named, or a fault, 2 wrong use"
    parser.add_argument("name", metavar="NAME", help="name of the deck: letters, digits, dots, dashes")
    machine_session.add_arguments(parser, as_json="print one JSON object, and ask nothing")
    parser.add_argument(
        "--frames", metavar="DIR", type=Path, nargs=2, help="pictures of both passes, a folder each, and no machine"
    )
    parser.add_argument(
        "--pack", metavar="CARDS", type=int, choices=PACK_SIZES, default=52, help="24, 25, 32, 33 or 52 (default: 52)"
    )
    parser.add_argument(
        "--jokers", metavar="N", type=int, choices=(0, 1, 2), help="jokers in the pack (default: as the pack has)"
    )
    parser.add_argument("--store", metavar="DIR", type=Path, help="folder of decks (default: in your data folder)")


def run(args: argparse.Namespace) -> int:
    """Enrol the deck; return the exit status."""
    from controller.data_folder import default_decks
    from vision.deck import is_deck_name

    if not is_deck_name(args.name):
        sys.stderr.write(f"pone enroll: {args.name!r:.80} cannot be a deck's name: use letters, digits, dots, dashes\n")
        return WRONG_USE
    store = default_decks() if args.store is None else args.store
    if reason := _no_place(store):
        sys.stderr.write(f"pone enroll: {store}: decks cannot be kept there: {reason}; name another --store\n")
        return FAULT
    cards = cards_of(args.pack, args.jokers)
    if args.frames is not None:
        return _from_folders(args, store, cards)
    return machine_session.with_machine(args, "enroll", lambda machine: _from_machine(args, store, cards, machine))


def _no_place(store: Path) -> str:
    """Make the folder of decks, and return why no file can be made in it; empty where one can."""
    from vision.files import plainly

    try:
        store.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=store):
            return ""
    except OSError as error:
        return plainly(error)


def cards_of(size: int, jokers: int | None) -> tuple[Card, ...]:
    """Return the cards of a pack, with so many jokers in place of its own; None for its own.

    >>> len(cards_of(52, None)), len(cards_of(52, 2)), len(cards_of(33, None)), len(cards_of(33, 0))
    (52, 54, 33, 32)
    """
    own = Pack.of(size).cards
    if jokers is None:
        return own
    return tuple(card for card in own if not card.is_joker) + tuple(Card.parse(code) for code in JOKERS[:jokers])


def _from_folders(args: argparse.Namespace, store: Path, cards: tuple[Card, ...]) -> int:
    """Enrol from two folders of pictures, a picture a card, in the order of their names."""
    from controller.console import Console
    from vision.errors import VisionError

    console = Console(out=sys.stdout, err=sys.stderr, as_json=args.json)
    try:
        first, second = (list(_pictures(folder)) for folder in args.frames)
        return _enrol(args.name, store, cards, (first, second), console)
    except VisionError as error:
        console.complain(f"pone enroll: {error}")
        return FAULT


def _pictures(folder: Path) -> Iterator[list[Image]]:
    from vision.camera import open_camera

    camera = open_camera(f"frames:{folder}", clock=lambda: 0)
    while (frame := camera.next_frame(after_us=0, deadline_us=0)) is not None:
        yield [frame.image]


@dataclass(slots=True)
class _Keeper:
    """Looks at nothing, and keeps the pictures that an eye counts as those of one card."""

    images: list[Image] = field(default_factory=list)

    def examine(self, image: Image) -> Examination:
        """Keep a picture; it is never sure, so that the eye goes on to the next one."""
        from vision.decide import Verdict
        from vision.doubts import Doubt
        from vision.recogniser import Examination

        self.images.append(image)
        return Examination(image=image, verdict=Verdict(doubt=Doubt.NO_INDEX))


def _from_machine(args: argparse.Namespace, store: Path, cards: tuple[Card, ...], machine: Machine) -> int:
    """Enrol with the pack going through a machine twice."""
    keeper = _Keeper()
    watching = machine.watched_by(keeper)
    lay = f"Lay the pack of {len(cards)} cards in the hopper, face down, in any order."
    first = list(_one_pass(watching, keeper, len(cards), lay))
    second = list(_one_pass(watching, keeper, len(cards), _TURN))
    return _enrol(args.name, store, cards, (first, second), machine.console)


def _one_pass(machine: Machine, keeper: _Keeper, count: int, words: str) -> Iterator[list[Image]]:
    """Have the pack laid in with these words, and yield the pictures of each card of one passage.

    Raises:
        controller.errors.PassageBroken: two cards came at once, or the machine cannot go on.
    """
    from controller.errors import PassageBroken

    machine.lay_in(count, words)
    for passed in machine.passages(machine_session.in_turn):
        machine.console.progress(passed.k, count)
        if not passed.single:
            raise PassageBroken(passed.finding, passed.k)
        yield keeper.images
        keeper.images = []


def _enrol(name: str, store: Path, cards: tuple[Card, ...], passes: tuple[Pass, Pass], console: Console) -> int:
    """Learn the deck from the pictures of both passes, keep it, and report."""
    from vision.deck_store import save_deck
    from vision.enrol import enrol
    from vision.recogniser import shipped_reader

    asked = _Asked(store, name, console)
    enrolment = enrol(name, passes, cards, shipped_reader(), ask=asked.ask)
    files = asked.leave_open(enrolment)
    kept = None if enrolment.deck is None else save_deck(store, enrolment.deck)
    report = _write(store / f"{name}.report.png", _report(name, enrolment))
    for said in _said(enrolment, files):
        console.say(said)
    if kept is not None:
        console.say(f"Deck {name} is learnt and kept: {kept}")
    console.say(f"Report: {report}")
    if console.as_json:
        console.data(_as_json(name, enrolment, files) | {"deck": kept and str(kept), "report": str(report)})
    return FAULT if enrolment.deck is None else DONE


def _said(enrolment: Enrolment, files: list[Path]) -> Iterator[str]:
    """Yield what is said of an enrolment, a sentence each."""
    for check in enrolment.checks:
        yield check.said
    yield from enrolment.refusals
    for (question, _), file in zip(enrolment.questions, files, strict=True):
        yield f"Which card is {file}? It may be {_either(question.likely)}. Run pone enroll on a terminal to say so."
    for quality in enrolment.worn():
        yield f"Look at the {quality.card.name}: its two pictures differ most. Clean it, or take another pack."


def _either(cards: tuple[Card, ...]) -> str:
    return " or ".join(card.name for card in cards)


def _as_json(name: str, enrolment: Enrolment, files: list[Path]) -> dict[str, Any]:
    """Return an enrolment ready for JSON."""
    return {
        "name": name,
        "checks": [{"what": check.what, "passed": check.passed, "said": check.said} for check in enrolment.checks],
        "refusals": list(enrolment.refusals),
        "asked": enrolment.asked,
        "conflicts": [
            {"picture": str(file), "likely": [str(card) for card in question.likely]}
            for (question, _), file in zip(enrolment.questions, files, strict=True)
        ],
        "worn": [str(quality.card) for quality in enrolment.worn()],
        "cards": len(enrolment.qualities),
    }


def _report(name: str, enrolment: Enrolment) -> Image:
    from vision.enrol_report import draw_report

    return draw_report(name, enrolment)


def _write(file: Path, picture: Image) -> Path:
    """Write a picture as PNG and return its file.

    Raises:
        vision.errors.DeckError: it cannot be written.
    """
    from vision.errors import DeckError
    from vision.files import plainly
    from vision.picture import as_png

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(as_png(picture))
    except OSError as error:
        raise DeckError(str(file), f"the picture cannot be written there: {plainly(error)}") from error
    return file


class _Asked:
    """Asks the person at the terminal which card a picture shows; asks nobody where there is none."""

    def __init__(self, store: Path, name: str, console: Console) -> None:
        self._store = store
        self._name = name
        self._console = console
        self._attended = not console.as_json and sys.stdin.isatty() and console.out.isatty()

    def ask(self, question: Question, image: Image) -> Card | None:
        """Return the card that the person names; None where there is nobody, or no answer."""
        if not self._attended:
            return None
        file = _write(self._store / f"{self._name}.ask.png", image)
        self._console.say(f"Which card is {file}? It may be {_either(question.likely)}.")
        while True:
            self._console.say("Write rank and suit, as in QH or TS; nothing, if you do not know:")
            answer = sys.stdin.readline().strip().upper()
            try:
                return Card.parse(answer) if answer else None
            except ValueError as error:
                self._console.complain(str(error))

    def leave_open(self, enrolment: Enrolment) -> list[Path]:
        """Write the picture of every card that nobody named, and return the files."""
        (self._store / f"{self._name}.ask.png").unlink(missing_ok=True)
        return [
            _write(self._store / f"{self._name}.ask-{number}.png", image)
            for number, (_, image) in enumerate(enrolment.questions, 1)
        ]
