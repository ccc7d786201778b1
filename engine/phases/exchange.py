"""Phase `exchange`: in turn, each seat may change cards of its hand for the extra cards, which nobody has
seen.

Whoever holds the six of trumps may take the turned card for it, from his own exchange on until the first card
is led.
"""

from collections.abc import Sequence
from itertools import combinations

from engine.cards import DECK, SIX, codes, mask, members
from engine.commands import Command, Exchange, Keep, TakeTurned
from engine.errors import IllegalCommand
from engine.events import Event, ExtraExchanged, ExtraKept, TurnedTaken
from engine.infractions.faults import Faults, marked
from engine.infractions.findings import may_not_hold
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.melds.declaring import trump_of
from engine.phases.discards import check_own
from engine.rules import Draft, Phase, Table, Turn, from_forehand, not_open, on


def _seat(table: Table) -> int | None:
    """The first seat from forehand on that has not exchanged yet."""
    exchanged = table.state.extras.exchanged
    for seat in from_forehand(table.state):
        if seat not in exchanged:
            return seat
    return None


def _six(state: State) -> int | None:
    """The six of trumps; None where it is not known what is trumps."""
    trump = trump_of(state)
    return None if trump is None else trump * 9 + SIX


def _may_hold_six(table: Table, seat: int) -> bool:
    six = _six(table.state)
    return six is None or not may_not_hold(table, seat, six)


def _no_six(state: State, seat: int) -> IllegalCommand:
    six = DECK[_six(state) or 0]
    return IllegalCommand("take_turned/no_six", f"{six} is not in the hand of seat {seat}", card=six)


def _take(draft: Draft, state: State, seat: int) -> None:
    six, turned = _six(state), state.extras.turned
    draft.take(
        TurnedTaken(
            seq=draft.seq,
            seat=seat,
            six=None if six is None else DECK[six],
            card=None if turned is None else DECK[turned],
        )
    )


def take_turned(table: Table, command: TakeTurned) -> list[Event]:
    """Take the turned card for the six of trumps, also when it is another's turn."""
    state = table.state
    if not state.dealing or state.begun:
        raise not_open("take_turned", "trick_play" if state.dealing else "dealing")
    faults = Faults(state, command.seat)
    faults.turn("take_turned", command.seat)
    if command.seat not in state.extras.exchanged:
        what = "the turned card is taken after one's own exchange"
        faults.found(IllegalCommand("take_turned/not_yet", what, seat=command.seat))
    if not _may_hold_six(table, command.seat):
        faults.found(_no_six(state, command.seat), "not_in_hand")
    draft = Draft(table)
    _take(draft, state, command.seat)
    return marked(faults, draft)


def _exchange(table: Table, command: Exchange) -> list[Event]:
    """The wish for the turned card goes unheard where the extra cards do not bring the six: a refusal would
    tell what they are before they are taken."""
    state = table.state
    seat = command.seat
    faults = Faults(state, seat)
    faults.turn("exchange", _seat(table))
    check_own(faults, table, seat, command.cards, state.extras.extra_sizes[seat], "exchange")
    given, six = mask(command.cards), _six(state)
    if command.take_turned and six is not None and given >> six & 1:
        faults.found(_no_six(state, seat), "not_in_hand")
    draft = Draft(table)
    draft.take(
        ExtraExchanged(
            seq=draft.seq,
            seat=seat,
            size=len(command.cards),
            given=codes(given),
            taken=codes(state.extras.extra[seat]),
        )
    )
    if command.take_turned and _may_hold_six(draft.table, seat):
        _take(draft, state, seat)
    return marked(faults, draft)


def _keep(table: Table, command: Keep) -> list[Event]:
    state = table.state
    seat = command.seat
    faults = Faults(state, seat)
    faults.turn("keep", _seat(table))
    if command.take_turned and not _may_hold_six(table, seat):
        faults.found(_no_six(state, seat), "not_in_hand")
    draft = Draft(table)
    draft.take(ExtraKept(seq=draft.seq, seat=seat))
    if command.take_turned:
        _take(draft, state, seat)
    return marked(faults, draft)


def _audit_run(table: Table, log: Sequence[Event], at: int) -> int:
    """Follow whoever exchanges or keeps in turn, and takes the turned card with it."""
    state = table.state
    event, after = log[at], log[at + 1] if at + 1 < len(log) else None
    if event.seq != at or state.mode != "dealt":
        return 0
    if type(event) is ExtraExchanged:
        seat, given = event.seat, event.given or ()
        if seat != _seat(table) or not event.size == len(given) == state.extras.extra_sizes[seat]:
            return 0
        cards = mask(given)
        if (
            cards & ~state.hands[seat]
            or codes(cards) != given
            or event.taken != codes(state.extras.extra[seat])
        ):
            return 0
        hand = state.hands[seat] & ~cards | state.extras.extra[seat]
    elif type(event) is ExtraKept and event.seat == _seat(table):
        seat, cards = event.seat, 0
        hand = state.hands[seat]
    else:
        return 0
    if type(after) is not TurnedTaken or after.seat != seat:
        evolve(state, event)
        return 1
    six, turned = _six(state), state.extras.turned
    if six is None or turned is None or not hand >> six & 1 or cards >> six & 1:
        return 0
    if after != TurnedTaken(seq=at + 1, seat=seat, six=DECK[six], card=DECK[turned]):
        return 0
    replay((event, after), state)
    return 2


def _offers(table: Table) -> list[Command]:
    state = table.state
    seat = _seat(table) or 0
    hand = members(state.hands[seat])
    offered: list[Command] = [Keep(seat=seat)]
    if _may_hold_six(table, seat):
        offered.append(Keep(seat=seat, take_turned=True))
    offered += [
        Exchange(seat=seat, cards=[DECK[card] for card in cards], take_turned=_six(state) not in cards)
        for cards in combinations(hand, state.extras.extra_sizes[seat])
    ]
    return offered


def exchange() -> Phase:
    """The phase; open until every seat has exchanged or kept."""
    return Phase(
        "exchange",
        lambda table: _seat(table) is not None,
        lambda table: Turn(_seat(table), "exchange", ("exchange", "keep")),
        on(Exchange, _exchange) | on(Keep, _keep),
        _offers,
        audit_run=_audit_run,
    )
