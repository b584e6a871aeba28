"""Every reason for which a picture is not accepted: which stage of the recogniser says so, and in which words.

The words are fixed and name no card, because people hear them while the deal is open.
"""

from __future__ import annotations

from enum import Enum, StrEnum

from vision.sighting import State


class Stage(StrEnum):
    """A part of the recogniser with one purpose, in the order in which they are asked."""

    GATE = "gate"
    """Is there one whole card, and where?"""
    GEOMETRY = "geometry"
    """Where exactly are its sides, and are they sharp and straight?"""
    INDEX = "index"
    """What do the index corners say?"""
    SECOND_OPINION = "second opinion"
    """Does the rest of the card speak against that?"""
    DECISION = "decision"
    """Is all that sure enough?"""


class Doubt(Enum):
    """One reason.

    >>> Doubt.BLURRED.stage.value, Doubt.BLURRED.state.value
    ('geometry', 'not_sure')
    """

    TOO_SMALL = (Stage.GATE, State.NOT_SURE, "the picture has too few pixels to show an index")
    EMPTY = (Stage.GATE, State.EMPTY, "nothing stands out in the window")
    NO_OUTLINE = (Stage.GATE, State.NOT_SURE, "no outline of a card stands out from its surroundings")
    CUT = (Stage.GATE, State.PARTIAL, "the card is cut by the edge of the picture")
    NO_SIDES = (Stage.GATE, State.NOT_SURE, "the light shape in the picture has no four straight sides")
    SECOND_SHAPE = (Stage.GATE, State.TWO_CARDS, "beside the largest light shape there is another of a card's size")
    NOTCHED = (Stage.GATE, State.TWO_CARDS, "the outline has notches, as that of two cards has")
    TOO_WIDE = (Stage.GATE, State.TWO_CARDS, "the outline is too wide for one card")
    TOO_LONG = (Stage.GATE, State.NOT_SURE, "the outline is too long for one card")
    UNEVEN = (Stage.GATE, State.NOT_SURE, "opposite sides of the outline differ in length")
    COMPANY = (Stage.GATE, State.TWO_CARDS, "another card lies beside this one")
    FAINT_EDGES = (Stage.GEOMETRY, State.NOT_SURE, "the edges of the card do not stand out from the ground")
    BLURRED = (Stage.GEOMETRY, State.NOT_SURE, "the picture is blurred: the card's edge is too wide")
    BENT = (Stage.GEOMETRY, State.NOT_SURE, "the card's edges are not straight")
    OTHER_SIZE = (Stage.GEOMETRY, State.TWO_CARDS, "the outline has another size than the cards before")
    INNER_EDGE = (Stage.GEOMETRY, State.TWO_CARDS, "the edge of a second card runs through the outline")
    INDICES_APART = (Stage.GEOMETRY, State.TWO_CARDS, "the two indices stand at different distances from their edges")
    BACK = (Stage.INDEX, State.FACE_NOT_SEEN, "the back of a card is towards the camera")
    NO_INDEX = (Stage.INDEX, State.NOT_SURE, "no readable index in either corner")
    NO_CORNER = (Stage.INDEX, State.PARTIAL, "no readable index in view")
    ONE_CORNER = (Stage.INDEX, State.NOT_SURE, "an index in one corner only")
    DISAGREE = (Stage.INDEX, State.NOT_SURE, "the two index corners disagree")
    TWO_INDICES = (Stage.INDEX, State.TWO_CARDS, "indices of different cards are in view")
    PIPS = (Stage.SECOND_OPINION, State.NOT_SURE, "the pips on the card speak against its index corners")
    UNSURE = (Stage.DECISION, State.NOT_SURE, "both corners agree, but not surely enough")
    CORNER_UNSURE = (Stage.DECISION, State.NOT_SURE, "the index in view is not read surely enough")

    def __init__(self, stage: Stage, state: State, reason: str) -> None:
        self.stage = stage
        self.state = state
        self.reason = reason
