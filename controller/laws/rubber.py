"""Rubber bridge: the laws of contract bridge of 1993 and 2014, so far as they were read: shuffle and cut, 4 to 6."""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law, Unread
from controller.laws.words import Completion, Fault, Remedy, Window
from controller.table import SINGLY_BLIND

RUBBER: Final = Code(
    name="rubber",
    title="The Laws of Rubber Bridge, shuffle and cut",
    book="Laws of Contract Bridge, American Contract Bridge League 1993 and 2014",
    packs=(52,),
    patterns=(SINGLY_BLIND,),
    completion=Completion.LAST_CARD,
    laws=(
        Law(number="5", when=Fault.CUT_BY_WRONG_SEAT, remedy=Remedy.REFUSED),
        Law(number="5", when=Fault.CUT_SHORT, remedy=Remedy.FRESH_CUT),
        Law(number="6-1", when=Fault.FRESH_CUT_DEMANDED, until=Window.FIRST_CARD, remedy=Remedy.FRESH_CUT),
        Law(number="6-2", when=Fault.RESHUFFLE_DEMANDED, until=Window.FIRST_CARD, remedy=Remedy.RESHUFFLE_AND_CUT),
        Law(number="6-2", when=Fault.SHUFFLED_FACE_SEEN, until=Window.FIRST_CARD, remedy=Remedy.RESHUFFLE_AND_CUT),
        Law(number="6-2", when=Fault.DEALER_SHOWED_FACE, until=Window.FIRST_CARD, remedy=Remedy.RESHUFFLE_AND_CUT),
    ),
    duties=(
        Duty(
            number="4",
            says="For the first deal the eldest hand shuffles; afterwards the dealer's partner prepares the other pack "
            "and lays it on his right. The dealer may shuffle last, and nobody else shuffles.",
        ),
    ),
    unread=(
        Unread(
            numbers="the rest of law 6",
            about="what else is shuffled and cut again",
            on=(Fault.CUT_EXPOSED, Fault.CUT_CONFUSED, Fault.CUT_DOUBTFUL, Fault.SHUFFLED_AFTER_CUT),
        ),
        Unread(
            numbers="laws 7 to 12",
            about="the deal and a new deal",
            on=(
                Fault.TWO_CARDS,
                Fault.WRONG_PACKET,
                Fault.LAST_CARD_ASTRAY,
                Fault.CARD_FACED,
                Fault.CARD_EXPOSED,
                Fault.CUT_OMITTED,
                Fault.PACK_BAD,
                Fault.LONG_HAND,
                Fault.TOO_MANY,
                Fault.SHORT_HAND,
                Fault.SHORT_HANDS,
                Fault.OUT_OF_TURN,
                Fault.WRONG_PACK,
                Fault.MISDEAL_CLAIMED,
                Fault.BASELESS_CLAIM,
            ),
        ),
    ),
)
