"""Learns a deck from one pack that went through the window twice: pairs, names, pictures, and whether it will do.

Nothing of a deck is configured: where its index stands, what its letters read as, how its cards look and how unlike
they are is found. A pack that cannot be told apart surely is refused, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.assignment import assign
from vision.deck import Deck
from vision.deck_decide import DeckLimits
from vision.deck_fit import brought_onto, turned, unit
from vision.deck_index import crops_at
from vision.deck_match import Templates, features, paired_features, unsteadiness
from vision.enrol_checks import CheckLimits, check_window
from vision.enrol_looks import CardLook, best_look
from vision.enrol_names import Readings, evidence, find_index, name_all, read_index
from vision.index_crop import PAPER_LEVEL, whiten
from vision.overlap import indices_apart, inner_edge
from vision.recogniser import Limits
from vision.rectify import dimmest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.cards import Card
    from vision.classify import IndexReader
    from vision.deck import IndexPlace
    from vision.doubts import Doubt
    from vision.enrol_checks import Check
    from vision.enrol_names import Question
    from vision.frame import Image

    Features = NDArray[np.float32]
    Frames = Sequence[Image]
    Ask = Callable[[Question, Image], Card | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrolLimits:
    """When a pack is good enough.

    Attributes:
        missed: cards of a pass that may be without a picture, if the other pass has one.
        back: least probability of a back for a picture beyond the cards of the pack.
        apart: how surely a picture must be its own card and no other, natural logarithms of odds, by the one of the
            other pass alone.
        alike: least likeness of the two pictures of a card.
        weak: part of the cards that may stay below one of these.
        glare: part of a card brighter than its paper from which on glare is named as the cause.
        looks: limits of a single look.
        window: limits of light, focus and flatness.
    """

    missed: int = 2
    back: float = 0.5
    apart: float = 3.0
    alike: float = 0.7
    weak: float = 0.1
    glare: float = 0.02
    looks: Limits = field(default_factory=Limits)
    window: CheckLimits = field(default_factory=CheckLimits)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardQuality:
    """How well one card was learnt.

    Attributes:
        card: the card.
        pictures: its card pictures, of one pass or of both, the same way up.
        alike: likeness of both, in [-1, 1]; 1 where there is one only.
        clear: how clearly each is this card by the other alone, the less clear of both.
        rival: the card that it is nearest to.
        read_apart: logarithm of how much less likely the indices of both read as the same than as themselves.
        glare: part of it that is brighter than its paper.
    """

    card: Card
    pictures: tuple[Image, ...]
    alike: float
    clear: float
    rival: Card
    read_apart: float
    glare: float

    @property
    def apart(self) -> float:
        """How surely card and rival are told apart, natural logarithms of odds: by whole card and index together."""
        return _WEIGHT * self.clear + self.read_apart


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Enrolment:
    """What became of it.

    Attributes:
        checks: of light, focus and flatness.
        refusals: why the pack was refused, each one sentence with the next step; empty where it was not.
        questions: what only a person can say, and nobody said; with the picture of each.
        asked: number of questions that were answered.
        qualities: of the cards, the worst first; empty where it did not come so far.
        deck: what was learnt; None where the pack was refused, or a question is open.
    """

    checks: tuple[Check, ...] = ()
    refusals: tuple[str, ...] = ()
    questions: tuple[tuple[Question, Image], ...] = ()
    asked: int = 0
    qualities: tuple[CardQuality, ...] = ()
    deck: Deck | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pass:
    """The cards of one pass: looks and readings of its faces, the looks of its backs, and what could not be seen."""

    looks: list[CardLook]
    readings: list[Readings]
    backs: list[CardLook]
    missed: list[tuple[int, Doubt]]


def enrol(
    name: str,
    passes: tuple[Sequence[Frames], Sequence[Frames]],
    cards: Sequence[Card],
    reader: IndexReader,
    *,
    ask: Ask,
    limits: EnrolLimits | None = None,
) -> Enrolment:
    """Return what was learnt of a pack.

    Args:
        name: of the deck.
        passes: both passes; of each card in the order in which it came, one picture or more, `(H, W, 3) uint8 BGR`.
        cards: of the pack, each once.
        reader: reads the indices.
        ask: asks a person which card a picture shows; None where nobody answers.
        limits: when a pack is good enough.
    """
    limits = limits or EnrolLimits()
    seen = [[best_look(frames, limits.looks) for frames in one] for one in passes]
    looks = [look for one in seen for look in one if isinstance(look, CardLook)]
    if not looks:
        return Enrolment(refusals=("No card was seen. Look at a picture of the camera with pone see --explain.",))
    checks = check_window(looks, limits.window)
    if failed := tuple(check.said for check in checks if not check.passed):
        return Enrolment(checks=checks, refusals=failed)
    place = find_index(looks, reader)
    both = [_sorted_out(one, len(cards), place, reader, limits) for one in seen]
    if refusals := _miscounted(both, len(cards), limits):
        return Enrolment(checks=checks, refusals=refusals)
    groups = _paired(both)
    if len(groups) != len(cards):
        said = f"Both passes together show {len(groups)} different cards, and the pack has {len(cards)}. Begin again."
        return Enrolment(checks=checks, refusals=(said,))
    chances = np.stack([evidence([one.readings[at] for one, at in group], cards) for group in groups])
    pictured = [group[0][0].looks[group[0][1]].image for group in groups]
    named = name_all(chances, cards, lambda question: ask(question, pictured[question.number]))
    asked = len(named.answered)
    if named.twice is not None:
        said = f"Two pictures were named the {named.twice.name}. Look whether the pack is whole, and begin again."
        return Enrolment(checks=checks, refusals=(said,), asked=asked)
    order = np.argsort([cards.index(card) for card in named.cards])
    groups, ordered = [groups[at] for at in order], tuple(named.cards[at] for at in order)
    qualities, pictures = _learn(groups, ordered)
    refusals = _too_poor(qualities, limits)
    deck = None
    if not refusals and not named.open:
        deck = _deck(name, qualities, pictures, groups, place)
    return Enrolment(
        checks=checks,
        refusals=refusals,
        questions=tuple((question, pictured[question.number]) for question in named.open),
        asked=asked,
        qualities=tuple(sorted(qualities, key=lambda one: (one.apart, one.alike))),
        deck=deck,
    )


def _sorted_out(
    seen: Sequence[CardLook | Doubt], count: int, place: IndexPlace, reader: IndexReader, limits: EnrolLimits
) -> _Pass:
    """Tell faces from backs: a back is what comes beyond the cards of the pack and reads as one."""
    looks = [look for look in seen if isinstance(look, CardLook)]
    missed = [(number, look) for number, look in enumerate(seen, 1) if not isinstance(look, CardLook)]
    readings = [read_index(look, place, reader) for look in looks]
    beyond = max(len(seen) - count, 0)
    likely = sorted(range(len(looks)), key=lambda at: -readings[at].back)[:beyond]
    backs = {at for at in likely if readings[at].back >= limits.back}
    faces = [at for at in range(len(looks)) if at not in backs]
    return _Pass(
        looks=[looks[at] for at in faces],
        readings=[readings[at] for at in faces],
        backs=[looks[at] for at in sorted(backs)],
        missed=missed,
    )


def _miscounted(both: Sequence[_Pass], count: int, limits: EnrolLimits) -> tuple[str, ...]:
    """Return why the cards of both passes are not those of one whole pack."""
    said = []
    for ordinal, one in zip(("first", "second"), both, strict=True):
        faces = len(one.looks) + len(one.missed)
        if faces != count:
            said.append(f"{faces} faces came in the {ordinal} pass, and the pack has {count}. Lay the whole pack in.")
        elif len(one.missed) > limits.missed:
            number, doubt = one.missed[0]
            said.append(
                f"{len(one.missed)} cards of the {ordinal} pass could not be looked at, the first was card {number}: "
                f"{doubt.reason}. Put that right, and begin again."
            )
    return tuple(said)


_Group = tuple[tuple[_Pass, int], ...]
"""The pictures of one card: in which pass, and which of its looks."""


def _paired(both: Sequence[_Pass]) -> list[_Group]:
    """Return which pictures of the two passes show one card; a card that one of them missed has one picture."""
    first, second = both
    shown, again = (np.stack([features(look.picture) for look in one.looks]) for one in both)
    likely = _likeliest(again, shown).argmax(axis=1)
    pairs = np.stack([[unit(shown[at]), unit(brought_onto(one, shown[at])[2])] for one, at in zip(again, likely, strict=True)])
    templates = Templates(shown, unsteadiness(pairs))
    unlike = 1.0 - np.stack([templates.match(one).likenesses for one in again]).astype(np.float64)
    unlike += _READ_APART * np.array([[_read_apart(one, other) for one in first.readings] for other in second.readings])
    partners = assign(np.hstack([unlike, np.full((len(again), len(first.missed)), _NO_PARTNER)]))
    partner_of = {int(at): number for number, at in enumerate(partners)}
    groups: list[_Group] = [
        ((first, at), (second, partner_of[at])) if at in partner_of else ((first, at),) for at in range(len(shown))
    ]
    return groups + [((second, number),) for number, at in enumerate(partners) if at >= len(shown)]


_NO_PARTNER: Final = 0.25
"""Unlikeness from which on a picture is rather that of a card which the other pass missed."""

_READ_APART: Final = 0.02
"""What it adds to the unlikeness of two pictures that their indices are read so many times less likely as the same, for
each natural logarithm of that."""


def _read_apart(one: Readings, other: Readings) -> float:
    """Return the logarithm of how much less likely two indices read as the same than each reads as itself."""
    same = float(one.ranks @ other.ranks) * float(one.suits @ other.suits)
    each = float(one.ranks @ one.ranks) * float(one.suits @ one.suits)
    each *= float(other.ranks @ other.ranks) * float(other.suits @ other.suits)
    return max(float(np.log(np.sqrt(each) + _LEAST) - np.log(same + _LEAST)), 0.0)


_LEAST: Final = 1e-3

_NEAREST: Final = 4
"""Pictures onto which another is moved to see whether they show one card: those it is most like as it lies."""


def _likeliest(shown: Features, wanted: Features) -> Features:
    """Return the likeness of each picture to each other, either way up and moved onto it where it comes near."""
    flat = unit(wanted).reshape(len(wanted), -1)
    found = np.maximum(*(unit(way).reshape(len(way), -1) @ flat.T for way in (shown, turned(shown))))
    for row, one in enumerate(shown):
        for column in np.argsort(-found[row])[:_NEAREST]:
            found[row, column] = brought_onto(one, wanted[column])[0]
    return found


def _learn(groups: Sequence[_Group], cards: tuple[Card, ...]) -> tuple[list[CardQuality], Image]:
    """Return how well each card was learnt, and the pictures of all, `(cards, 2, height, width, 3) uint8 BGR`."""
    pictures, alike = [], []
    for group in groups:
        shown = [whiten(one.looks[at].picture) for one, at in group]
        likeness, turn, _ = brought_onto(features(shown[-1]), features(shown[0]))
        pictures.append(np.stack([shown[0], shown[-1][::-1, ::-1] if turn else shown[-1]]))
        alike.append(likeness)
    pairs = np.stack([paired_features(both) for both in pictures])
    clear, rivals = _told_apart(pairs)
    readings = [_together(group) for group in groups]
    qualities = [
        CardQuality(
            card=card,
            pictures=tuple(pictures[at][: len(groups[at])]),
            alike=alike[at],
            clear=float(clear[at]),
            rival=cards[rivals[at]],
            read_apart=_read_apart(readings[at], readings[rivals[at]]),
            glare=max(_glare(picture) for picture in pictures[at]),
        )
        for at, card in enumerate(cards)
    ]
    return qualities, np.stack(pictures)


def _told_apart(pairs: Features) -> tuple[Features, NDArray[np.int64]]:
    """Return how clearly each card is itself by one picture alone, the less clear of both, and its nearest rival."""
    unsteady = unsteadiness(pairs)
    clear, rivals = np.full(len(pairs), np.inf), np.zeros(len(pairs), np.int64)
    for side in (0, 1):
        templates = Templates(pairs[:, side], unsteady)
        for at, pair in enumerate(pairs):
            margins = templates.clear_of(templates.match(pair[1 - side]).likenesses, at)
            rival = int(margins.argmin())
            if margins[rival] < clear[at]:
                clear[at], rivals[at] = margins[rival], rival
    return clear.astype(np.float32), rivals


_GLARING: Final = 1.1
"""Level beyond which a place is brighter than any paper, parts of the paper's."""


