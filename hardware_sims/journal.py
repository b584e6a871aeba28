"""The machine's journal: the last command and how far it got, in memory that a reset does not lose.

A record takes its time to be written; one that a reset interrupts is lost, and the record before it counts. The
counters of the trays are part of the record.

Does not model: wear, torn bytes that pass the record's checksum.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, NamedTuple

from firmware_bridge.words import Phase, Tray
from hardware_sims.errors import JournalError

_NO_COUNTS: Final = (0,) * len(Tray)


class Record(NamedTuple):
    """One record.

    Attributes:
        last_id: the last command taken.
        phase: how far it got.
        counts: what the trays' counters stand at, in the order of `Tray`.
        sorting: whether the command is a shelf pass.
    """

    last_id: int = 0
    phase: Phase = Phase.NONE
    counts: tuple[int, ...] = _NO_COUNTS
    sorting: bool = False


class Journal:
    """Records one after another, the last of which holds.

    Raises:
        JournalError: what is stored is no journal.

    Attributes:
        latest: the last record, durable or not.
        boots: how often the machine has started.
    """

    def __init__(self, record_us: int, stored: bytes = b"", save: Callable[[bytes], object] | None = None) -> None:
        self._record_us = record_us
        self._save = save
        self._durable = Record()
        self.boots = 0
        if stored:
            try:
                data = json.loads(stored)
                counts = tuple(data["counts"])
                counts += _NO_COUNTS[len(counts) :]
                self._durable = Record(data["last_id"], Phase(data["phase"]), counts, data.get("sorting") is True)
                self.boots = int(data["boots"])
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise JournalError(stored) from error
        self.latest = self._durable
        self._writing: list[tuple[int, Record]] = []

    def write(self, record: Record, at_us: int) -> int:
        """Begin to write a record at a moment, or when the one before is done; return when it is durable."""
        if self._writing:
            self._keep_until(at_us)
        begin = max(at_us, self._writing[-1][0]) if self._writing else at_us
        durable = begin + self._record_us
        self._writing.append((durable, record))
        self.latest = record
        if self._save is not None:
            self._store(record)
        return durable

    @property
    def durable_us(self) -> int:
        """When the last record is, or was, durable; 0 for one that was found at the start."""
        return self._writing[-1][0] if self._writing else 0

    def restart(self, at_us: int) -> None:
        """Find, after a reset at this moment, what was durable; count the start."""
        self._keep_until(at_us)
        self._writing.clear()
        self.latest = self._durable
        self.boots += 1
        if self._save is not None:
            self._store(self.latest)

    def _keep_until(self, at_us: int) -> None:
        while self._writing and self._writing[0][0] <= at_us:
            self._durable = self._writing.pop(0)[1]

    def _store(self, record: Record) -> None:
        if self._save is not None:
            self._save(json.dumps(record._asdict() | {"boots": self.boots}).encode())
