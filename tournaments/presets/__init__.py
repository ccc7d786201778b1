"""Regulations to start from. One file a family; a preset is data and nothing else."""

from typing import Final

from tournaments.presets import einzelschieber, santiago
from tournaments.regulations import Regulations

PRESETS: Final[dict[str, Regulations]] = {
    found.preset: found for found in (santiago.REGULATIONS, einzelschieber.REGULATIONS)
}

__all__ = ["PRESETS"]
