"""Phase `discards`: whoever took the talon puts as many cards away as came in, unseen by the others."""

from collections.abc import Sequence

from engine.cards import DECK, INDEX, codes, mask, members
from engine.commands import Command, Discard
from engine.errors import IllegalCommand
from engine.events import CardsDiscarded, DiscardsCounted, Event
from engine.infractions.faults import Faults, marked
from engine.infractions.findings import may_not_hold
from engine.ledger.evolve import evolve
from engine.phases.trick_play import points_of
from engine.rules import Draft, Phase, Table, Turn, on


def _surplus(table: Table) -> int:
    """How many cards the declarer holds beyond the others."""
    state = table.state
    return 0 if state.declarer is None else state.sizes[state.declarer] - min(state.sizes)


def check_own(
    faults: Faults, table: Table, seat: int, cards: Sequence[str | None], count: int, name: str
) -> None:
    """Refuse what is not so many different cards of a seat's hand. In a transcript cards may be unknown, and
    one that is proven not to be in the hand is a fault."""
    state = table.state
    bits = mask(cards)
    unknown = cards.count(None)
    if len(cards) != count or bits.bit_count() + unknown != count:
        raise IllegalCommand(f"{name}/wrong_number", f"{count} different cards are named", count=count)
    if unknown and state.mode != "transcribed":
        raise IllegalCommand(f"{name}/card_missing", "the cards must be named")
    missing = [card for card in codes(bits & ~state.hands[seat]) if may_not_hold(table, seat, INDEX[card])]
    if missing:
        detail = f"{' '.join(missing)}: not in the hand of seat {seat}"
        faults.found(IllegalCommand(f"{name}/not_in_hand", detail, cards=missing), "not_in_hand")


def discards() -> Phase:
    """The phase; open while the declarer holds more cards than the others."""

    def discard(table: Table, command: Discard) -> list[Event]:
        state = table.state
        faults = Faults(state, command.seat)
        faults.turn("discard", state.declarer)
        check_own(faults, table, command.seat, command.cards, _surplus(table), "discard")
        draft = Draft(table)
        draft.take(
            CardsDiscarded(
                seq=draft.seq,
                seat=command.seat,
                size=len(command.cards),
                cards=codes(mask(command.cards)),
            )
        )
        return marked(faults, draft)

    def audit_run(table: Table, log: Sequence[Event], at: int) -> int:
        """Follow a declarer who puts away what he holds."""
        state, event = table.state, log[at]
        if type(event) is not CardsDiscarded or event.seq != at or state.mode != "dealt":
            return 0
        cards, bits = event.cards, mask(event.cards or ())
        if event.seat != state.declarer or bits & ~state.hands[event.seat] or cards != codes(bits):
            return 0
        if not event.size == bits.bit_count() == _surplus(table):
            return 0
        evolve(state, event)
        return 1

    def offers(table: Table) -> list[Command]:
        state = table.state
        seat = state.declarer or 0
        hand, count = members(state.hands[seat]), _surplus(table)
        ring = hand + hand[: count - 1]
        return [
            Discard(seat=seat, cards=[DECK[card] for card in sorted(ring[at : at + count])])
            for at in range(len(hand))
        ]

    return Phase(
        "discards",
        lambda table: _surplus(table) > 0,
        lambda table: Turn(table.state.declarer, "discards", ("discard",)),
        on(Discard, discard),
        offers,
        audit_run=audit_run,
        after_last=_count,
    )


def _count(table: Table, seq: int) -> list[Event]:
    """What declarer put away counts for him after the last trick of the deal whose talon he took."""
    state = table.state
    seat = state.declarer
    if seat is None or state.won_in != state.deal:
        return []
    cards = members(state.extras.discards[seat])
    known = bool(cards) and len(cards) == state.extras.discarded
    return [DiscardsCounted(seq=seq, seat=seat, points=points_of(table, cards) if known else None)]
