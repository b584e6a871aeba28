"""Writes `docs/laws.md` and `controller/house.toml`: `python -m controller.laws_doc [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from controller.law_pages import document, house_text

WRITTEN: Final = {Path("docs/laws.md"): document, Path("controller/house.toml"): house_text}
"""What is drawn from the declared laws and settings, and by what."""


def main() -> int:
    """Write the files, or with `--check` compare them; return the exit status."""
    stale = [(file, text) for file, drawn in WRITTEN.items() if _held(file) != (text := drawn())]
    if "--check" in sys.argv[1:]:
        for file, _ in stale:
            sys.stderr.write(f"{file} is stale: run python -m controller.laws_doc\n")
        return int(bool(stale))
    for file, text in stale:
        file.write_text(text, encoding="utf-8")
    return 0


def _held(file: Path) -> str:
    """Return what a file holds now; nothing where it is not there."""
    return file.read_text(encoding="utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
