"""What people say of the cards: the number by which the panel takes a card's name is the one everybody counts by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.words import NO_CARD, Asked, Tray
from vision.cards import Card


@pytest.mark.parametrize("code", ["AC", "KS", "7D", "J1", "J2"])
def test_people_name_the_upper_card_by_its_number(code: str, machine: Callable[..., Any]) -> None:
    """As `Answered` has it: a joker like any other card, whether the pack has one or not."""
    lone = f'order = ["{code}"]' if code != "J2" else 'order = ["AS"]'
    swap = '[[deal.fault]]\nkind = "foreign_card"\ncard = "J2"\ninstead_of = "AS"' if code == "J2" else ""
    client = machine(f"[[deal]]\n{lone}\n{swap}")
    client.home()
    client.ask(Asked.LOAD_PACK)
    client.feed(1)
    client.route(1, Tray.TRUMP)
    assert client.ask(Asked.NAME_CARD, Tray.TRUMP).a == Card.parse(code).number


def test_where_no_card_lies_they_name_none(machine: Callable[..., Any]) -> None:
    client = machine()
    client.home()
    assert client.ask(Asked.NAME_CARD, Tray.TRUMP).a == NO_CARD
