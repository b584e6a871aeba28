"""Say what is wrong with ports, cameras, light and folders, and what to do next.

No serial port is opened without `--open`, since that may reset a machine; cameras are, for one picture each.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from controller.doctor import CameraFacts, Finding, FolderFacts, HostFacts, PortFacts

_PICTURE_US: Final = 2_000_000
"""How long a camera may take to give its first picture; cheap ones want a second to set their exposure."""

_RECORDED: Final = ("frames", "video")
"""URL schemes of pictures taken earlier."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone doctor`."""
    parser.epilog = "exit status: 0 nothing stands in the way of a deal, 1 something does, 2 wrong use"
    parser.add_argument("--machine", metavar="URL", type=_url, default="sim://", help="the machine (default: sim://)")
    parser.add_argument("--camera", metavar="URL", type=_url, default="sim:", help="its camera (default: sim:)")
    parser.add_argument("--open", action="store_true", help="open the machine's port too, and say what it lacks")
    parser.add_argument("--json", action="store_true", help="print one JSON object a finding")


def run(args: argparse.Namespace, *, look: Callable[[str, str], HostFacts] | None = None) -> int:
    """Look around, print the findings, and return the exit status. `look` takes the machine's and the camera's URL."""
    from controller.doctor import Level, examine

    facts = (look or look_around)(args.machine, args.camera)
    if args.open:
        facts = replace(facts, lacks=_what_lacks(args.machine))
    findings = examine(facts, machine=args.machine, camera=args.camera)
    text = _json_lines(findings) if args.json else _sentences(findings, args.machine, args.camera)
    sys.stdout.write(text)
    return int(any(finding.level is Level.FAULT for finding in findings))


def look_around(machine: str, camera: str) -> HostFacts:
    """Gather the facts of this computer."""
    from controller.doctor import HostFacts
    from firmware_bridge.ports import ENTRY_POINTS

    return HostFacts(
        ports=_ports(machine),
        cameras=_cameras(camera),
        folder=_folder(),
        port_schemes=frozenset(entry_points(group=ENTRY_POINTS).names),
        camera_schemes=frozenset({"v4l2", *_RECORDED} | entry_points(group="pone.cameras").names),
        modem_manager=_is_running("ModemManager"),
    )


def _what_lacks(machine: str) -> tuple[str, ...]:
    """Open the machine, and return what it lacks of what the four codes want, or why it could not be asked."""
    from controller.capabilities import lacks
    from controller.laws import code
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.errors import BridgeError

    try:
        with Bridge.open(machine) as bridge:
            able = bridge.hello.capabilities
    except BridgeError as error:
        return (f"The machine could not be asked what it has: {error}",)
    return tuple(dict.fromkeys(sentence for name in ("whist", "euchre") for sentence in lacks(able, code(name))))


