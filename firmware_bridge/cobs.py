"""Consistent overhead byte stuffing: bytes without a zero, so that a zero can end a frame.

S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7 (1999). Each zero
is replaced by the distance to the next one, and the first distance stands in front. A frame of this protocol is far
shorter than the 254 bytes from which on the paper has a second kind of distance, so that kind is not here.
"""

from __future__ import annotations

from typing import Final

LENGTH_MAX: Final = 253
"""Bytes that may be stuffed: with one more, a distance without a zero behind it could be needed."""


def stuff(data: bytes) -> bytes:
    """Return `data`, of at most `LENGTH_MAX` bytes, in one byte more and without a zero.

    >>> stuff(bytes([0x11, 0, 0x22])).hex(" ")
    '02 11 02 22'
    """
    stuffed = bytearray(1) + data
    place = 0
    while (zero := stuffed.find(0, place + 1)) > 0:
        stuffed[place] = zero - place
        place = zero
    stuffed[place] = len(stuffed) - place
    return bytes(stuffed)


def unstuff(stuffed: bytes) -> bytes | None:
    """Return the bytes that were stuffed, None where `stuffed`, which holds no zero, is no result of `stuff`.

    >>> unstuff(bytes([2, 0x11, 2, 0x22])).hex(" ")
    '11 00 22'
    >>> unstuff(bytes([4, 0x11])) is None
    True
    """
    data = bytearray(stuffed)
    place, length = 0, len(data)
    while place < length:
        distance = data[place]
        data[place] = 0
        place += distance
    return bytes(data[1:]) if place == length else None
