"""A club's own code of laws: read from a file of declared laws into the data that the judge applies.

The file is TOML. `name`, `title` and `book` say what it is; `based_on` names a code that it changes: clauses of numbers
under `remove` go, a number that the file declares replaces that of the code, and of several laws on one fault those of
the club come first. Every word of a law is a word of `controller.laws.words` in lower case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, Final, TypeVar

from controller import laws
from controller.club_check import complaints_of, complaints_of_laws
from controller.errors import ClubCodeError, CodeError
from controller.fact_kinds import Unfit, shown
from controller.house import is_setting, setting_complaint
from controller.laws.vocabulary import Code, Duty, Law, Setting
from controller.laws.words import Claimant, Completion, Condition, Fault, Party, Remedy, Window
from controller.table import SINGLES, SINGLY, SINGLY_BLIND, THREE_TWO, TWO_THREE, Pattern
from controller.toml_text import table_in
from vision.cards import PACK_SIZES

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

PATTERNS: Final[dict[str, Pattern]] = {
    "singly": SINGLY_BLIND,
    "singly_trump": SINGLY,
    "2-3": TWO_THREE,
    "3-2": THREE_TWO,
    "singles": SINGLES,
}
"""The ways a club's cards may be given out: 52 singly, the same with the last turned up, and the three of euchre."""

