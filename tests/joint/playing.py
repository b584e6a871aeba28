"""Deals on a simulated machine of its own, and the record held against the truth: what the joint tests stand on."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.acts import Line
from controller.deal_log import DealLog
from controller.dealing import Dealing, Outcome
from controller.entropy import seeded_entropy
from controller.eye import Eye, FrameEye
from controller.replay import NOT_KNOWN, ledger
from controller.table import Seat
from controller.table_eye import FrameTableEye
from firmware_bridge.bridge import Bridge
from firmware_bridge.words import Asked
from hardware_sims.camera import open_camera
from hardware_sims.table_camera import open_table_camera
from hardware_sims.truth import DealTruth
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import World, world_named
from vision.classify import IndexReader
from vision.recogniser import Looker

PEOPLE_US = 20_000_000


@dataclass(kw_only=True)
class Played:
    """What came of a run of deals.

    Attributes:
        outcomes: one a deal.
        lines: the opened record of each deal.
        commands: ids of the feeds that each deal's log intends.
        truths: what really became of the cards, at the end of each deal.
        told: the lines that a person was told, in order.
        asked: what the people were asked, and when, µs.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    lines: list[list[Line]] = field(default_factory=list)
    leaves: list[list[bytes]] = field(default_factory=list)
    commands: list[set[int]] = field(default_factory=list)
    truths: list[DealTruth] = field(default_factory=list)
    told: list[Line] = field(default_factory=list)
    asked: list[tuple[Asked, int]] = field(default_factory=list)


Play = Callable[..., Played]
"""Plays a scenario, as `play_deals` does; `frames` says whether the eye reads frames."""
_names = itertools.count()


def play_deals(
    folder: Path,
    scenario: str,
    *,
    tries: int = 1,
    seed: int = 7,
    recogniser: Looker | None = None,
    dealer: Seat = Seat.S,
    table_reader: IndexReader | None = None,
    **game: Any,
) -> Played:
    """Play a scenario: its TOML text, or the name of a shipped one.

    Args:
        folder: where the text is written.
        scenario: what is played; empty for plain deals.
        tries: how many deals at most.
        seed: what everything random depends on.
        recogniser: reads the frames; None for an eye that knows.
        dealer: who deals first.
        table_reader: reads the indices of faces on the table; None for no camera there.
        game: code, pack, house and so on, as `Dealing` has them.
    """
    name = f"joint{next(_names)}"
    if "\n" in scenario:
        file = folder / f"{name}.toml"
        file.write_text(scenario, encoding="utf-8")
        scenario = str(file)
    url = f"sim://{name}?seed={seed}" + (f"&scenario={scenario}" if scenario else "")
    played = Played()
    with DealLog.open(None, key_file=None, entropy=seeded_entropy(seed)) as log:
        bridge = Bridge.open(url)
        eye = TruthEye(world_named(name)) if recogniser is None else _frame_eye(name, bridge, recogniser)
        dealing = dealing_at(log, bridge, url, eye, played, game)
        if table_reader is not None:
            camera = open_table_camera(f"simtable:{name}", bridge.now_us)
            dealing.table_eye = FrameTableEye(camera=camera, reader=table_reader)
        with dealing:
            deals = dealing.deals(tries, dealer)
            for outcome in itertools.islice(deals, tries):
                _take_down(played, outcome, log, world_named(name))
    return played


def _frame_eye(name: str, bridge: Bridge, recogniser: Looker) -> Eye:
    return FrameEye(camera=open_camera(f"sim:{name}", bridge.now_us), recogniser=recogniser)


def dealing_at(log: DealLog, bridge: Bridge, url: str, eye: Eye, played: Played, game: dict[str, Any]) -> Dealing:
    """Return what deals at a machine, and takes down in `played` what people are told and asked."""
    return Dealing(
        log=log,
        bridge=bridge,
        open_bridge=lambda: Bridge.open(url),
        eye=eye,
        tell=played.told.append,
        asking=lambda question: played.asked.append((question.asked, bridge.now_us())),
        carried=_no_facts,
        wait=lambda seconds: None,
        people_us=PEOPLE_US,
        **game,
    )


def _no_facts(bridge: Bridge) -> tuple[dict[str, Any], ...]:
    return ()


def _take_down(played: Played, outcome: Outcome, log: DealLog, world: World) -> None:
    played.outcomes.append(outcome)
    played.lines.append(log.lines(outcome.deal))
    played.leaves.append(log.leaves(outcome.deal))
    played.commands.append({act.command_id for act in log.acts(outcome.deal) if act.kind == "feed"})
    played.truths.append(world.truth().deals[-1])


@dataclass(frozen=True, kw_only=True)
class Held:
    """The record held against the truth: how many cards agree, are named not known, and differ."""

    agree: int
    not_known: int
    differ: tuple[str, ...]


def held_against_truth(lines: list[Line], truth: DealTruth) -> Held:
    """Compare where each piece of cardboard is by the record with where it is; a card's name must never be wrong."""
    fed = [card for passage in truth.passages for card in passage]
    places: dict[str, list[str]] = {}
    for card in truth.cards:
        places.setdefault(card.card, []).append(card.place.lower())
    unfed = Counter(card.card for card in truth.cards) - Counter(fed)
    order = fed + list(unfed.elements())
    record = ledger(lines).cards[: len(order)]
    agree, not_known, differ = 0, len(order) - len(record), []  # the record names no card beyond the pack's number
    for placed, really in zip(record, order, strict=False):
        if placed.card is not None and str(placed.card) != really:
            differ.append(f"card {placed.k} is {really}, the record says {placed.card}")
        elif placed.place == NOT_KNOWN:
            not_known += 1
        elif placed.place.lower() in places[really]:
            agree += 1
        else:
            differ.append(f"card {placed.k}, {really}, lies at {places[really]}, the record says {placed.place}")
    return Held(agree=agree, not_known=not_known, differ=tuple(differ))
