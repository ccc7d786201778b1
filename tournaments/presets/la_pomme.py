"""La Pomme: two at a table, five rounds of one game to seven points; ranked by games won, then points.

The rule sheet has no championship. Players with as many wins are ranked by their points (apples taken off) in
all games.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="la_pomme",
    play=GameChoice(variant="la-pomme", credit="wins"),
    rounds=5,
    byes=Byes(policy="sit_out", points="fixed", fixed=1),
    counting=Counting(tie_breaks=("table_points", "direct_encounter", "lot")),
    remedies=OTHER_SIDE,
)
