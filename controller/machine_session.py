"""A machine and its camera opened for something else than a deal: arguments, opening, the pack laid in, closing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from controller.console import Console
    from controller.eye import Eye
    from controller.passage import Passed
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.words import Tray

WRONG_USE: Final = 2
PEOPLE_US: Final = 600_000_000
"""How long people may take to do what the panel asks: ten minutes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which machine, and how to print."""
    parser.add_argument("--machine", metavar="URL", default="sim://", help="the machine (default: sim://)")
    parser.add_argument("--camera", metavar="URL", help="camera of the read window (default: the simulated machine's)")
    parser.add_argument("--json", action="store_true", help="print JSON Lines")


def own_camera(machine: str) -> str | None:
    """Return the camera that belongs to a machine reached by URL, which has the same scheme and name; else None."""
    scheme, separator, rest = machine.partition("://")
    return f"{scheme}:{rest.partition('?')[0]}" if separator else None


def with_machine(args: argparse.Namespace, command: str, act: Callable[[Machine], int]) -> int:
    """Open what the arguments name, do `act`, and return the exit status; errors are said in one sentence."""
    from controller.console import Console
    from controller.errors import ControllerError
    from firmware_bridge.errors import BridgeError
    from vision.errors import VisionError

    camera = args.camera or own_camera(args.machine)
    if camera is None:
        sys.stderr.write(f"pone {command}: --camera is needed with --machine {args.machine}: as v4l2:0\n")
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
        return {
            "serial": self.bridge.hello.serial_number,
            "firmware": self.bridge.hello.build.hex(),
            "simulated": bool(self.bridge.dictionary.get("simulated", False)),
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
