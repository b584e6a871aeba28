"""Reads a deal log, also while the controller writes to it: its deals, and the lines of each."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from controller.errors import LogDamaged, LogError, NoSuchDeal, NotCanonical
from controller.log_files import SQLITE_TROUBLE, trouble
from controller.records import DealSummary, cards_dealt, leaf_hash, parse_leaf, tree_head
from controller.sealing import open_line, published_key

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from controller.acts import Line

SCHEMA: Final = 1
"""Version of the tables, in `PRAGMA user_version`."""

APPLICATION: Final = int.from_bytes(b"PONE", "big")
"""What `PRAGMA application_id` says of a deal log."""


class DealReader:
    """A deal log, open for reading. Used by one thread."""

    def __init__(self, db: sqlite3.Connection, file: str) -> None:
        self._db = db
        self._file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was committed stays."""
        self._db.close()

    def deals(self) -> list[DealSummary]:
        """Return all deals in the order of opening.

        Raises:
            LogError: the log cannot be read, or is damaged.
        """
        deals = [
            DealSummary(
                number=number,
                code=code,
                dealer=dealer,
                status=status,
                cards=cards_dealt(self._stored(number)) if status == "open" else cards,
                head=head.hex() if isinstance(head, bytes) else "",
            )
            for number, code, dealer, status, cards, head in self._rows(
                "SELECT number, code, dealer, status, cards, head FROM deal ORDER BY number"
            )
        ]
        for expected, deal in enumerate(deals, 1):
            if deal.number != expected:
                raise self._damaged(f"deal {expected} is not in it, and deal {deal.number} is")
        return deals

    def unfinished(self) -> int | None:
        """Return the number of the deal that is open, or None.

        Raises:
            LogError: the log cannot be read.
        """
        rows = self._rows("SELECT number FROM deal WHERE status = 'open'")
        return rows[0][0] if rows else None

    def lines(self, deal: int) -> list[Line]:
        """Return a deal's lines: sealed as they are stored while it is open, opened once it is closed.

        Raises:
            NoSuchDeal: the log holds no such deal.
            SealBroken: a sealed field is not what was sealed there.
            LogError: the log cannot be read, or is damaged.
        """
        stored = self._stored(deal)
        key = published_key(stored[-1], deal=deal, leaf=len(stored) - 1) if stored else None
        return stored if key is None else opened(stored, key, deal=deal)

    def leaves(self, deal: int) -> list[bytes]:
        """Return a deal's leaves, byte for byte as they are stored.

        Raises:
            NoSuchDeal: the log holds no such deal.
            LogDamaged: a leaf or the tree head is not what was written.
            LogError: the log cannot be read.
        """
        deals = self._rows("SELECT status, head FROM deal WHERE number = ?", deal)
        if not deals:
            raise self.no_such(deal)
        rows = self._rows("SELECT place, body, hash FROM leaf WHERE deal = ? ORDER BY place", deal)
        for expected, (place, body, hashed) in enumerate(rows):
            if place != expected or not isinstance(body, bytes) or leaf_hash(body) != hashed:
                raise self._damaged(f"line {expected + 1} of deal {deal} is not what was written")
        status, head = deals[0]
        if status != "open" and tree_head(hashed for _, _, hashed in rows) != head:
            raise self._damaged(f"the lines of deal {deal} do not make the tree head that was written")
        return [body for _, body, _ in rows]

    def no_such(self, deal: int) -> NoSuchDeal:
        """Return the error for a deal that the log does not hold."""
        last = self._rows("SELECT max(number) FROM deal")[0][0]
        held = f"it holds deals 1 to {last}" if last else "it holds no deal yet"
        return NoSuchDeal(self._file, f"{held}, and no deal {deal}", "See the list: pone record --list.")

    def _stored(self, deal: int) -> list[Line]:
        try:
            return [parse_leaf(leaf) for leaf in self.leaves(deal)]
        except NotCanonical as error:
            raise self._damaged(f"deal {deal} holds a line that is no record: {error.reason}") from error

    def _rows(self, statement: str, *values: int | str) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(statement, values).fetchall()
        except SQLITE_TROUBLE as error:
            raise trouble(self._file, error) from error

    def _damaged(self, reason: str) -> LogDamaged:
        return LogDamaged(self._file, reason, "Keep the file as evidence, and read a backup.")


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
    if not path.is_file():
        raise LogError(file, "there is no such file", "Give the file that pone deal --log wrote.")
    with ExitStack() as held:
        db = _connect(path)
        held.callback(db.close)
        if is_empty(db, file):
            raise LogError(file, "it holds no deal yet", "Deal one: pone deal --log FILE.")
        held.pop_all()
    return DealReader(db, file)


def is_empty(db: sqlite3.Connection, file: str) -> bool:
    """Return whether the tables of a log are still to be made.

    Raises:
        LogError: it is no deal log, or one of a later version.
    """
    try:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except SQLITE_TROUBLE as error:
        raise trouble(file, error) from error
    if application == version == tables == 0:
        return True
    if application != APPLICATION:
        raise LogDamaged(file, "it is the database of another program", "Give the file that pone deal --log wrote.")
    if version > SCHEMA:
        reason = f"it was written by a later version of pone (tables {version}, this version knows {SCHEMA})"
        raise LogError(file, reason, "Install the later version.")
    return False


def _connect(path: Path) -> sqlite3.Connection:
    """Connect for reading; on a medium that cannot be written SQLite must be told that nobody else writes either."""
    uri = path.resolve().as_uri()
    db = sqlite3.connect(f"{uri}?mode=ro", uri=True, isolation_level=None)
    try:
        db.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError as error:
        cannot_open = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if not cannot_open or path.resolve().with_name(path.name + "-wal").exists():
            db.close()
            raise trouble(str(path), error) from error
        db.close()
        return sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None)
    except SQLITE_TROUBLE as error:
        db.close()
        raise trouble(str(path), error) from error
    return db
