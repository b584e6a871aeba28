"""After a break: the deal goes on from where the machine stands, and nothing is asked or moved twice."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from controller.acts import AskPeople, Line
from controller.errors import Unattended
from controller.readiness import make_ready
from controller.seats import parse_word
from controller.table import Seat
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import LinkLost
from firmware_bridge.messages import Ask, Feed, Home, Request, Route, ShelfPass, StatusReply, Taken
from firmware_bridge.words import Asked, Phase
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import forget_worlds, world_named
from vision.sighting import Sighting, State

if TYPE_CHECKING:
    from tests.controller.conftest import AtMachine, MachineMaker


class Death(BaseException):
    """The controller is gone at this moment."""


class RecordingBridge(Bridge):
    """A bridge that keeps what it was asked to command."""

    requests: list[Request]

    def command(self, request: Request) -> Taken:
        self.__dict__.setdefault("requests", []).append(request)
        return super().command(request)

    def sent(self, kind: type[Request]) -> list[Any]:
        return [request for request in self.__dict__.get("requests", []) if isinstance(request, kind)]


def die_at(machine: AtMachine, asked: Asked) -> None:
    """Begin a deal, and die right after the panel was told to ask this."""

    moment, word = WORDS.get(asked, (Asked.NOTHING, ""))

    def asking(act: AskPeople) -> None:
        if act.asked is asked:
            raise Death
        if act.asked is moment:
            dealing.say(parse_word(word, line=1))

    dealing = machine.dealing(asking=asking, code=CODES.get(asked, "whist"))
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
        raise AssertionError("the panel never asked")
    dealing.bridge._drop()


FAULTS = {
    Asked.LOAD_PACK: "",
    Asked.CUT: "",
    Asked.MOVE_CARD: 'kind = "double_feed"\nat = 3',
    Asked.CLEAR_PATH: 'kind = "jam"\nat = 3\nwhere = "exit"',
    Asked.NAME_CARD: 'kind = "faced_card"\nat = 52',
    Asked.COUNT_PACK: 'kind = "missing_card"\ncard = "7C"',
    Asked.RESHUFFLE: "",
    Asked.DECIDE: "",
}
"""A fault that makes the panel ask this."""

WORDS = {
    Asked.RESHUFFLE: (Asked.CUT, "S report cut_exposed"),
    Asked.DECIDE: (Asked.CUT, "5 W report exposed_on nobody_known"),
}
"""What a seat says, and at which question, to make the panel ask this."""

CODES = {Asked.RESHUFFLE: "euchre"}

ENDINGS = {Asked.CLEAR_PATH: "voided", Asked.COUNT_PACK: "new_deal"}
ABSENCE_US = {"at once": 0, "answered meanwhile": 1_900_000, "latched meanwhile": 30_000_000}
"""How long nobody is there; after two seconds the machine has latched, since it heard nothing."""


def scenario(asked: Asked) -> str:
    fault = FAULTS[asked]
    people = "".join(f"{what}_ms = 1_000\n" for what in ("load", "move", "clear", "name", "count", "shuffle", "decide"))
    people += "cut_ms = 300\n"  # the cut tray takes its time besides
    return f"[people]\n{people}[[deal]]\ncut = 26\n" + (f"[[deal.fault]]\n{fault}\n" if fault else "")


def test_every_question_is_died_at() -> None:
    """A tray that is put back twice lies where it lay: `test_a_tray_is_put_back` asks for it as often as it is off."""
    assert set(FAULTS) == set(Asked) - {Asked.NOTHING, Asked.REPLACE_TRAY}


@pytest.mark.parametrize("absence", ABSENCE_US)
@pytest.mark.parametrize("asked", FAULTS, ids=lambda asked: asked.name)
def test_no_question_is_asked_twice(asked: Asked, absence: str, at_machine: MachineMaker) -> None:
    """A card must not be moved twice, nor the pack be cut once dealing has begun."""
    machine = at_machine(scenario(asked))
    die_at(machine, asked)
    machine.world.clock.run_until(machine.world.clock.now_us() + ABSENCE_US[absence])
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert asked not in [ask.asked for ask in bridge.sent(Ask)]
    assert outcome.ending.status == ENDINGS.get(asked, "completed")
    cutting = asked is Asked.CUT and absence == "answered meanwhile"  # the pack comes back when it has been weighed
    still_open = absence == "at once" or cutting
    assert (asked in machine.asked) == still_open, "a question that is still open is told once more"
    assert machine.world.deal == 1, "one pack was laid in"


@pytest.mark.parametrize("absence", ABSENCE_US)
def test_a_count_behind_the_last_card_is_gone_on_with(absence: str, at_machine: MachineMaker) -> None:
    """All cards have arrived; whether one is left in the hopper, or its sensor sticks, people are just counting."""
    stuck = 'kind = "sensor_stuck"\nsensor = "hopper"\nlevel = 1\nat = 9'
    machine = at_machine(f"[people]\ncount_ms = 1_000\n[[deal]]\ncut = 26\n[[deal.fault]]\n{stuck}\n")
    die_at(machine, Asked.COUNT_PACK)
    machine.world.clock.run_until(machine.world.clock.now_us() + ABSENCE_US[absence])
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert Asked.COUNT_PACK not in [ask.asked for ask in bridge.sent(Ask)]
    assert outcome.ending.status == "completed"
    lines = machine.log.lines(outcome.deal)
    codes = [line["code"] for line in lines if line.get("fact") == "machine_fault"]
    assert [code for code in codes if code.startswith("hopper")] == ["hopper_not_empty", "hopper_sensor"]


@pytest.mark.parametrize("asked", [Asked.LOAD_PACK, Asked.CLEAR_PATH, Asked.NAME_CARD], ids=lambda a: a.name)
def test_a_machine_that_forgot_its_question_asks_again(asked: Asked, at_machine: MachineMaker) -> None:
    machine = at_machine(scenario(asked))
    die_at(machine, asked)
    restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert [ask.asked for ask in bridge.sent(Ask)].count(asked) == 1
    assert outcome.ending.status == ENDINGS.get(asked, "completed")


@pytest.mark.parametrize("asked", [Asked.LOAD_PACK, Asked.CUT], ids=lambda asked: asked.name)
def test_a_deal_that_goes_on_at_a_machine_without_its_pack_has_it_laid_in_anew(
    asked: Asked, at_machine: MachineMaker
) -> None:
    """As with a simulated machine, whose world ends with its process; people may have emptied a real one."""
    machine = at_machine()
    die_at(machine, asked)
    forget_worlds()
    Bridge.open(machine.url).close()
    machine.world = world_named(machine.world.name)
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert outcome.ending.status == "completed"
    assert machine.faults(outcome.deal) == (["pack_gone"] if asked is Asked.CUT else [])
    assert machine.world.deal == 1


@pytest.mark.parametrize("absence", ABSENCE_US)
def test_a_tray_is_put_back_where_the_controller_died_asking_for_it(absence: str, at_machine: MachineMaker) -> None:
    """Put back meanwhile, it is not asked for any more; what is left is the key, or the path to be cleared."""
    lifted = '[[deal.act]]\nwhat = "lift_tray"\nseat = "N"\nat = 3\nphase = "shown"\n'
    key = '[[deal.act]]\nwhat = "key"\nat = 3\nphase = "shown"\nafter_ms = 40_000\n'
    machine = at_machine(f"[people]\nreplace_ms = 1_000\n[[deal]]\n{lifted}{key}")
    machine.people_us = 60_000_000
    die_at(machine, Asked.REPLACE_TRAY)
    machine.world.clock.run_until(machine.world.clock.now_us() + ABSENCE_US[absence])
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert outcome.ending.status == "completed"
    assert [ask.asked for ask in bridge.sent(Ask)].count(Asked.REPLACE_TRAY) == (absence == "at once")
    assert machine.faults() == ["tray_lifted"]


def restart(machine: AtMachine) -> None:
    """Take the machine's power away and let it come up again."""
    from firmware_bridge.words import ResetCause

    machine.world._firmware.reset(ResetCause.POWER_ON)
    machine.world.clock.run_until(machine.world.clock.now_us() + 3_000_000)


