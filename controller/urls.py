"""What the URLs of machines and cameras tell before anything is opened. Pure."""

from __future__ import annotations

from typing import Final

RECORDED: Final = ("frames", "video")
"""Schemes of cameras that give pictures taken earlier."""


def scheme_of(url: str) -> str:
    """Return the scheme of a machine's or camera's URL; empty for the path of a port.

    >>> scheme_of("sim://demo"), scheme_of("v4l2:0"), scheme_of("/dev/serial/by-path/pci-0:1")
    ('sim', 'v4l2', '')
    """
    scheme, colon, _ = url.partition(":")
    return scheme if colon and "/" not in scheme else ""


def ends_with_us(machine: str) -> bool:
    """Return whether a machine is a part of this program, and gone with all its cards when the program ends."""
    return machine.startswith("sim://")
