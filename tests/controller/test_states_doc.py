"""The page on the states: it has every row of the table, and is written or compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller import states_doc
from controller.states import ACTIVE, TRANSITIONS, DealState

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The page's place in an empty project."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    return tmp_path / states_doc.DOC


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["states_doc", *words])
    return states_doc.main()


def test_every_transition_is_drawn_and_no_other() -> None:
    drawn = re.findall(r"^    (\w+) --> (\w+): (\w+)$", states_doc.render(), re.MULTILINE)
    rows = [
        (source.name, dest.name, trigger)
        for trigger, sources, dest in TRANSITIONS
        for source in (sources if isinstance(sources, tuple) else (sources,))
    ]
    assert sorted(drawn) == sorted(rows)


def test_every_state_and_trigger_is_explained() -> None:
    page = states_doc.render()
    for state in DealState:
        halts = "; can halt" if state in ACTIVE else ""
        assert f"| `{state.name}` | {state.value}{halts} |" in page
    for trigger in {trigger for trigger, _, _ in TRANSITIONS}:
        assert re.search(rf"^\| `{trigger}` \| [A-Z].*\. \|$", page, re.MULTILINE)


def test_the_page_of_the_project_is_fresh() -> None:
    assert (ROOT / states_doc.DOC).read_text(encoding="utf-8") == states_doc.render()


def test_the_page_is_written_and_then_found_fresh(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch) == 0
    assert page.read_text(encoding="utf-8") == states_doc.render()
    assert run(monkeypatch, "--check") == 0


@pytest.mark.parametrize("stale", [None, "# The states of a deal\n"])
def test_a_stale_or_missing_page_is_named_and_not_touched(
    stale: str | None, page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if stale is not None:
        page.write_text(stale, encoding="utf-8")
    assert run(monkeypatch, "--check") == 1
    assert "docs/states.md is stale: run python -m controller.states_doc" in capsys.readouterr().err
    assert (page.read_text(encoding="utf-8") if page.exists() else None) == stale