def test_nobody_knows_whether_a_card_was_moved_where_the_machine_has_restarted(at_machine: MachineMaker) -> None:
    machine = at_machine(scenario(Asked.MOVE_CARD))
    die_at(machine, Asked.MOVE_CARD)
    restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "machine_reset")
    assert [ask.asked for ask in bridge.sent(Ask)] == [Asked.CLEAR_PATH]


def test_a_pack_that_was_offered_is_taken_back_by_whoever_goes_on(at_machine: MachineMaker) -> None:
    """Bridge S2: the dealer showed a face, so the pack is shuffled anew; the controller died before it took it back."""
    machine = at_machine("[people]\ncut_ms = 5_000\nshuffle_ms = 1_000\n[[deal]]\n")

    def tell(line: Line) -> None:
        if line.get("ruling") == "reshuffle":
            raise Death

    def asking(act: AskPeople) -> None:
        if act.asked is Asked.CUT:
            dealing.say(parse_word("E report exposed_on s", line=1))

    dealing = machine.dealing(tell=tell, asking=asking, code="bridge")
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    dealing.bridge._drop()
    outcome = next(machine.dealing(code="bridge").deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults()) == ("completed", [])
    assert machine.asked == [Asked.RESHUFFLE, Asked.CUT]


def test_what_the_seats_said_before_the_break_is_not_said_once_more(at_machine: MachineMaker) -> None:
    """A file of words is read again by the command that goes on; an exposure told twice would be two."""
    machine = at_machine()
    texts = ("5 N report exposed_on s", "9 W waive", "9 E waive", "15 N touch", "30 N touch")
    script = [parse_word(text, line=1) for text in texts]

    def tell(line: Line) -> None:
        if line.get("fact") == "dealt" and line["k"] == 20:
            raise Death

    dealing = machine.dealing(tell=tell, script=script)
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    dealing.bridge._drop()
    outcome = next(machine.dealing(script=script).deals(1, Seat.S))
    assert (outcome.deal, outcome.ending.status) == (1, "completed")
    said = [line["fact"] for line in machine.facts(1, "exposed", "waived", "touched")]
    assert said == ["exposed", "waived", "waived", "touched", "touched"]


