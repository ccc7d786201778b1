"""The hall: all tables of a round, with the few columns that sorting and counting need. Only tables that are
listed on the requested page are loaded in full, so a hall with a thousand tables costs little more than one
with a hundred.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median_low
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count, Q

from frontend.presenters.tables.tables import has_stalled, is_behind, load_current_game, prefetch_tables
from games.models import Game
from games.projections.delayed_broadcast import current_game
from tournaments.models import Dispute, Round, Seating, Table
from tournaments.names.spelling import MAX_NAME_LENGTH
from tournaments.services.people import name_visibility

PAGE: Final = 50
"""Number of tables listed on a page."""
MAX_QUERY_LENGTH: Final = MAX_NAME_LENGTH


class Glance(NamedTuple):
    """One table in the list of a hall. `table`: its primary key; `calls`: number of open disputes; `still`:
    it has had no activity for too long; `behind`: it lags behind the median table.
    """

    table: int
    number: int
    status: str
    calls: int
    still: bool
    behind: bool
    dealt: bool = False
    """Whether the platform deals the cards of the table."""
    game: str = ""
    """The id of the game; "" without a game."""
    mode: str = ""
    totals: Sequence[int | None] = ()
    hidden: bool = False
    """Whether only people with a role at the table may see it."""
    clock_waits: bool = False
    """Whether the clock of the game waits until everybody is there."""

    @property
    def over(self) -> bool:
        return self.status in Game.OVER

    @property
    def shows_cards(self) -> bool:
        """Whether everybody may see the cards played at the table."""
        return bool(self.game) and self.mode != Game.Mode.SHEET and not self.hidden

    @property
    def slow(self) -> bool:
        return self.still or self.behind


@dataclass(frozen=True, slots=True)
class Hall:
    """The tables of one round, ordered by number. `middle`: number of the deal that the median running table
    plays; 0 if fewer than three run.
    """

    tables: tuple[Glance, ...] = ()
    middle: int = 0

    @property
    def over(self) -> int:
        return sum(glance.over for glance in self.tables)

    @property
    def calls(self) -> int:
        return sum(glance.calls for glance in self.tables)

    @property
    def slow(self) -> int:
        return sum(glance.slow for glance in self.tables)


class HallFilter(NamedTuple):
    """A filter of tables. `query`: a table number, or part of a person's name; `only`: "" for all, `open` for
    unfinished tables, `calls` for tables with open disputes, `slow` for tables without activity or behind.
    """

    query: str = ""
    only: str = ""

    @classmethod
    def asked(cls, parameters: Mapping[str, str]) -> "HallFilter":
        """Parse the URL parameters `q` and `show`. An unknown value of `show` counts as ""."""
        only = parameters.get("show", "")
        query = parameters.get("q", "").strip()[:MAX_QUERY_LENGTH]
        return cls(query, only if only in ONLY else "")

    @property
    def tail(self) -> str:
        """The filter as URL parameters to append, each after "&"."""
        parameters = {"q": self.query, "show": self.only}
        return "".join(f"&{urlencode({name: value})}" for name, value in parameters.items() if value)

    def chosen(self, round_: Round | None, tables: Sequence[Glance]) -> list[Glance]:
        """Return the matching tables, in the given order. One query if `query` is part of a name."""
        matching = [glance for glance in tables if ONLY[self.only](glance)]
        if not self.query or round_ is None:
            return matching
        if self.query.isdecimal():
            return [glance for glance in matching if str(glance.number) == self.query.lstrip("0")]
        seats = Seating.objects.filter(round=round_)
        people = name_visibility.filter_by_name(seats, round_.championship, self.query, entry="entry")
        tables_of_people = set(people.values_list("table", flat=True))
        return [glance for glance in matching if glance.table in tables_of_people]


ONLY: Final[dict[str, Callable[[Glance], bool]]] = {
    "": lambda glance: True,
    "open": lambda glance: not glance.over,
    "calls": lambda glance: bool(glance.calls),
    "slow": lambda glance: glance.slow and not glance.over,
}
EVERYTHING: Final = HallFilter()


class HallPage(NamedTuple):
    """The primary keys of the tables on a page, the number of this page, and the number of all pages."""

    tables: list[int]
    page: int
    pages: int
    tail: str = ""
    """URL parameters, each after "&", that links to other pages of the list append."""

    @property
    def next_page(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


def paginate_hall(tables: Sequence[Glance], page: int, tail: str = "") -> HallPage:
    """Return a page of the list; if `page` is too high, the last page."""
    pages = max(1, -(-len(tables) // PAGE))
    page = min(page, pages)
    on_page = [glance.table for glance in tables[(page - 1) * PAGE : page * PAGE]]
    return HallPage(on_page, page, pages, tail)


def load_hall(round_: Round | None, now: datetime, *, in_office: bool = False) -> Hall:
    """Load the hall of a round; an empty hall if `round_` is None. `in_office`: the reader is an official,
    who sees tables with a broadcast delay as they are now. One query; two with `in_office` if a table is
    delayed.
    """
    return load_halls([round_.pk], now, in_office=in_office)[round_.pk] if round_ is not None else Hall()


def load_halls(rounds: Collection[int], now: datetime, *, in_office: bool = False) -> dict[int, Hall]:
    """Load several halls in one query, as round's primary key → hall. With `in_office` one more query if a
    table is delayed; without it, disputes at tables with a delay are not counted.
    """
    if not rounds:
        return {}
    rows: dict[int, list[_Row]] = {each: [] for each in rounds}
    shown = Q() if in_office else Q(game__delay_minutes=0)
    open_calls = Count("disputes", filter=Q(disputes__status=Dispute.Status.OPEN) & shown)
    tables = Table.objects.filter(round__in=rounds).annotate(calls=open_calls).order_by("round", "number")
    held_back = []
    for round_, ahead, *row in tables.values_list("round_id", "game__ahead_seq", *_ROW):
        rows[round_].append(_Row(*row))
        if ahead is not None:
            held_back.append(rows[round_][-1].table)
    if in_office and held_back:
        now_at = Table.objects.select_related("game").in_bulk(held_back)
        rows = {
            round_: [_row_now(now_at[row.table], row.calls) if row.table in now_at else row for row in found]
            for round_, found in rows.items()
        }
    return {round_: _hall(found, now) for round_, found in rows.items()}


class _Row(NamedTuple):
    """The columns of a table as `_ROW` selects them. Columns of the game are None for a table without a
    game.
    """

    table: int
    number: int
    calls: int
    kind: str
    status: str | None
    mode: str | None
    deal: int | None
    last: datetime | None
    created: datetime | None
    game: str | None
    totals: list[int | None] | None
    visibility: str | None
    clock_waits: bool | None


_ROW = (
    *("pk", "number", "calls", "mode", "game__status", "game__mode", "game__deal"),
    *("game__last_event_at", "game__created_at", "game_id", "game__totals", "game__visibility"),
    "game__clock_waits",
)


def _row_now(table: Table, calls: int) -> _Row:
    game = None if table.game is None else current_game(table.game)
    if game is None:
        return _Row(table.pk, table.number, calls, table.mode, *[None] * 9)
    told = (game.status, game.mode, game.deal, game.last_event_at, game.created_at, game.pk)
    return _Row(
        table.pk, table.number, calls, table.mode, *told, game.totals, game.visibility, game.clock_waits
    )


def _hall(rows: Sequence[_Row], now: datetime) -> Hall:
    running = [row.deal or 0 for row in rows if row.status == Game.Status.RUNNING]
    middle = median_low(running) if len(running) > 2 else 0
    return Hall(tuple(_make_glance(row, middle, now) for row in rows), middle)


def _make_glance(row: _Row, middle: int, now: datetime) -> Glance:
    alive = row.last or row.created
    if row.status is None or row.mode is None or alive is None:
        dealt = row.kind == Game.Mode.DEALT
        return Glance(row.table, row.number, Game.Status.WAITING, row.calls, False, False, dealt)
    still, behind = (
        has_stalled(row.status, row.mode, alive, now),
        is_behind(row.status, row.deal or 0, middle),
    )
    dealt = row.mode == Game.Mode.DEALT
    return Glance(
        row.table,
        row.number,
        row.status,
        row.calls,
        still,
        behind,
        dealt,
        game=row.game or "",
        mode=row.mode,
        totals=row.totals or (),
        hidden=row.visibility == Game.Visibility.PRIVATE,
        clock_waits=bool(row.clock_waits),
    )


def load_current_tables(
    pks: Sequence[int], or_else: Q | None = None, *, in_office: bool = False
) -> list[Table]:
    """Load the tables with these primary keys, in this order, then other tables that match `or_else`.
    `in_office`: load delayed tables as they are now.
    """
    if not pks and or_else is None:
        return []
    wanted = Q(pk__in=pks) if or_else is None else Q(pk__in=pks) | or_else
    read = prefetch_tables(Table.objects.filter(wanted), in_office=in_office)
    found = {table.pk: load_current_game(table) if in_office else table for table in read}
    return [found.pop(pk) for pk in pks if pk in found] + list(found.values())
