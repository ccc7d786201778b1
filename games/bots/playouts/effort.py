"""The effort of a bot before one decision, in cards that it may play in rollouts; not in seconds, so that the
same state gives the same command on every machine.
"""

from typing import Final

EFFORT: Final = 3000
"""Cards that may be played in rollouts for one real card. A slow computer needs less."""
MAX_WORLDS: Final = 60
"""Upper limit of guessed worlds, however few cards are left. Early in a deal EFFORT allows fewer."""
A_WORLD: Final = 20
"""Effort per world of random rollouts."""
AN_AIMED_WORLD: Final = 40
"""Effort per world if one seat aims, which costs more to play."""
BEFORE_PLAY: Final = 3
"""Effort of a decision before play, as a multiple of the effort of a card."""
MAX_CONTRACTS: Final = 4
"""Contracts that are rolled out; the others have lower values at first sight."""
MAX_NODES: Final = 8000
"""Cards tried in the search of an ending for one move: some 40 ms of a processor."""
