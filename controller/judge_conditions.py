"""What each condition of a law means, asked of a deal and an offence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.judge_state import DealState, Offence, Phase
from controller.laws.words import Claimant, Condition, Fault
from controller.table import Seat, partner_of

Predicate = Callable[[DealState, Offence], bool]

EXPOSURES: Final = frozenset(
    {Fault.CARD_EXPOSED, Fault.EXPOSED_WITH_TRUMP, Fault.TRUMP_TURNED_SOON, Fault.COMPLETED_SOON}
)
"""The faults for which a right is one to claim for a card that was seen."""


def _one_card_cures(_: DealState, offence: Offence) -> bool:
    return offence.moves == 1


def _last_card(deal: DealState, offence: Offence) -> bool:
    return offence.k == deal.pattern.given


def _trump_card(deal: DealState, offence: Offence) -> bool:
    """By its place in the pack, or by its name once the trump is turned."""
    return offence.k == deal.pattern.trump or (offence.card is not None and offence.card == deal.trump)


def _in_stock(deal: DealState, offence: Offence) -> bool:
    return offence.k > deal.pattern.leave_pack


def _only_two(_: DealState, offence: Offence) -> bool:
    return offence.count == 2


def _last_face_down(deal: DealState, _: Offence) -> bool:
    return deal.last_face_down


def _pack_imperfect(deal: DealState, _: Offence) -> bool:
    return deal.pack_proved_bad


def _two_left(deal: DealState, _: Offence) -> bool:
    return deal.pattern.given - deal.dealt >= 2


def _by_machine(_: DealState, offence: Offence) -> bool:
    return offence.by == "machine"


def _by_nobody_known(_: DealState, offence: Offence) -> bool:
    return offence.by is None


def _by_dealing_side(deal: DealState, offence: Offence) -> bool:
    as_dealer = offence.by == "machine" and deal.house.machine_fault == "as_dealer"
    return as_dealer or offence.by in deal.dealing_side


def _by_adversary(deal: DealState, offence: Offence) -> bool:
    return offence.by in deal.adversaries


def _on_or_below_table(_: DealState, offence: Offence) -> bool:
    return offence.where != "above"


def _adversaries_touched(deal: DealState, _: Offence) -> bool:
    return deal.bars(deal.adversaries, deal.dealing_side)


def _partner_touched(deal: DealState, _: Offence) -> bool:
    return deal.bars((partner_of(deal.dealer),), deal.adversaries)


def _adversary_touched_first(deal: DealState, _: Offence) -> bool:
    return deal.adversary_touched_first()


def _adversary_lifted(deal: DealState, _: Offence) -> bool:
    said = not deal.looked.isdisjoint(deal.adversaries)
    return not said and not deal.lifted.isdisjoint(deal.adversaries)


def _adversary_looked(deal: DealState, _: Offence) -> bool:
    return not deal.has_looked().isdisjoint(deal.adversaries)


def _claimant_looked(deal: DealState, offence: Offence) -> bool:
    return offence.finder in deal.has_looked()


def _claimant_lifted(deal: DealState, offence: Offence) -> bool:
    return offence.finder in deal.lifted - deal.looked


def _has_played(deal: DealState, offence: Offence) -> bool:
    return deal.phase >= Phase.TRICK_QUITTED or offence.seat in deal.played


def _wrong_hand_called(deal: DealState, _: Offence) -> bool:
    return any(deal.counts[seat] != deal.pattern.hand for seat in deal.callers)


def _is_dealers_dummy(deal: DealState, offence: Offence) -> bool:
    return offence.seat is partner_of(deal.dealer)


def _is_declarers_dummy(deal: DealState, offence: Offence) -> bool:
    return deal.declarer is not None and offence.seat is partner_of(deal.declarer)


def _interrupted(deal: DealState, _: Offence) -> bool:
    return deal.interrupted


def _interrupted_in_vain(deal: DealState, _: Offence) -> bool:
    return deal.interrupted_in_vain


def _dealt_for_partner(deal: DealState, _: Offence) -> bool:
    return deal.dealer is partner_of(deal.rightful)


def _misdealt_before(deal: DealState, _: Offence) -> bool:
    return deal.misdealt_before


def _card_too_many(deal: DealState, _: Offence) -> bool:
    return deal.card_too_many


def _short_hand_stands(deal: DealState, _: Offence) -> bool:
    standing = deal.standing
    stands = standing is not None and standing.fault is Fault.SHORT_HAND and not standing.ends
    return stands and deal.pack_only_lacks


def _for_exposure(deal: DealState, offence: Offence) -> bool:
    return offence.act == "new_deal" and not deal.past.keys().isdisjoint(EXPOSURES)


def _over_exposure(deal: DealState, _: Offence) -> bool:
    return any(right.law.when in EXPOSURES for right in deal.rights.values())


def _time_left(deal: DealState, offence: Offence) -> bool:
    """Without a clock, only a card of the last round is taken not to have had its time."""
    if deal.time_over.issuperset(deal.adversaries):
        return False
    if offence.t_us is not None and deal.now_us is not None:
        return deal.now_us - offence.t_us <= deal.house.grace_us
    return offence.k > deal.pattern.given - len(deal.counts)


HOLDS: Final[dict[Condition, Predicate]] = {
    Condition.ONE_CARD_CURES: _one_card_cures,
    Condition.ONLY_TWO: _only_two,
    Condition.LAST_CARD: _last_card,
    Condition.TRUMP_CARD: _trump_card,
    Condition.IN_STOCK: _in_stock,
    Condition.LAST_FACE_DOWN: _last_face_down,
    Condition.PACK_IMPERFECT: _pack_imperfect,
    Condition.TWO_LEFT: _two_left,
    Condition.BY_MACHINE: _by_machine,
    Condition.BY_NOBODY_KNOWN: _by_nobody_known,
    Condition.BY_DEALING_SIDE: _by_dealing_side,
    Condition.BY_ADVERSARY: _by_adversary,
    Condition.ON_OR_BELOW_TABLE: _on_or_below_table,
    Condition.ADVERSARIES_TOUCHED: _adversaries_touched,
    Condition.PARTNER_TOUCHED: _partner_touched,
    Condition.ADVERSARY_TOUCHED_FIRST: _adversary_touched_first,
    Condition.ADVERSARY_LIFTED: _adversary_lifted,
    Condition.ADVERSARY_LOOKED: _adversary_looked,
    Condition.CLAIMANT_LOOKED: _claimant_looked,
    Condition.CLAIMANT_LIFTED: _claimant_lifted,
    Condition.HAS_PLAYED: _has_played,
    Condition.WRONG_HAND_CALLED: _wrong_hand_called,
    Condition.IS_DEALERS_DUMMY: _is_dealers_dummy,
    Condition.IS_DECLARERS_DUMMY: _is_declarers_dummy,
    Condition.INTERRUPTED: _interrupted,
    Condition.INTERRUPTED_IN_VAIN: _interrupted_in_vain,
    Condition.DEALT_FOR_PARTNER: _dealt_for_partner,
    Condition.MISDEALT_BEFORE: _misdealt_before,
    Condition.CARD_TOO_MANY: _card_too_many,
    Condition.SHORT_HAND_STANDS: _short_hand_stands,
    Condition.FOR_EXPOSURE: _for_exposure,
    Condition.OVER_EXPOSURE: _over_exposure,
    Condition.TIME_LEFT: _time_left,
}
"""The predicate of every condition."""


def _not_looked(deal: DealState, seat: Seat) -> bool:
    return seat not in deal.has_looked()


def _partner_not_looked(deal: DealState, seat: Seat) -> bool:
    return partner_of(seat) not in deal.has_looked()


ENTITLED: Final[dict[Claimant, Callable[[DealState, Seat], bool]]] = {
    Claimant.NOT_LOOKED: _not_looked,
    Claimant.PARTNER_NOT_LOOKED: _partner_not_looked,
}
"""What is asked of each player who is to claim."""
