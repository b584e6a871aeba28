"""Enrol a deck: learn how each of its cards looks through this window, so that the eye is surer of them from then on.

One pack goes through the window twice, the second time turned end for end. You are asked only about cards that the eye
cannot name for itself. To have the back learnt too, lay one spare card in with its back to the camera.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller import machine_session
from controller.exit_status import DONE, FAULT, WRONG_USE
from vision.cards import JOKERS, PACK_SIZES, Card, CardError, Pack
from vision.files import named_path

if TYPE_CHECKING:
    from controller.console import Console
    from controller.enroll_pictures import DeckPictures
    from controller.machine_session import Machine
    from vision.enrol import Enrolment
    from vision.enrol_names import Question
    from vision.errors import DeckError
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
        "--frames",
        metavar="DIR",
        type=named_path,
        nargs=2,
        help="pictures of both passes, a folder each, and no machine",
    )
    parser.add_argument(
        "--pack", metavar="CARDS", type=int, choices=PACK_SIZES, default=52, help="24, 25, 32, 33 or 52 (default: 52)"
    )
    parser.add_argument(
        "--jokers", metavar="N", type=int, choices=(0, 1, 2), help="jokers in the pack (default: as the pack has)"
    )
    parser.add_argument(
        "--store", metavar="DIR", type=named_path, help="folder of decks (default: in your data folder)"
    )


def run(args: argparse.Namespace) -> int:
    """Enrol the deck; return the exit status."""
    from controller.data_folder import default_decks
    from controller.enroll_pictures import DeckPictures
    from vision.deck import is_deck_name

    if not is_deck_name(args.name):
        sys.stderr.write(f"pone enroll: {args.name!r:.80} cannot be a deck's name: use letters, digits, dots, dashes\n")
        return WRONG_USE
    if args.frames is not None and (args.camera is not None or args.machine != machine_session.SIMULATED):
        sys.stderr.write("pone enroll: --frames needs no machine: leave out --machine and --camera, or --frames\n")
        return WRONG_USE
    if args.frames is not None and _same_folder(*args.frames):
        sys.stderr.write("pone enroll: --frames names one folder twice: name that of each pass\n")
        return WRONG_USE
    pictures = DeckPictures(store=default_decks() if args.store is None else args.store, name=args.name)
    if complaint := _no_place(pictures):
        sys.stderr.write(f"pone enroll: {complaint}\n")
        return FAULT
    cards = cards_of(args.pack, args.jokers)
    if args.frames is not None:
        return _from_folders(args, pictures, cards)
    return machine_session.with_machine(args, "enroll", lambda machine: _from_machine(pictures, cards, machine))


def _same_folder(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False  # one of them is none, and that is told when it is read


def _no_place(pictures: DeckPictures) -> str:
    """Return why deck and pictures cannot be kept, with the next step; empty where they can: cards come after that."""
    from controller.user_files import why_no_file_at
    from vision.deck_store import deck_file
    from vision.files import plainly

    if reason := why_no_file_at(deck_file(pictures.store, pictures.name), make_folder=True):
        return f"{pictures.store}: decks cannot be kept there: {reason}; name another --store"
    try:
        taken = pictures.in_the_way()
    except OSError as error:
        return f"{pictures.store}: the folder cannot be read: {plainly(error)}; name another --store"
    return "" if taken is None else f"{taken} is no file, and in the way of one: move it away, or take another NAME"


def cards_of(size: int, jokers: int | None) -> tuple[Card, ...]:
    """Return the cards of a pack, with so many jokers in place of its own; None for its own.

    >>> len(cards_of(52, None)), len(cards_of(52, 2)), len(cards_of(33, None)), len(cards_of(33, 0))
    (52, 54, 33, 32)
    """
    own = Pack.of(size).cards
    if jokers is None:
        return own
    return tuple(card for card in own if not card.is_joker) + tuple(Card.parse(code) for code in JOKERS[:jokers])


def _from_folders(args: argparse.Namespace, pictures: DeckPictures, cards: tuple[Card, ...]) -> int:
    """Enrol from two folders of pictures, a picture a card, in the order of their names."""
    from controller.console import Console
    from vision.errors import VisionError

    console = Console(out=sys.stdout, err=sys.stderr, as_json=args.json)
    try:
        first, second = (list(_pictures(folder)) for folder in args.frames)
        return _enrol(pictures, cards, (first, second), console)
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

    def begin(self) -> None:
        """Keep what was kept: the pictures are of one pack, however often it is dealt."""

    def examine(self, image: Image) -> Examination:
        """Keep a picture; it is never sure, so that the eye goes on to the next one."""
        from vision.decide import Verdict
        from vision.doubts import Doubt
        from vision.recogniser import Examination

        self.images.append(image)
        return Examination(image=image, verdict=Verdict(doubt=Doubt.NO_INDEX))


def _from_machine(pictures: DeckPictures, cards: tuple[Card, ...], machine: Machine) -> int:
    """Enrol with the pack going through a machine twice."""
    keeper = _Keeper()
    watching = machine.watched_by(keeper)
    lay = f"Lay the pack of {len(cards)} cards in the hopper, face down, in any order."
    first = list(_one_pass(watching, keeper, len(cards), lay))
    second = list(_one_pass(watching, keeper, len(cards), _TURN))
    return _enrol(pictures, cards, (first, second), machine.console)


def _one_pass(machine: Machine, keeper: _Keeper, count: int, words: str) -> Iterator[list[Image]]:
    """Have the pack laid in with these words, and yield the pictures of each card of one passage.

    Raises:
        controller.errors.PassageBroken: two cards came at once, or the machine cannot go on.
        controller.errors.CameraBlind: of more cards than may be missed there is no picture that counts.
    """
    from controller.errors import CameraBlind, PassageBroken
    from vision.enrol import EnrolLimits

    machine.lay_in(count, words)
    unseen = 0
    for passed in machine.passages(machine_session.in_turn):
        machine.console.progress(passed.k, count)
        if not passed.single:
            raise PassageBroken(passed.finding, passed.k)
        unseen += not keeper.images
        if unseen > EnrolLimits().missed:
            raise CameraBlind(passed.k, passed.sighting.reason)
        yield keeper.images
        keeper.images = []


def _enrol(pictures: DeckPictures, cards: tuple[Card, ...], passes: tuple[Pass, Pass], console: Console) -> int:
    """Learn the deck from the pictures of both passes, keep it, and report.

    All that was found is said first; what could not be written is told behind it.
    """
    from vision.enrol import enrol
    from vision.recogniser import shipped_reader

    asked = _Asked(pictures, cards, console)
    console.say("Comparing the pictures of both passes, each with each: this takes a while.")
    try:
        enrolment = enrol(pictures.name, passes, cards, shipped_reader(), ask=asked.ask)
    finally:
        pictures.take_away(pictures.asked)
    outcome = _kept(pictures, enrolment)
    for said in (*_said(enrolment, outcome.left_open), *outcome.said()):
        console.say(said)
    for error in outcome.errors:
        console.complain(f"pone enroll: {error}")
    if console.as_json:
        console.data(_as_json(pictures.name, enrolment, outcome.left_open) | outcome.as_json())
    return DONE if outcome.deck is not None and not outcome.errors else FAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What of an enrolment was written.

    Attributes:
        deck: the file of the deck; None where none was learnt, or it could not be written.
        report: that of the report; None where it could not be written.
        left_open: a file a question, whether it could be written or not.
        errors: what could not.
    """

    deck: Path | None
    report: Path | None
    left_open: list[Path]
    errors: list[DeckError]

    def said(self) -> Iterator[str]:
        """Yield what is said of it, a sentence each."""
        if self.deck is not None:
            yield f"Deck {self.deck.stem} is learnt and kept: {self.deck}"
        if self.report is not None:
            yield f"Report: {self.report}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"deck": self.deck and str(self.deck), "report": self.report and str(self.report)}


