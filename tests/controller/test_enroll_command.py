"""`pone enroll`: on the simulated machine, from folders of pictures, with and without a person at the terminal."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import cv2
import pytest

from controller import cli
from controller.console import Console
from controller.enroll_command import _Asked, cards_of
from hardware_sims.world import forget_worlds
from tests.vision.enrolled import CARDS, passes, picture
from vision.cards import Card
from vision.deck_store import read_matchers
from vision.enrol_names import Question

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    yield
    forget_worlds()


def status_of(*words: str) -> int:
    try:
        return cli.main(words)
    except SystemExit as end:
        return int(end.code or 0)


def write(folder: Path, images: list[list[np.ndarray]]) -> str:
    folder.mkdir()
    for number, (image,) in enumerate(images):
        cv2.imwrite(str(folder / f"{number:03}.png"), image)
    return str(folder)


def test_the_simulated_machine_enrols_its_pack_and_then_deals_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "decks")
    assert status_of("enroll", "demo", "--pack", "24", "--machine", "sim://", "--camera", "sim:", "--store", store) == 0
    out, _ = capsys.readouterr()
    assert "turn the whole pack end for end" in out
    assert "Deck demo is learnt" in out
    assert (tmp_path / "decks" / "demo.report.png").read_bytes().startswith(b"\x89PNG")
    (matcher,) = read_matchers(tmp_path / "decks")
    assert matcher.deck.cards == CARDS
    forget_worlds()
    log = str(tmp_path / "log.sqlite")
    assert status_of("deal", "--code", "euchre", "--pack", "24", "--seed", "3", "--log", log, "--decks", store) == 0


def test_folders_of_pictures_give_a_deck_that_see_uses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (write(tmp_path / name, images) for name, images in zip(("one", "two"), passes(), strict=True))
    store = tmp_path / "decks"
    words = ("enroll", "plain", "--frames", first, second, "--pack", "24", "--store", str(store), "--json")
    assert status_of(*words) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["cards"], said["conflicts"], said["refusals"], said["asked"]) == (24, [], [], 0)
    assert [check["passed"] for check in said["checks"]] == [True, True, True]
    assert said["deck"] == str(store / "plain.deck")
    shown, explained = tmp_path / "card.png", tmp_path / "explained"
    cv2.imwrite(str(shown), picture(CARDS[2], seed=900))
    assert status_of("see", "--json", "--decks", str(store), "--explain", str(explained), str(shown)) == 0
    assert json.loads(capsys.readouterr().out)["card"] == str(CARDS[2])


def test_a_card_that_nobody_names_is_reported_with_its_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A doubled card: both pictures read as one card, so that one of them is none of the pack."""
    images = [list(one) for one in passes()]
    images[0][0], images[1][-1] = [picture(CARDS[1], seed=31)], [picture(CARDS[1], seed=32)]
    first, second = (write(tmp_path / name, one) for name, one in zip(("one", "two"), images, strict=True))
    store = tmp_path / "decks"
    words = ("enroll", "plain", "--frames", first, second, "--pack", "24", "--store", str(store), "--json")
    assert status_of(*words) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["deck"] is None
    assert said["conflicts"]
    for conflict in said["conflicts"]:
        assert (store / conflict["picture"]).read_bytes().startswith(b"\x89PNG")
        assert conflict["likely"]
    assert not list(store.glob("*.deck"))


class Terminal(io.StringIO):
    """A terminal on which somebody types, or reads."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "named"), [("qx\nqh\n", "QH"), ("\n", None), ("", None)])
def test_a_person_is_shown_the_picture_and_asked_until_a_card_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, named: str | None
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    out, err = Terminal(), io.StringIO()
    asked = _Asked(tmp_path, "blue", Console(out=out, err=err))
    question = Question(number=0, likely=(Card.parse("QH"), Card.parse("JH")))
    answer = asked.ask(question, picture(CARDS[0], seed=1))
    assert (answer and str(answer)) == named
    assert (tmp_path / "blue.ask.png").read_bytes().startswith(b"\x89PNG")
    assert f"Which card is {tmp_path / 'blue.ask.png'}? It may be queen of hearts or jack of hearts." in out.getvalue()
    assert ("'QX' is no card" in err.getvalue()) == ("qx" in typed)


def test_nobody_is_asked_without_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(number=0, likely=(Card.parse("QH"),))
    for stdin, as_json in ((io.StringIO("qh"), False), (Terminal("qh"), True)):
        monkeypatch.setattr("sys.stdin", stdin)
        console = Console(out=Terminal(), err=io.StringIO(), as_json=as_json)
        assert _Asked(tmp_path, "blue", console).ask(question, picture(CARDS[0], seed=1)) is None
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_deck_stops_a_deal_before_it_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "data" / "pone" / "decks"
    store.mkdir(parents=True)
    (store / "blue.deck").write_bytes(b"no deck")
    assert status_of("deal", "--log", str(tmp_path / "log.sqlite")) == 1
    out, err = capsys.readouterr()
    assert "blue.deck: it is no deck, or a damaged one" in err
    assert out == ""


def test_a_name_that_could_be_no_file_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("enroll", "../blue") == 2
    assert "cannot be a deck's name" in capsys.readouterr().err


@pytest.mark.parametrize(("size", "jokers", "count"), [(52, None, 52), (52, 1, 53), (33, None, 33), (33, 0, 32)])
def test_jokers_belong_to_the_pack_or_are_counted(size: int, jokers: int | None, count: int) -> None:
    assert len(cards_of(size, jokers)) == count
