"""Section against section by bots and on sheets: a naive recount from the logs ranks the teams alike."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from games import game_state
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tests.tournaments.test_presets import play_out
from tournaments import regulations
from tournaments.models import Championship, Entry, StandingsSnapshot, Table
from tournaments.presets import PRESETS
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
Sums = dict[int, list[int]]
BEST = 6


def evening(fredi: User, sizes: list[int], **changes: Any) -> Championship:
    """Teams of these sizes by the preset, everybody here; the order of entry mixes the teams."""
    made = championships.create(actor=fredi, name="Sektionen", preset="sections", changes=changes)
    wanted = [
        entries.NewEntry(f"P{place} T{team}", status=Entry.Status.ARRIVED, team=f"Sektion {team}")
        for place in range(max(sizes))
        for team, size in enumerate(sizes)
        if place < size
    ]
    entries.add_entries(made, wanted, actor=fredi)
    return made


def write_by_chance(table: Table) -> None:
    """The totals of eight deals, with a table's own chance."""
    ours = random.Random(f"{table.round.number}/{table.number}").randrange(8 * 157)
    line = {"cmd": "enter_result", "deal": 1, "scores": [ours, 8 * 157 - ours]}
    refs, game = table_play.refs(table), str(table.game_id)
    submit(game, line, actor=refs[0], command_id="totals")
    submit(game, {"cmd": "confirm_result", "deal": 1, "by": "paper"}, actor=refs[1], command_id="signed")


def read_rounds(made: Championship) -> Sums:
    """Number → points of each round, read from the games."""
    found: Sums = {}
    for table in Table.objects.filter(round__championship=made).order_by("round__number"):
        totals = game_state.load_snapshot(str(table.game_id)).state.totals
        for seating in table.seatings.select_related("entry"):
            found.setdefault(seating.entry.number, []).append(totals[seating.seat % 2])
    return found


def recount(made: Championship) -> list[tuple[int, int]]:
    """(sum of the best six, number) of every team with six, best first; then by the highest rounds."""
    points = read_rounds(made)
    members: dict[int, list[tuple[int, list[int]]]] = {}
    for number, team in made.entries.values_list("number", "team__number"):
        members.setdefault(team, []).append((sum(points[number]), sorted(points[number], reverse=True)))
    ranked = []
    for team, people in members.items():
        counted = sorted(people, reverse=True)[:BEST]
        if len(people) >= BEST:
            rounds = sorted((one for _total, each in counted for one in each), reverse=True)
            ranked.append((sum(total for total, _rounds in counted), rounds, -team))
    return [(total, -team) for total, _rounds, team in sorted(ranked, reverse=True)]


def hold(made: Championship, fredi: User, play: Callable[[Table], None]) -> None:
    """Draw, open, play and close each round; nobody meets a member of the own team."""
    for round_ in made.rounds.order_by("number"):
        drawing.draw_round(round_, actor=fredi, short_teams=True)
        rounds.open_round(round_, actor=fredi)
        for table in Table.objects.filter(round=round_).select_related("game", "round").order_by("number"):
            there = list(table.seatings.values_list("entry__team", flat=True))
            assert len(set(there)) == len(there)
            play(table)
        rounds.close_round(round_, actor=fredi)
    championships.finish(made, actor=fredi)


DEALT = {
    "play": {**regulations.encode(PRESETS["sections"])["play"], "mode": "dealt"},
    "deals": 1,
    "rounds": 2,
    "hand_in": "deals",
}


@pytest.mark.parametrize(
    ("play", "sizes", "changes"), [(write_by_chance, [8] * 9 + [7, 5], {}), (play_out, [8] * 4, DEALT)]
)
def test_the_teams_are_ranked_as_a_naive_recount_ranks_them(
    fredi: User, play: Callable[[Table], None], sizes: list[int], changes: dict[str, Any]
) -> None:
    made = evening(fredi, sizes, **changes)
    hold(made, fredi, play)
    found = published_ranking.decode_teams(
        StandingsSnapshot.objects.filter(championship=made).latest("version")
    )
    assert found is not None
    assert [(row.total, row.key) for row in found if row.place is not None] == recount(made)
    assert [len(row.members) for row in found if row.place is None] == [n for n in sizes if n < BEST]
    assert all(sum(member.counts for member in row.members) == min(BEST, len(row.members)) for row in found)
