"""How light a picture is: whether the lamp was on when it was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.frame import Image

DARK_LEVEL: Final = 5.0
"""Mean level below which a frame was taken with the lamp off, of 255.

Read noise alone has a mean of 2 to 4 in the simulated camera; an empty window that is lit has 6 to 15, a card above 40.
"""


def mean_level(image: Image) -> float:
    """Return the mean of all colours of all pixels, in [0, 255].

    >>> import numpy as np
    >>> mean_level(np.full((4, 6, 3), 40, np.uint8))
    40.0
    """
    import cv2  # late: whoever only compares levels needs none of it

    colours = cv2.mean(image)[:3]
    return sum(colours) / len(colours)


def is_dark(image: Image) -> bool:
    """Return whether the frame was taken with the lamp off.

    >>> import numpy as np
    >>> is_dark(np.full((4, 6, 3), 3, np.uint8)), is_dark(np.full((4, 6, 3), 40, np.uint8))
    (True, False)
    """
    return mean_level(image) < DARK_LEVEL
