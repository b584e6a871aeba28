"""The deal log: durable, whole, private, for one writer; and what it says when a disk or a file is not as it should."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import controller
from controller.deal_log import Act, DealLog
from controller.deal_reader import DealReader, read_log
from controller.entropy import seeded_entropy
from controller.errors import ControllerError, LogBusy, LogDamaged, LogError, NoSuchDeal
from controller.log_tables import SCHEMA
from controller.records import leaf_hash, tree_head
from controller.sealing import is_sealed
from controller.table import SINGLY, Seat
from vision.cards import Pack

Line = dict[str, Any]

ORDER = SINGLY.order(Seat.S)
CARDS = Pack.of(52).cards
NOBODY = 65_534


def opening() -> list[Line]:
    return [{"fact": "deal_opened", "code": "whist", "dealer": "S"}, {"fact": "dealing_began", "by": "S"}]


def of_card(k: int) -> list[Line]:
    card, seat = str(CARDS[k - 1]), str(ORDER[k - 1])
    frame = leaf_hash(card.encode()).hex()
    return [
        {"fact": "seen", "k": k, "state": "card", "card": card, "confidence_ppm": 990_000 + k, "frame": frame},
        {"fact": "routed", "k": k, "to": seat},
        {"fact": "dealt", "to": seat, "k": k, "t_us": 380_000 * k},
    ]


def acts_of(k: int, *, serial: str = "PONE-1", first_id: int = 0) -> list[Act]:
    route = Act(command_id=first_id + k, kind="route", k=k, tray=str(ORDER[k - 1]), serial=serial, boot_id=5)
    feed = Act(command_id=first_id + k + 1, kind="feed", k=k + 1, tray="", serial=serial, boot_id=5)
    return [route, feed]


def in_memory(seed: int = 1) -> DealLog:
    return DealLog.open(None, key_file=None, entropy=seeded_entropy(seed))


def on_disk(folder: Path, seed: int = 1) -> DealLog:
    return DealLog.open(folder / "deals.db", key_file=folder / "machine.key", entropy=seeded_entropy(seed))


def on_disk_beside(file: Path) -> DealLog:
    return on_disk(file.parent)


OPENERS: tuple[Callable[[Path], DealReader], ...] = (on_disk_beside, read_log)


def deal_cards(log: DealLog, cards: int) -> int:
    deal = log.open_deal(opening())
    for k in range(1, cards + 1):
        log.commit(deal, of_card(k), acts=acts_of(k))
    return deal


def whole(cards: int) -> list[Line]:
    return opening() + [line for k in range(1, cards + 1) for line in of_card(k)]


FRAME = 24 + 4096
"""Bytes of a page in the write-ahead log, its head included; the file's own head has 32."""


def written_to(journal: Path, before: bytes) -> int:
    """Return the end of the last page in which the write-ahead log is not as it was before."""
    now = journal.read_bytes()
    return max(
        end for end in range(32 + FRAME, len(now) + 1, FRAME) if now[end - FRAME : end] != before[end - FRAME : end]
    )


