"""The rights to claim that a ruling opened: how long they last, who lets them go, and what a claim is answered."""

from __future__ import annotations

from controller import rulings
from controller.judge_bench import Bench
from controller.judge_state import PHASE_OF, DealState, LapsedRight, Offence, OpenRight, Phase
from controller.laws.vocabulary import Fault, Party, Window
from controller.rulings import Lapse
from controller.table import Seat, side_of


def recheck(bench: Bench, why: Lapse) -> None:
    """Close the rights that a touch or a look has just ended."""
    for right in list(bench.deal.rights.values()):
        if bench.barred(right.law, right.offence):
            bench.close(right, why)


def advance(bench: Bench, phase: Phase) -> None:
    """Let the deal come to a phase; rights that end there lapse, or live on for their reasonable time."""
    deal = bench.deal
    if phase <= deal.phase:
        return
    deal.phase = phase
    for right in list(deal.rights.values()):
        if right.law.until is None or phase < PHASE_OF[right.law.until]:
            continue
        if right.law.until is Window.TIME:
            bench.close(right, "time")
        elif right.law.when is Fault.CARD_EXPOSED and _outlives_trump(bench, right):
            deal.rights.pop(right.law)
        else:
            bench.close(right, "completed")


def _outlives_trump(bench: Bench, right: OpenRight) -> bool:
    if right.law.claimed_by is not Party.ADVERSARIES:
        return False
    seen = right.offence
    late = Offence(fault=Fault.TRUMP_TURNED_SOON, by=seen.by, card=seen.card, k=seen.k, t_us=seen.t_us)
    if not bench.find(late):
        return False
    for open_right in bench.deal.rights.values():
        if open_right.law.when is Fault.TRUMP_TURNED_SOON:
            open_right.cards.update(right.cards)
    return True


def watch_clock(bench: Bench, t_us: int) -> None:
    """Close the rights whose reasonable time has run out by the house's reckoning."""
    deal = bench.deal
    deal.now_us = t_us
    if deal.deadline_us is not None and t_us > deal.deadline_us:
        deal.deadline_us = None
        for right in list(deal.rights.values()):
            if right.law.until is Window.TIME:
                bench.close(right, "time", policy="grace_s")


def give_time(bench: Bench, seat: Seat) -> None:
    """Note that the reasonable time of a seat is over."""
    deal = bench.deal
    deal.time_over.add(seat)
    for right in list(deal.rights.values()):
        if right.law.until is Window.TIME and deal.time_over.issuperset(right.may):
            bench.close(right, "time")


def waive(bench: Bench, seat: Seat) -> None:
    """Let a seat give up its part in every open right."""
    for right in list(bench.deal.rights.values()):
        if seat in right.may:
            left = tuple(other for other in right.may if other is not seat)
            if left:
                right.may = left
            else:
                bench.close(right, "waived")


def claim(bench: Bench, seat: Seat, what: str) -> None:
    """Answer a claim: the remedy, a refusal, or the reason why the right is gone."""
    deal = bench.deal
    if deal.ended:
        return
    mine = [right for right in deal.rights.values() if seat in right.may]
    right = next((right for right in mine if right.what == what), None)
    if right is not None:
        deal.rights.pop(right.law)
        bench.remedy(right.law, right.offence)
    elif (fault := _known_fault(deal, what)) is not None:
        bench.find(Offence(fault=fault, finder=seat, act=what))
    elif mine:
        bench.find(Offence(fault=Fault.WRONG_CLAIM, by=seat, act=what))
    else:
        _answer_without_right(bench, seat, what)


def _known_fault(deal: DealState, what: str) -> Fault | None:
    if what == "stop" and deal.wrong_pack:
        return Fault.WRONG_PACK
    if what == "stop" and deal.dealer is not deal.rightful:
        return Fault.OUT_OF_TURN
    return Fault.CUT_OMITTED if what == "misdeal" and deal.cut_not_proper() else None


def _answer_without_right(bench: Bench, seat: Seat, what: str) -> None:
    for lapsed in bench.deal.lapsed.values():
        if seat in lapsed.may and lapsed.what == what:
            if not _just_closed(bench, lapsed):
                bench.say(rulings.OptionClosed, lapsed.law, why=lapsed.why, policy=lapsed.policy)
            return
    for right in bench.deal.rights.values():
        if right.what == what:
            bench.say(rulings.Refused, right.law, act=what)
            return
    bench.find(Offence(fault=Fault.BASELESS_CLAIM, by=seat, act=what))


def _just_closed(bench: Bench, lapsed: LapsedRight) -> bool:
    return any(isinstance(said, rulings.OptionClosed) and said.law == lapsed.citation for said in bench.said)


def consult(bench: Bench, seat: Seat) -> None:
    """Note that a seat and its partner consulted about the rights that are open to them."""
    side = side_of(seat)
    if any(not set(side).isdisjoint(right.may) for right in bench.deal.rights.values()):
        bench.find(Offence(fault=Fault.CONSULTED, by=seat))
