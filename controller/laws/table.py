"""The register of the table and the cuts: euchre's laws 6 and 7, and the laws of bridge on tables, entry and re-entry.

They are R. F. Foster's (*Foster's Complete Hoyle*, euchre) and J. B. Elwell's (*Bridge Axioms and Laws*, 1907). That
the lowest of a cut come in and the highest give way is Elwell's too. What is only implied says so in its source.
"""

from __future__ import annotations

from typing import Final

from controller.laws.table_words import Circumstance, Occasion, Outcome, TableCode, TableLaw

TABLE: Final = TableCode(
    name="table",
    title="The Register of the Table, and the Cuts",
    book="R. F. Foster, Foster's Complete Hoyle; J. B. Elwell, Bridge Axioms and Laws",
    low_to_high="A23456789TJQK",
    seats=4,
    laws=(
        # Who is admitted.
        TableLaw(
            number="0",
            source="bridge, right of entry; the order by sense",
            when=Occasion.CANDIDATES_WAIT,
            remedy=Outcome.ADMITTED_BY_RIGHT,
        ),
        TableLaw(
            number="0",
            source="bridge, right of entry",
            when=Occasion.EQUAL_RIGHT,
            remedy=Outcome.CUT_TO_COME_IN,
        ),
        TableLaw(
            number="0",
            source="bridge, right of entry, by sense",
            when=Occasion.PLACE_CUT_FOR,
            remedy=Outcome.REFUSED,
        ),
        # Who gives way.
        TableLaw(
            number="1",
            source="euchre, law 6",
            when=Occasion.OTHERS_WAIT,
            provided=(Circumstance.FIRST_RUBBER,),
            remedy=Outcome.CUT_TO_GIVE_WAY,
        ),
        TableLaw(
            number="1",
            source="euchre, law 6",
            when=Occasion.OTHERS_WAIT,
            unless=(Circumstance.FIRST_RUBBER,),
            remedy=Outcome.MOST_GAMES_GIVE_WAY,
        ),
        TableLaw(
            number="1",
            source="euchre, law 6",
            when=Occasion.EQUAL_GAMES,
            remedy=Outcome.CUT_TO_GIVE_WAY,
        ),
        TableLaw(
            number="1",
            source="euchre, law 6, by sense",
            when=Occasion.TABLE_FULL,
            remedy=Outcome.REFUSED,
        ),
        # The cut itself.
        TableLaw(
            number="2",
            source="euchre, law 7",
            when=Occasion.TWO_CARDS_SHOWN,
            remedy=Outcome.CUTS_AGAIN,
        ),
        TableLaw(
            number="2",
            source="euchre, law 7",
            when=Occasion.JOKER_CUT,
            remedy=Outcome.CUTS_AGAIN,
        ),
        TableLaw(
            number="2",
            source="euchre, laws 6 and 7",
            when=Occasion.EQUAL_CARDS,
            remedy=Outcome.CUT_AGAIN,
        ),
        # From one table to another.
        TableLaw(
            number="3",
            source="bridge, right of entry",
            when=Occasion.CUT_IN_ELSEWHERE,
            provided=(Circumstance.FORMS_FRESH_TABLE,),
            remedy=Outcome.RIGHT_KEPT,
        ),
        TableLaw(
            number="3",
            source="bridge, right of entry",
            when=Occasion.CUT_IN_ELSEWHERE,
            unless=(Circumstance.FORMS_FRESH_TABLE,),
            remedy=Outcome.RIGHT_LOST,
        ),
        TableLaw(
            number="3",
            source="bridge, right of entry, by sense",
            when=Occasion.RETURN_WAITED_FOR,
            remedy=Outcome.GIVES_WAY_FIRST,
        ),
        # Who plays for another.
        TableLaw(
            number="4",
            source="bridge, right of entry",
            when=Occasion.SUBSTITUTE_NAMED,
            provided=(Circumstance.RUBBER_UNDER_WAY, Circumstance.OTHERS_CONSENT),
            remedy=Outcome.PLAYS_FOR_HIM,
        ),
        TableLaw(
            number="4",
            source="bridge, right of entry",
            when=Occasion.SUBSTITUTE_NAMED,
            unless=(Circumstance.RUBBER_UNDER_WAY,),
            remedy=Outcome.REFUSED,
        ),
        TableLaw(
            number="4",
            source="bridge, right of entry",
            when=Occasion.SUBSTITUTE_NAMED,
            unless=(Circumstance.OTHERS_CONSENT,),
            remedy=Outcome.REFUSED,
        ),
        TableLaw(
            number="4",
            source="bridge, right of entry",
            when=Occasion.SUBSTITUTED_RUBBER_OVER,
            remedy=Outcome.PLAYS_NO_MORE,
        ),
        # A table that breaks up.
        TableLaw(
            number="5",
            source="bridge, right of entry",
            when=Occasion.TABLE_BROKEN_UP,
            remedy=Outcome.PRIOR_RIGHTS,
        ),
    ),
)