@contextmanager
def unprivileged() -> Iterator[Path]:
    """Give a folder in which permissions count, also where the tests run as root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = os.geteuid() == 0
        if root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o700)


# --- what it keeps ---


@pytest.mark.parametrize("place", ["memory", "disk"])
def test_lines_are_sealed_while_the_deal_is_open_and_open_once_it_is_closed(place: str, tmp_path: Path) -> None:
    with in_memory() if place == "memory" else on_disk(tmp_path) as log:
        deal = deal_cards(log, 52)
        sealed = log.lines(deal)
        assert [is_sealed(line["card"]) for line in sealed if "card" in line] == [True] * 52
        assert log.own_lines(deal) == whole(52)
        log.close_deal(deal, [{"fact": "deal_completed"}], status="completed")
        *lines, closed = log.lines(deal)
        assert lines == [*whole(52), {"fact": "deal_completed"}]
        assert (closed["fact"], closed["status"], len(bytes.fromhex(closed["key"]))) == ("closed", "completed", 32)


def test_a_deal_is_listed_with_its_status_cards_and_tree_head() -> None:
    with in_memory() as log:
        assert (log.deals(), log.unfinished()) == ([], None)
        first = deal_cards(log, 3)
        assert (first, log.unfinished()) == (1, 1)
        assert [(deal.status, deal.cards, deal.head) for deal in log.deals()] == [("open", 3, "")]
        log.close_deal(first, [{"fact": "voided", "by": "machine"}], status="voided")
        second = deal_cards(log, 5)
        summary = log.deals()[0]
        assert (summary.number, summary.code, summary.dealer, summary.status, summary.cards) == (
            1,
            "whist",
            "S",
            "voided",
            3,
        )
        assert summary.head == tree_head(map(leaf_hash, log.leaves(first))).hex()
        assert (second, log.unfinished(), log.deals()[1].status) == (2, 2, "open")


def test_acts_are_kept_in_order() -> None:
    with in_memory() as log:
        first = log.open_deal(opening())
        log.commit(first, of_card(1), acts=acts_of(1, first_id=700))
        log.commit(first, [], acts=acts_of(2, serial="PONE-2"))
        log.close_deal(first, [], status="voided")
        second = log.open_deal(opening())
        log.commit(second, of_card(1), acts=acts_of(1, first_id=20))
        assert log.acts(first) == acts_of(1, first_id=700) + acts_of(2, serial="PONE-2")
        assert log.acts(second) == acts_of(1, first_id=20)


def test_two_runs_with_one_seed_give_byte_identical_records(tmp_path: Path) -> None:
    records = []
    for run in ("one", "other"):
        with on_disk(tmp_path / run, seed=7) as log:
            deal = deal_cards(log, 52)
            log.close_deal(deal, [{"fact": "deal_completed"}], status="completed")
            records.append((log.leaves(deal), log.deals()))
    assert records[0] == records[1]


def test_a_seed_decides_neither_the_machine_key_nor_how_it_is_used(tmp_path: Path) -> None:
    wrapped = set()
    for run in ("one", "other"):
        with on_disk(tmp_path / run, seed=7) as log:
            log.open_deal(opening())
            wrapped.add(log._db.execute("SELECT wrapped_key FROM deal").fetchone()[0][:12])
    assert len(wrapped) == 2
    assert (tmp_path / "one" / "machine.key").read_bytes() != (tmp_path / "other" / "machine.key").read_bytes()


def test_another_seed_gives_another_record() -> None:
    with in_memory(1) as one, in_memory(2) as other:
        assert one.leaves(deal_cards(one, 1)) != other.leaves(deal_cards(other, 1))


# --- faces ---


def test_no_face_of_an_open_deal_is_in_any_byte_of_log_journal_or_backup(tmp_path: Path) -> None:
    marks = [f'"{card}"' for card in CARDS] + [card.name for card in CARDS]
    marks += [str(990_000 + k) for k in range(1, 53)] + [leaf_hash(str(card).encode()).hex() for card in CARDS]
    marks += ["MARKED 7C or 7S"]
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 52)
        log.commit(deal, [{"fact": "seen", "k": 52, "state": "not_sure", "confidence_ppm": 5, "reason": marks[-1]}])
        log.commit(deal, [{"ruling": "not_callable", "law": "whist 30", "card": "AS", "on": 9, "because": "It is so."}])
        with (
            closing(sqlite3.connect(tmp_path / "backup.db")) as copy,
            closing(read_log(tmp_path / "deals.db")) as reader,
        ):
            reader._db.backup(copy)
        found = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".key"}
        assert {"deals.db", "deals.db-wal", "deals.db-shm", "deals.db.lock", "backup.db"} == found.keys()
        assert not [(name, mark) for name, raw in found.items() for mark in marks if mark.encode() in raw]
        plain = repr(log.own_lines(deal)).replace("'", '"')
        assert all(mark in plain for mark in marks if " of " not in mark), (
            "the marks would not be found in plain either"
        )


# --- whole and durable ---


def test_every_commit_is_synced_to_a_write_ahead_log(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        settings_ = [log._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert settings_ == ["wal", 2]


def test_the_commits_of_a_deal_go_over_the_journal_in_place(tmp_path: Path) -> None:
    journal = tmp_path / "deals.db-wal"
    with on_disk(tmp_path) as log:
        made, before = journal.stat().st_size, journal.read_bytes()
        deal = deal_cards(log, 52)
        log.close_deal(deal, [], status="completed")
        assert written_to(journal, before) > 52 * FRAME
        assert journal.stat().st_size == made


def test_wherever_power_is_lost_every_acknowledged_commit_is_there_and_none_in_part(tmp_path: Path) -> None:
    journal = tmp_path / "log" / "deals.db-wal"
    with on_disk(tmp_path / "log") as log:
        before = journal.read_bytes()
        deal = log.open_deal(opening())
        durable = [(written_to(journal, before), 2)]
        for k in range(1, 9):
            log.commit(deal, of_card(k), acts=acts_of(k))
            durable.append((written_to(journal, before), 2 + 3 * k))
        file, written = (tmp_path / "log" / "deals.db").read_bytes(), journal.read_bytes()
    assert [end for end, _ in durable] == sorted({end for end, _ in durable})
    key = (tmp_path / "log" / "machine.key").read_bytes()
    cuts = sorted({max(0, end + step) for end, _ in durable for step in (-4097, -1, 0, 1, 900)} | {len(written)})
    for number, cut in enumerate(cuts):
        copy = tmp_path / str(number)
        copy.mkdir()
        (copy / "deals.db").write_bytes(file)
        half_written = written[:cut] + b"\xa5" * (number % 3 * 2000)
        (copy / "deals.db-wal").write_bytes(half_written + before[len(half_written) :])
        (copy / "machine.key").write_bytes(key)
        (copy / "machine.key").chmod(0o600)
        acknowledged = max((lines for end, lines in durable if end <= cut), default=0)
        with on_disk(copy) as log:
            lines = log.own_lines(deal) if log.unfinished() else []
            assert len(lines) >= acknowledged
            assert lines in ([], *(whole(cards) for cards in range(9)))
            assert not lines or len(log.acts(deal)) == (len(lines) - 2) // 3 * 2


_WRITER = """
import os, sys
from pathlib import Path
from controller.deal_log import DealLog
folder = Path(sys.argv[1])
log = DealLog.open(folder / "deals.db", key_file=folder / "machine.key", entropy=os.urandom)
deal = log.unfinished() or log.open_deal([{"fact": "deal_opened", "code": "whist", "dealer": "S"}])
written = len(log.own_lines(deal))
while True:
    card = {"k": written, "to": "W"}
    log.commit(deal, [{"fact": "dealt", "card": "QC", **card}, {"fact": "routed", **card}])
    written += 2
    print(written, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_was_acknowledged_and_gives_the_lock_back(tmp_path: Path) -> None:
    root = Path(controller.__file__).parent.parent
    for acknowledgements in (1, 7, 2, 13):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=root
        )
        with writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline() for _ in range(acknowledgements)]
            with pytest.raises(LogBusy, match=str(writer.pid)):
                on_disk(tmp_path)
            os.kill(writer.pid, signal.SIGKILL)
            said += writer.stdout.readlines()
        acknowledged = int([line for line in said if line.endswith("\n")][-1])
        with on_disk(tmp_path) as log:
            lines = log.own_lines(1)
        assert len(lines) >= acknowledged
        assert len(lines) % 2 == 1
        assert [line["k"] for line in lines[1:]] == [k for k in range(1, len(lines), 2) for _ in "ab"]


