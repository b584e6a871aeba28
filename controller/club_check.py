"""What is wrong with a club's laws that read well: one that can never apply, a right without end, a pack too small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from controller.house import values_of
from controller.judge_bench import CLAIM_OF, LATE_CURE, UNTIL
from controller.judge_remedies import ANSWERS, WHY_LOST
from controller.judge_state import PHASE_OF, Phase
from controller.law_force import covers
from controller.laws.vocabulary import Code, Law
from controller.laws.words import Completion, Condition, Fault, Party, Remedy, Window

Complaint = tuple[str, str]
"""The field at fault and what is wrong with it."""

_COSTS: Final = (Remedy.DEAL_LOST, Remedy.LOST_FOR_PARTNER, Remedy.DEALT_AGAIN, Remedy.MAY_DEAL_AGAIN)
"""What a misdeal may cost."""

_SPANS: Final[dict[Fault, tuple[Phase, Phase]]] = {
    Fault.NEW_PACKS_ASKED_LATE: (Phase.CUT, Phase.NEXT_DEALT),
    **dict.fromkeys(
        (Fault.CUT_SHORT, Fault.CUT_EXPOSED, Fault.CUT_CONFUSED, Fault.CUT_DOUBTFUL, Fault.SHUFFLED_AFTER_CUT),
        (Phase.SHUFFLE, Phase.DEALING),
    ),
    **dict.fromkeys(
        (Fault.UNCUT_DEALT, Fault.COUNT_MADE, Fault.CARDS_COUNTED, Fault.TRUMP_LOOKED_AT, Fault.DEALER_LOOKED),
        (Phase.DEALING, Phase.DEALING),
    ),
    **dict.fromkeys(
        (*LATE_CURE, *LATE_CURE.values(), Fault.UNEQUAL_PACKETS, Fault.LAST_CARD_ASTRAY, Fault.LAST_CARD_FACE_DOWN),
        (Phase.DEALING, Phase.NEXT_DEALT),
    ),
    **dict.fromkeys(
        (Fault.TRUMP_EARLY, Fault.TOO_MANY, Fault.WRONG_COUNT, Fault.SHORT_HAND, Fault.SHORT_HANDS, Fault.HAND_TAKEN),
        (Phase.DEALING, Phase.NEXT_DEALT),
    ),
    **dict.fromkeys((Fault.TRUMP_TURNED_SOON, Fault.COMPLETED_SOON), (Phase.DEALT, Phase.NEXT_DEALT)),
    Fault.CALL_OUT_OF_TURN: (Phase.DEALING, Phase.NEXT_DEALT),
    **dict.fromkeys(
        (Fault.CALL_CORRECTED, Fault.BID_OUT_OF_TURN, Fault.DOUBLE_OUT_OF_TURN, Fault.BID_IMPOSSIBLE),
        (Phase.CALLED, Phase.NEXT_DEALT),
    ),
    Fault.ADVERSARY_DECLARED: (Phase.DECLARED, Phase.NEXT_DEALT),
    Fault.TRICK_MISSED: (Phase.PLAY, Phase.NEXT_DEALT),
    **dict.fromkeys((Fault.SHUFFLED_IN_PLAY, Fault.PLACED_PACK_SHUFFLED), (Phase.PLAY, Phase.TRICK_QUITTED)),
    Fault.CARD_EXPOSED: (Phase.CUT, Phase.DEALING),
    Fault.EXPOSED_WITH_TRUMP: (Phase.DEALT, Phase.DEALT),
    Fault.EXPOSED_AFTER_DEAL: (Phase.DEALT, Phase.DECLARED),
}
"""The first and the last phase in which a fault can happen, where not every one will do."""

_OF_THE_TRUMP: Final = (
    Fault.TRUMP_EARLY,
    Fault.LAST_CARD_FACE_DOWN,
    Fault.TRUMP_TURNED_SOON,
    Fault.TRUMP_LOOKED_AT,
    Fault.EXPOSED_WITH_TRUMP,
)
"""Faults that need a card that is turned up."""

_OF_A_BID: Final = (
    Fault.BID_OUT_OF_TURN,
    Fault.BID_IMPOSSIBLE,
    Fault.DOUBLE_OUT_OF_TURN,
    Fault.ADVERSARY_DECLARED,
    Remedy.BIDDING_LOST,
)
"""What needs a game in which the players bid, or name the trump."""

_OF_AN_ORDER: Final = (Fault.CALL_CORRECTED, Fault.BRIDGE_NAMED, Remedy.PRIVILEGE_LOST, Remedy.ORDERING_LOST)
"""What needs a trump that is turned up for the players to pass, assist or order up."""

_OF_THE_DEALING: Final = {
    Fault.TWO_CARDS: (Fault.TWO_AT_ONCE, Fault.TWO_CARDS, Fault.UNEQUAL_PACKETS, Fault.WRONG_PACKET),
    Fault.WRONG_PACKET: (Fault.WRONG_PACKET,),
    Fault.CARD_FACED: (Fault.CARD_FACED,),
    Fault.CARD_EXPOSED: (Fault.CARD_EXPOSED,),
    Fault.LONG_HAND: (Fault.LONG_HAND, Fault.TOO_MANY, Fault.WRONG_COUNT),
    Fault.PACK_BAD: (Fault.PACK_BAD,),
}
"""What can go wrong while a machine deals, and the faults as which a law may speak of it."""

_OF_A_PLAYER: Final = (
    Fault.TRICK_MISSED,
    Fault.ADVERSARY_DECLARED,
    Fault.CALL_OUT_OF_TURN,
    Fault.CALL_CORRECTED,
    Fault.BID_OUT_OF_TURN,
    Fault.BID_IMPOSSIBLE,
    Fault.DOUBLE_OUT_OF_TURN,
)
"""Faults of one player, so that he has opponents who may claim."""


def complaints_of(code: Code, own: int, *, whole: bool = True) -> tuple[str, ...]:
    """Return everything that is wrong with a club's code.

    Args:
        code: the code.
        own: how many of its laws, the first ones, the club's file declares.
        whole: whether the code is all that the file has; else nothing is said of laws that it may lack.
    """
    mine = code.laws[:own]
    of_laws = (
        f"law {law.number}, {field}: {reason}"
        for place, law in enumerate(mine)
        for field, reason in (
            *_in_law(code, law),
            *_beside(law, mine[:place]),
            *(_behind(code, law) if whole else ()),
        )
    )
    return (
        *(f"{field}: {reason}" for field, reason in _in_dealing(code)),
        *of_laws,
        *(f"{field}: {reason}" for field, reason in (_in_whole(code, own) if whole else ())),
    )


def complaints_of_laws(laws: Sequence[Law]) -> tuple[str, ...]:
    """Return what is wrong with laws of which it is not known in which game they stand."""
    return tuple(
        f"law {law.number}, {field}: {reason}"
        for place, law in enumerate(laws)
        for field, reason in (*_by_itself(law), *_beside(law, laws[:place]))
    )


def silent_on(code: Code) -> tuple[Fault, ...]:
    """Return what can go wrong while a machine deals and no clause of a code speaks of, so that nothing follows."""
    return tuple(
        fault for fault, as_what in _OF_THE_DEALING.items() if not any(_speaks_of(code, one) for one in as_what)
    )


def overruled(code: Code) -> tuple[Law, ...]:
    """Return the laws of a code that never apply, because one before them always does."""
    return tuple(
        law for place, law in enumerate(code.laws) if any(_covers(before, law) for before in code.laws[:place])
    )


def _in_dealing(code: Code) -> Iterator[Complaint]:
    for pattern in code.patterns:
        for pack in code.packs:
            if pattern.leave_pack > pack:
                way = pattern.name or "singly"
                yield "packs", f"a deal {way} gives out {pattern.leave_pack} cards, more than {pack}"
    if code.completion is Completion.TRUMP and any(pattern.trump is None for pattern in code.patterns):
        yield "completion", "no card is turned up in one of the patterns, so that a deal is never completed"
    if code.packs and 2 * code.least_cut > min(code.packs):
        yield "least_cut", f"{min(code.packs)} cards do not make two packets of {code.least_cut}"


def _in_law(code: Code, law: Law) -> Iterator[Complaint]:
    """Name what is wrong with one law by itself and in its game."""
    yield from _by_itself(law)
    yield from _in_game(code, law)


def _by_itself(law: Law) -> Iterator[Complaint]:
    yield from _in_time(law)
    yield from _in_remedy(law)
    if law.claimed_by is not None:
        yield from _in_right(law)
    elif law.claimants:
        yield "claimants", "nobody claims it: name who may under claimed_by"
    for condition in law.provided:
        if condition in law.unless:
            yield "unless", f"{_word(condition)} must hold and must not: it can never apply"


def _in_time(law: Law) -> Iterator[Complaint]:
    since = PHASE_OF[law.since] if law.since else Phase.SHUFFLE
    until = PHASE_OF[law.until] if law.until else Phase.NEXT_DEALT + 1
    first, last = _SPANS.get(law.when, (Phase.SHUFFLE, Phase.NEXT_DEALT))
    if since >= until:
        yield "until", "it is over before it begins: it can never apply"
    elif law.since and since > last:
        yield "since", f"{_word(law.when)} cannot happen then any more: it can never apply"
    elif law.until and until <= first:
        yield "until", f"{_word(law.when)} cannot happen before then: it can never apply"


def _in_game(code: Code, law: Law) -> Iterator[Complaint]:
    words = (*law.provided, law.when)
    if all(pattern.trump is None for pattern in code.patterns):
        for word in words:
            if word in _OF_THE_TRUMP or word in (Condition.TRUMP_CARD, Condition.LAST_FACE_DOWN):
                yield _field(word), f"{_word(word)} needs a card that is turned up: it can never apply"
    yield from _in_calls(code, law)
    if law.when is Fault.UNEQUAL_PACKETS and all(set(pattern.packets) == {1} for pattern in code.patterns):
        yield "when", "the cards are dealt one at a time: it can never apply"
    if Condition.IN_STOCK in law.provided and all(
        pattern.leave_pack >= pack for pattern in code.patterns for pack in code.packs
    ):
        yield "provided", "every card is dealt: it can never apply"


def _in_calls(code: Code, law: Law) -> Iterator[Complaint]:
    """Name what speaks of calls that nobody makes in the game."""
    bids = any(pattern.trump is None for pattern in code.patterns)
    orders = any(pattern.trump is not None and not pattern.trump_is_dealt for pattern in code.patterns)
    for field, word in (("when", law.when), ("remedy", law.remedy)):
        if word in _OF_A_BID and not bids:
            yield field, f"{_word(word)} needs players who name the trump, and a card is turned up: it can never apply"
        elif word in _OF_AN_ORDER and not orders:
            yield field, f"{_word(word)} needs a trump that is turned up to be ordered up: it can never apply"
        elif word is Fault.CALL_OUT_OF_TURN and not (bids or orders):
            yield field, f"{_word(word)} needs players who call, and the trump is dealt: it can never apply"


def _in_remedy(law: Law) -> Iterator[Complaint]:
    allowed = tuple(remedy for remedy in Remedy if _fits(law.when, remedy))
    if law.remedy not in allowed:
        yield "remedy", f"{_word(law.remedy)} does not follow {_word(law.when)}; allowed: {_words(allowed)}"


def _in_whole(code: Code, own: int) -> Iterator[Complaint]:
    """Name what a code lacks as a whole, or what laws of the printed one lack whose companions the club took away."""
    if not code.laws:
        yield "law", "there is none: a code has at least one law"
    if any(law.remedy is Remedy.MISDEAL for law in code.laws[:own]):
        return
    for law in code.laws[own:]:
        for _, reason in _behind(code, law):
            yield "remove", f"{code.based_on.name if code.based_on else code.name} {law.number} stays, but {reason}"
            return


def _behind(code: Code, law: Law) -> Iterator[Complaint]:
    """Name the law that must follow a law and is not there."""
    if law.remedy is Remedy.MISDEAL and not code.on(Fault.MISDEAL):
        yield "remedy", 'no law says what a misdeal costs: declare one when = "misdeal"'
    elif law.remedy is Remedy.MISDEAL and not _always_rules(code, Fault.MISDEAL):
        yield "remedy", 'no law says what every misdeal costs: declare one when = "misdeal" without conditions'
    elif law.remedy is Remedy.CORRECT_FIRST and law.when in LATE_CURE and not _speaks_of(code, LATE_CURE[law.when]):
        yield "remedy", f"no law says what follows if it is not: declare one when = {_word(LATE_CURE[law.when])!r}"


def _always_rules(code: Code, fault: Fault) -> bool:
    """Return whether a fault has a law whatever else is the case, in every house."""
    bare = [
        law for law in code.on(fault) if not (law.provided or law.unless or law.since or law.until or law.claimants)
    ]
    settings = {law.setting.key for law in bare if law.setting is not None}
    return any(law.setting is None for law in bare) or any(
        {law.setting.value for law in bare if law.setting is not None and law.setting.key == key} == set(values_of(key))
        for key in settings
    )


def _speaks_of(code: Code, fault: Fault) -> bool:
    return bool(code.on(fault)) or any(fault in part.on for part in code.unread)


def _fits(fault: Fault, remedy: Remedy) -> bool:
    """Return whether the judge can give a remedy for a fault."""
    match fault, remedy:
        case Fault.MISDEAL, _:
            return remedy in _COSTS
        case Fault.BOTH_SIDES_TOUCHED, _:
            return remedy is Remedy.BAR_LIFTED
        case _, Remedy.RIGHT_LOST:
            return fault in WHY_LOST
        case _, Remedy.CORRECT_FIRST:
            return fault in LATE_CURE
        case _, Remedy.HANDS_PUT_RIGHT:
            return fault is Fault.LONG_HAND
    return remedy in ANSWERS


def _in_right(law: Law) -> Iterator[Complaint]:
    """Name what is wrong with a right to claim."""
    if law.when in (Fault.MISDEAL, Fault.BOTH_SIDES_TOUCHED):
        yield "claimed_by", f"what follows {_word(law.when)} is not claimed"
    elif law.remedy not in CLAIM_OF:
        yield "remedy", f"{_word(law.remedy)} cannot be claimed; allowed with claimed_by: {_words(CLAIM_OF)}"
    if law.until is None:
        yield "until", f"a right needs an end; allowed: {_words(window for window in UNTIL if window)}"
    elif law.until not in UNTIL:
        yield "until", f"a right does not end so; allowed: {_words(window for window in UNTIL if window)}"
    if law.claimed_by is Party.OPPONENTS and law.when not in _OF_A_PLAYER:
        yield "claimed_by", f"{_word(law.when)} names no player who has opponents: it can never be claimed"


def _beside(law: Law, before: Sequence[Law]) -> Iterator[Complaint]:
    """Name what is wrong with a law after those that the file has before it."""
    for other in before:
        if other.number == law.number and _covers(other, law) and _covers(law, other):
            yield "number", "it is there twice, on the same fault and under the same conditions"
            return
        if _covers(other, law):
            yield "when", f"law {other.number} before it applies whenever this does: it can never apply"
            return


def _covers(first: Law, second: Law) -> bool:
    """Return whether the first law applies whenever the second does, in every house."""
    return (first.setting is None or first.setting == second.setting) and covers(first, second)


def _field(word: Fault | Condition) -> str:
    return "when" if isinstance(word, Fault) else "provided"


def _word(word: Fault | Condition | Remedy | Window) -> str:
    return word.name.lower()


def _words(words: Iterable[Remedy | Window]) -> str:
    return ", ".join(map(_word, words))
