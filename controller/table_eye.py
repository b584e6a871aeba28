"""The eye over the table: when it looks, and what it tells of faces that come to light; never whose act it was.

It looks while the deal is under way: at least once while each card is on its way to its tray, so that what it finds is
judged before the next card, and at a steady rate while the deal waits. Before the pack is offered to be cut, people
handle it as they like, and nothing is looked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from controller.states import DealState
from controller.table import Seat
from vision.table_layout import SEATS, Region, TableLayout
from vision.table_watch import TableWatch

if TYPE_CHECKING:
    from collections.abc import Collection

    from controller.acts import Line
    from controller.dealer import Dealer
    from firmware_bridge.bridge import Bridge
    from vision.cards import Card
    from vision.frame import Camera
    from vision.table import TableReader
    from vision.table_watch import Exposure

EVERY_US: Final = 500_000
"""From one look to the next while the deal waits."""

LOOK_US: Final = 500_000
"""How long one look may wait for its pictures; ten a second are enough."""

MISSED_MAX: Final = 5
"""Looks in a row that may be without a picture before the camera counts as gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceSeen:
    """A face came to light.

    Attributes:
        where: `on`, `above` or `below` the table.
        place: the tray or spot, `open` or `beyond`.
        owner: whose place that is, where it is anybody's.
        card: which card, where it was read without doubt.
        at_us: when, on the clock of whoever tells it.
    """

    where: str
    place: str
    owner: Seat | None
    card: Card | None
    at_us: int

    @property
    def of_the_cut(self) -> Line | None:
        """What goes on record while a cut is under way: a face in the cut tray is one exposed in cutting."""
        in_tray = self.place == Region.CUT
        return {"fact": "cut_reported", "what": "exposed", "t_us": self.at_us} if in_tray else None

    def fact(self) -> Line:
        """Return what goes on record."""
        line: Line = {"fact": "exposed", "where": self.where}
        if self.owner is not None:
            line["owner"] = self.owner.value
        if self.card is not None:
            line["card"] = str(self.card)
        return line | {"t_us": self.at_us}

    def is_told_by(self, line: Line) -> bool:
        """Return whether an exposure on record may be this very one; a card that was not read may be any."""
        owner = None if self.owner is None else self.owner.value
        same = (line.get("where", "on"), line.get("owner")) == (self.where, owner)
        return same and (self.card is None or line.get("card", str(self.card)) == str(self.card))


def is_of_camera(line: Line) -> bool:
    """Return whether a line of the record is what the eye over the table told of a face."""
    return line.get("fact") in ("exposed", "exposure_confirmed") and "told_by" not in line


class TableEye(Protocol):
    """Whoever looks at the table. All times are microseconds on the clock of the machine's link."""

    def begin(self, known: Iterable[Line] = ()) -> None:
        """Begin a deal; faces that are on record as `known` and lie there still are not told again."""
        ...

    def look(self, *, lawful: Collection[str], after_us: int, deadline_us: int) -> list[FaceSeen] | None:
        """Return the faces that came to light since the last look; None where no picture came, so that none was seen.

        Args:
            lawful: places at which one face may be seen, as the record calls them.
            after_us: pictures taken earlier do not count.
            deadline_us: no picture is waited for any longer.
        """
        ...