def _kept(pictures: DeckPictures, enrolment: Enrolment) -> _Outcome:
    """Keep the deck, and the pictures that belong to it; those of earlier tries go."""
    from vision.deck_store import deck_file, save_deck
    from vision.enrol_report import draw_report
    from vision.errors import DeckError

    errors: list[DeckError] = []

    def done(act: Callable[[], object]) -> bool:
        try:
            act()
        except DeckError as error:
            errors.append(error)
            return False
        return True

    deck = enrolment.deck
    kept = deck is not None and done(lambda: save_deck(pictures.store, deck))
    done(pictures.take_away_left_open)
    if kept:
        done(lambda: pictures.take_away(pictures.refused))
    left_open = [pictures.left_open(number) for number in range(1, len(enrolment.questions) + 1)]
    for file, (_, image) in zip(left_open, enrolment.questions, strict=True):
        done(partial(pictures.write, file, image))
    report = pictures.report if kept else pictures.refused
    drawn = done(lambda: pictures.write(report, draw_report(pictures.name, enrolment)))
    return _Outcome(
        deck=deck_file(pictures.store, pictures.name) if kept else None,
        report=report if drawn else None,
        left_open=left_open,
        errors=errors,
    )


def _said(enrolment: Enrolment, files: list[Path]) -> Iterator[str]:
    """Yield what is said of an enrolment, a sentence each."""
    for check in enrolment.checks:
        yield check.said
    yield from enrolment.refusals
    for (question, _), file in zip(enrolment.questions, files, strict=True):
        yield f"Which card is {file}? It may be {_either(question.likely)}. Run pone enroll on a terminal to say so."
    for quality in enrolment.worn():
        yield f"Look at the {quality.card.name}: its two pictures differ most. Clean it, or take another pack."
    if spoilt := enrolment.spoilt():
        cards = ", ".join(card.name for card in spoilt)
        yield f"Print up to the edge spoils the outline of: {cards}. They are read where the whole card is as it was."


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
        "spoilt": [str(card) for card in enrolment.spoilt()],
        "cards": len(enrolment.qualities),
    }


class _Asked:
    """Asks the person at the terminal which card a picture shows; asks nobody where there is none."""

    def __init__(self, pictures: DeckPictures, cards: tuple[Card, ...], console: Console) -> None:
        self._pictures = pictures
        self._cards = cards
        self._console = console
        self._attended = not console.as_json and sys.stdin.isatty() and console.out.isatty()

    def ask(self, question: Question, image: Image) -> Card | None:
        """Return the card that the person names; None where there is nobody, or no answer."""
        from controller.typed_cards import typed_card

        if not self._attended:
            return None
        self._pictures.write(self._pictures.asked, image)
        self._console.say(f"Which card is {self._pictures.asked}? It may be {_either(question.likely)}.")
        while True:
            self._console.say("Write rank and suit, as in QH or TS; nothing, if you do not know:")
            answer = sys.stdin.readline().strip()
            if not answer:
                return None
            try:
                card = typed_card(answer)
            except CardError as error:
                self._console.complain(str(error))
            else:
                if card in self._cards:
                    return card
                self._console.complain(f"The {card.name} is no card of this pack.")
