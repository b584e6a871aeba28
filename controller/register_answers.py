"""What each outcome of a law of the register makes of the tables, and the rulings that say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from controller import rulings
from controller.laws.table_words import Occasion, Outcome, TableLaw
from controller.register_state import Case, Cut, Player, Right
from controller.seat_draw import SeatDraw

if TYPE_CHECKING:
    from controller.register_club import Club

Answer = Callable[["Club", TableLaw, Case], None]

_ACTS: Final = {
    Occasion.PLACE_CUT_FOR: "join",
    Occasion.TABLE_FULL: "join",
    Occasion.SUBSTITUTE_NAMED: "substitute",
}
"""What is refused on an occasion."""


def _refuse(club: Club, law: TableLaw, case: Case) -> None:
    club.say(rulings.Refused, law, act=_ACTS[law.when])


def _admit_by_right(club: Club, law: TableLaw, case: Case) -> None:
    """Admit those whose right is better than that of the others; another law speaks of those of equal right."""
    table, free = case.table, club.free(case.table)
    coming: list[Player] = []
    left = 0
    for right in Right:
        equal = [player for player in table.waiting if player.right_at(table) is right]
        if len(equal) > free:
            left = free
            break
        coming += equal
        free -= len(equal)
    if coming:
        club.admit(law, table, coming)
    if left:
        club.apply(Occasion.EQUAL_RIGHT, case)


def _cut_to_come_in(club: Club, law: TableLaw, case: Case) -> None:
    table = case.table
    best = min(player.right_at(table) for player in table.waiting)
    equal = [player.name for player in table.waiting if player.right_at(table) is best]
    club.have_cut(Cut(draw=SeatDraw(equal, lowest=club.free(table)), law=law), table)


def _cut_to_give_way(club: Club, law: TableLaw, case: Case) -> None:
    """Have all of the table cut, or of those who have played equally many games; all go where all places are wanted."""
    seated, wanted = case.table.seated, club.wanted(case.table)
    most = max(player.games for player in seated)
    equal = [player for player in seated if law.when is not Occasion.EQUAL_GAMES or player.games == most]
    if len(equal) <= wanted:
        club.give_way(law, equal)
        return
    draw = SeatDraw((player.name for player in equal), lowest=len(equal) - wanted)
    club.have_cut(Cut(draw=draw, law=law, gives_way=True), case.table)


def _most_games_give_way(club: Club, law: TableLaw, case: Case) -> None:
    """Have those give way who have played most; another law speaks of those who have played equally many."""
    table = case.table
    leaving: list[Player] = []
    wanted = club.wanted(table)
    for games in sorted({player.games for player in table.seated}, reverse=True):
        equal = [player for player in table.seated if player.games == games]
        if len(leaving) + len(equal) > wanted:
            break
        leaving += equal
    if leaving:
        club.give_way(law, leaving)
    if club.wanted(table):
        club.apply(Occasion.EQUAL_GAMES, case)


def _gives_way_first(club: Club, law: TableLaw, case: Case) -> None:
    club.give_way(law, [case.who])


def _cut_again(club: Club, law: TableLaw, case: Case) -> None:
    club.say(rulings.CutAgain, law, players=case.cutters)


def _right_lost(club: Club, law: TableLaw, case: Case) -> None:
    case.who.home = case.table
    _say_right(club, law, case.who, lost=True)


def _right_kept(club: Club, law: TableLaw, case: Case) -> None:
    case.who.kept = True
    _say_right(club, law, case.who, lost=False)


def _prior_rights(club: Club, law: TableLaw, case: Case) -> None:
    for player in case.table.seated:
        if player is not case.player:
            player.displaced = True
            _say_right(club, law, player, lost=False)


def _say_right(club: Club, law: TableLaw, player: Player, *, lost: bool) -> None:
    club.say(rulings.PriorRight, law, players=(player.name,), player=player.name, lost=lost)


def _plays_for_him(club: Club, law: TableLaw, case: Case) -> None:
    """Let the substitute play; who has left keeps his place for the rubber."""
    table, player = case.table, case.who
    if player.seat is None:
        player.seat = table
        player.home = player.home or table
        table.seated.append(player)
    table.stand_ins[player] = case.stand_in
    club.say(rulings.Admitted, law, players=(case.stand_in,))


def _plays_no_more(club: Club, law: TableLaw, case: Case) -> None:
    club.say(rulings.GivesWay, law, players=(case.table.stand_ins.pop(case.who),))


ANSWERS: Final[dict[Outcome, Answer]] = {
    Outcome.REFUSED: _refuse,
    Outcome.ADMITTED_BY_RIGHT: _admit_by_right,
    Outcome.CUT_TO_COME_IN: _cut_to_come_in,
    Outcome.CUT_TO_GIVE_WAY: _cut_to_give_way,
    Outcome.MOST_GAMES_GIVE_WAY: _most_games_give_way,
    Outcome.GIVES_WAY_FIRST: _gives_way_first,
    Outcome.CUTS_AGAIN: _cut_again,
    Outcome.CUT_AGAIN: _cut_again,
    Outcome.RIGHT_LOST: _right_lost,
    Outcome.RIGHT_KEPT: _right_kept,
    Outcome.PLAYS_FOR_HIM: _plays_for_him,
    Outcome.PLAYS_NO_MORE: _plays_no_more,
    Outcome.PRIOR_RIGHTS: _prior_rights,
}
"""What is done for every outcome."""
