"""Scenario files: which packs are laid in, what goes wrong, what the people do, and what must come of it.

A scenario is a TOML file; `hardware_sims/scenarios` holds examples. It lays a pack for every `[[deal]]`, in that order;
when they are used up, plain packs follow. The machine feeds from below a pack that lies face down: fed order begins
with the bottom card.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar

from firmware_bridge.words import Asked
from hardware_sims.errors import ScenarioError
from hardware_sims.faults import (
    CARD,
    KINDS,
    DuplicateCard,
    Fault,
    ForeignCard,
    MissingCard,
    PackFault,
    Reading,
    one_of,
    text,
    whole,
)
from hardware_sims.files import read_whole
from hardware_sims.seeded import Stream
from vision.cards import Card, Pack

_T = TypeVar("_T")
_Table = Mapping[str, Any]


def _list_of(item: Reading) -> Reading:
    def read(value: Any) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise TypeError(value)
        return tuple(item.read(entry) for entry in value)

    return Reading(f"a list, each of it {item.expected}", read)


_ANSWERABLE: Final = {asked.name.lower(): asked for asked in Asked if asked is not Asked.NOTHING}
_DELAY: Final = {"read": whole(0, 3_600_000)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleAtTheTable:
    """How long the people take for what the panel asks, ms, and what they never do."""

    load_ms: int = field(default=2_000, metadata=_DELAY)
    cut_ms: int = field(default=1_000, metadata=_DELAY)
    move_ms: int = field(default=3_000, metadata=_DELAY)
    clear_ms: int = field(default=3_000, metadata=_DELAY)
    name_ms: int = field(default=2_000, metadata=_DELAY)
    count_ms: int = field(default=10_000, metadata=_DELAY)
    silent: tuple[Asked, ...] = field(default=(), metadata={"read": _list_of(one_of(_ANSWERABLE))})

    def delay_us(self, asked: Asked) -> int | None:
        """Return how long they take to answer; None if they do not."""
        if asked in self.silent:
            return None
        delays = {
            Asked.LOAD_PACK: self.load_ms,
            Asked.CUT: self.cut_ms,
            Asked.MOVE_CARD: self.move_ms,
            Asked.CLEAR_PATH: self.clear_ms,
            Asked.NAME_CARD: self.name_ms,
            Asked.COUNT_PACK: self.count_ms,
        }
        return delays[asked] * 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What must come of a deal; empty texts are left open.

    Attributes:
        status: how the deal ends: completed, new_deal, misdeal or voided.
        ruling: a ruling the judge must give, as `correct_first`; empty means that nothing is demanded.
        law: the law it must cite, as `whist 37-VI`.
        fault: a fault of the machine that must be on record, as `jam_entry`.
    """

    status: str = field(
        default="",
        metadata={"read": one_of({w: w for w in ("completed", "new_deal", "misdeal", "voided")})},
    )
    ruling: str = field(default="", metadata={"read": text()})
    law: str = field(default="", metadata={"read": text()})
    fault: str = field(default="", metadata={"read": text()})


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPlan:
    """One pack that is laid in, and what happens to it.

    Attributes:
        order: the cards in fed order before the cut; empty for an order drawn from the seed.
        cut: how many cards the pone lifts off as the upper packet.
        cut_tolerance: how far the machine's count of the packets may be wrong, as the panel reports it.
        faults: what goes wrong.
        expect: what must come of it.
    """

    order: tuple[Card, ...] = field(default=(), metadata={"read": _list_of(CARD)})
    cut: int = field(default=26, metadata={"read": whole(0, 60)})
    cut_tolerance: int = field(default=0, metadata={"read": whole(0, 20)})
    faults: tuple[Fault, ...] = ()
    expect: Expectation = Expectation()

    def cards(self, stream: Stream) -> tuple[Card, ...]:
        """Return the cards of this pack in fed order before the cut, its imperfections included."""
        order = list(self.order) if self.order else stream.shuffled(Pack.of(52).cards)
        for fault in self.faults:
            match fault:
                case MissingCard(card=card):
                    order.remove(card)
                case DuplicateCard(card=card, instead_of=other) | ForeignCard(card=card, instead_of=other):
                    order[order.index(other)] = card
                case _:
                    pass
        return tuple(order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A whole scenario.

    Attributes:
        title: one line for people.
        seed: what everything random depends on; None where the file leaves it to the caller.
        style: the pack style of the faces; empty for the first one there is.
        back: the cards' back; empty for the first one there is.
        people: the people at the table.
        deals: the packs, in the order in which they are laid in.
    """

    title: str = field(default="", metadata={"read": text()})
    seed: int | None = field(default=None, metadata={"read": whole(0, 2**63 - 1)})
    style: str = field(default="", metadata={"read": text()})
    back: str = field(default="", metadata={"read": text()})
    people: PeopleAtTheTable = PeopleAtTheTable()
    deals: tuple[DealPlan, ...] = ()

    def deal(self, number: int) -> DealPlan:
        """Return the plan of a deal, counted from 1."""
        return self.deals[number - 1] if number <= len(self.deals) else DealPlan()


def shipped_scenarios() -> dict[str, str]:
    """Return the titles of the scenarios that come with the simulator, by name."""
    folder = resources.files("hardware_sims") / "scenarios"
    names = sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name: load_scenario(name).title for name in names}


def load_scenario(name: str) -> Scenario:
    """Return the scenario of a file, or of a name of `shipped_scenarios`.

    Raises:
        ScenarioError: there is none, or it says something impossible.
    """
    shipped = resources.files("hardware_sims") / "scenarios" / f"{name.removesuffix('.toml')}.toml"
    path = Path(name)
    try:
        if "/" not in name and not path.is_file() and shipped.is_file():
            return parse_scenario(shipped.read_text(encoding="utf-8"), name)
        return parse_scenario(read_whole(path).decode(), name)
    except FileNotFoundError as error:
        raise ScenarioError(name, "", "", "no such file, nor such a name in `pone sim --list-scenarios`") from error
    except OSError as error:
        raise ScenarioError(name, "", "", f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ScenarioError(name, "", "", f"cannot be read: byte {error.start + 1} is not UTF-8") from error


def parse_scenario(toml: str, file: str) -> Scenario:
    """Return the scenario that a TOML text holds; `file` is its name for messages.

    Raises:
        ScenarioError: the text is no TOML, or says something impossible.
    """
    try:
        top = tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(file, "", "", f"no TOML: {error}") from error
    except RecursionError as error:
        raise ScenarioError(file, "", "", "no TOML that can be read: it is nested too deeply") from error
    except ValueError as error:  # of `int`, which takes some thousands of digits and no more
        raise ScenarioError(file, "", "", "no TOML that can be read: a number in it is too long") from error
    scenario = _read(Scenario, top, file, "", people=_people, deal=_deals)
    if scenario.style or scenario.back:
        _check_drawn(scenario, file)
    return scenario


def _check_drawn(scenario: Scenario, file: str) -> None:
    """Refuse a style or back that nobody can draw."""
    from hardware_sims.packs import BACKS, PACK_STYLES  # numpy and OpenCV, for who names a pack only

    for key, name, known in (("style", scenario.style, PACK_STYLES), ("back", scenario.back, BACKS)):
        if name and name not in known:
            raise ScenarioError(file, "", key, f"expected one of {', '.join(known)}, found {_shown(name)}")


def _people(value: Any, file: str, _: str) -> dict[str, object]:
    return {"people": _read(PeopleAtTheTable, _table(value, file, "people"), file, "people")}


def _deals(value: Any, file: str, _: str) -> dict[str, object]:
    plans = []
    for count, entry in enumerate(_tables(value, file, "deal"), start=1):
        place = f"deal[{count}]"
        plan = _read(DealPlan, entry, file, place, fault=_faults, expect=_expectation)
        _check_pack(plan, file, place)
        plans.append(plan)
    return {"deals": tuple(plans)}


def _expectation(value: Any, file: str, place: str) -> dict[str, object]:
    inner = f"{place}.expect"
    return {"expect": _read(Expectation, _table(value, file, inner), file, inner)}


def _faults(value: Any, file: str, place: str) -> dict[str, object]:
    found = []
    for count, entry in enumerate(_tables(value, file, f"{place}.fault"), start=1):
        inner = f"{place}.fault[{count}]"
        kind = entry.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise ScenarioError(file, inner, "kind", f"expected one of {', '.join(KINDS)}, found {_shown(kind)}")
        found.append(_read(KINDS[kind], {k: v for k, v in entry.items() if k != "kind"}, file, inner))
    return {"faults": tuple(found)}


def _read(
    cls: Callable[..., _T],
    table: _Table,
    file: str,
    place: str,
    **inner: Callable[[Any, str, str], dict[str, object]],
) -> _T:
    """Return the dataclass that a table describes: plain keys by their fields' readings, tables by `inner`."""
    plain = {item.name: item for item in fields(cls) if "read" in item.metadata}  # type: ignore[arg-type]  # dataclasses
    values: dict[str, object] = {}
    for key, value in table.items():
        if key in inner:
            values |= inner[key](value, file, place)
        elif key in plain:
            reading = plain[key].metadata["read"]
            try:
                values[key] = reading.read(value)
            except (ValueError, TypeError) as error:
                raise ScenarioError(file, place, key, f"expected {reading.expected}, found {_shown(value)}") from error
        else:
            known = ", ".join([*plain, *inner])
            raise ScenarioError(file, place, key, f"no such key here: expected one of {known}")
    for name, item in plain.items():
        if name not in values and item.default is MISSING:
            raise ScenarioError(file, place, name, f"missing: expected {item.metadata['read'].expected}")
    try:
        return cls(**values)
    except ValueError as error:
        raise ScenarioError(file, place, "", str(error)) from error


def _shown(value: object) -> str:
    """Return a value as a message shows it."""
    try:
        return f"{value!r:.80}"
    except ValueError:  # a number in it has too many digits to be written in decimal
        return "a number that is too long"


def _table(value: Any, file: str, place: str) -> _Table:
    if not isinstance(value, dict):
        raise ScenarioError(file, place, "", f"expected a table, found {_shown(value)}")
    return value


def _tables(value: Any, file: str, place: str) -> list[_Table]:
    if not isinstance(value, list):
        raise ScenarioError(file, place, "", f"expected tables, each begun with [[{place.split('.')[-1]}]]")
    return [_table(entry, file, place) for entry in value]


def _check_pack(plan: DealPlan, file: str, place: str) -> None:
    """Refuse an order that is no order, and pack faults that do not fit the pack."""
    order = plan.order or Pack.of(52).cards
    if len(set(order)) != len(order):
        twice = next(card for card in order if order.count(card) > 1)
        raise ScenarioError(file, place, "order", f"expected every card once, found {twice} twice: use duplicate_card")
    left = set(order)
    for count, fault in enumerate(plan.faults, start=1):
        if isinstance(fault, (MissingCard, DuplicateCard, ForeignCard)):
            _check_pack_fault(fault, left, file, f"{place}.fault[{count}]")
    size = len(order) - sum(isinstance(fault, MissingCard) for fault in plan.faults)
    if plan.cut > size:
        raise ScenarioError(file, place, "cut", f"expected at most the {size} cards of the pack, found {plan.cut}")


def _check_pack_fault(fault: PackFault, left: set[Card], file: str, place: str) -> None:
    """Refuse a fault that does not fit the cards `left` in the pack; take out the card it does away with."""
    key, gone = ("card", fault.card) if isinstance(fault, MissingCard) else ("instead_of", fault.instead_of)
    if gone not in left:
        raise ScenarioError(file, place, key, f"expected a card of the pack, found {gone}")
    left.remove(gone)
    if isinstance(fault, DuplicateCard) and fault.card not in left:
        raise ScenarioError(file, place, "card", f"expected another card of the pack, found {fault.card}")
    if isinstance(fault, ForeignCard) and fault.card in left:
        raise ScenarioError(file, place, "card", f"expected a card that is not in the pack, found {fault.card}")
