"""Where a user's deal log lives unless he names another file."""

from __future__ import annotations

from pathlib import Path


def default_log() -> Path:
    """Return the deal log in the user's data folder, `deals.sqlite`; the folder may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("pone") / "deals.sqlite"
