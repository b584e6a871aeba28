"""Exceptions of the eye.

    VisionError
    ├── CameraError            a camera URL that cannot be used
    │   ├── NoCameraURL        a text that names no camera, whatever is plugged in
    │   └── CameraLost         a camera that worked and is gone
    ├── UnreadableImage        a file that holds no picture that can be read
    ├── DeckError              an enrolled deck, or the folder of decks, that cannot be used
    └── ModelError             the shipped index reader is missing or damaged

A doubt about a card is no exception: it is a `vision.sighting.Sighting`.
"""

from __future__ import annotations

from vision.files import on_one_line


class VisionError(Exception):
    """Root of the exceptions of this package."""


class CameraError(VisionError):
    """A camera cannot be opened.

    Attributes:
        url: the camera as it was asked for.
    """

    def __init__(self, url: str, message: str) -> None:
        super().__init__(message)
        self.url = url


class NoCameraURL(CameraError):
    """A text is no URL of a camera: it has no scheme, or an unknown one, or lacks the rest."""


class CameraLost(CameraError):
    """A camera that worked has gone."""


class UnreadableImage(VisionError):
    """A file is no picture, or one that cannot be read.

    Attributes:
        file: the file's name as it was given.
        reason: why, in plain words.
    """

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{on_one_line(file)}: {reason}")
        self.file = file
        self.reason = reason


class DeckError(VisionError):
    """An enrolled deck cannot be read or kept.

    Attributes:
        file: the deck's file, or the folder.
        reason: why, in plain words.
    """

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{on_one_line(file)}: {reason}")
        self.file = file
        self.reason = reason


class ModelError(VisionError):
    """The index reader that belongs to this package cannot be loaded."""