def test_what_was_said_in_a_deal_is_not_said_in_the_next_that_is_gone_on_with(at_machine: MachineMaker) -> None:
    """The command that goes on with the second deal reads the file again; one that begins speaks all of it anew."""
    machine = at_machine("[[deal]]\n" * 4)
    script = [parse_word(text, line=1) for text in ("5 N touch", "30 W touch")]
    opened = 0

    def tell(line: Line) -> None:
        nonlocal opened
        opened += line.get("fact") == "deal_opened"
        if opened == 2 and line.get("fact") == "dealt" and line["k"] == 10:
            raise Death

    dealing = machine.dealing(tell=tell, script=script)
    with suppress(Death):
        list(dealing.deals(2, Seat.S))
    dealing.bridge._drop()
    with machine.dealing(script=script) as going_on:
        assert [outcome.deal for outcome in going_on.deals(2, Seat.S)] == [2, 3]
    assert next(machine.dealing(script=script).deals(1, Seat.S)).deal == 4
    assert [len(machine.facts(deal, "touched")) for deal in (1, 2, 3, 4)] == [2, 0, 0, 2]


def test_a_deal_cut_off_before_its_first_card_goes_on_under_the_machines_next_id(at_machine: MachineMaker) -> None:
    """The log intends no feed yet; the machine has had the 52 of the deal before."""
    machine = at_machine()
    dealing = machine.dealing()
    deals = dealing.deals(2, Seat.S)
    next(deals)
    dealing.bridge._drop()
    die_at(machine, Asked.LOAD_PACK)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.deal, outcome.ending.status) == (2, "completed")
    assert bridge.sent(Feed)[0] == Feed(53)


def test_a_halt_is_latched_beyond_the_death_of_the_controller(at_machine: MachineMaker) -> None:
    """Halted before the first card: nobody cut the pack, and nobody clears the path."""
    machine = at_machine('[people]\nsilent = ["cut", "clear_path"]\n[[deal]]\n')
    for _ in range(2):
        bridge = RecordingBridge.open(machine.url)
        with pytest.raises(Unattended):
            next(machine.dealing(bridge=bridge, people_us=3_000_000).deals(1, Seat.S))
        bridge._drop()
    assert [ask.asked for ask in bridge.sent(Ask)] in ([], [Asked.CLEAR_PATH])
    assert not bridge.sent(Feed) + bridge.sent(Route) + bridge.sent(Home)


