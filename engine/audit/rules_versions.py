"""Comparison of a log's rules version with this engine's.

A log of an older version stays replayable, since events carry their consequences and the fold
(`engine.ledger.evolve`) has no rules. Its audit may differ without an error in the log.
"""

from collections.abc import Sequence

from engine.errors import CorruptLog
from engine.events import Event, GameStarted
from engine.registry import VARIANTS


def has_other_rules(log: Sequence[Event]) -> bool:
    """Return whether a game was played under another rules version than this engine's. Raises CorruptLog for
    an unknown game.
    """
    start = log[0] if log else None
    if not isinstance(start, GameStarted) or start.variant not in VARIANTS:
        raise CorruptLog("log/unknown_rules", "the log does not begin with a game known here")
    return start.rules_version != VARIANTS[start.variant].rules_version
