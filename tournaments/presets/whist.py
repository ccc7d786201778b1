"""Whist: everybody partners everybody, 16 people in 15 rounds of four deals, or any number that has a design.

Source: published regulations: 13, 16, 17 or 20 people on a long weekend.
"""

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import GameChoice, PairingChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="whist",
    play=GameChoice(
        variant="schieber", preset="championship", options={"partner_waits": False}, mode="sheet"
    ),
    rounds=15,
    deals=4,
    pairing=PairingChoice(system="whist"),
    counting=Counting(tie_breaks=("highest_round", "next_highest", "lot")),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
