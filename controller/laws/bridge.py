"""Bridge: J. B. Elwell, *Bridge Axioms and Laws* (Dutton, New York 1907), the laws of bridge revised 1907.

The book does not number its laws: S is the chapter on shuffling, D the deal, M the misdeal, N a new deal, X cards
exposed before play, G the general laws and NC new cards; letters divide a law that says several things. Where the code
is silent a law names the house setting that decides.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law, Setting
from controller.laws.words import Claimant, Completion, Condition, Fault, Party, Remedy, Window
from controller.table import SINGLY_BLIND

BRIDGE: Final = Code(
    name="bridge",
    title="The Laws of Bridge, revised 1907",
    book="J. B. Elwell, Bridge Axioms and Laws (Dutton, New York 1907)",
    packs=(52,),
    patterns=(SINGLY_BLIND,),
    completion=Completion.LAST_CARD_FACE_DOWN,
    laws=(
        # Shuffling and new cards.
        Law(number="NC", when=Fault.NEW_PACKS_ASKED_LATE, remedy=Remedy.REFUSED),
        Law(
            number="S1",
            when=Fault.SHUFFLED_BELOW_TABLE,
            setting=Setting(key="hidden_shuffle", value="reshuffle"),
            remedy=Remedy.RESHUFFLE,
        ),
        Law(
            number="S1",
            when=Fault.SHUFFLED_FACE_SEEN,
            setting=Setting(key="hidden_shuffle", value="reshuffle"),
            remedy=Remedy.RESHUFFLE,
        ),
        Law(number="S1", when=Fault.SHUFFLED_BELOW_TABLE, remedy=Remedy.REFUSED),
        Law(number="S1", when=Fault.SHUFFLED_FACE_SEEN, remedy=Remedy.REFUSED),
        Law(number="S2", when=Fault.DEALER_SHOWED_FACE, remedy=Remedy.RESHUFFLE),
        # The turn and the cut.
        Law(number="D1", when=Fault.DEAL_ASKED_OUT_OF_TURN, remedy=Remedy.REFUSED),
        Law(number="D2", when=Fault.CUT_BY_WRONG_SEAT, remedy=Remedy.REFUSED),
        Law(number="D2", when=Fault.CUT_SHORT, remedy=Remedy.FRESH_CUT),
        Law(number="D2", when=Fault.CUT_EXPOSED, remedy=Remedy.FRESH_CUT),
        Law(number="D2", when=Fault.CUT_CONFUSED, remedy=Remedy.FRESH_CUT),
        Law(number="D2", when=Fault.CUT_DOUBTFUL, remedy=Remedy.FRESH_CUT),
        Law(number="D3", when=Fault.CUT_CHANGED, remedy=Remedy.REFUSED),
        Law(number="D4", when=Fault.SHUFFLED_AFTER_CUT, remedy=Remedy.FRESH_CUT),
        Law(number="M0", when=Fault.MISDEAL_CLAIMED, remedy=Remedy.REFUSED),
        # A new deal that must follow.
        Law(
            number="N1a",
            when=Fault.WRONG_PACKET,
            provided=(Condition.ONE_CARD_CURES,),
            setting=Setting(key="single_card_cure", value=True),
            remedy=Remedy.CORRECT_FIRST,
        ),
        Law(
            number="N1a",
            when=Fault.WRONG_PACKET,
            setting=Setting(key="single_card_cure", value=False),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="N1a", when=Fault.WRONG_PACKET_LEFT, remedy=Remedy.NEW_DEAL),
        Law(number="N1b", when=Fault.PACK_BAD, until=Window.LEAD, remedy=Remedy.NEW_DEAL),
        Law(number="N5", when=Fault.PACK_BAD, since=Window.LEAD, until=Window.HAND_ENDED, remedy=Remedy.VOID),
        Law(number="N5", when=Fault.PACK_BAD, since=Window.HAND_ENDED, remedy=Remedy.STANDS),
        Law(number="N1c", when=Fault.CARD_FACED, until=Window.DEAL_COMPLETED, remedy=Remedy.NEW_DEAL),
        Law(number="N1d", when=Fault.TOO_MANY, until=Window.HAND_ENDED, remedy=Remedy.NEW_DEAL),
        Law(
            number="N1e",
            when=Fault.TWO_AT_ONCE,
            provided=(Condition.ONLY_TWO,),
            setting=Setting(key="hand_cure", value=False),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="N1e", when=Fault.TWO_AT_ONCE, provided=(Condition.ONLY_TWO,), remedy=Remedy.CORRECT_FIRST),
        Law(number="N1e", when=Fault.TWO_AT_ONCE, remedy=Remedy.NEW_DEAL),
        Law(number="N1e", when=Fault.TWO_AT_ONCE_LEFT, remedy=Remedy.NEW_DEAL),
        Law(
            number="N1f",
            when=Fault.CUT_OMITTED,
            provided=(Condition.ADVERSARY_LIFTED,),
            until=Window.DEAL_COMPLETED,
            setting=Setting(key="looked", value="tray_lifted"),
            remedy=Remedy.STANDS,
        ),
        Law(
            number="N1f",
            when=Fault.CUT_OMITTED,
            unless=(Condition.ADVERSARY_LOOKED,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="N1f", when=Fault.CUT_OMITTED, remedy=Remedy.STANDS),
        Law(number="N1g", when=Fault.LAST_CARD_ASTRAY, remedy=Remedy.NEW_DEAL),
        # A new deal that may be claimed.
        Law(
            number="N2a",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            until=Window.DEAL_COMPLETED,
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="N2a",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ELDEST_HAND,
            claimants=(Claimant.NOT_LOOKED,),
            setting=Setting(key="machine_fault", value="as_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="N2a",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_NOBODY_KNOWN,),
            until=Window.DEAL_COMPLETED,
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="N2a",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_DEALING_SIDE,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ELDEST_HAND,
            claimants=(Claimant.NOT_LOOKED,),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="N2b",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_ADVERSARY,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.DEALING_SIDE,
            claimants=(Claimant.NOT_LOOKED,),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="N2c",
            when=Fault.DEALER_LOOKED,
            provided=(Condition.TWO_LEFT,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ELDEST_HAND,
            shown=True,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="N2d",
            when=Fault.COMPLETED_SOON,
            provided=(Condition.BY_DEALING_SIDE, Condition.TIME_LEFT),
            until=Window.TIME,
            claimed_by=Party.ELDEST_HAND,
            claimants=(Claimant.NOT_LOOKED,),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="N3", when=Fault.CARD_EXPOSED, remedy=Remedy.NOT_CALLABLE),
        Law(number="N3", when=Fault.EXPOSURE_PASSED, remedy=Remedy.NOT_CALLABLE),
        Law(
            number="N3",
            when=Fault.BASELESS_CLAIM,
            provided=(Condition.FOR_EXPOSURE, Condition.CLAIMANT_LIFTED),
            setting=Setting(key="looked", value="tray_lifted"),
            remedy=Remedy.REFUSED,
        ),
        Law(
            number="N3",
            when=Fault.BASELESS_CLAIM,
            provided=(Condition.FOR_EXPOSURE, Condition.CLAIMANT_LOOKED),
            remedy=Remedy.REFUSED,
        ),
        Law(
            number="X1",
            when=Fault.EXPOSED_AFTER_DEAL,
            provided=(Condition.BY_DEALING_SIDE,),
            until=Window.TRUMP_NAMED,
            claimed_by=Party.ELDEST_HAND,
            remedy=Remedy.NEW_DEAL,
        ),
        # A trump that an adversary named, and a trick that a player missed.
        Law(
            number="X2",
            when=Fault.ADVERSARY_DECLARED,
            until=Window.HAND_ENDED,
            claimed_by=Party.DEALER,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="X2",
            when=Fault.TRICK_MISSED,
            until=Window.HAND_ENDED,
            claimed_by=Party.OPPONENTS,
            remedy=Remedy.NEW_DEAL,
        ),
        # A hand of too few cards.
        Law(
            number="N4",
            when=Fault.SHORT_HAND,
            provided=(Condition.HAS_PLAYED,),
            unless=(Condition.IS_DEALERS_DUMMY,),
            remedy=Remedy.STANDS_LIABLE,
        ),
        Law(
            number="N4",
            when=Fault.SHORT_HAND,
            until=Window.HAND_ENDED,
            setting=Setting(key="short_hand_early", value="ask_director"),
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="N4",
            when=Fault.SHORT_HAND,
            until=Window.HAND_ENDED,
            setting=Setting(key="short_hand_early", value="new_deal"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="N4", when=Fault.SHORT_HANDS, until=Window.HAND_ENDED, remedy=Remedy.ASK_DIRECTOR),
        # Pack, turn and leave.
        Law(number="N6a", when=Fault.WRONG_PACK, until=Window.LEAD, claimed_by=Party.ANYONE, remedy=Remedy.STOP),
        Law(number="N6a", when=Fault.WRONG_PACK, since=Window.LEAD, remedy=Remedy.STANDS),
        Law(
            number="N7",
            when=Fault.OUT_OF_TURN,
            provided=(Condition.DEALT_FOR_PARTNER,),
            until=Window.NEXT_DEALT,
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="N6b",
            when=Fault.OUT_OF_TURN,
            until=Window.NEXT_DEALT,
            claimed_by=Party.ANYONE,
            remedy=Remedy.STOP,
        ),
        Law(number="N6b", when=Fault.OUT_OF_TURN, since=Window.NEXT_DEALT, remedy=Remedy.STANDS),
        Law(number="N7", when=Fault.ACT_FOR_PARTNER, remedy=Remedy.REFUSED),
        # Consultation and wrong claims.
        Law(number="G1", when=Fault.CONSULTED, remedy=Remedy.RIGHT_LOST),
        Law(number="G1", when=Fault.CLAIMED_FOR_PARTNER, remedy=Remedy.RIGHT_LOST),
        Law(number="G1", when=Fault.WRONG_CLAIM, remedy=Remedy.RIGHT_LOST),
        Law(number="G1", when=Fault.BASELESS_CLAIM, remedy=Remedy.REFUSED),
    ),
    duties=(
        Duty(number="S2", says="The dealer's partner collects the cards and may shuffle first, the dealer last."),
        Duty(number="S3", says="A shuffled pack lies face down on the left of the next dealer."),
        Duty(number="D1", says="The players deal in turn, and the deal goes to the left."),
        Duty(
            number="D5",
            says="The fifty-two cards are dealt face down; the deal is not completed before the last lies so.",
        ),
    ),
)
