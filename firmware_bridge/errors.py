"""What can go wrong between the controller and the machine, as one tree.

    BridgeError
    ├── LinkError              the port could not be opened
    ├── LinkLost               the port was open and is gone, or takes no more bytes
    ├── NoAnswer               the port is there and the machine stays silent
    ├── MachineRebooted        the machine answers, and has started anew since HELLO
    ├── RemoteProtocolError    the machine said what this protocol does not allow
    └── LocalProtocolError     the caller asked for what this protocol does not allow

A jam, a misfeed or a refused command is none of these: they come as events and replies. `layout.MessageError` does not
leave this package: a payload that fits no message becomes a value (`codec.NotUnderstood`) or a `RemoteProtocolError`.
"""

from __future__ import annotations


class BridgeError(Exception):
    """Root of all errors of this package.

    Attributes:
        text: what went wrong, one clause.
        next_step: what the operator or the caller does now.
    """

    def __init__(self, text: str, *, next_step: str) -> None:
        super().__init__(f"{text}; {next_step}")
        self.text = text
        self.next_step = next_step


class LinkError(BridgeError):
    """The port could not be opened.

    Examples: no such device; another program holds it; this user may not open it; no such URL scheme.

    Attributes:
        url: what was to be opened.
        why: the reason, one clause.
    """

    def __init__(self, url: str, why: str, *, next_step: str) -> None:
        super().__init__(f"cannot open {url}: {why}", next_step=next_step)
        self.url = url
        self.why = why


class LinkLost(BridgeError):
    """The port was open and is gone, or takes no more bytes. It is closed; nothing was sent a second time.

    Examples: the cable was pulled; the USB bridge enumerated anew; a write found the buffer full for too long.

    Attributes:
        url: the port.
        why: the reason, one clause.
    """

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"lost the link to {url}: {why}", next_step="check cable and power, then open it anew")
        self.url = url
        self.why = why


class NoAnswer(BridgeError):
    """The machine did not answer a request before its deadline. Whether it took the request is not known.

    Examples: the firmware hangs; another device is on this port; the baud rate is wrong; noise on the line.

    Attributes:
        request_name: the class of the request.
        waited_us: how long the session tried.
    """

    def __init__(self, request_name: str, waited_us: int) -> None:
        super().__init__(
            f"no answer to {request_name} within {waited_us / 1e6:.2f} s",
            next_step="open the port anew and reconcile; nothing is to be fed before that",
        )
        self.request_name = request_name
        self.waited_us = waited_us


class MachineRebooted(BridgeError):
    """The machine has started anew since HELLO: what it did before is known from its journal only.

    Requests that were under way are given up, never sent to the new boot.

    Attributes:
        boot_id: the new boot.
        former_boot_id: the boot that HELLO named.
    """

    def __init__(self, *, boot_id: int, former_boot_id: int) -> None:
        super().__init__(
            f"the machine has restarted (boot {former_boot_id:08x} became {boot_id:08x})",
            next_step="read HELLO again and reconcile",
        )
        self.boot_id = boot_id
        self.former_boot_id = former_boot_id


class RemoteProtocolError(BridgeError):
    """The machine said what this protocol does not allow, in a frame whose CRC is right.

    Examples: another protocol version; an event of no known type; a payload of the wrong length.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, next_step="check that firmware and controller are of the same protocol version")


class LocalProtocolError(BridgeError):
    """The caller asked for what this protocol does not allow: a mistake in the program.

    Examples: a second command before the first is answered; a payload that is too long.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, next_step="this is a fault of the program: please report it")
