"""Learns a deck from one pack that went through the window twice: pairs, names, pictures, and whether it will do.

Nothing of a deck is configured: where its index stands, what its letters read as, how its cards look and how unlike
they are is found. A pack that cannot be told apart surely is refused, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.deck import Deck
from vision.deck_decide import DeckLimits
from vision.deck_fit import brought_onto
from vision.deck_index import crops_at
from vision.deck_match import Templates, paired_features, unsteadiness
from vision.deck_picture import features
from vision.deck_twins import Closely, Difference, Shown, hardly_told
from vision.enrol_checks import CheckLimits, check_window
from vision.enrol_looks import CardLook, best_look
from vision.enrol_names import evidence, find_index, name_all
from vision.enrol_pairs import Group, Pass, borne_out, paired, read_apart, read_passes, together
from vision.overlap import two_by_print
from vision.recogniser import Limits
from vision.rectify import dimmest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.cards import Card
    from vision.classify import IndexReader
    from vision.deck import IndexPlace
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
        apart: how surely a picture must be its own card and no other, natural logarithms of odds, by the one of the
            other pass alone.
        alike: least likeness of the two pictures of a card.
        weak: part of the cards that may stay below one of these.
        own: `apart` that no single card may stay below: there its pictures are hardly more its own than another card's.
        same: likeness that no single card may stay below: there its pictures are not of one card.
        glare: part of a card brighter than its paper from which on glare is named as the cause.
        spoilt: part of a pass that may have outlines which are not those of one card: a pack of whose cards more are
            printed dark up to the edge is not known, but windows in which something stands before the card are.
        looks: limits of a single look.
        window: limits of light, focus and flatness.
    """

    missed: int = 2
    apart: float = 3.0
    alike: float = 0.7
    weak: float = 0.1
    own: float = 1.0
    same: float = 0.6
    glare: float = 0.02
    spoilt: float = 0.15
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

    def worn(self) -> tuple[CardQuality, ...]:
        """Return the cards of a pack that was learnt whose two pictures are strikingly unlike, the worst first."""
        if self.deck is None:
            return ()
        usual = float(np.median([one.alike for one in self.qualities]))
        unlike = [one for one in self.qualities if one.alike < usual - _STRIKING]
        return tuple(sorted(unlike, key=lambda one: one.alike))

    def spoilt(self) -> tuple[Card, ...]:
        """Return the cards of a pack that was learnt whose own print spoils their outline; see `vision.deck.Deck`."""
        if self.deck is None:
            return ()
        return tuple(card for card, one in zip(self.deck.cards, self.deck.spoilt, strict=True) if one)


_STRIKING: Final = 0.15
"""Likeness below that of a usual card's two pictures at which one of them is named."""


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
    seen = borne_out(
        [[best_look(frames, limits.looks) for frames in one] for one in passes], limits.alike, limits.spoilt
    )
    looks = [look for one in seen for look in one if isinstance(look, CardLook)]
    if not looks:
        return Enrolment(refusals=("No card was seen. Look at a picture of the camera with pone see --explain.",))
    checks = check_window(looks, limits.window)
    if failed := tuple(check.said for check in checks if not check.passed):
        return Enrolment(checks=checks, refusals=failed)
    place = find_index(looks, reader)
    both = read_passes(seen, place, reader, len(cards))
    if refusals := _miscounted(both, len(cards), limits):
        return Enrolment(checks=checks, refusals=refusals)
    learnt = _learnt(name, paired(both), cards, place, ask, limits)
    return replace(learnt, checks=checks)


def _learnt(
    name: str, groups: list[Group], cards: Sequence[Card], place: IndexPlace, ask: Ask, limits: EnrolLimits
) -> Enrolment:
    """Return what was learnt of the pictures of each card, once each has its name."""
    if len(groups) != len(cards):
        said = f"Both passes together show {len(groups)} different faces, and the pack has {len(cards)}. "
        first = groups[0][0][0]
        said += _first_missed(first, "first") if first.missed else "Look whether the pack is whole, and begin again."
        return Enrolment(refusals=(said,))
    chances = np.stack([evidence([one.readings[at] for one, at in group], cards) for group in groups])
    pictured = [group[0][0].looks[group[0][1]].image for group in groups]
    named = name_all(chances, cards, lambda question: ask(question, pictured[question.number]))
    asked = len(named.answered)
    if named.twice is not None:
        said = f"Two pictures were named the {named.twice.name}. Look whether the pack is whole, and begin again."
        return Enrolment(refusals=(said,), asked=asked)
    order = np.argsort([cards.index(card) for card in named.cards])
    groups, ordered = [groups[at] for at in order], tuple(named.cards[at] for at in order)
    qualities, pictures = _learn(groups, ordered)
    refusals = _too_poor(qualities, limits)
    deck = None
    if not refusals and not named.open:
        deck = _deck(name, (qualities, pictures), groups, place, limits)
    return Enrolment(
        refusals=refusals,
        questions=tuple((question, pictured[question.number]) for question in named.open),
        asked=asked,
        qualities=tuple(sorted(qualities, key=lambda one: (one.apart, one.alike))),
        deck=deck,
    )


