"""Phase `concession`: the declarer accepts the deal or concedes it before the first card."""

from collections.abc import Callable, Sequence

from engine.card_points import STOECK_POINTS
from engine.commands import Accept, Command, Concede
from engine.errors import IllegalCommand
from engine.events import DealAccepted, DealConceded, Event
from engine.infractions.faults import Faults, with_faults
from engine.ledger.evolve import evolve, replay
from engine.ledger.state import State
from engine.melds.stoeck import others_hold_stoeck
from engine.rules import Draft, GameContext, Phase, Turn, on
from engine.scoring.game_end import build_closing_events, end_if_target_reached, finish_deal
from engine.scoring.running_totals import find_side_at_target


def _conceded_points(context: GameContext, stoeck: bool) -> int:
    """Return the points of a conceded deal. `stoeck`: the points of the Stöck are included."""
    return context.rules.play.deal_points + (STOECK_POINTS if stoeck else 0)


def concession(applies: Callable[[State], bool]) -> Phase:
    """Return the phase. `applies`: whether the declarer may concede in this deal."""

    def accept(context: GameContext, command: Accept) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat)
        faults.check_turn("accept", state.declarer)
        draft = Draft(context)
        draft.emit(DealAccepted(seq=draft.seq, seat=command.seat))
        return with_faults(faults, draft)

    def concede(context: GameContext, command: Concede) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat)
        faults.check_turn("concede", state.declarer)
        held = others_hold_stoeck(context)
        if command.stoeck is not None:
            if state.mode != "transcribed":
                raise IllegalCommand("concede/stoeck_seen", "the hands tell who holds the Stöck")
            held = command.stoeck and context.rules.play.stoeck
        draft = Draft(context)
        draft.emit(DealConceded(seq=draft.seq, seat=command.seat, points=_conceded_points(context, held)))
        faults.emit(draft)
        if not end_if_target_reached(draft):
            finish_deal(draft)
        return draft.events

    def audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
        """Fold an accepted or a conceded deal from a log, and return the number of its events."""
        state, event, before = context.state, log[at], context.state.variant_state
        if state.mode != "dealt" or state.declarer is None:
            return 0
        if event == DealAccepted(seq=at, seat=state.declarer):
            evolve(state, event)
            return 1
        points = _conceded_points(context, others_hold_stoeck(context))
        if event != DealConceded(seq=at, seat=state.declarer, points=points):
            return 0
        evolve(state, event)
        winner = find_side_at_target(context)
        closing = build_closing_events(
            context, state.record(), state.seq, None if winner is None else [winner]
        )
        if log[at + 1 : at + 1 + len(closing)] != closing:
            state.seq, state.variant_state = at, before
            return 0
        replay(closing, state)
        return 1 + len(closing)

    def offers(context: GameContext) -> list[Command]:
        seat = context.state.declarer or 0
        return [Accept(seat=seat), Concede(seat=seat)]

    return Phase(
        "concession",
        lambda context: (
            not context.state.variant_state.accepted
            and context.state.variant_state.conceded is None
            and applies(context.state)
        ),
        lambda context: Turn(context.state.declarer, "concession", ("accept", "concede")),
        on(Accept, accept) | on(Concede, concede),
        offers,
        audit_run=audit_run,
    )
