"""The codes of laws and the house settings as text: lists, the reasons of one law, and the document."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from typing import Final

from controller import laws
from controller.errors import CodeError
from controller.fact_kinds import kind_of
from controller.house import House
from controller.laws.vocabulary import Code, Duty, Law

_HEAD: Final = """\
# The laws

Written from `controller/laws/` and `controller/house.py` by `python -m controller.laws_doc`; `make check` compares.

The judge applies these clauses and no others. Of several on one fault the first that applies rules. A clause that rests
on a decision of the house says so; its setting is named in the ruling.
"""


def code_list() -> str:
    """Return the codes that can be applied, one a line."""
    rows = [(code.name, str(len({law.number for law in code.laws})), code.title, code.book) for code in laws.built()]
    return "\n".join(f"{name:<16}{numbers:>3} laws  {title}; {book}" for name, numbers, title, book in rows)


def code_text(code: Code) -> str:
    """Return a code as one would read it aloud: how it is dealt, its laws, and what it says besides."""
    lines = [f"{code.title}. {code.book}.", _dealt(code), "", *map(str, code.laws)]
    if code.duties:
        lines += ["", "With nothing to rule on:", *(_duty(code, duty) for duty in code.duties)]
    return "\n".join(lines)


def clause_text(code: Code, number: str) -> str:
    """Return what a code says under one number.

    Raises:
        CodeError: it has no such number.
    """
    clauses = [str(law) for law in _of(code, number)]
    return "\n".join([*clauses, *(_duty(code, duty) for duty in code.duties if duty.number == number)])


def why_text(citation: str) -> str:
    """Return the laws of a citation, each with where it stands, what follows and what a machine sees of it.

    Raises:
        CodeError: nothing is cited so.

    >>> print(why_text("euchre 9b"))
    Euchre 9b. If a card is exposed in cutting or in reuniting the packets, the pack must be shuffled and cut again.
      stands in: R. F. Foster, Foster's Complete Hoyle: The Laws of Euchre, for four players, 9b
      follows: the pack must be shuffled and cut again, without a claim
      seen: the machine sees a part of it; people say the rest
    """
    name, _, number = citation.strip().partition(" ")
    code = laws.code(name)
    parts = [_why(code, law) for law in _of(code, number)]
    return "\n".join([*parts, *(_duty(code, duty) for duty in code.duties if duty.number == number)])


def _why(code: Code, law: Law) -> str:
    duty, right = law.remedy.value
    follows = f"{law.claimed_by.value} may {right}" if law.claimed_by else f"{duty}, without a claim"
    lines = [str(law), f"  stands in: {code.book}: {code.title}, {law.number}", f"  follows: {follows}"]
    if law.setting is not None:
        lines.append(f"  rests on: the house setting {law.setting}, because the code is silent")
    return "\n".join([*lines, f"  seen: {law.sight.value}"])


def _of(code: Code, number: str) -> list[Law]:
    found = [law for law in code.laws if law.number == number]
    if not found and all(duty.number != number for duty in code.duties):
        numbers = ", ".join(dict.fromkeys([*(law.number for law in code.laws), *(duty.number for duty in code.duties)]))
        raise CodeError(code.name, f"{code.name} has no law {number!r}; it has {numbers}")
    return found


def _duty(code: Code, duty: Duty) -> str:
    return f"{code.spoken} {duty.number}. {duty.says}"


def _dealt(code: Code) -> str:
    packs = " or ".join(map(str, code.packs))
    ways = " or ".join(pattern.name or "singly" for pattern in code.patterns)
    return f"{packs} cards, dealt {ways}; {code.completion.value}; a packet of the cut has at least {code.least_cut}."


def house_text() -> str:
    """Return the house settings, each with its default, its other values and what it decides."""
    return "\n\n".join(f"{key} = {default}\n  {says}\n  may be: {values}" for key, default, values, says in _settings())


def _settings() -> list[tuple[str, str, str, str]]:
    """Return key, default, values and meaning of every setting, the meaning from the settings' own description."""
    hints = typing.get_type_hints(House, include_extras=True)
    described = inspect.getdoc(House) or ""
    rows = []
    for item in dataclasses.fields(House):
        says = re.search(rf"^    {item.name}: ((?:.|\n {{8}})*)", described, re.MULTILINE)
        text = re.sub(r"\s+", " ", says[1]) if says else ""
        values = "true or false" if hints[item.name] is bool else kind_of(hints[item.name]).expected
        rows.append((item.name, str(item.default).lower(), values.removeprefix("one of ").replace('"', ""), text))
    return rows


def document() -> str:
    """Return `docs/laws.md`."""
    parts = [_HEAD]
    for code in laws.built():
        parts.append(f"## {code.spoken}\n\n{code.title}. {code.book}.\n\n{_dealt(code)}\n")
        rows = [f"| {law.number} | {law.sentence} | {law.sight.value} |" for law in code.laws]
        parts.append("\n".join(["| law | clause | of it |", "|---|---|---|", *rows, ""]))
        duties = [f"| {duty.number} | {duty.says} |" for duty in code.duties]
        parts.append("\n".join(["| law | clause with nothing to rule on |", "|---|---|", *duties, ""]))
    rows = [f"| `{key}` | {default} | {values} | {says} |" for key, default, values, says in _settings()]
    head = ["## House settings", "", "| setting | default | may be | decides |", "|---|---|---|---|"]
    return "\n".join([*parts, "\n".join([*head, *rows, ""])])
