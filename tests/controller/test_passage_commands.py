"""`pone check`, `pone order` and `pone draw`: what they find on the simulated machine, and how they end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from controller import cli
from controller.order_command import read_order
from controller.records import canonical
from hardware_sims.truth_eye import TruthEye
from hardware_sims.world import forget_worlds, world_named
from tests.status import status_of
from vision.cards import Card, Pack
from vision.window_view import WindowRecogniser

CARDS = [str(card) for card in Pack.of(52).cards]
ORDER = f"order = {json.dumps(CARDS)}\n"

Run = Callable[..., int]


@pytest.fixture(autouse=True)
def _knowing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the eye know the cards, so that no frame is drawn and read; every world ends behind the test."""
    monkeypatch.setattr(WindowRecogniser, "shipped", lambda decks=(): None)
    monkeypatch.setattr("controller.machine_session.FrameEye", lambda camera, recogniser: TruthEye(world_named("")))
    yield
    forget_worlds()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs a command on a machine with a deal of a scenario."""

    def act(*words: str, deal: str = "") -> int:
        file = tmp_path / "scenario.toml"
        file.write_text(f"seed = 1\n[[deal]]\n{deal}", encoding="utf-8")
        return status_of(*words, "--machine", f"sim://?scenario={file}")

    return act


def fault(kind: str, **values: object) -> str:
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in values.items())
    return f'[[deal.fault]]\nkind = "{kind}"\n{lines}\n'


# --- check -----------------------------------------------------------------------------------------------------------


def test_a_whole_pack_is_perfect(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check") == 0
    assert "The pack is perfect: all its 52 cards were read, each once." in capsys.readouterr().out


def test_a_card_twice_is_found_and_named(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--json", deal=fault("duplicate_card", card="AS", instead_of="6C")) == 1
    (line,) = map(json.loads, capsys.readouterr().out.splitlines()[2:])
    assert (line["check"]["state"], line["check"]["duplicate"], line["check"]["missing"]) == (
        "imperfect",
        ["AS"],
        ["6C"],
    )


def test_a_receipt_is_numbered_by_its_content_and_never_written_over(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"
    assert run("check", "--receipt", str(file)) == 0
    receipt = json.loads(file.read_bytes())
    number = receipt.pop("receipt")
    assert number == hashlib.sha256(canonical(receipt)).hexdigest()
    assert receipt["machine"]["simulated"] is True
    assert run("check", "--receipt", str(file)) == 2


def test_a_receipt_that_cannot_be_written_is_said(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--receipt", str(tmp_path / "nowhere" / "receipt.json")) == 1
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        (fault("double_feed", at=7), "Two cards came together as card 7"),
        (fault("jam", at=9, where="exit"), "Card 9 jammed"),
        (fault("misfeed", at=4, times=3), "No card left the hopper for card 4"),
    ],
)
def test_a_check_that_breaks_off_says_why_and_what_to_do(
    run: Run, capsys: pytest.CaptureFixture[str], deal: str, said: str
) -> None:
    assert run("check", deal=deal) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "lay the whole pack in and begin again" in error


@pytest.mark.parametrize("deal", [fault("late_sensor", at=7), fault("skewed_card", at=7, degrees=20)])
def test_what_a_deal_only_notes_does_not_end_a_check(run: Run, deal: str) -> None:
    assert run("check", deal=deal) == 0


def test_a_misfeed_or_two_are_tried_again(run: Run) -> None:
    assert run("check", deal=fault("misfeed", at=4, times=2)) == 0


def test_a_torn_card_is_on_the_receipt(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "receipt.json"
    assert run("check", "--receipt", str(file), deal=fault("torn_card", at=7, missing_mm=20)) == 0
    (noted,) = json.loads(file.read_bytes())["check"]["noted"]
    assert noted["code"] == "short_card"
    told = f"Card {noted['k']}, the {Card.parse(noted['card']).name}, is shorter than a card: it is torn or folded."
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("words", [("check",), ("draw", "ann", "bob")])
def test_ctrl_c_says_how_to_begin_again(
    words: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def look(eye: TruthEye, *, after_us: int, deadline_us: int) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TruthEye, "look", look)
        assert run(*words) == 130
    assert "run the same command and lay the whole pack in" in capsys.readouterr().err
    assert run(*words) == 0


@pytest.mark.parametrize("words", [("check",), ("draw", "ann", "bob")])
def test_what_a_simulated_machine_says_is_not_for_play(
    words: tuple[str, ...], run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run(*words)
    assert capsys.readouterr().out.startswith("Machine SIM00000, simulated. Not for play.\n")
    forget_worlds()
    run(*words, "--json")
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["fact"], first["simulated"]) == ("machine", True)


@pytest.mark.parametrize("words", [("check",), ("draw", "ann", "bob"), ("order", "cards"), ("deal",)])
@pytest.mark.parametrize("camera", ["frames:shots", "video:evening.mp4"])
def test_pictures_taken_earlier_are_refused_at_once_with_the_next_step(
    words: tuple[str, ...],
    camera: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards").write_text("AS 2S", encoding="utf-8")
    assert cli.main([*words, "--camera", camera]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "show other cards than those in the machine" in err
    assert "v4l2:0" in err
    assert "pone see" in err


# --- order -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def order_file(tmp_path: Path) -> str:
    file = tmp_path / "order.txt"
    file.write_text("# clubs first\n" + "\n".join(CARDS), encoding="utf-8")
    return str(file)


def test_a_pack_in_order_shows_no_mistake(run: Run, order_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("order", order_file, deal=ORDER) == 0
    assert "All 52 cards came in order" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("deal", "k", "culprit"),
    [
        (fault("double_feed", at=11), 11, "feed"),
        (fault("gate_slip", at=12, to="E"), 12, "route"),
        (fault("eye_doubt", at=13, times=50), 13, "eye"),
        (fault("eye_doubt", at=14, times=50, state="empty"), 14, "trigger"),
        (fault("faced_card", at=15), 15, "pack"),
        (fault("missing_card", card=CARDS[20]), 21, "feed"),
    ],
)
def test_the_first_mistake_ends_the_test_and_is_laid_at_the_right_door(
    run: Run, order_file: str, capsys: pytest.CaptureFixture[str], deal: str, k: int, culprit: str
) -> None:
    assert run("order", order_file, "--json", deal=ORDER + deal) == 1
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (found["cards"], found["mistake"]["k"], found["mistake"]["culprit"]) == (k, k, culprit)


@pytest.mark.parametrize("cards", [["AS", "2S", "3S", "4S"], ["AS"]])
def test_a_wrong_card_laid_in_is_told_as_the_packs_order_first(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], cards: list[str]
) -> None:
    file = tmp_path / "order.txt"
    file.write_text(" ".join(cards), encoding="utf-8")
    laid = [*cards[:-1], "5S"]
    assert run("order", str(file), "--json", deal=f"order = {json.dumps(laid)}\n") == 1
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["mistake"]
    assert (found["k"], found["culprit"], found["rather"]) == (len(cards), "eye", "order")
    assert "It is the order of the pack, or the eye erred." in found["what"]


@pytest.mark.parametrize(
    ("cards", "came"), [(["AS", "2S"], "All 2 cards came in order"), (["AS"], "1 card came in order")]
)
def test_the_pack_of_a_test_is_not_shuffled_and_is_counted_rightly(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], cards: list[str], came: str
) -> None:
    file = tmp_path / "order.txt"
    file.write_text(" ".join(cards), encoding="utf-8")
    assert run("order", str(file), deal=f"order = {json.dumps(cards)}\n") == 0
    out = capsys.readouterr().out
    assert f"Lay the {came.removeprefix('All ').partition(' came')[0]} in the hopper, face down, in the order" in out
    assert "shuffle" not in out
    assert came in out


def test_a_pack_that_is_too_short_is_counted(run: Run, order_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("order", order_file, deal=ORDER + fault("missing_card", card=CARDS[51])) == 1
    assert "empty after 51 of 52 cards" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AS KS\nAS XX\n", "line 2"),
        ("XX\nAS\nYY\n", "order.txt: line 3: 'YY'"),
        ("AS KS\nQS as\n", "pone order: {file}: line 2: the ace of spades is named twice, and a pack has one\n"),
        ("# nothing\n", "names no card"),
        ("\udcff", "it is no text"),
    ],
)
def test_a_file_that_is_no_order_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = tmp_path / "order.txt"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert cli.main(["order", str(file)]) == 1
    assert said.format(file=file) in capsys.readouterr().err


def test_cards_are_taken_as_people_type_them(tmp_path: Path) -> None:
    file = tmp_path / "order.txt"
    file.write_text("ks 10H tD J1")
    assert [str(card) for card in read_order(file)] == ["KS", "TH", "TD", "J1"]


@pytest.mark.parametrize("command", ["check", "order", "draw"])
def test_a_machine_that_is_none_is_not_taken_for_a_camera(
    command: str, order_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {"check": [], "order": [order_file], "draw": ["ann", "bob"]}[command]
    assert cli.main([command, *words, "--machine", "foo://"]) == 2
    assert capsys.readouterr().err == (
        f"pone {command}: 'foo://' is no machine that brings a camera: write sim://, or name one too, as in --camera "
        "v4l2:0\n"
    )


def test_a_scenario_that_is_none_is_told_by_the_command(order_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["order", order_file, "--machine", "sim://?scenario=nonsense"]) == 1
    assert capsys.readouterr().err.startswith("pone order: ")


# --- draw ------------------------------------------------------------------------------------------------------------


def drawn(*codes: str) -> str:
    rest = [card for card in CARDS if card not in codes]
    return f"order = {json.dumps([*codes, *rest])}\n"


def test_the_lowest_is_first_and_ties_draw_again(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("draw", "ann", "bob", "cid", deal=drawn("7S", "KD", "7H", "2C", "AC")) == 0
    out = capsys.readouterr().out
    assert out.endswith("In order, the lowest first: cid, ann, bob.\n")


def test_the_draws_are_facts_of_the_register(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("draw", "ann", "bob", "--json", deal=drawn("7S", "AD")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[2:] == [
        {"fact": "drawn", "by": "ann", "cards": ["7S"]},
        {"fact": "drawn", "by": "bob", "cards": ["AD"]},
        {"order": ["bob", "ann"]},
    ]


def test_who_shows_two_cards_draws_again(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("draw", "ann", "bob", deal=drawn("AS", "AD", "7C", "3C") + fault("double_feed", at=1)) == 0
    assert "ann: no single card was read; draws again." in capsys.readouterr().out


@pytest.mark.parametrize("players", [["ann"], ["ann", "ann"], ["ann", ""], ["ann", "b\nb"], ["ann", "\udcff"]])
def test_a_cut_of_one_or_of_players_without_a_name_is_wrong_use(players: list[str]) -> None:
    assert cli.main(["draw", *players]) == 2


def test_a_machine_without_a_camera_of_its_own_needs_one_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--machine", "/dev/ttyACM0"]) == 2
    assert "--camera is needed" in capsys.readouterr().err
