"""The words in which laws are declared: faults, conditions, moments, people and remedies, each with its phrase."""

from __future__ import annotations

from enum import Enum
from typing import Final


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
    SHUFFLED_AFTER_CUT = "the dealer shuffles the pack after it has been properly cut"
    DEALER_SHOWED_FACE = "a face is seen while the dealer shuffles or offers the pack"
    NEW_PACKS_ASKED_LATE = "new packs are called for after the pack is cut"
    PLACED_PACK_SHUFFLED = "a pack laid by for the next deal is shuffled before the play with the other is finished"
    CUT_SHORT = "fewer than four cards are left in a packet of the cut"
    CUT_EXPOSED = "a card is exposed in cutting or in reuniting the packets"
    CUT_CONFUSED = "the packets of the cut are confused"
    CUT_DOUBTFUL = "there is a doubt about the place where the pack was divided"
    CUT_BY_WRONG_SEAT = "a player other than the pone cuts"
    CUT_CHANGED = (
        "the cutter, once the packets are separated, wants to shuffle or to cut again where no fresh cut is due"
    )
    FRESH_CUT_DEMANDED = "a player demands that the pack be cut again"
    RESHUFFLE_DEMANDED = "a player demands that the pack be shuffled again"
    ACT_FOR_PARTNER = "a player shuffles, cuts or deals for his partner without leave of the other side"
    DEAL_ASKED_OUT_OF_TURN = "a player wants to deal out of turn"
    OUT_OF_TURN = "a player deals out of turn"
    WRONG_PACK = "the wrong pack, that of the adversaries, is dealt"
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
    COUNT_MADE = "the dealer counts the cards on the table or those left in the pack"
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
    EXPOSED_AFTER_DEAL = "a player exposes a card after the deal is completed"
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
    BID_OUT_OF_TURN = "a player bids out of turn"
    DOUBLE_OUT_OF_TURN = "a player doubles or redoubles out of turn"
    BID_IMPOSSIBLE = "a player bids what cannot be bid"
    CALL_CORRECTED = "a player passes and then corrects himself by ordering up or assisting"
    ADVERSARY_DECLARED = "an adversary of the dealer names the trump"
    BRIDGE_NAMED = "a player draws his partner's attention to being at the bridge"
    BOTH_SIDES_TOUCHED = "one side touches its cards after the other has touched"


DEMANDED: Final = (Fault.FRESH_CUT_DEMANDED, Fault.RESHUFFLE_DEMANDED)
"""What is no fault, but a demand: whose right it is says the claim."""


class Sight(_Word):
    """What a machine can see of a fault."""

    WHOLE = "the machine sees it"
    PART = "the machine sees a part of it; people say the rest"
    PEOPLE = "only people see it, and claim"


SEEN: Final = {
    Sight.WHOLE: (
        Fault.NEW_PACKS_ASKED_LATE,
        Fault.SHUFFLED_IN_PLAY,
        Fault.SHUFFLED_AGAIN,
        Fault.SHUFFLED_AFTER_CUT,
        Fault.PLACED_PACK_SHUFFLED,
        Fault.CUT_SHORT,
        Fault.CUT_CHANGED,
        Fault.ACT_FOR_PARTNER,
        Fault.DEAL_ASKED_OUT_OF_TURN,
        Fault.OUT_OF_TURN,
        Fault.WRONG_PACK,
        Fault.CUT_OMITTED,
        Fault.UNCUT_DEALT,
        Fault.CARD_FACED,
        Fault.TWO_CARDS,
        Fault.TWO_CARDS_LEFT,
        Fault.TWO_AT_ONCE,
        Fault.TWO_AT_ONCE_LEFT,
        Fault.UNEQUAL_PACKETS,
        Fault.WRONG_PACKET,
        Fault.WRONG_PACKET_LEFT,
        Fault.LAST_CARD_ASTRAY,
        Fault.TRUMP_EARLY,
        Fault.LAST_CARD_FACE_DOWN,
        Fault.PACK_BAD,
        Fault.LONG_HAND,
        Fault.TOO_MANY,
        Fault.WRONG_COUNT,
        Fault.SHORT_HAND,
        Fault.SHORT_HANDS,
        Fault.EXPOSURE_PASSED,
        Fault.TRUMP_TURNED_SOON,
        Fault.COMPLETED_SOON,
        Fault.MISDEAL,
        Fault.WRONG_CLAIM,
        Fault.BASELESS_CLAIM,
        Fault.MISDEAL_CLAIMED,
        Fault.CLAIMED_FOR_PARTNER,
        Fault.DECIDED_FOR_SIDE,
        Fault.BOTH_SIDES_TOUCHED,
        Fault.CALL_OUT_OF_TURN,
        Fault.CALL_CORRECTED,
        Fault.FRESH_CUT_DEMANDED,
        Fault.RESHUFFLE_DEMANDED,
    ),
    Sight.PART: (
        Fault.SHUFFLED_FACE_SEEN,
        Fault.DEALER_SHOWED_FACE,
        Fault.CUT_EXPOSED,
        Fault.CUT_DOUBTFUL,
        Fault.CUT_BY_WRONG_SEAT,
        Fault.CARD_EXPOSED,
        Fault.EXPOSED_WITH_TRUMP,
        Fault.EXPOSED_AFTER_DEAL,
        Fault.HAND_TAKEN,
    ),
    Sight.PEOPLE: (
        Fault.SHUFFLED_BELOW_TABLE,
        Fault.SHUFFLED_BY_PILES,
        Fault.CUT_CONFUSED,
        Fault.COUNT_MADE,
        Fault.CARDS_COUNTED,
        Fault.TRUMP_LOOKED_AT,
        Fault.DEALER_LOOKED,
        Fault.CONSULTED,
        Fault.TRICK_MISSED,
        Fault.BRIDGE_NAMED,
        Fault.ADVERSARY_DECLARED,
        Fault.BID_OUT_OF_TURN,
        Fault.DOUBLE_OUT_OF_TURN,
        Fault.BID_IMPOSSIBLE,
    ),
}
"""What the reference machine, with its cameras, sensors and buttons, can see of every fault."""


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
    HAS_PLAYED = "its player has played a card"
    WRONG_HAND_CALLED = "a player with a wrong hand has called"
    IS_DEALERS_DUMMY = "it is that of dummy, the dealer's partner"
    IS_DECLARERS_DUMMY = "it is that of dummy, the declarer's partner"
    INTERRUPTED = "an adversary interrupted the dealer"
    INTERRUPTED_IN_VAIN = "the adversaries interrupted the dealer about the score or the turn and were wrong"
    DEALT_FOR_PARTNER = "the dealer dealt in his partner's turn"
    MISDEALT_BEFORE = "the same dealer's deal before this was a misdeal"
    CARD_TOO_MANY = "the pack holds a card that does not belong to it, and lacks none"
    SHORT_HAND_STANDS = "a hand was short too late for it to matter, and all that the pack lacks is a card"
    FOR_EXPOSURE = "it is a new deal for a card that was exposed"
    OVER_EXPOSURE = "the right is one to claim for a card that was seen"
    TIME_LEFT = "reasonable time has not run out"


class Window(_Word):
    """A moment of the deal at which a right opens or closes."""

    PACK_CUT = "the pack is cut"
    FIRST_CARD = "the first card is dealt"
    TRUMP_TURNED = "the trump card is turned"
    DEAL_COMPLETED = "the deal is completed"
    FIRST_CALL = "the first call is made"
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
    HANDS_PUT_RIGHT = ("the hands are put right, and are played", "")
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
