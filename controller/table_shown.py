"""What `pone table` shows: rulings, then the tables, who waits and who has a prior right, with names for numbers."""

from __future__ import annotations

import json
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any

from controller.counts import counted
from controller.laws.table import TABLE
from controller.register_file import ID
from controller.rulings import GivesWay, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from controller.register_file import Kept
    from controller.rulings import Ruling


def show(
    kept: Kept,
    said: list[Ruling],
    names: Mapping[str, str],
    *,
    as_json: bool,
    before: dict[str, Any] | None = None,
) -> None:
    """Show rulings, then the tables, and what became of them in silence since `before`."""
    state = kept.register.state()
    if as_json:
        lines = [*(to_json(ruling) for ruling in said), state | {"names": names}]
        sys.stdout.writelines(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        return
    lines_said = [with_names(text, names) for text in (*map(str, said), *_ended(before or state, state, said))]
    tables = [with_names(text, names) for table in state["tables"] for text in _table_text(table)]
    waiting = [player for table in state["tables"] for player in table["waiting"]]
    rights = [_right_text(right, names, waits=right["player"] in waiting) for right in state["prior_rights"]]
    if ranked := kept.register.seats_cut:
        lines_said.append(with_names(f"Cut for seats, the lowest first: {', '.join(ranked)}.", names))
    shown = [*lines_said, *tables, *rights] or ["Nobody sits at a table. Begin with: pone table join NAME..."]
    sys.stdout.writelines(f"{text}\n" for text in shown)


def _ended(before: dict[str, Any], after: dict[str, Any], said: Sequence[Ruling]) -> list[str]:
    """Return for whom substitutes play no more, where no ruling says so: he is back, or has left, or they have."""
    then, now = (
        {
            (seat["substitute"], seat["player"])
            for table in state["tables"]
            for seat in table["seated"]
            if "substitute" in seat
        }
        for state in (before, after)
    )
    told = {player for ruling in said if isinstance(ruling, GivesWay) for player in ruling.players}
    return [f"{by} plays for {player} no more." for by, player in sorted(then - now) if by not in told]


def _table_text(table: dict[str, Any]) -> list[str]:
    """Return a table in words: who sits, with the rubbers each has played in a row, who waits and who must cut."""
    seats = [
        f"{seat['player']} ({seat['games']}{', ' + seat['substitute'] + ' plays' if 'substitute' in seat else ''})"
        for seat in table["seated"]
    ]
    name = table["table"]
    if not seats:
        waiting = ", ".join(table["waiting"])
        how = f"To make it up: pone table form --at {shlex.quote(name)}"
        return [f"Table {name} is not made up; waiting for it: {waiting}. {how}"]
    free = TABLE.seats - len(seats)
    left = f"; {counted(free, 'place')} free" if free else ""
    lines = [f"Table {name}, {counted(table['rubbers'], 'rubber')} played: {', '.join(seats)}{left}."]
    if table["waiting"]:
        lines.append(f"  waiting: {', '.join(table['waiting'])}")
    if table["cut"] and table["cut"]["to_draw"]:
        purpose = {"seats": "seats", "giving_way": "who gives way", "coming_in": "who comes in"}[table["cut"]["for"]]
        lines.append(f"  to cut for {purpose}: {', '.join(table['cut']['to_draw'])}")
    return lines


def _right_text(right: dict[str, Any], names: Mapping[str, str], *, waits: bool) -> str:
    """Return a prior right in words, and how one who does not wait for a place makes use of it."""
    name = names.get(right["player"], right["player"])
    at = "any table" if right["table"] is None else f"table {right['table']}"
    if waits:
        return f"{name} has a prior right at {at}."
    which = "TABLE" if right["table"] is None else shlex.quote(right["table"])
    behind = "" if which == "1" else f" --at {which}"
    return f"{name} has a prior right at {at}, and waits for no place: pone table wait {shlex.quote(name)}{behind}"


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names that are known in place of numbers."""
    return re.sub(rf"\b{ID.pattern}\b", lambda found: names.get(found[0], found[0]), text)
