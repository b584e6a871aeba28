"""What a claim without a right is answered: by which clause it is refused, and why it is no right here."""

from __future__ import annotations

from typing import Any

from controller import rulings
from controller.judge_bench import CLAIM_OF, Bench
from controller.judge_conditions import ENTITLED, EXPOSURES, HOLDS
from controller.judge_state import PHASE_OF, Offence
from controller.laws.vocabulary import Law
from controller.laws.words import Fault
from controller.table import Seat


def refuse(bench: Bench, offence: Offence, seat: Seat, *general: Fault) -> None:
    """Refuse a seat's claim: by the code's clause on claims that are not due, else by that which gives such a right.

    The ruling says why what happened gives this seat no such right, where something did happen.
    """
    bench.aside = _why_none(bench, seat, offence.act)
    if not bench.find(offence, *general):
        law, gives = _clause_on(bench, seat, offence.act)
        none = f"No clause of {bench.deal.code.spoken} gives a player such a claim."
        because: dict[str, Any] = {} if gives else {"because": none}
        bench.say(rulings.Refused, law, act=offence.act, **because)
    bench.aside = ""


def _clause_on(bench: Bench, seat: Seat, what: str) -> tuple[Law, bool]:
    """Return the clause that gives what is claimed, to this seat if one does, and whether there is one at all.

    Of several that on an exposed card comes first: it is what a new deal is claimed for as a rule.
    """
    in_force = [law for law in bench.deal.code.laws if law.setting is None]
    claimed = [law for law in in_force if law.claimed_by is not None]
    such = [law for law in (*claimed, *in_force) if CLAIM_OF.get(law.remedy) == what]
    such.sort(key=lambda law: law.when not in EXPOSURES)
    own = [law for law in such if seat in bench.party(law, Offence(fault=law.when))]
    return next(iter((*own, *such, *claimed, *in_force))), bool(such)


def _why_none(bench: Bench, seat: Seat, what: str) -> str:
    """Return why what happened gives a seat no such right; empty where nothing happened that might have given it."""
    for fault, offence in bench.deal.past.items():
        for law in bench.laws_on(fault):
            if CLAIM_OF.get(law.remedy) != what or seat not in bench.party(law, offence):
                continue
            if all(HOLDS[held](bench.deal, offence) for held in law.provided) and (why := _bar(bench, law, seat)):
                return f"{law.citation.replace('_', ' ')} gives no right to it: {why}"
    return ""


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
