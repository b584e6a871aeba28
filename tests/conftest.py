"""What all tests share: the test data, the order of the tests, and `PONE_REQUIRE=all`, under which no test may skip.

`PONE_TEST_DATA` names the folder with photographs and other data that cannot be part of the project; `PONE_SHARED` that
with the law tables, which is the one above it where it is not named.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator


# The same examples in every run, however loaded the machine is; `--hypothesis-profile=default` looks for new ones.
settings.register_profile("house", derandomize=True, deadline=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder with the test data; a test that wants it is skipped, with the reason, where there is none."""
    named = os.environ.get("PONE_TEST_DATA")
    if not named:
        pytest.skip("PONE_TEST_DATA does not name a folder with test data")
    folder = Path(named).resolve()
    if not folder.is_dir():
        pytest.skip(f"PONE_TEST_DATA names {folder}, which is no folder")
    return folder


@pytest.fixture(scope="session")
def law_tables() -> str:
    """The text of the law tables; a test that wants it is skipped, with the reason, where it is not at hand."""
    named, data = os.environ.get("PONE_SHARED"), os.environ.get("PONE_TEST_DATA")
    file = (Path(named) if named else Path(data or "nowhere").resolve().parent) / "laws.md"
    if not file.is_file():
        pytest.skip(f"{file} is no file: PONE_SHARED does not name the folder with the law tables")
    return file.read_text(encoding="utf-8")


class NoSkips:
    """Turns every skip into a failure. Expected failures are no skips; deselected tests never get here."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.skipped and not hasattr(report, "wasxfail"):
            _fail(report)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if report.skipped:
            _fail(report)
        return report


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason: Any = report.longrepr
    if isinstance(reason, tuple):
        reason = reason[2]
    report.outcome = "failed"
    report.longrepr = f"PONE_REQUIRE=all: nothing may be skipped, but this was: {reason}"


def pytest_configure(config: pytest.Config) -> None:
    """Register what `PONE_REQUIRE` asks for as a plugin, so that it holds for the doctests of the packages too."""
    required = os.environ.get("PONE_REQUIRE", "")
    if required == "all":
        config.pluginmanager.register(NoSkips(), "pone-no-skips")
    elif required:
        raise pytest.UsageError(f"PONE_REQUIRE is {required!r}; it is 'all' or not set")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put slow tests last, and leave out tests that need the real machine unless `-m` speaks of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)
    if "hardware" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("hardware")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("hardware")]
