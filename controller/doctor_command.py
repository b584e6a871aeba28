"""Say what is wrong with machine, ports, cameras, light, folder and log, and what to do next.

No serial port is opened without `--open`, since that may reset a machine; the simulated machine of this program is, and
so are cameras, for a few pictures each.
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

from controller.counts import counted
from controller.exit_status import DONE, FAULT
from controller.urls import LIVE, RECORDED, ends_with_us, scheme_of
from vision.files import named_path

if TYPE_CHECKING:
    from controller.doctor import CameraFacts, FolderFacts, HostFacts, MachineFacts, PortFacts, Wanted
    from controller.findings import Finding
    from firmware_bridge.bridge import Bridge

_PICTURE_US: Final = 2_000_000
"""How long a camera may take to give its first picture; cheap ones want a second to set their exposure."""


_DEALS: Final = 24
"""Deals of the log that are looked at for lamp, focus and window: enough for a trend, and read in a moment."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pone doctor`."""
    parser.epilog = "exit status: 0 nothing stands in the way of a deal, 1 something does, 2 wrong use"
    parser.add_argument("--machine", metavar="URL", type=_url, default="sim://", help="the machine (default: sim://)")
    parser.add_argument("--camera", metavar="URL", type=_url, default="sim:", help="its camera (default: sim:)")
    parser.add_argument("--table-camera", metavar="URL", type=_url, help="camera over the table (default: none)")
    parser.add_argument("--log", metavar="FILE", type=named_path, help="the deal log (default: in your data folder)")
    parser.add_argument("--open", action="store_true", help="open the machine's port too, and say what it lacks")
    parser.add_argument("--json", action="store_true", help="print one JSON object a finding")


def run(args: argparse.Namespace, *, look: Callable[[Wanted], HostFacts] | None = None) -> int:
    """Look around, print the findings, and return the exit status."""
    from controller.data_folder import default_log
    from controller.doctor import Wanted, examine
    from controller.findings import Level

    wanted = Wanted(
        machine=args.machine,
        camera=args.camera,
        table_camera=args.table_camera or "",
        log=str(args.log or default_log()),
        open_port=args.open,
    )
    findings = examine((look or look_around)(wanted), wanted)
    sys.stdout.write(_json_lines(findings) if args.json else _sentences(findings, wanted))
    return FAULT if any(finding.level is Level.FAULT for finding in findings) else DONE


def look_around(wanted: Wanted) -> HostFacts:
    """Gather the facts of this computer, and of the machine, the cameras and the log that are wanted."""
    from controller.doctor import HostFacts
    from firmware_bridge.ports import ENTRY_POINTS
    from vision.camera import GROUP

    machine, cameras = _opened(wanted)
    folder = _folder(Path(wanted.log))
    return HostFacts(
        ports=_ports(wanted.machine),
        cameras=cameras,
        folder=folder,
        port_schemes=frozenset(entry_points(group=ENTRY_POINTS).names),
        camera_schemes=frozenset({LIVE, *RECORDED} | entry_points(group=GROUP).names),
        modem_manager=_is_running("ModemManager"),
        machine=machine,
        eye=_eye(Path(wanted.log)) if folder.deals and not folder.log_error else (),
    )


def _eye(log: Path) -> tuple[Finding, ...]:
    """Return what the last deals of a readable log say of lamp, focus, window and cards."""
    from controller.deal_reader import read_log
    from controller.errors import LogError
    from controller.findings import Finding, Level
    from controller.health import health_of
    from controller.health_command import closed_deals
    from controller.health_findings import amiss

    try:
        with read_log(log) as reader:
            return amiss(health_of(closed_deals(reader, since=max(reader.last() - _DEALS + 1, 1))))
    except LogError as error:
        says = f"The deals of the log cannot be read: {error.reason}."
        return (Finding(about=str(log), level=Level.FAULT, says=says, step=error.next_step),)


def _opened(wanted: Wanted) -> tuple[MachineFacts | None, tuple[CameraFacts, ...]]:
    """Open the machine, if that harms none, and look through the cameras while it is open: they may share its clock."""
    from controller.doctor import MachineFacts
    from firmware_bridge.bridge import Bridge
    from firmware_bridge.errors import BridgeError, LinkError

    if not (wanted.open_port or ends_with_us(wanted.machine)):
        return None, _cameras(wanted, _now_us if not scheme_of(wanted.machine) else None)
    try:
        with Bridge.open(wanted.machine) as bridge:
            return _machine(bridge), _cameras(wanted, bridge.now_us)
    except BridgeError as error:
        reason, step = error.why if isinstance(error, LinkError) else error.text, error.next_step
        return MachineFacts(error=reason, step=f"{step[0].upper()}{step[1:]}."), _cameras(wanted, None)


def _machine(bridge: Bridge) -> MachineFacts:
    """Return which machine answers, and what it lacks of what the codes want."""
    from controller import laws
    from controller.capabilities import lacks
    from controller.doctor import MachineFacts
    from controller.machine_session import identity_of

    able, identity = bridge.hello.capabilities, identity_of(bridge)
    return MachineFacts(
        serial=identity["serial"],
        simulated=identity["simulated"],
        lacks=tuple(dict.fromkeys(sentence for code in laws.built() for sentence in lacks(able, code))),
    )


