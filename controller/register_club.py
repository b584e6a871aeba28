"""The laws of the register applied to a club's tables: who has a place, who waits, who comes in and who gives way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller import rulings
from controller.laws.table_words import Occasion, TableCode, TableLaw
from controller.register_answers import ANSWERS
from controller.register_state import Case, Cut, Player, Table, holds
from controller.rulings import Ruling
from controller.seat_draw import SeatDraw, fault_in
from vision.cards import Card


class Club:
    """The tables and players of a club before the law; rulings gather in `said`.

    Attributes:
        code: the laws.
        players: by their ids.
        tables: by their names.
        nowhere: where those cut who have no place and wait for none.
        line: line of the fact that is being heard.
        said: the rulings on that fact.
        ranked: the players as a cut for seats that the fact has ended ranks them, the lowest first.
    """

    __slots__ = ("_unsettled", "code", "line", "nowhere", "players", "ranked", "said", "tables")

    def __init__(self, code: TableCode) -> None:
        self.code = code
        self.players: dict[str, Player] = {}
        self.tables: dict[str, Table] = {}
        self.nowhere = Table(name="")
        self.line = 0
        self.said: list[Ruling] = []
        self.ranked: tuple[str, ...] = ()
        self._unsettled: dict[Table, None] = {}

    def player(self, name: str) -> Player:
        """Return the player of that id, who may be new."""
        return self.players.setdefault(name, Player(name=name))

    def table(self, name: str) -> Table:
        """Return the table of that name, which may be new."""
        return self.tables.setdefault(name, Table(name=name))

    # The law.

    def law_on(self, occasion: Occasion, case: Case) -> TableLaw | None:
        """Return the first law on an occasion that applies."""
        for law in self.code.on(occasion):
            barred = any(holds(bar, case) for bar in law.unless)
            if not barred and all(holds(held, case) for held in law.provided):
                return law
        return None

    def apply(self, occasion: Occasion, case: Case) -> None:
        """Do what the law on an occasion says must follow, if there is one."""
        if (law := self.law_on(occasion, case)) is not None:
            ANSWERS[law.remedy](self, law, case)

    def say(self, kind: type[Ruling], law: TableLaw, **fields: Any) -> None:
        """Give a ruling by a law on the fact that is being heard."""
        self.said.append(kind(law=law.citation, on=self.line, because=law.sentence, **fields))

    # Places.

    def free(self, table: Table) -> int:
        """Return how many places of a table are free."""
        return self.code.seats - len(table.seated)

    def wanted(self, table: Table) -> int:
        """Return how many places more than are free those want who wait for a table and have said so in time."""
        return max(0, min(len(table.waiting) - len(table.late), self.code.seats) - self.free(table))

    def sit(self, table: Table, player: Player) -> None:
        """Give a player a free place, and once the table is whole ask what that costs those who belong elsewhere."""
        self.vacate(player)
        self.wait(player, None)
        player.seat = table
        player.games = 0
        player.displaced = False
        player.home = player.home or table
        table.seated.append(player)
        table.cut = None
        if self.free(table):
            return
        cases = [Case(table=table, player=one) for one in table.seated if one.home is not table and not one.kept]
        found = [(self.law_on(Occasion.CUT_IN_ELSEWHERE, case), case) for case in cases]
        table.made_up = table.begun = True
        for one in table.seated:
            one.played = True
        for law, case in found:
            if law is not None:
                ANSWERS[law.remedy](self, law, case)

    def vacate(self, player: Player) -> None:
        """Take from a player the place that he may have."""
        table = player.seat
        if table is None:
            return
        table.seated.remove(player)
        table.stand_ins.pop(player, None)
        table.last_left = player
        if not table.undecided:
            table.cut = None
        player.seat = None
        player.kept = False
        if not table.seated and not table.rubber_over:
            table.begin_anew()
        self.unsettle(table)

    def wait(self, player: Player, table: Table | None) -> None:
        """Make a player a candidate for a table, in place of any other that he waits for."""
        old = player.waits
        if old is not None:
            old.waiting.remove(player)
            if old.undecided and player not in old.late:
                self.unsettle(old)
            old.late.discard(player)
        player.waits = table
        if table is not None:
            table.waiting.append(player)

    def give_way(self, law: TableLaw, players: Iterable[Player]) -> None:
        """Have players give up their places; they still belong to the table."""
        leaving = tuple(players)
        self.say(rulings.GivesWay, law, players=tuple(player.name for player in leaving))
        for player in leaving:
            self.vacate(player)

    def admit(self, law: TableLaw, table: Table, players: Iterable[Player]) -> None:
        """Give candidates the places for which they waited."""
        coming = tuple(players)
        self.say(rulings.Admitted, law, players=tuple(player.name for player in coming))
        for player in coming:
            self.sit(table, player)

    # Who gives way, and who comes in.

    def unsettle(self, table: Table) -> None:
        """Have it asked anew, when the fact has been heard, who gives way and who comes in at a table."""
        self._unsettled[table] = None

    def settle_all(self) -> None:
        """Settle every table at which something has changed."""
        while self._unsettled:
            self.settle(next(iter(self._unsettled)))

    def settle(self, table: Table, *, forming: bool = False) -> None:
        """Ask who gives way and who comes in at a table; in a cut for it that goes on, the cards that were cut stand.

        Args:
            table: which.
            forming: whether those who wait make up a table at which nobody has a place yet.
        """
        if table.undecided:
            table.cut, table.cut_before = None, table.cut
        forming = forming or table.rubber_over or bool(table.seated)
        if table.rubber_over:
            for player in [player for player in table.seated if player.returns][: self.wanted(table)]:
                self.apply(Occasion.RETURN_WAITED_FOR, Case(table=table, player=player))
            if self.wanted(table):
                self.apply(Occasion.OTHERS_WAIT, Case(table=table))
        table.rubber_over = table.undecided
        if forming and not table.rubber_over and table.waiting and self.free(table):
            self.apply(Occasion.CANDIDATES_WAIT, Case(table=table))
        table.cut_before = None
        if not table.undecided:
            table.late.clear()
        self._unsettled.pop(table, None)

    def have_cut(self, cut: Cut, table: Table) -> None:
        """Begin a cut, or go on with the one for the same purpose; it is decided where nobody is left to cut."""
        before, table.cut = table.cut_before, cut
        if before is not None and before.purpose == cut.purpose:
            cut.draw.take_over(before.draw)
        if not cut.draw.again():
            self._decide(table, cut)
        elif cut.law is not None:
            self.say(rulings.CutAgain, cut.law, players=cut.draw.again())

    # The cut.

    def draw(self, name: str, cards: tuple[Card, ...]) -> None:
        """Take a draw, and where it ends a cut do what follows; a draw that nobody asked for changes nothing."""
        table = self._table_of_cut(name)
        cut = table.cut
        if cut is None or name not in cut.draw.again():
            return
        if (fault := fault_in(cards)) is not None:
            self.apply(fault, Case(table=table, cutters=(name,)))
        if tied := cut.draw.drawn(name, cards):
            self.apply(Occasion.EQUAL_CARDS, Case(table=table, cutters=tied))
        if not cut.draw.again() and table is not self.nowhere:
            self._decide(table, cut)

    def _table_of_cut(self, name: str) -> Table:
        """Return the table at which a player cuts; a cut that no law asks for begins with the first draw."""
        for table in self.tables.values():
            if table.cut is not None and name in table.cut.draw.players:
                return table
        player = self.players.get(name, Player(name=name))
        if player.waits is not None and player.waits.cut is None:
            forming = player.waits
            self.settle(forming, forming=True)
            if forming.cut is not None:
                return forming
        if player.seat is not None:
            if player.seat.cut is None:
                player.seat.cut = Cut(draw=SeatDraw(one.name for one in player.seat.seated))
            return player.seat
        self._enter_loose_cut(name)
        return self.nowhere

    def _enter_loose_cut(self, name: str) -> None:
        """Let a player cut whom no table knows; who has drawn and is not asked to draw again begins a new cut."""
        cut = self.nowhere.cut
        if cut is None or (name in cut.draw.players and name not in cut.draw.again()):
            cut = self.nowhere.cut = Cut(draw=SeatDraw())
        cut.draw.enter(name)

    def _decide(self, table: Table, cut: Cut) -> None:
        """Do what a finished cut decides."""
        table.cut = None
        if cut.law is None:
            self.ranked = cut.draw.order()
            return
        order, lowest = cut.draw.order(), cut.draw.lowest
        chosen = set(order[lowest:] if cut.gives_way else order[:lowest])
        players = [self.players[name] for name in cut.draw.players if name in chosen]
        if cut.gives_way:
            table.rubber_over = False
            self.give_way(cut.law, players)
        else:
            self.admit(cut.law, table, players)
