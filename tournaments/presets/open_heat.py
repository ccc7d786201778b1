"""Open heat: four sessions in four inns, one table of eight deals a start, as many starts as one likes.

Source: published regulations. People are ranked by their best start, or by the best two of at most five
starts. The game is that of the club's evening. Partners are drawn at each table, or pairs start together.
"""

from msgspec.structs import replace

from tournaments.presets import klubabend
from tournaments.regulations import PairingChoice, Regulations
from tournaments.standings import Counting

_TIE_BREAKS = ("highest_round", "next_highest", "lot")

OPEN_HEAT: Regulations = replace(
    klubabend.REGULATIONS,
    preset="open_heat",
    pairing=PairingChoice(system="open"),
    counting=Counting(what="best", number=1, tie_breaks=_TIE_BREAKS),
)
OPEN_HEAT_BEST_TWO: Regulations = replace(
    OPEN_HEAT,
    preset="open_heat_best_two",
    starts=5,
    counting=Counting(what="best", number=2, tie_breaks=_TIE_BREAKS),
)
OPEN_HEAT_PAIRS: Regulations = replace(
    OPEN_HEAT,
    preset="open_heat_pairs",
    play=replace(OPEN_HEAT.play, format="fixed_pairs"),
)
