"""The states of a deal, as one table; `docs/states.md` is drawn from it.

Everything that changes the state of a deal is a row of `TRANSITIONS`. A halt is latched: from `HALTED` the only way
on is to acknowledge, and then to home; nothing moves before both.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from transitions import Machine, State


class DealState(Enum):
    """Where a deal stands; the value is what a person reads."""

    AWAITING_PACK = "waiting for the pack"
    AWAITING_CUT = "waiting for the cut"
    FEEDING = "bringing a card to the window"
    LOOKING = "looking at a card"
    ROUTING = "sending a card to its tray"
    HOLDING = "waiting for people to put something right, or to say something"
    HALTED = "halted"
    HOMING = "homing after a halt"
    ENDED = "ended"


_S = DealState

ACTIVE: Final = (_S.AWAITING_PACK, _S.AWAITING_CUT, _S.FEEDING, _S.LOOKING, _S.ROUTING, _S.HOLDING)
"""The states a halt can come in."""

TRANSITIONS: Final[tuple[tuple[str, DealState | tuple[DealState, ...], DealState], ...]] = (
    ("pack_loaded", _S.AWAITING_PACK, _S.AWAITING_CUT),
    ("cut_again", _S.AWAITING_CUT, _S.AWAITING_CUT),
    ("begin", _S.AWAITING_CUT, _S.FEEDING),
    ("feed_again", _S.FEEDING, _S.FEEDING),
    ("shown", _S.FEEDING, _S.LOOKING),
    ("release", _S.LOOKING, _S.ROUTING),
    ("next_card", _S.ROUTING, _S.FEEDING),
    ("hold", (_S.FEEDING, _S.ROUTING), _S.HOLDING),
    ("put_right", _S.HOLDING, _S.FEEDING),
    ("end", (_S.AWAITING_PACK, _S.AWAITING_CUT, _S.FEEDING, _S.ROUTING, _S.HOLDING), _S.ENDED),
    ("halt", ACTIVE, _S.HALTED),
    ("acknowledge", _S.HALTED, _S.HOMING),
    ("homed", _S.HOMING, _S.ENDED),
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
        self._machine = Machine(
            model=self,
            states=DealState,
            initial=initial,
            queued=True,
            auto_transitions=False,
            model_override=True,
        )
        for trigger, source, dest in TRANSITIONS:
            sources: list[str | Enum | State] = list(source) if isinstance(source, tuple) else [source]
            self._machine.add_transition(trigger, sources, dest)

    def pack_loaded(self) -> None:
        """The pack lies in the hopper."""

    def cut_again(self) -> None:
        """The cut was not good."""

    def begin(self) -> None:
        """The cut is good; the first card is fed."""

    def feed_again(self) -> None:
        """No card left the hopper; it is tried once more under a new command."""

    def shown(self) -> None:
        """A card stands in the window."""

    def release(self) -> None:
        """The card was looked at and judged."""

    def next_card(self) -> None:
        """The card arrived; the next is fed."""

    def hold(self) -> None:
        """A ruling wants something put right first, or only people can say what the record needs."""

    def put_right(self) -> None:
        """The error was put right; the next card is fed."""

    def end(self) -> None:
        """The deal is complete, or a ruling ended it."""

    def halt(self) -> None:
        """A fault stops the deal."""

    def acknowledge(self) -> None:
        """A person has seen the halt."""

    def homed(self) -> None:
        """The machine knows its positions again."""

    def not_homed(self) -> None:
        """A sensor still sees a card that people do not: the deal is over, and the machine takes no further one."""
