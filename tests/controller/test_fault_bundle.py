"""What is kept of doubtful cards: sealed while the deal is open, opened by its key, and never in the way of a deal."""

from __future__ import annotations

import argparse
import errno
import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from controller.bundle_seal import file_name, seal, to_keep, unseal
from controller.deal_log import DealLog
from controller.entropy import seeded_entropy
from controller.errors import SealBroken
from controller.eye import LOOKS
from controller.fault_bundle import FaultBundle, files_of_deal, folder_beside, open_kept
from controller.record_command import add_arguments, run
from controller.table import Seat
from hardware_sims.truth_eye import TruthEye
from vision.decide import Verdict
from vision.doubts import Doubt
from vision.evidence import Look
from vision.frame import Frame, name_of
from vision.picture import read_picture
from vision.recogniser import Examination

if TYPE_CHECKING:
    from controller.acts import Line
    from tests.controller.conftest import AtMachine, MachineMaker

KEY = bytes(range(32))
OPENING: Line = {"fact": "deal_opened", "code": "whist", "dealer": "S"}


def looks(level: int, frames: int = 2) -> tuple[Look, ...]:
    image = np.full((6, 8, 3), level, np.uint8)
    found = Examination(image=image, verdict=Verdict(doubt=Doubt.BLURRED))
    return tuple(Look(frame=Frame(image=image, captured_us=n, number=n), examination=found) for n in range(frames))


def seen(k: int, state: str = "card", **more: Any) -> Line:
    return {"fact": "seen", "k": k, "state": state, "confidence_ppm": 0, **more}


