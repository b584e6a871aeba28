"""Serves a simulated machine, its people and its cameras until Ctrl-C, as `pone sim` is told to."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from firmware_bridge.words import Capability
from hardware_sims.errors import JournalError, PathInUse, SimulatorError
from hardware_sims.files import place_to_write, read_whole, write_whole
from hardware_sims.journal import Journal
from hardware_sims.path import REFERENCE
from hardware_sims.plan import Scenario, parts_named
from hardware_sims.pty import PtyMachine, link_to
from hardware_sims.scenario import load_scenario, shipped_scenarios
from hardware_sims.wire_trace import WireTrace
from hardware_sims.world import World
from vision.files import plainly

if TYPE_CHECKING:
    from vision.frame import Frame

_DONE, _FAULT, _WRONG_USE = 0, 1, 2


def run(arguments: argparse.Namespace) -> int:
    """Run `pone sim` and return its exit status."""
    if arguments.list_scenarios:
        for name, title in shipped_scenarios().items():
            _tell(f"{name:18} {title}")
        return _DONE
    try:
        arguments.lacking = parts_named(arguments.lacks) if arguments.lacks else Capability.NONE
    except ValueError as error:
        _complain(f"--lacks: {error}")
        return _WRONG_USE
    if not (arguments.pty or arguments.frames):
        _complain("say --pty to serve a machine, --frames or --list-scenarios; in one process use --machine sim://")
        return _WRONG_USE
    try:
        if arguments.frames:
            _write_frames(arguments.frames, seed=arguments.seed or 0)
        else:
            _serve(arguments)
    except (SimulatorError, OSError) as error:
        _complain(str(error) if isinstance(error, SimulatorError) else plainly(error))
        return _FAULT
    return _DONE


def _write_frames(folder: Path, *, seed: int) -> None:
    from hardware_sims.sample_frames import write_frames  # numpy and OpenCV, for who draws only

    pictures = write_frames(folder, seed=seed)
    _tell(f"{pictures} pictures of the read window in {folder}; next: pone see {folder}")


def _serve(arguments: argparse.Namespace) -> None:
    from hardware_sims.frame_server import serve_frames  # as above

    with ExitStack() as stack:
        world = _world(arguments)
        report = _reporter(world, _truth(arguments))
        machine = PtyMachine(world, pace=arguments.pace)
        stack.callback(machine.close)
        if arguments.verbose:
            _listen(machine)
        port = machine.device
        if arguments.link is not None:
            stack.enter_context(link_to(port, arguments.link))
            port = str(arguments.link)
        own = Path(stack.enter_context(TemporaryDirectory(prefix="pone-")))
        camera, table = arguments.camera or own / "window", arguments.table_camera or own / "table"
        stack.enter_context(serve_frames(camera, _shutter(world, machine, f"sim:{camera}")))
        stack.enter_context(serve_frames(table, _table_shutter(world, machine, f"simtable:{table}")))
        command = f"pone deal --machine {port} --camera sim:{camera}"
        _tell(f"machine at {port} (Ctrl-C ends it); next: {command}")
        _tell(f"the camera over its table: --table-camera simtable:{table}")
        stack.callback(report)
        old = signal.signal(signal.SIGTERM, signal.default_int_handler)
        stack.callback(signal.signal, signal.SIGTERM, old)
        with suppress(KeyboardInterrupt):  # Ctrl-C is how it ends
            machine.serve(moved=report)


def _listen(machine: PtyMachine) -> None:
    """Tell what goes over the wire."""
    trace = WireTrace()

    def tell_all(lines: list[str]) -> None:
        for line in lines:
            _tell(line)

    machine.heard = lambda data: tell_all(trace.heard(data))
    machine.said = lambda data: tell_all(trace.said(data))


def _world(arguments: argparse.Namespace) -> World:
    """Return the world that the command line describes."""
    scenario = load_scenario(arguments.scenario) if arguments.scenario else Scenario()
    seeds = (arguments.seed, scenario.seed, int.from_bytes(os.urandom(7), "little"))
    seed = next(seed for seed in seeds if seed is not None)
    if arguments.journal is None:
        return World(scenario, seed=seed, lacks=arguments.lacking)
    path = place_to_write(arguments.journal)
    stored = read_whole(path) if path.exists() else b""
    try:
        journal = Journal(REFERENCE.journal_us, stored, lambda data: write_whole(path, data))
    except JournalError as error:
        raise PathInUse(str(path), str(error)) from error
    return World(scenario, seed=seed, journal=journal, lacks=arguments.lacking)


def _truth(arguments: argparse.Namespace) -> Path | None:
    """Return where the truth is to be written, if it is asked for; what is read there now is not written over."""
    if arguments.truth is None:
        return None
    path = place_to_write(arguments.truth)
    if path.exists() and any(path.samefile(named) for named in _read_files(arguments)):
        raise PathInUse(str(arguments.truth), "the scenario or the journal is there: choose another path")
    return path


def _read_files(arguments: argparse.Namespace) -> Iterator[Path]:
    """Return the files that the command line has read."""
    named = (arguments.journal, arguments.scenario)
    return (Path(path) for path in named if path is not None and Path(path).exists())


def _shutter(world: World, machine: PtyMachine, url: str) -> Callable[[], Frame | None]:
    """Return the function that takes a frame now.

    Where the lamp was off since the last frame, even for a time that free pace skipped, the frame is of that moment: a
    camera that runs all the time sees every card's lamp go off.
    """
    from hardware_sims.camera import Film  # as above
    from hardware_sims.frame_server import now_us  # as above

    film = Film(url)
    taken = {"at_us": -1, "number": 0}

    def take() -> Frame | None:
        with machine.lock:
            dark = world.dark_us()
            at_us = dark if dark > taken["at_us"] else world.clock.now_us()
            taken["at_us"] = at_us
            taken["number"] += 1
            return film.take(world, at_us=at_us, captured_us=now_us(), number=taken["number"])

    return take


def _table_shutter(world: World, machine: PtyMachine, url: str) -> Callable[[], Frame | None]:
    """Return the function that takes a picture of the table now; the world goes on while it is drawn."""
    from hardware_sims.frame_server import now_us  # as above
    from hardware_sims.table_camera import TablePictures  # as above
    from vision.frame import Frame  # as above

    pictures = TablePictures()
    numbers = count()

    def take() -> Frame | None:
        with machine.lock:
            if not world.table_camera_works:
                return None
            captured_us, state = now_us(), world.table_state()
        return Frame(image=pictures.of(state), captured_us=captured_us, number=next(numbers), source=url)

    return take


def _reporter(world: World, path: Path | None) -> Callable[[], None]:
    """Return the function that writes the truth, if it is asked for and a card has arrived since the last time."""
    written: list[tuple[int, int]] = []

    def report() -> None:
        if path is not None and written != [world.progress]:
            written[:] = [world.progress]
            write_whole(path, json.dumps(world.truth().as_json()).encode())

    return report


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _complain(text: str) -> None:
    sys.stderr.write(f"pone sim: {text}\n")
