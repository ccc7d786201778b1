"""Team against team: drawn, played at tables side by side, ranked, and equal to a naive recount."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from games import game_state, store
from games.models import User
from games.play.submit import submit
from tests.tournaments import table_play
from tournaments import demo_record, regulation_checks, regulations
from tournaments.errors import TournamentError
from tournaments.models import Championship, Entry, Regulations, Round, Table
from tournaments.presets import PRESETS
from tournaments.services import cache_versions
from tournaments.services.audit import row_audit
from tournaments.services.championships import championships
from tournaments.services.draw import draw_undoing, drawing, seat_exchanges, seating_by_hand, substitutions
from tournaments.services.entries import entries, teams
from tournaments.services.rounds import rounds
from tournaments.services.scores import published_ranking, ranking_basis
from tournaments.services.scores.live_ranking import LiveRanking
from tournaments.standings.match_points import DEFAULT_SCALE

pytestmark = pytest.mark.django_db
NAMES = ("Blitz", "Eichle", "Rose", "Schilte", "Schälle")
League = Callable[..., Championship]


@pytest.fixture
def league(fredi: User) -> League:
    """Teams by the preset of the league, all of them here; the order of entry mixes the teams."""

    def make(count: int, size: int = 4, reserve: int = 0, **changes: Any) -> Championship:
        given = {"team_size": size, "rounds": 5, **changes}
        made = championships.create(actor=fredi, name="Liga", preset="team_league", changes=given)
        wanted = [
            entries.NewEntry(f"{place} {name}", status=Entry.Status.ARRIVED, team=name)
            for place in range(size + reserve)
            for name in NAMES[:count]
        ]
        entries.add_entries(made, wanted, actor=fredi)
        return made

    return make


def write(table: Table) -> None:
    """Hand in totals by a table's own chance."""
    ours = random.Random(f"{table.round.number}/{table.number}").randrange(8 * 157)
    line = {"cmd": "enter_result", "deal": 1, "scores": [ours, 8 * 157 - ours]}
    refs, game = table_play.refs(table), str(table.game_id)
    submit(game, line, actor=refs[0], command_id="totals")
    submit(game, {"cmd": "confirm_result", "deal": 1, "by": "paper"}, actor=refs[1], command_id="signed")


def open_next(made: Championship, fredi: User) -> Round:
    round_ = made.rounds.filter(status=Round.Status.PLANNED).order_by("number").first()
    assert round_ is not None
    drawing.draw_round(round_, actor=fredi)
    return rounds.open_round(round_, actor=fredi)


def play_next(made: Championship, fredi: User) -> Round:
    round_ = open_next(made, fredi)
    for table in Table.objects.filter(round=round_).select_related("round"):
        if table.mode == "dealt":
            demo_record.play_out_with_bots(str(table.game_id))
        else:
            write(table)
    return rounds.close_round(round_, actor=fredi)


def read_encounters(round_: Round) -> dict[tuple[str, str], list[tuple[int, int, int]]]:
    """(team, team) → (table, points, points) of each table, read from the games."""
    found: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for table in round_.tables.order_by("number"):
        sat = list(table.seatings.order_by("seat").values_list("entry__team__name", flat=True))
        assert sat[0] == sat[2] != sat[1] == sat[3]
        one, other = game_state.load_snapshot(str(table.game_id)).state.totals if table.game_id else (0, 0)
        first, second = sorted(((sat[0], one), (sat[1], other)))
        found.setdefault((first[0], second[0]), []).append((table.number, first[1], second[1]))
    return found


def recount(made: Championship) -> dict[str, int]:
    """Victory points by team, from the games alone: the steps of the scale, 12 for a bye."""
    totals: dict[str, int] = {}
    for round_ in made.rounds.filter(status=Round.Status.CLOSED):
        there = set(made.teams.values_list("name", flat=True))
        for (one, other), tables in read_encounters(round_).items():
            lead = sum(mine - theirs for _number, mine, theirs in tables)
            _least, better, worse = max(step for step in DEFAULT_SCALE if step[0] <= abs(lead))
            ahead = lead > 0
            totals[one] = totals.get(one, 0) + (better if ahead or not lead else worse)
            totals[other] = totals.get(other, 0) + (worse if ahead or not lead else better)
            there -= {one, other}
        for name in there:
            totals[name] = totals.get(name, 0) + 12
    return totals


def named_totals(made: Championship) -> dict[str, int | Fraction]:
    names = dict(made.teams.values_list("number", "name"))
    return {names[row.key]: row.total for row in ranking_basis.live_ranking(made)}


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as error:
        act()
    return error.value.code


def person(made: Championship, name: str) -> Entry:
    return made.entries.get(name=name)


