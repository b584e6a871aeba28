"""Which pictures of two passes show one card: faces told from backs, and every picture given its partner.

A pack that lay turned shows each card the other way up, in another place and another order. Whole cards and indices
tell together which are one, and every picture has one partner: that settles what neither would alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.assignment import assign
from vision.deck_decide import DeckLimits
from vision.deck_fit import brought_onto, turned, unit
from vision.deck_match import Templates, unsteadiness
from vision.deck_picture import features
from vision.deck_twins import Closely, Difference, Shown, hardly_told
from vision.enrol_looks import CardLook
from vision.enrol_names import Readings, read_index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.classify import IndexReader
    from vision.deck import IndexPlace
    from vision.doubts import Doubt
    from vision.frame import Image

    Features = NDArray[np.float32]
    Seen = Sequence[CardLook | Doubt]


def borne_out(both: Sequence[Seen], least: float, most: float) -> list[Seen]:
    """Return both passes without the looks at spoilt outlines that no print accounts for, but with their doubts.

    What the print of a card spoils, it spoils in both passes, so that the other one has such an outline too, and the
    like in it; another card under it, or a finger, does not come twice alike. Where many cards have such outlines, it
    is the window's fault.

    Args:
        both: of each pass each card that came, or why it could not be looked at.
        least: likeness from which on pictures may be of one card.
        most: part of a pass that may have such outlines.
    """
    spoilt = [[look for look in one if isinstance(look, CardLook) and look.spoilt is not None] for one in both]
    kept: list[CardLook] = []
    if all(spoilt) and all(len(mine) <= most * len(one) for mine, one in zip(spoilt, both, strict=True)):
        first, second = (np.stack([features(look.picture) for look in mine]) for mine in spoilt)
        alike = _likeliest(first, second) >= least
        kept += [look for look, others in zip(spoilt[0], alike, strict=True) if others.any()]
        kept += [look for look, others in zip(spoilt[1], alike.T, strict=True) if others.any()]
    return [[look if look in kept else _usual(look) for look in one] for one in both]


def _usual(look: CardLook | Doubt) -> CardLook | Doubt:
    """Return a look at an outline that is that of one card; the doubt where it is not."""
    return look.spoilt or look if isinstance(look, CardLook) else look


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pass:
    """What came in one pass.

    Attributes:
        looks: at its faces, in order; without those that could not be looked at.
        readings: what their indices read as.
        backs: looks at backs.
        missed: number, from 1, of each card that could not be looked at, and why.
        missed_faces: how many of those are faces; the others are backs.
    """

    looks: tuple[CardLook, ...]
    readings: tuple[Readings, ...]
    backs: tuple[CardLook, ...]
    missed: tuple[tuple[int, Doubt], ...]
    missed_faces: int

    @property
    def faces(self) -> int:
        """Number of cards that came with their face to the camera, seen or not."""
        return len(self.looks) + self.missed_faces


def read_passes(both: Sequence[Seen], place: IndexPlace, reader: IndexReader, count: int) -> tuple[Pass, Pass]:
    """Return both passes with their indices read, and their backs told from their faces.

    As many are backs as came beyond the cards of the pack, those among them that could not be looked at too. One that
    came in one pass alone is what no picture of the other is like; of what came in both, the index says least.

    Args:
        both: of each pass each card that came, or why it could not be looked at.
        place: where the index stands.
        reader: reads it.
        count: cards of the pack.
    """
    looks = [tuple(look for look in seen if isinstance(look, CardLook)) for seen in both]
    readings = [tuple(read_index(look, place, reader) for look in one) for one in looks]
    extra = [max(len(seen) - count, 0) for seen in both]
    first, second = (
        _pass(both[at], looks[at], readings[at], extra[at], _backs(looks, readings, extra, at, count)) for at in (0, 1)
    )
    return first, second


def _backs(
    looks: Sequence[Sequence[CardLook]],
    readings: Sequence[Sequence[Readings]],
    extra: Sequence[int],
    one: int,
    count: int,
) -> set[int]:
    """Return which looks of one pass are at backs, by the number of that pass.

    Args:
        looks: of both passes.
        readings: of their indices.
        extra: how many came beyond the pack in each.
        one: number of the pass.
        count: cards of the pack.
    """
    mine, others, read = looks[one], looks[1 - one], readings[one]
    maybe = [at for at in sorted(range(len(mine)), key=lambda at: read[at].sure) if read[at].sure < _READABLE]
    alone = max(extra[one] - extra[1 - one], 0)
    if not alone or not others:
        return set(maybe[: extra[one]])
    wanted = np.stack([features(other.picture) for other in others])
    likeness = {at: float(_likeliest(features(mine[at].picture)[None], wanted).max()) for at in maybe}
    # The back may be what could not be looked at: then what is least like the other pass is a face all the same.
    sure = max(len(mine) - count, 0)
    unlike = sorted(maybe, key=lambda at: likeness[at])[:alone]
    backs = [at for place, at in enumerate(unlike) if place < sure or likeness[at] < _ONE_CARD]
    return set((backs + [at for at in maybe if at not in unlike])[: extra[one] - (len(unlike) - len(backs))])


_ONE_CARD: Final = 0.6
"""Likeness from which on a picture is of a card that the other pass shows too; backs are less like any face."""


def _pass(seen: Seen, looks: Sequence[CardLook], readings: Sequence[Readings], extra: int, backs: set[int]) -> Pass:
    faces = [at for at in range(len(looks)) if at not in backs]
    missed = len(seen) - len(looks)
    return Pass(
        looks=tuple(looks[at] for at in faces),
        readings=tuple(readings[at] for at in faces),
        backs=tuple(looks[at] for at in sorted(backs)),
        missed=tuple((number, look) for number, look in enumerate(seen, 1) if not isinstance(look, CardLook)),
        missed_faces=max(missed - (extra - len(backs)), 0),
    )


_READABLE: Final = 0.6
"""Confidence of its index from which on a picture is none of a back."""


Group = tuple[tuple[Pass, int], ...]
"""The pictures of one card: in which pass, and which of its looks."""


def paired(both: Sequence[Pass]) -> list[Group]:
    """Return which pictures of the two passes show one card; a card that one of them missed has one picture."""
    first, second = both
    shown, again = (np.stack([features(look.picture) for look in one.looks]) for one in both)
    likely = _likeliest(again, shown).argmax(axis=1)
    pairs = np.stack(
        [[unit(shown[at]), unit(brought_onto(one, shown[at])[2])] for one, at in zip(again, likely, strict=True)]
    )
    templates = Templates(shown, unsteadiness(pairs))
    likenesses = np.stack([templates.match(one).likenesses for one in again])
    unlike = 1.0 - likenesses.astype(np.float64)
    unlike += _READ_APART * np.array([[read_apart(one, other) for one in first.readings] for other in second.readings])
    alone = max(first.missed_faces, len(again) - len(shown))
    partners = assign(np.hstack([unlike, np.full((len(again), alone), _NO_PARTNER)]))
    partner_of = {int(at): number for number, at in enumerate(partners)}
    _uncross(both, partner_of, _twins(templates, likenesses, partner_of))
    groups: list[Group] = [
        ((first, at), (second, partner_of[at])) if at in partner_of else ((first, at),) for at in range(len(shown))
    ]
    return groups + [((second, number),) for number, at in enumerate(partners) if at >= len(shown)]


def _twins(templates: Templates, likenesses: Features, partner_of: dict[int, int]) -> list[tuple[int, int]]:
    """Return the pairs of pictures of the first pass whose partners may be each other's, as the whole card tells.

    Args:
        templates: pictures of the first pass.
        likenesses: to them of each picture of the second pass, `(second, first) float32`.
        partner_of: number of the second picture of each card by that of the first, which may be beyond the pictures.
    """
    pairs: set[tuple[int, int]] = set()
    for at, number in partner_of.items():
        if at < len(templates):
            alike = likenesses[number]
            hardly = hardly_told(at, alike, templates.clear_of(alike, at))
            pairs.update((min(at, other), max(at, other)) for other in hardly if other in partner_of)
    return sorted(pairs)


def _uncross(both: Sequence[Pass], partner_of: dict[int, int], twins: list[tuple[int, int]]) -> None:
    """Change partners for each other where two pairs are told better so, by what differs and by the index."""
    for _ in range(_ROUNDS):
        before = partner_of.copy()
        for one, other in twins:
            if _crossed(both, (one, partner_of[one]), (other, partner_of[other])):
                partner_of[one], partner_of[other] = partner_of[other], partner_of[one]
        if partner_of == before:
            return


_ROUNDS: Final = 3
"""How often all twins are gone through at most: more than two cards may be mixed up."""


def _crossed(both: Sequence[Pass], one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether of two pairs each second picture is rather that of the other pair."""
    first, second = both
    cards = [
        Closely(_same_way_up(first.looks[at].picture, second.looks[number].picture)) for at, number in (one, other)
    ]
    sure = 0.0
    for (mine, its), number in zip((cards, cards[::-1]), (one[1], other[1]), strict=True):
        sure += _WEIGHT * Difference(mine, its, by=(0,)).clear(mine.lay(Shown(second.looks[number].picture)))
    for at, number, otherwise in ((*one, other[1]), (*other, one[1])):
        read = first.readings[at]
        sure += read_apart(read, second.readings[otherwise]) - read_apart(read, second.readings[number])
    return sure < 0


