"""After a break: what the deal log and the machine's journal together say of the card under way, and what to do now.

The log commits before the controller speaks: a feed is in the log before it is sent, so is a route (together with the
next feed). The journal is written before the machine acts. Hence at most two
commands are open, the last that the log intends and the one before it, and the machine is at one of them or there is
something wrong with log or machine.

    journal's last id           phase           this boot              after a reboot
    ------------------------    ------------    -------------------    ----------------------------------------------
    the one before the last     DONE, ABORT,    send the feed          the same, if the path is clear
                                NONE
    the last, or the one        INTENT          wait for the window    perhaps shown: ask the people
    before it while that is     SHOWN           look again, or send    perhaps delivered: ask the people; with the
    open                                        the route              window blocked the card stands there for certain
                                ROUTED          wait for the tray      perhaps delivered: ask the people
                                DONE            book it                book it
                                ABORT           book it                book it
                                UNKNOWN         ask the people         ask the people
    the last, while the one     any             book the one before: the machine takes no feed before it has ended
    before it is open
    a shelf pass, the last      INTENT          wait for its end       the order is lost: ask the people
                                DONE            book it                book it; with the hopper empty, or a card left
                                                                       inside, the order is lost: ask the people
                                UNKNOWN, ABORT  ask the people         ask the people
    later                       any             the log is behind: another host, or a lost log
    earlier                     any             the journal is behind: another machine, or a lost journal

A feed or a pass is sent again in the first row only, where the machine has not begun it; a card that may have left the
hopper is never fed again. The caller does what the advice says and records it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from firmware_bridge.words import Phase, Sensor, Tray, Verdict

PATH: Final = Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT
"""The sensors between hopper and trays."""

INSIDE: Final = Sensor(PATH | Sensor.RETURN | Sensor.CUT_TRAY | sum(Sensor[f"SHELF_{n}"] for n in range(1, 9)))
"""Everything where no card may be before a command is begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A command whose end is not on record.

    Attributes:
        command_id: its id.
        tray: where the log has its card go; None while no route is committed.
        is_pass: whether it is a shelf pass, and no feed.
    """

    command_id: int
    tray: Tray | None = None
    is_pass: bool = False

    def __post_init__(self) -> None:
        """Refuse a pass with a tray."""
        if self.is_pass and self.tray is not None:
            raise ValueError(f"shelf pass {self.command_id} goes to no tray")


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """What the log committed last.

    Attributes:
        last_id: the last feed that the log intends.
        open: the commands whose end is not on record, in order: `last_id`, or `last_id - 1` and `last_id`.
    """

    last_id: int
    open: tuple[Open, ...]

    def __post_init__(self) -> None:
        ids = tuple(command.command_id for command in self.open)
        if ids not in ((self.last_id,), (self.last_id - 1, self.last_id)):
            raise ValueError(f"open commands {ids} are not the last of {self.last_id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the machine says now.

    Attributes:
        last_id: the journal's last command.
        phase: how far that got.
        same_boot: whether the machine has run without a break since the log last heard of it.
        sensors: what is blocked.
    """

    last_id: int
    phase: Phase
    same_boot: bool
    sensors: Sensor


class Awaited(Enum):
    """What the machine will report by itself."""

    AT_WINDOW = "at window"
    DELIVERED = "delivered"
    SORTED = "sorted"


class Why(Enum):
    """Why people must look."""

    PERHAPS_SHOWN = "the card may be in the hopper, or anywhere up to the window"
    PERHAPS_DELIVERED = "the card may have reached its tray"
    CARD_IN_WINDOW = "the card stands in the read window, and the machine no longer knows it"
    CARD_IN_PATH = "a card stands in the path"
    CARD_TAKEN = "the card left the window, and no route was given"
    OUT_OF_SIGHT = "the machine lost the card"
    ORDER_LOST = "the shelf pass did not end, and nobody knows the order of the pack"
    CONTRADICTION = "log and journal say different things of the card"


@dataclass(frozen=True, slots=True)
class SendFeed:
    """The machine has not begun this feed, and everything before it has ended: send it."""

    command_id: int


@dataclass(frozen=True, slots=True)
class SendPass:
    """The machine has not begun this shelf pass, and everything before it has ended: send it."""

    command_id: int


@dataclass(frozen=True, slots=True)
class SendRoute:
    """The card stands in the window and its route is committed: send it."""

    command_id: int
    tray: Tray


@dataclass(frozen=True, slots=True)
class WaitFor:
    """The machine is at it and will report."""

    command_id: int
    awaited: Awaited


@dataclass(frozen=True, slots=True)
class LookAgain:
    """The card stands in the window, lamp on, and no sighting of it is on record: look at it."""

    command_id: int


@dataclass(frozen=True, slots=True)
class BookDelivered:
    """The journal knows the card as delivered: put that on record."""

    command_id: int
    tray: Tray


@dataclass(frozen=True, slots=True)
class BookSorted:
    """The journal knows the shelf pass as ended and borne out by the counters: put that on record."""

    command_id: int


@dataclass(frozen=True, slots=True)
class BookAborted:
    """The journal knows that no card left the hopper: put that on record; the next feed has the next id."""

    command_id: int


