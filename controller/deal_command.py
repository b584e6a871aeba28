"""Deal hands on a machine, real or simulated: every card is seen, judged, delivered and written down.

A deal that was cut off, by Ctrl-C, a pulled cable or a power cut, comes first: it is gone on with, or given up with
the reason.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller import machine_session
from controller.argument_types import code_of_laws, house_file, log_file, picture_file, positive, whole_number
from controller.exit_status import DONE, FAULT, INTERRUPTED, MEANING, WRONG_USE
from controller.urls import ends_with_us
from vision.files import named, named_path

if TYPE_CHECKING:
    from controller.console import Console
    from controller.deal_log import DealLog
    from controller.dealing import Dealing
    from controller.seats import SeatWord
    from controller.table_talk import TableTalk
    from firmware_bridge.bridge import Bridge
    from vision.deck_match import DeckMatcher
    from vision.frame import Camera

_KEPT: Final = "The record is kept. Run the same command again: it asks the machine how far it got."

_KEPT_ALONE: Final = (
    "The record is kept. The simulated machine was a part of this program and is gone, with the cards in it. "
    "Run the same command again: what was not dealt to its end is given up, with the reason, and dealt anew."
)

_EPILOG: Final = """\
machines:  sim://                   the simulated machine, in this process
           sim://?scenario=NAME     the same with a scenario; pone sim --list-scenarios names them
           /dev/serial/by-id/...    a machine on a serial port; a pty of pone sim --pty
cameras:   sim:                     the simulated machine's own camera
           v4l2:0                   a camera of this computer
table:     simtable:                the camera over the simulated machine's table; any camera that sees the whole table

seats:     --seats FILE, or - for what is typed while the cards fall: one word a line, such as
           N claim new_deal         a number in front holds it back until that many cards are dealt: 20 N touch

%s

Ctrl-C lets the card in transit arrive and keeps the deal open; pressed again, it stops the machine at once. The same
command goes on with a machine that is still there; that of sim:// ends with the command, and the next deals anew.

