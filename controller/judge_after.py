"""What people find, claim, waive and decide, and how the play goes on."""

from __future__ import annotations

from dataclasses import replace

from controller import facts
from controller.facts import Fact
from controller.judge_bench import Bench
from controller.judge_counts import weigh_hands
from controller.judge_dealing import needs_a_card, put_right
from controller.judge_hearings import Hearing, hears
from controller.judge_rights import advance, claim, consult, give_time, waive
from controller.judge_state import Offence, Phase
from controller.laws.words import Fault
from controller.table import Seat, left_of, rotation


@hears(facts.Found)
def _found(bench: Bench, fact: facts.Found) -> None:
    match fact.what:
        case "out_of_turn":
            bench.find(Offence(fault=Fault.OUT_OF_TURN, finder=fact.by, act="stop"))
        case "wrong_pack":
            bench.find(Offence(fault=Fault.WRONG_PACK, finder=fact.by, act="stop"))
        case "cut_omitted":
            bench.deal.cut_omitted = True
            bench.find(Offence(fault=Fault.CUT_OMITTED, finder=fact.by, act="misdeal"))
        case "missed_trick" if isinstance(fact.seat, Seat):
            bench.find(Offence(fault=Fault.TRICK_MISSED, by=fact.seat, seat=fact.seat))
        case "bad_pack" if fact.by == "director":
            bench.find(Offence(fault=Fault.PACK_BAD))


@hears(facts.Claimed)
def _claimed(bench: Bench, fact: facts.Claimed) -> None:
    if fact.what == "stand":
        waive(bench, fact.by)
    else:
        claim(bench, fact.by, fact.what)


@hears(facts.Waived)
def _waived(bench: Bench, fact: facts.Waived) -> None:
    waive(bench, fact.by)


@hears(facts.Consulted)
def _consulted(bench: Bench, fact: facts.Consulted) -> None:
    consult(bench, Seat(fact.side[0]))


@hears(facts.TimeGiven)
def _time_given(bench: Bench, fact: facts.TimeGiven) -> None:
    give_time(bench, fact.to)


@hears(facts.Director)
def _director(bench: Bench, fact: facts.Director) -> None:
    deal = bench.deal
    match fact.decides:
        case "attribution" if deal.unattributed is not None:
            by = fact.seat or fact.value
            if by == "machine" or by in tuple(Seat):
                seen, deal.unattributed = deal.unattributed, None
                bench.find(replace(seen, by="machine" if by == "machine" else Seat(by)))
        case "time" if fact.seat is not None:
            give_time(bench, fact.seat)
        case "cure" if fact.value is True and deal.hold is not None:
            deal.hold = None
            put_right(bench)
        case "cure" if fact.value is False:
            bench.miss_cure()


def _goes_to(phase: Phase) -> Hearing:
    def hearing(bench: Bench, fact: Fact) -> None:
        bench.miss_cure()
        advance(bench, phase)
        weigh_hands(bench)

    return hearing


_dealt = _goes_to(Phase.DEALT)
_call_made = _goes_to(Phase.CALLED)
_declared = _goes_to(Phase.DECLARED)
_played = _goes_to(Phase.PLAY)


@hears(facts.Declared, check=needs_a_card)
def _trump_named(bench: Bench, fact: facts.Declared) -> None:
    bench.deal.declarer = fact.seat
    _declared(bench, fact)


@hears(facts.Called, check=needs_a_card)
def _called(bench: Bench, fact: facts.Called) -> None:
    deal = bench.deal
    deal.callers.add(fact.seat)
    _call_made(bench, fact)
    if fact.correcting:
        bench.find(Offence(fault=Fault.CALL_CORRECTED, by=fact.seat, seat=fact.seat, act=fact.what))
        return
    turn = rotation(left_of(deal.dealer))[deal.calls % 4]
    if fact.seat is turn or not bench.find(Offence(fault=Fault.CALL_OUT_OF_TURN, by=fact.seat, act=fact.what)):
        deal.calls += 1


@hears(facts.Remarked)
def _remarked(bench: Bench, fact: facts.Remarked) -> None:
    bench.find(Offence(fault=Fault.BRIDGE_NAMED, by=fact.by))


def _card_played(bench: Bench, fact: facts.Led | facts.Played) -> None:
    _played(bench, fact)
    bench.deal.played.add(fact.seat)


@hears(facts.Quitted, check=needs_a_card)
def _quitted(bench: Bench, fact: facts.Quitted) -> None:
    last = fact.trick >= bench.deal.pattern.hand
    _goes_to(Phase.PLAY_ENDED if last else Phase.TRICK_QUITTED)(bench, fact)


for _kind, _hearing in {
    facts.DealCompleted: _dealt,
    facts.Led: _card_played,
    facts.Played: _card_played,
    facts.HandEnded: _goes_to(Phase.HAND_ENDED),
    facts.NextDealt: _goes_to(Phase.NEXT_DEALT),
}.items():
    hears(_kind, check=needs_a_card)(_hearing)
