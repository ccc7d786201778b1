"""Preset regulations, in order of popularity; the first is the default.

One module per family of games; a preset is pure data.
"""

from typing import Final

from tournaments.presets import (
    bieter,
    coiffeur,
    differenzler,
    einzelschieber,
    klubabend,
    la_pomme,
    lake_constance,
    partnerschieber,
    plus_minus,
    preisjassen,
    santiago,
)
from tournaments.regulations import Regulations

PRESETS: Final[dict[str, Regulations]] = {
    found.preset: found
    for found in (
        klubabend.REGULATIONS,
        einzelschieber.REGULATIONS,
        partnerschieber.REGULATIONS,
        preisjassen.REGULATIONS,
        santiago.REGULATIONS,
        differenzler.REGULATIONS,
        coiffeur.REGULATIONS,
        bieter.REGULATIONS,
        plus_minus.REGULATIONS,
        la_pomme.REGULATIONS,
        lake_constance.REGULATIONS,
    )
}

__all__ = ["PRESETS"]