%s
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone deal`."""
    from controller.seats import vocabulary
    from controller.table import SINGLES, THREE_TWO, TWO_THREE

    parser.epilog = _EPILOG % (vocabulary(), MEANING)
    parser.add_argument(
        "--code",
        metavar="CODE",
        type=code_of_laws,
        default="whist",
        help="code of laws: one that `pone laws` lists, or a file of your own (default: whist)",
    )
    parser.add_argument(
        "--house", metavar="FILE", type=house_file, help="what your house decides (see pone laws --house)"
    )
    parser.add_argument("--pack", metavar="CARDS", type=positive, help="cards of the pack (default: the code's own)")
    patterns = (TWO_THREE.name, THREE_TWO.name, SINGLES.name)
    parser.add_argument("--pattern", choices=patterns, help="how euchre is dealt (default: the code's own)")
    parser.add_argument(
        "--seats", metavar="FILE", type=named, help="what the seats do and say, a file or - (default: nothing)"
    )
    machine_session.add_arguments(parser, as_json="print the record's lines, without faces, as JSON Lines")
    parser.add_argument(
        "--table-camera", metavar="URL", help="camera over the table, finds exposed faces (default: none)"
    )
    parser.add_argument(
        "--decks", metavar="DIR", type=named_path, help="folder of enrolled decks (default: in your data folder)"
    )
    parser.add_argument("--deals", metavar="N", type=positive, default=1, help="hands to deal (default: 1)")
    parser.add_argument(
        "--dealer", metavar="SEAT", choices=tuple("NESW"), default="S", help="N, E, S or W (default: S)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole_number, help="repeatable run, marked not for play (default: none)"
    )
    parser.add_argument("--log", metavar="FILE", type=log_file, help="the deal log (default: in your data folder)")
    parser.add_argument(
        "--picture", metavar="FILE", type=picture_file, help="the table's picture (default: beside the log)"
    )


def run(args: argparse.Namespace) -> int:
    """Deal as the arguments say; return the exit status."""
    from controller.console import Console
    from controller.data_folder import default_log
    from controller.deal_log import DealLog
    from controller.entropy import seeded_entropy, system_entropy
    from controller.errors import ControllerError, Drained, OutputLost, Unattended
    from firmware_bridge.errors import BridgeError
    from vision.errors import NoCameraURL, VisionError

    console = Console(out=sys.stdout, err=sys.stderr, as_json=args.json)
    log_file = args.log or default_log()
    key_file = log_file.with_suffix(".key")
    try:
        camera = machine_session.camera_of(args.machine, args.camera)
        _check_use(args, log_file, key_file)
    except (ControllerError, NoCameraURL, ValueError) as error:
        console.complain(f"pone deal: {error}")
        return WRONG_USE
    kept = _KEPT_ALONE if ends_with_us(args.machine) else _KEPT
    entropy = system_entropy if args.seed is None else seeded_entropy(args.seed)
    try:
        words = _words(args)
        decks = decks_of(args.decks)
        with DealLog.open(log_file, key_file=key_file, entropy=entropy) as log:
            _say_what_is_open(log, console)
            return _deal(args, camera, log, log_file, console, words, decks)
    except Drained as drained:
        console.complain(f"{drained.how} {kept}")
        return INTERRUPTED
    except Unattended as error:
        console.complain(f"{error.waiting}: put that right. {kept}")
        return FAULT
    except (ControllerError, BridgeError, VisionError) as error:
        console.complain(f"pone deal: {error}")
        return FAULT
    except KeyboardInterrupt:
        raise KeyboardInterrupt(kept) from None
    except OutputLost as lost:
        raise OutputLost(lost.number, lost.reason, kept) from None


def decks_of(folder: Path | None) -> Sequence[DeckMatcher]:
    """Return the enrolled decks of a folder; those of the user's data folder, if there is one, where none was named.

    Raises:
        vision.errors.DeckError: the folder cannot be read, or a deck in it is damaged.
    """
    from controller.data_folder import default_decks
    from vision.deck_store import read_matchers

    if folder is None and not default_decks().is_dir():
        return ()
    return read_matchers(folder or default_decks())


def _check_use(args: argparse.Namespace, log_file: Path, key_file: Path) -> None:
    """Make sure that the arguments go together: cameras, files, and a code with a pack and a pattern of its own.

    Raises:
        controller.errors.ControllerError: the code has no laws, or no such pattern.
        vision.errors.NoCameraURL: a text names no camera.
        ValueError: the code has no pack of that size, or the picture would be a file of the log.
    """
    from controller.log_files import files_of, is_one_of
    from vision.camera import check_camera_url

    if args.table_camera is not None:
        check_camera_url(args.table_camera)
    if args.picture is not None and is_one_of(args.picture, files_of(log_file, key_file)):
        raise ValueError(f"--picture {args.picture} is a file of the deal log: give the picture another name")
    code = args.code.code
    if args.pack is not None and args.pack not in code.packs:
        sizes = " or ".join(map(str, code.packs))
        raise ValueError(f"{code.name} is played with {sizes} cards, not {args.pack}")
    code.pattern_named(args.pattern)


def _say_what_is_open(log: DealLog, console: Console) -> None:
    """Say that a deal is still open, and let the console know what it is of.

    Raises:
        controller.errors.LogError: the log is damaged.
    """
    if (deal := log.unfinished()) is not None:
        console.opened(log.own_lines(deal)[0])
        console.say(f"Deal {deal} is not at its end: it comes first.")


def _words(args: argparse.Namespace) -> list[SeatWord]:
    """Return what the seats are to say, where a file says it."""
    from controller.seat_lines import words_of_file

    return [] if args.seats in (None, "-") else words_of_file(Path(args.seats))


@contextmanager
def _stoppable(talk: TableTalk) -> Iterator[None]:
    """Have Ctrl-C ask the deal to stop: at the next card, then at once, then by force."""

    def on_signal(number: int, frame: object) -> None:
        if talk.stop_now:
            raise KeyboardInterrupt
        talk.ask_to_stop()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _deal(
    args: argparse.Namespace,
    camera_url: str,
    log: DealLog,
    log_file: Path,
    console: Console,
    words: list[SeatWord],
    decks: Sequence[DeckMatcher],
) -> int:
    """Deal with an open log; say how each deal ended."""
    from controller.deal_report import report
    from controller.dealing import Dealing
    from controller.fault_bundle import FaultBundle, folder_beside
    from controller.table import Seat
    from firmware_bridge.bridge import Bridge

    url = _seeded(args.machine, args.seed)
    with machine_session.opened(url, camera_url, console, table_url=args.table_camera, decks=decks) as machine:
        dealing = Dealing(
            log=log,
            bridge=machine.bridge,
            open_bridge=lambda: Bridge.open(url),
            eye=machine.eye,
            tell=console.tell,
            asking=console.ask,
            carried=lambda bridge: _carried(bridge, seeded=args.seed is not None),
            wait=threading.Event().wait,
            waiting=console.waiting,
            table_eye=machine.table_eye,
            bundle=FaultBundle(folder=folder_beside(log_file), seal=log.sealed, tell=console.complain),
            script=words,
            before_deal=lambda bridge: _look_at_window(machine.camera, bridge, log, console),
            **_game(args),
        )
        _listen(dealing, console, stdin=args.seats == "-")
        _say_what_lacks(machine.bridge, args, console)
        with _stoppable(dealing.talk), dealing:
            reports = [
                report(args, outcome, log, log_file, console)
                for outcome in dealing.deals(args.deals, Seat(args.dealer))
            ]
            for word in dealing.talk.unsaid():
                console.complain(f"{word.after} {word}: the deal was over first, and it is not on record.")
    return DONE if all(reports) else FAULT


def _look_at_window(camera: Camera, bridge: Bridge, log: DealLog, console: Console) -> None:
    """Say what is amiss with the window now, and with light, focus and frames in the last deal; the deal goes on.

    Raises:
        controller.errors.LogError: the last deal of the log cannot be read.
        vision.errors.CameraLost: the camera is gone.
    """
    from controller.findings import Level
    from controller.health import health_of
    from controller.health_command import closed_deals
    from controller.health_findings import amiss
    from controller.patience import DARK_US
    from controller.window_check import check_window, window_findings

    check = check_window(camera, now_us=bridge.now_us, wait_us=DARK_US)
    last = health_of(closed_deals(log, since=max(log.last(), 1)))
    for found in (*window_findings(check, "window"), *amiss(last)):
        if found.level is not Level.OK:
            console.complain(f"{found.says}\n  -> {found.step}")


def _game(args: argparse.Namespace) -> dict[str, Any]:
    """Return what is played, as `Dealing` takes it."""
    from controller.house import House

    chosen = {"code": args.code.code.name, "own_laws": args.code.text, "house": args.house or House()}
    return chosen | {"pack": args.pack, "pattern": args.pattern}


def _listen(dealing: Dealing, console: Console, *, stdin: bool) -> None:
    """Hand over what is typed for the seats, and tell what could not be taken, of that or of a file."""
    from controller.seat_lines import follow

    def answered(word: SeatWord, *, taken: bool) -> None:
        if not taken:
            console.complain(f"{word}: that cannot be now, and is not on record.")

    dealing.talk.answered = answered
    if stdin:
        follow(sys.stdin, dealing.say, console.complain)


def _say_what_lacks(bridge: Bridge, args: argparse.Namespace, console: Console) -> None:
    """Say once, before the first deal, what this machine cannot do or see."""
    from controller.capabilities import NO_TABLE_CAMERA, lacks

    missing = lacks(bridge.hello.capabilities, args.code.code)
    for sentence in missing if args.table_camera else (*missing, NO_TABLE_CAMERA):
        console.say(sentence)


def _carried(bridge: Bridge, *, seeded: bool) -> tuple[dict[str, Any], ...]:
    """Return the facts that say which machine and program deal, and how."""
    return machine_session.machine_fact(bridge, seeded=seeded), {"fact": "mode", "mode": "table"}


def _seeded(url: str, seed: int | None) -> str:
    """Return the machine's URL with the seed, where it is one that takes settings."""
    if seed is None or "://" not in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}seed={seed}"
