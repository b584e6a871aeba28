"""The words in which a law is declared, and how a declared law reads aloud.

A law is data: the fault that calls it, what must hold and what must not, when it opens and closes, who may claim it,
and the remedy. The one interpreter is the judge. Every word carries its own phrase, so `str(law)` is a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from controller.errors import CodeError
from controller.table import Pattern
from vision.cards import Pack


class _Word(Enum):
    """A word of the laws; hashed by identity, because the judge looks words up at every card."""

    __hash__ = object.__hash__


class Fault(_Word):
    """What happened, in the words of the table."""

    SHUFFLED_FACE_SEEN = "a face is seen while a player shuffles"
    SHUFFLED_BELOW_TABLE = "the pack is shuffled below the table"
    SHUFFLED_BY_PILES = "the pack is shuffled by dealing it into packets"
    SHUFFLED_IN_PLAY = "a pack is shuffled during the play of a hand"
    SHUFFLED_AGAIN = "a player other than the dealer shuffles more than once before the deal"
    SHUFFLED_AFTER_CUT = "the dealer shuffles the pack after it has been cut"
    DEALER_SHOWED_FACE = "a face is seen while the dealer shuffles or offers the pack"
    NEW_PACKS_ASKED_LATE = "new packs are called for after the pack is cut"
    PLACED_PACK_SHUFFLED = "a pack laid by for the next deal is shuffled before the play with the other is finished"
    CUT_SHORT = "fewer than four cards are left in a packet of the cut"
    CUT_EXPOSED = "a card is exposed in cutting or in reuniting the packets"
    CUT_CONFUSED = "the packets of the cut are confused"
    CUT_DOUBTFUL = "there is a doubt about the place where the pack was divided"
    CUT_BY_WRONG_SEAT = "a player other than the pone cuts"
    CUT_CHANGED = "the cutter, once the packets are separated, wants to shuffle or to cut again"
    ACT_FOR_PARTNER = "a player shuffles, cuts or deals for his partner without leave of the other side"
    DEAL_ASKED_OUT_OF_TURN = "a player wants to deal out of turn"
    OUT_OF_TURN = "a player deals out of turn"
    WRONG_PACK = "the adversaries' pack is dealt"
    CUT_OMITTED = "the dealer omitted to have the pack cut"
    UNCUT_DEALT = "a card is dealt from a pack that is not properly cut"
    CARD_FACED = "a card is found face up in the pack"
    TWO_CARDS = "two cards are dealt at once, or two to the same hand"
    TWO_AT_ONCE = "two cards are dealt at once"
    TWO_AT_ONCE_LEFT = "two cards dealt at once are not put right before a third is dealt"
    TWO_CARDS_LEFT = "two cards dealt at once, or to the same hand, are not put right before another card is dealt"
    UNEQUAL_PACKETS = "two cards are given to one player and three to another in the same round"
    WRONG_PACKET = "a card is dealt to a packet out of the regular rotation"
    WRONG_PACKET_LEFT = "a card dealt out of the regular rotation is not put right before another is dealt"
    LAST_CARD_ASTRAY = "the last card does not come to the dealer in its regular order"
    TRUMP_EARLY = "the trump card is turned before every hand is full"
    LAST_CARD_FACE_DOWN = "the last card is laid face down on a packet"
    CARDS_COUNTED = "the dealer touches the cards on the table or the rest of the pack in order to count them"
    HAND_TAKEN = "a player takes up another player's hand"
    PACK_BAD = "the pack is proved incorrect or imperfect"
    LONG_HAND = "a hand has too many cards and another too few"
    TOO_MANY = "a player has been dealt too many cards"
    WRONG_COUNT = "a player has too many or too few cards"
    SHORT_HAND = "three hands are right and the fourth has too few cards"
    SHORT_HANDS = "more than one hand has too few cards and none too many"
    CARD_EXPOSED = "a card is exposed during the deal"
    EXPOSURE_PASSED = "no new deal is claimed for an exposed card"
    EXPOSED_WITH_TRUMP = "another card is exposed together with the trump card"
    EXPOSED_AFTER_DEAL = "a card is exposed after the deal is completed"
    TRUMP_TURNED_SOON = "the trump card is turned before an exposed card has had its reasonable time"
    COMPLETED_SOON = "the deal is completed before an exposed card has had its reasonable time"
    TRUMP_LOOKED_AT = "the dealer looks at the trump card while dealing"
    DEALER_LOOKED = "the dealer looks at a card while dealing"
    MISDEAL = "a misdeal has been made"
    CONSULTED = "partners consult about a penalty"
    WRONG_CLAIM = "a player demands a penalty that the law does not give him"
    BASELESS_CLAIM = "a player demands a penalty where none is due"
    MISDEAL_CLAIMED = "a player claims that the deal is lost by a misdeal"
    CLAIMED_FOR_PARTNER = "a player demands a penalty that is his partner's to claim"
    DECIDED_FOR_SIDE = "one of two partners decides about a penalty that either may claim"
    TRICK_MISSED = "a player omits to play to a trick and plays to the next"
    CALL_OUT_OF_TURN = "a player passes, assists or orders up the trump out of turn"
    CALL_CORRECTED = "a player passes and then corrects himself by ordering up or assisting"
    BRIDGE_NAMED = "a player draws his partner's attention to being at the bridge"
    BOTH_SIDES_TOUCHED = "one side touches its cards after the other has touched"


class Condition(_Word):
    """What must hold, or must not hold, for a law to apply."""

    ONE_CARD_CURES = "moving one card puts it right"
    ONLY_TWO = "no third card fell with them"
    LAST_CARD = "it is the last card"
    TRUMP_CARD = "it is the trump card"
    IN_STOCK = "it lies in the stock"
    LAST_FACE_DOWN = "the last card lies face down on a packet"
    PACK_IMPERFECT = "the pack is proved imperfect"
    TWO_LEFT = "at least two cards are still to be dealt"
    BY_MACHINE = "the machine is the cause"
    BY_NOBODY_KNOWN = "nobody knows the cause"
    BY_DEALING_SIDE = "the dealer or his partner is the cause"
    BY_ADVERSARY = "an adversary is the cause"
    ON_OR_BELOW_TABLE = "it was seen on or below the table"
    ADVERSARIES_TOUCHED = "the adversaries have touched cards"
    PARTNER_TOUCHED = "the dealer's partner has touched cards"
    ADVERSARY_TOUCHED_FIRST = "during the dealing an adversary touched cards before the dealer's partner did"
    ADVERSARY_LOOKED = "the adversaries have looked at their cards"
    ADVERSARY_LIFTED = "an adversary has taken up his cards"
    CLAIMANT_LOOKED = "he has looked at a card"
    CLAIMANT_LIFTED = "he has taken up his cards"
    HAS_PLAYED = "he has played a card"
    IS_DEALERS_DUMMY = "he is dummy, the dealer's partner"
    IS_DECLARERS_DUMMY = "he is dummy, the declarer's partner"
    INTERRUPTED = "an adversary interrupted the dealer"
    INTERRUPTED_IN_VAIN = "the adversaries interrupted the dealer about the score or the turn and were wrong"
    DEALT_FOR_PARTNER = "the dealer dealt in his partner's turn"
    TIME_LEFT = "reasonable time has not run out"


class Window(_Word):
    """A moment of the deal at which a right opens or closes."""

    PACK_CUT = "the pack is cut"
    TRUMP_TURNED = "the trump card is turned"
    DEAL_COMPLETED = "the deal is completed"
    TRUMP_NAMED = "the trump is named"
    TAKEN_UP = "the hands are taken up for the play"
    LEAD = "the first card is led"
    TRICK_QUITTED = "the first trick is turned and quitted"
    PLAY_ENDED = "the play is over"
    HAND_ENDED = "the hand is over"
    NEXT_DEALT = "cards are dealt for the next deal"
    TIME = "reasonable time has run out"


class Party(_Word):
    """Who may claim."""

    ANYONE = "any player"
    ADVERSARIES = "either adversary"
    ELDEST_HAND = "the player on the dealer's left"
    DEALER = "the dealer"
    DEALING_SIDE = "the dealer or his partner"
    OPPONENTS = "either opponent of that player"


class Claimant(_Word):
    """What must hold of each player who is to claim."""

    NOT_LOOKED = "who has not looked at a card"
    PARTNER_NOT_LOOKED = "whose partner has not looked"


class Completion(_Word):
    """What completes a deal."""

    TRUMP = "the deal is completed when the trump card is turned"
    LAST_CARD = "the deal is completed when the last card is dealt"
    LAST_CARD_FACE_DOWN = "the deal is completed when the last card is dealt face down"


class Remedy(_Word):
    """What follows: as a duty, and as a right that may be claimed."""

    ALLOWED = ("it is allowed", "")
    REFUSED = ("it is not allowed", "")
    RESHUFFLE = ("the dealer must shuffle again", "compel the dealer to shuffle again")
    RESHUFFLE_AND_CUT = ("the pack must be shuffled and cut again", "")
    FRESH_CUT = ("there must be a fresh cut", "demand a fresh cut")
    CORRECT_FIRST = ("it may be put right before the next card, and the deal goes on", "")
    STOP = ("the deal is stopped", "stop the deal")
    NEW_DEAL = ("there must be a new deal by the same dealer", "demand a new deal by the same dealer")
    VOID = ("the hand is void, the same dealer deals again and earlier scores stand", "")
    MISDEAL = ("it is a misdeal", "claim a misdeal")
    DEAL_LOST = ("the deal is lost and the player on the dealer's left deals", "")
    LOST_FOR_PARTNER = ("the partner loses the deal and the adversary next after him deals", "")
    DEALT_AGAIN = ("the same player deals again", "")
    MAY_DEAL_AGAIN = ("the same player may deal again", "")
    STANDS = ("the deal stands good", "")
    STANDS_LIABLE = ("the deal stands good, and the player with too few answers for his revokes", "")
    NOT_CALLABLE = ("that card cannot be called", "")
    RIGHT_LOST = ("the right to claim is lost", "")
    PRIVILEGE_LOST = (
        "both he and his partner lose the privilege",
        "bar both him and his partner from the privilege",
    )
    ORDERING_LOST = ("both he and his partner lose the right to order up the trump", "")
    BIDDING_LOST = ("his partner may no longer bid", "")
    BAR_LIFTED = ("the side that touched second keeps its right to claim a new deal", "")
    ASK_DIRECTOR = ("the director decides", "")


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
        unless = f", unless {' or '.join(condition.value for condition in self.unless)}" if self.unless else ""
        house = f" (the house decides: {self.setting})" if self.setting else ""
        return f"{', '.join([f'If {self.when.value}', *circumstances, remedy])}{unless}{house}."

    def __str__(self) -> str:
        return f"{self.code.capitalize()} {self.number}. {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One published set of laws.

    Attributes:
        name: as in the record.
        title: the book it stands in.
        packs: the numbers of cards it may be played with; the first is its own.
        patterns: the ways its cards may be given out; the first is the usual one.
        completion: what completes a deal.
        least_cut: the fewest cards that may lie in a packet of the cut.
        voids_in_play: whether a new deal that is due once a card is led is called a void hand.
        laws: its clauses; of those on one fault the first that applies rules.
    """

    name: str
    title: str
    packs: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    completion: Completion
    least_cut: int = 4
    voids_in_play: bool = True
    laws: tuple[Law, ...]
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

    def pattern_named(self, name: str) -> Pattern:
        """Return the pattern that the record calls `name`.

        Raises:
            CodeError: its cards are not given out so.
        """
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
