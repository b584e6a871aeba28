"""The dealer before the first card: pack laid in, shuffled blind where the machine can, offered and cut. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from controller import shuffle
from controller.acts import AskPeople, Draw, ShelvePack, Step
from controller.deal_notes import CUTS_MAX
from controller.dealer_base import TAKE_BACK, Desk
from controller.states import DealState
from firmware_bridge.words import Asked, Capability

if TYPE_CHECKING:
    from firmware_bridge.events import Answered, Sorted


@dataclass(slots=True, kw_only=True)
class BeforeTheDeal(Desk):
    """Brings a deal from its opening to the first feed."""

    def open(self, opening: dict[str, Any], *carried: dict[str, Any]) -> Step:
        """Open the deal with its `deal_opened` fact and the facts that the record carries."""
        self.notes.note(opening)
        for fact in carried:
            self.notes.note(fact)
        return self.step(acts=(self.ask_for_pack(),), commit=True)

    def ask_for_pack(self) -> AskPeople:
        """Return the request for the pack; a second shuffle by hand is asked for by its own name."""
        again = self.notes.reshuffle and not self._shuffles
        return AskPeople(asked=Asked.RESHUFFLE if again else Asked.LOAD_PACK, a=self.notes.pack_size)

    @property
    def _shuffles(self) -> bool:
        """Whether the machine shuffles."""
        return Capability.SHELVES in self.able

    def _loaded(self, event: Answered) -> Step:
        """The pack lies in the hopper: shuffle it, or take it as people have shuffled it."""
        if self._shuffles:
            self.machine.shuffle()
            return self._draw()
        if event.asked is Asked.RESHUFFLE:
            self.notes.note({"fact": "shuffled", "by": self.notes.dealer.value, "t_us": event.at_us})
        self.machine.pack_loaded()
        return self._offer(event.at_us)

    def _offer(self, at_us: int) -> Step:
        """Offer the pack to be cut."""
        self.notes.note({"fact": "presented", "t_us": at_us})
        return self.step(acts=(AskPeople(asked=Asked.CUT),), commit=True)

    # --- the shuffle ---

    def _draw(self) -> Step:
        """Have the random numbers of the next shuffle drawn."""
        self.seed = b""
        return self.step(acts=(self.draw_wanted(),))

    def draw_wanted(self) -> Draw:
        """Return the act that draws the random numbers of the next shuffle."""
        return Draw(attempt=self.notes.draws + 1)

    def drawn(self, seed: bytes) -> Step:
        """The random numbers are there: commit to them, then begin the first pass.

        Args:
            seed: the draw, 32 bytes, of the attempt that was asked for.
        """
        self.seed = seed
        fact = {"fact": "draw_committed", "commitment": shuffle.commitment(seed), "attempt": self.notes.draws + 1}
        self.notes.note(fact)
        return self._pass(1)

    def _pass(self, number: int) -> Step:
        """Begin a pass over the shelves."""
        self.pass_number, self.command_id = number, self.next_id
        self.next_id += 1
        act = self.shelf_pass()
        return self.step(intents=(act,), acts=(act,), commit=True)

    def shelf_pass(self) -> ShelvePack:
        """Return the pass under way."""
        order = shuffle.permutation(self.seed, self.notes.pack_size)
        shelves = shuffle.passes(order)[self.pass_number - 1]
        return ShelvePack(command_id=self.command_id, number=self.pass_number, shelves=shelves)

    def sorted(self, event: Sorted) -> Step:
        """A pass over the shelves has ended; its counts must be those of the draw."""
        if self.machine.state is not DealState.SHUFFLING or event.command_id != self.command_id:
            return Step()
        wanted = bytes(shuffle.counts(self.shelf_pass().shelves))
        if event.cards != self.notes.pack_size or event.counts != wanted:
            return self.halt("shuffle_failed")
        if self.notes.ending is not None:
            return self.end()
        if self.pass_number == 1:
            self.machine.next_pass()
            return self._pass(2)
        self.notes.note({"fact": "shuffled", "by": "machine", "t_us": event.at_us})
        self.machine.shuffled()
        return self._offer(event.at_us)

    # --- the cut ---

    def _cut(self, event: Answered) -> Step:
        """Put the cut on record, and go on as it was ruled; one that no scale has weighed is not ruled on."""
        if Capability.CUT_TRAY in self.able:
            least, smaller = self.notes.code.least_cut, min(event.a, event.b)
            cut: dict[str, Any] = {"fact": "cut", "by": self.notes.cutter.value, "top": event.a, "bottom": event.b}
            cut |= {"tolerance": event.c} | dict.fromkeys(sorted(self.notes.cut_reports), True)
            doubt = smaller - event.c < least <= smaller
            self.notes.note(cut | ({"doubt": True} if doubt else {}) | {"t_us": event.at_us})
        else:
            self.notes.note({"fact": "cut_unweighed", "by": self.notes.cutter.value, "t_us": event.at_us})
        if self.notes.fresh_cut or self.notes.reshuffle:
            return self._prepare_again() if self.notes.cuts < CUTS_MAX else self._give_up_cutting()
        self.machine.cut_good()
        return self.before_first_card()

    def _give_up_cutting(self) -> Step:
        """Give the deal up: the people cannot cut as the code wants it, or the scale is wrong."""
        self.write_fault("bad_cuts")
        return self.end()

    def _prepare_again(self) -> Step:
        """Have the pack shuffled or cut once more, as it was ruled."""
        if self.notes.reshuffle and self._shuffles:
            self.machine.shuffle()
            return self._draw()
        if self.notes.reshuffle:
            self.machine.have_shuffled()
            return self.step(acts=(self.ask_for_pack(),), commit=True)
        self.machine.cut_again()
        return self.step(acts=(AskPeople(asked=Asked.CUT),), commit=True)

    def before_first_card(self) -> Step:
        """The pack lies cut: deal, unless a ruling or a right that is open stands against it."""
        if self.notes.ending is not None:
            return self.end()
        if self.notes.fresh_cut or self.notes.reshuffle:
            return self._prepare_again()
        if self.waiting:
            return self.step(acts=self.asks(), commit=True)
        self.machine.begin()
        self.notes.note({"fact": "dealing_began", "by": self.notes.dealer.value})
        return self.feed(1)

    def _ruled_before_cut(self) -> Step:
        """Go on as it was ruled while the pack, shuffled, waits to be cut: the panel must not ask for that any more."""
        if self.notes.ending is None and not self.notes.reshuffle:
            return self.step(commit=True)
        step = self.end() if self.notes.ending is not None else self._prepare_again()
        return replace(step, acts=(TAKE_BACK, *step.acts))
