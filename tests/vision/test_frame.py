"""What is a picture: every look refuses any other array by the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.corner_view import CornerRecogniser
from vision.doubts import Doubt
from vision.recogniser import Examination, Recogniser, shipped_reader
from vision.table import find_exposed, shipped_table_reader
from vision.table_layout import TableLayout
from vision.window_view import WindowRecogniser

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray


def looks() -> dict[str, Callable[[NDArray[Any]], object]]:
    reader, table = shipped_reader(), shipped_table_reader()
    return {
        "card": Recogniser(reader).examine,
        "window": WindowRecogniser(reader).examine,
        "corner": CornerRecogniser(reader).examine,
        "table": lambda image: find_exposed(image, TableLayout(), table),
    }


@pytest.mark.parametrize("view", ["card", "window", "corner", "table"])
@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((960, 1280), np.uint8), ((960, 1280, 4), np.uint8), ((960, 1280, 3), np.uint16), ((960, 1280, 3), np.float32)],
)
def test_an_array_that_is_no_picture_is_refused(view: str, shape: tuple[int, ...], dtype: type) -> None:
    with pytest.raises(ValueError, match=r"a picture is \(H, W, 3\) uint8 BGR, not \(960, 1280"):
        looks()[view](np.zeros(shape, dtype))


@pytest.mark.parametrize("view", ["card", "window", "corner"])
def test_a_picture_without_rows_is_too_small(view: str) -> None:
    look = looks()[view](np.zeros((0, 4000, 3), np.uint8))
    assert isinstance(look, Examination)
    assert look.verdict.doubt is Doubt.TOO_SMALL
