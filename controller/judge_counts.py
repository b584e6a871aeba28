"""What a count of a hand or an audit of the pack shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller import facts
from controller.judge_bench import Bench
from controller.judge_hearings import hears
from controller.judge_remedies import RANK_UNSETTLED
from controller.judge_state import DealState, Offence, Phase
from controller.laws.words import Fault
from controller.table import Seat
from vision.cards import Card

_ALSO: Final = {
    Fault.LONG_HAND: (Fault.TOO_MANY, Fault.WRONG_COUNT),
    Fault.TOO_MANY: (Fault.WRONG_COUNT,),
    Fault.SHORT_HAND: (Fault.WRONG_COUNT,),
    Fault.SHORT_HANDS: (Fault.WRONG_COUNT,),
}
"""What a finding also is, from the special to the general."""

_AS_DEALT: Final = "the hands not counted are taken as dealt: count them too before the cards are gathered"


@hears(facts.HandCounted)
def _hand_counted(bench: Bench, fact: facts.HandCounted) -> None:
    deal = bench.deal
    deal.counts[fact.seat] = fact.count
    deal.hands_counted.add(fact.seat)
    deal.excess_cause = fact.cause or deal.excess_cause
    weigh_hands(bench)


def weigh_as_dealt(bench: Bench) -> None:
    """Weigh the hands as they were dealt, where every card is: a code that let a stray card pass may not let these."""
    deal = bench.deal
    deal.dealt_wrong = deal.dealt == deal.pattern.given and any(
        count != deal.pattern.hand for count in deal.counts.values()
    )
    weigh_hands(bench)


def weigh_hands(bench: Bench) -> None:
    """Compare the hands with what is right, once the last card is dealt; say the same thing only once.

    More cards than the pack has prove it incorrect at any time.
    """
    deal = bench.deal
    if not (deal.hands_counted or deal.dealt_wrong):
        return
    dealing = deal.dealt < deal.pattern.given and deal.phase < Phase.DEALT
    if dealing and sum(deal.counts.values()) <= deal.pack:
        return
    finding = _finding(bench)
    if finding == deal.count_finding:
        return
    _unsettle(deal)
    deal.count_finding = finding
    if finding is not None:
        fault, seat, cause = finding
        rests_on_others = fault is Fault.PACK_BAD and len(deal.hands_counted) < len(deal.counts)
        bench.aside = _AS_DEALT if rests_on_others else ""
        bench.find(Offence(fault=fault, by=cause or deal.dealer, seat=seat), *_ALSO.get(fault, ()))
        bench.aside = ""


def _unsettle(deal: DealState) -> None:
    """Let a later count replace what rests on earlier counts alone."""
    standing, before = deal.standing, deal.count_finding
    if standing is None or before is None or deal.pack_proved_bad:
        return
    if standing.fault in (before[0], *_ALSO.get(before[0], ())):
        deal.standing = replace(standing, rank=RANK_UNSETTLED)


def _finding(bench: Bench) -> tuple[Fault, Seat | None, Seat | None] | None:
    deal = bench.deal
    right, hands = deal.pattern.hand, deal.counts
    short = [seat for seat, count in hands.items() if count < right]
    if sum(hands.values()) > deal.pack:
        # Where a long hand is enough for a new deal, the cards of hands that nobody counted are not asked.
        enough = len(deal.hands_counted) < len(hands) and bench.law_on(Offence(fault=Fault.TOO_MANY), Fault.TOO_MANY)
        return Fault.TOO_MANY if enough else Fault.PACK_BAD, None, None
    if max(hands.values()) > right:
        return Fault.LONG_HAND if short else Fault.TOO_MANY, None, deal.excess_cause
    if len(short) == 1:
        return Fault.SHORT_HAND, short[0], None
    return (Fault.SHORT_HANDS, None, None) if short else None


def weigh_card(bench: Bench, card: Card) -> None:
    """Take a card that no pack of the deal holds, once it has come to light, for the proof that this one is not right.

    Which card lies there cannot be told from a slip of the pen; whoever sees the ruling sees the card that it rests on.
    """
    deal = bench.deal
    if card in deal.cards or deal.pack_proved_bad or deal.ended:
        return
    deal.pack_proved_bad = deal.card_too_many = True
    bench.aside = f"the {card.name} is no card of this pack"
    bench.find(Offence(fault=Fault.PACK_BAD, card=card))
    bench.aside = ""


@hears(facts.CardDamaged)
def _card_damaged(bench: Bench, fact: facts.CardDamaged) -> None:
    weigh_card(bench, fact.card)


@hears(facts.PackProved)
def _pack_proved(bench: Bench, fact: facts.PackProved) -> None:
    if fact.state != "perfect":
        bench.deal.pack_proved_bad = True
        # A card that is there twice in a pack of the right size stands for one that is missing.
        over = fact.duplicate if fact.state == "incorrect" else ()
        bench.deal.card_too_many = not fact.missing and bool(fact.foreign or over)
        lacks = fact.state == "imperfect" or bool(fact.missing)
        bench.deal.pack_only_lacks = lacks and not (fact.foreign or fact.duplicate)
        bench.find(Offence(fault=Fault.PACK_BAD))
