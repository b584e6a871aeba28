"""The documents: what they link to exists, what they show is accepted by the program."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from controller.cli import _parser
from controller.club_code import read_code
from controller.facts import parse_fact
from hardware_sims.scenario import parse_scenario

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENTS: Final = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))


def name_of(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def blocks(document: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)


def anchors(document: Path) -> set[str]:
    """Return the names of a document's headings, as in links to them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (document.parent / file).resolve() if file else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    for document in DOCUMENTS:
        path = document.relative_to(ROOT / "docs").as_posix() if document.is_relative_to(ROOT / "docs") else ""
        assert path in ("", "README.md") or f"({path})" in index, path


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_are_commands(document: Path) -> None:
    lines = [line for block in blocks(document, "sh") for line in block.splitlines() if line.startswith("pone ")]
    for line in lines:
        assert callable(_parser().parse_args(shlex.split(line)[1:]).run), line


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_facts_are_facts(document: Path) -> None:
    for block in blocks(document, "jsonl"):
        for number, line in enumerate(block.splitlines(), 1):
            parse_fact(json.loads(line), line=number)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_scenarios_are_scenarios(document: Path) -> None:
    for block in blocks(document, "toml"):
        if "[[law]]" not in block:
            assert parse_scenario(block, name_of(document)).deals


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_laws_are_laws(document: Path) -> None:
    for block in blocks(document, "toml"):
        if "[[law]]" in block:
            assert read_code(block).laws
