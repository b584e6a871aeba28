"""The rules of the house that no other tool holds: purity, size of modules, what a file may say, what the wheel holds.

A module is pure unless it is declared a shell here; what is declared and missing fails.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("firmware_bridge", "vision", "controller", "hardware_sims")

CORE: Final = (
    "firmware_bridge.words",
    "firmware_bridge.messages",
    "firmware_bridge.codec",
    "firmware_bridge.session",
    "firmware_bridge.reconcile",
    "vision.cards",
    "vision.sighting",
    "vision.table_layout",
    "vision.table_watch",
    "controller.table",
    "controller.facts",
    "controller.rulings",
    "controller.laws",
    "controller.law_pages",
    "controller.judge",
    "controller.club_code",
    "controller.fact_stream",
    "controller.register",
    "controller.incidents",
    "controller.seats",
    "controller.shuffle",
    "controller.acts",
    "controller.states",
    "controller.dealer",
    "controller.records",
    "controller.replay",
    "controller.narration",
    "controller.doctor",
)
"""What decides, without any device: these load nothing heavy."""

HEAVY: Final = ("serial", "cv2", "numpy", "onnxruntime", "PIL", "sqlite3")

CLOCKS: Final = {"datetime", "time"}
CHANCE: Final = {"random", "secrets", "uuid"}
FILES: Final = {"fcntl", "glob", "io", "logging", "os", "pathlib", "shutil", "sqlite3", "tempfile"}
WIRES: Final = {"http", "select", "selectors", "serial", "socket", "ssl", "termios", "urllib"}
THREADS: Final = {"asyncio", "concurrent", "multiprocessing", "signal", "subprocess", "threading"}
IMPURE: Final = CLOCKS | CHANCE | FILES | WIRES | THREADS
IMPURE_CALLS: Final = frozenset({"open", "print", "input", "breakpoint", "exec", "eval"})

SHELLS: Final = {
    "hardware_sims.scenarios_doc": "writes a page",
    "firmware_bridge.link": "waits on the wire",
    "firmware_bridge.ports": "finds and opens ports",
    "vision.camera": "opens cameras",
    "vision.deck_store": "keeps decks in files",
    "vision.files": "puts files in their places",
    "vision.picture": "reads pictures",
    "vision.see": "reads files, prints",
    "vision.shots": "reads files and cameras",
    "controller.argument_types": "looks at what arguments name",
    "controller.bundle_report": "writes pictures",
    "controller.check_command": "writes a receipt",
    "controller.cli": "prints",
    "controller.console": "prints",
    "controller.data_folder": "knows the user's folders",
    "controller.deal_command": "reads arguments, waits for the machine",
    "controller.deal_log": "is the durable store",
    "controller.deal_picture": "writes a file",
    "controller.deal_reader": "reads the store",
    "controller.log_tables": "makes the tables of the store",
    "controller.deal_report": "names files to draw to",
    "controller.doctor_command": "looks at this computer",
    "controller.drawn_files": "writes documents",
    "controller.enroll_command": "asks at the terminal",
    "controller.enroll_pictures": "writes pictures",
    "controller.entropy": "is the random source",
    "controller.faults_doc": "names a document",
    "controller.fault_bundle": "keeps files beside the store",
    "controller.health_command": "reads the store, prints",
    "controller.judge_command": "reads files, prints",
    "controller.laws_command": "reads arguments, prints",
    "controller.laws_doc": "names a document",
    "controller.log_files": "guards the store's files",
    "controller.machine_session": "opens what arguments name",
    "controller.order_command": "reads an order",
    "controller.record_command": "reads the store, prints",
    "controller.register_file": "is the register's durable store",
    "controller.replay_command": "reads the store, prints",
    "controller.seat_lines": "reads files, waits for lines",
    "controller.standard_streams": "is what every command prints on",
    "controller.states_doc": "names a document",
    "controller.table_command": "reads arguments, prints",
    "controller.table_talk": "is handed over between threads",
    "controller.user_files": "reads files that a command is given",
    "hardware_sims.camera": "opens a socket's path",
    "hardware_sims.commands": "reads arguments",
    "hardware_sims.files": "reads and writes what a user names",
    "hardware_sims.frame_server": "serves frames on a socket",
    "hardware_sims.pty": "serves a terminal",
    "hardware_sims.sample_frames": "writes pictures",
    "hardware_sims.scenario": "reads scenario files",
    "hardware_sims.serving": "waits for signals, prints",
    "hardware_sims.urlhandlers.protocol_sim": "is a port of pyserial's",
    "hardware_sims.world": "draws a seed where none is given",
}
"""The modules that touch the world, and how. Every other one is pure; `vision.training` is no part of the product."""

MODULE_LINES: Final = 400
FUNCTION_LINES: Final = 50

TOP_LEVEL: Final = {
    *PACKAGES,
    "tests",
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "pyproject.toml",
    "requirements.lock",
}
"""What stands beside the dot-files."""


def house_files() -> tuple[Path, ...]:
    """Return every file that is or would be part of the project."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return tuple(path for name in sorted(set(listed.split("\0")) - {""}) if (path := ROOT / name).is_file())


