"""A series for pages: its rules in words, its events, its table, and the people who have qualified."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from frontend.presenters.words.figures import Comparison, describe_comparison, format_figure
from frontend.presenters.words.vocabulary import word
from frontend.presenters.words.writing_words import Words
from tournaments.models import ClubEvent, Entry, OutsideEvent, SeriesTicket
from tournaments.series.document import QualifyStep, SeriesError, SeriesEvent, SeriesRules
from tournaments.series.season_table import SeasonRow, SeasonSeparation
from tournaments.services.series.loading import LoadedSeries

PRESET_TITLES: Final[Mapping[str, Promise]] = {
    "season": gettext_lazy("Season: points by place, the best 3 evenings, and a final that counts double"),
    "club_year": gettext_lazy("Club year: the best 8 evenings; the own average for up to 2 missed evenings"),
    "club_average": gettext_lazy("Club year: the average of all evenings, from 6 evenings on"),
    "club_final": gettext_lazy(
        "Club year: the best 8 evenings; the first 16 of the table play the final, which is added"
    ),
    "threshold": gettext_lazy("Open heats: 1,150 points qualify for the final"),
    "best_starts": gettext_lazy(
        "Open heats: the title holder and the 19 with the best single totals go to the final"
    ),
    "preliminary": gettext_lazy(
        "A preliminary and a final: the 8 persons or pairs with the best single totals advance"
    ),
    "share_of_heats": gettext_lazy("Heats: the best fifth of each heat plays the final"),
    "sections": gettext_lazy(
        "Sections: the title holder, the first 6 of each section and the best others, up to 120"
    ),
    "two_games": gettext_lazy("Two games in one day: points by place of both, teams of 4"),
}
STEP_NUMBERS: Final[Words] = {
    "table": gettext_lazy("Number of places that qualify from the table"),
    "first": gettext_lazy("Number of people who qualify"),
    "share": gettext_lazy("Percentage of each evening that qualifies"),
    "threshold": gettext_lazy("Points that qualify"),
    "best_rest": gettext_lazy("Total places, filled with the best others"),
}
"""Kind of a qualification step → label of the number that belongs to it."""
STEP_TITLES: Final[Mapping[str, Promise]] = {
    "holder": gettext_lazy("the title holder"),
    "wild_card": gettext_lazy("wild cards"),
    "table": gettext_lazy("the first of the series table"),
    "first": gettext_lazy("the first ones"),
    "share": gettext_lazy("a share of each evening, in per cent"),
    "threshold": gettext_lazy("everybody who reaches a number of points"),
    "best_rest": gettext_lazy("the best others by their best single total, up to a number of places"),
    "category": gettext_lazy("the best of a category by their best single total"),
}
"""Kind of a qualification step → its words."""
LEVELS: Final[Mapping[str, Promise]] = {
    "all": gettext_lazy("all of them qualify"),
    "chain": gettext_lazy("the ranking decides, then the lot"),
    "lot": gettext_lazy("the lot decides"),
}
TIE_RULES: Final[Words] = {
    "best_event": gettext_lazy("best evenings"),
    "last_event": gettext_lazy("last evenings"),
    "most_events": gettext_lazy("number of evenings"),
    "wins": gettext_lazy("evenings won"),
}
"""Rule that separates people with the same total in the table → its words."""
WHY: Final[Words] = {
    "holder": gettext_lazy("title holder"),
    "wild_card": gettext_lazy("wild card"),
    "table": gettext_lazy("by place"),
    "first": gettext_lazy("by place"),
    "share": gettext_lazy("by place"),
    "threshold": gettext_lazy("by points"),
    "best_rest": gettext_lazy("best of the others"),
    "category": gettext_lazy("best of a category"),
    "replacement": gettext_lazy("moved up"),
    "accepted": gettext_lazy("accepted before a correction"),
}
"""Reason why a person has qualified → its words."""
FINGERPRINT: Final = 16
"""Number of characters of a public key that lists show."""


@dataclass(frozen=True, slots=True)
class SeriesEventLine:
    """An event of a series as its page lists it. number: its position, which heads its column in the table;
    weight: empty for 1; outside: its file, if the event was played on another installation.
    """

    event: ClubEvent
    number: int
    state: str
    weight: str
    outside: OutsideEvent | None = None

    @property
    def name(self) -> str:
        championship = self.event.championship
        return self.event.name if championship is None else championship.name

    @property
    def key(self) -> str:
        """The beginning of the public key of the installation that signed the event's file; empty without a
        file.
        """
        return "" if self.outside is None else shorten_key(self.outside.key)


class SeasonCell(NamedTuple):
    """The value of one event for a person. classes: CSS classes, `num` and possibly `dropped` (it does not
    count), `given` (the average, for a missed event) or `muted` (no value).
    """

    text: str
    classes: str = "num"


NO_VALUE: Final = SeasonCell("–", "num muted")


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A row of the table of a series. place: None for a person with too few events; cells: one for each held
    event; person: primary key on the club's roll, for a link, if the name is shown in full.
    """

    place: int | None
    name: str
    cells: tuple[SeasonCell, ...]
    total: str
    person: int | None = None
    reason: Comparison | None = None
    """The values by which the row stands before or after another one with the same total."""
    members: tuple[str, ...] = ()
    """Of a team, the names of the members who count."""
    is_finalist: bool = False
    """Whether the person has a ticket to the final, and this table decides who gets tickets."""
    is_last_finalist: bool = False
    """Whether this is the last row that has qualified by its place in the table."""


