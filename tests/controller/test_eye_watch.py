"""What the eye measures while it reads, and what of it goes on record."""

from __future__ import annotations

import numpy as np

from controller.eye_watch import EyeWatch
from controller.facts import parse_fact
from vision.decide import Verdict
from vision.evidence import Look
from vision.frame import Frame
from vision.locate import Quad
from vision.recogniser import Examination, OutlineLook
from vision.rectify import Edges
from vision.sighting import Reason

QC = Verdict(code="QC", confidence=0.99)


def frame(level: int) -> Frame:
    return Frame(image=np.full((48, 64, 3), level, np.uint8), captured_us=0, number=0)


def look(level: int, *, left: float, edge: float) -> Look:
    """A card 20 px wide and 32 px high, its left side at `left`."""
    corners = np.array([[left, 8], [left + 20, 8], [left + 20, 40], [left, 40]], np.float32)
    edges = Edges(corners=corners, found=True, width=edge, residual=0.001)
    outline = OutlineLook(quad=Quad(corners=corners), edges=edges, verdict=QC)
    image = frame(level).image
    return Look(frame=frame(level), examination=Examination(image=image, outlines=(outline,), verdict=QC))


def test_a_deal_is_told_by_the_medians_of_its_cards() -> None:
    watch = EyeWatch()
    for level in (2, 3, 90):
        watch.saw_dark(frame(level))
    for level, left, edge, lag_us in ((51, 22, 0.01, 8_000), (102, 22, 0.012, 9_000), (255, 40, 0.02, 30_000)):
        watch.read(look(level, left=left, edge=edge), lag_us=lag_us)
    for why in (Reason.LATE, Reason.REPEATED, Reason.REPEATED):
        watch.refused(why)
    line = watch.take()
    assert line == {
        "fact": "eye_measured",
        "cards": 3,
        "lamp_off_ppm": round(3 / 255 * 1e6),
        "lamp_on_ppm": 400_000,
        "edge_ppm": 12_000,
        "x_ppm": 500_000,
        "y_ppm": 500_000,
        "lag_us": 9_000,
        "late": 1,
        "repeated": 2,
    }
    parse_fact(line, line=1)


def test_every_deal_begins_anew() -> None:
    watch = EyeWatch()
    watch.read(look(51, left=22, edge=0.01), lag_us=8_000)
    assert watch.take() is not None
    assert watch.take() is None


def test_a_deal_without_a_card_read_from_a_frame_says_nothing() -> None:
    watch = EyeWatch()
    watch.saw_dark(frame(3))
    watch.read(Look(frame=frame(60), examination=Examination(image=frame(60).image, verdict=QC)), lag_us=1)
    assert watch.take() is None
