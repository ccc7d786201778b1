"""Lake Constance: two at a table, five rounds of one game to five strokes; ranked by wins, then strokes.

The rule sheet has no championship; the preset counts as that of La Pomme does.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="lake_constance",
    play=GameChoice(variant="lake-constance", credit="wins"),
    rounds=5,
    byes=Byes(policy="sit_out", points="fixed", fixed=1),
    counting=Counting(tie_breaks=("table_points", "direct_encounter", "lot")),
    remedies=OTHER_SIDE,
)
