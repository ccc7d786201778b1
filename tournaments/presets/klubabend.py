"""A club's evening: four rounds of eight deals, partners drawn each time, totals entered.

A deal has 157 points, without a bonus for a sweep or the Stöck. So one number is a table's result: 1256 minus
it is the other side's total. Source: published regulations; both sides sign on paper.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="klubabend",
    play=GameChoice(
        variant="schieber", preset="einzelschieber", options={"partner_waits": False}, mode="sheet"
    ),
    rounds=4,
    deals=8,
    draw="each_round",
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "direct_encounter", "lot")),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
