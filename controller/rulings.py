"""What the judge answers: one frozen type for every ruling of the record, its JSON form and its sentence."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from controller.counts import listed
from controller.fact_kinds import plain
from controller.table import Seat, seat_name
from vision.cards import Card, is_card

Until = Literal["next_card", "touch", "deal_completed", "trump_turned", "time", "lead", "hand_ended", "next_dealt"]
Lapse = Literal["touched", "looked", "time", "waived", "consulted", "wrong_claim", "completed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling.

    Attributes:
        name: the ruling's name in the record.
        law: the law it follows, as in *whist 37-VI*; None where only a policy speaks.
        policy: the house setting that it rests on, if any.
        on: line of the fact that caused it, from 1.
        because: the law as one plain sentence.
    """

    name: ClassVar[str]
    says: ClassVar[str]
    """The ruling in words, with its own fields in braces."""
    law: str | None
    policy: str | None = None
    on: int
    because: str

    def __str__(self) -> str:
        return spoken(to_json(self))


def to_json(ruling: Ruling) -> dict[str, Any]:
    """Return the JSON object of a ruling; fields without a value are left out."""
    line: dict[str, Any] = {"ruling": ruling.name}
    for name, key in _KEYS[ruling.name]:
        value = getattr(ruling, name)
        if value is not None:
            line[key] = plain(value)
    return line


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffle(Ruling):
    """The dealer shuffles again before going on."""

    name: ClassVar[str] = "reshuffle"
    says: ClassVar[str] = "Shuffle again."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReshuffleAndCut(Ruling):
    """The pack is shuffled and cut again before going on."""

    name: ClassVar[str] = "reshuffle_and_cut"
    says: ClassVar[str] = "Shuffle and cut again."


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshCut(Ruling):
    """The pack is cut again before going on."""

    name: ClassVar[str] = "fresh_cut"
    says: ClassVar[str] = "Cut again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Ruling):
    """The act or claim is not allowed."""

    name: ClassVar[str] = "refused"
    says: ClassVar[str] = "Refused: {act}."
    act: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectFirst(Ruling):
    """The machine holds until the error is put right; then the deal goes on."""

    name: ClassVar[str] = "correct_first"
    says: ClassVar[str] = "Put it right before going on."


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Ruling):
    """This deal stops; the rightful dealer deals, with the right pack."""

    name: ClassVar[str] = "stop"
    says: ClassVar[str] = "Stop. {dealer} deals, with the right pack."
    dealer: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeal(Ruling):
    """The same dealer deals again, after a shuffle and a cut."""

    name: ClassVar[str] = "new_deal"
    says: ClassVar[str] = "New deal: {dealer} deals again."
    dealer: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Void(Ruling):
    """The hand under way is void; earlier scores stand."""

    name: ClassVar[str] = "void"
    says: ClassVar[str] = "The hand is void, earlier scores stand: {dealer} deals again."
    dealer: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Ruling):
    """These seats may claim something, each for itself, at the latest until the end named."""

    name: ClassVar[str] = "option"
    says: ClassVar[str] = "{may} may claim: {what}."
    """Until when, the law's own sentence says; the record has no word for every moment that a law may name."""
    may: tuple[Seat, ...]
    what: str
    until: Until


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionClosed(Ruling):
    """A right to claim has lapsed."""

    name: ClassVar[str] = "option_closed"
    says: ClassVar[str] = "The right to claim has lapsed: {why}."
    why: Lapse


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdeal(Ruling):
    """The deal is lost, or dealt again by the same player and by which law."""

    name: ClassVar[str] = "misdeal"
    says: ClassVar[str] = "Misdeal: {dealer} deals next."
    lost: bool
    dealer: Seat
    saved_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stands(Ruling):
    """The deal or act stands good."""

    name: ClassVar[str] = "stands"
    says: ClassVar[str] = "It stands."
    next_dealer: Seat | None = None
    liable: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCallable(Ruling):
    """The card that was seen cannot be called as an exposed card."""

    name: ClassVar[str] = "not_callable"
    says: ClassVar[str] = "Not to be called: {card}."
    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTo(Ruling):
    """These seats may see the card."""

    name: ClassVar[str] = "show_to"
    says: ClassVar[str] = "Show it to {seats}."
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Barred(Ruling):
    """These seats may no longer do something."""

    name: ClassVar[str] = "barred"
    says: ClassVar[str] = "{seats} may no longer {from_}."
    seats: tuple[Seat, ...]
    from_: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDirector(Ruling):
    """The code is silent, or a fact is missing that only people know."""

    name: ClassVar[str] = "ask_director"
    says: ClassVar[str] = "Ask the director: {why}."
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _AboutPlayers(Ruling):
    """A ruling on the register of the table; players are ids."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutAgain(_AboutPlayers):
    """These players cut again for seats or turn."""

    name: ClassVar[str] = "cut_again"
    says: ClassVar[str] = "To cut: {players}."


@dataclass(frozen=True, slots=True, kw_only=True)
class GivesWay(_AboutPlayers):
    """These players give way to those who wait."""

    name: ClassVar[str] = "gives_way"
    says: ClassVar[str] = "Giving way: {players}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted(_AboutPlayers):
    """These players take a place."""

    name: ClassVar[str] = "admitted"
    says: ClassVar[str] = "Admitted: {players}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorRight(_AboutPlayers):
    """A player keeps or loses a prior right to a place."""

    name: ClassVar[str] = "prior_right"
    says: ClassVar[str] = "{player} {lost} his prior right."
    player: str
    lost: bool


_KINDS: Final = {
    kind.name: kind
    for kind in globals().copy().values()
    if isinstance(kind, type) and issubclass(kind, Ruling) and "name" in vars(kind)
}


_COMMON: Final = frozenset({"law", "policy", "on", "because"})
_OWN_FIELDS: Final = {
    name: tuple(field.name for field in dataclasses.fields(kind) if field.name not in _COMMON)
    for name, kind in _KINDS.items()
}
_KEYS: Final = {
    name: tuple((field, field.rstrip("_")) for field in ("law", "policy", *own, "on", "because"))
    for name, own in _OWN_FIELDS.items()
}
"""The fields of every ruling in the order of the record, and their keys there."""


_DEEDS: Final = {
    act: f"to {act.replace('_', ' ')}" for act in ("shuffle", "cut", "deal", "pass", "assist", "order_up")
} | {"join": "to take a place", "substitute": "to name a substitute"}
"""What is refused, where it is something that one does and no thing that one claims."""


_LAPSED: Final[dict[Lapse, str]] = {
    "touched": "cards were touched",
    "looked": "a player looked at his cards",
    "time": "the time for it is over",
    "waived": "it was let go",
    "consulted": "partners consulted about it",
    "wrong_claim": "something else was claimed",
    "completed": "the moment is past up to which it lasted",
}
"""Why a right has lapsed, in words."""


_NOT_LOST: Final = "Misdeal, but the deal is not lost{law}: {dealer} deals again."
"""A misdeal that the same player deals again, by a law on misdeals or as the house decides."""


_BARRED_FROM: Final = {"privilege": "use the privilege of the trump card"}
"""What a seat is barred from, where its name is no verb."""


def spoken(line: dict[str, Any]) -> str:
    """Return a ruling of the record as one would say it at the table, with the law and why.

    >>> spoken({"ruling": "new_deal", "law": "whist 29-II", "dealer": "N", "on": 9, "because": "If so, then so."})
    'New deal: North deals again. Whist 29-II: If so, then so.'
    """
    kind = _KINDS[line["ruling"]]
    if kind is OptionClosed:
        line = line | {"why": _LAPSED[line["why"]]}
    elif kind is Barred:
        line = line | {"from": _BARRED_FROM.get(line["from"], line["from"])}
    fields = {name: _in_words(line.get(name.rstrip("_"))) for name in _OWN_FIELDS[kind.name]}
    if (deed := _DEEDS.get(line.get("act", ""))) is not None:
        fields["act"] = deed
    source = line["law"].replace("_", " ") if line.get("law") else f"house setting {line.get('policy')}"
    says = kind.says
    if kind is Misdeal and not line["lost"]:
        fields["law"], says = f" ({line['saved_by'].replace('_', ' ')})" if line.get("saved_by") else "", _NOT_LOST
    return f"{says.format_map(fields)} {source[0].upper()}{source[1:]}: {line['because']}"


def _in_words(value: object) -> str:
    """Return a field's value in words; a card that is sealed, or not given, is just a card.

    The one flag that is spoken is whether a right is lost.
    """
    if isinstance(value, bool):
        return "loses" if value else "keeps"
    if isinstance(value, list):
        return listed([_in_words(item) for item in value]) if value else "nobody"
    if not isinstance(value, str):
        return "the card"
    if value == "privilege":
        return "use the privilege"
    if value in Seat.__members__:
        return seat_name(value)
    return Card.parse(value).name if is_card(value) else value.replace("_", " ")
