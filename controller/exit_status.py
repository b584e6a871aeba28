"""How a command ends, as the number that it gives the shell: one rule for all commands.

Wrong use is what the command line itself says wrongly, and nothing was done; a file, a machine or a camera that it
names and that cannot be used is not. The eye and the simulators, which do not know the controller, keep to the same
numbers. `pone judge` alone departs from it: a line that is no fact, or an impossible one, ends with `WRONG_USE`, as the
contract of the record has it.
"""

from __future__ import annotations

from typing import Final

DONE: Final = 0
"""All is done that was asked for."""

FAULT: Final = 1
"""A fault, or input that cannot be read; also the answer no, as of a pack that is not whole."""

WRONG_USE: Final = 2
"""The command line asks for what there is not."""

STOPPED: Final = 128
"""A command that a signal stopped gives this and the signal's number, as a shell does."""

INTERRUPTED: Final = STOPPED + 2
"""Stopped by Ctrl-C, which is signal 2."""

MEANING: Final = (
    "exit status: 0 done, 1 a fault or unreadable input, 2 wrong use, 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by "
    "SIGHUP"
)
"""The rule in a sentence, for the help."""
