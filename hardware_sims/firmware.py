"""The simulated firmware: answers requests in the real bytes, and lives through resets by its journal.

Does not model: time that the processor takes, the watchdog, a full receive buffer, a keyed session.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from firmware_bridge.codec import BadFrame, Decoder, NotUnderstood, encode_reply, request_in
from firmware_bridge.dictionary import pack_dictionary, words_of_protocol
from firmware_bridge.events import Answered, Booted, Event
from firmware_bridge.layout import Message
from firmware_bridge.messages import (
    DICTIONARY_CHUNK,
    PROTOCOL,
    Acknowledge,
    AcknowledgeEvent,
    Ask,
    Clear,
    DictionaryReply,
    Feed,
    Heartbeat,
    Hello,
    HelloReply,
    Home,
    Jog,
    ReadDictionary,
    ReadStatus,
    Request,
    Route,
    ShelfPass,
    StatusReply,
    Stop,
    StopNow,
    Taken,
)
from firmware_bridge.words import Asked, Capability, FaultCode, MachineState, ResetCause, Sensor, Status
from hardware_sims.clock import Planned, VirtualClock
from hardware_sims.core import COMMANDED, SUPPLY_LOW_MV, TOO_HOT_C, MotionCore, Outside
from hardware_sims.cut_sequence import CutSequence
from hardware_sims.event_queue import EventQueue
from hardware_sims.faults import BROWN_OUT_MV
from hardware_sims.journal import Journal
from hardware_sims.mechanism import Mechanism
from hardware_sims.path import Geometry
from hardware_sims.seat_events import SeatEvents
from hardware_sims.seeded import Stream
from hardware_sims.sequencer import Sequencer
from hardware_sims.shelf_sequence import ShelfSequence

BUILD: Final = hashlib.sha256(b"pone simulated firmware, protocol 1").digest()[:8]
ALL: Final = Capability(sum(Capability))
"""What the reference machine has."""

_LAST_REQUEST: Final = 0x3F
"""Type bytes up to this one are requests, and never left without an answer."""


@lru_cache(maxsize=4)
def dictionary(geometry: Geometry) -> bytes:
    """Return the machine's compressed dictionary: the words of the protocol, and its constants in µm and µs."""
    return pack_dictionary(words_of_protocol() | {"constants": geometry.constants(), "simulated": True})


