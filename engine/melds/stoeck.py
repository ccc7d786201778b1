"""The Stöck, king and queen of trumps in one hand: its cards, holder and points, and its declaration with the
second of its cards. `engine.transcripts.transcript_melds` records late and false ones.
"""

from collections.abc import Sequence
from typing import Final

from engine.card_points import STOECK_POINTS
from engine.cards import INDEX, KING, QUEEN, SUIT_NAMES, Card, codes, mask
from engine.commands import Play, Shown
from engine.errors import IllegalCommand
from engine.events import StoeckDeclared
from engine.ledger.state import State
from engine.rules import Draft, GameContext
from engine.scoring.game_end import end_if_target_reached, finish_deal
from engine.scoring.running_totals import compute_running_totals
from engine.tricks.modes import get_trump

STOECK: Final = tuple((1 << (suit * 9 + QUEEN)) | (1 << (suit * 9 + KING)) for suit in range(4))
"""STOECK[trump suit] is the mask of the two cards."""


def list_stoeck_cards(contract: str | None) -> list[Card]:
    """Return the king and the queen of trumps; empty without trumps."""
    return codes(STOECK[SUIT_NAMES.index(contract)]) if contract in SUIT_NAMES else []


def find_stoeck_holder(context: GameContext) -> int | None:
    """Return the seat that can still declare the Stöck: it holds both cards, or has played one and holds the
    other. None if no seat can.
    """
    state = context.state
    trump = get_trump(state)
    if trump is None or not context.rules.play.stoeck or state.stoeck:
        return None
    pair = STOECK[trump]
    for seat in range(state.seats):
        held = state.hands[seat] & pair
        if held and held | state.played_by(seat) & pair == pair:
            return seat
    return None


def others_hold_stoeck(context: GameContext) -> bool:
    """Return whether a seat other than the declarer holds both cards of a Stöck that counts."""
    state = context.state
    trump = get_trump(state)
    if trump is None or not context.rules.play.stoeck:
        return False
    pair = STOECK[trump]
    return any(hand & pair == pair for seat, hand in enumerate(state.hands) if seat != state.declarer)


def has_played_stoeck(state: State, seat: int, also: int = 0) -> bool:
    """Return whether a seat has played both cards of the Stöck. `also`: mask of further cards."""
    trump = get_trump(state)
    return trump is not None and (state.played_by(seat) | also) & STOECK[trump] == STOECK[trump]


def completes_stoeck(state: State, seat: int, card: int) -> bool:
    """Return whether a card of a seat is the second card of its Stöck."""
    trump = get_trump(state)
    return trump is not None and bool(STOECK[trump] >> card & 1) and has_played_stoeck(state, seat, 1 << card)


def read_stoeck_points(context: GameContext, stoeck: bool | int) -> int:
    """Return the points of a declared Stöck: 20, or -20 if the rules let its holder subtract it. Raises
    IllegalCommand if it may not be declared as `stoeck`.
    """
    play = context.rules.play
    if not play.stoeck:
        raise IllegalCommand("stoeck/not_played", "the Stöck does not count in this game")
    if play.stoeck_signed and stoeck not in (STOECK_POINTS, -STOECK_POINTS):
        raise IllegalCommand(
            "stoeck/choose", "the Stöck is 20 or -20 points, as its holder says", stoeck=stoeck
        )
    if not play.stoeck_signed and stoeck is not True:
        raise IllegalCommand("stoeck/no_choice", "the Stöck is twenty points here", stoeck=stoeck)
    if context.state.stoeck:
        raise IllegalCommand("stoeck/declared_already", "the Stöck has been counted")
    return int(stoeck) if play.stoeck_signed else STOECK_POINTS


def declare_stoeck(draft: Draft, command: Play) -> None:
    """Emit the Stöck. Raises IllegalCommand if it does not count or was not declared with its second card."""
    points = read_stoeck_points(draft.context, command.stoeck or False)
    if not completes_stoeck(draft.state, command.seat, INDEX[command.card]):
        raise IllegalCommand("stoeck/not_second_card", "declared with the second of king and queen of trumps")
    draft.emit(StoeckDeclared(seq=draft.seq, seat=command.seat, points=points))


def declare_shown_stoeck(draft: Draft, shown: Sequence[Shown]) -> bool:
    """Emit the Stöck if the melds that a seat shows contain both cards. Return whether it ended the game."""
    state = draft.state
    trump = get_trump(state)
    if trump is None or not draft.context.rules.play.stoeck or state.stoeck:
        return False
    for seat in range(state.seats):
        laid = 0
        for meld in shown:
            if meld.seat == seat:
                laid |= mask(meld.cards) & STOECK[trump]
        if laid == STOECK[trump]:
            draft.emit(StoeckDeclared(seq=draft.seq, seat=seat, points=STOECK_POINTS))
            if end_if_target_reached(draft):
                return True
    return False


def end_by_stoeck(draft: Draft, rivals: Sequence[int]) -> bool:
    """Declare an undeclared Stöck and end the game if its points reach the target, since the Stöck counts
    before melds and tricks. Return whether the game ended. `rivals`: sides about to reach the target.
    """
    state = draft.state
    play = draft.context.rules.play
    if not play.stoeck_priority or play.targets is None or not play.automatic:
        return False
    seat = find_stoeck_holder(draft.context)
    if seat is None:
        return False
    side = draft.context.rules.sides_of(state)[seat]
    gain = STOECK_POINTS * play.multiplier(state.contract, state.slot)
    if side in rivals or compute_running_totals(draft.context)[side] + gain < play.goals(state)[side]:
        return False
    draft.emit(StoeckDeclared(seq=draft.seq, seat=seat, points=STOECK_POINTS))
    finish_deal(draft, [side])
    return True
