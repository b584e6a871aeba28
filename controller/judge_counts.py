"""What a count of a hand or an audit of the pack shows."""

from __future__ import annotations

from dataclasses import replace

from controller import facts
from controller.judge_bench import RANK_UNSETTLED, Bench
from controller.judge_hearings import hears
from controller.judge_state import DealState, Offence, Phase
from controller.laws.vocabulary import Fault
from controller.table import Seat


@hears(facts.HandCounted)
def _hand_counted(bench: Bench, fact: facts.HandCounted) -> None:
    deal = bench.deal
    deal.counts[fact.seat] = fact.count
    deal.hands_counted = True
    deal.excess_cause = fact.cause or deal.excess_cause
    weigh_hands(bench)


def weigh_hands(bench: Bench) -> None:
    """Compare the hands with what is right, once the last card is dealt; say the same thing only once."""
    deal = bench.deal
    if not deal.hands_counted or (deal.dealt < len(deal.order) and deal.phase < Phase.DEALT):
        return
    finding = _finding(deal)
    if finding == deal.count_finding:
        return
    _unsettle(deal)
    deal.count_finding = finding
    if finding is not None:
        fault, seat, cause = finding
        bench.find(Offence(fault=fault, by=cause or deal.dealer, seat=seat))


def _unsettle(deal: DealState) -> None:
    """Let a later count replace what rests on earlier counts alone."""
    standing, before = deal.standing, deal.count_finding
    if standing is not None and before is not None and before[0] is standing.fault and not deal.pack_proved_bad:
        deal.standing = replace(standing, rank=RANK_UNSETTLED)


def _finding(deal: DealState) -> tuple[Fault, Seat | None, Seat | None] | None:
    right, hands = deal.code.pattern.hand, deal.counts
    short = [seat for seat, count in hands.items() if count < right]
    if sum(hands.values()) > deal.pack:
        return Fault.PACK_BAD, None, None
    if short and max(hands.values()) > right:
        return Fault.LONG_HAND, None, deal.excess_cause
    if len(short) == 1:
        return Fault.SHORT_HAND, short[0], None
    return (Fault.SHORT_HANDS, None, None) if short else None


@hears(facts.PackProved)
def _pack_proved(bench: Bench, fact: facts.PackProved) -> None:
    if fact.state != "perfect":
        bench.deal.pack_proved_bad = True
        bench.find(Offence(fault=Fault.PACK_BAD))
