"""The rights to claim that a ruling opened: how long they last, who lets them go, and what a claim is answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller import rulings
from controller.judge_bench import CLAIM_OF, Bench
from controller.judge_refusals import refuse
from controller.judge_state import PHASE_OF, CutState, DealState, LapsedRight, Offence, OpenRight, Phase
from controller.laws.words import Condition, Fault, Window
from controller.rulings import Lapse
from controller.table import Seat, partner_of, side_of
from vision.cards import Card


def recheck(bench: Bench, why: Lapse) -> None:
    """Close the rights that a touch or a look has just ended."""
    for right in list(bench.deal.rights.values()):
        left = set(bench.entitled(right.law, right.offence))
        right.may = tuple(seat for seat in right.may if seat in left)
        if not right.may or bench.barred(right.law, right.offence):
            bench.close(right, why)


def pass_over(bench: Bench, trump: Card) -> None:
    """Close the rights that rest on the trump card alone, which was to be seen, where the law excepts it."""
    for right in list(bench.deal.rights.values()):
        if Condition.TRUMP_CARD in right.law.unless and set(right.cards) == {trump}:
            bench.deal.rights.pop(right.law)
            bench.say(rulings.OptionClosed, right.law, why="completed", policy=right.law.policy)


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
        elif right.law.when is Fault.CARD_EXPOSED and _outlives_deal(bench, right):
            deal.rights.pop(right.law)
        else:
            bench.close(right, "completed")


_SOON: Final = (Fault.TRUMP_TURNED_SOON, Fault.COMPLETED_SOON)


def _outlives_deal(bench: Bench, right: OpenRight) -> bool:
    """Let the right to claim for a card that was seen live on, where it did not have its time."""
    if not bench.find(replace(right.offence, fault=_SOON[0]), *_SOON[1:]):
        return False
    for open_right in bench.deal.rights.values():
        if open_right.law.when in _SOON:
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
    """Note that the reasonable time of a seat is over: its part in every right that lasts as long is."""
    deal = bench.deal
    deal.time_over.add(seat)
    for right in list(deal.rights.values()):
        if right.law.until is Window.TIME and seat in right.may:
            left = tuple(other for other in right.may if other not in deal.time_over)
            if left:
                right.may = left
            else:
                bench.close(right, "time")


def waive(bench: Bench, seat: Seat) -> None:
    """Let a seat give up its part in every open right; a code may let it decide for its partner."""
    other = partner_of(seat)
    if bench.deal.code.on(Fault.DECIDED_FOR_SIDE) and any(
        seat in right.may and other in right.may for right in bench.deal.rights.values()
    ):
        bench.find(Offence(fault=Fault.DECIDED_FOR_SIDE, by=seat))
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
    right = next((right for right in deal.rights.values() if seat in right.may and right.what == what), None)
    if right is not None:
        deal.rights.pop(right.law)
        bench.remedy(right.law, right.offence)
        return
    fault = _known_fault(deal, what)
    if fault is None or _gave_up(bench, seat, fault) or not bench.find(Offence(fault=fault, finder=seat, act=what)):
        demand = DEMANDS.get(what)
        if demand is None or not bench.find(Offence(fault=demand, by=seat, finder=seat, act=what)):
            _answer_without_right(bench, seat, what)


DEMANDS: Final = {
    "cut": Fault.FRESH_CUT_DEMANDED,
    "shuffle": Fault.RESHUFFLE_DEMANDED,
    "fresh_cut": Fault.FRESH_CUT_DEMANDED,
    "reshuffle": Fault.RESHUFFLE_DEMANDED,
}
"""What a claim, or an act asked for once the pack is cut, demands to have done again."""


def _gave_up(bench: Bench, seat: Seat, fault: Fault) -> bool:
    """Return whether a seat had its right on a fault and has it no more; no open right on it is this seat's now."""
    deal = bench.deal
    over = any(seat in lapsed.may for lapsed in deal.lapsed.values() if lapsed.fault is fault)
    on_fault = (right for right in deal.rights.values() if right.law.when is fault)
    return over or any(seat in bench.party(right.law, right.offence) for right in on_fault)


_CALLED: Final = {Fault.WRONG_PACK: "stop", Fault.OUT_OF_TURN: "stop", Fault.CUT_OMITTED: "misdeal"}
"""What a claim on these faults is called, besides what the code gives for them."""


def _known_fault(deal: DealState, what: str) -> Fault | None:
    """Return the fault that a claim draws attention to, where the record has it."""
    on_record = {
        Fault.WRONG_PACK: deal.wrong_pack,
        Fault.OUT_OF_TURN: deal.dealer is not deal.rightful,
        Fault.CUT_OMITTED: deal.cut_not_proper(),
    }
    for fault, word in _CALLED.items():
        if on_record[fault] and what in (word, *(CLAIM_OF.get(law.remedy) for law in deal.code.on(fault))):
            return fault
    return None


def _answer_without_right(bench: Bench, seat: Seat, what: str) -> None:
    deal = bench.deal
    ordered = {"reshuffle": deal.shuffle_ordered, "fresh_cut": deal.cut is CutState.BAD and not deal.dealt}
    if ordered.get(what):
        return  # and whoever asks for it asks for no more than is due
    offence = Offence(fault=Fault.BASELESS_CLAIM, by=seat, finder=seat, act=what)
    if any(seat in right.may for right in deal.rights.values()):
        refuse(bench, replace(offence, fault=Fault.WRONG_CLAIM), seat, Fault.BASELESS_CLAIM)
        return
    for lapsed in deal.lapsed.values():
        if seat in lapsed.may and lapsed.what == what:
            if not _just_closed(bench, lapsed):
                bench.say(rulings.OptionClosed, lapsed.law, why=lapsed.why, policy=lapsed.policy)
            return
    if right := next((right for right in deal.rights.values() if right.what == what), None):
        _answer_with_anothers_right(bench, seat, right, offence)
        return
    if what == "misdeal":
        offence = replace(offence, fault=Fault.MISDEAL_CLAIMED)
    refuse(bench, offence, seat, Fault.BASELESS_CLAIM)


def _answer_with_anothers_right(bench: Bench, seat: Seat, right: OpenRight, offence: Offence) -> None:
    """Answer a claim on a right that is open to others: not to this seat, or not any more."""
    had_it = seat in bench.party(right.law, right.offence)
    if had_it and right.law.until is Window.TIME and seat in bench.deal.time_over:
        bench.say(rulings.OptionClosed, right.law, why="time", policy=right.law.policy)
        return
    bench.say(rulings.Refused, right.law, act=right.what)
    if partner_of(seat) in right.may and not had_it:
        bench.find(replace(offence, fault=Fault.CLAIMED_FOR_PARTNER))


def _just_closed(bench: Bench, lapsed: LapsedRight) -> bool:
    return any(isinstance(said, rulings.OptionClosed) and said.law == lapsed.citation for said in bench.said)


def consult(bench: Bench, seat: Seat) -> None:
    """Note that a seat and its partner consulted about the rights that are open to them."""
    side = set(side_of(seat))
    if any(not side.isdisjoint(right.may) for right in bench.deal.rights.values()):
        bench.find(Offence(fault=Fault.CONSULTED, by=seat))
