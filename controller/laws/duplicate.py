"""Duplicate bridge: *Laws of Duplicate Bridge 2017*, the parts of laws 6, 13 and 14 that concern the deal.

The order of dealing is only recommended, so a card out of the rotation is no fault here. What the director settles
with a score the judge leaves to him.
"""

from __future__ import annotations

from typing import Final

from controller.laws.vocabulary import Code, Duty, Law
from controller.laws.words import Completion, Condition, Fault, Party, Remedy, Window
from controller.table import SINGLY_BLIND

DUPLICATE: Final = Code(
    name="duplicate",
    title="The Laws of Duplicate Bridge 2017, the deal",
    book="Laws of Duplicate Bridge 2017",
    packs=(52,),
    patterns=(SINGLY_BLIND,),
    completion=Completion.LAST_CARD,
    laws=(
        # The cut.
        Law(
            number="6A",
            when=Fault.FRESH_CUT_DEMANDED,
            until=Window.FIRST_CARD,
            claimed_by=Party.ADVERSARIES,
            remedy=Remedy.FRESH_CUT,
        ),
        # A new shuffle and deal.
        Law(number="6D1", when=Fault.TWO_CARDS, until=Window.FIRST_CALL, remedy=Remedy.NEW_DEAL),
        Law(number="6D1", when=Fault.CARD_FACED, until=Window.FIRST_CALL, remedy=Remedy.NEW_DEAL),
        Law(number="6D1", when=Fault.CARD_EXPOSED, until=Window.FIRST_CALL, remedy=Remedy.NEW_DEAL),
        Law(number="6D1", when=Fault.EXPOSED_AFTER_DEAL, remedy=Remedy.ASK_DIRECTOR),
        Law(number="6D1", when=Fault.BASELESS_CLAIM, remedy=Remedy.ASK_DIRECTOR),
        # Hands that are not right.
        Law(
            number="13A",
            when=Fault.LONG_HAND,
            unless=(Condition.WRONG_HAND_CALLED,),
            until=Window.PLAY_ENDED,
            remedy=Remedy.HANDS_PUT_RIGHT,
        ),
        Law(
            number="13B",
            when=Fault.LONG_HAND,
            provided=(Condition.WRONG_HAND_CALLED,),
            until=Window.PLAY_ENDED,
            remedy=Remedy.ASK_DIRECTOR,
        ),
        Law(number="13D", when=Fault.LONG_HAND, since=Window.PLAY_ENDED, remedy=Remedy.VOID),
        Law(number="14", when=Fault.SHORT_HAND, remedy=Remedy.ASK_DIRECTOR),
        Law(number="14", when=Fault.SHORT_HANDS, remedy=Remedy.ASK_DIRECTOR),
        Law(number="13C", when=Fault.PACK_BAD, provided=(Condition.CARD_TOO_MANY,), remedy=Remedy.ASK_DIRECTOR),
        Law(number="14", when=Fault.PACK_BAD, remedy=Remedy.ASK_DIRECTOR),
    ),
    duties=(
        Duty(
            number="1",
            says="The pack has fifty-two cards, thirteen of each suit, with like backs.",
        ),
        Duty(number="2", says="The number of the board says who deals."),
        Duty(
            number="6B",
            says="Each receives thirteen cards, face down and singly, no two neighbours of the pack.",
        ),
        Duty(number="6C", says="A member of each side is present at the deal, unless the director says otherwise."),
        Duty(
            number="6D2",
            says="No result stands where a sorted pack was dealt unshuffled, or the board is of another session.",
        ),
        Duty(number="6D3", says="For any reason within the laws the director may order a new shuffle and deal."),
        Duty(number="6E4", says="The director may have the cards dealt in another way that is as much left to chance."),
    ),
)