def _url(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("empty; expected a URL or the path of a port")
    return text


def _ports(machine: str) -> tuple[PortFacts, ...]:
    from controller.doctor import PortFacts, scheme_of
    from firmware_bridge.ports import list_ports

    found = {_led_to(port.device): port.url for port in list_ports()}
    if not scheme_of(machine):
        found[_led_to(machine)] = machine
    return tuple(
        _port(name, device) if _is_there(device) else PortFacts(device=name, there=False)
        for device, name in found.items()
    )


def _led_to(name: str) -> Path:
    """Return the path that a name leads to, links followed as far as they lead anywhere."""
    try:
        return Path(name).resolve()
    except (OSError, RuntimeError):  # a name that is too long; links in a circle
        return Path(name)


def _can_be(path: Path) -> bool:
    """Return whether something is at a path or nothing yet; False where no name like that can be."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _is_there(path: Path) -> bool:
    """Return whether this user can see something at a path; False for a path that none can be at."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def _port(name: str, device: Path) -> PortFacts:
    from controller.doctor import PortFacts
    from firmware_bridge.ports import holders

    try:
        group = device.group()
    except KeyError:
        group = ""
    return PortFacts(
        device=name,
        permitted=os.access(device, os.R_OK | os.W_OK),
        group=group,
        holder=", ".join(holders(str(device))),
    )


def _cameras(camera: str) -> tuple[CameraFacts, ...]:
    """Look through every camera of this computer, and through the one that was asked for if it needs no machine."""
    from controller.doctor import scheme_of

    # A camera has further nodes for what is no picture; the picture's has index 0.
    nodes = sorted(Path("/sys/class/video4linux").glob("video*/index"))
    urls = [f"v4l2:{node.parent.name.removeprefix('video')}" for node in nodes if node.read_text().strip() == "0"]
    if scheme_of(camera) in ("v4l2", *_RECORDED) and camera not in urls:
        urls.append(camera)
    return tuple(map(_look_through, urls))


def _look_through(url: str) -> CameraFacts:
    from controller.doctor import CameraFacts, scheme_of
    from vision.camera import open_camera
    from vision.errors import VisionError
    from vision.scene import mean_level

    def now_us() -> int:
        return time.monotonic_ns() // 1000

    live = scheme_of(url) not in _RECORDED
    try:
        with closing(open_camera(url, clock=now_us)) as camera:
            frame = camera.next_frame(after_us=now_us(), deadline_us=now_us() + _PICTURE_US)
    except VisionError as error:
        return CameraFacts(url=url, live=live, error=str(error).removeprefix(f"{url!r}: ").removesuffix("."))
    if frame is None:
        return CameraFacts(url=url, live=live, error=f"nothing came within {_PICTURE_US / 1e6:.0f} s")
    return CameraFacts(url=url, live=live, level=mean_level(frame.image))


def _folder() -> FolderFacts:
    from controller.data_folder import default_log
    from controller.doctor import FolderFacts

    log = default_log()
    folder, key_file = log.parent, log.with_suffix(".key")
    there = next(parent for parent in (folder, *folder.parents) if _is_there(parent))
    return FolderFacts(
        path=str(folder),
        writable=_takes_files(there) and _can_be(folder),
        free_bytes=shutil.disk_usage(there).free,
        key_file=str(key_file),
        key_mode=key_file.stat().st_mode & 0o7777 if _is_there(key_file) else None,
    )


def _takes_files(folder: Path) -> bool:
    """Return whether a file can be made in a folder, by making one that has no name: permissions do not tell all."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)  # a full disk, of which the free space tells


def _is_running(name: str) -> bool:
    """Return whether a program of that name runs; False where the system does not say."""
    for comm in Path("/proc").glob("[0-9]*/comm"):
        try:
            if comm.read_text().strip() == name:
                return True
        except OSError:
            continue  # it has ended since
    return False


def _json_lines(findings: tuple[Finding, ...]) -> str:
    return "".join(
        json.dumps({"about": found.about, "level": found.level.value, "says": found.says, "step": found.step}) + "\n"
        for found in findings
    )


def _sentences(findings: tuple[Finding, ...], machine: str, camera: str) -> str:
    """Return a line for each finding, its next step below it, and the sum."""
    from controller.doctor import Level

    width = max(len(found.about) for found in findings)
    lines = []
    for found in findings:
        lines.append(f"{found.level.value:<5}  {found.about:<{width}}  {found.says}")
        if found.step:
            lines.append(f"{'':<{width + 9}}-> {found.step}")
    levels = Counter(found.level for found in findings)
    faults, warnings = levels[Level.FAULT], levels[Level.WARN]
    says = f"{faults} fault{'s' * (faults != 1)} in the way of" if faults else "Nothing stands in the way of"
    noted = f" ({warnings} warning{'s' * (warnings != 1)})" if warnings else ""
    lines.append(f"{says} a deal on {machine} with camera {camera}{noted}.")
    return "\n".join(lines) + "\n"