def test_a_deal_cut_off_is_gone_on_with_after_a_new_start(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 3)
    with on_disk(tmp_path, seed=2) as log:
        assert log.unfinished() == deal
        assert log.own_lines(deal) == whole(3)
        log.commit(deal, of_card(4), acts=acts_of(4))
        log.close_deal(deal, [], status="voided")
        assert log.lines(deal)[:-1] == whole(4)
        assert [act.k for act in log.acts(deal)] == [1, 2, 2, 3, 3, 4, 4, 5]
        assert log.deals()[0].cards == 4


def test_a_full_disk_keeps_what_was_there_and_the_commit_can_be_made_again(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 3)
        pages = log._db.execute("PRAGMA page_count").fetchone()[0]
        log._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LogError, match=r"disk is full.*Make room") as full:
            log.commit(deal, [line for k in range(4, 30) for line in of_card(k)], acts=acts_of(4))
        assert full.value.file == str(tmp_path / "deals.db")
        assert log.own_lines(deal) == whole(3)
        assert len(log.acts(deal)) == 6
        log._db.execute("PRAGMA max_page_count = 1000000")
        log.commit(deal, of_card(4), acts=acts_of(4))
        assert log.own_lines(deal) == whole(4)


def test_after_a_failed_write_to_the_disk_nothing_is_written_before_a_new_start(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    journal = tmp_path / "deals.db-wal"
    with on_disk(tmp_path) as log:
        before = journal.read_bytes()
        deal = deal_cards(log, 3)
        resource.setrlimit(resource.RLIMIT_FSIZE, (written_to(journal, before) + 100, hard))
        try:
            with pytest.raises(LogError, match="the disk fails"):
                log.commit(deal, of_card(4))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        with pytest.raises(LogError, match="the disk fails"):
            log.commit(deal, of_card(4))
    with on_disk(tmp_path) as log:
        assert log.own_lines(deal) == whole(3)
        log.commit(deal, of_card(4))
        assert log.own_lines(deal) == whole(4)


def test_an_interrupted_commit_writes_nothing_and_the_next_one_holds(tmp_path: Path) -> None:
    source = seeded_entropy(3)
    left = 80

    def interrupted(count: int) -> bytes:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return source(count)

    with DealLog.open(tmp_path / "deals.db", key_file=tmp_path / "key", entropy=interrupted) as log:
        deal = deal_cards(log, 20)
        with pytest.raises(KeyboardInterrupt):
            log.commit(deal, [line for k in range(21, 40) for line in of_card(k)])
        log.commit(deal, of_card(21))
        assert log.own_lines(deal) == whole(21)


def test_an_interrupt_just_after_a_commit_is_no_reason_to_lose_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with in_memory() as log:
        deal = deal_cards(log, 2)
        write = log._write

        def interrupted(*statements: Any) -> None:
            write(*statements)
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(log, "_write", interrupted)
            with pytest.raises(KeyboardInterrupt):
                log.commit(deal, of_card(3), acts=acts_of(3))
        log.commit(deal, of_card(4), acts=acts_of(4))
        assert log.own_lines(deal) == whole(4)
        assert len(log.acts(deal)) == 8


# --- one writer, many readers ---


def test_a_second_controller_is_told_who_holds_the_log(tmp_path: Path) -> None:
    with on_disk(tmp_path):
        with pytest.raises(LogBusy, match=f"another controller writes to it .process {os.getpid()}."):
            on_disk(tmp_path)
        link = tmp_path / "link.db"
        link.symlink_to(tmp_path / "deals.db")
        with pytest.raises(LogBusy):
            DealLog.open(link, key_file=tmp_path / "machine.key", entropy=os.urandom)
    on_disk(tmp_path).close()


def test_a_log_can_be_read_while_a_deal_runs(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 2)
        with read_log(tmp_path / "deals.db") as reader:
            assert reader.lines(deal) == log.lines(deal)
            log.commit(deal, of_card(3))
            assert len(reader.lines(deal)) == 11
            log.close_deal(deal, [], status="voided")
            log.open_deal(opening())
            assert reader.lines(deal)[:-1] == whole(3)
            assert reader.unfinished() == 2


def test_what_is_read_while_the_controller_writes_is_of_one_moment(tmp_path: Path) -> None:
    """Lines, movements and heads are read by several statements; a commit between two of them must not look forged."""
    done, reads = threading.Event(), list[int]()

    def read_on() -> None:
        with read_log(tmp_path / "deals.db") as reader:
            while not done.is_set():
                summary, lines = reader.deal(1)
                assert len(lines) == 2 + 3 * summary.cards
                reads.append(summary.cards)

    with on_disk(tmp_path) as log, ThreadPoolExecutor(max_workers=1) as pool:
        deal = log.open_deal(opening())
        reading = pool.submit(read_on)
        try:
            for k in range(1, 53):
                log.commit(deal, of_card(k), acts=acts_of(k))
        finally:
            done.set()
        reading.result()
    assert len(set(reads)) > 1, "nothing was read while it was written"


def test_another_program_that_writes_is_named(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log, closing(sqlite3.connect(tmp_path / "deals.db", isolation_level=None)) as other:
        deal = deal_cards(log, 1)
        log._db.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogBusy, match="another program is writing"):
            log.commit(deal, of_card(2))
        other.execute("ROLLBACK")
        log.commit(deal, of_card(2))
        assert log.own_lines(deal) == whole(2)


# --- private ---


def test_log_and_key_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with on_disk(folder) as log:
        deal_cards(log, 1)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}
    names = ("deals.db", "deals.db-wal", "deals.db-shm", "deals.db.lock", "machine.key")
    assert modes == {"new": 0o700, **dict.fromkeys(names, 0o600)}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620])
