"""Frames over a socket: the same pixels and stamps at the other end, deadlines kept, nothing left behind."""

from __future__ import annotations

import json
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hardware_sims.errors import SocketInUse
from hardware_sims.frame_server import SocketCamera, now_us, serve_frames
from vision.errors import CameraError, CameraLost
from vision.frame import Frame


def counting() -> Callable[[], Frame]:
    """Return a `take_frame` whose n-th frame has every pixel n and the time as its stamp."""
    taken = 0

    def take() -> Frame:
        nonlocal taken
        taken += 1
        return Frame(image=np.full((6, 8, 3), taken, np.uint8), captured_us=now_us(), number=taken)

    return take


def opened(path: Path) -> SocketCamera:
    return SocketCamera(f"sim:{path}", path, now_us)


def frame_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("frame ")]


def test_a_frame_arrives_as_it_was_taken(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()):
        camera = opened(path)
        asked = now_us()
        frames = [camera.next_frame(after_us=asked, deadline_us=asked + 5_000_000) for _ in range(2)]
        camera.close()
        camera.close()
    assert [frame.number for frame in frames if frame] == [1, 2]
    first = frames[0]
    assert first is not None
    assert np.array_equal(first.image, np.full((6, 8, 3), 1))
    assert first.source == f"sim:{path}"
    assert asked <= first.captured_us <= now_us()


def test_a_frame_is_not_taken_before_it_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()):
        camera = opened(path)
        after = now_us() + 30_000
        frame = camera.next_frame(after_us=after, deadline_us=after + 5_000_000)
        camera.close()
    assert frame is not None
    assert frame.captured_us >= after


def test_no_frame_comes_where_the_deadline_is_first(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()):
        camera = opened(path)
        deadline = now_us() + 20_000
        assert camera.next_frame(after_us=deadline + 10_000_000, deadline_us=deadline) is None
        assert deadline <= now_us() < deadline + 2_000_000
        # The connection is still in step.
        after = now_us()
        frame = camera.next_frame(after_us=after, deadline_us=after + 5_000_000)
        camera.close()
    assert frame is not None
    assert frame.number == 1


def test_only_the_owner_can_open_the_socket_and_it_is_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


def test_a_socket_that_a_simulator_left_behind_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert path.exists()
    with serve_frames(path, counting()):
        opened(path).close()


def test_what_is_in_use_or_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()):
        with pytest.raises(SocketInUse, match="another simulator serves frames there"), serve_frames(path, counting()):
            pass
        opened(path).close()
    path.write_text("a letter")
    with pytest.raises(SocketInUse, match="there is a file of that name"), serve_frames(path, counting()):
        pass
    assert path.read_text() == "a letter"


def test_a_path_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 120)
    with pytest.raises(SocketInUse, match="choose another path"), serve_frames(path, counting()):
        pass


def test_many_clients_are_served_and_no_thread_stays(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    numbers: list[int] = []

    def look() -> None:
        camera = opened(path)
        for _ in range(5):
            after = now_us()
            frame = camera.next_frame(after_us=after, deadline_us=after + 5_000_000)
            assert frame is not None
            assert (frame.image == frame.number).all()
            numbers.append(frame.number)
        camera.close()

    with serve_frames(path, counting()):
        lookers = [threading.Thread(target=look) for _ in range(6)]
        for looker in lookers:
            looker.start()
        for looker in lookers:
            looker.join()
        waiting = opened(path)  # a client that stays does not hold the server up
    assert sorted(numbers) == list(range(1, 31))
    assert frame_threads() == []
    waiting.close()


def test_a_camera_whose_simulator_has_gone_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()):
        camera = opened(path)
    with pytest.raises(CameraLost, match="start it again"):
        camera.next_frame(after_us=0, deadline_us=now_us() + 1_000_000)
    camera.close()


def test_a_camera_where_nobody_serves_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="nobody serves frames there") as raised:
        opened(tmp_path / "none.sock")
    assert not isinstance(raised.value, CameraLost)


@pytest.mark.parametrize("line", [b"look!\n", b'{"after_us": "soon"}\n', b"[]\n", b"x" * 2000 + b"\n"])
def test_a_request_that_makes_no_sense_is_answered_with_an_error(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "eye.sock"
    with serve_frames(path, counting()), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(line)
        with client.makefile("rb") as answers:
            assert "a request" in json.loads(answers.readline())["error"]
