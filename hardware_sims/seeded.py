"""Numbers that look random and depend on a seed and a purpose only.

The generator is SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014). It decides how simulated cards lie and which simulated bytes are spoilt; nothing that is for play.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, TypeVar

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_T = TypeVar("_T")


def mixed(value: int) -> int:
    """Return 64 bits that depend on every bit of `value`; the output function of SplitMix64."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


class Stream:
    """An endless stream of numbers, one stream for every purpose of a seed.

    >>> Stream(7, "pack", 1).below(52) == Stream(7, "pack", 1).below(52)
    True
    """

    def __init__(self, seed: int, *purpose: str | int) -> None:
        text = "/".join(str(part) for part in (seed, *purpose))
        self._state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")

    def bits(self) -> int:
        """Return the next 64 bits."""
        self._state = (self._state + _GOLDEN) & _MASK
        return mixed(self._state)

    def below(self, bound: int) -> int:
        """Return a number in [0, bound), all equally likely but for 1 part in 2**58 at bounds up to 64."""
        return self.bits() * bound >> 64

    def unit(self) -> float:
        """Return a number in [0, 1)."""
        return (self.bits() >> 11) / (1 << 53)

    def shuffled(self, items: Iterable[_T]) -> list[_T]:
        """Return the items in a new order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
