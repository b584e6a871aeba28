"""A number of things in words, one or many. Pure."""

from __future__ import annotations


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
