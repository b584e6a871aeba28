"""Reads a deal log, also while the controller writes to it: its deals, and the lines of each.

What is said of a deal is derived from its leaves, and nothing else: code and dealer from its first line, how it ended
from its last. Beside them stand two tree heads, over the leaves and over the acts, written anew with every commit; what
is read is held against both, so that a deal cut short or changed is found, also while it is open.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, cast

from controller.errors import LogDamaged, LogError, NoSuchDeal, NotCanonical, SealBroken
from controller.log_files import SQLITE_TROUBLE, is_regular, trouble
from controller.log_tables import is_empty
from controller.records import (
    ENDINGS,
    DealSummary,
    Status,
    canonical,
    cards_delivered,
    leaf_hash,
    parse_leaf,
    tree_head,
)
from controller.sealing import WRAPPED_BYTES, open_line, published_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from controller.acts import Line

_LAST_LEAVES: Final = """SELECT number, (SELECT body FROM leaf WHERE deal = number ORDER BY place DESC LIMIT 1)
    FROM deal ORDER BY number"""
_LAST_MENTIONED: Final = "SELECT max(ifnull((SELECT max(deal) FROM leaf), 0), ifnull((SELECT max(deal) FROM act), 0))"
_ACT_ROWS: Final = "SELECT place, command_id, kind, k, tray, serial, boot_id FROM act WHERE deal = ? ORDER BY place"


class DealReader:
    """A deal log, open for reading. Used by one thread."""

    def __init__(self, db: sqlite3.Connection, file: str, *, held: ExitStack) -> None:
        self._db = db
        self._file = file
        self._held = held

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and give back what was held with it; what was committed stays."""
        self._held.close()

    def deals(self) -> list[DealSummary]:
        """Return all deals in the order of opening; every line of each is checked.

        Raises:
            LogError: the log cannot be read, or is damaged.
        """
        with self._snapshot():
            return [self.summary(number) for number in range(1, self.last() + 1)]

    def last(self) -> int:
        """Return the number of the last deal, 0 where there is none.

        Raises:
            LogError: the log cannot be read, or a deal is missing.
        """
        return len(self._last_leaves())

    def summary(self, deal: int) -> DealSummary:
        """Return what a deal's lines say of it as a whole; all of them are checked.

        Raises:
            NoSuchDeal: the log holds no such deal.
            LogError: the log cannot be read, or is damaged.
        """
        with self._snapshot():
            return self._summed(deal, self._stored(deal))

    def unfinished(self) -> int | None:
        """Return the number of the deal that is open, or None.

        Raises:
            LogError: the log cannot be read, or is damaged.
        """
        last_leaves = self._last_leaves()
        still = [deal for deal, leaf in enumerate(last_leaves, 1) if not self._closes(deal, leaf)]
        if still and still[0] != len(last_leaves):
            raise self.damaged(f"deal {still[0]} was never closed, and deal {still[0] + 1} follows")
        return still[0] if still else None

    def lines(self, deal: int) -> list[Line]:
        """Return a deal's lines: sealed as they are stored while it is open, opened once it is closed.

        Raises:
            NoSuchDeal: the log holds no such deal.
            LogError: the log cannot be read, or is damaged; a seal that is broken counts as damage.
        """
        return self.deal(deal)[1]

    def deal(self, deal: int) -> tuple[DealSummary, list[Line]]:
        """Return what a deal is as a whole, and its lines as `lines` gives them.

        Raises:
            NoSuchDeal: the log holds no such deal.
            LogError: the log cannot be read, or is damaged; a seal that is broken counts as damage.
        """
        with self._snapshot():
            stored = self._stored(deal)
            summary = self._summed(deal, stored)
        try:
            key = published_key(stored[-1], deal=deal, leaf=len(stored) - 1)
            return summary, stored if key is None else opened(stored, key, deal=deal)
        except SealBroken as error:
            raise self.damaged(str(error)) from error

    def leaves(self, deal: int) -> list[bytes]:
        """Return a deal's leaves, byte for byte as they are stored.

        Raises:
            NoSuchDeal: the log holds no such deal.
            LogDamaged: a leaf or the tree head is not what was written.
            LogError: the log cannot be read.
        """
        with self._snapshot():
            head = self._heads(deal)[0]
            rows = self._rows("SELECT place, body, hash FROM leaf WHERE deal = ? ORDER BY place", deal)
        for expected, (place, body, hashed) in enumerate(rows):
            if place != expected or not isinstance(body, bytes) or leaf_hash(body) != hashed:
                raise self.damaged(f"line {expected + 1} of deal {deal} is not what was written")
        if tree_head(hashed for _, _, hashed in rows) != head:
            raise self.damaged(f"the {len(rows)} lines of deal {deal} do not make the tree head that was written")
        return [body for _, body, _ in rows]

    def no_such(self, deal: int) -> NoSuchDeal:
        """Return the error for a deal that the log does not hold."""
        last = self.last()
        held = f"it holds deals 1 to {last}" if last else "it holds no deal yet"
        return NoSuchDeal(
            self._file, f"{held}, and no deal {deal}", f"See the list: pone record {shlex.quote(self._file)} --list"
        )

    def damaged(self, reason: str) -> LogDamaged:
        """Return the error for what the log holds and was never written so."""
        return LogDamaged(self._file, f"it is damaged: {reason}", "Keep the file as evidence, and read a backup.")

    def _stored(self, deal: int) -> list[Line]:
        """Return a deal's lines as they are stored, with everything checked that stands beside them."""
        with self._snapshot():
            leaves = self.leaves(deal)
            self._act_rows(deal)
            wrapped = self._rows("SELECT wrapped_key FROM deal WHERE number = ?", deal)[0][0]
        try:
            stored = [parse_leaf(leaf) for leaf in leaves]
        except NotCanonical as error:
            raise self.damaged(f"deal {deal} holds a line that is no record: {error.reason}") from error
        match stored:
            case [{"fact": "deal_opened", "code": str()}, *_]:
                pass
            case _:
                raise self.damaged(f"line 1 of deal {deal} does not open it")
        closing = [number for number, line in enumerate(stored, 1) if line.get("fact") == "closed"]
        if closing and (closing != [len(stored)] or stored[-1].get("status") not in ENDINGS):
            raise self.damaged(f"line {closing[0]} of deal {deal} does not close it as a deal is closed")
        if wrapped is not None if closing else not isinstance(wrapped, bytes) or len(wrapped) != WRAPPED_BYTES:
            raise self.damaged(f"the sealed key of deal {deal} is not what was written")
        return stored

    def _summed(self, deal: int, stored: Sequence[Line]) -> DealSummary:
        opening, last = stored[0], stored[-1]
        is_closed = last.get("fact") == "closed"
        return DealSummary(
            number=deal,
            code=opening["code"],
            dealer=str(opening.get("dealer", "")),
            status=cast("Status", last["status"]) if is_closed else "open",
            cards=cards_delivered(stored),
            head=self._heads(deal)[0].hex() if is_closed else "",
        )

    def _act_rows(self, deal: int) -> list[tuple[Any, ...]]:
        """Return the acts intended in a deal, as they are stored, in their order and without their places."""
        with self._snapshot():
            head = self._heads(deal)[1]
            rows = self._rows(_ACT_ROWS, deal)
        acts = [row[1:] for row in rows]
        in_order = [row[0] for row in rows] == list(range(len(rows)))
        if not in_order or _acts_head(acts) != head:
            raise self.damaged(f"the {len(rows)} movements intended in deal {deal} are not those that were written")
        return acts

    def _heads(self, deal: int) -> tuple[bytes, bytes]:
        """Return the tree heads over a deal's leaves and over its acts."""
        rows = self._rows("SELECT head, acts_head FROM deal WHERE number = ?", deal)
        if not rows:
            raise self.no_such(deal)
        return rows[0][0], rows[0][1]

    def _last_leaves(self) -> list[bytes]:
        """Return the last leaf of each deal; no deal is missing before them or behind."""
        with self._snapshot():
            rows = self._rows(_LAST_LEAVES)
            mentioned = self._rows(_LAST_MENTIONED)[0][0]
        numbers = [number for number, _ in rows]
        for expected in range(1, max([mentioned, *numbers]) + 1):
            if expected > len(numbers) or numbers[expected - 1] != expected:
                raise self.damaged(f"deal {expected} is not in it, and a later line is of it or of a deal behind it")
        return [leaf for _, leaf in rows]

    def _closes(self, deal: int, leaf: bytes | None) -> bool:
        """Return whether a leaf, the last of its deal, closes it."""
        try:
            return parse_leaf(leaf or b"").get("fact") == "closed"
        except NotCanonical as error:
            raise self.damaged(f"the last line of deal {deal} is not what was written") from error

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Let all that is read inside be of one moment, also while the controller writes."""
        if self._db.in_transaction:
            yield
            return
        self._rows("BEGIN")
        try:
            yield
        finally:
            self._rows("COMMIT")

    def _rows(self, statement: str, *values: int | str) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(statement, values).fetchall()
        except SQLITE_TROUBLE as error:
            raise trouble(self._file, error) from error


def act_hash(row: Sequence[int | str]) -> bytes:
    """Return the hash of an act's row without deal and place: that of a leaf that holds the row as a JSON list."""
    return leaf_hash(canonical(list(row)))