def test_a_key_file_that_others_may_touch_is_refused_with_the_next_step(mode: int, tmp_path: Path) -> None:
    on_disk(tmp_path).close()
    key = tmp_path / "machine.key"
    key.chmod(mode)
    with pytest.raises(LogError, match=f"Run: chmod 600 {key}"):
        on_disk(tmp_path)
    key.chmod(0o600)
    on_disk(tmp_path).close()


@pytest.mark.parametrize("content", [b"", bytes(31), bytes(33)])
def test_a_key_file_without_a_key_is_refused(content: bytes, tmp_path: Path) -> None:
    key = tmp_path / "machine.key"
    key.touch(0o600)
    key.write_bytes(content)
    with pytest.raises(LogError, match="32 bytes"):
        on_disk(tmp_path)


def test_a_folder_is_no_key_file(tmp_path: Path) -> None:
    (tmp_path / "machine.key").mkdir(0o700)
    with pytest.raises(LogError, match=r"machine\.key"):
        on_disk(tmp_path)


def test_an_open_deal_asks_for_the_key_that_sealed_it(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 1)
    key = tmp_path / "machine.key"
    right = key.read_bytes()
    key.unlink()
    with pytest.raises(LogError, match=r"the key file is gone, and deal 1 .* is open. Put back"):
        on_disk(tmp_path)
    assert not key.exists()
    key.touch(0o600)
    key.write_bytes(bytes(32))
    with pytest.raises(LogError, match="not the key that sealed deal 1"):
        on_disk(tmp_path)
    key.write_bytes(right)
    with on_disk(tmp_path) as log:
        assert log.own_lines(deal) == whole(1)


