"""Other cards in the picture, and what lies beside a card without being one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.company import has_company

if TYPE_CHECKING:
    from vision.frame import Image

CARD = np.array([[80, 60], [230, 60], [230, 270], [80, 270]], np.float32)


def table(*, beside: tuple[int, int, int, int] | None = None, level: int = 225) -> Image:
    """A card on a dark table, and beside it a light shape: left, top, width, height."""
    image = np.full((480, 640, 3), 25, np.uint8)
    cv2.fillConvexPoly(image, CARD.astype(np.int32), (230, 230, 230))
    cv2.putText(image, "7", (92, 100), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 2)
    if beside is not None:
        left, top, width, height = beside
        image[top : top + height, left : left + width] = level
    return image


def test_a_card_alone_has_no_company() -> None:
    assert not has_company(table(), CARD)


@pytest.mark.parametrize("level", [225, 120, 70])
def test_another_card_is_company_in_the_shade_too(level: int) -> None:
    assert has_company(table(beside=(350, 100, 150, 210), level=level), CARD)


@pytest.mark.parametrize("beside", [(350, 100, 250, 60), (350, 100, 200, 200), (350, 100, 40, 56)])
def test_a_light_thing_of_another_form_or_size_is_none(beside: tuple[int, int, int, int]) -> None:
    assert not has_company(table(beside=beside), CARD)


def test_a_light_picture_around_the_card_is_none() -> None:
    image = table()
    image[:40] = 235
    image[:, :40] = 235
    assert not has_company(image, CARD)
