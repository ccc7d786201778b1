"""What the tables have given: points of every seat, from dealt, transcribed and sheet tables alike.

The engine decides what counts; here its totals are only read and credited: both partners get their side's.
"""

from collections.abc import Iterable, Mapping, Sequence

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
from tournaments.standings import Meeting, ScoredEntrant, ScoredRound

Numbers = tuple[int, ...]
_LIST = msgspec.json.Decoder(list[int | None] | None).decode


class TableResult(msgspec.Struct, frozen=True, gc=False):
    """One table so far. `entries`: numbers by seat, `sides` their sides; totals and sweeps: by side, after
    rulings; `winners`: the sides that have won, none before the end.
    """

    round: int
    table: int
    status: str
    entries: tuple[int, ...]
    sides: tuple[int, ...]
    totals: tuple[int, ...]
    sweeps: tuple[int, ...]
    winners: tuple[int, ...] = ()
    scaled: bool = False
    """A table of three whose results count as those of four."""

    def credit(self, seat: int, kind: str) -> int:
        """What a seat gets by the regulations' `credit`: its side's points, or the opponents beaten."""
        side = self.sides[seat]
        if kind == "points":
            return _times(self.totals[side], 4, 3) if self.scaled else self.totals[side]
        beaten = sum(other not in self.winners for other in self.sides) if side in self.winners else 0
        return _times(beaten, 3, 2) if self.scaled else beaten

    def won(self, seat: int) -> bool:
        """Whether the seat's side, and no other, has won."""
        return self.winners == (self.sides[seat],)


def _times(points: int, by: int, of: int) -> int:
    """Half a point counts as one."""
    return (2 * points * by + of) // (2 * of)


def of_rounds(rounds: Sequence[Round]) -> list[TableResult]:
    """The results of all tables of these rounds that have a game. Two queries, however many tables; with
    tables of three one more."""
    numbers = {round_.pk: round_.number for round_ in rounds}
    entries: dict[tuple[int, int], list[int]] = {}
    games: dict[str, tuple[int, int, str, Numbers, Numbers, Numbers]] = {}
    for round_id, table, entry, game, status, *given in (
        Seating.objects.filter(round__in=numbers, table__game__isnull=False)
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
        if game not in games:  # a table's columns come with each of its seats, and are read once
            totals, sides, winners = map(_numbers, given)
            games[game] = (round_id, table, status, totals, sides, winners)
    sweeps = _sweeps(rounds)
    found = []
    scaled = any(len(people) == 3 for people in entries.values()) and _scales(rounds[0])
    for game, (round_id, table, status, totals, sides, winners) in games.items():
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


def _sweeps(rounds: Iterable[Round]) -> dict[str, list[int]]:
    """The sides of the sweeps, by game. One whose deal a ruling has moved points of is none any more, and one
    that a ruling has made is; those counted in totals stay, as nobody knows which deal a ruling was about."""
    sweeps: dict[str, list[int]] = {}
    for game, side, ruled, counts, scores, counted in DealResult.objects.filter(
        ~Q(sweep=None, ruled_sweep=None, sweeps=None),
        game__tournament_table__round__in=[round_.pk for round_ in rounds],
        annulled=False,
    ).values_list("game_id", "sweep", "ruled_sweep", "sweeps", "scores", "counted"):
        stands = side if scores == counted else ruled
        if stands is not None:
            sweeps.setdefault(game, []).append(stands)
        for one, count in enumerate(counts or ()):
            sweeps.setdefault(game, []).extend([one] * count)
    return sweeps


class Beside(msgspec.Struct, frozen=True, gc=False):
    """What counts beside the tables: (number, round, points) of those who sat out, every entry as
    (number, status, cut, lot), (number of the pair, number of a member) of those ranked as one, and (number,
    number of the other) of a person who was entered twice.
    """

    sat_out: tuple[tuple[int, int, int], ...]
    entries: tuple[tuple[int, str, int | None, int | None], ...]
    members: tuple[tuple[int, int], ...] = ()
    twice: tuple[tuple[int, int], ...] = ()

    @property
    def counted_for(self) -> tuple[tuple[int, int], ...]:
        """(number of the line in the ranking, number that sat at a table), where these differ."""
        pair_of = {member: pair for pair, member in self.members}
        return (*self.members, *((pair_of.get(kept, kept), other) for kept, other in self.twice))


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


def entrants_of(beside: Beside, tables: Sequence[TableResult], credit: str) -> list[ScoredEntrant]:
    """Everybody who plays or has played, pairs as one, with their rounds, credited as the regulations say."""
    scored: dict[int, list[ScoredRound]] = {}
    for result in tables:
        if not result.totals:
            continue
        for seat, number in enumerate(result.entries):
            side = result.sides[seat]
            scored.setdefault(number, []).append(
                ScoredRound(
                    result.round,
                    result.credit(seat, credit),
                    result.sweeps[side],
                    table=result.totals[side],
                    won=result.won(seat),
                )
            )
    for number, round_number, points in beside.sat_out:
        scored.setdefault(number, []).append(ScoredRound(round_number, points, 0, played=False))
    for kept, other in beside.twice:
        scored[kept] = [*_as_one([scored.get(kept, ()), scored.pop(other, ())])]
    together: dict[int, list[int]] = {}
    for pair, member in beside.members:
        together.setdefault(pair, []).append(member)
    pair_of = {member: pair for pair, member in beside.members}
    plays = {pair_of.get(number, number) for number, status, *_ in beside.entries if status == "arrived"}
    ranked = {pair_of.get(number, number) for number, *_ in beside.entries}
    recorded = {number: (cut, lot) for number, _status, cut, lot in beside.entries}
    found = []
    for key in sorted(ranked):
        members = tuple(together.get(key, ()))
        rounds = _as_one([scored.get(number, ()) for number in members or (key,)])
        if key in plays or rounds:
            cut, lot = recorded.get(key, (None, None))
            found.append(ScoredEntrant(key, rounds, cut=cut, lot=lot, members=members))
    return found


def _as_one(of_members: Sequence[Sequence[ScoredRound]]) -> tuple[ScoredRound, ...]:
    """A round counts once: as the first member played it, else what the first was given for it."""
    if len(of_members) == 1:
        return tuple(of_members[0])
    rounds: dict[int, ScoredRound] = {}
    for one in (one for scored in of_members for one in scored):
        if one.round not in rounds or (one.played and not rounds[one.round].played):
            rounds[one.round] = one
    return tuple(rounds.values())


def meetings_of(tables: Iterable[TableResult], members: Iterable[tuple[int, int]] = ()) -> list[Meeting]:
    """Side against side at tables with two sides; `members`: who is ranked as one, as Beside has it."""
    pair_of = {member: pair for pair, member in members}
    return [
        Meeting(result.round, *_sides(result, pair_of), (result.totals[0], result.totals[1]))
        for result in tables
        if len(result.totals) == 2
    ]


def _sides(result: TableResult, pair_of: Mapping[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who of the ranking sat on either side; a pair once."""
    sides: tuple[dict[int, None], dict[int, None]] = ({}, {})
    for number, side in zip(result.entries, result.sides, strict=True):
        sides[side][pair_of.get(number, number)] = None
    return tuple(sides[0]), tuple(sides[1])


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