_LAW_WORDS: Final[dict[str, type[Enum]]] = {
    "when": Fault,
    "since": Window,
    "until": Window,
    "claimed_by": Party,
    "remedy": Remedy,
}
_LAW_LISTS: Final[dict[str, type[Enum]]] = {"provided": Condition, "unless": Condition, "claimants": Claimant}
_LAW_FIELDS: Final = ("number", *_LAW_WORDS, *_LAW_LISTS, "shown", "setting")
_NEEDED: Final = ("number", "when", "remedy")
_TEXTS: Final = ("name", "title", "book")
_DEALING: Final = ("packs", "patterns", "completion")
_FIELDS: Final = (
    *_TEXTS, "based_on", "remove", *_DEALING, "least_cut", "voids_in_play", "calls_first", "law", "duty",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCode:
    """A code of laws that somebody chose.

    Attributes:
        code: the code.
        text: the club's file that it was read from; None for one that is built in.
    """

    code: Code
    text: str | None = None


def code_of(opening: Mapping[str, Any]) -> Code:
    """Return the code of laws that a deal was opened under: one that is built in, or the club's whose text it holds.

    Raises:
        CodeError: the code is unknown, or the text is not in order, or another code's.
    """
    name, text = opening["code"], opening.get("laws")
    if text is None:
        return laws.code(name)
    code = read_code(text)
    if code.name != name:
        raise CodeError(name, f"the laws in the record are those of {code.name!r}, not of {name!r}")
    return code


@lru_cache(maxsize=32)
def read_code(text: str) -> Code:
    """Return the code that a file holds.

    Args:
        text: the file, TOML.

    Raises:
        ClubCodeError: something is wrong; it says everything that is.

    >>> code = read_code('''
    ... name = "tuesday_whist"
    ... title = "Whist on Tuesdays"
    ... book = "The club's minutes"
    ... based_on = "whist"
    ... [[law]]
    ... number = "30a"
    ... when = "card_exposed"
    ... until = "trump_turned"
    ... remedy = "new_deal"
    ... ''')
    >>> [law.citation for law in code.on(Fault.CARD_EXPOSED)]
    ['tuesday_whist 30a', 'tuesday_whist 30b', 'tuesday_whist 30c']
    """
    try:
        reader = _Reader(table_in(text))
    except Unfit as unfit:
        raise ClubCodeError((unfit.reason,)) from unfit
    code = reader.code()
    wrong = list(reader.wrong)
    if code is None:
        wrong += complaints_of_laws(reader.own)
    else:
        wrong += complaints_of(code, len(reader.own), whole=not wrong)
    if wrong or code is None:
        raise ClubCodeError(tuple(wrong))
    return code


class _Reader:
    """Reads one file, gathering what is wrong in place of stopping at the first of it.

    Attributes:
        wrong: what is wrong so far.
        own: the laws that the file declares.
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.wrong: list[str] = []
        self.own: list[Law] = []

    def code(self) -> Code | None:
        """Return the code, without what is wrong in it; None where too little is right."""
        raw = self._raw
        if raw and all(is_setting(key) for key in raw):
            self.wrong.append(
                "it holds settings of the house: name it with --house FILE; a code has name, title and book"
            )
            return None
        self._only("", raw, _FIELDS)
        based_on = self._base(raw.get("based_on"))
        for key in _TEXTS if "based_on" in raw else (*_TEXTS, *_DEALING):
            if key not in raw:
                self._complain("", key, "it is missing")
        self._name(raw.get("name"))
        self.own = [law for place, entry in enumerate(self._tables("law"), 1) if (law := self._law(entry, place))]
        duties = [duty for place, entry in enumerate(self._tables("duty"), 1) if (duty := self._duty(entry, place))]
        for number in _twice([duty.number for duty in duties]):
            self._complain(number, "number", "it is the number of two duties")
        fields = self._dealing() | {key: str(raw.get(key, "")) for key in _TEXTS}
        declared = {law.number for law in self.own} | {duty.number for duty in duties}
        replaced = self._removed(based_on) | declared
        if based_on is None:
            if "based_on" in raw:
                return None
            game = all(fields.get(key) for key in _DEALING)
            return Code(**fields, laws=tuple(self.own), duties=tuple(duties)) if game else None
        fields = {key: value for key, value in fields.items() if value not in ((), None)}
        return replace(
            based_on,
            **fields,
            based_on=based_on,
            laws=(*self.own, *(law for law in based_on.laws if law.number not in replaced)),
            duties=(*duties, *(duty for duty in based_on.duties if duty.number not in replaced)),
        )

    def _complain(self, law: str, key: str, reason: str) -> None:
        place = f"law {law}, {key}" if law else key
        self.wrong.append(f"{place}: {reason}")

    def _only(self, law: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
        if strange := [key for key in given if key not in known]:
            fields = "field" if len(strange) == 1 else "fields"
            self._complain(law, ", ".join(strange), f"no such {fields}; known are {', '.join(known)}")

    def _base(self, name: object) -> Code | None:
        if name is None:
            return None
        built = {code.name: code for code in laws.built()}
        if not isinstance(name, str) or name not in built:
            self._complain("", "based_on", f"no such code: {shown(name, 40)}; allowed: {', '.join(built)}")
            return None
        return built[name]

    def _name(self, name: object) -> None:
        if not isinstance(name, str) or "name" not in self._raw:
            return
        if not name.isascii() or not name.replace("_", "").isalnum() or name != name.lower():
            self._complain("", "name", f"{name!r} is not made of small letters, digits and underscores alone")
        elif name in laws.KNOWN:
            self._complain("", "name", f"{name!r} is the name of a printed code: choose another")

    def _removed(self, based_on: Code | None) -> set[str]:
        """Return the numbers that the file takes away."""
        numbers = self._list("", "remove", self._raw.get("remove", []))
        clauses: tuple[Law | Duty, ...] = (*based_on.laws, *based_on.duties) if based_on else ()
        known = [clause.number for clause in clauses]
        for number in numbers:
            if "based_on" not in self._raw:
                self._complain("", "remove", "there is no code that it is based on")
            elif based_on is not None and number not in known:
                self._complain("", "remove", f"{based_on.name} has no law {shown(number, 40)}")
        return {number for number in numbers if isinstance(number, str)}

    def _dealing(self) -> dict[str, Any]:
        """Return how the cards are dealt and cut, as far as the file says it."""
        raw, found = self._raw, dict[str, Any]()
        if "packs" in raw:
            packs = self._list("", "packs", raw["packs"])
            found["packs"] = self._all_of("packs", packs, PACK_SIZES)
        if "patterns" in raw:
            names = self._list("", "patterns", raw["patterns"])
            found["patterns"] = tuple(PATTERNS[name] for name in self._all_of("patterns", names, tuple(PATTERNS)))
        if "completion" in raw:
            found["completion"] = self._word("", "completion", raw["completion"], Completion)
        if "calls_first" in raw:
            found["calls_first"] = self._word("", "calls_first", raw["calls_first"], Party)
        self._plain("least_cut", raw, found, "a whole number from 1", lambda value: type(value) is int and value > 0)
        self._plain("voids_in_play", raw, found, "true or false", lambda value: type(value) is bool)
        for key in _TEXTS:
            self._plain(key, raw, {}, "a text of one line", _is_line)
        return found

    def _plain(
        self, key: str, raw: dict[str, Any], found: dict[str, Any], expected: str, fits: Callable[[object], bool]
    ) -> None:
        if key in raw and fits(raw[key]):
            found[key] = raw[key]
        elif key in raw:
            self._complain("", key, f"expected {expected}, got {shown(raw[key], 40)}")

    def _tables(self, key: str) -> list[dict[str, Any]]:
        tables = self._raw.get(key, [])
        if isinstance(tables, list) and all(isinstance(table, dict) for table in tables):
            return tables
        self._complain("", key, f"each one is a table of its own: write [[{key}]] above it")
        return []

    def _law(self, entry: dict[str, Any], place: int) -> Law | None:
        """Return one law of the file; None where something is wrong with it."""
        before, label = len(self.wrong), self._label("law", entry, place, _LAW_FIELDS, _NEEDED)
        fields: dict[str, Any] = {"number": label}
        for key, words in _LAW_WORDS.items():
            if key in entry:
                fields[key] = self._word(label, key, entry[key], words)
        for key, words in _LAW_LISTS.items():
            if key in entry:
                fields[key] = tuple(self._word(label, key, one, words) for one in self._list(label, key, entry[key]))
        if "shown" in entry:
            fields["shown"] = entry["shown"]
            if type(entry["shown"]) is not bool:
                self._complain(label, "shown", f"expected true or false, got {shown(entry['shown'], 40)}")
        if "setting" in entry:
            fields["setting"] = self._setting(label, entry["setting"])
        return Law(**fields) if len(self.wrong) == before else None

    def _duty(self, entry: dict[str, Any], place: int) -> Duty | None:
        before, label = len(self.wrong), self._label("duty", entry, place, ("number", "says"), ("number", "says"))
        if "says" in entry and not _is_line(entry["says"]):
            self._complain(label, "says", f"expected a sentence of one line, got {shown(entry['says'], 40)}")
        return Duty(number=label, says=entry["says"]) if len(self.wrong) == before else None

    def _label(
        self, kind: str, entry: dict[str, Any], place: int, known: tuple[str, ...], needed: tuple[str, ...]
    ) -> str:
        """Return the number of a clause, or its place in the file; complain of fields that it has not or should not."""
        number = entry.get("number")
        label = str(number) if _is_line(number) else f"({kind} {place} of the file)"
        self._only(label, entry, known)
        for key in needed:
            if key not in entry:
                self._complain(label, key, "it is missing")
        if "number" in entry and label != number:
            self._complain(label, "number", f'expected a text, as in "30a", got {shown(number, 40)}')
        return label

    def _setting(self, label: str, raw: object) -> Setting | None:
        if not isinstance(raw, dict) or set(raw) != {"key", "value"}:
            self._complain(label, "setting", 'expected a house setting, as in {key = "hand_cure", value = false}')
            return None
        if complaint := setting_complaint(raw["key"], raw["value"]):
            self._complain(label, "setting", complaint)
            return None
        return Setting(key=raw["key"], value=raw["value"])

    def _list(self, label: str, key: str, raw: object) -> list[Any]:
        if isinstance(raw, list):
            return raw
        self._complain(label, key, f"expected a list, as in [...], got {shown(raw, 40)}")
        return []

    def _all_of(self, key: str, given: list[Any], allowed: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return those that are allowed, and complain of the others; 52.0 is no number of cards."""
        if not given:
            self._complain("", key, "it is empty")
        found = []
        for one in given:
            if type(one) is type(allowed[0]) and one in allowed:
                found.append(one)
            else:
                self._complain("", key, f"no such one: {shown(one, 40)}; allowed: {', '.join(map(str, allowed))}")
        for one in _twice(found):
            self._complain("", key, f"{one} is there twice")
        return tuple(found)

    def _word(self, label: str, key: str, raw: object, words: type[E]) -> E | None:
        """Return the word of the vocabulary that the file names."""
        allowed = {word.name.lower(): word for word in words}
        if isinstance(raw, str) and raw in allowed:
            return allowed[raw]
        self._complain(label, key, f"no such word: {shown(raw, 40)}; allowed: {', '.join(allowed)}")
        return None


def _is_line(value: object) -> bool:
    """Return whether a value is a text of one line, with something in it."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _twice(given: list[T]) -> list[T]:
    """Return what is there more than once."""
    return [one for one, count in Counter(given).items() if count > 1]
