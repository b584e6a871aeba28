"""Euchre as it is played today: seven sources of rules, of which none has authority over the others.

Each number is one source. Where they contradict each other a house setting decides: what an exposed card is (2 or 6),
and what a misdeal costs (2, 3 or 7). Where all are silent, or were not read, the director does.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law, Setting, Unread
from controller.laws.words import Completion, Condition, Fault, Party, Remedy, Window
from controller.table import SINGLES, THREE_TWO, TWO_THREE

EUCHRE_MODERN: Final = Code(
    name="euchre_modern",
    title="Euchre today, for four players",
    book="Ohio Euchre (1), a tournament's sheet (2), Seton school 2019 (3), euchrestrategy.info (4), "
    "euchreuniverse 2006 (5), common web rules (6, 7)",
    packs=(24, 25, 32, 33),
    patterns=(TWO_THREE, THREE_TWO, SINGLES),
    completion=Completion.TRUMP,
    least_cut=1,
    voids_in_play=False,
    calls_first=Party.ELDEST_HAND,
    laws=(
        # The cut.
        Law(number="1", when=Fault.CUT_BY_WRONG_SEAT, remedy=Remedy.REFUSED),
        Law(
            number="4",
            when=Fault.CUT_OMITTED,
            until=Window.LEAD,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.MISDEAL,
        ),
        Law(number="4", when=Fault.CUT_OMITTED, since=Window.LEAD, remedy=Remedy.STANDS),
        # The order of dealing.
        Law(
            number="1",
            when=Fault.WRONG_PACKET,
            provided=(Condition.ONE_CARD_CURES,),
            setting=Setting(key="single_card_cure", value=True),
            remedy=Remedy.CORRECT_FIRST,
        ),
        # An exposed card.
        Law(
            number="2",
            when=Fault.CARD_EXPOSED,
            provided=(Condition.BY_MACHINE,),
            until=Window.TRUMP_TURNED,
            setting=Setting(key="machine_fault", value="same_dealer"),
            remedy=Remedy.NEW_DEAL,
        ),
        Law(
            number="2",
            when=Fault.CARD_EXPOSED,
            until=Window.TRUMP_TURNED,
            setting=Setting(key="modern_exposed", value="misdeal"),
            remedy=Remedy.MISDEAL,
        ),
        Law(
            number="6",
            when=Fault.CARD_EXPOSED,
            until=Window.TRUMP_TURNED,
            setting=Setting(key="modern_exposed", value="new_deal"),
            remedy=Remedy.NEW_DEAL,
        ),
        # A wrong number of cards.
        Law(number="5", when=Fault.WRONG_COUNT, until=Window.TRICK_QUITTED, remedy=Remedy.NEW_DEAL),
        Law(
            number="5",
            when=Fault.WRONG_COUNT,
            since=Window.TRICK_QUITTED,
            until=Window.HAND_ENDED,
            remedy=Remedy.DEAL_LOST,
        ),
        # What a misdeal costs.
        Law(
            number="3",
            when=Fault.MISDEAL,
            provided=(Condition.MISDEALT_BEFORE,),
            setting=Setting(key="modern_misdeal", value="second_lost"),
            remedy=Remedy.DEAL_LOST,
        ),
        Law(
            number="3",
            when=Fault.MISDEAL,
            setting=Setting(key="modern_misdeal", value="second_lost"),
            remedy=Remedy.DEALT_AGAIN,
        ),
        Law(
            number="7",
            when=Fault.MISDEAL,
            setting=Setting(key="modern_misdeal", value="deal_lost"),
            remedy=Remedy.DEAL_LOST,
        ),
        Law(
            number="2",
            when=Fault.MISDEAL,
            setting=Setting(key="modern_misdeal", value="same_dealer"),
            remedy=Remedy.DEALT_AGAIN,
        ),
    ),
    duties=(
        Duty(
            number="1a",
            says="The first jack deals; each receives two cards and then three, the reverse, or one at a time, as the "
            "dealer begins; the next card is turned up.",
        ),
    ),
    unread=(
        Unread(
            numbers="the clauses of 1",
            about="misdeals, the turn and the pack",
            on=(
                Fault.WRONG_PACKET,
                Fault.WRONG_PACKET_LEFT,
                Fault.TRUMP_EARLY,
                Fault.CARD_FACED,
                Fault.EXPOSED_WITH_TRUMP,
                Fault.PACK_BAD,
                Fault.CARDS_COUNTED,
                Fault.OUT_OF_TURN,
                Fault.WRONG_PACK,
                Fault.CUT_EXPOSED,
                Fault.CUT_CONFUSED,
                Fault.CUT_DOUBTFUL,
                Fault.SHUFFLED_AFTER_CUT,
            ),
        ),
    ),
)
