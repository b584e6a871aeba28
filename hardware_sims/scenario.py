"""Scenario files: which packs are laid in, what goes wrong, what the people do, and what must come of it.

A scenario is a TOML file; `hardware_sims/scenarios` holds examples. It lays a pack for every `[[deal]]`, in that order;
when they are used up, plain packs follow. The machine feeds from below a pack that lies face down: fed order begins
with the bottom card.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from hardware_sims.deeds import DealAct
from hardware_sims.errors import ScenarioError
from hardware_sims.exposures import ExposedCard, TableFit
from hardware_sims.faults import KINDS
from hardware_sims.files import read_whole
from hardware_sims.pack_faults import DuplicateCard, ExtraCard, ForeignCard, MissingCard, MixedPacks
from hardware_sims.plan import DealPlan, Expectation, MachineFit, PeopleAtTheTable, Scenario
from vision.cards import Card, Pack
from vision.files import plainly

_T = TypeVar("_T")
_Table = Mapping[str, Any]


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
        raise ScenarioError(name, "", "", f"cannot be read: {plainly(error)}") from error
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
    scenario = _read(Scenario, top, file, "", machine=_machine, people=_people, table=_fit, deal=_deals)
    if scenario.style or scenario.back:
        _check_drawn(scenario, file)
    return scenario


def _check_drawn(scenario: Scenario, file: str) -> None:
    """Refuse a style or back that nobody can draw."""
    from hardware_sims.packs import BACKS, PACK_STYLES  # numpy and OpenCV, for who names a pack only

    for key, name, known in (("style", scenario.style, PACK_STYLES), ("back", scenario.back, BACKS)):
        if name and name not in known:
            raise ScenarioError(file, "", key, f"expected one of {', '.join(known)}, found {_shown(name)}")


def _machine(value: Any, file: str, _: str) -> dict[str, object]:
    return {"machine": _read(MachineFit, _table(value, file, "machine"), file, "machine")}


def _people(value: Any, file: str, _: str) -> dict[str, object]:
    return {"people": _read(PeopleAtTheTable, _table(value, file, "people"), file, "people")}


def _fit(value: Any, file: str, _: str) -> dict[str, object]:
    return {"table": _read(TableFit, _table(value, file, "table"), file, "table")}


def _deals(value: Any, file: str, _: str) -> dict[str, object]:
    plans = []
    for count, entry in enumerate(_tables(value, file, "deal"), start=1):
        place = f"deal[{count}]"
        plan = _read(DealPlan, entry, file, place, fault=_faults, act=_acts, exposed=_exposed, expect=_expectation)
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


def _acts(value: Any, file: str, place: str) -> dict[str, object]:
    entries = enumerate(_tables(value, file, f"{place}.act"), start=1)
    return {"acts": tuple(_read(DealAct, entry, file, f"{place}.act[{count}]") for count, entry in entries)}


def _exposed(value: Any, file: str, place: str) -> dict[str, object]:
    entries = enumerate(_tables(value, file, f"{place}.exposed"), start=1)
    return {"exposed": tuple(_read(ExposedCard, entry, file, f"{place}.exposed[{count}]") for count, entry in entries)}


def _read(
    cls: Callable[..., _T],
    table: _Table,
    file: str,
    place: str,
    /,
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
    """Refuse an order that is no order, pack faults that do not fit the pack, and cuts of more than there is."""
    order = plan.order or Pack.of(plan.pack or 52).cards
    if len(set(order)) != len(order):
        twice = next(card for card in order if order.count(card) > 1)
        raise ScenarioError(file, place, "order", f"expected every card once, found {twice} twice: use duplicate_card")
    left, size = set(order), len(order)
    for count, fault in enumerate(plan.faults, start=1):
        inner = f"{place}.fault[{count}]"
        match fault:
            case MissingCard() | DuplicateCard() | ForeignCard():
                _check_pack_fault(fault, left, file, inner)
                size -= isinstance(fault, MissingCard)
            case ExtraCard():
                size += 1
            case MixedPacks(cards=cards) if 2 * cards > size:
                raise ScenarioError(file, inner, "cards", f"expected at most half of the {size} cards, found {cards}")
            case _:
                pass
    for key, cuts in (("cut", (plan.cut or 0,)), ("fresh_cuts", plan.fresh_cuts)):
        if max(cuts, default=0) > size:
            raise ScenarioError(file, place, key, f"expected at most the {size} cards of the pack, found {max(cuts)}")


def _check_pack_fault(fault: MissingCard | DuplicateCard | ForeignCard, left: set[Card], file: str, place: str) -> None:
    """Refuse a fault that does not fit the cards `left` in the pack; take out the card it does away with."""
    key, gone = ("card", fault.card) if isinstance(fault, MissingCard) else ("instead_of", fault.instead_of)
    if gone not in left:
        raise ScenarioError(file, place, key, f"expected a card of the pack, found {gone}")
    left.remove(gone)
    if isinstance(fault, DuplicateCard) and fault.card not in left:
        raise ScenarioError(file, place, "card", f"expected another card of the pack, found {fault.card}")
    if isinstance(fault, ForeignCard) and fault.card in left:
        raise ScenarioError(file, place, "card", f"expected a card that is not in the pack, found {fault.card}")