@dataclass(frozen=True, slots=True)
class TicketLine:
    """A person who has qualified. why: in words; event, place: where the person qualified (no event: in the
    table); reason: of a wild card; accepted: the person has accepted the ticket; entered: the person is
    entered in the final; on_roll: the person is on the club's roll, and is entered when the final is created.
    """

    ref: str
    name: str
    why: str
    event: SeriesEventLine | None
    place: int | None
    reason: str
    accepted: bool
    entered: bool
    on_roll: bool

    @property
    def where(self) -> str:
        """For example "Herbstcup, place 2", or "table, place 3"; empty for a ticket without a place."""
        if self.place is None:
            return ""
        if self.event is None:
            return _("table, place %(n)s") % {"n": self.place}
        return f"{self.event.name}, " + _("place %(n)s") % {"n": self.place}


def shorten_key(key: str) -> str:
    """Return the first FINGERPRINT characters of a key, in groups of four."""
    return " ".join(key[at : at + 4] for at in range(0, FINGERPRINT, 4))


def event_lines(loaded: LoadedSeries) -> list[SeriesEventLine]:
    """Return the lines of all events in the order of the series, each with the state that the table of the
    series uses.
    """
    return [
        SeriesEventLine(
            event,
            number,
            loaded.document.by_key[event.key].state,
            "" if event.weight == 1 else f"× {format_figure(Fraction(event.weight))}",
            loaded.outside.get(event.pk),
        )
        for number, event in enumerate(loaded.events, 1)
    ]


def season_lines(
    loaded: LoadedSeries, rows: Sequence[SeasonRow], names: Mapping[str, str]
) -> list[SeasonLine]:
    """Return the lines of these rows, each with a cell for every held event. names: reference → name."""
    held_events = loaded.document.held
    finalists, last = _find_finalists(loaded)

    def cell(row: SeasonRow, event: SeriesEvent) -> SeasonCell:
        value = row.events.get(event.key)
        if value is None:
            return NO_VALUE
        classes = "num dropped" if event.key in row.dropped else "num"
        return SeasonCell(format_figure(value), classes if row.ref in event.totals else f"{classes} given")

    return [
        SeasonLine(
            row.place,
            names[row.ref],
            tuple(cell(row, event) for event in held_events),
            format_figure(row.total),
            one.person if one is not None and names[row.ref] == one.names.running else None,
            _describe_separation(row.separation, names),
            is_finalist=row.ref in finalists,
            is_last_finalist=row.ref == last,
        )
        for row in rows
        for one in (loaded.persons.get(row.ref),)
    ]


def _find_finalists(loaded: LoadedSeries) -> tuple[set[str], str | None]:
    """Return the references of all people with a ticket, and of the last person who has one by the table.
    There are none if no step of the qualification uses the table, or if the table also counts other events.
    """
    rules = loaded.document.rules.qualify
    by_table = rules is not None and any(step.kind == "table" for step in rules.steps)
    qualification = None
    with suppress(SeriesError):  # the page says what is wrong
        qualification = loaded.qualification if by_table and loaded.document.counts_sources_only else None
    if qualification is None:
        return set(), None
    placed = {one.ref for one in qualification.qualified if one.event is None and one.place is not None}
    last = next((row.ref for row in reversed(loaded.table.rows) if row.ref in placed), None)
    return {one.ref for one in qualification.qualified}, last


def team_season_lines(
    loaded: LoadedSeries, names: Mapping[str, str], team_names: Mapping[str, str]
) -> list[SeasonLine]:
    """Return the lines of the teams: for each held event, the sum of the members who count; [] without a
    table of teams. Keys of the names are references.
    """
    table = loaded.team_table
    if table is None:
        return []
    return [
        SeasonLine(
            row.place,
            team_names[row.ref],
            tuple(
                SeasonCell(format_figure(value))
                if (value := row.events.get(event.key)) is not None
                else NO_VALUE
                for event in loaded.document.held
            ),
            format_figure(row.total),
            reason=_describe_separation(row.separation, team_names),
            members=tuple(names[ref] for ref in row.members or ()),
        )
        for row in (*table.rows, *table.unranked)
    ]


def _describe_separation(why: SeasonSeparation | None, names: Mapping[str, str]) -> Comparison | None:
    """Describe what separates a row from one with the same total: "best evenings 18 : 15 against Beat
    Brunner". None if nothing does.
    """
    if why is None:
        return None
    return describe_comparison(word(TIE_RULES, why.rule), why.mine, why.theirs, names[why.against])


