"""The words in which the laws of the table's register are declared, each with its phrase, and what such a law is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum


class Occasion(Enum):
    """What happens, or is wanted, at the tables of a club."""

    CANDIDATES_WAIT = "a place is free and candidates wait for it"
    EQUAL_RIGHT = "candidates of equal right are more than the places that are free"
    PLACE_CUT_FOR = "a player takes a place that is still cut for"
    TABLE_FULL = "a player takes a place at a table that is full"
    OTHERS_WAIT = "players have ended a rubber and others wait to play"
    EQUAL_GAMES = "those who have played equally many consecutive games are more than must give way"
    TWO_CARDS_SHOWN = "a player shows more than one card in cutting"
    JOKER_CUT = "a player cuts the Joker"
    EQUAL_CARDS = "players whom the cut has to tell apart cut cards of one rank"
    CUT_IN_ELSEWHERE = "a player who belongs to one table cuts into another"
    RETURN_WAITED_FOR = "a rubber is over, others wait, and a player means to return to his own table"
    SUBSTITUTE_NAMED = "a player who quits names a substitute"
    SUBSTITUTED_RUBBER_OVER = "a rubber is over in which a substitute played"
    TABLE_BROKEN_UP = "a player breaks up a table"


class Circumstance(Enum):
    """What must hold, or must not hold, for a law of the register to apply."""

    FIRST_RUBBER = "it was the first rubber of the table"
    FORMS_FRESH_TABLE = "he so enables three candidates to form a fresh table"
    RUBBER_UNDER_WAY = "a rubber is under way"
    OTHERS_CONSENT = "the other three players consent"


class Outcome(Enum):
    """What follows."""

    REFUSED = "it is not allowed"
    ADMITTED_BY_RIGHT = (
        "those with a prior right are admitted first, then those who have not played yet, then those who have, and "
        "last whoever spoke up after a card was cut"
    )
    CUT_TO_COME_IN = "they cut, and the lowest are admitted"
    CUT_TO_GIVE_WAY = "they cut, and the highest give way"
    MOST_GAMES_GIVE_WAY = "those who have played the greatest number of consecutive games give way"
    GIVES_WAY_FIRST = "he gives way first, and his place is filled"
    CUTS_AGAIN = "he cuts again"
    CUT_AGAIN = "they cut again"
    RIGHT_LOST = "he loses his prior right to come back to the first"
    RIGHT_KEPT = "he keeps his prior right to come back to the first, and may say that he will"
    PLAYS_FOR_HIM = "the substitute plays in his place until the rubber is over, and keeps the rights he has himself"
    PLAYS_NO_MORE = "the appointment is void and the substitute gives up the place"
    PRIOR_RIGHTS = "the others have a prior right to play at other tables"


class Knowledge(Enum):
    """Where it is known from that a law applies."""

    MACHINE = "the machine feeds the cards one by one and reads them"
    REGISTER = "the register has it from what it is told"


_OF_CARDS = frozenset({Occasion.TWO_CARDS_SHOWN, Occasion.JOKER_CUT, Occasion.EQUAL_CARDS})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableLaw:
    """One declared clause of the register.

    Attributes:
        number: its number in the register's code.
        source: where it stands, as in *euchre, law 6*.
        when: the occasion that calls it.
        provided: what must hold.
        unless: what must not hold.
        remedy: what follows.
        code: the code's name; set by the code that holds the law.
        citation: the law as a ruling names it, as in *table 1*.
        sentence: the law as one plain sentence, without its citation.
    """

    number: str
    source: str
    when: Occasion
    provided: tuple[Circumstance, ...] = ()
    unless: tuple[Circumstance, ...] = ()
    remedy: Outcome
    code: str = ""
    citation: str = field(init=False)
    sentence: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "citation", f"{self.code} {self.number}")
        parts = [f"If {self.when.value}", *(f"and {held.value}" for held in self.provided), self.remedy.value]
        unless = f", unless {' or '.join(bar.value for bar in self.unless)}" if self.unless else ""
        object.__setattr__(self, "sentence", f"{', '.join(parts)}{unless}.")

    @property
    def sight(self) -> Knowledge:
        """Where it is known from that the law applies."""
        return Knowledge.MACHINE if self.when in _OF_CARDS else Knowledge.REGISTER

    def __str__(self) -> str:
        return f"{self.code.capitalize()} {self.number}. {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCode:
    """The laws of the register.

    Attributes:
        name: as in the record.
        title: what it is called.
        book: where its laws stand.
        low_to_high: the ranks in cutting, the lowest first.
        seats: how many play at a table.
        laws: its clauses; of those on one occasion the first that applies rules.
    """

    name: str
    title: str
    book: str
    low_to_high: str
    seats: int
    laws: tuple[TableLaw, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "laws", tuple(replace(law, code=self.name) for law in self.laws))

    @property
    def spoken(self) -> str:
        """Its name as one says it."""
        return self.name.capitalize()

    def on(self, occasion: Occasion) -> tuple[TableLaw, ...]:
        """Return the laws on an occasion, in their order."""
        return tuple(law for law in self.laws if law.when is occasion)
