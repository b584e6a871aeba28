"""The doctor: what it says of which facts, and what `pone doctor` prints and returns."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from controller import cli, doctor_command, laws
from controller.capabilities import lacks
from controller.doctor import CameraFacts, Finding, FolderFacts, HostFacts, Level, PortFacts, examine
from firmware_bridge.bridge import Bridge
from hardware_sims.world import forget_worlds
from vision.scene import DARK_LEVEL

FOLDER = FolderFacts(
    path="/data/pone", writable=True, free_bytes=10**10, key_file="/data/pone/deals.key", key_mode=0o600
)
HEALTHY = HostFacts(
    ports=(PortFacts(device="/dev/ttyACM0"),),
    cameras=(CameraFacts(url="v4l2:0", level=3.0),),
    folder=FOLDER,
    port_schemes=frozenset({"sim"}),
    camera_schemes=frozenset({"sim", "v4l2", "frames"}),
    modem_manager=False,
)


def amiss(facts: HostFacts, *, machine: str = "sim://", camera: str = "sim:") -> list[Finding]:
    return [found for found in examine(facts, machine=machine, camera=camera) if found.level is not Level.OK]


def only(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


@pytest.mark.parametrize(
    ("machine", "camera"), [("sim://", "sim:"), ("sim://club?seed=7", "sim:club"), ("/dev/ttyACM0", "v4l2:0")]
)
def test_nothing_is_amiss_on_a_healthy_computer(machine: str, camera: str) -> None:
    assert amiss(HEALTHY, machine=machine, camera=camera) == []


def test_a_computer_without_ports_and_cameras_can_simulate() -> None:
    assert amiss(replace(HEALTHY, ports=(), cameras=())) == []


BAD_PORTS = [
    (PortFacts(device="/dev/ttyACM0", there=False), "no such port", "/dev/serial/by-id"),
    (PortFacts(device="/dev/ttyACM0", permitted=False, group="uucp"), "may not read and write", "usermod -aG uucp"),
    (PortFacts(device="/dev/ttyACM0", permitted=False), "may not read and write", "usermod -aG dialout"),
    (PortFacts(device="/dev/ttyACM0", holder="minicom (812)"), "minicom (812) has the port open", "Close that program"),
]


@pytest.mark.parametrize(("port", "says", "step"), BAD_PORTS)
def test_a_bad_port_is_a_fault_where_it_was_asked_for(port: PortFacts, says: str, step: str) -> None:
    found = only(amiss(replace(HEALTHY, ports=(port,)), machine="/dev/ttyACM0"))
    assert found.level is Level.FAULT
    assert says in found.says
    assert step in found.step


@pytest.mark.parametrize(("port", "says", "step"), BAD_PORTS)
def test_a_bad_port_is_a_warning_for_a_simulated_deal(port: PortFacts, says: str, step: str) -> None:
    assert only(amiss(replace(HEALTHY, ports=(port,)))).level is Level.WARN


def test_modem_manager_is_a_warning_where_there_are_ports() -> None:
    found = only(amiss(replace(HEALTHY, modem_manager=True)))
    assert (found.about, found.level) == ("ModemManager", Level.WARN)
    assert amiss(replace(HEALTHY, modem_manager=True, ports=())) == []


def test_an_unknown_scheme_is_a_fault_that_names_the_known_ones() -> None:
    found = only(amiss(HEALTHY, machine="avrsim://dealer.elf"))
    assert found.level is Level.FAULT
    assert found.step == "Begin with one of: sim:."
    for camera in ("http://example.org/", "/dev/video0", "webcam"):
        assert only(amiss(HEALTHY, camera=camera)).step == "Begin with one of: frames:, sim:, v4l2:."


def test_a_missing_simulator_is_a_fault_for_a_simulated_deal_only() -> None:
    bare = replace(HEALTHY, port_schemes=frozenset())
    assert only(amiss(bare)).level is Level.FAULT
    assert amiss(bare, machine="/dev/ttyACM0") == []


def test_a_camera_that_gives_no_picture() -> None:
    blind = replace(HEALTHY, cameras=(CameraFacts(url="v4l2:0", error="it is in use"),))
    assert only(amiss(blind)).level is Level.WARN
    found = only(amiss(blind, camera="v4l2:0"))
    assert found.level is Level.FAULT
    assert "it is in use" in found.says


@pytest.mark.parametrize(("level", "amount"), [(DARK_LEVEL - 0.1, 0), (DARK_LEVEL, 1), (120.0, 1)])
def test_light_in_the_window_while_the_lamp_is_off(level: float, amount: int) -> None:
    lit = replace(HEALTHY, cameras=(CameraFacts(url="v4l2:0", level=level),))
    assert [found.level for found in amiss(lit, camera="v4l2:0")] == [Level.FAULT] * amount


def test_recorded_pictures_may_be_light() -> None:
    recorded = replace(HEALTHY, cameras=(CameraFacts(url="frames:shots", live=False, level=120.0),))
    assert amiss(recorded, camera="frames:shots") == []


@pytest.mark.parametrize(
    ("folder", "level"),
    [
        (replace(FOLDER, writable=False), Level.FAULT),
        (replace(FOLDER, free_bytes=199_000_000), Level.WARN),
        (replace(FOLDER, free_bytes=9_000_000), Level.FAULT),
        (replace(FOLDER, key_mode=0o640), Level.FAULT),
        (replace(FOLDER, key_mode=0o604), Level.FAULT),
    ],
)
def test_a_folder_that_cannot_keep_the_record(folder: FolderFacts, level: Level) -> None:
    found = only(amiss(replace(HEALTHY, folder=folder)))
    assert found.level is level
    assert found.step


def test_a_key_that_is_not_made_yet_is_no_fault() -> None:
    assert amiss(replace(HEALTHY, folder=replace(FOLDER, key_mode=None))) == []


def test_no_key_is_promised_where_nothing_can_be_written() -> None:
    facts = replace(HEALTHY, folder=replace(FOLDER, writable=False, key_mode=None))
    assert not [found for found in examine(facts, machine="sim://", camera="sim:") if found.about == FOLDER.key_file]


def asked(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor_command.add_arguments(parser)
    return parser.parse_args(arguments)


def test_sentences_and_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_command.run(asked(), look=lambda _machine, _camera: HEALTHY) == 0
    assert capsys.readouterr().out.endswith("\nNothing stands in the way of a deal on sim:// with camera sim:.\n")

    broken = replace(HEALTHY, folder=replace(FOLDER, key_mode=0o644), modem_manager=True)
    assert doctor_command.run(asked(), look=lambda _machine, _camera: broken) == 1
    text = capsys.readouterr().out
    assert "-> Run `chmod 600 /data/pone/deals.key`.\n" in text
    assert text.endswith("\n1 fault in the way of a deal on sim:// with camera sim: (1 warning).\n")


def test_json_is_one_object_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    doctor_command.run(asked("--json", "--machine", "/dev/ttyUSB7"), look=lambda _machine, _camera: HEALTHY)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {frozenset(line) for line in lines} == {frozenset({"about", "level", "says", "step"})}
    assert {line["about"] for line in lines} >= {"/dev/ttyACM0", "v4l2:0", "/data/pone"}


@pytest.mark.parametrize("arguments", [["--machine", ""], ["--camera", " "], ["--ports"]])
def test_wrong_use(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        asked(*arguments)


def test_a_port_that_is_not_there_is_found_missing_on_this_computer(tmp_path: Path) -> None:
    missing = str(tmp_path / "ttyACM0")
    assert PortFacts(device=missing, there=False) in doctor_command.look_around(missing, "sim:").ports


@pytest.mark.parametrize("name", ["a" * 300, "loop"])
def test_a_name_that_nothing_can_have_is_no_port_no_camera_and_no_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    wrong = tmp_path / name
    monkeypatch.setattr("controller.data_folder.default_log", lambda: wrong / "pone" / "deals.sqlite")
    facts = doctor_command.look_around(str(wrong), f"frames:{wrong}")
    assert PortFacts(device=str(wrong), there=False) in facts.ports
    (camera,) = [camera for camera in facts.cameras if camera.url == f"frames:{wrong}"]
    assert camera.error
    assert not facts.folder.writable


def found_at(machine: str) -> PortFacts:
    (port,) = [port for port in doctor_command.look_around(machine, "sim:").ports if port.device == machine]
    return port


def test_a_port_that_a_program_holds_is_found_on_this_computer(tmp_path: Path) -> None:
    path = tmp_path / "ttyACM0"
    with path.open("w"):
        assert f"({os.getpid()})" in found_at(str(path)).holder
    assert found_at(str(path)).holder == ""


def test_a_pseudo_terminal_may_be_open_in_the_program_that_serves_it(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    link = tmp_path / "machine.tty"
    link.symlink_to(os.ttyname(theirs))
    try:
        assert found_at(str(link)) == PortFacts(device=str(link), group=link.group())
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_pseudo_terminal_that_a_controller_holds_is_not_free(tmp_path: Path) -> None:
    """The holder is another program than the one that serves the terminal, which is this one."""
    ours, theirs = os.openpty()
    device = os.ttyname(theirs)
    program = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as controller:
        assert controller.stdout is not None
        controller.stdout.readline()
        holder = found_at(device).holder
        controller.communicate("\n")
    os.close(ours)
    os.close(theirs)
    assert f"({controller.pid})" in holder
    assert f"({os.getpid()})" not in holder


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
def test_a_folder_that_cannot_be_made_is_found_out_whatever_its_permissions_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Root may write everywhere, and yet nobody can make a folder in /proc."""
    monkeypatch.setattr("controller.data_folder.default_log", lambda: Path("/proc/pone/deals.sqlite"))
    folder = doctor_command.look_around("sim://", "sim:").folder
    assert (folder.path, folder.writable) == ("/proc/pone", False)


