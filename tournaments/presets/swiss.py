"""Swiss system for pairs: seven rounds of eight deals; neighbours in the ranking meet.

Source: published regulations, for 20 to 200 pairs. The rules of play are those of the Partnerschieber. The
ranking is by victory points, then by Buchholz. A bye gives 12 of 20 victory points, as is usual in bridge.
"""

from tournaments.presets import partnerschieber
from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, PairingChoice, Regulations
from tournaments.standings import Counting
from tournaments.standings.match_points import DEFAULT_SCALE

REGULATIONS = Regulations(
    preset="swiss_pairs",
    play=partnerschieber.REGULATIONS.play,
    rounds=7,
    deals=8,
    pairing=PairingChoice(system="swiss"),
    byes=Byes(points="fixed", fixed=12),
    counting=Counting(
        what="victory_points",
        scale=tuple(DEFAULT_SCALE),
        tie_breaks=("buchholz", "table_points", "direct_encounter", "lot"),
    ),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
