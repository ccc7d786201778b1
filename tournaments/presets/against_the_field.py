"""The same cards at all tables: six rounds of four deals for fixed pairs, counted against the field.

Source: published regulations, for 12 pairs and 24 deals. The rules of play are those of the Partnerschieber.
Each pair meets an opponent that it has not met before. Each deal compares a pair with all pairs that held the
same cards.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import GameChoice, PairingChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="against_the_field",
    play=GameChoice(
        variant="schieber",
        preset="partnerschieber",
        options={"partner_waits": False},
        format="fixed_pairs",
        credit="field",
    ),
    rounds=6,
    deals=4,
    same_cards=True,
    pairing=PairingChoice(system="fixed_pairs"),
    counting=Counting(tie_breaks=("table_points", "highest_round", "next_highest", "lot")),
    remedies=OTHER_SIDE,
)
