"""Preset regulations, in order of popularity; the first is the default. A preset is pure data."""

from typing import Final

from tournaments.presets import (
    against_the_field,
    bieter,
    coiffeur,
    cup,
    differenzler,
    einzelschieber,
    klubabend,
    la_pomme,
    ladder,
    lake_constance,
    open_heat,
    partnerschieber,
    plus_minus,
    preisjassen,
    round_robin,
    santiago,
    sections,
    swiss,
    team_league,
    whist,
)
from tournaments.regulations import Regulations

PRESETS: Final[dict[str, Regulations]] = {
    found.preset: found
    for found in (
        klubabend.REGULATIONS,
        einzelschieber.REGULATIONS,
        einzelschieber.AT_START,
        partnerschieber.REGULATIONS,
        preisjassen.REGULATIONS,
        santiago.REGULATIONS,
        differenzler.REGULATIONS,
        coiffeur.REGULATIONS,
        bieter.REGULATIONS,
        plus_minus.REGULATIONS,
        la_pomme.REGULATIONS,
        lake_constance.REGULATIONS,
        cup.CUP,
        cup.CUP_BEST_OF_THREE,
        round_robin.REGULATIONS,
        swiss.REGULATIONS,
        whist.REGULATIONS,
        sections.REGULATIONS,
        team_league.REGULATIONS,
        ladder.REGULATIONS,
        against_the_field.REGULATIONS,
        open_heat.OPEN_HEAT,
        open_heat.OPEN_HEAT_BEST_TWO,
        open_heat.OPEN_HEAT_PAIRS,
    )
}

__all__ = ["PRESETS"]
