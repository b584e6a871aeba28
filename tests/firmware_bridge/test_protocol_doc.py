"""`docs/protocol.md` says of every message and word what the code says; its examples run as doctests."""

from __future__ import annotations

import re
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Final

import pytest

from firmware_bridge import events, messages, reconcile, session, words
from firmware_bridge.events import EVENTS
from firmware_bridge.layout import Message
from firmware_bridge.messages import REPLY_BIT, REQUESTS

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text()
TYPES: Final = {"B": "u8", "H": "u16", "I": "u32", "Q": "u64", "i": "i32"}
HEAD: Final = ("boot_id", "event_id", "command_id", "at_us")
REPLIES: Final = list(dict.fromkeys(cls.reply for cls in REQUESTS.values() if cls.reply is not None))
WORDS: Final = [
    member
    for member in vars(words).values()
    if isinstance(member, type) and issubclass(member, IntEnum | IntFlag) and member.__module__ == words.__name__
]


def fields_of(cls: type[Message]) -> str:
    """Return the fields of a message as the page writes them; the head that all events share is left out."""
    codes = re.findall(r"\d+s|[BHIQi]", cls.layout.format)
    assert len(codes) == len(cls.names)
    said = []
    for name, code, kind in zip(cls.names, codes, cls.kinds, strict=True):
        size = TYPES.get(code, f"{code[:-1]} bytes")
        word = f" {getattr(kind, '__name__', '')}" if kind in WORDS else ""
        if not (issubclass(cls, events.Event) and name in HEAD):
            said.append(f"`{name}` {size}{word}")
    return ", ".join(said) or "none"


def rows() -> list[str]:
    requests = [
        f"| 0x{byte:02x} | `{cls.__name__}` | {fields_of(cls)} | "
        + (f"`{cls.reply.__name__}` 0x{byte | REPLY_BIT:02x} |" if cls.reply else "none |")
        for byte, cls in REQUESTS.items()
    ]
    replies = [f"| `{cls.__name__}` | {fields_of(cls)} |" for cls in REPLIES]
    events = [f"| 0x{byte:02x} | `{cls.__name__}` | {fields_of(cls)} |" for byte, cls in EVENTS.items()]
    meanings = [
        f"| `{word.__name__}` | {', '.join(f'{int(member)} {member.name}' for member in word.__members__.values())} |"
        for word in WORDS
    ]
    return requests + replies + events + meanings


@pytest.mark.parametrize("row", rows())
def test_the_page_has_the_row(row: str) -> None:
    assert row in PAGE.splitlines(), f"docs/protocol.md lacks this row:\n{row}"


def test_the_page_has_no_row_too_many() -> None:
    tabled = [line for line in PAGE.splitlines() if re.match(r"\| (0x\w\w \| )?`[A-Z]", line)]
    assert sorted(tabled) == sorted(rows())


@pytest.mark.parametrize("cls", [*REQUESTS.values(), *REPLIES, *EVENTS.values()])
def test_every_message_has_an_example_that_runs(cls: type[Message]) -> None:
    assert re.search(rf"^(>>>|\.\.\.) .*\b{cls.__name__}\(", PAGE, re.MULTILINE)


def test_the_event_head_is_that_of_every_event() -> None:
    assert all(cls.names[:4] == HEAD and cls.layout.format.startswith("<IIIQ") for cls in EVENTS.values())
    assert "`boot_id` u32, `event_id` u32, `command_id` u32, `at_us` u64" in PAGE


@pytest.mark.parametrize(
    "number",
    [
        f"{messages.BAUD:,} baud".replace(",", " "),
        f"at most {messages.PAYLOAD_MAX} bytes",
        f"{events.EVENT_RESEND_US // 1000} ms",
        f"{session.RTO_FIRST_US // 1000} ms",
        f"{session.RTO_MAX_US // 1_000_000} s",
        f"at most {session.WINDOW} requests",
    ],
)
def test_the_numbers_are_those_of_the_code(number: str) -> None:
    assert number in PAGE


def test_the_table_of_reconcile_is_that_of_the_module() -> None:
    advices = {advice.__name__ for advice in reconcile.Advice.__args__}
    table = PAGE[PAGE.index("## After a break") :]
    assert advices == set(re.findall(r"`([A-Z]\w+)`", table)) & advices
