"""The codec takes any bytes, in any pieces, and never takes a damaged frame for a whole one."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.codec import (
    FRAME_MAX,
    BadFrame,
    Damage,
    Decoder,
    NotUnderstood,
    Packet,
    encode,
    encode_event,
    encode_reply,
    encode_request,
    event_in,
    reply_in,
    request_in,
)
from firmware_bridge.errors import LocalProtocolError
from firmware_bridge.events import Event, Homed
from firmware_bridge.messages import PAYLOAD_MAX, Feed, ReadStatus, Request, Taken
from firmware_bridge.words import Phase, Status

bytes_of_type = st.integers(0, 255)
packets = st.builds(Packet, bytes_of_type, bytes_of_type, st.binary(max_size=PAYLOAD_MAX))


def frame_of(packet: Packet) -> bytes:
    return encode(packet.type_byte, packet.sequence, packet.payload)


def test_a_frame_is_what_the_cobs_paper_and_zlib_say() -> None:
    # Body 10 07 00 00: COBS replaces each zero by the distance to the next and puts the first distance in front.
    body = bytes([0x10, 0x07, 0x00, 0x00])
    crc = zlib.crc32(body).to_bytes(4, "little")
    assert 0 not in crc
    assert encode(0x10, 7, bytes(2)) == bytes([3, 0x10, 0x07, 1, 5]) + crc + b"\0"


def test_the_crc_is_that_of_the_catalogue() -> None:
    # CRC-32/ISO-HDLC: check value of "123456789".
    assert zlib.crc32(b"123456789") == 0xCBF43926
    assert encode(ord("1"), ord("2"), b"3456789").endswith(bytes.fromhex("2639f4cb") + b"\0")


@given(packets)
def test_what_is_encoded_is_decoded(packet: Packet) -> None:
    frame = frame_of(packet)
    assert frame.count(0) == 1
    assert len(frame) <= FRAME_MAX
    assert Decoder().feed(frame) == [packet]


@given(st.lists(st.one_of(packets.map(frame_of), st.binary(max_size=200))), st.data())
def test_any_chunking_gives_the_same(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    pieced, whole = Decoder(), Decoder()
    found = [
        item for start, end in zip([0, *cuts], [*cuts, None], strict=True) for item in pieced.feed(stream[start:end])
    ]
    assert found == whole.feed(stream)
    assert pieced.bad_frames == whole.bad_frames == sum(isinstance(item, BadFrame) for item in found)


@given(st.binary(max_size=2000))
def test_any_bytes_give_packets_or_bad_frames(data: bytes) -> None:
    decoder = Decoder()
    items = decoder.feed(data)
    assert len(items) <= data.count(0)
    for item in items:
        if isinstance(item, Packet):
            assert len(item.payload) <= PAYLOAD_MAX


@given(st.lists(packets, min_size=1, max_size=4), st.data())
def test_a_flipped_bit_never_makes_a_packet_that_was_not_sent(sent: list[Packet], data: st.DataObject) -> None:
    stream = bytearray(b"".join(map(frame_of, sent)))
    position = data.draw(st.integers(0, len(stream) - 1))
    stream[position] ^= 1 << data.draw(st.integers(0, 7))
    heard = [item for item in Decoder().feed(bytes(stream)) if isinstance(item, Packet)]
    lost = len(sent) - len(heard)
    assert 1 <= lost <= 2  # two where the flipped byte was the delimiter between them
    first = next((index for index, (a, b) in enumerate(zip(sent, heard, strict=False)) if a != b), len(heard))
    assert heard == sent[:first] + sent[first + lost :]


@given(packets, packets, st.data())
def test_after_a_broken_frame_the_next_is_heard(broken: Packet, following: Packet, data: st.DataObject) -> None:
    frame = frame_of(broken)
    cut = data.draw(st.integers(1, len(frame) - 2))
    assert Decoder().feed(frame[:cut] + b"\0" + frame_of(following))[-1] == following


@pytest.mark.parametrize(
    ("frame", "damage"),
    [
        (b"\x05\x01\x02\x00", Damage.STUFFING),
        (b"\x03\x01\x02\x00", Damage.TOO_SHORT),
        (b"\x01" * FRAME_MAX + b"\x00", Damage.TOO_LONG),
        (b"\x08\x01\x02\x03\x04\x05\x06\x07\x00", Damage.CHECKSUM),
    ],
)
def test_damage_is_named(frame: bytes, damage: Damage) -> None:
    assert Decoder().feed(frame) == [BadFrame(damage, len(frame) - 1)]


def test_delimiters_alone_say_nothing() -> None:
    decoder = Decoder()
    assert decoder.feed(bytes(100)) == []
    assert decoder.bad_frames == 0


def test_a_stream_without_delimiter_does_not_grow_the_decoder() -> None:
    decoder = Decoder()
    for _ in range(100):
        assert decoder.feed(b"\xff" * 10_000) == []
        assert len(decoder._rest) < FRAME_MAX
    assert decoder.feed(b"\0" + frame_of(Packet(1, 2, b""))) == [
        BadFrame(Damage.TOO_LONG, 1_000_000),
        Packet(1, 2, b""),
    ]


@pytest.mark.parametrize(("type_byte", "sequence", "length"), [(1, 1, PAYLOAD_MAX + 1), (256, 1, 0), (1, -1, 0)])
def test_what_does_not_fit_a_frame_is_the_callers_fault(type_byte: int, sequence: int, length: int) -> None:
    with pytest.raises(LocalProtocolError):
        encode(type_byte, sequence, bytes(length))


# --- messages in packets ---


def only(frame: bytes) -> Packet:
    (packet,) = Decoder().feed(frame)
    assert isinstance(packet, Packet)
    return packet


def test_messages_go_there_and_back() -> None:
    asked = only(encode_request(Feed(command_id=5), 9))
    assert (asked.sequence, request_in(asked)) == (9, Feed(command_id=5))
    answered = only(encode_reply(asked, Taken(Status.OK, Phase.DONE, 4)))
    assert (answered.type_byte, answered.sequence) == (0x90, 9)
    assert reply_in(answered, Feed(command_id=5)) == Taken(Status.OK, Phase.DONE, 4)
    homed = Homed(boot_id=1, event_id=2, command_id=3, at_us=4)
    assert event_in(only(encode_event(homed))) == homed


@given(packets)
def test_any_packet_is_a_message_or_not_understood(packet: Packet) -> None:
    assert isinstance(request_in(packet), Request | NotUnderstood)
    assert isinstance(event_in(packet), Event | NotUnderstood)
    assert isinstance(reply_in(packet, Feed(command_id=1)), Taken | NotUnderstood)


def test_what_is_not_understood_says_why() -> None:
    for packet, status in ((Packet(0x3F, 0, b""), Status.UNKNOWN), (Packet(0x10, 0, b"1"), Status.MALFORMED)):
        item = request_in(packet)
        assert isinstance(item, NotUnderstood)
        assert (item.packet, item.status) == (packet, status)
    route_to_nowhere = request_in(Packet(0x11, 0, bytes([1, 0, 0, 0, 77])))
    assert isinstance(route_to_nowhere, NotUnderstood)
    assert "77" in route_to_nowhere.why


def test_a_machine_may_say_that_it_does_not_understand() -> None:
    refusal = Taken(Status.UNKNOWN, Phase.NONE, 0)
    assert reply_in(Packet(0x83, 0, refusal.pack()), ReadStatus()) == refusal
    ok = Taken(Status.OK, Phase.NONE, 0)
    assert isinstance(reply_in(Packet(0x83, 0, ok.pack()), ReadStatus()), NotUnderstood)


@given(st.binary(max_size=60), st.integers(1, 3))
def test_a_doubled_delimiter_costs_nothing(payload: bytes, zeros: int) -> None:
    assert Decoder().feed(bytes(zeros) + encode(1, 1, payload)) == [Packet(1, 1, payload)]
