"""Collector of the faults of one act. A dealt game refuses a fault, and a transcript records it."""

from engine.errors import IllegalCommand
from engine.events import Event, Infraction, InfractionFound
from engine.ledger.state import State
from engine.rules import Draft


class Faults:
    """Collector of the faults of an act other than playing a card.

    In a dealt game the first fault raises IllegalCommand. `trick`: the trick that the faults belong to, by
    default the current one.
    """

    __slots__ = ("_codes", "_state", "_trick", "seat")

    def __init__(self, state: State, seat: int = 0, trick: int | None = None) -> None:
        self._state = state
        self._codes: list[Infraction] = []
        self._trick = len(state.tricks) + 1 if trick is None else trick
        self.seat = seat

    def add(self, error: IllegalCommand, code: Infraction = "not_allowed") -> None:
        """In a transcript, add a fault; in another game, raise `error`."""
        if self._state.mode != "transcribed":
            raise error
        if code not in self._codes:
            self._codes.append(code)

    def check_turn(self, name: str, turn: int | None) -> None:
        """Add a fault if `turn` is not the acting seat. Raises IllegalCommand if there is no such seat.
        `name`: the command, as the first part of the codes.
        """
        if self.seat >= self._state.seats:
            raise IllegalCommand(f"{name}/no_such_seat", f"there is no seat {self.seat}", seat=self.seat)
        if self.seat != turn:
            detail = f"it is not the turn of seat {self.seat}"
            self.add(IllegalCommand(f"{name}/not_your_turn", detail, seat=self.seat), "out_of_turn")

    def emit(self, draft: Draft) -> None:
        """Emit the faults. The first event of the draft is the event of the act."""
        for code in self._codes:
            at_seq = draft.events[0].seq
            draft.emit(
                InfractionFound(seq=draft.seq, seat=self.seat, trick=self._trick, code=code, at_seq=at_seq)
            )


def with_faults(faults: Faults, draft: Draft) -> list[Event]:
    """Emit the faults of an act, and return all events of the draft."""
    faults.emit(draft)
    return draft.events
