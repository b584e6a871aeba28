"""The codes of laws and the house settings as text: lists, the reasons of one law, and the document."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Final

from controller import laws, table_pages
from controller.club_check import overruled, silent_on
from controller.counts import counted
from controller.errors import CodeError
from controller.house import SETTINGS, House, SettingWords, toml_value
from controller.law_force import force
from controller.laws.not_built import NOT_BUILT
from controller.laws.vocabulary import Code, Duty, Law, Unread
from controller.laws.words import Claimant, Completion, Condition, Fault, Party, Remedy, Window

_HEAD: Final = """\
# The laws

Written from `controller/laws/` and `controller/house.py` by `python -m controller.laws_doc`; `make check` compares.

The judge applies these clauses and no others. Of several on one fault the first that applies rules. A clause that rests
on a decision of the house says so; its setting is named in the ruling. Clauses that a setting brings in or switches off
are marked as the defaults have them.

Where the codes and the record's contract leave a thing open, this is done:

- A claim that no clause gives is refused by what bears on it: the clause that gives such a right, else the error that
  may still be put right or the right that is open at the moment, else the heading of misdeals. Where nothing does, the
  code is cited by its name alone, without a number.
- A card that no pack of the deal holds, named by `dealt`, `faced`, `exposed`, `turned` or `card_damaged`, proves the
  pack incorrect, as one that an audit finds foreign does. Where the deal does not say which of the code's packs is
  used, that is a card that none of them holds. What the eye has `seen` is left to the audit.
- The packets of a cut are weighed each for itself, and their sum is not compared with the pack: they are counts as good
  as whoever made them, `doubt` says where they are not, and a pack that is short is proved by `pack_proved`.
"""

_DEFAULTS: Final = House()

_FILE_HEAD: Final = """\
# The decisions of the house: what the printed codes of laws leave open. Copy this file, change what your club decides
# otherwise, and name your file with --house. A setting that you leave out keeps its default.
"""

_PARTS: Final = tuple("-abcdefgh")
"""What begins the name of a part of a law, as in 37-I or 12a."""

_WIDTH: Final = 118
"""Characters of a comment."""

_HOUSE_HEAD: Final = """\
A club's own file, `--house FILE` of `pone deal`, `pone judge` and `pone laws`, names what it decides otherwise;
`pone laws --house` prints the defaults as such a file, and [house.toml](../controller/house.toml) is it. Every deal's
record holds all of them."""

_WORDS_HEAD: Final = "A club that writes its own code, as [A house of your own](house.md) says, declares it in these."

_RESTS: Final[dict[Condition | Claimant | Window, str]] = {
    Condition.BY_DEALING_SIDE: "machine_fault",
    Condition.ADVERSARY_LOOKED: "looked",
    Condition.CLAIMANT_LOOKED: "looked",
    Claimant.NOT_LOOKED: "looked",
    Claimant.PARTNER_NOT_LOOKED: "looked",
    Condition.TIME_LEFT: "grace_s",
    Window.TIME: "grace_s",
}
"""The settings that decide what a word of a law means."""

_SILENT: Final = {setting.key: setting.silent for setting in SETTINGS}
"""Why each setting is the house's."""

_OF_EVERY_CODE: Final = {"two_faults": "every law that ends a deal"}
"""Settings on which no clause rests more than another, and what does."""


def rests_on(law: Law) -> tuple[str, ...]:
    """Return the house settings that a law rests on: its own, and those that say what its words mean.

    >>> law = next(law for law in laws.code("bridge").laws if law.number == "N2d")
    >>> rests_on(law)
    ('machine_fault', 'grace_s', 'looked')
    """
    words = (*law.provided, *law.unless, law.until, *law.claimants)
    keys = [law.policy, *(_RESTS.get(word) for word in words if word is not None)]
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def code_list() -> str:
    """Return the codes that can be applied, one a line."""
    rows = [(code.name, str(_numbers(code.laws)), code.title, code.book) for code in laws.built()]
    rows.append(table_pages.row())
    return "\n".join(f"{name:<16}{numbers:>3} laws  {title}; {book}" for name, numbers, title, book in rows)


def code_text(code: Code, house: House = _DEFAULTS) -> str:
    """Return a code as one would read it aloud: how it is dealt, its laws, and what it says besides.

    Args:
        code: the code.
        house: the decisions of a house; each clause that they bring in or switch off is marked.
    """
    lines = [f"{code.title}. {code.book}.", _dealt(code), "", *(_marked(code, law, house) for law in code.laws)]
    if code.duties:
        lines += ["", "With nothing to rule on:", *(_duty(code, duty) for duty in code.duties)]
    if code.unread:
        lines += ["", "Not read, and so for the director:", *(_missing(part) for part in code.unread)]
    if left_out := _not_built(code):
        lines += ["", "Not built:", *(f"{clause}: {why}." for clause, why in left_out)]
    return "\n".join(lines)


