"""The cut tray: what the people do to the pack, and what the cell may say of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.events import Answered, Booted, SeatActed
from firmware_bridge.messages import Acknowledge, Ask, Feed, Heartbeat, Home, StopNow
from firmware_bridge.words import Asked, FaultCode, MachineState, Phase, Report, SeatAct, Sensor, Status, Tray, Who
from hardware_sims.cut_sequence import packets
from hardware_sims.cut_tray import CARD_G, NOISE_G, PACK_SPREAD, CutTray
from hardware_sims.physical import made_card
from hardware_sims.seeded import Stream
from hardware_sims.truth import CUT_TRAY, HOPPER
from vision.cards import Pack

Make = Callable[..., Any]


def begin(client: Any) -> Any:
    client.wait_for(Booted)
    client.home()
    client.ask(Asked.LOAD_PACK)
    return client


def hopper(client: Any) -> tuple[str, ...]:
    cards: tuple[str, ...] = client.world.truth().deals[-1].of(HOPPER)
    return cards


@pytest.mark.parametrize("cut", [0, 1, 3, 5, 17, 26, 42, 51, 52])
@pytest.mark.parametrize("seed", range(4))
def test_the_cell_tells_the_packets_within_the_tolerance_it_states(machine: Make, cut: int, seed: int) -> None:
    client = begin(machine(f"[[deal]]\ncut = {cut}", seed=seed))
    before = hopper(client)
    answer = client.ask(Asked.CUT)
    assert abs(answer.a - cut) <= answer.c
    assert abs(answer.b - (52 - cut)) <= answer.c
    assert answer.c == 1
    assert hopper(client) == (*before[52 - cut :], *before[: 52 - cut])
    assert client.status().state is MachineState.READY


def test_the_tolerance_holds_for_every_packet_but_one_in_a_thousand() -> None:
    """Three standard deviations: 2.7 in 1000 readings are outside; as many cards off need a good part of that more."""
    missed = 0
    for trial in range(2_000):
        stream = Stream(trial, "tolerance")
        lower = stream.below(53)
        card_g = CARD_G * (1 + PACK_SPREAD * (2 * stream.unit() - 1))
        noise = [NOISE_G * (sum(stream.unit() for _ in range(12)) - 6) for _ in range(3)]
        before, after = (52 * card_g + noise[1] / 2, 52 * card_g + noise[2] / 2)
        top, bottom, tolerance = packets(lower * card_g + noise[0], before, after)
        missed += abs(bottom - lower) > tolerance or abs(top - (52 - lower)) > tolerance
    assert missed <= 6


def test_ten_grams_are_five_or_six_cards_give_or_take_one() -> None:
    assert packets(10.0, 93.6, 93.6)[1:] == (6, 1)


def test_a_card_weighs_as_poker_cards_do() -> None:
    tray = CutTray()
    tray.begin_deal(Stream(3, "cell"), 0.0)
    stream = Stream(1, "lying")
    tray.cards = [made_card(number, card, 300, stream) for number, card in enumerate(Pack.of(52).cards, start=1)]
    weights = [tray.weight_g(0) for _ in range(200)]
    assert sum(weights) / 200 == pytest.approx(52 * 1.8, rel=0.011)


def test_the_pack_is_offered_in_the_tray_and_nothing_else_moves(machine: Make) -> None:
    client = begin(machine("[people]\ncut_ms = 5000\n[[deal]]"))
    assert client.request(Ask(Asked.CUT, 0, 0)).status is Status.OK
    client.run(2_000_000)
    status = client.status()
    assert (status.state, status.asked) == (MachineState.OFFERING, Asked.CUT)
    assert Sensor.CUT_TRAY in status.sensors
    assert Sensor.HOPPER not in status.sensors
    assert len(client.world.truth().deals[-1].of(CUT_TRAY)) == 52
    assert client.request(Feed(1)).status is Status.BUSY
    assert client.request(Home()).status is Status.BUSY
    assert client.request(Ask(Asked.CUT, 0, 0)).status is Status.OK, "it is the same question still"
    assert client.wait_for(Answered).a in (25, 26, 27)


def test_an_unhomed_machine_does_not_offer(machine: Make) -> None:
    client = machine()
    client.wait_for(Booted)
    assert client.request(Ask(Asked.CUT, 0, 0)).status is Status.UNHOMED


def test_a_question_taken_back_brings_the_pack_back(machine: Make) -> None:
    client = begin(machine('[people]\nsilent = ["cut"]'))
    before = hopper(client)
    client.request(Ask(Asked.CUT, 0, 0))
    client.run(20_000_000)
    client.request(Ask(Asked.NOTHING, 0, 0))
    assert client.request(Ask(Asked.CUT, 0, 0)).status is Status.BUSY, "the pack is on its way back"
    client.run(2_000_000)
    assert hopper(client) == before
    assert (client.status().state, client.status().asked) == (MachineState.READY, Asked.NOTHING)
    client.feed(1)


def test_a_fresh_cut_is_another_one(machine: Make) -> None:
    client = begin(machine("[[deal]]\ncut = 20\nfresh_cuts = [30, 10]"))
    for wanted in (20, 30, 10, 10):
        assert abs(client.ask(Asked.CUT).a - wanted) <= 1


def test_a_seat_reports_what_happened_at_the_cut(machine: Make) -> None:
    act = 'what = "report"\nseat = "W"\nsays = "cut_exposed"\nwho = "e"\nphase = "offer"\nafter_ms = 900'
    client = begin(machine(f"[[deal]]\n[[deal.act]]\n{act}"))
    client.request(Ask(Asked.CUT, 0, 0))
    said = client.wait_for(SeatActed)
    assert (said.seat, said.act, said.what, said.who) == (Tray.W, SeatAct.REPORTED, Report.CUT_EXPOSED, Who.E)


@pytest.mark.parametrize("grams_per_s", [3.0, -5.0])
def test_a_cell_that_creeps_is_not_believed(faulty: Make, machine: Make, grams_per_s: float) -> None:
    client = begin(machine(f'[[deal]]\n[[deal.fault]]\nkind = "cell_drift"\ngrams_per_s = {grams_per_s}'))
    client.request(Ask(Asked.CUT, 0, 0))
    fault = client.fault()
    assert fault.code is FaultCode.CELL_DRIFT
    assert fault.detail / 10 == pytest.approx(abs(grams_per_s) * 1.6, abs=1.0), "1.6 s pass between the weighings"
    assert len(hopper(client)) == 52
    client.request(Acknowledge(fault.latch_id))
    client.home()
    client.feed(1)


def test_a_slow_creep_widens_the_tolerance(machine: Make) -> None:
    wide = 0
    for seed in range(8):
        toml = '[[deal]]\ncut = 20\n[[deal.fault]]\nkind = "cell_drift"\ngrams_per_s = 0.5'
        answer = begin(machine(toml, seed=seed)).ask(Asked.CUT)
        assert abs(answer.a - 20) <= answer.c
        wide += answer.c > 1
    assert wide > 0


def test_silence_of_the_controller_lets_the_cut_end_first(machine: Make) -> None:
    client = begin(machine("[people]\ncut_ms = 5000"))
    client.request(Heartbeat(500))
    client.request(Ask(Asked.CUT, 0, 0))
    client.acknowledges = False
    assert client.wait_for(Answered).asked is Asked.CUT
    assert client.fault().code is FaultCode.HEARTBEAT_LOST
    assert len(hopper(client)) == 52


def test_a_hard_stop_leaves_the_pack_in_the_tray_until_people_take_it(machine: Make) -> None:
    client = begin(machine('[people]\nsilent = ["cut"]'))
    client.request(Ask(Asked.CUT, 0, 0))
    client.run(2_000_000)
    client.request(StopNow())
    fault = client.fault()
    assert (fault.code, fault.phase) == (FaultCode.STOPPED_NOW, Phase.NONE)
    client.request(Acknowledge(fault.latch_id))
    client.request(Home())
    stands = client.fault()
    assert (stands.code, stands.detail) == (FaultCode.PATH_NOT_EMPTY, Sensor.CUT_TRAY)
    assert client.ask(Asked.CLEAR_PATH).c == 52
    client.request(Acknowledge(stands.latch_id))
    client.home()
    client.ask(Asked.RESHUFFLE)
    client.feed(1)


def test_a_reset_with_the_pack_in_the_tray_latches_at_the_start(machine: Make) -> None:
    client = begin(machine('[people]\nsilent = ["cut"]\n[[deal]]\n[[deal.fault]]\nkind = "reset"\nphase = "offer"'))
    client.request(Ask(Asked.CUT, 0, 0))
    client.wait_for(Booted)
    status = client.status()
    assert (status.fault, status.latch_id) == (FaultCode.PATH_NOT_EMPTY, 1)
    assert Sensor.CUT_TRAY in status.sensors
