"""Plus-Minus: four rounds, each one game until somebody is ahead with seven sticks; the sticks are added up.

The leaflet has no championship. Every stick counts as much at one table as at another, so they can be summed;
then it is the tables won that count.
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