def _miscounted(both: Sequence[Pass], count: int, limits: EnrolLimits) -> tuple[str, ...]:
    """Return why the cards of both passes are not those of one whole pack."""
    said = []
    for ordinal, one in zip(("first", "second"), both, strict=True):
        if one.faces != count:
            said.append(
                f"{one.faces} faces came in the {ordinal} pass, and the pack has {count}. Lay the whole pack in."
            )
        elif one.missed_faces > limits.missed:
            said.append(f"{one.missed_faces} cards could not be looked at. {_first_missed(one, ordinal)}")
    return tuple(said)


def _first_missed(one: Pass, ordinal: str) -> str:
    number, doubt = one.missed[0]
    return f"Card {number} of the {ordinal} pass: {doubt.reason}. Put that right, and begin again."


def _learn(groups: Sequence[Group], cards: tuple[Card, ...]) -> tuple[list[CardQuality], Image]:
    """Return how well each card was learnt, and the pictures of all, `(cards, 2, height, width, 3) uint8 BGR`."""
    pictures, alike = [], []
    for group in groups:
        shown = [one.looks[at].picture for one, at in group]
        likeness, turn, _ = brought_onto(features(shown[-1]), features(shown[0]))
        pictures.append(np.stack([shown[0], shown[-1][::-1, ::-1] if turn else shown[-1]]))
        alike.append(likeness)
    pairs = np.stack([paired_features(both) for both in pictures])
    clear, rivals = _told_apart(pictures, pairs, cards)
    readings = [together(group) for group in groups]
    qualities = [
        CardQuality(
            card=card,
            pictures=tuple(pictures[at][: len(groups[at])]),
            alike=alike[at],
            clear=float(clear[at]),
            rival=cards[rivals[at]],
            read_apart=read_apart(readings[at], readings[rivals[at]]),
            glare=max(_glare(picture) for picture in pictures[at]),
        )
        for at, card in enumerate(cards)
    ]
    return qualities, np.stack(pictures)


def _told_apart(
    pictures: Sequence[Image], pairs: Features, cards: Sequence[Card]
) -> tuple[Features, NDArray[np.int64]]:
    """Return how clearly each card is itself by one picture alone, the less clear of both, and its nearest rival.

    Two jokers are no rivals: in many packs they are printed alike.
    """
    jokers = [at for at, card in enumerate(cards) if card.is_joker]
    unsteady = unsteadiness(pairs)
    closely = [Closely(both) for both in pictures]
    clear, rivals = np.full(len(pairs), np.inf), np.zeros(len(pairs), np.int64)
    for side in (0, 1):
        templates = Templates(pairs[:, side], unsteady)
        for at, pair in enumerate(pairs):
            likenesses = templates.match(pair[1 - side]).likenesses
            margins = templates.clear_of(likenesses, at)
            if at in jokers:
                margins[jokers] = np.inf
            if hardly := hardly_told(at, likenesses, margins):
                ways = closely[at].lay(Shown(pictures[at][1 - side]))
                margins[hardly] = [Difference(closely[at], closely[other], by=(side,)).clear(ways) for other in hardly]
            rival = int(margins.argmin())
            if margins[rival] < clear[at]:
                clear[at], rivals[at] = margins[rival], rival
    return clear.astype(np.float32), rivals


_GLARING: Final = 1.12
"""Level beyond which a place is brighter than any paper, parts of the paper's."""


def _glare(picture: Image) -> float:
    """Return the part of a card picture that is brighter than its paper, in every colour."""
    paper = np.percentile(picture.reshape(-1, 3), _PAPER, axis=0)
    return float((picture > paper * _GLARING).all(axis=2).mean())


