"""The pictures that stand beside an enrolled deck: the report, the card that is asked about, those that nobody named.

The report of a try that gave no deck has a name of its own, so that it does not take the place of the kept deck's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.deck_store import deck_file
from vision.errors import DeckError
from vision.files import plainly, put_in_place
from vision.picture import as_png

if TYPE_CHECKING:
    from pathlib import Path

    from vision.frame import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPictures:
    """The pictures of one deck.

    Attributes:
        store: the folder of decks.
        name: of the deck.
    """

    store: Path
    name: str

    @property
    def report(self) -> Path:
        """The report of the deck that is kept."""
        return self.store / f"{self.name}.report.png"

    @property
    def refused(self) -> Path:
        """The report of the last try, where it gave no deck."""
        return self.store / f"{self.name}.refused.png"

    @property
    def asked(self) -> Path:
        """The card that the person is asked about now."""
        return self.store / f"{self.name}.ask.png"

    def left_open(self, number: int) -> Path:
        """Return the file of a card that nobody named, from 1."""
        return self.store / f"{self.name}.ask-{number}.png"

    def in_the_way(self) -> Path | None:
        """Return what has the name of one of the files of this deck, and is none; None where nothing has.

        Raises:
            OSError: the folder cannot be read.
        """
        ours = [deck_file(self.store, self.name), self.report, self.refused, self.asked, *self._all_left_open()]
        return next((path for path in ours if path.exists() and not path.is_file()), None)

    def write(self, file: Path, picture: Image) -> None:
        """Write a picture as PNG.

        Raises:
            vision.errors.DeckError: it cannot be written.
        """
        try:
            self.store.mkdir(parents=True, exist_ok=True)
            put_in_place(file, as_png(picture), private=False)
        except OSError as error:
            raise DeckError(str(file), f"the picture cannot be written there: {plainly(error)}") from error

    def take_away(self, *files: Path) -> None:
        """Take pictures away, as far as they are there.

        Raises:
            vision.errors.DeckError: one cannot be taken away.
        """
        for file in files:
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise DeckError(str(file), f"the old picture cannot be taken away: {plainly(error)}") from error

    def take_away_left_open(self) -> None:
        """Take the pictures of earlier tries away, of cards that nobody named.

        Raises:
            vision.errors.DeckError: one cannot be taken away.
        """
        self.take_away(*self._all_left_open())

    def _all_left_open(self) -> list[Path]:
        """Return the pictures of cards that nobody named, whose number a name of another deck does not end in."""
        ours = re.compile(rf"{re.escape(self.name)}\.ask-[0-9]+\.png")
        return [file for file in self.store.iterdir() if ours.fullmatch(file.name)] if self.store.is_dir() else []
