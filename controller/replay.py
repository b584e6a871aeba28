"""What a deal's record says, folded: where each card is by it, and whether its rulings are those its facts give."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from controller.club_code import code_of
from controller.errors import CodeError
from controller.facts import parse_fact
from controller.incident import CardPlace
from controller.incidents import INCIDENTS
from controller.judge import Judge
from controller.rulings import to_json
from controller.table import Seat
from vision.cards import Card

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from controller.acts import Line
    from controller.table import Pattern

HOPPER: Final = "hopper"
WINDOW: Final = "window"
TRUMP: Final = "trump"
REJECT: Final = "reject"
NOT_KNOWN: Final = "not_known"

_SEATS: Final = frozenset(str(seat) for seat in Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One card of the dealing order, by the record.

    Attributes:
        k: its number in the dealing order, from 1.
        card: what it was read as; None where that is not known.
        place: `"N" "E" "S" "W"` for a seat's packet, `"trump"` `"reject"` `"window"` `"hopper"`, or `"not_known"`.
    """

    k: int
    card: Card | None
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Where the cards of a deal are by its record; each is in exactly one place.

    Attributes:
        cards: all cards of the pack, in the dealing order.
    """

    cards: tuple[Placed, ...]

    def at(self, place: str) -> tuple[Placed, ...]:
        """Return the cards at one place, in the dealing order."""
        return tuple(placed for placed in self.cards if placed.place == place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A ruling of the record that is not the one its facts give.

    Attributes:
        line: number of the line, from 1: the ruling's own; the fact's where the record has no ruling.
        recorded: the ruling in the record, or None.
        judged: the ruling as the judge gives it now, or None.
    """

    line: int
    recorded: Line | None
    judged: Line | None

    def __str__(self) -> str:
        return f"line {self.line}: the record has {_named(self.recorded)}, its facts give {_named(self.judged)}"


def ledger(lines: Iterable[Line]) -> Ledger:
    """Return where each card is by the record; what happens to the hands after the deal is not followed.

    A doubt stays one: a card read twice and differently, or one of two that came together, has no name; a card that
    was under way when the machine failed has no place. Cards that are sealed count as not read.

    Args:
        lines: the facts and rulings of one deal, whole or up to any line.

    >>> cards = ledger([{"fact": "deal_opened", "code": "whist", "dealer": "S"},
    ...                 {"fact": "seen", "k": 1, "state": "card", "card": "QC", "confidence_ppm": 1000000},
    ...                 {"fact": "dealt", "to": "W", "k": 1}]).cards
    >>> cards[0].card, cards[0].place, cards[1].place
    (Card(code='QC'), 'W', 'hopper')
    """
    fold = _Fold()
    for line in lines:
        fold.take(line)
    last = max([fold.pack, *fold.places])
    undealt = HOPPER if fold.hopper_full else NOT_KNOWN
    return Ledger(
        cards=tuple(Placed(k=k, card=fold.names.get(k), place=fold.places.get(k, undealt)) for k in range(1, last + 1))
    )


