"""Files that are drawn from what the code declares: written, or with `--check` compared with what stands there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path


def write_or_compare(drawn: Mapping[Path, Callable[[], str]], *, by: str) -> int:
    """Write files anew, or with `--check` among the arguments name those that are stale; return the exit status.

    Args:
        drawn: the files, each with what draws it.
        by: the module that is run for it.
    """
    stale = [(file, text) for file, draw in drawn.items() if _held(file) != (text := draw())]
    if "--check" in sys.argv[1:]:
        for file, _ in stale:
            sys.stderr.write(f"{file} is stale: run python -m {by}\n")
        return int(bool(stale))
    for file, text in stale:
        file.write_text(text, encoding="utf-8")
    return 0


def _held(file: Path) -> str:
    """Return what a file holds now; nothing where it is not there."""
    return file.read_text(encoding="utf-8") if file.exists() else ""
