"""The first dealer of a game."""

from engine.cards import Card
from engine.commands import Deal
from engine.errors import IllegalCommand
from engine.infractions.faults import Faults
from engine.rules import GameContext


def find_first_dealer(
    context: GameContext,
    command: Deal,
    marker: str | None,
    hands: list[tuple[Card | None, ...]],
    faults: Faults,
) -> tuple[int, int]:
    """Return the first dealer, and the seat whose turn to deal it was.

    The dealer is the named seat; else a seat of the side that won the previous game; else the seat before the
    holder of the card `marker`; else the last seat. Naming a seat is a fault if it is not due or, in a dealt
    game, if the marker decides.
    """
    state = context.state
    named = command.dealer
    if named is not None and named >= state.seats:
        raise IllegalCommand("deal/no_such_seat", f"there is no seat {named}", dealer=named)
    if state.won_before is not None:
        sides = context.rules.sides_of(state)
        own = [seat for seat in range(state.seats) if sides[seat] == state.won_before] or range(state.seats)
        if named is None or named in own:
            return (own[0] if named is None else named,) * 2
        what = "a player of the side that won deals"
        faults.add(IllegalCommand("deal/wrong_dealer", what, dealer=named), "wrong_dealer")
        return named, own[0]
    holder = next((seat for seat, hand in enumerate(hands) if marker in hand), None) if marker else None
    if holder is None:
        return (state.seats - 1 if named is None else named,) * 2
    dealer = (holder - 1) % state.seats
    if named is not None and (named != dealer or state.mode == "dealt"):
        what = f"the holder of {marker} is forehand"
        faults.add(IllegalCommand("deal/wrong_dealer", what, dealer=named, marker=marker), "wrong_dealer")
    return dealer if named is None else named, dealer
