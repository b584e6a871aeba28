"""Writes `docs/faults.md` from the list of incidents: `python -m controller.faults_doc [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from controller.drawn_files import write_or_compare
from controller.incident import CardPlace, Clearer, Incident, Recovery
from controller.incidents import INCIDENTS

DOC: Final = Path("docs/faults.md")

_HEAD: Final = """\
# Faults

Made from `controller/incidents.py` and `controller/machine_incidents.py` by `python -m controller.faults_doc`;
`make check` compares. The record carries a fault's code in the fact `machine_fault`.

"""


def render() -> str:
    """Return the page."""
    rows = ["| code | named by | recovery | card | cleared by |", "|---|---|---|---|---|"]
    rows += [
        f"| [`{incident.code}`](#{incident.code}) | {_named_by(incident)} | {incident.recovery.name.lower()} "
        f"| {incident.card.name.lower().replace('_', ' ')} | {incident.cleared_by.value} |"
        for incident in INCIDENTS.values()
    ]
    words = ["## Recoveries", "", *(f"- *{recovery.name.lower()}*: {recovery.value}." for recovery in Recovery)]
    words += ["", "## Where the card under way lies", ""]
    words += [f"- *{place.name.lower().replace('_', ' ')}*: {place.value}." for place in CardPlace]
    each = [line for incident in INCIDENTS.values() for line in _section(incident)]
    return _HEAD + "\n".join([*rows, "", *words, "", "## Each fault", "", *each])


def _named_by(incident: Incident) -> str:
    """Return who finds the fault."""
    return "the controller" if incident.of is None else f"the machine, `{incident.of.name}`"


def _section(incident: Incident) -> list[str]:
    """Return the lines on one fault."""
    cleared = "" if incident.cleared_by is Clearer.NOBODY else f"; {incident.cleared_by.value} clears it"
    panel = " The panel asks for it." if incident.on_panel else ""
    return [
        f"### {incident.code}",
        "",
        incident.sentence.format(k="*k*"),
        "",
        f"- Still trusted: {incident.trusted}.",
        f"- The card under way is {incident.card.value}.",
        f"- At the table: {incident.at_table}.",
        f"- Then: {incident.recovery.value}{cleared}.",
        f"- Next step: {incident.next_step}{panel}",
        "",
    ]


def main() -> int:
    """Write the page, or with `--check` compare it; return the exit status."""
    return write_or_compare({DOC: render}, by="controller.faults_doc")


if __name__ == "__main__":
    sys.exit(main())
