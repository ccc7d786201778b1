"""Phase `predictions`: each player predicts their points, forehand first.

In a transcript an unknown prediction may be recorded after the first card.
"""

from collections.abc import Iterator

from engine.commands import Command, Predict
from engine.errors import IllegalCommand
from engine.events import Event, PredictionMade, PredictionsRevealed
from engine.infractions.faults import Faults, with_faults
from engine.ledger.state import State
from engine.rules import Draft, GameContext, Phase, Turn, from_forehand, on


def _seats_without_prediction(state: State) -> Iterator[int]:
    """Yield the seats without a prediction, forehand first.

    After the first card of a transcript, seats whose prediction was recorded as unknown (-1) are included. In
    the view of a dealt game -1 means sealed, and such seats are not included.
    """
    missing = (None, -1) if state.begun and state.mode == "transcribed" else (None,)
    return (seat for seat in from_forehand(state) if state.variant_state.predictions[seat] in missing)


def _seat_in_turn(context: GameContext) -> int | None:
    return next(_seats_without_prediction(context.state), None)


def _reveal(context: GameContext, seq: int) -> list[Event]:
    """Return the event that reveals sealed predictions after the last card."""
    points = context.state.variant_state.predictions[: context.state.seats]
    known = [None if said is None or said < 0 else said for said in points]
    return [PredictionsRevealed(seq=seq, points=known)]


def predictions(highest: int, sealed: bool) -> Phase:
    """Return the phase. `highest`: the highest legal prediction. `sealed`: predictions stay hidden from other
    seats until the last card.
    """

    def predict(context: GameContext, command: Predict) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat, trick=1)
        unsaid = list(_seats_without_prediction(state))
        faults.check_turn("predict", command.seat if state.begun and command.seat in unsaid else unsaid[0])
        if command.seat not in unsaid:
            raise IllegalCommand("predict/made", "a seat predicts once", seat=command.seat)
        if command.points is None and (state.begun or state.mode != "transcribed"):
            raise IllegalCommand("predict/points_missing", "the points must be named")
        if command.points is not None and command.points > highest:
            faults.add(
                IllegalCommand(
                    "predict/out_of_bounds",
                    f"a prediction is 0 to {highest}, not {command.points}",
                    points=command.points,
                    highest=highest,
                )
            )
        draft = Draft(context)
        draft.emit(PredictionMade(seq=draft.seq, seat=command.seat, points=command.points, sealed=sealed))
        return with_faults(faults, draft)

    def offers(context: GameContext) -> list[Command]:
        seat = next(_seats_without_prediction(context.state))
        return [Predict(seat=seat, points=points) for points in range(highest + 1)]

    return Phase(
        "predictions",
        lambda context: _seat_in_turn(context) is not None,
        lambda context: Turn(_seat_in_turn(context), "predictions", ("predict",)),
        on(Predict, predict),
        offers,
        after_last=_reveal if sealed else None,
        highest_prediction=highest,
    )
