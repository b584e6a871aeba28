"""The tables of a club and its players, as the facts of the register so far make them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from controller.laws.table_words import Circumstance, TableLaw
from controller.seat_draw import SeatDraw


class Right(IntEnum):
    """Who comes first of those who want a place."""

    PRIOR = 0
    """He belongs to the table, or his own was broken up."""
    NOT_PLAYED = 1
    PLAYED = 2
    LATE = 3
    """He has spoken up only after a card was cut."""


@dataclass(slots=True, kw_only=True, eq=False)
class Player:
    """One player.

    Attributes:
        name: his id.
        home: the table that he belongs to, by a place or by his prior right to come back; None for none.
        seat: the table at which he has a place.
        waits: the table for which he is a candidate.
        games: rubbers that he has played in a row at his place.
        played: whether he has had a place at a table that was made up.
        displaced: whether his table was broken up by another, which gives him a prior right elsewhere.
        kept: whether he keeps his right at home though he sits at another table.
    """

    name: str
    home: Table | None = None
    seat: Table | None = None
    waits: Table | None = None
    games: int = 0
    played: bool = False
    displaced: bool = False
    kept: bool = False

    def right_at(self, table: Table) -> Right:
        """Return how he ranks among the candidates for a table."""
        if self in table.late:
            return Right.LATE
        if self.home is table or self.displaced:
            return Right.PRIOR
        return Right.PLAYED if self.played else Right.NOT_PLAYED

    @property
    def returns(self) -> bool:
        """Whether he has said that he will come back to the table that he belongs to."""
        return self.kept and self.waits is self.home


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A cut under way.

    Attributes:
        draw: the draws.
        law: the law by which they cut; None where they cut for seats.
        gives_way: whether the highest give way; else the lowest come in.
    """

    draw: SeatDraw
    law: TableLaw | None = None
    gives_way: bool = False

    @property
    def purpose(self) -> Literal["seats", "giving_way", "coming_in"]:
        """What it decides."""
        if self.law is None:
            return "seats"
        return "giving_way" if self.gives_way else "coming_in"


@dataclass(slots=True, kw_only=True, eq=False)
class Table:
    """One table.

    Attributes:
        name: its name in the record.
        seated: those who have a place, in the order in which they took it.
        waiting: the candidates for it, in the order in which they said so.
        late: those of them who said so only after a card of the cut under way was drawn.
        stand_ins: the id of whoever plays for one who is away.
        rubbers: how many it has played.
        made_up: whether it has been whole.
        begun: whether it has been whole since its last rubber, so that another may have begun.
        rubber_over: whether a rubber is over and it is not settled who gives way.
        last_left: who gave up his place last, until the end of the rubber.
        cut: the cut under way.
        cut_before: the cut that was under way, while it is asked anew who must cut.
    """

    name: str
    seated: list[Player] = field(default_factory=list)
    waiting: list[Player] = field(default_factory=list)
    late: set[Player] = field(default_factory=set)
    stand_ins: dict[Player, str] = field(default_factory=dict)
    rubbers: int = 0
    made_up: bool = False
    begun: bool = False
    rubber_over: bool = False
    last_left: Player | None = None
    cut: Cut | None = None
    cut_before: Cut | None = None

    @property
    def undecided(self) -> bool:
        """Whether a cut is under way that a law asks for; one for seats bars nobody."""
        return self.cut is not None and self.cut.law is not None

    def begin_anew(self) -> None:
        """Forget what the table was: nobody has a place at it any more."""
        self.rubbers = 0
        self.made_up = self.begun = self.rubber_over = False
        self.last_left = self.cut = None
        self.stand_ins.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a law is asked about.

    Attributes:
        table: the table concerned.
        player: the player concerned, if one is.
        cutters: the ids of those whose cards are in question.
        stand_in: the id of the substitute who is named.
        consent: the ids of those who consent.
    """

    table: Table
    player: Player | None = None
    cutters: tuple[str, ...] = ()
    stand_in: str = ""
    consent: tuple[str, ...] = ()

    @property
    def who(self) -> Player:
        """The player concerned, where the law speaks of one.

        Raises:
            LookupError: it speaks of none.
        """
        if self.player is None:
            raise LookupError("this case has no player")
        return self.player


def holds(circumstance: Circumstance, case: Case) -> bool:
    """Return whether a circumstance of a law holds."""
    table, player = case.table, case.player
    others = [other for other in table.seated if other is not player]
    match circumstance:
        case Circumstance.FIRST_RUBBER:
            return table.rubbers == 1
        case Circumstance.FORMS_FRESH_TABLE:
            return not table.made_up and sum(other.home is table for other in others) == 3
        case Circumstance.RUBBER_UNDER_WAY:
            return table.begun and not table.rubber_over
        case Circumstance.OTHERS_CONSENT:
            heard = [not {other.name, table.stand_ins.get(other)}.isdisjoint(case.consent) for other in others]
            return len(heard) == 3 and all(heard)
