"""A machine and its cameras opened, the pack laid in, and closed: what every command that moves cards begins with."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.exit_status import FAULT, WRONG_USE
from controller.eye import FrameEye
from controller.urls import RECORDED, scheme_of
from vision.files import on_one_line

if TYPE_CHECKING:
    from controller.console import Console
    from controller.eye import Eye
    from controller.passage import Passed
    from controller.table_eye import TableEye
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.words import Tray
    from vision.deck_match import DeckMatcher
    from vision.frame import Camera
    from vision.recogniser import Looker

SIMULATED: Final = "sim://"
"""The machine where none is named."""

_NO_MACHINE: Final = "{!r} is no machine: write sim://, or a port that `pone doctor` lists"

_BRINGS_NONE: Final = "{!r} is no machine that brings a camera: write sim://, or name one too, as in --camera v4l2:0"

_BROKEN_OFF: Final = "The machine stops by itself. To begin again, run the same command and lay the whole pack in."

_RECORDED_CARDS: Final = (
    "pictures taken earlier show other cards than those in the machine: name a camera that looks into its window, as "
    "v4l2:0, or sim: for the simulated one; `pone see` reads pictures"
)


def add_arguments(parser: argparse.ArgumentParser, *, as_json: str = "print JSON Lines") -> None:
    """Add the arguments that say which machine, and how to print; `as_json` is the help of `--json`."""
    parser.add_argument(
        "--machine", metavar="URL", type=_machine, default=SIMULATED, help="the machine (default: sim://)"
    )
    parser.add_argument("--camera", metavar="URL", help="camera of the read window (default: the simulated machine's)")
    parser.add_argument("--json", action="store_true", help=as_json)


def _machine(text: str) -> str:
    """Return the URL of a machine, or the path of its port.

    Raises:
        argparse.ArgumentTypeError: the text is blank.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError(_NO_MACHINE.format(text))
    return text


def camera_of(machine: str, camera: str | None) -> str:
    """Return the camera that was named, or the one that belongs to a machine reached by URL.

    Raises:
        vision.errors.NoCameraURL: none was named and the machine brings none, or the text names no camera, or one of
            pictures taken earlier.
    """
    from vision.camera import check_camera_url
    from vision.errors import NoCameraURL

    if camera is not None and scheme_of(camera) in RECORDED:
        raise NoCameraURL(camera, f"{camera!r}: {_RECORDED_CARDS}")
    scheme, separator, rest = machine.partition("://")
    if camera is None and not separator:
        raise NoCameraURL(machine, _why_no_camera(machine))
    if camera is not None:
        check_camera_url(camera)
        return camera
    its_own = f"{scheme}:{rest.partition('?')[0]}"
    try:
        check_camera_url(its_own)
    except NoCameraURL as error:
        raise NoCameraURL(machine, _BRINGS_NONE.format(machine)) from error
    return its_own


def _why_no_camera(machine: str) -> str:
    """Return what to do about a machine that brings no camera: name one, or first of all a machine."""
    with suppress(OSError):  # a name that no file can have
        if "/" in machine or Path(machine).exists():
            return f"--camera is needed with --machine {on_one_line(machine)}: as v4l2:0, or sim:SOCKET"
    return _NO_MACHINE.format(machine)


