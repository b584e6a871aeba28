"""What a claim without a right is answered: by which clause it is refused, and why it is no right here."""

from __future__ import annotations

from controller import rulings
from controller.judge_bench import CLAIM_OF, Bench
from controller.judge_conditions import ENTITLED, EXPOSURES, HOLDS
from controller.judge_state import PHASE_OF, Offence
from controller.laws.vocabulary import Law
from controller.laws.words import Fault
from controller.table import Seat, side_of


def refuse(bench: Bench, offence: Offence, seat: Seat, *general: Fault) -> None:
    """Refuse a seat's claim: by the code's clause on claims that are not due, else by what there is of such a right.

    The ruling says why what happened gives this seat no such right, where something did happen. Where the code has
    nothing that bears on the claim, it is the code as a whole that is cited.
    """
    law, why = _past_right(bench, seat, offence.act)
    if law is not None:
        bench.aside = f"{law.citation.replace('_', ' ')} gives no right to it: {why}"
    if not bench.find(offence, *general):
        if law is None:
            law, bench.aside = _bearing_on(bench, seat, offence.act)
        if law is not None:
            bench.say(rulings.Refused, law, act=offence.act)
        else:
            _refuse_by_code(bench, offence.act)
    bench.aside = ""


def _refuse_by_code(bench: Bench, what: str) -> None:
    code = bench.deal.code
    none = f"No clause of {code.spoken} gives a player such a claim."
    bench.said.append(rulings.Refused(law=code.name, on=bench.line, because=none, act=what))


def _bearing_on(bench: Bench, seat: Seat, what: str) -> tuple[Law | None, str]:
    """Return the clause that a claim, to which nothing gave rise, is measured by, and what to say of it; or none.

    It is the one by which the other side is barred already, else the one that gives such a claim, to this seat if one
    does; else what is open at the moment, an error that may still be put right or a right to something else; else the
    heading of what is claimed.
    """
    deal = bench.deal
    for (barred, _), by in deal.barred.items():
        if what == "bar" and barred not in side_of(seat):
            return by, "the other side is barred already"
    if (law := _gives(bench, seat, what)) is not None:
        return law, ""
    if deal.hold is not None:
        return deal.hold.law, ""
    if deal.rights:
        return next(iter(deal.rights)), "this is what may be claimed now, and no clause gives what was claimed"
    headings = (law for law in bench.laws_on(Fault.MISDEAL) if what == "misdeal" and not law.provided)
    return next(headings, None), "the facts show none"


def _gives(bench: Bench, seat: Seat, what: str) -> Law | None:
    """Return the clause that gives a claim.

    Of several that on an exposed card comes first, also where the claim is not needed: it is what a new deal is
    claimed for as a rule.
    """
    such = [
        law
        for law in bench.deal.code.laws
        if law.setting is None
        and CLAIM_OF.get(law.remedy) == what
        and (law.claimed_by is not None or law.when in EXPOSURES)
    ]
    own = [law for law in such if seat in bench.party(law, Offence(fault=law.when))]
    return min((*own, *such), key=lambda law: law.when not in EXPOSURES, default=None)


def _past_right(bench: Bench, seat: Seat, what: str) -> tuple[Law | None, str]:
    """Return the clause by which what happened might have given a seat a right, and why it gives none; or none."""
    for fault, offence in bench.deal.past.items():
        for law in bench.laws_on(fault):
            if CLAIM_OF.get(law.remedy) != what or not all(HOLDS[held](bench.deal, offence) for held in law.provided):
                continue
            why = _bar(bench, law, seat)
            if law.claimed_by is None:
                return law, why or "it is no claim, and follows by itself"
            if why and seat in bench.party(law, offence):
                return law, why
    return None, ""


def _bar(bench: Bench, law: Law, seat: Seat) -> str:
    """Return what stands against a right, or that it is over; empty where nothing does."""
    deal = bench.deal
    bars = [bar.value for bar in law.unless if HOLDS[bar](deal, deal.past[law.when])]
    lacks = [asked.value for asked in law.claimants if not ENTITLED[asked](deal, seat)]
    if bars:
        return " and ".join(bars)
    if lacks:
        return f"it is given to a player {' and '.join(lacks)}"
    return f"it lasts until {law.until.value}" if law.until and deal.phase >= PHASE_OF[law.until] else ""
