"""The journal across resets."""

from __future__ import annotations

import pytest

from firmware_bridge.words import Phase
from hardware_sims.errors import JournalError
from hardware_sims.journal import Journal, Record

RECORD_US = 27_200


def test_a_record_that_a_reset_interrupts_is_lost() -> None:
    journal = Journal(RECORD_US)
    first, second = Record(1, Phase.INTENT), Record(1, Phase.SHOWN)
    assert journal.write(first, 0) == RECORD_US
    assert journal.write(second, 100_000) == 100_000 + RECORD_US
    assert journal.latest == second
    journal.restart(100_000 + RECORD_US - 1)
    assert journal.latest == first


def test_records_are_written_one_after_another() -> None:
    journal = Journal(RECORD_US)
    journal.write(Record(1, Phase.INTENT), 0)
    assert journal.write(Record(1, Phase.ABORT), 10_000) == 2 * RECORD_US
    journal.restart(2 * RECORD_US)
    assert journal.latest == Record(1, Phase.ABORT)


def test_a_stored_journal_is_found_again_and_counts_starts() -> None:
    stored: list[bytes] = []
    journal = Journal(RECORD_US, save=stored.append)
    journal.restart(0)
    journal.write(Record(9, Phase.ROUTED, (1, 2, 3, 4, 5, 6, 7)), 0)
    again = Journal(RECORD_US, stored[-1], stored.append)
    assert again.latest == Record(9, Phase.ROUTED, (1, 2, 3, 4, 5, 6, 7))
    again.restart(0)
    assert again.boots == 2


@pytest.mark.parametrize("stored", [b"x", b"{}", b'{"last_id": 1, "phase": 99, "counts": [], "boots": 1}', b"[1]"])
def test_a_damaged_journal_is_no_empty_journal(stored: bytes) -> None:
    with pytest.raises(JournalError, match="choose another path"):
        Journal(RECORD_US, stored)
