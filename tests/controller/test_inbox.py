"""What a deal has heard is heard once, and acknowledged or answered once it is on record, and not before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import pytest

from controller.inbox import Inbox
from controller.seats import SeatWord, parse_word
from controller.table_talk import TableTalk
from firmware_bridge.events import Answered, Event, Homed
from firmware_bridge.words import Asked

if TYPE_CHECKING:
    from firmware_bridge.bridge import Bridge

FIRST = Homed(7, 1, 0, 100)
LOADED = Answered(7, 2, 0, 200, Asked.LOAD_PACK, 52, 0, 0)
WORD = parse_word("N touch", line=1)


@dataclass
class Settled:
    """What was acknowledged and answered, in this order."""

    heard: list[Any] = field(default_factory=list)

    def acknowledge(self, *events: Event) -> None:
        self.heard += events

    def answered(self, word: SeatWord, *, taken: bool) -> None:
        self.heard.append((str(word), taken))


@pytest.fixture
def settled() -> Settled:
    return Settled()


def settle(inbox: Inbox, settled: Settled) -> list[Any]:
    inbox.settle(cast("Bridge", settled), TableTalk(answered=settled.answered))
    return settled.heard


def test_an_event_said_again_is_acknowledged_only_once_it_is_on_record(settled: Settled) -> None:
    inbox, bridge = Inbox(), cast("Bridge", settled)
    assert inbox.is_new(FIRST, bridge)
    inbox.hold(FIRST)
    assert not inbox.is_new(FIRST, bridge)
    assert settled.heard == []
    assert settle(inbox, settled) == [FIRST]
    assert not inbox.is_new(FIRST, bridge)
    assert settled.heard == [FIRST, FIRST], "the acknowledgement was lost, so it is said again"


def test_a_seat_is_answered_once_and_on_record(settled: Settled) -> None:
    inbox = Inbox()
    inbox.hold_word(WORD)
    assert settled.heard == []
    assert settle(inbox, settled) == [("N touch", True)]
    assert settle(inbox, settled) == [("N touch", True)]


def test_what_is_let_go_with_the_link_is_not_acknowledged(settled: Settled) -> None:
    inbox = Inbox()
    inbox.hold(FIRST)
    inbox.let_go()
    assert settle(inbox, settled) == []


def test_what_was_put_aside_is_heard_in_its_order() -> None:
    inbox = Inbox()
    inbox.keep(FIRST)
    inbox.keep(LOADED)
    assert inbox.answer_waits(Asked.LOAD_PACK)
    assert not inbox.answer_waits(Asked.CUT)
    assert [inbox.next_kept(), inbox.next_kept(), inbox.next_kept()] == [FIRST, LOADED, None]
