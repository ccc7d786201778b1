"""The variants: one file each, one line here."""

from typing import Final

from engine.rules import Variant

from . import schieber

ALL: Final[tuple[Variant, ...]] = (schieber.SCHIEBER,)
