"""Kills a controller at counted points of a deal on a pty, starts it again, and holds its record against the truth.

Run as `python tests/joint/kill_driver.py PORT TRUTH FOLDER POINTS PART PARTS`: `POINTS` points, evenly spread over a
deal, of which every `PARTS`-th from `PART` on is tried, and in part 0 one point in every state; prints one JSON object.
It has no threads, so that it can fork: a child deals until its point is reached and dies there by SIGKILL; a second
child goes on from the log.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.acts import Act, Line, LookAtCard
from controller.deal_log import DealLog
from controller.deal_reader import read_log
from controller.dealing import Dealing
from controller.house import House
from controller.replay import NOT_KNOWN, ledger
from controller.runner import Runner
from controller.table import Seat
from firmware_bridge.bridge import Bridge
from vision.cards import Pack
from vision.sighting import Sighting, State

CUT = 26
_ORDER = [str(card) for card in Pack.of(52).cards]
FED = [*_ORDER[-CUT:], *_ORDER[:-CUT]]
"""The cards in fed order after the cut: the upper packet, which the pone lifts off, comes to lie below."""


@dataclass(slots=True)
class Points:
    """Counts the points that a deal passes, and dies at the one of a number, or at the first in a state."""

    die_at: int | str
    tell: Callable[[dict[str, Any]], None]
    state: str = "AWAITING_PACK"
    count: int = 0
    states: dict[str, int] = field(default_factory=dict)

    def passed(self, where: str) -> None:
        self.count += 1
        self.states[self.state] = self.states.get(self.state, 0) + 1
        if self.die_at in (self.count, self.state):
            self.tell({"died": where, "state": self.state})
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(slots=True)
class KnowingEye:
    """An eye that knows the order of the pack."""

    k: int = 0

    def begin(self) -> None:
        pass

    def rest(self, *, after_us: int, deadline_us: int) -> None:
        pass

    def look(self, *, after_us: int, deadline_us: int) -> Sighting:
        card = next(card for card in Pack.of(52).cards if str(card) == FED[self.k - 1])
        return Sighting(state=State.CARD, card=card, confidence=1.0)

    def evidence(self) -> tuple[()]:
        return ()

    def measured(self) -> None:
        return None


def _watch(points: Points, eye: KnowingEye, log: DealLog) -> None:
    """Put a point before and behind everything that must survive a death there."""
    log._db.set_trace_callback(lambda statement: points.passed(f"before {statement.split(' ')[0]}"))

    def around(owner: type, name: str) -> None:
        plain = getattr(owner, name)

        def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
            what = type(args[0]).__name__ if args else ""
            points.passed(f"before {name} {what}")
            result = plain(self, *args, **kwargs)
            points.passed(f"after {name} {what}")
            return result

        setattr(owner, name, watched)

    for name in ("command", "acknowledge", "next_event"):
        around(Bridge, name)
    for name in ("commit", "open_deal", "close_deal"):
        around(DealLog, name)
    act = Runner.act

    def act_watched(self: Runner, wanted: Act) -> None:
        points.state = self.dealer.machine.state.name
        if isinstance(wanted, LookAtCard):
            eye.k = wanted.k
        points.passed(f"before act {type(wanted).__name__}")
        act(self, wanted)
        points.state = self.dealer.machine.state.name

    Runner.act = act_watched  # type: ignore[assignment, method-assign]  # the child that does this dies


def _deal(port: str, folder: Path, die_at: int | str, tell: Callable[[dict[str, Any]], None]) -> None:
    """Deal one hand, or go on with the one that is open."""
    eye = KnowingEye()
    points = Points(die_at=die_at, tell=tell)
    with DealLog.open(folder / "log.sqlite", key_file=folder / "log.key", entropy=os.urandom) as log:
        _watch(points, eye, log)
        with Bridge.open(port) as bridge:
            dealing = Dealing(
                log=log,
                bridge=bridge,
                open_bridge=lambda: Bridge.open(port),
                eye=eye,
                tell=lambda line: tell({"durable": 1}),
                asking=lambda question: None,
                carried=lambda bridge: (),
                wait=lambda seconds: None,
                people_us=20_000_000,
                house=House(grace_s=0),
            )
            outcome = next(dealing.deals(1, Seat.S))
            tell(
                {
                    "ended": outcome.ending.status,
                    "points": points.count,
                    "states": list(points.states),
                    "deal": outcome.deal,
                }
            )


def _in_child(act: Callable[[Callable[[dict[str, Any]], None]], None]) -> Iterator[dict[str, Any]]:
    """Run `act` in a forked child and give what it tells."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reader)
        try:
            act(lambda said: void(os.write(writer, json.dumps(said).encode() + b"\n")))
        except BaseException:  # noqa: BLE001 - the parent prints it and fails
            os.write(writer, json.dumps({"failed": traceback.format_exc()}).encode() + b"\n")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        for line in pipe:
            yield json.loads(line)
    os.waitpid(child, 0)


