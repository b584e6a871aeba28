"""What the eye saw of a card, as the record tells it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.sighting import Sighting


def seen_fact(k: int, sighting: Sighting) -> dict[str, Any]:
    """Return the fact `seen` of card `k`; what the sighting does not tell is left out.

    >>> from vision.sighting import Reason, Sighting, State
    >>> seen_fact(4, Sighting(state=State.EMPTY, reason=Reason.STAYED_DARK))["state"]
    'empty'
    """
    fact: dict[str, Any] = {"fact": "seen", "k": k, "state": sighting.state.value}
    if sighting.card is not None:
        fact["card"] = str(sighting.card)
    fact["confidence_ppm"] = round(sighting.confidence * 1_000_000)
    if sighting.reason:
        fact["reason"] = sighting.reason.value
    if sighting.frame:
        fact["frame"] = sighting.frame
    return fact
