"""Results of tables: the points of every seat at dealt, transcribed and sheet tables.

The engine decides what counts. This module reads its totals and credits them: both partners get the total of
their side.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec
from django.db.models import Count, Q, TextField
from django.db.models.functions import Cast
from msgspec.structs import replace

from engine import State
from games.models import DealResult, Game
from games.projections import projection
from tournaments.competition import read_number
from tournaments.models import Championship, Round, Seating
from tournaments.regulations import Regulations
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people.entry_persons import load_person_numbers
from tournaments.services.people.team_members import load_team_numbers
from tournaments.standings import Figure, RankingInputs, TableResult, count_against_field, merge_encounters
from tournaments.standings.table_results import DealPoints

Numbers = tuple[int, ...]
_LIST = msgspec.json.Decoder(list[int | None] | None).decode


class _Options(msgspec.Struct):
    """The game option for the number of deals; None: the end is open."""

    deals: int | None = None


_OPTIONS = msgspec.json.Decoder(_Options).decode


def load_results(
    rounds: Sequence[Round], games: Collection[str] | None = None, *, regulations: Regulations | None = None
) -> list[TableResult]:
    """Load the results of all tables of these rounds that have a game, or only of the games with the ids
    `games`.

    Three queries, regardless of the number of tables; one more for the regulations if they are needed and
    `held` is None; one more if tables are compared deal by deal. With `games`, the caller has to compare the
    tables with the others by `count_against_field`.
    """
    numbers = {round_.pk: round_.number for round_ in rounds}
    wanted = Q(table__game__isnull=False) if games is None else Q(table__game__in=games)
    entries: dict[tuple[int, int], list[int]] = {}
    played: dict[str, _Played] = {}
    for round_id, table, entry, game, status, mode, options, *given in (
        Seating.objects.filter(wanted, round__in=numbers)
        .order_by("round_id", "table__number", "seat")
        .values_list(
            "round_id",
            "table__number",
            "entry__number",
            "table__game_id",
            "table__game__status",
            "table__game__mode",
            *(
                Cast(f"table__game__{name}", TextField())
                for name in ("options", "totals", "sides", "winners")
            ),
        )
    ):
        entries.setdefault((round_id, table), []).append(entry)
        if game not in played:  # the table's columns repeat with each of its seats, and are decoded once
            planned = 0 if status == Game.Status.ENDED else _OPTIONS(options).deals or 0
            played[game] = _Played(round_id, table, status, mode, planned, *map(_numbers, given))
    of_these = Q(game__tournament_table__round__in=list(numbers)) if games is None else Q(game__in=games)
    sweeps, deals = _sweeps(of_these), _deals(of_these)
    compares = regulations is not None and regulations.counts_against_field
    by_deal = _points_by_deal(of_these) if compares else {}
    threes = any(len(people) == 3 for people in entries.values())
    unfinished = any(one.status != Game.Status.ENDED and game in deals for game, one in played.items())
    if regulations is None and (threes or unfinished):
        regulations = load_regulations(rounds[0].championship)
    scaled = (
        threes
        and regulations is not None
        and regulations.byes.three == "scaled"
        and regulations.play.seats == 4
    )
    in_totals = regulations is not None and regulations.hand_in == "totals"
    found = []
    for game, one in played.items():
        swept = sweeps.get(game, [])
        standing, known = deals.get(game, (0, 0))
        least = 1 if in_totals and one.mode == Game.Mode.SHEET else one.planned
        found.append(
            TableResult(
                round=numbers[one.round_id],
                table=one.table,
                status=one.status,
                entries=tuple(entries[one.round_id, one.table]),
                sides=one.sides,
                totals=one.totals,
                sweeps=tuple(swept.count(side) for side in range(len(one.totals))),
                winners=one.winners,
                deals=known,
                complete=one.status == Game.Status.ENDED or 0 < least <= standing,
                scaled=scaled and len(entries[one.round_id, one.table]) == 3,
                credited=regulations is not None and regulations.broken_off is not msgspec.UNSET,
            )
        )
        if compares and regulations is not None:
            found[-1] = _split_by_deal(found[-1], by_deal.get(game, {}), regulations)
    return count_against_field(found) if compares and games is None else found


def _points_by_deal(of_these: Q) -> dict[str, dict[int, DealPoints]]:
    """Return game → deal → points by side, for all deals that are not annulled."""
    found: dict[str, dict[int, DealPoints]] = {}
    rows = DealResult.objects.filter(of_these, annulled=False, counted__isnull=False)
    for game, deal, counted in rows.order_by().values_list("game_id", "deal", "counted"):
        found.setdefault(game, {})[deal] = tuple(counted or ())
    return found


def _split_by_deal(
    result: TableResult, points: Mapping[int, DealPoints], regulations: Regulations
) -> TableResult:
    """Return the result with the points of each planned deal, None for a deal without points.

    An annulled deal has no points: the deal that replaces it has a number that no other table plays.
    """
    planned = regulations.deals_at(len(result.entries))
    sums = [sum(deal[side] or 0 for deal in points.values()) for side in range(len(result.totals))]
    return replace(
        result,
        by_deal=tuple(points.get(deal) for deal in range(1, planned + 1)),
        outside=tuple(total - known for total, known in zip(result.totals, sums, strict=True)),
    )


class _Played(NamedTuple):
    """The columns of a game. `planned`: number of its deals, 0 if it has ended or the number is open."""

    round_id: int
    table: int
    status: str
    mode: str
    planned: int
    totals: Numbers
    sides: Numbers
    winners: Numbers


def _deals(of_these: Q) -> dict[str, tuple[int, int]]:
    """Return game → (number of deals that are not annulled, number of these with all scores known)."""
    known = ~Q(text__contains="null")
    return {
        game: (standing, scored)
        for game, standing, scored in DealResult.objects.filter(
            of_these, annulled=False, counted__isnull=False
        )
        .annotate(text=Cast("counted", TextField()))
        .order_by()
        .values("game_id")
        .annotate(standing=Count("pk"), scored=Count("pk", filter=known))
        .values_list("game_id", "standing", "scored")
    }


def _numbers(column: str | None) -> Numbers:
    """Decode a list column of a game; None becomes 0."""
    return tuple(number or 0 for number in _LIST(column or "null") or ())


def _sweeps(of_these: Q) -> dict[str, list[int]]:
    """Return game → side of each sweep.

    A sweep no longer counts if a ruling moved points of its deal. A ruling can also award a sweep. Sweeps
    that were typed with totals always count, since a ruling does not say which of them it concerns.
    """
    sweeps: dict[str, list[int]] = {}
    for game, side, ruled, counts, scores, counted in DealResult.objects.filter(
        ~Q(sweep=None, ruled_sweep=None, sweeps=None),
        of_these,
        annulled=False,
    ).values_list("game_id", "sweep", "ruled_sweep", "sweeps", "scores", "counted"):
        stands = side if scores == counted else ruled
        if stands is not None:
            sweeps.setdefault(game, []).append(stands)
        for one, count in enumerate(counts or ()):
            sweeps.setdefault(game, []).extend([one] * count)
    return sweeps


def load_ranking_inputs(
    championship: Championship, rounds: Sequence[Round], regulations: Regulations
) -> RankingInputs:
    """Load byes, entries, pairs, teams, starts and merges for the ranking of these open or closed rounds.

    The points of a bye are known at once if they are fixed, otherwise when its round is closed. One query, at
    most two more for pairs, teams or starts.
    """
    entries, byes, excused = _load_entries(championship, rounds, regulations)
    if regulations.has_queue:
        own = tuple((n, status, cut, lot) for n, status, cut, lot, _kept in entries)
        if regulations.play.format == "fixed_pairs":
            return _describe_pair_starts(own, load_pair_starts(championship))
        person_of = load_person_numbers(championship)
        starts = tuple(sorted((person_of[number], number) for number, *_ in entries))
        return RankingInputs((), own, starts=starts)
    members: tuple[tuple[int, int], ...] = ()
    if regulations.play.format == "fixed_pairs":
        members = tuple(_list_members(championship, "entrant"))
    elif regulations.plays_in_teams:  # a person without a team has no line
        members = tuple(_list_members(championship, "team"))
        ranked = {number for both in members for number in both}
        entries = [one for one in entries if one[0] in ranked or one[4] is not None]
    return RankingInputs(
        byes,
        tuple((n, status, cut, lot) for n, status, cut, lot, kept in entries if kept is None),
        members,
        tuple(sorted((kept, number) for number, *_, kept in entries if kept is not None)),
        own_mean=regulations.kind_of_averages if regulations.byes.points == "own" else None,
        excused=excused if regulations.credits_excused else None,
    )


class _LoadedEntries(NamedTuple):
    """Loaded entries and byes. People are given by the number of their entry.

    `entries`: (number, status, cut, lot, number of the entry it is merged into); `byes`: (number, round,
    points); `excused`: (number, rounds missed with notice).
    """

    entries: list[tuple[int, str, int | None, int | None, int | None]]
    byes: tuple[tuple[int, int, Figure], ...]
    excused: tuple[tuple[int, tuple[int, ...]], ...]


def _load_entries(
    championship: Championship, rounds: Sequence[Round], regulations: Regulations
) -> _LoadedEntries:
    """Load the entries except those of the house, with their byes in these rounds. One query."""
    numbers = {one.pk: one.number for one in rounds}
    fixed = regulations.byes.fixed if regulations.byes.points == "fixed" else None
    columns = () if regulations.has_queue else ("byes__round_id", "byes__points")
    rows = championship.entries.filter(house=False).order_by("number", *columns[:1])
    entries: dict[int, tuple[int, str, int | None, int | None, int | None]] = {}
    excused: dict[int, tuple[int, ...]] = {}
    byes: list[tuple[int, int, Figure]] = []
    for number, status, cut, lot, kept, missed, *bye in rows.values_list(
        "number", "status", "cut", "lot", "merged_into__number", "excused_rounds", *columns
    ):
        entries[number] = (number, status, cut, lot, kept)
        if missed:
            excused[number] = tuple(missed)
        if bye and bye[0] in numbers:
            points = fixed if bye[1] is None else read_number(bye[1])
            if points is not None:
                byes.append((number, numbers[bye[0]], points))
    return _LoadedEntries(list(entries.values()), tuple(byes), tuple(excused.items()))


class PairStart(NamedTuple):
    """A start of a pair. `number`: of the start; `numbers`: of its entries; `persons`: of its persons' first
    entries.
    """

    number: int
    numbers: tuple[int, ...]
    persons: tuple[int, ...]


def _describe_pair_starts(
    entries: tuple[tuple[int, str, int | None, int | None], ...],
    starts: Iterable[PairStart],
) -> RankingInputs:
    """Return the ranking inputs of an open heat for pairs.

    All starts of the same two persons are one pair, with the number of their first start.
    """
    key_of: dict[tuple[int, ...], int] = {}
    own = [(key_of.setdefault(one.persons, one.number), n) for one in starts for n in one.numbers]
    together = [(key, person) for persons, key in key_of.items() for person in persons]
    return RankingInputs((), entries, tuple(sorted(together)), starts=tuple(sorted(own)))


def load_pair_starts(championship: Championship) -> list[PairStart]:
    """Load the starts of pairs, by number. Two queries."""
    person_of = load_person_numbers(championship)
    numbers_of: dict[int, list[int]] = {}
    for pair, number in _list_members(championship, "entrant"):
        numbers_of.setdefault(pair, []).append(number)
    return [
        PairStart(pair, tuple(numbers), tuple(sorted({person_of[number] for number in numbers})))
        for pair, numbers in sorted(numbers_of.items())
    ]


def _list_members(championship: Championship, group: Literal["entrant", "team"]) -> Iterable[tuple[int, int]]:
    """Return (number of the pair or team, number of the entry) for each member."""
    together = championship.entries.filter(**{f"{group}__isnull": False}).order_by("number")
    if group == "team":
        together = together.filter(house=False, merged_into=None)
    return together.values_list(f"{group}__number", "number")


def load_encounters(rounds: Sequence[Round], regulations: Regulations) -> Sequence[TableResult]:
    """Load the results of all tables of these rounds. If teams are drawn, an encounter has one merged result.

    The number of queries is that of `load_results`, and one more if teams are drawn.
    """
    found = load_results(rounds, regulations=regulations)
    if not regulations.plays_in_teams or not rounds:
        return found
    return merge_tables(found, load_team_numbers(rounds[0].championship), regulations)


def merge_tables(
    tables: Sequence[TableResult], team_of: Mapping[int, int], regulations: Regulations
) -> Sequence[TableResult]:
    """Return one result for each encounter of teams. If no teams are drawn, return `tables` unchanged."""
    if not regulations.plays_in_teams:
        return tables
    return merge_encounters(tables, team_of, regulations.directions().table)


def compute_hypothetical_result(table: TableResult, state: State, regulations: Regulations) -> TableResult:
    """Return the result that the table would have if its game were at `state`.

    It is not compared with other tables yet.
    """
    rows = projection.results(state)
    stand = [row for row in rows if not row.annulled]
    swept = [row.sweep if row.scores == row.counted else row.ruled_sweep for row in stand]
    swept += [side for row in rows for side, count in enumerate(row.sweeps or ()) for _ in range(count)]
    known = sum(None not in row.counted for row in stand)
    found = replace(
        table,
        totals=tuple(state.totals),
        sweeps=tuple(swept.count(side) for side in range(len(state.totals))),
        winners=tuple(state.winners) if state.over else (),
        deals=known,
        complete=table.complete or state.over,
    )
    if not regulations.counts_against_field:
        return found
    return _split_by_deal(found, {row.deal: tuple(row.counted) for row in stand}, regulations)
