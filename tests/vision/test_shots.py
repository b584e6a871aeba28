"""Where pictures come from: files, folders, videos at a rate, and cameras, each with what of it cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from tests.vision.test_see import parse
from vision.cards import Card
from vision.errors import CameraError, CameraLost
from vision.frame import Frame
from vision.see import run
from vision.shots import Broken, Kind, Shot, Source, shots_of, sources_of

if TYPE_CHECKING:
    from pathlib import Path

    from vision.frame import Image

RATE_HZ = 10


def scene(code: str) -> Image:
    card = CardInView(card=Card.parse(code), face_to_camera=True, x_mm=0, y_mm=0, angle_deg=0, turned=False)
    return render_window(WindowScene(cards=(card,), lamp=True, speed_mm_s=0, pack="plain", back="lattice", seed=1))


def write_video(file: Path, images: list[Image]) -> None:
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), RATE_HZ, (640, 480))
    assert writer.isOpened()
    for image in images:
        writer.write(image)
    writer.release()


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds: the queen of hearts, then the five of clubs."""
    file = tmp_path_factory.mktemp("clips") / "clip.avi"
    write_video(file, [scene("QH")] * 10 + [scene("5C")] * 10)
    return file


def video(file: Path) -> Source:
    return Source(kind=Kind.VIDEO, name=str(file))


def taken(source: Source, *, rate_hz: float = 0, frames: int | None = None) -> list[Shot]:
    shots = list(shots_of(source, rate_hz=rate_hz, frames=frames))
    assert not [shot for shot in shots if isinstance(shot, Broken)]
    return [shot for shot in shots if isinstance(shot, Shot)]


# --- what is meant ---


def test_what_a_text_names(tmp_path: Path) -> None:
    (tmp_path / "b.png").touch()
    (tmp_path / "a.JPG").touch()
    (tmp_path / "clip.mp4").touch()
    texts = [str(tmp_path), str(tmp_path / "clip.mp4"), "v4l2:0", f"frames:{tmp_path}", "nowhere.png"]
    sources, broken = sources_of(texts)
    assert broken == []
    assert [(source.kind, source.name) for source in sources] == [
        (Kind.PICTURE, str(tmp_path / "a.JPG")),
        (Kind.PICTURE, str(tmp_path / "b.png")),
        (Kind.VIDEO, str(tmp_path / "clip.mp4")),
        (Kind.CAMERA, "v4l2:0"),
        (Kind.CAMERA, f"frames:{tmp_path}"),
        (Kind.PICTURE, "nowhere.png"),
    ]
    assert [source.endless for source in sources] == [False, False, False, True, False, False]


def test_a_file_with_a_colon_in_its_name_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v4l2:0").touch()
    sources, _ = sources_of(["v4l2:0", "note:of.png"])
    assert [source.kind for source in sources] == [Kind.PICTURE, Kind.PICTURE]


def test_the_name_of_a_drawing_of_a_camera_is_one_a_file_can_have() -> None:
    assert Source(kind=Kind.CAMERA, name="frames:/a/b c").stem == "frames_a_b_c"


# --- videos ---


def test_every_frame_of_a_video_is_taken_where_that_is_asked(clip: Path) -> None:
    shots = taken(video(clip))
    assert [shot.frame for shot in shots] == list(range(1, 21))
    assert [shot.t_us for shot in shots] == [n * 100_000 for n in range(20)]


@pytest.mark.parametrize(
    ("rate_hz", "frames"), [(5, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]), (2, [1, 6, 11, 16]), (1000, list(range(1, 21)))]
)
def test_a_video_is_read_at_a_rate(rate_hz: float, frames: list[int], clip: Path) -> None:
    assert [shot.frame for shot in taken(video(clip), rate_hz=rate_hz)] == frames


def test_a_rate_that_does_not_divide_the_videos_is_kept_over_all(clip: Path) -> None:
    """Three in a second of ten frames a second: the first frame at or after each third of a second."""
    assert [shot.frame for shot in taken(video(clip), rate_hz=3)] == [1, 5, 8, 11, 15, 18]


def test_frames_are_taken_up_to_a_number(clip: Path) -> None:
    assert [shot.frame for shot in taken(video(clip), frames=3)] == [1, 2, 3]


