"""Says how a deal ended, and has the table of a complete one drawn."""

from __future__ import annotations

import errno
import shlex
from typing import TYPE_CHECKING, Any

from controller.table import seat_name

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from controller.console import Console
    from controller.deal_log import DealLog
    from controller.dealing import Outcome


def report(args: argparse.Namespace, outcome: Outcome, log: DealLog, log_file: Path, console: Console) -> bool:
    """Say how a deal ended; draw the table of a complete one. Return whether nothing went wrong with that."""
    code, wanted = log.lines(outcome.deal)[0]["code"], args.code.code.name
    result: dict[str, Any] = {
        "deal": outcome.deal,
        "code": code,
        "status": outcome.ending.status,
        "next_dealer": outcome.ending.next_dealer.value,
        "cards": outcome.cards,
        "unread": outcome.unread,
        "doubted": [list(pair) for pair in outcome.doubted],
        "seconds_per_card": round(outcome.seconds_per_card, 3) or None,
    }
    if outcome.wrong_hands:
        result["wrong_hands"] = {seat.value: count for seat, count in outcome.wrong_hands.items()}
    good = True
    if outcome.ending.status == "completed":
        unread = f", {outcome.unread} of them not read" if outcome.unread else ""
        console.say(f"Deal {outcome.deal} is complete: {outcome.cards} cards{unread}{_pace(outcome)}.")
        _warn_of_hands(outcome, console)
        footer = f"pone replay {shlex.quote(str(log_file))} {outcome.deal}"
        picture = _picture_file(args, outcome, log_file)
        good = _draw(log, outcome, footer, picture, log_file, console)
        result |= {"picture": str(picture) if good else None, "replay": footer}
        console.say(f"  again:   {footer}")
        if code != wanted:
            because = f"it was begun before, and takes the place of one of {wanted}"
            console.complain(f"Deal {outcome.deal} is {code}: {because}. For that run the same command again.")
        console.say(f"  next:    {seat_name(outcome.ending.next_dealer)} deals (--dealer {outcome.ending.next_dealer})")
    else:
        _say_why(outcome, console)
    console.say("")
    if console.as_json:
        console.data({"result": result})
    return good


def _warn_of_hands(outcome: Outcome, console: Console) -> None:
    """Say which hands hold too many or too few cards, where the code has no law on it, or the director let it be."""
    if outcome.wrong_hands:
        held = ", ".join(f"{seat_name(seat)} {count}" for seat, count in outcome.wrong_hands.items())
        console.complain(
            f"Deal {outcome.deal}: hands are not right: {held}. Put that right before the cards are looked at."
        )


def _pace(outcome: Outcome) -> str:
    """Return how long a card took; nothing where none was fed since the deal was gone on with."""
    return f", {outcome.seconds_per_card:.2f} s a card" if outcome.seconds_per_card else ""


def _picture_file(args: argparse.Namespace, outcome: Outcome, log_file: Path) -> Path:
    """Return the file of a deal's picture; with several deals each has its own."""
    named: Path | None = args.picture
    if named is None:
        return log_file.with_name(f"{log_file.stem}-deal-{outcome.deal}.png")
    return named if args.deals == 1 else named.with_stem(f"{named.stem}-{outcome.deal}")


def _draw(log: DealLog, outcome: Outcome, footer: str, picture: Path, log_file: Path, console: Console) -> bool:
    """Draw the table to the file `picture`, and say where it is, or why it is not; return whether it is there."""
    from controller.deal_picture import draw_deal
    from controller.errors import LogError
    from controller.log_files import files_of, is_one_of
    from vision.files import plainly

    try:
        if is_one_of(picture, files_of(log_file, log_file.with_suffix(".key"))):
            raise FileExistsError(errno.EEXIST, "it is a file of the deal log")
        draw_deal(log.lines(outcome.deal), outcome, footer=footer, to=picture)
    except (OSError, LogError) as error:
        reason = error.reason if isinstance(error, LogError) else plainly(error)
        console.complain(f"No picture at {picture}: {reason}. Give another --picture FILE.")
        return False
    console.say(f"  picture: {picture}")
    return True


def _say_why(outcome: Outcome, console: Console) -> None:
    """Say how a deal ended that is not complete, and the next step, if nobody else says it."""
    from controller.incidents import INCIDENTS

    console.say(f"Deal {outcome.deal} ended: {outcome.ending.status.replace('_', ' ')}.")
    for earlier, later in outcome.doubted:
        console.say(
            f"  -> Cards {earlier} and {later} are both in doubt: one of them was misread, or the pack holds that card "
            "twice. pone check says which pack it is."
        )
    incident = INCIDENTS.get(outcome.ending.fault)
    if incident is not None and not incident.on_panel:
        console.say(f"  -> {incident.next_step}")
