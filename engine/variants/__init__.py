"""The variants, one module each."""

from typing import Final

from engine.rules import AnyVariant
from engine.variants import (
    bieter,
    coiffeur,
    differenzler,
    la_pomme,
    lake_constance,
    plus_minus,
    schieber,
)

ALL: Final[tuple[AnyVariant, ...]] = (
    schieber.SCHIEBER,
    bieter.BIETER,
    differenzler.DIFFERENZLER,
    coiffeur.COIFFEUR,
    la_pomme.LA_POMME,
    plus_minus.PLUS_MINUS,
    lake_constance.LAKE_CONSTANCE,
)
