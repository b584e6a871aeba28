"""How well the eye does over the deals of a log: which cards it reads less and less surely, and what drifts. Pure.

All of it is read from the records of deals that are over. A card's *margin* is how sure its reading was, in decimal
nines (0.9 is one, 0.99 two), less the median of its deal: light, focus and dirt change the whole pack alike, and what
is left is the card's own. A card that was not read is counted where the record tells which it was: where it is the only
one of its pack that was not read.

*Stopped* is an error that the eye itself refused: a card that it did not read. *Silent* is one that went on record as
another card and was found later, by a second card of its kind. The yardstick is what a maker of machines with cameras
calls normal for theirs: one error in 100 boards, which is one in 5,200 cards.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from controller.club_code import code_of
from controller.window_sensors import PAIRS
from vision.cards import Card, Pack
from vision.sighting import State

if TYPE_CHECKING:
    from controller.acts import Line

YARDSTICK_CARDS: Final = 5200
"""Cards in which one error is called normal."""

RECENT: Final = 8
"""Deals that the last state of a card or of the eye is taken from, and at least as many before them, for a trend."""

FALL: Final = 0.3
"""How far a card's margin must have fallen, in nines: the reading is wrong twice as often as before."""

UNREAD_MAX: Final = 2
"""How often one card may stay unread in `RECENT` deals before it is named."""

_NINES_MAX: Final = 6.0

