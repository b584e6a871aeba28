"""The deal log: the only durable store, one SQLite file, one commit and one fsync a card.

Beside the file stand `-wal` and `-shm`, SQLite's own, and `.lock`, which the one program that writes holds. The key
file lives where the caller says; with it the deal that a crash left open can be gone on with.

A deal is its leaves; its row repeats nothing of them. The row holds the deal's key, sealed, while the deal is open, and
two tree heads that every commit brings up to date: one over the leaves, which is the head of the closed record, and one
over the acts. Whoever can write to the file can write fitting heads too: a closed record is proved by its head kept
elsewhere. The acts are not part of that proof: they are the controller's own notes, and their head finds damage.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from controller.bundle_seal import seal
from controller.deal_reader import DealReader, act_hash, opened
from controller.errors import LogError, NoSuchDeal, SealBroken
from controller.log_files import (
    SQLITE_TROUBLE,
    WAL,
    create_private,
    identity,
    is_regular,
    lock_file,
    machine_key,
    trouble,
)
from controller.log_tables import prepare
from controller.records import ENDINGS, Tree, canonical, leaf_hash
from controller.sealing import KEY_BYTES, NONCE_BYTES, seal_line, unwrap_key, wrap_key
from controller.shuffle import draw_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from controller.acts import Line

_INSERT_DEAL: Final = "INSERT INTO deal VALUES (?, ?, ?, ?)"
_INSERT_LEAF: Final = "INSERT INTO leaf VALUES (?, ?, ?, ?)"
_INSERT_ACT: Final = "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_SET_HEADS: Final = "UPDATE deal SET head = ?, acts_head = ? WHERE number = ?"
_CLOSE_DEAL: Final = "UPDATE deal SET head = ?, wrapped_key = NULL WHERE number = ?"


class Act(NamedTuple):
    """A movement of a card that is on record before it is asked for: its row in the log, without deal and place.

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
    """What the next commit to an open deal has to know: its key, and the trees of its leaves and acts."""

    key: bytes
    leaves: Tree
    acts: Tree


