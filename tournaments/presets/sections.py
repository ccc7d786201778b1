"""Section against section: an Einzelschieber of four rounds of eight deals, and a ranking of teams.

A section enters teams of eight. The total of a team is the sum of its best six. Members of one team meet only
if necessary. Source: published regulations. The rules of play are those of the Einzelschieber.
"""

from tournaments.presets import einzelschieber
from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Regulations
from tournaments.standings import Counting, TeamCounting

REGULATIONS = Regulations(
    preset="sections",
    play=einzelschieber.REGULATIONS.play,
    rounds=4,
    deals=8,
    counting=Counting(tie_breaks=("highest_round", "next_highest", "sweeps", "lot")),
    teams=TeamCounting(size=8, best=6),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