def _now_us() -> int:
    return time.monotonic_ns() // 1000


def _url(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("empty; expected a URL or the path of a port")
    return text


def _ports(machine: str) -> tuple[PortFacts, ...]:
    from controller.doctor import PortFacts
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
        is_port=device.is_char_device() and not _is_other_device(device),
        permitted=os.access(device, os.R_OK | os.W_OK),
        group=group,
        holder=", ".join(holders(str(device))),
    )


def _is_other_device(device: Path) -> bool:
    """Return whether a device is known to be of another kind than a terminal, as /dev/null."""
    number = device.stat().st_rdev
    subsystem = Path(f"/sys/dev/char/{os.major(number)}:{os.minor(number)}/subsystem")
    return subsystem.exists() and subsystem.resolve().name != "tty"


def _cameras(wanted: Wanted, clock: Callable[[], int] | None) -> tuple[CameraFacts, ...]:
    """Look through every camera of this computer, and through those that are wanted.

    Pictures taken earlier for the window are left alone, and so is what no installed package opens: of both it is told
    without. A camera of another package may need its machine's clock, and is left alone where there is none.
    """
    from vision.camera import GROUP

    # A camera has further nodes for what is no picture; the picture's has index 0.
    nodes = sorted(Path("/sys/class/video4linux").glob("video*/index"))
    urls = [f"v4l2:{node.parent.name.removeprefix('video')}" for node in nodes if node.read_text().strip() == "0"]
    brought = set(entry_points(group=GROUP).names) if clock else set()
    asked = [url for url in (wanted.camera, wanted.table_camera) if scheme_of(url) in {LIVE, *brought}]
    asked += [wanted.table_camera] if scheme_of(wanted.table_camera) in RECORDED else []
    urls = [*urls, *asked]
    return tuple(
        _look_through(url, clock if clock and scheme_of(url) in brought else _now_us) for url in dict.fromkeys(urls)
    )


def _look_through(url: str, clock: Callable[[], int]) -> CameraFacts:
    from controller.doctor import CameraFacts
    from controller.window_check import check_window
    from vision.camera import open_camera
    from vision.errors import VisionError

    try:
        with closing(open_camera(url, clock=clock)) as camera:
            check = check_window(camera, now_us=clock, wait_us=_PICTURE_US)
    except VisionError as error:
        reason = str(error).removeprefix(f"{url!r}: ").removeprefix(f"{url}: ")
        return CameraFacts(url=url, error=reason.removesuffix("."))
    if not check.pictures:
        return CameraFacts(url=url, error=f"nothing came within {_PICTURE_US / 1e6:.0f} s")
    return CameraFacts(url=url, check=check)


def _folder(log: Path) -> FolderFacts:
    from controller.doctor import FolderFacts

    folder, key_file = log.parent, log.with_suffix(".key")
    there = next(parent for parent in (folder, *folder.parents) if _is_there(parent))
    facts = FolderFacts(
        path=str(folder),
        writable=_takes_files(there) and _can_be(folder),
        free_bytes=shutil.disk_usage(there).free,
        key_file=str(key_file),
        key_mode=key_file.stat().st_mode & 0o7777 if _is_there(key_file) else None,
        log=str(log),
    )
    return _with_log(facts, log) if _is_there(log) else _without_log(facts, log)


def _without_log(facts: FolderFacts, log: Path) -> FolderFacts:
    """Add why no log can be made under that name, where none can."""
    from controller.errors import LogError
    from controller.log_files import is_regular

    try:
        is_regular(log, str(log))
    except LogError as error:
        return replace(facts, log_error=error.reason, log_step=error.next_step)
    return facts


def _with_log(facts: FolderFacts, log: Path) -> FolderFacts:
    """Add what is in a log that is there, or why it cannot be used; nothing in it is changed."""
    from controller.deal_reader import read_log
    from controller.errors import LogError

    if log.is_file() and not log.stat().st_size:
        return facts
    try:
        with read_log(log) as reader:
            facts = replace(facts, deals=reader.last(), unfinished=reader.unfinished() or 0)
    except LogError as error:
        return replace(facts, log_error=error.reason, log_step=error.next_step)
    if not os.access(log, os.W_OK):
        return replace(facts, log_error="it may not be written to", log_step="Name another with --log FILE.")
    return facts


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
    return "".join(json.dumps(found.as_json()) + "\n" for found in findings)


def _sentences(findings: tuple[Finding, ...], wanted: Wanted) -> str:
    """Return a line for each finding, its next step below it, and the sum."""
    from controller.findings import Level

    width = max(len(found.about) for found in findings)
    lines = []
    for found in findings:
        lines.append(f"{found.level.value:<5}  {found.about:<{width}}  {found.says}")
        if found.step:
            lines.append(f"{'':<{width + 9}}-> {found.step}")
    levels = Counter(found.level for found in findings)
    faults, warnings = levels[Level.FAULT], levels[Level.WARN]
    says = f"{counted(faults, 'fault')} in the way of" if faults else "Nothing stands in the way of"
    noted = f" ({counted(warnings, 'warning')})" if warnings else ""
    lines.append(f"{says} a deal on {wanted.machine} with camera {wanted.camera}{noted}.")
    return "\n".join(lines) + "\n"