def test_looking_at_the_folder_leaves_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.data_folder.default_log", lambda: tmp_path / "pone" / "deals.sqlite")
    assert doctor_command.look_around("sim://", "sim:").folder.writable
    assert not list(tmp_path.iterdir())


def test_recorded_pictures_are_opened_on_this_computer(tmp_path: Path) -> None:
    url = f"frames:{tmp_path}"

    def seen() -> CameraFacts:
        (camera,) = [camera for camera in doctor_command.look_around("sim://", url).cameras if camera.url == url]
        return camera

    assert seen().error
    Image.new("RGB", (64, 48), (40, 40, 40)).save(tmp_path / "window.png")
    assert seen() == CameraFacts(url=url, live=False, level=40.0)


# --- what the machine lacks ---


def test_what_an_opened_machine_lacks_is_a_warning_each(capsys: pytest.CaptureFixture[str]) -> None:
    """The simulated machine is opened in this process; one without a port cannot be."""
    words = ["doctor", "--open", "--json", "--machine"]
    cli.main([*words, "sim://doctored"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    with Bridge.open("sim://doctored") as bridge:
        able = bridge.hello.capabilities
    wanted = {*lacks(able, laws.code("whist")), *lacks(able, laws.code("euchre"))}
    assert {line["says"] for line in found if line["about"] == "sim://doctored" and line["level"] == "warn"} == wanted
    forget_worlds()
    cli.main([*words, "/dev/ttyNOWHERE"])
    assert "could not be asked what it has" in capsys.readouterr().out
