"""Every fault that a scenario can hold: where it is tried, what the record may call it, and where it cannot be.

A fault that harms nothing has no name: a sensor that bounces for less than the firmware's 0.5 ms, a late byte, a feed
that comes at the second try of the wire. One that is the laws' matter, as a faced card, has none either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from vision.cards import Pack

GAMES: Final = {"whist": 52, "euchre": 32, "bridge": 52, "auction": 52}
"""The codes, and the pack that each is dealt with here."""

PLACES: Final = ("early", "middle", "late", "last")
_KEY: Final = 'what = "key"\nat = {at}\nphase = "{phase}"\nafter_ms = 4000'
_TIMED: Final = 'at = {at}\nphase = "{phase}"\nafter_ms = 5'
_HALTS: Final = "shelf_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One fault, or a deed that upsets the machine.

    Attributes:
        toml: its table without the kind; `{at}` is the passage, and the other words are those of `PLACE_WORDS`.
        named: the incidents that may be on record for it.
        unnamed: places at which the record need not have any, and why.
        acts: the deeds that it consists of, where it is no fault of a scenario.
        machine: what the machine is like, as a scenario writes it.
        frames: whether the pictures of the window's camera are read.
        watched: whether a camera looks at the table.
    """

    toml: str
    named: frozenset[str] = frozenset()
    unnamed: dict[str, str] = field(default_factory=dict)
    acts: tuple[str, ...] = ()
    machine: str = ""
    frames: bool = False
    watched: bool = False


def _case(toml: str, *named: str, unnamed: dict[str, str] | str | None = None, **parts: Any) -> Case:
    where = dict.fromkeys(PLACES, unnamed) if isinstance(unnamed, str) else (unnamed or {})
    return Case(toml=toml, named=frozenset(named), unnamed=where, **parts)


def _deed(done: str, undone: str, *named: str, key: bool, **parts: Any) -> Case:
    """Return what people do to the machine, and what they do to put it right."""
    acts = [
        f'what = "{deed}"\nat = {{at}}\nphase = "{{phase}}"\nafter_ms = {ms}' for deed, ms in ((done, 5), (undone, 900))
    ]
    return _case("", *named, **parts, acts=(*acts, *([_KEY] if key else [])))


_BY_HAND: Final = 'lacks = ["shelves"]'
_ALONE: Final = {"last": "no card is behind the last one"}
_HARMLESS: Final = "it harms nothing"
_LAW: Final = "the laws' matter"
_READ_AGAIN: Final = "what was spoilt is said again"
_DECOYED: Final = "the card was to go there anyhow"
_NOT_FED: Final = "no later card goes there"
_FEW_LEFT: Final = dict.fromkeys(("late", "last"), "two cards of a deal may stay unread")
_PICTURE: Final = "another picture comes in time"

