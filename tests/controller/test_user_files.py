"""Files that a user names, and what is said of those that cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.errors import UnreadableInput
from controller.user_files import LARGEST, text_of


def test_a_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("ä\n", encoding="utf-8")
    assert text_of(tmp_path / "text") == "ä\n"


def test_the_mark_of_byte_order_is_no_part_of_a_text(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfAS 2S")
    assert text_of(tmp_path / "text") == "AS 2S"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere", "there is no such file or folder"),
        ("folder", "it is a folder"),
        ("text/inside", "a part of its path is no folder"),
        ("x" * 300, "the name is too long"),
        ("loop", "its links lead in a circle"),
        ("large", "it is larger than 1024 kB"),
        ("latin", "it is no text in UTF-8 (byte 2)"),
        ("nul\0", "it is no name of a file (embedded null byte)"),
    ],
)
def test_what_cannot_be_read_is_said_in_plain_words(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "text").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "large").write_bytes(b"x" * (LARGEST + 1))
    (tmp_path / "latin").write_bytes("xä".encode("latin-1"))
    with pytest.raises(UnreadableInput, match=f"{re.escape(reason)}$"):
        text_of(tmp_path / name)
