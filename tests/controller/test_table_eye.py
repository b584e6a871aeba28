"""The eye over the table: what it makes of pictures, when it is asked to look, and what the codes make of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from controller.acts import AskPeople, FeedCard, Line
from controller.narration import sentence
from controller.replay import replay
from controller.sealing import is_sealed
from controller.states import DealState
from controller.table import Seat
from controller.table_eye import EVERY_US, MISSED_MAX, FaceSeen, FrameTableEye, Lookout
from firmware_bridge.errors import LinkLost
from firmware_bridge.words import Asked, Capability
from hardware_sims.truth_eye import TruthEye
from tests.controller.conftest import BY_HAND
from vision.cards import Card
from vision.errors import CameraLost
from vision.frame import Frame
from vision.sighting import Sighting, State
from vision.table import ExposedFace, Height
from vision.table_layout import Region

if TYPE_CHECKING:
    from controller.dealing import Outcome
    from firmware_bridge.bridge import Bridge
    from tests.controller.conftest import ByHand, HandMaker, MachineMaker
    from vision.table import TableReader
    from vision.table_layout import TableLayout

QUEEN = Card.parse("QH")


def seen(**other: Any) -> FaceSeen:
    return FaceSeen(**{"where": "on", "place": "open", "owner": Seat.E, "card": None, "at_us": 5_000} | other)


# --- what is put on record ---


def test_a_face_is_a_fact_without_whose_act_it_was() -> None:
    assert seen(card=QUEEN).fact() == {"fact": "exposed", "where": "on", "owner": "E", "card": "QH", "t_us": 5_000}
    assert seen(owner=None, where="below").fact() == {"fact": "exposed", "where": "below", "t_us": 5_000}


def test_which_card_it_is_is_never_said() -> None:
    assert sentence(seen(card=QUEEN).fact()) == sentence(seen().fact()) == "A face was seen on the table."


# --- pictures ---


@dataclass
class Pictures:
    """A camera that gives a picture every 100 ms, as long as there are any; its pixels are the picture's number."""

    count: int = 1_000
    frozen: bool = False
    taken: list[int] = field(default_factory=list)

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        at_us = -(-after_us // 100_000) * 100_000
        if at_us > deadline_us or len(self.taken) >= self.count:
            return None
        self.taken.append(at_us)
        number = 0 if self.frozen else at_us // 100_000
        return Frame(image=np.full((3, 4, 3), number, np.uint8), captured_us=at_us, number=number, source="pictures")

    def close(self) -> None:
        """See `vision.frame.Camera`."""


def face(x: float = 600.0, *, lawful: bool = False, card: Card | None = None, where: Height = Height.ON) -> ExposedFace:
    corners = np.array([[x, 400], [x + 60, 400], [x + 60, 484], [x, 484]], np.float32)
    return ExposedFace(
        region=Region.OPEN, seat=Region.E, height=where, lawful=lawful, quad=corners, score=1.0, card=card
    )


@dataclass
class Table:
    """What is found in each picture, by its number; the last goes on."""

    faces: list[list[ExposedFace]]
    lawful: list[frozenset[Region]] = field(default_factory=list)

    def find(self, image: Any, layout: TableLayout, reader: object) -> list[ExposedFace]:
        self.lawful.append(layout.lawful)
        return self.faces[min(int(image[0, 0, 0]), len(self.faces) - 1)]


@pytest.fixture
def eye(monkeypatch: pytest.MonkeyPatch) -> Any:
    def make(*faces: list[ExposedFace], **camera: Any) -> tuple[FrameTableEye, Pictures, Table]:
        table, pictures = Table(list(faces)), Pictures(**camera)
        monkeypatch.setattr("vision.table.find_exposed", table.find)
        return FrameTableEye(camera=pictures, reader=cast("TableReader", None)), pictures, table

    return make


def look(eye: FrameTableEye, after_us: int, lawful: Collection[str] = ()) -> list[FaceSeen] | None:
    return eye.look(lawful=lawful, after_us=after_us, deadline_us=after_us + 500_000)


def test_a_second_picture_is_taken_only_where_the_first_shows_a_face(eye: Any) -> None:
    made, pictures, _ = eye([], [face(card=QUEEN)])
    assert look(made, 0) == []
    assert pictures.taken == [0]
    assert look(made, 100_000) == [seen(card=QUEEN, at_us=200_000)]
    assert pictures.taken == [0, 100_000, 200_000]
    assert look(made, 300_000) == []
    assert pictures.taken[3:] == [300_000], "it is told already"


def test_a_lawful_face_is_nothing(eye: Any) -> None:
    made, pictures, table = eye([face(lawful=True)])
    assert look(made, 0, ["trump"]) == []
    assert (pictures.taken, table.lawful) == ([0], [frozenset({Region.TRUMP})])


def test_a_face_that_one_picture_shows_alone_is_nothing(eye: Any) -> None:
    made, _, _ = eye([face()], [])
    assert look(made, 0) == []


def test_a_face_on_record_is_not_told_again_but_another_is(eye: Any) -> None:
    """After a crash the eye is new, and the face may lie there still."""
    made, _, _ = eye([face(card=QUEEN), face(900, card=Card.parse("7C"))])
    made.begin([seen().fact()])
    assert [one.card for one in look(made, 0) or ()] == [Card.parse("7C")]


def test_a_known_face_that_has_gone_does_not_hide_a_later_one(eye: Any) -> None:
    made, _, _ = eye([], [face()])
    made.begin([seen().fact()])
    assert look(made, 0) == []
    assert len(look(made, 100_000) or ()) == 1


def test_a_look_that_brings_no_picture_says_nothing_of_the_faces_on_record(eye: Any) -> None:
    made, _, _ = eye([face(card=QUEEN)])
    made.begin([seen().fact()])
    assert made.look(lawful=(), after_us=1, deadline_us=2) is None
    assert look(made, 100_000) == [], "it lies there still, and was told before the break"


@pytest.mark.parametrize(
    "line",
    [seen(where="above").fact(), seen(owner=Seat.W).fact(), seen(card=Card.parse("7C")).fact()],
    ids=["height", "owner", "card"],
)
def test_another_face_on_record_hides_none(eye: Any, line: Line) -> None:
    made, _, _ = eye([face(card=QUEEN)])
    made.begin([line])
    assert len(look(made, 0) or ()) == 1


def test_a_new_deal_tells_what_lies_there(eye: Any) -> None:
    made, _, _ = eye([face()])
    assert len(look(made, 0) or ()) == 1
    made.begin()
    assert len(look(made, 200_000) or ()) == 1


@pytest.mark.parametrize("camera", [{"count": 1}, {"frozen": True}], ids=["gone", "frozen"])
def test_a_camera_without_new_pictures_is_gone_after_some_looks(eye: Any, camera: dict[str, Any]) -> None:
    made, _, _ = eye([], **camera)
    for place in range(MISSED_MAX):
        assert not look(made, place * 1_000_000)
    with pytest.raises(CameraLost, match="gives no new pictures"):
        look(made, MISSED_MAX * 1_000_000)


# --- when it looks ---


@dataclass
class Noting:
    """An eye over the table that notes its looks, and sees what it is told to.

    Attributes:
        show: the faces of the next look.
        missing: looks that bring no picture.
        known: what each deal began with.
    """

    show: list[FaceSeen] = field(default_factory=list)
    missing: int = 0
    looks: list[tuple[frozenset[str], int]] = field(default_factory=list)
    known: list[list[Line]] = field(default_factory=list)

    def begin(self, known: Iterable[Line] = ()) -> None:
        self.known.append(list(known))

    def look(self, *, lawful: Collection[str], after_us: int, deadline_us: int) -> list[FaceSeen] | None:
        self.looks.append((frozenset(lawful), after_us))
        if self.missing:
            self.missing -= 1
            return None
        shown, self.show = self.show, []
        return shown


@dataclass
class Clock:
    """As much of a bridge as the lookout wants: the link's clock runs 7 s before the machine's."""

    now: int = 10_000_000
    broken: bool = False

    def now_us(self) -> int:
        return self.now

    def status(self) -> Any:
        if self.broken:
            raise LinkLost("sim://", "unplugged")
        return SimpleNamespace(now_us=self.now - 7_000_000)


def watched(hand: ByHand, eye: Noting, clock: Clock, lookout: Lookout | None = None) -> tuple[Lookout, list[FaceSeen]]:
    lookout = lookout or Lookout(eye=eye)
    faces = []
    while (found := lookout.next_face(hand.dealer, cast("Bridge", clock))) is not None:
        faces.append(found)
    return lookout, faces


def test_it_looks_once_at_each_card_on_its_way_and_else_at_its_rate(by_hand: HandMaker) -> None:
    hand, eye, clock = by_hand().begin(), Noting(), Clock()
    lookout, _ = watched(hand, eye, clock)
    assert len(eye.looks) == 1, "a card is being fed"
    for _ in range(2):
        hand.show()
        hand.see()
        for _ in range(3):
            watched(hand, eye, clock, lookout)
        hand.deliver()
        watched(hand, eye, clock, lookout)
    assert len(eye.looks) == 3, "one for each card that was sent to its tray"
    clock.now += EVERY_US
    watched(hand, eye, clock, lookout)
    assert len(eye.looks) == 4


def test_a_card_is_watched_only_by_a_look_that_brought_a_picture(by_hand: HandMaker) -> None:
    hand, eye, clock = by_hand().begin(), Noting(), Clock()
    lookout, _ = watched(hand, eye, clock)
    hand.show()
    hand.see()
    eye.missing = 2
    for _ in range(4):
        watched(hand, eye, clock, lookout)
    assert len(eye.looks) == 1 + 3, "two without a picture, and the one that counts"


def test_a_face_is_not_lost_with_the_link(by_hand: HandMaker) -> None:
    """The eye tells a face once; the link may break before the machine has said what time it is."""
    hand, eye, clock = by_hand().begin(), Noting(show=[seen(at_us=9_900_000)]), Clock()
    lookout = Lookout(eye=eye)
    clock.broken = True
    with pytest.raises(LinkLost):
        watched(hand, eye, clock, lookout)
    clock.broken = False
    _, faces = watched(hand, eye, clock, lookout)
    assert [one.at_us for one in faces] == [2_900_000]


def test_while_people_handle_the_pack_it_does_not_look(by_hand: HandMaker) -> None:
    hand, eye = by_hand(), Noting()
    hand.open()
    watched(hand, eye, Clock())
    assert (hand.state, eye.looks) == (DealState.AWAITING_PACK, [])


def test_faces_are_told_one_by_one_on_the_machines_clock(by_hand: HandMaker) -> None:
    eye = Noting(show=[seen(at_us=9_900_000), seen(at_us=9_950_000, place="N")])
    _, faces = watched(by_hand().begin(), eye, Clock())
    assert [(one.place, one.at_us) for one in faces] == [("open", 2_900_000), ("N", 2_950_000)]
    assert len(eye.looks) == 1


# --- what may lie face up ---


@pytest.mark.parametrize(
    ("code", "able", "k", "lawful"),
    [
        ("whist", BY_HAND, 51, set()),
        ("whist", BY_HAND, 52, {"trump"}),
        ("whist", BY_HAND & ~Capability.TRUMP_SPOT, 52, {"S"}),
        ("euchre", BY_HAND, 20, set()),
        ("euchre", BY_HAND, 21, {"trump"}),
        ("euchre", BY_HAND & ~Capability.TRUMP_SPOT, 21, {"stock"}),
        ("bridge", BY_HAND, 52, set()),
    ],
)
def test_a_face_may_be_seen_where_the_trump_card_lies(
    code: str, able: Capability, k: int, lawful: set[str], by_hand: HandMaker
) -> None:
    hand = by_hand(able=able).begin(code=code).deal_to(k - 1)
    hand.show()
    hand.see()
    assert hand.dealer.faces_allowed() == lawful


def test_a_last_card_that_lies_faced_may_be_seen_before_the_dealer(by_hand: HandMaker) -> None:
    hand = by_hand().begin().deal_to(51)
    hand.show()
    hand.see(State.FACE_NOT_SEEN)
    assert hand.dealer.faces_allowed() == {"S"}


# --- what the dealer makes of it ---


def tell(hand: ByHand, face: FaceSeen) -> None:
    step = hand.dealer.said(face)
    assert step is not None
    hand.hear(step)


def test_a_face_in_the_cut_tray_is_one_exposed_in_cutting(by_hand: HandMaker) -> None:
    """Euchre 9b: shuffled and cut again."""
    hand = by_hand()
    hand.begin_up_to_the_cut(code="euchre")
    step = hand.dealer.said(seen(place="cut", owner=None))
    assert step is not None
    assert step.lines == [{"fact": "cut_reported", "what": "exposed", "t_us": 5_000}]
    hand.say("N report cut_exposed")
    hand.cut(16, 16)
    (cut,) = hand.facts("cut")
    assert cut["exposed"] is True
    assert hand.facts("exposed") == []


SEAT, CAMERA = "W report exposed_on s", "camera"


def telling(hand: ByHand, *tellings: str) -> ByHand:
    """Have a face told by somebody at a seat, or seen by the camera, while card 6 is on its way."""
    hand.begin().deal_to(5)
    hand.show()
    hand.see()
    for telling in tellings:
        tell(hand, seen(card=QUEEN)) if telling == CAMERA else hand.say(telling)
    return hand


@pytest.mark.parametrize("order", [(SEAT, CAMERA), (CAMERA, SEAT)], ids=["seat first", "camera first"])
def test_a_face_that_a_seat_tells_and_the_camera_sees_is_one_exposure(
    order: tuple[str, str], by_hand: HandMaker
) -> None:
    hand = telling(by_hand(), *order)
    (first,), (second,) = hand.facts("exposed"), hand.facts("exposure_confirmed")
    from_seat, from_camera = (first, second) if order[0] == SEAT else (second, first)
    assert {**from_seat, "fact": ""} == {"fact": "", "where": "on", "by": "S", "told_by": "W"}
    assert {**from_camera, "fact": ""} == {**seen(card=QUEEN).fact(), "fact": ""}
    assert [kind for kind, _ in hand.rulings] == ["option" if order[0] == SEAT else "ask_director"]


@pytest.mark.parametrize(
    ("tellings", "exposed"),
    [
        ((SEAT, SEAT), 2),
        ((CAMERA, CAMERA), 2),
        ((CAMERA, "W report exposed_above s"), 2),
        ((SEAT, CAMERA, CAMERA), 2),
        ((CAMERA, CAMERA, SEAT, SEAT), 2),
        ((SEAT, CAMERA, SEAT, CAMERA), 2),
    ],
    ids=lambda value: "" if isinstance(value, int) else " ".join(word.partition(" ")[0] for word in value),
)
def test_what_may_be_another_face_is_another_exposure(
    tellings: tuple[str, ...], exposed: int, by_hand: HandMaker
) -> None:
    assert len(telling(by_hand(), *tellings).facts("exposed")) == exposed


def test_what_is_told_two_cards_later_is_another_exposure(by_hand: HandMaker) -> None:
    hand = telling(by_hand(), SEAT)
    hand.deliver()
    hand.say("E waive")
    hand.say("W waive")
    hand.deal_to(7)
    tell(hand, seen())
    assert len(hand.facts("exposed")) == 2


def test_after_the_deal_has_ended_nothing_is_put_on_record(by_hand: HandMaker) -> None:
    hand = by_hand().begin(code="auction").deal_to(3)
    hand.show()
    tell(hand, seen())
    hand.see()
    hand.deliver()
    assert hand.state is DealState.ENDED
    assert hand.dealer.said(seen()) is None


@pytest.mark.parametrize(
    ("code", "ruling", "may", "asked"),
    [
        ("euchre", "option", ["W", "E"], ()),
        ("whist", "ask_director", [], (AskPeople(asked=Asked.DECIDE),)),
        ("bridge", "ask_director", [], (AskPeople(asked=Asked.DECIDE),)),
    ],
)
def test_the_card_under_way_falls_and_the_next_waits(
    code: str, ruling: str, may: list[str], asked: tuple[AskPeople, ...], by_hand: HandMaker
) -> None:
    hand = by_hand().begin(code=code).deal_to(5)
    hand.show()
    hand.see()
    tell(hand, seen())
    hand.deliver()
    (said,) = (line for line in hand.lines if "ruling" in line)
    assert (said["ruling"], said.get("may", [])) == (ruling, may)
    assert (hand.state, hand.step.acts, hand.facts("dealt")[-1]["k"]) == (DealState.HOLDING, asked, 6)
    assert not any(isinstance(act, FeedCard) for act in hand.step.acts)


# --- a whole deal on the simulated machine ---


@dataclass
class AfterCard(Noting):
    """Sees a face once: at the first look after card `after` was sent to its tray."""

    after: int = 6
    face: FaceSeen | None = field(default_factory=lambda: seen(card=QUEEN))
    dealt: Any = None

    def look(self, *, lawful: Collection[str], after_us: int, deadline_us: int) -> list[FaceSeen] | None:
        if self.face is not None and self.dealt() >= self.after:
            self.show, self.face = [self.face], None
        return super().look(lawful=lawful, after_us=after_us, deadline_us=deadline_us)


@pytest.mark.parametrize(
    ("code", "who", "status", "rulings"),
    [
        ("auction", "nobody_known", "new_deal", ["new_deal"]),
        ("whist", "s", "completed", ["ask_director", "option"]),
        ("bridge", "s", "completed", ["ask_director", "option"]),
        ("euchre", "nobody_known", "completed", ["option"]),
    ],
)
def test_the_law_follows_before_the_next_card(
    code: str, who: str, status: str, rulings: list[str], at_machine: MachineMaker
) -> None:
    at = at_machine(f'[people]\ndecide = "{who}"\n')
    eye = AfterCard(dealt=at.passages)
    with at.dealing(code=code, table_eye=eye) as dealing:
        outcome = next(dealing.deals(1, Seat.S))
    lines = at.log.lines(outcome.deal)
    (place,) = (place for place, line in enumerate(lines) if line.get("fact") == "exposed")
    assert {**lines[place], "t_us": 0} == {"fact": "exposed", "where": "on", "owner": "E", "card": "QH", "t_us": 0}
    assert abs(lines[place]["t_us"] - 5_000) < 1_000, "as exactly as the machine's clock can be asked for"
    assert lines[place + 1]["ruling"] == rulings[0], "it is ruled on at once"
    assert [line["ruling"] for line in lines if "ruling" in line][: len(rulings)] == rulings
    assert outcome.ending.status == status
    settled = [line["fact"] for line in lines[place:] if line.get("fact") in ("dealt", "director", "time_given")]
    assert settled[:2] in (["dealt"], ["dealt", "director"], ["dealt", "time_given"]), "the card under way, no other"
    assert replay(lines) == ()
    assert len(eye.looks) >= outcome.cards


def test_nobody_is_told_the_card_and_the_open_log_seals_it(at_machine: MachineMaker) -> None:
    at = at_machine("[[deal]]\n")
    stored: list[Line] = []

    class Looked(TruthEye):
        def look(self, *, after_us: int, deadline_us: int) -> Sighting:
            if at.passages() == 12:
                stored.extend(at.log.lines(1))
            return super().look(after_us=after_us, deadline_us=deadline_us)

    with at.dealing(eye=Looked(at.world), code="euchre", table_eye=AfterCard(dealt=at.passages)) as dealing:
        list(dealing.deals(1, Seat.S))
    (line,) = (line for line in stored if line.get("fact") == "exposed")
    assert is_sealed(line["card"])


def test_what_was_seen_is_kept_over_a_crash_and_not_told_twice(at_machine: MachineMaker) -> None:
    class Crash(Exception):
        pass

    at = at_machine("[people]\ndecide_ms = 60000\n")
    eye = AfterCard(dealt=at.passages)

    class Power(TruthEye):
        def look(self, *, after_us: int, deadline_us: int) -> Sighting:
            if at.passages() == 9:
                raise Crash
            return super().look(after_us=after_us, deadline_us=deadline_us)

    dealing = at.dealing(eye=Power(at.world), code="euchre", table_eye=eye)
    with pytest.raises(Crash), dealing:
        list(dealing.deals(1, Seat.S))
    again = Noting()
    with at.dealing(code="euchre", table_eye=again) as dealing:
        outcomes: list[Outcome] = list(dealing.deals(1, Seat.S))
    assert [outcome.ending.status for outcome in outcomes] == ["completed"]
    (exposed,) = at.facts(1, "exposed")
    assert again.known == [[exposed]]
    assert eye.known == [[]]
    assert replay(at.log.lines(1)) == ()
