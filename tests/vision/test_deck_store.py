"""Decks in a folder: kept whole, read again, and a clear error for whatever is no deck."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.enrolled import deck
from vision import deck_store
from vision.deck import is_deck_name
from vision.deck_store import deck_file, from_bytes, read_deck, read_matchers, save_deck, to_bytes
from vision.errors import DeckError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_deck_is_read_as_it_was_kept(tmp_path: Path) -> None:
    kept = save_deck(tmp_path / "new", deck())
    assert kept == deck_file(tmp_path / "new", "plain")
    read = read_deck(kept)
    assert (read.name, read.cards, read.place, read.floor) == (deck().name, deck().cards, deck().place, deck().floor)
    for field in ("pictures", "ranks", "suits", "printed_apart", "spoilt", "back"):
        assert np.array_equal(getattr(read, field), getattr(deck(), field)), field
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["plain.deck"], "nothing half written is left"


def test_cards_of_a_deck_that_was_kept_before_any_could_be_spoilt_are_not() -> None:
    spoilt = replace(deck(), spoilt=np.arange(24) < 3)
    assert from_bytes(to_bytes(spoilt), "blue.deck").spoilt.tolist() == [True] * 3 + [False] * 21
    with np.load(io.BytesIO(to_bytes(spoilt))) as archive:
        kept = {name: archive[name] for name in archive.files if name != "spoilt"}
    stream = io.BytesIO()
    np.savez(stream, **kept)
    assert not from_bytes(stream.getvalue(), "blue.deck").spoilt.any()


def test_a_later_enrolling_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    save_deck(tmp_path, deck())
    save_deck(tmp_path, replace(deck(), floor=0.7))
    assert [matcher.deck.floor for matcher in read_matchers(tmp_path)] == [0.7]


@pytest.mark.parametrize("damage", ["cut", "other", "changed", "empty"])
def test_a_damaged_file_is_told_by_its_name(tmp_path: Path, damage: str) -> None:
    data = to_bytes(deck())
    changed = bytearray(data)
    changed[len(data) // 2] ^= 0xFF
    text = {"cut": data[:-200], "other": b"no deck", "changed": bytes(changed), "empty": b""}[damage]
    file = tmp_path / "blue.deck"
    file.write_bytes(text)
    with pytest.raises(DeckError, match=r"blue\.deck: it is"):
        read_matchers(tmp_path)


def test_a_deck_that_another_index_reader_read_must_be_learnt_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(deck_store, "index_reader_digest", lambda: "13baf810")
        data = to_bytes(deck())
    with pytest.raises(DeckError, match=r"blue\.deck: it was learnt with another index reader: .* pone enroll"):
        from_bytes(data, "blue.deck")


def test_arrays_of_another_shape_are_no_deck() -> None:
    with pytest.raises(ValueError, match="ranks must be"):
        replace(deck(), ranks=deck().ranks[:-1])


@pytest.mark.parametrize("value", [float("nan"), -0.1, 1.1])
def test_chances_and_places_that_cannot_be_are_no_deck(value: float) -> None:
    with pytest.raises(ValueError, match="ranks must be chances"):
        replace(deck(), ranks=np.full_like(deck().ranks, value))
    with pytest.raises(ValueError, match="floor must lie between"):
        replace(deck(), floor=value)
    with pytest.raises(ValueError, match=r"place\.top must lie between"):
        replace(deck(), place=replace(deck().place, top=value))


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "blue.deck")
    with pytest.raises(DeckError, match=r"blue\.deck: .* no plain file"):
        read_matchers(tmp_path)


def test_facts_nested_without_end_are_no_deck() -> None:
    stream = io.BytesIO()
    np.savez(stream, facts=np.frombuffer(b"[" * 100_000, np.uint8))
    with pytest.raises(DeckError, match="no deck"):
        from_bytes(stream.getvalue(), "blue.deck")


def test_every_cut_of_a_file_is_a_clear_error() -> None:
    data = to_bytes(deck())
    for length in range(0, len(data), len(data) // 40):
        with pytest.raises(DeckError):
            from_bytes(data[:length], "blue.deck")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="nowhere: the folder of decks cannot be read"):
        read_matchers(tmp_path / "nowhere")


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(DeckError, match="the deck cannot be kept there"):
        save_deck(tmp_path / "file", deck())


@pytest.mark.parametrize("name", ["", ".", "../blue", "a b", "-x", "x" * 61, "blue\n"])
def test_a_name_that_could_lead_elsewhere_is_none(name: str) -> None:
    assert not is_deck_name(name)
