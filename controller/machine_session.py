"""A machine and its camera opened for something else than a deal: arguments, opening, the pack laid in, closing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from controller.console import Console
    from controller.eye import Eye
    from controller.passage import Passed
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.words import Tray

WRONG_USE: Final = 2

_NO_MACHINE: Final = "{!r} is no machine: write sim://, or a port that `pone doctor` lists"


def add_arguments(parser: argparse.ArgumentParser, *, as_json: str = "print JSON Lines") -> None:
    """Add the arguments that say which machine, and how to print; `as_json` is the help of `--json`."""
    parser.add_argument(
        "--machine", metavar="URL", type=_machine, default="sim://", help="the machine (default: sim://)"
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
        vision.errors.NoCameraURL: none was named and the machine brings none, or the text names no camera.
    """
    from vision.camera import check_camera_url
    from vision.errors import NoCameraURL

    scheme, separator, rest = machine.partition("://")
    if camera is None and not separator:
        raise NoCameraURL(machine, _why_no_camera(machine))
    named = f"{scheme}:{rest.partition('?')[0]}" if camera is None else camera
    check_camera_url(named)
    return named


def _why_no_camera(machine: str) -> str:
    """Return what to do about a machine that brings no camera: name one, or first of all a machine."""
    with suppress(OSError):  # a name that no file can have
        if "/" in machine or Path(machine).exists():
            return f"--camera is needed with --machine {machine}: as v4l2:0, or sim:SOCKET"
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
        with _opened(args.machine, camera, console) as machine:
            return act(machine)
    except (ControllerError, BridgeError, VisionError) as error:
        console.complain(str(error))
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """An open machine with its eye.

    Attributes:
        bridge: the machine.
        eye: looks at its window.
        console: where people read.
    """

    bridge: Bridge
    eye: Eye
    console: Console

    def lay_in(self, cards: int) -> None:
        """Bring the machine to READY and have a pack of so many cards laid in.

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
            asking=self.console.ask,
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


def identity_of(bridge: Bridge) -> dict[str, Any]:
    """Return which machine is at the other end, ready for JSON."""
    return {
        "serial": bridge.hello.serial_number,
        "firmware": bridge.hello.build.hex(),
        "simulated": bool(bridge.dictionary.get("simulated", False)),
    }


@contextmanager
def _opened(url: str, camera_url: str, console: Console) -> Iterator[Machine]:
    from controller.eye import FrameEye
    from firmware_bridge.bridge import Bridge
    from vision.camera import open_camera
    from vision.recogniser import Recogniser

    with Bridge.open(url) as bridge, closing(open_camera(camera_url, clock=bridge.now_us)) as camera:
        eye = FrameEye(camera=camera, recogniser=Recogniser.shipped())
        yield Machine(bridge=bridge, eye=eye, console=console)


def in_turn(k: int) -> Tray:
    """Return the tray of card `k` where it matters to nobody: North's, East's, South's, West's, and so on."""
    from firmware_bridge.words import Tray

    return Tray((k - 1) % 4)
