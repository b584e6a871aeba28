"""Read any picture file a user may hand over, or say in plain words why it cannot be read."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError

from vision.errors import UnreadableImage
from vision.files import plainly

if TYPE_CHECKING:
    from vision.frame import Image

SUFFIXES: Final = frozenset(
    {".apng", ".bmp", ".gif", ".jfif", ".jpeg", ".jpg", ".jp2", ".pbm", ".pgm", ".png", ".pnm", ".ppm", ".tga"}
    | {".tif", ".tiff", ".webp"}
)
"""Endings, in small letters, by which a folder's pictures are told from its other files."""

_PAPER: Final = (255, 255, 255)
"""What shows through the clear parts of a picture: cards are drawn on paper."""


def read_picture(path: Path | str) -> Image:
    """Return a file's picture as `(H, W, 3) uint8 BGR`, turned upright as its camera noted.

    Of an animation or a file of several pages the first picture is read; `pictures_in` tells how many there are.
    Deeper colour is brought to eight bits, clear parts become white.

    Raises:
        UnreadableImage: the file is missing, empty, damaged, no picture, or of a kind or size that is not read.
    """
    path = Path(path)
    with _open(path) as picture:
        if picture.width * picture.height == 0:
            raise UnreadableImage(str(path), "the picture has no pixels")
        try:
            picture.load()
            upright = ImageOps.exif_transpose(picture)
            pixels = np.asarray(_to_rgb(path, upright), dtype=np.uint8)
        except UnreadableImage:
            raise
        except MemoryError as error:
            raise UnreadableImage(str(path), "the picture is too large for the memory of this machine") from error
        except Exception as error:  # decoders of damaged files raise whatever they trip over
            raise UnreadableImage(str(path), f"the picture is damaged or cut short ({error})") from error
    return np.ascontiguousarray(pixels[..., ::-1])


def as_png(image: Image) -> bytes:
    r"""Return a picture, `(H, W, 3) uint8 BGR`, as the content of a PNG file.

    >>> as_png(np.zeros((2, 2, 3), np.uint8))[:4]
    b'\x89PNG'
    """
    content = io.BytesIO()
    Pillow.fromarray(np.ascontiguousarray(image[..., ::-1])).save(content, "PNG", compress_level=1)
    return content.getvalue()


def pictures_in(path: Path | str) -> int:
    """Return how many pictures the file holds: more than one in an animation.

    Raises:
        UnreadableImage: as for `read_picture`.
    """
    with _open(Path(path)) as picture:
        return int(getattr(picture, "n_frames", 1))


def _open(path: Path) -> Pillow.Image:
    """Return the file opened, its header read and its size known to be bearable."""
    file = str(path)
    try:
        if path.is_dir():
            raise UnreadableImage(file, "this is a folder, not a picture")
        if not path.exists():
            raise UnreadableImage(file, "there is no such file")
        if not path.is_file():
            raise UnreadableImage(file, "this is a device or a pipe, not a picture")
        if path.stat().st_size == 0:
            raise UnreadableImage(file, "the file is empty")
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            warnings.filterwarnings("ignore", category=UserWarning)
            return Pillow.open(path)
    except (Pillow.DecompressionBombWarning, Pillow.DecompressionBombError) as error:
        limit = (Pillow.MAX_IMAGE_PIXELS or 0) // 1_000_000
        raise UnreadableImage(file, f"the picture has more than {limit} million pixels; scale it down first") from error
    except UnidentifiedImageError as error:
        raise UnreadableImage(file, "this is no picture of a kind that is known here") from error
    except OSError as error:
        raise UnreadableImage(file, f"the file cannot be read: {plainly(error)}") from error
    except (SyntaxError, ValueError, EOFError) as error:
        raise UnreadableImage(file, f"the picture's header is damaged ({error})") from error


def _to_rgb(path: Path, picture: Pillow.Image) -> Pillow.Image:
    """Return the picture in eight bits of red, green and blue."""
    match picture.mode:
        case "RGB":
            return picture
        case "F":
            raise UnreadableImage(str(path), "pixels are fractions without a known white; save it with 8 or 16 bits")
        case mode if mode.startswith("I"):
            return _from_deep_grey(path, picture)
        case _ if picture.has_transparency_data:
            clear = picture.convert("RGBA")
            paper = Pillow.new("RGBA", clear.size, (*_PAPER, 255))
            return Pillow.alpha_composite(paper, clear).convert("RGB")
        case _:
            return picture.convert("RGB")


_DEEP_WHITE: Final = 65_535


def _from_deep_grey(path: Path, picture: Pillow.Image) -> Pillow.Image:
    """Return a grey picture of 16 bits in eight."""
    levels = np.asarray(picture).astype(np.int64)
    if int(levels.min()) < 0 or int(levels.max()) > _DEEP_WHITE:
        raise UnreadableImage(str(path), "pixels of 32 bits without a known white; save it with 8 or 16 bits")
    return Pillow.fromarray((levels >> 8).astype(np.uint8)).convert("RGB")
