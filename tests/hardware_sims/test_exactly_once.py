"""Whatever a controller sends, in whatever order and however often: no card is fed twice, and none is lost."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_bridge.codec import encode_request
from firmware_bridge.messages import (
    Acknowledge,
    AcknowledgeEvent,
    Ask,
    Clear,
    Feed,
    Home,
    Request,
    Route,
    ShelfPass,
    Stop,
    StopNow,
)
from firmware_bridge.words import Asked, MachineState, Phase, ResetCause, Sensor, Tray, Verdict
from hardware_sims.plan import Scenario
from hardware_sims.world import World


class CarelessController(RuleBasedStateMachine):
    """It sends anything at any time; the account of the world is held against the journal."""

    @initialize(seed=st.integers(0, 99))
    def begin(self, seed: int) -> None:
        self.world = World(Scenario(), seed=seed)
        self.world.plug_in(self)
        self.sequence = 0
        for asked in (Asked.LOAD_PACK, Asked.CUT):
            self._send(Ask(asked, 0, 0))
            self._run(2_500_000)
        self._send(Home())
        self._run(400_000)

    def _send(self, request: Request) -> None:
        self.sequence = (self.sequence + 1) & 0xFF
        self.world.send(encode_request(request, self.sequence))

    def _run(self, for_us: int) -> None:
        """Let time pass and acknowledge whatever may have come."""
        self.world.clock.run_until(self.world.clock.now_us() + for_us)
        queue = self.world._firmware._events
        for waiting in list(queue._waiting):
            self.world.send(encode_request(AcknowledgeEvent(queue.boot_id, waiting.event_id), 0))
        self.world.clock.run_until(self.world.clock.now_us() + 5_000)

    @rule(offset=st.sampled_from([-1, 0, 0, 0, 1]), times=st.integers(1, 3))
    def feed(self, offset: int, times: int) -> None:
        for _ in range(times):
            self._send(Feed(max(0, self.world._firmware.journal.latest.last_id + 1 + offset)))

    @rule(offset=st.sampled_from([-1, 0, 0, 0]), tray=st.sampled_from(list(Tray)), times=st.integers(1, 3))
    def route(self, offset: int, tray: Tray, times: int) -> None:
        for _ in range(times):
            self._send(Route(max(0, self.world._firmware.journal.latest.last_id + offset), tray))

    @rule(for_us=st.sampled_from([1_000, 30_000, 90_000, 200_000, 500_000]))
    def wait(self, for_us: int) -> None:
        self._run(for_us)

    @rule()
    def reset(self) -> None:
        self.world._firmware.reset(ResetCause.BROWN_OUT)

    @rule(request=st.sampled_from([Stop(), StopNow(), Home(), Ask(Asked.CUT, 0, 0), Ask(Asked.NOTHING, 0, 0)]))
    def order(self, request: Request) -> None:
        self._send(request)

    @rule(cards=st.sampled_from([3, 51, 52, 64]), shelves=st.binary(min_size=24, max_size=24))
    def sort(self, cards: int, shelves: bytes) -> None:
        self._send(ShelfPass(self.world._firmware.journal.latest.last_id + 1, cards, shelves))

    @rule(switch=st.sampled_from([Sensor.LID, Sensor.E_STOP, Sensor.LIFTED_N]), for_us=st.sampled_from([0, 60_000]))
    def open_and_close(self, switch: Sensor, for_us: int) -> None:
        world = self.world
        world._mechanism.switches.close(switch)
        world._firmware.switched()
        before = self._places() if switch is not Sensor.LIFTED_N else None
        world.clock.run_until(world.clock.now_us() + for_us)
        assert before is None or self._places() == before, "nothing moves while an interlock is open"
        world._mechanism.switches.release(switch)
        world._firmware.switched()

    def _places(self) -> list[tuple[int, str]]:
        return [
            (card.number, card.place)
            for card in self.world.truth().deals[-1].cards
            if not card.place.startswith(("cut_tray", "hopper"))  # people's hands may be at the pack
        ]

    @rule(verdict=st.sampled_from(list(Verdict)))
    def recover(self, verdict: Verdict) -> None:
        """Have people clear the path, and bring the machine to where it can go on."""
        self._run(500_000)
        self._send(Ask(Asked.CLEAR_PATH, 0, 0))
        self._run(3_500_000)
        self._send(Clear(self.world._firmware.journal.latest.last_id, verdict))
        self._send(Acknowledge(self.world._firmware._core.latch_id))
        self._send(Home())
        self._run(500_000)

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        account = self.world.truth().deals[-1]
        assert sorted(card.number for card in account.cards) == list(range(1, 53))

    @invariant()
    def no_command_moved_two_cards(self) -> None:
        """A command leads one card out of the hopper, unless it is a pass or a cut, which are known by their places."""
        assert len(self.world.truth().deals[-1].passages) <= self.world._firmware.journal.latest.last_id

    @invariant()
    def a_ready_machine_is_empty(self) -> None:
        firmware = self.world._firmware
        if firmware._core.state is MachineState.READY and firmware._core.phase in (Phase.DONE, Phase.ABORT, Phase.NONE):
            sensors = firmware._core.sensors()
            assert not sensors & (Sensor.ENTRY | Sensor.WINDOW | Sensor.EXIT | Sensor.RETURN | Sensor.CUT_TRAY)
            assert not firmware._core.cards_in_shelves()


CarelessController.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestCarelessController = CarelessController.TestCase
