"""The networks that belong to this package: their files, and how they are had to run, on one thread."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from vision.errors import ModelError

INDEX_READER: Final = "index_reader.onnx"
"""File of the index reader."""


def shipped_weights(file: str, what: str) -> bytes:
    """Return the bytes of an ONNX file that belongs to this package.

    Args:
        file: its name.
        what: the network in words, for the error.

    Raises:
        ModelError: the file is missing or cannot be read.
    """
    try:
        return (resources.files("vision") / "data" / file).read_bytes()
    except OSError as error:
        raise ModelError(f"the {what} {file} is missing ({error}); install pone again") from error


@lru_cache(maxsize=1)
def index_reader_digest() -> str:
    """Return what tells the index reader of this package from every other: the SHA-256 of its file, hexadecimal.

    Raises:
        ModelError: the file is missing or cannot be read.
    """
    return hashlib.sha256(shipped_weights(INDEX_READER, "index reader")).hexdigest()


def session_of(weights: bytes, what: str) -> Any:
    """Return a session of ONNX Runtime that runs a network on one thread.

    Args:
        weights: the bytes of its ONNX file.
        what: the network in words, for the error.

    Raises:
        ModelError: the bytes are no network.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's exceptions share no root of their own
        raise ModelError(f"the {what} cannot be loaded ({error}); install pone again") from error
