"""Every doubt of the recogniser: which of its stages has it, what the picture then shows, and what people may hear."""

from __future__ import annotations

from enum import Enum, StrEnum

from vision.sighting import Reason, State


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
    """Why one picture is not accepted.

    >>> Doubt.BLURRED.stage.value, Doubt.BLURRED.state.value, Doubt.BLURRED.reason.value
    ('geometry', 'not_sure', 'the picture is blurred')
    """

    TOO_SMALL = (Stage.GATE, State.NOT_SURE, Reason.TOO_FEW_PIXELS)
    EMPTY = (Stage.GATE, State.EMPTY, Reason.NOTHING_THERE)
    NO_PICTURE = (Stage.GATE, State.NOT_SURE, Reason.NO_FRAME)
    """Of a card of which no picture came."""
    NO_OUTLINE = (Stage.GATE, State.NOT_SURE, Reason.NO_OUTLINE)
    CUT = (Stage.GATE, State.PARTIAL, Reason.CUT_BY_EDGE)
    NO_SIDES = (Stage.GATE, State.NOT_SURE, Reason.NO_RECTANGLE)
    SECOND_SHAPE = (Stage.GATE, State.TWO_CARDS, Reason.ANOTHER_SHAPE)
    NOTCHED = (Stage.GATE, State.TWO_CARDS, Reason.NOTCHES)
    TOO_WIDE = (Stage.GATE, State.TWO_CARDS, Reason.TOO_WIDE)
    TOO_LONG = (Stage.GATE, State.NOT_SURE, Reason.TOO_LONG)
    UNEVEN = (Stage.GATE, State.NOT_SURE, Reason.UNEVEN)
    COMPANY = (Stage.GATE, State.TWO_CARDS, Reason.MORE_CARDS)
    FAINT_EDGES = (Stage.GEOMETRY, State.NOT_SURE, Reason.NO_EDGES)
    BLURRED = (Stage.GEOMETRY, State.NOT_SURE, Reason.BLURRED)
    BENT = (Stage.GEOMETRY, State.NOT_SURE, Reason.BENT_EDGES)
    OTHER_SIZE = (Stage.GEOMETRY, State.TWO_CARDS, Reason.OTHER_SIZE)
    INNER_EDGE = (Stage.GEOMETRY, State.TWO_CARDS, Reason.ANOTHER_EDGE)
    INDICES_APART = (Stage.GEOMETRY, State.TWO_CARDS, Reason.INDICES_APART)
    BACK = (Stage.INDEX, State.FACE_NOT_SEEN, Reason.BACK)
    NO_INDEX = (Stage.INDEX, State.NOT_SURE, Reason.NO_INDEX)
    NO_CORNER = (Stage.INDEX, State.PARTIAL, Reason.NO_INDEX_IN_VIEW)
    ONE_CORNER = (Stage.INDEX, State.NOT_SURE, Reason.ONE_INDEX)
    DISAGREE = (Stage.INDEX, State.NOT_SURE, Reason.INDICES_DIFFER)
    TWO_INDICES = (Stage.INDEX, State.TWO_CARDS, Reason.MORE_CARDS)
    PIPS = (Stage.SECOND_OPINION, State.NOT_SURE, Reason.MIDDLE_DIFFERS)
    FIGURES = (Stage.SECOND_OPINION, State.NOT_SURE, Reason.FIGURES_UNCLEAR)
    WHOLE_CARD = (Stage.SECOND_OPINION, State.NOT_SURE, Reason.OTHER_CARD_OF_DECK)
    SIGNS = (Stage.SECOND_OPINION, State.NOT_SURE, Reason.SIGNS_UNCLEAR)
    UNSURE = (Stage.DECISION, State.NOT_SURE, Reason.NOT_SURE_ENOUGH)
    CORNER_UNSURE = (Stage.DECISION, State.NOT_SURE, Reason.INDEX_NOT_SURE)

    def __init__(self, stage: Stage, state: State, reason: Reason) -> None:
        self.stage = stage
        self.state = state
        self.reason = reason
