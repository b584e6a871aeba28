"""Deal hands on a machine, real or simulated: every card is seen, judged, delivered and written down.

A deal that was cut off, by Ctrl-C, a pulled cable or a power cut, is gone on with first.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import threading
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from controller.console import Console
    from controller.deal_log import DealLog
    from controller.dealing import Outcome
    from firmware_bridge.bridge import Bridge

CODES: Final = ("whist",)
"""Codes of laws that can be dealt."""

WRONG_USE: Final = 2

_NO_MACHINE: Final = "{!r} is no machine: write sim://, or a port that `pone doctor` lists"

_DIGITS: Final = 6

_KEPT: Final = "The record is kept. Run the same command again: it asks the machine how far it got."

_EPILOG: Final = """\
machines:  sim://                   the simulated machine, in this process
           sim://?scenario=NAME     the same with a scenario; pone sim --list-scenarios names them
           /dev/serial/by-id/...    a machine on a serial port; a pty of pone sim --pty
cameras:   sim:                     the simulated machine's own camera
           v4l2:0  frames:DIR       a camera of this computer; a folder of pictures

exit status: 0 done, 1 a fault, 2 wrong use, 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone deal`."""
    parser.epilog = _EPILOG
    parser.add_argument("--code", choices=CODES, default="whist", help="code of laws (default: whist)")
    parser.add_argument(
        "--machine", metavar="URL", type=_machine, default="sim://", help="the machine (default: sim://)"
    )
    parser.add_argument("--camera", metavar="URL", help="camera of the read window (default: the simulated machine's)")
    parser.add_argument("--deals", metavar="N", type=_positive, default=1, help="hands to deal (default: 1)")
    parser.add_argument(
        "--dealer", metavar="SEAT", choices=tuple("NESW"), default="S", help="N, E, S or W (default: S)"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="repeatable run, marked not for play (default: none)")
    parser.add_argument("--log", metavar="FILE", type=_log_file, help="the deal log (default: in your data folder)")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="the table's picture (default: beside the log)")
    parser.add_argument("--json", action="store_true", help="print the record's lines, without faces, as JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Deal as the arguments say; return the exit status."""
    from controller.console import Console
    from controller.data_folder import default_log
    from controller.deal_log import DealLog
    from controller.entropy import seeded_entropy, system_entropy
    from controller.errors import ControllerError, OutputLost
    from firmware_bridge.errors import BridgeError
    from vision.camera import check_camera_url
    from vision.errors import NoCameraURL, VisionError

    camera = _own_camera(args.machine) if args.camera is None else args.camera
    if camera is None:
        sys.stderr.write(f"pone deal: {_why_no_camera(args.machine)}\n")
        return WRONG_USE
    try:
        check_camera_url(camera)
    except NoCameraURL as error:
        sys.stderr.write(f"pone deal: {error}\n")
        return WRONG_USE
    console = Console(out=sys.stdout, err=sys.stderr, as_json=args.json)
    entropy = system_entropy if args.seed is None else seeded_entropy(args.seed)
    try:
        log_file = args.log or default_log()
        with DealLog.open(log_file, key_file=log_file.with_suffix(".key"), entropy=entropy) as log:
            return _deal(args, camera, log, log_file, console)
    except (ControllerError, BridgeError, VisionError) as error:
        console.complain(str(error))
        return 1
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_KEPT) from None
    except OutputLost as lost:
        raise OutputLost(lost.number, lost.reason, _KEPT) from None


def _deal(args: argparse.Namespace, camera_url: str, log: DealLog, log_file: Path, console: Console) -> int:
    """Deal with an open log; say how each deal ended."""
    from controller.dealing import Dealing
    from controller.eye import FrameEye
    from controller.table import Seat
    from firmware_bridge.bridge import Bridge
    from vision.camera import open_camera
    from vision.errors import VisionError
    from vision.recogniser import Recogniser

    url = _seeded(args.machine, args.seed)
    bridge = Bridge.open(url)
    try:
        camera = open_camera(camera_url, clock=bridge.now_us)
    except VisionError:
        bridge.close()
        raise
    with closing(camera):
        dealing = Dealing(
            log=log,
            bridge=bridge,
            open_bridge=lambda: Bridge.open(url),
            eye=FrameEye(camera=camera, recogniser=Recogniser.shipped()),
            tell=console.tell,
            asking=console.ask,
            carried=lambda bridge: _carried(bridge, seeded=args.seed is not None),
            wait=threading.Event().wait,
            waiting=console.waiting,
            code=args.code,
        )
        with dealing:
            reports = [
                _report(args, outcome, log, log_file, console)
                for outcome in dealing.deals(args.deals, Seat(args.dealer))
            ]
    return 0 if all(reports) else 1


def _report(args: argparse.Namespace, outcome: Outcome, log: DealLog, log_file: Path, console: Console) -> bool:
    """Say how a deal ended; draw the table of a complete one. Return whether nothing went wrong with that."""
    result: dict[str, Any] = {
        "deal": outcome.deal,
        "status": outcome.ending.status,
        "next_dealer": outcome.ending.next_dealer.value,
        "cards": outcome.cards,
        "unread": outcome.unread,
        "seconds_per_card": round(outcome.seconds_per_card, 3),
    }
    good = True
    if outcome.ending.status == "completed":
        unread = f", {outcome.unread} of them not read" if outcome.unread else ""
        pace = f"{outcome.seconds_per_card:.2f} s a card"
        console.say(f"Deal {outcome.deal} is complete: {outcome.cards} cards{unread}, {pace}.")
        footer = f"pone replay {shlex.quote(str(log_file))} {outcome.deal}"
        picture = _picture_file(args, outcome, log_file)
        good = _draw(log, outcome, footer, picture, console)
        result |= {"picture": str(picture) if good else None, "replay": footer}
        console.say(f"  again:   {footer}")
    else:
        _say_why(outcome, console)
    console.say("")
    if console.as_json:
        console.data({"result": result})
    return good


def _picture_file(args: argparse.Namespace, outcome: Outcome, log_file: Path) -> Path:
    """Return the file of a deal's picture; with several deals each has its own."""
    named: Path | None = args.picture
    if named is None:
        return log_file.with_name(f"{log_file.stem}-deal-{outcome.deal}.png")
    return named if args.deals == 1 else named.with_stem(f"{named.stem}-{outcome.deal}")


def _draw(log: DealLog, outcome: Outcome, footer: str, picture: Path, console: Console) -> bool:
    """Draw the table to the file `picture`, and say where it is, or why it is not; return whether it is there."""
    from controller.deal_picture import draw_deal

    try:
        draw_deal(log.lines(outcome.deal), outcome, footer=footer, to=picture)
    except OSError as error:
        console.complain(f"No picture at {picture}: {error.strerror}. Give another --picture FILE.")
        return False
    console.say(f"  picture: {picture}")
    return True


def _say_why(outcome: Outcome, console: Console) -> None:
    """Say how a deal ended that is not complete, and the next step, if nobody else says it."""
    from controller.incidents import INCIDENTS

    console.say(f"Deal {outcome.deal} ended: {outcome.ending.status.replace('_', ' ')}.")
    incident = INCIDENTS.get(outcome.ending.fault)
    if incident is not None and not incident.on_panel:
        console.say(f"  -> {incident.next_step}")


def _carried(bridge: Bridge, *, seeded: bool) -> tuple[dict[str, Any], ...]:
    """Return the facts that say which machine and program deal, and how."""
    from firmware_bridge.words import Capability

    hello, words = bridge.hello, bridge.dictionary
    machine = {
        "fact": "machine",
        "serial": hello.serial_number,
        "firmware": hello.build.hex(),
        "host": f"pone {version('pone')}",
        "capabilities": [flag.name for flag in Capability if flag in hello.capabilities and flag.name],
        "simulated": bool(words.get("simulated", False)),
        "seeded": seeded,
        "config": {"dictionary": f"{hello.dictionary_crc:08x}"},
    }
    return machine, {"fact": "mode", "mode": "table"}


def _seeded(url: str, seed: int | None) -> str:
    """Return the machine's URL with the seed, where it is one that takes settings."""
    if seed is None or "://" not in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}seed={seed}"


def _own_camera(machine: str) -> str | None:
    """Return the camera that belongs to a machine reached by URL, which has the same scheme and name; else None."""
    scheme, separator, rest = machine.partition("://")
    return f"{scheme}:{rest.partition('?')[0]}" if separator else None


def _machine(text: str) -> str:
    """Return the URL of a machine, or the path of its port.

    Raises:
        argparse.ArgumentTypeError: the text is blank.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError(_NO_MACHINE.format(text))
    return text


def _why_no_camera(machine: str) -> str:
    """Return what to do about a machine that brings no camera: name one, or first of all a machine."""
    with suppress(OSError):  # a name that no file can have
        if "/" in machine or Path(machine).exists():
            return f"--camera is needed with --machine {machine}: as v4l2:0, or sim:SOCKET"
    return _NO_MACHINE.format(machine)


def _log_file(text: str) -> Path:
    """Return the log file that the text names; its key file has the same name and the ending .key.

    Raises:
        argparse.ArgumentTypeError: the text names no file, or the key file itself.
    """
    path = Path(text)
    if not path.name or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder, or nothing: name a file in it")
    if path.suffix == ".key":
        raise argparse.ArgumentTypeError(f"{text!r} is the name of a key file: name the log itself")
    return path


def _positive(text: str) -> int:
    """Return a whole number above zero.

    Raises:
        argparse.ArgumentTypeError: the text is none.
    """
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r:.20} is no whole number above zero with at most {_DIGITS} digits")