def python_files(*folders: str) -> list[Path]:
    return [path for path in house_files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def product_modules() -> dict[str, Path]:
    """Return the files of the packages by module, without the training."""
    files = {module_of(path): path for path in python_files(*PACKAGES)}
    return {name: path for name, path in files.items() if not name.startswith("vision.training")}


def touches(path: Path) -> list[str]:
    """Return what a module imports or calls that pure code does not."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                found += [alias.name for alias in names if alias.name.split(".")[0] in IMPURE]
            case ast.ImportFrom(module=str(name)) if name.split(".")[0] in IMPURE:
                found.append(name)
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                found.append(f"{name}() in line {node.lineno}")
    return found


def test_the_core_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        + "".join(f"import {module}\n" for module in CORE)
        + f"print(*[name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_loads_nothing_heavy(package: str) -> None:
    code = f"import sys, {package}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_only_shells_touch_the_world() -> None:
    impure = {name: found for name, path in product_modules().items() if (found := touches(path))}
    assert {name: found for name, found in impure.items() if name not in SHELLS} == {}


def test_every_declared_shell_exists() -> None:
    assert set(SHELLS) - set(product_modules()) == set()


def test_modules_and_functions_are_short() -> None:
    long = []
    for path in python_files(*PACKAGES):
        text = path.read_text()
        if "laws" not in path.parent.parts and (lines := len(text.splitlines())) > MODULE_LINES:
            long.append(f"{named(path)} has {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.FunctionDef)
                and (lines := (node.end_lineno or 0) - node.lineno + 1) > FUNCTION_LINES
            ):
                long.append(f"{named(path)}:{node.lineno} {node.name} has {lines} lines")
    assert not long


def test_a_module_opens_with_what_it_is() -> None:
    files = python_files(*PACKAGES, "tests")
    assert [named(path) for path in files if not ast.get_docstring(ast.parse(path.read_text()))] == []


def test_every_ignore_has_its_reason_beside_it() -> None:
    reasoned = re.compile(r"# noqa: [A-Z0-9, ]+( --? |  )\w.{4,}|# type: ignore\[[\w, -]+\] +# \w.{4,}")
    ignore = re.compile(r"# (noqa|type: ignore)\b")
    bare = [
        f"{named(path)}:{number}"
        for path in python_files(*PACKAGES, "tests")
        if path != Path(__file__)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if ignore.search(line) and not reasoned.search(line)
    ]
    assert not bare


def test_only_shells_name_banned_apis() -> None:
    users = {name for name, path in product_modules().items() if re.search(r"noqa:[^#\n]*TID251", path.read_text())}
    assert users - set(SHELLS) == set()


def test_no_file_names_a_machine_or_a_registry() -> None:
    # Written in two parts each, since this file is read too.
    hosts = ["pypi" + ".org", "python" + "hosted.org", "npm" + "js", "deb.debian" + ".org", "file:" + "///"]
    places = [str(ROOT) + "/", "/wor" + "k/", "/roo" + "t/", *([f"{Path.home()}/"] if Path.home() != Path("/") else [])]
    found = {
        (named(path), word)
        for path in house_files()
        for content in [path.read_bytes()]
        for word in hosts + places
        if word.encode() in content
    }
    assert not found


def test_the_top_level_holds_what_the_design_says() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = {Path(name).parts[0] for name in tracked.splitlines()}
    assert {name for name in names if not name.startswith(".")} == TOP_LEVEL
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_the_lock_holds_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements.lock").read_text()
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+) \\$", lock, re.MULTILINE))
    for wanted in map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["dev"]]):
        assert wanted.specifier.contains(pins[canonicalize_name(wanted.name)]), wanted
    assert len(re.findall(r"^[a-z0-9-]+==\S+ \\\n    --hash=sha256:[0-9a-f]{64}", lock, re.MULTILINE)) == len(pins)
    assert "://" not in lock


def test_the_wheel_holds_the_four_packages_and_no_more(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    info = wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    assert {name.split("/")[0] for name in names} == {*PACKAGES, info}
    assert f"{info}/licenses/LICENSE" in names
    assert "vision/data/index_reader.onnx" in names
    assert not [name for name in names if name.startswith("vision/training")]
