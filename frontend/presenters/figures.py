"""Exact numbers as figures on pages."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournaments.competition import Points

NARROW_COLON: Final = "\u00a0:\u00a0"
"""Keeps two compared values on one line."""


def format_exact(value: Points | str) -> str:
    """Format an exact number, also one written "n/d", rounded to two decimals."""
    if isinstance(value, int):
        return str(value).replace("-", "−")
    exact = Fraction(value)
    rounded = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal("0.01"), ROUND_HALF_UP)
    shown = f"{rounded or Decimal(0):f}"  # Decimal has a zero below zero.
    return number_format(shown.rstrip("0").rstrip(".") if "." in shown else shown).replace("-", "−")


def format_difference(value: Points) -> str:
    """Format a difference with its sign: "+20", "−12.5"."""
    return ("+" if value > 0 else "") + format_exact(value)


def format_signed_points(points: Points | str) -> str:
    """Format points with a typographic minus sign: "−12"."""
    return str(points).replace("-", "−") if isinstance(points, int) else format_exact(points)


def describe_comparison(what: str, mine: str, theirs: str, name: str) -> str:
    """Describe a tie-break: "highest round 702 : 655 against Beat Brunner"."""
    said = _("%(what)s %(mine)s : %(theirs)s against %(name)s") % {
        "what": what,
        "mine": mine,
        "theirs": theirs,
        "name": name,
    }
    return said.replace(" : ", NARROW_COLON, 1)
