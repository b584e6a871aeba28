"""Files put in their places whole, and what is said of those that cannot be."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from vision.files import plainly, put_in_place

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EIO, errno.EEXIST])
def test_no_words_of_the_system_are_shown(number: int) -> None:
    said = plainly(OSError(number, os.strerror(number), "file"))
    assert said
    assert "Errno" not in said
    assert said != os.strerror(number)


def test_words_that_say_more_than_the_systems_stay() -> None:
    assert plainly(FileExistsError(errno.EEXIST, "it holds something else")) == "it holds something else"
    assert plainly(OSError("no number")) == "no number"


@pytest.mark.parametrize(("private", "mode"), [(True, 0o600), (False, 0o644)])
def test_a_file_takes_the_place_of_another_and_no_draft_is_left(private: bool, mode: int, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a longer old content")
    before = os.umask(0o022)
    try:
        put_in_place(tmp_path / "a", b"new", private=private)
    finally:
        os.umask(before)
    assert (tmp_path / "a").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_where_nothing_can_be_written_the_old_content_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr("vision.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        put_in_place(tmp_path / "a", b"new", private=True)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["♣" * 84, "\U0001f0a1" * 63, "a" * 255])
def test_a_file_of_the_longest_name_is_put_in_place(name: str, tmp_path: Path) -> None:
    put_in_place(tmp_path / name, b"all", private=False)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [(name, b"all")]


def test_what_a_killed_writer_left_is_written_over_and_becomes_private(tmp_path: Path) -> None:
    left = tmp_path / ".a.new"
    left.write_bytes(b"half of something much longer than what comes now")
    left.chmod(0o644)
    put_in_place(tmp_path / "a", b"new", private=True)
    assert (tmp_path / "a").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_a_pipe_in_the_place_of_the_draft_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".a.new")
    with pytest.raises(FileExistsError, match="is no file"):
        put_in_place(tmp_path / "a", b"new", private=True)


def test_two_writers_come_one_after_the_other(tmp_path: Path) -> None:
    """The first has put its draft in place by the time the second gets the lock; the second makes one of its own."""
    draft = tmp_path / ".a.new"
    handle = os.open(draft, os.O_RDWR | os.O_CREAT)
    fcntl.flock(handle, fcntl.LOCK_EX)
    second = threading.Thread(target=put_in_place, args=(tmp_path / "a", b"second"), kwargs={"private": True})
    second.start()
    os.write(handle, b"first")
    draft.replace(tmp_path / "a")
    os.close(handle)
    second.join(timeout=10)
    assert not second.is_alive()
    assert (tmp_path / "a").read_bytes() == b"second"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
