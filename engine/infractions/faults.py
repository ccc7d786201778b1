"""Faults of one act: refused in a dealt game, marked in a transcript."""

from engine.errors import IllegalCommand
from engine.events import Event, Infraction, InfractionFound
from engine.ledger.state import State
from engine.rules import Draft


class Faults:
    """Collector of the faults of an act other than playing a card.

    Raises IllegalCommand at the first fault of a dealt game, and for an act that is impossible at any table.
    `trick` is the trick that the faults belong to, by default the current one. Acts before the first card
    belong to trick 1, whenever they are recorded.
    """

    __slots__ = ("_codes", "_state", "_trick", "seat")

    def __init__(self, state: State, seat: int = 0, trick: int | None = None) -> None:
        self._state = state
        self._codes: list[Infraction] = []
        self._trick = len(state.tricks) + 1 if trick is None else trick
        self.seat = seat

    def add(self, error: IllegalCommand, code: Infraction = "not_allowed") -> None:
        """Add a fault, or refuse the act in a dealt game."""
        if self._state.mode != "transcribed":
            raise error
        if code not in self._codes:
            self._codes.append(code)

    def check_turn(self, name: str, turn: int | None) -> None:
        """Check that the acting seat exists and is in turn."""
        if self.seat >= self._state.seats:
            raise IllegalCommand(f"{name}/no_such_seat", f"there is no seat {self.seat}", seat=self.seat)
        if self.seat != turn:
            detail = f"it is not the turn of seat {self.seat}"
            self.add(IllegalCommand(f"{name}/not_your_turn", detail, seat=self.seat), "out_of_turn")

    def emit(self, draft: Draft) -> None:
        """Emit the faults after the event of the act, the first of the draft."""
        for code in self._codes:
            at_seq = draft.events[0].seq
            draft.emit(
                InfractionFound(seq=draft.seq, seat=self.seat, trick=self._trick, code=code, at_seq=at_seq)
            )


def with_faults(faults: Faults, draft: Draft) -> list[Event]:
    """Return the events of an act with its faults."""
    faults.emit(draft)
    return draft.events
