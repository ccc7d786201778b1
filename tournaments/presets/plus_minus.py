"""Plus-Minus: four rounds, each one game until a player leads with seven sticks; the sticks are summed.

The leaflet defines no championship. Every stick has the same value at every table, so sticks can be summed.
The number of tables won decides ties.
"""

from tournaments.presets.remedies import DEALT_AGAIN
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="plus_minus",
    play=GameChoice(variant="plus-minus"),
    rounds=4,
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(tie_breaks=("wins", "highest_round", "next_highest", "lot")),
    remedies=DEALT_AGAIN,
)
