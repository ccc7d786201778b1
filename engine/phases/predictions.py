"""Phase `predictions`: everyone says how many points he will take, forehand first. In a record, one that is
not known may be told when cards lie already."""

from collections.abc import Iterator

from engine.commands import Command, Predict
from engine.errors import IllegalCommand
from engine.events import Event, PredictionMade, PredictionsRevealed
from engine.infractions.faults import Faults, marked
from engine.ledger.state import State
from engine.rules import Draft, Phase, Table, Turn, from_forehand, on


def _unsaid(state: State) -> Iterator[int]:
    """Who has not said it yet; in a record whose cards lie, also those of whom it is written that nobody
    knows. In the view of a game that is dealt here, the same -1 stands for what another has sealed."""
    missing = (None, -1) if state.begun and state.mode == "transcribed" else (None,)
    return (seat for seat in from_forehand(state) if state.extras.predictions[seat] in missing)


def _seat(table: Table) -> int | None:
    return next(_unsaid(table.state), None)


def _reveal(table: Table, seq: int) -> list[Event]:
    """Sealed predictions are shown when the last card is played."""
    points = table.state.extras.predictions[: table.state.seats]
    told = [None if said is None or said < 0 else said for said in points]
    return [PredictionsRevealed(seq=seq, points=told)]


def predictions(highest: int, sealed: bool) -> Phase:
    """The phase. Nobody hears another's prediction where they are `sealed`; they are shown with the last
    card."""

    def predict(table: Table, command: Predict) -> list[Event]:
        state = table.state
        faults = Faults(state, command.seat, trick=1)
        unsaid = list(_unsaid(state))
        faults.turn("predict", command.seat if state.begun and command.seat in unsaid else unsaid[0])
        if command.seat not in unsaid:
            raise IllegalCommand("predict/made", "a seat predicts once", seat=command.seat)
        if command.points is None and (state.begun or state.mode != "transcribed"):
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
        draft = Draft(table)
        draft.take(PredictionMade(seq=draft.seq, seat=command.seat, points=command.points, sealed=sealed))
        return marked(faults, draft)

    def offers(table: Table) -> list[Command]:
        seat = next(_unsaid(table.state))
        return [Predict(seat=seat, points=points) for points in range(highest + 1)]

    return Phase(
        "predictions",
        lambda table: _seat(table) is not None,
        lambda table: Turn(_seat(table), "predictions", ("predict",)),
        on(Predict, predict),
        offers,
        after_last=_reveal if sealed else None,
        highest_prediction=highest,
    )
