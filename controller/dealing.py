"""One run of deals: goes on with a deal that was cut off, then deals until enough hands are complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from controller.club_code import code_of
from controller.deal_notes import DealNotes
from controller.dealer import Dealer
from controller.ending import Ending
from controller.errors import TooManyTries, WrongMachine
from controller.house import House
from controller.patience import PEOPLE_US
from controller.readiness import make_ready, prove_empty
from controller.records import cards_delivered
from controller.restore import restore
from controller.resume import go_on
from controller.runner import Runner
from controller.seats import parted
from controller.table import Seat
from controller.table_eye import Lookout, is_of_camera
from controller.table_talk import TableTalk
from controller.window_sensors import CardSize
from firmware_bridge.errors import BridgeError, MachineRebooted, NoAnswer, RemoteProtocolError
from vision.errors import CameraLost

if TYPE_CHECKING:
    from controller.acts import AskPeople, Line
    from controller.deal_log import DealLog
    from controller.eye import Eye
    from controller.fault_bundle import FaultBundle
    from controller.seats import SeatWord
    from controller.table_eye import TableEye
    from firmware_bridge.bridge import Bridge

TRIES_MAX: Final = 5
"""Deals in a row that may end without being completed before the run stops; something is wrong by then."""

RECOVERIES_MAX: Final = 3
"""How often in a row the link may be lost without a card dealt in between."""

REOPEN_S: Final = 30.0
"""How long the port is tried before the run stops: time to find a plug and put it back. The bridge's own waiting for a
port that is there and silent counts."""

REOPEN_WAIT_S: Final = 0.5

TELL_EVERY_S: Final = 3.0
"""People are told at least this often, or as soon as the bridge gives up a try, that the machine is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one deal ended.

    Attributes:
        deal: its number in the log.
        dealer: whose deal it was.
        ending: status, next dealer, and the law or fault behind it.
        cards: cards delivered, as `pone record` lists them.
        unread: how many of them were not read.
        doubted: numbers of cards that were read as the same card, in pairs, the earlier first.
        seconds_per_card: from the first feed to the end on the clock of the link; 0 where no card was fed. Of a deal
            that was gone on with, only what was dealt since.
        wrong_hands: the hands that hold more or fewer cards than they should, and how many.
    """

    deal: int
    dealer: Seat
    ending: Ending
    cards: int
    unread: int
    doubted: tuple[tuple[int, int], ...] = ()
    seconds_per_card: float
    wrong_hands: dict[Seat, int] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Dealing:
    """Deals one after another on one machine.

    Attributes:
        log: the durable store.
        bridge: the open machine; let go of when the context is left.
        open_bridge: opens the machine again when the link was lost.
        eye: looks at the window.
        tell: called with each line of the record once it is durable.
        asking: called with each question that the panel puts to the people at the table.
        carried: the `machine` and `mode` facts of every deal, given the open bridge.
        wait: lets the given seconds pass between two tries to open a port that is gone.
        waiting: called every few seconds while the machine is waited for, with the seconds that are left.
        code: the code of laws.
        pack: cards of the pack; None for the code's own.
        pattern: how they are given out, by the name that the code has for it; None for the code's usual way.
        own_laws: the text of a club's own code, where `code` names one.
        house: the decisions of the house; the record of every deal holds all of them.
        people_us: how long people may take to answer the panel.
        talk: what the seats say by other ways than the machine, and whether to stop.
        script: what the seats are to say, known beforehand; a deal that is gone on with hears nothing of it twice.
        table_eye: looks at the table; None where no camera is over it.
        bundle: keeps the frames of doubtful cards; None where nothing is kept.
        before_deal: called with the machine, ready and with nothing in its window, before a deal is opened.
    """

    log: DealLog
    bridge: Bridge
    open_bridge: Callable[[], Bridge]
    eye: Eye
    tell: Callable[[Line], None]
    asking: Callable[[AskPeople], None]
    carried: Callable[[Bridge], tuple[dict[str, Any], ...]]
    wait: Callable[[float], object]
    waiting: Callable[[float], object] = lambda left_s: None
    code: str = "whist"
    pack: int | None = None
    pattern: str | None = None
    own_laws: str | None = None
    house: House = field(default_factory=House)
    people_us: int = PEOPLE_US
    talk: TableTalk = field(default_factory=TableTalk)
    script: Sequence[SeatWord] = ()
    table_eye: TableEye | None = None
    bundle: FaultBundle | None = None
    before_deal: Callable[[Bridge], object] = lambda bridge: None
    _lost: bool = field(default=False, init=False)
    _misdeals: int = field(default=0, init=False)
    _place: int = field(default=0, init=False)

    def deals(self, count: int, dealer: Seat) -> Iterator[Outcome]:
        """Deal until `count` deals are complete, giving each deal as it ends.

        A deal that the log holds unfinished is gone on with first, and counts.

        Raises:
            controller.errors.Drained: it was asked to stop; the deal under way is kept open.
            controller.errors.TooManyTries: `TRIES_MAX` deals in a row were not completed.
            controller.errors.Unattended: nobody clears the machine after a halt.
            controller.errors.WrongMachine: the deal under way lies on another machine.
            firmware_bridge.errors.BridgeError: the machine is gone and does not come back.
            vision.errors.CameraLost: the camera is gone.
        """
        completed, tries = 0, 0
        unfinished = self.log.unfinished()
        if unfinished is None:
            self._misdeals = self._misdealt_last(dealer)
        said, rest = parted(self._untold(unfinished or 0), self._lines(unfinished or 0))
        self.talk.say_first(rest)
        while completed < count:
            outcome = self._deal(dealer) if unfinished is None else self._resume(unfinished)
            if unfinished is not None and outcome.ending.status == "voided":  # it is dealt anew, and they speak anew
                self.talk.say_first(said)
            unfinished = None
            yield outcome
            dealer = outcome.ending.next_dealer
            self._misdeals = _misdeals(self._misdeals, outcome.ending.status, again=dealer is outcome.dealer)
            done = outcome.ending.status == "completed"
            completed, tries = completed + done, 0 if done else tries + 1
            if tries >= TRIES_MAX:
                raise TooManyTries(tries)
            if self.talk.stop:
                break
        if not self._lost:
            prove_empty(self.bridge, people_us=self.people_us, asking=self.asking)

    def _untold(self, unfinished: int) -> Sequence[SeatWord]:
        """Return the script without what was told in the deals that were dealt by it before the unfinished one."""
        script = self.script
        if unfinished and script:
            self._place = self._lines(unfinished)[0].get("number", 1)
            for deal in range(unfinished - self._place + 1, unfinished):
                script = parted(script, self.log.lines(deal))[1]
        return script

    def _misdealt_last(self, dealer: Seat) -> int:
        """Return how many deals of this dealer, the last ones in the log and of this game, were misdealt."""
        last = self.log.last()
        lines = self.log.lines(last) if last else []
        if not lines or (lines[0]["code"], lines[0]["dealer"]) != (self.code, dealer.value):
            return 0
        status = next((line["status"] for line in lines if line.get("fact") == "closed"), "open")
        deals_next = next((line["dealer"] for line in lines if line.get("ruling") == "misdeal"), dealer.value)
        return _misdeals(lines[0].get("misdeals", 0), status, again=deals_next == dealer.value)

    def say(self, word: SeatWord) -> None:
        """Put on record what somebody at a seat does or says, after what was said before it; from any thread.

        Args:
            word: as `seats.parse_word` reads it from a line, or made by hand.
        """
        self.talk.say(word)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the machine: with a farewell if all is well, else without, so that it latches by itself."""
        self.bridge.__exit__(kind, error, trace)

    def _deal(self, dealer_seat: Seat) -> Outcome:
        """Deal once, from the opening on."""
        if self._lost:
            self._reopen()
        opening = self._opening(dealer_seat)
        make_ready(self.bridge, people_us=self.people_us, asking=self.asking)
        self.before_deal(self.bridge)
        self.eye.begin()
        dealer = Dealer(
            notes=DealNotes(dealer=dealer_seat),
            next_id=self.bridge.status().last_id + 1,
            card=card_size(self.bridge),
            able=self.bridge.hello.capabilities,
        )
        runner = self._runner(dealer, deal=0)
        begin = partial(runner.do, dealer.open(opening, *self.carried(self.bridge)))
        return self._finish(runner, begin)

    def _opening(self, dealer: Seat) -> Line:
        """Return the fact that opens a deal: by what it is dealt and judged, so that the record alone can be judged."""
        opening: Line = {"fact": "deal_opened", "code": self.code, "dealer": dealer.value}
        opening["house"] = self.house.whole()
        self._place += 1
        # Which of the deals that one script speaks in it is tells whoever goes on how far the script has been spoken.
        number = self._place if self.script and self._place > 1 else None
        given = {"pack": self.pack, "number": number, "misdeals": self._misdeals or None, "laws": self.own_laws}
        opening |= {name: value for name, value in given.items() if value is not None}
        if pattern := self.pattern or code_of(opening).pattern.name:
            opening["pattern"] = pattern
        return opening

    def _resume(self, deal: int) -> Outcome:
        """Go on with a deal that was cut off."""
        acts = self.log.acts(deal)
        self._expect(acts[-1].serial if acts else self.bridge.hello.serial_number)
        next_id = self.bridge.status().last_id + 1
        able = self.bridge.hello.capabilities
        dealer = restore(self.log, deal, card_size(self.bridge), able=able, next_id=next_id)
        self._misdeals = self._lines(deal)[0].get("misdeals", 0)
        runner = self._runner(dealer, deal=deal)
        return self._finish(runner, partial(go_on, runner))

    def _runner(self, dealer: Dealer, *, deal: int) -> Runner:
        """Return a runner for this deal; the eye over the table knows which faces are on record."""
        lookout = None
        if self.table_eye is not None:
            self.table_eye.begin(line for line in self._lines(deal) if is_of_camera(line))
            lookout = Lookout(eye=self.table_eye)
        return Runner(
            dealer=dealer,
            bridge=self.bridge,
            eye=self.eye,
            log=self.log,
            tell=self.tell,
            asking=self.asking,
            deal=deal,
            people_us=self.people_us,
            talk=self.talk,
            lookout=lookout,
            bundle=self.bundle,
        )

    def _lines(self, deal: int) -> list[Line]:
        """Return what is on record of a deal; nothing where it is not opened yet."""
        return self.log.own_lines(deal) if deal else []

    def _finish(self, runner: Runner, begin: Callable[[], None]) -> Outcome:
        """Begin with `begin`, then run the deal to its end, through losses of the link."""
        act, notes = begin, runner.dealer.notes
        lost, dealt = 0, notes.dealt
        while not runner.ended:
            try:
                act()
                act = partial(_run, runner)
            except CameraLost:
                runner.interrupted("camera_lost")
                raise
            except BridgeError as error:
                if _is_closed(runner):  # the link broke behind the last commit: the next deal opens it anew
                    self._lost = True
                    break
                lost, dealt = (0 if notes.dealt > dealt else lost) + 1, notes.dealt
                if lost > RECOVERIES_MAX:
                    raise
                runner.interrupted(_broken_off(error))
                self._reopen()
                runner.bridge = self.bridge
                act = partial(go_on, runner)
        if notes.ending is None:
            raise AssertionError("a deal ends only with its ending settled")
        return Outcome(
            deal=runner.deal,
            dealer=notes.dealer,
            ending=notes.ending,
            cards=cards_delivered(self.log.lines(runner.deal)),
            unread=notes.unread,
            doubted=tuple(notes.doubted),
            seconds_per_card=(runner.ended_us - runner.began_us) / 1_000_000 / runner.feeds if runner.feeds else 0.0,
            wrong_hands=notes.wrong_hands,
        )

    def _reopen(self) -> None:
        """Open the machine again, waiting for it to come back; it must be the same machine."""
        serial = self.bridge.hello.serial_number
        with suppress(BridgeError):  # the link may break at the farewell; the port is closed all the same
            self.bridge.close()
        left_s, told_s = REOPEN_S, REOPEN_S + TELL_EVERY_S
        while True:
            if told_s - left_s >= TELL_EVERY_S:
                self.waiting(left_s)
                told_s = left_s
            try:
                self.bridge = self.open_bridge()
            except BridgeError as error:
                left_s -= REOPEN_WAIT_S + (error.waited_us / 1_000_000 if isinstance(error, NoAnswer) else 0)
                if left_s <= 0:
                    raise
                self.wait(REOPEN_WAIT_S)
            else:
                self._lost = False
                self._expect(serial)
                return

    def _expect(self, serial: str) -> None:
        """Make sure that the machine is the one with this serial number.

        Raises:
            controller.errors.WrongMachine: it is another.
        """
        if self.bridge.hello.serial_number != serial:
            raise WrongMachine(self.bridge.hello.serial_number, serial)


