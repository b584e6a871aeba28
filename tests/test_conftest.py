"""The rules for skipped tests, tried on a small project of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING = """
import pytest

def test_passes(): pass

def test_skips(): pytest.skip("no camera here")

def test_wants_data(test_data): assert test_data.is_absolute()

@pytest.mark.xfail
def test_is_expected_to_fail(): assert False

@pytest.mark.hardware
def test_needs_the_machine(): assert False
"""
SKIPPING_WHOLE = "import pytest\npytest.skip('not on this system', allow_module_level=True)\n"
SKIPPING_DOCTEST = '"""A package.\n\n>>> 1 / 0  # doctest: +SKIP\n"""\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "package").mkdir()
    shutil.copy(Path(__file__).parent / "conftest.py", tmp_path / "tests")
    (tmp_path / "tests" / "test_some.py").write_text(SKIPPING)
    (tmp_path / "tests" / "test_whole.py").write_text(SKIPPING_WHOLE)
    (tmp_path / "package" / "module.py").write_text(SKIPPING_DOCTEST)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ntestpaths = tests package\naddopts = --import-mode=importlib --doctest-modules\n"
        "markers =\n    hardware: real\n    slow: slow\n"
    )
    return tmp_path


def last_line(project: Path, *options: str, **environment: str) -> str:
    """Run the small project's tests and return the summary line."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PONE_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command,
        cwd=project,
        env=kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return (done.stdout + done.stderr).strip().splitlines()[-1]


def test_a_skip_is_a_skip_by_default(project: Path) -> None:
    assert last_line(project).startswith("1 passed, 4 skipped, 1 deselected, 1 xfailed in")


def test_the_data_folder_is_handed_over(project: Path) -> None:
    line = last_line(project, PONE_TEST_DATA=str(project))
    assert line.startswith("2 passed, 3 skipped, 1 deselected, 1 xfailed in")


def test_under_require_all_every_skip_fails(project: Path) -> None:
    line = last_line(project, "--continue-on-collection-errors", PONE_REQUIRE="all")
    assert line.startswith("2 failed, 1 passed, 1 deselected, 1 xfailed, 2 errors in")


def test_under_require_all_every_skip_fails_in_parallel(project: Path) -> None:
    (project / "tests" / "test_whole.py").unlink()
    assert last_line(project, "-p", "xdist", "-n1", PONE_REQUIRE="all").startswith(
        "2 failed, 1 passed, 1 xfailed, 1 error in"
    )


def test_a_misspelt_requirement_is_refused(project: Path) -> None:
    assert last_line(project, PONE_REQUIRE="al") == "ERROR: PONE_REQUIRE is 'al'; it is 'all' or not set"


def test_the_real_machine_is_used_only_when_asked_for(project: Path) -> None:
    assert "1 failed" in last_line(project, "-m", "hardware")