class DealLog(DealReader):
    """A deal log, open for the one controller that writes to it. Used by one thread."""

    def __init__(self, db: sqlite3.Connection, file: str, *, entropy: Callable[[int], bytes], held: ExitStack) -> None:
        super().__init__(db, file, held=held)
        self._key = b""
        self._entropy = entropy
        self._mine: dict[Path, tuple[int, int] | None] = {}
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
            files: tuple[Path, ...] = ()
            try:
                if path is not None:
                    is_regular(path, file)
                    path = Path(os.path.realpath(path))
                    lock = lock_file(path, file, held)
                    create_private(path)
                    _check_single(path, file)
                    files = (path, path.with_name(path.name + WAL), lock)
                db = sqlite3.connect(path or file, isolation_level=None)
                held.callback(db.close)
                prepare(db, file, durable=path is not None)
            except (*SQLITE_TROUBLE, OSError) as error:
                raise trouble(file, error) from error
            log = cls(db, file, entropy=entropy, held=held)
            log._begin(key_file, files)
            log._held = held.pop_all()
            return log

    def _begin(self, key_file: Path | None, files: Sequence[Path]) -> None:
        """Check the last deal, take the machine's key, and remember which files these are."""
        last, still = self.last(), self.unfinished()
        if last:
            self.summary(last)
        self._key = self._machine_key(key_file, still)
        self._mine = {path: identity(path) for path in files}

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
        deal = 1 + self.last()
        key = self._entropy(KEY_BYTES)
        # Not from the injected source: a seed used twice must not use a nonce of the machine's key twice.
        wrapped = wrap_key(key, self._key, deal=deal, nonce=secrets.token_bytes(NONCE_BYTES))
        rows = self._leaf_rows(deal, key, lines, first=0)
        state = _OpenDeal(key=key, leaves=Tree().grown(_hashes(rows)), acts=Tree())
        self._write((_INSERT_DEAL, [(deal, state.leaves.head, state.acts.head, wrapped)]), (_INSERT_LEAF, rows))
        self._open_deals[deal] = state
        return deal

    def commit(self, deal: int, lines: Sequence[Line], *, acts: Sequence[Act] = ()) -> None:
        """Write lines, and the machine's acts intended next, in one durable transaction: all of it or nothing.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: nothing of it was written.
        """
        state = self._open_deal(deal)
        rows = self._leaf_rows(deal, state.key, lines, first=state.leaves.size)
        act_rows = [(deal, place, *act) for place, act in enumerate(acts, state.acts.size)]
        grown = _OpenDeal(
            key=state.key,
            leaves=state.leaves.grown(_hashes(rows)),
            acts=state.acts.grown(map(act_hash, acts)),
        )
        del self._open_deals[deal]
        heads = (grown.leaves.head, grown.acts.head, deal)
        self._write((_INSERT_LEAF, rows), (_INSERT_ACT, act_rows), (_SET_HEADS, [heads]))
        self._open_deals[deal] = grown

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
        if status not in ENDINGS:
            raise ValueError(f"a deal ends as one of {', '.join(ENDINGS)}, not as {status!r}")
        state = self._open_deal(deal)
        closing = {"fact": "closed", "status": status, "key": state.key.hex()}
        rows = self._leaf_rows(deal, state.key, [*lines, closing], first=state.leaves.size)
        del self._open_deals[deal]
        head = state.leaves.grown(_hashes(rows)).head
        self._write((_INSERT_LEAF, rows), (_CLOSE_DEAL, [(head, deal)]))

    def own_lines(self, deal: int) -> list[Line]:
        """Return an open deal's lines with their cards in plain, to go on with it.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: the log cannot be read, or is damaged; a seal that is broken counts as damage.
        """
        key = self._open_deal(deal).key
        try:
            return opened(self._stored(deal), key, deal=deal)
        except SealBroken as error:
            raise self.damaged(str(error)) from error

    def draw(self, deal: int, attempt: int) -> bytes:
        """Return the random numbers of a shuffle: a seed of 32 bytes that follows from the open deal's key.

        Closing the deal writes its key into the log, and so the draw; `shuffle` says how it is had from the key.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: the log cannot be read.
        """
        return draw_seed(self._open_deal(deal).key, attempt)

    def sealed(self, deal: int, name: str, content: bytes) -> bytes:
        """Return content that is kept beside the log, sealed with the open deal's key until closing it publishes that.

        Raises:
            NoSuchDeal: the deal is not open.
            LogError: the log cannot be read.
        """
        return seal(content, self._open_deal(deal).key, deal=deal, name=name)

    def acts(self, deal: int) -> list[Act]:
        """Return the acts intended in a deal, in the order of their commits.

        Raises:
            LogError: the log cannot be read, or is damaged.
        """
        rows = self._act_rows(deal)
        if astray := [kind for _, kind, *_ in rows if kind not in ("feed", "route", "shelve")]:
            raise self.damaged(f"a movement in deal {deal} is of the kind {astray[0]!r:.20}, which there is not")
        return [
            Act(
                command_id=command_id,
                kind=cast("Literal['feed', 'route', 'shelve']", kind),
                k=k,
                tray=tray,
                serial=serial,
                boot_id=boot_id,
            )
            for command_id, kind, k, tray, serial, boot_id in rows
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
            status = self.summary(deal).status
            if status != "open":
                raise NoSuchDeal(self._file, f"deal {deal} is closed ({status})", "Open a new deal.")
            state = _OpenDeal(
                key=self._unwrapped(deal, self._key),
                leaves=Tree().grown(map(leaf_hash, self.leaves(deal))),
                acts=Tree().grown(map(act_hash, self._act_rows(deal))),
            )
            self._open_deals[deal] = state
        return state

    def _machine_key(self, key_file: Path | None, still: int | None) -> bytes:
        """Return the machine's key, which must be the one that sealed the deal still open."""
        if key_file is None:
            return secrets.token_bytes(KEY_BYTES)
        next_step = f"Put back the key file that deal was sealed with, or begin a new log: {self._file} stays readable."
        if still is not None and not is_regular(key_file, str(key_file)):
            reason = f"the key file is gone, and deal {still} of {self._file} is open"
            raise LogError(str(key_file), reason, next_step)
        key = machine_key(key_file)
        if still is not None:
            try:
                self._unwrapped(still, key)
            except SealBroken as error:
                reason = f"it is not the key that sealed deal {still} of {self._file}"
                raise LogError(str(key_file), reason, next_step) from error
        return key

    def _unwrapped(self, deal: int, machine_key: bytes) -> bytes:
        wrapped = self._rows("SELECT wrapped_key FROM deal WHERE number = ?", deal)[0][0]
        return unwrap_key(wrapped, machine_key, deal=deal)

    def _write(self, *statements: tuple[str, Sequence[tuple[int | str | bytes, ...]]]) -> None:
        """Run all statements in one transaction, or none of them."""
        if self._failed is not None:
            raise self._failed
        try:
            self._run(statements)
        except sqlite3.Error as error:
            failure = trouble(self._file, error)
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
                # After a failed fsync the system may have dropped what it could not write: only a new start reads
                # what is truly on the disk.
                self._failed = failure
            raise failure from error
        # Behind the commit: what was written counts only if the file is still where everybody will look for it.
        for path, found in self._mine.items():
            if identity(path) != found:
                reason = f"{path.name} was taken away or replaced while deals were written"
                next_step = "Put it back, then run the same command again; without it a new log begins."
                self._failed = LogError(self._file, reason, next_step)
                raise self._failed

    def _run(self, statements: Sequence[tuple[str, Sequence[tuple[int | str | bytes, ...]]]]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, rows in statements:
                self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


def _check_single(path: Path, file: str) -> None:
    """Refuse a file with two names: each name has a lock and a journal of its own, and one writer would undo the other.

    Raises:
        LogError: the file has another name.
        OSError: it cannot be looked at.
    """
    if path.stat().st_nlink > 1:
        reason = "it has a second name (a hard link), and two controllers could write to it"
        raise LogError(file, reason, "Copy it to a file of its own, and give that.")


def _hashes(rows: Sequence[tuple[int, int, bytes, bytes]]) -> tuple[bytes, ...]:
    return tuple(hashed for *_, hashed in rows)
