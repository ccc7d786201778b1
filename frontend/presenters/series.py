"""A series for pages: its rules in words, its events, its table, and who has qualified."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.presenters.vocabulary import Words, word
from tournaments.competition import Points
from tournaments.models import ClubEvent, Entry
from tournaments.series.document import QualifyStep, SeriesRules
from tournaments.series.season_table import SeasonRow
from tournaments.services.series.loading import LoadedSeries

PRESET_TITLES: Final[Mapping[str, Promise]] = {
    "season": gettext_lazy("Season: points by place, the best 3 evenings, and a final that counts double"),
    "club_year": gettext_lazy("Club year: the best 8 evenings; the own average for up to 2 missed evenings"),
    "club_average": gettext_lazy("Club year: the average of all evenings, from 6 evenings on"),
    "threshold": gettext_lazy("Open heats: 1,150 points are a ticket to the final"),
    "best_starts": gettext_lazy("Open heats: the title holder and the best 19 go to the final"),
    "share_of_heats": gettext_lazy("Heats: the best fifth of each heat goes to the final"),
    "sections": gettext_lazy(
        "Sections: the title holder, the first 6 of each section and the best others, up to 120"
    ),
}
STEP_NUMBERS: Final[Words] = {
    "first": gettext_lazy("So many of the first qualify"),
    "share": gettext_lazy("So many percent of each evening qualify"),
    "threshold": gettext_lazy("So many points qualify"),
    "best_rest": gettext_lazy("Filled up with the best others to so many places"),
}
"""The label of the number of a qualification step."""
WHY: Final[Words] = {
    "holder": gettext_lazy("title holder"),
    "wild_card": gettext_lazy("wild card"),
    "first": gettext_lazy("by place"),
    "share": gettext_lazy("by place"),
    "threshold": gettext_lazy("by points"),
    "best_rest": gettext_lazy("best of the others"),
    "category": gettext_lazy("best of a category"),
    "replacement": gettext_lazy("moved up"),
}
"""Why a person has qualified."""


@dataclass(frozen=True, slots=True)
class SeriesEventLine:
    """An event. number: its place in the order, which heads its column; weight: empty for 1."""

    event: ClubEvent
    number: int
    state: str
    weight: str

    @property
    def name(self) -> str:
        made = self.event.championship
        return self.event.name if made is None else made.name


@dataclass(frozen=True, slots=True)
class SeasonCell:
    """The value of an event. given: the average of a missed event."""

    text: str
    dropped: bool
    given: bool


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A row of the table; place is None for a person with too few events; person: the id on the roll."""

    place: int | None
    name: str
    cells: tuple[SeasonCell | None, ...]
    total: str
    person: int | None = None


@dataclass(frozen=True, slots=True)
class TicketLine:
    """A person who has qualified. entered: in the final already; on_roll: enters with the final."""

    name: str
    why: str
    event: SeriesEventLine | None
    place: int | None
    entered: bool
    on_roll: bool


def format_exact(value: Points) -> str:
    """Format an exact number, rounded to two decimals."""
    exact = Fraction(value)
    rounded = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal("0.01"))
    return number_format(f"{rounded:f}".rstrip("0").rstrip(".")).replace("-", "−")


def event_lines(loaded: LoadedSeries) -> list[SeriesEventLine]:
    """Return the events in order, with the state that counts."""
    return [
        SeriesEventLine(
            event,
            number,
            loaded.document.by_key[event.key].state,
            "" if event.weight == 1 else f"× {format_exact(Fraction(event.weight))}",
        )
        for number, event in enumerate(loaded.events, 1)
    ]


