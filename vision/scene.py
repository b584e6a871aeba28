"""How light a picture is: whether the lamp was on when it was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.frame import Image

DARK_LEVEL: Final = 5.0
"""Mean level below which a frame was taken with the lamp off, of 255.

Read noise alone has a mean of 2 to 4 in the simulated camera; an empty window that is lit has 6 to 15, a card above 40.
"""


_PARTS: Final = 8
"""Into how many parts each side of a picture is divided where a light spot is looked for."""


def mean_level(image: Image) -> float:
    """Return the mean of all colours of all pixels, in [0, 255].

    >>> import numpy as np
    >>> mean_level(np.full((4, 6, 3), 40, np.uint8))
    40.0
    """
    import cv2  # late: whoever only compares levels needs none of it

    colours = cv2.mean(image)[:3]
    return sum(colours) / len(colours)


def brightest_part(image: Image) -> float:
    """Return the mean of the lightest of 8 × 8 parts of the picture, in [0, 255].

    >>> import numpy as np
    >>> spot = np.zeros((480, 640, 3), np.uint8)
    >>> spot[:60, :80] = 90
    >>> brightest_part(spot), mean_level(spot)
    (90.0, 1.40625)
    """
    height, width = (side // _PARTS * _PARTS for side in image.shape[:2])
    parts = image[:height, :width].reshape(_PARTS, height // _PARTS, _PARTS, width // _PARTS, 3)
    return float(parts.mean(axis=(1, 3, 4)).max())


def is_dark(image: Image) -> bool:
    """Return whether the frame was taken with the lamp off.

    >>> import numpy as np
    >>> is_dark(np.full((4, 6, 3), 3, np.uint8)), is_dark(np.full((4, 6, 3), 40, np.uint8))
    (True, False)
    """
    return mean_level(image) < DARK_LEVEL