_PAPER: Final = 80
"""Part of a card's pixels that are darker than its paper, in hundredths; on a dark card, this is none of its paper."""


def _too_poor(qualities: Sequence[CardQuality], limits: EnrolLimits) -> tuple[str, ...]:
    """Return why the pack was learnt too poorly to be relied on."""
    weak = [one for one in qualities if one.apart < limits.apart or one.alike < limits.alike]
    if len(weak) <= limits.weak * len(qualities):
        mixed = {one.card: one for one in qualities if one.apart < limits.own or one.alike < limits.same}
        # A card of which one picture was taken for another card is as much like that one; the fault is not its own.
        taken = {card for card, one in mixed.items() if one.rival in mixed and mixed[one.rival].alike < one.alike}
        return tuple(_two_in_one(one) for card, one in mixed.items() if card not in taken)
    worst = min(weak, key=lambda one: (one.apart, one.alike))
    strange = sum(one.alike < limits.same for one in qualities)
    if strange > limits.weak * len(qualities):
        said = f"{strange} of {len(qualities)} cards of the second pass are like none of the first: another pack came,"
        return (f"{said} or glare hides what is printed. Lay one pack in for both passes, or turn the lamp.",)
    many = f"{len(weak)} of {len(qualities)} cards cannot be told apart surely, worst the {worst.card.name}"
    if float(np.median([one.glare for one in weak])) >= limits.glare:
        return (f"{many}: the cards glare. Turn the lamp so that it does not shine back into the camera.",)
    if float(np.median([one.alike for one in weak])) < limits.alike:
        return (f"{many}: two pictures of one card differ too much, as of worn or dirty cards. Take a newer pack.",)
    return (f"{many}: the pictures show too little of what differs. Take larger or sharper pictures.",)


def _two_in_one(quality: CardQuality) -> str:
    """Return why one card alone is enough to refuse a pack: what was taken for it is no single card of its own."""
    return (
        f"The two pictures of the {quality.card.name} do not show one card: they are as much like the "
        f"{quality.rival.name}. Look whether the pack holds a card twice, or another deck's, and begin again."
    )


def _deck(
    name: str,
    learnt: tuple[list[CardQuality], Image],
    groups: Sequence[Group],
    place: IndexPlace,
    limits: EnrolLimits,
) -> Deck:
    """Return the deck that was learnt."""
    qualities, pictures = learnt
    backs = [back for one in dict.fromkeys(one for group in groups for one, _ in group) for back in one.backs]
    readings = [together(group) for group in groups]
    return Deck(
        name=name,
        cards=tuple(one.card for one in qualities),
        pictures=pictures,
        ranks=np.stack([one.ranks for one in readings]),
        suits=np.stack([one.suits for one in readings]),
        printed_apart=_printed_apart(groups, place),
        spoilt=np.array(
            [_spoilt(group) and one.alike >= limits.alike for group, one in zip(groups, qualities, strict=True)],
            np.bool_,
        ),
        place=place,
        floor=max(_LEAST_FLOOR, min(one.alike for one in qualities) - _BELOW),
        back=backs[0].picture if backs else None,
    )


_WEIGHT: Final = DeckLimits().weight

_BELOW: Final = 0.15
"""How far below the least likeness of two pictures of one card a later one may lie: wear, blur and other light."""

_LEAST_FLOOR: Final = 0.6
"""Likeness below which no picture is one of a card of the deck; cards of other decks reach it now and then."""


_OFTEN: Final = 0.05
"""Part of the cards that print indices at different distances from which on a pack is taken to be printed so."""


def _printed_apart(groups: Sequence[Group], place: IndexPlace) -> NDArray[np.bool_]:
    """Return which cards look like two lying on each other though they are one, by what is printed on them."""
    apart = np.array([[_looks_like_two(one.looks[at], place) for one, at in (group[0], group[-1])] for group in groups])
    often = bool(apart.mean() > _OFTEN)
    return np.array([often or bool(alone.any()) for alone in apart], np.bool_)


def _spoilt(group: Group) -> bool:
    """Return whether both passes show an outline that is not that of one card: it is the card's own print then."""
    looks = [one.looks[at] for one, at in group]
    return len(looks) > 1 and all(look.spoilt is not None for look in looks)


def _looks_like_two(look: CardLook, place: IndexPlace) -> bool:
    indices = [dimmest(crop) for crop in crops_at(look.image, look.corners, place)]
    return two_by_print(dimmest(look.picture), indices, look.corners) is not None
