"""Einzelschieber as many Swiss clubs play it: four rounds of twelve deals, partners drawn each time.

The worst round is dropped. Neither a sweep nor the Stöck gives a bonus, and a round is entered as two totals.
Source: published regulations.
"""

from msgspec.structs import replace

from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import Byes, GameChoice, PairingChoice, Regulations
from tournaments.standings import Counting

REGULATIONS = Regulations(
    preset="einzelschieber",
    play=GameChoice(
        variant="schieber",
        preset="championship",
        options={"sweep_bonus": 0, "stoeck": False, "partner_waits": False},
        mode="sheet",
    ),
    rounds=4,
    deals=12,
    draw="each_round",
    chairs="letters",
    byes=Byes(policy="sit_out", points="average"),
    counting=Counting(
        what="drop_worst",
        number=1,
        tie_breaks=("highest_round", "next_highest", "sweeps", "lot"),
    ),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
AT_START = replace(
    REGULATIONS,
    preset="einzelschieber_at_start",
    pairing=PairingChoice(system="drawn", options={"when": "at_start"}),
    counting=replace(REGULATIONS.counting, what="best", number=3),
)
"""Einzelschieber with all rounds drawn at the start; the best three of four rounds count."""