def with_machine(args: argparse.Namespace, command: str, act: Callable[[Machine], int]) -> int:
    """Open what the arguments name, do `act`, and return the exit status; errors are said in one sentence."""
    from controller.console import Console
    from controller.errors import ControllerError
    from firmware_bridge.errors import BridgeError
    from vision.errors import NoCameraURL, VisionError

    try:
        camera = camera_of(args.machine, args.camera)
    except NoCameraURL as error:
        sys.stderr.write(f"pone {command}: {error}\n")
        return WRONG_USE
    console = Console(out=sys.stdout, err=sys.stderr, as_json=args.json)
    try:
        with opened(args.machine, camera, console) as machine:
            console.tell(machine_fact(machine.bridge))
            return act(machine)
    except (ControllerError, BridgeError, VisionError) as error:
        console.complain(f"pone {command}: {error}")
        return FAULT
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_BROKEN_OFF) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """An open machine with its eyes.

    Attributes:
        bridge: the machine.
        eye: looks at its window.
        console: where people read.
        camera: of the read window.
        table_eye: looks at the table; None where no camera is over it.
    """

    bridge: Bridge
    eye: Eye
    camera: Camera
    console: Console
    table_eye: TableEye | None = None

    def watched_by(self, looker: Looker) -> Machine:
        """Return the same machine with an eye whose pictures another looker is given.

        Raises:
            TypeError: the eye looks through no camera.
        """
        if not isinstance(self.eye, FrameEye):
            raise TypeError(f"{self.eye!r} looks through no camera")
        return replace(self, eye=FrameEye(camera=self.eye.camera, recogniser=looker))

    def lay_in(self, cards: int, words: str = "") -> None:
        """Bring the machine to READY and have a pack of so many cards laid in.

        Args:
            cards: how many.
            words: how that is asked; empty for as at a deal, where the pack is shuffled first.

        Raises:
            controller.errors.Unattended: nobody does it.
            firmware_bridge.errors.BridgeError: the link is lost.
        """
        from controller.acts import AskPeople
        from controller.patience import PEOPLE_US
        from controller.readiness import have_done, make_ready
        from firmware_bridge.words import Asked

        make_ready(self.bridge, people_us=PEOPLE_US, asking=self.console.ask)
        have_done(
            self.bridge,
            AskPeople(asked=Asked.LOAD_PACK, a=cards),
            people_us=PEOPLE_US,
            asking=lambda act: self.console.ask(act, words if act.asked is Asked.LOAD_PACK else ""),
            keep=self.bridge.acknowledge,
        )

    def passages(self, tray_of: Callable[[int], Tray]) -> Iterator[Passed]:
        """Send card after card through the window; see `controller.passage.passages`."""
        from controller.dealing import card_size
        from controller.passage import passages

        return passages(self.bridge, self.eye, card_size(self.bridge), tray_of=tray_of)

    def identity(self) -> dict[str, Any]:
        """Return which machine this is, ready for JSON."""
        return identity_of(self.bridge)


def machine_fact(bridge: Bridge, *, seeded: bool = False) -> dict[str, Any]:
    """Return the fact of which machine and program act, and whether that is for play."""
    from firmware_bridge.words import Capability

    hello = bridge.hello
    return {
        "fact": "machine",
        **identity_of(bridge),
        "host": f"pone {version('pone')}",
        "capabilities": [flag.name for flag in Capability if flag in hello.capabilities and flag.name],
        "seeded": seeded,
        "config": {"dictionary": f"{hello.dictionary_crc:08x}"},
    }


def identity_of(bridge: Bridge) -> dict[str, Any]:
    """Return which machine is at the other end, ready for JSON."""
    return {
        "serial": bridge.hello.serial_number,
        "firmware": bridge.hello.build.hex(),
        "simulated": bool(bridge.dictionary.get("simulated", False)),
    }


@contextmanager
def opened(
    url: str, camera_url: str, console: Console, *, table_url: str | None = None, decks: Sequence[DeckMatcher] = ()
) -> Iterator[Machine]:
    """Open a machine and its cameras, and close them at the end.

    Args:
        url: the machine.
        camera_url: the camera of its read window.
        console: where people read.
        table_url: the camera over the table; None for none.
        decks: that were enrolled.

    Raises:
        firmware_bridge.errors.BridgeError: the machine is not there.
        vision.errors.VisionError: a camera cannot be opened; the machine is let go.
    """
    from controller.table_eye import FrameTableEye
    from firmware_bridge.bridge import Bridge
    from vision.camera import open_camera
    from vision.table import shipped_table_reader
    from vision.window_view import WindowRecogniser

    with Bridge.open(url) as bridge, ExitStack() as cameras:

        def camera_at(url: str) -> Camera:
            return cameras.enter_context(closing(open_camera(url, clock=bridge.now_us)))

        camera = camera_at(camera_url)
        eye = FrameEye(camera=camera, recogniser=WindowRecogniser.shipped(decks=decks))
        table_eye = None
        if table_url is not None:
            table_eye = FrameTableEye(camera=camera_at(table_url), reader=shipped_table_reader())
        yield Machine(bridge=bridge, eye=eye, camera=camera, console=console, table_eye=table_eye)


def in_turn(k: int) -> Tray:
    """Return the tray of card `k` where it matters to nobody: North's, East's, South's, West's, and so on."""
    from firmware_bridge.words import Tray

    return Tray((k - 1) % 4)
