"""The files of a register: its facts, appended durably, and beside them the names of the players, which can be erased.

The facts know players by numbers alone, as in *p7*; so they stay whole and valid when a name is erased. A number is
never given to a second player.
"""

from __future__ import annotations

import io
import json
import os
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.errors import LogBusy, LogDamaged, StreamError
from controller.fact_stream import judge_stream
from controller.log_files import create_private, is_regular, lock_file, trouble
from controller.register import Register
from vision.files import put_in_place

ID: Final = re.compile(r"p[1-9][0-9]{0,8}")
"""What a player is called in the facts; no club has a thousand million."""

PATIENCE_S: Final = 2.0
"""How long another program that writes to the register is waited for; one action takes a hundredth of it."""

_LOOK_AGAIN_S: Final = 0.02
_OPENING: Final = {"fact": "deal_opened", "code": "table"}
_KEEP: Final = "Keep the file as evidence, and go on with a copy of its good lines."
_AGAIN: Final = "Nothing of yours is written: say it again."
_NO_REGISTER: Final = "Give the file of a register."
_NONE: Final = "it is no register of tables"
_UNNAMED: Final = "Mend it, or move it away and go on with numbers in place of names."


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a register's files hold.

    Attributes:
        register: the tables as the facts leave them.
        lines: how many lines the file has.
        size: bytes of those lines; what stands behind them is the beginning of a line that was not written whole.
        torn: whether there is such a beginning.
        unended: whether the last of those lines lacks its line end, as an editor may leave it.
        ids: the players whom the facts name.
        names: the names that are known, by player.
    """

    register: Register
    lines: int
    size: int
    torn: bool
    unended: bool
    ids: frozenset[str]
    names: Mapping[str, str]

    def id_of(self, name: str) -> str | None:
        """Return the player of that name, or of that number where his name is not known; None for a new one."""
        for player, known in self.names.items():
            if folded(known) == folded(name):
                return player
        return name if name in self.ids else None

    def free_ids(self) -> Iterator[str]:
        """Return numbers that nobody has or had, the lowest first."""
        taken = [int(player[1:]) for player in (*self.ids, *self.names)]
        number = max(taken, default=0)
        while True:
            number += 1
            yield f"p{number}"


def folded(name: str) -> str:
    """Return a name as it is compared: whatever its letters' case, and however its accents are written."""
    return unicodedata.normalize("NFC", name).casefold()


def names_file(path: Path) -> Path:
    """Return the file of names that stands beside a register, and beside no other.

    >>> names_file(Path("club.jsonl")).name, names_file(Path("club.txt")).name, names_file(Path("club")).name
    ('club.names.json', 'club.txt.names', 'club.names')
    """
    return path.with_suffix(".names.json") if path.suffix == ".jsonl" else path.with_name(f"{path.name}.names")


def read(path: Path) -> Kept:
    """Return what the files hold; an empty register where there are none.

    Raises:
        controller.errors.LogError: a file cannot be read, or is none of a register.
    """
    file = str(path)
    try:
        raw = path.read_bytes() if is_regular(path, file) else b""
    except OSError as error:
        raise trouble(file, error) from error
    whole = _whole(raw, file)
    if whole and not _is_fact(whole.partition(b"\n")[0]):
        raise LogDamaged(file, _NONE, _NO_REGISTER)
    try:
        register = judge_stream(io.BytesIO(whole), lambda _: None) if whole else Register()
    except StreamError as error:
        raise LogDamaged(file, str(error), _KEEP) from error
    if not isinstance(register, Register):
        raise LogDamaged(file, "it holds a deal, and is no register of tables", _NO_REGISTER)
    return Kept(
        register=register,
        lines=len(whole.splitlines()),
        size=len(whole),
        torn=len(whole) < len(raw),
        unended=bool(whole) and not whole.endswith(b"\n"),
        ids=frozenset(re.findall(rf'"({ID.pattern})"', whole.decode())),
        names=_read_names(names_file(path)),
    )


def _whole(raw: bytes, file: str) -> bytes:
    """Return the lines of a file without the beginning of one that was not written whole.

    Raises:
        controller.errors.LogDamaged: there is no whole line, and what there is does not begin a register.
    """
    lines = raw[: raw.rfind(b"\n") + 1]
    rest = raw[len(lines) :]
    if _object(rest) is not None:
        return raw
    if not lines and not _line(_OPENING).startswith(rest.rstrip(b"\0")):  # room that a loss of power left is zeros
        raise LogDamaged(file, _NONE, _NO_REGISTER)
    return lines


def _is_fact(line: bytes) -> bool:
    """Return whether a line is a fact, be it known or not, as the first of any record is."""
    return "fact" in (_object(line) or {})


def _object(raw: bytes) -> dict[str, Any] | None:
    """Return the JSON object that these bytes are; None where they are none."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _line(fact: Mapping[str, Any]) -> bytes:
    return json.dumps(fact, separators=(",", ":")).encode() + b"\n"


def _read_names(path: Path) -> dict[str, str]:
    file = str(path)
    try:
        if not is_regular(path, file):
            return {}
        names = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise trouble(file, error) from error
    except (ValueError, RecursionError) as error:
        raise LogDamaged(file, "it is no file of names", _UNNAMED) from error
    if not isinstance(names, dict) or not all(
        ID.fullmatch(key) and isinstance(name, str) and name.isprintable() for key, name in names.items()
    ):
        raise LogDamaged(file, "it is no file of names", _UNNAMED)
    return names


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Be the only program that writes to a register; another that does is waited for, up to `PATIENCE_S`.

    Raises:
        controller.errors.LogError: another goes on writing to it, or it cannot be written to.
    """
    left_s, pause = PATIENCE_S, threading.Event()
    with ExitStack() as held:
        while True:
            try:
                lock_file(path, str(path), held, writer="another pone table", if_busy=_AGAIN)
                break
            except LogBusy:
                if left_s <= 0:
                    raise
            except OSError as error:
                raise trouble(str(path), error) from error
            pause.wait(_LOOK_AGAIN_S)  # nothing tells that a lock is given back and waits no longer than one says
            left_s -= _LOOK_AGAIN_S
        yield


def append(path: Path, kept: Kept, facts: Iterable[dict[str, Any]]) -> None:
    """Write facts behind what is kept: all of them are on the disk when this returns, or none is kept.

    Raises:
        controller.errors.LogError: they cannot be written.
    """
    lines = [*([] if kept.lines else [_OPENING]), *facts]
    raw = b"\n" * kept.unended + b"".join(map(_line, lines))
    try:
        create_private(path)
        handle = os.open(path, os.O_WRONLY)
        try:
            os.ftruncate(handle, kept.size)
            try:
                written = 0
                while written < len(raw):
                    written += os.pwrite(handle, raw[written:], kept.size + written)
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, kept.size)
                raise
        finally:
            os.close(handle)
    except OSError as error:
        raise trouble(str(path), error) from error


def write_names(path: Path, names: Mapping[str, str]) -> None:
    """Put these names in the place of those beside a register, whole or not at all.

    Raises:
        controller.errors.LogError: they cannot be written.
    """
    target = Path(os.path.realpath(names_file(path)))
    try:
        put_in_place(target, json.dumps(dict(names), ensure_ascii=False, indent=1).encode(), private=True)
    except OSError as error:
        raise trouble(str(target), error) from error
