"""Phase `discards`: the taker of the talon discards as many cards as the talon had, hidden from the
others.
"""

from collections.abc import Sequence

from engine.cards import DECK, INDEX, codes, mask, members
from engine.commands import Command, Discard
from engine.errors import IllegalCommand
from engine.events import CardsDiscarded, DiscardsCounted, Event
from engine.infractions.faults import Faults, with_faults
from engine.infractions.findings import lacks_card
from engine.ledger.evolve import evolve
from engine.phases.trick_play import count_trick_points
from engine.rules import Draft, GameContext, Phase, Turn, on


def _count_surplus(context: GameContext) -> int:
    """Return by how many cards the hand of the declarer exceeds the smallest hand; 0 without a declarer."""
    state = context.state
    return 0 if state.declarer is None else state.sizes[state.declarer] - min(state.sizes)


def check_own(
    faults: Faults, context: GameContext, seat: int, cards: Sequence[str | None], count: int, name: str
) -> None:
    """Raise IllegalCommand unless the cards are `count` different cards of a seat's hand. `name`: the
    command, as the first part of the code.

    In a transcript cards may be unknown, and a card that is proven not to be in the hand is a fault.
    """
    state = context.state
    bits = mask(cards)
    unknown = cards.count(None)
    if len(cards) != count or bits.bit_count() + unknown != count:
        raise IllegalCommand(f"{name}/wrong_number", f"{count} different cards are named", count=count)
    if unknown and state.mode != "transcribed":
        raise IllegalCommand(f"{name}/card_missing", "the cards must be named")
    missing = [card for card in codes(bits & ~state.hands[seat]) if lacks_card(context, seat, INDEX[card])]
    if missing:
        detail = f"{' '.join(missing)}: not in the hand of seat {seat}"
        faults.add(IllegalCommand(f"{name}/not_in_hand", detail, cards=missing), "not_in_hand")


def discards() -> Phase:
    """Return the phase. It is open while the declarer holds more cards than the others."""

    def discard(context: GameContext, command: Discard) -> list[Event]:
        state = context.state
        faults = Faults(state, command.seat)
        faults.check_turn("discard", state.declarer)
        check_own(faults, context, command.seat, command.cards, _count_surplus(context), "discard")
        draft = Draft(context)
        draft.emit(
            CardsDiscarded(
                seq=draft.seq,
                seat=command.seat,
                size=len(command.cards),
                cards=codes(mask(command.cards)),
            )
        )
        return with_faults(faults, draft)

    def audit_run(context: GameContext, log: Sequence[Event], at: int) -> int:
        """Fold discards of the declarer from a log, and return 1; 0 if the event is not plainly legal."""
        state, event = context.state, log[at]
        if type(event) is not CardsDiscarded or event.seq != at or state.mode != "dealt":
            return 0
        cards, bits = event.cards, mask(event.cards or ())
        if event.seat != state.declarer or bits & ~state.hands[event.seat] or cards != codes(bits):
            return 0
        if not event.size == bits.bit_count() == _count_surplus(context):
            return 0
        evolve(state, event)
        return 1

    def offers(context: GameContext) -> list[Command]:
        state = context.state
        seat = state.declarer or 0
        hand, count = members(state.hands[seat]), _count_surplus(context)
        ring = hand + hand[: count - 1]
        return [
            Discard(seat=seat, cards=[DECK[card] for card in sorted(ring[at : at + count])])
            for at in range(len(hand))
        ]

    return Phase(
        "discards",
        lambda context: _count_surplus(context) > 0,
        lambda context: Turn(context.state.declarer, "discards", ("discard",)),
        on(Discard, discard),
        offers,
        audit_run=audit_run,
        after_last=_count_discards,
    )


def _count_discards(context: GameContext, seq: int) -> list[Event]:
    """Return the event with the points of the declarer's discards, after the last trick of the deal in which
    the declarer took the talon; otherwise no event.
    """
    state = context.state
    seat = state.declarer
    if seat is None or state.won_in != state.deal:
        return []
    cards = members(state.variant_state.discards[seat])
    known = bool(cards) and len(cards) == state.variant_state.discarded
    return [DiscardsCounted(seq=seq, seat=seat, points=count_trick_points(context, cards) if known else None)]
