"""What the tables have given: points of every seat, from dealt, transcribed and sheet tables alike.

The engine decides what counts; here its totals are only read and credited: both partners get their side's.
"""

from collections.abc import Iterable, Sequence

import msgspec
from django.db import transaction

from games.models import DealResult
from tournaments.models import Championship, Round, Seating, SitOut
from tournaments.regulations import Regulations
from tournaments.services.championships import regulations_of
from tournaments.standings import Entrant, Meeting, ScoredRound


class TableResult(msgspec.Struct, frozen=True):
    """One table so far. `entries`: numbers by seat; totals and sweeps: by side, after rulings."""

    round: int
    table: int
    status: str
    entries: tuple[int, ...]
    totals: tuple[int, ...]
    sweeps: tuple[int, ...]

    def side_of(self, seat: int) -> int:
        return seat % len(self.totals)


def of_rounds(rounds: Sequence[Round]) -> list[TableResult]:
    """The results of all tables of these rounds that have a game. Two queries, however many tables."""
    numbers = {round_.pk: round_.number for round_ in rounds}
    entries: dict[tuple[int, int], list[int]] = {}
    games: dict[str, tuple[int, int, str, list[int]]] = {}
    for round_id, table, game, status, totals, entry in (
        Seating.objects.filter(round__in=numbers, table__game__isnull=False)
        .order_by("round_id", "table__number", "seat")
        .values_list(
            "round_id",
            "table__number",
            "table__game_id",
            "table__game__status",
            "table__game__totals",
            "entry__number",
        )
    ):
        entries.setdefault((round_id, table), []).append(entry)
        games[game] = (round_id, table, status, totals)
    sweeps = _sweeps(rounds)
    found = []
    for game, (round_id, table, status, totals) in games.items():
        counted = tuple(total or 0 for total in totals)
        swept = sweeps.get(game, [])
        found.append(
            TableResult(
                round=numbers[round_id],
                table=table,
                status=status,
                entries=tuple(entries[round_id, table]),
                totals=counted,
                sweeps=tuple(swept.count(side) for side in range(len(counted))),
            )
        )
    return found


def _sweeps(rounds: Iterable[Round]) -> dict[str, list[int]]:
    """The sides of the sweeps, by game. One whose deal a ruling has moved points of is none any more."""
    sweeps: dict[str, list[int]] = {}
    for game, side, scores, counted in DealResult.objects.filter(
        game__tournament_table__round__in=[round_.pk for round_ in rounds],
        annulled=False,
    ).values_list("game_id", "sweep", "scores", "counted"):
        if side is not None and scores == counted:
            sweeps.setdefault(game, []).append(side)
    return sweeps


def entrants_of(
    championship: Championship, rounds: Sequence[Round], tables: Sequence[TableResult]
) -> list[Entrant]:
    """Every entry that plays or has played, with its rounds."""
    scored: dict[int, list[ScoredRound]] = {}
    for result in tables:
        if not result.totals:
            continue
        for seat, number in enumerate(result.entries):
            side = result.side_of(seat)
            scored.setdefault(number, []).append(
                ScoredRound(result.round, result.totals[side], result.sweeps[side])
            )
    for number, round_number, points in SitOut.objects.filter(
        round__in=[round_.pk for round_ in rounds], points__isnull=False
    ).values_list("entry__number", "round__number", "points"):
        scored.setdefault(number, []).append(ScoredRound(round_number, points or 0, 0, played=False))
    entries = championship.entries.filter(house=False).values_list("number", "status", "cut", "lot")
    return [
        Entrant(number, tuple(scored.get(number, ())), cut=cut, lot=lot)
        for number, status, cut, lot in entries
        if status == "arrived" or number in scored
    ]


def meetings_of(tables: Iterable[TableResult]) -> list[Meeting]:
    """Side against side at tables with two sides."""
    return [
        Meeting(
            result.round,
            tuple(n for seat, n in enumerate(result.entries) if result.side_of(seat) == 0),
            tuple(n for seat, n in enumerate(result.entries) if result.side_of(seat) == 1),
            (result.totals[0], result.totals[1]),
        )
        for result in tables
        if len(result.totals) == 2
    ]


def give_points_for_sitting_out(round_: Round, regulations: Regulations | None = None) -> None:
    """What sitting out is worth: the regulations' figure, or the average of those who played the round."""
    byes = (regulations or regulations_of(round_.championship)).byes
    with transaction.atomic():
        if byes.points == "fixed":
            round_.sit_outs.update(points=byes.fixed)
            return
        points = [
            result.totals[result.side_of(seat)]
            for result in of_rounds([round_])
            if result.totals
            for seat in range(len(result.entries))
        ]
        average = (2 * sum(points) + len(points)) // (2 * len(points)) if points else 0
        round_.sit_outs.update(points=average)
