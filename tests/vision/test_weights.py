"""The networks of the package: a file that is missing or damaged is told with the next step."""

from __future__ import annotations

import numpy as np
import pytest

from vision.errors import ModelError
from vision.weights import session_of, shipped_weights


@pytest.mark.parametrize("file", ["index_reader.onnx", "face_finder.onnx"])
def test_what_is_shipped_runs(file: str) -> None:
    session = session_of(shipped_weights(file, "network"), "network")
    name = session.get_inputs()[0].name
    (scores,) = session.run(None, {name: np.zeros((1, 3, 72, 48), np.float32)})
    assert len(scores) == 1
    assert np.isfinite(scores).all()


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ModelError, match=r"the seeing network nothing\.onnx is missing .*; install pone again"):
        shipped_weights("nothing.onnx", "seeing network")


def test_bytes_that_are_no_network_are_told() -> None:
    with pytest.raises(ModelError, match=r"the seeing network cannot be loaded .*; install pone again"):
        session_of(b"no network", "seeing network")