def season_lines(
    loaded: LoadedSeries, rows: Sequence[SeasonRow], names: Mapping[str, str]
) -> list[SeasonLine]:
    """Return the lines of these rows, with a cell for each held event."""
    held = loaded.document.held

    def cell(row: SeasonRow, at: int) -> SeasonCell | None:
        event = held[at]
        value = row.events.get(event.key)
        if value is None:
            return None
        return SeasonCell(format_exact(value), event.key in row.dropped, row.ref not in event.totals)

    return [
        SeasonLine(
            row.place,
            names[row.ref],
            tuple(cell(row, at) for at in range(len(held))),
            format_exact(row.total),
            loaded.persons[row.ref].person if row.ref in loaded.persons else None,
        )
        for row in rows
    ]


def ticket_lines(
    loaded: LoadedSeries, events: Sequence[SeriesEventLine], names: Mapping[str, str]
) -> list[TicketLine]:
    """Return who has qualified. One query, for those entered in the final."""
    found, final = loaded.qualification, loaded.final
    if found is None:
        return []
    entered: set[int | None] = set()
    if final is not None and final.championship_id is not None:
        there = Entry.objects.filter(championship=final.championship_id, person__isnull=False)
        entered = set(there.exclude(status=Entry.Status.WITHDRAWN).values_list("person", flat=True))
    by_key = {line.event.key: line for line in events}
    return [
        TicketLine(
            names[ticket.ref],
            word(WHY, ticket.why),
            by_key.get(ticket.event or ""),
            ticket.place,
            loaded.persons[ticket.ref].person in entered,
            loaded.persons[ticket.ref].person is not None,
        )
        for ticket in found.qualified
    ]


def names_not_on_roll(
    loaded: LoadedSeries, events: Sequence[SeriesEventLine]
) -> list[tuple[str, SeriesEventLine]]:
    """Return the entries that no person of the roll is known for, with their event."""
    by_key = {line.event.key: line for line in events}
    alone = (one for one in loaded.persons.values() if one.person is None)
    return [(one.names.running, by_key[one.event]) for one in alone]


def rule_lines(rules: SeriesRules) -> list[str]:
    """Return the rules in words, a sentence each."""
    return [*_table_lines(rules), *_qualify_lines(rules)]


def _table_lines(rules: SeriesRules) -> Iterator[str]:
    table = rules.table
    if table.kind == "places":
        points = "–".join(str(number) for number in table.points)
        yield _("Points by place: %(points)s; every further place %(rest)s.") % {
            "points": points,
            "rest": table.rest,
        }
    elif table.kind == "percent":
        yield _("Percent of the mean of each evening.")
    elif rules.total == "average":
        yield _("The average of all evenings that count.")
    else:
        yield _("The totals of the evenings are added up.")
    if rules.best is not None:
        yield _("So many evenings count, the best ones of each person: %(n)d.") % {"n": rules.best}
    if rules.always:
        yield _("The final always counts.")
    if rules.least is not None and rules.least > 1:
        yield _("Who has fewer than %(n)d evenings has no place.") % {"n": rules.least}
    if rules.average_below > 1:
        missed = {"n": rules.average_below - 1}
        yield _("The own average counts for missed evenings, up to so many: %(n)d.") % missed
    if rules.cancelled == "reduce":
        yield _("A cancelled evening lowers the number of those that count by one.")


def _qualify_lines(rules: SeriesRules) -> Iterator[str]:
    for step in rules.qualify.steps if rules.qualify is not None else ():
        sentence = _say_step(step)
        if sentence:
            yield sentence


def _say_step(step: QualifyStep) -> str:
    if step.kind == "holder":
        return _("The title holder is in the final.")
    if step.kind == "first":
        said = _("The best %(n)d are in the final.") if step.of == "all" else ""
        said = said or _("The first %(n)d of each evening are in the final.")
        return said % {"n": step.count}
    if step.kind == "share":
        return _("The best %(n)s %% of each evening are in the final.") % {"n": step.percent}
    if step.kind == "threshold":
        return _("A person who reaches %(n)s points at one evening is in the final.") % {"n": step.points}
    if step.kind == "best_rest":
        return _("The best others fill the final up to %(n)d places.") % {"n": step.fill_to}
    return ""
