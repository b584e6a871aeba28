"""Draws `docs/scenarios.md` from the scenario format: `python -m hardware_sims.scenarios_doc [--check]`."""

from __future__ import annotations

import sys
from dataclasses import MISSING, Field, fields
from enum import Enum
from pathlib import Path
from typing import Any, Final

from hardware_sims.deeds import SEAT_ACTS, DealAct
from hardware_sims.exposures import ExposedCard, TableFit
from hardware_sims.faults import KINDS
from hardware_sims.plan import DealPlan, Expectation, MachineFit, PeopleAtTheTable, Scenario
from hardware_sims.scenario import shipped_scenarios

DOC: Final = Path("docs/scenarios.md")

_HEAD: Final = """\
# Scenario files

Drawn from `hardware_sims/plan.py`, `deeds.py`, `exposures.py` and the modules of faults by
`python -m hardware_sims.scenarios_doc`; `make check` compares the two.

A scenario is a TOML file. It lays a pack in for every `[[deal]]`, in that order; when they are used up, plain packs
follow. Use it with `pone deal --machine "sim://?scenario=FILE"` or `pone sim --pty --scenario FILE`; FILE may be a name
of `pone sim --list-scenarios`. The seed of the URL or of `--seed` goes before that of the file; without any, the
system draws one. What the machine lacks can also be said in the URL, `sim://?lacks=shelves,touch`, or by `--lacks`.

`[deal.expect]` says what must come of a deal. `pone deal` does not look at it: the project's tests play every shipped
scenario and hold it to that.
"""

_ACTS: Final = (
    "What somebody does unasked, `after_ms` after a moment, as the timed faults below: a phase of passage `at`; the "
    "beginning of a shelf pass (`pass`), the cut being asked for (`offer`) and the beginning of homing (`home`), which "
    "`at` counts since the pack was laid in; or just that (`loaded`). With `says`: "
    + "; ".join(f"`{deed.value}`, one of {', '.join(words)}" for deed, (_, words) in SEAT_ACTS.items() if words)
    + ".\n"
)


_EXPOSED: Final = (
    "A face that comes to light and is there for `for_ms`, when passage `at` is over or at another moment, as above. "
    "Only the camera over the table sees it: `pone deal --table-camera simtable:`. In the account of the pack the card "
    "stays where it is.\n"
)


def render() -> str:
    """Return the page."""
    parts = [
        _HEAD,
        "## The file",
        _table(Scenario),
        "## `[machine]`",
        _table(MachineFit),
        "## `[people]`",
        _table(PeopleAtTheTable),
        "## `[table]`",
        "As the camera over it sees it.\n",
        _table(TableFit),
    ]
    parts += ["## `[[deal]]`", _table(DealPlan), "## `[deal.expect]`", _table(Expectation)]
    parts += ["## `[[deal.act]]`", _ACTS, _table(DealAct)]
    parts += ["## `[[deal.exposed]]`", _EXPOSED, _table(ExposedCard)]
    parts += [
        "## `[[deal.fault]]`",
        "`at` counts the passages since the pack was laid in, from 1; two cards that stick together are one.\n",
    ]
    for kind, cls in KINDS.items():
        says = " ".join((cls.__doc__ or "").split())
        parts += [f'### `kind = "{kind}"`', says + "\n", _table(cls)]
    parts += ["## What is shipped", "| name | title |\n|---|---|"]
    parts[-1] += "".join(f"\n| `{name}` | {title} |" for name, title in shipped_scenarios().items())
    return "\n".join(parts) + "\n"


def _table(cls: type[Any]) -> str:
    """Return the keys of a table that a class reads."""
    rows = [_row(item) for item in fields(cls) if "read" in item.metadata]
    return "\n".join(["| key | value | default |", "|---|---|---|", *rows]) + "\n"


def _row(item: Field[Any]) -> str:
    """Return the row of one key."""
    expected = item.metadata["read"].expected.replace("|", "\\|")
    return f"| `{item.name}` | {expected} | {_default(item.default)} |"


def _default(value: object) -> str:
    """Return a default as a reader of TOML writes it; nothing where the key must be given."""
    if value is MISSING:
        return "must be given"
    if value in ("", (), None):
        return ""
    word = value.value if isinstance(value, Enum) and isinstance(value.value, str) else getattr(value, "name", value)
    return f"`{word}`".lower()


def main() -> int:
    """Write the page, or with `--check` compare it; return the exit status."""
    page = render()
    if "--check" in sys.argv[1:]:
        if DOC.exists() and DOC.read_text(encoding="utf-8") == page:
            return 0
        sys.stderr.write(f"{DOC} is stale: run python -m hardware_sims.scenarios_doc\n")
        return 1
    DOC.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
