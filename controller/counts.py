"""Things in words: a number of them, one or many, and several in a row. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, thing: str, many: str = "") -> str:
    """Return a number with the name of what is counted.

    Args:
        number: how many there are.
        thing: what one of them is called.
        many: what more of them are called; empty for the same with an s.

    >>> counted(1, "law"), counted(0, "duty", "duties"), counted(2, "law")
    ('1 law', '0 duties', '2 laws')
    """
    return f"{number} {thing if number == 1 else many or f'{thing}s'}"


def listed(things: Sequence[str]) -> str:
    """Return several things as one says them in a row.

    >>> listed(["ann"]), listed(["ann", "bob"]), listed(["ann", "bob", "cid"])
    ('ann', 'ann and bob', 'ann, bob and cid')
    """
    *first, last = things
    return f"{', '.join(first)} and {last}" if first else last
