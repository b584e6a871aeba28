"""What URLs tell before anything is opened."""

from __future__ import annotations

import pytest

from controller.urls import ends_with_us, scheme_of


@pytest.mark.parametrize(
    ("machine", "ends"),
    [("sim://", True), ("sim://club?seed=7", True), ("machine.tty", False), ("/dev/serial/by-id/usb", False)],
)
def test_only_the_machine_inside_this_program_ends_with_it(machine: str, ends: bool) -> None:
    assert ends_with_us(machine) is ends


@pytest.mark.parametrize(
    ("url", "scheme"), [("frames:/shots", "frames"), ("sim:", "sim"), ("machine.tty", ""), ("./a:b", ""), ("", "")]
)
def test_the_path_of_a_port_has_no_scheme(url: str, scheme: str) -> None:
    assert scheme_of(url) == scheme
