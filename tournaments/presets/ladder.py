"""Ladder of tables: everyone alone at tables of four; the best moves up a table, the last down.

Source: published regulations: four tables over eight evenings. The game is Differenzler. The ranking follows
the last round: first by table, then by the points at it.
"""

from tournaments.presets.remedies import DEALT_AGAIN
from tournaments.regulations import GameChoice, PairingChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="ladder",
    play=GameChoice(variant="differenzler"),
    rounds=8,
    deals=4,
    pairing=PairingChoice(system="king"),
    counting=Counting(what="last_round", tie_breaks=("highest_round", "next_highest", "lot")),
    remedies=DEALT_AGAIN,
)
