"""Cards as things: which card it is, how it lies, and those that travel together along the path."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware_sims.path import Motion
from hardware_sims.seeded import Stream
from vision.cards import Card


@dataclass(slots=True, eq=False)
class PhysicalCard:
    """One piece of cardboard. Two with the same face are two.

    Attributes:
        number: counts the cards of a world, from 1.
        card: what is printed on it.
        faced: lies face up among cards lying face down.
        thickness_um: this very card's.
        angle_deg: how it lies askew in the path, clockwise as the camera sees it.
        x_um: how far from its ideal place along the feed.
        y_um: the same across the feed.
        turned: lies rotated by 180 degrees.
    """

    number: int
    card: Card
    faced: bool
    thickness_um: int
    angle_deg: float
    x_um: int
    y_um: int
    turned: bool


def made_card(number: int, card: Card, thickness_um: int, stream: Stream) -> PhysicalCard:
    """Return a card that lies as cards lie: within 2 degrees and 1 mm, either way up, 2 % more or less thick."""
    bits = stream.bits()
    spread = thickness_um * 2 // 100
    return PhysicalCard(
        number=number,
        card=card,
        faced=False,
        thickness_um=thickness_um + (bits & 0xFF) % (2 * spread + 1) - spread,
        angle_deg=((bits >> 8 & 0xFFFF) - 0x8000) / 0x4000,
        x_um=(bits >> 24 & 0xFFFF) % 2001 - 1000,
        y_um=(bits >> 40 & 0xFFFF) % 2001 - 1000,
        turned=bool(bits >> 63),
    )


@dataclass(slots=True, eq=False)
class Train:
    """The cards of one passage, which move together.

    Attributes:
        passage: which passage of the deal this is, from 1.
        cards: in the order they left the hopper.
        behind_um: how far each card's leading edge is behind the first one's.
        length_um: from the first leading edge to the last trailing edge.
        motions: how they moved, the oldest first; the last holds on.
    """

    passage: int
    cards: tuple[PhysicalCard, ...]
    behind_um: tuple[int, ...]
    length_um: int
    motions: tuple[Motion, ...] = field(default=())

    @property
    def motion(self) -> Motion:
        """How the cards move now, or will next."""
        return self.motions[-1]

    def motion_at(self, at_us: int) -> Motion:
        """Return the motion under way at a moment, the first one for any moment before it."""
        motions = self.motions
        number = len(motions) - 1
        while number and motions[number].start_us > at_us:
            number -= 1
        return motions[number]

    def lead_um(self, at_us: int) -> int:
        """Return where the first leading edge is."""
        return self.motion_at(at_us).lead_um(at_us)

    def thickest_um(self) -> int:
        """Return the greatest thickness, where as many cards lie over one another as do anywhere."""
        card_um = self.length_um - self.behind_um[-1]
        lying = list(zip(self.behind_um, self.cards, strict=True))
        return max(
            sum(card.thickness_um for behind, card in lying if behind <= edge < behind + card_um)
            for edge in self.behind_um
        )