def _acts_head(rows: Sequence[Sequence[int | str]]) -> bytes | None:
    """Return the tree head over acts, or None where one of them cannot have been written."""
    try:
        return tree_head(map(act_hash, rows))
    except NotCanonical:
        return None


def opened(stored: Iterable[Line], key: bytes, *, deal: int) -> list[Line]:
    """Return stored lines with their cards in plain.

    Raises:
        SealBroken: a sealed field is not what was sealed there.
    """
    return [open_line(line, key, deal=deal, leaf=leaf) for leaf, line in enumerate(stored)]


def read_log(path: Path) -> DealReader:
    """Open a deal log for reading; nothing in it is changed.

    Raises:
        LogError: there is no such file, or it is no deal log that this version can read.
    """
    file = str(path)
    if not is_regular(path, file):
        raise LogError(file, "there is no such file", "Give the file that pone deal --log wrote.")
    with ExitStack() as held:
        db = _connect(path, file, held)
        if is_empty(db, file):
            raise LogError(file, "it holds no deal yet", "Deal one: pone deal --log FILE.")
        return DealReader(db, file, held=held.pop_all())


def _connect(path: Path, file: str, held: ExitStack) -> sqlite3.Connection:
    """Connect for reading; `held` lets go of it.

    On a medium that cannot be written SQLite must be told that nobody else writes either; and where a writer that was
    cut off left lines in the file `-wal`, SQLite must be able to write to put them in their place: a private copy is
    read instead.
    """
    real = Path(os.path.realpath(path))
    db = sqlite3.connect(f"{real.as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        db.execute("PRAGMA schema_version").fetchone()
    except SQLITE_TROUBLE as error:
        db.close()
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or not os.access(real, os.R_OK):
            raise trouble(file, error) from error
    else:
        held.callback(db.close)
        return db
    journal = real.with_name(real.name + "-wal")
    try:
        if journal.exists() and journal.stat().st_size:
            copy = Path(held.enter_context(TemporaryDirectory(prefix="pone-"))) / "copy"
            shutil.copyfile(real, copy)
            shutil.copyfile(journal, copy.with_name("copy-wal"))
            db = sqlite3.connect(copy, isolation_level=None)
        else:
            db = sqlite3.connect(f"{real.as_uri()}?immutable=1", uri=True, isolation_level=None)
    except (*SQLITE_TROUBLE, OSError) as error:
        raise trouble(file, error) from error
    held.callback(db.close)
    return db
