"""The home page: running, coming and finished championships, the running ones with their tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser

from frontend.presenters.standings.ranking_lines import describe_winners
from frontend.presenters.tables.hall import Hall, load_current_tables, load_halls
from frontend.presenters.tables.tables import TableView, table_views
from games.models import User
from tournaments.models import Championship, Entry, Official, Round, Seating
from tournaments.services.series.winners import load_winners

SHOWN_TABLES = 6
"""Largest number of tables of one championship on the home page; the championship's page has all of them."""


@dataclass(frozen=True, slots=True)
class Evening:
    championship: Championship
    people: int
    rounds: int
    round: Round | None
    """The open round, else the last one drawn; None without one, or if the championship does not run."""
    tables: tuple[TableView, ...]
    """The first tables, unfinished ones before finished ones, at most SHOWN_TABLES of `table_count`."""
    table_count: int
    calls: int
    mine: TableView | None
    winner: str
    repeatable: bool
    """Whether the reader is a director of the finished championship, and may create a copy of it."""


@dataclass(frozen=True, slots=True)
class Home:
    running: tuple[Evening, ...]
    coming: tuple[Evening, ...]
    over: tuple[Evening, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.running or self.coming or self.over)


def build_home_page(
    *,
    running: Sequence[Championship],
    coming: Sequence[Championship],
    over: Sequence[Championship],
    now: datetime,
    person: User | AnonymousUser,
    may_found: bool = False,
) -> Home:
    """Return the championships of the home page with a limited number of queries. Each championship must have
    prefetched rounds and the annotation `people`. `may_found`: the reader may create championships.
    """
    current = {c.pk: _current_round(c) for c in running}
    begun = [r.pk for r in current.values() if r is not None]
    mine = (
        set(Entry.objects.filter(user=person).values_list("pk", flat=True))
        if isinstance(person, User)
        else set()
    )
    halls = load_halls(begun, now)
    own: dict[int, int] = dict(
        Seating.objects.filter(round__in=begun, entry__in=mine).values_list("round", "table") if mine else ()
    )
    first = {
        round_: [t.table for t in sorted(hall.tables, key=lambda t: (t.over, t.number))[:SHOWN_TABLES]]
        for round_, hall in halls.items()
    }
    wanted = dict.fromkeys([pk for pks in first.values() for pk in pks] + list(own.values()))
    views = {view.table_id: view for view in table_views(load_current_tables(list(wanted)), now)}
    winners = load_winners(over)
    directed = (
        set(
            Official.objects.filter(
                user=person.pk, role=Official.Role.DIRECTOR, championship__in=over
            ).values_list("championship", flat=True)
        )
        if may_found and over
        else set()
    )

    def evening(championship: Championship) -> Evening:
        current_round = current.get(championship.pk)
        number = current_round.pk if current_round is not None else 0
        hall = halls.get(number, Hall())
        return Evening(
            championship=championship,
            people=championship.people,  # type: ignore[attr-defined]  # the query of views/home.py counts them
            rounds=len(championship.rounds.all()),
            round=current_round,
            tables=tuple(views[pk] for pk in first.get(number, ()) if pk in views),
            table_count=len(hall.tables),
            calls=hall.calls,
            mine=views.get(own[number]) if number in own else None,
            winner=describe_winners(winners.get(championship.pk)),
            repeatable=championship.pk in directed,
        )

    return Home(*(tuple(map(evening, group)) for group in (running, coming, over)))


def _current_round(championship: Championship) -> Round | None:
    rounds = list(championship.rounds.all())
    begun = [r for r in rounds if r.status != Round.Status.PLANNED]
    return next((r for r in rounds if r.status == Round.Status.OPEN), begun[-1] if begun else None)
