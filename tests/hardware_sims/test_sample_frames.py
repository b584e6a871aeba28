"""The pictures that `pone sim --frames` writes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hardware_sims.errors import PathInUse
from hardware_sims.sample_frames import write_frames
from vision.cards import Pack
from vision.picture import read_picture
from vision.recogniser import Recogniser


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw five cards in place of a pack; `tests.joint` has the eye read every card of every pack."""

    class Few:
        cards = Pack.of(24).cards[::5]

    monkeypatch.setattr(Pack, "of", lambda size: Few)


@pytest.mark.usefixtures("_few")
def test_every_picture_is_named_for_what_the_eye_reads_in_it(tmp_path: Path) -> None:
    recogniser = Recogniser.shipped()
    assert write_frames(tmp_path / "new" / "shots", seed=3) == 7
    for file in (tmp_path / "new" / "shots").iterdir():
        sighting = recogniser.look(read_picture(file))
        named = {"back": "face_not_seen", "empty": "empty"}.get(file.stem)
        assert (sighting.state.value if named else str(sighting.card)) == (named or file.stem)


@pytest.mark.usefixtures("_few")
def test_one_seed_gives_the_same_pictures(tmp_path: Path) -> None:
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        write_frames(tmp_path / folder, seed=seed)
    first, again, other = ((tmp_path / folder / "back.png").read_bytes() for folder in "abc")
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", ["full", "file", "/proc/pone"])
def test_nothing_is_written_over_and_a_place_that_takes_nothing_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.png").touch()
    (tmp_path / "file").touch()
    with pytest.raises(PathInUse, match="choose another path"):
        write_frames(tmp_path / name, seed=1)
    assert [file.name for file in (tmp_path / "full").iterdir()] == ["mine.png"]


@pytest.mark.usefixtures("_few")
def test_a_disk_that_is_full_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def full(file: Path, data: bytes) -> int:
        if file.stem == "back":
            write(file, data[:1000])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(PathInUse, match="the disk is full"):
            write_frames(tmp_path / "shots", seed=3)
    assert not list((tmp_path / "shots").iterdir())
    assert write_frames(tmp_path / "shots", seed=3) == 7