_NO_ERROR: Final = (State.CARD, State.FACE_NOT_SEEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class EyeState:
    """What the eye measured in one deal; see the fact `eye_measured`.

    Attributes:
        deal: its number.
        lamp_off: level of the dark window, in [0, 1].
        lamp_on: level of the picture of a card, in [0, 1].
        edge: width of a card's edge, parts of its height.
        x: where the middle of a card stands, parts of the picture's width.
        y: the same, of its height.
        lag_us: from asking for a frame to its exposure.
        refused: frames that came late or again.
    """

    deal: int
    lamp_off: float
    lamp_on: float
    edge: float
    x: float
    y: float
    lag_us: int
    refused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHealth:
    """One card of the pack over the deals.

    Attributes:
        card: which.
        margins: of each deal in which it was read, in nines beside the median of that deal, in order.
        unread: how often it is known not to have been read, in the last `RECENT` deals.
    """

    card: Card
    margins: tuple[float, ...]
    unread: int = 0

    @property
    def late_margin(self) -> float:
        """The median of the last readings; 0 where there is none."""
        return median(self.margins[-RECENT:]) if self.margins else 0.0

    @property
    def fell(self) -> float:
        """By how much the margin fell, in nines; 0 where no fall is beyond chance or there are too few readings.

        All of the last `RECENT` must lie below the median of those before: by chance one card in 256 does so.
        """
        before, late = self.margins[:-RECENT], self.margins[-RECENT:]
        if len(before) < RECENT or max(late) >= median(before):
            return 0.0
        return median(before) - median(late)

    @property
    def worn(self) -> bool:
        """Whether the card should be replaced."""
        return self.fell >= FALL or self.unread >= UNREAD_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What the deals of a log tell of the eye.

    Attributes:
        deals: deals that are over and in which a card was looked at.
        looked: cards that were looked at.
        stopped: cards that were not read, but for backs and for two that the sensors felt: a card faced in the pack, or
            a double feed, is no error of the eye.
        silent: cards read as another that a later card gave away; a pack that holds a card twice counts as one too.
        twice: the cards that were read twice in a deal, with the number of such deals, the most often first.
        cards: every card that was read, in the order of the pack.
        sureness: of each deal the median sureness of its readings, in nines.
        eye: what the eye measured, of each deal that says so.
    """

    deals: int = 0
    looked: int = 0
    stopped: int = 0
    silent: int = 0
    twice: tuple[tuple[Card, int], ...] = ()
    cards: tuple[CardHealth, ...] = ()
    sureness: tuple[float, ...] = ()
    eye: tuple[EyeState, ...] = ()

    @property
    def worn(self) -> tuple[CardHealth, ...]:
        """The cards that should be replaced, the worst first."""
        worn = [card for card in self.cards if card.worn]
        return tuple(sorted(worn, key=lambda card: (-card.unread, -card.fell)))

    def per_hundred(self, errors: int) -> float:
        """Return how many errors that is in 100 deals."""
        return 100 * errors / self.deals if self.deals else 0.0

    @property
    def silent_bound(self) -> float:
        """The most silent errors a card with 95 % confidence, by Poisson; 1 where no card was looked at."""
        return min(_POISSON_95[min(self.silent, len(_POISSON_95) - 1)] / self.looked, 1.0) if self.looked else 1.0


_POISSON_95: Final = (2.996, 4.744, 6.296, 7.754, 9.154, 10.513)
"""Upper limits of a Poisson mean with 95 % confidence for 0, 1, … counts; half the 95 % quantile of chi-square with
2(n + 1) degrees of freedom."""


def health_of(deals: Iterable[tuple[int, Sequence[Line]]]) -> Health:
    """Return what deals that are over tell of the eye.

    Args:
        deals: number and opened lines of each, in their order.
    """
    margins: defaultdict[Card, list[float]] = defaultdict(list)
    unread: list[Card | None] = []
    sureness: list[float] = []
    states: list[EyeState] = []
    twice: Counter[Card] = Counter()
    looked = stopped = silent = 0
    for number, lines in deals:
        seen = [line for line in lines if line.get("fact") == "seen"]
        if not seen:
            continue
        looked += len(seen)
        pairs = {line.get("k") for line in lines if line.get("fact") == "machine_fault" and line["code"] in PAIRS}
        stopped += sum(line["state"] not in _NO_ERROR and line["k"] not in pairs for line in seen)
        silent += sum(line.get("fact") == "doubted" for line in lines)
        twice.update(_read_twice(lines, seen))
        doubted = {line[name] for line in lines if line.get("fact") == "doubted" for name in ("k", "earlier")}
        read = {
            Card.parse(line["card"]): nines(line["confidence_ppm"] / 1_000_000)
            for line in seen
            if line["state"] == State.CARD and line["k"] not in doubted
        }
        sureness += [median(read.values())] if read else []
        for card, sure in read.items():
            margins[card].append(sure - sureness[-1])
        unread.append(_only_unread(lines, seen, read))
        states += [_eye_state(number, line) for line in lines if line.get("fact") == "eye_measured"]
    order = {card: place for place, card in enumerate(Pack.of(52).cards)}
    late = unread[-RECENT:]
    known = sorted({*margins, *(card for card in unread if card is not None)}, key=lambda card: order.get(card, 52))
    return Health(
        deals=len(unread),
        looked=looked,
        stopped=stopped,
        silent=silent,
        twice=tuple(twice.most_common()),
        cards=tuple(CardHealth(card=card, margins=tuple(margins[card]), unread=late.count(card)) for card in known),
        sureness=tuple(sureness),
        eye=tuple(states),
    )


def _read_twice(lines: Sequence[Line], seen: Sequence[Line]) -> set[Card]:
    """Return the cards of a deal that were read more than once."""
    doubted = {line["k"] for line in lines if line.get("fact") == "doubted"}
    return {Card.parse(line["card"]) for line in seen if line["k"] in doubted and line["state"] == State.CARD}


def nines(confidence: float) -> float:
    """Return a confidence in decimal nines, at most six.

    >>> nines(0.9), nines(0.99), nines(1.0), nines(0.0)
    (1.0, 2.0, 6.0, 0.0)
    """
    return min(round(-math.log10(1 - confidence), 6), _NINES_MAX) + 0.0 if confidence < 1 else _NINES_MAX


def _only_unread(lines: Sequence[Line], seen: Sequence[Line], read: Iterable[Card]) -> Card | None:
    """Return the card of a deal that was not read, where it is one and the pack's cards say which it must have been."""
    refused = [line for line in seen if line["state"] in (State.NOT_SURE, State.PARTIAL)]
    opening = lines[0]
    if opening.get("fact") != "deal_opened" or len(refused) != 1:
        return None
    pack = Pack.of(opening.get("pack", code_of(opening).packs[0]))
    missing = set(pack.cards) - set(read)
    return missing.pop() if len(missing) == 1 and len(seen) == len(pack) else None


def _eye_state(deal: int, line: Line) -> EyeState:
    parts = {name: line[f"{name}_ppm"] / 1_000_000 for name in ("lamp_off", "lamp_on", "edge", "x", "y")}
    return EyeState(deal=deal, **parts, lag_us=line["lag_us"], refused=line["late"] + line["repeated"])


def trend(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the medians of the first and of the last `RECENT` values; None where these would overlap."""
    if len(values) < 2 * RECENT:
        return None
    return median(values[:RECENT]), median(values[-RECENT:])


def as_json(health: Health) -> dict[str, Any]:
    """Return the numbers as JSON data."""
    return {
        "deals": health.deals,
        "cards_looked_at": health.looked,
        "stopped": health.stopped,
        "silent": health.silent,
        "read_twice": {str(card): deals for card, deals in health.twice},
        "stopped_per_100_deals": round(health.per_hundred(health.stopped), 3),
        "silent_per_100_deals": round(health.per_hundred(health.silent), 3),
        "silent_per_card_at_most": round(health.silent_bound, 7),
        "yardstick_per_100_deals": 1.0,
        "yardstick_per_card": round(1 / YARDSTICK_CARDS, 7),
        "cards": [
            {
                "card": str(one.card),
                "read": len(one.margins),
                "margin": round(one.late_margin, 3),
                "fell": round(one.fell, 3),
                "unread": one.unread,
                "worn": one.worn,
            }
            for one in health.cards
        ],
        "sureness": [round(value, 3) for value in health.sureness],
    }
