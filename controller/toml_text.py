"""A file of settings or of laws as text: the table that its TOML holds, or why it holds none. Pure."""

from __future__ import annotations

import tomllib
from typing import Any

from controller.fact_kinds import Unfit


def table_in(text: str) -> dict[str, Any]:
    """Return the table that a text holds.

    Raises:
        Unfit: it is no TOML, or none that can be read.

    >>> table_in('looked = "said"')
    {'looked': 'said'}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unfit("", f"it is no TOML: {error}") from error
    except RecursionError as error:
        raise Unfit("", "it is no TOML that can be read: it is nested too deeply") from error
    except ValueError as error:  # of `int`, which takes some thousands of digits and no more
        raise Unfit("", "it is no TOML that can be read: a number in it is too long") from error