def test_a_log_on_disk_needs_a_key_file(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="needs a key file"):
        DealLog.open(tmp_path / "deals.db", key_file=None, entropy=os.urandom)
    assert not list(tmp_path.iterdir())


# --- what is read is held against what was written ---

FORGERIES = (
    "DELETE FROM leaf WHERE place > 5",
    "DELETE FROM leaf",
    "UPDATE leaf SET place = place + 1 WHERE place = (SELECT max(place) FROM leaf WHERE deal = 1)",
    "DELETE FROM act WHERE place > 2",
    "DELETE FROM act",
    "UPDATE act SET tray = 'Q' WHERE place = 4",
    "UPDATE act SET kind = 'zz' WHERE place = 4",
    "UPDATE act SET serial = 'PONE-2'",
    "UPDATE act SET k = -9007199254740993 WHERE place = 0",
    "UPDATE deal SET head = zeroblob(32)",
    "UPDATE deal SET acts_head = x''",
    "UPDATE deal SET wrapped_key = x''",
    "UPDATE deal SET wrapped_key = CASE WHEN wrapped_key IS NULL THEN zeroblob(60) END",
    "UPDATE deal SET number = 2",
    "DELETE FROM deal",
)


@pytest.mark.parametrize("ending", ["open", "voided"])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_whatever_is_changed_beside_or_in_the_lines_is_found_by_all_who_read(
    forgery: str, ending: str, tmp_path: Path
) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 3)
        if ending != "open":
            log.close_deal(deal, [], status=ending)
    changed(tmp_path / "deals.db", forgery)
    with read_log(tmp_path / "deals.db") as reader:
        for read in (lambda: reader.deals(), lambda: reader.lines(1), lambda: reader.deal(1)):
            with pytest.raises(LogDamaged, match=r"deals\.db: it is damaged: .*deal 1.*Keep the file"):
                read()
    with pytest.raises(LogDamaged, match="it is damaged"):
        on_disk(tmp_path)


