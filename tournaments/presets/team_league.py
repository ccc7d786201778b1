"""Team league: teams of four, each of which meets every other team at two tables side by side, over seven
rounds.

The ranking is by victory points: a scale converts the difference of both tables together. Ties are broken by
the encounters of level teams, then by points. A bye gives 12 of 20 victory points. The rules of play are
those of the Partnerschieber.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, PairingChoice, Regulations
from tournaments.standings import Counting
from tournaments.standings.match_points import DEFAULT_SCALE

REGULATIONS = Regulations(
    preset="team_league",
    play=GameChoice(
        variant="schieber",
        preset="partnerschieber",
        options={"partner_waits": False},
        format="pairs",
        mode="sheet",
    ),
    rounds=7,
    deals=8,
    pairing=PairingChoice(system="round_robin"),
    byes=Byes(points="fixed", fixed=12),
    counting=Counting(
        what="victory_points",
        scale=tuple(DEFAULT_SCALE),
        tie_breaks=("direct_encounter", "table_points", "lot"),
    ),
    entrants="teams",
    team_size=4,
    hand_in="totals",
    remedies=OTHER_SIDE,
)