def void(value: object) -> None:
    """Take a value and do nothing with it."""


def _one(port: str, truth_file: Path, folder: Path, die_at: int | str) -> dict[str, Any]:
    """Kill a controller at one point, go on, and return what came of it."""
    told = list(_in_child(lambda tell: _deal(port, folder, die_at, tell)))
    durable = sum("durable" in said for said in told)
    with read_log(folder / "log.sqlite") as log:
        open_deal = log.unfinished()
        kept = 0 if open_deal is None else len(log.lines(open_deal))
    died = next((said for said in told if "died" in said), None)
    after = told if died is None else list(_in_child(lambda tell: _deal(port, folder, 0, tell)))
    problems = [said["failed"] for said in (*told, *after) if "failed" in said]
    if open_deal is not None and kept < durable:
        problems.append(f"{durable} lines were told as durable, {kept} are in the log")
    ended = next((said for said in reversed(after) if "ended" in said), None)
    if ended is not None:
        problems += _held_against(truth_file, folder, ended["deal"])
    return {"point": die_at, "died": died, "ended": ended, "problems": problems}


def _held_against(truth_file: Path, folder: Path, deal: int) -> list[str]:
    """Hold the record against the truth, which the simulator writes a moment after it has told the controller."""
    problems = ["no truth was read"]
    for _ in range(60):
        problems = _compared(folder, deal, json.loads(truth_file.read_text(encoding="utf-8")))
        if not problems:
            break
        threading.Event().wait(0.05)
    return problems


def _compared(folder: Path, deal: int, truth: dict[str, Any]) -> list[str]:
    """Hold the record of a closed deal against the truth."""
    with read_log(folder / "log.sqlite") as log:
        lines: list[Line] = log.lines(deal)
        acts = log._rows("SELECT DISTINCT command_id FROM act WHERE deal = ? AND kind = 'feed'", deal)
    now = truth["deals"][-1]
    passages = [passage for passage in now["passages"] if passage]
    problems = []
    if len(passages) > len(acts):
        problems.append(f"{len(passages)} passages of cards, {len(acts)} feeds intended")
    fed = [card for passage in passages for card in passage]
    if fed != FED[: len(fed)]:
        problems.append(f"fed {fed}")
    where = {card["card"]: card["place"].lower() for card in now["cards"]}
    for placed in ledger(lines).cards:
        really = FED[placed.k - 1]
        if placed.card is not None and str(placed.card) != really:
            problems.append(f"card {placed.k} is {really}, recorded as {placed.card}")
        if placed.place not in (NOT_KNOWN, where[really]) and placed.place.lower() != where[really]:
            problems.append(f"card {placed.k} lies at {where[really]}, recorded at {placed.place}")
    return problems


def main() -> None:
    """Go through the points and print what came of them."""
    port, truth_file, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    wanted, part, parts = (int(number) for number in sys.argv[4:7])
    whole = _one(port, truth_file, folder, 0)
    total = whole["ended"]["points"] if whole["ended"] else 0
    results = [whole]
    points: list[int | str] = [1 + number * total // wanted for number in range(part, wanted if total else 0, parts)]
    points += whole["ended"]["states"] if total and part == 0 else []
    results += [_one(port, truth_file, folder, point) for point in points]
    json.dump({"points": total, "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
