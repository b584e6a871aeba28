"""Writes `docs/laws.md` from the declared laws: `python -m controller.laws_doc [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from controller.law_pages import document

DOC: Final = Path("docs/laws.md")


def main() -> int:
    """Write the page, or with `--check` compare it; return the exit status."""
    page = document()
    if "--check" in sys.argv[1:]:
        if DOC.exists() and DOC.read_text(encoding="utf-8") == page:
            return 0
        sys.stderr.write(f"{DOC} is stale: run python -m controller.laws_doc\n")
        return 1
    DOC.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
