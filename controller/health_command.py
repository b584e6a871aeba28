"""Say how well the eye reads over the deals of a log: worn cards, light, focus, drift, and how often it erred.

Only deals that are over count; what the cards of an open one were read as is sealed.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Final

from controller.argument_types import positive
from controller.exit_status import DONE, FAULT
from vision.files import named_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from controller.acts import Line
    from controller.deal_reader import DealReader
    from controller.findings import Finding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone health`."""
    parser.epilog = "exit status: 0 nothing need be done, 1 something should be, or a fault, 2 wrong use"
    parser.add_argument(
        "log", metavar="LOG", nargs="?", type=named_path, help="the deal log (default: the one in your data folder)"
    )
    parser.add_argument(
        "--since", metavar="N", type=positive, default=1, help="count from deal N on, as of a new pack (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print how the eye does; return the exit status."""
    from controller.errors import ControllerError
    from controller.findings import Level
    from controller.health import as_json, health_of
    from controller.health_findings import findings
    from controller.record_command import open_log

    try:
        with open_log(args) as log:
            health = health_of(closed_deals(log, since=args.since))
    except ControllerError as error:
        sys.stderr.write(f"pone health: {error}\n")
        return FAULT
    found = findings(health)
    if args.json:
        said = as_json(health) | {"findings": [one.as_json() for one in found]}
        sys.stdout.write(json.dumps(said, separators=(",", ":")) + "\n")
    else:
        sys.stdout.write("".join(map(_lines, found)))
    return DONE if all(one.level is Level.OK for one in found) else FAULT


def closed_deals(log: DealReader, *, since: int = 1) -> Iterator[tuple[int, list[Line]]]:
    """Yield number and lines of every deal that is over, from deal `since` on.

    Raises:
        controller.errors.LogError: the log cannot be read, or is damaged, or does not go so far.
    """
    last = log.last()
    if since > max(last, 1):
        raise log.no_such(since)
    for number in range(since, last + 1):
        summary, lines = log.deal(number)
        if summary.status != "open":
            yield number, lines


_WIDTH: Final = 10
"""Column of what a finding is about."""


def _lines(found: Finding) -> str:
    step = f"{'':<{_WIDTH + 7}}-> {found.step}\n" if found.step else ""
    return f"{found.level.value:<5}  {found.about:<{_WIDTH}}{found.says}\n{step}"
