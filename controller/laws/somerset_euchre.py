"""Euchre as the Somerset Club of Boston played it: *The Laws of Euchre*, Leeds and Dwight 1888, laws 24 to 45.

The code follows that of whist. Where it is silent a law names the house setting that decides, or the director does.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law, Setting
from controller.laws.words import Completion, Condition, Fault, Party, Remedy, Window
from controller.table import THREE_TWO, TWO_THREE

SOMERSET_EUCHRE: Final = Code(
    name="somerset_euchre",
    title="The Laws of Euchre, Somerset Club of Boston 1888",
    book="Leeds and Dwight, The Laws of Euchre (Ticknor, Boston 1888)",
    packs=(32, 33, 24, 25),
    patterns=(TWO_THREE, THREE_TWO),
    completion=Completion.TRUMP,
    voids_in_play=False,
    calls_first=Party.ELDEST_HAND,
    laws=(
        # Shuffling.
        Law(number="24", when=Fault.SHUFFLED_AGAIN, remedy=Remedy.REFUSED),
        Law(
            number="27",
            when=Fault.DEALER_SHOWED_FACE,
            provided=(Condition.BY_MACHINE,),
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.RESHUFFLE,
        ),
        Law(
            number="27",
            when=Fault.DEALER_SHOWED_FACE,
            until=Window.PACK_CUT,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.RESHUFFLE,
        ),
        # The turn and the cut.
        Law(number="28", when=Fault.DEAL_ASKED_OUT_OF_TURN, remedy=Remedy.REFUSED),
        Law(number="29", when=Fault.CUT_BY_WRONG_SEAT, remedy=Remedy.REFUSED),
        Law(number="29", when=Fault.CUT_SHORT, remedy=Remedy.FRESH_CUT),
        Law(number="29", when=Fault.CUT_EXPOSED, remedy=Remedy.FRESH_CUT),
        Law(number="29", when=Fault.CUT_CONFUSED, remedy=Remedy.FRESH_CUT),
        Law(number="29", when=Fault.CUT_DOUBTFUL, remedy=Remedy.FRESH_CUT),
        Law(number="29", when=Fault.CUT_OMITTED, until=Window.LEAD, remedy=Remedy.ASK_DIRECTOR),
        Law(number="30", when=Fault.CUT_CHANGED, remedy=Remedy.REFUSED),
        Law(number="31", when=Fault.SHUFFLED_AFTER_CUT, remedy=Remedy.MISDEAL),
        # A new deal.
        Law(number="33", when=Fault.PACK_BAD, until=Window.HAND_ENDED, remedy=Remedy.NEW_DEAL),
        Law(number="33", when=Fault.PACK_BAD, since=Window.HAND_ENDED, remedy=Remedy.STANDS),
        Law(number="34", when=Fault.CARD_FACED, until=Window.LEAD, remedy=Remedy.NEW_DEAL),
        Law(
            number="35",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="35",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_NOBODY_KNOWN,),
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(
            number="35",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_DEALING_SIDE,),
            unless=(Condition.ADVERSARIES_TOUCHED,),
            until=Window.TRUMP_TURNED,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="35",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_ADVERSARY,),
            unless=(Condition.PARTNER_TOUCHED,),
            until=Window.TRUMP_TURNED,
            claimed_by=Party.DEALER,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="35", when=Fault.CARD_EXPOSED, remedy=Remedy.NOT_CALLABLE),
        Law(number="35", when=Fault.EXPOSURE_PASSED, remedy=Remedy.NOT_CALLABLE),
        Law(number="36", when=Fault.BOTH_SIDES_TOUCHED, remedy=Remedy.BAR_LIFTED),
        Law(
            number="37",
            when=Fault.TRUMP_TURNED_SOON,
            provided=(Condition.BY_DEALING_SIDE, Condition.TIME_LEFT),
            until=Window.TIME,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="38",
            when=Fault.WRONG_PACK,
            until=Window.TRUMP_TURNED,
            claimed_by=Party.ANYONE,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="38", when=Fault.WRONG_PACK, since=Window.TRUMP_TURNED, remedy=Remedy.STANDS),
        Law(
            number="39",
            when=Fault.EXPOSED_WITH_TRUMP,
            unless=(Condition.BY_ADVERSARY,),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="40",
            when=Fault.OUT_OF_TURN,
            until=Window.TRUMP_TURNED,
            claimed_by=Party.ANYONE,
            remedy=Remedy.STOP,
        ),
        Law(number="40", when=Fault.OUT_OF_TURN, since=Window.TRUMP_TURNED, remedy=Remedy.STANDS),
        # A misdeal.
        Law(number="42-I", when=Fault.WRONG_COUNT, until=Window.HAND_ENDED, remedy=Remedy.MISDEAL),
        Law(number="42-I", when=Fault.TRUMP_EARLY, remedy=Remedy.MISDEAL),
        Law(
            number="42-II",
            when=Fault.WRONG_PACKET,
            provided=(Condition.ONE_CARD_CURES,),
            setting=Setting(key="single_card_cure", value=True),
            remedy=Remedy.CORRECT_FIRST,
        ),
        Law(number="42-II", when=Fault.WRONG_PACKET, remedy=Remedy.MISDEAL),
        Law(number="42-II", when=Fault.WRONG_PACKET_LEFT, remedy=Remedy.MISDEAL),
        # What a misdeal costs.
        Law(number="44", when=Fault.MISDEAL, provided=(Condition.INTERRUPTED_IN_VAIN,), remedy=Remedy.MAY_DEAL_AGAIN),
        Law(
            number="43",
            when=Fault.MISDEAL,
            provided=(Condition.ADVERSARY_TOUCHED_FIRST,),
            remedy=Remedy.DEALT_AGAIN,
        ),
        Law(
            number="41",
            when=Fault.MISDEAL,
            provided=(Condition.BY_MACHINE,),
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.DEALT_AGAIN,
        ),
        Law(
            number="45",
            when=Fault.MISDEAL,
            provided=(Condition.DEALT_FOR_PARTNER,),
            remedy=Remedy.LOST_FOR_PARTNER,
        ),
        Law(number="41", when=Fault.MISDEAL, remedy=Remedy.DEAL_LOST),
    ),
    duties=(Duty(number="32", says="After dealing the dealer lays the rest of the pack on his right."),),
)
