"""Declared melds as announced at the table: the cards of which they may consist, and melds that the record
disproves.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import members
from engine.errors import IllegalCommand
from engine.infractions.findings import Finding, may_have_held
from engine.melds.combinations import EVERY_MELD, get_deciding_card, is_played
from engine.rules import GameContext


class Said(NamedTuple):
    """A declared meld. `top`: the number of its deciding card, -1 if not announced. `may_be`: masks of the
    sets of cards that it may be, one if its cards are known. `counts`: declared in time.
    """

    seat: int
    points: int
    top: int
    may_be: tuple[int, ...]
    counts: bool
    seq: int


def list_possible_contracts(context: GameContext) -> Sequence[str]:
    """Return the possible contracts of the deal."""
    state = context.state
    return context.rules.play.contracts(state.contract, state.slot)


def find_fitting_melds(points: int, top: int, contracts: Sequence[str], low_quads: bool) -> tuple[int, ...]:
    """Return the masks of all melds with these points and this deciding card (-1: not announced) in one of
    the contracts.
    """
    return tuple(
        meld.cards
        for meld in EVERY_MELD
        if meld.points == points
        and is_played(meld, low_quads)
        and (top < 0 or any(get_deciding_card(meld, contract) == top for contract in contracts))
    )


def list_declared_melds(context: GameContext) -> list[Said]:
    """Return every declared meld of the deal with its possible cards, which follow from points, deciding card
    and shown melds.
    """
    state = context.state
    seen = {(said.seat, mask) for said in state.declared for mask in said.melds or ()}
    laid = [shown for shown in state.shown if shown not in seen]
    melds = []
    for said in state.declared:
        for at, (points, top) in enumerate(said.heard):
            may_be = (said.melds or ())[at : at + 1]
            if not may_be:
                may_be = find_fitting_melds(
                    points, top, list_possible_contracts(context), context.rules.play.low_quads
                )
                shown = next(
                    (laid_meld for laid_meld in laid if laid_meld[0] == said.seat and laid_meld[1] in may_be),
                    None,
                )
                if shown is not None:
                    laid.remove(shown)
                    may_be = (shown[1],)
            melds.append(Said(said.seat, points, top, may_be, said.counts, said.seq))
    return melds


def list_possible_sets(context: GameContext, said: Said) -> tuple[int, ...]:
    """Return the masks of a declared meld's cards that its seat may have held."""
    return tuple(
        mask for mask in said.may_be if all(may_have_held(context, said.seat, card) for card in members(mask))
    )


def find_false_melds(context: GameContext) -> list[Finding]:
    """Return a finding for each declared meld that the record disproves."""
    return [
        Finding(
            said.seat, 1 + sum(t.seqs[-1] < said.seq for t in context.state.tricks), "meld_not_held", said.seq
        )
        for said in list_declared_melds(context)
        if not list_possible_sets(context, said)
    ]


def check_heard(context: GameContext, points: int, top: int) -> None:
    """Refuse an announced meld if no meld has these points and this deciding card. Raises IllegalCommand
    `melds/no_meld`.
    """
    if not find_fitting_melds(points, top, list_possible_contracts(context), context.rules.play.low_quads):
        raise IllegalCommand("melds/no_meld", f"no meld counts {points} like that", points=points)
