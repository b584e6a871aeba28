"""The states of a deal, as one table; `docs/states.md` is drawn from it.

Everything that changes the state of a deal is a row of `TRANSITIONS`. A halt is latched: from `HALTED` the only way
on is to acknowledge, and then to home; nothing moves before both. The first card is fed from `CUT` alone, and `CUT` is
come to from `AWAITING_CUT` alone, by a cut that is good: no deal without one.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Final

from transitions import Machine, State


class DealState(Enum):
    """Where a deal stands; the value is what a person reads."""

    AWAITING_PACK = "waiting for the pack"
    SHUFFLING = "shuffling the pack over the shelves"
    AWAITING_CUT = "waiting for the cut"
    CUT = "cut, and not dealt yet"
    FEEDING = "bringing a card to the window"
    LOOKING = "looking at a card"
    ROUTING = "sending a card to its tray"
    HOLDING = "waiting for people to put something right, to say something, or to use a right"
    HALTED = "halted"
    HOMING = "homing after a halt"
    ENDED = "ended"


_S = DealState

ACTIVE: Final = (
    _S.AWAITING_PACK,
    _S.SHUFFLING,
    _S.AWAITING_CUT,
    _S.CUT,
    _S.FEEDING,
    _S.LOOKING,
    _S.ROUTING,
    _S.HOLDING,
)
"""The states a halt can come in."""

_BEFORE: Final = (_S.AWAITING_PACK, _S.AWAITING_CUT, _S.CUT)
"""The states before the first card in which nothing moves."""

TRANSITIONS: Final[tuple[tuple[str, DealState | tuple[DealState, ...], DealState], ...]] = (
    ("pack_loaded", _S.AWAITING_PACK, _S.AWAITING_CUT),
    ("shuffle", _BEFORE, _S.SHUFFLING),
    ("next_pass", _S.SHUFFLING, _S.SHUFFLING),
    ("shuffled", _S.SHUFFLING, _S.AWAITING_CUT),
    ("have_shuffled", _BEFORE, _S.AWAITING_PACK),
    ("cut_again", (_S.AWAITING_CUT, _S.CUT), _S.AWAITING_CUT),
    ("cut_good", _S.AWAITING_CUT, _S.CUT),
    ("begin", _S.CUT, _S.FEEDING),
    ("feed_again", _S.FEEDING, _S.FEEDING),
    ("shown", _S.FEEDING, _S.LOOKING),
    ("release", _S.LOOKING, _S.ROUTING),
    ("next_card", _S.ROUTING, _S.FEEDING),
    ("hold", (_S.FEEDING, _S.ROUTING), _S.HOLDING),
    ("put_right", _S.HOLDING, _S.FEEDING),
    ("end", (*_BEFORE, _S.SHUFFLING, _S.FEEDING, _S.ROUTING, _S.HOLDING), _S.ENDED),
    ("halt", ACTIVE, _S.HALTED),
    ("acknowledge", _S.HALTED, _S.HOMING),
    ("homed", _S.HOMING, _S.ENDED),
    ("homed_undealt", _S.HOMING, _S.AWAITING_PACK),
    ("still_blocked", _S.HOMING, _S.HALTED),
    ("not_homed", _S.HOMING, _S.ENDED),
)
"""Trigger, source and destination. `transitions` refuses every trigger that no row allows."""


class DealMachine:
    """The state of one deal. Each method is a trigger of `TRANSITIONS`.

    Raises:
        transitions.MachineError: from any trigger that the table does not allow in this state.

    >>> machine = DealMachine()
    >>> _ = machine.pack_loaded()
    >>> machine.state.value
    'waiting for the cut'
    """

    state: DealState

    def __init__(self, initial: DealState = DealState.AWAITING_PACK) -> None:
        table = _table()
        table.add_model(self, initial=initial)
        table.remove_model(self)  # keeps the triggers; the table, which all deals share, holds on to none of them

    def pack_loaded(self) -> None:
        """The pack lies in the hopper, shuffled by people, and is offered to be cut."""

    def shuffle(self) -> None:
        """The pack lies in the hopper, and the machine begins to shuffle it."""

    def next_pass(self) -> None:
        """The first pass over the shelves is done; the second begins."""

    def shuffled(self) -> None:
        """The machine has shuffled; the pack is offered to be cut."""

    def have_shuffled(self) -> None:
        """People must shuffle again."""

    def cut_again(self) -> None:
        """The cut was not good."""

    def cut_good(self) -> None:
        """The cut is good."""

    def begin(self) -> None:
        """Nothing stands against the first card any more; it is fed."""

    def feed_again(self) -> None:
        """No card left the hopper; it is tried once more under a new command."""

    def shown(self) -> None:
        """A card stands in the window."""

    def release(self) -> None:
        """The card was looked at and judged."""

    def next_card(self) -> None:
        """The card arrived; the next is fed."""

    def hold(self) -> None:
        """Something is to be put right first, only people can say what the record needs, or a right is open."""

    def put_right(self) -> None:
        """Nothing stands against the next card any more; it is fed."""

    def end(self) -> None:
        """The deal is complete, or a ruling ended it."""

    def halt(self) -> None:
        """A fault stops the deal."""

    def acknowledge(self) -> None:
        """A person has seen the halt."""

    def homed(self) -> None:
        """The machine knows its positions again."""

    def homed_undealt(self) -> None:
        """The machine knows its positions again, and no card was dealt: the pack is laid in anew."""

    def still_blocked(self) -> None:
        """A sensor still sees a card, and no card was dealt: it is asked for once more."""

    def not_homed(self) -> None:
        """A sensor still sees a card that people do not: the deal is over, and the machine takes no further one."""


@cache
def _table() -> Machine:
    """Return the one machine of all deals, which holds the table and no deal's state."""
    table = Machine(model=None, states=DealState, initial=None, auto_transitions=False, model_override=True)
    for trigger, source, dest in TRANSITIONS:
        sources: list[str | Enum | State] = list(source) if isinstance(source, tuple) else [source]
        table.add_transition(trigger, sources, dest)
    return table
