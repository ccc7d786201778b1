"""Phase `concession`: declarer looks at his cards and plays the deal or gives it away before the first
card."""

from collections.abc import Callable

from engine.commands import Accept, Command, Concede
from engine.contracts import STOECK, STOECK_POINTS
from engine.errors import IllegalCommand
from engine.events import DealAccepted, DealConceded, Event
from engine.ledger.draft import Draft
from engine.ledger.state import State
from engine.melds.declaring import trump_of
from engine.rules import Phase, Turn
from engine.scoring.counting import finish_deal, has_ended
from engine.transcripts.infractions import Faults, marked


def _stoeck_of_the_others(state: State) -> bool:
    trump = trump_of(state)
    if trump is None or not state.rules.play.stoeck:
        return False
    pair = STOECK[trump]
    return any(hand & pair == pair for seat, hand in enumerate(state.hands) if seat != state.declarer)


def concession(applies: Callable[[State], bool]) -> Phase:
    """The phase; `applies` says in which deals the declarer is asked."""

    def accept(state: State, command: Accept) -> list[Event]:
        faults = Faults(state, command.seat)
        faults.turn("accept", state.declarer)
        draft = Draft(state)
        draft.emit(DealAccepted, seat=command.seat)
        return marked(faults, draft)

    def concede(state: State, command: Concede) -> list[Event]:
        faults = Faults(state, command.seat)
        faults.turn("concede", state.declarer)
        held = _stoeck_of_the_others(state)
        if command.stoeck is not None:
            if state.mode != "transcribed":
                raise IllegalCommand("concede/stoeck_seen", "the hands tell who holds the Stöck")
            held = command.stoeck and state.rules.play.stoeck
        draft = Draft(state)
        points = state.rules.play.deal_points + (STOECK_POINTS if held else 0)
        draft.emit(DealConceded, seat=command.seat, points=points)
        faults.mark(draft)
        if not has_ended(draft):
            finish_deal(draft)
        return draft.events

    def offers(state: State) -> list[Command]:
        seat = state.declarer or 0
        return [Accept(seat=seat), Concede(seat=seat)]

    return Phase(
        "concession",
        lambda state: not state.extras.accepted and state.extras.conceded is None and applies(state),
        lambda state: Turn(state.declarer, "concession", ("accept", "concede")),
        {Accept: accept, Concede: concede},
        offers,
    )
