"""Faults of the pack that is laid in, and of its way over the shelves and through the cut tray, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from firmware_bridge.messages import PASS_CARDS_MAX, SHELVES
from hardware_sims.readings import CARD, number, one_of, whole
from vision.cards import PACK_SIZES, Card

_PASS: Final = {"read": whole(1, 20)}
_SHELF: Final = {"read": whole(1, SHELVES)}
_CARD_OF_PASS: Final = {"read": whole(1, PASS_CARDS_MAX)}
PACK_SIZE: Final = one_of({size: size for size in PACK_SIZES})


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCard:
    """The pack lacks a card."""

    kind: ClassVar = "missing_card"
    card: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateCard:
    """The pack holds a card twice and lacks another."""

    kind: ClassVar = "duplicate_card"
    card: Card = field(metadata={"read": CARD})
    instead_of: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCard:
    """The pack holds a card that is none of its own and lacks another."""

    kind: ClassVar = "foreign_card"
    card: Card = field(metadata={"read": CARD})
    instead_of: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraCard:
    """The pack holds one card too many, which lies where the seed says."""

    kind: ClassVar = "extra_card"
    card: Card = field(metadata={"read": CARD})


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPack:
    """People lay in a pack of `size` cards in place of the one for the game."""

    kind: ClassVar = "wrong_pack"
    size: int = field(metadata={"read": PACK_SIZE})


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedPacks:
    """Two packs were mixed: `cards` cards of the one lie in the other, in place of as many of its own."""

    kind: ClassVar = "mixed_packs"
    cards: int = field(default=6, metadata={"read": whole(1, 24)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfMisplaced:
    """In shelf pass `in_pass` of the deal, the card fed as number `card` falls into shelf `to`, both from 1."""

    kind: ClassVar = "shelf_misplaced"
    in_pass: int = field(metadata=_PASS)
    card: int = field(metadata=_CARD_OF_PASS)
    to: int = field(metadata=_SHELF)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfLeft:
    """The last card of shelf `shelf` stays in it at the end of shelf pass `in_pass`."""

    kind: ClassVar = "shelf_left"
    in_pass: int = field(metadata=_PASS)
    shelf: int = field(metadata=_SHELF)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfDouble:
    """In shelf pass `in_pass`, the card fed as number `card` takes the next one along into its shelf."""

    kind: ClassVar = "shelf_double"
    in_pass: int = field(metadata=_PASS)
    card: int = field(metadata=_CARD_OF_PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfJam:
    """In shelf pass `in_pass`, the card fed as number `card` is held on its way to the shelf."""

    kind: ClassVar = "shelf_jam"
    in_pass: int = field(metadata=_PASS)
    card: int = field(metadata=_CARD_OF_PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDrift:
    """The load cell of the cut tray creeps by `grams_per_s` while the pack lies on it, as when it warms up."""

    kind: ClassVar = "cell_drift"
    grams_per_s: float = field(metadata={"read": number(-20, 20)})


PackFault: TypeAlias = MissingCard | DuplicateCard | ForeignCard | ExtraCard | WrongPack | MixedPacks
PassFault: TypeAlias = ShelfMisplaced | ShelfLeft | ShelfDouble | ShelfJam
