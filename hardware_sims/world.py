"""A simulated world: one machine, the people at its table and one clock; and the worlds that there are, by name."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from typing import Final

from firmware_bridge.words import Asked, Capability, ResetCause, Sensor, Tray
from hardware_sims.clock import VirtualClock
from hardware_sims.errors import WorldInUse
from hardware_sims.exposures import TableState
from hardware_sims.faults import (
    CameraGone,
    Fault,
    FrameFault,
    FrozenFrames,
    LateFrames,
    RepeatedFrame,
    StrayLight,
    TableCameraGone,
)
from hardware_sims.firmware import ALL, Firmware
from hardware_sims.happenings import Happenings
from hardware_sims.journal import Journal
from hardware_sims.link_faults import LineFault
from hardware_sims.mechanism import Mechanism
from hardware_sims.moments import Moment
from hardware_sims.pack_faults import CellDrift
from hardware_sims.path import REFERENCE
from hardware_sims.people import People
from hardware_sims.physical import PhysicalCard, made_card
from hardware_sims.plan import DealPlan, Scenario
from hardware_sims.scenario import load_scenario
from hardware_sims.scene import WindowScene
from hardware_sims.seeded import Stream, mixed
from hardware_sims.truth import DealTruth, Truth, cards_now
from hardware_sims.view import window_scene
from hardware_sims.wire import Line
from vision.cards import PACK_SIZES

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

    def __init__(
        self,
        scenario: Scenario,
        *,
        seed: int,
        name: str = "",
        journal: Journal | None = None,
        lacks: Capability = Capability.NONE,
    ) -> None:
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
        self._to_machine = Line(self.clock, lambda data: self._firmware.receive(data))
        self._from_machine = Line(self.clock, self._receive)
        switches = self._mechanism.switches
        switches.calibrated = bool(scenario.machine.calibrated)
        if scenario.machine.board:
            switches.close(Sensor.BOARD)
        self._happenings = Happenings(
            clock=self.clock,
            mechanism=self._mechanism,
            firmware=lambda: self._firmware,
            reset=self._reset,
            silence=self._silence,
        )
        self._people = People(
            clock=self.clock,
            mechanism=self._mechanism,
            manners=scenario.people,
            lay_next_pack=self._lay_next_pack,
            panel=lambda: self._firmware,
            stream=Stream(seed, "people"),
        )
        self._firmware = Firmware(
            clock=self.clock,
            mechanism=self._mechanism,
            journal=Journal(REFERENCE.journal_us) if journal is None else journal,
            outside=self,
            serial=f"SIM{zlib.crc32(name.encode()) & 0xFFFFF:05X}".encode(),
            seed=seed,
            capabilities=ALL & ~scenario.machine.lacking & ~lacks,
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

    def reached(self, moment: Moment, when_us: int) -> None:
        """Let happen what waits for this moment."""
        self._happenings.reached(moment, when_us)

    def _silence(self, until_us: int) -> None:
        for line in (self._to_machine, self._from_machine):
            line.silent_until_us = max(line.silent_until_us, until_us)

    def _reset(self, cause: ResetCause) -> None:
        self._from_machine.cut()
        self._firmware.reset(cause)

    # --- packs ---------------------------------------------------------------------------------------------------

    def _lay_next_pack(self, asked: int) -> DealPlan:
        """Close the account of the present pack, collect it, and lay in the next one."""
        mechanism, now = self._mechanism, self.clock.now_us()
        if self._laid:
            self._closed.append(self._account())
        mechanism.take_from_path(now, window_only=True)
        mechanism.holders.collect()
        mechanism.cut_tray.take_out()
        number = len(self._closed) + 1
        self._plan = plan = self.scenario.deal(number)
        lying = Stream(self.seed, "lying", number)
        pack = []
        known = asked if asked in PACK_SIZES else 52
        for card in plan.cards(Stream(self.seed, "order", number), asked=known):
            self._cards_made += 1
            pack.append(made_card(self._cards_made, card, mechanism.geometry.card_thickness_um, lying))
        self._laid = tuple(pack)
        mechanism.begin_deal(plan.faults)
        creep = sum(fault.grams_per_s for fault in plan.faults if isinstance(fault, CellDrift))
        mechanism.cut_tray.begin_deal(Stream(self.seed, "cell", number), creep)
        mechanism.holders.lay(pack)
        self._happenings.begin_deal(plan)
        self._happenings.reached(Moment.LOADED, self.clock.now_us())
        spoilt = [fault for fault in plan.faults if isinstance(fault, LineFault)]
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
        """The faults of the window's camera that are in force now."""
        passage = self.passage
        return tuple(
            fault
            for fault in self._plan.faults
            if (isinstance(fault, (LateFrames, RepeatedFrame)) and fault.at == passage)
            or (isinstance(fault, (FrozenFrames, CameraGone, StrayLight)) and fault.at <= passage)
        )

    @property
    def table_camera_works(self) -> bool:
        """Whether the camera over the table gives pictures."""
        return not any(isinstance(fault, TableCameraGone) and fault.at <= self.passage for fault in self._plan.faults)

    def window_scene(self, at_us: int) -> WindowScene:
        """Return what the camera has before it at a moment, not later than now.

        The machine remembers the card on the path and the last one that left it; what was in view before that is
        forgotten.
        """
        style, back = self.scenario.style or DEFAULT_STYLE, self.scenario.back or DEFAULT_BACK
        return window_scene(self._mechanism, at_us, style=style, back=back, seed=self.seed)

    def table_state(self) -> TableState:
        """Return what lies on the table now, for the camera over it."""
        mechanism, now = self._mechanism, self.clock.now_us()
        mechanism.settle(now)
        cut, trays = mechanism.cut_tray, mechanism.holders.trays
        packets = {_place(tray): len(cards) for tray, cards in trays.items()}
        if cut.cards and not cut.lifted:
            packets["cut"] = len(cut.cards)
        return TableState(
            seed=mixed(self.seed ^ self.deal),
            fit=self.scenario.table,
            style=self.scenario.style or DEFAULT_STYLE,
            back=self.scenario.back or DEFAULT_BACK,
            packets=packets,
            cut=(len(cut.lifted), len(cut.cards)) if cut.lifted else None,
            faces={_place(tray): cards[-1].card for tray, cards in trays.items() if cards and cards[-1].faced},
            plan=self._plan.exposed,
            shown=self._happenings.faces.seen(now),
        )


