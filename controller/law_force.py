"""Which clauses of a code are in force in a house: a setting brings some in, and some it switches off. Pure."""

from __future__ import annotations

from controller.house import House, toml_value
from controller.judge_state import PHASE_OF, Phase
from controller.laws.vocabulary import Code, Law


def covers(first: Law, second: Law) -> bool:
    """Return whether the first law, where its setting brings it in, applies whenever the second does."""
    return (
        first.when is second.when
        and not first.claimants
        and set(first.provided) <= set(second.provided)
        and set(first.unless) <= set(second.unless)
        and _opens(first) <= _opens(second)
        and _closes(first) >= _closes(second)
    )


def _opens(law: Law) -> int:
    return PHASE_OF[law.since] if law.since else min(Phase)


def _closes(law: Law) -> int:
    return PHASE_OF[law.until] if law.until else max(Phase) + 1


def force(code: Code, law: Law, house: House) -> str | None:
    """Return whether a clause is in force in a house, and by which settings; None where no setting decides that.

    Its own setting decides, and that of each clause before it which, once in force, rules whenever this one would, and
    otherwise.

    >>> from controller import laws
    >>> whist = laws.code("whist")
    >>> for law in whist.laws:
    ...     if law.number == "37-VI":
    ...         print(law.remedy.name, force(whist, law, House()))
    MISDEAL not in force: hand_cure is true
    CORRECT_FIRST in force: hand_cure is true
    MISDEAL None
    MISDEAL None
    """
    own = law.setting
    before = code.laws[: code.laws.index(law)]
    others = [one.setting for one in before if one.setting and covers(one, law) and _differ(one, law)]
    against = {setting.key for setting in others if getattr(house, setting.key) == setting.value}
    if own is not None and getattr(house, own.key) != own.value:
        against = {own.key}
    keys = dict.fromkeys(setting.key for setting in (own, *others) if setting is not None)
    deciding = [key for key in keys if key in against] or list(keys)
    if not deciding:
        return None
    said = ", ".join(f"{key} is {toml_value(getattr(house, key))}" for key in deciding)
    return f"{'not ' if against else ''}in force: {said}"


def _differ(one: Law, other: Law) -> bool:
    """Return whether something else follows from one law than from another."""
    follows = (one.remedy, one.claimed_by, one.claimants, one.shown)
    return follows != (other.remedy, other.claimed_by, other.claimants, other.shown)