def _glare(picture: Image) -> float:
    """Return the part of a whitened card picture that is brighter than its paper."""
    return float((picture.min(axis=2) > min(PAPER_LEVEL * _GLARING, _WHITE)).mean())


_WHITE: Final = 254


def _too_poor(qualities: Sequence[CardQuality], limits: EnrolLimits) -> tuple[str, ...]:
    """Return why the pack was learnt too poorly to be relied on."""
    weak = [one for one in qualities if one.apart < limits.apart or one.alike < limits.alike]
    if len(weak) <= limits.weak * len(qualities):
        return ()
    worst = min(weak, key=lambda one: (one.apart, one.alike))
    many = f"{len(weak)} of {len(qualities)} cards cannot be told apart surely, worst the {worst.card.name}"
    if float(np.median([one.glare for one in weak])) >= limits.glare:
        return (f"{many}: the cards glare. Turn the lamp so that it does not shine back into the camera.",)
    if float(np.median([one.alike for one in weak])) < limits.alike:
        return (f"{many}: two pictures of one card differ too much, as of worn or dirty cards. Take a newer pack.",)
    return (f"{many}: the pictures show too little of what differs. Take larger or sharper pictures.",)


def _deck(
    name: str, qualities: Sequence[CardQuality], pictures: Image, groups: Sequence[_Group], place: IndexPlace
) -> Deck:
    """Return the deck that was learnt."""
    readings = [_together(group) for group in groups]
    backs = [back for one in dict.fromkeys(one for one, _ in groups[0]) for back in one.backs]
    return Deck(
        name=name,
        cards=tuple(one.card for one in qualities),
        pictures=pictures,
        ranks=np.stack([one.ranks for one in readings]),
        suits=np.stack([one.suits for one in readings]),
        printed_apart=np.array([_looks_like_two(group, place) for group in groups]),
        place=place,
        floor=max(_LEAST_FLOOR, min(one.alike for one in qualities) - _BELOW),
        back=whiten(backs[0].picture) if backs else None,
    )


def _together(group: _Group) -> Readings:
    """Return what the index of a card read as, the mean of its pictures."""
    read = [one.readings[at] for one, at in group]
    ranks, suits = np.mean([one.ranks for one in read], axis=0), np.mean([one.suits for one in read], axis=0)
    return Readings(ranks=ranks.astype(np.float32), suits=suits.astype(np.float32))


_WEIGHT: Final = DeckLimits().weight

_BELOW: Final = 0.15
"""How far below the least likeness of two pictures of one card a later one may lie: wear, blur and other light."""

_LEAST_FLOOR: Final = 0.6
"""Likeness below which no picture is one of a card of the deck; cards of other decks reach it now and then."""


def _looks_like_two(group: _Group, place: IndexPlace) -> bool:
    """Return whether the print of a card looks like the edge of a second one, or like two cards out of line."""
    for one, at in group:
        look = one.looks[at]
        if inner_edge(dimmest(look.picture)) or indices_apart(*(dimmest(crop) for crop in crops_at(look.image, look.corners, place))):
            return True
    return False
