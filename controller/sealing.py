"""Keeps the faces of an open deal out of its stored lines: each is a commitment and a ciphertext under the deal's key.

A sealed field is the object `{"commitment": hex, "sealed": base64}`. With `where` = deal (8 bytes, big endian), leaf
(4 bytes, from 0), length of the field's name (1 byte) and the name, with a fresh 16-byte `salt`, and with `value` in
canonical JSON:

    commitment = SHA-256("pone sealed field 1" 00 || where || salt || value)
    sealed     = ChaCha20-Poly1305(deal key, nonce = commitment[:12], associated data = where,
                                   salt || length of value (2 bytes) || value || zeros)

The zeros fill each field to a fixed width, so that no length tells a card. The nonce follows from place, salt and value
together: two different plaintexts never share one, even where a commit that failed is tried again with other lines, or
where an injected source of salts repeats itself. The commitment binds the owner of the key as well, which the cipher
alone does not: one ciphertext can be made to open differently under two keys.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.errors import SealBroken
from controller.records import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from controller.acts import Line

KEY_BYTES: Final = 32
"""Length of a deal's key and of the machine's key."""

NONCE_BYTES: Final = 12

WRAPPED_BYTES: Final = NONCE_BYTES + KEY_BYTES + 16
"""Length of a deal's key sealed by the machine's: the nonce, the key and the cipher's tag."""

_TAG: Final = b"pone sealed field 1\x00"
_WRAP_TAG: Final = b"pone deal key 1\x00"
_SALT_BYTES: Final = 16

_CARD_WIDTH: Final = 16
_LIST_WIDTH: Final = 320
"""Fifty-two cards as a JSON list take 261 bytes."""

_CARD_FIELDS: Final = {
    "card": _CARD_WIDTH,
    "cards": _LIST_WIDTH,
    "duplicate": _LIST_WIDTH,
    "foreign": _LIST_WIDTH,
    "missing": _LIST_WIDTH,
}
"""Fields that carry cards in whatever fact or ruling they stand, and the bytes that their values are filled to."""

_SEEN_FIELDS: Final = {**_CARD_FIELDS, "confidence_ppm": _CARD_WIDTH, "frame": 80, "reason": 160}
"""A sighting tells its card by more than its name: the hash of a picture can be compared with the hashes of guessed
pictures, a confidence is much the same each time that one card is read, and some doubts come oftener with some cards.
No reason names one (`vision.sighting.Reason`)."""

_DIRECTOR_FIELDS: Final = {**_CARD_FIELDS, "value": _LIST_WIDTH}

_EMPTY: Final[tuple[object, ...]] = ("", None, [])
"""Values that say that there is no card; they stay as they are."""


def seal_line(line: Line, key: bytes, *, deal: int, leaf: int, entropy: Callable[[int], bytes]) -> Line:
    """Return the line as it is stored while its deal is open.

    Args:
        line: a fact or a ruling, with its cards in plain.
        key: the deal's key, 32 bytes.
        deal: the deal's number.
        leaf: the line's place in the deal, from 0.
        entropy: returns that many random bytes; asked once for each sealed field, in the order of their names.

    Raises:
        controller.errors.NotCanonical: a value is none that the record holds.
    """
    widths = _widths(line)
    names = sorted(name for name in line if name in widths and line[name] not in _EMPTY)
    if not names:
        return line
    cipher = ChaCha20Poly1305(key)
    stored = dict(line)
    for name in names:
        where = _where(deal, leaf, name)
        salt, value = entropy(_SALT_BYTES), canonical(line[name])
        commitment = _commitment(where, salt, value)
        plain = salt + struct.pack(">H", len(value)) + value
        plain += bytes(-(len(plain) - _SALT_BYTES - 2) % widths[name])
        sealed = cipher.encrypt(commitment[:NONCE_BYTES], plain, where)
        stored[name] = {"commitment": commitment.hex(), "sealed": base64.b64encode(sealed).decode()}
    return stored


