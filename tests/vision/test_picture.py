"""Files a user may hand over: odd ones are read, broken ones refused with the reason."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image as Pillow

from vision.errors import UnreadableImage
from vision.picture import pictures_in, read_picture

if TYPE_CHECKING:
    from pathlib import Path

RED, GREEN = (200, 20, 30), (10, 180, 40)


def two_colours(mode: str = "RGB", size: tuple[int, int] = (60, 40)) -> Pillow.Image:
    """Red above, green below."""
    picture = Pillow.new("RGB", size, RED)
    picture.paste(GREEN, (0, size[1] // 2, size[0], size[1]))
    return picture.convert(mode)


def is_near(pixel: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], rgb: tuple[int, int, int], far: int = 12) -> bool:
    return bool(np.abs(pixel[::-1].astype(int) - rgb).max() <= far)


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.bmp", "a.webp", "a.tif", "a.ppm", "a.gif"])
def test_every_common_kind_is_read_as_bgr(tmp_path: Path, name: str) -> None:
    two_colours().save(tmp_path / name)
    image = read_picture(tmp_path / name)
    assert image.shape == (40, 60, 3)
    assert image.dtype == np.uint8
    assert is_near(image[5, 30], RED, far=25)
    assert is_near(image[35, 30], GREEN, far=25)
    assert image.flags.c_contiguous


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "RGBA"])
def test_grey_palette_and_clear_pictures_have_three_colours(tmp_path: Path, mode: str) -> None:
    two_colours(mode).save(tmp_path / "a.png")
    assert read_picture(tmp_path / "a.png").shape == (40, 60, 3)


def test_clear_parts_are_white(tmp_path: Path) -> None:
    Pillow.new("RGBA", (8, 8), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert read_picture(tmp_path / "a.png").min() == 255


@pytest.mark.parametrize("name", ["a.jpg", "a.tif"])
def test_a_print_shop_picture_keeps_its_colours(tmp_path: Path, name: str) -> None:
    two_colours("CMYK").save(tmp_path / name)
    assert is_near(read_picture(tmp_path / name)[5, 30], RED, far=25)


def test_sixteen_bits_are_brought_to_eight(tmp_path: Path) -> None:
    levels = np.linspace(0, 65_535, 256).astype(np.uint16).reshape(16, 16)
    Pillow.fromarray(levels).save(tmp_path / "a.png")
    image = read_picture(tmp_path / "a.png")
    assert image.shape == (16, 16, 3)
    assert (int(image[0, 0, 0]), int(image[15, 15, 0])) == (0, 255)
    assert abs(int(image[8, 0, 0]) - 128) <= 1


def test_fractions_without_a_white_are_refused(tmp_path: Path) -> None:
    Pillow.fromarray(np.full((8, 8), 0.5, np.float32)).save(tmp_path / "a.tif")
    with pytest.raises(UnreadableImage, match="without a known white"):
        read_picture(tmp_path / "a.tif")


def test_numbers_of_32_bits_without_a_white_are_refused(tmp_path: Path) -> None:
    Pillow.fromarray(np.full((8, 8), 100_000, np.int32)).save(tmp_path / "a.tif")
    with pytest.raises(UnreadableImage, match="32 bits"):
        read_picture(tmp_path / "a.tif")


def test_a_picture_the_camera_held_sideways_is_turned_upright(tmp_path: Path) -> None:
    sideways = two_colours().rotate(90, expand=True)
    exif = Pillow.Exif()
    exif[0x0112] = 6
    sideways.save(tmp_path / "a.jpg", exif=exif)
    image = read_picture(tmp_path / "a.jpg")
    assert image.shape == (40, 60, 3)
    assert is_near(image[5, 30], RED, far=25)


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.png", "a.tif"])
def test_of_an_animation_the_first_picture_is_read(tmp_path: Path, name: str) -> None:
    later = Pillow.new("RGB", (60, 40), (0, 0, 255))
    two_colours().save(tmp_path / name, save_all=True, append_images=[later, later.rotate(1, fillcolor=(9, 9, 9))])
    assert is_near(read_picture(tmp_path / name)[5, 30], RED, far=25)
    assert pictures_in(tmp_path / name) > 1


def test_a_plain_file_holds_one_picture(tmp_path: Path) -> None:
    two_colours().save(tmp_path / "a.jpg")
    assert pictures_in(tmp_path / "a.jpg") == 1


@pytest.mark.parametrize("size", [(1, 1), (8000, 6000)])
def test_very_small_and_very_large_pictures_are_read(tmp_path: Path, size: tuple[int, int]) -> None:
    Pillow.new("L", size, 77).save(tmp_path / "a.png", compress_level=1)
    image = read_picture(tmp_path / "a.png")
    assert image.shape == (size[1], size[0], 3)
    assert int(image[0, 0, 0]) == 77


def test_a_picture_beyond_all_measure_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    Pillow.new("1", (20_000, 12_000)).save(tmp_path / "a.png")
    with pytest.raises(UnreadableImage, match="million pixels"):
        read_picture(tmp_path / "a.png")


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tif", "a.gif", "a.webp", "a.bmp"])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_file_cut_short_is_refused(tmp_path: Path, name: str, part: float) -> None:
    rng = np.random.default_rng(1)
    whole = tmp_path / ("whole_" + name)
    Pillow.fromarray(rng.integers(0, 255, (64, 64, 3)).astype(np.uint8)).save(whole)
    content = whole.read_bytes()
    (tmp_path / name).write_bytes(content[: int(len(content) * part)])
    with pytest.raises(UnreadableImage) as caught:
        read_picture(tmp_path / name)
    assert caught.value.file.endswith(name)
    assert caught.value.reason


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_file_gives_a_picture_or_the_one_error(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    name = ("a.png", "a.jpg", "a.tif", "a.gif", "a.webp")[seed % 5]
    two_colours().save(tmp_path / name)
    content = bytearray((tmp_path / name).read_bytes())
    for place in rng.integers(0, len(content), 12):
        content[int(place)] = int(rng.integers(256))
    (tmp_path / name).write_bytes(bytes(content))
    try:
        shape = read_picture(tmp_path / name).shape
    except UnreadableImage:
        return
    assert len(shape) == 3


def test_an_empty_file_a_text_a_folder_and_nothing_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("this is no picture\n" * 20)
    for name, reason in (
        ("empty.jpg", "the file is empty"),
        ("text.jpg", "no picture of a kind"),
        ("missing.jpg", "no such file"),
        (".", "a folder"),
    ):
        with pytest.raises(UnreadableImage, match=reason):
            read_picture(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(UnreadableImage, match="a device or a pipe"):
        read_picture(tmp_path / "pipe.png")
