"""Exact numbers as figures on pages."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from django.utils.formats import number_format

from tournaments.competition import Points


def format_exact(value: Points | str) -> str:
    """Format an exact number, also one written "n/d", rounded to two decimals."""
    exact = Fraction(value)
    rounded = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return number_format(f"{rounded:f}".rstrip("0").rstrip(".")).replace("-", "−")


def format_signed_points(points: Points | str) -> str:
    """Format points with a typographic minus sign: "−12"."""
    return str(points).replace("-", "−") if isinstance(points, int) else format_exact(points)
