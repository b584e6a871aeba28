"""Where a user's deal log, his register of tables and his enrolled decks live unless he names other places."""

from __future__ import annotations

from pathlib import Path


def default_log() -> Path:
    """Return the deal log in the user's data folder, `deals.sqlite`; the folder may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("pone") / "deals.sqlite"


def default_register() -> Path:
    """Return the register of tables in the user's data folder, `tables.jsonl`; the folder may not exist yet."""
    return default_log().with_name("tables.jsonl")


def default_decks() -> Path:
    """Return the folder of enrolled decks in the user's data folder, `decks`; it may not exist yet."""
    return default_log().with_name("decks")
