"""Comparison of melds: which of two is better, and which side's melds score.

Declarations are compared as far as they are known. If they do not decide which side has the best meld, the
result stays open until a side shows melds, since only the scoring side shows its melds.
"""

from collections.abc import Sequence

from engine.cards import JACK, RANK_OF, SUIT_NAMES, SUIT_OF, members
from engine.contracts import BOTTOM_UP, first_mode
from engine.melds.combinations import declared_as, get_deciding_card
from engine.melds.declared_melds import Said, list_possible_contracts, list_possible_sets
from engine.rules import GameContext


def rank(mask: int, contract: str, tie: str) -> tuple[int, int, int, bool]:
    """Return the sort key of a meld; higher is better.

    It compares points, number of cards, top card (bottom-up: lowest card), then trumps: with `tie` "puur" the
    sequence with the trump jack is better, with "trump" any sequence in trumps.
    """
    trump = SUIT_NAMES.index(contract) if contract in SUIT_NAMES else None
    meld = declared_as(mask)
    top = RANK_OF[get_deciding_card(meld, contract)]
    in_trumps = trump is not None and not meld.quad and SUIT_OF[members(mask)[0]] == trump
    if tie == "puur" and in_trumps and trump is not None:
        in_trumps = bool(mask >> (trump * 9 + JACK) & 1)
    upside_down = first_mode(contract) == BOTTOM_UP
    return (meld.points, mask.bit_count(), -top if upside_down else top, in_trumps)


def find_best_seats(said: Sequence[Said], contract: str, tie: str) -> set[int]:
    """Return the seats that may have the best single meld. Of equal melds the first declared is better."""
    ranks = [[(rank(mask, contract, tie), -at) for mask in meld.may_be] for at, meld in enumerate(said)]
    return {
        meld.seat
        for meld, own in zip(said, ranks, strict=True)
        if all(max(own) > min(rival) for rival in ranks if rival is not own)
    }


def find_scoring_side(context: GameContext, counting: Sequence[Said]) -> int | None:
    """Return the side whose melds score; None if it is open. `counting`: all melds declared in time."""
    state = context.state
    sides = context.rules.sides_of(state)
    said = [meld._replace(may_be=list_possible_sets(context, meld) or meld.may_be) for meld in counting]
    tie = context.rules.play.meld_tie
    possible_sides = {
        sides[seat]
        for contract in list_possible_contracts(context)
        for seat in find_best_seats(said, contract, tie)
    }
    if len(possible_sides) > 1:
        possible_sides &= {sides[seat] for seat, _ in state.shown}
    return possible_sides.pop() if len(possible_sides) == 1 else None
