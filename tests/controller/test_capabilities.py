"""What a machine lacks is said in whole sentences, and only what this code misses."""

from __future__ import annotations

import pytest

from controller import laws
from controller.capabilities import lacks
from firmware_bridge.words import Capability

_NOT_OF_A_TABLE_DEAL = Capability.BOARD_SWITCH | Capability.JOG


@pytest.mark.parametrize("code", ["whist", "euchre", "bridge", "auction"])
def test_the_whole_reference_machine_lacks_nothing(code: str) -> None:
    assert lacks(Capability((1 << 17) - 1), laws.code(code)) == ()


@pytest.mark.parametrize("flag", list(Capability), ids=lambda flag: flag.name)
def test_each_thing_that_lacks_is_one_sentence(flag: Capability) -> None:
    said = lacks(~flag, laws.code("euchre"))
    assert len(said) == (not flag & _NOT_OF_A_TABLE_DEAL)
    for sentence in said:
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_only_what_the_code_misses_is_said() -> None:
    without = ~(Capability.TRUMP_SPOT | Capability.STOCK_TRAY)
    assert [len(lacks(without, laws.code(code))) for code in ("bridge", "auction", "whist", "euchre")] == [0, 0, 1, 2]
