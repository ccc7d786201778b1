"""Phase `concession`: declarer looks at his cards and plays the deal or gives it away before the first
card."""

from collections.abc import Callable, Sequence

from engine.commands import Accept, Command, Concede
from engine.contracts import STOECK, STOECK_POINTS
from engine.errors import IllegalCommand
from engine.events import DealAccepted, DealConceded, Event
from engine.infractions.faults import Faults, marked
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.melds.declaring import trump_of
from engine.rules import Draft, Phase, Table, Turn, on
from engine.scoring.counting import closing_events, finish_deal, has_ended, reached


def _stoeck_of_the_others(table: Table) -> bool:
    state = table.state
    trump = trump_of(state)
    if trump is None or not table.rules.play.stoeck:
        return False
    pair = STOECK[trump]
    return any(hand & pair == pair for seat, hand in enumerate(state.hands) if seat != state.declarer)


def _worth(table: Table, stoeck: bool) -> int:
    """What a deal counts that is given away, with the Stöck or without."""
    return table.rules.play.deal_points + (STOECK_POINTS if stoeck else 0)


def concession(applies: Callable[[State], bool]) -> Phase:
    """The phase; `applies` says in which deals the declarer is asked."""

    def accept(table: Table, command: Accept) -> list[Event]:
        state = table.state
        faults = Faults(state, command.seat)
        faults.turn("accept", state.declarer)
        draft = Draft(table)
        draft.take(DealAccepted(seq=draft.seq, seat=command.seat))
        return marked(faults, draft)

    def concede(table: Table, command: Concede) -> list[Event]:
        state = table.state
        faults = Faults(state, command.seat)
        faults.turn("concede", state.declarer)
        held = _stoeck_of_the_others(table)
        if command.stoeck is not None:
            if state.mode != "transcribed":
                raise IllegalCommand("concede/stoeck_seen", "the hands tell who holds the Stöck")
            held = command.stoeck and table.rules.play.stoeck
        draft = Draft(table)
        draft.take(DealConceded(seq=draft.seq, seat=command.seat, points=_worth(table, held)))
        faults.mark(draft)
        if not has_ended(draft):
            finish_deal(draft)
        return draft.events

    def audit_run(table: Table, log: Sequence[Event], at: int) -> int:
        """Follow a declarer who plays on, or gives the deal away."""
        state, event, before = table.state, log[at], table.state.extras
        if state.mode != "dealt" or state.declarer is None:
            return 0
        if event == DealAccepted(seq=at, seat=state.declarer):
            evolve(state, event)
            return 1
        points = _worth(table, _stoeck_of_the_others(table))
        if event != DealConceded(seq=at, seat=state.declarer, points=points):
            return 0
        evolve(state, event)
        winner = reached(table)
        closing = closing_events(table, state.record(), state.seq, None if winner is None else [winner])
        if log[at + 1 : at + 1 + len(closing)] != closing:
            state.seq, state.extras = at, before
            return 0
        replay(closing, state)
        return 1 + len(closing)

    def offers(table: Table) -> list[Command]:
        seat = table.state.declarer or 0
        return [Accept(seat=seat), Concede(seat=seat)]

    return Phase(
        "concession",
        lambda table: (
            not table.state.extras.accepted and table.state.extras.conceded is None and applies(table.state)
        ),
        lambda table: Turn(table.state.declarer, "concession", ("accept", "concede")),
        on(Accept, accept) | on(Concede, concede),
        offers,
        audit_run=audit_run,
    )
