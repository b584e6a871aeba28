"""The files of a register: what is written is whole or not there, and names can go without the facts."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from controller import register_file
from controller.errors import LogBusy, LogDamaged, LogError

JOINED: list[dict[str, object]] = [
    {"fact": "joined", "player": "p1", "table": "1"},
    {"fact": "joined", "player": "p2", "table": "1"},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club" / "tables.jsonl"


def write(path: Path, *facts: dict[str, object]) -> None:
    with register_file.writing(path):
        register_file.append(path, register_file.read(path), facts)


def seated(path: Path) -> list[str]:
    return [seat["player"] for table in register_file.read(path).register.state()["tables"] for seat in table["seated"]]


def test_what_is_appended_is_read_again_and_opened_once(path: Path) -> None:
    assert register_file.read(path).lines == 0
    write(path, *JOINED)
    write(path, {"fact": "left", "player": "p1"})
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines == [{"fact": "deal_opened", "code": "table"}, *JOINED, {"fact": "left", "player": "p1"}]
    assert seated(path) == ["p2"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_that_was_not_written_whole_is_not_read_and_goes_with_the_next(path: Path) -> None:
    write(path, *JOINED)
    with path.open("a") as file:
        file.write('{"fact":"left","pla')
    kept = register_file.read(path)
    assert (kept.torn, kept.lines, seated(path)) == (True, 3, ["p1", "p2"])
    write(path, {"fact": "left", "player": "p2"})
    assert (register_file.read(path).torn, seated(path)) == (False, ["p1"])


def test_a_whole_fact_that_lacks_only_its_line_end_is_kept(path: Path) -> None:
    write(path, *JOINED)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    kept = register_file.read(path)
    assert (kept.torn, kept.lines, seated(path)) == (False, 3, ["p1", "p2"])
    write(path, {"fact": "left", "player": "p1"})
    assert len(path.read_text().splitlines()) == 4
    assert seated(path) == ["p2"]


@pytest.mark.parametrize("begun", ['{"fact":"deal_op', "\0" * 38, '{"fact":"deal_opened","code":"table"}'])
def test_a_register_of_which_not_even_the_first_line_was_written_whole_begins_anew(path: Path, begun: str) -> None:
    path.parent.mkdir()
    path.write_text(begun)
    write(path, *JOINED)
    assert seated(path) == ["p1", "p2"]
    assert path.read_text().count("deal_opened") == 1


def test_nothing_stays_of_facts_for_which_the_disk_has_no_room(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, *JOINED)
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LogError, match="Make room"):
        register_file.append(path, register_file.read(path), [{"fact": "left", "player": "p1"}])
    assert path.read_bytes() == before


def test_a_file_of_another_program_is_no_register(path: Path) -> None:
    path.parent.mkdir()
    sqlite3.connect(path).execute("CREATE TABLE deal (number)").connection.close()
    with pytest.raises(LogDamaged, match=r"it is no register of tables\. Give the file of a register"):
        register_file.read(path)


def test_only_one_program_writes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register_file, "PATIENCE_S", 0.05)
    said = r"another pone table writes to it \(process \d+\).*Nothing of yours is written: say it again"
    with register_file.writing(path), pytest.raises(LogBusy, match=said), register_file.writing(path):
        pass


def test_names_stand_beside_the_facts_and_go_without_them(path: Path) -> None:
    write(path, *JOINED)
    register_file.write_names(path, {"p1": "Ann", "p2": "Zoë"})
    before = path.read_bytes()
    names = register_file.names_file(path)
    assert (names.name, stat.S_IMODE(names.stat().st_mode)) == ("tables.names.json", 0o600)
    kept = register_file.read(path)
    assert [kept.id_of(name) for name in ("ann", "ZOE\u0308", "p1", "p9", "bob")] == ["p1", "p2", "p1", None, None]
    register_file.write_names(path, {"p2": "Zoë"})
    assert "Ann" not in names.read_text()
    assert (path.read_bytes(), seated(path)) == (before, ["p1", "p2"])


def test_no_two_registers_share_a_file_of_names(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("club", "club.jsonl", "club.txt", "club.names.jsonl", "club.v2")]
    assert len({register_file.names_file(file) for file in files} | set(files)) == 2 * len(files)


def test_a_number_is_never_given_twice(path: Path) -> None:
    write(path, *JOINED, {"fact": "substitute", "player": "p7", "for": "p1", "consent": ["p2"]})
    assert next(register_file.read(path).free_ids()) == "p8"
    register_file.write_names(path, {"p11": "Kit"})
    assert next(register_file.read(path).free_ids()) == "p12"


def test_a_number_that_nobody_was_given_takes_none_away(path: Path) -> None:
    path.parent.mkdir()
    joined = [f'{{"fact":"joined","player":"{player}"}}\n' for player in ("p7", f"p{'9' * 5000}", "somebody")]
    path.write_text('{"fact":"deal_opened","code":"table"}\n' + "".join(joined))
    assert next(register_file.read(path).free_ids()) == "p8"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"fact":"deal_opened","code":"whist","dealer":"S"}\n', "it holds a deal"),
        ('{"fact":"deal_opened","code":"table"}\n{"fact":"left","player":"p1"}\n', "line 2, field player: p1 has no"),
        ("nonsense\n", "it is no register of tables. Give the file of a register"),
        ('name = "tuesday"\n', "it is no register of tables. Give the file of a register"),
        ('{"fact":"deal_opened","code":"table"}\nnonsense\n', "line 2: it is no JSON"),
        ("a note of one line, without a line end", "it is no register of tables"),
        ('{"a": 1}', "it is no register of tables"),
    ],
)
def test_a_file_that_is_no_register_is_refused(path: Path, content: str, words: str) -> None:
    path.parent.mkdir()
    path.write_text(content)
    with pytest.raises(LogDamaged, match=words):
        register_file.read(path)


def test_a_name_that_a_killed_writer_left_behind_goes_with_the_next_writing(path: Path) -> None:
    write(path, *JOINED)
    register_file.write_names(path, {"p1": "Ann", "p2": "Bob"})

    def killed(old: Path, target: Path) -> None:
        raise SystemExit

    names = {"p1": "Ann", "p2": "Bob", "p3": "Cid"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        patch.setattr(Path, "unlink", lambda file, missing_ok: None)
        with pytest.raises(SystemExit):
            register_file.write_names(path, names)
    register_file.write_names(path, {"p2": "Bob"})
    assert not [file for file in path.parent.iterdir() if "Ann" in file.read_text()]


@pytest.mark.parametrize(
    "content",
    [
        *("nonsense", "[]", '{"ann": "p1"}', '{"p1": 1}', b"\xff", "[" * 100_000, '{"p1": "\\ud800"}'),
        *('{"p1": "a\\nb"}', f'{{"p{"1" * 5000}": "Ann"}}'),
    ],
)
def test_a_file_that_holds_no_names_is_refused(path: Path, content: str | bytes) -> None:
    path.parent.mkdir()
    register_file.names_file(path).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(LogDamaged, match=r"it is no file of names.*move it away"):
        register_file.read(path)


def test_a_folder_is_no_register(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="it is a folder"):
        register_file.read(tmp_path)