@pytest.mark.parametrize(("count", "size"), [(4, 4), (5, 4), (3, 8), (4, 2)])
def test_a_league_of_teams_ends_as_a_naive_recount_ranks_it(
    league: League, fredi: User, count: int, size: int
) -> None:
    made = league(count, size, rounds=count - 1 + count % 2)
    met = set()
    live = LiveRanking()
    for _ in made.rounds.all():
        round_ = play_next(made, fredi)
        for pair, tables in read_encounters(round_).items():
            numbers = [number for number, _one, _other in tables]
            assert numbers == list(range(numbers[0], numbers[0] + size // 2))
            assert pair not in met
            met.add(pair)
        assert named_totals(made) == recount(made)
        cache_version = cache_versions.load_cache_version(made.pk, fresh=True)
        assert cache_version is not None
        rows = live.rows(made, list(made.rounds.order_by("number")), cache_version)
        assert list(rows) == ranking_basis.live_ranking(made)
    assert len(met) == count * (count - 1) // 2
    championships.finish(made, actor=fredi)
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    assert snapshot.teams is None
    published = published_ranking.decode_rows(snapshot)
    assert [len(row.numbers) for row in published] == [size] * count
    assert [row.total for row in published] == sorted(recount(made).values(), reverse=True)
    made.refresh_from_db()
    assert list(row_audit.find_championship_differences(made, store.read(made.stream_id))) == []


def test_bots_play_a_league_of_teams_with_cards(league: League, fredi: User) -> None:
    play = {**regulations.encode(PRESETS["team_league"])["play"], "mode": "dealt"}
    made = league(3, rounds=3, deals=1, play=play, hand_in="deals")
    for _ in made.rounds.all():
        play_next(made, fredi)
    assert named_totals(made) == recount(made)


def test_a_table_without_a_result_leaves_its_encounter_open(league: League, fredi: User) -> None:
    made = league(2, rounds=1)
    round_ = open_next(made, fredi)
    write(Table.objects.select_related("round").get(round=round_, number=1))
    rows = ranking_basis.live_ranking(made)
    assert {row.rounds[0].unfinished for row in rows} == {"so_far"}
    rounds.close_round(round_, actor=fredi, force=True)
    snapshot = published_ranking.load_latest_snapshot(made)
    assert snapshot is not None
    assert {row.rounds[0].unfinished for row in published_ranking.decode_rows(snapshot)} == {"broken_off"}
    assert named_totals(made) == recount(made)


def test_a_team_short_of_members_does_not_play_until_somebody_fills_in(league: League, fredi: User) -> None:
    made = league(4)
    gone = entries.leave(person(made, "3 Rose"), actor=fredi)
    assert refused(lambda: open_next(made, fredi)) == "draw/team_short"
    guest = entries.add_entry(made, actor=fredi, name="Ersatz", status=Entry.Status.ARRIVED)
    assert refused(lambda: open_next(made, fredi)) == "draw/no_team"
    teams.join(made, [guest], "Rose", actor=fredi)
    round_ = play_next(made, fredi)
    assert round_.seatings.filter(entry=guest).exists()
    assert not round_.seatings.filter(entry=gone).exists()
    assert named_totals(made) == recount(made)
    entries.arrive(gone, actor=fredi)  # the captain's four are the first by number
    entries.leave(guest, actor=fredi)
    play_next(made, fredi)
    assert named_totals(made) == recount(made)
    assert len(ranking_basis.live_ranking(made)) == 4


def test_a_reserve_takes_a_chair_of_the_own_team_only(league: League, fredi: User) -> None:
    made = league(2, reserve=1)
    round_ = open_next(made, fredi)
    seats = dict(round_.seatings.values_list("entry__name", "entry__number"))
    assert "4 Blitz" not in seats
    reserve = person(made, "4 Blitz").number
    other = seats["0 Eichle"]
    assert (
        refused(lambda: substitutions.take_chair(round_, reserve, other, bye=False, actor=fredi))
        == "chairs/other_team"
    )
    assert (
        refused(lambda: seat_exchanges.exchange_seats(round_, seats["0 Blitz"], other, actor=fredi))
        == "chairs/other_team"
    )
    seat_exchanges.exchange_seats(round_, seats["0 Blitz"], seats["2 Blitz"], actor=fredi)
    substitutions.take_chair(round_, reserve, seats["1 Blitz"], bye=False, actor=fredi)
    for table in Table.objects.filter(round=round_).select_related("round"):
        write(table)
    rounds.close_round(round_, actor=fredi)
    assert named_totals(made) == recount(made)
    assert refused(lambda: teams.join(made, [person(made, "4 Blitz")], "Eichle", actor=fredi)) == (
        "teams/plays_for"
    )


def test_teams_do_not_mix_by_regulations_read_before_the_lock(league: League, fredi: User) -> None:
    made = league(2, reserve=1)
    round_ = open_next(made, fredi)
    before = regulations.encode(PRESETS["santiago"])
    Regulations.objects.create(championship=made, version=9, data=before)
    round_.championship.regulations_version = 9
    reserve, other = person(made, "4 Blitz").number, person(made, "0 Eichle").number
    assert (
        refused(lambda: substitutions.take_chair(round_, reserve, other, bye=False, actor=fredi))
        == "chairs/other_team"
    )
    own = person(made, "0 Blitz").number
    assert refused(lambda: seat_exchanges.exchange_seats(round_, own, other, actor=fredi)) == (
        "chairs/other_team"
    )


def test_a_team_that_is_away_gives_its_opponent_the_bye_and_comes_back(league: League, fredi: User) -> None:
    made = league(4)
    play_next(made, fredi)
    rose = list(made.entries.filter(team__name="Rose"))
    for entry in rose:
        entries.leave(entry, actor=fredi)
    second = play_next(made, fredi)
    assert second.tables.count() == 2
    assert second.byes.count() == 4
    for entry in rose:
        entries.arrive(entry, actor=fredi)
    third = open_next(made, fredi)
    assert third.tables.count() == 4
    draw_undoing.undo_draw(third, actor=fredi)
    third = play_next(made, fredi)
    lines = named_totals(made)
    expected = recount(made)
    expected["Rose"] -= 12  # an absence gives nothing
    assert lines == expected


def test_draws_by_hand_are_whole_encounters(league: League, fredi: User) -> None:
    made = league(4)
    of = {entry.name: entry.number for entry in made.entries.all()}

    def table(one: str, other: str, since: int) -> list[int]:
        return [of[f"{since + at // 2} {(one, other)[at % 2]}"] for at in range(4)]

    def seat(*tables: list[int]) -> Callable[[], Round]:
        return lambda: seating_by_hand.seat_by_hand(made.rounds.get(number=1), tables, actor=fredi)

    first, second = table("Blitz", "Rose", 0), table("Blitz", "Rose", 2)
    third, fourth = table("Eichle", "Schilte", 0), table("Eichle", "Schilte", 2)
    assert refused(seat([first[0], first[2], first[1], first[3]], second, third, fourth)) == (
        "draw/no_encounter"
    )
    assert refused(seat(first, third, second, fourth)) == "draw/encounter_apart"
    assert (
        refused(seat(first, table("Eichle", "Rose", 2), third, table("Blitz", "Schilte", 2)))
        == "draw/encounter_apart"
    )
    seat(first, second, third, fourth)()
    assert made.rounds.get(number=1).tables.count() == 4


@pytest.mark.parametrize("system", ["swiss", "knock_out"])
def test_swiss_and_cups_of_teams_are_ranked_too(league: League, fredi: User, system: str) -> None:
    made = league(4, pairing={"system": system}, rounds=2, counting={"what": "sum", "tie_breaks": ["lot"]})
    first = play_next(made, fredi)
    lost = next(
        other if sum(mine - theirs for _table, mine, theirs in tables) > 0 else one
        for (one, other), tables in read_encounters(first).items()
    )
    if system == "knock_out":  # who is out stops no draw
        entries.leave(person(made, f"0 {lost}"), actor=fredi)
    second = play_next(made, fredi)
    winners = {
        one if sum(mine - theirs for _table, mine, theirs in tables) > 0 else other
        for (one, other), tables in read_encounters(first).items()
    }
    met = list(read_encounters(second))
    assert set(met).isdisjoint(read_encounters(first))
    names = dict(made.teams.values_list("number", "name"))
    rows = ranking_basis.live_ranking(made)
    if system == "knock_out":
        assert met == [tuple(sorted(winners))]
        final = read_encounters(second)[met[0]]
        best = met[0][sum(theirs - mine for _table, mine, theirs in final) > 0]
        assert names[rows[0].key] == best
        assert {names[row.key] for row in rows[:2]} == winners
        return
    points: dict[str, int] = {}
    for round_ in (first, second):
        for (one, other), tables in read_encounters(round_).items():
            points[one] = points.get(one, 0) + sum(mine for _table, mine, _theirs in tables)
            points[other] = points.get(other, 0) + sum(theirs for _table, _mine, theirs in tables)
    assert {names[row.key]: row.total for row in rows} == points


def test_regulations_refuse_what_teams_cannot_play(fredi: User) -> None:
    whole = regulations.encode(PRESETS["team_league"])
    for changes, field in (
        ({"pairing": {"system": "whist"}}, "pairing.system"),
        ({"team_size": 5}, "team_size"),
        ({"teams": {"size": 4, "best": 3}}, "teams.size"),
        ({"play": {**whole["play"], "format": "fixed_pairs"}}, "play.format"),
    ):
        with pytest.raises(TournamentError) as error:
            regulation_checks.decode({**whole, **changes})
        assert (error.value.code, error.value.params["field"]) == ("regulations/entrants", field)
    with pytest.raises(TournamentError) as error:
        regulation_checks.decode({**regulations.encode(PRESETS["swiss_pairs"]), "team_size": 4})
    assert error.value.code == "regulations/entrants"
    for size in (1, 17):
        with pytest.raises(TournamentError) as error:
            regulation_checks.decode({**whole, "team_size": size})
        assert error.value.code == "regulations/out_of_bounds"
