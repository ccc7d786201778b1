"""Live ranking of a championship, kept in a process. After a change only changed tables or rounds are read
again.

It is computed from rows as the public sees them, so the results of delayed tables come with the delay.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db.models import Count, F, Sum

from tournaments.models import Championship, Round
from tournaments.services.cache_versions import CacheVersion
from tournaments.services.current_regulations import load_regulations
from tournaments.services.people.team_members import load_team_numbers
from tournaments.services.scores import ranking_basis, results
from tournaments.services.scores.bracket import has_bracket
from tournaments.services.scores.stored_credits import credit_unplayed
from tournaments.standings import KeptRanking, RankedRows, count_against_field


class _RoundMark(NamedTuple):
    """State of a round when its tables were read.

    `seats`: head of its stream, which records each change of chairs, and number of its games; `heads`: game →
    head; `ends`: sum of the games' numbers of events.
    """

    seats: tuple[int, int]
    ends: int
    heads: dict[str, int]


class LiveRanking:
    """Live ranking of one championship, updated at each call. Not thread-safe."""

    def __init__(self) -> None:
        self._basis: object = None
        self._people = ""
        self._seen: dict[int, _RoundMark] = {}
        self._team_of: dict[int, int] = {}

    def rows(
        self, championship: Championship, rounds: Sequence[Round], cache_version: CacheVersion
    ) -> RankedRows:
        """Return the current ranking, equal to `ranking_basis.live_ranking`. If nothing has changed, no
        results are read.

        `rounds`: all rounds of the championship; `cache_version`: loaded before this call.
        """
        try:
            return self._update(championship, rounds, cache_version)
        except BaseException:
            self._basis = None  # the update may be incomplete: start over at the next call
            raise

    def _update(
        self, championship: Championship, rounds: Sequence[Round], cache_version: CacheVersion
    ) -> RankedRows:
        standing = [round_ for round_ in rounds if round_.status in ranking_basis.STANDING]
        regulations = load_regulations(championship)
        sealed = ranking_basis.sealed_number(championship, regulations, standing)
        basis = (regulations, [(round_.pk, round_.number) for round_ in standing], sealed)
        if self._basis != basis:
            self._kept = KeptRanking(
                regulations.counting,
                regulations.crediting(),
                rounds_held=ranking_basis.count_held(regulations, standing),
                directions=regulations.directions(),
                sealed=sealed,
            )
            self._regulations = regulations
            self._basis, self._people, self._seen = basis, "", {}
        people = cache_version.marks("frame", "people")
        if regulations.plays_in_teams and self._people != people:
            self._team_of, self._seen = load_team_numbers(championship), {}
        moved = self._update_tables(standing)
        by_results = has_bracket(regulations) or regulations.credits_unplayed
        if self._people != people or (moved and by_results):
            inputs = ranking_basis.load_inputs(championship, standing, regulations)
            closed = ranking_basis.list_closed(standing)
            tables = (one for number in closed for one in self._kept.results_of(number).values())
            self._kept.change_people(credit_unplayed(inputs, regulations, closed, tables))
            self._people = people
        return self._kept.rows()

    def _update_tables(self, rounds: Sequence[Round]) -> bool:
        """Read the changed tables of these rounds again; return whether there are any."""
        if self._seen:
            marks = self._read_marks(rounds)
            changed = [
                round_
                for round_ in rounds
                if (seen := self._seen.get(round_.pk)) is None or (seen.seats, seen.ends) != marks[round_.pk]
            ]
        else:
            changed = list(rounds)
        if not changed:
            return False
        heads_of, marks = self._read_heads(changed)
        whole, some = [], []
        games_moved: list[str] = []
        for round_ in changed:
            seats, _ends = marks[round_.pk]
            seen, heads = self._seen.get(round_.pk), heads_of[round_.pk]
            known = seen.heads if seen is not None and seen.seats == seats else {}
            moved = [game for game, head in heads.items() if known.get(game) != head]
            if 2 * len(moved) < len(heads) and not self._regulations.plays_in_teams:
                some.append(round_)
                games_moved += moved
            else:
                whole.append(round_)
        if whole:
            self._read_rounds(whole)
        if some:
            self._read_games(some, games_moved)
        for round_ in changed:
            self._seen[round_.pk] = _RoundMark(*marks[round_.pk], heads_of[round_.pk])
        return True

    def _read_marks(self, rounds: Sequence[Round]) -> dict[int, tuple[tuple[int, int], int]]:
        """Return the marks of these rounds (primary key → seats, ends), without the heads of their games."""
        games = Count("tables__game"), Sum(F("tables__game__head_seq") + 1)
        rows = Round.objects.filter(pk__in=[round_.pk for round_ in rounds])
        found = rows.annotate(games=games[0], ends=games[1])
        return {
            pk: ((head, count), ends or 0)
            for pk, head, count, ends in found.values_list("pk", "stream__head_seq", "games", "ends")
        }

    def _read_heads(
        self, rounds: Sequence[Round]
    ) -> tuple[dict[int, dict[str, int]], dict[int, tuple[tuple[int, int], int]]]:
        """Return the head of each game by round, and the marks of these rounds, read at the same moment."""
        heads_of: dict[int, dict[str, int]] = {round_.pk: {} for round_ in rounds}
        marks: dict[int, tuple[tuple[int, int], int]] = {}
        rows = Round.objects.filter(pk__in=list(heads_of)).order_by()
        for pk, seats, game, head, undone in rows.values_list(
            "pk", "stream__head_seq", "tables__game_id", "tables__game__head_seq", "tables__undone"
        ):
            (_seats, count), ends = marks.get(pk, ((seats, 0), 0))
            if game is not None:
                count, ends = count + 1, ends + head + 1
                if undone is None:
                    heads_of[pk][game] = head
            marks[pk] = (seats, count), ends
        return heads_of, marks

    def _read_rounds(self, rounds: Sequence[Round]) -> None:
        """Read the results of all games of these rounds."""
        loaded = results.load_results(rounds, regulations=self._regulations)
        found = results.merge_tables(loaded, self._team_of, self._regulations)
        there = {result.place for result in found}
        for round_ in rounds:
            for place in self._kept.tables_of(round_.number) - there:
                self._kept.remove_table(place)
        for result in found:
            self._kept.change_table(result)

    def _read_games(self, rounds: Sequence[Round], games: Collection[str]) -> None:
        """Read the results of these games, which belong to these rounds."""
        found = results.load_results(rounds, games, regulations=self._regulations)
        if self._regulations.counts_against_field:
            # A deal changes the credit of all tables that have played it, and nothing is read again for it.
            others = {result.place: result for result in found}
            for round_ in rounds:
                others = self._kept.results_of(round_.number) | others
            found = count_against_field([others[place] for place in sorted(others)])
        for result in found:
            self._kept.change_table(result)
