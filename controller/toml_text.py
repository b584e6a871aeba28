"""TOML that somebody wrote by hand: what it holds, or one sentence on why it cannot be read. Pure."""

from __future__ import annotations

import tomllib
from typing import Any


class NoToml(ValueError):
    """A text is no TOML, or none that can be read; its message says why."""


def parsed(text: str) -> dict[str, Any]:
    """Return what a text of TOML holds.

    Raises:
        NoToml: it is none, or is nested too deeply, or holds a number too long to be read.

    >>> parsed("grace_s = 5")
    {'grace_s': 5}
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise NoToml("it is nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        raise NoToml(f"it is no TOML: {error}") from error
    except ValueError as error:  # the parser lets through what Python says of a number with thousands of digits
        raise NoToml("there is a number in it that is too long") from error
