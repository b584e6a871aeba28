"""Exceptions of the simulators.

    SimulatorError
    ├── ScenarioError          a scenario file that says something impossible
    ├── WorldInUse             a name whose machine is there already, with another scenario or another client
    ├── JournalError           a stored journal that cannot be read
    ├── PathInUse              a path where something cannot be made
    │   └── SocketInUse        a path where frames cannot be served
    └── NothingWillCome        a reader that would wait for ever, because nothing is left to happen

A fault that a scenario injects is no exception: it is what the machine does.
"""

from __future__ import annotations

from vision.files import on_one_line


class SimulatorError(Exception):
    """Root of the exceptions of this package."""


class ScenarioError(SimulatorError, ValueError):
    """A scenario cannot be used.

    Attributes:
        file: the file's name as it was given.
        table: the table in it, as in `deal[2].fault[1]`; empty for the top.
        key: the key; empty where the whole table is meant.
        expected: what would be right.
    """

    def __init__(self, file: str, table: str, key: str, expected: str) -> None:
        place = ".".join(part for part in (table, key) if part)
        name = on_one_line(file)
        super().__init__(f"{name}: {place}: {expected}" if place else f"{name}: {expected}")
        self.file = file
        self.table = table
        self.key = key
        self.expected = expected


class WorldInUse(SimulatorError):
    """A simulated machine of that name cannot be had.

    Attributes:
        name: the machine's name, as in `sim://NAME`.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"sim://{name}: {message}")
        self.name = name


class JournalError(SimulatorError):
    """A stored journal cannot be read.

    Attributes:
        stored: its bytes.
    """

    def __init__(self, stored: bytes) -> None:
        super().__init__("it is no journal of a machine, or a damaged one: choose another path; there it begins anew")
        self.stored = stored


class PathInUse(SimulatorError):
    """Something cannot be made at a path.

    Attributes:
        path: as it was asked for.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{on_one_line(path)}: {message}")
        self.path = path


class SocketInUse(PathInUse):
    """Frames cannot be served at a path."""


class NothingWillCome(SimulatorError):
    """Bytes were waited for without a time-out, and no event is left that could bring them."""

    def __init__(self) -> None:
        super().__init__("nothing is left to happen in the simulated world: read with a time-out, or write first")
