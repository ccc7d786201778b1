"""Tables for pages: chairs with names, scores, and what each table waits for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db.models import BigIntegerField, F, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import NullIf
from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.presenters.names.playing_teams import name_encounter
from frontend.presenters.names.seat_names import LETTERS
from frontend.presenters.words.elapsed import format_elapsed
from frontend.presenters.words.vocabulary import PHASES, word
from games.models import DealResult, Game
from games.projections import delayed_broadcast
from tournaments.dispute_states import public_filter
from tournaments.models import Dispute, Seating, Table, last_substitutions
from tournaments.regulations import PARTNERS_NEED
from tournaments.services.people.name_visibility import load_withheld_names

STILL_AFTER = {
    Game.Mode.DEALT: timedelta(minutes=2),
    Game.Mode.TRANSCRIBED: timedelta(minutes=10),
    Game.Mode.SHEET: timedelta(minutes=15),
}
"""Longest time without activity before a table is marked. It is longer if people play with real cards."""
BEHIND = 2
"""Number of deals behind the median table from which a table is marked."""


@dataclass(frozen=True, slots=True)
class ChairLabel:
    letter: str
    name: str
    number: int
    mine: bool = False
    bot: bool = False
    listed: str = ""
    substitute: str = ""
    """The name of the current substitute; empty if there is none."""
    from_deal: int = 0
    team: str = ""
    """The name of the person's team, if teams are drawn."""


@dataclass(frozen=True, slots=True)
class Side:
    names: str
    total: int | None
    chairs: tuple[ChairLabel, ...] = ()


def group_by_team(chairs: Sequence[ChairLabel], *, partners: bool) -> list[Sequence[ChairLabel]]:
    """Group the chairs of a table by partnership: A and C, B and D. Without partners, or with three, each
    chair is a group.
    """
    if partners and len(chairs) == PARTNERS_NEED:
        return [chairs[0::2], chairs[1::2]]
    return [[chair] for chair in chairs]


@dataclass(frozen=True, slots=True)
class Call:
    dispute_id: int
    text: str
    is_call: bool


@dataclass(frozen=True, slots=True)
class TableView:
    number: int
    mode: str
    status: str
    chairs: tuple[ChairLabel, ...]
    table_id: int
    game_id: str | None = None
    deal: int = 0
    deals: int | None = None
    trick: int = 0
    sides: tuple[Side, ...] = ()
    waits_for: str = ""
    sign_of_life: str = ""
    calls: tuple[Call, ...] = ()
    unconfirmed: tuple[int, ...] = ()
    missing: int = 0
    """Number of lines on the sheet that have no result. A line is a deal, or the totals of all deals
    (`of_totals`).
    """
    of_totals: bool = False
    still: bool = False
    behind: bool = False
    mine: bool = False
    url: str = ""
    championship: str = field(default="")
    partners: bool = False
    """Whether the game has partners when the table is full."""

    @property
    def teams(self) -> list[Sequence[ChairLabel]]:
        if self.sides and sum(len(side.chairs) for side in self.sides) == len(self.chairs):
            return [side.chairs for side in self.sides]
        return group_by_team(self.chairs, partners=self.partners)

    @property
    def encounter(self) -> str:
        """The names of the two teams that meet at this table; empty if no teams are drawn."""
        return name_encounter(self.chairs)

    @property
    def slow(self) -> bool:
        return self.still or self.behind

    @property
    def over(self) -> bool:
        return self.status in Game.OVER


def load_current_game(table: Table) -> Table:
    """Replace the table's game by the game as it is now, without the delay of its broadcast, and return the
    table. No query if the game is loaded.
    """
    if table.game is not None:
        table.game = delayed_broadcast.current_game(table.game)
    return table


def prefetch_tables(tables: QuerySet[Table], *, in_office: bool = False) -> QuerySet[Table]:
    """Prefetch game, seats, names and open disputes. `in_office`: include disputes at delayed tables, which
    only officials see.
    """
    seatings = annotate_substitutes(Seating.objects.select_related("entry").order_by("seat"))
    calls = Dispute.objects.filter(status=Dispute.Status.OPEN).order_by("raised_at")
    if not in_office:
        calls = calls.filter(public_filter())
    return tables.select_related("game", "round").prefetch_related(
        Prefetch("seatings", seatings),
        Prefetch("disputes", calls, to_attr="open_calls"),
        "game__seats",
    )


