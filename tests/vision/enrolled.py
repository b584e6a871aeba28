"""Packs of the simulated window for tests of enrolling: two passes of one pack, and the deck that they give."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hardware_sims.packs import BACKS
from hardware_sims.render import render_window
from hardware_sims.sample_frames import lying
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack
from vision.enrol import Enrolment, enrol
from vision.recogniser import shipped_reader

if TYPE_CHECKING:
    from vision.deck import Deck
    from vision.enrol_names import Question
    from vision.frame import Image

CARDS = Pack.of(24).cards


def picture(card: Card, *, seed: int, face: bool = True, style: str = "plain", turned: int = 0) -> Image:
    """A picture of a card at rest in the window; the stream of an odd seed lays it another way."""
    stream = Stream(seed, f"{card}{turned}")
    return render_window(lying(card, stream, face=face, style=style, back=BACKS[0], seed=seed))


@cache
def passes(style: str = "plain") -> tuple[list[list[Image]], list[list[Image]]]:
    """Two passes of a pack of 24, the second in the reverse order and with a back before it."""
    first = [[picture(card, seed=number, style=style)] for number, card in enumerate(CARDS)]
    second = [[picture(card, seed=100 + number, style=style)] for number, card in reversed(list(enumerate(CARDS)))]
    return first, [[picture(CARDS[0], seed=7, face=False, style=style)], *second]


def nobody(question: Question, image: Image) -> Card | None:
    return None


@cache
def enrolment() -> Enrolment:
    return enrol("plain", passes(), CARDS, shipped_reader(), ask=nobody)


def deck() -> Deck:
    learnt = enrolment().deck
    assert learnt is not None, enrolment().refusals
    return learnt
