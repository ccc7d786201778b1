"""Declarations with a card: every meld with the first card, the Stöck with the second card of the Stöck."""

from typing import Literal

from engine import Command, IllegalCommand, State, cards, decide
from engine.card_points import STOECK_POINTS
from engine.cards import NINE, SUIT_MASK, members
from engine.commands import Play
from engine.melds.stoeck import completes_stoeck
from engine.registry import get_rules


def list_meld_masks(hand: int, low_quads: bool = True) -> list[int]:
    """Return, as masks, all runs of three and more cards and all fours of a kind in a hand. Runs do not
    overlap each other, nor do fours. `low_quads`: fours below the nine count too.
    """
    melds = []
    for suit in range(4):
        run: list[int] = []
        for card in [*members(hand & SUIT_MASK[suit]), -1]:
            if run and card != run[-1] + 1:
                if len(run) >= 3:
                    melds.append(sum(1 << c for c in run))
                run = []
            run.append(card)
    for rank in range(0 if low_quads else NINE, 9):
        quad = sum(1 << (suit * 9 + rank) for suit in range(4))
        if hand & quad == quad:
            melds.append(quad)
    return melds


def build_play(state: State, seat: int, card: int, lacking: float = 0.0) -> Command:
    """Return the command that plays a card with its declarations, or without them if they are illegal. If the
    fewest points win, only a Stöck with a sign is declared. `lacking`: the points that the seat lacks for its
    goal; they decide the sign.
    """
    bare = Play(seat=seat, card=cards.DECK[card])
    rules = get_rules(state)
    melds, fewest = None, rules.variant.aim.points == "fewest"
    if rules.play.melds and not state.tricks and not fewest:
        melds = [
            list(cards.codes(m)) for m in list_meld_masks(state.hands[seat], rules.play.low_quads)
        ] or None
    stoeck = rules.play.stoeck and not state.stoeck and completes_stoeck(state, seat, card)
    if melds is None and not stoeck:
        return bare
    points = _signed(lacking) if rules.play.stoeck_signed else None if fewest else True
    full = Play(seat=seat, card=bare.card, melds=melds, stoeck=points if stoeck else None)
    try:
        decide(state, full)
    except IllegalCommand:
        return bare
    return full


def _signed(lacking: float) -> Literal[20, -20] | None:
    if abs(lacking) < STOECK_POINTS / 2:
        return None
    return 20 if lacking > 0 else -20
