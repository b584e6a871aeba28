"""Keep a club's tables: who sits where, who waits, who gives way when a rubber is over, by the laws of the register.

Without an action it shows the tables; behind each name stands how many rubbers he has played there in a row. What is
told is written down at once, with a number in place of each player's name; the names stand in a file beside it, and
--erase takes one out of there for good.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.argument_types import log_file
from controller.counts import counted
from controller.exit_status import DONE, FAULT, WRONG_USE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from controller.register_file import Kept
    from controller.rulings import Ruling

LONGEST_NAME: Final = 60
"""Longest name of a player or a table, in characters."""

_WRITTEN: Final = "What was told is written down, and must not be told again: pone table shows the tables."

_EPILOG: Final = """\
an evening:
  pone table join ann bob cid dot     four take their places at table 1
  pone table wait eve                 a fifth wants to play
  pone table rubber                   the rubber is over: who must cut?
  pone table cut ann KS               ann cuts the king of spades, and so on for the others
  pone table substitute eve --for bob --consent ann cid dot
  pone table wait dot --at 1          dot, who sits at table 2, wants to come to table 1
  pone table break-up ann             ann breaks up the table
  pone laws table                     the laws by which all this is decided

exit status: 0 done, 1 the file cannot be used, 2 wrong use or impossible
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions and arguments of `pone table`."""
    parser.epilog = _EPILOG
    parser.set_defaults(action="", file=None, json=False)
    common = _common_arguments()
    _add_common(parser)
    parser.add_argument("--erase", metavar="NAME", help="take a player's name out of the file of names, for good")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action")

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=summary, description=summary, parents=[common])

    join = action("join", "players take places at a table")
    wait = action("wait", "players want places at a table")
    form = action("form", "the candidates for a new table make it up now")
    leave = action("leave", "players leave their tables, or wait no longer")
    rubber = action("rubber", "a rubber is over")
    cut = action("cut", "a player shows the card that he cut")
    substitute = action("substitute", "a player stands in for one who is away until the rubber is over")
    break_up = action("break-up", "a player breaks up his table")
    for one in (join, wait):
        one.add_argument("players", metavar="NAME", nargs="+", help="a player's name; a new one is given a number")
    leave.add_argument("players", metavar="NAME", nargs="+", help="who leaves")
    for one in (join, wait, form, rubber):
        one.add_argument("--at", metavar="TABLE", default="1", help="the table's name (default: 1)")
    cut.add_argument("player", metavar="NAME", help="who cut")
    cut.add_argument("cards", metavar="CARD", nargs="+", help="what he shows, as in 7C or TD; J1 and J2 are Jokers")
    substitute.add_argument("player", metavar="NAME", help="who plays in his place")
    substitute.add_argument("--for", metavar="NAME", dest="absent", required=True, help="who is away")
    substitute.add_argument("--consent", metavar="NAME", nargs="+", default=[], help="which of the others consent")
    break_up.add_argument("player", metavar="NAME", help="who breaks it up")


def _common_arguments() -> argparse.ArgumentParser:
    """Return the arguments that may stand behind an action as well as before it."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    _add_common(common)
    return common


def _add_common(parser: argparse.ArgumentParser) -> None:
    kept = argparse.SUPPRESS
    parser.add_argument(
        "--file", metavar="FILE", type=log_file, default=kept, help="the register (default: in the user's data folder)"
    )
    parser.add_argument("--json", action="store_true", default=kept, help="rulings and tables as JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Do what was asked, write it down, and show the tables; return the exit status."""
    from controller.data_folder import default_register
    from controller.errors import LogError, StreamError

    path = args.file or default_register()
    if args.erase is not None and args.action:
        return _complain("give either an action or --erase")
    try:
        if args.erase is not None:
            return _erase(path, args.erase)
        return _act(path, args) if args.action else _show_kept(path, as_json=args.json)
    except LogError as error:
        _complain(str(error))
        return FAULT
    except (_Unusable, StreamError) as error:
        return _complain(str(error))


class _Unusable(Exception):
    """What was said cannot be written down; its message says why."""


def _complain(message: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"pone table: {message}\n")
    return WRONG_USE


# What is said.


def _act(path: Path, args: argparse.Namespace) -> int:
    from controller import register_file
    from controller.errors import OutputLost

    with register_file.writing(path):
        kept = register_file.read(path)
        people = _People(kept)
        facts = _facts(args, people)
        said = _heard(kept, facts, people.names)
        if people.names != kept.names:
            register_file.write_names(path, people.names)
        register_file.append(path, kept, facts)
    if kept.torn:
        _complain(f"the last line of {path} was not whole, as after a loss of power: it was taken away")
    try:
        _show(kept, said, people.names, as_json=args.json)
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_WRITTEN) from None
    except OutputLost as lost:
        raise OutputLost(lost.number, lost.reason, _WRITTEN) from None
    return DONE


