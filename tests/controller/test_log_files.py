"""The files of a deal log: what they are, whose they are, and what stays behind when one cannot be made."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.errors import LogBusy, LogError
from controller.log_files import create_private, files_of, is_one_of, is_regular, lock_file, machine_key


def test_what_is_no_file_is_told_apart(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").touch()
    assert is_regular(tmp_path / "file", "file")
    assert not is_regular(tmp_path / "none", "none")
    assert not is_regular(tmp_path / "file" / "none", "none")
    said = {
        tmp_path: "it is a folder",
        tmp_path / "pipe": "it is a pipe",
        Path("/dev/zero"): "it is a device",
        tmp_path / "loop": "links lead in a circle. Give another name",
        tmp_path / ("x" * 300): "too long. Give another name",
    }
    for path, words in said.items():
        with pytest.raises(LogError, match=words) as wrong:
            is_regular(path, "NAMED")
        assert wrong.value.file == "NAMED"


def test_a_file_of_the_log_is_known_by_name_and_through_links(tmp_path: Path) -> None:
    log, key = tmp_path / "a.db", tmp_path / "a.key"
    key.touch()
    (tmp_path / "to").symlink_to(log)
    (tmp_path / "hard").hardlink_to(key)
    names = ("a.db", "a.db-wal", "a.db-shm", "a.db.lock", "a.key", "to", "hard")
    assert all(is_one_of(tmp_path / name, files_of(tmp_path / "to", key)) for name in names)
    assert not is_one_of(tmp_path / "a.png", files_of(log, key))


def test_an_empty_file_becomes_its_owners_alone_and_one_with_content_stays_as_it_is(tmp_path: Path) -> None:
    for content, mode in (("", 0o600), ("x", 0o644)):
        file = tmp_path / "file"
        file.write_text(content)
        file.chmod(0o644)
        create_private(file)
        assert file.stat().st_mode & 0o777 == mode


def test_a_key_that_finds_no_room_leaves_nothing_and_the_next_try_draws_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(LogError, match=r"the disk is full\. Make room"):
            machine_key(tmp_path / "machine.key")
    assert not list(tmp_path.iterdir())
    key = machine_key(tmp_path / "machine.key")
    assert key == machine_key(tmp_path / "machine.key") == (tmp_path / "machine.key").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["machine.key"]


def test_a_key_drawn_meanwhile_by_another_controller_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "machine.key", os.link

    def beaten(new: str, to: Path) -> None:
        file.touch(0o600)
        file.write_bytes(bytes(32))
        link(new, to)

    monkeypatch.setattr("os.link", beaten)
    assert machine_key(file) == bytes(32)


def test_a_lock_made_for_an_opening_that_fails_is_taken_away(tmp_path: Path) -> None:
    held = ExitStack()
    assert lock_file(tmp_path / "a", "a", held).exists()
    held.__exit__(ValueError, ValueError("fails"), None)
    assert not list(tmp_path.iterdir())
    with ExitStack() as held:
        lock = lock_file(tmp_path / "a", "a", held)
        with pytest.raises(LogBusy), ExitStack() as other:
            lock_file(tmp_path / "a", "a", other)
        assert lock.exists()
    assert lock.exists()


@pytest.mark.parametrize("kind", ["letter", "folder", "link"])
def test_what_only_has_the_name_of_the_lock_is_left_as_it_is(kind: str, tmp_path: Path) -> None:
    lock, letter = tmp_path / "a.lock", tmp_path / "letter"
    letter.write_text("Dear partner")
    match kind:
        case "letter":
            lock.write_text("Dear partner")
        case "folder":
            lock.mkdir()
        case "link":
            lock.symlink_to(letter)
    with pytest.raises((LogError, OSError)), ExitStack() as held:
        lock_file(tmp_path / "a", "a", held)
    assert lock.exists()
    assert letter.read_text() == "Dear partner"
