"""A port that does not open says why, and what to do about it."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import serial
from serial.tools import list_ports_common

from firmware_bridge import ports
from firmware_bridge.errors import LinkError
from firmware_bridge.ports import READ_TIMEOUT_S, WRITE_TIMEOUT_S, holders, list_ports, open_port


@pytest.fixture
def terminal() -> Iterator[str]:
    master, slave = pty.openpty()
    yield os.ttyname(slave)
    os.close(slave)
    os.close(master)


def test_a_port_is_opened_with_the_settings_that_are_safe(terminal: str) -> None:
    with open_port(terminal) as port:
        assert (port.baudrate, port.timeout, port.write_timeout, port.exclusive) == (
            250_000,
            READ_TIMEOUT_S,
            WRITE_TIMEOUT_S,
            True,
        )
        assert 0.2 <= WRITE_TIMEOUT_S <= 0.5


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(LinkError, match="no such device") as caught:
        open_port("/dev/ttyNONE")
    assert caught.value.url == "/dev/ttyNONE"
    assert "pone doctor" in caught.value.next_step


@contextmanager
def holding(device: str) -> Iterator[int]:
    """Let another program hold a port; give its process id."""
    command = [sys.executable, "-c", "print(flush=True); input()"]
    with (
        Path(device).open("rb") as port,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(port.fileno(),), close_fds=True
        ) as program,
    ):
        assert program.stdout is not None
        program.stdout.readline()
        yield program.pid
        program.communicate(b"\n")


def test_a_port_that_another_holds_names_him_and_not_the_simulated_machine(terminal: str) -> None:
    """The machine is this process: it holds the pseudo-terminal's other end."""
    with holding(terminal) as pid, open_port(terminal), pytest.raises(LinkError, match=r"held by ") as caught:
        open_port(terminal)
    assert f"({pid})" in caught.value.why
    assert f"({os.getpid()})" not in caught.value.why
    assert "ModemManager" in caught.value.next_step
    open_port(terminal).close()


def test_a_url_that_does_not_open_sends_nobody_to_the_ports() -> None:
    with pytest.raises(LinkError, match="no such file, nor such a name") as caught:
        open_port("sim://?scenario=nothing_like_it")
    assert caught.value.next_step == "put that right in the URL, or in the file that it names"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whether a terminal is exclusive")
def test_the_terminal_is_marked_exclusive_for_those_who_ask_for_no_lock(terminal: str) -> None:
    tiocgexcl = 0x80045440  # asm-generic/ioctls.h
    with open_port(terminal) as port:
        assert fcntl.ioctl(port.fileno(), tiocgexcl, bytes(4)) != bytes(4)


@pytest.mark.parametrize("name", [".", "notes"])
def test_a_file_or_a_folder_is_no_port(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    with pytest.raises(LinkError) as caught:
        open_port(str(tmp_path / name))
    assert caught.value.why == "it is no serial port"
    assert "pone doctor" in caught.value.next_step


@pytest.mark.parametrize(
    ("number", "why", "next_step"),
    [
        (errno.EACCES, "may not open", "dialout"),
        (errno.EBUSY, "held by", "close that program"),
        (errno.ENODEV, "no such device", "plug the machine in"),
        (errno.EIO, "it could not open: Input/output error$", "pone doctor"),
    ],
)
def test_the_reason_of_the_system_is_told(
    number: int, why: str, next_step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> serial.Serial:
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(LinkError) as caught:
        open_port("/dev/ttyX")
    assert re.search(why, caught.value.why)
    assert next_step in caught.value.next_step


@pytest.mark.parametrize("url", ["socket://localhost:1", "rfc2217://localhost:1", "loop://", "LOOP://"])
def test_ports_that_cannot_be_trusted_are_refused_with_the_reason(url: str) -> None:
    with pytest.raises(LinkError, match="sim://") as caught:
        open_port(url)
    assert len(caught.value.why) > 10


def test_a_scheme_that_nobody_registered() -> None:
    with pytest.raises(LinkError, match="nosuch"):
        open_port("nosuch://x")


def register(monkeypatch: pytest.MonkeyPatch, scheme: str, package: str) -> None:
    entry = EntryPoint(scheme, package, ports.ENTRY_POINTS)
    monkeypatch.setattr(ports, "entry_points", lambda *, group, name: [entry] if name == scheme else [])
    monkeypatch.setattr(serial, "protocol_handler_packages", ["serial.urlhandler"])


def test_a_registered_scheme_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Port(serial.SerialBase):
        clock = "a clock"

        def open(self) -> None:
            self.is_open = True

        def close(self) -> None:
            self.is_open = False

        def _reconfigure_port(self) -> None:
            pass

    package, module = types.ModuleType("some_handlers"), types.ModuleType("some_handlers.protocol_some")
    package.__path__ = []
    module.__dict__["Serial"] = Port
    monkeypatch.setitem(sys.modules, "some_handlers", package)
    monkeypatch.setitem(sys.modules, "some_handlers.protocol_some", module)
    register(monkeypatch, "some", "some_handlers")
    port = open_port("some://x?y=1")
    assert (port.port, port.is_open) == ("some://x?y=1", True)
    port.close()


def test_a_handler_that_fails_to_import_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    # pyserial alone would say "protocol not known" and hide the reason.
    register(monkeypatch, "broken", "no_such_package_here")
    with pytest.raises(LinkError, match="no_such_package_here"):
        open_port("broken://x")


def test_ports_are_listed_by_the_name_that_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "ttyACM0"
    device.touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-Dealer_0042-if00").symlink_to(device)
    info = list_ports_common.ListPortInfo(str(device))
    info.description, info.serial_number = "Dealer", "0042"
    monkeypatch.setattr(ports, "BY_ID", by_id)
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [info])
    (found,) = list_ports()
    assert (found.url, found.device) == (str(by_id / "usb-Dealer_0042-if00"), str(device))
    assert (found.description, found.serial_number, found.held_by) == ("Dealer", "0042", ())


def test_without_a_name_by_id_the_device_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "BY_ID", tmp_path / "none")
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [list_ports_common.ListPortInfo("/dev/ttyS9")])
    assert [found.url for found in list_ports()] == ["/dev/ttyS9"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there is no /proc here")
def test_holders_are_named(tmp_path: Path) -> None:
    path = tmp_path / "held"
    with path.open("w"):
        assert any(f"({os.getpid()})" in holder for holder in holders(str(path)))
    assert holders(str(path)) == ()
