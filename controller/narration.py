"""The lines of a record as plain sentences, one an event; never the face of a card that is dealt face down. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from controller.counts import counted
from controller.incidents import INCIDENTS, OF_FIRMWARE
from controller.laws import KNOWN
from controller.rulings import spoken
from controller.table import Seat, seat_name
from firmware_bridge.words import Asked, FaultCode, Tray
from vision.cards import Card

if TYPE_CHECKING:
    from controller.acts import AskPeople, Line

_QUESTIONS: Final = {
    Asked.LOAD_PACK: "Collect the cards, shuffle, and lay the pack in the hopper.",
    Asked.CUT: "The pone cuts the pack; with leave of the other side his partner may do it for him.",
    Asked.NAME_CARD: "Name the card that lies face up: it was not read.",
    Asked.COUNT_PACK: "Count the pack: trays, path, hopper, and under the table.",
    Asked.CLEAR_PATH: "Take the cards out of the path and lay them aside.",
    Asked.RESHUFFLE: "Shuffle the pack again, and lay it in the hopper.",
    Asked.DECIDE: "The director decides: whose act it was, or whose deal it is; if neither is known, the deal goes on.",
}


def sentence(line: Line) -> str:
    """Return the line as a sentence, or an empty text where it says nothing to a person.

    >>> sentence({"fact": "dealt", "to": "W", "k": 5})
    'Card 5 to West.'
    """
    if "ruling" in line:
        return spoken(line)
    say = _SENTENCES.get(line["fact"])
    return "" if say is None else say(line)


@dataclass(slots=True)
class Narrator:
    """Says the lines of one run: the text of a law in full the first time, then by its number."""

    _told: set[str] = field(default_factory=set)

    def sentence(self, line: Line) -> str:
        """Return the line as a sentence, as the function of that name does.

        >>> narrator, line = Narrator(), {"ruling": "reshuffle", "law": "euchre 9a", "because": "If so, then so."}
        >>> narrator.sentence(line)
        'Shuffle again. Euchre 9a: If so, then so.'
        >>> narrator.sentence(line)
        'Shuffle again. Euchre 9a: as above (pone laws --why "euchre 9a").'
        """
        if "ruling" not in line:
            return sentence(line)
        why = line["because"]
        if why in self._told:
            return spoken(line | {"because": f"as above ({_where_it_is_read(line.get('law'))})."})
        self._told.add(why)
        return spoken(line)


def _where_it_is_read(law: str | None) -> str:
    """Return the command that reads out what a ruling rests on; of a club's own law only the club knows the file.

    >>> _where_it_is_read("whist 37-VI"), _where_it_is_read("tuesday_whist T1"), _where_it_is_read("euchre")
    ('pone laws --why "whist 37-VI"', 'pone laws FILE --why "T1"', 'pone laws euchre')
    """
    if not law:
        return "pone laws --house"
    code, _, number = law.partition(" ")
    if not number:
        return f"pone laws {code if code in KNOWN else 'FILE'}"
    return f'pone laws --why "{law}"' if code in KNOWN else f'pone laws FILE --why "{number}"'


def question(act: AskPeople) -> str:
    """Return what the panel asks of the people at the table, as a request.

    >>> from controller.acts import AskPeople
    >>> question(AskPeople(asked=Asked.MOVE_CARD, a=Tray.N, b=Tray.E))
    "Move the upper card of North's tray to East's tray."
    """
    if act.asked is Asked.MOVE_CARD:
        return f"Move the upper card of {_tray_name(act.a)} to {_tray_name(act.b)}."
    if act.asked is Asked.NOTHING and (code := OF_FIRMWARE.get(FaultCode(act.a))) is not None:
        return INCIDENTS[code].next_step
    if act.asked is Asked.REPLACE_TRAY:
        return f"Put {_tray_name(act.a)} back in its place."
    if act.asked is Asked.LOAD_PACK and act.a:
        return f"Collect the cards, shuffle, and lay the pack of {counted(act.a, 'card')} in the hopper."
    return _QUESTIONS.get(act.asked, "")


def _tray_name(tray: int) -> str:
    """Return the tray in words."""
    name = Tray(tray).name
    return f"{seat_name(name)}'s tray" if name in "NESW" else f"the {name.lower()} tray"


NOT_FOR_PLAY: Final = "Not for play."
"""What is said of a deal that a simulated machine made, or a seed."""


def _machine(line: Line) -> str:
    """Say which machine deals, and that the deal is not for play if it is not."""
    why = " and ".join(word for word in ("simulated", "seeded") if line[word])
    return f"Machine {line['serial']}" + (f", {why}. {NOT_FOR_PLAY}" if why else ".")


def _pack_proved(line: Line) -> str:
    """Say what is wrong with the pack, and which cards, where they are given."""
    found = [
        f"{what} {', '.join(Card.parse(card).name for card in line[what])}"
        for what in ("missing", "duplicate", "foreign")
        if isinstance(line.get(what), list) and line[what]
    ]
    return f"The pack is {line['state']}{': ' if found else ''}{'; '.join(found)}."


def _cut(line: Line) -> str:
    """Say how the pack was cut; packets that were weighed to within some cards have about so many."""
    about = "about " if line.get("tolerance") else ""
    return f"{seat_name(line['by'])} cuts: {about}{line['top']} above, {about}{line['bottom']} below."


def _seen(line: Line) -> str:
    """Say what was seen only where it was no plain card."""
    if line["state"] == "card":
        return ""
    why = f" ({line['reason']})" if isinstance(line.get("reason"), str) and line["reason"] else ""
    return f"Card {line['k']}: {line['state'].replace('_', ' ')}{why}."


def _doubted(line: Line) -> str:
    """Say which two cards are in doubt, and what to do; which card they were read as is nobody's yet."""
    both = f"cards {line['earlier']} and {line['k']}"
    return f"{both.capitalize()} were read as the same card, so both are in doubt: look at both when the deal is over."


