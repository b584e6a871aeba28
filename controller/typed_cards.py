"""Cards as people type them: in either case, and the ten in figures too. Pure; a record has cards in one way alone."""

from __future__ import annotations

from vision.cards import Card, is_card


def typed_card(text: str) -> Card:
    """Return the card that somebody has typed.

    Raises:
        vision.cards.CardError: the text names no card.

    >>> [str(typed_card(text)) for text in ("KS", "ks", "10h", "j1")]
    ['KS', 'KS', 'TH', 'J1']
    """
    upper = text.upper()
    meant = f"T{upper[2:]}" if upper.startswith("10") else upper
    return Card.parse(meant if is_card(meant) else text)
