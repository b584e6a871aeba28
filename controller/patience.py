"""How long each thing may be waited for while a deal is under way, in µs on the clock of the machine's link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from controller.states import DealState

if TYPE_CHECKING:
    from controller.dealer import Dealer

CARD_US: Final = 5_000_000
"""How long one movement of a card may take before the machine is held to be silent; it takes a quarter of a second."""

SHELVES_US: Final = 30_000_000
"""How long one pass over the shelves may take; 64 cards take 13 s."""

SLICE_US: Final = 100_000
"""How long at most the machine is listened to before the seats and a wish to stop are heard."""

PEOPLE_US: Final = 600_000_000
"""How long the panel waits for the people at the table: ten minutes."""

LOOK_US: Final = 500_000
"""How long the eye may take for one card; a frame comes every 17 ms."""

DARK_US: Final = 250_000
"""How long the eye waits for the dark window while a card moves to its tray."""


def patience_us(dealer: Dealer, *, people_us: int) -> int:
    """Return how long the next thing may be waited for, as the deal stands.

    Args:
        dealer: the deal's.
        people_us: how long people may take where they are asked something.
    """
    match dealer.machine.state:
        case DealState.FEEDING | DealState.ROUTING | DealState.HOMING:
            return CARD_US
        case DealState.SHUFFLING:
            return SHELVES_US
        case DealState.HOLDING | DealState.CUT if dealer.wanted is None:
            return dealer.notes.house.grace_us
    return people_us