def _fault(line: Line) -> str:
    """Say what went wrong with the machine or the eye."""
    incident = INCIDENTS.get(line["code"])
    if incident is None:
        return f"Machine fault {line['code']}."
    if line["code"] == "misfeed":
        return f"Card {line['k']} did not leave the hopper."
    return incident.say(line.get("k"))


_LOOKED: Final = {"own": "the own cards", "trump": "the trump card", "pack": "a card of the pack"}


def _agent(by: str) -> str:
    """Return whose act it was."""
    return {"machine": "The machine", "director": "The director"}.get(by) or seat_name(by)


def _exposed(line: Line) -> str:
    """Say that a face was seen, never which."""
    by = line.get("by")
    where = line.get("where", "on")
    return f"{_agent(by)} showed a face {where} the table." if by else f"A face was seen {where} the table."


_CUT_REPORTS: Final = {"exposed": "A face showed in the cut.", "confused": "The packets of the cut were mixed."}


def _turned(line: Line) -> str:
    """Say which card is trumps; it lies face up for all to see."""
    card = line["card"]
    named = Card.parse(card).name if isinstance(card, str) else "trump card"
    return f"The trump card is turned up before {seat_name(line['to'])}: the {named}."


def _dealt(line: Line) -> str:
    """Say where a card fell, or two."""
    if line.get("count", 1) > 1:
        return f"Cards {line['k'] - line['count'] + 1} and {line['k']} fell together, to {seat_name(line['to'])}."
    return f"Card {line['k']} to {seat_name(line['to'])}."


def _director(line: Line) -> str:
    """Say what the director decided; what a card is, or how many there are, only that people said it."""
    who, said = str(line.get("seat") or line.get("value")), "The director decides"
    named = seat_name(who) if who in Seat.__members__ else ""
    match line["decides"]:
        case "attribution" if named or who == "machine":
            return f"{said}: it was the act of {named or 'the machine'}."
        case "attribution":
            return f"{said}: nobody knows whose act it was."
        case "order":
            return f"{said}: {named or 'the same player'} deals."
        case "time":
            return f"{said}: the time of {named or 'all'} is over."
        case "cure":
            return f"{said}: it {'was' if line.get('value') is True else 'was not'} put right."
        case "cards":
            return "The people at the table said what the machine did not see."
    return f"{said}."


_SENTENCES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "deal_opened": lambda line: f"{line['code'].replace('_', ' ').capitalize()}: {seat_name(line['dealer'])} deals.",
    "machine": _machine,
    "draw_committed": lambda line: f"The shuffle is drawn: commitment {line['commitment'][:16]}.",
    "shuffled": lambda line: f"{_agent(line['by'])} shuffled the pack.",
    "exposed": _exposed,
    "claimed": lambda line: f"{seat_name(line['by'])} claims: {line['what'].replace('_', ' ')}.",
    "waived": lambda line: f"{seat_name(line['by'])} lets the right go.",
    "touched": lambda line: f"{seat_name(line['seat'])} touches cards.",
    "looked": lambda line: f"{seat_name(line['seat'])} looks at {_LOOKED[line.get('at', 'own')]}.",
    "taken_up": lambda line: f"{seat_name(line['by'])} takes up {seat_name(line['of'])}'s hand.",
    "permitted": lambda line: f"{seat_name(line['by'])} gives leave: {line['act'].replace('_', ' ')}.",
    "asked": lambda line: f"{seat_name(line['by'])} asks: {line['act'].replace('_', ' ')}.",
    "called": lambda line: f"{seat_name(line['seat'])}: {line['what'].replace('_', ' ')}.",
    "found": lambda line: f"{_agent(line['by'])} draws attention: {line['what'].replace('_', ' ')}.",
    "time_given": lambda line: f"{seat_name(line['to'])} has had reasonable time.",
    "card_damaged": lambda line: "A card is torn: replace it by agreement, or call for new packs.",
    "presented": lambda line: "The pack is offered to be cut.",
    "cut": _cut,
    "cut_reported": lambda line: _CUT_REPORTS[line["what"]],
    "cut_unweighed": lambda line: f"{seat_name(line['by'])} cuts.",
    "exposure_confirmed": lambda line: "A face on record was told of once more.",
    "dealing_began": lambda line: "Dealing begins.",
    "seen": _seen,
    "doubted": _doubted,
    "faced": lambda line: f"Card {line['k']} lies faced in the pack.",
    "dealt": _dealt,
    "turned": _turned,
    "machine_fault": _fault,
    "corrected": lambda line: "It was put right: every card lies as the rotation wants.",
    "pack_proved": _pack_proved,
    "director": _director,
    "acknowledged": lambda line: "The halt was acknowledged; the machine homes.",
    "resumed": lambda line: "The machine answers again.",
    "voided": lambda line: "The deal is void; the same player deals again.",
    "deal_completed": lambda line: "The deal is complete.",
}
