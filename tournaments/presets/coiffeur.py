"""Coiffeur: three rounds, each a whole game of twenty deals; partners are drawn each time.

The club's manual describes the game without a championship: the points on the slate are added up. With three
at a table everyone plays alone and a round has thirty deals. The remedies depend on the number of players, so
the preset has none; see `tournaments.incident_kinds`.
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
