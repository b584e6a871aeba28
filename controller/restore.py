"""The dealer of an unfinished deal as the log has it: what is not durable did not happen, and is said again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.deal_notes import DealNotes
from controller.dealer import Dealer
from controller.errors import StreamError
from controller.states import DealMachine, DealState
from controller.table import Seat
from controller.window_sensors import PAIRS, CardSize
from firmware_bridge.words import Asked, Capability, Tray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from controller.acts import Line
    from controller.deal_log import Act, DealLog


def restore(log: DealLog, deal: int, card: CardSize, *, able: Capability, next_id: int) -> Dealer:
    """Return the dealer of an unfinished deal.

    Args:
        log: the log that holds it.
        deal: its number.
        card: one card as the machine's sensors feel it.
        able: what the machine has.
        next_id: the machine's last command plus one: the id of the next feed where the log intends none yet.

    Raises:
        controller.errors.LogError: the record cannot be read, or is damaged: its rulings are not those its facts give.
    """
    lines, acts = log.own_lines(deal), log.acts(deal)
    notes = _notes(log, deal, lines)
    if astray := [act.tray for act in acts if act.kind == "route" and act.tray not in Tray.__members__]:
        raise log.damaged(f"a card of deal {deal} was sent to {astray[0]!r:.20}, which is no tray")
    dealer = Dealer(notes=notes, next_id=next_id, card=card, able=able)
    before = _before(lines, notes)
    if before is DealState.SHUFFLING:
        dealer.seed = log.draw(deal, notes.draws)
        _take_up_pass(dealer, [act for act in acts if act.kind == "shelve"][-1])
    if any(act.kind == "feed" for act in acts):
        _take_up_card(dealer, before, lines, acts)
    else:
        by_hand = notes.reshuffle and before in (DealState.AWAITING_CUT, DealState.CUT)
        dealer.machine = DealMachine(DealState.AWAITING_PACK if by_hand else before)
    return dealer


def _notes(log: DealLog, deal: int, lines: list[Line]) -> DealNotes:
    """Return the notes that the lines of a deal make."""
    try:
        notes = DealNotes(dealer=Seat(lines[0]["dealer"]))
        notes.restore(lines)
    except (StreamError, KeyError, ValueError) as error:
        raise log.damaged(f"deal {deal} cannot be gone on with ({error})") from error
    return notes


def _before(lines: list[Line], notes: DealNotes) -> DealState:
    """Return where the deal stood by the facts alone, which tell everything up to the first card, and every halt."""
    state = undealt = DealState.AWAITING_PACK
    for line in lines:
        match line.get("fact"):
            case "draw_committed":
                state = DealState.SHUFFLING
            case "presented":
                state = DealState.AWAITING_CUT
            case "cut" | "cut_unweighed":
                state = DealState.CUT
            case "dealing_began":
                state = DealState.FEEDING
            case "halted":
                state = DealState.HALTED
            case "acknowledged":
                state = DealState.HOMING
            case "resumed" if line["by"] == "director":
                state = undealt
    return DealState.AWAITING_CUT if state is DealState.CUT and notes.fresh_cut else state


def _take_up_pass(dealer: Dealer, last: Act) -> None:
    """Take up the pass over the shelves that was intended last."""
    dealer.command_id, dealer.pass_number = last.command_id, last.k
    dealer.next_id = last.command_id + 1


def _take_up_card(dealer: Dealer, before: DealState, lines: list[Line], acts: Sequence[Act]) -> None:
    """Take up the card that was under way, fed or on its way to its tray, or where the deal waits, the last."""
    notes = dealer.notes
    feed = [act for act in acts if act.kind == "feed"][-1]
    routes = [act for act in acts if act.kind == "route"]
    arrived = {line["k"] for line in lines if line.get("fact") == "routed"}
    routing = bool(routes) and routes[-1].k not in arrived
    counting = notes.wanted is Asked.COUNT_PACK
    # The next feed is on record before it is known whether the deal waits; only the journal says whether it was sent.
    sent = feed.command_id < dealer.next_id and feed.k > notes.out
    waits = not routing and not sent and (dealer.waiting or notes.ending is not None)
    at_end = not routing and not waits and notes.out >= dealer.last_card  # the hopper is not looked into yet
    under_way = routes[-1] if routing or waits or at_end else feed
    dealer.command_id, dealer.next_id = under_way.command_id, under_way.command_id + 1
    dealer.k = notes.out if waits or at_end else under_way.k
    if any(line.get("code") in PAIRS and line.get("k") == dealer.k for line in lines):
        dealer.felt = "double_feed"
    if routing:
        dealer.tray = Tray[under_way.tray]
        dealer.next_on_record = feed.command_id > under_way.command_id
    dealer.machine = DealMachine(_state(before, waits=waits or counting, routing=routing or at_end))


def _state(before: DealState, *, waits: bool, routing: bool) -> DealState:
    """Return where a deal of which cards were fed stood at its last commit."""
    if before in (DealState.HALTED, DealState.HOMING):
        return before
    if waits:
        return DealState.HOLDING
    return DealState.ROUTING if routing else DealState.FEEDING
