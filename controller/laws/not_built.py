"""The clauses that no code here declares, each with its reason: a deal's facts cannot tell it, or it was not read."""

from __future__ import annotations

from typing import Final

NOT_BUILT: Final = {
    "euchre 7": "a draw for seats or for the deal has no deal; the register of the table answers it",
    "euchre 15": "a heading: its three sentences are 15a, 15b and 15c",
    "bridge N1": "a heading: its list is N1a to N1g",
    "whist 42": "the trump card left on the table is a matter of play, and costs a call, never a new deal",
    "whist 43": "asking for the trump card is a matter of play, and costs a call, never a new deal",
    "whist 44": "the trump card taken up early is a matter of play, and costs a call, never a new deal",
    "duplicate 7": "counting one's cards before looking is recalled and was not read",
    "rubber 8": "putting two cards right is recalled and was not read",
    "rubber 9": "a deal out of turn is recalled and was not read",
    "rubber 10": "the causes of a new deal are recalled and were not read",
}
"""Why a clause is not built, by the name under which a ruling would cite it."""