@dataclass(frozen=True, slots=True)
class UnfinishedTable:
    """A table whose game is not over, shown to the official who closes the round. `missing`: number of lines
    without a result; `unconfirmed`: numbers of the deals whose results are not confirmed; `waits_for`,
    `sign_of_life`: in words; `of_totals`: a line is the totals of all deals.
    """

    number: int
    url: str
    missing: int
    unconfirmed: tuple[int, ...]
    waits_for: str
    sign_of_life: str
    of_totals: bool


def list_unfinished_tables(
    tables: Sequence[int],
    chairs: Mapping[int, Sequence[ChairLabel]],
    now: datetime,
    *,
    totals: bool = False,
    read: Sequence[Table] = (),
) -> list[UnfinishedTable]:
    """Return those of these tables (primary keys) that have a game, in this order, with their missing results
    and pending confirmations.

    `chairs`: by table number. `totals`: a sheet has one line for the whole round. `read`: tables that are
    loaded already. Two queries, one if `read` contains all tables.
    """
    if not tables:
        return []
    found: Iterable[Table] = [table for table in read if table.pk in tables]
    if {table.pk for table in found} != set(tables):
        found = Table.objects.filter(pk__in=tables, game__isnull=False).select_related("game")
    at = {table.pk: (table, table.game) for table in map(load_current_game, found)}
    games = [game for _table, game in at.values() if game is not None]
    sheets = _results(games)
    views = []
    for table, game in (at[pk] for pk in tables if pk in at):
        if game is not None:
            of_totals = totals and game.mode == Game.Mode.SHEET
            missing, unconfirmed = _count_missing(game, sheets.get(game.id, []), of_totals)
            url, alive = reverse("table_live", args=[game.id]), game.last_event_at or game.created_at
            waits = _describe_awaited(game, chairs.get(table.number, ()))
            life = format_elapsed(alive, now)
            views.append(UnfinishedTable(table.number, url, missing, unconfirmed, waits, life, of_totals))
    return views


def table_views(
    tables: Iterable[Table],
    now: datetime,
    *,
    mine: int | None = None,
    results: bool = False,
    chips: int = 0,
    middle: int = 0,
    totals: bool = False,
    partners: bool = False,
    teams: Mapping[int, str] | None = None,
) -> list[TableView]:
    """Return these tables as pages show them. `mine`: primary key of the requesting person's entry.
    `results`: count missing results, in one more query. `chips`: as for `seat_mark`. `middle`: the deal of
    the median table, to mark tables that lag behind. `totals`: a sheet has one line, the totals of its deals.
    `partners`: the game has partners when the table is full. `teams`: names of the teams that are drawn
    (`load_playing_teams`).
    """
    table_rows = list(tables)
    games = [table.game for table in table_rows if table.game is not None]
    sheets: Mapping[str, list[DealResult]] = _results(games) if results else {}
    return [
        replace(_view(table, now, mine, middle, sheets, chips, totals, teams or {}), partners=partners)
        for table in table_rows
    ]


def annotate_substitutes(seatings: QuerySet[Seating]) -> QuerySet[Seating]:
    """Annotate chairs with the substitute who plays the last deals: `substitute` (name), `stands_in` (primary
    key of the entry; None if the drawn person plays them) and `from_deal`; no extra query. The name is as
    stored; `substitute_name` returns the name that a reader may see.
    """
    here = last_substitutions().filter(table=OuterRef("table"), seat=OuterRef("seat"))
    return seatings.annotate(
        substitute=Subquery(here.values("entry__name")),
        stands_in=NullIf(Subquery(here.values("entry")), F("entry"), output_field=BigIntegerField()),
        from_deal=Subquery(here.values("deal")),
    )


def substitute_name(championship: int, name: str | None, entry: int | None) -> str | None:
    """Return a substitute's name in the form that the requesting person may read; None without a substitute.
    `entry`: primary key of their entry.
    """
    return None if entry is None else load_withheld_names(championship).get(entry, name)


def with_substitute(chair: ChairLabel, name: str | None, deal: int | None) -> ChairLabel:
    """Return the chair with this substitute, unless there is none."""
    if name is None or deal is None:
        return chair
    return replace(chair, substitute=name, from_deal=deal)


def has_stalled(status: str, mode: str, alive: datetime, now: datetime) -> bool:
    """Return whether a table is not over and its last activity (`alive`) is older than its mode allows."""
    return status not in Game.OVER and now - alive > STILL_AFTER[Game.Mode(mode)]


def is_behind(status: str, deal: int, middle: int) -> bool:
    return status == Game.Status.RUNNING and deal + BEHIND <= middle


def seat_mark(table: int, seat: int, *, chips: int) -> str:
    """Return the label of a chair: a letter, or the number of its chip. Partners have both even or both odd
    chips.

    `chips`: number of chips at a full table; 0: letters are used. A table of three leaves its last chip
    unused.
    """
    return str((table - 1) * chips + seat + 1) if chips else LETTERS[seat]