def _marked(code: Code, law: Law, house: House) -> str:
    """Return a law with a mark whether it is in force, where a setting of the house decides that."""
    return "\n    ".join(filter(None, (str(law), force(code, law, house), _meant(law, house))))


def _meant(law: Law, house: House) -> str:
    """Return the settings that say what words of a law mean, besides the one that it rests on; empty for none."""
    keys = [key for key in rests_on(law) if key != law.policy]
    said = ", ".join(f"{key} is {toml_value(getattr(house, key))}" for key in keys)
    return f"what its words mean: {said}" if said else ""


def _missing(part: Unread) -> str:
    return f"{part.numbers[0].upper()}{part.numbers[1:]}, on {part.about}."


def _not_built(code: Code) -> list[tuple[str, str]]:
    """Return the code's clauses that are not built, as one cites them, and why."""
    of_code = [(clause.partition(" ")[2], why) for clause, why in NOT_BUILT.items() if clause.split()[0] == code.name]
    return [(f"{code.spoken} {number}", why) for number, why in of_code]


def clause_text(code: Code, number: str, house: House = _DEFAULTS) -> str:
    """Return what a code says under one number and its parts, each clause marked as in `code_text`.

    Raises:
        CodeError: it has no such number.
    """
    found, duties = _clauses_of(code, number)
    return "\n".join([*(_marked(code, law, house) for law in found), *(_duty(code, duty) for duty in duties)])


def why_text(code: Code, number: str, house: House = _DEFAULTS) -> str:
    """Return the laws of a number, each with where it stands, what follows, and what a machine sees of it.

    Args:
        code: the code.
        number: the number in it.
        house: the decisions of a house, which say what is in force.

    Raises:
        CodeError: it has no such number.

    >>> print(why_text(laws.code("euchre"), "9b"))
    Euchre 9b. If a card is exposed in cutting or in reuniting the packets, the pack must be shuffled and cut again.
      stands in: R. F. Foster, Foster's Complete Hoyle: The Laws of Euchre, for four players, 9b
      follows: the pack must be shuffled and cut again, without a claim
      seen: the machine sees a part of it; people say the rest
    """
    found, duties = _clauses_of(code, number)
    return "\n".join([*(_why(code, law, house) for law in found), *(_why_duty(code, duty) for duty in duties)])


def _why(code: Code, law: Law, house: House) -> str:
    duty, right = law.remedy.value
    follows = f"{law.claimed_by.value} may {right}" if law.claimed_by else f"{duty}, without a claim"
    lines = [str(law), f"  stands in: {_source(code, law)}"]
    if law.setting is not None:
        lines.append(f"  rests on: the house setting {law.setting}, because {_SILENT[law.setting.key]}")
    lines += [f"  {mark}" for mark in (force(code, law, house), _meant(law, house)) if mark]
    return "\n".join([*lines, f"  follows: {follows}", f"  seen: {law.sight.value}"])


def _why_duty(code: Code, duty: Duty) -> str:
    return f"{_duty(code, duty)}\n  stands in: {_source(code, duty)}\n  follows: nothing that the judge rules on"


def _source(code: Code, clause: Law | Duty) -> str:
    """Return where a clause stands: of those that a club has left as they are, where it stands in print."""
    base = code.based_on
    clauses: tuple[Law | Duty, ...] = (*base.laws, *base.duties) if base else ()
    said = {(one.number, _says(one)) for one in clauses}
    of = base if base and (clause.number, _says(clause)) in said else code
    return f"{of.book}: {of.title}, {clause.number}"


def _says(clause: Law | Duty) -> str:
    return clause.sentence if isinstance(clause, Law) else clause.says


def checked_text(file: str, code: Code) -> str:
    """Return what there is to say of a club's code that is in order.

    Args:
        file: the file's name.
        code: the code that it holds.
    """
    many = f"{counted(_numbers(code.laws), 'law')} and {counted(_numbers(code.duties), 'duty', 'duties')}"
    lines = [f"{file} is in order: {code.name}, {many}.", _dealt(code)]
    if idle := overruled(code):
        lines += ["Never applied, because the club's laws come first:", *(f"  {law}" for law in idle)]
    if unsaid := silent_on(code):
        lines += ["No clause speaks of these, so that a deal goes on where", *(f"  {fault.value}" for fault in unsaid)]
    return "\n".join(lines)


def _numbers(clauses: Iterable[Law | Duty]) -> int:
    """Return how many numbers these clauses have; a law may say several things."""
    return len({clause.number for clause in clauses})