def test_two_cards_delivered_just_before_a_restart_are_put_right(at_machine: MachineMaker) -> None:
    """The journal knows them as delivered, and the question was never asked."""
    double, reset = 'kind = "double_feed"\nat = 8', 'kind = "reset"\nat = 8\nphase = "done"'
    machine = at_machine(f"[[deal]]\n[[deal.fault]]\n{double}\n[[deal.fault]]\n{reset}\n")
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert outcome.ending.status == "completed"
    assert machine.faults() == ["double_feed", "machine_restarted"]
    assert machine.asked.count(Asked.MOVE_CARD) == 1


def test_a_last_card_delivered_just_before_a_restart_completes_the_deal(at_machine: MachineMaker) -> None:
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 52\nphase = "done"\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults()) == ("completed", ["machine_restarted"])


def test_a_machine_that_forgot_the_card_under_way_halts_the_deal(at_machine: MachineMaker) -> None:
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 8\nphase = "intent"\nafter_ms = 60\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "machine_reset")
    assert machine.faults() == ["machine_restarted", "machine_reset"]
    assert machine.asked[-1] is Asked.CLEAR_PATH
    assert machine.passages() == 8, "the card is not fed again"


def test_a_window_that_went_dark_because_the_machine_restarted_is_not_called_empty(at_machine: MachineMaker) -> None:
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 8\nphase = "shown"\nafter_ms = 5\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert machine.faults() == ["machine_restarted", "machine_reset"]
    assert outcome.ending.fault == "machine_reset"


def test_a_machine_that_cannot_be_homed_after_a_restart_halts_the_deal(
    at_machine: MachineMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.resume.home", lambda bridge, keep: False)
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "reset"\nat = 12\nphase = "done"\n')
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "path_not_empty")
    assert machine.asked[-1] is Asked.CLEAR_PATH


def test_a_path_that_is_not_empty_before_the_first_card_has_the_pack_laid_in_anew(at_machine: MachineMaker) -> None:
    dirt = 'kind = "sensor_stuck"\nsensor = "exit"\nlevel = 1\nat = 1'
    machine = at_machine(f"[people]\ncut_ms = 9_000\n[[deal]]\n[[deal.fault]]\n{dirt}\n")
    die_at(machine, Asked.CUT)
    restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("completed", "")
    assert machine.faults() == ["path_not_empty"]
    assert len(bridge.sent(Feed)) == 52


def test_a_halt_that_was_acknowledged_is_homed_after_a_death(at_machine: MachineMaker) -> None:
    machine = at_machine(scenario(Asked.CLEAR_PATH))

    def tell(line: Line) -> None:
        if line["fact"] == "acknowledged":
            raise Death

    dealing = machine.dealing(tell=tell)
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    dealing.bridge._drop()
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.ending.fault) == ("voided", "jam_exit")
    assert (bridge.sent(Ask), bridge.sent(Home)) == ([], [Home()])


class LastWords(RecordingBridge):
    """Dies as soon as the machine has taken the fifth feed."""

    def command(self, request: Request) -> Taken:
        taken = super().command(request)
        if request == Feed(5):
            raise Death
        return taken


def test_a_misfeed_that_only_the_journal_knows_is_booked_and_tried_again(at_machine: MachineMaker) -> None:
    """Controller and machine both died while the roller slipped; nothing left the hopper."""
    machine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "misfeed"\nat = 5\n')
    bridge = LastWords.open(machine.url)
    with suppress(Death):
        next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    bridge._drop()
    machine.world.clock.run_until(machine.world.clock.now_us() + 1_500_000)
    restart(machine)
    again = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=again).deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults()) == ("completed", ["misfeed"])
    assert again.sent(Feed)[0] == Feed(6)
    assert machine.passages() == 52


class SleepyEye(TruthEye):
    """Does nothing for three seconds when it should look at card 5, as a suspended computer."""

    slept = False

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        if self._world.passage == 5 and not self.slept:
            self.slept = True
            clock = self._world.clock
            clock.run_until(clock.now_us() + 3_000_000)
            after_us, deadline_us = clock.now_us(), clock.now_us() + 500_000
        return super().look(after_us=after_us, deadline_us=deadline_us)