def _results(games: Sequence[Game]) -> dict[str, list[DealResult]]:
    rows: dict[str, list[DealResult]] = {}
    stored = [game for game in games if not (game.is_now and game.ahead is not None)]
    for row in DealResult.objects.filter(game__in=stored).only("game_id", "deal", "confirmed", "annulled"):
        rows.setdefault(row.game_id, []).append(row)
    return rows | {
        game.pk: delayed_broadcast.load_visible_results(game) for game in games if game not in stored
    }


def _view(
    table: Table,
    now: datetime,
    mine: int | None,
    middle: int,
    sheets: Mapping[str, list[DealResult]],
    chips: int,
    totals: bool,
    teams: Mapping[int, str],
) -> TableView:
    game = table.game
    seatings = list(table.seatings.all())
    bots = {seat.number for seat in game.seats.all() if seat.bot} if game is not None else set()
    chairs = tuple(
        with_substitute(
            ChairLabel(
                seat_mark(table.number, s.seat, chips=chips),
                s.entry.name,
                s.entry.number,
                s.entry_id == mine,
                s.seat in bots and not s.entry.bot,
                team=teams.get(s.entry.team_id or 0, ""),
            ),
            substitute_name(s.entry.championship_id, s.substitute, s.stands_in),  # type: ignore[attr-defined]  # annotated by annotate_substitutes
            s.from_deal,  # type: ignore[attr-defined]  # annotated by annotate_substitutes
        )
        for s in seatings
    )
    is_mine = any(chair.mine for chair in chairs)
    calls = tuple(Call(d.pk, d.text, d.is_call) for d in table.open_calls)  # type: ignore[attr-defined]  # set by prefetch_tables
    if game is None:
        return TableView(table.number, table.mode, "waiting", chairs, table.pk, calls=calls, mine=is_mine)
    of_totals = totals and game.mode == Game.Mode.SHEET
    missing, unconfirmed = _count_missing(game, sheets.get(game.id, []), of_totals)
    alive = game.last_event_at or game.created_at
    return TableView(
        number=table.number,
        mode=game.mode,
        status=game.status,
        game_id=game.id,
        deal=game.deal,
        deals=game.options.get("deals"),
        trick=game.trick,
        chairs=chairs,
        sides=sides_with_totals(chairs, game.totals, game.sides),
        waits_for=_describe_awaited(game, chairs),
        sign_of_life=format_elapsed(alive, now),
        table_id=table.pk,
        calls=calls,
        unconfirmed=unconfirmed,
        missing=missing,
        of_totals=of_totals,
        still=has_stalled(game.status, game.mode, alive, now),
        behind=is_behind(game.status, game.deal, middle),
        mine=is_mine,
        url=reverse("table_live", args=[game.id]),
    )


def _count_missing(game: Game, rows: Sequence[DealResult], of_totals: bool) -> tuple[int, tuple[int, ...]]:
    """Return the number of lines without a result, and the numbers of the deals whose results are not
    confirmed.
    """
    lines = 1 if of_totals else game.options.get("deals") or 0
    written = sum(not row.annulled for row in rows)
    missing = max(0, lines - written) if rows or game.status not in Game.OVER or of_totals else 0
    return missing, tuple(row.deal for row in rows if not row.confirmed)


def sides_with_totals(
    chairs: Sequence[ChairLabel], totals: Sequence[int | None], sides: Sequence[int]
) -> tuple[Side, ...]:
    """Return the sides with their totals. `sides`: the side of each seat. As long as a side has no players,
    as before an auction, each chair is a side of its own without a total.
    """
    here = [
        tuple(chair for chair, of in zip(chairs, sides, strict=False) if of == side)
        for side in range(len(totals))
    ]
    if chairs and not all(here):
        return tuple(Side(chair.name, None, (chair,)) for chair in chairs)
    return tuple(
        Side(" + ".join(chair.name for chair in one) or "–", total, one)
        for one, total in zip(here, totals, strict=True)
    )


def _describe_awaited(game: Game, chairs: Sequence[ChairLabel]) -> str:
    if game.status == Game.Status.CLOSED:
        return _("finished early")
    if game.status == Game.Status.ENDED:
        return _("finished")
    if game.turn_seat is None or game.turn_seat >= len(chairs):
        return word(PHASES, game.phase)
    name = chairs[game.turn_seat].name
    return _("%(name)s: %(what)s") % {"name": name, "what": word(PHASES, game.phase)}
