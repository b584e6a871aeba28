"""The register of a club's tables: facts in, rulings out. Pure: who sits and who waits is the fold of its facts.

By the declared laws it says who comes first of those who want a place, who gives way when a rubber is over, and who
must cut for it. Players are ids; nobody's name is known here.

>>> from controller.facts import parse_fact
>>> register = Register()
>>> for line, fact in enumerate([
...     {"fact": "deal_opened", "code": "table"},
...     {"fact": "drawn", "by": "p1", "cards": ["7S", "8S"]},
... ], start=1):
...     rulings = register.hear(parse_fact(fact, line=line), line)
>>> str(rulings[0])
'To cut: p1. Table 2: If a player shows more than one card in cutting, he cuts again.'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller import carried_facts as carried
from controller.errors import FactError, OrderError
from controller.facts import DealOpened, Fact
from controller.laws.table import TABLE
from controller.laws.table_words import Occasion, TableCode
from controller.register_club import Club
from controller.register_state import Case, Player, Table
from controller.rulings import Ruling
from vision.cards import Card


class Register:
    """The tables of a club before the law.

    Args:
        code: the laws to apply.
    """

    __slots__ = ("_club", "_open")

    def __init__(self, code: TableCode = TABLE) -> None:
        self._club = Club(code)
        self._open = False

    def hear(self, fact: Fact, line: int) -> list[Ruling]:
        """Take a fact into account and return the rulings that it causes, in order.

        Args:
            fact: the next fact of the register.
            line: its line in the record, from 1.

        Raises:
            OrderError: the fact cannot follow those before it, or is none of the register's.
            FactError: the stream is opened under another code.
        """
        if not self._open:
            self._begin(fact, line)
            return []
        club = self._club
        club.line, club.said, club.ranked = line, [], ()
        hearing = _HEARINGS.get(type(fact))
        if hearing is not None:
            hearing(club, fact)
            club.settle_all()
        elif type(fact) not in _PASSED_OVER:
            heard = ", ".join(kind.name for kind in _HEARINGS)
            raise OrderError(line, "fact", f"the register, once it is open, hears {heard}; not {fact.name}")
        return club.said

    def _begin(self, fact: Fact, line: int) -> None:
        if not isinstance(fact, DealOpened):
            raise OrderError(line, "fact", f"a stream starts with deal_opened, not with {fact.name}")
        name = self._club.code.name
        if fact.code != name:
            raise FactError(line, "code", f"the register is opened under {name}, not {fact.code}")
        self._open = True

    @property
    def seats_cut(self) -> tuple[str, ...]:
        """The players as a cut for seats that the last fact has ended ranks them, the lowest first; empty for none."""
        return self._club.ranked

    def not_over(self, name: str) -> str | None:
        """Return why no rubber can be over at a table; None where one can, or where nobody sits.

        A table needs to have been whole since its last rubber, and to have no cut under way. What is on record is heard
        all the same: people may have played with a place free, or without the cut.
        """
        table = self._club.tables.get(name)
        if table is not None and table.cut is not None and table.undecided:
            return f"no rubber is over at table {name}: people must cut first, {', '.join(table.cut.draw.again())}"
        if table is None or not table.seated or table.begun:
            return None
        taken = f"{len(table.seated)} of its {self._club.code.seats} places"
        return f"no rubber has begun at table {name}, with {taken} taken"

    def shown_by(self, player: str, card: Card) -> str | None:
        """Return who has shown, in the same round of a cut, the very card that a player is about to show, or None.

        No law speaks of it: either a card was misread or mistyped, or the pack was made whole between two cuts.
        """
        cuts = (table.cut for table in (*self._club.tables.values(), self._club.nowhere) if table.cut is not None)
        return next((cut.draw.shown_by(player, card) for cut in cuts if player in cut.draw.players), None)

    def state(self) -> dict[str, Any]:
        """Return who sits, who waits, who must cut, and who has a prior right, ready for JSON."""
        club = self._club
        rights = {
            player.name: player.home.name if player.home is not None else None
            for player in club.players.values()
            if player.displaced or (player.home is not None and player.home is not player.seat)
        }
        return {
            "phase": "open" if self._open else "not_opened",
            "code": club.code.name,
            "tables": [_told(table) for table in club.tables.values() if table.seated or table.waiting],
            "prior_rights": [{"player": player, "table": table} for player, table in rights.items()],
        }


def _told(table: Table) -> dict[str, Any]:
    """Return one table, ready for JSON."""
    told: dict[str, Any] = {
        "table": table.name,
        "rubbers": table.rubbers,
        "seated": [
            {"player": player.name, "games": player.games}
            | ({"substitute": table.stand_ins[player]} if player in table.stand_ins else {})
            for player in table.seated
        ],
        "waiting": [player.name for player in table.waiting],
        "cut": None,
    }
    if table.cut is not None:
        cut = table.cut
        told["cut"] = {"for": cut.purpose, "players": list(cut.draw.players), "to_draw": list(cut.draw.again())}
    return told


def _joined(club: Club, fact: carried.Joined) -> None:
    player, table = club.player(fact.player), club.table(fact.table)
    if player.seat is table:
        table.stand_ins.pop(player, None)  # who was away is back
        return
    case = Case(table=table, player=player)
    if not club.free(table):
        club.apply(Occasion.TABLE_FULL, case)
    elif table.undecided:
        club.apply(Occasion.PLACE_CUT_FOR, case)
    else:
        club.sit(table, player)
        club.unsettle(table)


def _candidate(club: Club, fact: carried.Candidate) -> None:
    player, table = club.player(fact.player), club.table(fact.table)
    if table in (player.seat, player.waits):
        return
    club.wait(player, table)
    if table.undecided and table.cut is not None and table.cut.draw.begun:
        table.late.add(player)
    else:
        club.unsettle(table)


def _formed(club: Club, fact: carried.Formed) -> None:
    club.settle(club.table(fact.table), forming=True)


def _left(club: Club, fact: carried.Left) -> None:
    player = club.players.get(fact.player)
    away = [(table, one) for table in club.tables.values() for one, by in table.stand_ins.items() if by == fact.player]
    for table, one in away:
        del table.stand_ins[one]
    if player is None:
        if not away:
            raise OrderError(club.line, "player", f"{fact.player} has no place at any table and waits for none")
        return
    club.wait(player, None)
    club.vacate(player)
    player.home = None
    player.displaced = False


def _rubber_ended(club: Club, fact: carried.RubberEnded) -> None:
    table = club.tables.get(fact.table)
    if table is None or not table.seated:
        raise OrderError(club.line, "table", f"nobody has a place at table {fact.table}: no rubber is played there")
    for player in tuple(table.stand_ins):
        club.apply(Occasion.SUBSTITUTED_RUBBER_OVER, Case(table=table, player=player))
    table.rubbers += 1
    table.begun = not club.free(table)
    table.rubber_over = True
    table.cut = None
    table.last_left = None
    table.late.clear()
    for player in table.seated:
        player.games += 1
    club.unsettle(table)


def _drawn(club: Club, fact: carried.Drawn) -> None:
    club.draw(fact.by, fact.cards)


def _substitute(club: Club, fact: carried.Substitute) -> None:
    table, player = _place_of(club, fact.for_, "for")
    if table.stand_ins.get(player) == fact.player:
        return
    stand_in = club.players.get(fact.player)
    if stand_in is not None and stand_in.seat is not None:
        raise OrderError(club.line, "player", f"{fact.player} has a place at table {stand_in.seat.name} himself")
    for other in (other for one in club.tables.values() for other, by in one.stand_ins.items() if by == fact.player):
        if other is not player:
            raise OrderError(club.line, "player", f"{fact.player} plays for {other.name} already")
    case = Case(table=table, player=player, stand_in=fact.player, consent=fact.consent)
    club.apply(Occasion.SUBSTITUTE_NAMED, case)


def _broke_up(club: Club, fact: carried.BrokeUp) -> None:
    table, by = _place_of(club, fact.by, "by")
    club.apply(Occasion.TABLE_BROKEN_UP, Case(table=table, player=by))
    for player in club.players.values():
        if player.seat is table:
            club.vacate(player)
        if player.home is table:
            player.home, player.kept = player.seat, False
    table.begin_anew()


def _place_of(club: Club, name: str, field: str) -> tuple[Table, Player]:
    """Return the table at which a player has his place, or which he was the last to leave, and the player."""
    player = club.players.get(name)
    if player is not None and player.seat is not None:
        return player.seat, player
    for table in club.tables.values():
        if player is not None and table.last_left is player and club.free(table):
            return table, player
    raise OrderError(club.line, field, f"{name} has no place at any table")


_HEARINGS: Final[dict[type[Fact], Callable[[Club, Any], None]]] = {
    carried.Joined: _joined,
    carried.Candidate: _candidate,
    carried.Formed: _formed,
    carried.Left: _left,
    carried.RubberEnded: _rubber_ended,
    carried.Drawn: _drawn,
    carried.Substitute: _substitute,
    carried.BrokeUp: _broke_up,
}

_PASSED_OVER: Final = frozenset(
    {carried.Machine, carried.Mode, carried.DrawCommitted, carried.Seen, carried.Routed, carried.Halted}
    | {carried.Acknowledged, carried.Resumed, carried.Voided, carried.Unsealed, carried.Closed}
)
"""What the record of a machine carries besides: cards drawn for a cut are seen and routed too."""
