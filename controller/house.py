"""The house settings: what the printed codes leave open and a club decides (defaults first)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The decisions of the house; a ruling that rests on one names it as its policy.

    Attributes:
        machine_fault: whose act a fault or an exposure by the machine is: nobody's, so that the same dealer deals
            again, or the dealer's.
        grace_s: reasonable time after an exposure or the last card, in seconds.
        misdeal_until: when the window of a misdeal closes where the code names no end.
        looked: what counts as having looked at one's cards.
        stock_faced: whether a faced card in the undealt euchre stock counts.
        short_hand_early: what follows when a short hand is found before the code's window.
        shuffle_in_play: whether a machine may shuffle the other pack during play.
        two_faults: which of two faults without an order rules.
        euchre: details of the euchre code in use.
        hand_cure: whether a halted double feed may be put right by hand.
        single_card_cure: whether one card to the wrong packet may be moved before the next, where the code is silent.
    """

    machine_fault: Literal["same_dealer", "as_dealer"] = "same_dealer"
    grace_s: Annotated[float, "seconds"] = 5
    misdeal_until: Literal["lead", "hand_ended"] = "lead"
    looked: Literal["tray_lifted", "said"] = "tray_lifted"
    stock_faced: Literal["counts", "ignored"] = "counts"
    short_hand_early: Literal["ask_director", "new_deal"] = "ask_director"
    shuffle_in_play: bool = True
    two_faults: Literal["first", "gravest"] = "first"
    euchre: Literal["foster", "somerset", "modern"] = "foster"
    hand_cure: bool = True
    single_card_cure: bool = True

    @property
    def grace_us(self) -> int:
        """The reasonable time in microseconds."""
        return round(self.grace_s * 1_000_000)
