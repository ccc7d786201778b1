"""Limits of a bot's effort before one decision, in cards that it may play in rollouts. They are not in
seconds, so that the same state gives the same command on every machine.
"""

from typing import Final

EFFORT: Final = 3000
"""Cards that a bot may play in rollouts before it plays a card. A slow computer needs a lower limit."""
MAX_WORLDS: Final = 60
"""Upper limit of guessed worlds for a card, save in random rollouts. Early in a deal EFFORT allows fewer."""
A_WORLD: Final = 20
"""Effort per world of random rollouts."""
AN_AIMED_WORLD: Final = 40
"""Effort per world of random rollouts if one seat plays towards its prediction, which takes more time."""
BEFORE_PLAY: Final = 3
"""Effort of the choice of a contract, as a multiple of the effort of a card."""
MAX_CONTRACTS: Final = 4
"""Number of contracts that are rolled out: those with the highest values of `contract_choice`."""
MAX_NODES: Final = 8000
"""Cards that the search of an ending may try for one move: some 40 ms of processor time."""
