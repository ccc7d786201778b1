"""Bieter: three at a table, a round is one game; wins count, not points.

The club's manual describes the game without a championship. Bids differ too much for points to be added up.
Instead everyone gets a win for each opponent beaten: the declarer can get two, each of the others one.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="bieter",
    play=GameChoice(variant="bieter", credit="wins"),
    rounds=4,
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(tie_breaks=("wins", "table_points", "lot")),
    remedies=OTHER_SIDE,
)
