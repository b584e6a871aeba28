"""The deal log: the only durable store, one SQLite file, one commit and one fsync a card.

Beside the file stand `-wal` and `-shm`, SQLite's own, and `.lock`, which the one program that writes holds. The key
file lives where the caller says; with it the deal that a crash left open can be gone on with.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import ExitStack
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, cast

from controller.deal_reader import APPLICATION, SCHEMA, DealReader, is_empty, opened
from controller.errors import LogDamaged, LogError, NoSuchDeal, SealBroken
from controller.log_files import SQLITE_TROUBLE, create_private, lock_file, machine_key, trouble
from controller.records import canonical, cards_dealt, leaf_hash, tree_head
from controller.sealing import KEY_BYTES, NONCE_BYTES, seal_line, unwrap_key, wrap_key
from controller.shuffle import draw_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from controller.acts import Line

_TABLES: Final = (
    """CREATE TABLE deal (
        number INTEGER PRIMARY KEY,
        code TEXT NOT NULL,
        dealer TEXT NOT NULL,
        status TEXT NOT NULL,
        cards INTEGER NOT NULL,
        head BLOB,
        wrapped_key BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE leaf (
        deal INTEGER NOT NULL REFERENCES deal,
        place INTEGER NOT NULL,
        body BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (deal, place)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE act (
        deal INTEGER NOT NULL REFERENCES deal,
        place INTEGER NOT NULL,
        command_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        k INTEGER NOT NULL,
        tray TEXT NOT NULL,
        serial TEXT NOT NULL,
        boot_id INTEGER NOT NULL,
        PRIMARY KEY (deal, place)
    ) STRICT, WITHOUT ROWID""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {SCHEMA}",
)

_DURABLE: Final = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    # The log is copied back into its file before a deal is opened, never while a card waits.
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA foreign_keys = ON",
)

_INSERT_DEAL: Final = "INSERT INTO deal VALUES (?, ?, ?, 'open', 0, NULL, ?)"
_INSERT_LEAF: Final = "INSERT INTO leaf VALUES (?, ?, ?, ?)"
_INSERT_ACT: Final = "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_act_columns: Final = attrgetter("command_id", "kind", "k", "tray", "serial", "boot_id")
_CLOSE_DEAL: Final = "UPDATE deal SET status = ?, cards = ?, head = ? WHERE number = ?"

