"""`pone see`: one answer a file, errors beside them, and the exit status."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import cv2
import pytest
from PIL import Image as Pillow

from hardware_sims.render import render_window
from hardware_sims.scene import CardInView, WindowScene
from vision.cards import Card
from vision.see import add_arguments, run

if TYPE_CHECKING:
    from pathlib import Path


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pone see")
    add_arguments(parser)
    return parser.parse_args(words)


def write_frame(file: Path, *codes: str) -> None:
    cards = tuple(
        CardInView(card=Card.parse(code), face_to_camera=True, x_mm=0, y_mm=0, angle_deg=0, turned=False)
        for code in codes
    )
    scene = WindowScene(cards=cards, lamp=True, speed_mm_s=0, pack="plain", back="lattice", seed=1)
    cv2.imwrite(str(file), render_window(scene))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_frame(tmp_path / "b_queen.png", "QH")
    (tmp_path / "deeper").mkdir()
    write_frame(tmp_path / "deeper" / "c_none.PNG")
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_json_gives_one_object_a_file_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse("--json", str(folder))) == 0
    out, err = capsys.readouterr()
    card, empty = (json.loads(line) for line in out.splitlines())
    assert list(card) == ["file", "state", "card", "confidence", "accepted", "stage", "reason", "ms"]
    assert card["file"] == str(folder / "b_queen.png")
    assert (card["state"], card["card"], card["accepted"], card["reason"]) == ("card", "QH", True, "")
    assert card["stage"] is None
    assert empty["stage"] == "gate"
    assert 0.8 <= card["confidence"] <= 1
    assert card["ms"] > 0
    assert (empty["state"], empty["card"], empty["accepted"]) == ("empty", None, False)
    assert empty["reason"]
    assert err == ""


def test_without_json_a_table_can_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse(str(folder))) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "QH  queen of hearts" in lines[0]
    assert "empty" in lines[1]
    assert lines[-1] == "1 card, 1 empty"


def test_broken_files_are_named_and_the_others_still_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a_empty.jpg").touch()
    (folder / "d_text.png").write_text("no picture at all")
    assert run(parse("--json", str(folder))) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["state"] for line in out.splitlines()] == ["card", "empty"]
    first, second = err.splitlines()
    assert first.startswith("pone see: ")
    assert first.endswith("a_empty.jpg: the file is empty")
    assert "d_text.png: this is no picture" in second


def test_a_file_given_by_name_is_read_whatever_its_ending(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = folder / "frame.dat"
    odd.write_bytes((folder / "b_queen.png").read_bytes())
    assert run(parse("--json", str(odd))) == 0
    assert json.loads(capsys.readouterr().out)["card"] == "QH"


def test_missing_files_and_folders_without_pictures_give_status_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(parse(str(tmp_path))) == 1
    assert run(parse("--json", str(tmp_path / "missing.png"))) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "holds no picture" in err
    assert "nothing to read" in err
    assert "there is no such file" in err


def test_a_name_keeps_to_its_line_and_colours_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_frame(tmp_path / "one.png", "QH")
    (tmp_path / "one.png").rename(tmp_path / "one\ntwo\x1b[31m.png")
    (tmp_path / "bro\nken.png").write_bytes(b"no picture")
    assert run(parse(str(tmp_path))) == 1
    out, err = capsys.readouterr()
    assert r"one\ntwo\x1b[31m.png" in out
    assert r"bro\nken.png" in err
    assert "\x1b" not in out + err
    assert [len(text.splitlines()) for text in (out, err)] == [2, 1]


def test_an_animation_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [Pillow.new("L", (80, 80), level) for level in (0, 99, 200)]
    pages[0].save(tmp_path / "a.gif", save_all=True, append_images=pages[1:])
    assert run(parse("--json", str(tmp_path / "a.gif"))) == 0
    assert "holds 3 pictures; the first is read" in capsys.readouterr().err


def test_no_path_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parse()
    assert caught.value.code == 2
    assert "PATH" in capsys.readouterr().err


def test_an_empty_path_is_wrong_use_and_not_the_folder_one_stands_in(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse("")
    assert "empty: name a file or a folder" in capsys.readouterr().err


def test_a_name_that_no_file_can_have_is_told_as_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse("a" * 300)) == 1
    assert "aaa: the file cannot be read: the name is too long" in capsys.readouterr().err


def test_asking_for_help_loads_no_image_library() -> None:
    program = (
        "import argparse, sys; from vision.see import add_arguments; add_arguments(argparse.ArgumentParser());"
        "print(sorted({'cv2', 'numpy', 'onnxruntime', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_explain_draws_a_picture_a_file(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "new" / "drawn"
    assert run(parse("--json", "--explain", str(drawn), str(folder / "b_queen.png"), str(folder / "deeper"))) == 0
    assert sorted(file.name for file in drawn.iterdir()) == ["0001_b_queen.png", "0002_c_none.png"]
    for file in drawn.iterdir():
        picture = cv2.imread(str(file))
        assert picture is not None
        assert picture.shape[0] > 480
        assert picture.shape[1] == 640


@pytest.mark.parametrize("letter", ["q", "é"])
def test_explain_cuts_a_name_that_its_own_would_outgrow(
    letter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_frame(tmp_path / "one.png", "QH")
    stem = letter * (251 // len(letter.encode()))
    (tmp_path / "one.png").rename(tmp_path / f"{stem}.png")
    write_frame(tmp_path / "two.png", "3C")
    drawn = tmp_path / "drawn"
    assert run(parse("--explain", str(drawn), str(tmp_path))) == 0
    names = sorted(file.name[5:] for file in drawn.iterdir())
    assert names == sorted([f"{letter * (200 // len(letter.encode()))}.png", "two.png"])
    assert capsys.readouterr().err == ""


def test_a_folder_that_cannot_be_written_to_ends_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = folder / "notes.txt"
    assert run(parse("--explain", str(taken), str(folder / "b_queen.png"))) == 1
    assert "cannot be written to: it is a file, not a folder" in capsys.readouterr().err


@pytest.mark.parametrize("view", ["card", "corner", "window"])
def test_every_view_gives_one_answer_a_file(view: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parse("--json", "--view", view, str(folder))) == 0
    card, _ = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert card["card"] in ("QH", None)


def test_an_unknown_view_is_wrong_use() -> None:
    with pytest.raises(SystemExit, match="2"):
        parse("--view", "side", "card.png")
