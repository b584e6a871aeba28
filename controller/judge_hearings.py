"""The register of what hearing each fact does, and of where a fact cannot stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from controller.facts import Fact
from controller.judge_bench import Bench
from controller.judge_state import DealState

F = TypeVar("F", bound=Fact)
Hearing = Callable[[Bench, Any], None]
Check = Callable[[DealState, Any, int], None]
"""Given the deal, the fact and its line; raises `OrderError` where the fact cannot follow, and changes nothing."""

HEARINGS: Final[dict[type[Fact], Hearing]] = {}
"""For every fact that the judge does not pass over, what hearing it does."""

CHECKS: Final[dict[type[Fact], Check]] = {}
"""For every fact that cannot stand everywhere, what refuses it before anything is changed; hearings refuse nothing."""


def hears(
    kind: type[F], *, check: Callable[[DealState, F, int], None] | None = None
) -> Callable[[Callable[[Bench, F], None]], Callable[[Bench, F], None]]:
    """Enter a function as the hearing of one type of fact, and where it cannot stand everywhere, its check."""

    def enter(hearing: Callable[[Bench, F], None]) -> Callable[[Bench, F], None]:
        HEARINGS[kind] = hearing
        if check is not None:
            CHECKS[kind] = check
        return hearing

    return enter