def _place(tray: Tray) -> str:
    """Return what the table calls a tray."""
    return tray.name if tray.name in "NESW" else tray.name.lower()


# --- the worlds there are --------------------------------------------------------------------------------------------

_WORLDS: Final[dict[str, tuple[World, str, int | None, Capability]]] = {}
"""By name: the world, and the scenario, the seed and the lacking parts that were asked for."""


def world_named(
    name: str,
    *,
    scenario: str = "",
    seed: int | None = None,
    lacks: Capability = Capability.NONE,
    entropy: Callable[[int], bytes] = os.urandom,
) -> World:
    """Return the world of a name, made now if there is none; it lives until `forget_worlds`.

    Args:
        name: as in `sim://NAME`.
        scenario: a file, or a name of a shipped scenario; empty for endless plain deals.
        seed: what everything random depends on; None for the scenario's own, or else one from `entropy`.
        lacks: what the machine has not, besides what the scenario says.
        entropy: gives that many random bytes.

    Raises:
        ScenarioError: the scenario cannot be used.
        WorldInUse: the world is there already, with another scenario, seed or machine.
    """
    known = _WORLDS.get(name)
    if known is not None:
        world, its_scenario, its_seed, its_lack = known
        if (scenario, seed, lacks) not in (("", None, Capability.NONE), (its_scenario, its_seed, its_lack)):
            what = f"scenario {its_scenario or 'none'}, seed {'any' if its_seed is None else its_seed}"
            if its_lack:
                what += ", lacks " + ",".join(part.name.lower() for part in its_lack if part.name)
            raise WorldInUse(name, f"it is running already, with {what}: use another name")
        return world
    plan = load_scenario(scenario) if scenario else Scenario()
    chosen = seed if seed is not None else plan.seed
    chosen = int.from_bytes(entropy(7), "little") if chosen is None else chosen
    world = World(plan, seed=chosen, name=name, lacks=lacks)
    _WORLDS[name] = (world, scenario, seed, lacks)
    return world


def forget_worlds() -> None:
    """Let every world end; what is opened next by any name is new."""
    _WORLDS.clear()