def open_line(line: Line, key: bytes, *, deal: int, leaf: int) -> Line:
    """Return a stored line with its cards in plain.

    Raises:
        SealBroken: a field that must be sealed is not, or its seal is not the one that this key, deal and leaf make.
    """
    widths = _widths(line)
    names = [name for name in line if name in widths and line[name] not in _EMPTY]
    if not names:
        return line
    cipher = ChaCha20Poly1305(key)
    opened = dict(line)
    for name in names:
        where = _where(deal, leaf, name)
        try:
            commitment, sealed = _parts(line[name])
            plain = cipher.decrypt(commitment[:NONCE_BYTES], sealed, where)
        except InvalidTag as error:
            raise SealBroken(deal, leaf, name, "its ciphertext is not the one that was sealed here") from error
        except (TypeError, KeyError, ValueError) as error:
            raise SealBroken(deal, leaf, name, "it is not a sealed field") from error
        salt, value = plain[:_SALT_BYTES], _unfilled(plain[_SALT_BYTES:])
        if _commitment(where, salt, value) != commitment:
            raise SealBroken(deal, leaf, name, "its commitment is to another value")
        opened[name] = json.loads(value)
    return opened


def wrap_key(key: bytes, machine_key: bytes, *, deal: int, nonce: bytes) -> bytes:
    """Return the deal's key, sealed by the machine's key.

    Args:
        key: the deal's key, 32 bytes.
        machine_key: the machine's key, 32 bytes.
        deal: the deal's number.
        nonce: 12 random bytes.
    """
    return nonce + ChaCha20Poly1305(machine_key).encrypt(nonce, key, _WRAP_TAG + struct.pack(">Q", deal))


def unwrap_key(wrapped: bytes, machine_key: bytes, *, deal: int) -> bytes:
    """Return the deal's key.

    Raises:
        SealBroken: another machine key sealed it, or it was for another deal.
    """
    nonce, sealed = wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:]
    try:
        return ChaCha20Poly1305(machine_key).decrypt(nonce, sealed, _WRAP_TAG + struct.pack(">Q", deal))
    except (InvalidTag, ValueError) as error:
        raise SealBroken(deal, None, "key", "this machine's key did not seal it") from error


def published_key(line: Line, *, deal: int, leaf: int) -> bytes | None:
    """Return the key that a closing line publishes, or None where the line does not close a deal.

    Raises:
        SealBroken: what the closing line publishes is no key.
    """
    if line.get("fact") != "closed":
        return None
    try:
        key = bytes.fromhex(line["key"])
    except (KeyError, TypeError, ValueError) as error:
        raise SealBroken(deal, leaf, "key", "it is not hexadecimal") from error
    if len(key) != KEY_BYTES:
        raise SealBroken(deal, leaf, "key", f"it has {len(key)} bytes in place of {KEY_BYTES}")
    return key


def faceless(line: Line) -> Line:
    """Return the line without the fields that tell cards, for whoever may see it while the deal is open.

    >>> faceless({"fact": "dealt", "to": "W", "k": 1, "card": "AS"})
    {'fact': 'dealt', 'to': 'W', 'k': 1}
    """
    telling = _widths(line)
    return {name: value for name, value in line.items() if name not in telling}


def is_sealed(value: object) -> bool:
    """Return whether a field's value is sealed.

    >>> is_sealed("AS"), is_sealed({"commitment": "00", "sealed": ""})
    (False, True)
    """
    return isinstance(value, dict) and value.keys() == {"commitment", "sealed"}


def _widths(line: Line) -> dict[str, int]:
    """Return the fields of this line that tell cards."""
    match line.get("fact"):
        case "seen":
            return _SEEN_FIELDS
        case "director" if line.get("decides") == "cards":
            return _DIRECTOR_FIELDS
    return _CARD_FIELDS


def _where(deal: int, leaf: int, name: str) -> bytes:
    return struct.pack(">QIB", deal, leaf, len(name)) + name.encode()


def _commitment(where: bytes, salt: bytes, value: bytes) -> bytes:
    return hashlib.sha256(_TAG + where + salt + value).digest()


def _parts(value: object) -> tuple[bytes, bytes]:
    """Return commitment and ciphertext of a sealed field; whatever is wrong with it is a ValueError."""
    if not is_sealed(value) or not isinstance(value, dict):
        raise ValueError("not sealed")
    return bytes.fromhex(value["commitment"]), base64.b64decode(value["sealed"], validate=True)


def _unfilled(plain: bytes) -> bytes:
    (length,) = struct.unpack_from(">H", plain)
    return plain[2 : 2 + length]
