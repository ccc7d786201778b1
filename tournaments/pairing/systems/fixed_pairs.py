"""Pairs that stay together; opponents are drawn, nobody twice while that is possible."""

from tournaments.competition import Competition
from tournaments.pairing.systems.drawn import solve
from tournaments.pairing.systems.system import NextRound, Options, PairingSystem


class FixedPairsOptions(Options, frozen=True, kw_only=True):
    """No options."""


def _next_round(competition: Competition, options: FixedPairsOptions) -> NextRound | None:
    return solve(competition, competition.past, 1)[0]


SYSTEM = PairingSystem(
    key="fixed_pairs",
    title="Fixed pairs, opponents drawn",
    options=FixedPairsOptions,
    sizes=(4,),
    kinds=("pair",),
    next_round=_next_round,
)
