"""Draws `docs/states.md` from the transition table: `python -m controller.states_doc [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from controller.drawn_files import write_or_compare
from controller.states import ACTIVE, TRANSITIONS, DealMachine, DealState

DOC: Final = Path("docs/states.md")

_HEAD: Final = """\
# The states of a deal

Drawn from `controller/states.py` by `python -m controller.states_doc`; `make check` compares the two.

A halt is latched: from *halted* the only way on is to acknowledge it and then to home the machine.

"""


def render() -> str:
    """Return the page."""
    rows = [
        (trigger, source, dest)
        for trigger, sources, dest in TRANSITIONS
        for source in (sources if isinstance(sources, tuple) else (sources,))
    ]
    drawing = ["```mermaid", "stateDiagram-v2", f"    [*] --> {DealState.AWAITING_PACK.name}"]
    drawing += [f"    {source.name} --> {dest.name}: {trigger}" for trigger, source, dest in rows]
    drawing += [f"    {DealState.ENDED.name} --> [*]", "```"]
    states = ["| state | what it means |", "|---|---|"]
    states += [f"| `{state.name}` | {state.value}{'; can halt' if state in ACTIVE else ''} |" for state in DealState]
    triggers = ["| trigger | when |", "|---|---|"]
    for trigger in dict.fromkeys(trigger for trigger, _, _ in rows):
        triggers.append(f"| `{trigger}` | {getattr(DealMachine, trigger).__doc__} |")
    return _HEAD + "\n".join([*drawing, "", *states, "", *triggers, ""])


def main() -> int:
    """Write the page, or with `--check` compare it; return the exit status."""
    return write_or_compare({DOC: render}, by="controller.states_doc")


if __name__ == "__main__":
    sys.exit(main())