CASES: Final[dict[str, Case]] = {
    "misfeed": _case('kind = "misfeed"\nat = {at}', "misfeed"),
    "misfeed, three times": _case('kind = "misfeed"\nat = {at}\ntimes = 3', "misfeed"),
    "jam, entry": _case('kind = "jam"\nat = {at}\nwhere = "entry"', "jam_entry"),
    "jam, exit": _case('kind = "jam"\nat = {at}\nwhere = "exit"', "jam_exit"),
    "jam, at the mouth": _case('kind = "jam"\nat = {at}\num = 10_000', "jam_entry"),
    "jam, in the window": _case(
        'kind = "jam"\nat = {at}\num = 70_000', "jam_exit", "chained_feed", "double_feed_at_end"
    ),
    "jam, at the nip": _case('kind = "jam"\nat = {at}\num = 160_000', "jam_exit"),
    "double_feed": _case('kind = "double_feed"\nat = {at}', "double_feed", "double_feed_at_end", unnamed=_ALONE),
    "chained_feed": _case('kind = "chained_feed"\nat = {at}', "chained_feed", "double_feed_at_end", unnamed=_ALONE),
    "skewed_card": _case('kind = "skewed_card"\nat = {at}', "skew"),
    "skewed_card, most": _case('kind = "skewed_card"\nat = {at}\ndegrees = 25', "skew"),
    "slipping_card": _case('kind = "slipping_card"\nat = {at}', "slip"),
    "slipping_card, 3 %": _case('kind = "slipping_card"\nat = {at}\npercent = 3', "slip"),
    "slipping_card, 25 %": _case('kind = "slipping_card"\nat = {at}\npercent = 25', "slip_too_far"),
    "torn_card": _case('kind = "torn_card"\nat = {at}', "short_card"),
    "faced_card": _case('kind = "faced_card"\nat = {at}', unnamed=_LAW),
    "sensor_stuck, entry blocked": _case(
        'kind = "sensor_stuck"\nsensor = "entry"\nlevel = 1\nat = {at}', "sensor_stuck"
    ),
    "sensor_stuck, entry blind": _case('kind = "sensor_stuck"\nsensor = "entry"\nlevel = 0\nat = {at}', "sensor_stuck"),
    "sensor_stuck, window blind": _case(
        'kind = "sensor_stuck"\nsensor = "window"\nlevel = 0\nat = {at}', "sensor_stuck"
    ),
    "sensor_stuck, exit blind": _case('kind = "sensor_stuck"\nsensor = "exit"\nlevel = 0\nat = {at}', "sensor_stuck"),
    "sensor_stuck, counter blind": _case(
        'kind = "sensor_stuck"\nsensor = "tray_n"\nlevel = 0\nat = {at}', "not_counted", unnamed=_NOT_FED
    ),
    "sensor_stuck, hopper blocked": _case(
        'kind = "sensor_stuck"\nsensor = "hopper"\nlevel = 1\nat = {at}', "hopper_not_empty", "hopper_sensor"
    ),
    "sensor_stuck, hopper blind, and misfeed": _case(
        'kind = "sensor_stuck"\nsensor = "hopper"\nlevel = 0\nat = {at}\n[[deal.fault]]\nkind = "misfeed"\nat = {at}',
        "hopper_empty",
    ),
    "sensor_stuck, hopper blind": _case(
        'kind = "sensor_stuck"\nsensor = "hopper"\nlevel = 0\nat = {at}', unnamed=_HARMLESS
    ),
    "late_sensor": _case('kind = "late_sensor"\nat = {at}', "sensor_late"),
    "late_sensor, silent": _case('kind = "late_sensor"\nat = {at}\nms = 200', "sensor_stuck"),
    "sensor_bounce": _case('kind = "sensor_bounce"\nat = {at}\nsensor = "window"', unnamed=_HARMLESS),
    "sensor_bounce, long": _case('kind = "sensor_bounce"\nat = {at}\nsensor = "exit"\nus = 5000', "sensor_stuck"),
    "sensor_glitch": _case('kind = "sensor_glitch"\nat = {at}\nsensor = "entry"', unnamed=_HARMLESS),
    "sensor_glitch, long": _case('kind = "sensor_glitch"\nat = {at}\nsensor = "window"\nus = 5000', "sensor_stuck"),
    "gate_slip": _case('kind = "gate_slip"\nat = {at}\nto = "N"', "wrong_seat", "wrong_tray", unnamed=_DECOYED),
    "tray_full": _case('kind = "tray_full"\nat = {at}\ntray = "N"', "tray_full", unnamed=_NOT_FED, acts=(_KEY,)),
    "lamp_failed": _case('kind = "lamp_failed"\nat = {at}', "lamp_failed"),
    "missing_card": _case('kind = "missing_card"\ncard = "{card}"', _HALTS),
    "missing_card, shuffled by hand": _case('kind = "missing_card"\ncard = "{card}"', "hopper_empty", machine=_BY_HAND),
    "duplicate_card": _case('kind = "duplicate_card"\ncard = "{card}"\ninstead_of = "{other}"', unnamed=_LAW),
    "foreign_card": _case('kind = "foreign_card"\ncard = "J1"\ninstead_of = "{other}"', unnamed=_LAW),
    "extra_card": _case('kind = "extra_card"\ncard = "{card}"', _HALTS),
    "extra_card, shuffled by hand": _case(
        'kind = "extra_card"\ncard = "{card}"', "hopper_not_empty", "extra_card", machine=_BY_HAND, unnamed=_LAW
    ),
    "wrong_pack": _case('kind = "wrong_pack"\nsize = {wrong_size}', _HALTS),
    "wrong_pack, shuffled by hand": _case(
        'kind = "wrong_pack"\nsize = {wrong_size}', "hopper_empty", machine=_BY_HAND, unnamed=_LAW
    ),
    "mixed_packs": _case('kind = "mixed_packs"', unnamed=_LAW),
    "shelf_misplaced": _case(
        'kind = "shelf_misplaced"\nin_pass = {in_pass}\ncard = {at}\nto = {shelf}',
        "shelf_misplaced",
        unnamed="the card was to go there anyhow",
    ),
    "shelf_left": _case(
        'kind = "shelf_left"\nin_pass = {in_pass}\nshelf = {shelf}',
        "shelf_not_empty",
        unnamed={"last": "no card of the second pass falls into the eighth shelf"},
    ),
    "shelf_double": _case('kind = "shelf_double"\nin_pass = {in_pass}\ncard = {at}', "shelf_count", unnamed=_ALONE),
    "shelf_jam": _case('kind = "shelf_jam"\nin_pass = {in_pass}\ncard = {at}', "shelf_jam"),
    "cell_drift": _case('kind = "cell_drift"\ngrams_per_s = {drift}', "cell_drift"),
    "dropped_bytes": _case('kind = "dropped_bytes"\ndirection = "{direction}"\nbyte = {byte}', unnamed=_READ_AGAIN),
    "dropped_bytes, many": _case('kind = "dropped_bytes"\ndirection = "{direction}"\nrate = 0.01', unnamed=_READ_AGAIN),
    "flipped_bytes": _case('kind = "flipped_bytes"\ndirection = "{direction}"\nbyte = {byte}', unnamed=_READ_AGAIN),
    "doubled_bytes": _case('kind = "doubled_bytes"\ndirection = "{direction}"\nbyte = {byte}', unnamed=_READ_AGAIN),
    "lost_burst": _case('kind = "lost_burst"\ndirection = "{direction}"\nbyte = {byte}', unnamed=_READ_AGAIN),
    "delayed_bytes": _case('kind = "delayed_bytes"\ndirection = "{direction}"\nms = 16', unnamed=_READ_AGAIN),
    "silence": _case('kind = "silence"\nat = {at}\nfor_ms = 1000', unnamed=_READ_AGAIN),
    "silence, long": _case('kind = "silence"\nat = {at}\nfor_ms = 6000', "no_answer", "heartbeat_lost"),
    "reset": _case(f'kind = "reset"\n{_TIMED}', "machine_restarted", "machine_reset"),
    "supply_sag": _case(f'kind = "supply_sag"\n{_TIMED}', "supply_low", acts=(_KEY,)),
    "supply_sag, deep": _case(f'kind = "supply_sag"\nmv = 9000\n{_TIMED}', "machine_restarted", "machine_reset"),
    "overheated": _case(f'kind = "overheated"\n{_TIMED}', "too_hot", acts=(_KEY,)),
    "motor_stalled": _case(
        f'kind = "motor_stalled"\n{_TIMED}', "motor_stalled", unnamed={"middle": "no motor turns while a card stands"}
    ),
    "late_frames": _case('kind = "late_frames"\nat = {at}\nframes = 20', unnamed=_PICTURE, frames=True),
    "repeated_frame": _case('kind = "repeated_frame"\nat = {at}', unnamed=_PICTURE, frames=True),
    "frozen_frames": _case('kind = "frozen_frames"\nat = {at}', "eye_unsure", unnamed=_FEW_LEFT, frames=True),
    "camera_gone": _case('kind = "camera_gone"\nat = {at}', "eye_unsure", unnamed=_FEW_LEFT, frames=True),
    "stray_light": _case('kind = "stray_light"\nat = {at}', "eye_unsure", unnamed=_FEW_LEFT, frames=True),
    "table_camera_gone": _case('kind = "table_camera_gone"\nat = {at}', "camera_lost", watched=True),
    "eye_doubt": _case('kind = "eye_doubt"\nat = {at}', unnamed="a card may stay unread"),
    "eye_doubt, two cards": _case('kind = "eye_doubt"\nat = {at}\nstate = "two_cards"', "two_cards_seen"),
    "eye_doubt, empty": _case('kind = "eye_doubt"\nat = {at}\nstate = "empty"', "window_empty"),
    "lid opened": _deed("open_lid", "close_lid", "lid_open", key=False),
    "e-stop pressed": _deed("press_e_stop", "release_e_stop", "e_stop", key=False),
    "tray lifted": _deed(
        'lift_tray"\nseat = "N',
        'put_tray_back"\nseat = "N',
        "tray_lifted",
        key=True,
        unnamed=dict.fromkeys(("late", "last"), _NOT_FED),
    ),
    "board taken": _deed("take_board", "lay_board", "board_absent", key=True, machine="board = 1"),
}
"""By what is injected: the kind of the fault, and how it differs from another of its kind."""

