"""Where random bytes come from: the operating system, or a seed for runs that are not for play."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from typing import TypeAlias

Entropy: TypeAlias = Callable[[int], bytes]
"""Returns as many random bytes as asked for."""


def system_entropy(count: int) -> bytes:
    """Return `count` bytes of the operating system's random source."""
    return os.urandom(count)


def seeded_entropy(seed: int) -> Entropy:
    """Return a source that gives the same bytes for the same seed: HMAC-SHA256 of a counter under the seed.

    >>> seeded_entropy(7)(4) == seeded_entropy(7)(4)
    True
    """
    keyed = hmac.new(hashlib.sha256(f"pone seed {seed}".encode()).digest(), digestmod="sha256")
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        drawn = b""
        while len(drawn) < count:
            block = keyed.copy()
            block.update(counter.to_bytes(8, "big"))
            drawn += block.digest()
            counter += 1
        return drawn[:count]

    return draw
