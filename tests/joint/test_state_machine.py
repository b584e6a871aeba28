"""A deal that dies and goes on again and again, with faults: each card is in one place, and none is fed twice."""

from __future__ import annotations

import itertools
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.acts import Line
from controller.deal_log import DealLog
from controller.dealing import Dealing
from controller.entropy import seeded_entropy
from controller.replay import NOT_KNOWN, ledger
from controller.table import Seat
from firmware_bridge.bridge import Bridge
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import World, world_named
from vision.sighting import Sighting

_names = itertools.count()
_AT = st.integers(1, 52)
_FAULTS = st.one_of(
    st.builds('kind = "misfeed"\nat = {}'.format, _AT),
    st.builds('kind = "double_feed"\nat = {}\noverlap_mm = {}'.format, _AT, st.integers(2, 60)),
    st.builds('kind = "jam"\nat = {}\nwhere = "{}"'.format, _AT, st.sampled_from(["entry", "exit"])),
    st.builds('kind = "faced_card"\nat = {}'.format, _AT),
    st.builds('kind = "gate_slip"\nat = {}\nto = "{}"'.format, _AT, st.sampled_from("NESW")),
    st.builds('kind = "silence"\nat = {}\nfor_ms = {}'.format, _AT, st.integers(1, 5000)),
    st.builds(
        'kind = "reset"\nat = {}\nphase = "{}"\nafter_ms = {}'.format,
        _AT,
        st.sampled_from(["intent", "shown", "routed", "done"]),
        st.integers(0, 90),
    ),
    st.builds(
        'kind = "flipped_bytes"\ndirection = "{}"\nrate = 0.003'.format, st.sampled_from(["to_machine", "from_machine"])
    ),
)


METHODS = ("command", "acknowledge", "next_event", "open_deal", "commit", "close_deal")
"""Before and behind each of these, of bridge and log, the controller may die."""


class Death(BaseException):
    """The controller is gone at this moment."""


class MortalEye(TruthEye):
    """Dies at its `lives`-th look."""

    lives = 0

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        self.lives -= 1
        if self.lives == 0:
            raise Death
        return super().look(after_us=after_us, deadline_us=deadline_us)


class DealsThatDie(RuleBasedStateMachine):
    """Deals one pack with a controller that dies now and then."""

    @initialize(faults=st.lists(_FAULTS, max_size=2), seed=st.integers(0, 2**32))
    def lay_in(self, faults: list[str], seed: int) -> None:
        self.name = f"mortal{next(_names)}"
        tables = "".join(f"[[deal.fault]]\n{fault}\n" for fault in faults)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "scenario.toml"
            file.write_text(f"[[deal]]\ncut = 20\n{tables}", encoding="utf-8")
            self.world: World = world_named(self.name, scenario=str(file), seed=seed)
        self.log = DealLog.open(None, key_file=None, entropy=seeded_entropy(seed))
        self.faults = faults
        self.over = False

    @rule(lines=st.integers(1, 250))
    def die_behind_a_commit(self, lines: int) -> None:
        left = lines

        def tell(line: Line) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise Death

        self._deal(tell, looks=0)

    @rule(looks=st.integers(1, 52))
    def die_before_a_commit(self, looks: int) -> None:
        self._deal(lambda line: None, looks=looks)

    @rule(method=st.sampled_from(METHODS), calls=st.integers(1, 120), behind=st.booleans())
    def die_around_a_call(self, method: str, calls: int, behind: bool) -> None:
        left = calls

        def mortal(plain: Any) -> Any:
            def call(*args: Any, **kwargs: Any) -> Any:
                nonlocal left
                left -= 1
                if left == 0 and not behind:
                    raise Death
                result = plain(*args, **kwargs)
                if left == 0:
                    raise Death
                return result

            return call

        on_log = hasattr(self.log, method)
        if on_log:
            setattr(self.log, method, mortal(getattr(self.log, method)))
        self._deal(lambda line: None, looks=0, wrap=None if on_log else (method, mortal))
        if on_log:
            delattr(self.log, method)

    @rule()
    def live(self) -> None:
        self._deal(lambda line: None, looks=0)
        assert self.over

    def _deal(self, tell: Any, *, looks: int, wrap: Any = None) -> None:
        if self.over:
            return
        bridge = Bridge.open(f"sim://{self.name}")
        if wrap is not None:
            method, mortal = wrap
            setattr(bridge, method, mortal(getattr(bridge, method)))
        eye = MortalEye(self.world)
        eye.lives = looks
        dealing = Dealing(
            log=self.log,
            bridge=bridge,
            open_bridge=lambda: Bridge.open(f"sim://{self.name}"),
            eye=eye,
            tell=tell,
            asking=lambda question: None,
            carried=lambda bridge: (),
            wait=lambda seconds: None,
            people_us=20_000_000,
        )
        with suppress(Death):
            outcome = next(dealing.deals(1, Seat.S))
            assert outcome.ending.law or outcome.ending.fault or outcome.ending.status == "completed"
            assert self.faults or outcome.ending.status == "completed"  # no death costs a deal
        self.over = any(deal.status != "open" for deal in self.log.deals())
        dealing.__exit__(Death, None, None)

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        if not self.world.deal:
            return
        truth = self.world.truth().deals[-1]
        assert len({card.number for card in truth.cards}) == len(truth.cards) == len(truth.laid)

    @invariant()
    def no_card_is_fed_that_the_log_did_not_intend(self) -> None:
        if self.log.deals() and self.world.deal:
            commands = {act.command_id for act in self.log.acts(1) if act.kind == "feed"}
            assert sum(bool(passage) for passage in self.world.truth().deals[-1].passages) <= len(commands)

    @invariant()
    def the_record_is_true_once_the_deal_is_over(self) -> None:
        if not self.over:
            return
        truth = self.world.truth().deals[-1]
        fed = [card for passage in truth.passages for card in passage]
        where = {card.card: card.place.lower() for card in truth.cards}
        for placed in ledger(self.log.lines(1)).cards[: len(fed)]:
            really = fed[placed.k - 1]
            assert placed.card is None or str(placed.card) == really
            assert placed.place.lower() in (NOT_KNOWN, where[really])

    def teardown(self) -> None:
        self.log.close()


TestDealsThatDie = DealsThatDie.TestCase
TestDealsThatDie.settings = settings(
    max_examples=40, stateful_step_count=6, suppress_health_check=[HealthCheck.too_slow], deadline=None
)
