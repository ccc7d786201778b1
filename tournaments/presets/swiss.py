"""Swiss system for pairs: seven rounds of eight deals; neighbours in the ranking meet.

Source: published regulations (tournaments.md), for 20 to 200 pairs. The rules of play are those of the
Partnerschieber; points rank.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import GameChoice, PairingChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="swiss_pairs",
    play=GameChoice(
        variant="schieber",
        preset="partnerschieber",
        options={"partner_waits": False},
        format="fixed_pairs",
        mode="sheet",
    ),
    rounds=7,
    deals=8,
    pairing=PairingChoice(system="swiss"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "sweeps", "direct_encounter", "lot")),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
