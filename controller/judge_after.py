"""What people find, claim, waive and decide, and how the play goes on."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from controller import facts
from controller.facts import Fact
from controller.judge_bench import Bench
from controller.judge_counts import weigh_hands
from controller.judge_dealing import needs_a_card, put_right
from controller.judge_hearings import Hearing, hears
from controller.judge_rights import advance, claim, consult, give_time, waive
from controller.judge_state import Agent, DealState, Offence, Phase
from controller.laws.vocabulary import Code
from controller.laws.words import Fault, Party, Window
from controller.rulings import Refused
from controller.table import Seat, left_of


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
        case "attribution" if (by := fact.seat or fact.value) == "machine" or by in tuple(Seat):
            _attribute(bench, "machine" if by == "machine" else Seat(by))
        case "time" if fact.seat is not None:
            give_time(bench, fact.seat)
        case "cure" if fact.value is True and deal.hold is not None:
            deal.hold = None
            put_right(bench)
        case "cure" if fact.value is False:
            bench.miss_cure()


def _attribute(bench: Bench, by: Agent) -> None:
    """Take an exposure, or a card too many in a hand, to be the act that the director says it was."""
    deal = bench.deal
    if deal.unattributed is not None:
        seen, deal.unattributed = deal.unattributed, None
        for law in [law for law, right in deal.rights.items() if right.offence == seen]:
            deal.rights.pop(law)
        bench.find(replace(seen, by=by))
    elif isinstance(by, Seat) and deal.hands_counted:
        deal.excess_cause = by
        weigh_hands(bench)


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
    if fact.seat in bench.deal.adversaries:
        bench.find(Offence(fault=Fault.ADVERSARY_DECLARED, by=fact.seat, seat=fact.seat))


@hears(facts.Called, check=needs_a_card)
def _called(bench: Bench, fact: facts.Called) -> None:
    deal = bench.deal
    if deal.phase < Phase.DEALT and not _opens_the_auction(deal.code):
        bench.find(Offence(fault=Fault.CALL_OUT_OF_TURN, by=fact.seat, act=fact.what))
        return
    deal.callers.add(fact.seat)
    _call_made(bench, fact)
    if fact.correcting:
        bench.find(Offence(fault=Fault.CALL_CORRECTED, by=fact.seat, seat=fact.seat, act=fact.what))
        return
    _pass_over_the_barred(deal, fact.seat)
    faults = _faults_in_call(deal, fact)
    if faults:
        bench.find(Offence(fault=faults[0], by=fact.seat, seat=fact.seat, act=fact.what), *faults[1:])
        if any(isinstance(said, Refused) for said in bench.said):
            return
    deal.calls += 1
    _pass_the_turn_on(deal, fact)
    if (bar := deal.bar_on(fact.seat, fact.what)) is not None:
        bench.say(Refused, bar, act=fact.what)


def _pass_over_the_barred(deal: DealState, seat: Seat) -> None:
    """Let the turn come to a seat over those who have lost the privilege and say nothing."""
    turn = _to_call(deal)
    while turn is not seat and (turn, "privilege") in deal.barred:
        turn = left_of(turn)
    if turn is seat:
        deal.to_call = turn


_PASSES: Final = frozenset({"pass", "no", "no_bid"})
_DOUBLES: Final = frozenset({"double", "redouble", "x", "xx"})
_MOST_TRICKS: Final = 7
"""Of thirteen tricks six make the book, so that no more than seven can be bid."""


def _faults_in_call(deal: DealState, fact: facts.Called) -> list[Fault]:
    """Name what is wrong with a call, from the special to the general."""
    what = fact.what.lower()
    level = re.match(r"\d+", what)
    faults = []
    if fact.seat is not _to_call(deal):
        if what in _DOUBLES:
            faults.append(Fault.DOUBLE_OUT_OF_TURN)
        elif level:
            faults.append(Fault.BID_OUT_OF_TURN)
        faults.append(Fault.CALL_OUT_OF_TURN)
    if level and not 1 <= int(level[0]) <= _MOST_TRICKS:
        faults.append(Fault.BID_IMPOSSIBLE)
    return faults


def _to_call(deal: DealState) -> Seat:
    """Return whose turn it is to call."""
    return deal.to_call or (deal.dealer if deal.code.calls_first is Party.DEALER else left_of(deal.dealer))


def _pass_the_turn_on(deal: DealState, fact: facts.Called) -> None:
    """Let the next player call; a pass out of turn does not move the turn, and counts when the turn comes to it."""
    turn = _to_call(deal)
    if fact.seat is not turn and fact.what.lower() in _PASSES:
        deal.passed_early.add(fact.seat)
        deal.to_call = turn
        return
    deal.to_call = left_of(fact.seat)
    while deal.to_call in deal.passed_early:
        deal.passed_early.discard(deal.to_call)
        deal.to_call = left_of(deal.to_call)


def _opens_the_auction(code: Code) -> bool:
    """Return whether a call ends rights though the deal is not completed; where it does not, it changes nothing."""
    return any(law.until is Window.FIRST_CALL for law in code.laws)


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
