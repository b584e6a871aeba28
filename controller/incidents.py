"""Where the feeder's vocabulary meets the table's: what each fault of the machine or the eye means for the deal.

A jam is not a misdeal. No printed code knows a machine, so a fault by itself rules nothing: either it is cured before
the next card falls, as the codes let a dealer cure his own slip, or the deal is voided and the same player deals again
(house setting `machine_fault`, default `same_dealer`). The record carries the fault's code in `machine_fault`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from firmware_bridge.words import FaultCode


class Recovery(Enum):
    """What the deal does after the fault."""

    RETRY = "the same card is fed again under a new command; nothing left the hopper"
    CURE = "people put the cards right, then the deal goes on"
    RESUME = "the machine is asked how far it got, then the deal goes on"
    VOID = "the deal is given up; the same player deals again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One fault and what follows from it.

    Attributes:
        code: the name that the record carries.
        sentence: what happened, in one plain sentence; `{k}` is the card's number.
        trusted: what the record may still be believed to say.
        recovery: what the deal does.
        next_step: the one thing to do now.
        on_panel: whether the machine's panel asks for that by itself.
    """

    code: str
    sentence: str
    trusted: str
    recovery: Recovery
    next_step: str
    on_panel: bool = False

    def say(self, k: int | None) -> str:
        """Return the sentence for card `k`; None where no card is under way."""
        return self.sentence.format(k="?" if k is None else k)


_ALL_BEFORE = "every card before this one lies where the record says"
_CLEAR = "Take the cards out of the path, lay them aside and turn the director's key."
_AGAIN = "Collect the cards, shuffle, and lay the pack in the hopper: the same player deals again."

_INCIDENTS: Final = (
    Incident(
        code="misfeed",
        sentence="No card left the hopper for card {k}, three times.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.RETRY,
        next_step="Square the pack in the hopper and clean the pick roller.",
    ),
    Incident(
        code="hopper_empty",
        sentence="The hopper was empty before card {k}.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step="Count the pack and look under the table and in the machine for a missing card.",
        on_panel=True,
    ),
    Incident(
        code="jam_entry",
        sentence="Card {k} jammed between the hopper and the read window.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="jam_exit",
        sentence="Card {k} jammed between the read window and the trays.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="double_feed",
        sentence="Two cards came together as card {k}.",
        trusted=_ALL_BEFORE + "; which of the two was to come first is not known",
        recovery=Recovery.CURE,
        next_step="Move one card to the next player's tray and turn the director's key.",
        on_panel=True,
    ),
    Incident(
        code="double_feed_at_end",
        sentence="Two cards came together as card {k}, and that may not be put right.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_AGAIN,
        on_panel=True,
    ),
    Incident(
        code="not_put_right",
        sentence="Nothing was moved, so the error at card {k} is not put right.",
        trusted="every place the record names",
        recovery=Recovery.VOID,
        next_step=_AGAIN,
        on_panel=True,
    ),
    Incident(
        code="two_cards_seen",
        sentence="The camera saw two cards for card {k} and the thickness sensor one; the stronger doubt wins.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_AGAIN,
        on_panel=True,
    ),
    Incident(
        code="window_empty",
        sentence="The camera saw an empty window where the sensor says that card {k} stands.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step="Run pone doctor: it looks at camera, lamp and window; clean the sensor of the window.",
    ),
    Incident(
        code="eye_unsure",
        sentence="Too many cards of this deal could not be read, card {k} the last of them.",
        trusted="every place; the faces of the unread cards are not known",
        recovery=Recovery.VOID,
        next_step="Clean the window and run pone doctor: it checks camera and light.",
    ),
    Incident(
        code="wrong_tray",
        sentence="Card {k} arrived in a tray where it cannot be put right.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_AGAIN,
        on_panel=True,
    ),
    Incident(
        code="wrong_seat",
        sentence="Card {k} arrived in another player's tray.",
        trusted="every place the record names",
        recovery=Recovery.CURE,
        next_step="Move the card to the tray it belongs in and turn the director's key.",
        on_panel=True,
    ),
    Incident(
        code="not_counted",
        sentence="Card {k} left the window and no tray's counter saw it arrive.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="sensor_stuck",
        sentence="A sensor says what cannot be.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step="Clean the sensors between the hopper and the trays.",
    ),
    Incident(
        code="heartbeat_lost",
        sentence="The machine heard nothing from the controller for too long and stopped after the card in transit.",
        trusted="everything the record says",
        recovery=Recovery.RESUME,
        next_step="Nothing is lost; the deal goes on when the machine is homed.",
    ),
    Incident(
        code="stopped",
        sentence="The machine was stopped at card {k}.",
        trusted="everything the record says",
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="path_not_empty",
        sentence="A card stands in the path where none should be.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="machine_reset",
        sentence="The machine restarted while card {k} was under way, and cannot say where it is.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="machine_silent",
        sentence="The machine took the command for card {k} and never said how it ended.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="refused",
        sentence="The machine refused the command for card {k}.",
        trusted=_ALL_BEFORE,
        recovery=Recovery.VOID,
        next_step=_CLEAR,
        on_panel=True,
    ),
    Incident(
        code="link_lost",
        sentence="The cable to the machine is gone, or the machine has no power.",
        trusted="everything the record says; the deal is kept open",
        recovery=Recovery.RESUME,
        next_step="Plug the machine in again and run the same command: the deal goes on where it stood.",
    ),
    Incident(
        code="no_answer",
        sentence="The machine does not answer.",
        trusted="everything the record says; the deal is kept open",
        recovery=Recovery.RESUME,
        next_step="Check cable and power; the machine is asked how far it got.",
    ),
    Incident(
        code="machine_restarted",
        sentence="The machine restarted.",
        trusted="everything the record says; the deal is kept open",
        recovery=Recovery.RESUME,
        next_step="Check cable and power; the machine is asked how far it got.",
    ),
    Incident(
        code="garbled",
        sentence="The machine said what its protocol does not allow.",
        trusted="everything the record says; the deal is kept open",
        recovery=Recovery.RESUME,
        next_step="Check cable and power; the machine is asked how far it got.",
    ),
    Incident(
        code="people_silent",
        sentence="Nobody answered the machine's panel in time.",
        trusted="everything the record says",
        recovery=Recovery.VOID,
        next_step="Do what the panel asks when it asks next.",
    ),
)

INCIDENTS: Final = {incident.code: incident for incident in _INCIDENTS}
"""Every fault this program names, by its code."""

OF_FIRMWARE: Final = {
    FaultCode.MISFEED: "misfeed",
    FaultCode.HOPPER_EMPTY: "hopper_empty",
    FaultCode.JAM_ENTRY: "jam_entry",
    FaultCode.JAM_EXIT: "jam_exit",
    FaultCode.NOT_COUNTED: "not_counted",
    FaultCode.SENSOR_STUCK: "sensor_stuck",
    FaultCode.HEARTBEAT_LOST: "heartbeat_lost",
    FaultCode.STOPPED: "stopped",
    FaultCode.PATH_NOT_EMPTY: "path_not_empty",
}
"""What the machine's own fault codes are called in the record."""
