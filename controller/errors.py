"""Exceptions of the controller.

    ControllerError
    ├── StreamError        a line of a deal's stream that cannot be used
    │   ├── FactError      the line is no fact: malformed, unknown, or of a wrong value
    │   └── OrderError     the fact cannot follow those before it
    ├── CodeError          a code of laws that cannot be applied
    │   └── ClubCodeError  a club's file of laws that is not in order
    ├── HouseError         a file of house settings that cannot be used
    ├── SeatWordError      a line that says nothing that a seat can say
    ├── UnreadableInput    a file that a command was given and that it cannot read
    ├── NotCanonical       a value that the stored record cannot hold
    ├── SealBroken         a sealed field of the log that does not open, or not to what was sealed
    ├── LogError           a deal log, or the key file beside it, that cannot be used
    │   ├── LogBusy        another program holds it
    │   ├── LogDamaged     its content is not what was written
    │   └── NoSuchDeal     the log does not hold that deal, or not in that state
    └── DealingError       a run of deals that cannot go on
        ├── Drained        it was asked to stop
        ├── Unattended     nobody does what the machine waits for
        ├── WrongMachine   another machine than the one that the deal under way lies on
        ├── TooManyTries   deal after deal ends without being complete
        ├── PassageBroken  a check or a test ends in the middle of the pack
        └── CameraBlind    the camera of the window gives no picture that counts
    OutputLost             standard output takes no more; no error of the controller's, so that `cli` alone handles it

A fault of the machine or of the table is no exception: it is a fact, and the law answers with a ruling.
"""

from __future__ import annotations

from typing import Final

from vision.files import on_one_line
from vision.sighting import Reason


class ControllerError(Exception):
    """Root of the exceptions of this package."""


class StreamError(ControllerError):
    """A line of a deal's stream cannot be used.

    Attributes:
        line: number of the line, from 1.
        field: name of the field at fault, dotted inside `house`; empty where the whole line is.
        reason: what is wrong and what was expected.
    """

    def __init__(self, line: int, field: str, reason: str) -> None:
        super().__init__(f"line {line}, field {field}: {reason}" if field else f"line {line}: {reason}")
        self.line = line
        self.field = field
        self.reason = reason


class FactError(StreamError):
    """A line is no fact of the contract."""


class OrderError(StreamError):
    """A fact is impossible after the facts before it."""


