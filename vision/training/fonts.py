"""The fonts of this machine that packs are printed in, and which of them are held out from training."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final
from zlib import crc32

from vision.training import pips

_FONT_FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_NO_LETTERS: Final = ("symbol", "dingbat", "math", "d050", "z003", "lobster", "emoji", "chancery", "noto")


@lru_cache(maxsize=1)
def usable_fonts() -> tuple[Path, ...]:
    """Return the font files of this machine that hold every English rank, in the order of their names."""
    files = sorted(file for folder in _FONT_FOLDERS if folder.is_dir() for file in folder.rglob("*.[to]tf"))
    files = [file for file in files if not any(word in file.name.lower() for word in _NO_LETTERS)]
    return tuple(file for file in files if _holds_ranks(file))


def _is_held_out(font: Path) -> bool:
    """Return whether a font's family is held out: one in eight, chosen by its name."""
    return crc32(font.stem.split("-")[0].lower().encode()) % 8 == 0


@lru_cache(maxsize=1)
def fonts_trained_on() -> tuple[Path, ...]:
    """Return the fonts that packs for training are printed in."""
    return tuple(font for font in usable_fonts() if not _is_held_out(font))


@lru_cache(maxsize=1)
def fonts_held_out() -> tuple[Path, ...]:
    """Return the fonts of the packs that decide the temperature."""
    return tuple(font for font in usable_fonts() if _is_held_out(font))


def _holds_ranks(font: Path) -> bool:
    masks = [pips.font_glyph(font, text) for text in (*"A23456789JQK", "10")]
    shapes = {mask.tobytes() for mask in masks if mask is not None}
    return len(shapes) == len(masks)
