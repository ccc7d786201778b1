"""Cups of pairs by knock-out: with matches of one game, or of the best of three games over some weeks.

Source: published regulations. A cup with matches of one game is for up to 16 pairs, with a match for place 3;
a smaller field plays fewer rounds.
"""

from msgspec.structs import replace

from tournaments.presets import partnerschieber
from tournaments.presets.remedies import OTHER_SIDE
from tournaments.regulations import PairingChoice, Regulations
from tournaments.standings import Counting

CUP = Regulations(
    preset="cup",
    play=partnerschieber.REGULATIONS.play,
    rounds=4,
    deals=8,
    pairing=PairingChoice(system="knock_out", options={"third": True}),
    counting=Counting(),
    hand_in="totals",
    remedies=OTHER_SIDE,
)
CUP_BEST_OF_THREE = replace(
    CUP,
    preset="cup_best_of_three",
    rounds=12,
    pairing=PairingChoice(system="knock_out", options={"best_of": 3, "third": True}),
)
