"""`pone sim` in a process of its own, as a person starts it."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import serial

from firmware_bridge.codec import Decoder, Packet, encode_request, event_in
from firmware_bridge.events import EVENTS, Event
from firmware_bridge.layout import Message
from firmware_bridge.messages import AcknowledgeEvent, Ask, Feed, Hello, HelloReply, Home, Request, Route
from firmware_bridge.words import Asked, Phase, Tray
from hardware_sims.commands import add_sim
from hardware_sims.frame_server import SocketCamera, now_us
from hardware_sims.table_camera import open_table_camera, scene_now
from hardware_sims.table_render import render_table

RUN = (
    "import argparse, sys; from hardware_sims.commands import add_sim; p = argparse.ArgumentParser();"
    "add_sim(p.add_subparsers()); a = p.parse_args(); sys.exit(a.run(a))"
)
ROOT = Path(__file__).resolve().parents[2]


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_sim(parser.add_subparsers())
    return parser.parse_args(["sim", *arguments])


@contextmanager
def simulator(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `pone sim` and give the process and the line it prints."""
    command = [sys.executable, "-c", RUN, "sim", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)


def asked(port: serial.Serial, decoder: Decoder, request: Request, sequence: int) -> Message:
    """Return the reply to a request, and acknowledge the events that come with it."""
    port.write(encode_request(request, sequence))
    reply = None
    while reply is None:
        for packet in decoder.feed(port.read(max(1, port.in_waiting))):
            if not isinstance(packet, Packet):
                continue
            if packet.type_byte in EVENTS:
                event = event_in(packet)
                assert isinstance(event, Event)
                port.write(encode_request(AcknowledgeEvent(event.boot_id, event.event_id), 0))
            elif packet.type_byte == request.type_byte | 0x80:
                assert request.reply is not None
                reply = request.reply.unpack(packet.payload)
    return reply


def deal_one(device: str) -> HelloReply:
    """Home the machine, feed a card to N and say hello."""
    decoder = Decoder()
    with serial.Serial(device, 250_000, timeout=5, write_timeout=1, exclusive=True) as port:
        requests = (Home(), Ask(Asked.LOAD_PACK, 0, 0), Feed(1), Route(1, Tray.N))
        for sequence, request in enumerate(requests):
            asked(port, decoder, request, sequence)
        hello = asked(port, decoder, Hello(), 9)
        assert isinstance(hello, HelloReply)
        return hello


def test_a_machine_is_served_until_ctrl_c(tmp_path: Path) -> None:
    link, truth, journal = tmp_path / "machine", tmp_path / "truth.json", tmp_path / "journal"
    options = ["--pty", "--pace", "free", "--link", str(link), "--seed", "3"]
    with simulator(*options, "--truth", str(truth), "--journal", str(journal)) as (process, line):
        said, _, camera = line.rstrip("\n").partition(" --camera sim:")
        assert said == f"machine at {link} (Ctrl-C ends it); next: pone deal --machine {link}"
        assert Path(camera).is_socket()
        first = deal_one(str(link))
    assert process.returncode == 0
    assert not link.is_symlink()
    assert not Path(camera).exists()
    (deal,) = json.loads(truth.read_text())["deals"]
    assert [card["place"] for card in deal["cards"]].count("N") == 1
    assert (first.last_id, first.phase) == (1, Phase.DONE)
    with (
        simulator(*options, "--journal", str(journal)),
        serial.Serial(str(link), 250_000, timeout=5, write_timeout=1) as port,
    ):
        again = asked(port, Decoder(), Hello(), 1)
    assert isinstance(again, HelloReply)
    assert (again.last_id, again.phase) == (1, Phase.DONE)
    assert again.boot_id != first.boot_id


def test_at_free_pace_the_camera_still_sees_the_lamp_off_between_two_cards(tmp_path: Path) -> None:
    link, socket = tmp_path / "machine", tmp_path / "camera"
    with simulator("--pty", "--pace", "free", "--link", str(link), "--camera", str(socket), "--seed", "3") as (_, line):
        assert line.endswith(f"--camera sim:{socket}\n")
        deal_one(str(link))
        decoder = Decoder()
        camera = SocketCamera(f"sim:{socket}", socket, now_us)
        with closing(camera), serial.Serial(str(link), 250_000, timeout=5, write_timeout=1) as port:
            seen = []
            for command_id in (2, 3):
                asked(port, decoder, Feed(command_id), command_id)
                asked(port, decoder, Hello(), 10 + command_id)
                # One frame of the moment that free pace skipped, then what stands there.
                for _ in range(3):
                    frame = camera.next_frame(after_us=now_us(), deadline_us=now_us() + 5_000_000)
                    assert frame is not None
                    seen.append(bool(frame.image.mean() > 30))
                asked(port, decoder, Route(command_id, Tray.N), 20 + command_id)
    assert seen == [False, True, True] * 2


