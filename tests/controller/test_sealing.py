"""Sealed fields: they open to what was sealed, tell nothing before, and any change of them is found."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.entropy import seeded_entropy
from controller.errors import SealBroken
from controller.records import canonical
from controller.sealing import is_sealed, open_line, published_key, seal_line, unwrap_key, wrap_key
from vision.cards import JOKERS, Pack
from vision.sighting import Reason

KEY = bytes(range(32))
CODES = [str(card) for card in Pack.of(52).cards] + list(JOKERS)
CARDS = st.sampled_from(CODES)

SEEN = {
    "fact": "seen",
    "k": 7,
    "state": "card",
    "card": "QC",
    "confidence_ppm": 998_877,
    "frame": "5e" * 32,
    "reason": "",
}
LINES: list[dict[str, Any]] = [
    SEEN,
    {"fact": "seen", "k": 8, "state": "not_sure", "confidence_ppm": 400_000, "reason": "7C or 7S", "frame": "0f" * 32},
    {"fact": "dealt", "to": "W", "k": 7, "card": "QC"},
    {"fact": "turned", "card": "AS", "to": "S"},
    {"fact": "pack_proved", "state": "imperfect", "missing": ["2H"], "duplicate": [], "foreign": ["J1", "J2"]},
    {"fact": "drawn", "by": "p1", "cards": ["TD"]},
    {"fact": "director", "decides": "cards", "value": ["TD", "4S"]},
    {"ruling": "not_callable", "law": "whist 30", "card": "9H", "on": 4, "because": "…"},
]


def seal(line: dict[str, Any], *, deal: int = 3, leaf: int = 11, entropy: Callable[[int], bytes] | None = None) -> Any:
    return seal_line(line, KEY, deal=deal, leaf=leaf, entropy=entropy or seeded_entropy(1))


@pytest.mark.parametrize("line", LINES)
def test_a_line_opens_to_what_was_sealed(line: dict[str, Any]) -> None:
    sealed = seal(line)
    assert sealed != line
    assert open_line(sealed, KEY, deal=3, leaf=11) == line


def test_every_field_that_tells_a_card_is_sealed() -> None:
    hidden = [{name for name, value in seal(line).items() if is_sealed(value)} for line in LINES]
    assert hidden == [
        {"card", "confidence_ppm", "frame"},
        {"confidence_ppm", "reason", "frame"},
        {"card"},
        {"card"},
        {"missing", "foreign"},
        {"cards"},
        {"value"},
        {"card"},
    ]


def test_lines_without_a_card_stay_as_they_are() -> None:
    plain: list[dict[str, Any]] = [{"fact": "routed", "k": 7}, {"fact": "director", "decides": "time", "value": "over"}]
    for line in plain:
        assert seal(line) == line
        assert open_line(line, KEY, deal=3, leaf=11) == line


def test_the_stored_form_is_the_one_that_the_module_documents() -> None:
    salt = bytes(range(16))
    stored = seal({"fact": "dealt", "to": "W", "k": 7, "card": "QC"}, entropy=lambda count: salt[:count])["card"]
    where = struct.pack(">QIB", 3, 11, 4) + b"card"
    commitment = hashlib.sha256(b"pone sealed field 1\x00" + where + salt + b'"QC"').digest()
    assert stored["commitment"] == commitment.hex()
    plain = ChaCha20Poly1305(KEY).decrypt(commitment[:12], base64.b64decode(stored["sealed"]), where)
    assert plain == salt + b"\x00\x04" + b'"QC"' + bytes(12)


@settings(deadline=None)
@given(st.lists(CARDS, min_size=1, max_size=52, unique=True), st.lists(CARDS, min_size=1, max_size=52, unique=True))
def test_no_length_tells_a_card(some: list[str], others: list[str]) -> None:
    def lengths(cards: list[str]) -> list[int]:
        frame = hashlib.sha256(cards[0].encode()).hexdigest()
        lines: list[dict[str, Any]] = [
            {**SEEN, "card": cards[0], "frame": frame},
            {"fact": "pack_proved", "state": "imperfect", "missing": cards},
        ]
        return [len(canonical(seal(line))) for line in lines]

    assert lengths(some) == lengths(others)


@settings(deadline=None)
@given(st.integers(0, 1_000_000), st.integers(0, 1_000_000))
def test_no_length_tells_a_confidence(some: int, other: int) -> None:
    assert len(canonical(seal({**SEEN, "confidence_ppm": some}))) == len(
        canonical(seal({**SEEN, "confidence_ppm": other}))
    )


def test_no_length_tells_why_a_card_was_not_read() -> None:
    doubt = {**SEEN, "state": "not_sure"}
    sealed = {len(canonical(seal({**doubt, "reason": reason.value}))) for reason in Reason if reason}
    assert len(sealed) == 1


def test_nothing_of_a_card_is_left_in_a_sealed_line() -> None:
    plain = {**SEEN, "reason": "QC or QS"}
    text = json.dumps(seal(plain))
    assert not [mark for mark in ('"QC"', "QC or QS", "998877", "5e5e5e") if mark in text]


def test_equal_cards_are_sealed_differently_and_no_nonce_is_used_twice() -> None:
    entropy = seeded_entropy(5)
    card = {"fact": "dealt", "k": 7, "to": "W", "card": "QC"}
    places = [(deal, leaf) for deal in (1, 2) for leaf in range(60)]
    fresh = [seal(card, deal=deal, leaf=leaf, entropy=entropy)["card"] for deal, leaf in places]
    salted_alike = [seal(card, deal=deal, leaf=leaf, entropy=bytes)["card"] for deal, leaf in places]
    sealed = fresh + salted_alike
    assert len({field["commitment"][:24] for field in sealed}) == len({field["sealed"] for field in sealed}) == 240


def test_a_repeated_source_of_salts_gives_two_cards_in_one_place_two_nonces() -> None:
    one, other = (seal({"fact": "dealt", "k": 7, "to": "W", "card": card})["card"] for card in ("QC", "QD"))
    assert one["commitment"][:24] != other["commitment"][:24]


@pytest.mark.parametrize(("deal", "leaf"), [(3, 12), (4, 11), (3, 0)])
def test_a_line_moved_elsewhere_does_not_open(deal: int, leaf: int) -> None:
    with pytest.raises(SealBroken) as broken:
        open_line(seal(SEEN), KEY, deal=deal, leaf=leaf)
    assert (broken.value.deal, broken.value.leaf) == (deal, leaf)


def test_a_seal_moved_to_another_field_does_not_open() -> None:
    line = seal({"fact": "pack_proved", "state": "imperfect", "missing": ["2H"], "foreign": ["J1"]})
    line["missing"], line["foreign"] = line["foreign"], line["missing"]
    with pytest.raises(SealBroken, match="deal 3, line 12: the seal of 'missing' is broken"):
        open_line(line, KEY, deal=3, leaf=11)


def test_another_key_does_not_open() -> None:
    with pytest.raises(SealBroken):
        open_line(seal(SEEN), bytes(32), deal=3, leaf=11)


def test_a_face_put_in_plain_is_found() -> None:
    with pytest.raises(SealBroken, match="not a sealed field"):
        open_line({**seal(SEEN), "card": "AS"}, KEY, deal=3, leaf=11)


def test_the_owner_of_the_key_cannot_put_another_card_under_the_commitment() -> None:
    line = seal({"fact": "dealt", "k": 7, "to": "W", "card": "QC"})
    commitment = bytes.fromhex(line["card"]["commitment"])
    where = struct.pack(">QIB", 3, 11, 4) + b"card"
    forged = ChaCha20Poly1305(KEY).encrypt(commitment[:12], bytes(16) + b"\x00\x04" + b'"AS"' + bytes(12), where)
    line["card"]["sealed"] = base64.b64encode(forged).decode()
    with pytest.raises(SealBroken, match="its commitment is to another value"):
        open_line(line, KEY, deal=3, leaf=11)


@settings(deadline=None)
@given(st.sampled_from(["commitment", "sealed"]), st.integers(0), st.integers(1, 127))
def test_any_change_of_a_seal_is_found(part: str, place: int, mask: int) -> None:
    line = seal({"fact": "dealt", "k": 7, "to": "W", "card": "QC"})
    text = bytearray(line["card"][part].encode())
    place %= len(text)
    text[place] ^= mask
    changed = {**line, "card": {**line["card"], part: text.decode("latin-1")}}
    same_bytes = part == "commitment" and text.decode("latin-1").lower() == line["card"][part]
    if same_bytes:
        return
    with pytest.raises(SealBroken):
        open_line(changed, KEY, deal=3, leaf=11)


@pytest.mark.parametrize(
    "value", ["QC", 7, {}, {"commitment": "00"}, {"commitment": 1, "sealed": 2}, {"commitment": "00", "sealed": "!"}]
)
def test_whatever_is_no_seal_is_named(value: object) -> None:
    with pytest.raises(SealBroken):
        open_line({"fact": "dealt", "k": 7, "to": "W", "card": value}, KEY, deal=3, leaf=11)


def test_a_wrapped_key_opens_for_its_deal_and_machine_alone() -> None:
    machine = bytes([9]) * 32
    wrapped = wrap_key(KEY, machine, deal=3, nonce=bytes(12))
    assert KEY not in wrapped
    assert unwrap_key(wrapped, machine, deal=3) == KEY
    for deal, key, blob in (
        (4, machine, wrapped),
        (3, bytes(32), wrapped),
        (3, machine, wrapped[:-1]),
        (3, machine, b""),
    ):
        with pytest.raises(SealBroken):
            unwrap_key(blob, key, deal=deal)


def test_the_key_is_published_by_the_closing_line_alone() -> None:
    closing = {"fact": "closed", "status": "completed", "key": KEY.hex()}
    assert published_key(closing, deal=3, leaf=11) == KEY
    assert published_key({"fact": "voided", "by": "machine"}, deal=3, leaf=11) is None
    for key in ("", "zz", None, "00" * 31):
        with pytest.raises(SealBroken):
            published_key({**closing, "key": key}, deal=3, leaf=11)
