"""Auction bridge: Milton C. Work, *Auction of To-day* (1913), the laws of the Whist Club of New York, November 1912.

Row letters such as 37c are those of the code, or divide a law that says several things; C1 is a decision of the card
committee. Where the code is silent a law names the house setting that decides.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law, Setting
from controller.laws.words import Claimant, Completion, Condition, Fault, Party, Remedy, Window
from controller.table import SINGLY_BLIND

AUCTION: Final = Code(
    name="auction",
    title="The Laws of Auction Bridge, Whist Club of New York 1912",
    book="Milton C. Work, Auction of To-day (1913)",
    packs=(52,),
    patterns=(SINGLY_BLIND,),
    completion=Completion.LAST_CARD,
    laws=(
        # Shuffling and new cards.
        Law(number="95", when=Fault.NEW_PACKS_ASKED_LATE, remedy=Remedy.REFUSED),
        Law(
            number="28",
            when=Fault.SHUFFLED_BELOW_TABLE,
            setting=Setting(key="hidden_shuffle", value="reshuffle"),
            remedy=Remedy.RESHUFFLE,
        ),
        Law(
            number="28",
            when=Fault.SHUFFLED_FACE_SEEN,
            setting=Setting(key="hidden_shuffle", value="reshuffle"),
            remedy=Remedy.RESHUFFLE,
        ),
        Law(number="28", when=Fault.SHUFFLED_BELOW_TABLE, remedy=Remedy.REFUSED),
        Law(number="28", when=Fault.SHUFFLED_FACE_SEEN, remedy=Remedy.REFUSED),
        Law(number="29", when=Fault.DEALER_SHOWED_FACE, remedy=Remedy.RESHUFFLE),
        Law(number="30", when=Fault.PLACED_PACK_SHUFFLED, remedy=Remedy.REFUSED),
        # The turn and the cut.
        Law(number="31", when=Fault.DEAL_ASKED_OUT_OF_TURN, remedy=Remedy.REFUSED),
        Law(number="32", when=Fault.CUT_BY_WRONG_SEAT, remedy=Remedy.REFUSED),
        Law(number="32", when=Fault.CUT_SHORT, remedy=Remedy.FRESH_CUT),
        Law(number="32", when=Fault.CUT_EXPOSED, remedy=Remedy.FRESH_CUT),
        Law(number="32", when=Fault.CUT_CONFUSED, remedy=Remedy.FRESH_CUT),
        Law(number="32", when=Fault.CUT_DOUBTFUL, remedy=Remedy.FRESH_CUT),
        Law(number="33", when=Fault.CUT_CHANGED, remedy=Remedy.REFUSED),
        Law(number="34", when=Fault.SHUFFLED_AFTER_CUT, remedy=Remedy.FRESH_CUT),
        Law(number="36", when=Fault.MISDEAL_CLAIMED, remedy=Remedy.REFUSED),
        # A new deal.
        Law(
            number="37a",
            when=Fault.WRONG_PACKET,
            provided=(Condition.ONE_CARD_CURES,),
            setting=Setting(key="single_card_cure", value=True),
            remedy=Remedy.CORRECT_FIRST,
        ),
        Law(
            number="37a",
            when=Fault.WRONG_PACKET,
            setting=Setting(key="single_card_cure", value=False),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="37a", when=Fault.WRONG_PACKET_LEFT, remedy=Remedy.NEW_DEAL),
        Law(number="37b", when=Fault.PACK_BAD, until=Window.LEAD, remedy=Remedy.NEW_DEAL),
        Law(number="39a", when=Fault.PACK_BAD, since=Window.LEAD, until=Window.PLAY_ENDED, remedy=Remedy.VOID),
        Law(number="39a", when=Fault.PACK_BAD, since=Window.PLAY_ENDED, remedy=Remedy.STANDS),
        Law(number="37c", when=Fault.CARD_FACED, until=Window.DEAL_COMPLETED, remedy=Remedy.NEW_DEAL),
        Law(number="37c", when=Fault.CARD_EXPOSED, until=Window.DEAL_COMPLETED, remedy=Remedy.NEW_DEAL),
        Law(number="37d", when=Fault.TOO_MANY, until=Window.PLAY_ENDED, remedy=Remedy.NEW_DEAL),
        Law(
            number="39b",
            when=Fault.LONG_HAND,
            since=Window.PLAY_ENDED,
            until=Window.HAND_ENDED,
            remedy=Remedy.VOID,
        ),
        Law(
            number="37e",
            when=Fault.TWO_AT_ONCE,
            provided=(Condition.ONLY_TWO,),
            setting=Setting(key="hand_cure", value=False),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="37e", when=Fault.TWO_AT_ONCE, provided=(Condition.ONLY_TWO,), remedy=Remedy.CORRECT_FIRST),
        Law(number="37e", when=Fault.TWO_AT_ONCE, remedy=Remedy.NEW_DEAL),
        Law(number="37e", when=Fault.TWO_AT_ONCE_LEFT, remedy=Remedy.NEW_DEAL),
        Law(
            number="37f",
            when=Fault.CUT_OMITTED,
            provided=(Condition.ADVERSARY_LIFTED,),
            until=Window.DEAL_COMPLETED,
            setting=Setting(key="looked", value="tray_lifted"),
            remedy=Remedy.STANDS,
        ),
        Law(
            number="37f",
            when=Fault.CUT_OMITTED,
            unless=(Condition.ADVERSARY_LOOKED,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="37f", when=Fault.CUT_OMITTED, remedy=Remedy.STANDS),
        Law(number="37g", when=Fault.LAST_CARD_ASTRAY, remedy=Remedy.NEW_DEAL),
        # A hand of too few cards.
        Law(
            number="38",
            when=Fault.SHORT_HAND,
            provided=(Condition.HAS_PLAYED,),
            unless=(Condition.IS_DECLARERS_DUMMY,),
            remedy=Remedy.STANDS_LIABLE,
        ),
        Law(number="38", when=Fault.SHORT_HAND, provided=(Condition.HAS_PLAYED,), remedy=Remedy.STANDS),
        Law(
            number="38",
            when=Fault.SHORT_HAND,
            until=Window.HAND_ENDED,
            setting=Setting(key="short_hand_early", value="ask_director"),
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="38",
            when=Fault.SHORT_HAND,
            until=Window.HAND_ENDED,
            setting=Setting(key="short_hand_early", value="new_deal"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="38", when=Fault.SHORT_HANDS, until=Window.HAND_ENDED, remedy=Remedy.ASK_DIRECTOR),
        # Turn, pack and leave.
        Law(
            number="40a",
            when=Fault.OUT_OF_TURN,
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ANYONE,
            claimants=(Claimant.NOT_LOOKED, Claimant.PARTNER_NOT_LOOKED),
            remedy=Remedy.STOP,
        ),
        Law(number="40b", when=Fault.OUT_OF_TURN, since=Window.DEAL_COMPLETED, remedy=Remedy.STANDS),
        Law(
            number="40a",
            when=Fault.WRONG_PACK,
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ANYONE,
            claimants=(Claimant.NOT_LOOKED, Claimant.PARTNER_NOT_LOOKED),
            remedy=Remedy.STOP,
        ),
        Law(number="40b", when=Fault.WRONG_PACK, since=Window.DEAL_COMPLETED, remedy=Remedy.STANDS),
        Law(number="41", when=Fault.ACT_FOR_PARTNER, remedy=Remedy.REFUSED),
        # Bids that are out of order; a pass out of turn is free.
        Law(
            number="49",
            when=Fault.BID_OUT_OF_TURN,
            until=Window.TRUMP_NAMED,
            claimed_by=Party.OPPONENTS,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="50",
            when=Fault.BID_IMPOSSIBLE,
            until=Window.TRUMP_NAMED,
            claimed_by=Party.OPPONENTS,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="57",
            when=Fault.DOUBLE_OUT_OF_TURN,
            until=Window.TRUMP_NAMED,
            claimed_by=Party.OPPONENTS,
            remedy=Remedy.NEW_DEAL,
        ),
        # Cards exposed after the deal.
        Law(
            number="65",
            when=Fault.EXPOSED_AFTER_DEAL,
            unless=(Condition.BY_MACHINE, Condition.BY_NOBODY_KNOWN),
            until=Window.TRUMP_NAMED,
            remedy=Remedy.BIDDING_LOST,
        ),
        Law(
            number="66",
            when=Fault.EXPOSED_AFTER_DEAL,
            unless=(Condition.BY_MACHINE, Condition.BY_NOBODY_KNOWN),
            since=Window.TRUMP_NAMED,
            until=Window.LEAD,
            remedy=Remedy.ASK_DIRECTOR,
        ),
        # A trick that a player missed.
        Law(
            number="81",
            when=Fault.TRICK_MISSED,
            until=Window.HAND_ENDED,
            claimed_by=Party.OPPONENTS,
            remedy=Remedy.NEW_DEAL,
        ),
        # Two partners, one decision.
        Law(number="C1", when=Fault.DECIDED_FOR_SIDE, remedy=Remedy.RIGHT_LOST),
    ),
    duties=(
        Duty(number="29", says="The dealer's partner collects the cards and may shuffle first, the dealer last."),
        Duty(
            number="30",
            says="A shuffled pack lies face down on the next dealer's left, untouched until the other hand is played.",
        ),
        Duty(number="31", says="The players deal in turn, and the deal goes to the left."),
        Duty(
            number="35", says="The fifty-two cards are dealt face down; the deal is completed when the last is dealt."
        ),
        Duty(number="E12", says="Nobody should look at his cards before the deal is completed; there is no penalty."),
        Duty(number="94", says="An offender must leave the other side a reasonable time to decide."),
        Duty(
            number="96",
            says="A torn or marked card is replaced by agreement or by new packs; it makes no pack imperfect.",
        ),
    ),
)
