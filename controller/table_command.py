"""Keep a club's tables: who sits where, who waits, who gives way when a rubber is over, by the laws of the register.

Without an action it shows the tables; behind each name stands how many rubbers he has played there in a row. What is
told is written down at once, with a number in place of each player's name; the names stand in a file beside it, and
--erase takes one out of there for good. What is impossible or refused is not written down, nor is anything else that
the same command tells.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.argument_types import tables_file
from controller.counts import listed
from controller.exit_status import DONE, FAULT, WRONG_USE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from controller.register_file import Kept
    from controller.rulings import Refused, Ruling

LONGEST_NAME: Final = 60
"""Longest name of a player or a table, in characters."""

_BEGIN: Final = ("join", "wait")
"""Actions with which a register may begin."""

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

a mistake is not taken back: tell what puts it right, as leave after a join. Where nothing does, as after a rubber too
many, take its lines, the last of the register, out with an editor, before anything else is told.

exit status: 0 done, 1 the file cannot be used, 2 wrong use, impossible, or refused by the laws
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
        "--file",
        metavar="FILE",
        type=tables_file,
        default=kept,
        help="the register (default: in the user's data folder)",
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
        _find(args)
        if args.erase is not None:
            return _erase(path, args.erase)
        return _act(path, args) if args.action else _show_kept(path, as_json=args.json)
    except LogError as error:
        _complain(str(error))
        return FAULT
    except (_Unusable, StreamError) as error:
        return _complain(str(error))


def _find(args: argparse.Namespace) -> None:
    """Make sure that the register is there which the arguments name, unless the action may begin it.

    Raises:
        controller.errors.LogError: it is not.
    """
    from controller.errors import LogError

    if args.file is not None and args.action not in _BEGIN and not args.file.exists():
        raise LogError(str(args.file), "there is no such file", "Give the file of a register, or begin one with join.")


class _Unusable(Exception):
    """What was said cannot be written down; its message says why."""


def _complain(message: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"pone table: {message}\n")
    return WRONG_USE


# What is said.


def _act(path: Path, args: argparse.Namespace) -> int:
    from controller import register_file, table_shown
    from controller.errors import OutputLost

    with register_file.writing(path):
        kept = register_file.read(path)
        people = _People(kept)
        facts = _facts(args, people)
        before = kept.register.state()
        twice = [note for fact in facts if (note := _shown_twice(kept, fact, people.names))]
        said = _heard(kept, facts, people.names)
        if people.names != kept.names:
            register_file.write_names(path, people.names)
        register_file.append(path, kept, facts)
    for note in twice:
        _complain(note)
    if kept.torn:
        _complain(f"the last line of {path} was not whole, as after a loss of power: it was taken away")
    try:
        if not kept.lines and args.file and not args.json:
            sys.stdout.write(f"A new register begins: {path}\n")
        table_shown.show(kept, said, people.names, as_json=args.json, before=before)
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
        raise _Unusable(f"{name!r} cannot be a name: it may not have a comma, nor begin or end with a blank")
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
            players = _each_once(args.players, people.named)
            return [{"fact": fact, "player": player, "table": table} for player in players]
        case "leave":
            return [{"fact": "left", "player": player} for player in _each_once(args.players, people.known)]
        case "form" | "rubber":
            fact = {"form": "formed", "rubber": "rubber_ended"}[args.action]
            return [{"fact": fact, "table": _checked_table(args.at)}]
        case "cut":
            return [{"fact": "drawn", "by": people.known(args.player), "cards": _typed(args.cards)}]
        case "substitute":
            consent = [people.known(name) for name in args.consent]
            absent = people.known(args.absent)
            return [{"fact": "substitute", "player": people.named(args.player), "for": absent, "consent": consent}]
        case _:
            return [{"fact": "broke_up", "by": people.known(args.player)}]


def _typed(cards: Sequence[str]) -> list[str]:
    """Return cards as the record writes them."""
    from controller.typed_cards import typed_card
    from vision.cards import CardError

    try:
        return [str(typed_card(card)) for card in cards]
    except CardError as error:
        raise _Unusable(str(error)) from error


def _each_once(names: Sequence[str], number_of: Callable[[str], str]) -> list[str]:
    """Return the numbers of players who are named, none of them twice."""
    numbers = [number_of(name) for name in names]
    for place, number in enumerate(numbers):
        if number in numbers[:place]:
            raise _Unusable(f"{names[place]} is named twice")
    return numbers


def _heard(kept: Kept, facts: list[dict[str, Any]], names: Mapping[str, str]) -> list[Ruling]:
    """Let the register hear facts, and return its rulings; nothing is written of what is impossible or refused."""
    from controller.errors import StreamError
    from controller.facts import DealOpened, parse_fact
    from controller.rulings import Refused
    from controller.table_shown import with_names

    said: list[Ruling] = []
    refused: dict[str, list[str]] = {}
    if not kept.lines:
        kept.register.hear(DealOpened(code="table"), 1)
    for line, fact in enumerate(facts, max(kept.lines, 1) + 1):
        before = kept.register.state()
        if fact["fact"] == "rubber_ended" and (reason := kept.register.not_over(fact["table"])) is not None:
            raise _Unusable(with_names(reason, names))
        try:
            ruled = kept.register.hear(parse_fact(fact, line=line), line)
        except StreamError as error:
            raise _Unusable(with_names(error.reason, names)) from error
        if not ruled and kept.register.state() == before:
            raise _Unusable(with_names(_nothing_new(fact, before), names))
        for ruling in ruled:
            if isinstance(ruling, Refused):
                refused.setdefault(_why_refused(fact, ruling), []).append(fact["player"])
        said += ruled
    if refused:
        told = [f"{listed(players)} {why}" for why, players in refused.items()]
        raise _Unusable(with_names(" ".join((*told, "Nothing of it is written down.")), names))
    return said


def _shown_twice(kept: Kept, fact: dict[str, Any], names: Mapping[str, str]) -> str | None:
    """Return a note on a card that another shows in the same round of a cut; None where there is none to make."""
    from vision.cards import Card

    if fact["fact"] != "drawn" or len(fact["cards"]) != 1:
        return None
    card = Card.parse(fact["cards"][0])
    other = kept.register.shown_by(fact["by"], card)
    if other is None:
        return None
    both = f"{names.get(fact['by'], fact['by'])} and {names.get(other, other)} have both shown the {card.name}"
    return f"{both}, which one pack holds once. It is written down: no law speaks of it, and equal cards are cut again."


def _why_refused(fact: dict[str, Any], ruling: Refused) -> str:
    """Return what somebody cannot do, and by which law."""
    act = f"stand in for {fact['for']}" if fact["fact"] == "substitute" else f"take a place at table {fact['table']}"
    return f"cannot {act}. {str(ruling.law).capitalize()}: {ruling.because}"


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
        case "substitute":
            return f"{fact['player']} plays for {fact['for']} already"
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


def _show_kept(path: Path, *, as_json: bool) -> int:
    from controller import register_file, table_shown

    kept = register_file.read(path)
    table_shown.show(kept, [], kept.names, as_json=as_json)
    return DONE
