"""Finding and opening ports: what is there, who holds it, and what to do about a port that does not open."""

from __future__ import annotations

import errno
import fcntl
import importlib
import io
import os
import termios
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

import serial
from serial.tools import list_ports as serial_list_ports

from firmware_bridge.errors import LinkError
from firmware_bridge.messages import BAUD

ENTRY_POINTS: Final = "pone.ports"
"""Entry point group of URL schemes: name = scheme, value = the package that holds the module `protocol_<scheme>`."""

READ_TIMEOUT_S: Final = 0.05
"""Seconds. Set once, at opening: setting it on an open port costs milliseconds on some systems."""

WRITE_TIMEOUT_S: Final = 0.3
"""Seconds. With 0 pyserial's `write` spins for ever on a full buffer; with None it blocks for ever."""

BY_ID: Final = Path("/dev/serial/by-id")

_REFUSED: Final = {
    "socket": "it reports one byte waiting whatever has come, and cannot tell a lost peer",
    "rfc2217": "it has no write time-out, so a dead server would block the controller",
    "loop": "it only repeats what it is told",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PortFound:
    """A native port of this computer.

    Attributes:
        url: what to open: the name by id, which stays the same when the device is plugged in anew, if there is one.
        device: the device file.
        description: what the device says it is.
        serial_number: the USB device's own, if it has one.
        held_by: programs that hold the port now, as far as this user may see.
    """

    url: str
    device: str
    description: str
    serial_number: str | None
    held_by: tuple[str, ...]


def list_ports() -> list[PortFound]:
    """Return the native ports of this computer."""
    names = {path.resolve(): path for path in sorted(BY_ID.iterdir())} if BY_ID.is_dir() else {}
    return [
        PortFound(
            url=str(names.get(Path(port.device).resolve(), port.device)),
            device=port.device,
            description=port.description,
            serial_number=port.serial_number,
            held_by=holders(port.device),
        )
        for port in sorted(serial_list_ports.comports())
    ]


def holders(device: str) -> tuple[str, ...]:
    """Return which programs hold `device` open, as "name (pid)"; what this user may not see is left out.

    The program that serves a pseudo-terminal always has it open, and to it is what the cable leads: it is no holder.
    """
    target = Path(device).resolve()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            opened = _opened(process)
            if target in opened.values() and not _serves(process, opened, target):
                found.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
        except OSError:
            continue  # another user's process, or one that has just ended: not ours to see
    return tuple(found)


def _opened(process: Path) -> dict[str, Path]:
    """Return what a process has open, by descriptor."""
    opened = {}
    for descriptor in (process / "fd").iterdir():
        with suppress(OSError):  # it has been closed since it was listed
            opened[descriptor.name] = descriptor.readlink()
    return opened


def _serves(process: Path, opened: dict[str, Path], terminal: Path) -> bool:
    """Return whether a process holds the other end of a pseudo-terminal, as Linux tells it (proc_pid_fdinfo(5))."""
    if terminal.parent != Path("/dev/pts"):
        return False
    masters = (number for number, file in opened.items() if file.name == "ptmx")
    return any(
        line.split() == ["tty-index:", terminal.name]
        for number in masters
        for line in (process / "fdinfo" / number).read_text().splitlines()
    )


def open_port(url: str) -> serial.Serial:
    """Open a port with the settings that make pyserial safe to use.

    Raises:
        LinkError: it cannot be opened; the error says what to do.
    """
    scheme, separator, _ = url.partition("://")
    if separator:
        _find_handler(url, scheme.lower())
    try:
        port = serial.serial_for_url(
            url, baudrate=BAUD, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
        )
    except (serial.SerialException, OSError, termios.error, ValueError) as error:
        raise _diagnosed(url, error) from error
    if not hasattr(port, "clock"):
        try:
            _claim(port)
        except LinkError:
            port.close()
            raise
    return port


def _find_handler(url: str, scheme: str) -> None:
    """Let pyserial know the package that serves `scheme`.

    pyserial passes over a handler that fails to import; importing it here first tells why it fails.
    """
    if scheme in _REFUSED:
        raise LinkError(url, _REFUSED[scheme], next_step="use a device under /dev, or sim://")
    for entry_point in entry_points(group=ENTRY_POINTS, name=scheme):
        try:
            importlib.import_module(f"{entry_point.module}.protocol_{scheme}")
        except ImportError as error:
            raise LinkError(
                url, f"its handler does not import: {error}", next_step="install the package again"
            ) from error
        if entry_point.module not in serial.protocol_handler_packages:
            serial.protocol_handler_packages.append(entry_point.module)


def _claim(port: serial.Serial) -> None:
    """Keep others off a native port and ask its driver for speed."""
    url = str(port.port)
    try:
        descriptor = port.fileno()
    except (AttributeError, io.UnsupportedOperation) as error:
        why = "it has neither a clock of its own nor a file descriptor"
        raise LinkError(url, why, next_step="use a device under /dev, or sim://") from error
    try:
        fcntl.ioctl(descriptor, termios.TIOCEXCL)  # pyserial's flock stops only those who ask for it too
    except OSError as error:
        raise _diagnosed(url, error) from error
    try:
        port.set_low_latency_mode(True)
    except (OSError, ValueError, NotImplementedError):
        return  # a convenience of FTDI drivers; the protocol bears their 16 ms


def _diagnosed(url: str, error: Exception) -> LinkError:
    """Return the error to raise, with what to do next."""
    number = getattr(error, "errno", None)
    if number is None and isinstance(error.__context__, termios.error):  # pyserial keeps its number only in its text
        number = error.__context__.args[0]
    match number:
        case errno.ENOTTY | errno.EISDIR:
            why, next_step = "it is no serial port", "`pone doctor` lists the ports"
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            why, next_step = "there is no such device", "plug the machine in; `pone doctor` lists the ports"
        case errno.EBUSY | errno.EAGAIN:
            by = ", ".join(holders(url)) or "a program that this user may not see"
            why, next_step = f"it is held by {by}", "close that program (ModemManager needs a udev rule)"
        case errno.EACCES | errno.EPERM:
            why, next_step = "this user may not open it", "add the user to the group dialout and log in anew"
        case _ if "://" in url:
            why, next_step = str(error), "put that right in the URL, or in the file that it names"
        case _:
            why = f"it could not open: {os.strerror(number)}" if number else str(error)
            next_step = "`pone doctor` lists the ports"
    return LinkError(url, why, next_step=next_step)
