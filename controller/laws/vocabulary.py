"""What a declared law is, and how it reads aloud.

A law is data: the fault that calls it, what must hold and what must not, when it opens and closes, who may claim it,
and the remedy. The one interpreter is the judge. Every word carries its own phrase, so `str(law)` is a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from controller.errors import CodeError
from controller.laws.words import DEMANDED, SEEN, Claimant, Completion, Condition, Fault, Party, Remedy, Sight, Window
from controller.table import Pattern
from vision.cards import Pack


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A decision of the house that a law rests on.

    Attributes:
        key: the name of the house setting.
        value: the value under which the law applies.
    """

    key: str
    value: str | bool

    def __str__(self) -> str:
        return f"{self.key} = {str(self.value).lower()}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law:
    """One declared clause.

    Attributes:
        number: the clause's number in its code, as in *37-VI*.
        when: the fault that calls it.
        provided: what must hold.
        unless: what must not hold; it also ends a right that is open.
        since: the moment from which it applies.
        until: the moment up to which it applies, or may be claimed.
        claimed_by: who may claim the remedy; None where it must follow.
        claimants: what must hold of each player who is to claim.
        remedy: what follows.
        shown: whether the adversaries see the card as well.
        setting: the house setting that it rests on, where the code is silent.
        code: the code's name; set by the code that holds the law.
        citation: the law as a ruling names it, as in *whist 37-VI*.
        sentence: the law as one plain sentence, without its citation.
    """

    number: str
    when: Fault
    provided: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()
    since: Window | None = None
    until: Window | None = None
    claimed_by: Party | None = None
    claimants: tuple[Claimant, ...] = ()
    remedy: Remedy
    shown: bool = False
    setting: Setting | None = None
    code: str = ""
    citation: str = field(init=False)
    sentence: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "citation", f"{self.code} {self.number}")
        object.__setattr__(self, "sentence", self._sentence())

    @property
    def sight(self) -> Sight:
        """What a machine can see of its fault."""
        return next(sight for sight, faults in SEEN.items() if self.when in faults)

    @property
    def policy(self) -> str | None:
        """The house setting that it rests on, or None."""
        return self.setting.key if self.setting else None

    def _sentence(self) -> str:
        duty, right = self.remedy.value
        circumstances = [f"and {condition.value}" for condition in self.provided]
        if self.since:
            circumstances.append(f"once {self.since.value}")
        if self.until and not self.claimed_by:
            circumstances.append(f"before {self.until.value}")
        who = " and ".join(trait.value for trait in self.claimants)
        claimant = f"{self.claimed_by.value} {who}".strip() if self.claimed_by else ""
        remedy = f"{claimant} may {right}" if claimant else duty
        if self.claimed_by and self.until:
            remedy += f" until {self.until.value}"
        if self.shown:
            remedy = f"the adversaries may see it, and {remedy}"
        if self.claimed_by and self.when in DEMANDED:  # the right is the demand itself
            return f"{remedy[0].upper()}{remedy[1:]}."
        unless = f", unless {' or '.join(condition.value for condition in self.unless)}" if self.unless else ""
        house = f" (the house decides: {self.setting})" if self.setting else ""
        return f"{', '.join([f'If {self.when.value}', *circumstances, remedy])}{unless}{house}."

    def __str__(self) -> str:
        return f"{self.code.replace('_', ' ').capitalize()} {self.number}. {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """A clause that says how things are done, and on which there is nothing to rule.

    Attributes:
        number: the clause's number in its code.
        says: the clause as one plain sentence.
    """

    number: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Clauses that a code has and that were not read for this program: what they say of a fault, the director knows.

    Attributes:
        numbers: the clauses, as in *39-I, III and IV*.
        about: what they are about, as far as that is known.
        on: the faults on which the code has nothing else.
    """

    numbers: str
    about: str
    on: tuple[Fault, ...]

    @property
    def sentence(self) -> str:
        """What is missing, as one plain sentence."""
        return f"This program does not have the text of {self.numbers}, on {self.about}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One published set of laws.

    Attributes:
        name: as in the record.
        title: what it is called.
        book: the book it stands in.
        packs: the numbers of cards it may be played with; the first is its own.
        patterns: the ways its cards may be given out; the first is the usual one.
        completion: what completes a deal.
        least_cut: the fewest cards that may lie in a packet of the cut.
        voids_in_play: whether a new deal that is due once a card is led is called a void hand.
        laws: its clauses; of those on one fault the first that applies rules.
        duties: its clauses on which there is nothing to rule.
        unread: its clauses that were not read.
        calls_first: who makes the first call.
        based_on: the printed code that a club's own one changes; None for one that stands by itself.
    """

    name: str
    title: str
    book: str
    packs: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    completion: Completion
    least_cut: int = 4
    voids_in_play: bool = True
    laws: tuple[Law, ...]
    duties: tuple[Duty, ...] = ()
    unread: tuple[Unread, ...] = ()
    calls_first: Party = Party.DEALER
    based_on: Code | None = None
    _by_fault: dict[Fault, tuple[Law, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        laws = tuple(replace(law, code=self.name) for law in self.laws)
        object.__setattr__(self, "laws", laws)
        object.__setattr__(self, "_by_fault", {fault: _on(fault, laws) for fault in Fault})

    @property
    def pattern(self) -> Pattern:
        """The usual way its cards are given out."""
        return self.patterns[0]

    @property
    def spoken(self) -> str:
        """Its name as one says it."""
        return self.name.replace("_", " ").capitalize()

    @property
    def turn_settled(self) -> Window | None:
        """The moment from which a deal out of turn stands."""
        stops = (law for law in self._by_fault[Fault.OUT_OF_TURN] if law.remedy is Remedy.STOP)
        return next((law.until for law in stops), None)

    def cards(self, size: int | None = None) -> Pack:
        """Return the cards of a pack of that size; of its own pack for None.

        Raises:
            CodeError: it is not played with a pack of that size.
        """
        if size is not None and size not in self.packs:
            sizes = " or ".join(map(str, self.packs))
            raise CodeError(self.name, f"{self.name} is played with {sizes} cards, not {size}")
        return Pack.of(size or self.packs[0])

    def pattern_named(self, name: str | None) -> Pattern:
        """Return the pattern that the record calls `name`; the usual one where it names none.

        Raises:
            CodeError: its cards are not given out so.
        """
        if name is None:
            return self.pattern
        found = next((pattern for pattern in self.patterns if pattern.name == name), None)
        if found is None:
            ways = " or ".join(pattern.name or "one card at a time" for pattern in self.patterns)
            raise CodeError(self.name, f"{self.name} is dealt {ways}, not {name}")
        return found

    def on(self, fault: Fault) -> tuple[Law, ...]:
        """Return the laws on a fault, in their order."""
        return self._by_fault[fault]


def _on(fault: Fault, laws: Iterable[Law]) -> tuple[Law, ...]:
    return tuple(law for law in laws if law.when is fault)
