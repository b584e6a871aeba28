"""The tables of a deal log: what they hold, of which version a file is, and how SQLite is had to keep every commit."""

from __future__ import annotations

import sqlite3
from typing import Final

from controller.errors import LogDamaged, LogError
from controller.log_files import SQLITE_TROUBLE, trouble

SCHEMA: Final = 2
"""Version of the tables, in `PRAGMA user_version`."""

APPLICATION: Final = int.from_bytes(b"PONE", "big")
"""What `PRAGMA application_id` says of a deal log."""

_TABLES: Final = (
    """CREATE TABLE deal (
        number INTEGER PRIMARY KEY,
        head BLOB NOT NULL,
        acts_head BLOB NOT NULL,
        wrapped_key BLOB
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

_DEAL_FRAMES: Final = 384
"""Pages that the commits of a deal write to the WAL: five a card, and some to spare."""


def is_empty(db: sqlite3.Connection, file: str) -> bool:
    """Return whether the tables of a log are still to be made.

    Raises:
        LogError: it is no deal log, or one of another version.
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
    if version < SCHEMA:
        reason = f"it was written by an earlier version of pone (tables {version}, this version writes {SCHEMA})"
        raise LogError(file, reason, "Name another with --log FILE, or move this one away.")
    if version > SCHEMA:
        reason = f"it was written by a later version of pone (tables {version}, this version knows {SCHEMA})"
        raise LogError(file, reason, "Install the later version.")
    return False


def prepare(db: sqlite3.Connection, file: str, *, durable: bool) -> None:
    """Make a new log's tables, check an old one, and have every commit survive a loss of power.

    Args:
        db: the log, open for writing.
        file: what errors call it.
        durable: whether it lies on a disk.

    Raises:
        LogError: it is no deal log, one of another version, a damaged one, or on a disk that cannot hold it safely.
        sqlite3.Error: SQLite cannot do it.
    """
    new = is_empty(db, file)
    if durable:
        (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise LogError(file, "this disk cannot hold it safely", "Give a log on a local disk.")
        _grow_wal(db)
    for pragma in _DURABLE:
        db.execute(pragma)
    if new:
        db.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            db.execute(statement)
        db.execute("COMMIT")
    elif (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise LogDamaged(file, f"it is damaged ({found})", "Keep the file as evidence, and read a backup.")


def _grow_wal(db: sqlite3.Connection) -> None:
    """Write the WAL once to the length a deal takes, so that its commits go over it in place.

    A commit that makes the file longer waits for the file system's journal too, about twice as long. What is written
    changes nothing, so none of it has to be on the disk: the next checkpoint syncs it, and begins the WAL anew.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    db.execute("PRAGMA synchronous = OFF")
    for _ in range(_DEAL_FRAMES):
        db.execute(f"PRAGMA user_version = {version}")
