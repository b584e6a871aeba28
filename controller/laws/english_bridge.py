"""English bridge: the club code of 1904 in *Hoyle's Games Modernized* (1909), so far as its laws on the deal were read.

Read are laws 30, 37, 38, four paragraphs of 39, and 40, 42 and 45, each in substance. The other laws from 27 to 46 were
not, and on what they alone speak of the director decides.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Law, Setting, Unread
from controller.laws.words import Claimant, Completion, Condition, Fault, Party, Remedy, Window
from controller.table import SINGLY_BLIND

ENGLISH_BRIDGE: Final = Code(
    name="english_bridge",
    title="The Laws of Bridge, English code of 1904, in part",
    book="Hoyle's Games Modernized, edited by Professor Hoffmann (1909)",
    packs=(52,),
    patterns=(SINGLY_BLIND,),
    completion=Completion.LAST_CARD,
    laws=(
        # Shuffling.
        Law(number="30", when=Fault.SHUFFLED_AGAIN, remedy=Remedy.REFUSED),
        Law(number="37", when=Fault.SHUFFLED_AFTER_CUT, remedy=Remedy.FRESH_CUT),
        Law(number="38", when=Fault.MISDEAL_CLAIMED, remedy=Remedy.REFUSED),
        # A new deal that must follow.
        Law(number="39-II", when=Fault.CARD_FACED, until=Window.DEAL_COMPLETED, remedy=Remedy.NEW_DEAL),
        Law(number="39-V", when=Fault.LONG_HAND, until=Window.HAND_ENDED, remedy=Remedy.NEW_DEAL),
        Law(
            number="39-VI",
            when=Fault.TWO_AT_ONCE,
            provided=(Condition.ONE_CARD_CURES,),
            setting=Setting(key="hand_cure", value=False),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="39-VI", when=Fault.TWO_AT_ONCE, provided=(Condition.ONE_CARD_CURES,), remedy=Remedy.CORRECT_FIRST),
        Law(number="39-VI", when=Fault.TWO_AT_ONCE, remedy=Remedy.NEW_DEAL),
        Law(number="39-VI", when=Fault.TWO_AT_ONCE_LEFT, remedy=Remedy.NEW_DEAL),
        Law(
            number="39-VII",
            when=Fault.CUT_OMITTED,
            provided=(Condition.ADVERSARY_LIFTED,),
            until=Window.DEAL_COMPLETED,
            setting=Setting(key="looked", value="tray_lifted"),
            remedy=Remedy.STANDS,
        ),
        Law(
            number="39-VII",
            when=Fault.CUT_OMITTED,
            unless=(Condition.ADVERSARY_LOOKED,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="39-VII", when=Fault.CUT_OMITTED, remedy=Remedy.STANDS),
        # A new deal that may be claimed.
        Law(
            number="40",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            until=Window.DEAL_COMPLETED,
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="40",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ADVERSARIES,
            claimants=(Claimant.NOT_LOOKED,),
            setting=Setting(key="machine_fault", value="as_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="40",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_DEALING_SIDE,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ADVERSARIES,
            claimants=(Claimant.NOT_LOOKED,),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="40",
            when=Fault.CARD_EXPOSED,
            unless=(Condition.BY_DEALING_SIDE, Condition.BY_MACHINE),
            until=Window.DEAL_COMPLETED,
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="40",
            when=Fault.COMPLETED_SOON,
            provided=(Condition.BY_DEALING_SIDE, Condition.TIME_LEFT),
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="42",
            when=Fault.DEALER_LOOKED,
            provided=(Condition.TWO_LEFT,),
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ADVERSARIES,
            shown=True,
            remedy=Remedy.NEW_DEAL,
        ),
        # Turn and pack.
        Law(
            number="45",
            when=Fault.OUT_OF_TURN,
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ANYONE,
            remedy=Remedy.STOP,
        ),
        Law(number="45", when=Fault.OUT_OF_TURN, since=Window.DEAL_COMPLETED, remedy=Remedy.STANDS),
        Law(
            number="45",
            when=Fault.WRONG_PACK,
            until=Window.DEAL_COMPLETED,
            claimed_by=Party.ANYONE,
            remedy=Remedy.STOP,
        ),
        Law(number="45", when=Fault.WRONG_PACK, since=Window.DEAL_COMPLETED, remedy=Remedy.STANDS),
    ),
    unread=(
        Unread(
            numbers="laws 27 to 29 and 31 to 36",
            about="shuffling and cutting",
            on=(
                Fault.SHUFFLED_BELOW_TABLE,
                Fault.SHUFFLED_FACE_SEEN,
                Fault.DEALER_SHOWED_FACE,
                Fault.CUT_BY_WRONG_SEAT,
                Fault.CUT_SHORT,
                Fault.CUT_EXPOSED,
                Fault.CUT_CONFUSED,
                Fault.CUT_DOUBTFUL,
                Fault.CUT_CHANGED,
            ),
        ),
        Unread(
            numbers="paragraphs I, III and IV of law 39",
            about="the other causes of a new deal",
            on=(
                Fault.WRONG_PACKET,
                Fault.WRONG_PACKET_LEFT,
                Fault.LAST_CARD_ASTRAY,
                Fault.PACK_BAD,
                Fault.TOO_MANY,
            ),
        ),
        Unread(
            numbers="laws 41, 43, 44 and 46",
            about="the time to claim, short hands and dealing for a partner",
            on=(Fault.SHORT_HAND, Fault.SHORT_HANDS, Fault.ACT_FOR_PARTNER),
        ),
    ),
)
