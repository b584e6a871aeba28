"""The register of what hearing each fact does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from controller.facts import Fact
from controller.judge_bench import Bench

F = TypeVar("F", bound=Fact)
Hearing = Callable[[Bench, Any], None]

HEARINGS: Final[dict[type[Fact], Hearing]] = {}
"""For every fact that the judge does not pass over, what hearing it does."""


def hears(kind: type[F]) -> Callable[[Callable[[Bench, F], None]], Callable[[Bench, F], None]]:
    """Enter a function as the hearing of one type of fact."""

    def enter(hearing: Callable[[Bench, F], None]) -> Callable[[Bench, F], None]:
        HEARINGS[kind] = hearing
        return hearing

    return enter
