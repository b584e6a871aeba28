"""The facts of a deal that the judge hears, one frozen type each, and the strict reader and writer of all facts.

Names, fields and defaults are those of the record's public contract; a field named by a Python keyword ends in an
underscore here.

>>> parse_fact({"fact": "dealt", "to": "W", "k": 1}, line=4)
Dealt(t_us=None, to=<Seat.W: 'W'>, k=1, count=1, face='down', card=None)
>>> to_json(Dealt(to=Seat.W, k=3, count=2, t_us=5))
{'fact': 'dealt', 'to': 'W', 'k': 3, 'count': 2, 't_us': 5}
"""

from __future__ import annotations

from typing import Any, Literal

import controller.carried_facts  # noqa: F401  declares the facts that the judge passes over
from controller.fact_forms import Fact, declare, parse_fact, to_json
from controller.fact_kinds import Natural, Positive
from controller.house import House
from controller.table import Seat
from vision.cards import Card

__all__ = ["Fact", "parse_fact", "to_json"]

Act = Literal["shuffle", "cut", "deal", "new_packs"]
Claim = Literal["new_deal", "misdeal", "reshuffle", "fresh_cut", "stop", "bar", "stand", "other"]
SeatOrMachine = Seat | Literal["machine"]
Finder = Seat | Literal["machine", "director"]


@declare
class DealOpened(Fact):
    """A deal begins; `dealer` is the seat whose deal it is by rotation.

    `misdeals` counts the deals of this dealer just before that were misdealt; `laws` is the text of a club's own code.
    """

    code: str
    dealer: Seat | None = None
    pack: Literal[52, 32, 33, 24, 25] | None = None
    pattern: Literal["2-3", "3-2", "singles"] | None = None
    number: Natural | None = None
    misdeals: Natural = 0
    laws: str | None = None
    house: House = House()

    def complaint(self) -> tuple[str, str] | None:
        """Return what is wrong where the dealer is missing, or given to the register of the table."""
        if (self.code == "table") == (self.dealer is None):
            return None
        return "dealer", "the register of the table has none" if self.dealer else "a deal needs it: a seat N, E, S or W"


@declare
class Shuffled(Fact):
    """The pack, or the other pack, was shuffled."""

    by: SeatOrMachine
    face_seen: bool = False
    below_table: bool = False
    by_piles: bool = False
    other_pack: bool = False


@declare
class Collected(Fact):
    """The used pack was gathered."""

    by: Seat


@declare
class Placed(Fact):
    """The gathered pack was laid beside the next dealer."""

    left_of: Seat


@declare
class Presented(Fact):
    """The pack was offered to be cut."""

    face_seen: bool = False


@declare
class Cut(Fact):
    """The packets were separated and reunited; `top`, `bottom` and `tolerance` are numbers of cards."""

    by: Seat
    top: Natural
    bottom: Natural
    tolerance: Natural = 0
    exposed: bool = False
    confused: bool = False
    doubt: bool = False


@declare
class Asked(Fact):
    """A player wants to do this now, for himself or for another."""

    by: Seat
    act: Act
    for_: Seat | None = None


@declare
class Permitted(Fact):
    """A member of the other side gives leave for the act just asked."""

    by: Seat
    act: Act


@declare
class DealingBegan(Fact):
    """The first card is about to fall."""

    by: Seat
    pack_used: Literal["right", "adversaries"] = "right"
    cut_omitted: bool = False


@declare
class Dealt(Fact):
    """Cards fell to a seat; `k` are delivered when this line is done, `count` of them together."""

    to: Seat
    k: Positive
    count: Positive = 1
    face: Literal["down", "up"] = "down"
    card: Card | None = None


@declare
class Faced(Fact):
    """The `k`-th card of the dealing order was found face up in the pack."""

    k: Positive
    card: Card | None = None


@declare
class Exposed(Fact):
    """A face was seen, before, during or after the deal; `told_by` is who says so, where the camera did not see it."""

    card: Card | None = None
    by: SeatOrMachine | None = None
    where: Literal["on", "above", "below"] = "on"
    owner: Seat | None = None
    told_by: Seat | None = None


@declare
class Corrected(Fact):
    """The dealer put an error right: every card now lies as the rotation wants."""

    cards_moved: Positive


@declare
class Turned(Fact):
    """The trump card was turned up before a seat, by default the dealer's."""

    card: Card
    to: Seat | None = None


@declare
class LaidFaceDown(Fact):
    """The last card went face down on that packet."""

    on: Seat


@declare
class Touched(Fact):
    """A player touched dealt cards."""

    seat: Seat


@declare
class Looked(Fact):
    """A player looked at a face."""

    seat: Seat
    at: Literal["own", "trump", "pack"] = "own"


@declare
class Counted(Fact):
    """The dealer handled cards to count them, or for another reason."""

    what: Literal["table", "stock"]
    purpose: Literal["count", "other"] = "count"


@declare
class Interrupted(Fact):
    """An adversary interrupted the dealer."""

    by: Seat
    about: Literal["score", "turn", "other"]
    upheld: bool


@declare
class TakenUp(Fact):
    """A player took up a hand: his own, or that of another."""

    by: Seat
    of: Seat


@declare
class HandCounted(Fact):
    """A hand's size was proved: cards received in the deal, played ones included."""

    seat: Seat
    count: Natural
    cause: Seat | None = None


@declare
class PackProved(Fact):
    """An audit ended."""

    state: Literal["perfect", "imperfect", "incorrect"]
    missing: tuple[Card, ...] = ()
    duplicate: tuple[Card, ...] = ()
    foreign: tuple[Card, ...] = ()


@declare
class CardDamaged(Fact):
    """A card is torn or marked."""

    card: Card


@declare
class MachineFault(Fact):
    """Jam, double feed, power loss …: never by itself a fault at the table."""

    code: str
    k: Natural | None = None


@declare
class DealCompleted(Fact):
    """The last card lies as the code wants it."""


@declare
class Declared(Fact):
    """Trump was named."""

    seat: Seat
    what: str | None = None


@declare
class Called(Fact):
    """A bid or call was made."""

    seat: Seat
    what: str
    correcting: bool = False


@declare
class Remarked(Fact):
    """Words were said that the law punishes."""

    by: Seat
    what: Literal["at_the_bridge"]


@declare
class Led(Fact):
    """The first card of the hand was played."""

    seat: Seat


@declare
class Played(Fact):
    """A card was played."""

    seat: Seat


@declare
class Quitted(Fact):
    """A trick was turned and quitted; tricks are numbered from 1."""

    trick: Positive


@declare
class HandEnded(Fact):
    """The result is settled."""


@declare
class NextDealt(Fact):
    """Cards of the next deal were dealt."""


@declare
class Found(Fact):
    """Somebody draws attention to an error."""

    what: Literal["out_of_turn", "wrong_pack", "cut_omitted", "short_hand", "long_hand", "bad_pack", "missed_trick"]
    by: Finder
    seat: Seat | None = None


@declare
class Claimed(Fact):
    """A seat uses, or tries to use, a right."""

    by: Seat
    what: Claim


@declare
class Waived(Fact):
    """A seat lets its right go."""

    by: Seat


@declare
class Consulted(Fact):
    """Partners consulted about a penalty."""

    side: Literal["NS", "EW"]


@declare
class TimeGiven(Fact):
    """The reasonable time of a seat has run out."""

    to: Seat


@declare
class Director(Fact):
    """The director's answer to a question of the judge, or a ruling of his own."""

    decides: Literal["attribution", "time", "cure", "order", "cards", "policy"]
    seat: Seat | None = None
    value: Any = None
