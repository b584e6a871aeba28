"""The codes of laws: each a file of declared clauses, found by its name in the record."""

from __future__ import annotations

from typing import Final

from controller.errors import CodeError
from controller.laws.auction import AUCTION
from controller.laws.bridge import BRIDGE
from controller.laws.duplicate import DUPLICATE
from controller.laws.english_bridge import ENGLISH_BRIDGE
from controller.laws.euchre import EUCHRE
from controller.laws.euchre_modern import EUCHRE_MODERN
from controller.laws.rubber import RUBBER
from controller.laws.somerset_euchre import SOMERSET_EUCHRE
from controller.laws.table import TABLE
from controller.laws.vocabulary import Code
from controller.laws.whist import WHIST

_BUILT: Final = {
    code.name: code
    for code in (
        WHIST,
        EUCHRE,
        BRIDGE,
        AUCTION,
        DUPLICATE,
        RUBBER,
        EUCHRE_MODERN,
        ENGLISH_BRIDGE,
        SOMERSET_EUCHRE,
    )
}

KNOWN: Final = (*_BUILT, "holdem_wsop", "holdem_tda", "cribbage", "solo_whist", "loo", TABLE.name)
"""The names that a record may give as its code."""


def code(name: str) -> Code:
    """Return the code of laws of that name.

    Raises:
        CodeError: the name is unknown, or known and without declared laws.

    >>> code("whist").pattern.trump
    52
    """
    if (found := _BUILT.get(name)) is not None:
        return found
    built = ", ".join(_BUILT)
    if name == TABLE.name:
        raise CodeError(name, f"the code {name!r} is that of the register of the table, and no deal is played by it")
    if name in KNOWN:
        raise CodeError(name, f"the code {name!r} is known, but its laws are not built yet; built: {built}")
    raise CodeError(name, f"no such code of laws: {name!r}; known are {built}")


def built() -> tuple[Code, ...]:
    """Return the codes that can be applied."""
    return tuple(_BUILT.values())