class _People:
    """Names become numbers here.

    Attributes:
        names: the names that are known, by number, those among them that are new.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._free = kept.free_ids()
        self.names = dict(kept.names)

    def known(self, name: str) -> str:
        """Return the number of a player who has been named before."""
        player = self._kept.id_of(name)
        if player is None:
            known = ", ".join(sorted(self.names.values())) or "nobody"
            raise _Unusable(f"there is no player {name!r}; known: {known}")
        return player

    def named(self, name: str) -> str:
        """Return the number of a player, who may be new."""
        from controller.register_file import folded

        player = self._kept.id_of(name)
        new = (number for number, known in self.names.items() if folded(known) == folded(name))
        if player is not None or (player := next(new, None)) is not None:
            return player
        self.names[number := next(self._free)] = _checked(name)
        return number


def _checked(name: str) -> str:
    """Return what can be the name of a player or of a table."""
    from controller.register_file import ID, folded

    if ID.fullmatch(folded(name)):
        raise _Unusable(f"{name!r} is how the record calls a player, and can be no name")
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise _Unusable(f"{name!r:.80} cannot be a name: it needs 1 to {LONGEST_NAME} characters that can be printed")
    if name != name.strip() or "," in name:
        raise _Unusable(f"{name!r} cannot be a name: names stand apart by blanks, and have no comma and no blank ends")
    return name


def _checked_table(name: str) -> str:
    """Return what can be the name of a table; a player's number in it would be shown as that player."""
    from controller.register_file import ID

    if re.search(rf"\b{ID.pattern}\b", _checked(name)):
        raise _Unusable(f"{name!r} cannot be the name of a table: there is a player's number in it")
    return name


def _facts(args: argparse.Namespace, people: _People) -> list[dict[str, Any]]:
    """Return what an action says, as facts."""
    match args.action:
        case "join" | "wait":
            fact = {"join": "joined", "wait": "candidate"}[args.action]
            table = _checked_table(args.at)
            return [{"fact": fact, "player": people.named(name), "table": table} for name in args.players]
        case "leave":
            return [{"fact": "left", "player": people.known(name)} for name in args.players]
        case "form" | "rubber":
            fact = {"form": "formed", "rubber": "rubber_ended"}[args.action]
            return [{"fact": fact, "table": _checked_table(args.at)}]
        case "cut":
            return [{"fact": "drawn", "by": people.known(args.player), "cards": args.cards}]
        case "substitute":
            consent = [people.known(name) for name in args.consent]
            absent = people.known(args.absent)
            return [{"fact": "substitute", "player": people.named(args.player), "for": absent, "consent": consent}]
        case _:
            return [{"fact": "broke_up", "by": people.known(args.player)}]


def _heard(kept: Kept, facts: list[dict[str, Any]], names: Mapping[str, str]) -> list[Ruling]:
    """Let the register hear facts, and return its rulings; nothing is written of what is impossible."""
    from controller.errors import StreamError
    from controller.facts import DealOpened, parse_fact

    said: list[Ruling] = []
    if not kept.lines:
        kept.register.hear(DealOpened(code="table"), 1)
    for line, fact in enumerate(facts, max(kept.lines, 1) + 1):
        before = kept.register.state()
        if fact["fact"] == "rubber_ended" and (reason := kept.register.not_begun(fact["table"])) is not None:
            raise _Unusable(_with_names(reason, names))
        try:
            ruled = kept.register.hear(parse_fact(fact, line=line), line)
        except StreamError as error:
            raise _Unusable(_with_names(error.reason, names)) from error
        if not ruled and kept.register.state() == before:
            raise _Unusable(_with_names(_nothing_new(fact, before), names))
        said += ruled
    return said


