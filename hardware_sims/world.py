"""A simulated world: one machine, the people at its table and one clock; and the worlds that there are, by name."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from functools import partial
from typing import Final

from firmware_bridge.words import Asked, Phase
from hardware_sims.clock import VirtualClock
from hardware_sims.errors import WorldInUse
from hardware_sims.faults import (
    DoubledBytes,
    DroppedBytes,
    Fault,
    FlippedBytes,
    FrameFault,
    FrozenFrames,
    LateFrames,
    RepeatedFrame,
    Reset,
    Silence,
)
from hardware_sims.firmware import Firmware
from hardware_sims.journal import Journal
from hardware_sims.mechanism import Mechanism
from hardware_sims.path import REFERENCE
from hardware_sims.people import People
from hardware_sims.physical import PhysicalCard, made_card
from hardware_sims.scenario import DealPlan, Scenario, load_scenario
from hardware_sims.scene import WindowScene
from hardware_sims.seeded import Stream
from hardware_sims.truth import DealTruth, Truth, cards_now
from hardware_sims.view import window_scene
from hardware_sims.wire import Line

DEFAULT_STYLE: Final = "plain"
DEFAULT_BACK: Final = "lattice"
"""Style and back of packs of which the scenario says nothing; `hardware_sims.packs` draws them."""


class World:
    """One simulated machine and all around it.

    Attributes:
        name: as in `sim://NAME`.
        scenario: what is to happen.
        seed: what everything random in this world depends on.
        clock: the only time there is.
        received: bytes that have come to the controller's end of the wire and were not read.
    """

    def __init__(self, scenario: Scenario, *, seed: int, name: str = "", journal: Journal | None = None) -> None:
        self.name = name
        self.scenario = scenario
        self.seed = seed
        self.clock = VirtualClock()
        self.received = bytearray()
        self._client: object | None = None
        self._mechanism = Mechanism(REFERENCE)
        self._closed: list[DealTruth] = []
        self._plan = DealPlan()
        self._laid: tuple[PhysicalCard, ...] = ()
        self._cards_made = 0
        self._happened: set[Reset | Silence] = set()
        self._to_machine = Line(self.clock, lambda data: self._firmware.receive(data))
        self._from_machine = Line(self.clock, self._receive)
        self._people = People(
            clock=self.clock,
            mechanism=self._mechanism,
            manners=scenario.people,
            lay_next_pack=self._lay_next_pack,
            answer=lambda asked, a, b, c: self._firmware.answered(asked, a, b, c),
        )
        self._firmware = Firmware(
            clock=self.clock,
            mechanism=self._mechanism,
            journal=Journal(REFERENCE.journal_us) if journal is None else journal,
            outside=self,
            serial=f"SIM{zlib.crc32(name.encode()) & 0xFFFFF:05X}".encode(),
            seed=seed,
        )

    # --- the cable -----------------------------------------------------------------------------------------------

    def plug_in(self, client: object) -> None:
        """Let a client have the controller's end of the wire.

        Raises:
            WorldInUse: another has it.
        """
        if self._client is not None and self._client is not client:
            raise WorldInUse(self.name, "its port is open already: close it first, or use another name")
        self._client = client
        self.received.clear()

    def unplug(self, client: object) -> None:
        """Take a client's end of the wire away; the machine goes on."""
        if self._client is client:
            self._client = None
            self.received.clear()

    def send(self, data: bytes) -> None:
        """Put the controller's bytes on the wire."""
        self._to_machine.send(data)

    def _receive(self, data: bytes) -> None:
        if self._client is not None and data:
            self.received += data
            self.clock.wake()

    # --- what the firmware is connected to -----------------------------------------------------------------------

    def say(self, frame: bytes) -> None:
        """Put the machine's bytes on the wire."""
        self._from_machine.send(frame)

    def show_on_panel(self, asked: Asked, a: int, b: int) -> None:
        """Let the people see a question."""
        self._people.see(asked, a, b)

    def reached(self, phase: Phase, when_us: int) -> None:
        """Let the faults happen that wait for this phase of this passage."""
        if not self._plan.faults:
            return
        mechanism = self._mechanism
        passage = mechanism.next_passage if phase is Phase.INTENT else mechanism.next_passage - 1
        for fault in self._plan.faults:
            match fault:
                case Reset(at=at, phase=waited) if at == passage and waited is phase and fault not in self._happened:
                    self._happened.add(fault)
                    self.clock.at(when_us + fault.after_ms * 1_000, partial(self._reset, fault))
                case Silence(at=at) if at == passage and phase is Phase.INTENT and fault not in self._happened:
                    self._happened.add(fault)
                    until = self.clock.now_us() + fault.for_ms * 1_000
                    self._to_machine.silent_until_us = self._from_machine.silent_until_us = until
                case _:
                    pass

    def _reset(self, fault: Reset) -> None:
        self._from_machine.cut()
        self._firmware.reset(fault.cause)

    # --- packs ---------------------------------------------------------------------------------------------------

    def _lay_next_pack(self) -> DealPlan:
        """Close the account of the present pack, collect it, and lay in the next one."""
        mechanism, now = self._mechanism, self.clock.now_us()
        if self._laid:
            self._closed.append(self._account())
        mechanism.take_from_path(now, window_only=True)
        mechanism.holders.collect()
        number = len(self._closed) + 1
        self._plan = plan = self.scenario.deal(number)
        self._happened = set()
        lying = Stream(self.seed, "lying", number)
        pack = []
        for card in plan.cards(Stream(self.seed, "order", number)):
            self._cards_made += 1
            pack.append(made_card(self._cards_made, card, mechanism.geometry.card_thickness_um, lying))
        self._laid = tuple(pack)
        mechanism.begin_deal(plan.faults)
        mechanism.holders.lay(pack)
        spoilt = [fault for fault in plan.faults if isinstance(fault, (DroppedBytes, FlippedBytes, DoubledBytes))]
        for line, direction in ((self._to_machine, "to_machine"), (self._from_machine, "from_machine")):
            faults = [fault for fault in spoilt if fault.direction == direction]
            line.spoil(faults, Stream(self.seed, direction, number))
        return plan

    def _account(self) -> DealTruth:
        numbers = {card.number for card in self._laid}
        cards = cards_now(self._mechanism, self.clock.now_us())
        return DealTruth(
            deal=len(self._closed) + 1,
            laid=tuple(str(card.card) for card in self._laid),
            passages=tuple(tuple(str(card.card) for card in cards) for cards in self._mechanism.passages),
            cards=tuple(card for card in cards if card.number in numbers),
        )

    # --- what is really so ---------------------------------------------------------------------------------------

    def truth(self) -> Truth:
        """Return what really became of every card so far."""
        present = (self._account(),) if self._laid else ()
        return Truth(seed=self.seed, now_us=self.clock.now_us(), deals=(*self._closed, *present))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the present pack, those that lie in the future included."""
        return self._plan.faults

    @property
    def deal(self) -> int:
        """The number of the present pack, from 1; 0 before the first."""
        return len(self._closed) + bool(self._laid)

    @property
    def passage(self) -> int:
        """The number of the last passage of this deal that began; 0 before the first."""
        return self._mechanism.next_passage - 1

    @property
    def progress(self) -> tuple[int, int]:
        """The present pack and how many of its passages are over."""
        return self.deal, self._mechanism.passages_over

    def dark_us(self) -> int:
        """Return the last moment, up to now, at which the lamp of the window was off."""
        return self._mechanism.dark_us(self.clock.now_us())

    @property
    def frame_faults(self) -> tuple[FrameFault, ...]:
        """The faults of the camera that are in force now."""
        passage = self.passage
        return tuple(
            fault
            for fault in self._plan.faults
            if (isinstance(fault, (LateFrames, RepeatedFrame)) and fault.at == passage)
            or (isinstance(fault, FrozenFrames) and fault.at <= passage)
        )

    def window_scene(self, at_us: int) -> WindowScene:
        """Return what the camera has before it at a moment, not later than now.

        The machine remembers the card on the path and the last one that left it; what was in view before that is
        forgotten.
        """
        style, back = self.scenario.style or DEFAULT_STYLE, self.scenario.back or DEFAULT_BACK
        return window_scene(self._mechanism, at_us, style=style, back=back, seed=self.seed)


# --- the worlds there are --------------------------------------------------------------------------------------------

_WORLDS: Final[dict[str, tuple[World, str, int | None]]] = {}
"""By name: the world, and the scenario and seed that were asked for."""


def world_named(
    name: str, *, scenario: str = "", seed: int | None = None, entropy: Callable[[int], bytes] = os.urandom
) -> World:
    """Return the world of a name, made now if there is none; it lives until `forget_worlds`.

    Args:
        name: as in `sim://NAME`.
        scenario: a file, or a name of a shipped scenario; empty for endless plain deals.
        seed: what everything random depends on; None for the scenario's own, or else one from `entropy`.
        entropy: gives that many random bytes.

    Raises:
        ScenarioError: the scenario cannot be used.
        WorldInUse: the world is there already, with another scenario or seed.
    """
    known = _WORLDS.get(name)
    if known is not None:
        world, *made_for = known
        if (scenario, seed) not in (("", None), tuple(made_for)):
            what = f"scenario {made_for[0] or 'none'}, seed {'any' if made_for[1] is None else made_for[1]}"
            raise WorldInUse(name, f"it is running already, with {what}: use another name")
        return world
    plan = load_scenario(scenario) if scenario else Scenario()
    chosen = seed if seed is not None else plan.seed
    world = World(plan, seed=int.from_bytes(entropy(7), "little") if chosen is None else chosen, name=name)
    _WORLDS[name] = (world, scenario, seed)
    return world


def forget_worlds() -> None:
    """Let every world end; what is opened next by any name is new."""
    _WORLDS.clear()
