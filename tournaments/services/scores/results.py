"""What the tables have given: points of every seat, from dealt, transcribed and sheet tables alike.

The engine decides what counts; here its totals are only read and credited: both partners get their side's.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from msgspec.structs import replace

from engine import State
from games.appending import record
from games.models import DealResult
from games.showing import projection
from tournaments.events import SittingOutCounted
from tournaments.models import Championship, Round, Seating, SitOut
from tournaments.regulations import Regulations
from tournaments.services.championships import regulations_of
from tournaments.standings import Beside, TableResult

Numbers = tuple[int, ...]
_LIST = msgspec.json.Decoder(list[int | None] | None).decode


def of_rounds(rounds: Sequence[Round], games: Collection[str] | None = None) -> list[TableResult]:
    """The results of all tables of these rounds that have a game, or only of those `games`. Two queries,
    however many tables; with tables of three one more."""
    numbers = {round_.pk: round_.number for round_ in rounds}
    wanted = Q(table__game__isnull=False) if games is None else Q(table__game__in=games)
    entries: dict[tuple[int, int], list[int]] = {}
    played: dict[str, tuple[int, int, str, Numbers, Numbers, Numbers]] = {}
    for round_id, table, entry, game, status, *given in (
        Seating.objects.filter(wanted, round__in=numbers)
        .order_by("round_id", "table__number", "seat")
        .values_list(
            "round_id",
            "table__number",
            "entry__number",
            "table__game_id",
            "table__game__status",
            *(Cast(f"table__game__{name}", TextField()) for name in ("totals", "sides", "winners")),
        )
    ):
        entries.setdefault((round_id, table), []).append(entry)
        if game not in played:  # a table's columns come with each of its seats, and are read once
            totals, sides, winners = map(_numbers, given)
            played[game] = (round_id, table, status, totals, sides, winners)
    sweeps = _sweeps(rounds, games)
    found = []
    scaled = any(len(people) == 3 for people in entries.values()) and _scales(rounds[0])
    for game, (round_id, table, status, totals, sides, winners) in played.items():
        swept = sweeps.get(game, [])
        found.append(
            TableResult(
                round=numbers[round_id],
                table=table,
                status=status,
                entries=tuple(entries[round_id, table]),
                sides=sides,
                totals=totals,
                sweeps=tuple(swept.count(side) for side in range(len(totals))),
                winners=winners,
                scaled=scaled and len(entries[round_id, table]) == 3,
            )
        )
    return found


def _numbers(column: str | None) -> Numbers:
    """A list of a game's row; what nobody knows yet counts nothing."""
    return tuple(number or 0 for number in _LIST(column or "null") or ())


def _scales(round_: Round) -> bool:
    """Whether a table of three counts as one of four."""
    held = regulations_of(round_.championship)
    return held.byes.three == "scaled" and held.play.seats == 4


def _sweeps(rounds: Iterable[Round], games: Collection[str] | None) -> dict[str, list[int]]:
    """The sides of the sweeps, by game, of these or all. One whose deal a ruling has moved points of is none
    any more, and one that a ruling has made is; those counted in totals stay, as nobody knows which deal a
    ruling was about."""
    sweeps: dict[str, list[int]] = {}
    of_these = Q(game__tournament_table__round__in=[round_.pk for round_ in rounds])
    for game, side, ruled, counts, scores, counted in DealResult.objects.filter(
        ~Q(sweep=None, ruled_sweep=None, sweeps=None),
        of_these if games is None else Q(game__in=games),
        annulled=False,
    ).values_list("game_id", "sweep", "ruled_sweep", "sweeps", "scores", "counted"):
        stands = side if scores == counted else ruled
        if stands is not None:
            sweeps.setdefault(game, []).append(stands)
        for one, count in enumerate(counts or ()):
            sweeps.setdefault(game, []).extend([one] * count)
    return sweeps


_SAT_OUT = ("entry__number", "round__number", "points")


def beside_of(championship: Championship, rounds: Sequence[Round], *, pairs: bool = False) -> Beside:
    """Two queries, and one more where `pairs` are ranked."""
    sat_out = SitOut.objects.filter(round__in=[round_.pk for round_ in rounds], points__isnull=False)
    listed = championship.entries.filter(house=False)
    entries = list(listed.values_list("number", "status", "cut", "lot", "merged_into__number"))
    return Beside(
        tuple((n, r, points or 0) for n, r, points in sat_out.values_list(*_SAT_OUT)),
        tuple((n, status, cut, lot) for n, status, cut, lot, kept in entries if kept is None),
        tuple(_members(championship)) if pairs else (),
        tuple(sorted((kept, number) for number, *_, kept in entries if kept is not None)),
    )


def _members(championship: Championship) -> Iterable[tuple[int, int]]:
    together = championship.entries.filter(entrant__isnull=False).order_by("number")
    return together.values_list("entrant__number", "number")


def give_points_for_sitting_out(round_: Round, regulations: Regulations | None = None) -> None:
    """What sitting out is worth: the regulations' figure, or the average of those who played the round."""
    held = regulations or regulations_of(round_.championship)
    round_.sit_outs.update(points=worth_of_sitting_out(held, of_rounds([round_])))


def worth_of_sitting_out(held: Regulations, tables: Iterable[TableResult]) -> int:
    """The same by regulations and the tables of the round."""
    if held.byes.points == "fixed":
        return held.byes.fixed
    points = [
        result.credit(seat, held.play.credit)
        for result in tables
        if result.totals
        for seat in range(len(result.entries))
    ]
    return (2 * sum(points) + len(points)) // (2 * len(points)) if points else 0


def count_sitting_out_anew(round_: Round, *, ref: str) -> None:
    """After a closed round was put right: who sat out gets the average as it is now, where it has changed."""
    sat_out = round_.sit_outs.values_list("points", flat=True)
    worth = worth_of_sitting_out(regulations_of(round_.championship), of_rounds([round_]))
    if set(sat_out) - {worth}:
        round_.sit_outs.update(points=worth)
        record(round_.stream_id, SittingOutCounted(points=worth), actor=ref)


def supposed(table: TableResult, state: State) -> TableResult:
    """What a table would give if its game stood so."""
    rows = projection.results(state)
    stand = [row for row in rows if not row.annulled]
    swept = [row.sweep if row.scores == row.counted else row.ruled_sweep for row in stand]
    swept += [side for row in rows for side, count in enumerate(row.sweeps or ()) for _ in range(count)]
    return replace(
        table,
        totals=tuple(state.totals),
        sweeps=tuple(swept.count(side) for side in range(len(state.totals))),
        winners=tuple(state.winners) if state.over else (),
    )