class Firmware:
    """One machine's firmware. It is up from the start; a reset takes it down for the time of a boot.

    Attributes:
        journal: what survives a reset.
    """

    def __init__(
        self,
        *,
        clock: VirtualClock,
        mechanism: Mechanism,
        journal: Journal,
        outside: Outside,
        serial: bytes,
        seed: int,
        capabilities: Capability = ALL,
    ) -> None:
        self.journal = journal
        self._capabilities = capabilities
        self._clock = clock
        self._mechanism = mechanism
        self._outside = outside
        self._serial = serial
        self._seed = seed
        self._dictionary = dictionary(mechanism.geometry)
        self._silence_us = 0
        self._silence: Planned | None = None
        journal.restart(clock.now_us())
        self._start(ResetCause.POWER_ON)

    def _start(self, cause: ResetCause) -> None:
        """Come up: nothing moves, and nothing is known but the journal and the sensors.

        While the supply is too low the brown-out detector keeps the processor down.
        """
        clock = self._clock
        if self._mechanism.switches.supply_mv < BROWN_OUT_MV:
            clock.at(clock.now_us() + self._mechanism.geometry.boot_us, partial(self._start, cause))
            return
        boot_id = Stream(self._seed, "boot", self.journal.boots).bits() & 0xFFFF_FFFF
        self._up = True
        self._cause = cause
        self._started_us = clock.now_us()
        self._decoder = Decoder()
        self._heard_us = clock.patient_us()
        self._asked = Asked.NOTHING
        self._last_ask: tuple[int, Ask] | None = None
        self._late_reply: Planned | None = None
        self._events = EventQueue(clock, boot_id, self._outside.say)
        self._seats = SeatEvents(self._events)
        self._core = core = MotionCore(
            clock=clock,
            mechanism=self._mechanism,
            journal=self.journal,
            events=self._events,
            outside=self._outside,
            capabilities=self._capabilities,
        )
        self._switched = core.sensors()
        self._sequencer = Sequencer(core)
        self._shelves = ShelfSequence(core)
        self._cut = CutSequence(core)
        self._events.post(Booted, 0, clock.now_us(), cause, core.phase)

    def reset(self, cause: ResetCause) -> None:
        """Go down at once, wherever a card may be, and come up again after the time of a boot."""
        if not self._up:
            return
        self._up = False
        for planned in (self._silence, self._late_reply):
            if planned is not None:
                planned.call_off()
        self._silence_us = 0
        self._silence = None
        self._events.close()
        self._core.close()
        self._outside.show_on_panel(Asked.NOTHING, 0, 0)
        self.journal.restart(self._clock.now_us())
        self._clock.at(self._clock.now_us() + self._mechanism.geometry.boot_us, partial(self._start, cause))

    # --- requests ------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> None:
        """Take bytes from the wire and answer the requests among them."""
        if not self._up:
            return
        for packet in self._decoder.feed(data):
            if isinstance(packet, BadFrame) or packet.type_byte > _LAST_REQUEST:
                continue
            self._heard_us = self._clock.patient_us()
            request = request_in(packet)
            if isinstance(request, NotUnderstood):
                self._outside.say(encode_reply(packet, self._taken(request.status)))
                continue
            reply = self._answer(request, packet.sequence)
            if reply is not None:
                self._reply(request, encode_reply(packet, reply))

    def _reply(self, request: Request, frame: bytes) -> None:
        """Say a reply; that to a clear only when what it tells is durable."""
        if isinstance(request, Clear):
            self._late_reply = self._clock.at(self.journal.durable_us, partial(self._outside.say, frame))
        else:
            self._outside.say(frame)

    def _answer(self, request: Request, sequence: int) -> Message | None:
        match request:
            case AcknowledgeEvent(boot_id=boot_id, event_id=event_id):
                self._events.acknowledge(boot_id, event_id)
                if boot_id == self._events.boot_id:
                    self._seats.acknowledged(event_id)
                return None
            case Hello():
                self._last_ask = None
                return self._hello()
            case ReadDictionary(offset=offset):
                return self._piece(offset)
            case ReadStatus():
                return self._status()
            case Heartbeat(timeout_ms=timeout_ms):
                self._expect_heartbeat(timeout_ms * 1_000)
                return self._taken(Status.OK)
            case Ask():
                return self._taken(self._ask(request, sequence))
            case _:
                self._last_ask = None
                return self._taken(self._command(request))

    def _command(self, request: Request) -> Status:
        match request:
            case Feed(command_id=command_id):
                return self._sequencer.feed(command_id)
            case Route(command_id=command_id, tray=tray):
                return self._sequencer.route(command_id, tray)
            case ShelfPass(command_id=command_id, cards=cards, shelves=shelves):
                return self._shelves.begin(command_id, cards, shelves)
            case Clear(command_id=command_id, verdict=verdict):
                return self._sequencer.clear(command_id, verdict)
            case Acknowledge(latch_id=latch_id):
                return self._core.acknowledge(latch_id)
            case _:
                return self._order(request)

    def _order(self, request: Request) -> Status:
        """Take a command that is no card's and no latch's."""
        match request:
            case Home():
                return self._sequencer.home()
            case Jog(um=um):
                return self._sequencer.jog(um)
            case Stop():
                self._core.halt(FaultCode.STOPPED)
                return Status.OK
            case StopNow():
                self._core.stop_now(FaultCode.STOPPED_NOW)
                return Status.OK
            case _:
                return Status.UNKNOWN

    def _taken(self, status: Status) -> Taken:
        return Taken(status, self._core.phase, self._core.last_id)

    def _hello(self) -> HelloReply:
        return HelloReply(
            status=Status.OK,
            protocol=PROTOCOL,
            build=BUILD,
            serial=self._serial,
            boot_id=self._events.boot_id,
            reset_cause=self._cause,
            capabilities=self._capabilities,
            last_id=self._core.last_id,
            phase=self._core.phase,
            state=self._core.state,
            fault=self._core.fault,
            dictionary_length=len(self._dictionary),
            dictionary_crc=zlib.crc32(self._dictionary),
        )

    def _piece(self, offset: int) -> DictionaryReply:
        piece = self._dictionary[offset : offset + DICTIONARY_CHUNK]
        return DictionaryReply(Status.OK, offset, piece.ljust(DICTIONARY_CHUNK, b"\0"))

    def _status(self) -> StatusReply:
        now = self._clock.now_us()
        core, gauges = self._core, self._mechanism.switches
        count_n, count_e, count_s, count_w, count_trump, count_reject, count_stock = core.counts
        return StatusReply(
            status=Status.OK,
            state=core.state,
            fault=core.fault,
            latch_id=core.latch_id,
            sensors=core.sensors(),
            lamp=int(self._mechanism.lamp_on(now)),
            last_id=core.last_id,
            phase=core.phase,
            count_n=count_n,
            count_e=count_e,
            count_s=count_s,
            count_w=count_w,
            count_trump=count_trump,
            count_reject=count_reject,
            count_stock=count_stock,
            asked=self._asked,
            supply_mv=gauges.supply_mv if core.has(Capability.SUPPLY) else 0,
            temperature_c=gauges.driver_c if core.has(Capability.TEMPERATURE) else 0,
            now_us=now - self._started_us,
        )

    # --- the panel -----------------------------------------------------------------------------------------------

    def _ask(self, request: Ask, sequence: int) -> Status:
        """Show a question; one that is only sent again, because the reply was lost, is not asked twice.

        Sequence numbers come round, so the last question is forgotten at the next command.
        """
        if (sequence, request) == self._last_ask:
            return Status.OK
        if not self._core.has(Capability.PANEL):
            return Status.UNKNOWN
        status = self._offer_or_withdraw(request.asked)
        if status is not Status.OK:
            return status
        self._last_ask = (sequence, request)
        self._asked = request.asked
        if self._core.state is not MachineState.OFFERING or request.asked is Asked.NOTHING:
            self._outside.show_on_panel(request.asked, request.a, request.b)
        return Status.OK

    def _offer_or_withdraw(self, asked: Asked) -> Status:
        """Offer the pack to be cut, or take it back, where there is a cut tray; else see that an answer finds room."""
        offering = self._core.state is MachineState.OFFERING
        if asked is Asked.CUT and self._core.has(Capability.CUT_TRAY):
            return self._cut.offer()
        if offering and asked is Asked.NOTHING:
            self._cut.withdraw()
        elif offering or self._events.room < 1:
            return Status.BUSY
        return Status.OK

    def answered(self, asked: Asked, a: int, b: int, c: int) -> None:
        """Take the people's answer to the question on the panel."""
        self._asked = Asked.NOTHING
        if self._core.state is MachineState.OFFERING:
            self._cut.completed()
            return
        if asked is Asked.LOAD_PACK:
            self._sequencer.count_anew()
        self._events.post(Answered, 0, self._clock.now_us(), asked, a, b, c)

    def packet_lifted(self) -> None:
        """Feel that the upper packet is off the cut tray."""
        self._cut.lifted()

    # --- seats, switches and gauges ------------------------------------------------------------------------------

    def acted(self, needs: Capability, kind: Callable[..., Event], *values: int) -> None:
        """Take what somebody at the table did, if the machine has what feels it."""
        if self._up and self._core.has(needs):
            self._seats.acted(kind, self._clock.now_us(), *values)

    def switched(self) -> None:
        """Look at the switches anew: the step interrupt does so at every step."""
        before, self._switched = self._switched, self._core.sensors()
        if not self._up:
            return
        closed = self._switched & ~before
        if closed & Sensor.E_STOP:
            self._core.stop_now(FaultCode.E_STOP)
        if closed & Sensor.LID:
            self._core.stop_now(FaultCode.LID_OPEN)
        dealing = self._core.state in COMMANDED or self._core.state is MachineState.SHOWING
        if before & ~self._switched & Sensor.BOARD and dealing:
            self._core.halt(FaultCode.BOARD_ABSENT)

    def gauged(self) -> None:
        """Look at supply and temperature anew."""
        gauges, core = self._mechanism.switches, self._core
        if self._up and core.has(Capability.SUPPLY) and gauges.supply_mv < SUPPLY_LOW_MV:
            core.halt(FaultCode.SUPPLY_LOW, gauges.supply_mv)
        if self._up and core.has(Capability.TEMPERATURE) and gauges.driver_c >= TOO_HOT_C:
            core.halt(FaultCode.TOO_HOT, gauges.driver_c)

    def motor_stands(self) -> None:
        """Feel that the encoder does not follow the steps, if a motor turns."""
        if self._up and (self._core.state in COMMANDED or self._core.state is MachineState.HOMING):
            self._core.stop_now(FaultCode.MOTOR_STALLED)

    # --- the heartbeat -------------------------------------------------------------------------------------------

    def _expect_heartbeat(self, silence_us: int) -> None:
        self._silence_us = silence_us
        if self._silence is not None:
            self._silence.call_off()
        self._silence = self._clock.patience(silence_us, self._check_silence) if silence_us else None

    def _check_silence(self) -> None:
        """Latch, if nothing was heard for the time agreed; the next heartbeat switches the watch on again."""
        left = self._heard_us + self._silence_us - self._clock.patient_us()
        self._silence = self._clock.patience(left, self._check_silence) if left > 0 else None
        if left <= 0:
            self._core.halt(FaultCode.HEARTBEAT_LOST)
