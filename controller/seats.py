"""What people at the seats do and say: words of a machine's buttons, of a program or of a line of text, as facts. Pure.

A line of text names seat, verb and object, as in `N claim new_deal`; a number in front holds it back until that many
cards have been dealt, as in `20 N touch`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from controller.errors import SeatWordError
from controller.table import Seat
from firmware_bridge.words import Call, Claim, Report, SeatAct, TableAct, Who

if TYPE_CHECKING:
    from controller.acts import Line
    from firmware_bridge.events import SeatActed

_LOOKS: Final = ("own", "trump", "pack")
_BY: Final = tuple(who.name.lower() for who in Who)
_SEATS: Final = tuple(seat.value for seat in Seat)

_OBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "touch": (),
    "look": _LOOKS,
    "take_up": tuple(name.lower() for name in _SEATS),
    "claim": tuple(claim.name.lower() for claim in Claim),
    "waive": (),
    "permit": tuple(act.name.lower() for act in TableAct),
    "ask": tuple(act.name.lower() for act in TableAct),
    "call": tuple(call.name.lower() for call in Call),
    "report": tuple(report.name.lower() for report in Report),
}
"""The verbs, and what may stand behind each."""

_MEANING: Final = {
    "touch": "touches the cards in the own tray",
    "look": "looks at a face: the own cards (if nothing is said), the trump card or the pack",
    "take_up": "takes up a hand: that of the seat named",
    "claim": "uses a right",
    "waive": "lets every right go that is open to the seat",
    "permit": "gives leave for an act of the other side",
    "ask": "wants to do something",
    "call": "answers the trump card, euchre",
    "report": "reports what the machine cannot see; exposed_* and *_hand take whose: n e s w machine nobody_known",
}

_EXPOSED: Final = {
    Report.EXPOSED_ON: "on",
    Report.EXPOSED_ABOVE: "above",
    Report.EXPOSED_BELOW: "below",
}
_FOUND: Final = {
    Report.OUT_OF_TURN: "out_of_turn",
    Report.WRONG_PACK: "wrong_pack",
    Report.CUT_OMITTED: "cut_omitted",
    Report.SHORT_HAND: "short_hand",
    Report.LONG_HAND: "long_hand",
    Report.BAD_PACK: "bad_pack",
}
_OF_THE_CUT: Final = {Report.CUT_EXPOSED: "exposed", Report.CUT_CONFUSED: "confused"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWord:
    """One thing that somebody at a seat did or said.

    Attributes:
        seat: who.
        act: what kind of thing.
        what: as `SeatAct` says of the kind.
        who: whom a report is about, or whose hand is touched; else the seat itself.
        after: cards that must have been dealt before it counts; 0 for at once.
        at_us: when, on the machine's clock; None where no machine says it.
    """

    seat: Seat
    act: SeatAct
    what: int = 0
    who: Who
    after: int = 0
    at_us: int | None = None

    @property
    def of_the_cut(self) -> Line | None:
        """What the word puts on record while a cut is under way that it speaks of; None where it speaks of none."""
        what = _OF_THE_CUT.get(Report(self.what)) if self.act is SeatAct.REPORTED else None
        return None if what is None else self._timed({"fact": "cut_reported", "what": what, "by": self.seat.value})

    def fact(self) -> Line:
        """Return what the word puts on record.

        A report on the cut that comes when the packets are together again is a wish to have it made anew: the codes
        rule on that, and whist's footnote 53 says so.
        """
        return self._timed(self._fact())

    def _timed(self, line: Line) -> Line:
        """Return the line with the time, where that is known."""
        return line if self.at_us is None else line | {"t_us": self.at_us}

    def _fact(self) -> Line:
        seat = self.seat.value
        if self.act is SeatAct.REPORTED:
            return self._report(Report(self.what), seat)
        if self.act is SeatAct.TOUCHED and self.who.name != seat:
            return {"fact": "taken_up", "by": seat, "of": self.who.name}
        fact, agent, field = _FACTS[self.act]
        objects = _OBJECTS[_VERBS[self.act]]
        return {"fact": fact, agent: seat} | ({field: objects[self.what]} if field else {})

    def _report(self, report: Report, seat: str) -> Line:
        if report in _EXPOSED:
            by = {} if self.who is Who.NOBODY_KNOWN else {"by": _agent(self.who)}
            return {"fact": "exposed", "where": _EXPOSED[report]} | by | {"told_by": seat}
        if report in _OF_THE_CUT:
            return {"fact": "asked", "by": seat, "act": "cut"}
        about = {"seat": self.who.name} if report in (Report.SHORT_HAND, Report.LONG_HAND) else {}
        return {"fact": "found", "what": _FOUND[report], "by": seat} | (about if self.who.name in _SEATS else {})

    def __str__(self) -> str:
        verb, objects = _VERBS[self.act], _OBJECTS[_VERBS[self.act]]
        return " ".join((self.seat.value, verb, objects[self.what])) if objects else f"{self.seat.value} {verb}"


_VERBS: Final = {
    SeatAct.TOUCHED: "touch",
    SeatAct.LOOKED: "look",
    SeatAct.CLAIMED: "claim",
    SeatAct.WAIVED: "waive",
    SeatAct.PERMITTED: "permit",
    SeatAct.ASKED: "ask",
    SeatAct.CALLED: "call",
    SeatAct.REPORTED: "report",
}
_FACTS: Final = {
    SeatAct.TOUCHED: ("touched", "seat", ""),
    SeatAct.LOOKED: ("looked", "seat", "at"),
    SeatAct.CLAIMED: ("claimed", "by", "what"),
    SeatAct.WAIVED: ("waived", "by", ""),
    SeatAct.PERMITTED: ("permitted", "by", "act"),
    SeatAct.ASKED: ("asked", "by", "act"),
    SeatAct.CALLED: ("called", "seat", "what"),
}
"""The fact of each kind of act, and its fields for the seat and for what was done."""

_ACTS: Final = {verb: act for act, verb in _VERBS.items()}


def _agent(who: Who) -> str:
    """Return whose act an exposure is, as the record has it."""
    return "machine" if who is Who.MACHINE else who.name


def word_of(event: SeatActed) -> SeatWord | None:
    """Return what the machine says of a seat; None where its number means nothing with that kind of act."""
    what, objects = event.what, _OBJECTS[_VERBS[event.act]]
    if what >= max(len(objects), 1) or event.seat.name not in _SEATS:
        return None
    return SeatWord(seat=Seat(event.seat.name), act=event.act, what=what, who=event.who, at_us=event.at_us)


def parse_word(text: str, *, line: int) -> SeatWord:
    """Return the word that a line of text says.

    Args:
        text: as in `N claim new_deal`; letters may be small or capital.
        line: the line's number, from 1; an error names it.

    Raises:
        SeatWordError: the line says nothing that a seat can say.

    >>> str(parse_word("n claim new_deal", line=1)), parse_word("20 S touch", line=2).after
    ('N claim new_deal', 20)
    """
    words = text.lower().split()
    after = 0
    if words and words[0].isascii() and words[0].isdigit():
        after = int(words.pop(0))
    if not words or words[0].upper() not in _SEATS:
        raise SeatWordError(line, text, f"it begins with a seat: {' '.join(_SEATS)}")
    seat = Seat(words[0].upper())
    if len(words) < 2 or words[1] not in _OBJECTS:
        raise SeatWordError(line, text, f"behind the seat stands one of: {' '.join(_OBJECTS)}")
    verb, rest = words[1], words[2:]
    who = Who[seat.value]
    if verb == "take_up":
        whose = _choice(verb, rest, line, text)
        return SeatWord(seat=seat, act=SeatAct.TOUCHED, who=Who(whose), after=after)
    what = _choice(verb, rest[:1], line, text) if _OBJECTS[verb] and (rest or verb != "look") else 0
    rest = rest[1 if _OBJECTS[verb] else 0 :]
    if verb == "report" and rest:
        if rest[0] not in _BY:
            raise SeatWordError(line, text, f"whose act or hand: {' '.join(_BY)}")
        who = Who(_BY.index(rest.pop(0)))
    elif verb == "report" and Report(what) in _EXPOSED:
        who = Who.NOBODY_KNOWN
    if rest:
        raise SeatWordError(line, text, f"nothing may stand behind it, and {' '.join(rest)!r} does")
    return SeatWord(seat=seat, act=_ACTS[verb], what=what, who=who, after=after)


def _choice(verb: str, rest: list[str], line: int, text: str) -> int:
    """Return which of the verb's objects stands there."""
    objects = _OBJECTS[verb]
    if len(rest) != 1 or rest[0] not in objects:
        raise SeatWordError(line, text, f"behind {verb} stands one of: {' '.join(objects)}")
    return objects.index(rest[0])


def vocabulary() -> str:
    """Return the words that a line may say, a verb a line."""
    rows = []
    for verb, objects in _OBJECTS.items():
        rows.append(f"  SEAT {verb} {'|'.join(objects)}".rstrip())
        rows.append(f"      {_MEANING[verb]}")
    return "\n".join(rows)