@dataclass(frozen=True, slots=True)
class AskPeople:
    """Nobody but people can tell where the card is.

    Attributes:
        command_id: the command; 0 where the card belongs to none.
        why: what is to be found out.
        likely: what the sensors make likely, to be offered first; it decides nothing.
    """

    command_id: int
    why: Why
    likely: Verdict | None


@dataclass(frozen=True, slots=True)
class LogBehind:
    """The machine took commands that this log does not have: another host, or a lost log. The pack is void."""

    journal_id: int
    log_id: int


@dataclass(frozen=True, slots=True)
class JournalBehind:
    """The log has commands that this machine does not: another machine, or a lost journal. The pack is void."""

    journal_id: int
    log_id: int


Advice = (
    SendFeed
    | SendPass
    | SendRoute
    | WaitFor
    | LookAgain
    | BookDelivered
    | BookSorted
    | BookAborted
    | AskPeople
    | LogBehind
    | JournalBehind
)

ENDED: Final = (Phase.NONE, Phase.DONE, Phase.ABORT)


def reconcile(logged: Logged, found: Found) -> Advice:
    """Return what to do next. Every combination has an answer."""
    if found.last_id > logged.last_id:
        return LogBehind(found.last_id, logged.last_id)
    oldest = logged.open[0]
    if found.last_id < oldest.command_id - 1:
        return JournalBehind(found.last_id, logged.last_id)
    if found.last_id == oldest.command_id:
        return _at_pass(oldest.command_id, found) if oldest.is_pass else _at(oldest, found)
    if found.last_id > oldest.command_id:
        return _passed(oldest)
    return _before(oldest, found)


def _before(command: Open, found: Found) -> Advice:
    """The machine has not begun `command`."""
    if command.tray is not None:
        return JournalBehind(found.last_id, command.command_id)  # it was seen: the machine did begin it
    if found.phase not in ENDED:
        return AskPeople(found.last_id, Why.CONTRADICTION, _likely(found))
    if found.sensors & INSIDE:
        return AskPeople(0, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)
    return SendPass(command.command_id) if command.is_pass else SendFeed(command.command_id)


def _passed(command: Open) -> Advice:
    """The machine is at the next command; it takes none before the one before has ended."""
    if command.is_pass:
        return BookSorted(command.command_id)
    if command.tray is None:
        return AskPeople(command.command_id, Why.CONTRADICTION, None)
    return BookDelivered(command.command_id, command.tray)


def _at_pass(number: int, found: Found) -> Advice:
    """The machine is at a shelf pass; one that has ended left the pack in the hopper."""
    match found.phase:
        case Phase.DONE if found.sensors & Sensor.HOPPER and not found.sensors & INSIDE:
            return BookSorted(number)
        case Phase.INTENT if found.same_boot:
            return WaitFor(number, Awaited.SORTED)
        case Phase.DONE | Phase.ABORT | Phase.INTENT | Phase.UNKNOWN:
            return AskPeople(number, Why.ORDER_LOST, Verdict.TAKEN_OUT if found.sensors & INSIDE else None)
        case _:
            return AskPeople(number, Why.CONTRADICTION, _likely(found))


def _at(command: Open, found: Found) -> Advice:
    """The machine is at `command`."""
    number, tray = command.command_id, command.tray
    match found.phase:
        case Phase.DONE if tray is not None:
            return BookDelivered(number, tray)
        case Phase.ABORT if tray is None:
            return BookAborted(number)
        case Phase.UNKNOWN:
            return AskPeople(number, Why.OUT_OF_SIGHT, _likely(found))
        case Phase.INTENT if tray is None:
            return WaitFor(number, Awaited.AT_WINDOW) if found.same_boot else _perhaps_shown(number, found)
        case Phase.SHOWN:
            return _shown(command, found)
        case Phase.ROUTED if tray is not None:
            return WaitFor(number, Awaited.DELIVERED) if found.same_boot else _perhaps_delivered(number, found)
        case _:
            return AskPeople(number, Why.CONTRADICTION, _likely(found))


def _shown(command: Open, found: Found) -> Advice:
    number, tray = command.command_id, command.tray
    in_window = bool(found.sensors & Sensor.WINDOW)
    if not in_window and tray is None:
        return AskPeople(number, Why.CARD_TAKEN, _likely(found))
    if not found.same_boot:
        return (
            AskPeople(number, Why.CARD_IN_WINDOW, Verdict.TAKEN_OUT) if in_window else _perhaps_delivered(number, found)
        )
    if not in_window:
        return AskPeople(number, Why.OUT_OF_SIGHT, _likely(found))
    return LookAgain(number) if tray is None else SendRoute(number, tray)


def _perhaps_shown(number: int, found: Found) -> AskPeople:
    if found.sensors & PATH:
        return AskPeople(number, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)
    return AskPeople(number, Why.PERHAPS_SHOWN, Verdict.NOT_FED)


def _perhaps_delivered(number: int, found: Found) -> AskPeople:
    if found.sensors & PATH:
        return AskPeople(number, Why.CARD_IN_PATH, Verdict.TAKEN_OUT)
    return AskPeople(number, Why.PERHAPS_DELIVERED, Verdict.DELIVERED)


def _likely(found: Found) -> Verdict | None:
    """A blocked sensor is the one thing that can be seen from here."""
    return Verdict.TAKEN_OUT if found.sensors & PATH else None
