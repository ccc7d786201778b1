"""Preisjassen as at village fairs: two rounds of eight deals; the winner is nearest to a secret number.

Source: published regulations. The number is drawn from 1100 to 1450, around the average total of two rounds.
It stays secret until the end, and follows from the seed of the last round, which is committed to beforehand.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="preisjassen",
    play=GameChoice(
        variant="schieber", preset="championship", options={"partner_waits": False}, mode="sheet"
    ),
    rounds=2,
    deals=8,
    byes=Byes(policy="house"),
    counting=Counting(what="nearest", least=1100, most=1450, tie_breaks=("highest_round", "lot")),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
