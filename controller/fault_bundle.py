"""Keeps the frames of doubtful cards in a folder beside the log, sealed until their deal is over.

Nothing here stops a deal: where a file cannot be written, that is told once a deal, with what to do. The folder holds
at most `FOLDER_MAX` bytes; what was kept stays, and nothing more is until people make room.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.bundle_seal import file_name, place_of, to_keep, unseal
from controller.eye import LOOKS
from vision.evidence import Look, pack, unpack
from vision.files import plainly

if TYPE_CHECKING:
    from typing import Any

    from controller.acts import Line
    from vision.frame import Image

FOLDER_MAX: Final = 256_000_000
"""Bytes; a doubtful card takes 4 MB in frames of 640 by 480, and a deal in hundreds has one."""

MEMORY_MAX: Final = 96_000_000
"""Bytes of the frames of a deal's cards that were read, held in case one of them comes a second time: two frames of
640 by 480 of each of 52 cards. Of larger frames only those of the last cards are held."""

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700


def folder_beside(log: Path) -> Path:
    """Return the folder that keeps the frames of a log's doubtful cards; it may not exist yet."""
    real = Path(os.path.realpath(log))
    return real.with_name(f"{real.name}-bundle")


@dataclass(slots=True, kw_only=True)
class FaultBundle:
    """Where the frames of one log's doubtful cards go.

    Attributes:
        folder: where the files lie.
        seal: returns content sealed with a deal's key, given the deal, the file's name and the content.
        tell: called with a sentence where something cannot be kept.
        folder_max: bytes that the folder may hold.
    """

    folder: Path
    seal: Callable[[int, str, bytes], bytes]
    tell: Callable[[str], object]
    folder_max: int = FOLDER_MAX
    _deal: int = field(default=0, init=False)
    _told: bool = field(default=False, init=False)
    _read: deque[tuple[int, tuple[Look, ...]]] = field(default_factory=deque, init=False)

    def looked(self, deal: int, k: int, lines: Iterable[Line], looks: Sequence[Look]) -> None:
        """Take the looks at card `k`, and keep what these lines of the record, not yet sealed, give reason to."""
        if deal != self._deal:
            self._deal, self._told = deal, False
            self._read.clear()
        wanted = to_keep(lines)
        at_hand = {**dict(self._read), k: tuple(looks)}
        for number, why in wanted.items():
            if at_hand.get(number):
                self._keep(number, why, at_hand[number])
        if k not in wanted:
            self._hold(k, tuple(looks))

    def _hold(self, k: int, looks: tuple[Look, ...]) -> None:
        """Hold the frames of a card that was read, and let go of the oldest where they become too many."""
        self._read.append((k, looks))
        while sum(look.frame.image.nbytes for _, held in self._read for look in held) > MEMORY_MAX:
            self._read.popleft()

    def _keep(self, k: int, why: str, looks: tuple[Look, ...]) -> None:
        content = pack(looks, {"deal": self._deal, "k": k, "why": why}, room=LOOKS)
        try:
            self.folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
            files = {file.name: file.lstat().st_size for file in self.folder.iterdir()}  # a link may lead nowhere
            if sum(files.values()) + len(content) > self.folder_max:
                self._say(k, f"the folder holds its {self.folder_max / 1e6:.0f} MB")
                return
            number = 1
            while (name := file_name(self._deal, k, number)) in files:
                number += 1
            _write(self.folder / name, self.seal(self._deal, name, content))
        except OSError as error:
            self._say(k, plainly(error))

    def _say(self, k: int, reason: str) -> None:
        if not self._told:
            self._told = True
            said = f"The pictures of card {k} cannot be kept in {self.folder}: {reason}."
            self.tell(f"{said} The deal goes on. Make room there, or move the files of old deals away.")


def _write(file: Path, content: bytes) -> None:
    """Write a file of its owner's alone, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
    except OSError:
        file.unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kept:
    """What was kept of one card.

    Attributes:
        name: of its file, without the ending.
        told: deal, card, why it was kept, and what every stage said of each frame.
        frames: as they were taken.
    """

    name: str
    told: dict[str, Any]
    frames: list[Image]


def files_of_deal(folder: Path, deal: int) -> list[Path]:
    """Return the files kept of a deal, in the order of their cards; none where there is no folder.

    Raises:
        OSError: the folder cannot be read.
    """
    try:
        places = {file: place_of(file.name) for file in folder.iterdir()}
    except FileNotFoundError:
        return []
    of_deal = {file: place for file, place in places.items() if place is not None and place[0] == deal}
    return sorted(of_deal, key=lambda file: of_deal[file])


def open_kept(file: Path, key: bytes, *, deal: int) -> Kept:
    """Return what a file keeps, of a deal that is over.

    Raises:
        OSError: it cannot be read.
        SealBroken: it is not what was written.
    """
    from controller.errors import SealBroken

    if file.exists() and not file.is_file():  # a pipe never ends, nor do some devices
        raise SealBroken(deal, None, file.name, "it is no file")
    content = unseal(file.read_bytes(), key, deal=deal, name=file.name)
    try:
        told, frames = unpack(content)
    except ValueError as error:
        raise SealBroken(deal, None, file.name, str(error)) from error
    return Kept(name=file.stem, told=told, frames=frames)
