"""What is wrong with machine, ports, cameras, light, folder and log, and what to do: findings from facts. Pure.

The facts are gathered by `controller.doctor_command`. Only what stands in the way of the deal that was asked for is a
fault; anything else that is not as it should be is a warning.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.counts import counted
from controller.urls import LIVE, RECORDED, scheme_of
from vision.scene import DARK_LEVEL

FREE_LOW: Final = 200_000_000
"""Bytes; an evening of 32 deals with its frames takes less than a quarter of this."""

FREE_NONE: Final = 10_000_000
"""Bytes; below this a deal cannot be trusted to be written down to its end."""

OTHERS: Final = 0o077
"""The permission bits of everybody but the owner of a file."""


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a deal is to be made with.

    Attributes:
        machine: URL of the machine, or path of its port.
        camera: URL of the camera below the window.
        table_camera: URL of the camera over the table; empty for none.
        log: path of the deal log.
        open_port: whether a serial port may be opened, which may reset a machine.
    """

    machine: str = "sim://"
    camera: str = "sim:"
    table_camera: str = ""
    log: str = ""
    open_port: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        about: the port, camera or folder.
        level: how bad it is.
        says: what is the case, in one sentence.
        step: what to do next; empty where nothing need be done.
    """

    about: str
    level: Level
    says: str
    step: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortFacts:
    """A serial port, looked at without opening it: every open may reset a machine.

    Attributes:
        device: its path.
        there: whether the path leads to anything.
        is_port: whether that is a terminal, and no other device, file or folder.
        permitted: whether this user may read and write it.
        group: the group that owns it; empty where unknown.
        holder: the program that has it open; empty where none was seen.
    """

    device: str
    there: bool = True
    is_port: bool = True
    permitted: bool = True
    group: str = ""
    holder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineFacts:
    """The machine that was asked for, opened.

    Attributes:
        serial: its number; empty where it did not answer.
        simulated: whether it is a simulated one.
        lacks: what it lacks, a sentence each.
        error: why it could not be opened, one clause; empty where it could.
        step: what to do about that.
    """

    serial: str = ""
    simulated: bool = False
    lacks: tuple[str, ...] = ()
    error: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraFacts:
    """A camera.

    Attributes:
        url: what it is opened by.
        error: why it gave no picture; empty where it gave one.
        level: mean level of the picture, in [0, 255]; None where it gave none.
    """

    url: str
    error: str = ""
    level: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFacts:
    """The deal log, its folder, and the key file in it.

    Attributes:
        path: the folder.
        writable: whether this user can write there, or make it.
        free_bytes: free space on its disk.
        key_file: path of the key file.
        key_mode: its permission bits; None where there is no key file yet.
        log: path of the log.
        log_error: why it cannot be used; empty where it can, or is not there yet.
        log_step: what to do about that.
        deals: deals in it.
        unfinished: the deal in it that is still open; 0 for none.
    """

    path: str
    writable: bool
    free_bytes: int
    key_file: str
    key_mode: int | None
    log: str = ""
    log_error: str = ""
    log_step: str = ""
    deals: int = 0
    unfinished: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """Everything the doctor looks at.

    Attributes:
        ports: the serial ports that were found, and the one that was asked for.
        cameras: the cameras that were found, and those that were asked for.
        folder: the deal log and its folder.
        port_schemes: URL schemes of machines that are installed.
        camera_schemes: URL schemes of cameras that are installed.
        modem_manager: whether ModemManager is running.
        machine: the machine that was asked for; None where it was not opened.
    """

    ports: tuple[PortFacts, ...]
    cameras: tuple[CameraFacts, ...]
    folder: FolderFacts
    port_schemes: frozenset[str]
    camera_schemes: frozenset[str]
    modem_manager: bool
    machine: MachineFacts | None = None


def examine(facts: HostFacts, wanted: Wanted) -> tuple[Finding, ...]:
    """Return what there is to say before such a deal."""
    return (
        *_schemes(facts, wanted),
        *_machine(facts.machine, wanted.machine),
        *(_port(port, asked=port.device == wanted.machine) for port in facts.ports),
        *_around_the_ports(facts),
        *_recorded(wanted),
        *(_camera(seen, wanted) for seen in facts.cameras),
        _folder(facts.folder),
        *_log(facts.folder),
        *_key(facts.folder),
    )


def _schemes(facts: HostFacts, wanted: Wanted) -> Iterator[Finding]:
    asked = [
        (wanted.machine, facts.port_schemes, "machine"),
        (wanted.camera, facts.camera_schemes, "camera"),
        *([(wanted.table_camera, facts.camera_schemes, "camera")] if wanted.table_camera else []),
    ]
    for url, known, what in asked:
        scheme = scheme_of(url)
        if scheme not in known and (scheme or what == "camera"):
            step = "Install pone again, whole: its simulators are missing."
            if known:
                step = f"Begin with one of: {', '.join(f'{name}:' for name in sorted(known))}."
            says = f"Nothing that is installed opens such a {what}."
            yield Finding(about=url, level=Level.FAULT, says=says, step=step)


def _machine(machine: MachineFacts | None, url: str) -> Iterator[Finding]:
    if machine is None:
        return
    if machine.error:
        says = f"The machine cannot be opened: {machine.error}."
        yield Finding(about=url, level=Level.FAULT, says=says, step=machine.step)
        return
    simulated = ", a simulated one" if machine.simulated else ""
    yield Finding(about=url, level=Level.OK, says=f"Machine {machine.serial} answers{simulated}.")
    for sentence in machine.lacks:
        yield Finding(about=url, level=Level.WARN, says=sentence)


def _recorded(wanted: Wanted) -> Iterator[Finding]:
    if scheme_of(wanted.camera) in RECORDED:
        yield Finding(
            about=wanted.camera,
            level=Level.FAULT,
            says="Pictures taken earlier show other cards than those in the machine.",
            step="Name a camera that looks into its window, as v4l2:0, or sim: for the simulated one.",
        )


def _port(port: PortFacts, *, asked: bool) -> Finding:
    bad = Level.FAULT if asked else Level.WARN
    if not port.there:
        return Finding(
            about=port.device,
            level=bad,
            says="There is no such port.",
            step="Plug the machine in and switch it on; `ls /dev/serial/by-id` names what the computer sees.",
        )
    if not port.is_port:
        step = "Name a port: `ls /dev/serial/by-id` names what the computer sees."
        return Finding(
            about=port.device, level=bad, says="This is no port, but a file, a folder or another device.", step=step
        )
    if not port.permitted:
        group = port.group or "dialout"
        step = f"Run `sudo usermod -aG {group} $USER`, log out and in again."
        return Finding(about=port.device, level=bad, says="This user may not read and write the port.", step=step)
    if port.holder:
        return Finding(
            about=port.device, level=bad, says=f"{port.holder} has the port open.", step="Close that program."
        )
    return Finding(about=port.device, level=Level.OK, says="The port is free and may be used.")


def _around_the_ports(facts: HostFacts) -> Iterator[Finding]:
    if not facts.ports:
        yield Finding(about="ports", level=Level.OK, says="No serial port is here; a simulated machine needs none.")
    elif facts.modem_manager:
        yield Finding(
            about="ModemManager",
            level=Level.WARN,
            says="ModemManager is running: it writes to new serial ports and can disturb a machine.",
            step="Run `sudo systemctl mask --now ModemManager` if this computer has no modem.",
        )


def _camera(camera: CameraFacts, wanted: Wanted) -> Finding:
    over_table = camera.url == wanted.table_camera
    bad = Level.FAULT if over_table or camera.url == wanted.camera else Level.WARN
    if camera.level is None:
        step = "Plug the camera in, close what uses it, and see that this user is in the group video."
        if scheme_of(camera.url) not in (LIVE, *RECORDED):
            step = "Name the machine's own: sim: with sim://, or the socket that pone sim printed with its port."
        return Finding(about=camera.url, level=bad, says=f"The camera gives no picture: {camera.error}.", step=step)
    level = f"mean level {camera.level:.0f} of 255"
    if over_table:
        return Finding(about=camera.url, level=Level.OK, says=f"The camera over the table works ({level}).")
    if camera.level >= DARK_LEVEL:
        return Finding(
            about=camera.url,
            level=bad,
            says=f"The picture is light ({level}), but with no card in the window the lamp is off and it must be dark.",
            step="Close the lid and shade the window; or this camera is not the one in the machine.",
        )
    return Finding(about=camera.url, level=Level.OK, says=f"The camera works and the window is dark ({level}).")


def _folder(folder: FolderFacts) -> Finding:
    free = f"{folder.free_bytes / 1e6:,.0f} MB free"
    if not folder.writable:
        return Finding(
            about=folder.path,
            level=Level.FAULT,
            says="The deal log cannot be written here.",
            step="Give this user the folder, or deal with `--log FILE` in another one.",
        )
    if folder.free_bytes < FREE_LOW:
        return Finding(
            about=folder.path,
            level=Level.FAULT if folder.free_bytes < FREE_NONE else Level.WARN,
            says=f"The disk of the deal log is nearly full: {free}.",
            step="Make room, or deal with `--log FILE` on another disk.",
        )
    return Finding(about=folder.path, level=Level.OK, says=f"The deal log can be written; {free}.")


def _log(folder: FolderFacts) -> Iterator[Finding]:
    if folder.log_error:
        says = f"The deal log cannot be used: {folder.log_error}."
        yield Finding(about=folder.log, level=Level.FAULT, says=says, step=folder.log_step)
    elif folder.unfinished:
        yield Finding(
            about=folder.log,
            level=Level.OK,
            says=f"Deal {folder.unfinished} is not at its end: the next pone deal with this log begins with it.",
        )
    elif folder.deals:
        says = f"The deal log can be read: {counted(folder.deals, 'deal')}."
        yield Finding(about=folder.log, level=Level.OK, says=says)


def _key(folder: FolderFacts) -> Iterator[Finding]:
    if folder.key_mode is None:
        if folder.writable and not folder.log_error:
            yield Finding(about=folder.key_file, level=Level.OK, says="The key file will be made at the first deal.")
    elif folder.key_mode & OTHERS:
        yield Finding(
            about=folder.key_file,
            level=Level.FAULT,
            says=f"Others can use the key that seals the cards of an open deal (mode {folder.key_mode:04o}).",
            step=f"Run `chmod 600 {shlex.quote(folder.key_file)}`.",
        )
    else:
        yield Finding(about=folder.key_file, level=Level.OK, says="Only this user can read the key file.")
