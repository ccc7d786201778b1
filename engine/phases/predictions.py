"""Phase `predictions`: everyone says how many points he will take, forehand first."""

from engine.commands import Command, Predict
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import Event, PredictionMade, PredictionsRevealed
from engine.faults import Faults, marked
from engine.rules import Phase, Turn, from_forehand
from engine.state import State


def _seat(state: State) -> int | None:
    said = state.extras.predictions
    return next((seat for seat in from_forehand(state) if said[seat] is None), None)


def _reveal(draft: Draft, last: bool) -> None:
    """Sealed predictions are shown when the last card is played."""
    if last:
        points = draft.state.extras.predictions[: draft.state.seats]
        told = [None if said is None or said < 0 else said for said in points]
        draft.emit(PredictionsRevealed, points=told)


def predictions(highest: int, sealed: bool) -> Phase:
    """The phase. Nobody hears another's prediction where they are `sealed`; they are shown with the last
    card."""

    def predict(state: State, command: Predict) -> list[Event]:
        faults = Faults(state, command.seat)
        faults.turn("predict", _seat(state))
        if state.extras.predictions[command.seat] is not None:
            raise IllegalCommand("predict/made", "a seat predicts once", seat=command.seat)
        if command.points is None and state.mode != "transcribed":
            raise IllegalCommand("predict/points_missing", "the points must be named")
        if command.points is not None and command.points > highest:
            faults.found(
                IllegalCommand(
                    "predict/out_of_bounds",
                    f"a prediction is 0 to {highest}, not {command.points}",
                    points=command.points,
                    highest=highest,
                )
            )
        draft = Draft(state)
        draft.emit(PredictionMade, seat=command.seat, points=command.points, sealed=sealed)
        return marked(faults, draft)

    def offers(state: State) -> list[Command]:
        seat = _seat(state)
        return [] if seat is None else [Predict(seat=seat, points=points) for points in range(highest + 1)]

    return Phase(
        "predictions",
        lambda state: _seat(state) is not None,
        lambda state: Turn(_seat(state), "predictions", ("predict",)),
        {Predict: predict},
        offers,
        after_trick=_reveal if sealed else None,
    )
