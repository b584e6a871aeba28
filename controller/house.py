"""The house settings: what the printed codes leave open and a club decides; defaults, words, and how a file is read."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, TypeVar

from controller.errors import HouseError
from controller.fact_kinds import Unfit, kind_of
from controller.toml_text import table_in

T = TypeVar("T")


def _setting(default: T, *, decides: str, silent: str) -> T:
    """Declare a setting.

    Args:
        default: its value where the house says nothing.
        decides: what it decides, one clause.
        silent: why it is the house's: where the codes are silent, or differ.
    """
    declared: T = field(default=default, metadata={"decides": decides, "silent": silent})
    return declared


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The decisions of the house; a ruling that rests on one names it as its policy.

    Every setting says of itself what it decides; `settings()` has it in words.
    """

    machine_fault: Literal["same_dealer", "as_dealer"] = _setting(
        "same_dealer",
        decides="whose act a fault or an exposure by the machine is: nobody's, so that the same dealer deals again, or "
        "the dealer's",
        silent="no code knows a machine",
    )
    grace_s: Annotated[float, "seconds"] = _setting(
        5,
        decides="reasonable time after an exposure or the last card, in seconds",
        silent="whist 32 and bridge N2d give reasonable time and no number",
    )
    misdeal_until: Literal["lead", "hand_ended"] = _setting(
        "lead",
        decides="when the window of a misdeal closes where the code names no end",
        silent="euchre 14 names no end; as it is played today a misdeal ends with the first trick",
    )
    looked: Literal["tray_lifted", "said"] = _setting(
        "tray_lifted",
        decides="what counts as having looked at one's cards",
        silent="no machine sees a look: a hand that is taken up shows it, or somebody says so",
    )
    stock_faced: Literal["counts", "ignored"] = _setting(
        "counts",
        decides="whether a faced card in the undealt euchre stock counts",
        silent="euchre 11 says in the pack; the law of loo in the same book looks at the dealt part alone",
    )
    short_hand_early: Literal["ask_director", "new_deal"] = _setting(
        "ask_director",
        decides="what follows when a short hand is found before the code's window",
        silent="whist 40, bridge N4 and auction 38 begin with the first trick or the player's first card",
    )
    shuffle_in_play: bool = _setting(
        default=True,
        decides="whether a machine may shuffle the other pack during play",
        silent="whist 19 forbids shuffling during play, and does not say whether to a machine too",
    )
    two_faults: Literal["first", "gravest"] = _setting(
        "first",
        decides="which of two faults without an order rules",
        silent="no text orders a new deal that must follow and a misdeal in the same deal",
    )
    euchre: Literal["foster", "somerset", "modern"] = _setting(
        "foster",
        decides="details of the euchre code in use",
        silent="euchre 12 does not say whether a card seen with the trump is exposed during the deal",
    )
    hand_cure: bool = _setting(
        default=True,
        decides="whether a halted double feed may be put right by hand",
        silent="the printed codes let the dealer put it right before the third card; none knows a machine that waits",
    )
    single_card_cure: bool = _setting(
        default=True,
        decides="whether one card to the wrong packet may be moved before the next, where the code is silent",
        silent="euchre 14e allows it; whist, bridge and auction speak of two cards alone",
    )
    hidden_shuffle: Literal["refused", "reshuffle"] = _setting(
        "refused",
        decides="what follows when a player shuffles below the table or so that a face is seen: the act is refused, or "
        "the pack is shuffled again",
        silent="whist 18, bridge S1 and auction 28 forbid it and name no remedy",
    )
    modern_exposed: Literal["misdeal", "new_deal"] = _setting(
        "misdeal",
        decides="what a card exposed in modern euchre is: a misdeal, or cause for a new deal that is no misdeal",
        silent="euchre today has no one authority: a tournament's sheet (2) and common rules (6) differ",
    )
    modern_misdeal: Literal["same_dealer", "second_lost", "deal_lost"] = _setting(
        "same_dealer",
        decides="what a misdeal costs in modern euchre: nothing, the deal at the second in a row, or the deal",
        silent="euchre today has no one authority: a tournament's sheet (2), a school's rules (3), other rules (7)",
    )
    unread_law: Literal["ask_director", "ignored"] = _setting(
        "ask_director",
        decides="what follows a fault on which the code has a law that was not read for this program",
        silent="what was not read is not shipped as law",
    )

    @property
    def grace_us(self) -> int:
        """The reasonable time in microseconds."""
        return round(self.grace_s * 1_000_000)

    def whole(self) -> dict[str, Any]:
        """Return every setting, as the record and a file have it."""
        return {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingWords:
    """One setting in words.

    Attributes:
        key: its name in the file and in the record.
        default: its value where the house says nothing.
        allowed: the values it may have, in words.
        decides: what it decides.
        silent: where the codes are silent, or differ, so that the house decides.
    """

    key: str
    default: str | bool | float
    allowed: str
    decides: str
    silent: str


_HINTS: Final = typing.get_type_hints(House, include_extras=True)

_KINDS: Final = {key: kind_of(hint) for key, hint in _HINTS.items()}
"""What each setting may be."""


def _settings() -> tuple[SettingWords, ...]:
    return tuple(
        SettingWords(
            key=item.name,
            default=typing.cast("str | bool | float", item.default),
            allowed=_KINDS[item.name].expected.removeprefix("one of ").replace('"', ""),
            **item.metadata,
        )
        for item in dataclasses.fields(House)
    )


SETTINGS: Final = _settings()
"""Every setting in words, in their order."""


def toml_value(value: str | bool | float) -> str:
    """Return a setting's value as TOML.

    >>> toml_value("lead"), toml_value(True), toml_value(5)
    ('"lead"', 'true', '5')
    """
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def is_setting(key: str) -> bool:
    """Return whether a setting of that name exists."""
    return key in _KINDS


def setting_complaint(key: object, value: object) -> str | None:
    """Return what is wrong with a setting and a value that it is to have; None where nothing is.

    >>> setting_complaint("hand_cure", 1)
    'hand_cure: expected true or false, got 1'
    """
    if not isinstance(key, str) or key not in _KINDS:
        return _unknown((str(key),))
    try:
        _KINDS[key].fit(value)
    except Unfit as unfit:
        return f"{key}: {unfit.reason}"
    return None


def values_of(key: str) -> tuple[Any, ...]:
    """Return the values that a setting may have; none for a number.

    >>> values_of("two_faults"), values_of("hand_cure"), values_of("grace_s")
    (('first', 'gravest'), (True, False), ())
    """
    hint = _HINTS[key]
    return (True, False) if hint is bool else typing.get_args(hint) if typing.get_origin(hint) is Literal else ()


def _unknown(keys: Sequence[str]) -> str:
    named = ", ".join(f"{key:.40}" for key in keys)
    return f"{named}: no such {'setting' if len(keys) == 1 else 'settings'}; known are {', '.join(_KINDS)}"


def is_house(text: str) -> bool:
    """Return whether a text is a file of settings of the house, be they in order or not, and no code of laws.

    >>> is_house('looked = 1'), is_house('name = "tuesday"'), is_house("")
    (True, False, False)
    """
    try:
        keys = table_in(text).keys()
    except Unfit:
        return False
    return bool(keys & _KINDS.keys())


def read_house(text: str, file: str) -> House:
    """Return the settings that a file holds, with the defaults of what it leaves out.

    Args:
        text: the file, TOML: one `setting = value` a line.
        file: its name, for errors.

    Raises:
        HouseError: the text is no TOML, or names what is no setting, or a value that is not allowed; it says everything
            that is wrong.

    >>> read_house('two_faults = "gravest"', "club.toml").two_faults
    'gravest'
    """
    try:
        table = table_in(text)
    except Unfit as unfit:
        raise HouseError(file, (unfit.reason,)) from None
    strange = [key for key in table if key not in _KINDS]
    known = [(key, value) for key, value in table.items() if key in _KINDS]
    complaints = [complaint for key, value in known if (complaint := setting_complaint(key, value))]
    if strange:
        complaints.append(_unknown(strange))
    if complaints:
        raise HouseError(file, tuple(complaints))
    return House(**table)
