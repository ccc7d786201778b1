"""Integers and fractions as pages show them. Fractions are rounded to two decimals."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import zip_longest
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournaments.competition import Points

NARROW_COLON: Final = "\u00a0:\u00a0"
"""A colon that keeps two compared values on one line."""


def format_figure(value: Points | str | None) -> str:
    """Format a number, rounded to two decimals, with a typographic minus sign: "−12.5"; "–" for None.
    `value`: a number, or the text "n/d" of a fraction.
    """
    if value is None:
        return "–"
    if isinstance(value, int):
        return str(value).replace("-", "−")
    exact = Fraction(value)
    rounded = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal("0.01"), ROUND_HALF_UP)
    shown = f"{rounded or Decimal(0):f}"  # Decimal has a zero below zero.
    return number_format(shown.rstrip("0").rstrip(".") if "." in shown else shown).replace("-", "−")


def format_difference(value: Points) -> str:
    """Format a difference with its sign: "+20", "−12.5"."""
    return ("+" if value > 0 else "") + format_figure(value)


class Comparison(NamedTuple):
    """A tie-break between two rows in words. `short`: a text with the two values that decide, rounded unless
    they then look equal; `whole`: all values of both, exact; empty if `short` has them already.
    """

    short: str
    whole: str


def describe_comparison(
    what: str, mine: Sequence[Points | None], theirs: Sequence[Points | None], name: str
) -> Comparison:
    """Describe a tie-break: "highest round 702 : 655 against Beat Brunner".

    If each row has several values, the first pair that differs decides. None stands for a missing value.
    """
    pairs = list(zip_longest(mine, theirs))
    deciding = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
    texts = [format_figure(value) for value in deciding]
    if texts[0] == texts[1]:
        texts = [_format_whole(value) for value in deciding]
    sentence = _("%(what)s %(mine)s : %(theirs)s against %(name)s") % {
        "what": what,
        "mine": texts[0],
        "theirs": texts[1],
        "name": name,
    }
    whole = NARROW_COLON.join(" / ".join(map(_format_whole, values)) or "–" for values in (mine, theirs))
    short = sentence.replace(" : ", NARROW_COLON, 1)
    return Comparison(short, "" if whole in short else whole)


def _format_whole(value: Points | None) -> str:
    """Return "12", or "12.33 (37/3)" if rounding changes the value; "–" without a value."""
    if value is None or isinstance(value, int) or value * 100 == int(value * 100):
        return format_figure(value)
    return f"{format_figure(value)} ({value.numerator}/{value.denominator})".replace("-", "−")
