"""What is against the rules in one act: refused where they are enforced, marked where a table is written
down."""

from engine.errors import IllegalCommand
from engine.events import Event, Infraction, InfractionFound
from engine.ledger.state import State
from engine.rules import Draft


class Faults:
    """The faults of what a seat says or does beside playing a card. Raises IllegalCommand at the first one
    in a game that the server plays, and for what no table can have.

    `trick` is the one they belong to, if not that being played: what is said before the first card belongs to
    the first, whenever it is told."""

    __slots__ = ("_codes", "_state", "_trick", "seat")

    def __init__(self, state: State, seat: int = 0, trick: int | None = None) -> None:
        self._state = state
        self._codes: list[Infraction] = []
        self._trick = len(state.tricks) + 1 if trick is None else trick
        self.seat = seat

    def found(self, error: IllegalCommand, code: Infraction = "not_allowed") -> None:
        """Something is against the rules."""
        if self._state.mode != "transcribed":
            raise error
        if code not in self._codes:
            self._codes.append(code)

    def turn(self, name: str, turn: int | None) -> None:
        """A seat acts that may not be the one whose turn it is."""
        if self.seat >= self._state.seats:
            raise IllegalCommand(f"{name}/no_such_seat", f"there is no seat {self.seat}", seat=self.seat)
        if self.seat != turn:
            detail = f"it is not the turn of seat {self.seat}"
            self.found(IllegalCommand(f"{name}/not_your_turn", detail, seat=self.seat), "out_of_turn")

    def mark(self, draft: Draft) -> None:
        """Write the faults down after the event of the act, which is the first of the draft."""
        for code in self._codes:
            at_seq = draft.events[0].seq
            draft.take(
                InfractionFound(seq=draft.seq, seat=self.seat, trick=self._trick, code=code, at_seq=at_seq)
            )


def marked(faults: Faults, draft: Draft) -> list[Event]:
    """The events of an act, with its faults."""
    faults.mark(draft)
    return draft.events
