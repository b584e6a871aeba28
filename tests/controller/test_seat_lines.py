"""Lines of the seats from a file and from a stream."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from controller.errors import UnreadableInput
from controller.seat_lines import follow, words_of_file
from controller.seats import SeatWord


def test_empty_lines_and_remarks_say_nothing(tmp_path: Path) -> None:
    file = tmp_path / "seats.txt"
    file.write_text("# a remark\n\nN touch\n  \nE waive\n", encoding="utf-8")
    assert [str(word) for word in words_of_file(file)] == ["N touch", "E waive"]


def test_an_error_names_every_line_of_the_file_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "seats.txt"
    file.write_text("# first\nN touch\nN tuch\nE waive\nX waive\n", encoding="utf-8")
    with pytest.raises(UnreadableInput) as caught:
        words_of_file(file)
    assert [line.split(" is no ")[0] for line in str(caught.value).splitlines()] == [
        f"{file}: line 3: 'N tuch'",
        f"{file}: line 5: 'X waive'",
    ]


def test_a_stream_is_heard_line_by_line_and_a_bad_line_only_complained_of() -> None:
    said: list[SeatWord] = []
    complaints: list[str] = []
    follow(io.StringIO("N touch\nnonsense\n# quiet\nE waive\n"), said.append, complaints.append).join(5)
    assert [str(word) for word in said] == ["N touch", "E waive"]
    assert len(complaints) == 1
    assert complaints[0].startswith("line 2: 'nonsense'")