class CodeError(ControllerError):
    """A code of laws is unknown, or known and without laws to apply.

    Attributes:
        code: the name that was asked for.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ClubCodeError(CodeError):
    """A club's file of laws is not in order.

    Attributes:
        complaints: everything that is wrong, each with its law and field.
    """

    def __init__(self, complaints: tuple[str, ...]) -> None:
        super().__init__("", "; ".join(complaints))
        self.complaints = complaints


class HouseError(ControllerError):
    """A file of house settings cannot be used; its text has one line for each thing that is wrong.

    Attributes:
        file: the file's name as it was given.
        complaints: everything that is wrong, each with its setting.
    """

    def __init__(self, file: str, complaints: tuple[str, ...]) -> None:
        super().__init__("\n".join(f"{on_one_line(file)}: {complaint}" for complaint in complaints))
        self.file = file
        self.complaints = complaints


class SeatWordError(ControllerError):
    """A line says nothing that somebody at a seat can do or say.

    Attributes:
        line: number of the line, from 1.
        text: the line.
        expected: what was expected.
    """

    def __init__(self, line: int, text: str, expected: str) -> None:
        super().__init__(f"line {line}: {text.strip()!r} is no word of a seat: {expected}")
        self.line = line
        self.text = text
        self.expected = expected


class UnreadableInput(ControllerError):
    """A file that a command was given cannot be read, or does not say what it should.

    Attributes:
        file: the file's name as it was given.
        reasons: what is wrong with it, and what was expected; the error's text has a line for each.
    """

    def __init__(self, file: str, *reasons: str) -> None:
        super().__init__("\n".join(f"{on_one_line(file)}: {reason}" for reason in reasons))
        self.file = file
        self.reasons = reasons


class NotCanonical(ControllerError):
    """A value is none that the stored record can hold.

    Attributes:
        value: what was given.
        reason: what is wrong with it.
    """

    def __init__(self, value: object, reason: str) -> None:
        super().__init__(f"{value!r:.80} cannot be recorded: {reason}")
        self.value = value
        self.reason = reason


class SealBroken(ControllerError):
    """A sealed field does not open, or not to what was sealed there: somebody or something changed the log.

    Attributes:
        deal: the deal's number.
        leaf: the line's place in the deal, from 0; None where the deal's key itself does not open.
        field: the field's name.
        reason: what is wrong.
    """

    def __init__(self, deal: int, leaf: int | None, field: str, reason: str) -> None:
        where = f"deal {deal}" if leaf is None else f"deal {deal}, line {leaf + 1}"
        super().__init__(f"{where}: the seal of {field!r} is broken: {reason}")
        self.deal = deal
        self.leaf = leaf
        self.field = field
        self.reason = reason


class LogError(ControllerError):
    """A deal log, or the key file beside it, cannot be used.

    Attributes:
        file: the file's name as it was given.
        reason: what is wrong.
        next_step: the one thing to do now.
    """

    def __init__(self, file: str, reason: str, next_step: str) -> None:
        super().__init__(f"{on_one_line(file)}: {reason}. {next_step}")
        self.file = file
        self.reason = reason
        self.next_step = next_step


class LogBusy(LogError):
    """Another program writes to the log."""


class LogDamaged(LogError):
    """What the log holds is not what was written."""


class NoSuchDeal(LogError):
    """The log does not hold the deal that was asked for, or not in the state that the act needs."""


class DealingError(ControllerError):
    """A run of deals cannot go on; what happened so far is on record."""


class Drained(DealingError):
    """The run was asked to stop; the deal under way is kept open.

    Attributes:
        at_once: whether the machine was stopped in mid-step, in place of finishing the card in transit.
        how: the same in a sentence.
    """

    def __init__(self, *, at_once: bool) -> None:
        self.at_once = at_once
        self.how = "The machine was stopped at once." if at_once else "The card in transit was finished."
        super().__init__(f"{self.how} The record is kept: run the same command again.")


class Unattended(DealingError):
    """Nobody does what the machine waits for.

    Attributes:
        waiting: what was not done, one clause.
    """

    def __init__(self, waiting: str) -> None:
        super().__init__(f"{waiting}: put that right, then run the same command again.")
        self.waiting = waiting


class WrongMachine(DealingError):
    """Another machine answers than the one that the deal under way lies on.

    Attributes:
        serial: the number of the machine that answers.
        wanted: the number of the machine that the cards lie on.
    """

    def __init__(self, serial: str, wanted: str) -> None:
        super().__init__(
            f"The unfinished deal lies on machine {wanted}, and machine {serial} answers. Plug in machine {wanted} and "
            f"run the same command again, or give another --log for machine {serial}."
        )
        self.serial = serial
        self.wanted = wanted


class TooManyTries(DealingError):
    """Deal after deal ended without being complete.

    Attributes:
        tries: how many in a row.
    """

    def __init__(self, tries: int) -> None:
        super().__init__(f"{tries} deals in a row were not completed. Run pone doctor and check the pack.")
        self.tries = tries


class PassageBroken(DealingError):
    """A check or a test of the machine cannot go on in the middle of the pack.

    Attributes:
        code: the incident.
        k: the card under way, from 1.
    """

    def __init__(self, code: str, k: int) -> None:
        from controller.incidents import INCIDENTS

        super().__init__(f"{INCIDENTS[code].say(k)} Clear the machine, lay the whole pack in and begin again.")
        self.code = code
        self.k = k


class CameraBlind(DealingError):
    """The camera gave no picture of a card that counts; the card is not to blame.

    Attributes:
        k: the card, from 1.
        reason: what the eye says of the camera.
    """

    def __init__(self, k: int, reason: Reason) -> None:
        said = f"No picture of card {k} counts, though the card stood in the window: {reason}."
        super().__init__(f"{said} {_SEE_TO.get(reason, _SEE_TO_CABLE)} Then lay the whole pack in and begin again.")
        self.k = k
        self.reason = reason


_SEE_TO_CABLE: Final = "See to the camera's cable and its settings."

_SEE_TO: Final = {
    Reason.NO_FRAME: "Look whether the camera is plugged in, and whether another program uses it.",
    Reason.NO_DARK_FRAME: "Close the lid and shade the window; if it is dark there, see to the camera's cable.",
    Reason.STAYED_DARK: "Look whether the lamp is lit; if it is, the camera gives one old picture: plug it in anew.",
}
"""What to do about a camera, by what the eye says of it."""


class OutputLost(Exception):
    """Standard output takes no more: its reader has gone, its disk is full, or it was closed from the start.

    Attributes:
        number: the system's `errno`.
        reason: what the system says, in plain words.
        kept: what stays of the work that stops here, and the next step; empty where nothing was under way.
    """

    def __init__(self, number: int, reason: str, kept: str = "") -> None:
        next_step = kept or "Send it to where there is room, or to /dev/null."
        super().__init__(f"Standard output takes no more ({reason}). {next_step}")
        self.number = number
        self.reason = reason
        self.kept = kept