def replay(lines: Sequence[Line]) -> tuple[Difference, ...]:
    """Judge a deal's facts again, and return where the rulings of its record differ from those given now.

    Args:
        lines: the facts and rulings of one deal, its cards in plain.

    Raises:
        controller.errors.StreamError: a line is no fact, or a fact that cannot follow those before it.
    """
    judge = Judge()
    recorded: dict[object, list[tuple[int, Line]]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        if "ruling" in line:
            recorded[line.get("on")].append((number, line))
    differences: list[Difference] = []
    for number, line in enumerate(lines, 1):
        if "ruling" in line:
            continue
        judged = [to_json(ruling) for ruling in judge.hear(parse_fact(line, line=number), number)]
        differences += _compared(number, recorded.pop(number, []), judged)
    for astray in recorded.values():
        differences += [Difference(line=number, recorded=line, judged=None) for number, line in astray]
    return tuple(sorted(differences, key=lambda difference: difference.line))


def _compared(fact: int, recorded: list[tuple[int, Line]], judged: list[Line]) -> list[Difference]:
    """Compare the rulings on one fact, in their order."""
    differences = []
    for place in range(max(len(recorded), len(judged))):
        number, old = recorded[place] if place < len(recorded) else (fact, None)
        new = judged[place] if place < len(judged) else None
        if old is None or new is None or {**old, "t_us": None} != {**new, "t_us": None}:
            differences.append(Difference(line=number, recorded=old, judged=new))
    return differences


def _named(ruling: Line | None) -> str:
    if ruling is None:
        return "no ruling"
    ground = ruling.get("law", ruling.get("policy", "no law"))
    return f"{str(ruling['ruling']).replace('_', ' ')} ({ground}, on line {ruling.get('on')})"


@dataclass(slots=True)
class _Fold:
    """The ledger under way."""

    pack: int = 0
    pattern: Pattern | None = None
    dealer: Seat | None = None
    hopper_full: bool = True
    places: dict[int, str] = field(default_factory=dict)
    names: dict[int, Card] = field(default_factory=dict)
    nameless: set[int] = field(default_factory=set)
    pair: tuple[int, ...] = ()
    routed: str = TRUMP
    delivered: int = 0

    def take(self, line: Line) -> None:
        """Follow one line."""
        match line:
            case {"fact": "deal_opened"}:
                self._open(line)
            case {"fact": "seen", "k": k}:
                self.places[k] = WINDOW
                self._name(k, line.get("card"))
            case {"fact": "routed", "k": k, "to": to}:
                self._deliver(self.pair if k in self.pair else (k,), to)
                self.routed = to
            case {"fact": "dealt", "k": k, "to": to}:
                self._dealt(k, line.get("count", 1), to, line.get("card"))
            case {"fact": "turned"}:
                turned = self.delivered if self.pattern is None else self.pattern.trump or self.delivered
                self.places[turned] = self.routed
                self._name(turned, line.get("card"))
            case {"fact": "laid_face_down", "on": on}:
                self.places[self.delivered] = on
            case {"fact": "corrected"}:
                self._put_right()
            case {"fact": "machine_fault", "code": code}:
                self._fail(code, line.get("k"))
            case {"fact": "voided"}:
                self.places |= {k: NOT_KNOWN for k, place in self.places.items() if place == WINDOW}

    def _open(self, line: Line) -> None:
        self.dealer = Seat(line["dealer"]) if "dealer" in line else None
        try:
            code = code_of(line)
        except CodeError:
            self.pack = line.get("pack", 0)
            return
        self.pack = line.get("pack", code.packs[0])
        self.pattern = code.pattern_named(line["pattern"]) if "pattern" in line else code.pattern

    def _name(self, k: int, card: object) -> None:
        """Take a card's name, unless two names contradict each other or it is one of two that came together."""
        if not isinstance(card, str) or k in self.nameless:
            return
        named = Card.parse(card)
        if self.names.setdefault(k, named) != named:
            self._unname(k)

    def _unname(self, k: int) -> None:
        self.nameless.add(k)
        self.names.pop(k, None)

    def _deliver(self, cards: Iterable[int], place: str) -> None:
        for k in cards:
            self.places[k] = place

    def _dealt(self, k: int, count: int, to: str, card: object) -> None:
        together = range(k - count + 1, k + 1)
        self._deliver(together, to)
        self.delivered = k
        if count > 1:
            for doubtful in together:
                self._unname(doubtful)
        else:
            self._name(k, card)

    def _put_right(self) -> None:
        """Every card dealt lies as the rotation wants; where the rotation is not known, none of them has a place."""
        wanted = () if self.pattern is None or self.dealer is None else self.pattern.order(self.dealer)
        for k in range(1, self.delivered + 1):
            if self.places.get(k) in _SEATS:
                self.places[k] = str(wanted[k - 1]) if k <= len(wanted) else NOT_KNOWN

    def _fail(self, code: str, k: int | None) -> None:
        """Follow what a fault does to the card's place; a code of another program's leaves it unknown."""
        incident = INCIDENTS.get(code)
        match incident.card if incident is not None else CardPlace.LOST:
            case CardPlace.PAIR if k is not None:
                self.pair = (k,) if k == self.pack else (k, k + 1)
                self._deliver(self.pair, WINDOW)
                for doubtful in self.pair:
                    self._unname(doubtful)
            case CardPlace.PERHAPS_PAIR if k is not None:
                self.places[k + 1] = NOT_KNOWN
                self._unname(k)
                self._unname(k + 1)
            case CardPlace.REST_LOST:
                self.hopper_full = False
            case CardPlace.LOST if k is not None and self.places.get(k, HOPPER) in (HOPPER, WINDOW):
                self.places[k] = NOT_KNOWN