def _nothing_new(fact: dict[str, Any], state: dict[str, Any]) -> str:
    """Return why a fact changes nothing at the tables, which were so before."""
    waiting = [
        player for table in state["tables"] for player in table["waiting"] if table["table"] == fact.get("table")
    ]
    match fact["fact"]:
        case "joined" | "candidate" if fact["player"] in waiting:
            return f"{fact['player']} waits for table {fact['table']} already"
        case "joined" | "candidate":
            return f"{fact['player']} has a place at table {fact['table']} already"
        case "formed" if waiting:
            return f"table {fact['table']} has no place for those who wait until a rubber is over"
        case "formed":
            return f"nobody waits for table {fact['table']}"
        case "left":
            return f"{fact['player']} has no place at any table and waits for none"
    to_cut = [player for table in state["tables"] if table["cut"] for player in table["cut"]["to_draw"]]
    return f"{fact['by']} is not to cut now; to cut: {', '.join(to_cut) or 'nobody'}"


def _erase(path: Path, name: str) -> int:
    from controller import register_file

    with register_file.writing(path):
        kept = register_file.read(path)
        player = kept.id_of(name)
        if player not in kept.names:
            raise _Unusable(f"no name {name!r} is kept")
        register_file.write_names(path, {other: known for other, known in kept.names.items() if other != player})
    sys.stdout.write(f"The name is erased; the record goes on with {player}.\n")
    return DONE


# What is shown.


def _show_kept(path: Path, *, as_json: bool) -> int:
    from controller import register_file

    kept = register_file.read(path)
    _show(kept, [], kept.names, as_json=as_json)
    return DONE


def _show(kept: Kept, said: list[Ruling], names: Mapping[str, str], *, as_json: bool) -> None:
    import json

    from controller.rulings import to_json

    state = kept.register.state()
    if as_json:
        lines = [*(to_json(ruling) for ruling in said), state | {"names": names}]
        sys.stdout.writelines(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        return
    lines_said = [_with_names(str(ruling), names) for ruling in said]
    tables = [_with_names(text, names) for table in state["tables"] for text in _table_text(table)]
    rights = [_with_names(_right_text(right), names) for right in state["prior_rights"]]
    if ranked := kept.register.seats_cut:
        lines_said.append(_with_names(f"Cut for seats, the lowest first: {', '.join(ranked)}.", names))
    shown = [*lines_said, *tables, *rights] or ["Nobody sits at a table. Begin with: pone table join NAME..."]
    sys.stdout.writelines(f"{text}\n" for text in shown)


def _table_text(table: dict[str, Any]) -> list[str]:
    """Return a table in words: who sits, with the rubbers each has played in a row, who waits and who must cut."""
    from controller.laws.table import TABLE

    seats = [
        f"{seat['player']} ({seat['games']}{', ' + seat['substitute'] + ' plays' if 'substitute' in seat else ''})"
        for seat in table["seated"]
    ]
    name = table["table"]
    if not seats:
        waiting = ", ".join(table["waiting"])
        return [f"Table {name} is not made up; waiting for it: {waiting}. To make it up: pone table form --at {name}"]
    free = TABLE.seats - len(seats)
    left = f"; {counted(free, 'place')} free" if free else ""
    lines = [f"Table {name}, {counted(table['rubbers'], 'rubber')} played: {', '.join(seats)}{left}."]
    if table["waiting"]:
        lines.append(f"  waiting: {', '.join(table['waiting'])}")
    if table["cut"] and table["cut"]["to_draw"]:
        purpose = {"seats": "seats", "giving_way": "who gives way", "coming_in": "who comes in"}[table["cut"]["for"]]
        lines.append(f"  to cut for {purpose}: {', '.join(table['cut']['to_draw'])}")
    return lines


def _right_text(right: dict[str, Any]) -> str:
    at = "any table" if right["table"] is None else f"table {right['table']}"
    return f"{right['player']} has a prior right at {at}."


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names that are known in place of numbers."""
    from controller.register_file import ID

    return re.sub(rf"\b{ID.pattern}\b", lambda found: names.get(found[0], found[0]), text)
