"""Decisions in an auction: bid by the smallest steps up to the expected points of the hand, then pass;
concede a deal that cannot be won.
"""

from typing import Final

from engine import Command, State, list_offers
from engine.commands import Accept, Bid, Concede, Defer, Pass
from engine.contracts import CONTRACTS
from engine.registry import build_game_context, get_rules
from engine.scoring.running_totals import compute_running_totals
from games.bots import contract_estimates
from games.bots.reckoning import expected_points, knowledge

GAME_BASE: Final = 0.49
"""The points that a declarer with an average hand makes in a whole game, as a share of the opponents'
target.
"""
GAME_SLOPE: Final = 2.2
"""Points of the game for each point by which the first hand with the open talon exceeds the average."""
AVERAGE: Final = 94.0
"""The points of an average hand under its best contract."""
DOUBT: Final = 15
"""Points. A bot defers its bid, if the rules allow it, while the worth of its hand is within this distance of
the lowest possible bid.
"""
MAX_DEALS_WITHOUT_BID: Final = 2
"""Number of deals in a row without a bid after which the first seat bids with any hand."""
HOPELESS: Final = 14.0
"""Expected points of a hand below which its side concedes the deal."""


def choose_bid(state: State, seat: int, seed: bytes) -> Command:
    """Return the command of a bot whose turn it is in an auction: a bid, a deferral or a pass. `seed` is
    unused.
    """
    offered = list_offers(state)
    bids = [command for command in offered if isinstance(command, Bid)]
    give_up = next(command for command in offered if isinstance(command, Pass))
    if not bids:
        return give_up
    least = min(bids, key=lambda bid: bid.points)
    limit = estimate_highest_bid(state, seat)
    defer = next((command for command in offered if isinstance(command, Defer)), None)
    if not state.variant_state.bids and state.deal - state.won_in > MAX_DEALS_WITHOUT_BID:
        return least
    if defer is not None and least.points - DOUBT <= limit < least.points + DOUBT:
        return defer
    return least if least.points <= limit else give_up


def estimate_highest_bid(state: State, seat: int) -> float:
    """Return the highest bid worth making, in points of this deal, or of the game if bids set its target."""
    play = get_rules(state).play
    points = contract_estimates.find_best_contract(
        state, state.hands[seat] | state.variant_state.talon_open, list_nameable_contracts(state)
    )[0]
    if None not in (play.targets or ()):
        return points
    return GAME_BASE * min(play.goals(state)) + GAME_SLOPE * (points - AVERAGE)


def list_nameable_contracts(state: State) -> list[str]:
    """Return the contracts that the winner of an auction may choose."""
    named = [contract for phase in get_rules(state).phases for contract in phase.contracts]
    return named or list(CONTRACTS[:4])


def concede_or_play(state: State, seat: int, seed: bytes) -> Command:
    """Return Concede if the game has targets, the hand can take almost nothing, and conceding does not lose
    the game; otherwise Accept.
    """
    look = knowledge.build_knowledge(state, seat)
    play = get_rules(state).play
    points = play.deal_points
    if (
        expected_points.estimate_points(look, look.hand, points, state.sizes[0]) >= HOPELESS
        or play.targets is None
    ):
        return Accept(seat=seat)
    own = get_rules(state).sides_of(state)[seat]
    lost = any(
        now + points + 20 >= goal
        for side, (now, goal) in enumerate(
            zip(compute_running_totals(build_game_context(state)), play.goals(state), strict=True)
        )
        if side != own
    )
    return Accept(seat=seat) if lost else Concede(seat=seat)
