"""The deal log and the register that are used where none is named."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from controller.data_folder import default_log, default_register


def test_the_log_lies_in_a_folder_of_the_programs_own() -> None:
    log = default_log()
    assert log.is_absolute()
    assert (log.name, "pone" in log.parts) == ("deals.sqlite", True)


@pytest.mark.skipif(sys.platform != "linux", reason="the XDG folders are those of Linux")
def test_the_users_data_folder_is_the_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_log() == tmp_path / "pone" / "deals.sqlite"
    assert default_register() == tmp_path / "pone" / "tables.jsonl"
    assert not (tmp_path / "pone").exists(), "asking makes nothing"