@dataclass(slots=True, kw_only=True)
class FrameTableEye:
    """An eye that looks through a camera.

    Attributes:
        camera: where pictures come from.
        reader: finds the faces in them, and reads which cards they are.
        layout: where things are in its picture.
        watch: knows which faces were told.
    """

    camera: Camera
    reader: TableReader
    layout: TableLayout = field(default_factory=TableLayout)
    watch: TableWatch = field(default_factory=TableWatch)
    _known: list[Line] = field(default_factory=list, init=False)
    _number: int = field(default=-1, init=False)
    _missed: int = field(default=0, init=False)

    def begin(self, known: Iterable[Line] = ()) -> None:
        """See `TableEye`."""
        self.watch.forget()
        self._known = list(known)

    def look(self, *, lawful: Collection[str], after_us: int, deadline_us: int) -> list[FaceSeen] | None:
        """See `TableEye`.

        Raises:
            vision.errors.CameraLost: the camera is gone, or gives no new picture any more.
        """
        layout = replace(self.layout, lawful=frozenset(map(Region, lawful)))
        found: list[Exposure] = []
        taken_us = self._picture(layout, found, after_us, deadline_us)
        if taken_us is None:
            return None
        if self.watch.pending:  # a face counts when two pictures agree
            self._picture(layout, found, taken_us + 1, deadline_us)
        faces = [face for face in map(_face_seen, found) if not self._is_known(face)]
        if not self.watch.pending:
            self._known.clear()
        return faces

    def _picture(self, layout: TableLayout, found: list[Exposure], after_us: int, deadline_us: int) -> int | None:
        """Look at one picture, and return when it was taken; None where there is no new one in time."""
        from vision.errors import CameraLost
        from vision.table import find_exposed

        frame = self.camera.next_frame(after_us=after_us, deadline_us=deadline_us)
        if frame is None or frame.number <= self._number or frame.captured_us < after_us:
            self._missed += 1
            if self._missed >= MISSED_MAX:
                message = "the camera over the table gives no new pictures: check its cable, or deal without it"
                raise CameraLost(frame.source if frame else "", message)
            return None
        self._number, self._missed = frame.number, 0
        found += self.watch.look(find_exposed(frame.image, layout, self.reader), t_us=frame.captured_us)
        return frame.captured_us

    def _is_known(self, face: FaceSeen) -> bool:
        """Return whether the face was on record before this eye saw it; each line stands for one face."""
        line = next((line for line in self._known if face.is_told_by(line)), None)
        if line is None:
            return False
        self._known.remove(line)
        return True


def _face_seen(exposure: Exposure) -> FaceSeen:
    face = exposure.face
    return FaceSeen(
        where=face.height.value,
        place=face.region.value,
        owner=Seat(face.seat.value) if face.seat in SEATS else None,
        card=face.card,
        at_us=exposure.t_us,
    )


@dataclass(slots=True, kw_only=True)
class Lookout:
    """Has the table looked at between the events of one deal, at a bounded rate.

    Attributes:
        eye: who looks.
    """

    eye: TableEye
    _next_us: int = field(default=0, init=False)
    _routed: int = field(default=0, init=False)
    _found: deque[FaceSeen] = field(default_factory=deque, init=False)

    def next_face(self, dealer: Dealer, bridge: Bridge) -> FaceSeen | None:
        """Return the next face that came to light, on the machine's clock; look at the table where that is due.

        Raises:
            firmware_bridge.errors.BridgeError: the link is lost.
            vision.errors.CameraLost: the camera is gone.
        """
        now_us = bridge.now_us()
        if not self._found and self._is_due(dealer, now_us):
            seen = self.eye.look(lawful=dealer.faces_allowed(), after_us=now_us, deadline_us=now_us + LOOK_US)
            if seen is not None:
                self._found += seen
                self._routed = dealer.command_id if dealer.machine.state is DealState.ROUTING else self._routed
                self._next_us = bridge.now_us() + EVERY_US
        if not self._found:
            return None
        behind_us = bridge.now_us() - bridge.status().now_us
        face = self._found.popleft()
        return replace(face, at_us=max(0, face.at_us - behind_us))

    def _is_due(self, dealer: Dealer, now_us: int) -> bool:
        """Return whether a card is on its way that was not watched yet, or the time has come to look again."""
        state = dealer.machine.state
        if state is DealState.ROUTING and self._routed != dealer.command_id:
            return True
        return state in _WATCHED and now_us >= self._next_us


_WATCHED: Final = (DealState.AWAITING_CUT, DealState.CUT, DealState.FEEDING, DealState.ROUTING, DealState.HOLDING)
"""The states in which a face that comes to light is one of this deal, and something is waited for."""
