"""The judge: facts in, rulings out. Pure: the state of a deal is the fold of its facts.

>>> from controller.facts import parse_fact
>>> judge = Judge()
>>> for line, fact in enumerate([
...     {"fact": "deal_opened", "code": "whist", "dealer": "S"},
...     {"fact": "dealt", "to": "W", "k": 2, "count": 2},
... ], start=1):
...     rulings = judge.hear(parse_fact(fact, line=line), line)
>>> rulings[0].law, judge.holding
('whist 37-VI', True)
"""

from __future__ import annotations

from typing import Any, Final

import controller.judge_after
import controller.judge_before
import controller.judge_dealing  # noqa: F401  the three enter the hearings of their facts
from controller import rulings
from controller.club_code import code_of
from controller.errors import CodeError, FactError, OrderError
from controller.facts import DealOpened, Director, Fact, Found, HandCounted, PackProved
from controller.judge_bench import Bench
from controller.judge_hearings import CHECKS, HEARINGS
from controller.judge_rights import watch_clock
from controller.judge_state import DealState
from controller.laws.vocabulary import Code
from controller.rulings import Option, Ruling
from controller.table import Pattern, Seat, left_of

_REPLACES: Final[frozenset[type[Fact]]] = frozenset({PackProved, HandCounted, Found, Director})
"""The facts that may replace a ruling that has ended the deal."""


class Judge:
    """One deal before the law.

    Args:
        code: laws to apply in place of those that the deal names; None for those.
    """

    __slots__ = ("_bench", "_code")

    def __init__(self, code: Code | None = None) -> None:
        self._code = code
        self._bench: Bench | None = None

    def hear(self, fact: Fact, line: int) -> list[Ruling]:
        """Take a fact into account and return the rulings that it causes, in order.

        Args:
            fact: the next fact of the deal.
            line: its line in the record, from 1.

        Raises:
            OrderError: the fact cannot follow those before it; it changes nothing.
            FactError: the deal is opened under a code without laws, or against it.
        """
        bench = self._bench
        if bench is None:
            self._bench = self._opened(fact, line)
            return []
        kind = type(fact)
        hearing = HEARINGS.get(kind)
        if hearing is None:
            if kind is DealOpened:
                raise OrderError(line, "fact", "the deal is open already; the next deal is a stream of its own")
            return []
        if (check := CHECKS.get(kind)) is not None:
            check(bench.deal, fact, line)
        bench.line = line
        bench.said = []
        bench.may_replace = kind in _REPLACES
        if fact.t_us is not None:
            watch_clock(bench, fact.t_us)
        hearing(bench, fact)
        return bench.said

    def _opened(self, fact: Fact, line: int) -> Bench:
        if not isinstance(fact, DealOpened):
            raise OrderError(line, "fact", f"a stream starts with deal_opened, not with {fact.name}")
        try:
            code = self._code or code_of({"code": fact.code, "laws": fact.laws})
        except CodeError as error:
            raise FactError(line, "laws" if fact.laws else "code", str(error)) from error
        if fact.dealer is None:
            raise FactError(line, "dealer", "a deal needs it: a seat N, E, S or W")
        try:
            pack = code.cards(fact.pack)
        except CodeError as error:
            raise FactError(line, "pack", str(error)) from error
        try:
            patterns = code.patterns if fact.pattern is None else (code.pattern_named(fact.pattern),)
        except CodeError as error:
            raise FactError(line, "pattern", str(error)) from error
        packs = code.packs if fact.pack is None else (fact.pack,)
        deal = DealState(
            code=code,
            house=fact.house,
            rightful=fact.dealer,
            dealer=fact.dealer,
            pattern=patterns[0],
            patterns=patterns,
            order=(),
            pack=len(pack),
            packs=packs,
            cards=frozenset(card for size in packs for card in code.cards(size).cards),
            misdealt_before=bool(fact.misdeals),
            now_us=fact.t_us,
        )
        deal.deals_by(patterns[0])
        return Bench(deal)

    def has_leave(self, seat: Seat, act: str) -> bool:
        """Return whether the other side has given a seat leave for an act that it asked for."""
        return self._bench is not None and (seat, act) in self._bench.deal.leave

    @property
    def holding(self) -> bool:
        """Whether an error must be put right before the next card."""
        return self._bench is not None and self._bench.deal.hold is not None

    @property
    def pattern(self) -> Pattern | None:
        """How the cards are given out: as the deal was opened, or as its first round shows; None before it is open."""
        return self._bench.deal.pattern if self._bench else None

    @property
    def wrong_hands(self) -> dict[Seat, int]:
        """The hands, once all cards are dealt, that hold more or fewer than they should, and how many."""
        deal = self._bench.deal if self._bench else None
        if deal is None or deal.dealt < deal.pattern.given:
            return {}
        return {seat: count for seat, count in deal.counts.items() if count != deal.pattern.hand}

    @property
    def ended(self) -> Ruling | None:
        """The ruling that ended the deal, or None while none has."""
        standing = self._bench.deal.standing if self._bench else None
        return standing.ruling if standing is not None and standing.ends else None

    @property
    def open_options(self) -> tuple[Option, ...]:
        """The rights that may be claimed now, as rulings."""
        return self._bench.open_options() if self._bench else ()

    def state(self) -> dict[str, Any]:
        """Return the deal as the rulings leave it, ready for JSON.

        The key `standing` holds the ruling that stands for the deal as a whole, or null.
        """
        if self._bench is None:
            return {"phase": "not_opened"}
        deal = self._bench.deal
        ruling = deal.standing.ruling if deal.standing else None
        return {
            "phase": "ended" if deal.ended else deal.phase.name.lower(),
            "code": deal.code.name,
            "dealer": str(deal.dealer),
            "rightful_dealer": str(deal.rightful),
            "next_dealer": str(_next_dealer(ruling, left_of(deal.dealer))),
            "pattern": deal.pattern.name or None,
            "dealt": deal.dealt,
            "counts": {str(seat): count for seat, count in deal.counts.items()},
            "cut": deal.cut.name.lower(),
            "holding": deal.hold.law.citation if deal.hold else None,
            "open_options": [rulings.to_json(option) for option in self.open_options],
            "standing": rulings.to_json(ruling) if ruling else None,
        }


def _next_dealer(ruling: Ruling | None, by_rotation: Seat) -> Seat:
    """Return who deals next: as ruled, else the player on the left."""
    return getattr(ruling, "dealer", None) or getattr(ruling, "next_dealer", None) or by_rotation
