"""Frames over a Unix socket: what a camera is beside a simulated machine that another process runs behind a pty.

A request is one line of JSON, `{"after_us": 1200, "deadline_us": 90000}`. The answer is one line of JSON and, if it
holds `height`, as many bytes as rows, columns and colours make; `{"none": true}` says that the deadline passed first,
`{"error": "..."}` that the request made no sense. Times are those of `now_us`, which is also the clock of a machine
behind a pty.
"""

from __future__ import annotations

import json
import os
import select
import socket
import stat
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np

from hardware_sims.errors import SocketInUse
from vision.errors import CameraError, CameraLost
from vision.files import plainly
from vision.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SocketCamera", "now_us", "serve_frames"]

_LONGEST_LINE: Final = 1024
_GRACE_S: Final = 5.0
_OWNER_ONLY: Final = 0o177
_WAITING_CLIENTS: Final = 8


def now_us() -> int:
    """Return the time of a native link's clock, integer µs."""
    return time.monotonic_ns() // 1000


@contextmanager
def serve_frames(path: Path, take_frame: Callable[[], Frame | None]) -> Iterator[None]:
    """Serve frames at the Unix socket `path` while the context lasts; only this user can open it.

    Args:
        path: where the socket is made; one that a simulator left behind is removed.
        take_frame: takes a frame now, its stamp on the clock of `now_us`; returns None while the camera gives none. It
            is called by one thread at a time, but not by the thread that opened the context.

    Raises:
        SocketInUse: there is another file at `path`, a simulator that serves it, or no way to make a socket there.
    """
    with ExitStack() as stack:
        listener = stack.enter_context(_listener(path))
        stack.callback(path.unlink, missing_ok=True)
        server = _Server(listener, take_frame)
        server.start()
        stack.callback(server.stop)
        yield


def _listener(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _remove_stale(path)
        # The mask, not a later chmod: there must be no moment at which somebody else can connect.
        mask = os.umask(_OWNER_ONLY)
        try:
            listener.bind(str(path))
        finally:
            os.umask(mask)
        listener.listen(_WAITING_CLIENTS)
    except OSError as error:
        listener.close()
        raise SocketInUse(str(path), f"no socket can be made there ({plainly(error)}): choose another path") from error
    except SocketInUse:
        listener.close()
        raise
    return listener


def _remove_stale(path: Path) -> None:
    """Remove a socket that nobody serves any more.

    Raises:
        SocketInUse: something else is there.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise SocketInUse(str(path), "there is a file of that name: choose another path")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        try:
            trial.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise SocketInUse(str(path), "another simulator serves frames there: stop it or choose another path")


class _Server:
    """The threads that answer: one that waits for clients, and one for each of them."""

    def __init__(self, listener: socket.socket, take_frame: Callable[[], Frame | None]) -> None:
        self._listener = listener
        self._take_frame = take_frame
        self._one_at_a_time = threading.Lock()
        self._stopped = threading.Event()
        self._doorbell, self._ring = socket.socketpair()
        self._clients: dict[threading.Thread, socket.socket] = {}
        self._thread = threading.Thread(target=self._accept, name="frame server", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Hang up on every client and wait for all threads to end."""
        self._stopped.set()
        self._ring.send(b"!")
        self._thread.join()
        for thread, connection in self._clients.items():
            with suppress(OSError):  # the client may have gone first
                connection.shutdown(socket.SHUT_RDWR)
            thread.join()
        self._doorbell.close()
        self._ring.close()

    def _accept(self) -> None:
        while True:
            ready, _, _ = select.select([self._listener, self._doorbell], [], [])
            if self._doorbell in ready:
                return
            connection, _ = self._listener.accept()
            self._clients = {thread: gone for thread, gone in self._clients.items() if thread.is_alive()}
            thread = threading.Thread(target=self._serve, args=(connection,), name="frame client", daemon=True)
            self._clients[thread] = connection
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        # A client that goes away in the middle of an answer ends its thread, and nothing else.
        with connection, connection.makefile("rb") as requests, suppress(ConnectionError):
            while (line := requests.readline(_LONGEST_LINE)) and self._answer(connection, line):
                pass

    def _answer(self, connection: socket.socket, line: bytes) -> bool:
        """Answer one request; return whether the next one can be read."""
        asked = _request(line)
        if isinstance(asked, str):
            _send(connection, {"error": asked})
            return False
        after_us, deadline_us = asked
        until_us = min(after_us, deadline_us)
        while not self._stopped.is_set() and (wait_us := until_us - now_us()) > 0:
            self._stopped.wait(wait_us / 1_000_000)
        if after_us > deadline_us or self._stopped.is_set():
            _send(connection, {"none": True})
            return True
        with self._one_at_a_time:
            frame = self._take_frame()
        if frame is None:
            self._stopped.wait(max(0, deadline_us - now_us()) / 1_000_000)
            _send(connection, {"none": True})
        else:
            _send_frame(connection, frame)
        return True


def _request(line: bytes) -> tuple[int, int] | str:
    """Return the moments a request names, or what is wrong with it."""
    try:
        asked = json.loads(line)
    except ValueError:
        return "a request is one line of JSON"
    match asked:
        case {"after_us": int(after_us), "deadline_us": int(deadline_us)}:
            return after_us, deadline_us
    return "a request names after_us and deadline_us, whole numbers"


def _send(connection: socket.socket, header: dict[str, Any]) -> None:
    connection.sendall(json.dumps(header).encode() + b"\n")


def _send_frame(connection: socket.socket, frame: Frame) -> None:
    height, width, _ = frame.image.shape
    header = {"captured_us": frame.captured_us, "number": frame.number, "height": height, "width": width}
    _send(connection, header)
    connection.sendall(np.ascontiguousarray(frame.image).data)


class SocketCamera:
    """A camera whose frames come from `serve_frames`, in this process or another."""

    def __init__(self, url: str, path: Path, clock: Callable[[], int]) -> None:
        """Connect to the socket at `path`.

        Raises:
            CameraError: nobody serves frames there.
        """
        self._url = url
        self._clock = clock
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            reason = plainly(error)
            message = f"{url}: nobody serves frames there ({reason}): start the simulator, or give the path it printed"
            raise CameraError(url, message) from error
        self._answers: BinaryIO = self._socket.makefile("rb")

    def next_frame(self, *, after_us: int, deadline_us: int) -> Frame | None:
        """See `vision.frame.Camera`."""
        try:
            # The server keeps the deadline; the time-out is for a server that no longer answers.
            self._socket.settimeout(max(0, deadline_us - self._clock()) / 1_000_000 + _GRACE_S)
            self._socket.sendall(json.dumps({"after_us": after_us, "deadline_us": deadline_us}).encode() + b"\n")
            return self._frame(self._answers.readline(_LONGEST_LINE))
        except (OSError, ValueError, KeyError) as error:
            reason = plainly(error) if isinstance(error, OSError) else str(error)
            message = f"{self._url}: the simulator sends no frames any more ({reason}): start it again"
            raise CameraLost(self._url, message) from error

    def _frame(self, line: bytes) -> Frame | None:
        if not line:
            raise ConnectionError("the connection was closed")
        header = json.loads(line)
        if "none" in header:
            return None
        if "error" in header:
            raise ValueError(header["error"])
        height, width = header["height"], header["width"]
        pixels = self._answers.read(height * width * 3)
        image = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
        return Frame(image=image, captured_us=header["captured_us"], number=header["number"], source=self._url)

    def close(self) -> None:
        """See `vision.frame.Camera`."""
        self._answers.close()
        self._socket.close()
