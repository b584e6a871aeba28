"""What the eye must reach, set by set: photographs of other people's cards, and drawn frames of decks it never saw.

A frame is *wrong* where a card is accepted that is not the one shown; where no card may be named at all, any is wrong.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.drawn_frames import artwork, draw_frame, read_decks
from vision.cards import Card
from vision.enrol import enrol
from vision.picture import read_picture
from vision.sighting import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.drawn_frames import DeckFolder
    from vision.classify import IndexReader
    from vision.enrol import Enrolment
    from vision.enrol_names import Question
    from vision.frame import Image
    from vision.recogniser import Looker

TRAINED_ON: Final = frozenset(
    {
        *("gh-notpeter", "gh-saulspatz-2c", "gh-saulspatz-access", "npm-letele"),
        *("npm-heruka-2color", "npm-heruka-2color-bf", "npm-heruka-4color"),
    }
)
"""Decks whose artwork the shipped reader was trained on."""

NOT_LIGHT: Final = frozenset({"kde-oxygen", "kde-oxygen-white"})
"""Decks with English letters that are dark, or have the index at the right corner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One picture and what is on it.

    Attributes:
        image: `(H, W, 3) uint8 BGR`.
        name: for messages.
        right: codes of the cards that may be accepted; empty where none may.
    """

    image: Image
    name: str
    right: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class Tally:
    """What the eye said of one set.

    Attributes:
        looked: number of pictures.
        accepted: number accepted with a right card.
        wrong: what was accepted wrongly, each as `"name: CARD"`.
        states: how often each state was given.
    """

    looked: int = 0
    accepted: int = 0
    wrong: list[str] = field(default_factory=list)
    states: Counter[State] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take in the tally of another part of the same set."""
        self.looked += other.looked
        self.accepted += other.accepted
        self.wrong += other.wrong
        self.states += other.states

    @property
    def bound(self) -> float:
        """Rate of wrong answers that is exceeded with 5 % probability at most, where none was seen."""
        return 1.0 - float(0.05 ** (1 / self.looked))


def tally(looker: Looker, pictures: Iterator[Shown]) -> Tally:
    """Return what the eye says of pictures."""
    counted = Tally()
    for shown in pictures:
        verdict = looker.examine(shown.image).verdict
        counted.looked += 1
        counted.states[State.CARD if verdict.doubt is None else verdict.doubt.state] += 1
        if verdict.code in shown.right:
            counted.accepted += 1
        elif verdict.code:
            counted.wrong.append(f"{shown.name}: {verdict.code}")
    return counted


def photographs(test_data: Path, folder: str) -> Iterator[Shown]:
    """Yield the photographs of a folder with their labels; of several cards in one, none may be accepted."""
    with (test_data / "photos" / "labels.csv").open(encoding="utf-8", newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["file"].startswith(f"photos/{folder}/")]
    for row in rows:
        yield Shown(image=read_picture(test_data / row["file"]), name=row["file"], right=_right(row["label"]))


SUITS: Final = "CDHS"


def _right(label: str) -> frozenset[str]:
    """Return the cards that a label allows: one, any suit of a rank, or none."""
    if label.startswith("JK"):
        return frozenset({"J1", "J2"})
    ranks = label.removesuffix("(rank only)").split()
    if len(ranks) != 1 or label in ("NONE", "BACK", "BACK2"):
        return frozenset()
    return frozenset(ranks[0] + suit for suit in SUITS) if "(" in label else frozenset(ranks)


LEVELS: Final = (0.5, 1.0, 1.5, 2.0)


def light_english(decks: list[DeckFolder]) -> list[DeckFolder]:
    """Return the decks with English letters on light cards that no training saw."""
    return [deck for deck in decks if deck.index.startswith("English") and deck.name not in TRAINED_ON | NOT_LIGHT]


def others(decks: list[DeckFolder]) -> list[DeckFolder]:
    """Return the decks with foreign letters, other suits, dark cards or the index at the right."""
    return [deck for deck in decks if not deck.index.startswith("English") or deck.name in NOT_LIGHT]


def drawn_faces(decks: list[DeckFolder], level: float, *, frames: int, seed: int) -> Iterator[Shown]:
    """Yield frames of one card each, decks and cards by chance."""
    rng = np.random.default_rng((seed, 0xFACE, round(level * 10)))
    for number in range(frames):
        deck, code = _any_card(rng, decks)
        image = draw_frame(rng, (artwork(deck.files[code]),), level=level)
        yield Shown(
            image=image,
            name=f"{deck.name} {code} at level {level}, seed {seed}, frame {number}",
            right=frozenset({code}),
        )


def drawn_backs(decks: list[DeckFolder], *, frames: int, seed: int) -> Iterator[Shown]:
    """Yield frames of backs at all levels."""
    rng = np.random.default_rng((seed, 0xBAC))
    backed = [deck for deck in decks if deck.backs]
    for number in range(frames):
        deck, level = backed[int(rng.integers(len(backed)))], LEVELS[number % len(LEVELS)]
        code = deck.backs[int(rng.integers(len(deck.backs)))]
        image = draw_frame(rng, (artwork(deck.files[code]),), level=level)
        yield Shown(image=image, name=f"{deck.name} {code} at level {level}, seed {seed}, frame {number}")


