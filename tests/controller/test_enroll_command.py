"""`pone enroll`: on the simulated machine, from folders of pictures, with and without a person at the terminal."""

from __future__ import annotations

import errno
import io
import json
import os
from typing import TYPE_CHECKING

import cv2
import pytest

from controller.console import Console
from controller.enroll_command import _Asked, cards_of
from controller.enroll_pictures import DeckPictures
from hardware_sims.world import forget_worlds
from tests.status import status_of
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
    assert said["spoilt"] == []
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


@pytest.mark.parametrize(
    ("typed", "named"), [("qx\nqh\n", "QH"), ("10h\n", "TH"), ("2h\nqh\n", "QH"), ("\n", None), ("", None)]
)
def test_a_person_is_shown_the_picture_and_asked_until_a_card_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, named: str | None
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    out, err = Terminal(), io.StringIO()
    asked = _Asked(DeckPictures(store=tmp_path, name="blue"), CARDS, Console(out=out, err=err))
    question = Question(number=0, likely=(Card.parse("QH"), Card.parse("JH")))
    answer = asked.ask(question, picture(CARDS[0], seed=1))
    assert (answer and str(answer)) == named
    assert (tmp_path / "blue.ask.png").read_bytes().startswith(b"\x89PNG")
    assert f"Which card is {tmp_path / 'blue.ask.png'}? It may be queen of hearts or jack of hearts." in out.getvalue()
    assert ("'qx' is no card" in err.getvalue()) == ("qx" in typed)
    assert ("The two of hearts is no card of this pack." in err.getvalue()) == ("2h" in typed)


def test_nobody_is_asked_without_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(number=0, likely=(Card.parse("QH"),))
    for stdin, as_json in ((io.StringIO("qh"), False), (Terminal("qh"), True)):
        monkeypatch.setattr("sys.stdin", stdin)
        console = Console(out=Terminal(), err=io.StringIO(), as_json=as_json)
        pictures = DeckPictures(store=tmp_path, name="blue")
        assert _Asked(pictures, CARDS, console).ask(question, picture(CARDS[0], seed=1)) is None
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


# --- what came is told ---


@pytest.mark.parametrize(
    ("scenario", "k", "step"),
    [
        ("camera_gone", 32, "Look whether the camera is plugged in"),
        ("frozen_frames", 9, "Look whether the lamp is lit; if it is, the camera gives one old picture"),
    ],
)
def test_a_camera_that_gives_no_picture_is_told_and_no_card_is_blamed(
    scenario: str, k: int, step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The third card without a picture ends the pass: two may be missed."""
    assert status_of("enroll", "x", "--machine", f"sim://?scenario={scenario}", "--store", str(tmp_path / "decks")) == 1
    out, err = capsys.readouterr()
    assert f"No picture of card {k} counts, though the card stood in the window" in err
    assert step in err
    assert "no outline" not in out + err
    assert not (tmp_path / "decks").exists()


def test_a_pack_that_holds_a_card_twice_in_one_pass_is_refused_with_both_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the scenario duplicate_card has it, of a smaller pack."""
    (tmp_path / "twice.toml").write_text(
        '[[deal]]\n[[deal.fault]]\nkind = "duplicate_card"\ncard = "AS"\ninstead_of = "9H"\n', encoding="utf-8"
    )
    words = ("--machine", f"sim://?scenario={tmp_path / 'twice.toml'}", "--pack", "24", "--store", str(tmp_path / "d"))
    assert status_of("enroll", "twice", *words) == 1
    out, _ = capsys.readouterr()
    assert (
        "The two pictures of the nine of hearts do not show one card: they are as much like the ace of spades." in out
    )
    assert [file.name for file in (tmp_path / "d").iterdir()] == ["twice.refused.png"]


# --- the files beside a deck ---


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two folders of pictures of a good pack."""
    place = tmp_path_factory.mktemp("pictures")
    first, second = (write(place / name, images) for name, images in zip(("one", "two"), passes(), strict=True))
    return first, second


@pytest.mark.parametrize("name", ["plain.deck", "plain.report.png", "plain.refused.png", "plain.ask.png"])
def test_a_folder_with_the_name_of_a_file_of_the_deck_is_told_before_anything_is_read(
    name: str, folders: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    assert status_of("enroll", "plain", "--frames", *folders, "--pack", "24", "--store", str(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{tmp_path / name} is no file, and in the way of one: move it away" in err


def test_a_report_that_cannot_be_written_hides_nothing_of_what_was_found(
    folders: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(file: Path, data: bytes, *, private: bool) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("controller.enroll_pictures.put_in_place", full)
    assert status_of("enroll", "plain", "--frames", *folders, "--pack", "24", "--store", str(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert "The light is good" in out
    assert "Deck plain is learnt and kept" in out
    assert "plain.report.png: the picture cannot be written there: the disk is full" in err


def test_a_refused_try_leaves_the_report_of_the_good_one_and_a_good_one_takes_old_pictures_away(
    folders: tuple[str, str], tmp_path: Path
) -> None:
    def enrol(first: str, second: str) -> int:
        return status_of("enroll", "plain", "--frames", first, second, "--pack", "24", "--store", str(tmp_path))

    others = ("plain.ask-1.deck", "plain.ask-x.png", "plain.ask-1.report.png")
    for name in (*others, "plain.ask-1.png", "plain.ask-12.png", "plain.ask.png"):
        (tmp_path / name).write_bytes(b"old")
    assert enrol(*folders) == 0
    report = (tmp_path / "plain.report.png").read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {*others, "plain.deck", "plain.report.png"}
    assert enrol(folders[0], write(tmp_path / "fewer", passes()[0][:20])) == 1
    assert (tmp_path / "plain.report.png").read_bytes() == report
    assert (tmp_path / "plain.refused.png").exists()
    assert enrol(*folders) == 0
    assert not (tmp_path / "plain.refused.png").exists()


def test_ctrl_c_at_a_question_leaves_no_picture_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(Terminal):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as StringIO has it
            assert (store / "plain.ask.png").exists()
            raise KeyboardInterrupt

    store = tmp_path / "store"
    images = [list(one) for one in passes()]
    images[0][0], images[1][-1] = [picture(CARDS[1], seed=31)], [picture(CARDS[1], seed=32)]
    first, second = (write(tmp_path / name, one) for name, one in zip(("one", "two"), images, strict=True))
    monkeypatch.setattr("sys.stdin", Interrupted())
    monkeypatch.setattr("sys.stdout", Terminal())
    assert status_of("enroll", "plain", "--frames", first, second, "--pack", "24", "--store", str(store)) == 130
    assert list(store.iterdir()) == []


@pytest.mark.parametrize("words", [("--camera", "sim:"), ("--machine", "sim://?seed=1")])
def test_pictures_and_a_machine_do_not_go_together(
    words: tuple[str, ...], folders: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of("enroll", "plain", "--frames", *folders, *words) == 2
    assert "--frames needs no machine" in capsys.readouterr().err


def test_one_folder_for_both_passes_is_wrong_use(folders: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("enroll", "plain", "--frames", folders[0], f"{folders[0]}/.") == 2
    assert "names one folder twice" in capsys.readouterr().err
