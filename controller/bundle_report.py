"""Opens what was kept of a deal's doubtful cards, once the deal is over: pictures and findings, and a list of them.

Each frame is written as a PNG, and beside it what every stage said of it, as JSON; `pone see --explain` draws the
stages on the pictures.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.bundle_seal import place_of, to_keep
from controller.counts import counted
from controller.errors import LogError, NoSuchDeal, SealBroken
from controller.fault_bundle import Kept, files_of_deal, folder_beside, open_kept
from controller.sealing import published_key
from vision.files import plainly, put_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from controller.acts import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """One doubtful card whose frames were written out.

    Attributes:
        k: its number in the dealing order.
        why: why its frames were kept.
        files: the pictures, in the order in which they were taken.
        on_record: whether the hash that the record holds for this card is that of one of the frames; None where it
            holds none, because no frame counted.
    """

    k: int
    why: str
    files: tuple[str, ...]
    on_record: bool | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"k": self.k, "why": self.why, "files": list(self.files), "on_record": self.on_record}

    def sentence(self) -> str:
        """Return it as a line of a list."""
        strange = "; the record holds another picture of it" if self.on_record is False else ""
        return f"card {self.k:>2}  {counted(len(self.files), 'picture')}  {self.why}{strange}"


def open_bundle(log: Path, deal: int, lines: Sequence[Line], to: Path) -> tuple[list[Opened], list[str]]:
    """Write out what was kept of a closed deal; return what it is, and a sentence for each card that lacks pictures.

    A card in doubt of which the record holds no frame may have had none: it is listed, and not missed.

    Args:
        log: the deal log.
        deal: the deal's number.
        lines: its lines, opened.
        to: the folder that is written to; made if it is not there.

    Raises:
        NoSuchDeal: the deal is still open.
        LogError: the folder of what was kept cannot be read.
    """
    key = published_key(lines[-1], deal=deal, leaf=len(lines) - 1)
    if key is None:
        reason = f"deal {deal} is open, and the pictures of its cards are sealed until it is over"
        raise NoSuchDeal(str(log), reason, "Go on with the deal, or void it, first.")
    hashes = {line["k"]: line["frame"] for line in lines if line.get("fact") == "seen" and line.get("frame")}
    folder = folder_beside(log)
    try:
        files = files_of_deal(folder, deal)
    except OSError as error:
        raise LogError(str(folder), plainly(error), "Let this user read it.") from error
    opened: list[Opened] = []
    broken: list[str] = []
    for file in files:
        try:
            opened.append(_written(_read(file, key, deal), hashes, to))
        except (LogError, SealBroken) as error:
            broken.append(f"{file}: {error}" if isinstance(error, SealBroken) else str(error))
    there = {place[1] for file in files if (place := place_of(file.name)) is not None}
    for k, why in to_keep(lines).items():
        if k in hashes and k not in there:
            broken.append(f"card {k}, {why}: no picture is in {folder}. They were taken away, or could not be kept.")
        elif k not in there:
            opened.append(Opened(k=k, why=why, files=(), on_record=None))
    return sorted(opened, key=lambda one: one.k), list(dict.fromkeys(broken))


def _read(file: Path, key: bytes, deal: int) -> Kept:
    """Return what a file keeps.

    Raises:
        LogError: it cannot be read.
        SealBroken: it is not what was written.
    """
    try:
        return open_kept(file, key, deal=deal)
    except OSError as error:
        raise LogError(str(file), plainly(error), "Let this user read it, or put it back.") from error


def _written(kept: Kept, hashes: dict[int, str], to: Path) -> Opened:
    """Write the frames and the findings of one card.

    Raises:
        LogError: they cannot be written.
    """
    from vision.frame import name_of
    from vision.picture import as_png

    words = json.dumps(kept.told, indent=1, ensure_ascii=False) + "\n"
    pictures = {to / f"{kept.name}-frame-{number}.png": as_png(frame) for number, frame in enumerate(kept.frames, 1)}
    file = to
    try:
        to.mkdir(parents=True, exist_ok=True)
        for file, content in (*pictures.items(), (to / f"{kept.name}.json", words.encode())):
            put_in_place(file, content, private=False)
    except OSError as error:
        raise LogError(str(file), plainly(error), "Give a folder that you may write to.") from error
    k = int(kept.told["k"])
    seen = {name_of(frame) for frame in kept.frames}
    return Opened(
        k=k,
        why=str(kept.told["why"]),
        files=tuple(map(str, pictures)),
        on_record=hashes[k] in seen if k in hashes else None,
    )