def drawn_jokers(decks: list[DeckFolder], *, frames: int, seed: int) -> Iterator[Shown]:
    """Yield frames of jokers at all levels; no rank and suit is theirs, so that none may be named."""
    rng = np.random.default_rng((seed, 0x70CE2))
    jokers = [(deck, code) for deck in decks for code in deck.files if code.startswith("JK")]
    for number in range(frames):
        (deck, code), level = jokers[int(rng.integers(len(jokers)))], LEVELS[number % len(LEVELS)]
        image = draw_frame(rng, (artwork(deck.files[code]),), level=level)
        yield Shown(image=image, name=f"{deck.name} {code} at level {level}, seed {seed}, frame {number}")


def drawn_pairs(
    decks: list[DeckFolder], out_of_line: tuple[float, float], *, frames: int, seed: int
) -> Iterator[Shown]:
    """Yield frames of two cards that lie so far out of line, least and most, parts of a card's width."""
    rng = np.random.default_rng((seed, 0x2CA2D, round(1000 * out_of_line[0])))
    for number in range(frames):
        deck, code = _any_card(rng, decks)
        under = deck.faces[int(rng.integers(len(deck.faces)))]
        off = rng.uniform(*out_of_line)
        cards = artwork(deck.files[under]), artwork(deck.files[code])
        name = f"{deck.name} {code} on {under}, {off:.1%} out of line, seed {seed}, frame {number}"
        yield Shown(image=draw_frame(rng, cards, out_of_line=off), name=name)


def drawn_empties(*, frames: int, seed: int) -> Iterator[Shown]:
    """Yield frames of the empty window at all levels."""
    rng = np.random.default_rng((seed, 0xE))
    for number in range(frames):
        yield Shown(
            image=draw_frame(rng, (), level=LEVELS[number % len(LEVELS)]), name=f"empty, seed {seed}, frame {number}"
        )


def drawn_parts(decks: list[DeckFolder], *, frames: int, seed: int) -> Iterator[Shown]:
    """Yield frames of cards that the edge of the picture cuts."""
    rng = np.random.default_rng((seed, 0xA27))
    for number in range(frames):
        deck, code = _any_card(rng, decks)
        shift = float(rng.choice([-1, 1]) * rng.uniform(260, 400))
        image = draw_frame(rng, (artwork(deck.files[code]),), shift=shift)
        yield Shown(image=image, name=f"{deck.name} {code} cut, seed {seed}, frame {number}")


def _any_card(rng: np.random.Generator, decks: list[DeckFolder]) -> tuple[DeckFolder, str]:
    deck = decks[int(rng.integers(len(decks)))]
    return deck, deck.faces[int(rng.integers(len(deck.faces)))]


NEVER_ENROLLED: Final = frozenset({"kde-xskat-german", "gnome-swiss-xvii"})
"""Decks whose pictures are partly broken, or whose suits are not the French ones."""

PICTURES: Final = 2
"""Pictures of a card in each pass of enrolling; the eye takes one more of a card that stands in a window."""


def enrol_drawn(deck: DeckFolder, reader: IndexReader, *, seed: int, pictures: int = PICTURES) -> Enrolment:
    """Return what is learnt of a deck drawn twice at level 1, with its back in the second pass; all questions answered.

    Its frames come from another source of chance than those of every set.
    """
    rng = np.random.default_rng((seed, 0xE2201, *deck.name.encode()))
    shown: dict[int, str] = {}

    def one_pass(codes: list[str]) -> list[list[Image]]:
        came = []
        for code in rng.permutation(codes):
            frames = [draw_frame(rng, (artwork(deck.files[code]),)) for _ in range(pictures)]
            shown.update({id(frame): code for frame in frames})
            came.append(frames)
        return came

    def named(question: Question, image: Image) -> Card:
        return Card.parse(shown[id(image)])

    passes = one_pass(deck.faces), one_pass(deck.faces + deck.backs[:1])
    return enrol(deck.name, passes, tuple(Card.parse(code) for code in deck.faces), reader, ask=named)


def drawn_sets(test_data: Path, *, frames: int, seed: int) -> dict[str, Iterator[Shown]]:
    """Return the drawn sets of about `frames` frames together, by name."""
    decks = read_decks(test_data)
    english = light_english(decks)
    sets: dict[str, Iterator[Shown]] = {
        f"English, light, level {level}": drawn_faces(english, level, frames=frames * 15 // 100, seed=seed)
        for level in LEVELS
    }
    sets["foreign, dark or right-corner"] = drawn_faces(others(decks), 1.0, frames=frames // 10, seed=seed)
    sets["backs, all levels"] = drawn_backs(decks, frames=frames * 12 // 100, seed=seed)
    sets["jokers, all levels"] = drawn_jokers(decks, frames=frames * 5 // 100, seed=seed)
    sets["two cards, 5 to 25 % apart"] = drawn_pairs(decks, (0.05, 0.25), frames=frames // 10, seed=seed)
    sets["two cards, 0 to 5 % apart"] = drawn_pairs(decks, (0.0, 0.05), frames=frames * 3 // 100, seed=seed)
    sets["empty"] = drawn_empties(frames=frames * 2 // 100, seed=seed)
    sets["cut by the picture's edge"] = drawn_parts(decks, frames=frames * 3 // 100, seed=seed)
    return sets