def test_a_deal_says_of_itself_only_what_its_lines_say() -> None:
    with in_memory() as log:
        columns = [name for _, name, *_ in log._db.execute("PRAGMA table_info(deal)")]
    assert columns == ["number", "head", "acts_head", "wrapped_key"]


def test_a_closed_deal_keeps_no_sealed_key_and_is_open_to_every_key_file(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        log.close_deal(deal_cards(log, 1), [], status="voided")
    (tmp_path / "machine.key").unlink()
    with on_disk(tmp_path) as log:
        assert log.lines(1)[:-1] == whole(1)


def test_a_deal_never_closed_that_another_follows_is_damage(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal_cards(log, 1)
        log._db.execute("INSERT INTO deal SELECT 2, head, acts_head, wrapped_key FROM deal")
        log._db.execute("INSERT INTO leaf SELECT 2, place, body, hash FROM leaf")
        with pytest.raises(LogDamaged, match="deal 1 was never closed, and deal 2 follows"):
            log.unfinished()


@pytest.mark.parametrize("status", ["zz", 7])
def test_lines_that_do_not_open_and_close_a_deal_are_damage_even_under_fitting_heads(
    status: object, tmp_path: Path
) -> None:
    with on_disk(tmp_path) as log:
        deal = log.open_deal(opening())
        log.commit(deal, [{"fact": "closed", "status": status, "key": "00" * 32}])
        with pytest.raises(LogDamaged, match="line 3 of deal 1 does not close it"):
            log.deals()
        with pytest.raises(LogDamaged, match="line 3 of deal 1 does not close it"):
            log.lines(deal)


def test_an_act_of_no_kind_is_damage() -> None:
    with in_memory() as log:
        deal = log.open_deal(opening())
        strange: Any = "zz"
        log.commit(deal, [], acts=[Act(command_id=1, kind=strange, k=1, tray="", serial="", boot_id=1)])
        with pytest.raises(LogDamaged, match="of the kind 'zz'"):
            log.acts(deal)


def test_a_page_overwritten_in_the_middle_is_found_by_the_list(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        for _ in range(2):
            log.close_deal(deal_cards(log, 52), [], status="voided")
    file = tmp_path / "deals.db"
    whole_file = file.read_bytes()
    middle = len(whole_file) // 2 // 4096 * 4096
    file.write_bytes(whole_file[:middle] + b"\xa5" * 4096 + whole_file[middle + 4096 :])
    with pytest.raises(LogDamaged), read_log(file) as reader:
        reader.deals()


def changed(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute(statement)
        db.commit()


# --- the files while a deal runs ---


@pytest.mark.parametrize("name", ["deals.db", "deals.db-wal", "deals.db.lock"])
@pytest.mark.parametrize("replaced", [False, True], ids=["gone", "replaced"])
def test_a_file_taken_away_under_the_writer_ends_its_work(name: str, replaced: bool, tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 2)
        (tmp_path / name).rename(tmp_path / "away")
        if replaced:
            shutil.copy(tmp_path / "away", tmp_path / name)
        for _ in range(2):
            with pytest.raises(LogError, match=f"{name} was taken away or replaced .* Put it back"):
                log.commit(deal, of_card(3))
        (tmp_path / "away").rename(tmp_path / name)
    with on_disk(tmp_path) as log:
        assert log.own_lines(deal) == whole(3)


def test_a_log_with_a_second_name_is_refused(tmp_path: Path) -> None:
    on_disk(tmp_path).close()
    other = tmp_path / "other.db"
    other.hardlink_to(tmp_path / "deals.db")
    for file in (other, tmp_path / "deals.db"):
        with pytest.raises(LogError, match=r"a second name \(a hard link\).*Copy it"):
            DealLog.open(file, key_file=tmp_path / "machine.key", entropy=os.urandom)
    assert not (tmp_path / "other.db.lock").exists()


# --- wrong use ---


def test_a_deal_that_is_not_open_takes_no_lines() -> None:
    with in_memory() as log:
        with pytest.raises(NoSuchDeal, match="holds no deal yet, and no deal 1"):
            log.lines(1)
        deal = deal_cards(log, 1)
        with pytest.raises(NoSuchDeal, match="deal 1 is still open"):
            log.open_deal(opening())
        log.close_deal(deal, [], status="misdeal")
        closed = r"deal 1 is closed \(misdeal\)"
        with pytest.raises(NoSuchDeal, match=closed):
            log.commit(deal, [])
        with pytest.raises(NoSuchDeal, match=closed):
            log.close_deal(deal, [], status="voided")
        with pytest.raises(NoSuchDeal, match="deals 1 to 1, and no deal 9"):
            log.commit(9, [])


def test_a_deal_begins_with_deal_opened_and_ends_as_the_contract_says() -> None:
    with in_memory() as log:
        for lines in ([], [{"fact": "cut"}], [{"ruling": "new_deal"}]):
            with pytest.raises(ValueError, match="begins with the fact deal_opened"):
                log.open_deal(lines)
        deal = deal_cards(log, 0)
        with pytest.raises(ValueError, match="not as 'open'"):
            log.close_deal(deal, [], status="open")


# --- files that are no log, or no longer one ---


def test_a_file_that_is_no_log_is_named_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "deals.db"
    file.write_text("a letter to the club, longer than the sixteen bytes that SQLite looks at\n" * 20)
    before = file.read_bytes()
    for open_it in OPENERS:
        with pytest.raises(LogDamaged, match=r"deals\.db: it is no deal log"):
            open_it(tmp_path / "deals.db")
    assert file.read_bytes() == before


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "deals.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE music (title TEXT)")
    for open_it in OPENERS:
        with pytest.raises(LogDamaged, match="database of another program"):
            open_it(tmp_path / "deals.db")


@pytest.mark.parametrize(
    ("step", "said"), [(1, "a later version of pone .*Install"), (-1, "an earlier .*Name another")]
)
def test_a_log_of_another_version_is_refused(step: int, said: str, tmp_path: Path) -> None:
    on_disk(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "deals.db")) as other:
        other.execute(f"PRAGMA user_version = {SCHEMA + step}")
    for open_it in OPENERS:
        with pytest.raises(LogError, match=said):
            open_it(tmp_path / "deals.db")


def test_what_is_not_there_or_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="there is no such file"):
        read_log(tmp_path / "none.db")
    with pytest.raises(LogError, match="it is a folder"):
        read_log(tmp_path)
    (tmp_path / "deals.db").mkdir()
    with pytest.raises(LogError, match="it is a folder"):
        on_disk(tmp_path)
    (tmp_path / "empty.db").touch()
    with pytest.raises(LogError, match="holds no deal yet"):
        read_log(tmp_path / "empty.db")


def test_a_folder_that_cannot_be_written_is_named_and_a_log_in_it_can_still_be_read() -> None:
    with unprivileged() as folder:
        with on_disk(folder) as log:
            deal = deal_cards(log, 2)
            log.close_deal(deal, [], status="voided")
        for path in folder.iterdir():
            path.chmod(0o400)
        folder.chmod(0o500)
        with pytest.raises(LogError, match=r"this user may not use it.*folder that you may write to"):
            on_disk(folder)
        with read_log(folder / "deals.db") as reader:
            assert reader.lines(deal)[:-1] == whole(2)


def test_a_log_that_was_not_closed_is_read_whole_from_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal = deal_cards(log, 1)
        log.close_deal(deal, [], status="voided")
        left = {name: (tmp_path / name).read_bytes() for name in ("deals.db", "deals.db-wal")}
    with unprivileged() as folder:
        for name, content in left.items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o400)
        folder.chmod(0o500)
        with read_log(folder / "deals.db") as reader:
            assert reader.lines(deal)[:-1] == whole(1)
        assert {path.name for path in folder.iterdir()} == {"deals.db", "deals.db-wal"}


