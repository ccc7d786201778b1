"""One deal at all tables that played it with the same cards: a line for each table, and the spread of the
points as a drawing. The datum is the mean of a side over all these tables.

This module computes the geometry and the template draws it: widths are relative, heights are pixels.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.presenters.tables.commentary import EventNarrator
from frontend.presenters.tables.tables import seat_mark
from frontend.presenters.words.figures import format_difference, format_figure
from games.models import Game
from tournaments.models import Entry
from tournaments.regulations import Regulations
from tournaments.services.scores.deal_comparison import ComparedDeal, DealAtTable

ROW: Final = 14
"""Height of a row of dots in pixels. Dots of tables with the same points are piled up."""
TOP: Final = 26
"""Height of the axis above the dots, in pixels."""
MARGIN: Final = 4
"""Free space at both ends, in percent of the width."""


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One side at one table. people: number and name of each, for links to their pages; difference: to the
    mean of the other tables; leads: it is positive.
    """

    people: tuple[tuple[int, str], ...]
    points: str
    difference: str
    leads: bool


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One table in the comparison of a deal. `contract`: with its declarer; `said`: texts on melds, Stöck and
    sweep.
    """

    number: int
    url: str
    contract: str
    said: tuple[str, ...]
    sides: tuple[ComparedSide, ...]


@dataclass(frozen=True, slots=True)
class SpreadDot:
    x: str
    y: int
    label: str


@dataclass(frozen=True, slots=True)
class Spread:
    """The points of one side at all tables, as a drawing. datum: the mean as text, at the position `mean_x`;
    height: in pixels; ticks: labelled points with their positions; said: a summary for screen readers.
    """

    label: str
    datum: str
    mean_x: str
    height: int
    ticks: tuple[tuple[int, str], ...]
    dots: tuple[SpreadDot, ...]
    said: str


@dataclass(frozen=True, slots=True)
class DealSummary:
    """A line of the list of deals. tables: how many played it; `sides`: for each side the datum, and the
    range from least to most points.
    """

    deal: int
    tables: int
    sides: tuple[tuple[str, str], ...]


def name_sides_of_round(regulations: Regulations) -> list[str]:
    """Return a label for each side: "A and C", or "odd chips" if chips name the chairs. If each chair is a
    side, the label is its letter, or its chip at table 1.
    """
    sides, seats, chips = regulations.sides(), regulations.play.seats, regulations.chips()
    if chips and sides < seats:
        return [_("odd chips"), _("even chips")]
    return name_sides_of_table(sides, [seat_mark(1, seat, chips=chips) for seat in range(seats)])


def name_sides_of_table(sides: int, marks: Sequence[str]) -> list[str]:
    """Return a label for each of the `sides`: the marks of its chairs, "A and C". `marks`: of all chairs."""
    if sides >= len(marks):
        return list(marks)
    here = [marks[side::sides] for side in range(sides)]
    return [_("%(one)s and %(other)s") % {"one": a[0], "other": a[-1]} for a in here]


def summarise_deals(deals: Sequence[ComparedDeal]) -> list[DealSummary]:
    """Return a line for each of these deals."""
    return [
        DealSummary(
            one.deal,
            one.tables,
            tuple(
                (format_figure(mean), "–" if least is None or most is None else _span(least, most))
                for mean, least, most in zip(one.datum, one.least, one.most, strict=True)
            ),
        )
        for one in deals
    ]


def compared_lines(found: Sequence[DealAtTable], deck: str, *, chips: int) -> list[ComparedLine]:
    """Return a line for each table, in the order of `found`. `deck`: the key of the deck whose words name
    contracts. `chips`: as for `seat_mark`.
    """
    return [_line(one, deck, chips) for one in found]


def draw_spreads(deal: ComparedDeal, found: Sequence[DealAtTable], names: Sequence[str]) -> list[Spread]:
    """Return a drawing for each side with points; none if fewer than two tables have played the deal."""
    if len(found) < 2:
        return []
    drawn = []
    for side, (name, mean) in enumerate(zip(names, deal.datum, strict=False)):
        least, most = deal.least[side], deal.most[side]
        if mean is None or least is None or most is None:
            continue
        piled: Counter[int] = Counter()
        dots = []
        for one in sorted(found, key=lambda one: one.table.number):
            points = one.counted[side] if side < len(one.counted) else None
            if points is not None:
                piled[points] += 1
                label = _("Table %(number)s: %(points)s") % {
                    "number": one.table.number,
                    "points": format_figure(points),
                }
                dots.append((points, piled[points], label))
        height = TOP + ROW * max(piled.values()) + ROW // 2
        drawn.append(
            Spread(
                name,
                format_figure(mean),
                _x(mean, least, most),
                height,
                tuple((points, _x(points, least, most)) for points in dict.fromkeys((least, most))),
                tuple(
                    SpreadDot(_x(points, least, most), height - ROW * level + ROW // 4, label)
                    for points, level, label in dots
                ),
                _("%(side)s: from %(least)s to %(most)s, mean %(mean)s")
                % {
                    "side": name,
                    "least": format_figure(least),
                    "most": format_figure(most),
                    "mean": format_figure(mean),
                },
            )
        )
    return drawn


def _x(points: int | Fraction, least: int, most: int) -> str:
    part = Fraction(points - least) / (most - least) if most > least else Fraction(1, 2)
    return f"{float(MARGIN + (100 - 2 * MARGIN) * part):.4g}%"


def _span(least: int, most: int) -> str:
    return f"{format_figure(least)} … {format_figure(most)}"


def _line(one: DealAtTable, deck: str, chips: int) -> ComparedLine:
    seats = sorted(one.table.seatings.all(), key=lambda seating: seating.seat)
    people = [seating.entry for seating in seats]
    names = [entry.name for entry in people]
    sides = len(one.counted)
    marks = [seat_mark(one.table.number, seat, chips=chips) for seat in range(len(people))]
    labels = name_sides_of_table(sides, marks) if people else []
    contract = (
        EventNarrator(names, labels, deck).contract(one.contract, one.slot)
        if one.contract or one.slot
        else ""
    )
    if contract and one.chooser is not None and one.chooser < len(names):
        contract = _("%(contract)s by %(name)s") % {"contract": contract, "name": names[one.chooser]}
    parts = []
    if one.melds is not None and one.melds[0] < len(labels):
        parts.append(_("melds %(points)s: %(side)s") % {"points": one.melds[1], "side": labels[one.melds[0]]})
    if one.stoeck is not None and one.stoeck < len(labels):
        parts.append(_("Stöck: %(side)s") % {"side": labels[one.stoeck]})
    if one.sweep is not None and one.sweep < len(labels):
        parts.append(_("sweep: %(side)s") % {"side": labels[one.sweep]})
    return ComparedLine(
        one.table.number,
        reverse("table_live" if one.game.mode == Game.Mode.SHEET else "replay", args=[one.game.pk]),
        contract,
        tuple(parts),
        tuple(_side(one, side, people, one.game.sides) for side in range(sides)),
    )


def _side(one: DealAtTable, side: int, people: Sequence[Entry], sides: Sequence[int]) -> ComparedSide:
    mine = [entry for seat, entry in enumerate(people) if seat < len(sides) and sides[seat] == side]
    points, credit = one.counted[side], one.credit[side] if side < len(one.credit) else None
    return ComparedSide(
        tuple((entry.number, entry.name) for entry in mine),
        format_figure(points),
        "–" if credit is None else format_difference(credit),
        credit is not None and credit > 0,
    )