_WEIGHT: Final = DeckLimits().weight
"""Natural logarithms of odds that the differences of two cards give for one of them, as the whole card does."""


def _same_way_up(picture: Image, other: Image) -> Image:
    """Return two pictures of a card, the second turned as the first lies."""
    _, turn, _ = brought_onto(features(other), features(picture))
    return np.stack([picture, other[::-1, ::-1] if turn else other])


_NO_PARTNER: Final = 0.25
"""Unlikeness from which on a picture is rather that of a card which the other pass missed."""

_READ_APART: Final = 0.02
"""What it adds to the unlikeness of two pictures that their indices are read so many times less likely as the same, for
each natural logarithm of that."""


def read_apart(one: Readings, other: Readings) -> float:
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
    found: Features = np.maximum(*(unit(way).reshape(len(way), -1) @ flat.T for way in (shown, turned(shown))))
    for row, one in enumerate(shown):
        for column in np.argsort(-found[row])[:_NEAREST]:
            found[row, column] = brought_onto(one, wanted[column])[0]
    return found


def together(group: Group) -> Readings:
    """Return what the index of a card read as, the mean of its pictures."""
    read = [one.readings[at] for one, at in group]
    ranks, suits = np.mean([one.ranks for one in read], axis=0), np.mean([one.suits for one in read], axis=0)
    return Readings(ranks=ranks.astype(np.float32), suits=suits.astype(np.float32))
