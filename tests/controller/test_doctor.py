"""The doctor: what it says of which facts, and what `pone doctor` prints and returns."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from controller import cli, doctor_command, laws
from controller.capabilities import lacks
from controller.deal_log import DealLog
from controller.doctor import (
    CameraFacts,
    FolderFacts,
    HostFacts,
    MachineFacts,
    PortFacts,
    Wanted,
    examine,
)
from controller.entropy import seeded_entropy
from controller.findings import Finding, Level
from controller.window_check import NEARLY_LIGHT, WindowCheck
from firmware_bridge.bridge import Bridge
from hardware_sims.world import forget_worlds
from vision.scene import DARK_LEVEL

FOLDER = FolderFacts(
    path="/data/pone", writable=True, free_bytes=10**10, key_file="/data/pone/deals.key", key_mode=0o600
)
HEALTHY = HostFacts(
    ports=(PortFacts(device="/dev/ttyACM0"),),
    cameras=(CameraFacts(url="v4l2:0", check=WindowCheck(pictures=3, level=3.0)),),
    folder=FOLDER,
    port_schemes=frozenset({"sim"}),
    camera_schemes=frozenset({"sim", "v4l2", "frames"}),
    modem_manager=False,
)


def amiss(facts: HostFacts, **wanted: Any) -> list[Finding]:
    findings = examine(facts, Wanted(**wanted))
    assert all(found.step for found in findings if found.level is Level.FAULT), "whoever is stopped is told what to do"
    return [found for found in findings if found.level is not Level.OK]


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
    (PortFacts(device="/dev/ttyACM0", is_port=False), "no port", "/dev/serial/by-id"),
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
    for wanted in ({"camera": "v4l2:0"}, {"table_camera": "v4l2:0"}):
        found = only(amiss(blind, **wanted))
        assert found.level is Level.FAULT
        assert "it is in use" in found.says


@pytest.mark.parametrize(("level", "amount"), [(NEARLY_LIGHT - 0.1, 0), (DARK_LEVEL, 1), (120.0, 1)])
def test_light_in_the_window_while_the_lamp_is_off(level: float, amount: int) -> None:
    lit = replace(HEALTHY, cameras=(CameraFacts(url="v4l2:0", check=WindowCheck(pictures=3, level=level)),))
    assert [found.level for found in amiss(lit, camera="v4l2:0")] == [Level.FAULT] * amount


def test_the_camera_over_the_table_may_see_light() -> None:
    assert (
        amiss(
            replace(HEALTHY, cameras=(CameraFacts(url="v4l2:0", check=WindowCheck(pictures=1, level=120.0)),)),
            table_camera="v4l2:0",
        )
        == []
    )


def test_pictures_taken_earlier_are_no_camera_for_a_deal() -> None:
    found = only(amiss(HEALTHY, camera="frames:shots"))
    assert found.level is Level.FAULT
    assert "v4l2:0" in found.step


def test_a_machine_that_cannot_be_opened_is_a_fault_with_its_next_step() -> None:
    shut = MachineFacts(error="nope: no such file", step="Put that right in the URL.")
    found = only(amiss(replace(HEALTHY, machine=shut), machine="sim://?scenario=nope"))
    assert (found.level, found.step) == (Level.FAULT, "Put that right in the URL.")
    assert "nope: no such file" in found.says


def test_a_log_that_cannot_be_used_is_a_fault_with_its_next_step() -> None:
    folder = replace(FOLDER, log="/data/pone/deals.sqlite", log_error="it is no deal log", log_step="Give another.")
    found = only(amiss(replace(HEALTHY, folder=folder)))
    assert (found.about, found.level, found.step) == (folder.log, Level.FAULT, "Give another.")


@pytest.mark.parametrize(
    ("deals", "unfinished", "says"),
    [
        (3, 3, "Deal 3 is not at its end: the next pone deal with this log begins with it."),
        (1, 0, "The deal log can be read: 1 deal."),
        (32, 0, "The deal log can be read: 32 deals."),
    ],
)
def test_what_a_log_holds_is_told(deals: int, unfinished: int, says: str) -> None:
    folder = replace(FOLDER, log="deals.sqlite", deals=deals, unfinished=unfinished)
    said = [found.says for found in examine(replace(HEALTHY, folder=folder), Wanted()) if found.about == "deals.sqlite"]
    assert said == [says]


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
    assert not [found for found in examine(facts, Wanted()) if found.about == FOLDER.key_file]


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    forget_worlds()


def look_around(**wanted: Any) -> HostFacts:
    """Look at this computer; no serial port is opened, and no log but one that is named."""
    return doctor_command.look_around(Wanted(**{"machine": "/dev/ttyNONE", "log": "/nowhere/deals.sqlite"} | wanted))


def asked(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor_command.add_arguments(parser)
    return parser.parse_args(arguments)


def test_sentences_and_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_command.run(asked(), look=lambda _: HEALTHY) == 0
    assert capsys.readouterr().out.endswith("\nNothing stands in the way of a deal on sim:// with camera sim:.\n")

    broken = replace(HEALTHY, folder=replace(FOLDER, key_mode=0o644), modem_manager=True)
    assert doctor_command.run(asked(), look=lambda _: broken) == 1
    text = capsys.readouterr().out
    assert "-> Run `chmod 600 /data/pone/deals.key`.\n" in text
    assert text.endswith("\n1 fault in the way of a deal on sim:// with camera sim: (1 warning).\n")


def test_json_is_one_object_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    doctor_command.run(asked("--json", "--machine", "/dev/ttyUSB7"), look=lambda _: HEALTHY)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {frozenset(line) for line in lines} == {frozenset({"about", "level", "says", "step"})}
    assert {line["about"] for line in lines} >= {"/dev/ttyACM0", "v4l2:0", "/data/pone"}


@pytest.mark.parametrize("arguments", [["--machine", ""], ["--camera", " "], ["--ports"]])
def test_wrong_use(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        asked(*arguments)


def test_a_port_that_is_not_there_is_found_missing_on_this_computer(tmp_path: Path) -> None:
    missing = str(tmp_path / "ttyACM0")
    assert PortFacts(device=missing, there=False) in look_around(machine=missing).ports


@pytest.mark.parametrize("name", ["a" * 300, "loop"])
def test_a_name_that_nothing_can_have_is_no_port_no_camera_and_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    wrong = tmp_path / name
    log = str(wrong / "pone" / "deals.sqlite")
    facts = look_around(machine=str(wrong), table_camera=f"frames:{wrong}", log=log)
    assert PortFacts(device=str(wrong), there=False) in facts.ports
    (camera,) = [camera for camera in facts.cameras if camera.url == f"frames:{wrong}"]
    assert camera.error
    assert not facts.folder.writable


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    assert not found_at(str(tmp_path / "notes")).is_port
    assert not found_at(str(tmp_path)).is_port


@pytest.mark.skipif(not Path("/sys/dev/char/1:3/subsystem").exists(), reason="the system does not say what a device is")
def test_a_device_of_another_kind_is_no_port_that_somebody_should_close() -> None:
    assert not found_at("/dev/null").is_port


def found_at(machine: str) -> PortFacts:
    (port,) = [port for port in look_around(machine=machine).ports if port.device == machine]
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
def test_a_folder_that_cannot_be_made_is_found_out_whatever_its_permissions_say() -> None:
    """Root may write everywhere, and yet nobody can make a folder in /proc."""
    folder = look_around(log="/proc/pone/deals.sqlite").folder
    assert (folder.path, folder.writable) == ("/proc/pone", False)


def test_looking_at_the_folder_leaves_nothing_there(tmp_path: Path) -> None:
    assert look_around(log=str(tmp_path / "pone" / "deals.sqlite")).folder.writable
    assert not list(tmp_path.iterdir())


def test_recorded_pictures_are_opened_on_this_computer(tmp_path: Path) -> None:
    url = f"frames:{tmp_path}"

    def seen() -> CameraFacts:
        (camera,) = [camera for camera in look_around(table_camera=url).cameras if camera.url == url]
        return camera

    assert seen().error
    Image.new("RGB", (64, 48), (40, 40, 40)).save(tmp_path / "window.png")
    assert seen() == CameraFacts(url=url, check=WindowCheck(pictures=1, level=40.0, spot=40.0))


def test_the_simulated_machine_and_its_cameras_are_opened() -> None:
    facts = look_around(machine="sim://doctored", camera="sim:doctored")
    assert facts.machine is not None
    assert facts.machine.serial.startswith("SIM")
    assert (facts.machine.simulated, facts.machine.error, facts.machine.lacks) == (True, "", ())
    (camera,) = [camera for camera in facts.cameras if camera.url == "sim:doctored"]
    assert camera.check is not None
    assert camera.check.level < DARK_LEVEL


def test_a_scenario_that_does_not_exist_is_the_one_fault() -> None:
    wanted = Wanted(machine="sim://?scenario=nope")
    facts = replace(look_around(machine=wanted.machine), ports=(), folder=FOLDER)
    found = only([finding for finding in examine(facts, wanted) if finding.level is Level.FAULT])
    assert "nope: no such file" in found.says
    assert found.step == "Put that right in the URL, or in the file that it names."


def test_a_log_of_an_earlier_version_is_found(tmp_path: Path) -> None:
    log = tmp_path / "deals.sqlite"
    with DealLog.open(log, key_file=tmp_path / "deals.key", entropy=seeded_entropy(1)):
        pass
    assert look_around(log=str(log)).folder.log_error == ""
    with closing(sqlite3.connect(log)) as db:
        db.execute("PRAGMA user_version = 1")
    folder = look_around(log=str(log)).folder
    assert "written by an earlier version of pone" in folder.log_error
    assert folder.log_step


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_log_that_is_empty_or_not_there_yet_is_none_to_complain_of(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert look_around(log=str(tmp_path / (name or "empty"))).folder.log_error == ""


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
    assert cli.main([*words, "/dev/ttyNOWHERE"]) == 1
    assert "The machine cannot be opened: there is no such device." in capsys.readouterr().out
