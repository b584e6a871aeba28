"""What the health of the eye comes to: sentences with the next step, the worst first. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from controller.counts import counted
from controller.findings import Finding, Level
from controller.health import FALL, RECENT, YARDSTICK_CARDS, trend
from vision.scene import DARK_LEVEL

if TYPE_CHECKING:
    from controller.health import Health

_WHITE: Final = 255.0

EDGE_MAX: Final = 0.03
"""Width of an edge, parts of the card's height, from which on the eye refuses a picture as blurred; the default of
`vision.recogniser.Limits`, which a test holds it to."""

EDGE_NEAR: Final = 0.7 * EDGE_MAX
DIMMER: Final = 0.75
"""What is left of the lamp's light when it is told."""

DRIFT: Final = 0.01
"""How far the place of the cards in the picture may wander, parts of its width or height: 6 px of 640. The index is
found from the card's own edges, but the crop of the window has its margin."""

LAG_US: Final = 50_000
"""How long after it was asked for a frame may be taken: three frames of a camera at 60 a second."""


def findings(health: Health) -> tuple[Finding, ...]:
    """Return what there is to say: first what should be done something about, then how the eye does."""
    return (*amiss(health), *_errors(health))


def amiss(health: Health) -> tuple[Finding, ...]:
    """Return only what should be done something about before the next deal."""
    return (*_worn(health), *_light(health), *_focus(health), *_place(health), *_frames(health), *_surety(health))


def _worn(health: Health) -> Iterator[Finding]:
    for one in health.worn:
        name = one.card.name
        if one.unread:
            says = f"The {name} was not read {counted(one.unread, 'time')} in the last {RECENT} deals."
        else:
            says = f"The {name} is read less and less surely: {one.fell:.1f} nines less than before."
        yield Finding(about=str(one.card), level=Level.WARN, says=says, step=f"Replace the {name}, or the pack.")


def _light(health: Health) -> Iterator[Finding]:
    if not health.eye:
        return
    last = health.eye[-1]
    dark = last.lamp_off * _WHITE
    if dark >= 0.9 * DARK_LEVEL:
        says = f"Between the cards of deal {last.deal} the window was hardly dark (level {dark:.1f} of 255)."
        yield Finding(about="lamp off", level=Level.WARN, says=says, step="Close the lid and shade the window.")
    else:
        says = f"Between the cards the window is dark (level {dark:.1f} of 255)."
        yield Finding(about="lamp off", level=Level.OK, says=says)
    change = trend([state.lamp_on for state in health.eye])
    if change is not None and change[1] < DIMMER * change[0]:
        says = f"The lamp gives {change[1] / change[0]:.0%} of the light that it gave in the first deals."
        yield Finding(about="lamp on", level=Level.WARN, says=says, step="Clean the window, then look at the lamp.")
    else:
        says = f"With the lamp on a card shows at level {last.lamp_on * _WHITE:.0f} of 255."
        yield Finding(about="lamp on", level=Level.OK, says=says)


def _focus(health: Health) -> Iterator[Finding]:
    if not health.eye:
        return
    edge = health.eye[-1].edge
    says = f"The edge of a card is {edge:.2%} of its height wide; from {EDGE_MAX:.0%} on a picture counts as blurred."
    if edge >= EDGE_NEAR:
        yield Finding(about="focus", level=Level.WARN, says=says, step="Clean the window and set the focus.")
    else:
        yield Finding(about="focus", level=Level.OK, says=says)


def _place(health: Health) -> Iterator[Finding]:
    for axis, side in (("x", "width"), ("y", "height")):
        change = trend([getattr(state, axis) for state in health.eye])
        if change is not None and abs(change[1] - change[0]) >= DRIFT:
            says = f"The cards stand {abs(change[1] - change[0]):.1%} of the picture's {side} from where they stood."
            step = "Fasten the camera, look at the stop of the window, and calibrate the window anew."
            yield Finding(about="window", level=Level.WARN, says=says, step=step)


def _frames(health: Health) -> Iterator[Finding]:
    if not health.eye:
        return
    last = health.eye[-1]
    if last.refused:
        says = f"In deal {last.deal} {counted(last.refused, 'frame')} came late or again, and did not count."
        yield Finding(about="frames", level=Level.WARN, says=says, step="See to the camera's cable and its settings.")
    elif last.lag_us > LAG_US:
        says = f"A frame is taken {last.lag_us / 1000:.0f} ms after it is asked for."
        yield Finding(about="frames", level=Level.WARN, says=says, step="Set the camera to 60 frames a second.")
    else:
        says = f"Frames are fresh: taken {last.lag_us / 1000:.0f} ms after they are asked for."
        yield Finding(about="frames", level=Level.OK, says=says)


def _surety(health: Health) -> Iterator[Finding]:
    change = trend(health.sureness)
    if change is not None and change[0] - change[1] >= FALL:
        says = f"All cards are read less surely than in the first deals: {change[0] - change[1]:.1f} nines less."
        step = "Clean the window, look at lamp and focus; if that does not help, take a new pack."
        yield Finding(about="pack", level=Level.WARN, says=says, step=step)


_WHOLE: Final = (
    "Say whether the pack holds a card twice: pone check. If it is whole, open what was kept: "
    "pone record LOG N --bundle DIR."
)
"""What to do where a card came twice: only the pack itself tells whether the eye erred."""


def _twice(health: Health) -> str:
    """Return which cards were read twice, the most often first; empty where none was."""
    if not health.twice:
        return ""
    told = ", ".join(f"the {card.name} in {counted(deals, 'deal')}" for card, deals in health.twice[:_NAMED])
    return f" Read twice: {told}; either the pack holds a card twice, or the eye misread one."


_NAMED: Final = 3
"""Cards that are named at most."""


def _errors(health: Health) -> Iterator[Finding]:
    """Yield how often the eye erred, stopped and silent apart, beside the yardstick."""
    if not health.deals:
        says = "No deal of this log is over in which a card was looked at."
        yield Finding(about="errors", level=Level.OK, says=says, step="Deal, then ask again.")
        return
    stopped, silent = health.per_hundred(health.stopped), health.per_hundred(health.silent)
    over = f"in {counted(health.deals, 'deal')}, {counted(health.looked, 'card')}"
    yield Finding(
        about="stopped",
        level=Level.OK,
        says=f"Not read, and the eye said so: {counted(health.stopped, 'card')}, {stopped:.1f} in 100 deals ({over}).",
    )
    found_out = f"Read as another, and found out later: {counted(health.silent, 'card')}"
    bound = f"at most one in {1 / health.silent_bound:,.0f} cards, with 95 % confidence"
    yield Finding(
        about="silent",
        level=Level.WARN if health.silent else Level.OK,
        says=f"{found_out}, {silent:.1f} in 100 deals; {bound}.{_twice(health)}",
        step=_WHOLE if health.silent else "",
    )
    worse = health.silent * YARDSTICK_CARDS > health.looked
    proved = health.silent_bound * YARDSTICK_CARDS <= 1
    says = f"The yardstick is one error in {YARDSTICK_CARDS:,} cards, 1 in 100 deals: "
    if worse:
        says += "this eye is worse, unless the pack holds a card twice."
    else:
        says += "this eye is better." if proved else "too few cards so far to say."
    step = "Check the pack; if it is whole, clean the window, look at lamp and focus, and enrol it." if worse else ""
    yield Finding(about="yardstick", level=Level.WARN if worse else Level.OK, says=says, step=step)
