"""`docs/faults.md` is made from the list of incidents, and the check says when it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from controller import faults_doc
from controller.incident import CardPlace, Recovery
from controller.incidents import INCIDENTS


def test_the_page_in_the_repository_is_the_list() -> None:
    page = Path(__file__).resolve().parents[2] / faults_doc.DOC
    assert page.read_text(encoding="utf-8") == faults_doc.render()


def test_the_page_says_everything_of_every_fault() -> None:
    page = faults_doc.render()
    for incident in INCIDENTS.values():
        section = page.split(f"### {incident.code}\n")[1].split("### ")[0]
        for said in (incident.trusted, incident.at_table, incident.next_step, incident.recovery.value):
            assert said in section
    assert all(recovery.value in page for recovery in Recovery)
    assert all(place.value in page for place in CardPlace)


def test_a_stale_page_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(faults_doc, "DOC", tmp_path / "faults.md")
    monkeypatch.setattr(sys, "argv", ["faults_doc", "--check"])
    assert faults_doc.main() == 1
    assert "is stale" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["faults_doc"])
    assert faults_doc.main() == 0
    monkeypatch.setattr(sys, "argv", ["faults_doc", "--check"])
    assert faults_doc.main() == 0