_ENDINGS: Final = ("completed", "new_deal", "misdeal", "stopped", "voided")


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A movement of a card that is on record before it is asked for.

    Attributes:
        command_id: the machine command; a route carries the id of its feed.
        kind: `"feed"` from the hopper to the window, `"route"` from the window to a tray, or `"shelve"` for the pack.
        k: the card's number in the dealing order, from 1; of a pass over the shelves, the pass.
        tray: where a route goes; empty for a feed.
        serial: the machine's serial number.
        boot_id: the machine's start in which the act was intended.
    """

    command_id: int
    kind: Literal["feed", "route", "shelve"]
    k: int
    tray: str
    serial: str
    boot_id: int


@dataclass(slots=True, kw_only=True)
class _OpenDeal:
    """What the next commit to an open deal has to know."""

    key: bytes
    leaves: int
    acts: int
    cards: int


class DealLog(DealReader):
    """A deal log, open for the one controller that writes to it. Used by one thread."""

    def __init__(
        self, db: sqlite3.Connection, file: str, *, key: bytes, entropy: Callable[[int], bytes], held: ExitStack
    ) -> None:
        super().__init__(db, file)
        self._key = key
        self._entropy = entropy
        self._held = held
        self._open_deals: dict[int, _OpenDeal] = {}
        self._failed: LogError | None = None

    @classmethod
    def open(cls, path: Path | None, *, key_file: Path | None, entropy: Callable[[int], bytes]) -> DealLog:
        """Open a log to write to; make it, and the key file, if they are not there.

        Args:
            path: the log's file; None for a log in memory, by the same code.
            key_file: where the machine's key is kept; None, for a log in memory alone, draws one that is not kept.
            entropy: returns that many random bytes; deal keys and salts are drawn from it, and nothing else.

        Raises:
            LogBusy: another controller writes to it.
            LogDamaged: the file is no deal log, or a damaged one.
            LogError: the log or the key file cannot be used; the error names the next step.
        """
        file = ":memory:" if path is None else str(path)
        if path is not None and key_file is None:
            raise LogError(file, "a log on disk needs a key file to seal its deals", "Name one.")
        with ExitStack() as held:
            try:
                if path is not None:
                    path = path.resolve()
                    held.callback(os.close, lock_file(path, file))
                    create_private(path)
                db = sqlite3.connect(path or file, isolation_level=None)
                held.callback(db.close)
                _prepare(db, file, durable=path is not None)
            except (*SQLITE_TROUBLE, OSError) as error:
                raise trouble(file, error) from error
            key = _key_for(db, file, key_file)
            return cls(db, file, key=key, entropy=entropy, held=held.pop_all())

    def close(self) -> None:
        """Close the file and give the lock back; what was committed stays."""
        self._held.close()

    def open_deal(self, lines: Sequence[Line]) -> int:
        """Open a deal with its first lines, durably, and return its number.

        Args:
            lines: the first is the fact `deal_opened`.

        Raises:
            NoSuchDeal: another deal is still open.
            LogError: nothing of it was written.
        """
        if not lines or lines[0].get("fact") != "deal_opened":
            raise ValueError("a deal's record begins with the fact deal_opened")
        still = self.unfinished()
        if still is not None:
            raise NoSuchDeal(self._file, f"deal {still} is still open", "Go on with it, or void it, first.")
        self._rows("PRAGMA wal_checkpoint(PASSIVE)")
        deal = 1 + (self._rows("SELECT max(number) FROM deal")[0][0] or 0)
        key = self._entropy(KEY_BYTES)
        # Not from the injected source: a seed used twice must not use a nonce of the machine's key twice.
        wrapped = wrap_key(key, self._key, deal=deal, nonce=secrets.token_bytes(NONCE_BYTES))
        opening = lines[0]
        rows = self._leaf_rows(deal, key, lines, first=0)
        self._write(
            (_INSERT_DEAL, [(deal, opening["code"], opening.get("dealer", ""), wrapped)]),
            (_INSERT_LEAF, rows),
        )
        self._open_deals[deal] = _OpenDeal(key=key, leaves=len(rows), acts=0, cards=cards_dealt(lines))
        return deal

    def commit(self, deal: int, lines: Sequence[Line], *, acts: Sequence[Act] = ()) -> None:
        """Write lines, and the machine's acts intended next, in one durable transaction: all of it or nothing.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: nothing of it was written.
        """
        state = self._open_deal(deal)
        rows = self._leaf_rows(deal, state.key, lines, first=state.leaves)
        act_rows = [(deal, place, *_act_columns(act)) for place, act in enumerate(acts, state.acts)]
        del self._open_deals[deal]
        self._write((_INSERT_LEAF, rows), (_INSERT_ACT, act_rows))
        self._open_deals[deal] = _OpenDeal(
            key=state.key,
            leaves=state.leaves + len(rows),
            acts=state.acts + len(act_rows),
            cards=max(state.cards, cards_dealt(lines)),
        )

    def close_deal(self, deal: int, lines: Sequence[Line], *, status: str) -> None:
        """Write a deal's last lines and its closing line, which publishes its key and so opens its cards to all.

        Args:
            deal: the deal's number.
            lines: the last lines, without the closing one.
            status: `completed`, `new_deal`, `misdeal`, `stopped` or `voided`.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: nothing of it was written.
        """
        if status not in _ENDINGS:
            raise ValueError(f"a deal ends as one of {', '.join(_ENDINGS)}, not as {status!r}")
        state = self._open_deal(deal)
        closing = {"fact": "closed", "status": status, "key": state.key.hex()}
        rows = self._leaf_rows(deal, state.key, [*lines, closing], first=state.leaves)
        before = self._rows("SELECT hash FROM leaf WHERE deal = ? ORDER BY place", deal)
        head = tree_head([*(hashed for (hashed,) in before), *(hashed for *_, hashed in rows)])
        cards = max(state.cards, cards_dealt(lines))
        del self._open_deals[deal]
        self._write((_INSERT_LEAF, rows), (_CLOSE_DEAL, [(status, cards, head, deal)]))

    def own_lines(self, deal: int) -> list[Line]:
        """Return an open deal's lines with their cards in plain, to go on with it.

        Raises:
            NoSuchDeal: the deal is not open.
            SealBroken: a sealed field is not what was sealed there.
            LogError: the log cannot be read, or is damaged.
        """
        return opened(self._stored(deal), self._open_deal(deal).key, deal=deal)

    def draw(self, deal: int, attempt: int) -> bytes:
        """Return the random numbers of a shuffle: a seed of 32 bytes that follows from the open deal's key.

        Closing the deal writes its key into the log, and so the draw; `shuffle` says how it is had from the key.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: the log cannot be read.
        """
        return draw_seed(self._open_deal(deal).key, attempt)

    def acts(self, deal: int) -> list[Act]:
        """Return the acts intended in a deal, in the order of their commits.

        Raises:
            LogError: the log cannot be read.
        """
        return [
            Act(
                command_id=command_id,
                kind=cast("Literal['feed', 'route', 'shelve']", kind),
                k=k,
                tray=tray,
                serial=serial,
                boot_id=boot_id,
            )
            for command_id, kind, k, tray, serial, boot_id in self._rows(
                "SELECT command_id, kind, k, tray, serial, boot_id FROM act WHERE deal = ? ORDER BY place", deal
            )
        ]

    def _leaf_rows(
        self, deal: int, key: bytes, lines: Sequence[Line], *, first: int
    ) -> list[tuple[int, int, bytes, bytes]]:
        rows = []
        for leaf, line in enumerate(lines, first):
            body = canonical(seal_line(line, key, deal=deal, leaf=leaf, entropy=self._entropy))
            rows.append((deal, leaf, body, leaf_hash(body)))
        return rows

    def _open_deal(self, deal: int) -> _OpenDeal:
        """Return the state of an open deal, from the file where it is not at hand: after a start or a failed write."""
        state = self._open_deals.get(deal)
        if state is None:
            rows = self._rows("SELECT status, wrapped_key FROM deal WHERE number = ?", deal)
            if not rows:
                raise self.no_such(deal)
            status, wrapped = rows[0]
            if status != "open":
                raise NoSuchDeal(self._file, f"deal {deal} is closed ({status})", "Open a new deal.")
            stored = self._stored(deal)
            state = _OpenDeal(
                key=unwrap_key(wrapped, self._key, deal=deal),
                leaves=len(stored),
                acts=self._rows("SELECT count(*) FROM act WHERE deal = ?", deal)[0][0],
                cards=cards_dealt(stored),
            )
            self._open_deals[deal] = state
        return state

    def _write(self, *statements: tuple[str, Sequence[tuple[int | str | bytes, ...]]]) -> None:
        """Run all statements in one transaction, or none of them."""
        if self._failed is not None:
            raise self._failed
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, rows in statements:
                self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            failure = trouble(self._file, error)
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
                # After a failed fsync the system may have dropped what it could not write: only a new start reads
                # what is truly on the disk.
                self._failed = failure
            raise failure from error
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


def _prepare(db: sqlite3.Connection, file: str, *, durable: bool) -> None:
    """Make a new log's tables, check an old one, and have every commit survive a loss of power."""
    new = is_empty(db, file)
    if durable:
        (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise LogError(file, "this disk cannot hold it safely", "Give a log on a local disk.")
    for pragma in _DURABLE:
        db.execute(pragma)
    if new:
        db.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            db.execute(statement)
        db.execute("COMMIT")
    elif (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise LogDamaged(file, f"it is damaged ({found})", "Keep the file as evidence, and read a backup.")


def _key_for(db: sqlite3.Connection, file: str, key_file: Path | None) -> bytes:
    """Return the machine's key, which must be the one that sealed the deal still open."""
    rows = db.execute("SELECT number, wrapped_key FROM deal WHERE status = 'open'").fetchall()
    if key_file is None:
        return secrets.token_bytes(KEY_BYTES)
    next_step = f"Put back the key file that deal was sealed with, or begin a new log: {file} stays readable."
    if rows and not key_file.exists():
        raise LogError(str(key_file), f"the key file is gone, and deal {rows[0][0]} of {file} is open", next_step)
    key = machine_key(key_file)
    for deal, wrapped in rows:
        try:
            unwrap_key(wrapped, key, deal=deal)
        except SealBroken as error:
            raise LogError(str(key_file), f"it is not the key that sealed deal {deal} of {file}", next_step) from error
    return key
