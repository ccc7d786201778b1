"""Phase `discards`: whoever took the talon puts as many cards away as came in, unseen by the others."""

from engine.cards import DECK, codes, mask, members
from engine.commands import Command, Discard
from engine.counting import has_ended
from engine.draft import Draft
from engine.errors import IllegalCommand
from engine.events import CardsDiscarded, DiscardsCounted, Event
from engine.phases.trick_play import points_of
from engine.rules import Phase, Turn, check_turn
from engine.state import State


def _surplus(state: State) -> int:
    """How many cards the declarer holds beyond the others."""
    return 0 if state.declarer is None else state.sizes[state.declarer] - min(state.sizes)


def check_own(state: State, seat: int, cards: list[str], count: int, name: str) -> None:
    """Refuse what is not so many different cards of a seat's hand."""
    bits = mask(cards)
    if len(cards) != count or bits.bit_count() != count:
        raise IllegalCommand(f"{name}/wrong_number", f"{count} different cards are named", count=count)
    if state.mode == "dealt" and bits & ~state.hands[seat]:
        missing = codes(bits & ~state.hands[seat])
        raise IllegalCommand(
            f"{name}/not_in_hand", f"{' '.join(missing)}: not in the hand of seat {seat}", cards=missing
        )


def discards() -> Phase:
    """The phase; open while the declarer holds more cards than the others."""

    def discard(state: State, command: Discard) -> list[Event]:
        check_turn("discard", command.seat, state.declarer)
        check_own(state, command.seat, list(command.cards), _surplus(state), "discard")
        draft = Draft(state)
        draft.emit(
            CardsDiscarded,
            seat=command.seat,
            size=len(command.cards),
            cards=codes(mask(command.cards)),
        )
        return draft.events

    def offers(state: State) -> list[Command]:
        seat = state.declarer or 0
        hand, count = members(state.hands[seat]), _surplus(state)
        ring = hand + hand[: count - 1]
        return [
            Discard(seat=seat, cards=[DECK[card] for card in sorted(ring[at : at + count])])
            for at in range(len(hand))
        ]

    return Phase(
        "discards",
        lambda state: _surplus(state) > 0,
        lambda state: Turn(state.declarer, "discards", ("discard",)),
        {Discard: discard},
        offers,
    )


def count_discards(draft: Draft, last: bool) -> None:
    """What declarer put away counts for him after the last trick of the deal whose talon he took."""
    state = draft.state
    seat = state.declarer
    if last and seat is not None and state.won_in == state.deal:
        cards = members(state.extras.discards[seat])
        draft.emit(DiscardsCounted, seat=seat, points=points_of(state, cards) if cards else None)
        has_ended(draft)
