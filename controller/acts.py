"""What the dealer wants done next, as values; the runner does it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from firmware_bridge.words import Asked, Tray

Line: TypeAlias = "dict[str, Any]"
"""One line of the record: a fact or a ruling, as JSON has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedCard:
    """Bring card `k` to the window under the command `command_id`."""

    command_id: int
    k: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteCard:
    """Send the card in the window to `tray`; `command_id` is that of its feed."""

    command_id: int
    k: int
    tray: Tray


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelvePack:
    """Carry the pack over the shelves.

    Attributes:
        command_id: the command's id.
        number: the pass of this shuffle, 1 or 2.
        shelves: for each card in fed order its shelf, from 0.
    """

    command_id: int
    number: int
    shelves: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """Draw the random numbers of a shuffle; `attempt` counts the draws of the deal, from 1."""

    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtCard:
    """Take a sighting of the card in the window."""

    k: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LookIntoHopper:
    """Say whether a card is left in the hopper behind the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPeople:
    """Have the machine's panel ask the people at the table."""

    asked: Asked
    a: int = 0
    b: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearFault:
    """People have cleared the path: settle the machine's journal, acknowledge its fault, and home it."""


Act: TypeAlias = "FeedCard | RouteCard | ShelvePack | Draw | LookAtCard | LookIntoHopper | AskPeople | ClearFault"
Intent: TypeAlias = "FeedCard | RouteCard | ShelvePack"
"""The acts that move cards, and so are on record before they are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What the dealer answers to one thing that happened.

    Attributes:
        lines: facts and rulings, in order; they become durable with the next commit.
        intents: card movements intended next; committed together with all lines since the last commit.
        acts: what to do now.
        commit: whether the lines must be durable before anything is done.
    """

    lines: list[Line] = field(default_factory=list)
    intents: tuple[Intent, ...] = ()
    acts: tuple[Act, ...] = ()
    commit: bool = False