def _misdeals(before: int, status: str, *, again: bool) -> int:
    """Return how many deals in a row a dealer has misdealt, after one more that ended so; one given up counts for none.

    Args:
        before: how many before that deal.
        status: how it ended.
        again: whether the same player deals again.
    """
    if not again or status not in ("misdeal", "voided"):
        return 0
    return before + (status == "misdeal")


def _is_closed(runner: Runner) -> bool:
    """Return whether the deal is closed in the log."""
    return runner.ended


def _broken_off(error: BridgeError) -> str:
    """Return the incident that an error of the bridge is for the deal."""
    match error:
        case NoAnswer():
            return "no_answer"
        case MachineRebooted():
            return "machine_restarted"
        case RemoteProtocolError():
            return "garbled"
    return "link_lost"


def _run(runner: Runner) -> None:
    """Run the deal; where the machine latched in silence, find out how far it got."""
    runner.run()
    if not runner.ended:
        go_on(runner)


def card_size(bridge: Bridge) -> CardSize:
    """Return one card as the machine's sensors feel it, from the constants in its dictionary.

    Positions and lengths are µm along the path.

    Raises:
        firmware_bridge.errors.RemoteProtocolError: the dictionary does not say.
    """
    constants = bridge.dictionary.get("constants")
    known = constants if isinstance(constants, dict) else {}
    try:
        thickness, length = int(known["card_thickness_um"]), int(known["card_length_um"])
        entry, window, stand = int(known["entry_um"]), int(known["window_um"]), int(known["stand_um"])
    except (KeyError, TypeError, ValueError) as error:
        raise RemoteProtocolError("the machine's dictionary does not say how thick and long a card is") from error
    return CardSize(thickness_um=thickness, length_um=length, travel_um=window - entry, entry_um=entry, stand_um=stand)
