"""Writes `docs/laws.md` and `controller/house.toml`: `python -m controller.laws_doc [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from controller.drawn_files import write_or_compare
from controller.law_pages import document, house_text

WRITTEN: Final = {Path("docs/laws.md"): document, Path("controller/house.toml"): house_text}
"""What is drawn from the declared laws and settings, and by what."""


def main() -> int:
    """Write the files, or with `--check` compare them; return the exit status."""
    return write_or_compare(WRITTEN, by="controller.laws_doc")


if __name__ == "__main__":
    sys.exit(main())
