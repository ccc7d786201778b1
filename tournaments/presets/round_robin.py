"""Round robin: each pair meets every other pair, for eight pairs in seven rounds of eight deals.

The rules of play are those of the Partnerschieber.
"""

from tournaments.presets import partnerschieber
from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import PairingChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="round_robin",
    play=partnerschieber.REGULATIONS.play,
    rounds=7,
    deals=8,
    pairing=PairingChoice(system="round_robin"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "sweeps", "direct_encounter", "lot")),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
