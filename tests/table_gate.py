"""What the camera over the table must reach: one open face among backs, packets, hands and things, or none.

Half of the scenes have one open face outside the trump spot, in three of four of those that lie on the table a part of
it covered; the others have none. Half of all have a trump card. Two thirds are printed with packs of this project, one
third with decks of other people that neither network was trained on, where the test data are there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware_sims.table_chance import chance_table
from hardware_sims.table_cover import CoveredFace, covered_table
from hardware_sims.table_places import SEATS, Place, View
from hardware_sims.table_render import PrintedPack, render_table
from tests.drawn_frames import artwork, read_decks
from tests.eye_gates import light_english
from vision.table import LEAST_CARD_PX, find_exposed
from vision.table_layout import Region, TableLayout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardware_sims.table_render import Artwork
    from hardware_sims.table_scene import TableScene
    from tests.drawn_frames import DeckFolder
    from vision.cards import Card
    from vision.frame import Image
    from vision.table import ExposedFace, TableReader

WIDTHS: Final = (860, 1024, 1280, 1600)
"""Widths of the pictures, px: a card on the table is 40, 48, 60 or 75 px wide."""

FIRST_SEED: Final = 8_000_000
"""The limits of the finder were set with a look at seeds below 8,000,000 only."""

_NEAR_MM: Final = 25.0


@dataclass(slots=True, kw_only=True)
class Tally:
    """What came of some scenes.

    Attributes:
        scenes: number of pictures.
        planted: open faces, by what is counted: `all`, by cover, by part covered, by width, by light, by print. A card
            on the floor that looks narrower than 40 px is counted by itself.
        found: of those, the ones that were found.
        read: of those, the ones whose card was told.
        misplaced: faces found before the wrong seat or in the wrong place.
        wrong: cards told wrongly, each as a sentence.
        missed: faces that were not found, each as a sentence.
        alarms: faces found where none is, each as a sentence.
    """

    scenes: int = 0
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    misplaced: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in the tally of other scenes."""
        self.scenes += other.scenes
        self.planted += other.planted
        self.found += other.found
        self.read += other.read
        self.misplaced += other.misplaced
        self.wrong += other.wrong
        self.missed += other.missed
        self.alarms += other.alarms


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPrint:
    """Cards printed with the artwork of one deck, and the backs of one that has some.

    Attributes:
        deck: of the faces.
        back_file: of the back.
    """

    deck: DeckFolder
    back_file: Path

    def face(self, card: Card) -> Image:
        """Return the face of `card`."""
        return artwork(self.deck.files[str(card)])

    def back(self) -> Image:
        """Return the back."""
        return artwork(self.back_file)


@lru_cache(maxsize=1)
def _prints(test_data: Path) -> tuple[list[DeckFolder], list[Path]]:
    decks = read_decks(test_data)
    whole = [deck for deck in light_english(decks) if len(deck.faces) == 52]
    return whole, [deck.files[code] for deck in decks for code in deck.backs]


def _print_of(scene: TableScene, seed: int, test_data: Path | None) -> Artwork:
    if test_data is None or seed // len(WIDTHS) % 3:
        return PrintedPack(style=scene.pack, back_name=scene.back)
    whole, backs = _prints(test_data)
    chosen = seed // len(WIDTHS) // 3
    return DeckPrint(deck=whole[chosen % len(whole)], back_file=backs[chosen * 7 % len(backs)])


def look(seed: int, reader: TableReader, test_data: Path | None = None) -> Tally:
    """Return what is found in one scene; seeds that are odd have an open face."""
    place = seed // 2
    width = WIDTHS[place % len(WIDTHS)]
    told = Tally(scenes=1)
    planted = covered_table(seed) if seed % 2 else None
    scene = chance_table(seed, faces=0) if planted is None else planted.scene
    printed = _print_of(scene, place, test_data)
    faces = find_exposed(render_table(scene, width_px=width, artwork=printed), TableLayout(), reader)
    name = f"seed {seed}, {width} px, {scene.light}"
    left = _lawful(told, name, scene, faces)
    if planted is not None:
        kinds = _kinds(planted, width, own=isinstance(printed, PrintedPack))
        left = _one_face(told, f"{name}, {', '.join(kinds)}", planted, kinds, left, width)
    told.alarms += [f"{name}: {face.region} at {face.centre[0]:.0f}, {face.centre[1]:.0f}" for face in left]
    return told


def _kinds(planted: CoveredFace, width: int, *, own: bool) -> list[str]:
    corners = planted.face.corners(View(width_px=width))
    if float(np.linalg.norm(corners[1] - corners[0])) < LEAST_CARD_PX:
        return ["narrower: no part of the gate"]
    view = "an index in view" if planted.index_in_view else "no whole index in view"
    tenths = min(int(planted.covered * 10), 6)
    part = f"{10 * tenths} to {10 * tenths + 10} % covered" if planted.covered else "nothing covered"
    printed = "own packs" if own else "decks of others"
    card = f"card {View(width_px=width).px_per_mm * 63.5:.0f} px wide"
    return ["all", view, part, f"under {planted.cover}", card, printed, f"light {planted.scene.light}"]


def _one_face(
    told: Tally, name: str, planted: CoveredFace, kinds: list[str], faces: list[ExposedFace], width: int
) -> list[ExposedFace]:
    """Count the one open face, and return the others that were found."""
    truth, view = planted.face, View(width_px=width)
    told.planted.update(kinds)
    middle = truth.corners(view).mean(axis=0)
    near = [face for face in faces if float(np.hypot(*(middle - face.centre))) < _NEAR_MM * view.px_per_mm]
    if not near:
        told.missed.append(name)
        return faces
    face = near[0]
    told.found.update(kinds)
    place = Region(truth.place)
    wrong_seat = truth.place in SEATS and face.seat is not place
    told.misplaced += truth.height <= 0 and (face.region is not place or wrong_seat)
    if face.card == truth.card:
        told.read.update(kinds)
    elif face.card is not None:
        told.wrong.append(f"{name}: {truth.card} taken for {face.card}")
    return [other for other in faces if other is not face]


def _lawful(told: Tally, name: str, scene: TableScene, faces: list[ExposedFace]) -> list[ExposedFace]:
    """Count what is told of the trump card, and return the faces that are not lawful."""
    lawful = [face for face in faces if face.lawful]
    trump = next((card.card for card in scene.cards if card.face_up and card.place is Place.TRUMP), None)
    for face in lawful:
        if trump is None:
            told.alarms.append(f"{name}: a trump card that is none")
        elif face.card not in (trump, None):
            told.wrong.append(f"{name}: trump card {trump} taken for {face.card}")
    return [face for face in faces if not face.lawful]


def looked_at(seeds: Iterable[int], reader: TableReader, test_data: Path | None = None) -> Tally:
    """Return the tally of scenes."""
    told = Tally()
    for seed in seeds:
        told.add(look(seed, reader, test_data))
    return told
