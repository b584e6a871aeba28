"""Euchre: R. F. Foster, *Foster's Complete Hoyle*, the laws of euchre, 8 to 15, for four players.

Row letters such as 14e divide a law that says several things. Where the code is silent a law names the house setting
that decides.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law, Setting
from controller.laws.words import Completion, Condition, Fault, Party, Remedy, Window
from controller.table import THREE_TWO, TWO_THREE

EUCHRE: Final = Code(
    name="euchre",
    title="The Laws of Euchre, for four players",
    book="R. F. Foster, Foster's Complete Hoyle",
    packs=(32, 33, 24, 25),
    patterns=(TWO_THREE, THREE_TWO),
    completion=Completion.TRUMP,
    voids_in_play=False,
    calls_first=Party.ELDEST_HAND,
    laws=(
        # The cut.
        Law(number="9a", when=Fault.CUT_BY_WRONG_SEAT, remedy=Remedy.REFUSED),
        Law(number="9a", when=Fault.CUT_SHORT, remedy=Remedy.FRESH_CUT),
        Law(number="9a", when=Fault.CUT_DOUBTFUL, remedy=Remedy.FRESH_CUT),
        Law(number="9a", when=Fault.CUT_CONFUSED, remedy=Remedy.ASK_DIRECTOR),
        Law(number="9b", when=Fault.CUT_EXPOSED, remedy=Remedy.RESHUFFLE_AND_CUT),
        Law(number="9c", when=Fault.SHUFFLED_AFTER_CUT, remedy=Remedy.MISDEAL),
        # The order of dealing.
        Law(number="10c", when=Fault.DEAL_ASKED_OUT_OF_TURN, remedy=Remedy.REFUSED),
        # A new deal.
        Law(
            number="11a",
            when=Fault.CARD_FACED,
            provided=(Condition.IN_STOCK,),
            until=Window.HAND_ENDED,
            setting=Setting(key="stock_faced", value="counts"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="11a",
            when=Fault.CARD_FACED,
            unless=(Condition.TRUMP_CARD, Condition.IN_STOCK),
            until=Window.HAND_ENDED,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="11b", when=Fault.PACK_BAD, until=Window.HAND_ENDED, remedy=Remedy.NEW_DEAL),
        Law(number="11b", when=Fault.PACK_BAD, since=Window.HAND_ENDED, remedy=Remedy.STANDS),
        Law(
            number="12a",
            when=Fault.CARD_EXPOSED,
            until=Window.TRUMP_TURNED,
            setting=Setting(key="euchre", value="modern"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            until=Window.TRUMP_TURNED,
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            unless=(Condition.ADVERSARIES_TOUCHED,),
            until=Window.TAKEN_UP,
            claimed_by=Party.ADVERSARIES,
            setting=Setting(key="machine_fault", value="as_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12b",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_ADVERSARY,),
            until=Window.TAKEN_UP,
            claimed_by=Party.DEALER,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.CARD_EXPOSED,
            unless=(Condition.TRUMP_CARD, Condition.BY_ADVERSARY, Condition.ADVERSARIES_TOUCHED),
            until=Window.TAKEN_UP,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.EXPOSED_WITH_TRUMP,
            provided=(Condition.BY_MACHINE,),
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.EXPOSED_WITH_TRUMP,
            unless=(Condition.BY_ADVERSARY, Condition.ADVERSARIES_TOUCHED),
            until=Window.TAKEN_UP,
            claimed_by=Party.ADVERSARIES,
            setting=Setting(key="euchre", value="foster"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.EXPOSED_WITH_TRUMP,
            unless=(Condition.BY_ADVERSARY,),
            setting=Setting(key="euchre", value="somerset"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="12a",
            when=Fault.EXPOSED_WITH_TRUMP,
            setting=Setting(key="euchre", value="modern"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="12c", when=Fault.CARD_EXPOSED, remedy=Remedy.NOT_CALLABLE),
        Law(number="12c", when=Fault.EXPOSURE_PASSED, remedy=Remedy.NOT_CALLABLE),
        # Turn and pack.
        Law(
            number="13a",
            when=Fault.OUT_OF_TURN,
            until=Window.TRUMP_TURNED,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.STOP,
        ),
        Law(number="13a", when=Fault.OUT_OF_TURN, since=Window.TRUMP_TURNED, remedy=Remedy.STANDS),
        Law(
            number="13b",
            when=Fault.WRONG_PACK,
            until=Window.TRUMP_TURNED,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.STOP,
        ),
        Law(number="13b", when=Fault.WRONG_PACK, since=Window.TRUMP_TURNED, remedy=Remedy.STANDS),
        # A misdeal.
        Law(number="14a", when=Fault.UNCUT_DEALT, remedy=Remedy.MISDEAL),
        Law(number="14a", when=Fault.CUT_OMITTED, until=Window.LEAD, remedy=Remedy.MISDEAL),
        Law(
            number="14a",
            when=Fault.CUT_OMITTED,
            since=Window.LEAD,
            until=Window.HAND_ENDED,
            setting=Setting(key="misdeal_until", value="hand_ended"),
            remedy=Remedy.MISDEAL,
        ),
        Law(
            number="14a",
            when=Fault.CUT_OMITTED,
            since=Window.LEAD,
            setting=Setting(key="misdeal_until", value="lead"),
            remedy=Remedy.STANDS,
        ),
        Law(number="14a", when=Fault.CUT_OMITTED, since=Window.HAND_ENDED, remedy=Remedy.STANDS),
        Law(
            number="14b",
            when=Fault.UNEQUAL_PACKETS,
            setting=Setting(key="hand_cure", value=False),
            remedy=Remedy.MISDEAL,
        ),
        Law(
            number="14c",
            when=Fault.WRONG_COUNT,
            until=Window.TRICK_QUITTED,
            setting=Setting(key="euchre", value="modern"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(number="14c", when=Fault.WRONG_COUNT, until=Window.HAND_ENDED, remedy=Remedy.MISDEAL),
        Law(number="14c", when=Fault.TRUMP_EARLY, remedy=Remedy.MISDEAL),
        Law(number="14d", when=Fault.COUNT_MADE, until=Window.TRUMP_TURNED, remedy=Remedy.MISDEAL),
        Law(number="14e", when=Fault.WRONG_PACKET, remedy=Remedy.CORRECT_FIRST),
        Law(number="14e", when=Fault.WRONG_PACKET_LEFT, remedy=Remedy.MISDEAL),
        # What a misdeal costs.
        Law(number="14f", when=Fault.MISDEAL, provided=(Condition.INTERRUPTED,), remedy=Remedy.DEALT_AGAIN),
        Law(
            number="14",
            when=Fault.MISDEAL,
            provided=(Condition.BY_MACHINE,),
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.DEALT_AGAIN,
        ),
        Law(
            number="14",
            when=Fault.MISDEAL,
            provided=(Condition.BY_MACHINE,),
            setting=Setting(key="machine_fault", value="as_dealer"),
            remedy=Remedy.DEAL_LOST,
        ),
        Law(number="14", when=Fault.MISDEAL, remedy=Remedy.DEAL_LOST),
        # The trump card.
        Law(number="15a", when=Fault.CALL_OUT_OF_TURN, remedy=Remedy.REFUSED),
        Law(
            number="15b",
            when=Fault.CALL_CORRECTED,
            until=Window.LEAD,
            claimed_by=Party.OPPONENTS,
            remedy=Remedy.PRIVILEGE_LOST,
        ),
        Law(number="15c", when=Fault.BRIDGE_NAMED, until=Window.LEAD, remedy=Remedy.ORDERING_LOST),
    ),
    duties=(
        Duty(number="8", says="Every player may shuffle, the dealer last."),
        Duty(number="9a", says="The dealer presents the pack to the pone to be cut."),
        Duty(
            number="10a",
            says="From the dealer's left each player receives in turn two cards and then three, or the reverse.",
        ),
        Duty(
            number="10b",
            says="When all have five cards the next is turned up for the trump; that it is seen is no exposure.",
        ),
        Duty(number="10c", says="The deal passes to the left."),
        Duty(number="11b", says="Earlier scores made with a pack that is proved imperfect stand good."),
    ),
)