def test_a_log_cut_short_is_found_at_opening(tmp_path: Path) -> None:
    with on_disk(tmp_path) as log:
        deal_cards(log, 52)
    file = tmp_path / "deals.db"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 // 4096 * 4096])
    with pytest.raises(LogDamaged, match="damaged"):
        on_disk(tmp_path)


@pytest.fixture(scope="module")
def closed_log(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Line]]:
    folder = tmp_path_factory.mktemp("closed")
    with on_disk(folder) as log:
        deal = deal_cards(log, 8)
        log.close_deal(deal, [], status="voided")
        lines = log.lines(deal)
    return folder / "deals.db", lines


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(place=st.integers(0), mask=st.integers(1, 255))
def test_a_changed_byte_is_found_or_changes_no_line(
    closed_log: tuple[Path, list[Line]], tmp_path: Path, place: int, mask: int
) -> None:
    file, lines = closed_log
    raw = bytearray(file.read_bytes())
    raw[place % len(raw)] ^= mask
    changed = tmp_path / "changed.db"
    changed.write_bytes(raw)
    try:
        with read_log(changed) as reader:
            assert reader.lines(1) == lines
    except ControllerError as error:
        assert "changed.db" in str(error) or "deal 1" in str(error)  # noqa: PT017 -- either outcome is right
    for beside in tmp_path.glob("changed.db-*"):
        beside.unlink()


def test_lines_changed_with_their_hashes_still_miss_the_tree_head(
    closed_log: tuple[Path, list[Line]], tmp_path: Path
) -> None:
    changed = tmp_path / "changed.db"
    shutil.copy(closed_log[0], changed)
    with closing(sqlite3.connect(changed)) as db:
        body = b'{"fact":"dealing_began","by":"N"}'
        db.execute("UPDATE leaf SET body = ?, hash = ? WHERE place = 1", (body, leaf_hash(body)))
        db.commit()
    with read_log(changed) as reader, pytest.raises(LogDamaged, match="deal 1 do not make the tree head"):
        reader.lines(1)
