"""Coiffeur: three rounds, each a whole game of twenty deals; partners are drawn each time.

The club's manual has the game and no championship in it: the points on the slate are added up. With three at
a table everyone plays alone and a round has thirty deals. What incidents cost depends on that too, so nothing
is said of it here: `tournaments.incidents` knows.
"""

from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="coiffeur",
    play=GameChoice(variant="coiffeur"),
    rounds=3,
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "direct_encounter", "lot")),
)