def test_a_video_that_is_cut_short_is_said_to_be(tmp_path: Path, clip: Path) -> None:
    short = tmp_path / "short.avi"
    content = clip.read_bytes()
    short.write_bytes(content[: len(content) // 2])
    *shots, last = shots_of(video(short), rate_hz=0, frames=None)
    assert all(isinstance(shot, Shot) for shot in shots)
    assert isinstance(last, Broken)
    assert last.says.startswith(f"{short}: ")


@pytest.mark.parametrize(
    ("content", "says"), [(None, "there is no file"), (b"", "no video"), (b"no video at all", "no video")]
)
def test_what_is_no_video_is_said(content: bytes | None, says: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.avi"
    if content is not None:
        file.write_bytes(content)
    (broken,) = shots_of(video(file), rate_hz=5, frames=None)
    assert isinstance(broken, Broken)
    assert broken.says.startswith(f"{file}: ")
    assert says in broken.says


# --- cameras ---


@dataclass
class FakeCamera:
    """Gives a frame each 100 ms of its own time; then does what `end` says."""

    images: Iterator[Image]
    end: BaseException | None = None
    number: int = 0
    closed: bool = False

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        self.number += 1
        image = next(self.images, None)
        if image is None and self.end is not None:
            raise self.end
        return None if image is None else Frame(image=image, captured_us=after_us, number=self.number)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that plugs in a camera which sees these cards, then ends so."""

    def plug(*codes: str, end: BaseException | None = None) -> FakeCamera:
        camera = FakeCamera(iter([scene(code) for code in codes]), end=end)
        monkeypatch.setattr("vision.shots.open_camera", lambda url, clock: camera)
        return camera

    return plug


def seen(capsys: pytest.CaptureFixture[str]) -> tuple[list[dict[str, Any]], str]:
    out, err = capsys.readouterr()
    return [json.loads(line) for line in out.splitlines()], err


def test_a_camera_is_read_until_ctrl_c_and_that_is_its_good_end(
    plugged: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = plugged("QH", "5C", end=KeyboardInterrupt())
    assert run(parse("v4l2:0", "--rate", "0")) == 0
    out = capsys.readouterr().out.splitlines()
    assert ["QH  queen of hearts" in out[0], "5C  " in out[1], out[-1]] == [True, True, "2 cards"]
    assert camera.closed


def test_a_camera_is_read_for_a_number_of_frames(plugged: Any, capsys: pytest.CaptureFixture[str]) -> None:
    plugged("QH", "5C", "9D")
    assert run(parse("v4l2:0", "--frames", "2", "--rate", "0", "--json")) == 0
    lines, err = seen(capsys)
    assert [(line["file"], line["frame"], line["card"]) for line in lines] == [("v4l2:0", 1, "QH"), ("v4l2:0", 2, "5C")]
    assert list(lines[0]) == [
        "file", "frame", "t_us", "state", "card", "confidence", "accepted", "stage", "reason", "ms"
    ]  # fmt: skip
    assert err == ""


@pytest.mark.parametrize(
    ("end", "says"),
    [
        (None, "the camera gave no picture for 2 s"),
        (CameraLost("v4l2:0", "'v4l2:0': the camera gives no frames any more; check its cable"), "no frames any more"),
    ],
)
def test_a_camera_that_goes_is_said_with_what_came_before(
    end: CameraError | None, says: str, plugged: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    plugged("QH", end=end)
    assert run(parse("v4l2:0", "--rate", "0", "--json")) == 1
    lines, err = seen(capsys)
    assert [line["card"] for line in lines] == ["QH"]
    assert err.startswith("pone see: v4l2:0: ")
    assert says in err


def test_a_camera_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse("v4l2:97")) == 1
    assert "there is no /dev/video97" in capsys.readouterr().err


def test_the_number_of_a_camera_must_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse("v4l2:x")) == 1
    assert "write the number of the camera" in capsys.readouterr().err


def test_ctrl_c_among_files_is_no_good_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> Iterator[Shot]:
        raise KeyboardInterrupt

    monkeypatch.setattr("vision.shots.shots_of", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(parse(str(tmp_path / "a.png")))


# --- the command ---


def test_a_video_is_told_frame_by_frame_and_drawn(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "drawn"
    assert run(parse(str(clip), "--rate", "1", "--json", "--explain", str(drawn))) == 0
    lines, _ = seen(capsys)
    assert [(line["frame"], line["t_us"], line["card"]) for line in lines] == [(1, 0, "QH"), (11, 1_000_000, "5C")]
    assert sorted(file.name for file in drawn.iterdir()) == ["0001_clip.png", "0002_clip.png"]


def test_the_table_says_when_a_frame_was_taken(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse(str(clip), "--rate", "1")) == 0
    rows = capsys.readouterr().out.splitlines()
    assert "0.00 s  QH  queen of hearts" in rows[0]
    assert "1.00 s  5C" in rows[1]
    assert rows[-1] == "2 cards"


@pytest.mark.parametrize("words", [("--rate", "-1"), ("--rate", "x"), ("--rate", "nan"), ("--frames", "0")])
def test_a_rate_or_number_that_is_none_is_wrong_use(words: tuple[str, str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse("clip.avi", *words)


def test_pixels_of_a_video_come_as_the_eye_wants_them(clip: Path) -> None:
    (shot,) = taken(video(clip), frames=1)
    assert shot.image.shape == (480, 640, 3)
    assert shot.image.dtype == np.uint8
