"""How a command line is read: options may stand between arguments, and an error shows the usage of its own command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final, NoReturn

from vision.files import on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_WITHOUT_JSON: Final = {
    "pone judge": "it prints JSON Lines as it is, or sentences with --text",
    "pone laws": "the laws are printed as text alone",
}
"""What is said of `--json` to a command that has no such option."""


class CommandParser(argparse.ArgumentParser):
    """The parser of `pone`, and of every command and action of it."""

    _within = False
    """Whether this parser is being read with, so that argparse calls it again for a part."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read a command line; what is left over is an error here, and not in the parser above, which knows less."""
        if self._within:
            return super().parse_known_args(args, namespace)
        self._within = True
        try:
            # What stands behind an action's name is the action's; and behind -- no option follows.
            in_order = self._subparsers is not None or "--" in (args or ())
            read = super().parse_known_args if in_order else self.parse_known_intermixed_args
            found, left = read(args, namespace)
        finally:
            self._within = False
        if left:
            self.error(self._left_over(left))
        return found, left

    def error(self, message: str) -> NoReturn:
        """See the base class; what was given is repeated so that it cannot move the cursor or colour the terminal."""
        super().error(on_one_line(message))

    def _left_over(self, left: Sequence[str]) -> str:
        hint = _WITHOUT_JSON.get(self.prog, "") if "--json" in left else ""
        return f"unrecognized arguments: {' '.join(left)}{hint and f' ({hint})'}"
