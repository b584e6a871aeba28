"""What is kept of a doubtful card beside the record, and how it is sealed until its deal is over. Pure.

Of each sighting that is no card, and of both cards where two were read as one, the frames are kept and what every stage
said of them. A kept file holds, after its first line, a nonce of 12 bytes and

    ChaCha20-Poly1305(HMAC-SHA256(deal key, "pone fault bundle 1" 00), nonce, associated data = deal (8 bytes) || name,
                      what `vision.evidence.pack` makes)

The deal's key seals the fields of the record too; the key that is made of it here shares no nonce with them. The nonce
is a keyed hash of place and content, so that two different contents never share one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.errors import SealBroken
from controller.sealing import NONCE_BYTES
from vision.sighting import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from controller.acts import Line

_FIRST_LINE: Final = b"pone fault bundle 1\n"
_TAG: Final = b"pone fault bundle 1\x00"

_NAME: Final = re.compile(r"deal-([0-9]{6,18})-card-([0-9]{2,4})-([0-9]{1,4})\.sealed")


def to_keep(lines: Iterable[Line]) -> dict[int, str]:
    """Return the numbers of the cards whose frames are kept for what these lines of a record say, and why.

    >>> to_keep([{"fact": "seen", "k": 7, "state": "not_sure", "reason": "the picture is blurred"}])
    {7: 'not sure: the picture is blurred'}
    >>> to_keep([{"fact": "seen", "k": 9, "state": "card"}, {"fact": "doubted", "k": 9, "earlier": 4}])
    {4: 'read as card 9 was', 9: 'read as card 4 was'}
    """
    why: dict[int, str] = {}
    for line in lines:
        match line:
            case {"fact": "seen", "k": k, "state": state} if state != State.CARD:
                reason = line.get("reason", "")
                why[k] = state.replace("_", " ") + (f": {reason}" if reason else "")
            case {"fact": "doubted", "k": k, "earlier": earlier}:
                why[earlier] = f"read as card {k} was"
                why[k] = f"read as card {earlier} was"
    return why


def file_name(deal: int, k: int, number: int) -> str:
    """Return the name of the file that keeps card `k` of a deal for the `number`-th time, from 1.

    >>> file_name(12, 7, 1)
    'deal-000012-card-07-1.sealed'
    """
    return f"deal-{deal:06d}-card-{k:02d}-{number}.sealed"


def place_of(name: str) -> tuple[int, int, int] | None:
    """Return deal, card and number that a file is named after; None where it is none of these files.

    >>> place_of("deal-000012-card-07-1.sealed"), place_of("notes.txt")
    ((12, 7, 1), None)
    """
    found = _NAME.fullmatch(name)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def seal(content: bytes, key: bytes, *, deal: int, name: str) -> bytes:
    """Return the content as it is kept.

    Args:
        content: what is to be kept.
        key: the deal's key, 32 bytes.
        deal: the deal's number.
        name: the file's name.
    """
    own, where = _own_key(key), _where(deal, name)
    nonce = hmac.digest(own, where + content, hashlib.sha256)[:NONCE_BYTES]
    return _FIRST_LINE + nonce + ChaCha20Poly1305(own).encrypt(nonce, content, where)


def unseal(kept: bytes, key: bytes, *, deal: int, name: str) -> bytes:
    """Return the content of what was kept.

    Raises:
        SealBroken: it is not what was sealed with this key, for this deal and under this name.
    """
    if not kept.startswith(_FIRST_LINE):
        raise SealBroken(deal, None, name, "it does not begin as a kept file does")
    nonce, sealed = kept[len(_FIRST_LINE) :][:NONCE_BYTES], kept[len(_FIRST_LINE) + NONCE_BYTES :]
    try:
        return ChaCha20Poly1305(_own_key(key)).decrypt(nonce, sealed, _where(deal, name))
    except (InvalidTag, ValueError) as error:
        raise SealBroken(deal, None, name, "it is not what was sealed under that name") from error


def _own_key(key: bytes) -> bytes:
    return hmac.digest(key, _TAG, hashlib.sha256)


def _where(deal: int, name: str) -> bytes:
    return struct.pack(">Q", deal) + name.encode()