def test_a_machine_that_heard_nothing_for_too_long_is_gone_on_with(at_machine: MachineMaker) -> None:
    """Decision 0007: only the conversation failed, so log and journal are compared and the deal goes on."""
    machine = at_machine()
    outcome = next(machine.dealing(eye=SleepyEye(machine.world)).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert machine.faults() == ["heartbeat_lost"]
    assert len(machine.facts(1, "resumed")) == 1
    assert machine.passages() == 52


@pytest.mark.parametrize("lines", [5, 30, 100, 150])
def test_no_card_is_fed_twice_over_a_death(lines: int, at_machine: MachineMaker) -> None:
    machine = at_machine()
    told: list[Line] = []

    def tell(line: Line) -> None:
        told.append(line)
        if len(told) == lines:
            raise Death

    dealing = machine.dealing(tell=tell)
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    dealing.bridge._drop()
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert machine.passages() == 52
    lines_on_record = machine.log.lines(1)
    assert told == lines_on_record[: len(told)], "no line that was told is lost"


class DoubtingEye(TruthEye):
    """Is not sure of card 5 at its first look."""

    doubted = False

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        sighting = super().look(after_us=after_us, deadline_us=deadline_us)
        if self._world.passage == 5 and not self.doubted:
            self.doubted = True
            return Sighting(state=State.NOT_SURE)
        return sighting


class FrailBridge(Bridge):
    """Loses the link when the machine is asked, at card 5, whether it is still the same."""

    eye: DoubtingEye

    def status(self) -> StatusReply:
        if self.eye.doubted:
            raise LinkLost("sim://", "pulled")
        return super().status()


@pytest.mark.parametrize("away_us", [0, 3_000_000], ids=["back at once", "latched meanwhile"])
def test_a_look_that_a_lost_link_broke_off_is_taken_again(away_us: int, at_machine: MachineMaker) -> None:
    machine = at_machine()
    eye, bridge = DoubtingEye(machine.world), FrailBridge.open(machine.url)
    clock = machine.world.clock

    def open_again() -> Bridge:
        clock.run_until(clock.now_us() + away_us)
        return machine.open()

    bridge.eye = eye
    outcome = next(machine.dealing(eye=eye, bridge=bridge, open_bridge=open_again).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards, outcome.unread) == ("completed", 52, 0)
    assert machine.faults()[0] == "link_lost"
    assert "machine_silent" not in machine.faults()


class LastLook(TruthEye):
    """Says when the last card was seen."""

    cards = 0

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        self.cards += 1
        return super().look(after_us=after_us, deadline_us=deadline_us)


class EndBridge(Bridge):
    """Loses the link when the machine is asked whether the hopper is empty behind the last card."""

    eye: LastLook

    def status(self) -> StatusReply:
        if self.eye.cards == 52:
            raise LinkLost("sim://", "pulled")
        return super().status()


@pytest.mark.parametrize("dies", [False, True], ids=["opened anew", "died besides"])
def test_the_hopper_behind_the_last_card_is_looked_into_after_a_lost_link(dies: bool, at_machine: MachineMaker) -> None:
    machine = at_machine()
    eye, bridge = LastLook(machine.world), EndBridge.open(machine.url)
    bridge.eye = eye

    def open_again() -> Bridge:
        if dies:
            raise Death
        return machine.open()

    dealing = machine.dealing(eye=eye, bridge=bridge, open_bridge=open_again)
    with suppress(Death):
        next(dealing.deals(1, Seat.S))
    if dies:
        next(machine.dealing().deals(1, Seat.S))
    assert machine.log.lines(1)[-1]["status"] == "completed"
    assert machine.faults() == ["link_lost"]


# --- a shelf pass ---


class PassBridge(RecordingBridge):
    """Dies at the shelf pass with the id `at`: before the machine has it, or as soon as it is taken."""

    at: int
    taken: bool

    def command(self, request: Request) -> Taken:
        if isinstance(request, ShelfPass) and request.command_id == self.at:
            if self.taken:
                super().command(request)
            raise Death
        return super().command(request)


def with_shelves(at_machine: MachineMaker) -> AtMachine:
    """A machine that shuffles."""
    machine = at_machine()
    name = f"{machine.world.name}shelves"
    url = f"sim://{name}?seed=7&lacks=seat_buttons"
    Bridge.open(url).close()
    return replace(machine, url=url, world=world_named(name))


class TakingBackBridge(Bridge):
    """Loses the link when the offered pack is to be taken back."""

    def command(self, request: Request) -> Taken:
        if request == Ask(Asked.NOTHING, 0, 0):
            raise LinkLost("sim://", "pulled")
        return super().command(request)


def test_a_shuffle_whose_numbers_were_not_drawn_yet_is_begun(at_machine: MachineMaker) -> None:
    """Bridge S2: the dealer showed a face; the link was lost before the pack was back for the new shuffle."""
    machine = with_shelves(at_machine)

    def asking(act: AskPeople) -> None:
        if act.asked is Asked.CUT and not any(line.get("code") == "link_lost" for line in machine.told):
            dealing.say(parse_word("E report exposed_on s", line=1))

    dealing = machine.dealing(bridge=TakingBackBridge.open(machine.url), asking=asking, code="bridge")
    outcome = next(dealing.deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults()) == ("completed", ["link_lost"])
    assert len(machine.facts(1, "draw_committed")) == 2


def die_in_pass(machine: AtMachine, at: int, *, taken: bool, absent_us: int) -> None:
    """Begin a deal, die at a pass, and be away for some time."""
    bridge = PassBridge.open(machine.url)
    bridge.at, bridge.taken = at, taken
    with suppress(Death):
        next(machine.dealing(bridge=bridge).deals(1, Seat.S))
        raise AssertionError("there was no such pass")
    bridge._drop()
    machine.world.clock.run_until(machine.world.clock.now_us() + absent_us)


def cards_seen(machine: AtMachine) -> list[str]:
    return [line["card"] for line in machine.facts(1, "seen")]


WHOLE_PASS_US = 20_000_000
"""Longer than a pass over the shelves takes, and than a machine waits for a word."""

BROKEN_US = 3_000_000
"""In the middle of a pass."""


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    ("taken", "absent_us", "reboot", "draws"),
    [
        (False, 0, False, 1),
        (False, 0, True, 1),
        (True, 0, False, 1),
        (True, WHOLE_PASS_US, False, 1),
        (True, WHOLE_PASS_US, True, 1),
        (True, BROKEN_US, True, 2),
    ],
    ids=["not sent", "not sent, restarted", "under way", "ended", "ended, restarted", "broken off"],
)
def test_a_shelf_pass_that_the_journal_knows_as_ended_stands_and_a_broken_one_is_drawn_anew(
    number: int, taken: bool, absent_us: int, reboot: bool, draws: int, at_machine: MachineMaker
) -> None:
    machine, calm = with_shelves(at_machine), with_shelves(at_machine)
    next(calm.dealing().deals(1, Seat.S))
    die_in_pass(machine, number, taken=taken, absent_us=absent_us)
    if reboot:
        restart(machine)
    bridge = RecordingBridge.open(machine.url)
    outcome = next(machine.dealing(bridge=bridge).deals(1, Seat.S))
    assert (outcome.ending.status, outcome.cards) == ("completed", 52)
    assert len(machine.facts(1, "draw_committed")) == draws
    assert [code for code in machine.faults() if code != "heartbeat_lost"] == ["shuffle_failed"] * (draws - 1)
    assert (cards_seen(machine) == cards_seen(calm)) == (draws == 1), "the order that was drawn"
    again = [sent for sent in bridge.sent(ShelfPass) if sent.command_id == number]
    assert len(again) == (not taken), "what the machine has begun is never sent again"


@pytest.mark.parametrize("number", [1, 2])
def test_a_pass_that_people_cleared_meanwhile_has_not_ended(number: int, at_machine: MachineMaker) -> None:
    """Another command of the program may have had the machine cleared; the pack is in people's hands."""
    machine = with_shelves(at_machine)
    die_in_pass(machine, number, taken=True, absent_us=BROKEN_US)
    restart(machine)
    with Bridge.open(machine.url) as bridge:
        make_ready(bridge, people_us=60_000_000, asking=lambda act: None)
        assert bridge.status().phase is Phase.ABORT
    outcome = next(machine.dealing().deals(1, Seat.S))
    assert (outcome.ending.status, machine.faults()) == ("completed", ["shuffle_failed"])
    assert len(machine.facts(1, "draw_committed")) == 2
