"""What really became of every card: the simulator's own account, never taken from the firmware's words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from hardware_sims.mechanism import Mechanism

HOPPER: Final = "hopper"
PATH: Final = "path"
ASIDE: Final = "aside"
CUT_TRAY: Final = "cut_tray"
"""Where a card can be besides the shelves, `shelf_1` to `shelf_8`, and the trays, called by the names of `Tray`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTruth:
    """One piece of cardboard.

    Attributes:
        number: tells it from every other card of the world.
        card: its code.
        place: the one place where it is: `hopper`, `path`, `cut_tray`, `shelf_1` to `shelf_8`, `aside`, or the name of
            a tray.
        height: how many cards lie below it in its tray; in the order in which they came, or are fed, elsewhere.
        faced: lies face up.
    """

    number: int
    card: str
    place: str
    height: int
    faced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DealTruth:
    """One pack, from when it is laid into the hopper until it is collected.

    Attributes:
        deal: counts from 1.
        laid: the cards as they were laid in, in fed order before the cut.
        passages: the cards of every passage, in the order they left the hopper; two where two stuck together.
        cards: where each card is now, or was last before the pack was collected.
    """

    deal: int
    laid: tuple[str, ...]
    passages: tuple[tuple[str, ...], ...]
    cards: tuple[CardTruth, ...]

    def of(self, place: str) -> tuple[str, ...]:
        """Return the codes of the cards at a place, the lowest, or first to be fed, first."""
        here = [card for card in self.cards if card.place == place]
        return tuple(card.card for card in sorted(here, key=lambda card: card.height))


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The account of a world.

    Attributes:
        seed: what the world's random things depend on.
        now_us: the moment of the account.
        deals: every pack laid in so far, the present one last.
    """

    seed: int
    now_us: int
    deals: tuple[DealTruth, ...]

    def as_json(self) -> dict[str, object]:
        """Return the account as JSON data."""
        return asdict(self)


def cards_now(mechanism: Mechanism, at_us: int) -> tuple[CardTruth, ...]:
    """Return where every card of the present pack is."""
    mechanism.settle(at_us)
    holders = mechanism.holders
    places = {
        HOPPER: list(holders.hopper),
        PATH: [*(card for train in mechanism.on_path() for card in train.cards), *mechanism.shelves.returning],
        CUT_TRAY: [*mechanism.cut_tray.cards, *mechanism.cut_tray.lifted],
        **{f"shelf_{number}": cards for number, cards in enumerate(mechanism.shelves.shelves, start=1)},
        ASIDE: holders.aside,
        **{tray.name: cards for tray, cards in holders.trays.items()},
    }
    return tuple(
        CardTruth(number=card.number, card=str(card.card), place=place, height=height, faced=card.faced)
        for place, cards in places.items()
        for height, card in enumerate(cards)
    )
