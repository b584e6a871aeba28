"""Canonical leaves and the tree head, against the reference package, RFC 8785's examples and RFC 6962's vectors."""

from __future__ import annotations

import hashlib
import math
from enum import IntEnum, StrEnum
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import NotCanonical
from controller.records import SAFE_INTEGER, canonical, cards_delivered, leaf_hash, parse_leaf, tree_head

NAMES = st.text(st.characters(max_codepoint=127))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-SAFE_INTEGER, SAFE_INTEGER)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.floats(-SAFE_INTEGER, SAFE_INTEGER)
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=20)

# The test vectors of the certificate-transparency reference implementation of RFC 6962: eight leaves, and the tree
# heads over the first one, two, ... of them.
VECTOR_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
VECTOR_HEADS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@settings(deadline=None)
@given(VALUES)
def test_canonical_is_what_the_reference_package_writes(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@settings(deadline=None)
@given(st.dictionaries(NAMES, VALUES))
def test_a_leaf_reads_back_as_the_line_and_writes_back_as_the_leaf(line: dict[str, Any]) -> None:
    assert canonical(parse_leaf(canonical(line))) == canonical(line)


def test_escapes_of_rfc_8785_section_3_2_2() -> None:
    line = {"string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f", "literals": [None, True, False]}
    expected = '{"literals":[null,true,false],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert canonical(line) == expected.encode()


def test_enumerations_are_written_as_their_values() -> None:
    class Side(StrEnum):
        NS = "NS"

    assert canonical({"side": Side.NS}) == b'{"side":"NS"}'


class Number(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    "value",
    [
        SAFE_INTEGER + 1,
        -SAFE_INTEGER - 1,
        math.nan,
        math.inf,
        1e16,
        {1: 2},
        {1: 2, "k": 3},
        {"é": 1},
        "\ud800",
        {"k": b"x"},
        {1, 2},
        Number.ONE,
    ],
)
def test_what_the_record_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(NotCanonical):
        canonical(value)


@pytest.mark.parametrize("leaf", [b'{"k": 1}', b'{"b":1,"a":2}', b"[1]", b"7", b"{", b"\xff", b'{"a":1,"a":1}', b""])
def test_a_leaf_that_is_not_canonical_is_refused(leaf: bytes) -> None:
    with pytest.raises(NotCanonical):
        parse_leaf(leaf)


def test_tree_heads_are_the_published_ones() -> None:
    hashes = [leaf_hash(bytes.fromhex(leaf)) for leaf in VECTOR_LEAVES]
    assert [tree_head(hashes[:size]).hex() for size in range(1, 9)] == VECTOR_HEADS


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    assert tree_head([]) == hashlib.sha256(b"").digest()


@settings(deadline=None)
@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70))
def test_tree_head_follows_the_recursive_definition(hashes: list[bytes]) -> None:
    def head(part: list[bytes]) -> bytes:
        if len(part) == 1:
            return part[0]
        split = 1
        while split * 2 < len(part):
            split *= 2
        return hashlib.sha256(b"\x01" + head(part[:split]) + head(part[split:])).digest()

    assert tree_head(hashes) == head(hashes)


def test_cards_delivered_is_the_last_k_and_none_before_the_first() -> None:
    dealt = [{"fact": "dealt", "k": 1, "to": "W"}, {"fact": "dealt", "k": 3, "to": "N", "count": 2}]
    assert cards_delivered([{"fact": "deal_opened"}, {"fact": "seen", "k": 1}]) == 0
    assert cards_delivered(dealt) == 3
    assert cards_delivered([*dealt, {"fact": "routed", "k": 4, "to": "stock"}]) == 4
