"""Files that a user names to the simulator: no device is read without end, and none is written over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware_sims.errors import PathInUse
from hardware_sims.files import LARGEST, place_to_write, read_whole, write_whole


def test_a_file_is_read_whole_up_to_a_size(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * LARGEST)
    assert len(read_whole(file)) == LARGEST
    file.write_bytes(b"x" * (LARGEST + 1))
    with pytest.raises(OSError, match="larger than 1024 kB"):
        read_whole(file)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null"])
def test_a_device_is_not_read(device: str) -> None:
    with pytest.raises(OSError, match="a device or a pipe, where a file is expected"):
        read_whole(Path(device))


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a device or a pipe"):
        read_whole(tmp_path / "pipe")


def test_a_place_to_write_is_a_file_or_nothing_yet(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert place_to_write(file) == file
    assert not list(tmp_path.iterdir()), "looking leaves nothing behind"
    write_whole(file, b"old")
    assert place_to_write(file) == file
    (tmp_path / "link").symlink_to(file)
    write_whole(place_to_write(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert file.read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_where_nothing_can_be_written_the_path_and_the_way_on_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/null")
    (tmp_path / "loop").symlink_to("loop")
    wrong = [tmp_path, tmp_path / "pipe", tmp_path / "device", tmp_path / "loop", tmp_path / "no" / "file"]
    for path in [*wrong, Path("/proc/truth"), tmp_path / ("a" * 300)]:
        with pytest.raises(PathInUse, match="choose another path") as caught:
            place_to_write(path)
        assert caught.value.path == str(path)
