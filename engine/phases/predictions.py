"""Phase `predictions`: everyone says how many points he will take, forehand first."""

from engine.commands import Command, Predict
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import Event, PredictionMade
from engine.rules import Phase, Turn, check_turn, forehand
from engine.state import State


def _seat(state: State) -> int | None:
    first = forehand(state)
    order = [(first + turn) % state.seats for turn in range(state.seats)]
    return next((seat for seat in order if state.extras.predictions[seat] is None), None)


def predictions(highest: int, sealed: bool) -> Phase:
    """The phase. Nobody hears another's prediction where they are `sealed`; they are shown with the last
    card."""

    def predict(state: State, command: Predict) -> list[Event]:
        check_turn("predict", command.seat, _seat(state))
        if command.points > highest:
            raise IllegalCommand(
                "predict/out_of_bounds",
                f"a prediction is 0 to {highest}, not {command.points}",
                points=command.points,
                highest=highest,
            )
        draft = Draft(state)
        draft.emit(PredictionMade, seat=command.seat, points=command.points, sealed=sealed)
        return draft.events

    def offers(state: State) -> list[Command]:
        seat = _seat(state)
        return [] if seat is None else [Predict(seat=seat, points=points) for points in range(highest + 1)]

    return Phase(
        "predictions",
        lambda state: _seat(state) is not None,
        lambda state: Turn(_seat(state), "predictions", ("predict",)),
        {Predict: predict},
        offers,
    )