class Sealing:
    """A bundle whose deal's key is known here, and what it told."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.told: list[str] = []
        self.bundle = FaultBundle(folder=folder, seal=self.seal, tell=self.told.append, **settings)

    def seal(self, deal: int, name: str, content: bytes) -> bytes:
        return seal(content, KEY, deal=deal, name=name)


# --- what is kept ---


def test_a_card_that_was_read_is_not_kept(tmp_path: Path) -> None:
    Sealing(tmp_path / "b").bundle.looked(1, 1, [seen(1)], looks(90))
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("state", ["not_sure", "two_cards", "partial", "empty", "face_not_seen"])
def test_every_sighting_that_is_no_card_is_kept(state: str, tmp_path: Path) -> None:
    Sealing(tmp_path).bundle.looked(3, 7, [seen(7, state, reason="the picture is blurred")], looks(90, frames=3))
    (file,) = files_of_deal(tmp_path, 3)
    kept = open_kept(file, KEY, deal=3)
    assert (kept.told["deal"], kept.told["k"]) == (3, 7)
    assert kept.told["why"] == f"{state.replace('_', ' ')}: the picture is blurred"
    assert [one["stage"] for one in kept.told["looks"]] == ["geometry"] * 3
    assert [int(frame[0, 0, 0]) for frame in kept.frames] == [90, 90, 90]


def test_of_a_duplicate_both_cards_are_kept_the_earlier_from_memory(tmp_path: Path) -> None:
    bundle = Sealing(tmp_path).bundle
    for k in (1, 2, 3):
        bundle.looked(1, k, [seen(k)], looks(100 + k))
    bundle.looked(1, 4, [seen(4), {"fact": "doubted", "k": 4, "earlier": 2}], looks(104))
    kept = [open_kept(file, KEY, deal=1) for file in files_of_deal(tmp_path, 1)]
    assert [(one.told["k"], one.told["why"], int(one.frames[0][0, 0, 0])) for one in kept] == [
        (2, "read as card 4 was", 102),
        (4, "read as card 2 was", 104),
    ]


def test_no_card_of_the_deal_before_is_taken_for_one_of_this(tmp_path: Path) -> None:
    bundle = Sealing(tmp_path).bundle
    bundle.looked(1, 2, [seen(2)], looks(102))
    bundle.looked(2, 4, [seen(4), {"fact": "doubted", "k": 4, "earlier": 2}], looks(104))
    assert [file.name for file in files_of_deal(tmp_path, 2)] == [file_name(2, 4, 1)]


def test_what_is_held_in_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.fault_bundle.MEMORY_MAX", 3 * 2 * 6 * 8 * 3)
    bundle = Sealing(tmp_path).bundle
    for k in range(1, 6):
        bundle.looked(1, k, [seen(k)], looks(100 + k))
    bundle.looked(1, 6, [{"fact": "doubted", "k": 6, "earlier": 2}], looks(106))
    bundle.looked(1, 7, [{"fact": "doubted", "k": 7, "earlier": 5}], looks(107))
    assert [open_kept(file, KEY, deal=1).told["k"] for file in files_of_deal(tmp_path, 1)] == [5, 6, 7]


def test_an_eye_without_frames_leaves_nothing(tmp_path: Path) -> None:
    Sealing(tmp_path / "b").bundle.looked(1, 1, [seen(1, "not_sure")], ())
    assert not (tmp_path / "b").exists()


def test_a_card_looked_at_twice_is_kept_twice(tmp_path: Path) -> None:
    for _ in range(2):
        Sealing(tmp_path).bundle.looked(1, 1, [seen(1, "not_sure")], looks(90))
    assert [file.name for file in files_of_deal(tmp_path, 1)] == [file_name(1, 1, 1), file_name(1, 1, 2)]


def test_a_line_that_says_nothing_of_a_doubt_keeps_nothing() -> None:
    assert to_keep([OPENING, {"ruling": "new_deal"}, {"fact": "dealt", "k": 4}]) == {}


# --- the seal ---


def test_the_files_are_for_their_owner_alone_and_show_no_pixel(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    Sealing(folder).bundle.looked(1, 1, [seen(1, "not_sure", reason="the picture is blurred")], looks(90))
    (file,) = files_of_deal(folder, 1)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    content = file.read_bytes()
    assert bytes([90] * 8) not in content
    assert b"blurred" not in content


def test_a_seal_is_good_for_its_deal_name_and_content_only() -> None:
    sealed = seal(b"pixels", KEY, deal=3, name="a")
    assert unseal(sealed, KEY, deal=3, name="a") == b"pixels"
    bad = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for content, key, deal, name in (
        (bad, KEY, 3, "a"),
        (sealed, bytes(32), 3, "a"),
        (sealed, KEY, 4, "a"),
        (sealed, KEY, 3, "b"),
        (sealed[:25], KEY, 3, "a"),
        (b"", KEY, 3, "a"),
    ):
        with pytest.raises(SealBroken):
            unseal(content, key, deal=deal, name=name)


def test_two_contents_never_share_a_nonce() -> None:
    sealed = [seal(content, KEY, deal=3, name=name) for content in (b"x", b"y") for name in "ab"]
    assert len({one[20:32] for one in sealed}) == 4


def test_the_size_of_a_file_does_not_tell_how_many_frames_a_card_took(tmp_path: Path) -> None:
    for k in range(1, LOOKS + 1):
        Sealing(tmp_path).bundle.looked(1, k, [seen(k, "not_sure")], looks(90, frames=k))
    files = files_of_deal(tmp_path, 1)
    assert len({file.stat().st_size for file in files}) == 1
    assert [len(open_kept(file, KEY, deal=1).frames) for file in files] == list(range(1, LOOKS + 1))


# --- nothing stops a deal ---


def test_a_link_that_leads_nowhere_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / file_name(1, 1, 1)).symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    sealing = Sealing(tmp_path)
    sealing.bundle.looked(1, 1, [seen(1, "not_sure")], looks(90))
    assert sealing.told == []
    assert open_kept(tmp_path / file_name(1, 1, 2), KEY, deal=1).told["k"] == 1


@pytest.mark.parametrize(("number", "said"), [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "can only be read")])
def test_a_disk_that_takes_nothing_is_told_once_a_deal(
    number: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, mode: str) -> None:
        os.close(handle)
        raise OSError(number, os.strerror(number))

    sealing = Sealing(tmp_path)
    monkeypatch.setattr("controller.fault_bundle.os.fdopen", full)
    for k in (1, 2):
        sealing.bundle.looked(1, k, [seen(k, "not_sure")], looks(90))
    (told,) = sealing.told
    assert said in told
    assert "The deal goes on." in told
    assert files_of_deal(tmp_path, 1) == [], "no half a file is left"
    sealing.bundle.looked(2, 1, [seen(1, "not_sure")], looks(90))
    assert len(sealing.told) == 2


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    sealing = Sealing(tmp_path / "file")
    sealing.bundle.looked(1, 1, [seen(1, "not_sure")], looks(90))
    assert len(sealing.told) == 1


def test_a_folder_that_is_full_takes_no_more_and_loses_nothing(tmp_path: Path) -> None:
    sealing = Sealing(tmp_path, folder_max=200_000)
    for k in (1, 2):
        sealing.bundle.looked(1, k, [seen(k, "not_sure")], looks(90))
    assert [file.name for file in files_of_deal(tmp_path, 1)] == [file_name(1, 1, 1)]
    assert "the folder holds its 0 MB" in sealing.told[0]


# --- from the deal to the command ---


class FilmedEye(TruthEye):
    """Knows what it sees, and has frames of it."""

    def evidence(self) -> Sequence[Look]:  # type: ignore[override]  # an eye with frames, where its base has none
        return looks(90)


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pone record")
    add_arguments(parser)
    return parser.parse_args(words)


def record(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = run(parsed(*words))
    return (status, *capsys.readouterr())


def test_a_doubtful_card_of_a_deal_is_kept_and_opened_when_the_deal_is_over(
    at_machine: MachineMaker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at: AtMachine = at_machine('[[deal]]\n[[deal.fault]]\nkind = "eye_doubt"\nat = 10\ntimes = 1\n')
    file = tmp_path / "deals.sqlite"
    with DealLog.open(file, key_file=tmp_path / "deals.key", entropy=seeded_entropy(3)) as log:
        bundle = FaultBundle(folder=folder_beside(file), seal=log.sealed, tell=pytest.fail)
        with at.dealing(FilmedEye(at.world), log=log, bundle=bundle) as dealing:
            (outcome,) = dealing.deals(1, Seat.S)
    assert (outcome.ending.status, outcome.unread) == ("completed", 1)
    out = tmp_path / "out"
    status, said, _ = record(capsys, str(file), "1", "--bundle", str(out))
    assert (status, said) == (0, "card 10  2 pictures  not sure\n"), "the record holds no hash: the eye had no frame"
    pictures = sorted(out.glob("*.png"))
    assert [picture.name for picture in pictures] == [f"deal-000001-card-10-1-frame-{n}.png" for n in (1, 2)]
    assert np.array_equal(read_picture(pictures[0]), looks(90)[0].frame.image)
    assert json.loads((out / "deal-000001-card-10-1.json").read_text())["looks"][0]["stage"] == "geometry"


def closed_log(tmp_path: Path, *, close: bool = True, level: int = 90) -> Path:
    """A log of one deal in which card 7 was not read, and its pictures kept, those on record of level 90."""
    file = tmp_path / "deals.sqlite"
    with DealLog.open(file, key_file=tmp_path / "deals.key", entropy=seeded_entropy(3)) as log:
        line = seen(7, "not_sure", frame=name_of(looks(90)[0].frame.image))
        deal = log.open_deal([OPENING, line])
        bundle = FaultBundle(folder=folder_beside(file), seal=log.sealed, tell=pytest.fail)
        bundle.looked(deal, 7, [line], looks(level))
        if close:
            log.close_deal(deal, [], status="voided")
    return file


def test_pictures_are_held_against_the_hash_on_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said, _ = record(capsys, str(closed_log(tmp_path)), "1", "--bundle", str(tmp_path / "out"), "--json")
    assert status == 0
    assert json.loads(said)["on_record"] is True


def test_pictures_that_the_record_does_not_hold_are_said_to_be_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said, _ = record(capsys, str(closed_log(tmp_path, level=91)), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said) == (0, "card  7  2 pictures  not sure; the record holds another picture of it\n")


def test_while_a_deal_is_open_its_pictures_stay_sealed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = closed_log(tmp_path, close=False)
    status, said, complaint = record(capsys, str(log), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said) == (1, "")
    assert "deal 1 is open, and the pictures of its cards are sealed until it is over" in complaint
    assert not (tmp_path / "out").exists()


def test_a_kept_file_that_was_changed_is_named_and_the_others_are_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = closed_log(tmp_path)
    (file,) = files_of_deal(folder_beside(log), 1)
    (file.parent / file_name(1, 9, 1)).write_bytes(file.read_bytes())
    status, said, complaint = record(capsys, str(log), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said) == (1, "card  7  2 pictures  not sure\n")
    assert file_name(1, 9, 1) in complaint


def test_a_deal_without_doubts_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "deals.sqlite"
    with DealLog.open(log, key_file=tmp_path / "deals.key", entropy=seeded_entropy(3)) as open_log:
        open_log.close_deal(open_log.open_deal([OPENING]), [], status="voided")
    status, said, _ = record(capsys, str(log), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said.split(":")[0]) == (0, "No card of deal 1 was in doubt")


@pytest.mark.parametrize("whole", [True, False], ids=["folder", "file"])
def test_pictures_that_are_gone_are_told_of_each_card_that_the_record_names(
    whole: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = closed_log(tmp_path)
    for file in files_of_deal(folder_beside(log), 1):
        file.unlink()
    if whole:
        folder_beside(log).rmdir()
    status, said, complaint = record(capsys, str(log), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said) == (1, "")
    assert complaint.startswith(f"card 7, not sure: no picture is in {folder_beside(log)}. They were taken away")


def test_a_card_of_which_no_frame_counted_is_listed_and_not_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "deals.sqlite"
    with DealLog.open(log, key_file=tmp_path / "deals.key", entropy=seeded_entropy(3)) as open_log:
        line = seen(7, "not_sure", reason="the camera gave no frame")
        open_log.close_deal(open_log.open_deal([OPENING, line]), [], status="voided")
    status, said, _ = record(capsys, str(log), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said) == (0, "card  7  0 pictures  not sure: the camera gave no frame\n")


@pytest.mark.parametrize("kind", ["pipe", "folder", "dangling link", "device"])
def test_what_is_no_file_is_told_and_the_others_are_opened(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = closed_log(tmp_path)
    odd = folder_beside(log) / file_name(1, 3, 1)
    match kind:
        case "pipe":
            os.mkfifo(odd)
        case "folder":
            odd.mkdir()
        case "dangling link":
            odd.symlink_to("nowhere")
        case _:
            odd.symlink_to("/dev/zero")
    status, said, complaint = record(capsys, str(log), "1", "--bundle", str(tmp_path / "out"))
    assert (status, said) == (1, "card  7  2 pictures  not sure\n")
    assert complaint.startswith(f"{odd}: ")
    assert "write to" not in complaint


def test_a_pipe_where_a_picture_goes_is_written_over_and_a_folder_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = closed_log(tmp_path), tmp_path / "out"
    out.mkdir()
    os.mkfifo(out / "deal-000001-card-07-1-frame-1.png")
    assert record(capsys, str(log), "1", "--bundle", str(out))[0] == 0
    (out / "deal-000001-card-07-1.json").unlink()
    (out / "deal-000001-card-07-1.json").mkdir()
    status, _, complaint = record(capsys, str(log), "1", "--bundle", str(out))
    assert status == 1
    assert complaint.startswith(f"{out / 'deal-000001-card-07-1.json'}: it is a folder. Give a folder")


def test_the_list_and_the_pictures_are_not_asked_for_together(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as wrong:
        run(parsed(str(closed_log(tmp_path)), "--list", "--bundle", str(tmp_path / "out")))
    assert wrong.value.code == 2


def test_a_place_that_takes_no_pictures_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("a file")
    status, _, complaint = record(capsys, str(closed_log(tmp_path)), "1", "--bundle", str(tmp_path / "out"))
    assert status == 1
    assert str(tmp_path / "out") in complaint