def test_what_goes_over_the_wire_is_told_where_that_is_asked_for(tmp_path: Path) -> None:
    link = tmp_path / "machine"
    with simulator("--pty", "--pace", "free", "--link", str(link), "--seed", "3", "--verbose") as (process, _):
        assert process.stdout is not None
        deal_one(str(link))
        told = [process.stdout.readline().split(":")[0].rstrip() for _ in range(8)]
    assert [line for line in told if line != "  Booted"][:7] == [
        *("> Home", "  Homed", "> Ask", "  Answered", "> Feed", "  AtWindow", "> Route")
    ]


def test_pictures_of_the_window_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn: list[tuple[Path, int]] = []

    def write(folder: Path, *, seed: int) -> int:
        drawn.append((folder, seed))
        return 54

    monkeypatch.setattr("hardware_sims.sample_frames.write_frames", write)
    arguments = parsed("--frames", str(tmp_path / "shots"), "--seed", "5")
    assert arguments.run(arguments) == 0
    assert drawn == [(tmp_path / "shots", 5)]
    assert capsys.readouterr().out.endswith(f"next: pone see {tmp_path / 'shots'}\n")


def test_the_camera_over_the_table_sees_what_a_camera_in_process_sees(
    tmp_path: Path, machine: Callable[..., Any]
) -> None:
    """At a socket, as the window's is: named on the command line, or one of its own, which is printed."""
    link, named = tmp_path / "machine", tmp_path / "table.sock"
    options = ["--pty", "--pace", "free", "--link", str(link), "--seed", "3"]
    with simulator(*options) as (process, _):
        assert process.stdout is not None
        said, _, socket = process.stdout.readline().rstrip("\n").partition("simtable:")
        assert said == "the camera over its table: --table-camera "
        assert Path(socket).is_socket()
    assert not Path(socket).exists()
    with (
        simulator(*options, "--table-camera", str(named)),
        closing(open_table_camera(f"simtable:{named}", now_us)) as camera,
    ):
        frames = []
        for _ in range(2):
            after = now_us()
            frame = camera.next_frame(after_us=after, deadline_us=after + 5_000_000)
            assert frame is not None
            assert (frame.source, after <= frame.captured_us <= now_us()) == (f"simtable:{named}", True)
            frames.append(frame)
            deal_one(str(link))
    assert [frame.number for frame in frames] == [0, 1]
    client = machine(seed=3)
    bare = client.world.table_state()
    client.home()
    client.ask(Asked.LOAD_PACK)
    client.feed(1)
    client.route(1, Tray.N)
    one_card = client.world.table_state()
    assert (bare.packets["N"], one_card.packets["N"]) == (0, 1)
    for frame, state in zip(frames, (bare, one_card), strict=True):
        assert np.array_equal(frame.image, render_table(scene_now(state)))


def test_the_scenarios_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = parsed("--list-scenarios")
    assert arguments.run(arguments) == 0
    assert "show " in capsys.readouterr().out


def test_wrong_use_and_unreadable_input_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "journal"
    damaged.write_text("x")
    for arguments, status, said in (
        (parsed(), 2, "say --pty"),
        (parsed("--pty", "--lacks", "wings"), 2, "--lacks: expected some of thickness"),
        (parsed("--pty", "--scenario", "nope"), 1, "nope: no such file"),
        (parsed("--pty", "--journal", str(damaged)), 1, "journal: the stored journal is damaged"),
        (parsed("--pty", "--link", str(damaged)), 1, "choose another path"),
    ):
        assert arguments.run(arguments) == status
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--truth", "--journal", "--link", "--camera", "--table-camera"])
@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_name_of_no_file_is_wrong_use(option: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parsed("--pty", option, name)
    assert "is a folder, or nothing" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--truth", "--journal"])
def test_a_file_that_cannot_be_written_is_told_at_the_start(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "device").symlink_to("/dev/full")
    for path in (tmp_path / "device", tmp_path / "no" / "file"):
        arguments = parsed("--pty", option, str(path))
        assert arguments.run(arguments) == 1
        out, err = capsys.readouterr()
        assert out == "", "nobody is told of a machine"
        assert err.startswith(f"pone sim: {path}: ")
        assert "choose another path" in err
    assert (tmp_path / "device").readlink() == Path("/dev/full")


@pytest.mark.parametrize("option", ["--scenario", "--journal"])
def test_the_truth_is_not_written_over_what_is_read(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "file", tmp_path / "other"
    file.touch()
    other.symlink_to(file)
    arguments = parsed("--pty", option, str(file), "--truth", str(other))
    assert arguments.run(arguments) == 1
    assert "the scenario or the journal is there" in capsys.readouterr().err
