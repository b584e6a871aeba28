"""The laws of the register of the table as text: read aloud, one with its source, and their part of the document."""

from __future__ import annotations

from typing import Final

from controller.errors import CodeError
from controller.laws.table import TABLE
from controller.laws.table_words import TableLaw

NAME: Final = TABLE.name
"""The register's name among the codes."""


def row() -> tuple[str, str, str, str]:
    """Return the register's name, the number of its laws, its title and its books, as in the list of codes."""
    return TABLE.name, str(len({law.number for law in TABLE.laws})), TABLE.title, TABLE.book


def text(number: str | None = None) -> str:
    """Return the laws as one would read them aloud: all of them, or those of one number.

    Raises:
        CodeError: there is no such number.
    """
    if number is not None:
        return "\n".join(map(str, _of(number)))
    return "\n".join([f"{TABLE.title}. {TABLE.book}.", _terms(), "", *map(str, TABLE.laws)])


def why_text(number: str) -> str:
    """Return the laws of a number, each with where it stands, what follows and how it is known that it applies.

    Raises:
        CodeError: there is no such number.

    >>> print(why_text("5"))
    Table 5. If a player breaks up a table, the others have a prior right to play at other tables.
      stands in: bridge, right of entry (R. F. Foster, Foster's Complete Hoyle; J. B. Elwell, Bridge Axioms and Laws)
      follows: the others have a prior right to play at other tables
      seen: the register has it from what it is told
    """
    return "\n".join(
        f"{law}\n  stands in: {law.source} ({TABLE.book})\n  follows: {law.remedy.value}\n  seen: {law.sight.value}"
        for law in _of(number)
    )


def section() -> str:
    """Return the register's part of `docs/laws.md`."""
    rows = [f"| {law.number} | {law.sentence} | {law.source} | {law.sight.value} |" for law in TABLE.laws]
    head = [f"## {TABLE.spoken}", "", f"{TABLE.title}. {TABLE.book}.", "", _terms(), ""]
    return "\n".join([*head, "| law | clause | source | of it |", "|---|---|---|---|", *rows, ""])


def _terms() -> str:
    """Return how many play, and how cards rank in a cut."""
    return f"{TABLE.seats} play at a table; in cutting the ranks are, from the lowest, {' '.join(TABLE.low_to_high)}."


def _of(number: str) -> list[TableLaw]:
    found = [law for law in TABLE.laws if law.number == number]
    if not found:
        numbers = ", ".join(dict.fromkeys(law.number for law in TABLE.laws))
        raise CodeError(TABLE.name, f"{TABLE.name} has no law {number!r}; it has {numbers}")
    return found
