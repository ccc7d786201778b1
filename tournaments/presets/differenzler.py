"""Differenzler: four rounds of four deals, everyone alone; the fewest points of difference win.

Source: published regulations. The rules of play are the defaults of the game.
"""

from tournaments.presets.remedies import DEALT_AGAIN
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="differenzler",
    play=GameChoice(variant="differenzler"),
    rounds=4,
    deals=4,
    byes=Byes(policy="sit_out", three="scaled", points="average"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "lot")),
    remedies=DEALT_AGAIN,
)
