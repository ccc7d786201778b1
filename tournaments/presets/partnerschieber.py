"""Partnerschieber: people who enter as a pair stay together; five rounds of eight deals, 50 for a sweep.

Source: published regulations. Both sides sign the totals of a round, on paper.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="partnerschieber",
    play=GameChoice(
        variant="schieber",
        preset="partnerschieber",
        options={"partner_waits": False},
        format="fixed_pairs",
        mode="sheet",
    ),
    rounds=5,
    deals=8,
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "sweeps", "direct_encounter", "lot")),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
