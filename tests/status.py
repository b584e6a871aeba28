"""The exit status that a command line of `pone` gives."""

from __future__ import annotations

from controller import cli


def status_of(*words: str) -> int:
    """Run `pone` with these words, in this process."""
    try:
        return cli.main(words)
    except SystemExit as end:
        return int(end.code or 0)