def ticket_lines(
    loaded: LoadedSeries, events: Sequence[SeriesEventLine], names: Mapping[str, str]
) -> list[TicketLine]:
    """Return the lines of the people who have qualified. At most one query, for the people entered in the
    final.
    """
    qualification, final = loaded.qualification, loaded.final
    if qualification is None:
        return []
    entered: set[int | None] = set()
    if final is not None and final.championship_id is not None:
        there = Entry.objects.filter(championship=final.championship_id, person__isnull=False)
        entered = set(there.exclude(status=Entry.Status.WITHDRAWN).values_list("person", flat=True))
    by_key = {line.event.key: line for line in events}
    reasons = {card.ref: card.reason for card in loaded.tickets if card.kind == SeriesTicket.Kind.WILD_CARD}
    accepted = set(loaded.document.accepted)
    return [
        TicketLine(
            ticket.ref,
            names[ticket.ref],
            word(WHY, ticket.why),
            by_key.get(ticket.event or ""),
            ticket.place,
            reasons.get(ticket.ref, "") if ticket.why == "wild_card" else "",
            ticket.ref in accepted,
            loaded.persons[ticket.ref].person in entered,
            loaded.persons[ticket.ref].person is not None,
        )
        for ticket in qualification.qualified
    ]


def names_not_on_roll(
    loaded: LoadedSeries, events: Sequence[SeriesEventLine]
) -> list[tuple[str, SeriesEventLine]]:
    """Return the name and the event of each entry whose person is not on the club's roll."""
    by_key = {line.event.key: line for line in events}
    alone = (one for one in loaded.persons.values() if one.person is None)
    return [(one.names.running, by_key[one.event]) for one in alone if one.event in by_key]


def rule_lines(rules: SeriesRules) -> list[str]:
    """Return the rules of the series and of its qualification in words, one sentence for each."""
    return [*_table_lines(rules), *qualification_lines(rules)]


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
        yield _("Number of evenings that count, the best of each person: %(n)d.") % {"n": rules.best}
    if rules.always:
        yield _("The final always counts.")
    if rules.least is not None and rules.least > 1:
        yield _("Number of evenings that a place needs: %(n)d.") % {"n": rules.least}
    if rules.average_below > 1:
        missed = {"n": rules.average_below - 1}
        yield _("Number of missed evenings that count with the person's own average: %(n)d.") % missed
    if rules.ties:
        sentence = _(
            "Tie-breaks between level totals, in this order: %(rules)s. People still level share a place."
        )
        yield sentence % {"rules": ", ".join(word(TIE_RULES, rule) for rule in rules.ties)}
    else:
        yield _("Level totals share a place.")
    if rules.teams is not None:
        best = rules.teams.best or rules.teams.size
        yield _("Teams of up to %(size)d people: the best %(best)d of them are added up.") % {
            "size": rules.teams.size,
            "best": best,
        }
    if rules.cancelled == "reduce":
        yield _("A cancelled evening lowers the number of those that count by one.")


def qualification_lines(rules: SeriesRules) -> Iterator[str]:
    """Yield the rules of the qualification in words; none if the series has no qualification."""
    if rules.qualify is None:
        return
    for step in rules.qualify.steps:
        yield _describe_step(step)
    if any(step.kind == "table" for step in rules.qualify.steps):
        yield _("The final does not count in the table that decides who qualifies.")
    if any(
        step.kind in ("best_rest", "category") or (step.kind == "first" and step.of == "all")
        for step in rules.qualify.steps
    ):
        yield _("The best single total of each person over all evenings decides.")
    if any(step.lapse for step in rules.qualify.steps):
        yield _("A place that somebody does not need lapses.")
    kinds = {step.kind for step in rules.qualify.steps}
    if rules.qualify.level == "all":
        yield _("People level at the last place qualify too.")
    elif rules.qualify.level == "chain":
        if "table" in kinds:
            yield _("Between people with equal totals in the table their place decides, then a lot.")
        if kinds - {"table", "holder", "wild_card"}:
            yield _("Between level people the ranking of the evening decides, then a lot.")
    else:
        yield _("Between level people a lot decides.")


def _describe_step(step: QualifyStep) -> str:
    if step.kind == "holder":
        return _("The title holder is in the final.")
    if step.kind == "first":
        sentence = _("The best %(n)d of all evenings are in the final.") if step.of == "all" else ""
        sentence = sentence or _("The first %(n)d of each evening are in the final.")
        return sentence % {"n": step.count}
    if step.kind == "table":
        return _("The first %(n)d of the table are in the final.") % {"n": step.count}
    if step.kind == "share":
        return _("The best %(n)s %% of each evening are in the final.") % {"n": step.percent}
    if step.kind == "threshold":
        return _("A person who reaches %(n)s points at one evening is in the final.") % {"n": step.points}
    if step.kind == "best_rest":
        return _("The best others fill the final up to %(n)d places.") % {"n": step.fill_to}
    if step.kind == "category":
        sentence = _("The best of the category %(category)s are in the final: %(n)d.")
        return sentence % {"category": step.category, "n": 1 if step.count is None else step.count}
    return _("The organiser gives wild cards, each with a reason.")
