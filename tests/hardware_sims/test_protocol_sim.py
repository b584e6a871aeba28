"""`sim://` as pyserial's users know a port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from firmware_bridge.codec import Decoder, encode_request
from firmware_bridge.messages import REPLY_BIT, Hello
from firmware_bridge.words import Capability
from hardware_sims.firmware import ALL
from hardware_sims.urlhandlers.protocol_sim import Serial
from hardware_sims.world import forget_worlds

HANDLERS = "hardware_sims.urlhandlers"


@pytest.fixture(autouse=True)
def handlers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(serial, "protocol_handler_packages", [*serial.protocol_handler_packages, HANDLERS])
    yield
    forget_worlds()


def opened(url: str, timeout: float | None = 0.05) -> Serial:
    port = serial.serial_for_url(url, timeout=timeout)
    assert isinstance(port, Serial)
    return port


def test_a_read_waits_in_virtual_time_up_to_its_timeout() -> None:
    port = opened("sim://?seed=1", timeout=2.0)
    began = port.clock.now_us()
    booted = port.read(10_000)
    assert port.clock.now_us() - began == 2_000_000
    assert len(Decoder().feed(booted)) > 5
    port.write(encode_request(Hello(), 5))
    data = port.read(1)
    data += port.read(port.in_waiting)
    assert Decoder().feed(data)


def test_a_read_without_timeout_waits_until_the_bytes_are_there() -> None:
    port = opened("sim://?seed=1", timeout=None)
    port.write(encode_request(Hello(), 5))
    (packet,) = [packet for packet in Decoder().feed(port.read(100)) if getattr(packet, "sequence", 0) == 5]
    assert getattr(packet, "type_byte", 0) == Hello.type_byte | REPLY_BIT


def test_a_read_with_timeout_zero_takes_what_is_there() -> None:
    port = opened("sim://", timeout=0)
    assert port.read(10) == b""
    assert port.clock.now_us() == 0
    port.clock.pump(10_000)
    waiting = port.in_waiting
    assert waiting > 0
    assert len(port.read(10_000)) == waiting


def test_who_waits_for_ever_for_nothing_is_told() -> None:
    port = opened("sim://", timeout=None)
    port.world._firmware._events.close()
    port.reset_input_buffer()
    with pytest.raises(serial.SerialException, match="nothing is left to happen"):
        port.read(10_000)


def test_opening_again_is_plugging_in_again() -> None:
    port = opened("sim://again?seed=3")
    port.clock.pump(50_000)
    world = port.world
    port.close()
    port.close()
    again = opened("sim://again?seed=3")
    assert again.world is world
    assert again.in_waiting == 0
    assert again.clock.now_us() > 0


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("sim://x?scenario=no_such", "no_such: no such file"),
        ("sim://x?seed=a", "seed: expected a whole number"),
        ("sim://x?speed=1", "speed: expected once at most one of scenario, seed"),
        ("sim://x?lacks=shelves,wings", "lacks: expected some of thickness, .*, found 'wings'"),
        ("sim://x?seed=1&seed=2", "seed: expected once at most one of"),
        ("sim://x/y", "expected sim://NAME"),
    ],
)
def test_a_wrong_url_is_refused_as_pyserial_does(url: str, message: str) -> None:
    with pytest.raises(serial.SerialException, match=message):
        serial.serial_for_url(url)


def test_a_second_client_and_another_scenario_are_refused() -> None:
    port = opened("sim://busy?seed=1")
    with pytest.raises(serial.SerialException, match="its port is open already"):
        serial.serial_for_url("sim://busy")
    port.close()
    with pytest.raises(serial.SerialException, match="running already, with scenario none, seed 1: use another name"):
        serial.serial_for_url("sim://busy?seed=2")


def test_a_machine_lacks_what_url_and_scenario_say(tmp_path: Path) -> None:
    scenario = tmp_path / "plain.toml"
    scenario.write_text('[machine]\nlacks = ["touch"]')
    port = opened(f"sim://poor?lacks=shelves,lid&scenario={scenario}")
    assert port.world._firmware._capabilities == ALL & ~(Capability.TOUCH | Capability.SHELVES | Capability.LID)
    port.close()
    with pytest.raises(serial.SerialException, match=r"seed any, lacks shelves,lid: use another name"):
        serial.serial_for_url(f"sim://poor?lacks=shelves&scenario={scenario}")


def test_a_closed_port_refuses_everything() -> None:
    port = opened("sim://")
    port.close()
    for act in (lambda: port.read(1), lambda: port.write(b"x"), lambda: port.in_waiting, port.flush):
        with pytest.raises(serial.PortNotOpenError):
            act()


def test_only_bytes_are_written() -> None:
    port = opened("sim://")
    assert port.write(bytearray(b"abc")) == 3
    with pytest.raises(TypeError):
        port.write("abc")