_PHASES: Final = {"early": "intent", "middle": "shown", "late": "done", "last": "routed"}


def scenario(case: Case, place: str, cards: int) -> str:
    """Return the scenario in which a case comes about at a place of a game of so many cards; later packs are plain."""
    turn = PLACES.index(place)
    names = [str(card) for card in Pack.of(cards).cards]
    card, other = names[turn], names[-1 - turn]
    words = {
        "at": (2, 13, cards - 1, cards)[turn],
        "phase": _PHASES[place],
        "card": card,
        "other": other,
        "wrong_size": (24, 25, 33, 24 if cards == 52 else 52)[turn],
        "in_pass": 1 + turn % 2,
        "shelf": (1, 4, 6, 8)[turn],
        "drift": (2.0, -2.0, 6.0, -9.0)[turn],
        "direction": ("to_machine", "from_machine")[turn % 2],
        "byte": (300, 2_000, 3_000, 4_000)[turn],
    }
    fault = f"[[deal.fault]]\n{case.toml.format(**words)}\n" if case.toml else ""
    acts = "".join(f"[[deal.act]]\n{act.format(**words)}\n" for act in case.acts)
    machine = f"[machine]\n{case.machine}\n" if case.machine else ""
    return machine + f"[[deal]]\ncut = 10\n{fault}{acts}"