def _clauses_of(code: Code, number: str) -> tuple[list[Law], list[Duty]]:
    """Return what a code says under a number; under 37 also 37-I and the rest.

    Raises:
        CodeError: it has no such number.

    >>> list(dict.fromkeys(law.number for law in _clauses_of(laws.code("euchre"), "14")[0]))
    ['14a', '14b', '14c', '14d', '14e', '14f', '14']
    """
    numbers = list(dict.fromkeys([*(law.number for law in code.laws), *(duty.number for duty in code.duties)]))
    lower = number.casefold()
    parts = [one for one in numbers if one.casefold().startswith(lower) and one[len(number) :].startswith(_PARTS)]
    if not (wanted := [*(one for one in numbers if one.casefold() == lower), *parts]):
        unread = "".join(f"; not read: {part.numbers}" for part in code.unread)
        left_out = NOT_BUILT.get(f"{code.name} {number}")
        missing = f"{code.name} has no law {number!r}; it has {', '.join(numbers)}{unread}"
        raise CodeError(code.name, f"{code.name} {number} is not built: {left_out}" if left_out else missing)
    return (
        [law for law in code.laws if law.number in wanted],
        [duty for duty in code.duties if duty.number in wanted],
    )


def _duty(code: Code, duty: Duty) -> str:
    return f"{code.spoken} {duty.number}. {duty.says}"


def _dealt(code: Code) -> str:
    packs = " or ".join(map(str, code.packs))
    ways = " or ".join(pattern.name or "singly" for pattern in code.patterns)
    cut = f"; a packet of the cut has at least {code.least_cut}" if code.on(Fault.CUT_SHORT) else ""
    return f"{packs} cards, dealt {ways}; {code.completion.value}{cut}."


def house_text(house: House | None = None) -> str:
    """Return the settings of a house as TOML, each under the words that say what it decides: a file for `--house`.

    Args:
        house: its decisions; None for the defaults.
    """
    chosen = house or House()
    return "\n".join([_FILE_HEAD, *(_entry(setting, getattr(chosen, setting.key)) for setting in SETTINGS)])


def _entry(setting: SettingWords, now: str | bool | float) -> str:
    said = (
        f"{setting.decides[0].upper()}{setting.decides[1:]}.",
        f"Because {setting.silent}.",
        f"May be: {setting.allowed}. The default is {toml_value(setting.default)}.",
        f"Rest on it: {_resting(setting.key)}.",
    )
    comments = [line for text in said for line in textwrap.wrap(text, _WIDTH, break_on_hyphens=False)]
    return "".join([*(f"# {line}\n" for line in comments), f"{setting.key} = {toml_value(now)}\n"])


def _resting(key: str) -> str:
    """Return the clauses that rest on a setting, code by code."""
    if key in _OF_EVERY_CODE:
        return _OF_EVERY_CODE[key]
    by_code = []
    for code in laws.built():
        numbers = [law.number for law in code.laws if key in rests_on(law)]
        if key == "unread_law":
            numbers = [part.numbers for part in code.unread]
        if numbers:
            by_code.append(f"{code.name} {', '.join(dict.fromkeys(numbers))}")
    return "; ".join(by_code)


_WORDS: Final = (
    ("when", Fault),
    ("provided, unless", Condition),
    ("since, until", Window),
    ("claimed_by", Party),
    ("claimants", Claimant),
    ("remedy", Remedy),
    ("completion", Completion),
)
"""The fields of a law, and of a code, and their words."""


def _words() -> str:
    """Return the words in which a club declares its own laws."""
    rows = [
        f"| {fields} | `{word.name.lower()}` | {word.value[0] if isinstance(word.value, tuple) else word.value} |"
        for fields, words in _WORDS
        for word in words
    ]
    return "\n".join(
        ["## The words of a law", "", _WORDS_HEAD, "", "| field | word | says |", "|---|---|---|", *rows, ""]
    )


def document() -> str:
    """Return `docs/laws.md`."""
    parts = [_HEAD]
    for code in laws.built():
        parts.append(f"## {code.spoken}\n\n{code.title}. {code.book}.\n\n{_dealt(code)}\n")
        rows = [
            f"| {law.number} | {law.sentence} | {law.sight.value} | {force(code, law, _DEFAULTS) or ''} |"
            for law in code.laws
        ]
        parts.append("\n".join(["| law | clause | of it | by default |", "|---|---|---|---|", *rows, ""]))
        if duties := [f"| {duty.number} | {duty.says} |" for duty in code.duties]:
            parts.append("\n".join(["| law | clause with nothing to rule on |", "|---|---|", *duties, ""]))
        if unread := [f"* {_missing(part)}" for part in code.unread]:
            parts.append(
                "\n".join(["Not read, and so for the director (house setting `unread_law`):", "", *unread, ""])
            )
        if left_out := [f"* {clause}: {why}." for clause, why in _not_built(code)]:
            parts.append("\n".join(["Not built:", "", *left_out, ""]))
    parts.append(table_pages.section())
    rows = [
        f"| `{setting.key}` | {toml_value(setting.default)} | {setting.allowed} | {setting.decides} | {setting.silent} "
        f"| {_resting(setting.key)} |"
        for setting in SETTINGS
    ]
    house_head = [
        "## House settings",
        "",
        _HOUSE_HEAD,
        "",
        "| setting | default | may be | decides | because | rest on it |",
    ]
    return "\n".join([*parts, "\n".join([*house_head, "|---|---|---|---|---|---|", *rows, ""]), _words()])
